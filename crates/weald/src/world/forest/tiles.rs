//! The tile envelope of §14: one JSON record per tile, written as a stream.
//!
//! Rows are formatted in parallel into a few buffers and written in order, so memory does not grow with the map. A
//! float is written as the shortest decimal that reads back as the same f32.

use super::classes::*;
use crate::catalogue::{Catalogue, Cells, Class};
use crate::error::{Error, Result};
use crate::params::{camel_case, rename_keys};
use crate::sink::Sink;
use serde_json::{Value, json};
use weald_core::{Ctx, Dir8, Grid, par};

/// Version of the envelope.
pub const SPEC_VERSION: &str = "forest-terrain-v1";

/// JSON Schema of the envelope.
pub const SCHEMA: &str = include_str!("tiles.schema.json");

/// How tiles are laid out in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One JSON object: `meta` and the array `tiles`, one tile per line.
    Json,
    /// One JSON object per line: first `{"meta": …}`, then the tiles.
    Ndjson,
}

/// What may be added to a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cliffs {
    /// As in the document.
    Omit,
    /// `navigation.cliffs`: the directions in which a step climbs a cliff.
    Include,
}

/// Tiles formatted into one buffer.
const BATCH: usize = 2048;

/// Writes all tiles of a forest.
pub fn write(catalogue: &Catalogue, layout: Layout, cliffs: Cliffs, out: &mut Sink, ctx: &Ctx) -> Result<()> {
    let meta = serde_json::to_string(&meta(catalogue)).expect("plain data");
    let layers = Layers::of(catalogue)?;
    let (open, between, close) = match layout {
        Layout::Json => (format!("{{\"meta\":{meta},\n\"tiles\":[\n"), ",\n", "\n]}\n"),
        Layout::Ndjson => (format!("{{\"meta\":{meta}}}\n"), "\n", "\n"),
    };
    out.write(open.as_bytes())?;
    let words = Words::new(cliffs);
    let tiles = layers.height.len();
    let batches = tiles.div_ceil(BATCH);
    let wave = par::threads() * 4;
    let format = |first: usize| {
        let last = (first + wave).min(batches);
        par::map(last - first, &Ctx::default(), |i| {
            let start = (first + i) * BATCH;
            let mut buffer = Vec::with_capacity(BATCH * 1100);
            for tile in start..(start + BATCH).min(tiles) {
                if tile > 0 {
                    buffer.extend_from_slice(between.as_bytes());
                }
                words.tile(&layers, tile, &mut buffer);
            }
            buffer
        })
    };
    let mut ready = format(0)?;
    for first in (0..batches).step_by(wave) {
        ctx.checkpoint()?;
        let next = first + wave;
        let (written, formatted) = par::join(
            || ready.iter().try_for_each(|buffer| out.write(buffer)),
            || if next < batches { format(next) } else { Ok(Vec::new()) },
        );
        written?;
        ready = formatted?;
        ctx.tick(next.min(batches), batches);
    }
    out.write(close.as_bytes())
}

/// The layers that a record is made of.
struct Layers<'c> {
    height: &'c Grid<f32>,
    slope: &'c Grid<f32>,
    aspect: &'c Grid<f32>,
    landform: &'c Grid<u8>,
    directions: Cells<'c>,
    accumulation: &'c Grid<u32>,
    accumulation_log: &'c Grid<f32>,
    moisture: &'c Grid<f32>,
    water: &'c Grid<u8>,
    biome: &'c Grid<u8>,
    tree_density: &'c Grid<f32>,
    canopy: &'c Grid<f32>,
    soil: &'c Grid<u8>,
    firmness: &'c Grid<f32>,
    surface: &'c Grid<u8>,
    obstruction: &'c Grid<f32>,
    features: &'c Grid<u8>,
    trail: &'c Grid<i32>,
    visibility: &'c Grid<f32>,
    orientation: &'c Grid<f32>,
    move_cost: &'c Grid<f32>,
    passability: &'c Grid<u16>,
    cliffs: &'c Grid<u8>,
    followable: &'c Grid<u8>,
}

