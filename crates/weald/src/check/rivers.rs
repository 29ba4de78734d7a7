//! What holds for the rivers of any world: chains of cells from source to mouth.

use super::RuleResult;
use super::map::Map;
use super::shapes::Shape;
use serde_json::Value;

/// Seconds of a year of 365.25 days.
pub(super) const YEAR_S: f64 = 365.25 * 86_400.0;

/// A river as cells.
pub(super) struct Course {
    /// The cells from source to mouth; none if they are not known.
    pub(super) cells: Option<Vec<usize>>,
    /// The number of the river it ends in.
    pub(super) parent: Option<usize>,
    /// How many of the cells are its own, from the source on.
    own: usize,
}

impl Course {
    /// The course of a line whose own cells are known: that of a tributary ends in the cell of its last vertex.
    pub(super) fn through(map: &Map, shape: &Shape, mut cells: Vec<usize>) -> Self {
        let own = cells.len();
        let parent = parent_of(shape);
        if parent.is_some() {
            cells.extend(shape.positions().last().and_then(|&p| map.cell(p)));
        }
        Self { cells: Some(cells), parent, own }
    }

    /// The course of a line whose own cells are known and whose last vertex lies in a cell of its parent, in the sea, or in the last
    /// of its own cells.
    pub(super) fn to_sea(
        map: &Map,
        shape: &Shape,
        cells: Vec<usize>,
        in_sea: impl Fn(usize) -> bool,
    ) -> Self {
        let mut course = Self::through(map, shape, cells);
        if course.parent.is_none() {
            let end = shape.positions().last().and_then(|&p| map.cell(p)).filter(|&i| in_sea(i));
            course.cells.iter_mut().for_each(|cells| cells.extend(end));
        }
        course
    }

    /// All cells; none if they are not known.
    pub(super) fn all(&self) -> &[usize] {
        self.cells.as_deref().unwrap_or(&[])
    }

    /// The cells that are neither its parent's nor the sea's.
    pub(super) fn own(&self) -> &[usize] {
        &self.all()[..self.own]
    }
}

/// The own cells of every river from source to mouth: those of the layer `river_id`, in the order of `flow_accumulation`, which
/// grows downstream. Only for rules that need both layers.
pub(super) fn own_cells(map: &Map) -> Vec<Vec<usize>> {
    let mut own: Vec<Vec<usize>> = vec![Vec::new(); map.shapes("rivers").len()];
    for (i, &id) in map.wholes("river_id").cells().iter().enumerate().filter(|(_, id)| **id > 0) {
        if let Some(cells) = own.get_mut(id as usize - 1) {
            cells.push(i);
        }
    }
    let accumulation = map.wholes("flow_accumulation").cells();
    own.iter_mut().for_each(|cells| cells.sort_by_key(|&i| (accumulation[i], i)));
    own
}

/// The number of the river in which a line ends.
fn parent_of(shape: &Shape) -> Option<usize> {
    match shape.about.get("parent") {
        None | Some(Value::Null) => None,
        // A value that is not a number matches no river.
        Some(v) => Some(v.as_u64().map_or(usize::MAX, |v| v as usize)),
    }
}

/// All rivers of a map.
#[derive(Clone, Copy)]
pub(super) struct Rivers<'a> {
    /// The map.
    pub(super) map: &'a Map,
    /// Their lines.
    pub(super) shapes: &'a [Shape],
    /// Their cells, in the same order.
    pub(super) courses: &'a [Course],
}

impl<'a> Rivers<'a> {
    /// Each with its number.
    pub(super) fn each(self) -> impl Iterator<Item = (usize, &'a Shape, &'a Course)> {
        self.shapes.iter().zip(self.courses).enumerate().map(|(k, (shape, course))| (k, shape, course))
    }

    /// For each cell the number of its river plus 1, 0 without one; of two the first.
    pub(super) fn owners(self) -> Vec<u32> {
        let mut owners = vec![0; self.map.cells()];
        for (k, _, course) in self.each() {
            for &i in course.own() {
                if owners[i] == 0 {
                    owners[i] = k as u32 + 1;
                }
            }
        }
        owners
    }

    /// Rule: no point of a river is as high as the one before, or higher.
    pub(super) fn fall(self, height: &[f32], rule: &mut RuleResult) {
        for (k, _, course) in self.each() {
            for pair in course.all().windows(2) {
                let (from, to) = (height[pair[0]], height[pair[1]]);
                rule.check(to < from, self.map.at(pair[1]), || {
                    format!("river {k} goes from {from} m to {to} m here")
                });
            }
        }
    }

