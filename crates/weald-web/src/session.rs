//! One world after another, with the phases that did not change.

use crate::engine::layer;
use crate::place;
use crate::request::{Look, Request};
use crate::value::{self, Pixels};
use crate::watch::watched;
use js_sys::{Float32Array, Function, Uint8Array, Uint32Array};
use serde_json::{Value, json};
use std::path::Path;
use wasm_bindgen::prelude::*;
use weald::catalogue::explain::LayerValue;
use weald::core::{Ctx, contour};
use weald::export::geojson;
use weald::files::memory;
use weald::job::folder::FolderPlan;
use weald::render::picture::{self, PictureStyle};
use weald::render::{Image, Places};
use weald::sink::Sink;
use weald::world::Phases;
use weald::{Error, Output, Result};

type Js<T> = std::result::Result<T, JsValue>;

/// Makes worlds and answers questions about the last one.
#[wasm_bindgen]
pub struct Session {
    phases: Phases,
    world: String,
    output: Option<Output>,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

#[wasm_bindgen]
impl Session {
    /// A session without a world.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self { phases: Phases::keeping(), world: String::new(), output: None }
    }

    /// Makes the world of a request, and describes it as JSON. `listener` is called with a stage and with what is done of it; what it
    /// answers says whether to stop.
    pub fn make(&mut self, request: &str, listener: Option<Function>) -> Js<String> {
        watched(listener, |ctx| self.made(request, ctx)).map(|v| v.to_string()).map_err(value::error)
    }

    /// The cells of a layer as a typed array.
    pub fn layer(&self, name: &str) -> Js<JsValue> {
        let cells = self.output().and_then(|o| o.catalogue.cells(name)).map_err(value::error)?;
        Ok(value::cells(&cells))
    }

    /// A layer in its colours, one pixel per cell.
    pub fn layer_picture(&self, name: &str, listener: Option<Function>) -> Js<Pixels> {
        let draw = |ctx: &Ctx| picture::layer_cells(self.named(name)?, &PictureStyle::default(), ctx);
        watched(listener, draw).map(|image| Pixels::opaque(&image)).map_err(value::error)
    }

    /// The scale of a measure as JSON, `null` for classes.
    pub fn layer_scale(&self, name: &str) -> Js<String> {
        let scale =
            self.named(name).map_err(value::error).map(|l| picture::scale(l, &PictureStyle::default()))?;
        let json = scale.map(|s| {
            let colours: Vec<_> = s.colours.iter().step_by(15).collect();
            json!({"low": s.low, "high": s.high, "logarithmic": s.logarithmic, "colours": colours})
        });
        Ok(json.unwrap_or(Value::Null).to_string())
    }

    /// A view without the sheet around it. `look` is JSON: view, px and settings.
    pub fn picture(&self, look: &str, listener: Option<Function>) -> Js<Pixels> {
        let draw = |ctx: &Ctx| self.output()?.draw_bare(&Look::read(look)?, ctx);
        watched(listener, draw).map(|p| Pixels::of(&p)).map_err(value::error)
    }

    /// What the places of a view are: `cells`, `degrees` or `none`.
    pub fn places(&self, look: &str) -> Js<String> {
        let places = || self.output()?.places(&Look::read(look)?);
        let name = |places| match places {
            Places::Cells => "cells",
            Places::Degrees => "degrees",
            Places::None => "none",
        };
        places().map(|p| name(p).into()).map_err(value::error)
    }

    /// The legend of a view.
    pub fn legend(&self, look: &str) -> Js<Legend> {
        let parts = || self.output()?.legend(&Look::read(look)?, &Ctx::default());
        parts().map(Legend::of).map_err(value::error)
    }

    /// Contour lines of a layer of heights: the points of all lines one after another, in cells.
    pub fn contours(&self, layer: &str, step: f32, listener: Option<Function>) -> Js<Contours> {
        let lines = |ctx: &Ctx| {
            let catalogue = &self.output()?.catalogue;
            let (height, (low, high)) = (catalogue.floats(layer)?, catalogue.cells(layer)?.min_max());
            let least = (high - low) / MOST_CONTOURS;
            if !(step > 0.0 && step.is_finite() && f64::from(step) >= least) {
                return Err(Error::Invalid(format!(
                    "contour interval = {step}: must be above 0 and at least {least:.2e}"
                )));
            }
            Ok(contour::every(height, step, ctx)?)
        };
        watched(listener, lines).map(|l| Contours::of(&l)).map_err(value::error)
    }

