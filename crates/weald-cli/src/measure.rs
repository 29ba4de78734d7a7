//! measure: how a heightmap compares with real land.

use crate::args::Measure;
use crate::draw::save;
use crate::make::print;
use crate::output;
use crate::progress::{Bars, Progress};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use weald::core::Ctx;
use weald::export::atomic::Form;
use weald::measure::{self, Given, Report};
use weald::render::Picture;
use weald::{Error, Result};

/// Reads a map, measures it, and prints the figures.
pub(crate) fn run(args: &Measure, stop: &AtomicBool) -> Result<()> {
    if let Some(path) = &args.png {
        if path.extension().is_none_or(|e| !e.eq_ignore_ascii_case("png")) {
            let message = format!("--png {}: give the page a name that ends in .png", path.display());
            return Err(Error::Invalid(message));
        }
        output::validate(("--png", path), Form::File, args.force, std::slice::from_ref(&args.path))?;
    }
    let progress = Progress::new(if args.json { Bars::Off } else { Bars::Auto });
    let ctx = Ctx::new(&progress, stop);
    let reading = args.reading.over(Given::default().reading);
    let given = Given { cell_m: args.cell_m, layer: args.layer.clone(), reading };
    let source = measure::read(&args.path, &given)?;
    let measures = measure::measure(&source.height, &source.terms, &ctx).map_err(|e| named(&args.path, e))?;
    let name = name_of(&args.path)?;
    let report = Report { name: &name, source: &source, measures: &measures };
    if let Some(path) = &args.png {
        let page = ctx.stage("page", |c| measure::page(&report, c))?;
        save(path, args.force, &Picture::Opaque(page))?;
    }
    progress.finish();
    print(&if args.json { format!("{:#}\n", report.to_json()) } else { report.to_string() })
}

/// The error with the file that it is about.
fn named(path: &Path, error: Error) -> Error {
    match error {
        Error::Invalid(message) => Error::Invalid(format!("{}: {message}", path.display())),
        Error::Shape(message) => Error::Shape(format!("{}: {message}", path.display())),
        other => other,
    }
}

/// The last part of a path; `.` and `..` are looked up.
fn name_of(path: &Path) -> Result<String> {
    let whole = path.canonicalize().map_err(|e| Error::io(path, e))?;
    let name = path.file_name().or_else(|| whole.file_name());
    Ok(name.map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned()))
}
