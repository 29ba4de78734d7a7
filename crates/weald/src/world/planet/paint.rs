//! The colour of the planet in a direction.

use super::Planet;
use super::classes::{GRASS, LAKE, MOOR, MUD, THICKET, TOWN};
use super::sphere::{Vector, dot, unit};
use crate::render::Rgb;
use crate::render::palette::Ramp;
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

/// Colour of a kind of ground in the pictures.
pub(super) fn tint(kind: u8) -> Rgb {
    match kind {
        LAKE => [88, 152, 182],
        TOWN => [178, 146, 140],
        GRASS => [206, 203, 138],
        MOOR => [192, 170, 122],
        THICKET => [84, 122, 82],
        MUD => [138, 118, 94],
        _ => [134, 162, 102],
    }
}

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
    planet: &'a Planet,
    sea: Vec<Rgb>,
    /// Over which distance the slope is measured.
    step_m: f64,
}

/// The surface in a direction.
pub(super) struct Surface {
    /// Its own colour.
    pub(super) colour: Colour,
    /// Its normal, with slopes made gentler or steeper by [`Paint::RELIEF`].
    pub(super) normal: Vector,
    /// Whether it is water.
    pub(super) water: bool,
}

impl<'a> Paint<'a> {
    /// Slopes in the pictures are this share of the true ones.
    const RELIEF: f64 = 0.28;

    /// For pictures whose pixels are `pixel_m` wide.
    pub(super) fn new(planet: &'a Planet, pixel_m: f64) -> Self {
        Self { planet, sea: SEA.table(), step_m: (1.2 * pixel_m).max(2.0) }
    }

    /// The surface in the direction `u`: kind of ground, height, snow, depth, and the normal from the gradient g of the
    /// heights along the sphere: u − k·g. Reach: a step.
    pub(super) fn surface(&self, u: Vector) -> Surface {
        let (ground, p) = (&self.planet.ground, &self.planet.params);
        let place = u.map(|c| c * p.radius_m);
        let height = ground.height(place);
        let kind = ground.kind(place, height);
        if kind == LAKE {
            let share = clamp01((p.lake_level - height) / DEEP);
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
        let above = height - p.lake_level;
        let span = (p.snow_line - p.lake_level).max(1.0);
        let mut c = mixed(colour(SAND), colour(tint(kind)), smooth(1.0, 6.0, above));
        c = mixed(c, colour(ROCK), 0.75 * smooth(0.25, 1.0, above / span));
        // Snow does not stay on steep ground.
        let line = p.snow_line + 18.0 * (steep - 0.6);
        c = mixed(c, colour(SNOW), smooth(line - 6.0, line + 14.0, height));
        Surface { colour: c, normal, water: false }
    }
}
