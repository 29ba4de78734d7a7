//! What a forest shows to the outside.

use super::Forest;
use super::classes::*;
use super::trails::Goal;
use crate::layer::{Catalogue, Class, Data, Feature, FeatureSet, Kind, Layer};
use serde_json::{Map, Value, json};
use weald_core::{Frame, Grid, stats};

impl Forest {
    /// Layers in the order in which they are made, trails as lines, their seeds as points, and figures.
    pub fn catalogue(&self) -> Catalogue<'_> {
        let (land, water, cover, nav) = (&self.land, &self.water, &self.cover, &self.navigation);
        let f =
            |name, unit, about, grid| Layer { name, unit, about, data: Data::F32(grid), kind: Kind::Measure };
        let c = |name, about, grid, classes| {
            let data = Data::U8(grid);
            Layer { name, unit: "", about, data, kind: Kind::Classes(classes) }
        };
        let b = |name, about, grid, flags| {
            let data = Data::U8(grid);
            Layer { name, unit: "", about, data, kind: Kind::Flags(flags) }
        };
        let n = |name, unit, about, data| Layer { name, unit, about, data, kind: Kind::Measure };
        let layers = vec![
            f("height", "1", "Elevation H, from 0 to 1", &land.height),
            f("roughness", "1", "Roughness R, from 0 to 1", &land.roughness),
            f("vegetation_variance", "1", "Vegetation variance V, from 0 to 1", &land.vegetation_variance),
            f("slope", "1/tile", "Steepness: change of elevation per tile", &land.slope),
            f("aspect_deg", "deg", "Downhill direction, 0 east, 90 south", &land.aspect),
            c("landform", "Shape of the ground", &land.landform, LANDFORMS),
            Layer {
                name: "flow_direction",
                unit: "",
                about: "Direction in which water leaves the tile",
                data: Data::Dir(&water.directions),
                kind: Kind::Classes(DIRECTIONS),
            },
            n(
                "flow_accumulation",
                "tiles",
                "Tiles that drain through the tile",
                Data::U32(&water.accumulation),
            ),
            f(
                "flow_accumulation_log",
                "1",
                "Logarithm of the accumulation, from 0 to 1",
                &water.accumulation_log,
            ),
            c("lake_mask", "Lakes", &water.lake, NO_YES),
            n("lake_id", "", "Number of the lake, 0 for none", Data::U32(&water.lake_id)),
            c("stream_mask", "Streams", &water.stream, NO_YES),
            n(
                "water_distance",
                "tiles",
                "Distance to lake or stream, capped",
                Data::U16(&water.water_distance),
            ),
            f("moisture", "1", "Moisture of the ground, from 0 to 1", &water.moisture),
            c("water_class", "Water on the tile", &water.class, WATER_CLASSES),
            c("biome", "What grows", &cover.biome, BIOMES),
            f("tree_density", "1", "Density of trees, from 0 to 1", &cover.tree_density),
            f("canopy_cover", "1", "Share of the sky under leaves", &cover.canopy),
            c("soil", "Soil", &cover.soil, SOILS),
            f("firmness", "1", "How well the ground bears, from 0 to 1", &cover.firmness),
            b("surface_flags", "What lies on the ground", &cover.surface, SURFACE_FLAGS),
            f("obstruction", "1", "How much lies in the way, from 0 to 1", &cover.obstruction),
            b("feature_flags", "What lies in the way", &cover.features, FEATURE_FLAGS),
            c("game_trail", "Game trails", &self.trails.mark, NO_YES),
            n("game_trail_id", "", "Number of the trail, -1 for none", Data::I32(&self.trails.id)),
            f("visibility_m", "m", "How far one sees", &nav.visibility),
            f("orientation_reliability", "1", "How surely one knows where one is", &nav.orientation),
            f("move_cost", "1", "Cost of moving on the tile, 1 on good ground", &nav.move_cost),
            n(
                "passability",
                "",
                "Steps to the 8 neighbours: direction d at bits 2d and 2d+1, 0 passable, 1 difficult, 2 blocked",
                Data::U16(&nav.passability),
            ),
            b("cliff_edge", "Directions in which a step climbs a cliff", &nav.cliffs, DIRECTION_BITS),
            b("followable", "What one can follow", &nav.followable, FOLLOWABLES),
        ];
        Catalogue {
            frame: Frame::new(land.height.width(), land.height.height(), 1.0),
            layers,
            lines: vec![self.trail_lines()],
            points: vec![self.trail_seeds()],
            stats: self.stats(),
        }
    }

    /// Middle of a tile.
    fn middle(&self, tile: u32) -> (f64, f64) {
        let w = self.land.height.width();
        ((tile as usize % w) as f64 + 0.5, (tile as usize / w) as f64 + 0.5)
    }

    fn trail_lines(&self) -> FeatureSet {
        let feature = |(id, route): (usize, &super::trails::Route)| {
            let goal = match route.goal {
                Goal::Water => "water",
                Goal::Ridge => "ridge",
            };
            Feature {
                id: id as u32,
                points: route.tiles.iter().map(|&t| self.middle(t)).collect(),
                properties: vec![("goal", goal.into()), ("tiles", route.tiles.len().into())],
            }
        };
        let features = self.trails.routes.iter().enumerate().map(feature).collect();
        FeatureSet { name: "trails", about: "Game trails from their seed to water or to a ridge", features }
    }

    fn trail_seeds(&self) -> FeatureSet {
        let feature = |(id, &(tile, score)): (usize, &(u32, f64))| Feature {
            id: id as u32,
            points: vec![self.middle(tile)],
            properties: vec![("score", score.into())],
        };
        let features = self.trails.seeds.iter().enumerate().map(feature).collect();
        FeatureSet { name: "trail_seeds", about: "Where trails start, best first", features }
    }

    fn stats(&self) -> Map<String, Value> {
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
