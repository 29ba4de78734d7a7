//! A map with its parameters and seed, and the ways around it.

use super::Rule;
use super::names::{LAKE, STREAM, TRAIL_FLAG};
use super::params::Params;
use super::tiles::Tiles;
use crate::check::rule::Checked;
use crate::error::Result;
use std::collections::VecDeque;
use weald_core::{Ctx, Dir8, dir8, label};

/// A map with what its rules need beside it.
pub(super) struct World {
    /// The arrays.
    pub(super) t: Tiles,
    /// The parameters.
    pub(super) p: Params,
    /// The seed, if it is known.
    pub(super) seed: Option<u64>,
    /// Whether a trail passes; empty if it is not known.
    pub(super) trail: Vec<bool>,
}

impl Checked for World {
    const RULES: &'static [&'static [Rule]] = super::RULES;
    /// One note says for all rules that there is no seed.
    const SILENT: &'static [&'static str] = &["seed"];

    /// Whether the seed, the trails or the array of this name are known.
    fn has(&self, name: &str) -> bool {
        match name {
            "seed" => self.seed.is_some(),
            "trail" => !self.trail.is_empty(),
            name => self.t.has(name),
        }
    }
}

impl World {
    /// Finds the trails in the most telling of the arrays that are known.
    pub(super) fn new(t: Tiles, p: Params, seed: Option<u64>) -> Self {
        let trail = if !t.game_trail.is_empty() {
            t.game_trail.iter().map(|&v| v != 0).collect()
        } else if !t.game_trail_id.is_empty() {
            t.game_trail_id.iter().map(|&v| v >= 0).collect()
        } else {
            t.followable.iter().map(|&v| v & TRAIL_FLAG != 0).collect()
        };
        Self { t, p, seed, trail }
    }

    /// Number of tiles.
    pub(super) fn len(&self) -> usize {
        self.t.columns * self.t.rows
    }

    /// Column and row.
    pub(super) fn place(&self, i: usize) -> (usize, usize) {
        (i % self.t.columns, i / self.t.columns)
    }

    /// Whether the tile lies on the playable part of the map.
    pub(super) fn playable(&self, i: usize) -> bool {
        let (inset, (x, y)) = (self.p.inset(), self.place(i));
        let far = |v: usize, size: usize| v >= inset && v.saturating_add(inset) < size;
        far(x, self.t.columns) && far(y, self.t.rows)
    }

    /// Calls `visit(direction, cell)` for the neighbours of `i`, in numeric order.
    pub(super) fn around(&self, i: usize, mut visit: impl FnMut(Dir8, usize)) {
        let (x, y) = self.place(i);
        dir8::neighbours(self.t.columns, self.t.rows, x, y, |d, nx, ny| {
            visit(d, ny * self.t.columns + nx);
        });
    }

    /// The neighbours of `i` by direction, None where the map ends.
    pub(super) fn neighbours(&self, i: usize) -> [Option<usize>; 8] {
        let mut all = [None; 8];
        self.around(i, |d, n| all[d.0 as usize] = Some(n));
        all
    }

    /// The neighbour to which the water of `i` flows, if it is on the map.
    pub(super) fn downstream(&self, i: usize) -> Option<usize> {
        *self.neighbours(i).get(self.t.flow_direction[i] as usize)?
    }

    /// Breadth-first distance over eight neighbours to the cells where `source` holds, without cap.
    pub(super) fn distance(&self, source: impl Fn(usize) -> bool) -> Vec<u32> {
        let mut distance = vec![u32::MAX; self.len()];
        let mut queue: VecDeque<usize> = (0..self.len()).filter(|&i| source(i)).collect();
        queue.iter().for_each(|&i| distance[i] = 0);
        while let Some(i) = queue.pop_front() {
            self.around(i, |_, n| {
                if distance[n] == u32::MAX {
                    distance[n] = distance[i] + 1;
                    queue.push_back(n);
                }
            });
        }
        distance
    }

    /// Steps to the nearest lake or stream, at most `cap`.
    pub(super) fn steps_to_water(&self, cap: f64) -> Vec<f64> {
        let steps = self.distance(|i| matches!(self.t.water_class[i], LAKE | STREAM));
        steps.into_iter().map(|d| f64::from(d).min(cap)).collect()
    }

    /// Numbers the connected pieces of the cells where `inside` holds, from 1; 0 elsewhere.
    pub(super) fn pieces(&self, inside: impl Fn(usize) -> bool) -> Result<(Vec<u32>, usize)> {
        let (grid, count) = label::regions(self.t.columns, self.t.rows, &Ctx::default(), inside)?;
        Ok((grid.into_vec(), count as usize))
    }
}
