//! The drainage network of a map: receivers, accumulation, channels, rivers and stream orders.

use std::f64::consts::SQRT_2;
use weald_core::hydro::{self, Flood, Order};
use weald_core::{Ctx, Dir8, Grid, Result};

/// Fewer cells than this are never a channel's catchment, however small the map.
const LEAST_CELLS: f64 = 50.0;

/// Where the land drains, and which of its cells are channels.
pub(super) struct Network {
    /// The direction to the receiver; none at outlets, in the sea and where there are no data.
    pub(super) flow: Grid<Dir8>,
    /// Land cells, each before its receiver.
    pub(super) order: Vec<u32>,
    /// Land cells that drain through each cell, itself included.
    pub(super) accumulation: Grid<u32>,
    /// From this accumulation on, a cell is a channel.
    pub(super) threshold: u32,
}

/// Length of a step, in cells.
pub(super) fn step_length(d: Dir8) -> f64 {
    if d.is_diagonal() { SQRT_2 } else { 1.0 }
}

impl Network {
    /// The network of `height`. A cell is a channel from an accumulation of min(max(100, 1 km² / `cell_m`²), land / 1000) cells on,
    /// and never below 50 cells. `land` counts the cells that [`hydro::d8_by_flood`] drains.
    pub(super) fn of(height: &Grid<f32>, land: &[bool], cell_m: f64, ctx: &Ctx) -> Result<Self> {
        let Flood { flow, order, .. } = hydro::d8_by_flood(height, ctx, |cell| land[cell])?;
        let accumulation = hydro::accumulation_within(&flow, &order, |cell| land[cell]);
        let square_km = 1e6 / (cell_m * cell_m);
        let threshold = square_km.max(100.0).min(order.len() as f64 / 1000.0).max(LEAST_CELLS).ceil() as u32;
        Ok(Self { flow, order, accumulation, threshold })
    }

    /// Whether a cell is a channel.
    pub(super) fn is_channel(&self, cell: usize) -> bool {
        self.accumulation.cells()[cell] >= self.threshold
    }

    /// The cell that a cell drains to.
    pub(super) fn receiver(&self, cell: usize) -> Option<usize> {
        self.flow.cells()[cell].step_from(cell, &Dir8::offsets(self.flow.width()))
    }

    /// Channel cells, each before its receiver. What is downstream of a channel is a channel too.
    pub(super) fn channels(&self) -> impl Iterator<Item = usize> {
        self.order.iter().map(|&cell| cell as usize).filter(|&cell| self.is_channel(cell))
    }

    /// The rivers: from each head, that is a channel cell into which no channel cell drains, in row-major order, down to an
    /// outlet or to the first cell that an earlier river has used, that cell included.
    pub(super) fn rivers(&self) -> Vec<Vec<u32>> {
        let cells = self.accumulation.len();
        let mut head: Vec<bool> = (0..cells).map(|cell| self.is_channel(cell)).collect();
        for to in self.channels().filter_map(|cell| self.receiver(cell)) {
            head[to] = false;
        }
        let mut used = vec![false; cells];
        let mut rivers = Vec::new();
        for start in (0..cells).filter(|&cell| head[cell]) {
            let mut river = vec![start as u32];
            let mut cell = start;
            while !std::mem::replace(&mut used[cell], true) {
                let Some(next) = self.receiver(cell) else { break };
                river.push(next as u32);
                cell = next;
            }
            rivers.push(river);
        }
        rivers
    }

    /// The length of the longest path that leads down to each cell, in cells, over all land.
    pub(super) fn longest_paths(&self) -> Vec<f64> {
        let mut longest = vec![0.0f64; self.accumulation.len()];
        for cell in self.order.iter().map(|&cell| cell as usize) {
            if let Some(to) = self.receiver(cell) {
                longest[to] = longest[to].max(longest[cell] + step_length(self.flow.cells()[cell]));
            }
        }
        longest
    }

    /// Strahler's order of each channel cell, and the streams of each order from 1 on. A stream is a connected run of channel
    /// cells of one order; its length includes the step into the next stream.
    pub(super) fn streams(&self) -> Streams {
        let mut above: Vec<(u8, u8)> = vec![(0, 0); self.accumulation.len()];
        let mut orders = Grid::filled(self.flow.width(), self.flow.height(), 0u8);
        let mut streams: Vec<Stream> = Vec::new();
        for cell in self.channels() {
            // The highest order above, and how many streams have it.
            let (highest, times) = above[cell];
            let meeting = (0..times).map(|_| Order { strahler: highest, shreve: 1 });
            let order = Order::of_meeting(meeting).strahler;
            orders.cells_mut()[cell] = order;
            if streams.len() < usize::from(order) {
                streams.resize(usize::from(order), Stream::default());
            }
            let stream = &mut streams[usize::from(order) - 1];
            stream.count += u32::from(order != highest);
            let Some(to) = self.receiver(cell) else { continue };
            stream.length += step_length(self.flow.cells()[cell]);
            let at = &mut above[to];
            *at = match order.cmp(&at.0) {
                std::cmp::Ordering::Greater => (order, 1),
                std::cmp::Ordering::Equal => (order, at.1 + 1),
                std::cmp::Ordering::Less => *at,
            };
        }
        Streams { orders, of_order: streams }
    }
}

/// The streams of a network by Strahler's order.
pub(super) struct Streams {
    /// The order of each channel cell, 0 elsewhere.
    pub(super) orders: Grid<u8>,
    /// The streams of order 1, of order 2, and so on.
    pub(super) of_order: Vec<Stream>,
}

/// The streams of one order together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stream {
    /// How many there are.
    pub count: u32,
    /// The sum of their lengths, in cells.
    pub length: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two arms that join, on a map of 3 columns: all cells drain south, the outer columns inward in the last row but one.
    fn network() -> Network {
        let flow = Grid::from_fn(3, 6, |x, y| match (x, y) {
            (_, 5) => Dir8::NONE,
            (0, 4) => Dir8(1),
            (2, 4) => Dir8(3),
            _ => Dir8(2),
        });
        let order = hydro::topological_order(&flow, &Ctx::default(), |_| true).unwrap();
        let accumulation = hydro::accumulation_within(&flow, &order, |_| true);
        Network { flow, order, accumulation, threshold: 2 }
    }

    #[test]
    fn rivers_end_at_an_outlet_or_with_the_first_cell_of_an_earlier_one() {
        let rivers = network().rivers();
        assert_eq!(rivers, [vec![3, 6, 9, 12, 16], vec![4, 7, 10, 13, 16], vec![5, 8, 11, 14, 16]]);
    }

    #[test]
    fn three_streams_of_order_one_make_one_of_order_two() {
        let streams = network().streams();
        // Three arms of four cells: the middle one has four steps of 1, the others three and a diagonal.
        let arms = Stream { count: 3, length: 10.0 + 2.0 * SQRT_2 };
        assert_eq!(streams.of_order.len(), 2);
        assert_eq!(streams.of_order[0].count, arms.count);
        assert!((streams.of_order[0].length - arms.length).abs() < 1e-12);
        assert_eq!(streams.of_order[1], Stream { count: 1, length: 0.0 });
        assert_eq!(streams.orders.row(5), [0, 2, 0]);
    }

    #[test]
    fn the_longest_path_counts_diagonals_as_the_root_of_two() {
        let longest = network().longest_paths();
        assert_eq!(longest[16], 4.0 + SQRT_2);
        assert_eq!((longest[0], longest[13]), (0.0, 4.0));
    }
}
