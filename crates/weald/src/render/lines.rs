//! Lines for the map: one network out of many routes, streams out of stream cells, smooth curves out of both.

use crate::catalogue::{Cells, FeatureSet};
use std::collections::BTreeMap;
use weald_core::line::{self, Lerp};
use weald_core::{Dir8, Grid};

/// A point of a line in cells, with a measure that belongs to it (0 where there is none).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Cells from the western edge.
    pub x: f32,
    /// Cells from the northern edge.
    pub y: f32,
    /// The load of the line here, such as its flow.
    pub load: f32,
}

/// `a` towards `b` by the share `t`.
fn between(a: Node, b: Node, t: f32) -> Node {
    Node { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t, load: a.load + (b.load - a.load) * t }
}

impl Lerp for Node {
    fn lerp(self, other: Self, t: f64) -> Self {
        between(self, other, t as f32)
    }
}

/// A smooth line through the same cells: one pass of the weights ¼ ½ ¼ over the inner points, which takes the
/// stairs out of a line of steps, then `rounds` of corner cutting ([`line::smooth`]). The ends stay. A point moves
/// by at most 0.36 cells where steps go to neighbours.
pub fn smooth(cells: &[Node], rounds: usize) -> Vec<Node> {
    let mut nodes = cells.to_vec();
    for (out, w) in nodes.iter_mut().skip(1).zip(cells.windows(3)) {
        *out = between(w[1], between(w[0], w[2], 0.5), 0.5);
    }
    line::smooth(&nodes, rounds)
}

/// The routes of a set as one network: a step that several routes share is in it once. Each line of the result runs
/// from an end or a junction to the next, or around a loop. `cell_m` and `origin` bring the points to cells.
pub fn network(set: &FeatureSet, cell_m: f64, origin: (f64, f64)) -> Vec<Vec<Node>> {
    /// Steps per cell to which points are rounded, so that equal places are equal.
    const FINE: f64 = 256.0;
    let key = |&(x, y): &(f64, f64)| -> (i32, i32) {
        (((y - origin.1) / cell_m * FINE).round() as i32, ((x - origin.0) / cell_m * FINE).round() as i32)
    };
    let mut steps: Vec<((i32, i32), (i32, i32))> = Vec::new();
    for feature in &set.features {
        for pair in feature.points.windows(2) {
            let (a, b) = (key(&pair[0]), key(&pair[1]));
            if a != b {
                steps.push(if a < b { (a, b) } else { (b, a) });
            }
        }
    }
    steps.sort_unstable();
    steps.dedup();
    // Every step in both directions, in order: those that leave one place are neighbours in the list.
    steps.extend(steps.clone().iter().map(|&(a, b)| (b, a)));
    steps.sort_unstable();
    let from = |place: (i32, i32)| {
        let first = steps.partition_point(|s| s.0 < place);
        first..first + steps[first..].iter().take_while(|s| s.0 == place).count()
    };
    let mut taken = vec![false; steps.len()];
    let node =
        |(y, x): (i32, i32)| Node { x: (x as f64 / FINE) as f32, y: (y as f64 / FINE) as f32, load: 0.0 };
    let mut lines = Vec::new();
    // From every end and junction first; what is left over then are loops.
    for ends_only in [true, false] {
        for first in 0..steps.len() {
            if taken[first] || (ends_only && from(steps[first].0).len() == 2) {
                continue;
            }
            let (mut line, mut step) = (vec![node(steps[first].0)], first);
            loop {
                let (last, here) = steps[step];
                taken[step] = true;
                line.push(node(here));
                let ways = from(here);
                taken[ways.clone().find(|&k| steps[k].1 == last).unwrap_or(step)] = true;
                match ways.clone().find(|&k| !taken[k]) {
                    Some(next) if ways.len() == 2 => step = next,
                    _ => break,
                }
            }
            lines.push(line);
        }
    }
    lines
}

/// The role of a cell in the drawing of streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Wet {
    /// None of these.
    #[default]
    Land,
    /// Open water.
    Lake,
    /// The sea.
    Sea,
    /// Running water.
    Stream,
    /// Wet ground.
    Marsh,
}

