//! draw: draws a folder again without making its world.

use crate::args::Draw;
use crate::make::{existing, print};
use crate::output;
use crate::progress::{Bars, Progress};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use weald::core::Ctx;
use weald::export::atomic::{AtomicOutput, Form};
use weald::render::Picture;
use weald::world::At;
use weald::{Error, Result};

/// Reads a folder and draws a view of it.
pub(crate) fn run(args: &Draw, stop: &AtomicBool) -> Result<()> {
    let mut output = weald::job::open(&args.folder)?;
    let info = output.recipe.world.info();
    if args.look.at.is_some() && !matches!(info.at, Some(At::Picture(_))) {
        let message = format!("a picture of the world {} has no place to choose; leave --at out", info.name);
        return Err(Error::Invalid(format!("--at: {message}, or make the world there with generate")));
    }
    args.look.apply(&mut output.recipe)?;
    let view = output.recipe.draw.choose(info.views)?.name;
    let target = match &args.output {
        Some(path) => png_name(path)?,
        None => beside(&args.folder, view)?,
    };
    output::validate(("-o", &target), Form::File, args.force, std::slice::from_ref(&args.folder))?;
    let progress = Progress::new(Bars::Auto);
    let ctx = Ctx::new(&progress, stop);
    let picture = ctx.stage("draw", |c| output.draw(&output.recipe.draw, c))?;
    save(&target, args.force, &picture)?;
    progress.finish();
    print(&format!("{} -> {}\n", args.folder.display(), target.display()))
}

/// The name of a picture, which must end in .png.
pub(crate) fn png_name(path: &Path) -> Result<PathBuf> {
    match path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png")) {
        true => Ok(path.to_path_buf()),
        false => {
            let message = format!("-o {}: give the picture a name that ends in .png", path.display());
            Err(Error::Invalid(message))
        }
    }
}

/// Writes a picture, whole or not at all.
pub(crate) fn save(path: &Path, force: bool, picture: &Picture) -> Result<()> {
    let staged = AtomicOutput::new(path, Form::File, existing(force))?;
    let mut png = Vec::new();
    picture.write_png(&mut png).map_err(|e| Error::io(path, e))?;
    std::fs::write(staged.path(), png).map_err(|e| Error::io(path, e))?;
    staged.commit()
}

/// FOLDER-VIEW.png, beside the folder.
fn beside(folder: &Path, view: &str) -> Result<PathBuf> {
    let whole = folder.canonicalize().map_err(|e| Error::io(folder, e))?;
    let name = whole.file_name().map_or("map".into(), |n| n.to_string_lossy().into_owned());
    // As it was written where it has a name; `.` and `..` have none.
    let parent = match folder.file_name() {
        Some(_) => folder.parent().unwrap_or(Path::new("")).to_path_buf(),
        None => whole.parent().unwrap_or(Path::new("")).to_path_buf(),
    };
    Ok(parent.join(format!("{name}-{view}.png")))
}
