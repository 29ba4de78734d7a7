//! Help for one world: only what that world has is shown.

use crate::args::Cli;
use clap::{Command, CommandFactory};
use std::fmt::Write;
use weald::export::target::TARGETS;
use weald::job::folder::FileChoice;
use weald::params::{aliases, range_text};
use weald::world::{At, World, WorldInfo};

/// The commands that make a world.
const MAKING: [&str; 3] = ["generate", "derive", "debug"];

/// The help for `weald COMMAND WORLD --help`, if that is what was typed.
pub(crate) fn for_world(args: &[String]) -> Option<String> {
    let mut words = args.iter().skip(1).map(String::as_str);
    let command = words.next().map(|c| if c == "gen" { "generate" } else { c })?;
    let rest: Vec<&str> = words.collect();
    let asked = rest.iter().any(|a| matches!(*a, "--help" | "-h"));
    // The word after an option may be its value.
    let free = |i: usize| !rest[i].starts_with('-') && (i == 0 || !rest[i - 1].starts_with('-'));
    let first = (0..rest.len()).find(|&i| free(i))?;
    let world = weald::world::find(rest[first])?;
    (asked && MAKING.contains(&command)).then(|| text(command, world))
}

fn text(command: &str, world: &dyn World) -> String {
    let info = world.info();
    let mut cli = fitted(command, info);
    cli.build();
    let sub = cli.find_subcommand_mut(command).expect("the command exists");
    let mut help = sub.render_help().to_string();
    help.push_str(&about(world));
    help
}

/// The command line without the options that the world does not use.
fn fitted(command: &str, info: &'static WorldInfo) -> Command {
    let map = |k: usize| info.maps.len() > k && command != "generate";
    let changes = weald::world::find(info.name).is_some_and(|w| w.params().value("time").is_some());
    let hidden = [
        ("at", info.at.is_none()),
        ("radius", !matches!(info.at, Some(At::Picture(_)))),
        ("placed", info.placed.is_none()),
        ("map", !map(0)),
        ("map_h", !map(0)),
        ("map_r", !map(1)),
        ("map_v", !map(2)),
        ("worldmap", !FileChoice::names(info).contains(&"worldmap")),
        ("with", FileChoice::names(info).is_empty()),
        ("frames", !changes),
        ("fps", !changes),
        ("settings", info.views.iter().all(|v| v.settings.is_empty())),
    ];
    let (width, height) = info.default_size;
    Cli::command().mut_subcommand(command, |mut sub| {
        for (name, hide) in hidden {
            sub = sub.mut_arg(name, |arg| arg.hide(hide));
        }
        let seed =
            format!("Seed, a whole number up to 18446744073709551615 [default: {}]", info.default_seed);
        let size =
            format!("Width and height in cells, or one number for a square [default: {width}x{height}]");
        if let Some(at) = &info.at {
            let (help, name) = match at {
                At::Window(_) => (format!("Place of the window: {}", at.about()), "X,Y"),
                At::Picture(_) => (format!("A place: {}", at.about()), "LAT,LON"),
            };
            sub = sub.mut_arg("at", |arg| arg.help(help).value_name(name));
        }
        sub.mut_arg("world", |arg| arg.hide(true))
            .mut_arg("seed", |arg| arg.help(seed))
            .mut_arg("size", |arg| arg.help(size))
            .override_usage(format!("weald {command} {} [OPTIONS]", info.name))
            .about(info.about)
    })
}

/// Parameters, maps, files, views and recipes of a world.
fn about(world: &dyn World) -> String {
    let info = world.info();
    let mut out = String::new();
    let mut section = |title: &str, rows: Vec<(String, String)>| {
        if rows.is_empty() {
            return;
        }
        let _ = writeln!(out, "\n{title}:");
        for (name, about) in rows {
            let _ = writeln!(out, "{}", format!("  {name:<34} {about}").trim_end());
        }
    };
    section("Maps of your own (derive, debug)", {
        let row = |m: &weald::world::MapInput| (format!("--map {}=FILE", m.alias), m.about.to_owned());
        info.maps.iter().map(row).collect()
    });
    section("Files", {
        let row = |f: &weald::world::FileSpec| {
            (f.name.to_owned(), format!("{}{}", f.about, if f.by_default { " (by default)" } else { "" }))
        };
        info.files.iter().map(row).collect()
    });
    section("Additions (--with)", info.options.iter().map(|o| (o.name.into(), o.about.into())).collect());
    section("Targets (--export)", {
        let fitting = TARGETS.iter().filter(|t| t.fits(&info.exports));
        fitting.map(|t| (t.name.to_owned(), t.about.to_owned())).collect()
    });
    section("Views (--view)", info.views.iter().map(|v| (v.name.into(), v.about.into())).collect());
    section("Settings of views (--draw)", {
        let mut rows: Vec<(String, String)> = Vec::new();
        for s in info.views.iter().flat_map(|v| v.settings) {
            let about = format!("{}, {} to {} [default: {}]", s.about, s.min, s.max, s.default);
            if !rows.iter().any(|r| r.0 == s.name) {
                rows.push((s.name.into(), about));
            }
        }
        rows
    });
    section("Recipes (--recipe)", info.recipes.iter().map(|r| (r.name.into(), String::new())).collect());
    section("Parameters (--set PATH=VALUE)", {
        let row = |leaf: weald::params::Leaf| {
            let range = range_text(&leaf.schema).map_or(String::new(), |r| format!(", {r}"));
            let also = match aliases(&leaf.schema).as_slice() {
                [] => String::new(),
                names => format!(" [also {}]", names.join(", ")),
            };
            (leaf.path, format!("{}{range}{also}", leaf.default))
        };
        world.params().leaves().into_iter().map(row).collect()
    });
    let _ = writeln!(out, "\n`weald new {}` prints every parameter with its meaning and unit.", info.name);
    out
}
