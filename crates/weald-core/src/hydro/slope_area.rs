//! What tells a drainage network from noise: how dense its channels are, and how they flatten downstream.

use crate::ctx::{Cancelled, Ctx};
use crate::dir8::Dir8;
use crate::grid::Grid;
use crate::{math, par};
use std::f64::consts::{LN_10, SQRT_2};

/// What counts as a channel, and over which length its slope is measured.
#[derive(Clone, Copy, Debug)]
pub struct SlopeAreaRule {
    /// Side of a cell, in metres.
    pub cell_m: f64,
    /// A channel begins where this much land drains through a cell, in square metres. Above 0.
    pub from_area_m2: f64,
    /// The slope at a cell is that of the channel over at least this length downstream, in metres. Above 0.
    pub reach_m: f64,
}

/// Channels of similar area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlopeBin {
    /// Mean area, in square metres.
    pub area_m2: f64,
    /// Mean slope, rise over run.
    pub slope: f64,
    /// Number of stretches.
    pub count: u32,
}

/// The line ln S = ln k − θ·ln A through the bins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlopeFit {
    /// Concavity θ: 0 for slopes that do not depend on the area, 0.4 to 0.6 for most rivers.
    pub theta: f64,
    /// Steepness k, the slope at 1 m².
    pub steepness: f64,
    /// Share of the variance of ln S that the line explains.
    pub r2: f64,
}

/// Figures of the channels of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct SlopeArea {
    /// Length of all channels per area of the map, in km/km².
    pub density_km_per_km2: f64,
    /// How slope falls with area; `None` with fewer than three bins.
    pub fit: Option<SlopeFit>,
    /// The bins by rising area, ten to a decade from `from_area_m2` on.
    pub bins: Vec<SlopeBin>,
}

/// Bins with fewer stretches are left out.
const LEAST_STRETCHES: u32 = 30;

/// A fit needs that many bins.
const LEAST_BINS: usize = 3;

/// Drainage density, and the concavity θ of S = k·A^−θ (Flint 1974, doi:10.1029/WR010i005p00969).
///
/// Channels are the cells through which at least `from_area_m2` drains. Density: the steps of the flow from all channel
/// cells, in kilometres, over the area of the map (Horton 1945,
/// doi:10.1130/0016-7606(1945)56\[275:EDOSAT\]2.0.CO;2). Slope: S = (W(c) − W(e)) / length, where e is the first cell at least
/// `reach_m` down the flow from c, so that the unevenness of cells averages out; A is the mean of the areas at c and e. Left
/// out are stretches that leave the map, touch a lake (`lakes` not 0), or more than double their area: those
/// turn into another river. Bins of A hold ten to a decade, and 30 stretches at least; the line goes through the
/// logarithms of their mean A and S by least squares, bins by their number of stretches. Reach: whole map. Cost: 1 ns a cell, 3 ns a step of each stretch.
pub fn slope_area(
    filled: &Grid<f32>,
    flow: &Grid<Dir8>,
    area: &Grid<u32>,
    lakes: &Grid<u32>,
    rule: &SlopeAreaRule,
    ctx: &Ctx,
) -> Result<SlopeArea, Cancelled> {
    let (w, h) = (flow.width(), flow.height());
    let cell_m2 = rule.cell_m * rule.cell_m;
    let offsets = Dir8::offsets(w);
    // Per row: the steps of channel cells, and (bin, area, slope) of the stretches.
    let rows = par::map(h, ctx, |y| {
        let (mut steps, mut stretches) = (Steps::default(), Vec::new());
        for start in y * w..(y + 1) * w {
            let area_m2 = |cell: usize| area.cells()[cell] as f64 * cell_m2;
            let d = flow.cells()[start];
            if area_m2(start) < rule.from_area_m2 || !d.is_some() {
                continue;
            }
            steps.add(d);
            let (mut cell, mut walked) = (start, Steps::default());
            while walked.length() * rule.cell_m < rule.reach_m
                && flow.cells()[cell].is_some()
                && lakes.cells()[cell] == 0
            {
                walked.add(flow.cells()[cell]);
                cell = cell.wrapping_add_signed(offsets[flow.cells()[cell].0 as usize]);
            }
            let length_m = walked.length() * rule.cell_m;
            if length_m < rule.reach_m || lakes.cells()[cell] != 0 || area_m2(cell) > 2.0 * area_m2(start) {
                continue;
            }
            let mean_m2 = (area_m2(start) + area_m2(cell)) / 2.0;
            let slope = (filled.cells()[start] as f64 - filled.cells()[cell] as f64) / length_m;
            let bin = (math::ln(mean_m2 / rule.from_area_m2) / LN_10 * 10.0).floor();
            stretches.push((bin.max(0.0) as usize, mean_m2, slope));
        }
        (steps, stretches)
    })?;
    let (mut steps, mut sums) = (Steps::default(), Vec::<(f64, f64, u32)>::new());
    for (row_steps, stretches) in &rows {
        (steps.axis, steps.diagonal) = (steps.axis + row_steps.axis, steps.diagonal + row_steps.diagonal);
        for &(bin, area_m2, slope) in stretches {
            if sums.len() <= bin {
                sums.resize(bin + 1, (0.0, 0.0, 0));
            }
            let sum = &mut sums[bin];
            *sum = (sum.0 + area_m2, sum.1 + slope, sum.2 + 1);
        }
    }
    let bins: Vec<SlopeBin> = sums
        .iter()
        .filter(|sum| sum.2 >= LEAST_STRETCHES)
        .map(|&(area, slope, count)| SlopeBin {
            area_m2: area / count as f64,
            slope: slope / count as f64,
            count,
        })
        .collect();
    let map_km2 = (w * h) as f64 * cell_m2 / 1e6;
    let length_km = steps.length() * rule.cell_m / 1e3;
    Ok(SlopeArea {
        density_km_per_km2: if map_km2 > 0.0 { length_km / map_km2 } else { 0.0 },
        fit: fit(&bins),
        bins,
    })
}

