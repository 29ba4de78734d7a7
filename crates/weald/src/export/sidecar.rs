//! The file beside an export: what its numbers mean.

use super::target::Source;
use serde_json::{Map, Value, json};

/// Where the samples of an export lie in their cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Registration {
    /// At the centres: N samples span N cells.
    #[default]
    PixelCentre,
    /// At the corners: N samples span N − 1 cells.
    Vertex,
}

/// What an export is, as numbers. What is absent does not apply.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sidecar {
    /// The names of the files of heights that it describes; those of a target that is one file are filled in by [`super::target::Target`].
    pub files: Vec<String>,
    /// Columns and rows of samples.
    pub size: Option<(usize, usize)>,
    /// Where the samples lie.
    pub registration: Registration,
    /// Distance of neighbouring samples in metres, from west to east.
    pub metres_per_pixel: Option<f64>,
    /// The same from north to south, where it is another.
    pub metres_per_pixel_y: Option<f64>,
    /// Heights as whole numbers or grey: the metres above the sea of the smallest and of the largest value there can be.
    pub range_m: Option<(f64, f64)>,
    /// The lowest and the highest height in metres, where the values are metres themselves.
    pub heights_m: Option<(f64, f64)>,
    /// Whether the first row is the southernmost one.
    pub south_first: bool,
    /// Members of this target only.
    pub more: Map<String, Value>,
}

impl Sidecar {
    /// The file as JSON: `metres_per_pixel`, `height_scale_m` and `sea_level_m` are what [`crate::import`] reads for the named files, with the size
    /// and the order of rows.
    pub fn to_json(&self, target: &str, source: &Source, numbers: &[String]) -> Value {
        let mut out = json!({"target": target, "origin": source.origin});
        if !self.files.is_empty() {
            out["files"] = self.files.clone().into();
        }
        if let Some((width, height)) = self.size {
            out["width"] = width.into();
            out["height"] = height.into();
            out["registration"] = match self.registration {
                Registration::PixelCentre => "pixel centre",
                Registration::Vertex => "vertex",
            }
            .into();
            out["row_order"] = if self.south_first { "south first" } else { "north first" }.into();
        }
        if let Some(metres) = self.metres_per_pixel {
            out["metres_per_pixel"] = metres.into();
        }
        if let Some(metres) = self.metres_per_pixel_y.filter(|y| Some(*y) != self.metres_per_pixel) {
            out["metres_per_pixel_y"] = metres.into();
        }
        if let Some((low, high)) = self.range_m {
            out["lowest_m"] = low.into();
            out["highest_m"] = high.into();
            out["height_scale_m"] = (high - low).into();
            out["sea_level_m"] = (-low + 0.0).into();
        }
        if let Some((low, high)) = self.heights_m {
            (out["lowest_m"], out["highest_m"]) = (low.into(), high.into());
        }
        // Worlds without ground have no metres.
        if source.exports.ground.is_some() || source.catalogue.georeference.is_some() {
            // Samples may be others than the cells of the map.
            let mut map = source.place().to_json();
            let frame = &source.catalogue.frame;
            (map["columns"], map["rows"]) = (frame.width.into(), frame.height.into());
            out["map_georeference"] = map;
        }
        for (name, value) in &self.more {
            out[name] = value.clone();
        }
        out["numbers"] = numbers.into();
        out
    }
}
