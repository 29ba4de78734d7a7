//! Lines: streams, rivers, roads, trails.

use super::areas::TOLERANCE_MM;
use super::{Ground, Object, P, Shape, Water, symbol};
use crate::catalogue::{Catalogue, Feature};
use crate::error::Result;
use crate::style::chart::{ChartStyle, Test, When};
use std::collections::{BTreeMap, BTreeSet};
use weald_core::{Dir8, line};

/// Lines shorter than this on paper are left out, in millimetres at 1:15 000.
const LEAST_MM: f64 = 0.8;

/// A place on paper in hundredths of a millimetre, to find places again.
type Key = (i64, i64);

fn key(p: P) -> Key {
    ((p.0 * 100.0).round() as i64, (p.1 * 100.0).round() as i64)
}

/// Whether a feature is meant.
pub(super) fn fits(feature: &Feature, when: Option<&When>) -> bool {
    let Some(when) = when else { return true };
    let value = feature.property(when.property);
    match when.is {
        Test::OneOf(names) => value.and_then(|v| v.as_str()).is_some_and(|v| names.contains(&v)),
        Test::True(yes) => value.and_then(|v| v.as_bool()).unwrap_or(false) == yes,
        Test::Within(from, below) => value.and_then(|v| v.as_f64()).is_some_and(|v| from <= v && v < below),
    }
}

/// The line sets of the style.
pub(super) fn lines(
    catalogue: &Catalogue,
    style: &ChartStyle,
    ground: &Ground,
    water: &Water,
) -> Result<Vec<Object>> {
    let mut objects = Vec::new();
    for look in &style.lines {
        let Some(set) = catalogue.line_set(look.set) else { continue };
        let symbol = symbol(look.symbol)?;
        let raw: Vec<Vec<P>> = set
            .features
            .iter()
            .filter(|f| fits(f, look.when.as_ref()))
            .map(|f| f.points.iter().map(|&p| ground.at(p)).collect())
            .collect();
        let smooth = smooth_network(&raw, ground, look.water.then_some(water));
        objects.extend(smooth.into_iter().map(|l| Object { symbol, shape: Shape::Line(l) }));
    }
    Ok(objects)
}

/// The streams that are cells of a layer, from cell to cell along the flow.
pub(super) fn streams(
    catalogue: &Catalogue,
    style: &ChartStyle,
    ground: &Ground,
    water: &Water,
) -> Result<Vec<Object>> {
    let Some(look) = &style.streams else { return Ok(Vec::new()) };
    let (cells, flow) = (catalogue.cells(look.layer)?, catalogue.cells(look.flow)?);
    let (w, h) = ground.shape;
    let wet = |i: usize| look.values.fit(cells.at(i % w, i / w));
    let next = |i: usize| {
        let d = Some(Dir8(flow.at(i % w, i / w) as u8)).filter(|d| d.is_some())?;
        let (x, y) = ((i % w) as i64 + i64::from(d.dx()), (i / w) as i64 + i64::from(d.dy()));
        let on_map = x >= 0 && y >= 0 && x < w as i64 && y < h as i64;
        on_map.then(|| y as usize * w + x as usize)
    };
    let streams: Vec<usize> = (0..w * h).filter(|&i| wet(i)).collect();
    let mut above: BTreeMap<usize, u32> = BTreeMap::new();
    streams.iter().filter_map(|&i| next(i)).for_each(|j| *above.entry(j).or_default() += 1);
    let centre = |i: usize| {
        (
            (i % w) as f64 * ground.cell_mm + ground.cell_mm / 2.0,
            (i / w) as f64 * ground.cell_mm + ground.cell_mm / 2.0,
        )
    };
    let mut raw = Vec::new();
    // A line begins at a spring and behind every meeting of streams, and ends at the next one or in open water.
    for &start in streams.iter().filter(|i| above.get(i).copied().unwrap_or(0) != 1) {
        let mut line = vec![centre(start)];
        let mut at = start;
        while let Some(to) = next(at) {
            line.push(centre(to));
            at = to;
            if !wet(to) || above.get(&to).copied().unwrap_or(0) != 1 || line.len() > w * h {
                break;
            }
        }
        raw.push(line);
    }
    let symbol = symbol(look.symbol)?;
    let smooth = smooth_network(&raw, ground, Some(water));
    Ok(smooth.into_iter().map(|l| Object { symbol, shape: Shape::Line(l) }).collect())
}

