//! Areas with smooth borders that neighbours share.
//!
//! The cells of a class become rings through the corners of cells. At a *node*, a corner where more than two borders meet, or where a
//! border meets the edge of the map, the rings are cut into pieces. Every piece is smoothed by a function of its own points alone,
//! always in the same direction, so that both neighbours get the same border, bit for bit.

use super::{Ground, P};
use crate::error::Result;
use crate::style::chart::{AreaLook, AreaStyle};
use std::collections::VecDeque;
use weald_core::{Cells, Ctx, Grid, line, par, region};

/// Cells are joined to blocks at least so wide on paper, in millimetres.
const BLOCK_MM: f64 = 0.12;
/// Areas smaller than this, in square millimetres on paper, go to their neighbours.
const LEAST_MM2: f64 = 0.5;
/// How far a border may be from the smooth one, in millimetres.
pub(super) const TOLERANCE_MM: f64 = 0.025;

/// A class of the map that occurs nowhere else.
const NONE: u8 = 255;

/// An area: outer ring first, then its holes. All are closed.
pub(super) struct Area {
    /// Which look of the partition.
    pub class: u8,
    /// In millimetres.
    pub rings: Vec<Vec<P>>,
    /// Borders without the edge of the map.
    pub edges: Vec<Vec<P>>,
}

