//! Light on a height field.

use weald_core::{Cancelled, Ctx, Grid, math, par};

/// Where the light comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Direction towards the light, clockwise from north.
    pub azimuth_deg: f64,
    /// Height of the light above the horizon.
    pub altitude_deg: f64,
}

impl Default for Light {
    /// From the north-west at 45°, as on most maps.
    fn default() -> Self {
        Self { azimuth_deg: 315.0, altitude_deg: 45.0 }
    }
}

impl Light {
    /// The unit vector towards the light: (sin A cos h, −cos A cos h, sin h) for azimuth A and altitude h, x east,
    /// y south, z up.
    pub fn vector(&self) -> [f32; 3] {
        let (a, h) = (self.azimuth_deg.to_radians(), self.altitude_deg.to_radians());
        [(math::sin(a) * math::cos(h)) as f32, (-math::cos(a) * math::cos(h)) as f32, math::sin(h) as f32]
    }
}

/// Horn's gradient (1981, doi:10.1109/PROC.1981.11918) of a 3 × 3 window, given as rows from the north: with
/// the window a b c / d e f / g h i,
/// p = ((c + 2f + i) − (a + 2d + g)) / 8 towards the east and
/// q = ((g + 2h + i) − (a + 2b + c)) / 8 towards the south, per cell.
#[inline(always)]
pub fn horn(above: [f32; 3], here: [f32; 3], below: [f32; 3]) -> (f32, f32) {
    let east = above[2] + 2.0 * here[2] + below[2];
    let west = above[0] + 2.0 * here[0] + below[0];
    let south = below[0] + 2.0 * below[1] + below[2];
    let north = above[0] + 2.0 * above[1] + above[2];
    ((east - west) / 8.0, (south - north) / 8.0)
}

/// Lambert's light on a surface that rises by `p` per unit of length eastwards and `q` southwards: the surface
/// normal (−p, −q, 1) / √(p² + q² + 1) times the vector `light`, 0 where it is turned away.
#[inline(always)]
pub fn lambert(p: f32, q: f32, light: [f32; 3]) -> f32 {
    let up = (light[2] - p * light[0] - q * light[1]) / (p * p + q * q + 1.0).sqrt();
    if up > 0.0 { up } else { 0.0 }
}

/// Four lights at one altitude, 45° apart around the main one.
#[derive(Clone, Copy, Debug)]
pub struct Lights {
    vectors: [[f32; 3]; 4],
    flats: [[f32; 2]; 4],
    level: f32,
}

impl Lights {
    /// Lights at −90°, −45°, 0° and +45° from the azimuth of `main`.
    pub fn around(main: &Light) -> Self {
        let of = |turn: f64, altitude_deg: f64| {
            Light { azimuth_deg: main.azimuth_deg + turn, altitude_deg }.vector()
        };
        let turns = [-90.0, -45.0, 0.0, 45.0];
        let flats = turns.map(|t| {
            let v = of(t, 0.0);
            [v[0], v[1]]
        });
        Self { vectors: turns.map(|t| of(t, main.altitude_deg)), flats, level: main.vector()[2] }
    }

    /// Mark's (1992) multidirectional light: Σ wᵢ sᵢ / Σ wᵢ over the four lights, where sᵢ is [`lambert`] and
    /// wᵢ = sin²(aspect − azimuthᵢ), so that a slope is drawn by the lights that graze it and none is lost in full
    /// light or full shadow. Σ wᵢ is always 2. Level ground gets the sine of the altitude.
    #[inline(always)]
    pub fn shade(&self, p: f32, q: f32) -> f32 {
        let g2 = p * p + q * q;
        let part = |k: usize| {
            let cross = p * self.flats[k][1] - q * self.flats[k][0];
            cross * cross / g2 * lambert(p, q, self.vectors[k])
        };
        let sum = part(0) + part(1) + part(2) + part(3);
        if g2 <= 1e-20 { self.level } else { sum * 0.5 }
    }
}

/// The hillshade of a height field: [`lambert`] on [`horn`]'s gradient times `z_factor / cell_m`, in [0, 1]. Cells beyond
/// the edge repeat the edge. Reach: 1 cell. Rows in parallel.
pub fn hillshade(
    height: &Grid<f32>,
    cell_m: f64,
    z_factor: f64,
    light: &Light,
    ctx: &Ctx,
) -> Result<Grid<f32>, Cancelled> {
    let v = light.vector();
    each_gradient(height, (z_factor / cell_m) as f32, ctx, |p, q| lambert(p, q, v))
}

