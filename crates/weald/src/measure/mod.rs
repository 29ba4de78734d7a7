//! How a heightmap compares with real land: figures of its rivers, slopes, relief and coast, with the ranges that real terrain has.
//!
//! Nothing here knows how a map was made. The figures depend on the shape of the land alone, so heights may be in any unit. The side
//! of a cell only decides which cells are channels.
//!
//! ```
//! use weald::core::{Ctx, Grid};
//! use weald::measure::{self, RANGES, Terms, Verdict};
//!
//! // A cone in the sea. A cone has a third of the volume of its cylinder.
//! let cone = Grid::from_fn(256, 256, |x, y| {
//!     let (dx, dy) = (x as f32 - 127.5, y as f32 - 127.5);
//!     100.0 - (dx * dx + dy * dy).sqrt()
//! });
//! let found = measure::measure(&cone, &Terms::new(30.0), &Ctx::default())?;
//! assert!((found.hypsometric_integral.unwrap() - 1.0 / 3.0).abs() < 0.02);
//! let outside: Vec<_> = RANGES.iter().filter(|f| f.verdict(&found) == Verdict::Outside).map(|f| f.name).collect();
//! assert!(outside.contains(&"chord45") && outside.contains(&"coast D"));
//! # Ok::<(), weald::Error>(())
//! ```

mod coast;
mod figures;
mod network;
#[cfg(all(feature = "import", feature = "render"))]
mod page;
#[cfg(feature = "import")]
mod report;
mod scaling;
mod shape;
#[cfg(feature = "import")]
mod source;
mod texture;

pub use figures::{Figure, RANGES, Verdict};
pub use network::Stream;
#[cfg(all(feature = "import", feature = "render"))]
pub use page::page;
#[cfg(feature = "import")]
pub use report::Report;
pub use scaling::Law;
#[cfg(feature = "import")]
pub use source::{Given, Source, read, read_npy};

use crate::error::{Error, Result};
use network::{Network, Streams};
use weald_core::line::Point;
use weald_core::{Ctx, Grid, stats};

/// Maps with a longer side are averaged by whole blocks first.
pub const MOST_CELLS: usize = 1024;

/// Maps with a shorter side are refused: they have no waves of 32 cells and hardly a river.
pub const LEAST_CELLS: usize = 64;

/// A figure, or the reason why there is none.
pub type Value = std::result::Result<f64, &'static str>;

/// What a map of heights means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// Side of a cell, in metres.
    pub cell_m: f64,
    /// Cells up to this height are sea, in the unit of the map.
    pub sea_level: f32,
    /// Cells of this height have no data; neither have cells that are not finite.
    pub nodata: Option<f32>,
}

impl Terms {
    /// Cells of this side, the sea at 0, data everywhere.
    pub fn new(cell_m: f64) -> Self {
        Self { cell_m, sea_level: 0.0, nodata: None }
    }
}

/// The figures of a map, and what a page about it shows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Measures {
    /// Share of the chords of rivers, over 12 steps, whose bearing lies within 3° of a multiple of 45°.
    pub chord45: Value,
    /// Share of the length of rivers in runs of at least eight equal steps.
    pub run8: Value,
    /// Median of length over straight distance, for pieces of rivers of 40 steps.
    pub sinuosity: Value,
    /// Horton's ratio of stream numbers.
    pub bifurcation: Value,
    /// Horton's ratio of mean stream lengths.
    pub length_ratio: Value,
    /// Exponent of Hack's law.
    pub hack: Value,
    /// Concavity of the channels.
    pub theta: Value,
    /// Power of the strongest direction over that of the weakest.
    pub anisotropy: Value,
    /// Mean height of the land between its 0.1 and its 99.9 percentile.
    pub hypsometric_integral: Value,
    /// Divider dimension of the coast.
    pub coast_dimension: Value,
    /// The map that was measured.
    pub map: Map,
    /// The network of rivers.
    pub rivers: Rivers,
    /// Mean slope of channels (rise over run) against accumulation (cells), in twelve bins.
    pub slope_area: Law,
    /// Longest path against accumulation (both in cells) of channel cells.
    pub paths: Law,
    /// The share of river chords by bearing: 72 bins clockwise from north, centred on multiples of 5°.
    pub rose: Vec<f64>,
    /// Wavelength in cells and mean power over all directions, from the longest to 2 cells.
    pub spectrum: Vec<(f64, f64)>,
}

/// The map that was measured, after averaging.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Map {
    /// Heights; not a number where there are no data.
    pub height: Grid<f32>,
    /// Side of a cell, in metres.
    pub cell_m: f64,
    /// Cells up to this height are sea.
    pub sea_level: f32,
    /// How many cells of the given map one cell is wide: 1 if it was not averaged.
    pub block: usize,
    /// Number of cells above the sea.
    pub land: usize,
    /// Number of cells without data.
    pub nodata: usize,
    /// Where land and sea meet: contour lines, in cells.
    pub coast: Vec<Vec<Point>>,
}

/// The rivers of a map.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rivers {
    /// A cell is a channel from this accumulation on, in cells.
    pub threshold: u32,
    /// The cells of each river from its head down, row-major indices. The last cell may belong to another river.
    pub cells: Vec<Vec<u32>>,
    /// Strahler's order of each channel cell, 0 elsewhere.
    pub orders: Grid<u8>,
    /// The streams of order 1, of order 2, and so on.
    pub streams: Vec<Stream>,
}

