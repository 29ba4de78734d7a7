//! Heights as 16-bit whole numbers, for programs that take nothing else.

use crate::error::{Error, Result};
use weald_core::{Ctx, Grid, par, stats};

/// Share of the cells that may be clipped without being asked.
const CLIPPED_SHARE: f64 = 0.001;

/// The heights that the values 0 and 65 535 stand for, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The height of the value 0.
    pub low_m: f64,
    /// The height of the value 65 535.
    pub high_m: f64,
}

impl Range {
    /// The range of the heights themselves; 1 m high where all of them are equal.
    pub fn of(height: &Grid<f32>, ctx: &Ctx) -> Result<Self> {
        let (low, high) = stats::min_max(height, &ctx.quiet())?.unwrap_or((0.0, 0.0));
        let (low_m, high_m) = (f64::from(low), f64::from(high));
        Ok(Self { low_m, high_m: if high_m > low_m { high_m } else { low_m + 1.0 } })
    }

    /// Metres from the lowest to the highest value.
    pub fn span_m(self) -> f64 {
        self.high_m - self.low_m
    }

    /// Metres from a value to the next one.
    pub fn quantum_m(self) -> f64 {
        self.span_m() / 65535.0
    }
}

/// What becomes of heights outside the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// They are clipped if they are few, and refused otherwise.
    Refuse,
    /// They are clipped, however many they are.
    Clip,
}

impl Outside {
    /// What `--clip` asks for.
    pub fn of(clip: bool) -> Self {
        if clip { Outside::Clip } else { Outside::Refuse }
    }
}

/// Heights as whole numbers: v = round((h − low) / (high − low) · 65535), with what lies outside clipped. Returns the number of clipped
/// cells too.
///
/// Fails if more than 0.1 % of the cells would be clipped and that is to be refused; `remedy` turns the range that the heights need into
/// what to do, such as a scale to choose. Reach: point.
pub fn quantise(
    height: &Grid<f32>,
    range: Range,
    outside: Outside,
    remedy: &dyn Fn(Range) -> String,
    ctx: &Ctx,
) -> Result<(Grid<u16>, usize)> {
    let beyond = |h: f32| {
        f64::from(h) < range.low_m - range.quantum_m() / 2.0
            || f64::from(h) > range.high_m + range.quantum_m() / 2.0
    };
    let per_row =
        par::map(height.height(), &ctx.quiet(), |y| height.row(y).iter().filter(|h| beyond(**h)).count())?;
    let clipped: usize = per_row.into_iter().sum();
    if outside == Outside::Refuse && clipped as f64 > CLIPPED_SHARE * height.len() as f64 {
        let needed = Range::of(height, ctx)?;
        return Err(Error::Invalid(format!(
            "{:.1} % of the cells would be clipped: heights from {:.1} to {:.1} m do not fit into {:.1} to {:.1} m; {}, or clip them with --clip",
            100.0 * clipped as f64 / height.len() as f64,
            needed.low_m,
            needed.high_m,
            range.low_m,
            range.high_m,
            remedy(needed)
        )));
    }
    let span = range.span_m();
    let values = par::fill(height.width(), height.height(), &ctx.quiet(), |y, row: &mut [u16]| {
        for (out, h) in row.iter_mut().zip(height.row(y)) {
            *out = ((f64::from(*h) - range.low_m) / span * 65535.0).round().clamp(0.0, 65535.0) as u16;
        }
    })?;
    Ok((values, clipped))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remedy(needed: Range) -> String {
        format!("use {}", needed.span_m())
    }

    #[test]
    fn heights_come_back_within_half_a_quantum() {
        let height = Grid::from_fn(40, 25, |x, y| (x as f32 * 17.3 - y as f32 * 41.7) * 0.9);
        let range = Range::of(&height, &Ctx::default()).unwrap();
        let (values, clipped) = quantise(&height, range, Outside::Refuse, &remedy, &Ctx::default()).unwrap();
        assert_eq!(clipped, 0);
        for (v, h) in values.cells().iter().zip(height.cells()) {
            let back = range.low_m + f64::from(*v) * range.quantum_m();
            assert!((back - f64::from(*h)).abs() <= range.quantum_m() / 2.0 + 1e-9);
        }
        let flat = Range::of(&Grid::filled(2, 2, 7.0), &Ctx::default()).unwrap();
        assert_eq!(flat, Range { low_m: 7.0, high_m: 8.0 });
    }

    #[test]
    fn what_would_be_clipped_is_refused_unless_it_is_little_or_asked_for() {
        let height = Grid::from_fn(100, 100, |x, y| if y == 0 && x < 11 { 500.0 } else { 50.0 });
        let range = Range { low_m: 0.0, high_m: 100.0 };
        let run = |outside| quantise(&height, range, outside, &remedy, &Ctx::default());
        let message = run(Outside::Refuse).unwrap_err().to_string();
        assert!(
            message.contains("0.1 % of the cells") && message.contains("use 450, or clip them with --clip"),
            "{message}"
        );
        let (values, clipped) = run(Outside::Clip).unwrap();
        assert_eq!((values[(0, 0)], clipped), (65535, 11));
        let few = Grid::from_fn(100, 100, |x, y| if y == 0 && x < 10 { 500.0 } else { 50.0 });
        assert_eq!(quantise(&few, range, Outside::Refuse, &remedy, &Ctx::default()).unwrap().1, 10);
    }
}
