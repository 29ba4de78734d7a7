//! Questions to worlds that are functions of place: leg, mine.

use crate::args::{Ask, Leg, Mine};
use crate::make::{Sources, existing, merged, print};
use crate::progress::{Bars, Progress};
use serde_json::{Value, json};
use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use weald::catalogue::Sampler;
use weald::core::{Ctx, Seed};
use weald::export::atomic::{AtomicOutput, Form};
use weald::style::DrawOptions;
use weald::world::endless::{Endless, EndlessParams, Way, generate};
use weald::{Error, Job, Output, Result};

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

/// The endless world of a job; no other world has legs and mines.
fn endless(job: &Job, question: &str) -> Result<Endless> {
    let recipe = job.recipe();
    let name = recipe.world.info().name;
    if name != "endless" {
        return Err(Error::Invalid(format!("{name}: this world has no {question}; use the world endless")));
    }
    let params: EndlessParams = recipe.params.finish()?;
    Endless::new(Seed(recipe.seed), &params)
}

/// The straight and the fastest route between two places.
pub(crate) fn leg(args: &Leg, stop: &AtomicBool) -> Result<()> {
    let job = job(&args.ask)?;
    let world = endless(&job, "legs")?;
    let (from, to) = (args.from, args.to);
    let window = world.leg_window(from, to, args.margin)?;
    job.clone().size((window.width, window.height)).ready()?.check_memory()?;
    if let Some(path) = &args.picture {
        AtomicOutput::validate(path, Form::File, existing(args.force))?;
    }
    let progress = Progress::new(if args.ask.json { Bars::Off } else { Bars::Auto });
    let ctx = Ctx::new(&progress, stop);
    let map = generate(&world, window, &ctx)?;
    let leg = ctx.stage("route", |c| map.leg(from, to, c))?;
    if let Some(path) = &args.picture {
        let staged = AtomicOutput::new(path, Form::File, existing(args.force))?;
        let mut output = Output {
            recipe: job.recipe().clone(),
            catalogue: map.into_catalogue(),
            maps: Default::default(),
        };
        let (route, marks) = leg.course();
        output.catalogue.lines.push(route);
        output.catalogue.points.push(marks);
        let picture = ctx.stage("map", |c| output.draw(&DrawOptions::default(), c))?;
        let mut png = Vec::new();
        picture.write_png(&mut png).map_err(|e| Error::io(path, e))?;
        std::fs::write(staged.path(), png).map_err(|e| Error::io(path, e))?;
        staged.commit()?;
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
        let time = w.seconds.map_or("leads through a building".to_owned(), |s| {
            format!("{}:{:02} min", s as u64 / 60, s as u64 % 60)
        });
        format!("{name:8} {:8.0} m  {:6.0} climb  {time}\n", w.length_m, w.climb)
    };
    let best = leg
        .best
        .as_ref()
        .map_or("best     none: no route joins the two places\n".to_owned(), |w| line("best", w));
    print(&format!("{}{best}", line("direct", &leg.direct)))
}

/// The connected part of a mine.
pub(crate) fn mine(args: &Mine) -> Result<()> {
    let world = endless(&job(&args.ask)?, "mines")?;
    let levels = world.params().mines.levels;
    if args.level == 0 || args.level > levels {
        let message =
            format!("--level {}: the levels are 1 to {levels}; --set mines.levels=8 makes more", args.level);
        return Err(Error::Invalid(message));
    }
    world.place(&[args.at.0 as f64, args.at.1 as f64]).map_err(|e| Error::Invalid(format!("--at: {e}")))?;
    let cell = world.mine_cell(args.at, args.level);
    let part = world.mine_part(cell, args.most, &Ctx::default())?;
    if args.ask.json {
        let cells: Vec<Value> = part.cells.iter().map(|c| json!([c.x, c.y, c.level])).collect();
        let shafts: Vec<Value> = part
            .shafts
            .iter()
            .map(|s| {
                let direction = s.mouth.map(|side| side.opposite().bearing());
                json!({"x": s.place.0, "y": s.place.1, "levels": s.levels, "cave_mouth": s.mouth.is_some(),
                    "direction": direction})
            })
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
        let kind = s.mouth.map_or("shaft".to_owned(), |side| {
            format!("cave mouth with a tunnel to the {}", side.opposite().name())
        });
        let _ = writeln!(out, "{kind} at {},{} down to level {}", s.place.0, s.place.1, s.levels);
    }
    if !part.complete {
        let _ = writeln!(out, "the search stopped after {} cells; --most N searches further", args.most);
    }
    print(&out)
}
