//! Worlds that are made in tiles, so that they may be larger than memory.
//!
//! A world is made in *passes*. A pass sees one tile at a time: grids that earlier passes kept, with as many cells around the tile as it
//! reads, and the tile's *share*, which is all that reaches it from farther away. It gives grids to keep, and a *summary*. When all tiles
//! of a pass are done, their summaries are merged into the shares of the next pass. Each step is a pure function, so tiles may be done
//! in any order, by any number of threads, processes or machines, and again after a crash; the bits are those of the whole map.

use crate::catalogue::{Layer, LayerSpec, Source};
use crate::error::{Error, Result};
use serde_json::{Map, Value};
use std::sync::Arc;
use weald_core::tiled::{Pack, Tiles, Window};
use weald_core::{AnyGrid, Cells, Ctx, Frame, Grid};

/// A world with valid parameters, cut into tiles.
pub trait Parts: Send + Sync {
    /// How the map is cut.
    fn tiles(&self) -> &Tiles;

    /// Where the map lies.
    fn frame(&self) -> Frame {
        let (width, height) = self.tiles().shape();
        Frame::new(width, height, 1.0)
    }

    /// The passes, in order.
    fn passes(&self) -> &'static [Pass];

    /// The layers that are made, each with the cells that it has on the whole map.
    fn layers(&self) -> Vec<LayerSpec>;

    /// Grids that passes hand on to later ones and that are no layers.
    fn handed_on(&self) -> Vec<LayerSpec> {
        Vec::new()
    }

    /// The grids that a pass makes.
    fn writes(&self, pass: usize) -> Vec<&'static str>;

    /// The grids of earlier passes that a pass reads.
    fn reads(&self, pass: usize) -> Vec<&'static str>;

    /// Makes tile `k` of a pass.
    fn tile(&self, pass: usize, k: usize, given: Given, ctx: &Ctx) -> Result<Done>;

    /// Merges the summaries of all tiles of a pass.
    fn merge(&self, pass: usize, found: &Found, ctx: &Ctx) -> Result<Merged>;

    /// Bytes of memory that a tile takes while it is made, at most, per cell.
    fn bytes_per_cell(&self) -> u64;
}

/// A pass over all tiles.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name.
    pub name: &'static str,
    /// What it makes, in one sentence without a full stop.
    pub about: &'static str,
}

/// What a tile of a pass is made from: grids of earlier passes, and its share of what the pass before found.
pub struct Given<'a> {
    keep: &'a dyn Keep,
    /// The tile's share, empty in the first pass.
    share: Vec<u8>,
}

/// What a tile of a pass has become.
#[derive(Clone, Default)]
pub struct Done {
    /// The grids that the pass makes, of the tile's window.
    pub grids: Vec<(&'static str, Arc<dyn Source>)>,
    /// For the merge.
    pub summary: Vec<u8>,
}

impl Done {
    /// With these layers, which share their cells.
    pub(crate) fn of(layers: &[Layer]) -> Self {
        let grids = layers.iter().map(|layer| (layer.spec().name, layer.source())).collect();
        Self { grids, summary: Vec::new() }
    }
}

/// What the summaries of a pass give together.
#[derive(Clone, Debug, Default)]
pub struct Merged {
    /// For the next pass: what each tile needs.
    pub shares: Vec<Vec<u8>>,
    /// For all later passes: what every tile needs.
    pub common: Vec<u8>,
    /// Figures of the whole map that are known from here on.
    pub figures: Map<String, Value>,
}

/// Typed grids of what is given.
macro_rules! read {
    ($($name:ident $kind:ident $cell:ty, $what:literal;)*) => {$(
        #[doc = concat!("A window of a grid of ", $what, ".")]
        pub(crate) fn $name(&self, name: &'static str, window: Window, ctx: &Ctx) -> Result<Grid<$cell>> {
            match self.keep.window(name, window, ctx)? {
                AnyGrid::$kind(grid) => Ok(grid),
                _ => Err(Error::Internal(format!(concat!("the grid {} is not one of ", $what), name))),
            }
        }
    )*};
}

impl Given<'_> {
    read! {
        floats F32 f32, "floats";
        bytes U8 u8, "bytes";
        counts U32 u32, "32-bit numbers";
    }

    /// The share as a value.
    pub(crate) fn share<T: Pack>(&self) -> Result<T> {
        unpacked(&self.share)
    }
}

/// What the tiles of a pass have found. Summaries are read one by one, so that a merge that only adds them up needs memory for one.
pub struct Found<'a> {
    keep: &'a dyn Keep,
    pass: usize,
    tiles: usize,
}

impl Found<'_> {
    /// The summaries as values, in the order of the tiles.
    pub(crate) fn each<T: Pack>(&self) -> impl Iterator<Item = Result<T>> {
        (0..self.tiles).map(|k| {
            let missing = || Error::Internal(format!("tile {k} of pass {} is not done", self.pass));
            unpacked(&self.keep.summary(self.pass, k)?.ok_or_else(missing)?)
        })
    }

    /// All of them.
    pub(crate) fn all<T: Pack>(&self) -> Result<Vec<T>> {
        self.each().collect()
    }
}

/// A summary or a share that was read back.
fn unpacked<T: Pack>(bytes: &[u8]) -> Result<T> {
    let damaged =
        || Error::Invalid("a summary of the build is damaged; remove the store and build it again".into());
    T::from_bytes(bytes).ok_or_else(damaged)
}

/// Where grids, summaries and shares are kept from pass to pass.
pub trait Keep: Sync {
    /// Keeps a grid of a tile.
    fn put(&self, name: &'static str, k: usize, cells: &Cells, ctx: &Ctx) -> Result<()>;
    /// A window of a grid.
    fn window(&self, name: &'static str, window: Window, ctx: &Ctx) -> Result<AnyGrid>;
    /// Keeps the summary of a tile; with it the tile of that pass is done.
    fn put_summary(&self, pass: usize, k: usize, summary: Vec<u8>) -> Result<()>;
    /// The summary of a tile, if it is done.
    fn summary(&self, pass: usize, k: usize) -> Result<Option<Vec<u8>>>;
    /// Keeps what a pass found; with it the pass is done.
    fn put_merged(&self, pass: usize, merged: Merged) -> Result<()>;
    /// The share of a tile in what a pass found.
    fn share(&self, pass: usize, k: usize) -> Result<Vec<u8>>;
    /// What a pass found for every tile.
    fn common(&self, pass: usize) -> Result<Vec<u8>>;
}

/// Makes one tile of a pass from what is kept, and keeps it. The passes before must be merged.
pub fn make_tile(parts: &dyn Parts, keep: &dyn Keep, pass: usize, k: usize, ctx: &Ctx) -> Result<()> {
    let share = if pass > 0 { keep.share(pass - 1, k)? } else { Vec::new() };
    let done = parts.tile(pass, k, Given { keep, share }, ctx)?;
    for (name, grid) in &done.grids {
        keep.put(name, k, &grid.cells(), ctx)?;
    }
    keep.put_summary(pass, k, done.summary)
}

/// Merges the tiles of a pass, all of which must be done.
pub fn merge_pass(parts: &dyn Parts, keep: &dyn Keep, pass: usize, ctx: &Ctx) -> Result<()> {
    let found = Found { keep, pass, tiles: parts.tiles().count() };
    keep.put_merged(pass, parts.merge(pass, &found, ctx)?)
}