/// Steps of a flow, counted.
#[derive(Clone, Copy, Default)]
struct Steps {
    axis: u64,
    diagonal: u64,
}

impl Steps {
    fn add(&mut self, d: Dir8) {
        self.axis += !d.is_diagonal() as u64;
        self.diagonal += d.is_diagonal() as u64;
    }

    /// In cells.
    fn length(self) -> f64 {
        self.axis as f64 + self.diagonal as f64 * SQRT_2
    }
}

/// Least squares over the logarithms of bins with a slope, each by the number of its stretches: a bin of one large river says
/// little.
fn fit(bins: &[SlopeBin]) -> Option<SlopeFit> {
    let points: Vec<(f64, f64, f64)> = bins
        .iter()
        .filter(|b| b.slope > 0.0)
        .map(|b| (math::ln(b.area_m2), math::ln(b.slope), b.count as f64))
        .collect();
    if points.len() < LEAST_BINS {
        return None;
    }
    let all: f64 = points.iter().map(|p| p.2).sum();
    let mean = |of: &dyn Fn(&(f64, f64, f64)) -> f64| points.iter().map(|p| of(p) * p.2).sum::<f64>() / all;
    let (mx, my) = (mean(&|p| p.0), mean(&|p| p.1));
    let xx = mean(&|p| (p.0 - mx) * (p.0 - mx));
    let (xy, yy) = (mean(&|p| (p.0 - mx) * (p.1 - my)), mean(&|p| (p.1 - my) * (p.1 - my)));
    let slope = xy / xx;
    // Slopes that are all the same lie on the line.
    let r2 = if yy > 0.0 { xy * xy / (xx * yy) } else { 1.0 };
    Some(SlopeFit { theta: 0.0 - slope, steepness: math::exp(my - slope * mx), r2 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hydro;

    const RULE: SlopeAreaRule = SlopeAreaRule { cell_m: 10.0, from_area_m2: 1e6, reach_m: 100.0 };

    /// A straight valley of `n` columns and 101 rows: its sides drain into the middle row, that row to the east. The middle
    /// row falls by k·A^−θ, with `uneven` metres added to every second cell.
    fn valley(n: usize, theta: f64, uneven: f32) -> (Grid<f32>, Grid<Dir8>, Grid<u32>) {
        let (rows, middle) = (101, 50);
        let mut flow = Grid::from_vec(
            n,
            rows,
            (0..n * rows).map(|i| Dir8(if i / n < middle { 2 } else { 6 })).collect(),
        );
        flow.row_mut(middle).fill(Dir8(0));
        flow[(n - 1, middle)] = Dir8::NONE;
        let area = hydro::accumulation(&flow, &Ctx::default()).unwrap();
        let (mut filled, mut z) = (Grid::filled(n, rows, 0f32), 0.0);
        for x in (0..n).rev() {
            z += 2.0 * math::pow(area[(x, middle)] as f64 * 100.0, -theta) * 10.0;
            filled[(x, middle)] = z as f32 + (x % 2) as f32 * uneven;
        }
        (filled, flow, area)
    }

    #[test]
    fn the_concavity_a_valley_was_made_with_comes_back() {
        for (theta, uneven) in [(0.2, 0.0), (0.45, 0.0), (0.45, 0.005), (0.6, 0.0)] {
            let (filled, flow, area) = valley(3000, theta, uneven);
            let dry = Grid::filled(3000, 101, 0);
            let p = slope_area(&filled, &flow, &area, &dry, &RULE, &Ctx::default()).unwrap();
            let fit = p.fit.unwrap();
            assert!((fit.theta - theta).abs() < 0.01, "{fit:?} for {theta}");
            assert!(fit.r2 > 0.99 && (fit.steepness / 2.0 - 1.0).abs() < 0.1, "{fit:?} for {theta}");
            assert!(p.bins.len() > 10 && p.bins.iter().all(|b| b.count >= 30 && b.area_m2 >= 1e6));
        }
    }

    #[test]
    fn density_is_the_length_of_channels_over_the_map() {
        // The middle row is a channel from x = 99 on, where 100 columns of 101 cells of 100 m² have come together; its
        // last cell has no step.
        let (filled, flow, area) = valley(1000, 0.5, 0.0);
        let dry = Grid::filled(1000, 101, 0);
        let rule = SlopeAreaRule { from_area_m2: 1.01e6, ..RULE };
        let p = slope_area(&filled, &flow, &area, &dry, &rule, &Ctx::default()).unwrap();
        let expected = 900.0 * 0.01 / (10.0 * 1.01);
        assert!((p.density_km_per_km2 - expected).abs() < 1e-12, "{}", p.density_km_per_km2);
        // A diagonal step is longer.
        let one = Grid::from_vec(2, 2, vec![Dir8(1), Dir8(2), Dir8(0), Dir8::NONE]);
        let area = hydro::accumulation(&one, &Ctx::default()).unwrap();
        let rule = SlopeAreaRule { cell_m: 1000.0, from_area_m2: 1e6, reach_m: 1.0 };
        let p =
            slope_area(&Grid::filled(2, 2, 0.0), &one, &area, &Grid::filled(2, 2, 0), &rule, &Ctx::default());
        let p = p.unwrap();
        assert!((p.density_km_per_km2 - (2.0 + SQRT_2) / 4.0).abs() < 1e-12);
        assert_eq!((p.fit, p.bins), (None, vec![]));
    }

    #[test]
    fn stretches_that_touch_a_lake_do_not_count() {
        let (filled, flow, area) = valley(3000, 0.45, 0.0);
        let mut lakes = Grid::filled(3000, 101, 0u32);
        lakes.row_mut(50)[1000..1100].fill(1);
        let count = |lakes: &Grid<u32>| -> u32 {
            let p = slope_area(&filled, &flow, &area, lakes, &RULE, &Ctx::default()).unwrap();
            p.bins.iter().map(|b| b.count).sum()
        };
        // The cells of the lake, and the ten before it whose stretch ends in it.
        assert_eq!(count(&Grid::filled(3000, 101, 0)) - count(&lakes), 110);
    }

    #[test]
    fn a_stretch_that_turns_into_a_far_larger_river_does_not_count() {
        // The sides of the valley are channels too. They lie at 0: a stretch from there into the middle would climb.
        let (filled, flow, area) = valley(3000, 0.45, 0.0);
        let rule = SlopeAreaRule { from_area_m2: 2000.0, ..RULE };
        let p =
            slope_area(&filled, &flow, &area, &Grid::filled(3000, 101, 0), &rule, &Ctx::default()).unwrap();
        let (sides, middle): (Vec<SlopeBin>, Vec<SlopeBin>) = p.bins.iter().partition(|b| b.area_m2 < 5e3);
        assert!(!sides.is_empty() && sides.iter().all(|b| b.slope == 0.0), "{sides:?}");
        let ratio = |b: &SlopeBin| b.slope / (2.0 * math::pow(b.area_m2, -0.45));
        assert!(middle.len() > 10 && middle.iter().all(|b| (ratio(b) - 1.0).abs() < 0.05), "{middle:?}");
    }
}
