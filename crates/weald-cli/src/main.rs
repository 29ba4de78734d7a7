//! The command line of Weald. It holds no terrain: it reads arguments, calls the library, and reports what happened.

mod args;
mod ask;
mod build;
mod course;
mod draw;
mod explain;
mod explore;
mod export;
mod galaxy;
mod help;
mod leg;
mod make;
mod measure;
mod names;
mod output;
mod placed;
mod progress;
mod sample;
mod sheet;

use args::{AskGalaxy, Cli, Command, SchemaOf};
use clap::{CommandFactory, Parser};
use make::{Mode, print};
use serde_json::json;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use weald::job::find_world;
use weald::reading::ReadOptions;
use weald::recipe::{Comments, Recipe};
use weald::world::{WORLDS, World};
use weald::{Error, Job, Result};

static STOP: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect();
    if let Some(help) = help::for_world(&words) {
        return match print(&help) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => failed(&error),
        };
    }
    let cli = Cli::parse();
    let result = catch_unwind(AssertUnwindSafe(|| run(cli)))
        .unwrap_or_else(|_| Err(Error::Internal("see the message above".into())));
    match result {
        Ok(code) => code,
        Err(error) => failed(&error),
    }
}

/// Says what went wrong, and gives the exit code. That the reader of the output has seen enough, as `head` does, is no failure.
fn failed(error: &Error) -> ExitCode {
    if matches!(error, Error::Io { source, .. } if source.kind() == std::io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    for line in error.to_string().lines() {
        // Standard error may be closed.
        let _ = writeln!(std::io::stderr(), "error: {line}");
    }
    ExitCode::from(error.exit_code())
}

fn run(cli: Cli) -> Result<ExitCode> {
    match cli.command {
        Command::Generate(args) => on_threads(args.threads, || make::run(Mode::Generate, &args, &STOP)),
        Command::Derive(args) => on_threads(args.threads, || make::run(Mode::Derive, &args, &STOP)),
        Command::Debug(args) => on_threads(args.threads, || make::run(Mode::Debug, &args, &STOP)),
        Command::Build(args) => build::run(&args, &STOP),
        Command::Draw(args) => on_threads(None, || draw::run(&args, &STOP)),
        Command::Export(args) => on_threads(None, || export::run(&args, &STOP)),
        Command::Explain(args) => explain::run(&args),
        Command::Sheet(args) => on_threads(args.threads, || sheet::run(&args, &STOP)),
        Command::Explore(args) => on_threads(Some(1), || explore::run(&args, &STOP)),
        Command::Sample(args) => on_threads(None, || sample::run(&args, &STOP)),
        Command::Leg(args) => on_threads(None, || leg::run(&args, &STOP)),
        Command::Course(args) => on_threads(args.threads, || course::run(&args, &STOP)),
        Command::Mine(args) => ask::mine(&args),
        Command::Placed(args) => placed::run(&args),
        Command::Check { path, heightmap, reading, json } => {
            if let (None, Some(option)) = (&heightmap, reading.given()) {
                return Err(Error::Invalid(format!(
                    "{option} is for heightmaps; use it with --heightmap FILE"
                )));
            }
            let report = match (path, heightmap) {
                (Some(path), _) => weald::check::path(&path)?,
                (None, Some(map)) => weald::check::heightmap(&map, &reading.over(ReadOptions::default()))?,
                (None, None) => {
                    let message =
                        "there is nothing to check; give a folder or a tiles file, or --heightmap FILE";
                    return Err(Error::Invalid(message.into()));
                }
            };
            print(&if json { format!("{:#}\n", report.to_json()) } else { report.to_string() })?;
            return Ok(ExitCode::from(if report.ok() { 0 } else { 1 }));
        }
        Command::Measure(args) => on_threads(args.threads, || measure::run(&args, &STOP)),
        Command::Galaxy { ask: AskGalaxy::Stats(args) } => {
            on_threads(args.threads, || galaxy::stats(&args, &STOP))
        }
        Command::Worlds { json } => worlds(json),
        Command::New { world, recipe } => {
            let mut job = Job::new(&world)?;
            if let Some(path) = recipe {
                job.merge_recipe(&path)?;
            }
            let recipe = job.recipe();
            recipe.world.plan(&recipe.params)?;
            print(&recipe.to_toml(Comments::Meaning))
        }
        Command::Schema { world, of } => {
            let world = find_world(&world)?;
            let schema = match of {
                SchemaOf::Params => world.params().schema_camel(),
                SchemaOf::Recipe => Recipe::schema(world),
                SchemaOf::Output => world.output_schema(),
            };
            print(&format!("{schema:#}\n"))
        }
        Command::Man { command } => man(command.as_deref()),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "weald", &mut text);
            print(&String::from_utf8_lossy(&text))
        }
    }?;
    Ok(ExitCode::SUCCESS)
}

/// Runs `work` on a pool of `threads` threads.
fn on_threads(threads: Option<usize>, work: impl FnOnce() -> Result<()> + Send) -> Result<()> {
    // The first signal stops the work, which cleans up after itself. Some tools send it twice at once, to the process and to
    // its group; the third one ends the program.
    let signals = AtomicU8::new(0);
    let _ = ctrlc::set_handler(move || {
        STOP.store(true, Ordering::Relaxed);
        if signals.fetch_add(1, Ordering::Relaxed) >= 2 {
            std::process::exit(130);
        }
    });
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    pool.map_err(|e| Error::Internal(e.to_string()))?.install(work)
}

/// Prints a manual page.
fn man(command: Option<&str>) -> Result<()> {
    let mut cli = Cli::command();
    cli.build();
    let page = match command {
        None => cli,
        Some(name) => cli
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| Error::Invalid(format!("{name}: no such command; `weald --help` lists them")))?,
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text).map_err(|e| Error::io("standard output", e))?;
    print(&String::from_utf8_lossy(&text))
}

fn worlds(as_json: bool) -> Result<()> {
    let recipes = |w: &dyn World| w.info().recipes.iter().map(|r| r.name).collect::<Vec<_>>();
    if as_json {
        let world =
            |w: &&dyn World| json!({"name": w.info().name, "about": w.info().about, "recipes": recipes(*w)});
        let list: Vec<_> = WORLDS.iter().map(world).collect();
        return print(&format!("{:#}\n", json!(list)));
    }
    let lines = WORLDS.iter().map(|w| {
        format!("{:10} {}\n{:10} recipes: {}\n", w.info().name, w.info().about, "", recipes(*w).join(", "))
    });
    print(&lines.collect::<String>())
}
