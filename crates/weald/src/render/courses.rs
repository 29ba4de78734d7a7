//! Rivers that are lines, on the map: their width follows their discharge, or their stream order.

use super::canvas::Canvas;
use super::ground::PixelScale;
use super::lines::{Node, Wet, smooth};
use super::map::{layer, sheet_scale};
use super::rivers;
use crate::Result;
use crate::catalogue::Catalogue;
use crate::style::map::{MapStyle, Rivers, StreamOrder};
use weald_core::{Grid, line};

/// Widths in pixels on a sheet of usual size: of a river of order 1 at its source; added by each order, and by how many
/// orders; added by the largest flow on the map.
const SOURCE: f32 = 0.5;
const ORDER: f32 = 0.5;
const ORDERS: f32 = 4.0;
const WATER: f32 = 1.7;

/// Width of a river by its order and its share of the largest flow on the map, in pixels of a sheet of usual size.
pub(super) fn width(order: f32, share: f32) -> f32 {
    SOURCE + ORDER * (order.clamp(1.0, ORDERS) - 1.0) + WATER * share.clamp(0.0, 1.0).sqrt()
}

/// Draws the rivers of `style`: by their stream order if it names one, else with a width that grows with the square root of
/// their flow.
pub(super) fn draw(
    canvas: &mut Canvas,
    catalogue: &Catalogue,
    style: &MapStyle,
    wet: &Grid<Wet>,
    view: &PixelScale,
) -> Result<()> {
    let Some(style) = &style.rivers else { return Ok(()) };
    let (s, u) = (view.pixels_per_cell(), sheet_scale(view));
    if let Some(order) = style.order {
        let mut lines = ordered(catalogue, (style, order), wet, s)?;
        lines.iter_mut().flatten().for_each(|node| node.load *= u);
        rivers::draw(canvas, &lines, s);
        return Ok(());
    }
    let (thin, wide) = (0.9 * u, 4.2 * u);
    let mut lines = rivers::stretches(catalogue, style, wet, s, |_, share| share.sqrt())?;
    lines.iter_mut().flatten().for_each(|node| node.load = thin + (wide - thin) * node.load);
    rivers::draw(canvas, &lines, s);
    Ok(())
}

/// A river that is being prepared for drawing: its nodes with the cell of each.
struct Course {
    nodes: Vec<Node>,
    cells: Vec<(usize, usize)>,
}

/// Passes of smoothing, and rounds of corner cutting, by pixels per cell: larger cells make larger kinks, but also a wider
/// valley for the river to stay in.
fn smoothing(pixels_per_cell: f32) -> (usize, usize) {
    match pixels_per_cell {
        s if s < 2.5 => (40, 1),
        s if s < 6.0 => (12, 2),
        _ => (6, 3),
    }
}

/// The rivers in cells, the smallest first, with their [`width`] as load. A river that ends in another ends on the smooth line
/// of that one; one that ends in the sea continues into it, and one that ends at the edge of the map leaves it. Lakes
/// interrupt them.
fn ordered(
    catalogue: &Catalogue,
    (style, order): (&Rivers, StreamOrder),
    wet: &Grid<Wet>,
    pixels_per_cell: f32,
) -> Result<Vec<Vec<Node>>> {
    let mut courses = courses(catalogue, style, order)?;
    let (passes, rounds) = smoothing(pixels_per_cell);
    // Every cell of a river but its last belongs to it.
    let mut owners: Vec<((usize, usize), (usize, usize))> = Vec::new();
    for (k, course) in courses.iter().enumerate() {
        owners.extend(course.cells[..course.cells.len() - 1].iter().enumerate().map(|(i, &c)| (c, (k, i))));
    }
    owners.sort_unstable();
    for course in &mut courses {
        for _ in 0..passes {
            course.nodes = smooth(&course.nodes, 0);
        }
    }
    let ends: Vec<Option<(f32, f32)>> = courses
        .iter()
        .map(|course| {
            let cell = course.cells[course.cells.len() - 1];
            let found = owners.get(owners.partition_point(|o| o.0 < cell)).filter(|o| o.0 == cell)?;
            let node = courses[found.1.0].nodes[found.1.1];
            Some((node.x, node.y))
        })
        .collect();
    let mut out = Vec::new();
    for (course, end) in courses.iter_mut().zip(ends).rev() {
        let (last, cell) = (course.nodes.len() - 1, course.cells[course.cells.len() - 1]);
        let (before, here) = (course.nodes[last - 1], course.nodes[last]);
        if let Some((x, y)) = end {
            course.nodes[last] = Node { x, y, ..here };
        } else if wet[cell] == Wet::Sea || wet.on_border(cell.0, cell.1) {
            let beyond = Node { x: 2.0 * here.x - before.x, y: 2.0 * here.y - before.y, load: here.load };
            course.nodes.push(beyond);
            course.cells.push(cell);
        }
        let places: Vec<(Node, Wet)> =
            course.nodes.iter().zip(&course.cells).map(|(n, &c)| (*n, wet[c])).collect();
        for part in places.chunk_by(|a, b| a.1 != Wet::Lake || b.1 != Wet::Lake) {
            let nodes: Vec<Node> = part.iter().map(|(n, _)| *n).collect();
            out.push(line::smooth(&nodes, rounds));
        }
    }
    out.retain(|line| line.len() > 1);
    Ok(out)
}

/// The points of a line, and the cells that it follows.
type Chain<'a> = (&'a [(f64, f64)], Vec<(usize, usize)>);

