//! sheet: small maps of many seeds on one picture.

use crate::args::Sheet;
use crate::draw::{png_name, save};
use crate::make::{Sources, merged, print};
use crate::output;
use crate::progress::{Bars, Progress};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use weald::Result;
use weald::core::Ctx;
use weald::export::atomic::Form;
use weald::job::sheet::SheetPlan;
use weald::render::Picture;

/// Makes the world with every seed and draws the page.
pub(crate) fn run(args: &Sheet, stop: &AtomicBool) -> Result<()> {
    let recipe = args.recipe.as_deref();
    let sources = Sources { recipe, size: args.size, set: &args.set, ..Sources::default() };
    let job = merged(&args.world, &sources)?;
    let target = match &args.output {
        Some(path) => png_name(path)?,
        None => PathBuf::from(format!("{}-seeds.png", args.world)),
    };
    output::validate(("-o", &target), Form::File, args.force, &sources.files())?;
    let name = recipe.and_then(|path| path.file_stem()).map(|name| name.to_string_lossy().into_owned());
    let plan = SheetPlan { px: args.px, columns: args.columns, recipe: name };
    let progress = Progress::new(Bars::Auto);
    let sheet = job.contact_sheet(&args.seeds, &plan, &Ctx::new(&progress, stop))?;
    let (w, h) = sheet.page.size();
    save(&target, args.force, &Picture::Opaque(sheet.image))?;
    progress.finish();
    let count = args.seeds.as_slice().len();
    let seeds = if count == 1 { "1 seed".to_owned() } else { format!("{count} seeds") };
    print(&format!("{}, {seeds} -> {}, {w}x{h} pixels\n", args.world, target.display()))
}
