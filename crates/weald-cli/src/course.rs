//! course: a course for orienteers in the endless world, as a table and on a map.

use crate::args::Course as Args;
use crate::ask::{job, sources};
use crate::draw::save;
use crate::export::{is_folder, told};
use crate::make::{existing, one_from_standard_input, print};
use crate::output;
use crate::progress::{Bars, Progress};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use weald::core::{Ctx, Seed};
use weald::export::atomic::{AtomicOutput, Form};
use weald::export::chart::ChartOptions;
use weald::export::target::{Delivered, ExportOptions, Target};
use weald::job::read_text;
use weald::memory;
use weald::world::endless::{
    Course, CourseWish, Endless, EndlessParams, Given, LEG_MARGIN_M, Window, generate,
};
use weald::world::runner::{self, SearchCost};
use weald::{Error, Job, Output, Result};

/// Length of a course unless one is given, in metres.
const LENGTH_M: f64 = 5000.0;
/// Side of the map as a share of the length of the course, and its least and greatest in metres.
const SIDE: (f64, f64, f64) = (0.3, 600.0, 4000.0);

/// Where the controls come from.
enum Controls {
    Wish(CourseWish),
    Given(Vec<Given>),
}

/// Where the result goes, besides standard output.
enum Place {
    Folder(PathBuf),
    Picture(PathBuf),
    Csv(PathBuf),
    Json(PathBuf),
    Chart(PathBuf, &'static Target),
}

impl Place {
    fn path(&self) -> &Path {
        match self {
            Self::Folder(path) | Self::Picture(path) | Self::Csv(path) | Self::Json(path) => path,
            Self::Chart(path, _) => path,
        }
    }

    /// The place that a name means: by its ending, or a folder.
    fn of(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            let message = "standard output has the description of the course already";
            return Err(Error::Invalid(format!(
                "-o -: {message}; name a file for the map, such as -o course.pdf, or leave -o out"
            )));
        }
        let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        let owned = path.to_path_buf();
        Ok(match ending.as_deref().filter(|_| !is_folder(path)) {
            None => Self::Folder(owned),
            Some("png") => Self::Picture(owned),
            Some("csv") => Self::Csv(owned),
            Some("json") => Self::Json(owned),
            Some(ending @ ("svg" | "pdf" | "omap")) => {
                let none = || Error::Internal(format!("there is no target {ending}"));
                Self::Chart(owned, Target::of_ending(ending).ok_or_else(none)?)
            }
            Some(ending) => {
                let message = format!(
                    "no file of a course ends in .{ending}; use .png, .svg, .pdf, .omap, .csv or .json"
                );
                let path = path.display();
                return Err(Error::Invalid(format!(
                    "-o {path}: {message}; for a folder, add a slash: -o {path}/"
                )));
            }
        })
    }
}

/// Plans a course or reads its controls, runs it, prints it and writes it.
pub(crate) fn run(args: &Args, stop: &AtomicBool) -> Result<()> {
    let ask = &args.ask;
    let mut job = job(ask)?;
    let name = job.recipe().world.info().name;
    if name != "endless" {
        return Err(Error::Invalid(format!("{name}: this world has no courses; use the world endless")));
    }
    let target = args.output.as_deref().map(Place::of).transpose()?;
    if let Some(target) = &target {
        let form = if matches!(target, Place::Folder(_)) { Form::Folder } else { Form::File };
        let mut inputs = sources(ask).files();
        inputs.extend(list(args).map(Path::to_path_buf));
        output::validate(("-o", target.path()), form, args.force, &inputs)?;
    }
    if let (Some(option), false) = (chart_option(args), matches!(target, Some(Place::Chart(..)))) {
        return Err(Error::Invalid(format!(
            "{option} is for vector maps; use it with -o NAME.svg, .pdf or .omap"
        )));
    }
    let controls = controls(args)?;
    let window = window(&mut job, args, &controls)?;
    let recipe = job.recipe();
    let params: EndlessParams = recipe.params.finish()?;
    let world = Endless::new(Seed(recipe.seed), &params)?;
    window.validate()?;
    let bytes = recipe.world.plan(&recipe.params)?.bytes_needed((window.width, window.height));
    afford(search_shape(&controls, &window), bytes, args)?;
    let progress = Progress::new(if ask.json { Bars::Off } else { Bars::Auto });
    let ctx = Ctx::new(&progress, stop);
    let map = generate(&world, window, &ctx)?;
    let course = ctx.stage("course", |c| match &controls {
        Controls::Wish(wish) => map.plan_course(wish, c),
        Controls::Given(given) => map.course_of(given, c),
    })?;
    let mut catalogue = map.into_catalogue();
    catalogue.points.push(course.points());
    let output =
        Output { recipe: recipe.clone(), catalogue, maps: Default::default(), readings: Default::default() };
    let delivered = match &target {
        Some(target) => write(&output, &course, (target, args), &ctx)?,
        None => None,
    };
    progress.finish();
    if ask.json {
        return print(&format!("{:#}\n", course.to_json()));
    }
    let (w, h) = (window.width, window.height);
    let mut said =
        format!("endless, seed {}, {w} x {h} m from {},{}: ", recipe.seed, window.west, window.north);
    said += &course.to_text();
    if let Some(target) = &target {
        said += &format!("\n-> {}\n", target.path().display());
    }
    if let (Some(Place::Chart(_, target)), Some(made)) = (&target, &delivered) {
        said += &told(target.name, made);
    }
    print(&said)
}

