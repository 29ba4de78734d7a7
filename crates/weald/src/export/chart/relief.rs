//! Contours: smooth lines that end at open water, index contours, and ticks that tell hollows from hills.

use super::areas::TOLERANCE_MM;
use super::ways::{dry_parts, inside};
use super::{Ground, Object, P, Shape, Water, symbol};
use crate::catalogue::Catalogue;
use crate::error::{Error, Result};
use crate::style::chart::ChartContours;
use weald_core::{Ctx, Grid, blur, contour, line, par};

/// Lines shorter than this on paper are left out, in millimetres at 1:15 000.
const LEAST_MM: f64 = 1.6;
/// The least distance between contours on the steep slopes of a map, in millimetres at 1:15 000.
const APART_MM: f64 = 0.34;
/// Share of the land that may be steeper.
const STEEPER: f64 = 0.04;
/// Contour intervals to choose from, in metres.
const INTERVALS: [f64; 14] =
    [1.0, 2.0, 2.5, 5.0, 10.0, 20.0, 25.0, 50.0, 100.0, 200.0, 250.0, 500.0, 1000.0, 2500.0];
/// More levels than this cannot be drawn.
const MOST_LEVELS: f64 = 2000.0;
/// Number of contours from one index contour to the next.
const INDEX: i64 = 5;
/// Length of the tick of a hollow.
const TICK_MM: f64 = 0.5;

/// The contours and their interval in metres.
pub(super) fn contours(
    catalogue: &Catalogue,
    style: &ChartContours,
    wish: Option<f64>,
    ground: &Ground,
    water: &Water,
    ctx: &Ctx,
) -> Result<(Vec<Object>, f64)> {
    let heights = heights(catalogue, style, ground, ctx)?;
    let interval = interval(&heights, style, wish, ground, water)?;
    let (thin, thick, tick) = (symbol("101")?, symbol("102")?, symbol("101.1")?);
    let found = contour::every(&heights, interval as f32, ctx)?;
    let least = LEAST_MM * ground.enlarged;
    let drawn = par::map(found.len(), ctx, |i| {
        let contour = &found[i];
        let number = (f64::from(contour.level) / interval).round() as i64;
        let mut objects = Vec::new();
        // The level of the sea is the coast.
        if number == 0 && water.any {
            return objects;
        }
        let symbol = if number % INDEX == 0 { thick } else { thin };
        let points: Vec<P> =
            contour.points.iter().map(|p| (p.0 * ground.cell_mm, p.1 * ground.cell_mm)).collect();
        let points = if ground.cell_mm > 0.3 { line::smooth(&points, 3) } else { points };
        let closed = points.first() == points.last();
        let hollow = closed && twice_area(&points) < 0.0;
        for part in dry_parts(&points, water) {
            let whole = part.len() == points.len();
            let reaches_edge =
                [part[0], part[part.len() - 1]].iter().any(|p| !inside(*p, ground, ground.cell_mm));
            let long = line::length(&part);
            if long < least && (whole || !reaches_edge) || long < 0.3 {
                continue;
            }
            let kept = line::simplify(&part, TOLERANCE_MM);
            let kept: Vec<P> = kept.into_iter().map(|i| part[i]).collect();
            if kept.len() < 2 || closed && whole && kept.len() < 4 {
                continue;
            }
            if hollow && whole {
                objects.extend(
                    ticks(&part, long, ground.enlarged)
                        .into_iter()
                        .map(|shape| Object { symbol: tick, shape }),
                );
            }
            objects.push(Object { symbol, shape: Shape::Line(kept) });
        }
        objects
    })?;
    Ok((drawn.into_iter().flatten().collect(), interval))
}