impl<'c> Layers<'c> {
    fn of(c: &'c Catalogue) -> Result<Self> {
        let Cells::I32(trail) = c.cells("game_trail_id")? else {
            return Err(Error::Shape("the layer game_trail_id is not int32".into()));
        };
        Ok(Self {
            height: c.floats("height")?,
            slope: c.floats("slope")?,
            aspect: c.floats("aspect_deg")?,
            landform: c.bytes("landform")?,
            directions: c.cells("flow_direction")?,
            accumulation: c.counts("flow_accumulation")?,
            accumulation_log: c.floats("flow_accumulation_log")?,
            moisture: c.floats("moisture")?,
            water: c.bytes("water_class")?,
            biome: c.bytes("biome")?,
            tree_density: c.floats("tree_density")?,
            canopy: c.floats("canopy_cover")?,
            soil: c.bytes("soil")?,
            firmness: c.floats("firmness")?,
            surface: c.bytes("surface_flags")?,
            obstruction: c.floats("obstruction")?,
            features: c.bytes("feature_flags")?,
            trail,
            visibility: c.floats("visibility_m")?,
            orientation: c.floats("orientation_reliability")?,
            move_cost: c.floats("move_cost")?,
            passability: c.words("passability")?,
            cliffs: c.bytes("cliff_edge")?,
            followable: c.bytes("followable")?,
        })
    }
}

/// The envelope's `meta`: enough to make the tiles again and to check them. What the document does not know is left out where
/// heights are those of the document.
fn meta(catalogue: &Catalogue) -> Value {
    let mut params = rename_keys(&catalogue.params, &camel_case);
    if let Some(groups) = params.as_object_mut().filter(|p| p["elevation"]["source"] == "noise") {
        groups.shift_remove("elevation");
    }
    json!({
        "specVersion": SPEC_VERSION,
        "seed": catalogue.seed.to_string(),
        "width": catalogue.frame.width,
        "height": catalogue.frame.height,
        "params": params,
    })
}

/// Directions in the order of the document's `passability`.
const COMPASS: [Dir8; 8] = [Dir8(6), Dir8(7), Dir8(0), Dir8(1), Dir8(2), Dir8(3), Dir8(4), Dir8(5)];

/// Pieces of text made once: everything in a record that is not a number.
struct Words {
    surface: Vec<String>,
    features: Vec<String>,
    followable: Vec<String>,
    /// For the first and the last four directions of the compass, by their eight bits of passability.
    passability: [Vec<String>; 2],
    cliffs: Option<Vec<String>>,
}

/// The names of the bits that are set, as a JSON array.
fn flag_lists(table: &[Class]) -> Vec<String> {
    let list = |bits: u32| {
        let names = table.iter().filter(|c| bits & c.value != 0).map(|c| format!("\"{}\"", c.name));
        format!("[{}]", names.collect::<Vec<_>>().join(","))
    };
    (0..1u32 << table.len()).map(list).collect()
}

impl Words {
    fn new(cliffs: Cliffs) -> Self {
        let quarter = |half: usize| {
            let entry = |bits: usize| {
                let names = COMPASS[half * 4..half * 4 + 4].iter().enumerate().map(|(i, d)| {
                    let kind = PASSABILITIES.get(bits >> (2 * i) & 3).map_or("", |c| c.name);
                    format!("\"{}\":\"{kind}\"", Dir8::NAMES[d.0 as usize])
                });
                names.collect::<Vec<_>>().join(",")
            };
            (0..256).map(entry).collect()
        };
        let by_compass: Vec<Class> = COMPASS
            .iter()
            .map(|d| Class { name: Dir8::NAMES[d.0 as usize], ..DIRECTION_BITS[d.0 as usize] })
            .collect();
        Self {
            surface: flag_lists(SURFACE_FLAGS),
            features: flag_lists(FEATURE_FLAGS),
            followable: flag_lists(FOLLOWABLES),
            passability: [quarter(0), quarter(1)],
            cliffs: (cliffs == Cliffs::Include).then(|| flag_lists(&by_compass)),
        }
    }

