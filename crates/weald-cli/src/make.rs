//! generate, derive and debug.

use crate::args::Make;
use crate::export::{is_folder, single, told, told_json};
use crate::output;
use crate::progress::{Bars, Progress};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use weald::core::Ctx;
use weald::export::Sink;
use weald::export::atomic::{AtomicOutput, Existing, Form};
use weald::export::target::{Delivered, Target as ExportTarget};
use weald::job::debug::Keeper;
use weald::job::export::{targets, validate as validate_target};
use weald::job::folder::{Choice, FileChoice, FolderPlan};
use weald::job::frames::{Frames, FramesPlan, Times};
use weald::job::{Ready, find_world};
use weald::reading::ReadOptions;
use weald::recipe::Comments;
use weald::style::View;
use weald::world::{At, Content, FileSpec, Phases, WORLDS, WorldInfo};
use weald::{Error, Job, Output, Result};

/// Which command was given.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Generate,
    Derive,
    Debug,
}

/// Where the result goes.
enum Target {
    Folder(PathBuf),
    /// One of the world's own files.
    File(PathBuf),
    /// The picture of the map.
    Picture(PathBuf),
    /// The heights as .npy.
    Heights(PathBuf),
    /// The file or store of another program.
    Export(PathBuf, &'static ExportTarget),
    Stdout,
}

impl Target {
    /// Its path, and whether it is a file or a folder; none for standard output.
    fn place(&self) -> Option<(&Path, Form)> {
        match self {
            Target::Folder(path) => Some((path, Form::Folder)),
            Target::Export(path, target) if !target.is_file() => Some((path, Form::Folder)),
            Target::File(path) | Target::Picture(path) | Target::Heights(path) | Target::Export(path, _) => {
                Some((path, Form::File))
            }
            Target::Stdout => None,
        }
    }
}

pub(crate) fn run(mode: Mode, args: &Make, stop: &AtomicBool) -> Result<()> {
    let info = find_world(&args.world)?.info();
    let mut job = job(mode, info, args)?;
    let target = target(mode, &job, args)?;
    if args.frames.is_some() && !matches!(target, Target::Folder(_)) {
        return Err(Error::Invalid("--frames writes a folder; give its name with -o FOLDER".into()));
    }
    let choice = files(info, args, &target)?;
    let exports = targets(info, &args.export, "--export")?;
    if let Target::Export(path, target) = &target {
        validate_target(target, info).map_err(|e| Error::Invalid(format!("-o {}: {e}", path.display())))?;
    }
    for request in &choice.requests {
        job = job.with(request);
    }
    validate_names(&job, args, &target)?;
    if let Some(times) = args.frames {
        job = frames_of(mode, job, &times)?;
    }
    let ready = job.ready()?;
    if args.print_recipe {
        ready.check_sizes()?;
        return print(&ready.recipe().to_toml(Comments::Origin));
    }
    ready.check_memory()?;
    if let Some((path, form)) = target.place() {
        // Before any work: a name that is taken is refused at once.
        let inputs = lost_inputs(args, &target, &ready.recipe().maps);
        output::validate(("-o", path), form, args.force, &inputs)?;
        if let Target::Export(_, export) = &target
            && let Some(beside) = export.sidecar_beside(path)
        {
            output::validate(("-o", &beside), Form::File, args.force, &inputs)?;
        }
    }
    let bars = if args.quiet || args.json { Bars::Off } else { Bars::Auto };
    let progress = Progress::new(bars);
    let keeper = Keeper::new(&progress);
    let ctx = if mode == Mode::Debug { Ctx::new(&keeper, stop) } else { Ctx::new(&progress, stop) };
    let seconds = || progress.timings();
    let debug = (mode == Mode::Debug).then_some(&keeper);
    let export_options = args.export_options.options();
    let plan =
        FolderPlan { debug, exports, export_options, seconds: Some(&seconds), ..folder_plan(args, &choice) };
    if let (Some(times), Target::Folder(path)) = (args.frames, &target) {
        let plan = FramesPlan { times, fps: args.fps, folder: plan };
        let frames = job.save_frames(path, existing(args.force), &plan, &ctx)?;
        progress.finish();
        return report_frames(args, path, &frames, &progress);
    }
    let (output, delivered) = make(ready, &plan, &choice, (&target, args), &ctx)?;
    progress.finish();
    let names: Vec<&str> = match &target {
        Target::Export(_, target) => vec![target.name],
        Target::Heights(_) => vec!["npy"],
        _ => plan.exports.iter().map(|t| t.name).collect(),
    };
    let delivered: Vec<(&str, Delivered)> = names.into_iter().zip(delivered).collect();
    report((mode, args), &target, &output, &delivered, &progress)
}

/// Makes the world and writes it.
fn make(
    ready: Ready,
    plan: &FolderPlan,
    choice: &FileChoice,
    (target, args): (&Target, &Make),
    ctx: &Ctx,
) -> Result<(Output, Vec<Delivered>)> {
    let output = ready.run(&mut Phases::once(), ctx)?;
    let write = |path: &Path, content: &mut dyn FnMut(&mut Sink, &Ctx) -> Result<()>| {
        let staged = AtomicOutput::new(path, Form::File, existing(args.force))?;
        let writer =
            std::fs::File::options().write(true).open(staged.path()).map_err(|e| Error::io(path, e))?;
        let mut out = Sink::new(path, writer);
        ctx.stage("write", |c| content(&mut out, c))?;
        out.finish()?;
        staged.commit()
    };
    let mut delivered = Vec::new();
    match target {
        Target::Stdout => {
            let mut out = Sink::new("standard output", std::io::stdout());
            let file = choice.files[0];
            ctx.stage("write", |c| output.write_file(file, &choice.options, &mut out, c))?;
            out.finish()?;
        }
        Target::File(path) => {
            write(path, &mut |out, c| output.write_file(choice.files[0], &choice.options, out, c))?;
        }
        Target::Picture(path) => write(path, &mut |out, c| output.write_named("map.png", out, c))?,
        Target::Heights(path) => {
            let mut told = "";
            write(path, &mut |out, c| {
                told = output.write_heights(out, c)?;
                Ok(())
            })?;
            delivered.push(Delivered { numbers: vec![told.to_owned()], ..Delivered::default() });
        }
        Target::Export(path, target) => {
            let options = &plan.export_options;
            delivered.push(output.save_alone(path, existing(args.force), target, options, ctx)?);
        }
        Target::Folder(path) => delivered = output.save(path, existing(args.force), plan, ctx)?,
    }
    Ok((output, delivered))
}

/// What goes into a folder. Of a series of frames, layers and files are written only if they are asked for.
fn folder_plan(args: &Make, choice: &FileChoice) -> FolderPlan<'static> {
    let layers = if args.frames.is_some() { "none" } else { "all" };
    let files = args.frames.is_none() || args.files.is_some();
    FolderPlan {
        layers: Choice::parse(args.layers.as_deref().unwrap_or(layers)),
        images: Choice::parse(args.png.as_deref().unwrap_or("none")),
        files: if files { choice.files.clone() } else { Vec::new() },
        options: choice.options.clone(),
        exports: Vec::new(),
        export_options: Default::default(),
        verify: args.check.then_some(&verify),
        debug: None,
        seconds: None,
    }
}