/// The heights in metres, without what is too fine to be drawn.
fn heights(catalogue: &Catalogue, style: &ChartContours, ground: &Ground, ctx: &Ctx) -> Result<Grid<f32>> {
    let cells = catalogue.cells(style.layer)?;
    let (w, h) = ground.shape;
    let metres = par::fill(w, h, ctx, |y, row: &mut [f32]| {
        for (x, out) in row.iter_mut().enumerate() {
            *out = ((cells.at(x, y) - style.zero) * style.metres_per_unit) as f32;
        }
    })?;
    let sigma = (0.2 * ground.enlarged / ground.cell_mm).clamp(0.7, 4.0);
    Ok(blur::gaussian(&metres, sigma, ctx)?)
}

/// The interval: as wished, or so large that the steep slopes can be drawn.
fn interval(
    heights: &Grid<f32>,
    style: &ChartContours,
    wish: Option<f64>,
    ground: &Ground,
    water: &Water,
) -> Result<f64> {
    let (low, high) =
        heights.cells().iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)));
    let range = f64::from(high - low);
    if let Some(wish) = wish {
        if !(wish > 0.0 && wish.is_finite()) {
            return Err(Error::Invalid(format!("--contour-m {wish}: must be more than 0 m")));
        }
        if range / wish > MOST_LEVELS {
            let least = INTERVALS.iter().find(|&&i| range / i <= MOST_LEVELS).unwrap_or(&5000.0);
            return Err(Error::Invalid(format!(
                "--contour-m {wish}: too many contours; use at least {least} m"
            )));
        }
        return Ok(wish);
    }
    let (w, h) = heights.shape();
    let mut slopes: Vec<f32> = Vec::new();
    let step = (w.max(h) / 512).max(1);
    for y in (0..h.saturating_sub(1)).step_by(step) {
        for x in (0..w.saturating_sub(1)).step_by(step) {
            if water.at(((x as f64 + 0.5) * ground.cell_mm, (y as f64 + 0.5) * ground.cell_mm)) < 0.0 {
                let (dx, dy) = (heights[(x + 1, y)] - heights[(x, y)], heights[(x, y + 1)] - heights[(x, y)]);
                slopes.push((dx * dx + dy * dy).sqrt() / ground.cell_m as f32);
            }
        }
    }
    slopes.sort_by(f32::total_cmp);
    let steep = slopes.get((slopes.len() as f64 * (1.0 - STEEPER)) as usize).copied().unwrap_or(0.0);
    // A slope of 1 rises a metre over the millimetres of a metre.
    let least = f64::from(steep) * APART_MM * ground.enlarged * ground.cell_m / ground.cell_mm;
    let least = least.max(style.interval_m).max(range / 300.0);
    Ok(INTERVALS.iter().copied().find(|&i| i >= least).unwrap_or(5000.0))
}

/// Twice the area of a ring, more than 0 if it runs clockwise on a map.
fn twice_area(ring: &[P]) -> f64 {
    ring.windows(2).map(|s| s[0].0 * s[1].1 - s[1].0 * s[0].1).sum()
}

/// Short lines from a hollow's contour down into it, away from each other. The lower ground is on the left.
fn ticks(ring: &[P], long: f64, enlarged: f64) -> Vec<Shape> {
    let count = if long > 30.0 * enlarged {
        3
    } else if long > 8.0 * enlarged {
        2
    } else {
        1
    };
    let mut shapes = Vec::new();
    let (mut done, mut next) = (0.0, 0);
    for s in ring.windows(2) {
        let (dx, dy) = (s[1].0 - s[0].0, s[1].1 - s[0].1);
        let length = (dx * dx + dy * dy).sqrt();
        done += length;
        if next < count && length > 0.0 && done >= long * (next as f64 + 0.5) / count as f64 {
            let reach = TICK_MM * enlarged / length;
            let middle = ((s[0].0 + s[1].0) / 2.0, (s[0].1 + s[1].1) / 2.0);
            shapes.push(Shape::Line(vec![middle, (middle.0 + dy * reach, middle.1 - dx * reach)]));
            next += 1;
        }
    }
    shapes
}
