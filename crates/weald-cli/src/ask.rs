//! The job of a question, and the mines of the endless world.

use crate::args::{Ask, Mine};
use crate::make::{Sources, merged, print};
use serde_json::{Value, json};
use std::fmt::Write;
use weald::catalogue::Sampler;
use weald::core::{Ctx, Seed};
use weald::world::endless::{Endless, EndlessParams};
use weald::{Error, Job, Result};

/// Where the values of the world that is asked come from.
pub(crate) fn sources(ask: &Ask) -> Sources<'_> {
    Sources {
        recipe: ask.recipe.as_deref(),
        params: ask.params.as_deref(),
        seed: ask.seed,
        placed: ask.placed.as_deref(),
        set: &ask.set,
        ..Sources::default()
    }
}

/// The job of the world that is asked.
pub(crate) fn job(ask: &Ask) -> Result<Job> {
    merged(&ask.world, &sources(ask))
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

/// The connected part of a mine.
pub(crate) fn mine(args: &Mine) -> Result<()> {
    let world = endless(&job(&args.ask)?)?;
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
