//! The colour of the planet in a direction.

use super::{Vector, dot, unit};
use crate::catalogue::{Rgb, Sampler};
use crate::render::palette::Ramp;
use crate::style::GlobeStyle;
use weald_core::math::{clamp01, smoothstep};

/// Red, green and blue, 0 to 1.
pub(super) type Colour = [f64; 3];

/// Water by depth, over a depth of [`DEEP`].
pub(super) const SEA: Ramp = Ramp {
    stops: &[(0.0, [156, 206, 208]), (0.06, [116, 182, 198]), (0.3, [72, 138, 176]), (1.0, [40, 90, 142])],
};

/// Depth at which water is darkest.
pub(super) const DEEP: f64 = 200.0;

/// High ground, below the snow.
const ROCK: Rgb = [164, 140, 116];
const SNOW: Rgb = [247, 248, 250];
const SAND: Rgb = [228, 217, 178];

pub(super) fn colour(rgb: Rgb) -> Colour {
    rgb.map(|c| c as f64 / 255.0)
}

/// From `a` to `b` as `t` goes from 0 to 1.
pub(super) fn mixed(a: Colour, b: Colour, t: f64) -> Colour {
    let t = clamp01(t);
    std::array::from_fn(|k| a[k] + (b[k] - a[k]) * t)
}

/// 0 below `low`, 1 above `high`, smooth between.
pub(super) fn smooth(low: f64, high: f64, v: f64) -> f64 {
    smoothstep((v - low) / (high - low))
}

/// How the planet is coloured.
pub(super) struct Paint<'a> {
    planet: &'a dyn Sampler,
    style: &'a GlobeStyle,
    sea: Vec<Rgb>,
    /// Colours of the ground by its code.
    tints: [Rgb; 256],
    /// Distance over which the slope is measured.
    step_m: f64,
}

/// The surface in a direction.
pub(super) struct Surface {
    /// Its own colour.
    pub(super) colour: Colour,
    /// Its normal, with slopes scaled by [`Paint::RELIEF`].
    pub(super) normal: Vector,
    /// Whether it is water.
    pub(super) water: bool,
}

impl<'a> Paint<'a> {
    /// Slopes in pictures relative to the true ones.
    const RELIEF: f64 = 0.28;

    /// For pictures whose pixels are `pixel_m` wide.
    pub(super) fn new(planet: &'a dyn Sampler, style: &'a GlobeStyle, pixel_m: f64) -> Self {
        let mut tints = [[0; 3]; 256];
        style.ground.iter().for_each(|class| tints[class.value as usize] = class.colour);
        Self { planet, style, sea: SEA.table(), tints, step_m: (1.2 * pixel_m).max(2.0) }
    }

    /// The surface in the direction `u`: kind of ground, height, snow, depth, and the normal from the gradient g of the
    /// heights along the sphere: u − k·g. Reach: a step.
    pub(super) fn surface(&self, u: Vector) -> Surface {
        let (ground, p) = (self.planet, self.style);
        let place = u.map(|c| c * p.radius_m);
        let height = ground.height(place);
        let kind = ground.ground(place, height);
        if kind == p.water {
            let share = clamp01((p.sea_level - height) / DEEP);
            let colour = colour(self.sea[(share * 255.0) as usize]);
            return Surface { colour, normal: u, water: true };
        }
        let d = self.step_m;
        let gradient: Vector = std::array::from_fn(|k| {
            let (mut a, mut b) = (place, place);
            a[k] -= d;
            b[k] += d;
            (ground.height(b) - ground.height(a)) / (2.0 * d)
        });
        let out = dot(gradient, u);
        let along: Vector = std::array::from_fn(|k| gradient[k] - out * u[k]);
        let steep = dot(along, along).sqrt();
        let normal = unit(std::array::from_fn(|k| u[k] - Self::RELIEF * along[k]));
        let above = height - p.sea_level;
        let span = (p.snow_line - p.sea_level).max(1.0);
        let mut c = mixed(colour(SAND), colour(self.tints[kind as usize]), smooth(1.0, 6.0, above));
        c = mixed(c, colour(ROCK), 0.75 * smooth(0.25, 1.0, above / span));
        // Snow does not stay on steep ground.
        let line = p.snow_line + 18.0 * (steep - 0.6);
        c = mixed(c, colour(SNOW), smooth(line - 6.0, line + 14.0, height));
        Surface { colour: c, normal, water: false }
    }
}
