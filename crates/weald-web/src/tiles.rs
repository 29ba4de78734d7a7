//! Pieces of worlds without edges.

use crate::place::sampled;
use crate::request::Request;
use crate::value::{self, Pixels};
use js_sys::{Float32Array, Uint8Array};
use wasm_bindgen::prelude::*;
use weald::Error;
use weald::catalogue::Lattice;
use weald::core::Ctx;
use weald::job::walk::{Ground, Things};

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
                if things && step == 1 { self.tiles.things(&ground, &at)? } else { Things::default() };
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
