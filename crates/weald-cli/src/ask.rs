//! Questions to the endless world: sample, leg, mine.

use crate::args::{Ask, Leg, Mine, Point, Sample};
use crate::make::{Sources, check_memory, find_world, merged, print, read_text};
use crate::progress::{Bars, Progress};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use weald::core::{Ctx, Seed};
use weald::export::stage::{Existing, Form, Stage};
use weald::recipe::Recipe;
use weald::world::endless::{Code, Endless, EndlessParams, REACH_M, Terra, Way, Window, generate};
use weald::{Error, Result};

/// The recipe of the world that is asked.
fn recipe(ask: &Ask) -> Result<Recipe> {
    let world = find_world(&ask.world)?;
    if world.name() != "endless" {
        return Err(Error::Invalid(format!(
            "{}: cannot be asked for single places; make it with `weald generate {}`, or ask endless",
            world.name(),
            world.name()
        )));
    }
    merged(
        world,
        &Sources {
            recipe: ask.recipe.as_deref(),
            params: ask.params.as_deref(),
            seed: ask.seed,
            size: None,
            placed: ask.placed.as_deref(),
            set: &ask.set,
        },
    )
}

/// The world of a recipe.
fn world(recipe: &Recipe) -> Result<Endless> {
    let params: EndlessParams = recipe.params.finish()?;
    Endless::new(Seed(recipe.seed), &params)
}

/// Rows of x, y, height, depth, terrain, feature, code.
pub(crate) fn sample(args: &Sample) -> Result<()> {
    let world = world(&recipe(&args.ask)?)?;
    let points = match &args.points {
        Some(file) => read_points(file)?,
        None if args.at.is_empty() => {
            return Err(Error::Invalid("no place was given; use --at X,Y, or --points FILE.csv".into()));
        }
        None => args.at.clone(),
    };
    let code = |t: &Terra| t.code.as_ref().map_or("", Code::as_str).to_owned();
    let mut out = String::new();
    if args.ask.json {
        let record = |&(x, y): &Point| {
            let t = world.terra(x, y);
            json!({
                "x": x, "y": y, "height": t.height, "depth": t.depth,
                "terrain": t.terrain.name(), "feature": t.feature.name(), "code": code(&t),
            })
        };
        let records: Vec<Value> = points.iter().map(record).collect();
        let _ = writeln!(out, "[");
        for (i, record) in records.iter().enumerate() {
            let _ = writeln!(out, "{record}{}", if i + 1 < records.len() { "," } else { "" });
        }
        let _ = writeln!(out, "]");
    } else {
        let _ = writeln!(out, "x,y,height,depth,terrain,feature,code");
        for &(x, y) in &points {
            let t = world.terra(x, y);
            let (terrain, feature) = (t.terrain.name(), t.feature.name());
            let _ =
                writeln!(out, "{x:?},{y:?},{:?},{:?},{terrain},{feature},{}", t.height, t.depth, code(&t));
        }
    }
    print(&out)
}

/// Places of a CSV file: the columns named x and y, or the first two where there is no heading.
fn read_points(file: &Path) -> Result<Vec<Point>> {
    let text = read_text(file)?;
    let bad = |line: usize, message: &str| Error::Invalid(format!("{}:{line}: {message}", file.display()));
    let mut columns = None;
    let mut points = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let cells: Vec<&str> = line.split([',', ';', '\t']).map(|c| c.trim().trim_matches('"')).collect();
        if columns.is_none() {
            let column = |name: &str| cells.iter().position(|c| c.eq_ignore_ascii_case(name));
            match (column("x"), column("y")) {
                (Some(x), Some(y)) => {
                    columns = Some((x, y));
                    continue;
                }
                _ if cells[0].parse::<f64>().is_ok() => columns = Some((0, 1)),
                _ => return Err(bad(i + 1, "must name the columns x and y, or begin with two numbers")),
            }
        }
        let (x, y) = columns.unwrap_or((0, 1));
        let number = |i: usize| cells.get(i).and_then(|c| c.parse::<f64>().ok());
        match (number(x), number(y)) {
            (Some(x), Some(y)) if x.abs() <= REACH_M as f64 && y.abs() <= REACH_M as f64 => {
                points.push((x, y))
            }
            _ => {
                let message = format!("x and y must be numbers between -{REACH_M} and {REACH_M}");
                return Err(bad(i + 1, &message));
            }
        }
    }
    Ok(points)
}

/// The straight and the best way between two places.
pub(crate) fn leg(args: &Leg, stop: &AtomicBool) -> Result<()> {
    let mut recipe = recipe(&args.ask)?;
    let world = world(&recipe)?;
    let (margin, (from, to)) = (args.margin as i64, (args.from, args.to));
    let within = |v: i64| v.clamp(-REACH_M, REACH_M);
    let (west, east) = (within(from.0.min(to.0) - margin), within(from.0.max(to.0) + margin));
    let (south, north) = (within(from.1.min(to.1) - margin), within(from.1.max(to.1) + margin));
    let (width, height) = ((east - west + 1) as usize, (north - south + 1) as usize);
    recipe.set_size((width, height), "the leg");
    check_memory(&recipe)?;
    let window = Window { west, north, width, height };
    let progress = Progress::new(if args.ask.json { Bars::Off } else { Bars::Auto });
    let ctx = Ctx::new(&progress, stop);
    let map = generate(&world, window, &ctx)?;
    let leg = ctx.stage("route", |c| map.leg(from, to, c))?;
    if let Some(path) = &args.picture {
        let existing = if args.force { Existing::Replace } else { Existing::Keep };
        let stage = Stage::new(path, Form::File, existing)?;
        let image = ctx.stage("map", |c| map.leg_picture(&leg, c))?;
        let png = image.png().map_err(|e| Error::io(path, e))?;
        std::fs::write(stage.path(), png).map_err(|e| Error::io(path, e))?;
        stage.commit()?;
    }
    progress.finish();
    if args.ask.json {
        let way = |w: &Way| {
            let places: Vec<[i64; 2]> = w.places.iter().map(|p| [p.0, p.1]).collect();
            json!({"length_m": w.length_m, "climb": w.climb, "seconds": w.seconds, "places": places})
        };
        let out = json!({"from": [from.0, from.1], "to": [to.0, to.1],
            "direct": way(&leg.direct), "best": leg.best.as_ref().map(way)});
        return print(&format!("{out:#}\n"));
    }
    let line = |name: &str, w: &Way| {
        let time = w.seconds.map_or("no way through a building".to_owned(), |s| {
            format!("{}:{:02} min", s as u64 / 60, s as u64 % 60)
        });
        format!("{name:8} {:8.0} m  {:6.0} climb  {time}\n", w.length_m, w.climb)
    };
    let best =
        leg.best.as_ref().map_or("best     none: the places are cut off\n".to_owned(), |w| line("best", w));
    print(&format!("{}{best}", line("direct", &leg.direct)))
}

/// The connected part of a mine.
pub(crate) fn mine(args: &Mine) -> Result<()> {
    let world = world(&recipe(&args.ask)?)?;
    let levels = world.params().mines.levels;
    if args.level == 0 || args.level > levels {
        let message =
            format!("--level {}: the levels are 1 to {levels}; --set mines.levels=8 makes more", args.level);
        return Err(Error::Invalid(message));
    }
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
        let _ = writeln!(out, "the search ended after {} cells; --most N goes on", args.most);
    }
    print(&out)
}
