//! The legend of the map of a world.

use super::canvas::{Canvas, Pen, Point};
use super::courses;
use super::ground::{CONTOUR, DEEP, LAKE, MARSH, SHORE, STREAM};
use super::image::Rgb;
use super::lines::Wet;
use super::map::{cover_table, layer};
use super::points;
use super::sea::{COAST, DEPTH, Steps};
use super::sheet::{FAINT, Row, Section, decimals};
use super::text::{number, percent, words};
use crate::Result;
use crate::catalogue::{Catalogue, Cells, Feature, Kind};
use crate::style::map::{Crown, MapStyle, Mark, PointStyle, Rivers, Sea, Tree};
use weald_core::{Ctx, Grid, par};

/// The sample of a legend entry.
#[derive(Clone, Debug)]
enum Sample {
    Ground(Rgb, Vec<Tree>),
    Lake,
    Sea(Rgb, Rgb),
    Stream,
    /// A river of this width.
    River(f32),
    Marsh(Rgb),
    Way(Vec<(Pen, Option<Rgb>)>),
    Contour,
    Depth(Rgb),
    Mark(Mark, Rgb),
}

/// An entry of the legend.
fn row(sample: Sample, label: String, value: String) -> Row {
    Row { sample: Box::new(move |canvas, at, u| draw_sample(canvas, &sample, at, u)), label, value }
}

/// The legend: exactly the classes and lines that occur, with their shares.
pub(super) fn legend(
    catalogue: &Catalogue,
    style: &MapStyle,
    wet: &Grid<Wet>,
    steps: &Steps,
) -> Result<Vec<Section>> {
    let mut sections = Vec::new();
    let cells = catalogue.frame.cells() as f64;
    let table = cover_table(catalogue, style)?;
    let mut marsh_ground = [214, 211, 184];
    if let Some(cover) = &style.cover {
        let layer = layer(catalogue, cover.layer)?;
        let classes = if let Kind::Classes(c) = layer.kind { c } else { &[] };
        let mut rows = Vec::new();
        let mut most = 0u64;
        let values: Vec<u32> = cover.classes.iter().map(|c| c.value).collect();
        let counts = counted(&layer.cells(), &values, |x, y| !matches!(wet[(x, y)], Wet::Lake | Wet::Sea))?;
        for (k, class) in cover.classes.iter().enumerate() {
            let (count, dry) = counts[k];
            // A class that is open water everywhere is in the part about water.
            if dry == 0 {
                continue;
            }
            if count > most {
                (most, marsh_ground) = (count, class.ground);
            }
            let name = classes.iter().find(|c| c.value == class.value).map_or("other", |c| c.name);
            let sample = Sample::Ground(class.ground, table.kinds[k].clone());
            let label = class.label.map_or_else(|| words(name), str::to_owned);
            rows.push(row(sample, label, percent(count as f64 / cells)));
        }
        sections.push(Section { heading: cover.heading.to_string(), rows });
    }
    if let Some(water) = &style.water {
        let layer = layer(catalogue, water.layer)?;
        let classes = if let Kind::Classes(c) = layer.kind { c } else { &[] };
        let groups = [
            (&water.lakes, Sample::Lake),
            (&water.streams, Sample::Stream),
            (&water.marshes, Sample::Marsh(marsh_ground)),
        ];
        let mut rows = Vec::new();
        for (value, sample) in
            groups.into_iter().flat_map(|(values, s)| values.iter().map(move |v| (*v, s.clone())))
        {
            let count = counted(&layer.cells(), &[value], |_, _| true)?[0].0;
            if count > 0 {
                let name = classes.iter().find(|c| c.value == value).map_or("water", |c| c.name);
                rows.push(row(sample, words(name), percent(count as f64 / cells)));
            }
        }
        sections.push(Section { heading: "Water".to_string(), rows });
    }
    sections.push(numbered_water(catalogue, style)?);
    sections.push(places(catalogue, style));
    let mut rows = Vec::new();
    for (k, line) in style.lines.iter().enumerate() {
        let meant = |f: &Feature| f.points.len() > 1 && line.only.is_none_or(|only| only.has(f));
        let drawn = catalogue.line_set(line.set).is_some_and(|s| s.features.iter().any(meant));
        let listed = rows.iter().any(|row: &Row| row.label == line.label);
        if drawn && !line.label.is_empty() && !listed {
            // Lines without a name over the whole of the same set are part of its look, such as the stripes of a railroad.
            let over = style.lines[k + 1..].iter().take_while(|l| {
                l.set == line.set && l.label.is_empty() && l.only.is_none() && line.only.is_none()
            });
            let pens = std::iter::once(line)
                .chain(over)
                .map(|l| (Pen { dash: l.dash, ..Pen::new(l.colour, l.width) }, l.casing));
            rows.push(row(Sample::Way(pens.collect()), line.label.to_string(), String::new()));
        }
    }
    if let Some(step) = steps.contour {
        let every = every(catalogue, style.relief.map(|r| r.layer), step);
        rows.push(row(Sample::Contour, format!("Contour, every {every}"), String::new()));
    }
    if let (Some(step), Some(sea)) = (steps.depth, &style.sea) {
        let every = every(catalogue, Some(sea.layer), step);
        rows.push(row(Sample::Depth(sea.shallow), format!("Depth, every {every}"), String::new()));
    }
    sections.push(Section { heading: "Lines".to_string(), rows });
    sections.retain(|s| !s.rows.is_empty());
    Ok(sections)
}

