//! Rivers and lakes on the finished ground.

use super::erosion::Inlet;
use super::{is_sea, params, worldmap};
use std::collections::{BTreeMap, BTreeSet};
use weald_core::hydro::{
    self, Drainage, LakeRule, Lakes, Outlets, River, RiverRule, SlopeArea, SlopeAreaRule, WidthRule,
};
use weald_core::{Ctx, Dir8, Grid};

/// Least area that a stretch must drain for its slope to be compared, in square metres. Below it are hillsides.
const CHANNEL_M2: f64 = 100_000.0;

/// Length of the stretches whose slopes are compared with the drained area, in metres.
const REACH_M: f64 = 150.0;

/// The water of a finished map.
#[derive(Clone, Debug)]
pub struct Water {
    /// Height of the ground, or of the water that stands on it, in metres.
    pub level: Grid<f32>,
    /// Cells that drain through each cell.
    pub accumulation: Grid<u32>,
    /// Lakes.
    pub lakes: Lakes,
    /// Rivers, the largest first. Areas include what drains into the map from outside.
    pub rivers: Vec<River>,
    /// Area that drains into each river and its tributaries from outside the map, in square metres.
    pub inflow_m2: Vec<f64>,
    /// Width of each river at every cell, in metres.
    pub widths_m: Vec<Vec<f32>>,
    /// For each cell in the channel of a river its number plus 1; 0 elsewhere.
    pub river_id: Grid<u32>,
    /// Whether a cell is under water: in the sea, in a lake or within the width of a river.
    pub wet: Grid<u8>,
    /// Drainage density and concavity.
    pub profile: SlopeArea,
    /// The rule of the rivers, which gives discharge and width at any cell.
    pub rule: RiverRule,
    /// Where rivers enter the map, each with the number of the river to which it leads.
    pub inlets: Vec<(Inlet, usize)>,
}

/// The rule of the rivers on cells of that side.
pub(super) fn river_rule(cell_m: f64, p: &params::Water) -> RiverRule {
    RiverRule {
        cell_m,
        from_area_m2: p.river_area_km2 * 1e6,
        runoff_m_per_year: p.runoff_mm / 1000.0,
        width: WidthRule::default(),
    }
}

/// Fills depressions, drains the ground by slope and follows the rivers. Cells in the sea are outlets like the border.
/// Reach: whole map.
pub fn water(
    height: &Grid<f32>,
    cell_m: f64,
    inlets: &[Inlet],
    p: &params::Water,
    ctx: &Ctx,
) -> weald_core::Result<Water> {
    let sea = height.cells().iter().any(|&h| is_sea(h));
    let sea = sea.then(|| {
        let cells = height.cells().iter().map(|&h| is_sea(h) as u8).collect();
        Grid::from_vec(height.width(), height.height(), cells)
    });
    let outlets = || sea.as_ref().map_or(Outlets::Border, Outlets::BorderAnd);
    let level = ctx.stage("fill", |c| hydro::fill(height, outlets(), c))?;
    let mut flow = ctx.stage("flow directions", |c| hydro::d8_over_filled(&level, outlets(), c))?;
    leave_at_border(&mut flow);
    let area = ctx.stage("flow accumulation", |c| hydro::accumulation(&flow, c))?;
    let lakes = LakeRule { cell_m, min_depth_m: p.lake_min_depth_m, min_area_m2: p.lake_min_area_m2 };
    let lakes = ctx.stage("lakes", |c| hydro::lakes(height, &level, &flow, &lakes, c))?;
    let rule = river_rule(cell_m, p);
    let network = ctx.stage("rivers", |c| Network::new(&flow, &area, inlets, &rule, c))?;
    let wet = wet_cells(height, &lakes, &network, &rule);
    let profile = SlopeAreaRule { cell_m, from_area_m2: CHANNEL_M2, reach_m: REACH_M.max(3.0 * cell_m) };
    let drainage = Drainage { filled: &level, flow: &flow, accumulation: &area, lakes: &lakes.of_cell };
    let profile = ctx.stage("slope-area fit", |c| hydro::slope_area(&drainage, &profile, c))?;
    let widths_m = network.widths(&rule);
    let Network { rivers, inflow_m2, river_id, inlets, .. } = network;
    Ok(Water {
        level,
        accumulation: area,
        lakes,
        rivers,
        inflow_m2,
        widths_m,
        river_id,
        wet,
        profile,
        rule,
        inlets,
    })
}

