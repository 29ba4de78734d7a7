//! build: maps larger than memory.

use crate::args::Build as Args;
use crate::make::{Sources, merged, print};
use crate::on_threads;
use crate::output;
use crate::progress::{Bars, Progress};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use weald::core::Ctx;
use weald::job::build::{Build, Wish, Workers};
use weald::memory::{self, readable};
use weald::{Error, Job, Result};

/// Builds a store, or goes on with one.
pub(crate) fn run(args: &Args, stop: &AtomicBool) -> Result<()> {
    let sources = Sources {
        recipe: args.recipe.as_deref(),
        params: args.params.as_deref(),
        seed: args.seed,
        size: args.size,
        placed: None,
        set: &args.set,
    };
    let mut job = merged(&args.world, &sources)?;
    if let Some(at) = &args.at {
        job.set_window(at, "--at")?;
    }
    let wish = Wish { tile: args.tile, memory: args.memory, layers: args.layers.clone() };
    if args.dry_run {
        return dry_run(&job, &wish, args);
    }
    let path = match &args.output {
        Some(path) => path.clone(),
        None => PathBuf::from(format!("{}-{}.zarr", args.world, job.recipe().seed)),
    };
    output::validate_store(&path, args.force, &sources.files())?;
    if args.force && Build::is_at(&path) {
        std::fs::remove_dir_all(&path).map_err(|e| Error::io(&path, e))?;
    }
    let goes_on = Build::is_at(&path);
    let build = Build::start(&job, &path, &wish)?;
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = args.memory.or_else(memory::available).unwrap_or(u64::MAX);
    let workers = Workers::of(args.threads.unwrap_or(all), memory, build.bytes_per_tile());
    let progress = Progress::new(if args.quiet || args.json { Bars::Off } else { Bars::Auto });
    // The tiles have pools of their own; the merges between them run on this one.
    let threads = workers.tiles * workers.threads;
    on_threads(Some(threads), || build.run(workers, &Ctx::new(&progress, stop))).map_err(|e| match e {
        Error::Cancelled => {
            eprintln!("the same command goes on where this one stopped");
            Error::Cancelled
        }
        other => other,
    })?;
    progress.finish();
    report(&build, (&path, goes_on), args, &progress)
}

/// Says what there would be to do.
fn dry_run(job: &Job, wish: &Wish, args: &Args) -> Result<()> {
    let told = Build::estimate(job, wish)?;
    let (width, height) = job.recipe().size;
    if args.json {
        let json = json!({
            "world": args.world, "size": [width, height], "tile": told.tile, "tiles": told.tiles, "passes": told.passes,
            "layers": told.layers, "bytes_per_tile": told.bytes_per_tile, "bytes_on_disk_at_most": told.bytes_on_disk,
            "notes": told.notes,
        });
        return print(&format!("{json:#}\n"));
    }
    let (world, tiles, side) = (&args.world, told.tiles, told.tile);
    let (memory, disk) = (readable(told.bytes_per_tile), readable(told.bytes_on_disk));
    let mut text = format!(
        "{world} {width}x{height}: {tiles} tiles of {side}x{side} cells; {memory} of memory for a tile, up to {disk} on the disk\n"
    );
    text += &format!("passes: {}\nlayers: {}\n", told.passes.join(", "), told.layers.join(", "));
    told.notes.iter().for_each(|note| text += &format!("note: {note}\n"));
    print(&text)
}

fn report(build: &Build, (path, goes_on): (&Path, bool), args: &Args, progress: &Progress) -> Result<()> {
    let (tiles, seconds) = (build.parts().tiles(), progress.seconds());
    if args.json {
        let json = json!({
            "output": path, "world": args.world, "seed": build.recipe().seed, "size": [tiles.width, tiles.height],
            "tile": tiles.side, "tiles": tiles.count(), "continued": goes_on, "seconds": seconds, "notes": build.notes(),
        });
        return print(&format!("{json:#}\n"));
    }
    build.notes().iter().for_each(|note| eprintln!("note: {note}"));
    print(&format!(
        "{} {}x{}, seed {}, in {} tiles of {} -> {} in {seconds:.1} s{}\n",
        args.world,
        tiles.width,
        tiles.height,
        build.recipe().seed,
        tiles.count(),
        tiles.side,
        path.display(),
        if goes_on { ", continued" } else { "" }
    ))
}
