//! The layers, lines, points and figures of a window.

use super::kinds::{Code, FEATURES, Feature, TERRAINS, Terrain};
use super::map::{BELOW_SHAFT, Map, OPEN, ROCK, TUNNEL};
use super::mines::CELL_M;
use super::placed::Place;
use super::world::INFO;
use crate::catalogue::Field::{F32, U8, U8If};
use crate::catalogue::Palette::{Elevation, Moisture};
use crate::catalogue::{self, Catalogue, Class, FeatureSet, LayerOf, NO_YES};
use serde_json::{Map as Object, Value, json};
use std::sync::Arc;
use weald_core::{Frame, Grid, stats};

/// Trees as classes.
const TREES: &[Class] = &[
    Class { value: 0, name: "none", colour: [244, 240, 226] },
    Class { value: 1, name: "kind_0", colour: [34, 96, 52] },
    Class { value: 2, name: "kind_1", colour: [58, 122, 62] },
    Class { value: 3, name: "kind_2", colour: [92, 146, 70] },
    Class { value: 4, name: "kind_3", colour: [128, 168, 84] },
    Class { value: 5, name: "kind_4", colour: [40, 110, 96] },
    Class { value: 6, name: "kind_5", colour: [160, 150, 60] },
    Class { value: 7, name: "kind_6", colour: [120, 92, 48] },
    Class { value: 8, name: "kind_7", colour: [20, 70, 70] },
];

/// Cells of a mine as classes.
const MINE: &[Class] = &[
    Class { value: ROCK as u32, name: "rock", colour: [72, 62, 56] },
    Class { value: OPEN as u32, name: "open", colour: [236, 226, 200] },
    Class { value: BELOW_SHAFT as u32, name: "below_shaft", colour: [214, 62, 46] },
    Class { value: TUNNEL as u32, name: "tunnel", colour: [232, 176, 92] },
];

/// Caverns as classes.
const CAVERN: &[Class] = &[
    Class { value: ROCK as u32, name: "rock", colour: [72, 62, 56] },
    Class { value: OPEN as u32, name: "open", colour: [236, 226, 200] },
];

/// The mines on the level N + 1, if there is one.
fn mine<const N: usize>(map: &Map) -> Option<&Grid<u8>> {
    map.mines.get(N)
}

const MINES: &str = "Mines on this level";

type L = LayerOf<Map>;

/// The layers, in the order in which they are made.
pub(super) const LAYERS: &[L] = &[
    L::measure(
        "height",
        HEIGHT_UNITS,
        "Height of the ground, or of the water above it",
        F32(|m| &m.survey.height),
    )
    .coloured(Elevation),
    L::measure("depth", HEIGHT_UNITS, "Depth of the water, 0 on land", F32(|m| &m.survey.depth))
        .coloured(Moisture),
    L::classes("terrain", "Terrain: what covers the ground", TERRAINS, U8(|m| &m.survey.terrain)),
    L::classes("feature", "Point feature at the cell", FEATURES, U8(|m| &m.survey.feature)),
    L::classes(
        "surface",
        "Terrain with streams, marshes, roads, bridges and buildings on it",
        TERRAINS,
        U8(|m| &m.surface),
    ),
    L::classes("tree", "Tree on the 2 m tile", TREES, U8(|m| &m.tree)),
    L::measure(
        "building_height",
        HEIGHT_UNITS,
        "Height of the building, 0 for none",
        F32(|m| &m.building_height),
    ),
    L::classes("snow", "Whether snow lies", NO_YES, U8(|m| &m.snow)),
    L::measure(
        "speed",
        "1",
        "Runner's speed on this surface, as a share of full speed",
        F32(|m| &m.speed[0]),
    ),
    L::measure(
        "speed_north",
        "1",
        "Runner's speed towards the north, slope included, as a share of full speed",
        F32(|m| &m.speed[1]),
    ),
    L::measure(
        "speed_east",
        "1",
        "Runner's speed towards the east, slope included, as a share of full speed",
        F32(|m| &m.speed[2]),
    ),
    L::measure(
        "speed_south",
        "1",
        "Runner's speed towards the south, slope included, as a share of full speed",
        F32(|m| &m.speed[3]),
    ),
    L::measure(
        "speed_west",
        "1",
        "Runner's speed towards the west, slope included, as a share of full speed",
        F32(|m| &m.speed[4]),
    ),
    L::classes("mine_1", MINES, MINE, U8If(mine::<0>)),
    L::classes("mine_2", MINES, MINE, U8If(mine::<1>)),
    L::classes("mine_3", MINES, MINE, U8If(mine::<2>)),
    L::classes("mine_4", MINES, MINE, U8If(mine::<3>)),
    L::classes("mine_5", MINES, MINE, U8If(mine::<4>)),
    L::classes("mine_6", MINES, MINE, U8If(mine::<5>)),
    L::classes("mine_7", MINES, MINE, U8If(mine::<6>)),
    L::classes("mine_8", MINES, MINE, U8If(mine::<7>)),
    L::classes("cavern", "Caverns: open where the roof is above the floor", CAVERN, U8(|m| &m.cavern)),
    L::measure("cavern_floor", HEIGHT_UNITS, "Height of the caverns' floor", F32(|m| &m.caverns.0)),
    L::measure("cavern_roof", HEIGHT_UNITS, "Height of the caverns' roof", F32(|m| &m.caverns.1)),
    L::classes("sky_terrain", "Terrain of the islands in the sky", TERRAINS, U8(|m| &m.sky_terrain)),
    L::measure(
        "sky_top",
        HEIGHT_UNITS,
        "Height of the ground of the islands in the sky; elsewhere the level of their shores",
        F32(|m| &m.sky.0),
    ),
    L::measure(
        "sky_underside",
        HEIGHT_UNITS,
        "Height of the underside of the islands in the sky; elsewhere the level of their shores",
        F32(|m| &m.sky.1),
    ),
];