/// The features of the set in cells, unsmoothed, with their width at each cell.
fn courses(catalogue: &Catalogue, style: &Rivers, by: StreamOrder) -> Result<Vec<Course>> {
    let Some(set) = catalogue.line_set(style.set) else { return Ok(vec![]) };
    let frame = &catalogue.frame;
    let (water, order) = (layer(catalogue, style.load)?.cells(), layer(catalogue, by.layer)?.cells());
    let features = set.features.iter().filter(|f| f.points.len() > 1);
    let chains = features.map(|f| Ok((&f.points[..], catalogue.cells_along(&f.points, by.flow)?)));
    let chains: Vec<Chain> = chains.collect::<Result<_>>()?;
    // A line without as many cells is not that of a river on this map.
    let rivers = || chains.iter().filter(|(points, cells)| points.len() == cells.len());
    let most = rivers()
        .flat_map(|(_, cells)| &cells[..cells.len() - 1])
        .map(|&(column, row)| water.at(column, row))
        .fold(1.0, f64::max);
    let course = |(points, cells): &Chain| {
        let place = |v: f64, origin: f64| ((v - origin) / frame.cell_m) as f32;
        let node = |(p, &(column, row)): (&(f64, f64), &(usize, usize))| {
            let share = (water.at(column, row) / most) as f32;
            let load = width(order.at(column, row) as f32, share);
            Node { x: place(p.0, frame.origin.0), y: place(p.1, frame.origin.1), load }
        };
        let mut nodes: Vec<Node> = points.iter().zip(cells).map(node).collect();
        // The last place may be sea, or belong to the river it flows into.
        let last = nodes.len() - 1;
        nodes[last].load = nodes[last - 1].load;
        Course { nodes, cells: cells.clone() }
    };
    Ok(rivers().map(course).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Cells, Feature, FeatureSet, Kind, Layer};
    use weald_core::Frame;

    const STYLE: Rivers = Rivers {
        set: "rivers",
        label: "River",
        load: "flow",
        width: "width_m",
        widths: None,
        order: Some(ORDER_LAYERS),
    };
    const ORDER_LAYERS: StreamOrder = StreamOrder { layer: "order", flow: "way" };

    /// A river that turns from the east to the south at column 10 and ends in the sea in row 20, and one that joins it at the turn.
    fn lines() -> Vec<Vec<Node>> {
        let (w, h) = (24, 22);
        let middle = |x: usize, y: usize| (x as f64 + 0.5, y as f64 + 0.5);
        let mut main: Vec<(f64, f64)> = (0..=10).map(|x| middle(x, 5)).collect();
        main.extend((6..=20).map(|y| middle(10, y)));
        let side: Vec<(f64, f64)> = (10..=20).rev().map(|x| middle(x, 5)).collect();
        let flow = Grid::from_vec(w, h, (0..w * h).map(|i| (i % w + 10 * (i / w)) as u32).collect());
        let order =
            Grid::from_vec(w, h, (0..w * h).map(|i| if i / w > 5 { 2 } else { 1 }).collect::<Vec<u8>>());
        // East to the column of the turn, west from beyond it, and south below.
        let way = |i: usize| if i / w > 5 || i % w == 10 { 2 } else { if i % w < 10 { 0 } else { 4 } };
        let way = Grid::from_vec(w, h, (0..w * h).map(way).collect::<Vec<u8>>());
        let layer = |name, data| Layer::copied(name, "", data, Kind::Measure);
        let feature = |id, points| Feature::new(id, points, []);
        let catalogue = Catalogue {
            layers: vec![
                layer("flow", Cells::U32(&flow)),
                layer("order", Cells::U8(&order)),
                layer("way", Cells::U8(&way)),
            ],
            lines: vec![FeatureSet::new("rivers", "", vec![feature(0, main), feature(1, side)])],
            points: vec![],
            ..Catalogue::new("land", "m", Frame::new(w, h, 1.0))
        };
        let mut wet = Grid::filled(w, h, Wet::Land);
        (0..w).for_each(|x| (20..h).for_each(|y| wet[(x, y)] = Wet::Sea));
        ordered(&catalogue, (&STYLE, ORDER_LAYERS), &wet, 2.0).unwrap()
    }

    #[test]
    fn a_river_ends_on_the_smooth_line_of_the_one_it_joins() {
        let lines = lines();
        let end = lines[0].last().unwrap();
        assert!((end.x, end.y) != (10.5, 5.5), "the corner of the main river is cut");
        let nearest = lines[1]
            .iter()
            .map(|n| ((n.x - end.x) * (n.x - end.x) + (n.y - end.y) * (n.y - end.y)).sqrt())
            .fold(f32::INFINITY, f32::min);
        assert!(nearest < 0.5, "{nearest}");
    }

    #[test]
    fn a_river_goes_on_into_the_sea_and_turns_without_a_kink() {
        let main = &lines()[1];
        assert!(main.last().unwrap().y > 21.0);
        for w in main.windows(3) {
            let ((ax, ay), (bx, by)) =
                ((w[1].x - w[0].x, w[1].y - w[0].y), (w[2].x - w[1].x, w[2].y - w[1].y));
            let along = (ax * bx + ay * by) / ((ax * ax + ay * ay) * (bx * bx + by * by)).sqrt();
            assert!(along > 0.95, "{w:?}");
        }
    }

    #[test]
    fn rivers_widen_with_their_order_and_towards_the_mouth() {
        let main = &lines()[1];
        assert!(main.windows(2).all(|w| w[1].load >= w[0].load - 1e-5));
        assert!(width(2.0, 0.1) > width(1.0, 0.1) && width(1.0, 0.2) > width(1.0, 0.1));
        assert_eq!(width(9.0, 0.0), width(4.0, 0.0), "the largest orders are not wider than the sheet bears");
    }
}