/// Lines cut where they meet, without what another line has drawn already, smoothed, and cut off at the edge of the map and at open
/// water.
fn smooth_network(lines: &[Vec<P>], ground: &Ground, water: Option<&Water>) -> Vec<Vec<P>> {
    let mut meets: BTreeMap<Key, u32> = BTreeMap::new();
    for line in lines {
        let places: BTreeSet<Key> = line.iter().map(|&p| key(p)).collect();
        places.into_iter().for_each(|k| *meets.entry(k).or_default() += 1);
    }
    let mut seen: BTreeSet<(Key, Key)> = BTreeSet::new();
    let mut out = Vec::new();
    for line in lines {
        let mut part: Vec<P> = Vec::new();
        let mut flush = |part: &mut Vec<P>| {
            if part.len() > 1 {
                finish(part, ground, water, &mut out);
            }
            part.clear();
        };
        for s in line.windows(2) {
            let (a, b) = (key(s[0]), key(s[1]));
            if a == b {
                continue;
            }
            if !seen.insert((a.min(b), a.max(b))) {
                flush(&mut part);
                continue;
            }
            if part.is_empty() {
                part.push(s[0]);
            }
            part.push(s[1]);
            // Where a third line comes in.
            if meets[&b] > 1 {
                flush(&mut part);
                part.push(s[1]);
            }
        }
        flush(&mut part);
    }
    out
}

/// Smooths one line and adds what of it lies on the map.
fn finish(line: &[P], ground: &Ground, water: Option<&Water>, out: &mut Vec<Vec<P>>) {
    let step = line::length(line) / (line.len() - 1) as f64;
    let smooth = if step > 0.3 { line::smooth(line, 3) } else { line::rounded(line, 4) };
    for part in line::clipped(&smooth, (0.0, 0.0), ground.size()) {
        let dry = match water {
            Some(water) => dry_parts(&part, water),
            None => vec![part],
        };
        for part in dry {
            let whole = part.len() == smooth.len();
            if line::length(&part) < LEAST_MM * ground.enlarged && !whole || line::length(&part) < 0.2 {
                continue;
            }
            let kept: Vec<P> = line::simplify(&part, TOLERANCE_MM).into_iter().map(|i| part[i]).collect();
            out.push(kept);
        }
    }
}

/// Whether a place is on the map, farther than `margin` from its edge.
pub(super) fn inside(p: P, ground: &Ground, margin: f64) -> bool {
    let (w, h) = ground.size();
    p.0 > margin && p.1 > margin && p.0 < w - margin && p.1 < h - margin
}

/// The parts of a line outside open water.
pub(super) fn dry_parts(line: &[P], water: &Water) -> Vec<Vec<P>> {
    if !water.any || line.is_empty() {
        return vec![line.to_vec()];
    }
    let wet: Vec<f64> = line.iter().map(|&p| water.at(p)).collect();
    if wet.iter().all(|w| *w < 0.0) {
        return vec![line.to_vec()];
    }
    let mut parts: Vec<Vec<P>> = Vec::new();
    let mut part: Vec<P> = Vec::new();
    for (i, &p) in line.iter().enumerate() {
        if i > 0 && (wet[i] < 0.0) != (wet[i - 1] < 0.0) {
            let (a, t) = (line[i - 1], wet[i - 1] / (wet[i - 1] - wet[i]));
            part.push((a.0 + (p.0 - a.0) * t, a.1 + (p.1 - a.1) * t));
            if wet[i] >= 0.0 {
                parts.push(std::mem::take(&mut part));
            }
        }
        if wet[i] < 0.0 {
            part.push(p);
        }
    }
    parts.push(part);
    parts.retain(|p| p.len() > 1);
    // A ring that was cut goes on over the point where it began.
    if line.len() > 3 && line[0] == line[line.len() - 1] && wet[0] < 0.0 && parts.len() > 1 {
        let first = parts.remove(0);
        let last = parts.len() - 1;
        parts[last].extend_from_slice(&first[1..]);
    }
    parts
}