/// The document's unit of height.
pub(super) const HEIGHT_UNITS: &str = "height units";

impl Map {
    /// Layers in the order in which they are made, streams and roads as lines, features and buildings as points.
    pub fn into_catalogue(self) -> Catalogue {
        let map = Arc::new(self);
        let (w, h) = (map.window.width, map.window.height);
        let (x, y) = at(map.window.place(0, 0));
        Catalogue {
            seed: map.world.seed().0,
            params: serde_json::to_value(map.world.params()).expect("parameters are plain data"),
            layers: LayerOf::layers(LAYERS, &map),
            lines: map.surface_lines().into_iter().chain([map.tunnel_lines()]).collect(),
            points: map.points(),
            figures: map.figures(),
            sampler: Some(Arc::new(map.world.clone())),
            ..Catalogue::new(
                INFO.name,
                INFO.length_unit,
                Frame { origin: (x - 0.5, y - 0.5), ..Frame::new(w, h, 1.0) },
            )
        }
    }

    /// Streams, roads and bridges.
    pub(super) fn surface_lines(&self) -> Vec<FeatureSet> {
        vec![self.stream_lines(), self.road_lines(), self.bridge_lines(), self.drawn_lines()]
    }

    /// Features and buildings.
    pub(super) fn points(&self) -> Vec<FeatureSet> {
        vec![self.feature_points(), self.building_points()]
    }

    fn stream_lines(&self) -> FeatureSet {
        let line = |(i, s): (usize, &super::streams::Stream)| {
            catalogue::Feature::new(
                i as u32,
                s.points.iter().map(|&p| at(p)).collect(),
                [
                    ("pond_x", s.points[0].0.into()),
                    ("pond_y", s.points[0].1.into()),
                    ("end", s.end.name().into()),
                ],
            )
        };
        let features = self.streams.iter().enumerate().map(line).collect();
        FeatureSet::new("streams", "Streams from their pond downhill, 3 m wide", features)
    }

    fn road_lines(&self) -> FeatureSet {
        let line = |(i, r): (usize, &super::roads::Road)| {
            catalogue::Feature::new(
                i as u32,
                r.points.iter().map(|&p| from(r.start, p)).collect(),
                [
                    ("start_x", r.start.0.into()),
                    ("start_y", r.start.1.into()),
                    ("branch", r.branch.into()),
                    ("end", r.end.name().into()),
                ],
            )
        };
        let features = self.roads.iter().enumerate().map(line).collect();
        FeatureSet::new("roads", "Roads from their cone, 5 m wide", features)
    }

    fn bridge_lines(&self) -> FeatureSet {
        let mut features: Vec<catalogue::Feature> = Vec::new();
        for road in &self.roads {
            for bridge in &road.bridges {
                let points =
                    road.points[bridge.start..=bridge.end].iter().map(|&p| from(road.start, p)).collect();
                let properties = [("start_x", road.start.0.into()), ("start_y", road.start.1.into())];
                features.push(catalogue::Feature::new(features.len() as u32, points, properties));
            }
        }
        FeatureSet::new("bridges", "Parts of roads that cross water", features)
    }

    fn drawn_lines(&self) -> FeatureSet {
        let line = |(i, road): (usize, &[Place])| {
            catalogue::Feature::new(i as u32, road.iter().map(|&p| at(p)).collect(), [])
        };
        let features = self.world.placed().roads().enumerate().map(line).collect();
        FeatureSet::new("drawn_roads", "Roads drawn by hand, 5 m wide", features)
    }

