//! The figures by name: what each one is, and the range of real land.

use super::Measures;
use super::Value;

/// A figure of [`Measures`]: its name, the range that counts as real, and what it is.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Figure {
    /// Its name, as in tables and in JSON.
    pub name: &'static str,
    /// The least value that counts as real; `None` if any small value does.
    pub least: Option<f64>,
    /// The greatest value that counts as real; `None` if any large value does.
    pub most: Option<f64>,
    /// Decimals that are worth printing.
    pub decimals: usize,
    /// What it is, one sentence without a full stop.
    pub about: &'static str,
    of: fn(&Measures) -> Value,
}

/// Whether a figure is in the range of real land.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The value is in the range.
    Inside,
    /// The value is outside the range.
    Outside,
    /// The figure has no range: land can have any value.
    NoRange,
    /// The figure could not be computed.
    Missing,
}

impl Verdict {
    /// How tables and JSON call it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Inside => "inside",
            Verdict::Outside => "outside",
            Verdict::NoRange => "no range",
            Verdict::Missing => "none",
        }
    }
}

impl Figure {
    /// The value of this figure, or why there is none.
    pub fn value(&self, measures: &Measures) -> Value {
        (self.of)(measures)
    }

    /// Whether the value is in the range of real land.
    pub fn verdict(&self, measures: &Measures) -> Verdict {
        match (self.value(measures), self.least, self.most) {
            (Err(_), ..) => Verdict::Missing,
            (Ok(_), None, None) => Verdict::NoRange,
            (Ok(v), least, most) => {
                let inside = least.is_none_or(|l| v >= l) && most.is_none_or(|m| v <= m);
                if inside { Verdict::Inside } else { Verdict::Outside }
            }
        }
    }

    /// The range in words: "0.46 to 0.62", "at most 3", "any".
    pub fn range_text(&self) -> String {
        match (self.least, self.most) {
            (Some(l), Some(m)) => format!("{l} to {m}"),
            (None, Some(m)) => format!("at most {m}"),
            (Some(l), None) => format!("at least {l}"),
            (None, None) => "any".into(),
        }
    }

    /// The value with its decimals, or a dash.
    pub fn value_text(&self, measures: &Measures) -> String {
        self.value(measures).map_or("—".into(), |v| format!("{v:.*}", self.decimals))
    }
}

/// Every figure, in the order in which they are printed, with the range that counts as real land.
///
/// The ranges hold for the real terrain that was measured with this program's definitions and for the values that the literature
/// gives; see the manual page on `weald measure`.
pub const RANGES: [Figure; 10] = [
    Figure {
        name: "chord45",
        least: None,
        most: Some(0.16),
        decimals: 3,
        about: "share of river chords of 12 steps within 3° of a multiple of 45°; 0.133 if no direction is preferred",
        of: |m| m.chord45,
    },
    Figure {
        name: "run8",
        least: None,
        most: Some(0.12),
        decimals: 3,
        about: "share of river length in runs of at least 8 equal steps",
        of: |m| m.run8,
    },
    Figure {
        name: "sinuosity",
        least: Some(1.12),
        most: Some(1.45),
        decimals: 2,
        about: "median of river length over straight distance, for pieces of 40 steps",
        of: |m| m.sinuosity,
    },
    Figure {
        name: "Rb",
        least: Some(3.0),
        most: Some(6.0),
        decimals: 1,
        about: "bifurcation ratio: how many times more streams one Strahler order has than the next",
        of: |m| m.bifurcation,
    },
    Figure {
        name: "Rl",
        least: Some(1.2),
        most: Some(3.5),
        decimals: 1,
        about: "length ratio: how many times longer the mean stream of one order is than that of the order before",
        of: |m| m.length_ratio,
    },
    Figure {
        name: "Hack",
        least: Some(0.46),
        most: Some(0.62),
        decimals: 2,
        about: "Hack's exponent: the longest path above a place grows with its drainage area to this power",
        of: |m| m.hack,
    },
    Figure {
        name: "theta",
        least: Some(0.05),
        most: Some(0.65),
        decimals: 2,
        about: "concavity: channel slope falls with drainage area to this power",
        of: |m| m.theta,
    },
    Figure {
        name: "anisotropy",
        least: None,
        most: Some(3.0),
        decimals: 1,
        about: "strongest over weakest direction of the relief, at wavelengths of 6 to 32 cells; 1 if all are equal",
        of: |m| m.anisotropy,
    },
    Figure {
        name: "HI",
        least: None,
        most: None,
        decimals: 2,
        about: "hypsometric integral: mean height of the land between its low (0) and its high (1)",
        of: |m| m.hypsometric_integral,
    },
    Figure {
        name: "coast D",
        least: Some(1.08),
        most: Some(1.35),
        decimals: 2,
        about: "fractal dimension of the coast, by dividers of 3 to 24 cells; below 1 if it is smooth",
        of: |m| m.coast_dimension,
    },
];