    /// A set of lines, points or polygons as GeoJSON.
    pub fn features(&self, set: &str) -> Js<String> {
        let bytes = self.written(&format!("{set}.geojson"), &Ctx::default()).map_err(value::error)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A file of the output folder, byte for byte as the command line writes it.
    pub fn file(&self, name: &str, listener: Option<Function>) -> Js<Uint8Array> {
        watched(listener, |ctx| self.written(name, ctx))
            .map(|bytes| Uint8Array::from(&bytes[..]))
            .map_err(value::error)
    }

    /// The hashes of everything that is promised, as JSON: pairs of name and SHA-256.
    pub fn hashes(&self, listener: Option<Function>) -> Js<String> {
        let hashes = |ctx: &Ctx| self.output()?.hashes(ctx);
        watched(listener, hashes).map(|list| json!(list).to_string()).map_err(value::error)
    }

    /// The value of every layer at a column and a row, in words, as JSON.
    pub fn values(&self, column: usize, row: usize) -> Js<String> {
        let catalogue = &self.output().map_err(value::error)?.catalogue;
        let (w, h) = (catalogue.frame.width, catalogue.frame.height);
        let inside = column < w && row < h;
        let fits = |l: &&weald::catalogue::Layer| inside && l.cells().shape() == (w, h);
        let of = |l: &weald::catalogue::Layer| {
            let at = LayerValue::of(l, (column, row));
            json!({"layer": at.layer, "value": at.words()})
        };
        Ok(Value::from(catalogue.layers.iter().filter(fits).map(of).collect::<Vec<_>>()).to_string())
    }

    /// Why a place is what it is, as JSON. The place is given as on the command line: a column and a row, or latitude and longitude.
    pub fn explain(&self, place: &[f64]) -> Js<String> {
        let explain = || self.output()?.explain_at(place);
        explain().map(|e| e.to_json().to_string()).map_err(value::error)
    }

    /// What is at a place, as JSON, in a world that is a function of place.
    pub fn sample(&self, place: &[f64]) -> Js<String> {
        let sample = || {
            let sampler = self.output()?.catalogue.sampler.clone();
            let sampler =
                sampler.ok_or_else(|| Error::Invalid("this world is no function of place".into()))?;
            place::sampled(&*sampler, place)
        };
        sample().map(|v| v.to_string()).map_err(value::error)
    }

    /// Heights of a globe above its sea: see [`Output::globe_heights`].
    pub fn globe(&self, columns: usize, rows: usize) -> Js<Float32Array> {
        let heights = || self.output()?.globe_heights(columns, rows);
        heights().map(|h| Float32Array::from(&h[..])).map_err(value::error)
    }

    /// The files of the output folder as pairs of name and bytes, as `weald generate` writes them.
    pub fn folder(&self, listener: Option<Function>) -> Js<js_sys::Array> {
        let files = watched(listener, |ctx| self.written_folder(ctx)).map_err(value::error)?;
        let pair = |(name, bytes): (String, Vec<u8>)| {
            js_sys::Array::of2(&name.into(), &Uint8Array::from(&bytes[..]).into())
        };
        Ok(files.into_iter().map(pair).collect())
    }
}

/// More contour lines than this between the lowest and the highest place would cover the map.
const MOST_CONTOURS: f64 = 1000.0;

/// Bytes by which the memory of this instance can still grow. Memory that was freed is not counted, because the allocator keeps it.
fn memory_left() -> u64 {
    const PAGE: u64 = 1 << 16;
    (1 << 32) - PAGE * core::arch::wasm32::memory_size::<0>() as u64
}

/// Where the folder is written in memory.
const FOLDER: &str = "folder";

impl Session {
    fn made(&mut self, request: &str, ctx: &Ctx) -> Result<Value> {
        let request = Request::read(request)?;
        let job = request.job()?;
        let name = job.recipe().world.info().name;
        if self.world != name {
            (self.phases, self.world) = (Phases::keeping(), name.into());
        }
        self.output = None;
        let ready = job.ready()?;
        ready.check_memory()?;
        // What is kept of the last world must leave room for the new one.
        if ready.bytes_needed() > memory_left() {
            self.phases = Phases::keeping();
        }
        let output = ready.run(&mut self.phases, ctx)?;
        let catalogue = &output.catalogue;
        let frame = &catalogue.frame;
        let with_range = |l: &weald::catalogue::Layer| {
            let (mut json, (min, max)) = (layer(l.spec()), l.cells().min_max());
            (json["min"], json["max"]) = (min.into(), max.into());
            json
        };
        let set = |(set, geometry): (&weald::catalogue::FeatureSet, geojson::Geometry)| {
            let kind = match geometry {
                geojson::Geometry::Lines => "lines",
                geojson::Geometry::Points => "points",
                geojson::Geometry::Polygons => "polygons",
            };
            json!({"name": set.name, "about": set.about, "kind": kind, "count": set.features.len()})
        };
        let described = json!({
            "world": name,
            "seed": output.recipe.seed.to_string(),
            "width": frame.width,
            "height": frame.height,
            "cell": frame.cell_m,
            "origin": [frame.origin.0, frame.origin.1],
            "unit": catalogue.length_unit,
            "layers": catalogue.layers.iter().map(with_range).collect::<Vec<_>>(),
            "sets": geojson::sets(catalogue).map(set).collect::<Vec<_>>(),
            "figures": catalogue.figures,
            "notes": catalogue.notes,
            "reused": self.phases.taken_over(),
            "maps": output.maps.keys().collect::<Vec<_>>(),
        });
        self.output = Some(output);
        Ok(described)
    }

