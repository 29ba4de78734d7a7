//! Pieces of worlds without edges.

use crate::globe::sampled;
use crate::request::Request;
use crate::value::{self, Pixels};
use js_sys::{Float32Array, Uint8Array};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use weald::catalogue::{Catalogue, FeatureSet, Lattice};
use weald::core::Ctx;
use weald::job::tiles::Ground;
use weald::world::endless;
use weald::{Error, Result};

type Js<T> = std::result::Result<T, JsValue>;

/// Makes the tiles of one world without edges.
#[wasm_bindgen]
pub struct Tiles {
    tiles: weald::job::tiles::Tiles,
    request: Request,
}

#[wasm_bindgen]
impl Tiles {
    /// The tiles of the world of a request.
    #[wasm_bindgen(constructor)]
    pub fn new(request: &str) -> Js<Tiles> {
        let make = || {
            let request = Request::read(request)?;
            let tiles = request.job()?.tiles()?;
            let tiles = tiles.ok_or_else(|| Error::Invalid("this world has edges and no tiles".into()))?;
            Ok(Tiles { tiles, request })
        };
        make().map_err(value::error)
    }

    /// The picture of a tile: see [`weald::job::tiles::Tiles::picture`].
    pub fn picture(&self, west: f64, north: f64, zoom: i32, px: usize) -> Js<Pixels> {
        let image = self.tiles.picture((west as i64, north as i64), zoom, px, &Ctx::default());
        image.map(|i| Pixels::opaque(&i)).map_err(value::error)
    }

    /// Ground to walk on: `side` places a side, `step` metres apart. Things stand only on ground with a step of 1 m.
    pub fn chunk(&self, west: f64, north: f64, step: u32, side: usize, things: bool) -> Js<Chunk> {
        let at = Lattice { west: west as i64, north: north as i64, step, width: side, height: side };
        let make = || {
            let ground = self.tiles.ground(&at, &Ctx::default())?;
            let things =
                if things && step == 1 { Things::of(&ground.catalogue, &at)? } else { Things::default() };
            Ok(Chunk { ground, things })
        };
        make().map_err(value::error)
    }

    /// Height of the ground at a place, or of the water above it, in metres; NaN outside the world.
    pub fn height_at(&self, x: f64, y: f64) -> f64 {
        self.tiles.height_at(x, y).unwrap_or(f64::NAN)
    }

    /// What is at a place, as JSON.
    pub fn sample(&self, x: f64, y: f64) -> Js<String> {
        sampled(self.tiles.sampler(), &[x, y]).map(|v| v.to_string()).map_err(value::error)
    }

    /// Why the place is what it is, as JSON.
    pub fn explain(&self, x: f64, y: f64) -> Js<String> {
        let explain = || {
            let mut job = self.request.job()?;
            let (x, y) = (x.round() as i64, y.round() as i64);
            job.set_place((x - AROUND, y + AROUND), "the page")?;
            let side = 2 * AROUND as usize + 1;
            let output = job.size(side).run(&Ctx::default())?;
            output.explain((AROUND as usize, AROUND as usize))
        };
        explain().map(|e| e.to_json().to_string()).map_err(value::error)
    }
}

/// Metres around a place that are made to explain it.
const AROUND: i64 = 8;

/// A piece of ground and what stands on it.
#[wasm_bindgen]
pub struct Chunk {
    ground: Ground,
    things: Things,
}

#[wasm_bindgen]
impl Chunk {
    /// Height of the ground in metres.
    pub fn ground(&self) -> Float32Array {
        Float32Array::from(&self.ground.ground[..])
    }

    /// Height of the water in metres, NaN where there is none.
    pub fn water(&self) -> Float32Array {
        Float32Array::from(&self.ground.water[..])
    }

    /// Red, green and blue of the ground.
    pub fn colours(&self) -> Uint8Array {
        Uint8Array::from(&self.ground.colours[..])
    }