/// The job of the first frame. Refuses a series that cannot be made.
fn frames_of(mode: Mode, job: Job, times: &Times) -> Result<Job> {
    if mode != Mode::Generate {
        return Err(Error::Invalid("--frames is for `weald generate`; use it there, or leave it out".into()));
    }
    job.validate_frames(times).map_err(|e| match e {
        Error::Invalid(message) => Error::Invalid(format!("--frames: {message}")),
        other => other,
    })?;
    times.iter().next().map_or(Ok(job.clone()), |time| job.at_time(time))
}

/// Runs the checker over a folder and returns the rules it tried. A violation is a fault of the engine.
fn verify(dir: &Path) -> Result<Value> {
    let report = weald::check::path(dir)?;
    if !report.ok() {
        let broken: Vec<String> =
            report.rules.iter().filter(|rule| rule.violations > 0).map(ToString::to_string).collect();
        return Err(Error::Internal(format!(
            "the result breaks rules of its own world: {}",
            broken.join("\n")
        )));
    }
    Ok(report.rules.iter().map(|r| json!({"rule": r.rule, "about": r.about, "checked": r.checked})).collect())
}

pub(crate) fn existing(force: bool) -> Existing {
    if force { Existing::Replace } else { Existing::Keep }
}

/// Writes to standard output.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| Error::io("standard output", e))
}

/// Where the values of a recipe come from, besides the defaults.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sources<'a> {
    pub(crate) recipe: Option<&'a Path>,
    pub(crate) params: Option<&'a Path>,
    pub(crate) seed: Option<u64>,
    pub(crate) size: Option<(usize, usize)>,
    pub(crate) placed: Option<&'a Path>,
    pub(crate) set: &'a [String],
}