/// A length in the unit of a layer.
fn every(catalogue: &Catalogue, layer: Option<&str>, step: f32) -> String {
    let value = number(step as f64, decimals(step as f64).min(4));
    match layer.and_then(|name| catalogue.layer(name)).map_or("", |l| l.unit) {
        "" | "1" => value,
        unit => format!("{value} {unit}"),
    }
}

/// The point sets of the style that have points.
fn places(catalogue: &Catalogue, style: &MapStyle) -> Section {
    let drawn = |p: &&PointStyle| {
        let meant = |f: &Feature| p.only.is_none_or(|only| only.has(f));
        catalogue.point_set(p.set).is_some_and(|s| s.features.iter().any(meant))
    };
    let rows = style.points.iter().filter(drawn);
    let rows = rows.map(|p| row(Sample::Mark(p.mark, p.colour), p.label.to_string(), String::new()));
    Section { heading: "Places".to_string(), rows: rows.collect() }
}

/// The sea with its least and greatest depth.
fn sea_row(catalogue: &Catalogue, sea: &Sea) -> Result<Option<Row>> {
    let layer = layer(catalogue, sea.layer)?;
    let (w, h) = layer.cells().shape();
    let rows = par::map(h, &Ctx::default(), |y| {
        let extend = |(n, lo, hi): (u64, f64, f64), d: f64| {
            if d > 0.0 { (n + 1, lo.min(d), hi.max(d)) } else { (n, lo, hi) }
        };
        let none = (0u64, f64::INFINITY, 0.0f64);
        match layer.cells() {
            Cells::F32(data) => data.row(y).iter().map(|v| -(*v as f64)).fold(none, extend),
            data => (0..w).map(|x| -data.at(x, y)).fold(none, extend),
        }
    })?;
    let (count, lo, hi) =
        rows.into_iter().fold((0, f64::INFINITY, 0.0f64), |a, b| (a.0 + b.0, a.1.min(b.1), a.2.max(b.2)));
    if count == 0 {
        return Ok(None);
    }
    let unit = if layer.unit.is_empty() { String::new() } else { format!(" {}", layer.unit) };
    let (lo, hi) = (number(lo, 0), number(hi, 0));
    let depth = if lo == hi { lo } else { format!("{lo} to {hi}") };
    let share = percent(count as f64 / catalogue.frame.cells() as f64);
    Ok(Some(row(Sample::Sea(sea.shallow, sea.deep), format!("{}, {depth}{unit}", sea.label), share)))
}