/// The classes of blocks of cells.
pub(super) struct Partition {
    /// The class of each block: a position in `looks`, or 255 for none.
    pub map: Grid<u8>,
    /// The looks that are told apart.
    pub looks: Vec<(AreaLook, &'static str)>,
    /// Cells along a side of a block.
    block: usize,
}

/// What the cells of the map become.
pub(super) struct Cover {
    /// Areas that cover the ground.
    pub base: Partition,
    /// Patterns upon them.
    pub over: Partition,
}

/// Sorts the cells into areas and patterns.
pub(super) fn cover(layers: &[(AreaStyle, Cells)], ground: &Ground, ctx: &Ctx) -> Result<Cover> {
    let block = (BLOCK_MM / ground.cell_mm).ceil().max(1.0) as usize;
    let (mut base, mut over) = (Looks::default(), Looks::default());
    let index: Vec<(u8, u8)> = layers
        .iter()
        .map(|(style, _)| match style.look {
            AreaLook::Over(_) => (NONE, over.of(style)),
            AreaLook::Through => (NONE - 1, NONE),
            _ => (base.of(style), NONE),
        })
        .collect();
    let (w, h) = ground.shape;
    let (bw, bh) = (w.div_ceil(block), h.div_ceil(block));
    // In each cell the first area that fits, the first pattern that fits, or neither; a pattern alone lies on the ground around.
    let at = |x: usize, y: usize| {
        let (mut area, mut pattern) = (NONE, NONE);
        for ((style, cells), &(a, o)) in layers.iter().zip(&index) {
            let wanted = if o == NONE { area == NONE } else { pattern == NONE };
            if wanted && style.values.fit(cells.at(x, y)) {
                (area, pattern) = (if o == NONE { a } else { area }, if o == NONE { pattern } else { o });
            }
        }
        (if area == NONE { NONE - 1 } else { area }, pattern)
    };
    let both = par::fill(bw, bh, ctx, |by, row: &mut [(u8, u8)]| {
        for (bx, out) in row.iter_mut().enumerate() {
            let (mut areas, mut patterns) = ([0u32; 256], [0u32; 256]);
            for y in by * block..((by + 1) * block).min(h) {
                for x in bx * block..((bx + 1) * block).min(w) {
                    let (a, p) = at(x, y);
                    areas[a as usize] += 1;
                    patterns[p as usize] += 1;
                }
            }
            *out = (commonest(&areas), commonest(&patterns));
        }
    })?;
    let mut map = both.map(|b| b.0);
    let mut patterns = both.map(|b| b.1);
    // A pattern such as a marsh lies on dry ground, even at the shore; what else is open, such as a bridge, may be on water.
    let wet = |class: u8| matches!(base.0.get(class as usize), Some((AreaLook::Water(..), _)));
    spread(&mut map, NONE - 1, |i, class| patterns.cells()[i] != NONE && !wet(class));
    if let Some(paper) = base.0.iter().position(|l| l.0 == AreaLook::Paper) {
        let open = |(class, pattern): (&mut u8, &u8)| {
            if *class == NONE - 1 && *pattern != NONE {
                *class = paper as u8;
            }
        };
        map.cells_mut().iter_mut().zip(patterns.cells()).for_each(open);
    }
    spread(&mut map, NONE - 1, |_, _| true);
    let least = (LEAST_MM2 / (ground.cell_mm * block as f64 * ground.cell_mm * block as f64)).ceil() as u32;
    if least > 1 {
        region::remove_specks(&mut map, least);
        region::remove_specks(&mut patterns, least);
    }
    let base = Partition { map, looks: base.0, block };
    Ok(Cover { base, over: Partition { map: patterns, looks: over.0, block } })
}

/// The looks that occur, each once.
#[derive(Default)]
struct Looks(Vec<(AreaLook, &'static str)>);

impl Looks {
    fn of(&mut self, style: &AreaStyle) -> u8 {
        let known = self.0.iter().position(|l| l.0 == style.look);
        known.unwrap_or_else(|| {
            self.0.push((style.look, style.label));
            self.0.len() - 1
        }) as u8
    }
}

fn commonest(bins: &[u32; 256]) -> u8 {
    let mut best = 0;
    for (i, &n) in bins.iter().enumerate() {
        best = if n > bins[best] { i } else { best };
    }
    best as u8
}

/// Gives every block of the class `open` the class of the nearest other one, by steps to the four sides, as far as `may` allows that
/// class at the index of the block.
fn spread(map: &mut Grid<u8>, open: u8, may: impl Fn(usize, u8) -> bool) {
    let (w, h) = map.shape();
    let mut queue: VecDeque<usize> = (0..w * h).filter(|&i| map.cells()[i] != open).collect();
    while let Some(i) = queue.pop_front() {
        let (x, y, class) = (i % w, i / w, map.cells()[i]);
        let sides = [
            (x > 0).then(|| i - 1),
            (x + 1 < w).then(|| i + 1),
            (y > 0).then(|| i - w),
            (y + 1 < h).then(|| i + w),
        ];
        for j in sides.into_iter().flatten() {
            if map.cells()[j] == open && may(j, class) {
                map.cells_mut()[j] = class;
                queue.push_back(j);
            }
        }
    }
}

impl Partition {
    /// The areas of all classes but paper and none.
    pub(super) fn areas(&self, ground: &Ground, ctx: &Ctx) -> Result<Vec<Area>> {
        let drawn =
            |class: u8| matches!(self.looks.get(class as usize), Some((look, _)) if *look != AreaLook::Paper);
        let regions: Vec<region::Region> =
            region::outlines(&self.map).into_iter().filter(|r| drawn(r.class)).collect();
        let areas = par::map(regions.len(), ctx, |i| self.area(&regions[i], ground))?;
        Ok(areas.into_iter().filter(|a| !a.rings.is_empty()).collect())
    }

    /// The share of water around each block, above ½ in open water.
    pub(super) fn water(&self) -> Grid<f32> {
        let wet = |class: u8| matches!(self.looks.get(class as usize), Some((AreaLook::Water(..), _)));
        self.map.map(|&class| f32::from(u8::from(wet(class))))
    }

    /// Cells along a side of a block.
    pub(super) fn block(&self) -> usize {
        self.block
    }

    /// The smooth rings of a region.
    fn area(&self, region: &region::Region, ground: &Ground) -> Area {
        let mut area = Area { class: region.class, rings: Vec::new(), edges: Vec::new() };
        for ring in &region.rings {
            let mut points: Vec<P> = Vec::new();
            let mut edge: Vec<P> = Vec::new();
            let mut edges: Vec<Vec<P>> = Vec::new();
            let pieces = self.pieces(ring);
            let whole = pieces.len() == 1;
            for piece in &pieces {
                let smooth = self.smooth(piece, ground);
                if self.on_edge(piece) {
                    edges.push(std::mem::take(&mut edge));
                } else {
                    edge.extend_from_slice(&smooth[usize::from(!edge.is_empty())..]);
                }
                points.extend_from_slice(&smooth[usize::from(!points.is_empty())..]);
            }
            edges.push(edge);
            edges.retain(|e| e.len() > 1);
            // A border that goes on over the point where the ring begins is one line.
            if !whole && edges.len() > 1 && edges[0].first() == edges[edges.len() - 1].last() {
                let first = edges.remove(0);
                let last = edges.len() - 1;
                edges[last].extend_from_slice(&first[1..]);
            }
            if points.len() > 3 {
                area.rings.push(points);
                area.edges.append(&mut edges);
            } else if area.rings.is_empty() {
                // Nothing is left of the area itself.
                return area;
            }
        }
        area
    }

    /// Number of sides of blocks between different classes that meet in a corner, and whether the corner is at the edge of the map.
    fn is_node(&self, (x, y): (i64, i64)) -> bool {
        let (w, h) = (self.map.width() as i64, self.map.height() as i64);
        let class = |x: i64, y: i64| self.map.contains(x, y).then(|| self.map[(x as usize, y as usize)]);
        let around = [class(x - 1, y - 1), class(x, y - 1), class(x, y), class(x - 1, y)];
        let sides = (0..4).filter(|&i| around[i] != around[(i + 1) % 4]).count();
        let corner = (x == 0 || x == w) && (y == 0 || y == h);
        sides > 2 || corner
    }

    /// A ring as unit steps, cut at its nodes. A ring without a node is one closed piece.
    fn pieces(&self, ring: &[P]) -> Vec<Vec<(i64, i64)>> {
        let mut steps: Vec<(i64, i64)> = Vec::new();
        for s in ring.windows(2) {
            let (a, b) = ((s[0].0 as i64, s[0].1 as i64), (s[1].0 as i64, s[1].1 as i64));
            let n = (b.0 - a.0).abs().max((b.1 - a.1).abs());
            let (dx, dy) = ((b.0 - a.0).signum(), (b.1 - a.1).signum());
            steps.extend((0..n).map(|k| (a.0 + dx * k, a.1 + dy * k)));
        }
        let Some(start) = steps.iter().position(|&c| self.is_node(c)) else {
            // From its least corner on, so that every ring of these corners begins in the same place.
            let least = (0..steps.len()).min_by_key(|&i| steps[i]).unwrap_or(0);
            steps.rotate_left(least);
            steps.push(steps[0]);
            return vec![steps];
        };
        steps.rotate_left(start);
        steps.push(steps[0]);
        let mut pieces = Vec::new();
        let mut piece = vec![steps[0]];
        for &corner in &steps[1..] {
            piece.push(corner);
            if self.is_node(corner) {
                pieces.push(std::mem::replace(&mut piece, vec![corner]));
            }
        }
        pieces
    }

    /// Whether a piece runs along the edge of the map.
    fn on_edge(&self, piece: &[(i64, i64)]) -> bool {
        let (w, h) = (self.map.width() as i64, self.map.height() as i64);
        let all = |on: &dyn Fn(&(i64, i64)) -> bool| piece.iter().all(on);
        all(&|c| c.0 == 0) || all(&|c| c.0 == w) || all(&|c| c.1 == 0) || all(&|c| c.1 == h)
    }

    /// A piece as a smooth line in millimetres, the same for both neighbours.
    fn smooth(&self, piece: &[(i64, i64)], ground: &Ground) -> Vec<P> {
        let n = piece.len();
        let closed = piece[0] == piece[n - 1];
        // A piece and its reverse are one border: always smoothed in the direction whose first steps come first in order.
        let back = (piece[n - 1], piece[n - 2]) < (piece[0], piece[1]);
        let corner = |i: usize| if back { piece[n - 1 - i] } else { piece[i] };
        let at = |(x, y): (i64, i64)| {
            let side = |v: i64, most: usize| (v as f64 * self.block as f64).min(most as f64) * ground.cell_mm;
            (side(x, ground.shape.0), side(y, ground.shape.1))
        };
        let middle = |a: P, b: P| ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
        let mut line: Vec<P> = (1..n).map(|i| middle(at(corner(i - 1)), at(corner(i)))).collect();
        let rounds = if self.block as f64 * ground.cell_mm > 0.4 { 3 } else { 6 };
        if closed && !self.is_node(piece[0]) {
            line = rounded_ring(&line, rounds);
        } else {
            line.insert(0, at(corner(0)));
            line.push(at(corner(n - 1)));
            line = line::rounded(&line, rounds);
        }
        let mut line: Vec<P> = line::simplify(&line, TOLERANCE_MM).into_iter().map(|i| line[i]).collect();
        if back {
            line.reverse();
        }
        line
    }
}

/// A ring without its last point, rounded as a whole; the result repeats its first point.
fn rounded_ring(ring: &[P], rounds: usize) -> Vec<P> {
    let n = ring.len();
    let long: Vec<P> = (0..n + 2 * rounds + 1).map(|i| ring[(i + n * rounds - rounds) % n]).collect();
    let soft = line::rounded(&long, rounds);
    let mut out = soft[rounds..rounds + n].to_vec();
    out.push(out[0]);
    out
}
