//! The world map: a heightmap of the land around, with the playable map at its centre and no step between them.

use crate::error::{Error, Result};
use weald_core::{Ctx, Grid};

pub use weald_core::seam::{Rim, Seam, border, from_edge};

/// Columns and rows of the world map of a map of that size, as [`weald_core::seam::size_for`] has them. Fails if there is no such size.
pub fn size_for(size: (usize, usize)) -> Result<(usize, usize)> {
    weald_core::seam::size_for(size).ok_or_else(|| {
        let (w, h) = size;
        let message =
            format!("a world map needs a square map, or sides that are multiples of 8, not {w}x{h}");
        Error::Shape(message)
    })
}

/// A map that fits its world map ([`weald_core::seam::feather`]). Fails if there is none for its size.
pub fn feather(
    playable: &Grid<f32>,
    kept: &(impl Fn(usize) -> bool + Sync),
    seam: &Seam,
    ctx: &Ctx,
) -> Result<(Grid<f32>, Rim)> {
    size_for(playable.shape())?;
    Ok(weald_core::seam::feather(playable, kept, seam, ctx)?)
}

/// The playable map joined with the land around it ([`weald_core::seam::world_map`]). Fails if the land around has another size.
pub fn world_map(
    playable: &Grid<f32>,
    rim: &Rim,
    around: &Grid<f32>,
    seam: &Seam,
    ctx: &Ctx,
) -> Result<Grid<f32>> {
    let (w, h) = size_for(playable.shape())?;
    if around.shape() != (w, h) {
        let (aw, ah) = around.shape();
        return Err(Error::Shape(format!("the land around has {aw}x{ah} cells, not {w}x{h}")));
    }
    Ok(weald_core::seam::world_map(playable, rim, around, seam, ctx)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::city::heightmap::Scale;
    use weald_core::Seed;

    /// Column of the world map where the playable map begins, for a map of so many pixels.
    fn corner(world: &Grid<f32>) -> usize {
        (world.width() - world.width() / 4) / 2
    }

    /// Where the centre of a playable pixel of a map of `n` lies on the world map.
    fn coarse(world: &Grid<f32>, pixel: usize, n: usize) -> f64 {
        corner(world) as f64 + (pixel as f64 + 0.5) * (world.width() / 4) as f64 / n as f64 - 0.5
    }

    #[test]
    fn a_finished_map_fits_its_world_map_wherever_no_river_crosses_the_border() {
        use crate::world::city::{CityParams, generate};
        let (ctx, p) = (Ctx::default(), CityParams::default());
        let four = 4.0 * Scale::from(&p.map).quantum_m();
        for (n, seed, reach) in [(512, 1, 8), (512, 2, 8), (512, 3, 8), (505, 3, 8), (1024, 3, 4)] {
            let city = generate((n, n), None, Seed(seed), &p, &ctx).unwrap();
            let (height, (world, _)) = (&city.eroded.height, city.world_map(&ctx).unwrap());
            let near = |v: usize| v.saturating_sub(reach)..(v + reach + 1).min(n);
            let by_water = |x: usize, y: usize| near(y).any(|y| city.water.wet.row(y)[near(x)].contains(&1));
            let mut dry = 0;
            for (x, y) in border(n, n).filter(|&(x, y)| !by_water(x, y)) {
                let step = (world.bilinear(coarse(&world, x, n), coarse(&world, y, n))
                    - height[(x, y)] as f64)
                    .abs();
                assert!(step < four, "seed {seed} at {n}²: {step} m at {x}, {y}");
                dry += 1;
            }
            assert!(dry > if n == 1024 { 3 * n } else { 2 * n }, "{dry} of seed {seed} at {n}²");
        }
    }

    #[test]
    fn the_land_around_a_map_has_no_scarp_along_its_border() {
        use crate::world::city::{CityParams, generate};
        let (ctx, p) = (Ctx::default(), CityParams::default());
        for seed in [3, 9] {
            let city = generate((512, 512), None, Seed(seed), &p, &ctx).unwrap();
            let (world, _) = city.world_map(&ctx).unwrap();
            let (from, to) = (corner(&world), corner(&world) + 128);
            // Along each side, the median fall from two pixels inside the border to five outside it.
            let west = |y: usize| world[(from + 1, y)] - world[(from - 5, y)];
            let east = |y: usize| world[(to - 2, y)] - world[(to + 4, y)];
            let north = |x: usize| world[(x, from + 1)] - world[(x, from - 5)];
            let south = |x: usize| world[(x, to - 2)] - world[(x, to + 4)];
            let sides: [&dyn Fn(usize) -> f32; 4] = [&west, &east, &north, &south];
            for (k, fall) in sides.iter().enumerate() {
                let mut falls: Vec<f32> = (from..to).map(fall).collect();
                falls.sort_unstable_by(f32::total_cmp);
                assert!(falls[64].abs() < 10.0, "seed {seed}, side {k}: {} m", falls[64]);
            }
        }
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused() {
        let (a, b, c) = (Grid::filled(16, 16, 0.0), Grid::filled(16, 8, 0.0), Grid::filled(12, 16, 0.0));
        let (seam, ctx) = (Seam::of(3.5), Ctx::default());
        let rim = feather(&a, &|_| false, &seam, &ctx).unwrap().1;
        let join = |a: &Grid<f32>, b: &Grid<f32>| world_map(a, &rim, b, &seam, &ctx);
        assert!(join(&a, &b).unwrap_err().to_string().contains("16x8"));
        assert!(join(&c, &c).unwrap_err().to_string().contains("multiples of 8, not 12x16"));
        assert!(
            feather(&c, &|_| false, &seam, &ctx)
                .unwrap_err()
                .to_string()
                .contains("multiples of 8, not 12x16")
        );
        assert!(join(&a, &a).is_ok());
    }
}