    /// Rule: a river ends in a cell of its parent, or where `may_end` allows it if it has none.
    pub(super) fn mouths(self, owners: &[u32], may_end: impl Fn(usize) -> bool, rule: &mut RuleResult) {
        for (k, _, course) in self.each() {
            let Some(&i) = course.all().last() else { continue };
            match course.parent {
                None => rule.check(may_end(i), self.map.at(i), || {
                    format!("river {k} has no parent and ends on land inside the map")
                }),
                Some(parent) => {
                    let joins = parent != k && (owners[i] as usize).checked_sub(1) == Some(parent);
                    rule.check(joins, self.map.at(i), || {
                        format!("river {k} ends here, where river {parent}, its parent, does not pass")
                    })
                }
            }
        }
    }

    /// Rule: no two diagonal steps cross between four cells, neither of two rivers nor of one.
    pub(super) fn uncrossed(self, rule: &mut RuleResult) {
        let w = self.map.width;
        // By the north-western one of the four cells: the river that passes from there, then the other way, plus 1.
        let mut passes = vec![[0u32; 2]; self.map.cells()];
        for (k, _, course) in self.each() {
            for pair in course.all().windows(2) {
                let ((ax, ay), (bx, by)) = ((pair[0] % w, pair[0] / w), (pair[1] % w, pair[1] / w));
                if ax.abs_diff(bx) != 1 || ay.abs_diff(by) != 1 {
                    continue;
                }
                let way = usize::from((ax < bx) != (ay < by));
                let corner = &mut passes[ay.min(by) * w + ax.min(bx)];
                corner[way] = k as u32 + 1;
                let other = corner[1 - way];
                rule.check(other == 0, self.map.at(pair[0]), || {
                    format!("river {k} crosses river {} on its way to {:?}", other - 1, self.map.at(pair[1]))
                });
            }
        }
    }

    /// Strahler's order and Shreve's magnitude of every cell that is a river's own.
    ///
    /// A source has order 1 and magnitude 1. Where channels meet, the order is the highest that comes in, and 1 more if
    /// two or more come in with it (Strahler 1957, <https://doi.org/10.1029/TR038i006p00913>); the magnitudes are added
    /// (Shreve 1966, <https://doi.org/10.1086/627137>). A river that begins where others end has no source of its own.
    pub(super) fn network(self) -> Network {
        let cells = self.map.cells();
        let mut next = vec![usize::MAX; cells];
        let mut own = vec![false; cells];
        // How many channels are still to come in; none at sources.
        let mut waits = vec![0u32; cells];
        // Highest order that came in and how many did so with it, magnitudes.
        let mut came = vec![(0u8, 0u32, 0u32); cells];
        for course in self.courses {
            for pair in course.all().windows(2) {
                next[pair[0]] = pair[1];
                waits[pair[1]] += 1;
            }
            course.own().iter().for_each(|&i| own[i] = true);
        }
        let mut out = Network { order: vec![0; cells], magnitude: vec![0; cells] };
        let mut ready: Vec<usize> = self.courses.iter().filter_map(|c| c.own().first().copied()).collect();
        ready.retain(|&i| waits[i] == 0);
        ready.sort_unstable();
        ready.dedup();
        ready.iter().for_each(|&source| arrive(&mut came[source], 1, 1));
        while let Some(i) = ready.pop() {
            let (highest, with_it, sources) = came[i];
            let order = if with_it > 1 { highest.saturating_add(1) } else { highest };
            (out.order[i], out.magnitude[i]) = (order, sources);
            let to = next[i];
            if to == usize::MAX {
                continue;
            }
            arrive(&mut came[to], order, sources);
            waits[to] -= 1;
            if waits[to] == 0 && own[to] {
                ready.push(to);
            }
        }
        out
    }
}

/// Adds a channel to those that come into a cell.
fn arrive((highest, with_it, sources): &mut (u8, u32, u32), order: u8, magnitude: u32) {
    if order > *highest {
        (*highest, *with_it) = (order, 0);
    }
    *with_it += u32::from(order == *highest);
    *sources += magnitude;
}

/// Orders of the channels of a map by cell, 0 where there is none and on channels that go round in a circle.
pub(super) struct Network {
    /// Strahler's order.
    pub(super) order: Vec<u8>,
    /// Shreve's magnitude: the number of sources above.
    pub(super) magnitude: Vec<u32>,
}