    /// Appends the record of one tile.
    fn tile(&self, l: &Layers, i: usize, out: &mut Vec<u8>) {
        let w = l.height.width();
        let (x, y) = (i % w, i / w);
        let mut put = Put(out);
        put.text("{\"id\":\"forest:").int(x).text(",").int(y);
        put.text("\",\"position\":{\"x\":").int(x).text(",\"y\":").int(y);
        put.text("},\"topography\":{\"elevation\":").float(l.height.cells()[i]);
        put.text(",\"slopeMag\":").float(l.slope.cells()[i]);
        put.text(",\"aspectDeg\":").float(l.aspect.cells()[i]);
        put.text(",\"landform\":\"").text(LANDFORMS[l.landform.cells()[i] as usize].name);
        put.text("\"},\"hydrology\":{\"flowDir\":").int(l.directions.at(x, y) as usize);
        put.text(",\"flowAccum\":").int(l.accumulation.cells()[i] as usize);
        put.text(",\"flowAccumN\":").float(l.accumulation_log.cells()[i]);
        let (moisture, biome) = (l.moisture.cells()[i], l.biome.cells()[i]);
        put.text(",\"moisture\":").float(moisture);
        put.text(",\"waterClass\":\"").text(WATER_CLASSES[l.water.cells()[i] as usize].name);
        put.text("\"},\"vegetation\":{\"biome\":\"").text(BIOMES[biome as usize].name);
        put.text("\",\"treeDensity\":").float(l.tree_density.cells()[i]);
        put.text(",\"canopyCover\":").float(l.canopy.cells()[i]);
        put.text(",\"dominant\":").text(match *dominant(biome, moisture) {
            [] => "[]",
            ["scots_pine"] => "[\"scots_pine\"]",
            ["norway_spruce"] => "[\"norway_spruce\"]",
            ["norway_spruce", ..] => "[\"norway_spruce\",\"birch\"]",
            ["birch"] => "[\"birch\"]",
            _ => "[\"birch\",\"norway_spruce\"]",
        });
        put.text("},\"ground\":{\"soil\":\"").text(SOILS[l.soil.cells()[i] as usize].name);
        put.text("\",\"firmness\":").float(l.firmness.cells()[i]);
        put.text(",\"surfaceFlags\":").text(&self.surface[l.surface.cells()[i] as usize]);
        put.text("},\"roughness\":{\"obstruction\":").float(l.obstruction.cells()[i]);
        put.text(",\"featureFlags\":").text(&self.features[l.features.cells()[i] as usize]);
        put.text("},\"visibility\":{\"baseMeters\":").float(l.visibility.cells()[i]);
        put.text("},\"navigation\":{\"moveCost\":").float(l.move_cost.cells()[i]);
        put.text(",\"orientationReliability\":").float(l.orientation.cells()[i]);
        put.text(",\"followable\":").text(&self.followable[l.followable.cells()[i] as usize]);
        let trail = l.trail.cells()[i];
        if trail >= 0 {
            put.text(",\"gameTrailId\":").int(trail as usize);
        }
        if let Some(lists) = &self.cliffs {
            put.text(",\"cliffs\":").text(&lists[l.cliffs.cells()[i] as usize]);
        }
        // The compass starts at north, which is direction 6: four bits up, counted round.
        let steps = l.passability.cells()[i].rotate_left(4);
        put.text(",\"passability\":{").text(&self.passability[0][(steps & 255) as usize]);
        put.text(",").text(&self.passability[1][(steps >> 8) as usize]).text("}}}");
    }
}

/// Appends text and numbers to a buffer.
struct Put<'a>(&'a mut Vec<u8>);

impl Put<'_> {
    #[inline]
    fn text(&mut self, text: &str) -> &mut Self {
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    #[inline]
    fn int(&mut self, value: usize) -> &mut Self {
        self.text(itoa::Buffer::new().format(value))
    }

    /// Without the `.0` of whole numbers.
    #[inline]
    fn float(&mut self, value: f32) -> &mut Self {
        let mut buffer = zmij::Buffer::new();
        let text = buffer.format_finite(value);
        self.text(text.strip_suffix(".0").unwrap_or(text))
    }
}
