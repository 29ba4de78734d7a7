//! The document's four exercises: the density of stars, the nearest star, the number of planets, and whether colour and planets
//! are correlated.

use super::Galaxy;
use super::stars::Star;
use serde_json::{Value, json};
use std::fmt::Write;
use weald_core::math;

/// The answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Stars in the block.
    pub stars: usize,
    /// Cubic light years of the block.
    pub volume: u64,
    /// Stars per cubic light year.
    pub density: f64,
    /// The expected density by the test for stars ([`super::stars::CHANCE`], [`super::stars::ORIGINAL_CHANCE`]).
    pub expected: f64,
    /// The nearest visible star.
    pub nearest: Option<Nearest>,
    /// Stars by number of planets.
    pub by_planets: [u32; 16],
    /// Colour and planets; none for fewer than 20 stars.
    pub correlation: Option<Correlation>,
}

/// The visible star nearest to the viewer ([`super::params::At`]): within the block, and of a magnitude below the limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The star; of equally near ones the first in the order of the table.
    pub star: Star,
    /// Its distance from the viewer in light years.
    pub distance_ly: f64,
    /// Its magnitude.
    pub magnitude: f64,
}

/// Whether two numbers of each star are correlated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correlation {
    /// Pearson's coefficient.
    pub r: f64,
    /// |r| stays below this in 95 of 100 samples of independent numbers: 1.96 / √(n − 1).
    pub bound: f64,
    /// Σ (observed − expected)² / expected over a table of `classes` × `classes` fields.
    pub chi_square: f64,
    /// Classes of each number: the most of 16, 8, 4 and 2 for which a field is expected to hold five stars.
    pub classes: usize,
    /// (rows − 1)·(columns − 1), of rows and columns that are not empty.
    pub freedom: u32,
    /// Probability of a chi-square at least as large if the numbers were independent.
    pub p: f64,
}

impl Correlation {
    /// Whether the numbers are consistent with independence: |r| within its bound, and p at least 0.05.
    pub fn independent(&self) -> bool {
        self.r.abs() <= self.bound && self.p >= 0.05
    }

    /// The same in words.
    pub fn verdict(&self) -> &'static str {
        match (self.r.abs() <= self.bound, self.p >= 0.05) {
            (true, true) => "no correlation: both measures are within what chance alone gives",
            (false, true) => {
                "r is beyond its bound, as in 5 of 100 samples without correlation; the table shows none"
            }
            (true, false) => {
                "the table is less even than in 95 of 100 samples without correlation; r shows none"
            }
            (false, false) => "colour and planets are correlated in this block",
        }
    }
}

impl Galaxy {
    /// The magnitude of a star: least + range·step/7.
    pub fn magnitude(&self, star: &Star) -> f64 {
        let p = &self.params.stars;
        p.min_magnitude + p.magnitude_range * star.step as f64 / 7.0
    }

    /// The answers for this block.
    pub fn summary(&self) -> Summary {
        let volume = self.count.len() as u64 * self.params.depth_ly as u64;
        let mut by_planets = [0; 16];
        self.stars.iter().for_each(|s| by_planets[s.planets as usize] += 1);
        let pairs: Vec<(u8, u8)> = self.stars.iter().map(|s| (s.colour, s.planets)).collect();
        Summary {
            stars: self.stars.len(),
            volume,
            density: self.stars.len() as f64 / volume as f64,
            expected: self.expected,
            nearest: self.nearest(),
            by_planets,
            correlation: correlation(&pairs),
        }
    }

