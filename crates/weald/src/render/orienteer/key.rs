//! The legend of an orienteering map: what occurs on it, drawn as it is there.

use super::super::canvas::{Canvas, Pen, Point};
use super::super::ground::tone;
use super::super::image::{Image, Rgb};
use super::super::sheet::{FAINT, Row, Section};
use super::ground::{Ground, lay};
use super::{Drawing, course, curve, symbols, ways};
use crate::Result;
use crate::catalogue::Catalogue;
use crate::style::orienteer::{GroundLook, OrienteerStyle, WayLook};

const WIDE: f32 = 44.0;
const HIGH: f32 = 24.0;

fn row(label: &str, sample: impl Fn(&mut Canvas, Point, f32) + 'static) -> Row {
    Row { sample: Box::new(sample), label: label.to_string(), value: String::new() }
}

/// A gently bent line across a sample.
fn bend((x, y): Point, u: f32) -> Vec<Point> {
    [(1.0, 15.0), (11.0, 9.0), (22.0, 12.5), (33.0, 16.0), (43.0, 10.0)]
        .map(|(dx, dy)| (x + dx * u, y + dy * u))
        .to_vec()
}

fn middle((x, y): Point, u: f32) -> Point {
    (x + WIDE / 2.0 * u, y + HIGH / 2.0 * u)
}

fn area(canvas: &mut Canvas, (x, y): Point, u: f32, fill: Rgb, edge: Option<Rgb>) {
    canvas.rectangle((x, y), (WIDE * u, HIGH * u), fill, 1.0);
    let pen = match edge {
        Some(edge) => Pen::new(edge, 1.5 * u),
        None => Pen { opacity: 0.55, ..Pen::new(FAINT, u) },
    };
    canvas.frame((x, y), (WIDE * u, HIGH * u), &pen);
}

/// The parts of the legend: ground, landforms, water and lines, points.
pub(super) fn legend(
    catalogue: &Catalogue,
    style: &OrienteerStyle,
    ground: &Ground,
    pen: &Drawing,
) -> Result<Vec<Section>> {
    let mut sections = Vec::new();
    let mut rows = Vec::new();
    let classes = style.ground.iter().flat_map(|g| &g.classes);
    for class in classes.filter(|c| !c.label.is_empty() && ground.values.contains(&c.value)) {
        let look = class.look;
        rows.push(row(class.label, move |canvas, at, u| match look {
            GroundLook::Area { fill, edge } => area(canvas, at, u, fill, edge),
            GroundLook::Water { fill, bank } => area(canvas, at, u, fill, Some(bank)),
            GroundLook::Through => area(canvas, at, u, [255; 3], None),
            GroundLook::Over(texture) => {
                let (w, h) = ((WIDE * u) as usize, (HIGH * u) as usize);
                let mut bytes = Vec::with_capacity(3 * w * h);
                for y in 0..h {
                    for x in 0..w {
                        let mut pixel = tone([255; 3]);
                        lay(texture, (x, y), u, 1.0, &mut pixel);
                        bytes.extend(pixel.map(|c| (c + 0.5) as u8));
                    }
                }
                canvas.place(&Image::from_bytes(w, h, bytes), at.0.round() as usize, at.1.round() as usize);
                canvas.frame(at, (WIDE * u, HIGH * u), &Pen { opacity: 0.55, ..Pen::new(FAINT, u) });
            }
        }));
    }
    if let Some(veil) = style.veil.filter(|_| ground.has_veil()) {
        rows.push(row(veil.label, move |canvas, at, u| area(canvas, at, u, veil.colour, None)));
    }
    let heading = style.ground.as_ref().map_or("Ground", |g| g.heading);
    sections.push(Section { heading: heading.to_string(), rows });

    let mut rows = Vec::new();
    let mut classes = style.ground.iter().flat_map(|g| &g.classes);
    let wet = classes.any(|c| matches!(c.look, GroundLook::Water { .. }) && ground.values.contains(&c.value));
    let looks = [
        (style.relief, "Contour", "Index contour"),
        (style.depth.filter(|_| wet), "Depth contour", "Index depth contour"),
    ];
    for (relief, plain, thick) in looks {
        let Some(relief) = relief else { continue };
        let line = move |canvas: &mut Canvas, at: Point, u: f32, width: f32| {
            if let Some(path) = curve(&bend(at, u), 1e9) {
                canvas.stroke(&path, &Pen::new(relief.colour, width * u));
            }
        };
        let every = |step: f64| format!("every {} m", (step * 100.0).round() / 100.0);
        rows.push(row(&format!("{plain}, {}", every(relief.step_m)), move |canvas, at, u| {
            line(canvas, at, u, 1.05)
        }));
        if relief.index_every > 0 {
            let step = relief.step_m * f64::from(relief.index_every);
            rows.push(row(&format!("{thick}, {}", every(step)), move |canvas, at, u| {
                line(canvas, at, u, 1.95)
            }));
        }
    }
    for way in &style.lines {
        let set = catalogue.line_set(way.set);
        if set.is_some_and(|s| !ways::on_map(s, pen, 0.0).is_empty()) {
            let look = way.look;
            rows.push(row(way.label, move |canvas, at, u| {
                let mut line = bend(at, u);
                if matches!(look, WayLook::Bridge { .. }) {
                    line = line[1..4].to_vec();
                }
                // A legend has no scale, so true widths are not used.
                ways::draw_lines(canvas, &[line], &look, u, |_| 0.0);
            }));
        }
    }
    sections.push(Section { heading: "Lines".to_string(), rows });

    let mut rows = Vec::new();
    for square in style.squares.iter().filter(|s| symbols::occurs(catalogue, s.set, pen, |_| true)) {
        let look = *square;
        rows.push(row(square.label, move |canvas, at, u| {
            symbols::draw_square(canvas, &look, middle(at, u), 17.0 * u, u);
        }));
    }
    for points in &style.points {
        for kind in &points.kinds {
            if symbols::occurs(catalogue, points.set, pen, |f| symbols::is_of(f, kind)) {
                let kind = *kind;
                // A symbol that is turned on the map points to the north-east here.
                let turned = symbols::any_direction(catalogue, points.set, pen, &kind);
                let direction = if turned { 45.0 } else { symbols::UPRIGHT };
                rows.push(row(kind.label, move |canvas, at, u| {
                    symbols::draw_symbol(canvas, &kind, middle(at, u), direction, 1.15 * u);
                }));
            }
        }
    }
    if let Some(course) = style.course.filter(|c| course::occurs(catalogue, c, pen)) {
        rows.push(row(course.label, move |canvas, at, u| {
            course::draw_sample(canvas, middle(at, u), &course, u);
        }));
    }
    sections.push(Section { heading: "Points".to_string(), rows });
    sections.retain(|s| !s.rows.is_empty());
    Ok(sections)
}
