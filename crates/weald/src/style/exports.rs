//! What a world declares for exports, as data: where its heights are, what covers its ground, and how its vector map and its tiles look.

use super::chart::{ChartStyle, Values};
use super::tiles::TileMap;

/// What a world has for the formats of other programs.
#[derive(Clone, Copy, Debug)]
pub struct Exports {
    /// Its ground, if it has heights above a plane.
    pub ground: Option<GroundSpec>,
    /// The style of its vector map.
    pub chart: Option<fn() -> ChartStyle>,
    /// The tiles of its map in Tiled.
    pub tiles: Option<&'static TileMap>,
    /// The parameters that say how it makes heights grey itself.
    pub grey: Option<GreyHeights>,
}

/// How a world makes heights grey: the paths of the parameters, in metres.
#[derive(Clone, Copy, Debug)]
pub struct GreyHeights {
    /// Height of the sea above black.
    pub sea_level_m: &'static str,
    /// Height of white above black.
    pub height_scale_m: &'static str,
}

impl Exports {
    /// A world that is none of them.
    pub const NONE: Self = Self { ground: None, chart: None, tiles: None, grey: None };
}

/// Where the heights of a world are, and what covers its ground.
#[derive(Clone, Copy, Debug)]
pub struct GroundSpec {
    /// The layer of heights.
    pub height: &'static str,
    /// Metres of a unit of that layer.
    pub metres_per_height: f64,
    /// Metres of a unit of the frame.
    pub metres_per_unit: f64,
    /// The layer of classes that says what covers the ground, from which textures are made.
    pub cover: &'static str,
    /// Cells under water, besides those below a height of 0 m: a layer and its values.
    pub water: &'static [(&'static str, Values)],
    /// What users must know of the metres of the frame, such as a scale that the world itself does not have; empty for nothing. It does not hold
    /// for maps whose place on the Earth is known.
    pub length_note: &'static str,
    /// The same of the metres of the heights.
    pub height_note: &'static str,
}
