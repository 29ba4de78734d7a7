//! Slope-area analysis: how dense channels are, and how they flatten downstream. It tells a drainage network from noise.

use crate::Result;
use crate::ctx::Ctx;
use crate::dir8::Dir8;
use crate::grid::Grid;
use crate::{math, par};
use std::f64::consts::{LN_10, SQRT_2};

/// The drainage of a map, as other functions of this module make it. All grids have the same shape.
#[derive(Clone, Copy, Debug)]
pub struct Drainage<'a> {
    /// Heights without depressions, in metres ([`super::fill`]).
    pub filled: &'a Grid<f32>,
    /// Flow directions ([`super::d8_over_filled`]).
    pub flow: &'a Grid<Dir8>,
    /// Flow accumulation, in cells ([`super::accumulation`]).
    pub accumulation: &'a Grid<u32>,
    /// 0 where there is no lake ([`super::Lakes::of_cell`]).
    pub lakes: &'a Grid<u32>,
}

/// What counts as a channel, and over which length its slope is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlopeAreaRule {
    /// Side of a cell, in metres.
    pub cell_m: f64,
    /// A channel begins where this much land drains through a cell, in square metres. Above 0.
    pub from_area_m2: f64,
    /// The slope at a cell is that of the channel over at least this length downstream, in metres. Above 0.
    pub reach_m: f64,
}

/// Cells of 1 m, channels from 0.1 km² on, and slopes over 150 m.
impl Default for SlopeAreaRule {
    fn default() -> Self {
        Self { cell_m: 1.0, from_area_m2: 1e5, reach_m: 150.0 }
    }
}

/// Reaches of channels with similar drainage areas.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SlopeBin {
    /// Mean drainage area, in square metres.
    pub area_m2: f64,
    /// Mean slope, rise over run.
    pub slope: f64,
    /// Number of reaches.
    pub count: u32,
}

/// The line ln S = ln k − θ·ln A through the bins, with the slope S and the drainage area A in square metres.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SlopeFit {
    /// Concavity index θ: 0 for slopes that do not depend on the area, 0.4 to 0.6 for most rivers.
    pub theta: f64,
    /// Steepness index k: the slope at 1 m².
    pub steepness: f64,
    /// Share of the variance of ln S that the line explains.
    pub r2: f64,
}

/// Drainage density and slope-area relation of the channels of a map.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SlopeArea {
    /// Drainage density: length of all channels per area of the map, in km/km².
    pub density_km_per_km2: f64,
    /// How slope decreases with area; `None` if there are fewer than three bins.
    pub fit: Option<SlopeFit>,
    /// The bins by increasing area: ten per decade, from `from_area_m2` on.
    pub bins: Vec<SlopeBin>,
}

/// Bins with fewer reaches are left out.
const LEAST_REACHES: u32 = 30;

/// Least number of bins for a fit.
const LEAST_BINS: usize = 3;

/// Drainage density, and the concavity θ of S = k·A^−θ (Flint 1974, doi:10.1029/WR010i005p00969).
///
/// Channels are the cells through which at least `from_area_m2` drains. Drainage density: the length of the flow steps from
/// all channel cells, in kilometres, per area of the map (Horton 1945,
/// doi:10.1130/0016-7606(1945)56\[275:EDOSAT\]2.0.CO;2). Slope: S = (W(c) − W(e)) / length, where W is the filled height and e
/// the first cell at least `reach_m` downstream of c, so that the roughness of single cells averages out; A is the mean of
/// the drainage areas at c and e. Reaches that leave the map, touch a lake or more than double their area are left out: the
/// last ones join a larger river. There are ten bins of A per decade, and bins of fewer than 30 reaches are left out. The
/// line is fitted to the logarithms of mean A and mean S by least squares, with the number of reaches as the weight. Reach:
/// whole map. Cost: 1 ns a cell, and 3 ns for each step of a reach.
///
/// ```
/// use weald_core::hydro::{self, Drainage, SlopeAreaRule};
/// use weald_core::{Ctx, Dir8, Grid};
///
/// // One channel of 100 cells of 10 m falls east, on a map of 1,000 by 10 m.
/// let ctx = Ctx::default();
/// let flow = Grid::from_fn(100, 1, |x, _| if x == 99 { Dir8::NONE } else { Dir8(0) });
/// let found = hydro::slope_area(
///     &Drainage {
///         filled: &Grid::from_fn(100, 1, |x, _| 99.0 - x as f32),
///         flow: &flow,
///         accumulation: &hydro::accumulation(&flow, &ctx)?,
///         lakes: &Grid::filled(100, 1, 0),
///     },
///     &SlopeAreaRule { cell_m: 10.0, from_area_m2: 100.0, reach_m: 50.0 },
///     &ctx,
/// )?;
/// assert!((found.density_km_per_km2 - 99.0).abs() < 1e-9);
/// assert!(found.bins.iter().all(|bin| (bin.slope - 0.1).abs() < 1e-9));
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
#[doc(alias = "drainage density")]
#[doc(alias = "concavity index")]
#[doc(alias = "channel steepness")]
pub fn slope_area(drainage: &Drainage<'_>, rule: &SlopeAreaRule, ctx: &Ctx) -> Result<SlopeArea> {
    let Drainage { filled, flow, accumulation, lakes } = *drainage;
    let (w, h) = flow.shape();
    let cell_m2 = rule.cell_m * rule.cell_m;
    let offsets = Dir8::offsets(w);
    // For each row: the steps of channel cells, and (bin, area, slope) of the reaches.
    let rows = par::map(h, ctx, |y| {
        let (mut steps, mut reaches) = (Steps::default(), Vec::new());
        for start in y * w..(y + 1) * w {
            let area_m2 = |cell: usize| accumulation.cells()[cell] as f64 * cell_m2;
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
            reaches.push((bin.max(0.0) as usize, mean_m2, slope));
        }
        (steps, reaches)
    })?;
    let (mut steps, mut sums) = (Steps::default(), Vec::<(f64, f64, u32)>::new());
    for (row_steps, reaches) in &rows {
        (steps.axis, steps.diagonal) = (steps.axis + row_steps.axis, steps.diagonal + row_steps.diagonal);
        for &(bin, area_m2, slope) in reaches {
            if sums.len() <= bin {
                sums.resize(bin + 1, (0.0, 0.0, 0));
            }
            let sum = &mut sums[bin];
            *sum = (sum.0 + area_m2, sum.1 + slope, sum.2 + 1);
        }
    }
    let bins: Vec<SlopeBin> = sums
        .iter()
        .filter(|sum| sum.2 >= LEAST_REACHES)
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

/// Numbers of straight and diagonal steps.
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

    /// Length in cells.
    fn length(self) -> f64 {
        self.axis as f64 + self.diagonal as f64 * SQRT_2
    }
}

