//! galaxy stats: figures about a galaxy.

use crate::args::GalaxyStats;
use crate::make::{Sources, merged, print};
use crate::progress::{Bars, Progress};
use std::sync::atomic::AtomicBool;
use weald::Result;
use weald::core::{Ctx, Seed};
use weald::world::galaxy::{self, GalaxyParams};

/// Answers the four questions of the document.
pub(crate) fn stats(args: &GalaxyStats, stop: &AtomicBool) -> Result<()> {
    let sources = Sources {
        recipe: args.recipe.as_deref(),
        seed: args.seed,
        size: args.size,
        set: &args.set,
        ..Sources::default()
    };
    let mut job = merged("galaxy", &sources)?;
    if let Some(at) = &args.at {
        job.set_window(at, "--at")?;
    }
    job.ready()?.check_memory()?;
    let recipe = job.recipe();
    let params: GalaxyParams = recipe.params.finish()?;
    let progress = Progress::new(if args.json { Bars::Off } else { Bars::Auto });
    let ctx = Ctx::new(&progress, stop);
    let galaxy = galaxy::generate(recipe.size, Seed(recipe.seed), &params, &ctx)?;
    progress.finish();
    print(&if args.json { format!("{:#}\n", galaxy.summary().to_json()) } else { galaxy.report() })
}
