//! Rivers of a line set: smooth, widening downstream, interrupted by lakes.

use super::canvas::{Canvas, Pen, Point};
use super::ground::STREAM;
use super::lines::{Node, Wet, smooth};
use super::map::layer;
use crate::Result;
use crate::catalogue::{Catalogue, Feature};
use crate::style::map::Rivers;
use weald_core::Grid;

/// Widths that differ by less than this share of a pixel are drawn as one.
const WIDTH_STEP: f32 = 0.25;

/// The rivers in cells, each as the stretches between lakes. The load of a node is √(flow here / flow at the mouth of its
/// river), times what `mouth` returns for the feature and for the flow at its mouth as a share of the largest on the map.
pub(super) fn stretches(
    catalogue: &Catalogue,
    style: &Rivers,
    wet: &Grid<Wet>,
    pixels_per_cell: f32,
    mouth: impl Fn(&Feature, f32) -> f32,
) -> Result<Vec<Vec<Node>>> {
    let Some(set) = catalogue.line_set(style.set) else { return Ok(vec![]) };
    let (frame, data) = (&catalogue.frame, layer(catalogue, style.load)?.cells());
    let cell = |v: f64, origin: f64, cells: usize| {
        let at = (v - origin) / frame.cell_m;
        (at as f32, at.clamp(0.0, cells as f64 - 1.0) as usize)
    };
    let mut rivers: Vec<(&Feature, Vec<(Node, Wet)>)> = Vec::new();
    for feature in set.features.iter().filter(|f| f.points.len() > 1) {
        let node = |&(x, y): &(f64, f64)| {
            let ((x, column), (y, row)) =
                (cell(x, frame.origin.0, frame.width), cell(y, frame.origin.1, frame.height));
            (Node { x, y, load: data.at(column, row).max(0.0) as f32 }, wet[(column, row)])
        };
        let mut nodes: Vec<(Node, Wet)> = feature.points.iter().map(node).collect();
        if let Some(widths) = style.widths.and_then(|name| feature.numbers(name)) {
            // Flow grows with the square of the width.
            nodes.iter_mut().zip(widths).for_each(|(node, w)| node.0.load = (w * w) as f32);
        }
        // The last place may belong to the river it flows into.
        let last = nodes.len() - 1;
        nodes[last].0.load = nodes[last - 1].0.load;
        rivers.push((feature, nodes));
    }
    let at_mouth = |nodes: &[(Node, Wet)]| nodes[nodes.len() - 1].0.load;
    let largest = rivers.iter().map(|(_, nodes)| at_mouth(nodes)).fold(1.0, f32::max);
    let (passes, rounds) = if pixels_per_cell < 1.5 { (8, 0) } else { (3, 2) };
    let mut out = Vec::new();
    for (feature, nodes) in rivers {
        let own = at_mouth(&nodes).max(1.0);
        let factor = mouth(feature, own / largest);
        for part in nodes.chunk_by(|a, b| a.1 != Wet::Lake || b.1 != Wet::Lake) {
            let mut line: Vec<Node> = part
                .iter()
                .map(|(node, _)| Node { load: (node.load / own).min(1.0).sqrt() * factor, ..*node })
                .collect();
            for _ in 0..passes {
                line = smooth(&line, 0);
            }
            out.push(if rounds > 0 { smooth(&line, rounds) } else { line });
        }
    }
    out.retain(|line| line.len() > 1);
    Ok(out)
}

/// Draws stretches whose loads are widths in pixels.
pub(super) fn draw(canvas: &mut Canvas, lines: &[Vec<Node>], pixels_per_cell: f32) {
    for line in lines {
        let steps = |n: &Node| (n.load / WIDTH_STEP).round();
        let mut first = 0;
        while first + 1 < line.len() {
            let width = steps(&line[first + 1]);
            let mut last = first + 1;
            while last + 1 < line.len() && steps(&line[last + 1]) == width {
                last += 1;
            }
            let points: Vec<Point> =
                line[first..=last].iter().map(|n| (n.x * pixels_per_cell, n.y * pixels_per_cell)).collect();
            canvas.line(&points, &Pen::new(STREAM, width * WIDTH_STEP));
            first = last;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Cells, FeatureSet, Kind, Layer};
    use weald_core::Frame;

    const STYLE: Rivers =
        Rivers { set: "rivers", label: "River", load: "flow", width: "width_m", widths: None, order: None };

    /// Two rivers from the west; the second flows into the first at column 6.
    fn lines(lakes: &[usize]) -> Vec<Vec<Node>> {
        let row =
            |y: f64, from: usize, to: usize| (from..=to).map(|x| (x as f64 + 0.5, y)).collect::<Vec<_>>();
        let mut south = row(1.5, 0, 5);
        south.push((6.5, 0.5));
        let feature = |id, points| Feature::new(id, points, []);
        let flow =
            Grid::from_vec(12, 2, (0..24).map(|i| if i < 12 { 10 * (i + 1) } else { i - 11 }).collect());
        let catalogue = Catalogue {
            layers: vec![Layer::copied("flow", "", Cells::U32(&flow), Kind::Measure)],
            lines: vec![FeatureSet::new("rivers", "", vec![feature(0, row(0.5, 0, 11)), feature(1, south)])],
            points: vec![],
            ..Catalogue::new("land", "m", Frame::new(12, 2, 1.0))
        };
        let mut wet = Grid::filled(12, 2, Wet::Land);
        lakes.iter().for_each(|&x| wet[(x, 0)] = Wet::Lake);
        stretches(&catalogue, &STYLE, &wet, 1.0, |_, share| share.sqrt()).unwrap()
    }

    #[test]
    fn rivers_widen_downstream_and_do_not_take_the_width_of_those_they_flow_into() {
        let rivers = lines(&[]);
        assert_eq!(rivers.len(), 2);
        for river in &rivers {
            assert!(river.windows(2).all(|w| w[1].load >= w[0].load), "{river:?}");
        }
        assert!((rivers[0].last().unwrap().load - 1.0).abs() < 1e-6);
        let mouth = rivers[1].last().unwrap();
        assert!((mouth.load - (6f32 / 110.0).sqrt()).abs() < 1e-6, "{mouth:?}");
        assert_eq!((mouth.x, mouth.y), (6.5, 0.5));
    }

    #[test]
    fn a_lake_interrupts_a_river() {
        let rivers = lines(&[4, 5, 6]);
        assert_eq!(rivers.len(), 3);
        assert_eq!((rivers[0].last().unwrap().x, rivers[1][0].x), (4.5, 6.5));
    }

    #[test]
    fn a_line_is_as_wide_as_its_load_at_each_place() {
        let nodes: Vec<Node> =
            (0..100).map(|x| Node { x: x as f32, y: 20.0, load: 2.0 + x as f32 * 0.2 }).collect();
        let mut canvas = Canvas::new(100, 40, [255; 3]);
        draw(&mut canvas, &[nodes], 1.0);
        let image = canvas.into_image();
        let width = |x: usize| (0..40).filter(|&y| image.at(x, y) == STREAM).count();
        assert_eq!((width(10), width(50), width(90)), (4, 12, 20));
    }
}
