//! What the island asks of its maps, by one queue for all cells: what the stages are measured against.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use weald::core::{Dir8, Grid, dir8, path};

/// Lengths of the shortest ways over uneven ground, by Dijkstra's algorithm.
pub(crate) fn travel(resistance: &Grid<u16>, source: impl Fn(usize) -> bool) -> Vec<u32> {
    let (w, h, r) = (resistance.width(), resistance.height(), resistance.cells());
    let start = |i: usize| if r[i] != 0 && source(i) { 0 } else { path::NEVER };
    let mut length: Vec<u32> = (0..w * h).map(start).collect();
    let mut queue: BinaryHeap<Reverse<(u32, usize)>> =
        (0..w * h).filter(|&i| length[i] == 0).map(|i| Reverse((0, i))).collect();
    while let Some(Reverse((here, i))) = queue.pop() {
        if here > length[i] {
            continue;
        }
        dir8::neighbours(w, h, i % w, i / w, |d: Dir8, x, y| {
            let n = y * w + x;
            let straight = r[i] as u32 + r[n] as u32;
            let longer = here + if d.is_diagonal() { straight * 1448 / 1024 } else { straight };
            if r[n] != 0 && longer < length[n] {
                length[n] = longer;
                queue.push(Reverse((longer, n)));
            }
        });
    }
    length
}

/// Distances by steps of 1 and √2, with a queue.
pub(crate) fn octile(shoreline: &Grid<u8>) -> Vec<f32> {
    let (w, h) = (shoreline.width(), shoreline.height());
    let mut away: Vec<f32> =
        shoreline.cells().iter().map(|&c| if c == 1 { 0.0 } else { f32::INFINITY }).collect();
    let mut queue: BinaryHeap<Reverse<(u32, usize)>> =
        (0..w * h).filter(|&i| away[i] == 0.0).map(|i| Reverse((0, i))).collect();
    while let Some(Reverse((bits, i))) = queue.pop() {
        let here = f32::from_bits(bits);
        if here > away[i] {
            continue;
        }
        dir8::neighbours(w, h, i % w, i / w, |d: Dir8, x, y| {
            let longer = here + if d.is_diagonal() { std::f32::consts::SQRT_2 } else { 1.0 };
            if longer < away[y * w + x] {
                away[y * w + x] = longer;
                queue.push(Reverse((longer.to_bits(), y * w + x)));
            }
        });
    }
    away
}

/// Hollows filled up to their sills, by a priority flood from the border.
pub(crate) fn fill(height: &Grid<f32>) -> Vec<f32> {
    let (w, h) = (height.width(), height.height());
    let mut level = height.cells().to_vec();
    let edge = |i: usize| i.is_multiple_of(w) || i % w == w - 1 || i < w || i >= w * (h - 1);
    let mut reached: Vec<bool> = (0..w * h).map(edge).collect();
    let mut queue: BinaryHeap<Reverse<(u32, usize)>> =
        (0..w * h).filter(|&i| reached[i]).map(|i| Reverse((sortable(level[i]), i))).collect();
    while let Some(Reverse((_, i))) = queue.pop() {
        dir8::neighbours(w, h, i % w, i / w, |_, x, y| {
            let n = y * w + x;
            if !std::mem::replace(&mut reached[n], true) {
                level[n] = level[n].max(level[i]);
                queue.push(Reverse((sortable(level[n]), n)));
            }
        });
    }
    level
}

/// A whole number that sorts as the height does.
fn sortable(height: f32) -> u32 {
    let bits = height.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}