    fn tunnel_lines(&self) -> FeatureSet {
        let line = |(i, tunnel): (usize, &super::mines::Tunnel)| {
            let centres = tunnel.cells.iter().chain(&tunnel.joins).map(|cell| at((cell.x, cell.y)));
            let points = std::iter::once(at(tunnel.mouth)).chain(centres).collect();
            let properties = [
                ("mouth_x", tunnel.mouth.0.into()),
                ("mouth_y", tunnel.mouth.1.into()),
                ("direction", tunnel.towards.bearing().into()),
                ("joins", tunnel.joins.is_some().into()),
            ];
            catalogue::Feature::new(i as u32, points, properties)
        };
        let features = self.tunnels.iter().enumerate().map(line).collect();
        FeatureSet::new("tunnels", "Tunnels from cave mouths into the hill, to the first open cell", features)
    }

    fn feature_points(&self) -> FeatureSet {
        let mut features = Vec::new();
        for (i, &code) in self.survey.feature.cells().iter().enumerate().filter(|(_, f)| **f != 0) {
            let place = self.window.place(i % self.window.width, i / self.window.width);
            let Some(kind) = Feature::of_code(code) else { continue };
            let terra = self.world.terra(place.0 as f64, place.1 as f64);
            let code = terra.code.as_ref().map_or("", Code::as_str);
            let mut properties = vec![
                ("kind", Value::from(kind.name())),
                ("code", code.into()),
                ("x", place.0.into()),
                ("y", place.1.into()),
                ("version", self.world.version(place).into()),
            ];
            if kind == Feature::Mine {
                let shaft = self.world.shaft(place);
                properties.push(("cave_mouth", shaft.mouth.is_some().into()));
                properties.extend(shaft.mouth.map(|side| ("direction", side.opposite().bearing().into())));
                properties.push(("levels", shaft.levels.into()));
            }
            features.push(catalogue::Feature::new(features.len() as u32, vec![at(place)], properties));
        }
        let about = "Point features; x and y of the properties are the document's, with y north";
        FeatureSet::new("features", about, features)
    }

    fn building_points(&self) -> FeatureSet {
        let point = |(i, b): (usize, &super::wood::Building)| {
            catalogue::Feature::new(
                i as u32,
                vec![at(b.place)],
                [("height", b.height.into()), ("door", b.door.name().into())],
            )
        };
        let features = self.buildings.iter().enumerate().map(point).collect();
        FeatureSet::new("buildings", "Centres of buildings, 12 m square", features)
    }

    fn figures(&self) -> Object<String, Value> {
        let count = |grid: &Grid<u8>, table: &[Class], share: bool| -> Value {
            let (bins, total) = (stats::histogram(grid), grid.len() as f64);
            let of = |n: usize| if share { json!(n as f64 / total) } else { json!(n) };
            let entry = |c: &Class| (c.name.to_owned(), of(bins[c.value as usize] as usize));
            Value::Object(table.iter().map(entry).collect())
        };
        let ends = |name: &str| self.streams.iter().filter(|s| s.end.name() == name).count();
        let share = |grid: &Grid<u8>, is: &dyn Fn(u8) -> bool| {
            json!(grid.cells().iter().filter(|&&code| is(code)).count() as f64 / grid.len() as f64)
        };
        let mut out = Object::new();
        let (x, y) = self.window.place(0, 0);
        out.insert("north_west".into(), json!([x, y]));
        out.insert("terrain_share".into(), count(&self.survey.terrain, TERRAINS, true));
        out.insert("surface_share".into(), count(&self.surface, TERRAINS, true));
        out.insert("features".into(), count(&self.survey.feature, &FEATURES[1..], false));
        out.insert(
            "streams".into(),
            json!({"lake": ends("lake"), "hollow": ends("hollow"), "limit": ends("limit")}),
        );
        out.insert("roads".into(), self.roads.len().into());
        out.insert("buildings".into(), self.buildings.len().into());
        out.insert("trees".into(), self.tree.cells().iter().filter(|&&t| t > 0).count().into());
        out.insert("mine_cell_m".into(), CELL_M.into());
        out.insert("mines_share".into(), count(&self.mines[0], MINE, true));
        out.insert("cavern_open_share".into(), share(&self.cavern, &|code| code == OPEN));
        out.insert("sky_island_share".into(), share(&self.sky_terrain, &|code| code != Terrain::Sky as u8));
        out.insert("repeats_after_m".into(), json!(self.world.repeat_m()));
        out
    }
}

/// A whole place in the frame: x east, y south.
pub(super) fn at((x, y): Place) -> (f64, f64) {
    (x as f64, -(y as f64) + 0.0)
}

/// A place at an offset east and north of a whole one.
fn from((x, y): Place, (dx, dy): (f64, f64)) -> (f64, f64) {
    (x as f64 + dx, -(y as f64 + dy) + 0.0)
}