    /// The answers as text for people.
    pub fn report(&self) -> String {
        let (s, p, seed) = (self.summary(), &self.params, self.seed.0);
        let mut out = String::new();
        let (w, h) = (self.nebula.width(), self.nebula.height());
        let _ = writeln!(out, "galaxy {w}x{h}x{} light years, seed {seed}\n", p.depth_ly);
        let ratio = 100.0 * (s.density / s.expected - 1.0);
        let _ = writeln!(
            out,
            "1. {} stars in {} cubic light years: {:.3e} per cubic light year",
            s.stars, s.volume, s.density
        );
        let why = if seed == 0 {
            "1/4096 * 4/256: the low byte of a product of three numbers is 1 to 7 four times in 256, not seven"
        } else {
            "1/4096 * 7/256"
        };
        let _ = writeln!(out, "   expected {:.3e} ({why}); measured is {ratio:+.1} %", s.expected);
        let limit = p.stars.visible_below;
        let _ = match s.nearest {
            Some(n) => {
                let [x, y, z] = n.star.place;
                let planets = if n.star.planets == 1 { "planet" } else { "planets" };
                writeln!(
                    out,
                    "2. nearest visible star: {:.2} light years from the viewer at {},{},{}; it has {} {planets}\n   \
                     at {x},{y},{z}, magnitude {}, colour {}; visible: in the block, magnitude below {limit}",
                    n.distance_ly, p.at.x, p.at.y, p.at.z, n.star.planets, n.magnitude, n.star.colour
                )
            }
            None => writeln!(out, "2. no star in the block is visible, that is of a magnitude below {limit}"),
        };
        let _ = writeln!(out, "3. stars by number of planets");
        for (planets, count) in s.by_planets.iter().enumerate() {
            let _ = writeln!(out, "   {planets:2} {count:6}");
        }
        let _ = match s.correlation {
            Some(c) => writeln!(
                out,
                "4. colour and planets: {}\n   r = {:+.4}, 95 % of samples without correlation are within {:.4}\n   \
                 chi-square = {:.1} with {} degrees of freedom ({}x{} classes), p {}",
                c.verdict(),
                c.r,
                c.bound,
                c.chi_square,
                c.freedom,
                c.classes,
                c.classes,
                if c.p < 1e-4 { "below 0.0001".to_owned() } else { format!("= {:.4}", c.p) }
            ),
            None => {
                writeln!(
                    out,
                    "4. colour and planets: fewer than 20 stars are too few to tell; use a larger block"
                )
            }
        };
        out
    }

    fn nearest(&self) -> Option<Nearest> {
        let viewer = [self.params.at.x, self.params.at.y, self.params.at.z];
        let away = |s: &Star, k: usize| (s.place[k] - viewer[k]) as i128;
        let square = |s: &Star| (0..3).map(|k| away(s, k) * away(s, k)).sum::<i128>();
        let visible = self.stars.iter().filter(|s| self.magnitude(s) < self.params.stars.visible_below);
        let star = *visible.min_by_key(|s| square(s))?;
        let distance_ly = (square(&star) as f64).sqrt();
        Some(Nearest { star, distance_ly, magnitude: self.magnitude(&star) })
    }
}

impl Summary {
    /// For machines.
    pub fn to_json(&self) -> Value {
        let nearest = self.nearest.map(|n| {
            let [x, y, z] = n.star.place;
            json!({
                "x": x, "y": y, "z": z, "distance_ly": n.distance_ly, "magnitude": n.magnitude,
                "planets": n.star.planets, "colour": n.star.colour,
            })
        });
        let correlation = self.correlation.map(|c| {
            json!({
                "r": c.r, "bound_95": c.bound, "chi_square": c.chi_square, "classes": c.classes,
                "degrees_of_freedom": c.freedom, "p": c.p, "independent": c.independent(), "verdict": c.verdict(),
            })
        });
        json!({
            "stars": self.stars, "volume_ly3": self.volume, "density_per_ly3": self.density,
            "expected_per_ly3": self.expected, "nearest_visible": nearest, "stars_by_planets": self.by_planets,
            "colour_and_planets": correlation,
        })
    }
}

