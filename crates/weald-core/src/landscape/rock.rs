//! Rock that differs from place to place.

use crate::Seed;
use crate::line::Point;
use crate::math;
use crate::noise::gradient::{Fractal, NoiseShape, fractal_at};

/// Erodibility K of ordinary rock, a year, for streams with an exponent of area of one half.
const ORDINARY: f64 = 4e-5;

/// The root mean square of the noise.
const SPREAD: f64 = 0.2;

/// Rock that streams carve more easily in one place than in another. Without it, rivers are straighter.
#[derive(Clone, Copy, Debug)]
pub struct Rock {
    /// Where its noise comes from.
    pub seed: Seed,
    /// The standard deviation of ln K; 0 for the same rock everywhere.
    pub variation: f64,
    /// The longest wavelength of the noise, in the unit of the places.
    pub wavelength: f64,
}

impl Rock {
    /// The erodibility at a place: K = 4·10⁻⁵ e^(variation · n), with n noise of four octaves whose root mean square is 1. Reach:
    /// point.
    pub fn erodibility_at(&self, (x, y): Point) -> f32 {
        let waves = Fractal { wavelength_m: self.wavelength, octaves: 4, persistence: 0.6, lacunarity: 2.0 };
        let noise = fractal_at(x, y, self.seed, NoiseShape::Fbm, &waves) as f64 / SPREAD;
        (ORDINARY * math::exp(self.variation * noise)) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rock_varies_by_its_standard_deviation_around_ordinary_rock() {
        let all = |variation: f64| -> Vec<f64> {
            let rock = Rock { seed: Seed(5), variation, wavelength: 100.0 };
            let places = (0..80).flat_map(|i| (0..80).map(move |j| (37.0 * i as f64, 41.0 * j as f64)));
            places.map(|at| math::ln(rock.erodibility_at(at) as f64 / ORDINARY)).collect()
        };
        let deviation = |values: &[f64]| {
            let n = values.len() as f64;
            let mean = values.iter().sum::<f64>() / n;
            (mean, (values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n).sqrt())
        };
        let (mean, spread) = deviation(&all(0.5));
        assert!(mean.abs() < 0.05 && (spread - 0.5).abs() < 0.1, "{mean} {spread}");
        assert!(all(0.0).iter().all(|v| v.abs() < 1e-6));
    }
}
