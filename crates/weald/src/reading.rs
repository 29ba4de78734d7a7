//! What a user says about a map file.

use std::fmt;

/// What is done with cells that have no data.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum FillNodata {
    /// They are an error.
    #[default]
    Refuse,
    /// They become sea: 1 m below the sea level, or black.
    Sea,
    /// They get this height, in the unit of the file.
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
    /// Cells of this value have no data, besides those that the file itself says.
    pub nodata: Option<f32>,
    /// What is done with cells without data.
    pub fill: FillNodata,
    /// The height of the sea, in the unit of the file.
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