/// Measures a map of heights. See [`RANGES`] for the figures; the same bits for any number of threads.
///
/// 1. A map of more than 1024 cells a side is averaged by the smallest whole blocks that bring it to at most 1024; cells beyond the
///    last whole block are left out, and a block with a cell without data has none. On fine cells, smooth rivers would count as
///    straight.
/// 2. Every figure of rivers is that of one network: a priority flood from the border, the sea and cells without data
///    ([`weald_core::hydro::d8_by_flood`]), channels from an accumulation of min(max(100 cells, 1 km²), land/1000) on, at
///    least 50 cells.
///
/// Cost: about 0.4 µs a cell of the averaged map on one core.
///
/// # Errors
/// If a side has fewer than [`LEAST_CELLS`] cells, before or after averaging; if no cell is land; if the side of a cell is not a
/// positive number.
pub fn measure(height: &Grid<f32>, terms: &Terms, ctx: &Ctx) -> Result<Measures> {
    if !(terms.cell_m > 0.0 && terms.cell_m.is_finite()) {
        return Err(Error::Invalid(format!(
            "a cell of {} m has no area; give its side in metres",
            terms.cell_m
        )));
    }
    let (height, block) = ctx.stage("average", |c| averaged(height, terms, c))?;
    let (w, h) = height.shape();
    if w.min(h) < LEAST_CELLS {
        let averaged = if block > 1 { format!(" after averaging by {block}") } else { String::new() };
        return Err(Error::Shape(format!(
            "a map of {w}x{h} cells{averaged} is too small to measure; it needs at least {LEAST_CELLS} cells a side"
        )));
    }
    let cell_m = terms.cell_m * block as f64;
    let is_land: Vec<bool> = height.cells().iter().map(|&v| v > terms.sea_level).collect();
    let land = is_land.iter().filter(|&&l| l).count();
    if land == 0 {
        let message = if height.cells().iter().any(|v| v.is_finite()) {
            format!("no cell is above the sea level of {}; give a lower sea level", terms.sea_level)
        } else {
            "no cell has a height that a 32-bit float can hold".into()
        };
        return Err(Error::Invalid(message));
    }
    let network = ctx.stage("network", |c| Network::of(&height, &is_land, cell_m, c))?;
    let rivers = network.rivers();
    let plan = shape::plan(&rivers, &network);
    let Streams { orders, of_order } = network.streams();
    let (bifurcation, length_ratio) = scaling::horton(&of_order);
    let (hack, paths) = scaling::hack(&network);
    let (theta, slope_area) = scaling::slope_area(&height, &network, cell_m);
    let texture = ctx.stage("spectrum", |c| texture::texture(&height, c))?;
    let (coast_dimension, coast) = ctx.stage("coast", |c| coast::dimension(&height, &is_land, c))?;
    let hypsometric_integral = hypsometric_integral(&height, &is_land, ctx)?;
    let nodata = height.cells().iter().filter(|v| v.is_nan()).count();
    Ok(Measures {
        chord45: plan.chord45,
        run8: plan.run8,
        sinuosity: plan.sinuosity,
        bifurcation,
        length_ratio,
        hack,
        theta,
        anisotropy: texture.anisotropy,
        hypsometric_integral,
        coast_dimension,
        rivers: Rivers { threshold: network.threshold, cells: rivers, orders, streams: of_order },
        map: Map { height, cell_m, sea_level: terms.sea_level, block, land, nodata, coast },
        slope_area,
        paths,
        rose: plan.rose,
        spectrum: texture.spectrum,
    })
}

/// The map at no more than [`MOST_CELLS`] a side, NaN where there are no data, and the side of a block.
fn averaged(height: &Grid<f32>, terms: &Terms, ctx: &Ctx) -> weald_core::Result<(Grid<f32>, usize)> {
    let known = |v: f32| if v.is_finite() && Some(v) != terms.nodata { v + 0.0 } else { f32::NAN };
    let whole = height.map(|&v| known(v));
    let block = whole.width().max(whole.height()).div_ceil(MOST_CELLS).max(1);
    // A sum with NaN in it is NaN.
    let map = if block > 1 { stats::block_means(&whole, block, ctx)? } else { whole };
    Ok((map, block))
}

/// (mean − low)/(high − low) of the land, with the 0.1 and the 99.9 percentile as low and high (Strahler 1952,
/// doi:10.1130/0016-7606(1952)63\[1117:HAAOET\]2.0.CO;2).
fn hypsometric_integral(height: &Grid<f32>, is_land: &[bool], ctx: &Ctx) -> Result<Value> {
    let land: Vec<f32> =
        height.cells().iter().zip(is_land).filter(|(_, land)| **land).map(|(&v, _)| v).collect();
    let land = Grid::from_vec(land.len(), 1, land);
    let ends = stats::percentiles(&land, &[0.001, 0.999], ctx)?;
    let (low, high) = (f64::from(ends[0]), f64::from(ends[1]));
    let mean = land.cells().iter().map(|&v| f64::from(v)).sum::<f64>() / land.len() as f64;
    Ok(if high > low { Ok((mean - low) / (high - low)) } else { Err("the land is level") })
}

#[cfg(test)]
mod tests;