    fn output(&self) -> Result<&Output> {
        self.output.as_ref().ok_or_else(|| Error::Invalid("no world is made yet".into()))
    }

    fn named(&self, name: &str) -> Result<&weald::catalogue::Layer> {
        let layer = self.output()?.catalogue.layer(name);
        layer.ok_or_else(|| Error::Invalid(format!("{name}: this world has no such layer")))
    }

    fn written(&self, name: &str, ctx: &Ctx) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut out = Sink::new(name, &mut bytes);
        self.output()?.write_named(name, &mut out, ctx)?;
        out.finish()?;
        Ok(bytes)
    }

    fn written_folder(&self, ctx: &Ctx) -> Result<Vec<(String, Vec<u8>)>> {
        let (output, dir) = (self.output()?, Path::new(FOLDER));
        memory::remove(dir);
        memory::create_dir(dir).map_err(|e| Error::io(dir, e))?;
        let plan = FolderPlan::new(output.recipe.world.info().files);
        let written = output.write_folder(dir, &plan, ctx);
        let file = |name: std::path::PathBuf| {
            let bytes = memory::read(&name).map_err(|e| Error::io(&name, e))?;
            Ok((name.display().to_string(), bytes.to_vec()))
        };
        let files = written.and_then(|_| memory::list(dir).into_iter().map(file).collect());
        memory::remove(dir);
        files
    }
}

/// The legend of a view: its words as JSON, and all samples below each other in one picture.
#[wasm_bindgen]
pub struct Legend {
    json: String,
    samples: Vec<u8>,
    size: (usize, usize),
}

#[wasm_bindgen]
impl Legend {
    /// Parts with their heading, and entries with label and value.
    pub fn json(&self) -> String {
        self.json.clone()
    }

    /// The samples below each other, in the order of the entries.
    pub fn samples(&self) -> Pixels {
        Pixels::opaque(&Image::from_bytes(self.size.0, self.size.1, self.samples.clone()))
    }
}

impl Legend {
    fn of(parts: Vec<weald::render::LegendPart>) -> Self {
        let entry = |e: &weald::render::LegendEntry| json!({"label": e.label, "value": e.value});
        let part = |p: &weald::render::LegendPart| json!({"heading": p.heading, "entries": p.entries.iter().map(entry).collect::<Vec<_>>()});
        let json = Value::from(parts.iter().map(part).collect::<Vec<_>>()).to_string();
        let entries = || parts.iter().flat_map(|p| &p.entries);
        let width = entries().next().map_or(0, |e| e.sample.width());
        let height = entries().map(|e| e.sample.height()).sum();
        let samples = entries().flat_map(|e| e.sample.bytes()).copied().collect();
        Self { json, samples, size: (width, height) }
    }
}

/// Contour lines.
#[wasm_bindgen]
pub struct Contours {
    points: Vec<f32>,
    lengths: Vec<u32>,
    levels: Vec<f32>,
}

#[wasm_bindgen]
impl Contours {
    /// x and y of all points, in cells.
    pub fn points(&self) -> Float32Array {
        Float32Array::from(&self.points[..])
    }

    /// The number of points of each line.
    pub fn lengths(&self) -> Uint32Array {
        Uint32Array::from(&self.lengths[..])
    }

    /// The height of each line.
    pub fn levels(&self) -> Float32Array {
        Float32Array::from(&self.levels[..])
    }
}

impl Contours {
    fn of(lines: &[contour::Contour]) -> Self {
        Self {
            points: lines.iter().flat_map(|l| &l.points).flat_map(|&(x, y)| [x as f32, y as f32]).collect(),
            lengths: lines.iter().map(|l| l.points.len() as u32).collect(),
            levels: lines.iter().map(|l| l.level).collect(),
        }
    }
}
