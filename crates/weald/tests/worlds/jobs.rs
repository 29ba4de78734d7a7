//! What holds for every world that is made through a job: phases, drawing from a folder, errors as data.

use std::path::Path;
use weald::core::Ctx;
use weald::export::atomic::Existing;
use weald::job::folder::{Choice, FolderPlan};
use weald::npy::sha256;
use weald::params::{Leaf, ParamTree};
use weald::render::Picture;
use weald::style::DrawOptions;
use weald::world::{PhaseInfo, Phases, WORLDS, WorldInfo};
use weald::{Error, Job, Output};

/// A small map of a world.
fn small(info: &WorldInfo) -> Job {
    let job = Job::new(info.name).unwrap().seed(5);
    match info.name {
        "planet" => job.size(8).set("radius_m", 150).unwrap(),
        "city" => job.size((45, 33)).set("goal.buildable_share", 0).unwrap(),
        "galaxy" => job.size((24, 18)).set("depth_ly", 20).unwrap(),
        "realm" => job.size((64, 48)),
        _ => job.size((48, 36)),
    }
}

/// Hashes of every layer, and the lines, points, polygons and figures as text.
fn fingerprint(output: &Output) -> Vec<String> {
    let c = &output.catalogue;
    let layers = c.layers.iter().map(|l| format!("{} {}", l.name, sha256(&l.cells())));
    let sets = c.lines.iter().chain(&c.points).chain(&c.polygons).map(|s| format!("{s:?}"));
    layers.chain(sets).chain([format!("{:?}", c.figures)]).collect()
}

/// A value of the parameter that is neither the present one nor outside its range.
fn another(leaf: &Leaf, params: &ParamTree) -> Option<serde_json::Value> {
    let now = params.value(&leaf.path)?;
    if let Some(flag) = now.as_bool() {
        return Some((!flag).into());
    }
    if let Some(names) = leaf.schema["enum"].as_array() {
        return names.iter().find(|n| *n != now).cloned();
    }
    let value = now.as_f64()?;
    let whole = leaf.schema["type"] == "integer";
    let tries = [value + 1.0, value - 1.0, value * 1.25, value * 0.8, value + 0.1];
    let fits = |v: &f64| {
        let mut tree = params.clone();
        tree.set(&leaf.path, (*v).into(), "test");
        *v != value && (!whole || v.fract() == 0.0) && tree.validate().is_ok()
    };
    tries.into_iter().find(fits).map(Into::into)
}

#[test]
fn a_changed_parameter_makes_its_phase_and_later_ones_anew_with_the_same_bits_as_making_all() {
    for world in WORLDS {
        let (info, ctx) = (world.info(), Ctx::default());
        let job = small(info);
        let mut phases = Phases::keeping();
        job.run_from(&mut phases, &ctx).unwrap();
        job.run_from(&mut phases, &ctx).unwrap();
        let all = phases.taken_over().to_vec();
        assert!(!all.is_empty(), "{}: nothing is kept", info.name);
        for leaf in world.params().leaves() {
            let Some(value) = another(&leaf, &job.recipe().params) else { continue };
            // What takes too long or is not allowed together with the rest says so by itself.
            let Ok(changed) = job.clone().set(&leaf.path, value.clone()) else { continue };
            let Ok(anew) = changed.run(&ctx) else { continue };
            let went_on = changed.run_from(&mut phases, &ctx).unwrap();
            assert_eq!(fingerprint(&went_on), fingerprint(&anew), "{}: {} = {value}", info.name, leaf.path);
            let reads = |p: &PhaseInfo| p.params.iter().any(|group| leaf.path.starts_with(group));
            let before = info.phases.iter().take_while(|p| !reads(p)).map(|p| p.name);
            let expected: Vec<&str> = before.filter(|name| all.contains(name)).collect();
            assert_eq!(phases.taken_over(), expected, "{}: {}", info.name, leaf.path);
            job.run_from(&mut phases, &ctx).unwrap();
        }
    }
}

fn png(picture: &Picture) -> Vec<u8> {
    let mut bytes = Vec::new();
    picture.write_png(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_folder_that_is_read_back_gives_the_same_pictures_in_every_view() {
    for world in WORLDS {
        let (info, ctx) = (world.info(), Ctx::default());
        let output = small(info).run(&ctx).unwrap();
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join("w");
        output.save(&dir, Existing::Keep, &FolderPlan::new(info.files), &ctx).unwrap();
        let again = weald::job::open(&dir).unwrap();
        assert_eq!(fingerprint(&again), fingerprint(&output), "{}", info.name);
        for view in info.views {
            let draw = DrawOptions { view: Some(view.name.into()), px: Some(200), ..DrawOptions::default() };
            let (first, second) = (output.draw(&draw, &ctx).unwrap(), again.draw(&draw, &ctx).unwrap());
            assert!(png(&first) == png(&second), "{} {}", info.name, view.name);
        }
        let map = std::fs::read(dir.join("map.png")).unwrap();
        assert!(map == png(&again.draw(&again.recipe.draw, &ctx).unwrap()), "{}", info.name);
    }
}

#[test]
fn a_view_whose_layers_are_not_in_the_folder_says_what_to_generate() {
    let ctx = Ctx::default();
    let output = Job::new("forest").unwrap().size(24).run(&ctx).unwrap();
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("w");
    let plan = FolderPlan { layers: Choice::parse("height"), ..FolderPlan::new(&[]) };
    output.save(&dir, Existing::Keep, &plan, &ctx).unwrap();
    let error = weald::job::open(&dir).unwrap().draw(&DrawOptions::default(), &ctx).unwrap_err().to_string();
    assert!(error.contains("biome") && error.contains("--layers all"), "{error}");
}

#[test]
fn the_files_of_a_world_can_be_written_from_its_folder() {
    for name in ["forest", "island", "galaxy", "endless"] {
        let (info, ctx) = (weald::world::find(name).unwrap().info(), Ctx::default());
        let output = small(info).run(&ctx).unwrap();
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join("w");
        output.save(&dir, Existing::Keep, &FolderPlan::new(&[]), &ctx).unwrap();
        let again = weald::job::open(&dir).unwrap();
        for file in info.files.iter().filter(|f| !f.name.ends_with(".png")) {
            let write = |output: &Output| {
                let mut bytes = Vec::new();
                let mut sink = weald::sink::Sink::new(file.name, &mut bytes);
                output.write_file(file, &[], &mut sink, &ctx).unwrap();
                drop(sink);
                bytes
            };
            assert!(write(&again) == write(&output), "{}", file.name);
        }
    }
}

#[test]
fn an_error_about_a_parameter_carries_its_path_value_range_and_source() {
    let error = Job::new("island").unwrap().set("rivers.spring_area", -5).err().unwrap();
    let Error::Params(problems) = &error else { panic!("{error}") };
    let [problem] = problems.as_slice() else { panic!("{error}") };
    assert_eq!((problem.path.as_str(), problem.range.0), ("rivers.spring_area", Some(0.0)));
    assert_eq!(problem.value, Some((-5).into()));
    assert!(problem.source.is_some() && problem.range.1.is_some(), "{problem:?}");
    assert_eq!(error.exit_code(), 2);
}

#[test]
fn every_built_in_recipe_is_of_its_world_and_makes_it() {
    for world in WORLDS {
        for recipe in world.info().recipes {
            let mut job = Job::new(world.info().name).unwrap();
            job.merge_recipe(Path::new(recipe.name)).unwrap();
            job.recipe().world.plan(&job.recipe().params).unwrap();
        }
    }
}
