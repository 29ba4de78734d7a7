//! The endless world as one of the worlds.

use super::catalogue::{HEIGHT_UNITS, LAYERS};
use super::kinds::{FEATURES, TERRAINS, Terrain};
use super::map::{exact_trees, make};
use super::parts::EndlessParts;
use super::place::Endless;
use super::placed::Placed;
use super::spots::{Spot, TASK};
use super::window::Window;
use super::wood::Tree;
use super::{EndlessParams, REACH_M, style};
use crate::catalogue::{Axis, Catalogue, Class, Column, Datum, Kind, Lattice, LayerOf, LayerSpec, Sampler};
use crate::error::{Error, Result};
use crate::params::ParamTree;
use crate::sink::Sink;
use crate::style::Scene;
use crate::style::exports::Exports;
use crate::world::parts::Parts;
use crate::world::runner::HEIGHT_UNITS_PER_M;
use crate::world::{
    At, Case, Content, FileSpec, GalleryPicture, InTiles, Inputs, PhaseInfo, Phases, Plan, WindowPlace,
    World, WorldInfo, recipes,
};
use serde_json::{Value, json};
use std::any::Any;
use std::sync::Arc;
use weald_core::tiled::Tiles;
use weald_core::{Ctx, Seed, par};

/// The endless world.
pub struct EndlessWorld;

/// Bytes of memory per cell, at most, while a map is made, drawn and written, without the levels of the mines.
pub(super) const BYTES_PER_CELL: u64 = 160;

/// What the endless world declares.
pub(super) static INFO: WorldInfo = WorldInfo {
    name: "endless",
    about: "A plane without edges, a pure function of place: hills, lakes, woods, towns, streams, roads and mines.",
    default_seed: 0,
    default_size: (800, 600),
    fixed_extent: false,
    length_unit: "m",
    maps: &[],
    at: Some(At::Window(WindowPlace {
        params: ["at.x", "at.y"],
        depth: None,
        about: "the north-west cell of the window, metres east and north",
    })),
    placed: Some("placed"),
    files: &[FileSpec {
        name: "trees.csv",
        about: "every tree: whole x and y, kind, exact x and y",
        by_default: false,
        needs: None,
        content: Content::Text(write_trees),
    }],
    options: &[],
    exports: Exports {
        ground: Some(super::chart::GROUND),
        chart: Some(super::chart::chart_style),
        ..Exports::NONE
    },
    views: style::VIEWS,
    explain: super::explain::EXPLAIN,
    tiles: Some(style::TILES),
    scene: Scene::Walk,
    key_layers: &["height", "surface", "terrain"],
    phases: &[
        PhaseInfo {
            name: "surface",
            about: "Ground, water, streams, roads, buildings and trees",
            params: &[
                "lake_level",
                "paths",
                "streams",
                "roads",
                "bridges",
                "wood_only",
                "bleak",
                "time",
                "time_rate",
                "placed",
                "at",
            ],
        },
        PhaseInfo { name: "going", about: "Snow and a runner's speed", params: &["snow_line", "runner"] },
        PhaseInfo {
            name: "depths",
            about: "Mines, caverns and islands in the sky",
            params: &["mines", "caverns", "sky"],
        },
    ],
    recipes: recipes!["endless", "endless-islands", "endless-sky"],
    goldens: &[Case::new(0, 200, 150), Case::new(42, 97, 61), Case::new(u64::MAX, 33, 200)],
    benches: &[Case::new(0, 800, 600), Case::new(5, 800, 600)],
    gallery: &[
        GalleryPicture::map("endless-0.png", "generate endless --at -500,500 --size 1000x1000"),
        GalleryPicture::map("endless-5.png", "generate endless --seed 5 --at -400,300"),
        GalleryPicture::map("endless-town.png", "generate endless --at 1450,700 --size 400x300"),
        GalleryPicture::map("endless-mines.png", "generate endless --at 1000,2000 --view mines"),
        GalleryPicture::map("endless-sky.png", "generate endless --recipe endless-sky"),
    ],
};

