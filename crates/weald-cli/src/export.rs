//! export: writes a folder in the formats of other programs.

use crate::args::Export;
use crate::make::{existing, print};
use crate::output;
use crate::progress::{Bars, Progress};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use weald::core::Ctx;
use weald::export::atomic::Form;
use weald::export::target::{Delivered, TARGETS, Target};
use weald::job::export::targets;
use weald::world::WORLDS;
use weald::{Error, Result};

/// Lists the targets, or reads a folder and writes it.
pub(crate) fn run(args: &Export, stop: &AtomicBool) -> Result<()> {
    if args.list {
        return print(&if args.json { format!("{:#}\n", list_json()) } else { list() });
    }
    let (Some(folder), false) = (&args.folder, args.to.is_empty()) else {
        let message = "give a folder and a target, such as `weald export island/ --to geotiff`; `weald export --list` lists them";
        return Err(Error::Invalid(message.into()));
    };
    let output = weald::job::open(folder)?;
    let info = output.recipe.world.info();
    let targets = targets(info, &args.to, "--to")?;
    let path = match &args.output {
        Some(path) => path.clone(),
        None => beside(folder, &targets)?,
    };
    if path.as_os_str() == "-" {
        let message =
            "-o -: export does not write to standard output; name a folder, or a file such as -o map.tif";
        return Err(Error::Invalid(message.into()));
    }
    let single = single(&path, &[])?.filter(|_| !is_folder(&path));
    let options = args.options.options();
    options.validate(&targets)?;
    let shape = match single {
        Some(t) if t.is_file() => Form::File,
        _ => Form::Folder,
    };
    let inputs = std::slice::from_ref(folder);
    output::validate(("-o", &path), shape, args.force, inputs)?;
    if let Some(beside) = single.and_then(|target| target.sidecar_beside(&path)) {
        output::validate(("-o", &beside), Form::File, args.force, inputs)?;
    }
    let progress = Progress::new(if args.json { Bars::Off } else { Bars::Auto });
    let ctx = Ctx::new(&progress, stop);
    let made = match single {
        None => output.save_exports(&path, existing(args.force), &targets, &options, &ctx)?,
        Some(target) => {
            if let Some(other) = targets.iter().find(|t| t.name != target.name) {
                return Err(Error::Invalid(format!(
                    "-o {}: is a file of the target {}, not of {}; name a folder, such as -o {}/",
                    path.display(),
                    target.name,
                    other.name,
                    path.with_extension("").display()
                )));
            }
            vec![output.save_alone(&path, existing(args.force), target, &options, &ctx)?]
        }
    };
    progress.finish();
    let names: Vec<&str> = targets.iter().map(|t| t.name).collect();
    if args.json {
        let below = |name: &str| if names.len() > 1 { format!("{name}/") } else { String::new() };
        let told = names.iter().zip(&made).map(|(name, made)| told_json(name, &below(name), made));
        let made: Vec<Value> = told.collect();
        return print(&format!("{:#}\n", json!({"path": path.display().to_string(), "targets": made})));
    }
    let told: String = names.iter().zip(&made).map(|(name, made)| told(name, made)).collect();
    print(&format!("{} -> {}\n{told}", folder.display(), path.display()))
}

/// What was written for a target, in lines.
pub(crate) fn told(name: &str, made: &Delivered) -> String {
    made.numbers.iter().map(|line| format!("{name}: {line}\n")).collect()
}

/// The same for machines, with the files below the folder of the output.
pub(crate) fn told_json(name: &str, below: &str, made: &Delivered) -> Value {
    let files: Vec<String> = made.files.iter().map(|(file, _)| format!("{below}{file}")).collect();
    json!({"target": name, "files": files, "numbers": made.numbers})
}

/// Whether a path ends in a slash, which always means a folder.
pub(crate) fn is_folder(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}

/// The target of which `path` is a single file, if its name has an ending of one. Endings that no target has are refused, so that
/// a misspelt one does not make a folder; a name without an ending is a folder.
///
/// `others` are endings of files that are not those of targets.
pub(crate) fn single(path: &Path, others: &[&'static str]) -> Result<Option<&'static Target>> {
    if is_folder(path) {
        return Ok(None);
    }
    let Some(ending) = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()) else {
        return Ok(None);
    };
    match Target::of_ending(&ending) {
        Some(target) => Ok(Some(target)),
        None => {
            let mut endings: Vec<&str> = TARGETS.iter().filter_map(|t| t.ending()).collect();
            endings.extend(others);
            endings.sort_unstable();
            endings.dedup();
            let message =
                format!("nothing is written to a file that ends in .{ending}; use .{}", endings.join(", ."));
            let folder = "for a folder of that name, add a slash";
            Err(Error::Invalid(format!("-o {}: {message}; {folder}: -o {}/", path.display(), path.display())))
        }
    }
}

/// FOLDER-TARGET, beside the folder.
fn beside(folder: &Path, targets: &[&Target]) -> Result<PathBuf> {
    let whole = folder.canonicalize().map_err(|e| Error::io(folder, e))?;
    let name = whole.file_name().map_or("map".into(), |n| n.to_string_lossy().into_owned());
    let ending = if let [one] = targets { one.name } else { "exports" };
    let parent = match folder.file_name() {
        Some(_) => folder.parent().unwrap_or(Path::new("")).to_path_buf(),
        None => whole.parent().unwrap_or(Path::new("")).to_path_buf(),
    };
    Ok(parent.join(format!("{name}-{ending}")))
}

/// The worlds that have a target.
fn worlds_of(target: &Target) -> Vec<&'static str> {
    WORLDS.iter().map(|w| w.info()).filter(|i| target.fits(&i.exports)).map(|i| i.name).collect()
}

fn list() -> String {
    let line = |t: &&Target| {
        let worlds = worlds_of(t).join(", ");
        format!(
            "{:10} {}\n{:10} files: {}; read by {}; worlds: {worlds}\n",
            t.name, t.about, "", t.files, t.readers
        )
    };
    TARGETS.iter().map(line).collect()
}

fn list_json() -> Value {
    let entry = |t: &&Target| json!({"name": t.name, "about": t.about, "files": t.files, "readers": t.readers, "ending": t.ending(), "worlds": worlds_of(t)});
    TARGETS.iter().map(entry).collect()
}
