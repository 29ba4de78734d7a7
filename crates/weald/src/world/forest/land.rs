//! Base maps and the shape of the ground (§4, §5).

use super::classes::{BASIN, FLAT, RIDGE, SLOPE, VALLEY};
use super::params::{ForestParams, Landform, Source};
use super::shaped;
use crate::Result;
use weald_core::noise::{Fbm, Octave, Perlin};
use weald_core::seed::{GOLDEN, mix64};
use weald_core::{Ctx, Dir8, Grid, Seed, par, slope};

/// The phase "land": what depends only on seed, size, noise and authored maps.
#[derive(Clone, Debug)]
pub struct Land {
    /// Elevation H, 0 to 1.
    pub height: Grid<f32>,
    /// Roughness R, 0 to 1.
    pub roughness: Grid<f32>,
    /// Vegetation variance V, 0 to 1.
    pub vegetation_variance: Grid<f32>,
    /// Slope in units of height per tile.
    pub slope: Grid<f32>,
    /// Downhill direction in degrees.
    pub aspect: Grid<f32>,
    /// One of [`super::classes::LANDFORMS`].
    pub landform: Grid<u8>,
}

/// Authored base maps. What is missing is generated.
#[derive(Clone, Debug, Default)]
pub struct Authored {
    /// Elevation.
    pub height: Option<Grid<f32>>,
    /// Roughness.
    pub roughness: Option<Grid<f32>>,
    /// Vegetation variance.
    pub vegetation_variance: Option<Grid<f32>>,
}

impl Authored {
    /// The same maps in canonical form: −0 becomes 0.
    pub(super) fn canonical(mut self) -> Self {
        for map in
            [&mut self.height, &mut self.roughness, &mut self.vegetation_variance].into_iter().flatten()
        {
            map.cells_mut().iter_mut().for_each(|v| *v += 0.0);
        }
        self
    }
}

/// Makes the land.
pub fn land(
    (width, height): (usize, usize),
    authored: Authored,
    seed: Seed,
    p: &ForestParams,
    ctx: &Ctx,
) -> Result<Land> {
    let base = |name, map: Option<Grid<f32>>, noise: &Fbm| -> Result<Grid<f32>> {
        match map {
            Some(map) => Ok(map),
            None => Ok(ctx.stage(name, |c| noise.grid(width, height, c))?),
        }
    };
    let [h, r, v] = base_maps(seed, p);
    let height_map = match (p.elevation.source, authored.height) {
        (Source::Shaped, None) => {
            ctx.stage("elevation", |c| shaped::elevation((width, height), &h, seed, &p.elevation, c))?
        }
        (_, authored) => base("elevation", authored, &h)?,
    };
    let roughness = base("roughness", authored.roughness, &r)?;
    let vegetation_variance = base("vegetation variance", authored.vegetation_variance, &v)?;
    shape(height_map, (roughness, vegetation_variance), &p.landform, ctx)
}

/// The shape of the ground. Reach: 1 tile.
pub(super) fn shape(
    height_map: Grid<f32>,
    (roughness, vegetation_variance): (Grid<f32>, Grid<f32>),
    p: &Landform,
    ctx: &Ctx,
) -> Result<Land> {
    // The document clamps indices to the map (§5.1), which repeats the border.
    let slope::SlopeAspect { slope, aspect, .. } =
        ctx.stage("slope", |c| slope::slope_and_aspect(&height_map, 1.0, slope::Border::Repeated, c))?;
    let landform = ctx.stage("landform", |c| landform(&height_map, &slope, p, c))?;
    Ok(Land { height: height_map, roughness, vegetation_variance, slope, aspect, landform })
}

/// The noise of elevation, roughness and vegetation variance.
pub(super) fn base_maps(seed: Seed, p: &ForestParams) -> [Fbm; 3] {
    let (h, r, v) = (&p.height_noise, &p.roughness_noise, &p.veg_variance_noise);
    [
        base_map(seed, 'H', [h.octaves as f64, h.base_frequency, h.lacunarity, h.persistence]),
        base_map(seed, 'R', [r.octaves as f64, r.base_frequency, r.lacunarity, r.persistence]),
        base_map(seed, 'V', [v.octaves as f64, v.base_frequency, v.lacunarity, v.persistence]),
    ]
}

