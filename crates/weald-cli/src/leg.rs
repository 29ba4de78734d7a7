//! leg: how fast a runner is between two places of endless or planet.

use crate::args::{Leg as Args, Pair, whole};
use crate::ask::{job, sources};
use crate::draw::save;
use crate::make::print;
use crate::output;
use crate::progress::{Bars, Progress};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use weald::catalogue::{Catalogue, FeatureSet};
use weald::core::{Ctx, Seed};
use weald::export::atomic::Form;
use weald::memory;
use weald::world::endless::{Endless, EndlessParams, generate};
use weald::world::planet::ground::Ground;
use weald::world::planet::local::{self, Extent, LatLon, Local};
use weald::world::planet::{PlanetParams, features};
use weald::world::runner::{self, Leg, SearchCost, Way};
use weald::{Error, Job, Output, Result};

/// Prints the straight and the fastest route between two places.
pub(crate) fn run(args: &Args, stop: &AtomicBool) -> Result<()> {
    let job = job(&args.ask)?;
    if let Some(path) = &args.picture {
        output::validate(("--picture", path), Form::File, args.force, &sources(&args.ask).files())?;
    }
    let progress = Progress::new(if args.ask.json { Bars::Off } else { Bars::Auto });
    let ctx = Ctx::new(&progress, stop);
    let told = match job.recipe().world.info().name {
        "endless" => on_the_plane(&job, args, &ctx)?,
        "planet" => on_the_sphere(&job, args, &ctx)?,
        name => {
            let message = format!("{name}: this world has no legs; use the world endless or planet");
            return Err(Error::Invalid(message));
        }
    };
    progress.finish();
    print(&told)
}

/// A leg of the endless world, between whole places.
fn on_the_plane(job: &Job, args: &Args, ctx: &Ctx) -> Result<String> {
    let (from, to) = (whole("--from", args.from)?, whole("--to", args.to)?);
    let recipe = job.recipe();
    let params: EndlessParams = recipe.params.finish()?;
    let world = Endless::new(Seed(recipe.seed), &params)?;
    let window = world.leg_window(from, to, args.margin)?;
    let shape = (window.width, window.height);
    let bytes = recipe.world.plan(&recipe.params)?.bytes_needed(shape);
    afford(shape, bytes, args)?;
    let map = generate(&world, window, ctx)?;
    let leg = ctx.stage("route", |c| map.leg(from, to, c))?;
    if let Some(path) = &args.picture {
        let mut catalogue = map.into_catalogue();
        add(&mut catalogue, leg.course());
        let output = Output {
            recipe: recipe.clone(),
            catalogue,
            maps: Default::default(),
            readings: Default::default(),
        };
        save(path, args.force, &ctx.stage("map", |c| output.draw(&Default::default(), c))?)?;
    }
    Ok(told(args, &leg, |place| json!([place.0, place.1])))
}

/// A leg of the planet, between latitudes and longitudes.
fn on_the_sphere(job: &Job, args: &Args, ctx: &Ctx) -> Result<String> {
    let (from, to) = (degrees("--from", args.from)?, degrees("--to", args.to)?);
    let recipe = job.recipe();
    let params: PlanetParams = recipe.params.finish()?;
    let extent = Extent::of_leg(from, to, args.margin, params.radius_m)?;
    let shape = (extent.width, extent.height);
    afford(shape, extent.bytes_needed(), args)?;
    let seed = Seed(recipe.seed);
    let ground = Arc::new(Ground::of(seed, &params).map_err(Error::Invalid)?);
    let things = match args.picture {
        Some(_) => ctx.stage("features", |c| features::find(&ground, c))?,
        None => Vec::new(),
    };
    let map = ctx.stage("ground", |c| Local::new(&ground, extent, &things, c))?;
    let leg = ctx.stage("route", |c| map.leg(from, to, c))?;
    if let Some(path) = &args.picture {
        let course = map.course(&leg);
        let mut catalogue = map.into_catalogue(seed, &params);
        add(&mut catalogue, course);
        let style = local::style(&catalogue);
        save(path, args.force, &ctx.stage("map", |c| weald::render::draw(&catalogue, style, None, c))?)?;
    }
    let place = |&(lat, lon): &LatLon| json!([lat, lon]);
    Ok(told(args, &leg, place))
}

/// Latitude and longitude in their ranges.
fn degrees(option: &str, (lat, lon): Pair) -> Result<LatLon> {
    if lat.abs() > 90.0 || lon.abs() > 360.0 {
        let message = "the latitude must be between -90 and 90, and the longitude between -360 and 360";
        return Err(Error::Invalid(format!("{option} {lat},{lon}: {message}")));
    }
    Ok((lat, lon))
}

/// Refuses a search window that is too large, and says what a large one costs.
fn afford(shape: (usize, usize), map_bytes: u64, args: &Args) -> Result<()> {
    let cost = SearchCost::of(shape, map_bytes);
    cost.check(args.cells)?;
    if let Some(free) = memory::available().filter(|free| cost.bytes > *free) {
        return Err(Error::Shape(format!(
            "the leg needs {cost}, but only {} of memory are free; run shorter legs, or give a smaller --margin",
            memory::readable(free)
        )));
    }
    if cost.cells > runner::MANY_CELLS {
        let _ = writeln!(std::io::stderr(), "the leg needs {cost}");
    }
    Ok(())
}

/// Adds the route and the marks of a course.
fn add(catalogue: &mut Catalogue, (route, marks): (FeatureSet, FeatureSet)) {
    catalogue.lines.push(route);
    catalogue.points.push(marks);
}

/// A leg as text or as JSON.
fn told<P>(args: &Args, leg: &Leg<P>, place: impl Fn(&P) -> Value) -> String {
    if args.ask.json {
        let way = |w: &Way<P>| {
            let places: Vec<Value> = w.places.iter().map(&place).collect();
            json!({"length_m": w.length_m, "climb_m": w.climb_m, "seconds": w.seconds, "places": places})
        };
        let ends = [&args.from, &args.to].map(|end| json!([number(end.0), number(end.1)]));
        let out = json!({"from": ends[0], "to": ends[1],
            "direct": way(&leg.direct), "best": leg.best.as_ref().map(way)});
        return format!("{out:#}\n");
    }
    let line = |name: &str, w: &Way<P>| {
        let time = w.seconds.map_or("leads through a building".to_owned(), |s| {
            let whole = s.round() as u64;
            format!("{}:{:02} min", whole / 60, whole % 60)
        });
        format!("{name:8} {:8.0} m  {:6.0} m climb  {time}\n", w.length_m, w.climb_m)
    };
    let best = leg
        .best
        .as_ref()
        .map_or("best     none: no route joins the two places\n".to_owned(), |w| line("best", w));
    format!("{}{best}", line("direct", &leg.direct))
}

/// A whole number without decimals.
fn number(v: f64) -> Value {
    if v.fract() == 0.0 { json!(v as i64) } else { json!(v) }
}
