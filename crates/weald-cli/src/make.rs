//! generate, derive and debug.

use crate::args::Make;
use crate::memory;
use crate::progress::{Bars, Progress};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use weald::core::{Ctx, Grid};
use weald::export::Sink;
use weald::export::debug::Keeper;
use weald::export::folder::{self, Check, Choice, FolderPlan};
use weald::export::heightmap;
use weald::export::stage::{Existing, Form, Stage};
use weald::recipe::{Comments, Recipe};
use weald::world::endless::Placed;
use weald::world::{Made, OwnFile, World};
use weald::{Error, Result, import};

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
    File(PathBuf),
    Stdout,
}

pub(crate) fn run(mode: Mode, args: &Make, stop: &AtomicBool) -> Result<()> {
    let world = find_world(&args.world)?;
    let mut recipe = recipe(mode, world, args)?;
    let target = target(mode, &recipe, args)?;
    check_names(args, world, &target)?;
    if args.print_recipe {
        return print(&recipe.to_toml(Comments::Origin));
    }
    let maps = load_maps(&mut recipe)?;
    check_memory(&recipe)?;
    if chosen_files(world, args).iter().any(is_world_map) {
        heightmap::check_world_map(recipe.size).map_err(|e| Error::Shape(format!("--worldmap: {e}")))?;
    }
    if let Target::Folder(path) | Target::File(path) = &target {
        // Before any work: a name that is taken is told at once.
        let form = if matches!(target, Target::File(_)) { Form::File } else { Form::Folder };
        Stage::check(path, form, existing(args))?;
    }
    let bars = if args.quiet || args.json { Bars::Off } else { Bars::Auto };
    let progress = Progress::new(bars);
    let keeper = Keeper::new(&progress);
    let ctx = if mode == Mode::Debug { Ctx::new(&keeper, stop) } else { Ctx::new(&progress, stop) };
    let made = world.make(&recipe, maps, &ctx)?;
    match &target {
        Target::Stdout => {
            let file = own_file(world, args, None)?;
            let mut out = Sink::new("standard output", std::io::stdout());
            ctx.stage("write", |c| made.write_own(&file, &args.with, &mut out, c))?;
            out.finish()?;
        }
        Target::File(path) => {
            let file = own_file(world, args, Some(path))?;
            let stage = Stage::new(path, Form::File, existing(args))?;
            let writer =
                std::fs::File::options().write(true).open(stage.path()).map_err(|e| Error::io(path, e))?;
            let mut out = Sink::new(path, writer);
            ctx.stage("write", |c| made.write_own(&file, &args.with, &mut out, c))?;
            out.finish()?;
            stage.commit()?;
        }
        Target::Folder(path) => {
            let files = chosen_files(world, args);
            let plan = FolderPlan {
                layers: choice(args.layers.as_deref().unwrap_or("all")),
                images: choice(args.png.as_deref().unwrap_or("none")),
                extras: extras(world, args, &files),
                files,
                check: if args.check { Check::Run } else { Check::Skip },
                debug: (mode == Mode::Debug).then_some(&keeper),
                seconds: Some(&|| progress.timings()),
            };
            folder::write(path, existing(args), &recipe, made.as_ref(), &plan, &ctx)?;
        }
    }
    progress.finish();
    report(mode, args, &recipe, &target, made.as_ref(), &progress)
}

fn existing(args: &Make) -> Existing {
    if args.force { Existing::Replace } else { Existing::Keep }
}

/// Writes to standard output.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| Error::io("standard output", e))
}

/// The world of that name, or the nearest one as a suggestion.
pub(crate) fn find_world(name: &str) -> Result<&'static dyn World> {
    weald::world::find(name).ok_or_else(|| {
        let names = weald::world::WORLDS.iter().map(|w| w.name());
        Error::Invalid(format!("{name}: no such world; {}", nearest(name, names)))
    })
}

/// "did you mean …?", or all there is.
fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.collect();
    let near = known.iter().map(|n| (strsim::jaro_winkler(n, name), n)).filter(|(near, _)| *near > 0.8);
    match near.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((_, n)) => format!("did you mean {n}?"),
        None => format!("there is {}", known.join(", ")),
    }
}

