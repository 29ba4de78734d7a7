//! Every world of the registry is complete, and nothing lies about that no world lists.

use crate::{file, gallery, pages, tables};
use std::collections::BTreeSet;
use std::fs;
use weald::Job;
use weald::catalogue::Kind;
use weald::style::Scene;
use weald::world::{WORLDS, World, WorldInfo};

/// What a world lacks, as sentences.
struct Missing {
    world: &'static str,
    list: Vec<String>,
}

impl Missing {
    fn unless(&mut self, there: bool, what: impl Into<String>) {
        if !there {
            self.list.push(format!("{}: {}", self.world, what.into()));
        }
    }

    /// A description is there and ends without a full stop.
    fn unless_described(&mut self, what: &str, name: &str, about: &str) {
        self.unless(!about.trim().is_empty(), format!("{what} {name} has no description"));
        self.unless(!about.ends_with('.'), format!("the description of {what} {name} ends in a full stop"));
    }
}

/// The files of a folder that end in `.ext`, without that end.
fn stems(folder: &str, ext: &str) -> BTreeSet<String> {
    let names = fs::read_dir(file(folder)).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap());
    names.filter_map(|n| n.strip_suffix(ext).map(str::to_owned)).collect()
}

#[test]
fn every_world_is_complete() {
    let hashes = fs::read_to_string(file("tests/goldens/hashes.txt")).unwrap();
    let mut all = Vec::new();
    for &world in WORLDS {
        let mut missing = Missing { world: world.info().name, list: Vec::new() };
        recipes_and_goldens(world.info(), &hashes, &mut missing);
        documentation(world.info(), &mut missing);
        declarations(world, &mut missing);
        all.extend(missing.list);
    }
    assert!(all.is_empty(), "worlds that are not complete:\n  {}", all.join("\n  "));
}

fn recipes_and_goldens(info: &WorldInfo, hashes: &str, missing: &mut Missing) {
    missing.unless(
        info.recipes.first().is_some_and(|r| r.name == info.name),
        "the first recipe has not its name",
    );
    missing.unless(!info.goldens.is_empty(), "no golden cases");
    missing.unless(!info.benches.is_empty(), "no bench cases");
    for recipe in info.recipes {
        let name = recipe.name;
        let kind = format!("kind = \"{}\"", info.name);
        missing
            .unless(recipe.toml.lines().any(|l| l == kind), format!("recipe {name} lacks the line {kind}"));
        missing.unless(
            !tables::recipe_about(recipe).is_empty(),
            format!("recipe {name} does not begin with what it makes"),
        );
        let mut job = Job::new(info.name).unwrap();
        let read = job.merge_recipe(name.as_ref()).and_then(|()| job.ready());
        missing.unless(
            read.is_ok(),
            format!("recipe {name} is not valid: {}", read.err().map_or(String::new(), |e| e.to_string())),
        );
        for case in info.goldens {
            let start = format!("{} {name} {} {}x{} ", info.name, case.seed, case.size.0, case.size.1);
            let there = hashes.lines().any(|l| l.starts_with(&start));
            missing.unless(there, format!("hashes.txt has no line `{start}…`"));
        }
    }
}

fn documentation(info: &WorldInfo, missing: &mut Missing) {
    let path = format!("docs/{}.md", info.name);
    let page = fs::read_to_string(file(&path)).unwrap_or_default();
    missing.unless(!page.is_empty(), format!("{path} is not there"));
    for part in pages::PARTS {
        let marker = pages::marker(part);
        missing.unless(page.lines().any(|l| l == marker), format!("{path} has no {marker}"));
    }
    missing.unless(!info.gallery.is_empty(), "no gallery picture");
    for picture in info.gallery {
        let path = format!("{}/{}", gallery::FOLDER, picture.name);
        missing.unless(file(&path).is_file(), format!("{path} is not there; run cargo xtask gallery"));
        let of_world = picture.args.split_whitespace().nth(1) == Some(info.name);
        missing.unless(of_world, format!("the picture {} is made from another world", picture.name));
    }
}