/// Water that would run along the border leaves the map instead: a border cell drains inwards or out.
fn leave_at_border(flow: &mut Grid<Dir8>) {
    let (w, h) = flow.shape();
    let offsets = Dir8::offsets(w);
    for (x, y) in worldmap::border(w, h) {
        let next = flow[(x, y)].step_from(y * w + x, &offsets);
        if next.is_some_and(|n| flow.on_border(n % w, n / w)) {
            flow[(x, y)] = Dir8::NONE;
        }
    }
}

/// Rivers with what flows into the map.
struct Network<'a> {
    rivers: Vec<River>,
    inflow_m2: Vec<f64>,
    river_id: Grid<u32>,
    inlets: Vec<(Inlet, usize)>,
    /// Accumulation without inflow, in cells.
    area: &'a Grid<u32>,
    /// Area from outside that drains through the cells below inlets, in square metres.
    through_m2: BTreeMap<usize, f64>,
}

impl<'a> Network<'a> {
    fn new(
        flow: &Grid<Dir8>,
        area: &'a Grid<u32>,
        inlets: &[Inlet],
        rule: &RiverRule,
        ctx: &Ctx,
    ) -> weald_core::Result<Self> {
        let offsets = Dir8::offsets(flow.width());
        let next = |cell: usize| flow.cells()[cell].step_from(cell, &offsets);
        let way = |inlet: &Inlet| std::iter::successors(Some(inlet.cell as usize), |&cell| next(cell));
        let inlets = &once(inlets, rule.from_area_m2, next);
        let mut through_m2: BTreeMap<usize, f64> = BTreeMap::new();
        for inlet in inlets {
            for cell in way(inlet) {
                *through_m2.entry(cell).or_default() += inlet.area_m2;
            }
        }
        // On fine cells a large river drains more cells than the number can count; the largest number is enough to trace its course.
        let mut total = area.clone();
        for (&cell, &through) in &through_m2 {
            let more = (through / (rule.cell_m * rule.cell_m)).round() as u32;
            total.cells_mut()[cell] = total.cells()[cell].saturating_add(more);
        }
        let mut rivers = hydro::rivers(flow, &total, rule, ctx)?;
        let mut river_id = Grid::filled(flow.width(), flow.height(), 0u32);
        for (k, river) in rivers.iter().enumerate() {
            river.own_cells().iter().for_each(|&c| river_id.cells_mut()[c as usize] = k as u32 + 1);
        }
        let mut inflow_m2 = vec![0.0; rivers.len()];
        let mut kept = Vec::new();
        for inlet in inlets {
            if let Some(k) = way(inlet).find_map(|cell| river_id.cells()[cell].checked_sub(1)) {
                inflow_m2[k as usize] += inlet.area_m2;
                kept.push((inlet.clone(), k as usize));
            }
        }
        // Parents come before their tributaries.
        for k in (0..rivers.len()).rev() {
            if let Some(parent) = rivers[k].parent {
                inflow_m2[parent] += inflow_m2[k];
            }
        }
        for (river, &inflow) in rivers.iter_mut().zip(&inflow_m2) {
            let mouth = *river.own_cells().last().expect("a river has cells") as usize;
            river.area_m2 = rule.area_m2(area.cells()[mouth]) + inflow;
            river.discharge_m3_s = rule.discharge_of(river.area_m2);
            river.width_m = rule.width(river.discharge_m3_s);
        }
        Ok(Self { rivers, inflow_m2, river_id, inlets: kept, area, through_m2 })
    }

    /// The discharge at a cell, in cubic metres a second.
    fn discharge(&self, cell: u32, rule: &RiverRule) -> f64 {
        let outside = self.through_m2.get(&(cell as usize)).copied().unwrap_or(0.0);
        rule.discharge_of(rule.area_m2(self.area.cells()[cell as usize]) + outside)
    }

    /// The widths at the cells of every river; where a tributary ends it keeps its own.
    fn widths(&self, rule: &RiverRule) -> Vec<Vec<f32>> {
        let width = |&cell: &u32| rule.width(self.discharge(cell, rule)) as f32;
        let widths = |river: &River| {
            let mut widths: Vec<f32> = river.own_cells().iter().map(width).collect();
            widths.extend(river.parent.and(widths.last().copied()));
            widths
        };
        self.rivers.iter().map(widths).collect()
    }
}

