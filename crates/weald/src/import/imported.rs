//! A map that was read, and how it stood in its file.

use crate::error::Result;
use crate::georeference::{CrsUnit, GeoReference};
use crate::reading::Crop;
use serde_json::{Value, json};
use std::fmt;
use weald_core::resample::{Values, resampled};
use weald_core::{Ctx, Grid};

/// What the numbers of a map are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Grey from 0 for black to 1 for white.
    Grey,
    /// Metres.
    Metres,
    /// Numbers whose unit nobody says.
    Plain,
}

impl Numbers {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Numbers::Grey => "grey",
            Numbers::Metres => "metres",
            Numbers::Plain => "numbers without a unit",
        }
    }
}

/// How a map stood in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The format: `GeoTIFF`, `PNG`, …
    pub format: &'static str,
    /// The type of the numbers: `int16`, `16-bit grey`, …
    pub cells: String,
    /// Compression and tiles, if the format has any.
    pub packing: String,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = if self.packing.is_empty() { "" } else { ", " };
        write!(f, "{} {}{between}{}", self.format, self.cells, self.packing)
    }
}

/// A map, and how it stood in the file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Imported {
    /// The map. Every cell is finite, or NaN if cells without data were to be kept.
    pub map: Grid<f32>,
    /// Format and type of the numbers.
    pub kind: Kind,
    /// What the numbers are.
    pub numbers: Numbers,
    /// Where it lies on the Earth, if the file says so.
    pub place: Option<GeoReference>,
    /// Width and height of a cell in metres, if the file or one beside it says so.
    pub cell_m: Option<(f64, f64)>,
    /// Columns and rows in the file.
    pub size: (usize, usize),
    /// The part of it that was read.
    pub crop: Option<Crop>,
    /// Number of cells without data in that part, before they were filled.
    pub empty: usize,
    /// The name of the file beside it that says what its numbers are, if there is one.
    pub beside: Option<String>,
    /// What else a user should know, in half sentences.
    pub notes: Vec<String>,
}

impl Imported {
    /// The smallest and the largest number.
    pub fn range(&self) -> (f32, f32) {
        let numbers = self.map.cells().iter().filter(|v| !v.is_nan());
        numbers.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)))
    }

    /// How the file was read, in a line: kind, size, range, cell, place and share of cells without data.
    pub fn summary(&self) -> String {
        let ((low, high), (w, h)) = (self.range(), self.size);
        let mut out = format!("{}, {w}x{h} cells, {} from {low} to {high}", self.kind, self.numbers.name());
        if let Some((x, y)) = self.cell_m {
            let cell = if (x / y - 1.0).abs() < 1e-6 {
                metres(x).to_string()
            } else {
                format!("{} by {}", metres(x), metres(y))
            };
            out += &format!(", a cell is {cell} m");
        }
        if let Some(place) = self.place {
            let crs = place
                .epsg
                .map_or("coordinate system without EPSG code".to_owned(), |code| format!("EPSG:{code}"));
            let degrees = if place.unit == CrsUnit::Degree { " in degrees" } else { "" };
            out += &format!(" ({crs}{degrees})");
        }
        self.notes.iter().for_each(|note| out += &format!(", {note}"));
        out
    }

    /// The same for machines.
    pub fn to_json(&self) -> Value {
        let ((low, high), (w, h)) = (self.range(), self.size);
        let read = self.crop.map_or(w * h, |crop| crop.width * crop.height);
        json!({
            "format": self.kind.format, "numbers": self.kind.cells, "packing": self.kind.packing, "unit": self.numbers.name(),
            "width": w, "height": h, "min": low, "max": high, "cell_m": self.cell_m.map(|(x, y)| [x, y]),
            "georeference": self.place.map(|p| p.to_json()),
            "nodata_share": self.empty as f64 / read as f64, "crop": self.crop.map(|c| c.numbers()), "notes": self.notes,
        })
    }

    /// The map with square cells, as every world has them. Where a cell is wider or higher than square by more than a thousandth, columns or
    /// rows are resampled to the longer side, so that no detail is invented.
    pub fn squared(self, ctx: &Ctx) -> Result<Self> {
        let Some((x, y)) = self.cell_m.filter(|(x, y)| (x / y - 1.0).abs() > 1e-3) else { return Ok(self) };
        let (w, h) = self.map.shape();
        let fewer = |n: usize, ratio: f64| ((n as f64 * ratio).round() as usize).max(1);
        let size = if x < y { (fewer(w, x / y), h) } else { (w, fewer(h, y / x)) };
        let side = x.max(y);
        let mut squared = self.resampled(size, ctx)?;
        squared.cell_m = Some((side, side));
        if let Some(last) = squared.notes.last_mut() {
            *last = format!("resampled to {}x{} square cells of {} m", size.0, size.1, metres(side));
        }
        Ok(squared)
    }

    /// The map of the same area with another number of cells.
    pub fn resampled(mut self, size: (usize, usize), ctx: &Ctx) -> Result<Self> {
        let from = self.map.shape();
        self.map = resampled(&self.map, size, Values::of(&self.map), ctx)?;
        self.place = self.place.map(|place| place.resampled(from, size));
        let ratio = (from.0 as f64 / size.0 as f64, from.1 as f64 / size.1 as f64);
        self.cell_m = self.cell_m.map(|(x, y)| (x * ratio.0, y * ratio.1));
        self.notes.push(format!("resampled to {}x{}", size.0, size.1));
        Ok(self)
    }

    /// Makes grey from 0 to 1 of unsigned numbers of 8 and 16 bits, for maps that are no heights.
    pub fn grey_from_bytes(&mut self) {
        let white = match self.kind.cells.as_str() {
            "uint8" => 255.0,
            "uint16" => 65535.0,
            _ => return,
        };
        self.map.cells_mut().iter_mut().for_each(|v| *v = (f64::from(*v) / white) as f32);
        self.numbers = Numbers::Grey;
    }
}

/// A length for people: at most five digits after the point.
fn metres(v: f64) -> f64 {
    (v * 1e5).round() / 1e5
}
