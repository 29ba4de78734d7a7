//! draw: draws a folder again without making its world.

use crate::args::Draw;
use crate::make::{existing, print};
use crate::progress::{Bars, Progress};
use std::sync::atomic::AtomicBool;
use weald::core::Ctx;
use weald::export::atomic::{AtomicOutput, Form};
use weald::{Error, Result};

/// Reads a folder and draws a view of it.
pub(crate) fn run(args: &Draw, stop: &AtomicBool) -> Result<()> {
    let target = args.output.clone().unwrap_or_else(|| {
        let view = args.look.view.as_deref().unwrap_or("map");
        format!("{}-{view}.png", args.folder.components().as_path().display()).into()
    });
    AtomicOutput::validate(&target, Form::File, existing(args.force))?;
    let mut output = weald::job::open(&args.folder)?;
    args.look.apply(&mut output.recipe)?;
    let progress = Progress::new(Bars::Auto);
    let ctx = Ctx::new(&progress, stop);
    let picture = ctx.stage("draw", |c| output.draw(&output.recipe.draw, c))?;
    let staged = AtomicOutput::new(&target, Form::File, existing(args.force))?;
    let mut png = Vec::new();
    picture.write_png(&mut png).map_err(|e| Error::io(&target, e))?;
    std::fs::write(staged.path(), png).map_err(|e| Error::io(&target, e))?;
    staged.commit()?;
    progress.finish();
    print(&format!("{} -> {}\n", args.folder.display(), target.display()))
}