impl Sources<'_> {
    /// The files among them. A name without a file is that of a recipe that is built in.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let recipe = self.recipe.filter(|path| path.is_file());
        let files = [recipe, self.params, self.placed].into_iter().flatten();
        let set = self.set.iter().filter_map(|text| file_of(text));
        files.chain(set).map(Path::to_path_buf).collect()
    }
}

/// The file of a setting `NAME=@FILE`.
fn file_of(set: &str) -> Option<&Path> {
    set.split_once('=')?.1.trim_start().strip_prefix('@').map(|file| Path::new(file.trim()))
}

/// Merges defaults, then files, then the command line into a job.
pub(crate) fn merged(world: &str, sources: &Sources) -> Result<Job> {
    one_from_standard_input(&[sources.recipe, sources.params, sources.placed])?;
    let mut job = Job::new(world)?;
    if let Some(path) = sources.recipe {
        job.merge_recipe(path)?;
    }
    if let Some(path) = sources.params {
        job.merge_params(path)?;
    }
    if let Some(seed) = sources.seed {
        job.recipe_mut().set_seed(seed, "--seed");
    }
    if let Some(size) = sources.size {
        job = job.size_from(size, "--size");
    }
    if let Some(path) = sources.placed {
        job.merge_placed(path)?;
    }
    for text in sources.set {
        let name = text.split('=').next().unwrap_or("").trim();
        if let Some(hint) = drawing_hint(name, job.recipe().world.info().views) {
            return Err(Error::Invalid(format!("--set {name}: is an option of drawing; {hint}")));
        }
        match file_of(text) {
            Some(file) => job.set_from_file(name, file)?,
            None => job.recipe_mut().params.set_text(text),
        }
    }
    Ok(job)
}

/// Fails if more than one input is to be read from standard input.
pub(crate) fn one_from_standard_input(inputs: &[Option<&Path>]) -> Result<()> {
    if inputs.iter().flatten().filter(|path| path.as_os_str() == "-").count() > 1 {
        let message = "only one input can come from standard input (-); give files for the others";
        return Err(Error::Invalid(message.into()));
    }
    Ok(())
}

/// How to say what somebody tried to set as a parameter, if it is an option of drawing: the view, the size of the picture, or
/// VIEW.SETTING.
fn drawing_hint(name: &str, views: &[View]) -> Option<String> {
    let names = || views.iter().map(|v| v.name).collect::<Vec<_>>().join(", ");
    match name {
        "view" => return Some(format!("use --view with one of {}", names())),
        "px" | "picture_px" => return Some("use --px N".into()),
        _ => {}
    }
    let (view, setting) = name.split_once('.')?;
    let view = views.iter().find(|v| v.name == view)?;
    let setting = view.settings.iter().find(|s| s.name == setting)?;
    Some(format!("use --view {} --draw {}=N", view.name, setting.name))
}

/// The files that the command reads and that an output in their place would not have again. A folder that is made again from its own recipe and maps has them
/// again.
fn lost_inputs(args: &Make, target: &Target, maps: &BTreeMap<String, PathBuf>) -> Vec<PathBuf> {
    let mut inputs = sources(args).files();
    inputs.extend(maps.values().cloned());
    if let Target::Folder(folder) = target
        && args.frames.is_none()
    {
        let names = maps.keys().map(|name| format!("maps/{name}.npy")).chain(["recipe.toml".into()]);
        let again: Vec<PathBuf> = names.filter_map(|name| folder.join(name).canonicalize().ok()).collect();
        inputs.retain(|input| input.canonicalize().is_ok_and(|input| !again.contains(&input)));
    }
    inputs
}

/// Where the values of a command that makes a world come from.
fn sources(args: &Make) -> Sources<'_> {
    Sources {
        recipe: args.recipe.as_deref(),
        params: args.params.as_deref(),
        seed: args.seed,
        size: args.size,
        placed: args.placed.as_deref(),
        set: &args.set,
    }
}

