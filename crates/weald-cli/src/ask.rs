//! Questions to worlds that are functions of place: sample, mine.

use crate::args::{Ask, Mine, Point, Sample};
use crate::make::{Sources, merged, print};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::Path;
use weald::catalogue::Sampler;
use weald::core::{Ctx, Seed};
use weald::job::read_text;
use weald::world::endless::{Endless, EndlessParams};
use weald::{Error, Job, Result};

/// The job of the world that is asked.
pub(crate) fn job(ask: &Ask) -> Result<Job> {
    let sources = Sources {
        recipe: ask.recipe.as_deref(),
        params: ask.params.as_deref(),
        seed: ask.seed,
        placed: ask.placed.as_deref(),
        set: &ask.set,
        ..Sources::default()
    };
    merged(&ask.world, &sources)
}

/// The endless world of a job; no other world has mines.
fn endless(job: &Job) -> Result<Endless> {
    let recipe = job.recipe();
    let name = recipe.world.info().name;
    if name != "endless" {
        return Err(Error::Invalid(format!("{name}: this world has no mines; use the world endless")));
    }
    let params: EndlessParams = recipe.params.finish()?;
    Endless::new(Seed(recipe.seed), &params)
}

/// Names of the coordinates.
const AXES: [&str; 3] = ["x", "y", "z"];

/// One row for each place: its coordinates, then the columns of the world.
pub(crate) fn sample(args: &Sample) -> Result<()> {
    let job = job(&args.ask)?;
    let name = job.recipe().world.info().name;
    let sampler = job.sampler()?.ok_or_else(|| {
        let message = format!("this world cannot be sampled; make it with `weald generate {name}`");
        Error::Invalid(format!("{name}: {message}, or sample endless or planet"))
    })?;
    let points = match &args.points {
        Some(file) => read_points(file, sampler.as_ref())?,
        None if args.at.is_empty() => {
            return Err(Error::Invalid("no place was given; use --at X,Y, or --points FILE.csv".into()));
        }
        None => args.at.clone(),
    };
    let axes = &AXES[..sampler.bounds().1];
    for point in &points {
        validate_point(point, sampler.as_ref()).map_err(|e| Error::Invalid(format!("--at: {e}")))?;
    }
    let mut out = String::new();
    if args.ask.json {
        let _ = writeln!(out, "[");
        for (i, point) in points.iter().enumerate() {
            let place = axes.iter().zip(point).map(|(axis, v)| ((*axis).to_owned(), json!(v)));
            let values =
                sampler.columns().iter().map(|c| c.name.to_owned()).zip(sampler.sample(place_of(point)));
            let record: Map<String, Value> = place.chain(values).collect();
            let _ = writeln!(out, "{}{}", json!(record), if i + 1 < points.len() { "," } else { "" });
        }
        let _ = writeln!(out, "]");
        return print(&out);
    }
    let names: Vec<&str> = axes.iter().copied().chain(sampler.columns().iter().map(|c| c.name)).collect();
    let _ = writeln!(out, "{}", names.join(","));
    for point in &points {
        let place = point.iter().map(|v| format!("{v:?}"));
        let text = |v: Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
        let row: Vec<String> = place.chain(sampler.sample(place_of(point)).into_iter().map(text)).collect();
        let _ = writeln!(out, "{}", row.join(","));
    }
    print(&out)
}

/// Three coordinates; missing ones are 0.
fn place_of(point: &[f64]) -> [f64; 3] {
    std::array::from_fn(|k| point.get(k).copied().unwrap_or(0.0))
}

fn validate_point(point: &[f64], sampler: &dyn Sampler) -> std::result::Result<(), String> {
    let (reach, count) = sampler.bounds();
    if point.len() == count && point.iter().all(|v| v.abs() <= reach) {
        return Ok(());
    }
    Err(format!(
        "a place must be {count} numbers between -{reach} and {reach}, such as {}",
        ["0"; 3][..count].join(",")
    ))
}

/// Places of a CSV file: the columns named x, y (and z), or the first ones if there is no header.
fn read_points(file: &Path, sampler: &dyn Sampler) -> Result<Vec<Point>> {
    let text = read_text(file)?;
    let bad = |line: usize, message: &str| Error::Invalid(format!("{}:{line}: {message}", file.display()));
    let axes = &AXES[..sampler.bounds().1];
    let mut columns: Option<Vec<usize>> = None;
    let mut points = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let cells: Vec<&str> = line.split([',', ';', '\t']).map(|c| c.trim().trim_matches('"')).collect();
        if columns.is_none() {
            let column = |name: &&str| cells.iter().position(|c| c.eq_ignore_ascii_case(name));
            match axes.iter().map(column).collect::<Option<Vec<usize>>>() {
                Some(named) => {
                    columns = Some(named);
                    continue;
                }
                None if cells[0].parse::<f64>().is_ok() => columns = Some((0..axes.len()).collect()),
                None => {
                    let names = axes.join(" and ");
                    return Err(bad(i + 1, &format!("must name the columns {names}, or begin with numbers")));
                }
            }
        }
        let number = |&column: &usize| cells.get(column).and_then(|c| c.parse::<f64>().ok());
        let point: Point = columns.iter().flatten().filter_map(number).collect();
        validate_point(&point, sampler).map_err(|e| bad(i + 1, &e))?;
        points.push(point);
    }
    Ok(points)
}

/// The connected part of a mine.
pub(crate) fn mine(args: &Mine) -> Result<()> {
    let world = endless(&job(&args.ask)?)?;
    let levels = world.params().mines.levels;
    if args.level == 0 || args.level > levels {
        let message =
            format!("--level {}: the levels are 1 to {levels}; --set mines.levels=8 makes more", args.level);
        return Err(Error::Invalid(message));
    }
    validate_point(&[args.at.0 as f64, args.at.1 as f64], &world)
        .map_err(|e| Error::Invalid(format!("--at: {e}")))?;
    let cell = world.mine_cell(args.at, args.level);
    let part = world.mine_part(cell, args.most, &Ctx::default())?;
    if args.ask.json {
        let cells: Vec<Value> = part.cells.iter().map(|c| json!([c.x, c.y, c.level])).collect();
        let shafts: Vec<Value> = part
            .shafts
            .iter()
            .map(|s| json!({"x": s.place.0, "y": s.place.1, "levels": s.levels, "cave_mouth": s.cave_mouth}))
            .collect();
        let out = json!({"cell": [cell.x, cell.y, cell.level], "open": !part.cells.is_empty(),
            "complete": part.complete, "cells": cells, "shafts": shafts});
        return print(&format!("{out}\n"));
    }
    let mut out = format!("cell {},{} level {}: ", cell.x, cell.y, cell.level);
    if part.cells.is_empty() {
        let _ = writeln!(out, "rock");
        return print(&out);
    }
    let at_least = if part.complete { "" } else { "at least " };
    let _ = writeln!(
        out,
        "open, in a mine of {at_least}{} cells with {} shafts",
        part.cells.len(),
        part.shafts.len()
    );
    for s in &part.shafts {
        let kind = if s.cave_mouth { "cave mouth" } else { "shaft" };
        let _ = writeln!(out, "{kind} at {},{} down to level {}", s.place.0, s.place.1, s.levels);
    }
    if !part.complete {
        let _ = writeln!(out, "the search stopped after {} cells; --most N searches further", args.most);
    }
    print(&out)
}
