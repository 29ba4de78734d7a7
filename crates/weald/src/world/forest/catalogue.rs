//! The layers, lines, points and figures of the forest.

use super::Forest;
use super::classes::*;
use super::trails::Goal;
use super::world::INFO;
use crate::catalogue::Field::{Dir, F32, I32, U8, U16, U32};
use crate::catalogue::Palette::{Accumulation, Aspect, Elevation, Moisture, Roughness, Slope, Vegetation};
use crate::catalogue::{Catalogue, Class, DIRECTIONS, Feature, FeatureSet, LayerOf};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use weald_core::{Frame, Grid, stats};

type L = LayerOf<Forest>;

/// The layers, in the order in which they are made.
pub(super) const LAYERS: &[L] = &[
    L::measure("height", "1", "Elevation H, from 0 to 1", F32(|f| &f.land.height)).coloured(Elevation),
    L::measure("roughness", "1", "Roughness R, from 0 to 1", F32(|f| &f.land.roughness)).coloured(Roughness),
    L::measure(
        "vegetation_variance",
        "1",
        "Vegetation variance V, from 0 to 1",
        F32(|f| &f.land.vegetation_variance),
    )
    .coloured(Vegetation),
    L::measure("slope", "1/tile", "Slope: change of elevation per tile", F32(|f| &f.land.slope))
        .coloured(Slope),
    L::measure("aspect_deg", "deg", "Aspect: downhill direction, 0 east, 90 south", F32(|f| &f.land.aspect))
        .coloured(Aspect),
    L::classes("landform", "Landform of the tile", LANDFORMS, U8(|f| &f.land.landform)),
    L::classes(
        "flow_direction",
        "Direction in which water leaves the tile",
        DIRECTIONS,
        Dir(|f| &f.water.directions),
    ),
    L::measure(
        "flow_accumulation",
        "tiles",
        "Flow accumulation: tiles that drain through the tile, itself included",
        U32(|f| &f.water.accumulation),
    )
    .coloured(Accumulation),
    L::measure(
        "flow_accumulation_log",
        "1",
        "Logarithm of the flow accumulation, scaled to 0 to 1",
        F32(|f| &f.water.accumulation_log),
    )
    .coloured(Accumulation),
    L::classes("lake_mask", "Lakes", NO_YES, U8(|f| &f.water.lake)),
    L::measure("lake_id", "", "Number of the lake, 0 for none", U32(|f| &f.water.lake_id)).coloured(Moisture),
    L::classes("stream_mask", "Streams", NO_YES, U8(|f| &f.water.stream)),
    L::measure(
        "water_distance",
        "tiles",
        "Distance to the nearest lake or stream, capped",
        U16(|f| &f.water.water_distance),
    )
    .coloured(Moisture),
    L::measure("moisture", "1", "Moisture of the ground, from 0 to 1", F32(|f| &f.water.moisture))
        .coloured(Moisture),
    L::classes("water_class", "Water on the tile", WATER_CLASSES, U8(|f| &f.water.class)),
    L::classes("biome", "Biome: what grows on the tile", BIOMES, U8(|f| &f.cover.biome)),
    L::measure("tree_density", "1", "Density of trees, from 0 to 1", F32(|f| &f.cover.tree_density))
        .coloured(Vegetation),
    L::measure("canopy_cover", "1", "Share of the sky that is covered by leaves", F32(|f| &f.cover.canopy))
        .coloured(Vegetation),
    L::classes("soil", "Soil", SOILS, U8(|f| &f.cover.soil)),
    L::measure("firmness", "1", "Firmness of the ground, from 0 to 1", F32(|f| &f.cover.firmness)),
    L::flags("surface_flags", "Features of the surface", SURFACE_FLAGS, U8(|f| &f.cover.surface)),
    L::measure("obstruction", "1", "Obstruction of movement, from 0 to 1", F32(|f| &f.cover.obstruction))
        .coloured(Roughness),
    L::flags("feature_flags", "Features that obstruct movement", FEATURE_FLAGS, U8(|f| &f.cover.features)),
    L::classes("game_trail", "Game trails", NO_YES, U8(|f| &f.trails.mark)),
    L::measure("game_trail_id", "", "Number of the trail, -1 for none", I32(|f| &f.trails.id)),
    L::measure(
        "visibility_m",
        "m",
        "Visibility: how far a walker can see",
        F32(|f| &f.navigation.visibility),
    ),
    L::measure(
        "orientation_reliability",
        "1",
        "How reliably a walker knows where they are, from 0 to 1",
        F32(|f| &f.navigation.orientation),
    ),
    L::measure(
        "move_cost",
        "1",
        "Cost of moving on the tile, 1 on good ground",
        F32(|f| &f.navigation.move_cost),
    )
    .coloured(Slope),
    L::steps(
        "passability",
        "Passability of the steps from the tile to its eight neighbours: direction d at bits 2d and 2d+1",
        PASSABILITIES,
        U16(|f| &f.navigation.passability),
    ),
    L::flags(
        "cliff_edge",
        "Directions in which a step climbs a cliff",
        DIRECTION_BITS,
        U8(|f| &f.navigation.cliffs),
    ),
    L::flags(
        "followable",
        "Linear features that a walker can follow",
        FOLLOWABLES,
        U8(|f| &f.navigation.followable),
    ),
];

