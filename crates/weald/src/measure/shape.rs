//! The shape of rivers in plan: do they follow the directions of the lattice, and how much do they wind?

use super::Value;
use super::network::{Network, step_length};
use std::f64::consts::PI;
use weald_core::{Dir8, math};

/// Steps of a chord, and from one start to the next.
const CHORD: usize = 12;
const CHORD_EVERY: usize = 6;
/// Degrees between a chord and a multiple of 45° up to which it counts.
const NEAR_DEG: f64 = 3.0;
/// Steps of a run that counts as straight.
const RUN: usize = 8;
/// Steps of a piece whose sinuosity is measured.
const PIECE: usize = 40;
/// Fewer chords or pieces than this say nothing.
const LEAST_CHORDS: usize = 20;
const LEAST_PIECES: usize = 5;

/// Number of bins of the rose of directions.
pub(super) const ROSE: usize = 72;

/// What the plan of all rivers says.
pub(super) struct Plan {
    pub(super) chord45: Value,
    pub(super) run8: Value,
    pub(super) sinuosity: Value,
    /// The share of chords by bearing, clockwise from north, in bins of 5° that are centred on multiples of 5°.
    pub(super) rose: Vec<f64>,
}

/// Measures all rivers.
pub(super) fn plan(rivers: &[Vec<u32>], network: &Network) -> Plan {
    let width = network.flow.width();
    let between = |from: u32, to: u32| {
        let (from, to) = (from as usize, to as usize);
        let along = |a: usize, b: usize| b as f64 - a as f64;
        (along(from % width, to % width), along(from / width, to / width))
    };
    let (mut near, mut rose) = (0usize, vec![0usize; ROSE]);
    let (mut straight, mut whole) = (0.0, 0.0);
    let mut bends = Vec::new();
    for river in rivers {
        let steps: Vec<Dir8> =
            river[..river.len() - 1].iter().map(|&cell| network.flow.cells()[cell as usize]).collect();
        for start in (0..river.len().saturating_sub(CHORD)).step_by(CHORD_EVERY) {
            let (dx, dy) = between(river[start], river[start + CHORD]);
            let bearing = (math::atan2(dx, -dy) * (180.0 / PI)).rem_euclid(360.0);
            let off = bearing % 45.0;
            near += usize::from(off.min(45.0 - off) <= NEAR_DEG);
            rose[(bearing / 360.0 * ROSE as f64).round() as usize % ROSE] += 1;
        }
        for run in steps.chunk_by(|a, b| a == b) {
            let length = run.len() as f64 * step_length(run[0]);
            whole += length;
            straight += if run.len() >= RUN { length } else { 0.0 };
        }
        for (k, piece) in steps.chunks_exact(PIECE).enumerate() {
            let (dx, dy) = between(river[k * PIECE], river[(k + 1) * PIECE]);
            let length: f64 = piece.iter().map(|&d| step_length(d)).sum();
            bends.push(length / (dx * dx + dy * dy).sqrt());
        }
    }
    let chords: usize = rose.iter().sum();
    let enough = chords >= LEAST_CHORDS;
    let few_chords = "the rivers have fewer than 20 chords of 12 steps";
    Plan {
        chord45: if enough { Ok(near as f64 / chords as f64) } else { Err(few_chords) },
        run8: if enough { Ok(straight / whole) } else { Err(few_chords) },
        sinuosity: if bends.len() >= LEAST_PIECES {
            Ok(median(bends))
        } else {
            Err("the rivers have fewer than 5 pieces of 40 steps")
        },
        rose: rose.iter().map(|&n| n as f64 / chords.max(1) as f64).collect(),
    }
}

/// The middle of the sorted values, or the mean of the two in the middle.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    (values[(n - 1) / 2] + values[n / 2]) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_the_middle_or_the_mean_of_the_two_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