/// Least squares over the logarithms of the bins with a positive slope, weighted by the number of reaches: a bin of few
/// reaches says little.
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
    // Slopes that are all equal lie on the line.
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
            let p = slope_area(
                &Drainage { filled: &filled, flow: &flow, accumulation: &area, lakes: &dry },
                &RULE,
                &Ctx::default(),
            )
            .unwrap();
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
        let p = slope_area(
            &Drainage { filled: &filled, flow: &flow, accumulation: &area, lakes: &dry },
            &rule,
            &Ctx::default(),
        )
        .unwrap();
        let expected = 900.0 * 0.01 / (10.0 * 1.01);
        assert!((p.density_km_per_km2 - expected).abs() < 1e-12, "{}", p.density_km_per_km2);
        // A diagonal step is longer.
        let one = Grid::from_vec(2, 2, vec![Dir8(1), Dir8(2), Dir8(0), Dir8::NONE]);
        let area = hydro::accumulation(&one, &Ctx::default()).unwrap();
        let rule = SlopeAreaRule { cell_m: 1000.0, from_area_m2: 1e6, reach_m: 1.0 };
        let p = slope_area(
            &Drainage {
                filled: &Grid::filled(2, 2, 0.0),
                flow: &one,
                accumulation: &area,
                lakes: &Grid::filled(2, 2, 0),
            },
            &rule,
            &Ctx::default(),
        );
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
            let p = slope_area(
                &Drainage { filled: &filled, flow: &flow, accumulation: &area, lakes },
                &RULE,
                &Ctx::default(),
            )
            .unwrap();
            p.bins.iter().map(|b| b.count).sum()
        };
        // The cells of the lake, and the ten upstream of it whose reaches end in it.
        assert_eq!(count(&Grid::filled(3000, 101, 0)) - count(&lakes), 110);
    }

    #[test]
    fn a_stretch_that_turns_into_a_far_larger_river_does_not_count() {
        // The sides of the valley are channels too. They lie at 0: a reach from there into the middle row would climb.
        let (filled, flow, area) = valley(3000, 0.45, 0.0);
        let rule = SlopeAreaRule { from_area_m2: 2000.0, ..RULE };
        let p = slope_area(
            &Drainage {
                filled: &filled,
                flow: &flow,
                accumulation: &area,
                lakes: &Grid::filled(3000, 101, 0),
            },
            &rule,
            &Ctx::default(),
        )
        .unwrap();
        let (sides, middle): (Vec<SlopeBin>, Vec<SlopeBin>) = p.bins.iter().partition(|b| b.area_m2 < 5e3);
        assert!(!sides.is_empty() && sides.iter().all(|b| b.slope == 0.0), "{sides:?}");
        let ratio = |b: &SlopeBin| b.slope / (2.0 * math::pow(b.area_m2, -0.45));
        assert!(middle.len() > 10 && middle.iter().all(|b| (ratio(b) - 1.0).abs() < 0.05), "{middle:?}");
    }
}
