//! Line sets: streams, roads, bridges.

use super::super::canvas::{Canvas, Pen, Point};
use super::super::lines::network;
use super::{Drawing, curve};
use crate::catalogue::FeatureSet;
use crate::style::orienteer::WayLook;
use weald_core::line;

/// Pixels, and units of the frame, over which corners are rounded off: the larger.
const ROUND: (f32, f64) = (9.0, 4.0);
/// Pixels outside the map to which lines are drawn, so that their ends do not show.
pub(super) const MARGIN: f64 = 40.0;

/// Draws the lines of a set; what several of them share is drawn once.
pub(super) fn draw(canvas: &mut Canvas, set: &FeatureSet, look: &WayLook, pen: &Drawing) {
    draw_lines(canvas, &on_map(set, pen, MARGIN), look, pen.k, |units| pen.length(units));
}

/// The lines of a set in pixels, cut off `margin` pixels outside the map.
pub(super) fn on_map(set: &FeatureSet, pen: &Drawing, margin: f64) -> Vec<Vec<Point>> {
    let s = pen.view.pixels_per_cell();
    let (frame, margin) = (&pen.frame, margin / s as f64);
    let low = (-margin, -margin);
    let high = (frame.width as f64 + margin, frame.height as f64 + margin);
    let mut near = FeatureSet { name: set.name.clone(), about: set.about.clone(), features: Vec::new() };
    for feature in &set.features {
        let cells: Vec<(f64, f64)> = feature
            .points
            .iter()
            .map(|p| ((p.0 - frame.origin.0) / frame.cell_m, (p.1 - frame.origin.1) / frame.cell_m))
            .collect();
        for points in line::clipped(&cells, low, high) {
            near.features.push(crate::catalogue::Feature::new(feature.id, points, []));
        }
    }
    network(&near, 1.0, (0.0, 0.0))
        .iter()
        .map(|line| line.iter().map(|n| (n.x * s, n.y * s)).collect())
        .collect()
}

/// Draws lines given in pixels.
pub(super) fn draw_lines(
    canvas: &mut Canvas,
    lines: &[Vec<Point>],
    look: &WayLook,
    k: f32,
    length: impl Fn(f64) -> f32,
) {
    let paths: Vec<_> =
        lines.iter().filter_map(|line| curve(line, (ROUND.0 * k).max(length(ROUND.1)))).collect();
    match *look {
        WayLook::Line { colour, width, dash } => {
            let dash = dash.map(|(on, off)| (on * k, off * k));
            let pen = Pen { dash, ..Pen::new(colour, width * k) };
            paths.iter().for_each(|p| canvas.stroke(p, &pen));
        }
        WayLook::Road { fill, casing, width, true_width } => {
            let wide = (width * k).max(length(true_width));
            paths.iter().for_each(|p| canvas.stroke(p, &Pen::new(casing, wide)));
            paths.iter().for_each(|p| canvas.stroke(p, &Pen::new(fill, wide - 2.2 * k)));
        }
        WayLook::Bridge { fill, casing, width, true_width } => {
            let wide = (width * k).max(length(true_width)) + 1.6 * k;
            for (path, line) in paths.iter().zip(lines) {
                canvas.stroke_flat(path, &Pen::new(casing, wide));
                canvas.stroke_flat(path, &Pen::new(fill, wide - 4.4 * k));
                for ends in [[line[0], line[1]], [line[line.len() - 1], line[line.len() - 2]]] {
                    draw_wings(canvas, ends, wide / 2.0 - 1.1 * k, &Pen::new(casing, 2.2 * k), 5.0 * k);
                }
            }
        }
    }
}

/// Two strokes outwards from the end of a bridge.
fn draw_wings(canvas: &mut Canvas, [end, before]: [Point; 2], half: f32, pen: &Pen, long: f32) {
    let (dx, dy) = (end.0 - before.0, end.1 - before.1);
    let length = (dx * dx + dy * dy).sqrt();
    if length == 0.0 {
        return;
    }
    let (dx, dy) = (dx / length, dy / length);
    for side in [-1.0, 1.0] {
        let (nx, ny) = (-dy * side, dx * side);
        let from = (end.0 + nx * half, end.1 + ny * half);
        let to = (from.0 + (dx + nx) * 0.7 * long, from.1 + (dy + ny) * 0.7 * long);
        canvas.line(&[from, to], pen);
    }
}