/// Where the values of a recipe come from, besides the defaults.
pub(crate) struct Sources<'a> {
    pub(crate) recipe: Option<&'a Path>,
    pub(crate) params: Option<&'a Path>,
    pub(crate) seed: Option<u64>,
    pub(crate) size: Option<(usize, usize)>,
    pub(crate) placed: Option<&'a Path>,
    pub(crate) set: &'a [String],
}

/// Puts a recipe together: defaults, then files, then command line.
pub(crate) fn merged(world: &'static dyn World, sources: &Sources) -> Result<Recipe> {
    let mut recipe = Recipe::new(world);
    if let Some(path) = sources.recipe {
        merge_recipe(&mut recipe, path)?;
    }
    if let Some(path) = sources.params {
        recipe.merge_json(&read_text(path)?, path)?;
    }
    if let Some(seed) = sources.seed {
        recipe.set_seed(seed, "--seed");
    }
    if let Some(size) = sources.size {
        recipe.set_size(size, "--size");
    }
    if let Some(path) = sources.placed {
        set_placed(&mut recipe, path)?;
    }
    for text in sources.set {
        recipe.params.set_text(text);
    }
    Ok(recipe)
}

/// The recipe of a command that makes a world.
fn recipe(mode: Mode, world: &'static dyn World, args: &Make) -> Result<Recipe> {
    let mut recipe = merged(
        world,
        &Sources {
            recipe: args.recipe.as_deref(),
            params: args.params.as_deref(),
            seed: args.seed,
            size: args.size,
            placed: args.placed.as_deref(),
            set: &args.set,
        },
    )?;
    if args.width.is_some() || args.height.is_some() {
        let size = (args.width.unwrap_or(recipe.size.0), args.height.unwrap_or(recipe.size.1));
        recipe.set_size(size, "--width, --height");
    }
    if let Some((x, y)) = args.at {
        if recipe.params.value("at.x").is_none() {
            return Err(Error::Invalid(format!("--at: the world {} lies at one place", world.name())));
        }
        recipe.params.set("at.x", x.into(), "--at");
        recipe.params.set("at.y", y.into(), "--at");
    }
    let maps = [&args.map_h, &args.map_r, &args.map_v];
    if world.map_names().is_empty() && (mode == Mode::Derive || maps.iter().any(|m| m.is_some())) {
        let name = world.name();
        let message = format!("{name}: this world takes no maps of your own; use `weald generate {name}`");
        return Err(Error::Invalid(message));
    }
    for (name, path) in [("h", &args.map_h), ("r", &args.map_r), ("v", &args.map_v)] {
        let Some(path) = path else { continue };
        if mode == Mode::Generate {
            let message = format!(
                "--map-{name}: generate makes its maps from noise; use `weald derive {}`",
                world.name()
            );
            return Err(Error::Invalid(message));
        }
        if !world.map_names().iter().any(|m| m.0 == name) {
            let known: Vec<&str> = world.map_names().iter().map(|m| m.0).collect();
            let message = format!("--map-{name}: the world {} takes {} only", world.name(), known.join(", "));
            return Err(Error::Invalid(message));
        }
        recipe.set_map(name, path.clone(), &format!("--map-{name}"));
    }
    let first = world.map_names().first().map_or("h", |m| m.0);
    if mode == Mode::Derive && !recipe.maps.contains_key(first) {
        return Err(Error::Invalid(format!("derive needs --map-{first} FILE (or maps.{first} in a recipe)")));
    }
    world.check(&recipe.params)?;
    Ok(recipe)
}

/// Takes over a file of placed things.
fn set_placed(recipe: &mut Recipe, path: &Path) -> Result<()> {
    if recipe.params.value("placed").is_none() {
        let message = format!("--placed: nothing can be placed in the world {}", recipe.world.name());
        return Err(Error::Invalid(message));
    }
    let text = read_text(path)?;
    // Errors of the file are told by its name here; a recipe holds the things themselves.
    let placed = Placed::parse(&text).map_err(|e| Error::Invalid(format!("{}: {e}", path.display())))?;
    recipe.params.set("placed", placed.to_text().trim_end().into(), "--placed");
    Ok(())
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let text = if path.as_os_str() == "-" {
        std::io::read_to_string(std::io::stdin())
    } else {
        std::fs::read_to_string(path)
    };
    text.map_err(|e| match e.kind() {
        std::io::ErrorKind::InvalidData => Error::Invalid(format!("{}: is not UTF-8 text", path.display())),
        _ => Error::io(path, e),
    })
}