    /// x, y and kind of every tree.
    pub fn trees(&self) -> Float32Array {
        Float32Array::from(&self.things.trees[..])
    }

    /// x, y and height of every building.
    pub fn buildings(&self) -> Float32Array {
        Float32Array::from(&self.things.buildings[..])
    }

    /// Features, and the parts of lines within the piece, as JSON. Places are relative to the north-west corner.
    pub fn rest(&self) -> String {
        self.things.rest.to_string()
    }
}

/// What stands on a piece of ground. Everything belongs to exactly one of the pieces around it: places are metres east and north of its
/// north-west corner.
#[derive(Default)]
struct Things {
    trees: Vec<f32>,
    buildings: Vec<f32>,
    rest: Value,
}

impl Things {
    fn of(catalogue: &Catalogue, at: &Lattice) -> Result<Self> {
        let (west, north, side) = (at.west as f64, at.north as f64, at.width as f64 - 1.0);
        // Catalogues count southwards.
        let own = |x: f64, y: f64| (x - west, -y - north);
        let inside = |(x, y): (f64, f64)| x >= 0.0 && x < side && y <= 0.0 && y > -side;
        let per_m = catalogue_units(catalogue);
        let mut out = Self::default();
        for tree in endless::trees(catalogue)? {
            let (x, y) = (tree.place.0 as f64 - west, tree.place.1 as f64 - north);
            if inside((x, y)) {
                out.trees.extend([(x + tree.offset) as f32, (y + tree.offset) as f32, tree.kind.into()]);
            }
        }
        let points = |name: &str| catalogue.point_set(name).into_iter().flat_map(|s| &s.features);
        for building in points("buildings") {
            let (x, y) = own(building.points[0].0, building.points[0].1);
            let height = building.property("height").and_then(Value::as_f64).unwrap_or(0.0) / per_m;
            if inside((x, y)) {
                out.buildings.extend([x as f32, y as f32, height as f32]);
            }
        }
        let features: Vec<Value> = points("features")
            .filter(|f| inside(own(f.points[0].0, f.points[0].1)))
            .map(|f| {
                let (x, y) = own(f.points[0].0, f.points[0].1);
                let get = |name: &str| f.property(name).cloned().unwrap_or(Value::Null);
                let kind = if get("cave_mouth") == true { "cave_mouth".into() } else { get("kind") };
                json!({
                    "x": x, "y": y, "kind": kind, "version": get("version"), "direction": get("direction"),
                    "code": get("code"),
                })
            })
            .collect();
        let lines: Vec<Value> = catalogue.lines.iter().flat_map(|set| clipped(set, own, inside)).collect();
        out.rest = json!({"features": features, "lines": lines});
        Ok(out)
    }
}

/// Units of height in a metre.
fn catalogue_units(catalogue: &Catalogue) -> f64 {
    let info = weald::world::find(catalogue.world).map(|w| w.info());
    info.and_then(|i| i.tiles).map_or(1.0, |look| look.height_units_per_m)
}

/// The parts of lines whose pieces have their middle inside; bridges are whole.
fn clipped(
    set: &FeatureSet,
    own: impl Fn(f64, f64) -> (f64, f64),
    inside: impl Fn((f64, f64)) -> bool,
) -> Vec<Value> {
    let mut out = Vec::new();
    // A bridge is one thing: it is given whole.
    let whole = set.name == "bridges";
    for feature in &set.features {
        let mut run: Vec<f64> = Vec::new();
        for pair in feature.points.windows(2) {
            let (a, b) = (own(pair[0].0, pair[0].1), own(pair[1].0, pair[1].1));
            if whole || inside(((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0)) {
                if run.is_empty() {
                    run.extend([a.0, a.1]);
                }
                run.extend([b.0, b.1]);
            } else if !run.is_empty() {
                out.push(json!({"set": set.name, "points": std::mem::take(&mut run)}));
            }
        }
        if !run.is_empty() {
            out.push(json!({"set": set.name, "points": run}));
        }
    }
    out
}
