//! Parts of the endless world at any scale, for maps and views that are made piece by piece.

use super::catalogue::LAYERS;
use super::kinds::Terrain;
use super::map::{Depths, Going, Map, on_the_ground, snow};
use super::params::REACH_M;
use super::place::Endless;
use super::window::{Survey, Window};
use super::world::INFO;
use crate::catalogue::{Catalogue, Lattice, Layer, LayerOf};
use crate::error::{Error, Result};
use std::sync::Arc;
use weald_core::{AnyGrid, Ctx, Frame, Grid, par};

/// The layers of a tile at a step of 1 m.
const NEAR: &[&str] = &["height", "depth", "surface", "tree", "building_height", "snow"];

/// The catalogue of a tile. At a step of 1 m it has the layers height, depth, surface, tree, building_height and snow, and lines and
/// points; at larger steps height, depth, surface (the terrain alone) and snow at the places of the lattice. Every value is that of
/// the same place in any other window. Reach: that of [`super::generate`] at a step of 1 m, else point.
pub(super) fn tile(world: &Endless, at: &Lattice, ctx: &Ctx) -> Result<Catalogue> {
    if at.step == 1 {
        return near(world, at, ctx);
    }
    validate(at)?;
    let survey = ctx.stage("ground", |c| sampled(world, at, c))?;
    let snow = ctx.stage("snow", |c| snow(world, &survey, c))?;
    let Survey { height, depth, terrain, .. } = survey;
    let grids: [(&str, AnyGrid); 4] = [
        ("height", height.into()),
        ("depth", depth.into()),
        ("surface", terrain.into()),
        ("snow", snow.into()),
    ];
    let layers = grids.map(|(name, grid)| {
        let layer = LAYERS.iter().find(|l| l.spec.name == name).expect("it is one of the layers");
        Layer::new(layer.spec, grid)
    });
    let mut catalogue = empty(world, at);
    catalogue.layers = layers.into();
    Ok(catalogue)
}

/// A window with what lies on the ground, without what lies below and above it.
fn near(world: &Endless, at: &Lattice, ctx: &Ctx) -> Result<Catalogue> {
    let window = Window { west: at.west, north: at.north, width: at.width, height: at.height };
    window.validate()?;
    let ground = on_the_ground(world, &window, ctx)?;
    let snow = ctx.stage("snow", |c| snow(world, &ground.survey, c))?;
    let going = Going { snow, speed: Default::default() };
    let map = Arc::new(Map::of(world, window, ground, going, Depths::default()));
    let mut catalogue = empty(world, at);
    catalogue.layers = LayerOf::layers(LAYERS, &map).into_iter().filter(|l| NEAR.contains(&l.name)).collect();
    catalogue.lines = map.surface_lines();
    catalogue.points = map.points();
    Ok(catalogue)
}

/// A catalogue with the frame of the lattice.
fn empty(world: &Endless, at: &Lattice) -> Catalogue {
    let (step, half) = (f64::from(at.step), f64::from(at.step) / 2.0);
    let origin = (at.west as f64 - half, -(at.north as f64) - half);
    Catalogue {
        seed: world.seed().0,
        params: serde_json::to_value(world.params()).expect("parameters are plain data"),
        sampler: Some(Arc::new(world.clone())),
        ..Catalogue::new(
            INFO.name,
            INFO.length_unit,
            Frame { origin, ..Frame::new(at.width, at.height, step) },
        )
    }
}

/// An error unless every place is where the world is defined.
fn validate(at: &Lattice) -> Result<()> {
    let reach = |n: usize| (n as i64).saturating_sub(1).saturating_mul(i64::from(at.step));
    let (east, south) = (at.west.saturating_add(reach(at.width)), at.north.saturating_sub(reach(at.height)));
    let inside = at.west >= -REACH_M && east <= REACH_M && south >= -REACH_M && at.north <= REACH_M;
    if at.step == 0 || at.width == 0 || at.height == 0 || !inside {
        let Lattice { west, north, step, width, height } = at;
        return Err(Error::Invalid(format!(
            "a tile of {width}x{height} places from {west},{north} every {step} m is empty or leaves the world, which ends at ±{REACH_M}"
        )));
    }
    Ok(())
}

/// What [`Endless::terra`] answers at the places of the lattice, without features.
fn sampled(world: &Endless, at: &Lattice, ctx: &Ctx) -> weald_core::Result<Survey> {
    let (w, h) = (at.width, at.height);
    let mut survey = Survey {
        height: Grid::filled(w, h, 0.0),
        depth: Grid::filled(w, h, 0.0),
        terrain: Grid::filled(w, h, Terrain::Z as u8),
        feature: Grid::filled(0, 0, 0),
    };
    let Survey { height, depth, terrain, .. } = &mut survey;
    par::for_rows(
        (height.rows_mut(), depth.rows_mut(), terrain.rows_mut()),
        ctx,
        |r, (height, depth, terrain)| {
            let y = (at.north - r as i64 * i64::from(at.step)) as f64;
            for (c, ((height, depth), terrain)) in height.iter_mut().zip(depth).zip(terrain).enumerate() {
                let terra = world.terra((at.west + c as i64 * i64::from(at.step)) as f64, y);
                (*height, *depth, *terrain) = (terra.height as f32, terra.depth as f32, terra.terrain as u8);
            }
        },
    )?;
    Ok(survey)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::endless::{EndlessParams, generate};
    use weald_core::Seed;

    fn lattice(step: u32, side: usize) -> Lattice {
        Lattice { west: 1400, north: 760, step, width: side, height: side }
    }

    #[test]
    fn tiles_have_the_bits_of_windows_at_every_step() {
        for seed in [0, 5] {
            let world =
                Endless::new(Seed(seed), &EndlessParams { snow_line: 300.0, ..Default::default() }).unwrap();
            let ctx = Ctx::default();
            let window = Window { west: 1400, north: 760, width: 96, height: 96 };
            let whole = generate(&world, window, &ctx).unwrap().into_catalogue();
            let near = tile(&world, &lattice(1, 96), &ctx).unwrap();
            for layer in &near.layers {
                let (here, there) = (layer.cells(), whole.layer(layer.name).unwrap().cells());
                assert_eq!(crate::npy::sha256(&here), crate::npy::sha256(&there), "{}", layer.name);
            }
            assert_eq!((&near.points, near.frame), (&whole.points, whole.frame));
            assert_eq!(near.lines[..], whole.lines[..near.lines.len()]);
            let coarse = tile(&world, &lattice(8, 12), &ctx).unwrap();
            for (y, x) in (0..12).flat_map(|y| (0..12).map(move |x| (y, x))) {
                for (name, of) in
                    [("height", "height"), ("depth", "depth"), ("surface", "terrain"), ("snow", "snow")]
                {
                    let fine = whole.layer(of).unwrap().cells().at(8 * x, 8 * y);
                    assert_eq!(coarse.layer(name).unwrap().cells().at(x, y), fine, "{name} at {x}, {y}");
                }
            }
        }
    }

    #[test]
    fn a_tile_that_leaves_the_world_is_refused() {
        let world = Endless::new(Seed(0), &EndlessParams::default()).unwrap();
        let far = Lattice { west: REACH_M - 10, ..lattice(8, 12) };
        let error = tile(&world, &far, &Ctx::default()).unwrap_err();
        assert!(error.to_string().contains("leaves the world"), "{error}");
        assert!(tile(&world, &lattice(0, 4), &Ctx::default()).is_err());
    }
}