/// Pearson's r and a chi-square of pairs of numbers from 0 to 15.
fn correlation(pairs: &[(u8, u8)]) -> Option<Correlation> {
    let n = pairs.len() as f64;
    let classes = [16usize, 8, 4, 2].into_iter().find(|k| n / (k * k) as f64 >= 5.0)?;
    // Sums of whole numbers, so that their order does not matter.
    let [mut x, mut y, mut xx, mut yy, mut xy] = [0u64; 5];
    let mut table = vec![0u64; classes * classes];
    for &(a, b) in pairs {
        let (a, b) = (a as u64, b as u64);
        (x, y, xx, yy, xy) = (x + a, y + b, xx + a * a, yy + b * b, xy + a * b);
        table[a as usize * classes / 16 * classes + b as usize * classes / 16] += 1;
    }
    let [x, y, xx, yy, xy] = [x, y, xx, yy, xy].map(|v| v as f64);
    let spread = ((n * xx - x * x) * (n * yy - y * y)).sqrt();
    let r = if spread > 0.0 { (n * xy - x * y) / spread } else { 0.0 };
    let rows: Vec<u64> = table.chunks(classes).map(|row| row.iter().sum()).collect();
    let columns: Vec<u64> = (0..classes).map(|c| table.iter().skip(c).step_by(classes).sum()).collect();
    let mut chi_square = 0.0;
    for (i, &seen) in table.iter().enumerate() {
        let expected = rows[i / classes] as f64 * columns[i % classes] as f64 / n;
        if expected > 0.0 {
            chi_square += (seen as f64 - expected) * (seen as f64 - expected) / expected;
        }
    }
    let filled = |sums: &[u64]| sums.iter().filter(|&&s| s > 0).count().saturating_sub(1) as u32;
    let freedom = filled(&rows) * filled(&columns);
    let p = chi_square_beyond(chi_square, freedom);
    Some(Correlation { r, bound: 1.96 / (n - 1.0).sqrt(), chi_square, classes, freedom, p })
}

/// The probability that a chi-square with `freedom` degrees is at least x: Γ(k, x/2) / Γ(k) with k = freedom/2, by the series of
/// the lower incomplete gamma function below k + 1 and by the continued fraction of the upper one (Lentz) above it.
/// DLMF 8.11.4 and 8.9.2.
fn chi_square_beyond(x: f64, freedom: u32) -> f64 {
    if freedom == 0 || x <= 0.0 {
        return 1.0;
    }
    let (k, t) = (freedom as f64 / 2.0, x / 2.0);
    let front = math::exp(k * math::ln(t) - t - ln_gamma_of_half(freedom));
    if t < k + 1.0 {
        let (mut term, mut sum, mut i) = (1.0 / k, 1.0 / k, k);
        while term > sum * 1e-16 {
            i += 1.0;
            term *= t / i;
            sum += term;
        }
        return math::clamp01(1.0 - front * sum);
    }
    let mut b = t + 1.0 - k;
    let (mut c, mut d) = (1e300, 1.0 / b);
    let mut fraction = d;
    for i in 1..10_000 {
        let a = i as f64 * (k - i as f64);
        b += 2.0;
        d = 1.0 / (a * d + b);
        c = b + a / c;
        fraction *= c * d;
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    math::clamp01(front * fraction)
}

/// ln Γ(n/2) by Γ(v + 1) = v·Γ(v) from Γ(1/2) = √π or Γ(1) = 1.
fn ln_gamma_of_half(n: u32) -> f64 {
    let start = if n % 2 == 1 { math::ln(std::f64::consts::PI) / 2.0 } else { 0.0 };
    (1..n.div_ceil(2)).fold(start, |sum, i| sum + math::ln(i as f64 - if n % 2 == 1 { 0.5 } else { 0.0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_of_chi_squares_equal_published_ones() {
        // Critical values of 5 % and 1 % from tables of the distribution.
        for (x, freedom, p) in [
            (3.841, 1, 0.05),
            (5.991, 2, 0.05),
            (16.919, 9, 0.05),
            (66.339, 49, 0.05),
            (6.635, 1, 0.01),
            (21.666, 9, 0.01),
            (74.919, 49, 0.01),
            (49.335, 50, 0.5),
        ] {
            let found = chi_square_beyond(x, freedom);
            assert!((found - p).abs() < 2e-4, "{x} with {freedom}: {found}");
        }
        assert_eq!(chi_square_beyond(0.0, 9), 1.0);
    }

    #[test]
    fn equal_numbers_go_together_and_a_full_table_does_not() {
        let same: Vec<(u8, u8)> =
            (0..1600).map(|i| (i % 16, i % 16)).map(|(a, b)| (a as u8, b as u8)).collect();
        let c = correlation(&same).unwrap();
        assert!((c.r - 1.0).abs() < 1e-12 && c.p < 1e-6 && !c.independent());
        let even: Vec<(u8, u8)> = (0..2560u32).map(|i| ((i % 16) as u8, (i / 16 % 16) as u8)).collect();
        let c = correlation(&even).unwrap();
        assert!(c.r.abs() < 1e-12 && c.chi_square == 0.0 && c.independent());
        assert_eq!((c.classes, c.freedom), (16, 225));
        assert_eq!(correlation(&even[..19]), None);
    }
}