impl World for EndlessWorld {
    fn info(&self) -> &'static WorldInfo {
        &INFO
    }

    fn layers(&self) -> Vec<LayerSpec> {
        LayerOf::specs(LAYERS)
    }

    fn params(&self) -> ParamTree {
        ParamTree::of::<EndlessParams>()
    }

    fn plan(&self, params: &ParamTree) -> Result<Box<dyn Plan>> {
        Ok(Box::new(params.finish::<EndlessParams>()?))
    }

    fn in_tiles(&self) -> Option<&'static InTiles> {
        Some(&InTiles { settings: &[] })
    }

    fn output_schema(&self) -> Value {
        let names = |table: &[Class]| table.iter().map(|c| c.name).collect::<Vec<_>>();
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "A place of the endless world, as `weald sample endless --json` prints it",
            "type": "object",
            "required": ["x", "y", "height", "depth", "terrain", "feature", "code", "surface", "version", "height_m",
                "depth_m"],
            "properties": {
                "x": {"type": "number", "description": "Metres east."},
                "y": {"type": "number", "description": "Metres north."},
                "height": {"type": "number", "description": "Height of the ground, or of the water above it, in height units, four to a metre."},
                "depth": {"type": "number", "minimum": 0, "description": "Depth of the water in height units, 0 on land."},
                "terrain": {"enum": names(TERRAINS)},
                "feature": {"enum": names(FEATURES)},
                "code": {"type": "string", "pattern": "^([A-Z]{2})?$"},
                "surface": {"enum": names(TERRAINS)},
                "version": {"type": ["integer", "null"], "minimum": 0, "maximum": 3},
                "height_m": {"type": "number", "description": "The same height in metres."},
                "depth_m": {"type": "number", "minimum": 0, "description": "The same depth in metres."},
            },
        })
    }

    fn param_from_text(&self, _path: &str, text: &str) -> std::result::Result<Value, String> {
        Ok(Placed::parse(text)?.to_text().trim_end().into())
    }
}

impl Plan for EndlessParams {
    fn bytes_needed(&self, (width, height): (usize, usize)) -> u64 {
        let cells = (width as u64).saturating_mul(height as u64);
        cells.saturating_mul(BYTES_PER_CELL + u64::from(self.mines.levels))
    }

    fn make(&self, inputs: Inputs, phases: &mut Phases, ctx: &Ctx) -> Result<Catalogue> {
        let (width, height) = inputs.size;
        let window = Window { west: self.at.x, north: self.at.y, width, height };
        Ok(make(&Endless::of_valid(inputs.seed, self)?, window, phases, ctx)?.into_catalogue())
    }

    fn parts(&self, seed: Seed, tiles: Tiles) -> Result<Option<Box<dyn Parts>>> {
        Ok(Some(Box::new(EndlessParts::new(Endless::of_valid(seed, self)?, tiles)?)))
    }

    fn sampler(&self, seed: Seed) -> Result<Option<Arc<dyn Sampler>>> {
        Ok(Some(Arc::new(Endless::of_valid(seed, self)?)))
    }
}

/// The columns of an answer: the document's query.
const COLUMNS: &[Column] = &[
    Column {
        name: "height",
        unit: HEIGHT_UNITS,
        about: "Height of the ground, or of the water above it",
        kind: Kind::Measure,
    },
    Column { name: "depth", unit: HEIGHT_UNITS, about: "Depth of the water, 0 on land", kind: Kind::Measure },
    Column {
        name: "terrain",
        unit: "",
        about: "Terrain: what covers the ground",
        kind: Kind::Classes(TERRAINS),
    },
    Column { name: "feature", unit: "", about: "Point feature at the place", kind: Kind::Classes(FEATURES) },
    Column { name: "code", unit: "", about: "Control code of the feature, two letters", kind: Kind::Measure },
    Column {
        name: "surface",
        unit: "",
        about: "Terrain with streams, marshes, roads, bridges and buildings on it, at the nearest whole place",
        kind: Kind::Classes(TERRAINS),
    },
    Column {
        name: "version",
        unit: "",
        about: "Version of the feature, 0 to 3: which of several pictures of its kind shows it",
        kind: Kind::Measure,
    },
    Column {
        name: "height_m",
        unit: "m",
        about: "The same height in metres, four height units to a metre",
        kind: Kind::Measure,
    },
    Column { name: "depth_m", unit: "m", about: "The same depth in metres", kind: Kind::Measure },
];