/// As [`hillshade`], softer: [`Lights::shade`] with four lights around `light`.
pub fn multidirectional(
    height: &Grid<f32>,
    cell_m: f64,
    z_factor: f64,
    light: &Light,
    ctx: &Ctx,
) -> Result<Grid<f32>, Cancelled> {
    let lights = Lights::around(light);
    each_gradient(height, (z_factor / cell_m) as f32, ctx, |p, q| lights.shade(p, q))
}

fn each_gradient(
    height: &Grid<f32>,
    factor: f32,
    ctx: &Ctx,
    shade: impl Fn(f32, f32) -> f32 + Sync,
) -> Result<Grid<f32>, Cancelled> {
    let (w, h) = (height.width(), height.height());
    par::fill(w, h, ctx, |y, row: &mut [f32]| {
        let rows = [height.row(y.saturating_sub(1)), height.row(y), height.row((y + 1).min(h - 1))];
        for (x, out) in row.iter_mut().enumerate() {
            let (l, r) = (x.saturating_sub(1), (x + 1).min(w - 1));
            let [a, b, c] = rows.map(|row| [row[l], row[x], row[r]]);
            let (p, q) = horn(a, b, c);
            *out = shade(p * factor, q * factor);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plane that rises by `p` per cell eastwards and `q` southwards.
    fn plane(p: f32, q: f32) -> Grid<f32> {
        Grid::from_vec(7, 7, (0..49).map(|i| p * (i % 7) as f32 + q * (i / 7) as f32).collect())
    }

    fn centre(grid: &Grid<f32>) -> f64 {
        grid[(3, 3)] as f64
    }

    #[test]
    fn level_ground_gets_the_sine_of_the_altitude() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let ctx = Ctx::default();
        let flat = plane(0.0, 0.0);
        assert!((centre(&hillshade(&flat, 1.0, 1.0, &Light::default(), &ctx).unwrap()) - half).abs() < 1e-6);
        assert!(
            (centre(&multidirectional(&flat, 1.0, 1.0, &Light::default(), &ctx).unwrap()) - half).abs()
                < 1e-6
        );
    }

    #[test]
    fn a_plane_that_faces_the_light_is_white_and_one_turned_away_is_black() {
        // A gradient of 1 towards the south-east: the slope faces north-west at 45°.
        let d = std::f32::consts::FRAC_1_SQRT_2;
        let ctx = Ctx::default();
        let lit = hillshade(&plane(d, d), 1.0, 1.0, &Light::default(), &ctx).unwrap();
        let dark = hillshade(&plane(-d, -d), 1.0, 1.0, &Light::default(), &ctx).unwrap();
        assert!((centre(&lit) - 1.0).abs() < 1e-6);
        assert!(centre(&dark) < 1e-6);
    }

    #[test]
    fn the_shade_of_a_plane_is_the_product_of_normal_and_light() {
        let (p, q, z, cell) = (0.3, -0.8, 2.5, 4.0);
        let light = Light { azimuth_deg: 120.0, altitude_deg: 30.0 };
        let shade = hillshade(&plane(p, q), cell, z, &light, &Ctx::default()).unwrap();
        let (p, q) = (p as f64 * z / cell, q as f64 * z / cell);
        let (a, h) = (120.0f64.to_radians(), 30.0f64.to_radians());
        let l = [math::sin(a) * math::cos(h), -math::cos(a) * math::cos(h), math::sin(h)];
        let expected = (l[2] - p * l[0] - q * l[1]) / (p * p + q * q + 1.0).sqrt();
        assert!((centre(&shade) - expected).abs() < 1e-6, "{} {expected}", centre(&shade));
    }

    #[test]
    fn many_lights_are_softer_than_one() {
        let ctx = Ctx::default();
        for (p, q) in [(0.9, 0.9), (-0.9, -0.9)] {
            let hard = centre(&hillshade(&plane(p, q), 1.0, 1.0, &Light::default(), &ctx).unwrap());
            let soft = centre(&multidirectional(&plane(p, q), 1.0, 1.0, &Light::default(), &ctx).unwrap());
            let flat = std::f64::consts::FRAC_1_SQRT_2;
            assert!((soft - flat).abs() < (hard - flat).abs(), "{hard} {soft}");
        }
    }

    #[test]
    fn maps_of_one_cell_and_one_row_have_a_shade() {
        for (w, h) in [(1, 1), (1, 5), (5, 1)] {
            let g =
                hillshade(&Grid::filled(w, h, 3.0), 1.0, 1.0, &Light::default(), &Ctx::default()).unwrap();
            assert!(g.cells().iter().all(|v| (v - std::f32::consts::FRAC_1_SQRT_2).abs() < 1e-6));
        }
    }
}