/// The job of a command that makes a world.
fn job(mode: Mode, info: &WorldInfo, args: &Make) -> Result<Job> {
    let mut job = merged(info.name, &sources(args))?;
    if args.width.is_some() || args.height.is_some() {
        job.recipe_mut().set_sides([args.width, args.height], "--width, --height");
    }
    if let Some(at) = args.draw.at.as_ref().filter(|_| !matches!(info.at, Some(At::Picture(_)))) {
        job.set_window(at, "--at")?;
    }
    args.draw.apply(job.recipe_mut())?;
    let maps = args.maps();
    if info.maps.is_empty() && (mode == Mode::Derive || !maps.is_empty()) {
        let name = info.name;
        let message = format!("{name}: this world takes no maps of your own; use `weald generate {name}`");
        return Err(Error::Invalid(message));
    }
    let mut given = Vec::new();
    let first = maps.first().map(|map| map.0.clone());
    for (option, name, path) in maps {
        let known = job.recipe().map_name(&name);
        let name = known.map_err(|e| Error::Invalid(format!("{option}: {e}")))?;
        if given.contains(&name) {
            return Err(Error::Invalid(format!("{option}: the map {name} is given twice; give it once")));
        }
        given.push(name);
        job.recipe_mut().set_map(name, path, &option);
    }
    if let Some(crop) = args.reading.crop {
        if mode == Mode::Generate || job.recipe().maps.is_empty() {
            let name = info.name;
            let message = match info.maps.is_empty() {
                true => format!("--crop: cuts maps of your own, and {name} takes none; use --size"),
                false => format!("--crop: cuts maps of your own; use `weald derive {name} --map NAME=FILE`"),
            };
            return Err(Error::Invalid(message));
        }
        job.recipe_mut().set_crop(crop, "--crop");
    }
    read_as(&mut job, (mode, info), args)?;
    let sized = args.size.is_some() || args.width.is_some() || args.height.is_some();
    if mode != Mode::Generate && sized && !job.recipe().maps.is_empty() && job.recipe().world.resamples_maps()
    {
        let option = if args.size.is_some() { "--size" } else { "--width, --height" };
        job.recipe_mut().set_resample(true, option);
    }
    job.recipe().validate_maps()?;
    if let (Mode::Generate, Some(option)) = (mode, first) {
        let message =
            format!("{option}: generate uses no maps of your own; use `weald derive {}`", info.name);
        return Err(Error::Invalid(message));
    }
    if let (Mode::Derive, Some(first)) = (mode, info.maps.first())
        && !job.recipe().maps.contains_key(first.name)
    {
        let name = first.name;
        let message = format!("derive needs --map {}=FILE (or maps.{name} in a recipe)", first.alias);
        return Err(Error::Invalid(message));
    }
    Ok(job)
}

/// Puts into a job how the files of its maps are read.
fn read_as(job: &mut Job, (mode, info): (Mode, &WorldInfo), args: &Make) -> Result<()> {
    let option = args.reading.given().or(args.cell_m.map(|_| "--cell-m"));
    let Some(option) = option else { return Ok(()) };
    if mode == Mode::Generate || job.recipe().maps.is_empty() {
        let message = format!("is about maps of your own; use `weald derive {} --map NAME=FILE`", info.name);
        return Err(Error::Invalid(format!("{option}: {message}")));
    }
    // The recipe has the part in a place of its own.
    let reading = ReadOptions { crop: None, ..args.reading.over(job.recipe().reading) };
    job.recipe_mut().set_reading(reading, option);
    match args.cell_m {
        Some(cell_m) => job.set_cell_m(cell_m, "--cell-m"),
        None => Ok(()),
    }
}

fn target(mode: Mode, job: &Job, args: &Make) -> Result<Target> {
    let recipe = job.recipe();
    let Some(path) = &args.output else {
        return Ok(Target::Folder(PathBuf::from(format!("{}-{}", recipe.world.info().name, recipe.seed))));
    };
    if path.as_os_str() == "-" {
        refuse_debug(mode, path)?;
        return Ok(Target::Stdout);
    }
    let info = recipe.world.info();
    let ending = ending(path);
    if is_folder(path) || ending.is_empty() {
        return Ok(Target::Folder(path.clone()));
    }
    refuse_debug(mode, path)?;
    if info.files.iter().any(|f| self::ending(Path::new(f.name)) == ending && ending != "png")
        || matches!(ending.as_str(), "json" | "ndjson")
    {
        return Ok(Target::File(path.clone()));
    }
    match ending.as_str() {
        "png" => Ok(Target::Picture(path.clone())),
        "npy" if info.exports.ground.is_some() => Ok(Target::Heights(path.clone())),
        "npy" => {
            let message = format!(
                "{} has no heights above a plane; name a folder, such as -o {}/",
                info.name, info.name
            );
            Err(Error::Invalid(format!("-o {}: {message}", path.display())))
        }
        _ => {
            let own = info.files.iter().filter_map(|file| file.name.rsplit('.').next());
            Ok(match single(path, &own.chain(["png", "npy"]).collect::<Vec<_>>())? {
                Some(target) => Target::Export(path.clone(), target),
                None => Target::Folder(path.clone()),
            })
        }
    }
}