/// The file of controls, if they are not a number.
fn list(args: &Args) -> Option<&Path> {
    let text = args.controls.trim();
    text.parse::<usize>().is_err().then(|| Path::new(text))
}

/// The number of controls and the length, or the places of a file.
fn controls(args: &Args) -> Result<Controls> {
    let text = args.controls.trim();
    if let Ok(controls) = text.parse::<usize>() {
        return Ok(Controls::Wish(CourseWish { controls, length_m: args.length.unwrap_or(LENGTH_M) }));
    }
    let path = Path::new(text);
    let file = text == "-" || path.extension().is_some() || path.exists();
    if !file {
        let message = "must be a number of controls, such as 8, or a CSV file of places";
        return Err(Error::Invalid(format!("--controls {text}: {message}")));
    }
    if args.length.is_some() {
        return Err(Error::Invalid(
            "--length: the places of a file have their own length; leave it out".into(),
        ));
    }
    let ask = &args.ask;
    one_from_standard_input(&[
        ask.recipe.as_deref(),
        ask.params.as_deref(),
        ask.placed.as_deref(),
        Some(path),
    ])?;
    Ok(Controls::Given(Given::read(&read_text(path)?, text)?))
}

/// The window of the map, which the job then has too.
fn window(job: &mut Job, args: &Args, controls: &Controls) -> Result<Window> {
    let around = match controls {
        Controls::Given(given) if args.at.is_none() && args.size.is_none() => Some(Given::window(given)),
        _ => None,
    };
    let wide = |length: f64| ((length * SIDE.0 / 100.0).ceil() * 100.0).clamp(SIDE.1, SIDE.2) as usize;
    let size = match (around, args.size, controls) {
        (Some(window), ..) => Some((window.width, window.height)),
        (None, Some(size), _) => Some(size),
        (None, None, Controls::Wish(wish)) if args.ask.recipe.is_none() => {
            Some((wide(wish.length_m), wide(wish.length_m)))
        }
        _ => None,
    };
    if let Some(size) = size {
        let source = if args.size.is_some() { "--size" } else { "the course" };
        *job = std::mem::replace(job, Job::new("endless")?).size_from(size, source);
    }
    if let Some(at) = args.at.or(around.map(|window| (window.west, window.north))) {
        job.set_place(at, "--at")?;
    }
    let recipe = job.recipe();
    let params: EndlessParams = recipe.params.finish()?;
    let (width, height) = recipe.size;
    Ok(Window { west: params.at.x, north: params.at.y, width, height })
}

/// Columns and rows of the largest search window of a leg.
fn search_shape(controls: &Controls, window: &Window) -> (usize, usize) {
    let margin = 2 * LEG_MARGIN_M as u64 + 1;
    let (x, y) = match controls {
        Controls::Wish(wish) => (wish.longest_leg_m().ceil() as u64, wish.longest_leg_m().ceil() as u64),
        Controls::Given(given) => given.windows(2).fold((0, 0), |(x, y), ends| {
            let (a, b) = (ends[0].place, ends[1].place);
            (x.max(a.0.abs_diff(b.0)), y.max(a.1.abs_diff(b.1)))
        }),
    };
    (((x + margin) as usize).min(window.width), ((y + margin) as usize).min(window.height))
}

/// Refuses a course that takes too much, and says what a large one costs.
fn afford(shape: (usize, usize), map_bytes: u64, args: &Args) -> Result<()> {
    let cost = SearchCost::of(shape, map_bytes);
    if cost.cells > args.cells {
        return Err(Error::Shape(format!(
            "the longest leg needs {cost}, more than the limit of {} cells; give more --controls or a shorter --length, or allow it with \
             --cells {}",
            args.cells, cost.cells
        )));
    }
    if let Some(free) = memory::available().filter(|free| cost.bytes > *free) {
        return Err(Error::Shape(format!(
            "the course needs {} of memory, but only {} are free; give a smaller --size or a shorter --length",
            memory::readable(cost.bytes),
            memory::readable(free)
        )));
    }
    if cost.cells > runner::MOST_CELLS {
        let _ = writeln!(std::io::stderr(), "the longest leg needs {cost}");
    }
    Ok(())
}

/// The first option of vector maps that was given.
fn chart_option(args: &Args) -> Option<&'static str> {
    let given = [
        ("--scale", args.scale.is_some()),
        ("--paper", args.paper.is_some()),
        ("--contour-m", args.contour_m.is_some()),
    ];
    given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
}

/// Writes the course to its place.
fn write(
    output: &Output,
    course: &Course,
    (target, args): (&Place, &Args),
    ctx: &Ctx,
) -> Result<Option<Delivered>> {
    let text = |path: &Path, text: String| {
        let staged = AtomicOutput::new(path, Form::File, existing(args.force))?;
        std::fs::write(staged.path(), text).map_err(|e| Error::io(path, e))?;
        staged.commit()
    };
    match target {
        Place::Folder(path) => output.save_course(path, existing(args.force), course, ctx)?,
        Place::Picture(path) => {
            save(path, args.force, &ctx.stage("map", |c| output.draw(&output.recipe.draw, c))?)?;
        }
        Place::Csv(path) => text(path, course.to_csv())?,
        Place::Json(path) => text(path, format!("{:#}\n", course.to_json()))?,
        Place::Chart(path, target) => {
            let chart = ChartOptions {
                scale: args.scale,
                paper: args.paper,
                interval_m: args.contour_m,
                course: None,
            };
            let options = ExportOptions { chart, ..ExportOptions::default() };
            return output.save_alone(path, existing(args.force), target, &options, ctx).map(Some);
        }
    }
    Ok(None)
}
