//! The ground as columns of blocks, for games that are made of them.

use super::cover::Cover;
use super::target::Source;
use crate::error::{Error, Result};
use crate::memory;
use weald_core::resample::{Values, resampled};
use weald_core::{Ctx, Grid, par};

/// Maps at most so wide get blocks of a metre.
const METRE_BLOCKS_M: f64 = 4096.0;
/// Height of the ground under water whose own height is 0 m, in blocks: any height below 0 puts its highest block under the sea.
const UNDER_SEA: f32 = -0.5;

/// Columns of blocks, rows from the north.
pub(super) struct Blocks {
    /// Height of the ground above the sea at the centre of each column, in blocks. Where the map has the surface of the sea, which is at 0 m, the ground
    /// is below it.
    pub height: Grid<f32>,
    /// Whether the map has the surface of the sea somewhere, and no floor below it.
    pub sea_surface: bool,
    /// Metres along a side of a block.
    pub block_m: f64,
    /// What covers the ground.
    pub cover: Cover,
    /// The class of each column, as a position in the classes of the cover.
    pub class: Grid<u8>,
    /// Whether a column is under water without being below the sea.
    pub inland_water: Grid<u8>,
    /// Metres of the map between the centres of neighbouring columns, from west to east and from north to south. One of them differs
    /// from `block_m` a little where the shorter side is no whole number of blocks.
    pub spaces_m: (f64, f64),
    /// Columns and rows of the map.
    pub cells: (usize, usize),
}

/// Fails if more blocks are asked for than `most` along a side.
pub(super) fn fits(samples: Option<usize>, most: usize) -> Result<()> {
    match samples.filter(|&samples| samples > most) {
        None => Ok(()),
        Some(samples) => Err(Error::Invalid(format!(
            "--samples {samples}: this game holds at most {most} blocks along a side; give fewer"
        ))),
    }
}

impl Blocks {
    /// Blocks of 1 m if the map is at most 4096 m wide and high, else one for each cell; or as many along the longer side as `--samples`
    /// says. A block is as high as it is wide. Fails if there would be more than `most` of them along a side.
    pub(super) fn of(source: &Source, most: usize, ctx: &Ctx) -> Result<Self> {
        let heights = source.heights(ctx)?;
        let cells = heights.height.shape();
        let extent = (cells.0 as f64 * heights.cell_m, cells.1 as f64 * heights.cell_m);
        let longer = extent.0.max(extent.1);
        let block_m = match source.options.samples {
            Some(samples) => longer / samples as f64,
            None if longer <= METRE_BLOCKS_M => longer / longer.round().max(1.0),
            None => heights.cell_m,
        };
        let along = |metres: f64| (metres / block_m).round().max(1.0) as usize;
        let size = (along(extent.0), along(extent.1));
        if size.0.max(size.1) > most {
            return Err(Error::Shape(format!(
                "{} by {} blocks: this game holds at most {most} along a side; give fewer with --samples",
                size.0, size.1
            )));
        }
        let what = format!("{} by {} blocks", size.0, size.1);
        memory::check(24 * size.0 as u64 * size.1 as u64, &what, "give fewer with --samples")?;
        let metres = resampled(&heights.height, size, Values::Measure, &ctx.quiet())?;
        let cover = Cover::of(source, ctx)?;
        let cell =
            |x: usize, y: usize| ((2 * x + 1) * cells.0 / (2 * size.0), (2 * y + 1) * cells.1 / (2 * size.1));
        let class = par::fill(size.0, size.1, &ctx.quiet(), |y, row: &mut [u8]| {
            row.iter_mut().enumerate().for_each(|(x, out)| *out = cover.cells[cell(x, y)]);
        })?;
        let mut water = Vec::new();
        for (layer, values) in source.ground()?.water {
            water.push((source.catalogue.cells(layer)?, *values));
        }
        let wet = |(x, y): (usize, usize)| water.iter().any(|(cells, values)| values.fit(cells.at(x, y)));
        let at_sea = |cell: (usize, usize)| heights.height[cell] == 0.0 && wet(cell);
        let rows = par::map(cells.1, &ctx.quiet(), |y| (0..cells.0).any(|x| at_sea((x, y))))?;
        let height = par::fill(size.0, size.1, &ctx.quiet(), |y, row: &mut [f32]| {
            for (x, out) in row.iter_mut().enumerate() {
                let blocks = (f64::from(metres[(x, y)]) / block_m) as f32;
                *out = if at_sea(cell(x, y)) { blocks.min(UNDER_SEA) } else { blocks };
            }
        })?;
        let inland_water = par::fill(size.0, size.1, &ctx.quiet(), |y, row: &mut [u8]| {
            for (x, out) in row.iter_mut().enumerate() {
                let cell = cell(x, y);
                // Blocks of the shore may be higher than the cell that they lie in.
                let land = heights.height[cell] >= 0.0 && height[(x, y)] >= 0.0;
                *out = u8::from(wet(cell) && land);
            }
        })?;
        let spaces_m = (extent.0 / size.0 as f64, extent.1 / size.1 as f64);
        let sea_surface = rows.contains(&true);
        Ok(Self { height, sea_surface, block_m, spaces_m, cover, class, inland_water, cells })
    }

    /// How large a block is and how many there are, in a sentence.
    pub(super) fn scale(&self) -> String {
        let (width, height) = self.height.shape();
        format!(
            "{width} by {height} blocks from {} by {} cells; a block is {} m wide and high",
            self.cells.0,
            self.cells.1,
            super::terrain::short(self.block_m, 4)
        )
    }

    /// What becomes of a sea without a floor, in a sentence; none if the map has none.
    pub(super) fn sea_note(&self) -> Option<String> {
        self.sea_surface.then(|| {
            "where water is at 0 m, the map has the height of its surface and no floor; it is made one block deep".into()
        })
    }
}