/// A recipe file, or one that comes with the program.
pub(crate) fn merge_recipe(recipe: &mut Recipe, path: &Path) -> Result<()> {
    let name = path.to_string_lossy();
    if !path.is_file() && path.extension().is_none() && name != "-" {
        let Some((_, text)) = crate::recipes::find(&name) else {
            let names = crate::recipes::RECIPES.iter().map(|r| r.0);
            let message = format!("no such file, and no recipe of that name; {}", nearest(&name, names));
            return Err(Error::Invalid(format!("{name}: {message}")));
        };
        return recipe.merge_toml(text, Path::new(&format!("{name} (built in)")));
    }
    recipe.merge_toml(&read_text(path)?, path)
}

/// Reads the authored maps. Unless the command line gives a size, the world takes that of the first one.
fn load_maps(recipe: &mut Recipe) -> Result<BTreeMap<String, Grid<f32>>> {
    let mut maps = BTreeMap::new();
    for (name, path) in &recipe.maps {
        maps.insert(name.clone(), import::map(path)?);
    }
    if !recipe.size_origin().is_some_and(|origin| origin.starts_with("--")) {
        let first = recipe.world.map_names().iter().find_map(|(name, _)| maps.get(*name));
        if let Some((w, h)) = first.map(|map| (map.width(), map.height())) {
            recipe.set_size((w, h), "size of the map");
        }
    }
    Ok(maps)
}

pub(crate) fn check_memory(recipe: &Recipe) -> Result<()> {
    let ((w, h), needed) = (recipe.size, recipe.world.bytes_needed(recipe));
    match memory::available() {
        Some(free) if needed > free => Err(Error::Invalid(format!(
            "size = {w}x{h}: needs {needed} bytes ({}) of memory and {free} ({}) are free; make the map smaller",
            memory::readable(needed),
            memory::readable(free)
        ))),
        _ => Ok(()),
    }
}

fn target(mode: Mode, recipe: &Recipe, args: &Make) -> Result<Target> {
    let Some(path) = &args.output else {
        return Ok(Target::Folder(PathBuf::from(format!("{}-{}", recipe.world.name(), recipe.seed))));
    };
    let single = path.as_os_str() == "-" || matches!(ending(path).as_str(), "json" | "ndjson");
    if single && mode == Mode::Debug {
        return Err(Error::Invalid(format!("-o {}: debug writes a folder", path.display())));
    }
    Ok(match single {
        true if path.as_os_str() == "-" => Target::Stdout,
        true => Target::File(path.clone()),
        false => Target::Folder(path.clone()),
    })
}

/// What comes after the last dot, in small letters.
fn ending(path: &Path) -> String {
    path.extension().map_or_else(String::new, |e| e.to_string_lossy().to_ascii_lowercase())
}

fn choice(text: &str) -> Choice {
    match text {
        "all" => Choice::All,
        "none" | "" => Choice::none(),
        names => Choice::Named(names.split(',').map(|n| n.trim().to_owned()).collect()),
    }
}