/// The noise of one base map (§4.2, §4.3): octave i has the sub-seed mix64(seed ⊕ c ⊕ i·φ), where c is the letter of
/// the map in all eight bytes. `noise` is octaves, base frequency, lacunarity, persistence.
fn base_map(seed: Seed, map: char, [octaves, base, lacunarity, persistence]: [f64; 4]) -> Fbm {
    let letter = u64::from_ne_bytes([map as u8; 8]);
    let (mut frequency, mut amplitude) = (base, 1.0);
    Fbm::new(
        (0..octaves as u64)
            .map(|i| {
                let sub = mix64(seed.0 ^ letter ^ i.wrapping_mul(GOLDEN));
                let octave = Octave { noise: Perlin::new(sub), frequency, amplitude };
                frequency *= lacunarity;
                amplitude *= persistence;
                octave
            })
            .collect(),
    )
}

/// The decision table of §5.2. A neighbour counts as higher above h + eps, as lower below h − eps, otherwise not at
/// all; tiles on the border have fewer neighbours and the same counts. Reach: 1 tile.
fn landform(height: &Grid<f32>, slope: &Grid<f32>, p: &Landform, ctx: &Ctx) -> weald_core::Result<Grid<u8>> {
    let (w, h) = (height.width(), height.height());
    let (eps, flat) = (p.eps as f32, p.flat_slope_threshold as f32);
    par::fill(
        w,
        h,
        ctx,
        #[inline(always)]
        |y, row: &mut [u8]| {
            let (mut higher, mut lower) = (vec![0i32; w], vec![0i32; w]);
            let centre = height.row(y);
            for d in Dir8::ALL {
                let ny = y as i64 + d.dy() as i64;
                if ny < 0 || ny >= h as i64 {
                    continue;
                }
                let (here, there) = d.columns(w);
                let near = &height.row(ny as usize)[there];
                let counts = higher[here.clone()].iter_mut().zip(&mut lower[here.clone()]);
                for ((&c, &n), (higher, lower)) in centre[here].iter().zip(near).zip(counts) {
                    *higher += (n > c + eps) as i32;
                    *lower += (n < c - eps) as i32;
                }
            }
            for (x, out) in row.iter_mut().enumerate() {
                *out = landform_of(slope.row(y)[x] < flat, higher[x], lower[x]);
            }
        },
    )
}

pub(super) fn landform_of(flat: bool, higher: i32, lower: i32) -> u8 {
    match (flat, higher, lower) {
        (true, 1.., 0) => BASIN,
        (true, 0, 1..) => RIDGE,
        (true, _, _) => FLAT,
        (false, 6.., _) => BASIN,
        (false, _, 6..) => RIDGE,
        (false, 5.., ..=2) => VALLEY,
        (false, ..=2, 5..) => RIDGE,
        (false, _, _) => SLOPE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_landform_table_takes_the_first_clause_that_matches() {
        for (flat, higher, lower, expected) in [
            (true, 3, 0, BASIN),
            (true, 0, 3, RIDGE),
            (true, 0, 0, FLAT),
            (true, 7, 1, FLAT),
            (false, 6, 2, BASIN),
            (false, 2, 6, RIDGE),
            (false, 5, 2, VALLEY),
            (false, 2, 5, RIDGE),
            (false, 5, 3, SLOPE),
            (false, 4, 4, SLOPE),
            (false, 0, 0, SLOPE),
        ] {
            assert_eq!(landform_of(flat, higher, lower), expected, "{flat} {higher} {lower}");
        }
    }

    #[test]
    fn neighbours_within_eps_count_as_neither() {
        let p = Landform { eps: 0.1, flat_slope_threshold: 10.0 };
        let around = |value: f32| {
            let mut g = Grid::filled(3, 3, value);
            g[(1, 1)] = 0.5;
            let slope = Grid::filled(3, 3, 0.0);
            landform(&g, &slope, &p, &Ctx::default()).unwrap()[(1, 1)]
        };
        assert_eq!(around(0.59), FLAT);
        assert_eq!(around(0.61), BASIN);
        assert_eq!(around(0.39), RIDGE);
    }
}