/// The stream cells of a map as lines that follow the flow, with the accumulated flow as their load.
///
/// A stream cell is joined to the cell its flow leads to if that is a stream or a lake. At a confluence the branch with
/// the larger accumulation continues and the others end there. A line ends at the shore of a lake. A cell that is joined to
/// no other becomes a short stroke along its flow.
pub fn streams(wet: &Grid<Wet>, flow: Option<&Cells>, accumulation: Option<&Cells>) -> Vec<Vec<Node>> {
    let (w, h) = (wet.width(), wet.height());
    let load = |i: usize| accumulation.map_or(1.0, |a| a.at(i % w, i / w) as f32);
    let down = |i: usize| -> Option<usize> {
        let (x, y) = (i % w, i / w);
        let d = Dir8(flow?.at(x, y) as u8);
        if !d.is_some() {
            return None;
        }
        let (nx, ny) = (x as i64 + d.dx() as i64, y as i64 + d.dy() as i64);
        wet.contains(nx, ny).then(|| ny as usize * w + nx as usize)
    };
    let centre = |i: usize| Node { x: (i % w) as f32 + 0.5, y: (i / w) as f32 + 0.5, load: load(i) };
    let cells: Vec<usize> = (0..w * h).filter(|&i| wet.cells()[i] == Wet::Stream).collect();
    // The largest stream cell that flows into each stream cell.
    let mut main: BTreeMap<usize, usize> = BTreeMap::new();
    for &i in &cells {
        if let Some(to) = down(i).filter(|&to| wet.cells()[to] == Wet::Stream) {
            let best = main.entry(to).or_insert(i);
            if load(i) > load(*best) {
                *best = i;
            }
        }
    }
    let mut lines = Vec::new();
    for &head in cells.iter().filter(|i| !main.contains_key(i)) {
        let (mut line, mut here) = (vec![centre(head)], head);
        while let Some(to) = down(here) {
            let next = centre(to);
            match wet.cells()[to] {
                Wet::Stream => {
                    line.push(Node { load: next.load.min(load(to)), ..next });
                    if main.get(&to) != Some(&here) {
                        break;
                    }
                    here = to;
                }
                Wet::Lake => {
                    // To where the shore is drawn: further along a diagonal.
                    let straight = (next.x - centre(here).x) * (next.y - centre(here).y) == 0.0;
                    let shore = between(centre(here), next, if straight { 0.4 } else { 0.55 });
                    line.push(Node { load: load(here), ..shore });
                    break;
                }
                _ => {
                    line.push(Node { load: load(here), ..between(centre(here), next, 0.45) });
                    break;
                }
            }
        }
        if line.len() == 1 {
            line = vec![Node { x: line[0].x - 0.3, ..line[0] }, Node { x: line[0].x + 0.3, ..line[0] }];
        }
        // A head begins a little upstream of its centre, so that a lone cell has a whole stroke and not half of one.
        let (a, b) = (line[0], line[1]);
        line[0] = Node { load: a.load, ..between(a, b, -0.3) };
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Feature;

    fn node(x: f32, y: f32) -> Node {
        Node { x, y, load: 0.0 }
    }

    fn set(routes: &[&[(f64, f64)]]) -> FeatureSet {
        let features =
            routes.iter().enumerate().map(|(i, r)| Feature::new(i as u32, r.to_vec(), [])).collect();
        FeatureSet::new("routes", "", features)
    }

    #[test]
    fn a_smoothed_line_keeps_its_ends_and_its_cells() {
        let line: Vec<Node> = [(0, 0), (1, 0), (1, 1), (2, 1), (3, 2), (3, 3)]
            .map(|(x, y)| node(x as f32 + 0.5, y as f32 + 0.5))
            .into();
        let curve = smooth(&line, 3);
        assert_eq!((curve[0], curve[curve.len() - 1]), (line[0], line[5]));
        for n in &line {
            let near = curve.iter().any(|c| (c.x - n.x).abs() < 0.5 && (c.y - n.y).abs() < 0.5);
            assert!(near, "the curve misses the cell of {n:?}");
        }
        assert_eq!(smooth(&line[..2], 3), line[..2]);
    }

    #[test]
    fn a_step_shared_by_routes_is_drawn_once() {
        let routes = set(&[
            &[(0.5, 0.5), (1.5, 0.5), (2.5, 0.5), (3.5, 0.5)],
            &[(3.5, 0.5), (2.5, 0.5), (2.5, 1.5)],
            &[(1.5, 0.5), (2.5, 0.5)],
        ]);
        let lines = network(&routes, 1.0, (0.0, 0.0));
        let steps: usize = lines.iter().map(|l| l.len() - 1).sum();
        assert_eq!(steps, 4, "{lines:?}");
        assert_eq!(lines.len(), 3, "three arms meet at the junction: {lines:?}");
    }

    #[test]
    fn a_loop_without_a_junction_is_one_line() {
        let lines = network(&set(&[&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 0.0)]]), 1.0, (0.0, 0.0));
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].len(), 4);
        assert_eq!(lines[0][0], lines[0][3]);
    }

    #[test]
    fn streams_follow_the_flow_and_the_larger_branch_goes_on() {
        // Two branches meet at (2, 1) and flow east into the lake at (4, 1).
        let mut wet = Grid::filled(5, 3, Wet::Land);
        let mut flow = Grid::filled(5, 3, 255u8);
        let mut load = Grid::filled(5, 3, 1u32);
        for (x, y, d, a) in [(0, 1, 0, 3), (1, 1, 0, 4), (1, 0, 1, 2), (2, 1, 0, 8), (3, 1, 0, 9)] {
            wet[(x, y)] = Wet::Stream;
            flow[(x, y)] = d;
            load[(x, y)] = a;
        }
        wet[(4, 1)] = Wet::Lake;
        let lines = streams(&wet, Some(&Cells::U8(&flow)), Some(&Cells::U32(&load)));
        assert_eq!(lines.len(), 2);
        assert_eq!(
            lines[0].last().map(|n| (n.x, n.y)),
            Some((2.5, 1.5)),
            "the smaller branch ends where they meet"
        );
        assert_eq!(lines[1].last().map(|n| (n.x, n.y)), Some((3.9, 1.5)), "the main line ends at the shore");
        assert_eq!(lines[1].len(), 5);
        assert!(lines[1].windows(2).all(|w| w[1].load >= w[0].load));
    }

    #[test]
    fn a_lone_stream_cell_is_a_short_stroke() {
        let mut wet = Grid::filled(3, 3, Wet::Land);
        wet[(1, 1)] = Wet::Stream;
        let none = Grid::filled(3, 3, 255u8);
        let lines = streams(&wet, Some(&Cells::U8(&none)), None);
        assert_eq!(lines.len(), 1);
        let (a, b) = (lines[0][0], lines[0][1]);
        assert!((b.x - a.x) > 0.4 && (b.x - a.x) < 1.0);
    }
}