/// The rivers: one entry, or one for each stream order that occurs, the last for all larger ones.
fn river_rows(catalogue: &Catalogue, rivers: &Rivers) -> Result<Vec<Row>> {
    /// Stream orders with an entry of their own.
    const APART: u32 = 4;
    let Some(order) = rivers.order else {
        return Ok(vec![row(Sample::Stream, rivers.label.to_string(), String::new())]);
    };
    let most = match layer(catalogue, order.layer)?.cells() {
        Cells::U8(data) => par::map(data.height(), &Ctx::default(), |y| data.row(y).iter().copied().max())?
            .into_iter()
            .flatten()
            .max()
            .map_or(0, u32::from),
        data => data.min_max().1 as u32,
    };
    let one = |order: u32| {
        let all =
            if order == APART && most > APART { format!("{order} to {most}") } else { order.to_string() };
        let width = courses::width(order as f32, 0.12 * (order * order) as f32);
        row(Sample::River(width), format!("{}, order {all}", rivers.label), String::new())
    };
    Ok((1..=most.clamp(1, APART)).map(one).collect())
}

/// The sea, lakes that a layer numbers, and rivers that are lines.
fn numbered_water(catalogue: &Catalogue, style: &MapStyle) -> Result<Section> {
    let mut rows = Vec::new();
    if let Some(sea) = &style.sea {
        rows.extend(sea_row(catalogue, sea)?);
    }
    if let Some(lakes) = &style.lakes {
        let data = layer(catalogue, lakes.layer)?.cells();
        let cells = catalogue.frame.cells() as f64;
        let (dry, _) = counted(&data, &[0], |_, _| true)?[0];
        if (dry as f64) < cells {
            rows.push(row(Sample::Lake, lakes.label.to_string(), percent(1.0 - dry as f64 / cells)));
        }
    }
    if let Some(rivers) = &style.rivers
        && catalogue.line_set(rivers.set).is_some_and(|s| s.features.iter().any(|f| f.points.len() > 1))
    {
        rows.extend(river_rows(catalogue, rivers)?);
    }
    Ok(Section { heading: "Water".to_string(), rows })
}

/// How many cells hold each of `values`, and how many of those `also` holds for.
fn counted(
    data: &Cells,
    values: &[u32],
    also: impl Fn(usize, usize) -> bool + Sync,
) -> Result<Vec<(u64, u64)>> {
    let (w, h) = data.shape();
    let rows = par::map(h, &Ctx::default(), |y| {
        let mut counts = vec![(0, 0); values.len()];
        if let Cells::U8(data) = data {
            let also: Vec<bool> = (0..w).map(|x| also(x, y)).collect();
            for (count, value) in counts.iter_mut().zip(values) {
                for (cells, also) in data.row(y).chunks(128).zip(also.chunks(128)) {
                    let here = |c: &u8| (*c as u32 == *value) as u8;
                    count.0 += cells.iter().map(here).sum::<u8>() as u64;
                    count.1 +=
                        cells.iter().zip(also).map(|(c, also)| here(c) & *also as u8).sum::<u8>() as u64;
                }
            }
            return counts;
        }
        for x in 0..w {
            let value = data.at(x, y) as u32;
            if let Some(k) = values.iter().position(|v| *v == value) {
                counts[k].0 += 1;
                counts[k].1 += also(x, y) as u64;
            }
        }
        counts
    })?;
    let add = |sum: Vec<(u64, u64)>, row: Vec<(u64, u64)>| {
        sum.into_iter().zip(row).map(|(a, b)| (a.0 + b.0, a.1 + b.1)).collect()
    };
    Ok(rows.into_iter().fold(vec![(0, 0); values.len()], add))
}