impl Forest {
    /// Layers in the order in which they are made, trails as lines, their seeds as points, and figures.
    pub fn into_catalogue(self) -> Catalogue {
        let forest = Arc::new(self);
        let frame = Frame::new(forest.land.height.width(), forest.land.height.height(), 1.0);
        Catalogue {
            seed: forest.seed.0,
            params: serde_json::to_value(&forest.params).expect("parameters are plain data"),
            layers: LayerOf::layers(LAYERS, &forest),
            lines: vec![forest.trail_lines()],
            points: vec![forest.trail_seeds()],
            figures: forest.figures(),
            ..Catalogue::new(INFO.name, INFO.length_unit, frame)
        }
    }

    /// Centre of a tile.
    fn centre(&self, tile: u32) -> (f64, f64) {
        let w = self.land.height.width();
        ((tile as usize % w) as f64 + 0.5, (tile as usize / w) as f64 + 0.5)
    }

    fn trail_lines(&self) -> FeatureSet {
        let feature = |(id, route): (usize, &super::trails::Route)| {
            let goal = match route.goal {
                Goal::Water => "water",
                Goal::Ridge => "ridge",
            };
            Feature::new(
                id as u32,
                route.tiles.iter().map(|&t| self.centre(t)).collect(),
                [("goal", goal.into()), ("tiles", route.tiles.len().into())],
            )
        };
        let features = self.trails.routes.iter().enumerate().map(feature).collect();
        FeatureSet::new("trails", "Game trails from their seed to water or to a ridge", features)
    }

    fn trail_seeds(&self) -> FeatureSet {
        let feature = |(id, &(tile, score)): (usize, &(u32, f64))| {
            Feature::new(id as u32, vec![self.centre(tile)], [("score", score.into())])
        };
        let features = self.trails.seeds.iter().enumerate().map(feature).collect();
        FeatureSet::new("trail_seeds", "Where trails start, best first", features)
    }

    fn figures(&self) -> Map<String, Value> {
        let shares = |grid: &Grid<u8>, table: &[Class]| -> Value {
            let (bins, total) = (stats::histogram(grid), grid.len() as f64);
            let share = |c: &Class| (c.name.to_owned(), json!(bins[c.value as usize] as f64 / total));
            Value::Object(table.iter().map(share).collect())
        };
        let trail_tiles = self.trails.id.cells().iter().filter(|&&t| t >= 0).count();
        let mut out = Map::new();
        out.insert("landform_share".into(), shares(&self.land.landform, LANDFORMS));
        out.insert("water_share".into(), shares(&self.water.class, WATER_CLASSES));
        out.insert("biome_share".into(), shares(&self.cover.biome, BIOMES));
        out.insert("soil_share".into(), shares(&self.cover.soil, SOILS));
        out.insert("lakes".into(), self.water.lakes.into());
        out.insert(
            "largest_drainage_tiles".into(),
            self.water.accumulation.cells().iter().max().copied().into(),
        );
        out.insert("trails".into(), self.trails.routes.len().into());
        out.insert("trail_tiles".into(), trail_tiles.into());
        out
    }
}
