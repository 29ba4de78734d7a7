//! What a map shows to the outside.

use super::kinds::{Code, FEATURES, Feature, TERRAINS, Terrain};
use super::map::{BELOW_SHAFT, Map, OPEN, ROCK};
use super::mines::CELL_M;
use super::placed::Place;
use crate::layer::{self, Catalogue, Class, Data, FeatureSet, Kind, Layer};
use serde_json::{Map as Object, Value, json};
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
];

const NO_YES: &[Class] = &[
    Class { value: 0, name: "no", colour: [236, 234, 226] },
    Class { value: 1, name: "yes", colour: [150, 190, 224] },
];

/// Names of the layers of the mines, by level.
pub(super) const MINE_LAYERS: [&str; 8] =
    ["mine_1", "mine_2", "mine_3", "mine_4", "mine_5", "mine_6", "mine_7", "mine_8"];

impl Map {
    /// Layers in the order in which they are made, streams and roads as lines, features and buildings as points.
    pub fn catalogue(&self) -> Catalogue<'_> {
        let f =
            |name, unit, about, grid| Layer { name, unit, about, data: Data::F32(grid), kind: Kind::Measure };
        let c = |name, about, grid, classes| Layer {
            name,
            unit: "",
            about,
            data: Data::U8(grid),
            kind: Kind::Classes(classes),
        };
        let (s, units) = (&self.survey, "height units");
        let [speed, north, east, south, west] = &self.speed;
        let mut layers = vec![
            f("height", units, "Height of the ground, or of the water", &s.height),
            f("depth", units, "Depth of the water", &s.depth),
            c("terrain", "What covers the ground", &s.terrain, TERRAINS),
            c("feature", "What stands at the point", &s.feature, FEATURES),
            c("surface", "Terrain with streams, marshes, roads and buildings on it", &self.surface, TERRAINS),
            c("tree", "Tree on the tile of 2 m", &self.tree, TREES),
            f("building_height", units, "Height of the building", &self.building_height),
            c("snow", "Whether snow lies", &self.snow, NO_YES),
            f("speed", "1", "Share of a runner's speed on this surface", speed),
            f("speed_north", "1", "Share of a runner's speed towards the north, slope included", north),
            f("speed_east", "1", "Share of a runner's speed towards the east, slope included", east),
            f("speed_south", "1", "Share of a runner's speed towards the south, slope included", south),
            f("speed_west", "1", "Share of a runner's speed towards the west, slope included", west),
        ];
        let mines = MINE_LAYERS.iter().zip(&self.mines);
        layers.extend(mines.map(|(name, grid)| c(name, "The mines on this level", grid, MINE)));
        layers.extend([
            c("cavern", "The caverns: open where the roof is above the floor", &self.cavern, &MINE[..2]),
            f("cavern_floor", units, "Floor of the caverns", &self.caverns.0),
            f("cavern_roof", units, "Roof of the caverns", &self.caverns.1),
            c("sky_terrain", "What covers the islands in the sky", &self.sky_terrain, TERRAINS),
            f(
                "sky_top",
                units,
                "Ground of the islands in the sky, the level of their shores elsewhere",
                &self.sky.0,
            ),
            f(
                "sky_underside",
                units,
                "Underside of the islands in the sky, the level of their shores elsewhere",
                &self.sky.1,
            ),
        ]);
        let (w, h) = (self.window.width, self.window.height);
        let (x, y) = at(self.window.place(0, 0));
        Catalogue {
            frame: Frame { origin: (x - 0.5, y - 0.5), ..Frame::new(w, h, 1.0) },
            layers,
            lines: vec![self.stream_lines(), self.road_lines(), self.bridge_lines(), self.drawn_lines()],
            points: vec![self.feature_points(), self.building_points()],
            stats: self.stats(),
        }
    }

    fn stream_lines(&self) -> FeatureSet {
        let line = |(i, s): (usize, &super::streams::Stream)| layer::Feature {
            id: i as u32,
            points: s.points.iter().map(|&p| at(p)).collect(),
            properties: vec![
                ("pond_x", s.points[0].0.into()),
                ("pond_y", s.points[0].1.into()),
                ("end", s.end.name().into()),
            ],
        };
        let features = self.streams.iter().enumerate().map(line).collect();
        FeatureSet { name: "streams", about: "Streams from their pond down, 3 m wide", features }
    }

    fn road_lines(&self) -> FeatureSet {
        let line = |(i, r): (usize, &super::roads::Road)| layer::Feature {
            id: i as u32,
            points: r.points.iter().map(|&p| from(r.start, p)).collect(),
            properties: vec![
                ("start_x", r.start.0.into()),
                ("start_y", r.start.1.into()),
                ("branch", r.branch.into()),
                ("end", r.end.name().into()),
            ],
        };
        let features = self.roads.iter().enumerate().map(line).collect();
        FeatureSet { name: "roads", about: "Roads from their cone, 5 m wide", features }
    }

    fn bridge_lines(&self) -> FeatureSet {
        let mut features: Vec<layer::Feature> = Vec::new();
        for road in &self.roads {
            for bridge in &road.bridges {
                features.push(layer::Feature {
                    id: features.len() as u32,
                    points: road.points[bridge.start..=bridge.end]
                        .iter()
                        .map(|&p| from(road.start, p))
                        .collect(),
                    properties: vec![("start_x", road.start.0.into()), ("start_y", road.start.1.into())],
                });
            }
        }
        FeatureSet { name: "bridges", about: "Parts of roads that lead over water", features }
    }

    fn drawn_lines(&self) -> FeatureSet {
        let line = |(i, road): (usize, &Vec<Place>)| layer::Feature {
            id: i as u32,
            points: road.iter().map(|&p| at(p)).collect(),
            properties: Vec::new(),
        };
        let features = self.world.placed().roads().iter().enumerate().map(line).collect();
        FeatureSet { name: "drawn_roads", about: "Roads drawn by hand, 5 m wide", features }
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
            ];
            if kind == Feature::Mine {
                let shaft = self.world.shaft(place);
                properties.push(("cave_mouth", shaft.cave_mouth.into()));
                properties.push(("levels", shaft.levels.into()));
            }
            features.push(layer::Feature { id: features.len() as u32, points: vec![at(place)], properties });
        }
        let about = "What stands at single points; x and y of the properties are the document's, y north";
        FeatureSet { name: "features", about, features }
    }

    fn building_points(&self) -> FeatureSet {
        let point = |(i, b): (usize, &super::wood::Building)| layer::Feature {
            id: i as u32,
            points: vec![at(b.place)],
            properties: vec![("height", b.height.into()), ("door", b.door.name().into())],
        };
        let features = self.buildings.iter().enumerate().map(point).collect();
        FeatureSet { name: "buildings", about: "Middles of buildings, 12 m square", features }
    }

    fn stats(&self) -> Object<String, Value> {
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

/// A place so far east and north of a whole one.
fn from((x, y): Place, (dx, dy): (f64, f64)) -> (f64, f64) {
    (x as f64 + dx, -(y as f64 + dy) + 0.0)
}