/// The inlets with every square metre counted once. A river that leaves the map and enters it again may not leave it on the cells:
/// there the way of its water meets that of the inlet, which then brings only what joined the river outside, and nothing if
/// that is less than `least_m2`.
fn once(inlets: &[Inlet], least_m2: f64, next: impl Fn(usize) -> Option<usize>) -> Vec<Inlet> {
    let way = |cell: u32| std::iter::successors(Some(cell as usize), |&cell| next(cell));
    let mut once = inlets.to_vec();
    for inlet in once.iter_mut().filter(|inlet| !inlet.left.is_empty()) {
        let passed: BTreeSet<usize> = way(inlet.cell).collect();
        let stayed = inlet.left.iter().filter(|left| way(left.0).any(|cell| passed.contains(&cell)));
        let stayed = stayed.fold(0.0, |sum, left| sum + left.1);
        if stayed > 0.0 {
            let rest = inlet.area_m2 - stayed;
            inlet.area_m2 = if rest < least_m2 { 0.0 } else { rest };
        }
    }
    once.retain(|inlet| inlet.area_m2 > 0.0);
    once
}

/// The cells under water. A river covers the cells within half its width that are no higher than its water.
fn wet_cells(height: &Grid<f32>, lakes: &Lakes, network: &Network, rule: &RiverRule) -> Grid<u8> {
    let (w, h) = height.shape();
    let wet = |(&z, &lake): (&f32, &u32)| (is_sea(z) || lake > 0) as u8;
    let cells = height.cells().iter().zip(lakes.of_cell.cells()).map(wet).collect();
    let mut wet = Grid::from_vec(w, h, cells);
    for &cell in network.rivers.iter().flat_map(|river| river.own_cells()) {
        let discharge = network.discharge(cell, rule);
        let reach = rule.width(discharge) / 2.0 / rule.cell_m;
        let top = height.cells()[cell as usize] + rule.depth(discharge) as f32;
        let (x, y, r) = (cell as usize % w, cell as usize / w, reach as usize);
        for ny in y.saturating_sub(r)..(y + r + 1).min(h) {
            for nx in x.saturating_sub(r)..(x + r + 1).min(w) {
                let (dx, dy) = (nx.abs_diff(x) as f64, ny.abs_diff(y) as f64);
                if dx * dx + dy * dy <= reach * reach && height[(nx, ny)] <= top {
                    wet[(nx, ny)] = 1;
                }
            }
        }
        wet.cells_mut()[cell as usize] = 1;
    }
    wet
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cell, area, and where its river left the map before.
    type Entry<'a> = (u32, f64, &'a [(u32, f64)]);

    /// The areas of inlets. Water flows to the next of ten cells up to `end`.
    fn areas(inlets: &[Entry], end: usize) -> Vec<f64> {
        let inlet = |&(cell, area_m2, left): &Entry| Inlet { cell, area_m2, left: left.to_vec() };
        let inlets: Vec<Inlet> = inlets.iter().map(inlet).collect();
        // Cells 0 to 9 and 10 to 19 are two ways that do not meet.
        let next = |cell: usize| (cell % 10 + 1 < end).then_some(cell + 1);
        once(&inlets, 5.0, next).iter().map(|inlet| inlet.area_m2).collect()
    }

    #[test]
    fn a_river_that_enters_again_brings_its_water_once_if_it_never_left() {
        // It left with 120 and came back with 200, on the way of what left.
        assert_eq!(areas(&[(0, 100.0, &[]), (4, 200.0, &[(2, 120.0)])], 10), [100.0, 80.0]);
        // Nothing worth mention joined outside.
        assert_eq!(areas(&[(0, 100.0, &[]), (4, 124.0, &[(2, 120.0)])], 10), [100.0]);
        // A river that is born on the map.
        assert_eq!(areas(&[(4, 50.0, &[(2, 50.0)])], 10), [0.0; 0]);
        // It left the map at the third cell.
        assert_eq!(areas(&[(0, 100.0, &[]), (4, 124.0, &[(2, 120.0)])], 3), [100.0, 124.0]);
        // It left over another way.
        assert_eq!(areas(&[(0, 100.0, &[]), (4, 124.0, &[(12, 120.0)])], 10), [100.0, 124.0]);
        // Two rivers leave, meet outside and enter together.
        assert_eq!(areas(&[(4, 200.0, &[(0, 100.0), (2, 50.0)])], 10), [50.0]);
    }
}