/// Names and options that this world or this kind of output does not have.
fn check_names(args: &Make, world: &dyn World, target: &Target) -> Result<()> {
    Choice::Named(args.with.clone()).check("--with", world.extras().iter().map(|e| e.0))?;
    if let Some(files) = &args.files {
        choice(files).check("--files", world.own_files().iter().map(|f| f.name))?;
    }
    if args.worldmap && !world.own_files().iter().any(is_world_map) {
        let with: Vec<&str> = weald::world::WORLDS
            .iter()
            .filter(|w| w.own_files().iter().any(is_world_map))
            .map(|w| w.name())
            .collect();
        let which = if with.is_empty() { "no world".to_owned() } else { with.join(", ") };
        let message = format!("--worldmap: {} has no map of the land around; {which} has one", world.name());
        return Err(Error::Invalid(message));
    }
    for (option, value) in [("--layers", &args.layers), ("--png", &args.png)] {
        // A world may have to make a map of one cell to know its layers.
        if let Some(value) = value {
            choice(value).check(option, world.layer_names().into_iter())?;
        }
    }
    let folder_only = [
        ("--layers", args.layers.is_some()),
        ("--png", args.png.is_some()),
        ("--check", args.check),
        ("--worldmap", args.worldmap),
        ("--files", args.files.is_some() && matches!(target, Target::File(_))),
        ("--json", args.json && matches!(target, Target::Stdout)),
    ];
    match folder_only.iter().find(|(_, given)| *given && !matches!(target, Target::Folder(_))) {
        None => Ok(()),
        Some((option, _)) => {
            Err(Error::Invalid(format!("{option} is for folders; give -o a folder, or leave {option} out")))
        }
    }
}

/// Whether a world's own file belongs to the map of the land around it.
fn is_world_map(file: &OwnFile) -> bool {
    file.name.starts_with("worldmap")
}

/// What is added to the world's own files: what was asked for, and with a world map the seam between the two.
fn extras(world: &dyn World, args: &Make, files: &[OwnFile]) -> Vec<String> {
    let mut extras = args.with.clone();
    let seam = world.extras().iter().any(|e| e.0 == "seam");
    if seam && files.iter().any(is_world_map) && !extras.iter().any(|e| e == "seam") {
        extras.push("seam".into());
    }
    extras
}

fn chosen_files(world: &dyn World, args: &Make) -> Vec<OwnFile> {
    let wanted = args.files.as_deref().map(choice);
    let chosen = |f: &OwnFile| wanted.as_ref().map_or(f.by_default, |w| w.has(f.name));
    let all = world.own_files().iter().copied();
    all.filter(|f| chosen(f) || (args.worldmap && is_world_map(f))).collect()
}

/// The world's own file that goes to a single file or to standard output.
fn own_file(world: &dyn World, args: &Make, path: Option<&Path>) -> Result<OwnFile> {
    let file = match path {
        Some(path) => world.own_files().iter().copied().find(|f| ending(Path::new(f.name)) == ending(path)),
        None => chosen_files(world, args).first().copied(),
    };
    file.ok_or_else(|| {
        let names: Vec<&str> = world.own_files().iter().map(|f| f.name).collect();
        Error::Invalid(format!("this world has no such file of its own; it has {}", names.join(", ")))
    })
}

/// Tells what was made.
fn report(
    mode: Mode,
    args: &Make,
    recipe: &Recipe,
    target: &Target,
    made: &dyn Made,
    progress: &Progress,
) -> Result<()> {
    let seconds = progress.seconds();
    if args.timings {
        for (stage, took) in progress.timings() {
            let _ = writeln!(std::io::stderr(), "{stage:28} {:9.1} ms", took * 1e3);
        }
    }
    let path = match target {
        // The world itself is on standard output.
        Target::Stdout => return Ok(()),
        Target::File(path) | Target::Folder(path) => path,
    };
    if args.json {
        let timings: Map<String, Value> =
            progress.timings().into_iter().map(|(s, t)| (s.to_owned(), json!(t))).collect();
        let summary = json!({
            "world": recipe.world.name(), "seed": recipe.seed, "width": recipe.size.0, "height": recipe.size.1,
            "path": path.display().to_string(), "seconds": seconds, "stages": timings,
            "stats": made.catalogue().stats, "notes": made.notes(),
        });
        return print(&format!("{summary:#}\n"));
    }
    if !args.quiet {
        let (w, h) = recipe.size;
        let what = format!("{} {w}x{h}, seed {}", recipe.world.name(), recipe.seed);
        let look = match (target, mode) {
            (Target::Folder(_), Mode::Debug) => {
                format!("; look at {}", path.join("debug/index.html").display())
            }
            (Target::Folder(_), _) => format!("; look at {}", path.join("map.png").display()),
            _ => String::new(),
        };
        let notes: String = made.notes().iter().map(|n| format!("{n}\n")).collect();
        print(&format!("{what} -> {} in {seconds:.1} s{look}\n{notes}", path.display()))?;
    }
    Ok(())
}