/// debug writes a folder.
fn refuse_debug(mode: Mode, path: &Path) -> Result<()> {
    match mode {
        Mode::Debug => Err(Error::Invalid(format!(
            "-o {}: debug writes a folder; name one, such as -o debug/",
            path.display()
        ))),
        _ => Ok(()),
    }
}

/// What comes after the last dot, in lower case.
fn ending(path: &Path) -> String {
    path.extension().map_or_else(String::new, |e| e.to_string_lossy().to_ascii_lowercase())
}

/// The files to write; only one where the target is a single file.
fn files(info: &'static WorldInfo, args: &Make, target: &Target) -> Result<FileChoice> {
    let mut with = args.with.clone();
    with.extend(args.worldmap.then(|| "worldmap".to_owned()));
    let clips = info.options.iter().any(|option| option.name == "clip");
    with.extend((args.export_options.clip && clips).then(|| "clip".to_owned()));
    if args.worldmap && !FileChoice::names(info).contains(&"worldmap") {
        let with = WORLDS.iter().map(|w| w.info()).filter(|i| FileChoice::names(i).contains(&"worldmap"));
        let which = with.map(|i| i.name).collect::<Vec<_>>().join(", ");
        let message = format!("--worldmap: {} has no map of the land around; {which} has one", info.name);
        return Err(Error::Invalid(message));
    }
    let wanted = args.files.as_deref().map(Choice::parse);
    let choice = FileChoice::new(info, wanted.as_ref(), &with)?;
    let one = |file: Option<&'static FileSpec>| {
        let file = file.ok_or_else(|| {
            let names: Vec<&str> = info.files.iter().map(|f| f.name).collect();
            let (output, name) = (args.output.as_deref().unwrap_or(Path::new("-")).display(), info.name);
            let has = names.join(", ");
            Error::Invalid(format!(
                "-o {output}: {name} has no such file of its own (it has {has}); name a folder, such as -o {name}/"
            ))
        })?;
        let mut one = FileChoice::new(info, Some(&Choice::Named(vec![file.name.into()])), &with)?;
        one.files.retain(|f| f.name == file.name);
        Ok(one)
    };
    match target {
        Target::Folder(_) => Ok(choice),
        Target::Picture(_) | Target::Heights(_) | Target::Export(..) => {
            Ok(FileChoice { files: Vec::new(), ..choice })
        }
        Target::File(path) => one(info.files.iter().find(|f| ending(Path::new(f.name)) == ending(path))),
        Target::Stdout if args.files.is_some() && choice.files.len() > 1 => {
            Err(Error::Invalid("-o -: standard output takes one file; name one with --files".into()))
        }
        Target::Stdout => {
            let choice = one(choice.files.first().copied())?;
            let (name, binary) = (choice.files[0].name, !matches!(choice.files[0].content, Content::Text(_)));
            if binary && std::io::stdout().is_terminal() {
                let message = format!(
                    "{name} is binary and standard output is a terminal; send it to a file: weald … -o - > {name}"
                );
                return Err(Error::Invalid(format!("-o -: {message}")));
            }
            Ok(choice)
        }
    }
}

