//! Vegetation, ground and obstacles.

use super::sample::Stage;
use super::{after, inner, tile, with_layers};
use crate::check::forest::names::{
    LAKE, LAKE_BIOME, MIXED_FOREST, PINE_HEATH, ROCKY_TILL, SANDY_TILL, STREAM_BANK,
};
use crate::check::forest::tiles::Tiles;

#[test]
fn wrong_vegetation_is_found() {
    let biome = |t: &mut Tiles| {
        let i = tile(t, |i| t.biome[i] == PINE_HEATH && t.moisture[i] < 0.2);
        t.biome[i] = MIXED_FOREST;
        t.tree_density[i] += 0.20;
        t.canopy_cover[i] += 0.20;
        t.dominant[i] = 0x23;
    };
    assert_eq!(after(biome, Some(Stage::Navigation)), ["biome"]);
    let bank = |t: &mut Tiles| {
        let i = tile(t, |i| t.biome[i] == STREAM_BANK);
        t.biome[i] = LAKE_BIOME;
    };
    assert!(after(bank, None).contains(&"biome"));
    let density = |t: &mut Tiles| {
        let i = tile(t, |i| t.biome[i] == LAKE_BIOME);
        t.tree_density[i] = 0.5;
        t.canopy_cover[i] = 0.3;
    };
    assert_eq!(after(density, Some(Stage::Navigation)), ["tree-density"]);
    assert_eq!(after(|t| t.canopy_cover[30] += 1e-5, None), ["canopy-cover"]);
    assert_eq!(after(|t| t.dominant[30] = 0x12, None), ["dominant"]);
    let swapped = |t: &mut Tiles| {
        let i = tile(t, |i| t.dominant[i] == 0x23);
        t.dominant[i] = 0x32;
    };
    assert_eq!(after(swapped, None), ["dominant"]);
    // The variance is known from its layer, so less is needed to see it.
    let slightly = |t: &mut Tiles| {
        let i = tile(t, |i| t.biome[i] == PINE_HEATH);
        t.tree_density[i] += 1e-5;
    };
    assert!(with_layers(slightly).contains(&"tree-density"));
}

#[test]
fn wrong_ground_is_found() {
    let soil = |t: &mut Tiles| {
        let i = tile(t, |i| t.soil[i] == ROCKY_TILL && t.moisture[i] > 0.45);
        t.soil[i] = SANDY_TILL;
    };
    assert_eq!(after(soil, None), ["soil"]);
    let firm = |t: &mut Tiles| {
        let i = tile(t, |i| t.water_class[i] == LAKE);
        t.firmness[i] += 1e-5;
    };
    assert_eq!(after(firm, None), ["firmness"]);
    for bit in 0..4 {
        assert_eq!(after(|t| t.surface_flags[100] ^= 1 << bit, None), ["surface-flags"]);
    }
    for wanted in [16, 0] {
        let bedrock = |t: &mut Tiles| {
            let i = tile(t, |i| t.height[i] > 0.75 && t.surface_flags[i] & 16 == wanted);
            t.surface_flags[i] ^= 16;
        };
        assert_eq!(after(bedrock, None), ["surface-flags"]);
        let boulder = |t: &mut Tiles| {
            let i = tile(t, |i| t.height[i] > 0.75 && t.feature_flags[i] & 4 == wanted / 4);
            t.feature_flags[i] ^= 4;
        };
        assert_eq!(after(boulder, None), ["feature-flags"]);
    }
    for bit in [0, 1, 3] {
        assert_eq!(after(|t| t.feature_flags[100] ^= 1 << bit, None), ["feature-flags"]);
    }
    let full = |t: &mut Tiles| {
        let i = tile(t, |i| !inner(t, i) && t.height[i] < 0.5);
        t.obstruction[i] = 1.0;
        t.feature_flags[i] |= 1 | 8;
    };
    assert_eq!(after(full, Some(Stage::Trails)), ["obstruction"]);
}