fn declarations(world: &dyn World, missing: &mut Missing) {
    let info = world.info();
    let rules = weald::check::rules(info.name).unwrap_or_default();
    missing.unless(weald::check::worlds().any(|w| w == info.name), "no checker");
    missing.unless(!rules.is_empty(), "no rules");
    missing.unless(info.about.ends_with('.'), "its description is no sentence");
    let layers = world.layers();
    missing.unless(!layers.is_empty(), "no layer");
    missing.unless(!info.views.is_empty(), "no view");
    missing.unless(!info.phases.is_empty(), "no phase");
    let names: BTreeSet<&str> = layers.iter().map(|l| l.name).collect();
    missing.unless(names.len() == layers.len(), "two layers have one name");
    for l in &layers {
        missing.unless_described("the layer", l.name, l.about);
        match l.kind {
            // Whole numbers may be numbers of things, which have no unit; a share has the unit 1.
            Kind::Measure => missing.unless(
                !l.unit.is_empty() || !l.dtype.starts_with("float"),
                format!("the layer {} has no unit", l.name),
            ),
            Kind::Classes(table) | Kind::Flags(table) | Kind::Steps(table) => {
                missing.unless(!table.is_empty(), format!("the layer {} has no codes", l.name));
            }
        }
    }
    info.files.iter().for_each(|f| missing.unless_described("the file", f.name, f.about));
    info.phases.iter().for_each(|p| missing.unless_described("the phase", p.name, p.about));
    rules.iter().for_each(|r| missing.unless_described("the rule", r.name, r.about));
    for view in info.views {
        missing.unless_described("the view", view.name, view.about);
        for layer in view.layers {
            missing.unless(names.contains(layer), format!("the view {} needs {layer}, no layer", view.name));
        }
    }
    for layer in info.key_layers {
        missing.unless(names.contains(layer), format!("{layer} is a key layer and no layer"));
    }
    match info.scene {
        Scene::Relief => missing.unless(names.contains("height"), "a relief without the layer height"),
        Scene::Walk => missing.unless(info.tiles.is_some(), "a walk without tiles"),
        Scene::Globe { view, sea_level } => {
            missing.unless(info.view(view).is_some(), "a globe without its view");
            missing.unless(world.params().value(sea_level).is_some(), "a globe without a sea level");
        }
        Scene::Space { gas, .. } => {
            missing.unless(gas.iter().all(|l| names.contains(l)), "gas that is no layer");
        }
    }
    let paths: Vec<String> = world.params().leaves().into_iter().map(|l| l.path).collect();
    for (phase, param) in info.phases.iter().flat_map(|p| p.params.iter().map(move |param| (p.name, param))) {
        let known = paths.iter().any(|p| p == param || p.starts_with(&format!("{param}.")));
        missing.unless(known, format!("the phase {phase} reads {param}, no parameter"));
    }
}

#[test]
fn every_recipe_and_every_gallery_picture_is_declared() {
    let recipes: BTreeSet<String> =
        WORLDS.iter().flat_map(|w| w.info().recipes).map(|r| r.name.to_owned()).collect();
    assert_eq!(stems("recipes", ".toml"), recipes);
    let made = WORLDS.iter().flat_map(|w| w.info().gallery).map(|p| p.name);
    let measured = gallery::MEASURED.iter().map(|m| m.0);
    let rules = crate::rules::pictures().unwrap().into_iter().map(|(name, _)| name);
    let pictures = made.chain(measured).map(str::to_owned).chain(rules);
    let pictures: BTreeSet<String> = pictures.map(|name| name.replace(".png", "")).collect();
    assert_eq!(stems(gallery::FOLDER, ".png"), pictures);
}

#[test]
fn every_golden_line_belongs_to_a_world() {
    let hashes = fs::read_to_string(file("tests/goldens/hashes.txt")).unwrap();
    for line in hashes.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [world, recipe, seed, size, _, _] = words[..] else { panic!("`{line}` has not six words") };
        let info = weald::world::find(world).unwrap_or_else(|| panic!("`{line}`: no such world")).info();
        let case = |c: &weald::world::Case| {
            seed == c.seed.to_string() && size == format!("{}x{}", c.size.0, c.size.1)
        };
        let known = info.recipes.iter().any(|r| r.name == recipe) && info.goldens.iter().any(case);
        assert!(known, "`{line}`: no such recipe or case");
    }
}

#[test]
fn every_world_with_a_checker_is_registered() {
    let worlds: BTreeSet<&str> = WORLDS.iter().map(|w| w.info().name).collect();
    assert_eq!(weald::check::worlds().collect::<BTreeSet<_>>(), worlds);
}