/// Refuses names and options that this world or this kind of output does not have.
fn validate_names(job: &Job, args: &Make, target: &Target) -> Result<()> {
    let layers = job.recipe().world.layers();
    for (option, value) in [("--layers", &args.layers), ("--png", &args.png)] {
        if let Some(value) = value {
            Choice::parse(value).validate(option, layers.iter().map(|l| l.name))?;
        }
    }
    let folder_only = [
        ("--layers", args.layers.is_some()),
        ("--png", args.png.is_some()),
        ("--export", !args.export.is_empty()),
        ("--check", args.check),
        ("--worldmap", args.worldmap),
        ("--view", args.draw.view.is_some()),
        ("--px", args.draw.px.is_some()),
        ("--draw", !args.draw.settings.is_empty()),
        ("--radius", args.draw.radius.is_some()),
        ("--frames", args.frames.is_some()),
        ("--files", args.files.is_some() && matches!(target, Target::File(_))),
        ("--json", args.json && matches!(target, Target::Stdout)),
    ];
    let picture = matches!(target, Target::Picture(_));
    let drawn = ["--view", "--px", "--draw", "--radius"];
    let refused = |(option, given): &&(&str, bool)| *given && !(picture && drawn.contains(option));
    let exported = !args.export.is_empty() || matches!(target, Target::Export(..));
    let clips = job.recipe().world.info().options.iter().any(|option| option.name == "clip");
    let mut options = args.export_options.options();
    // A world that makes heights grey itself clips these.
    options.clip &= !clips;
    if let Some(option) = options.given().next().filter(|_| !exported) {
        let message = "is about targets; use it with --export TARGET or with -o NAME.ENDING of one";
        return Err(Error::Invalid(format!("{} {message}", option.name())));
    }
    let single = if let Target::Export(_, target) = target { Some(*target) } else { None };
    let exports = targets(job.recipe().world.info(), &args.export, "--export")?;
    options.validate(&exports.into_iter().chain(single).collect::<Vec<_>>())?;
    match folder_only.iter().filter(|_| !matches!(target, Target::Folder(_))).find(refused) {
        None => Ok(()),
        Some((option, _)) => {
            Err(Error::Invalid(format!("{option} is for folders; give -o a folder, or leave {option} out")))
        }
    }
}

/// Reports what was made.
fn report(
    (mode, args): (Mode, &Make),
    target: &Target,
    output: &Output,
    delivered: &[(&str, Delivered)],
    progress: &Progress,
) -> Result<()> {
    let seconds = progress.seconds();
    print_timings(args, progress);
    // Without a place, the world itself is on standard output.
    let Some((path, _)) = target.place() else { return Ok(()) };
    let (recipe, catalogue) = (&output.recipe, &output.catalogue);
    let ((w, h), world) = (recipe.size, catalogue.world);
    if args.json {
        let below = |name: &str| match target {
            Target::Folder(_) => format!("{name}/"),
            _ => String::new(),
        };
        let summary = json!({
            "world": world, "seed": recipe.seed, "width": w, "height": h,
            "path": path.display().to_string(), "seconds": seconds, "stages": stages(progress),
            "maps": output.readings,
            "exports": delivered.iter().map(|(name, made)| told_json(name, &below(name), made)).collect::<Vec<_>>(),
            "stats": catalogue.figures, "notes": catalogue.notes,
        });
        return print(&format!("{summary:#}\n"));
    }
    if !args.quiet {
        let look = match (target, mode) {
            (Target::Folder(_), Mode::Debug) => {
                format!("; look at {}", path.join("debug/index.html").display())
            }
            (Target::Folder(_), _) => format!("; look at {}", path.join("map.png").display()),
            _ => String::new(),
        };
        let notes: String = catalogue.notes.iter().map(|n| format!("{n}\n")).collect();
        let exports: String = delivered.iter().map(|(name, made)| told(name, made)).collect();
        let what = format!("{world} {w}x{h}, seed {}", recipe.seed);
        print(&format!("{what} -> {} in {seconds:.1} s{look}\n{notes}{exports}", path.display()))?;
    }
    Ok(())
}

/// Reports a series of frames.
fn report_frames(args: &Make, path: &Path, frames: &Frames, progress: &Progress) -> Result<()> {
    let ((w, h), seconds) = (frames.recipe.size, progress.seconds());
    print_timings(args, progress);
    let world = frames.recipe.world.info().name;
    if args.json {
        let summary = json!({
            "world": world, "seed": frames.recipe.seed, "width": w, "height": h, "frames": frames.count,
            "pixels": [frames.size.0, frames.size.1], "path": path.display().to_string(), "seconds": seconds,
            "stages": stages(progress), "stats": frames.figures, "notes": frames.notes,
        });
        return print(&format!("{summary:#}\n"));
    }
    if args.quiet {
        return Ok(());
    }
    let what = format!("{world} {w}x{h}, seed {}, {} frames", frames.recipe.seed, frames.count);
    let look = path.join("animation.png");
    print(&format!("{what} -> {} in {seconds:.1} s; look at {}\n", path.display(), look.display()))
}

/// Prints how long each stage took, if that is wanted.
fn print_timings(args: &Make, progress: &Progress) {
    for (stage, took) in progress.timings().into_iter().filter(|_| args.timings) {
        let _ = writeln!(std::io::stderr(), "{stage:28} {:9.1} ms", took * 1e3);
    }
}

/// How long each stage took, for machines.
fn stages(progress: &Progress) -> Map<String, Value> {
    progress.timings().into_iter().map(|(stage, took)| (stage.to_owned(), json!(took))).collect()
}