fn draw_sample(canvas: &mut Canvas, sample: &Sample, (x, y): Point, u: f32) {
    let (w, h) = (44.0 * u, 24.0 * u);
    let at = |dx: f32, dy: f32| (x + dx * u, y + dy * u);
    let wave = |from: f32, to: f32| -> Vec<Point> {
        let nodes = [(from, 14.0), (from + 9.0, 9.0), (22.0, 13.0), (to - 9.0, 16.0), (to, 10.0)]
            .map(|(x, y)| super::lines::Node { x, y, load: 0.0 });
        super::lines::smooth(&nodes, 3).iter().map(|n| at(n.x, n.y)).collect()
    };
    let framed = match sample {
        Sample::Ground(ground, trees) => {
            canvas.rectangle((x, y), (w, h), *ground, 1.0);
            draw_sample_trees(canvas, trees, (x, y), u);
            true
        }
        Sample::Lake => {
            canvas.rectangle((x, y), (w, h), LAKE, 1.0);
            canvas.rectangle(at(10.0, 6.0), (24.0 * u, 12.0 * u), DEEP, 0.25);
            canvas.frame((x, y), (w, h), &Pen::new(SHORE, 1.4 * u));
            false
        }
        Sample::Sea(shallow, deep) => {
            for k in 0..44 {
                let mix = |c: usize| {
                    (shallow[c] as f32 + (deep[c] as f32 - shallow[c] as f32) * k as f32 / 43.0) as u8
                };
                canvas.rectangle(at(k as f32, 0.0), (1.1 * u, h), [mix(0), mix(1), mix(2)], 1.0);
            }
            canvas.frame((x, y), (w, h), &Pen::new(COAST, 1.2 * u));
            false
        }
        Sample::Stream => {
            canvas.line(&wave(1.0, 43.0), &Pen::new(STREAM, 2.6 * u));
            false
        }
        Sample::River(width) => {
            canvas.line(&wave(1.0, 43.0), &Pen::new(STREAM, width * u));
            false
        }
        Sample::Depth(water) => {
            canvas.rectangle((x, y), (w, h), *water, 1.0);
            canvas.line(&wave(0.0, 44.0), &Pen { opacity: 0.6, ..Pen::new(DEPTH, 1.2 * u) });
            true
        }
        Sample::Mark(mark, colour) => {
            points::draw_mark(canvas, *mark, at(22.0, 12.0), *colour, 1.2 * u);
            false
        }
        Sample::Marsh(ground) => {
            canvas.rectangle((x, y), (w, h), *ground, 1.0);
            canvas.rectangle((x, y), (w, h), [168, 204, 204], 0.3);
            for (k, shift) in [(0, 6.0), (1, 2.0), (2, 9.0), (3, 4.0)] {
                for start in [shift, shift + 12.0, shift + 24.0] {
                    let top = 4.5 + 5.0 * k as f32;
                    canvas.line(&[at(start, top), at(start + 7.0, top)], &Pen::new(MARSH, 1.2 * u));
                }
            }
            true
        }
        Sample::Way(pens) => {
            for (pen, casing) in pens {
                if let Some(casing) = casing {
                    let below = Pen { dash: None, ..Pen::new(*casing, (pen.width + 1.8) * u) };
                    canvas.line(&wave(1.0, 43.0), &below);
                }
                let dash = pen.dash.map(|(on, off)| (on * u, off * u));
                canvas.line(&wave(1.0, 43.0), &Pen { width: pen.width * u, dash, ..*pen });
            }
            false
        }
        Sample::Contour => {
            let shift =
                |dy: f32| wave(1.0, 43.0).into_iter().map(|(x, y)| (x, y + dy * u)).collect::<Vec<_>>();
            canvas.line(&shift(-4.0), &Pen { opacity: 0.7, ..Pen::new(CONTOUR, 0.9 * u) });
            canvas.line(&shift(4.0), &Pen { opacity: 0.9, ..Pen::new(CONTOUR, 1.5 * u) });
            false
        }
    };
    if framed {
        canvas.frame((x, y), (w, h), &Pen { opacity: 0.55, ..Pen::new(FAINT, u) });
    }
}

/// A few trees of each kind.
fn draw_sample_trees(canvas: &mut Canvas, trees: &[Tree], (x, y): Point, u: f32) {
    const PLACES: [Point; 7] =
        [(9.0, 8.0), (21.0, 6.5), (34.0, 9.0), (14.0, 17.0), (27.0, 16.0), (38.0, 17.5), (5.5, 16.5)];
    if trees.is_empty() {
        return;
    }
    for (k, (dx, dy)) in PLACES.into_iter().enumerate() {
        let tree = trees[k % trees.len()];
        let r = 3.4 * tree.size * u;
        let (cx, cy) = (x + dx * u, y + dy * u);
        canvas.disc((cx + 0.5 * r, cy + 0.6 * r), r, [40, 50, 50], 0.25);
        canvas.disc((cx, cy), r, tree.crown, 1.0);
        let light = tree.crown.map(|c| c + (255 - c) / 4);
        let inner = if tree.shape == Crown::Pointed { 0.42 } else { 0.55 };
        canvas.disc((cx - 0.28 * r, cy - 0.28 * r), r * inner, light, 0.8);
    }
}
