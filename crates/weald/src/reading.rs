//! What a user says about a map file.

use crate::error::{Error, Result};
use std::fmt;
use weald_core::Grid;

/// What is done with cells that have no data.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum FillNodata {
    /// They are an error.
    #[default]
    Refuse,
    /// They become sea: 1 m below the sea level, or black.
    Sea,
    /// They get this height, in metres if the map is in metres, and else in its own numbers.
    Height(f32),
    /// They stay without data, as NaN.
    Keep,
}

impl FillNodata {
    /// `sea`, a height, or `error`.
    pub fn parse(text: &str) -> std::result::Result<Self, String> {
        match text.trim() {
            "sea" => Ok(FillNodata::Sea),
            "error" => Ok(FillNodata::Refuse),
            number => {
                let height = number.parse::<f32>().ok().filter(|v| v.is_finite()).map(FillNodata::Height);
                height.ok_or_else(|| "must be sea, error, or a height such as 12.5".to_owned())
            }
        }
    }
}

impl fmt::Display for FillNodata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FillNodata::Refuse => f.write_str("error"),
            FillNodata::Sea => f.write_str("sea"),
            FillNodata::Height(height) => write!(f, "{height}"),
            FillNodata::Keep => f.write_str("keep"),
        }
    }
}

/// What the user says about a file; it comes before what the file says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// Columns and rows of a file that holds nothing but numbers.
    pub raw_size: Option<(usize, usize)>,
    /// Cells of this value in the file have no data, besides those that the file itself says.
    pub nodata: Option<f32>,
    /// The part that is read; cells outside it are not looked at.
    pub crop: Option<Crop>,
    /// What is done with cells without data.
    pub fill: FillNodata,
    /// The height of the sea, in metres if the map is in metres, and else in its own numbers.
    pub sea_level: Option<f32>,
    /// Whether a file `NAME.terrain.json` beside a picture says what its grey values mean.
    pub sidecar: UseSidecar,
}

/// Whether a file `NAME.terrain.json` beside a picture is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UseSidecar {
    /// Its metres are taken.
    #[default]
    Yes,
    /// Grey values stay grey.
    No,
}

/// A part of a map, in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crop {
    /// The first column.
    pub x: usize,
    /// The first row.
    pub y: usize,
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
}

impl Crop {
    /// Column, row, width and height, as they are written.
    pub fn numbers(&self) -> [usize; 4] {
        [self.x, self.y, self.width, self.height]
    }

    /// Four whole numbers: column, row, and a width and height of at least 1.
    pub fn of(numbers: &[u64]) -> Option<Self> {
        match *numbers {
            [x, y, width, height] if width > 0 && height > 0 => {
                Some(Self { x: x as usize, y: y as usize, width: width as usize, height: height as usize })
            }
            _ => None,
        }
    }

    /// The part of a map called `name`. Fails if it is not inside the map.
    pub fn cut(&self, name: &str, map: &Grid<f32>) -> Result<Grid<f32>> {
        let (w, h) = map.shape();
        let inside = |from: usize, length: usize, of: usize| from < of && length <= of - from;
        if !inside(self.x, self.width, w) || !inside(self.y, self.height, h) {
            let [x, y, width, height] = self.numbers();
            return Err(Error::Shape(format!(
                "crop {x},{y},{width},{height}: reaches beyond the map{}{name}, which has {w}x{h} cells; at column {x} and row {y} \
                 it can be at most {}x{}",
                if name.is_empty() { "" } else { " " },
                w.saturating_sub(x),
                h.saturating_sub(y)
            )));
        }
        Ok(Grid::from_fn(self.width, self.height, |x, y| map[(self.x + x, self.y + y)]))
    }
}

impl fmt::Display for Crop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cropped to {}x{} at column {}, row {}", self.width, self.height, self.x, self.y)
    }
}

/// Whether the numbers of a map, of which 0 is black, are a mask: some cells are white, and at least half of those that are not black, both to
/// within 2 %. So edges may be blurred. No heightmap has so much land on its peak.
pub(crate) fn is_mask(map: &Grid<f32>, white: f32) -> bool {
    let count = |above: f32| map.cells().iter().filter(|v| **v > above * white).count();
    let land = count(0.98);
    land > 0 && 2 * land >= count(0.02)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_has_white_cells_and_a_dark_heightmap_is_none() {
        let mask = |cells: &[f32]| is_mask(&Grid::from_vec(cells.len(), 1, cells.to_vec()), 1.0);
        assert!(mask(&[0.0, 1.0]) && mask(&[0.01, 0.99, 1.0, 0.4]));
        // Metres as 16-bit grey: 236 to 1076 of 65535.
        assert!(!mask(&[0.0036, 0.0071, 0.0164]));
        assert!(!mask(&[0.0, 0.001]) && !mask(&[0.0, 0.0]) && !mask(&[0.0, 0.3, 0.5, 1.0]));
    }
}