/// The values of the columns.
const VALUES: [fn(&Spot) -> Datum; COLUMNS.len()] = [
    |s| Datum::Number(s.terra.height),
    |s| Datum::Number(s.terra.depth),
    |s| Datum::Name(s.terra.terrain.name()),
    |s| Datum::Name(s.terra.feature.name()),
    |s| s.terra.code.map_or(Datum::Name(""), |code| Datum::Letters(code.letters())),
    |s| Datum::Name(s.surface.name()),
    |s| s.version.map_or(Datum::Missing, |version| Datum::Whole(version.into())),
    |s| Datum::Number(s.terra.height / HEIGHT_UNITS_PER_M),
    |s| Datum::Number(s.terra.depth / HEIGHT_UNITS_PER_M),
];

/// The coordinates of a place.
const AXES: &[&[Axis]] = &[&[
    Axis { name: "x", about: "metres east", range: (-(REACH_M as f64), REACH_M as f64) },
    Axis { name: "y", about: "metres north", range: (-(REACH_M as f64), REACH_M as f64) },
]];

impl Sampler for Endless {
    fn columns(&self) -> &'static [Column] {
        COLUMNS
    }

    fn axes(&self) -> &'static [&'static [Axis]] {
        AXES
    }

    fn locate(&self, given: &[f64]) -> Result<[f64; 3]> {
        Ok([given[0], given[1], 0.0])
    }

    fn sample(&self, places: &[[f64; 3]], columns: &[usize], ctx: &Ctx) -> Result<Vec<Datum>> {
        let flat: Vec<(f64, f64)> = places.iter().map(|&[x, y, _]| (x, y)).collect();
        // The surface alone depends on more than the place itself.
        let wanted = columns.iter().any(|&column| COLUMNS[column].name == "surface");
        let surfaces = if wanted { self.surfaces(&flat, ctx)? } else { vec![Terrain::Z; flat.len()] };
        let tasks = par::map(flat.len().div_ceil(TASK), ctx, |task| {
            let mut out = Vec::with_capacity(TASK * columns.len());
            for i in task * TASK..((task + 1) * TASK).min(flat.len()) {
                let spot = self.spot_on(flat[i], surfaces[i]);
                out.extend(columns.iter().map(|&column| VALUES[column](&spot)));
            }
            out
        })?;
        Ok(tasks.into_iter().flatten().collect())
    }

    fn height(&self, [x, y, _]: [f64; 3]) -> f64 {
        self.ground_height(x, y)
    }

    fn ground(&self, [x, y, _]: [f64; 3], _height: f64) -> u8 {
        self.terra(x, y).terrain as u8
    }

    fn tile(&self, at: &Lattice, ctx: &Ctx) -> Result<Option<Catalogue>> {
        super::tile::tile(self, at, ctx).map(Some)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Every tree of a window or a tile at a step of 1 m with its exact place, by rows.
pub fn trees(catalogue: &Catalogue) -> Result<impl Iterator<Item = Tree> + '_> {
    let world = catalogue.sampler.as_ref().and_then(|s| s.as_any().downcast_ref::<Endless>());
    let world =
        world.ok_or_else(|| Error::Internal("the catalogue of the endless world has no sampler".into()))?;
    let (tree, surface) = (catalogue.bytes("tree")?, catalogue.bytes("surface")?);
    let (west, north) = (catalogue.frame.origin.0 + 0.5, -(catalogue.frame.origin.1 + 0.5));
    let window = Window {
        west: west as i64,
        north: north as i64,
        width: catalogue.frame.width,
        height: catalogue.frame.height,
    };
    Ok(exact_trees(world, window, tree, surface))
}

fn write_trees(catalogue: &Catalogue, _: &[String], out: &mut Sink, ctx: &Ctx) -> Result<()> {
    let trees = trees(catalogue)?;
    out.write(b"x,y,kind,tree_x,tree_y\n")?;
    for (i, tree) in trees.enumerate() {
        if i % 4096 == 0 {
            ctx.checkpoint()?;
        }
        let ((x, y), offset) = (tree.place, tree.offset);
        let line = format!("{x},{y},{},{:?},{:?}\n", tree.kind, x as f64 + offset, y as f64 + offset);
        out.write(line.as_bytes())?;
    }
    Ok(())
}
