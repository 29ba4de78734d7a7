//! What holds for maps of one's own that are read from files: units, place and proportions.

use std::path::{Path, PathBuf};
use weald::georeference::{CrsUnit, GeoReference};
use weald::job::Output;
use weald::recipe::{Comments, Crop, Recipe};
use weald::{Job, core::Ctx};

const UTM: &str = r#"PROJCS["WGS 84 / UTM zone 33N",GEOGCS["WGS 84",UNIT["degree",0.0174532925199433]],UNIT["metre",1],AUTHORITY["EPSG","32633"]]"#;

/// An ASCII grid with cells of 60 m whose corner in the north-west is at (500 000, 5 200 000), and its projection.
fn asc(dir: &Path, name: &str, (w, h): (usize, usize), height: impl Fn(usize, usize) -> f64) -> PathBuf {
    let south = 5_200_000.0 - 60.0 * h as f64;
    let mut text = format!("ncols {w}\nnrows {h}\nxllcorner 500000\nyllcorner {south}\ncellsize 60\n");
    for y in 0..h {
        let row: Vec<String> = (0..w).map(|x| height(x, y).to_string()).collect();
        text += &(row.join(" ") + "\n");
    }
    let path = dir.join(name);
    std::fs::write(&path, text).unwrap();
    std::fs::write(path.with_extension("prj"), UTM).unwrap();
    path
}

fn with_map(world: &str, path: &Path) -> Job {
    let mut job = Job::new(world).unwrap();
    let name = job.recipe().world.info().maps[0].name;
    job.recipe_mut().set_map(name, path.to_owned(), "the test");
    job
}

fn run(job: &Job) -> Output {
    job.run(&Ctx::default()).unwrap()
}

fn heights(output: &Output) -> Vec<f32> {
    output.catalogue.floats("height").unwrap().cells().to_vec()
}

#[test]
fn metres_stay_metres_where_a_part_of_the_map_lies_between_0_and_1() {
    let dir = tempfile::tempdir().unwrap();
    // A polder: the west lies below one metre, the east rises to 60 m.
    let path = asc(dir.path(), "polder.asc", (64, 32), |x, y| match x {
        0..32 => 0.1 + 0.4 * f64::from((x + y) as u32 % 7) / 7.0,
        _ => 2.0 * (x as f64 - 31.0),
    });
    for world in ["city", "island"] {
        let mut job = with_map(world, &path).crop(Crop { x: 0, y: 0, width: 32, height: 32 });
        if world == "city" {
            job = job.set("goal.buildable_share", 0).unwrap();
        }
        let made = run(&job);
        let note = made.catalogue.notes.iter().find(|n| n.starts_with("map height")).unwrap();
        assert!(note.contains("read as metres from 0.1"), "{world}: {note}");
        assert!(heights(&made).iter().all(|h| *h < 1.5), "{world}: no peak of grey");
        // The recipe says so, and makes it again.
        let toml = made.recipe.to_toml(Comments::Origin);
        assert!(toml.contains("in_metres = true"), "{world}: {toml}");
        let mut again = Recipe::new(made.recipe.world);
        again.merge_toml(&toml, &dir.path().join("recipe.toml")).unwrap();
        assert!(again.in_metres);
        let own = made.recipe.world.info().maps[0].name;
        let mut again = Job::of(again).map(own, (*made.maps[own]).clone()).unwrap();
        again.recipe_mut().in_metres = true;
        again.recipe_mut().crop = None;
        assert_eq!(heights(&run(&again)), heights(&made), "{world}");
    }
    // A forest scales the metres that it gets, and keeps what they were.
    let forest = run(&with_map("forest", &path).crop(Crop { x: 0, y: 0, width: 32, height: 32 }));
    let (low, high) = forest.catalogue.heights_m.unwrap();
    assert!((low - 0.1).abs() < 1e-6 && (0.4..0.5).contains(&high), "{low} {high}");
}

#[test]
fn a_map_of_other_proportions_loses_its_edges_and_keeps_its_shape_and_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let path = asc(dir.path(), "wide.asc", (90, 60), |x, y| 10.0 + (x + 2 * y) as f64);
    let job = with_map("city", &path).size(120).resample().set("goal.buildable_share", 0).unwrap();
    let made = run(&job);
    let note = made.catalogue.notes.iter().find(|n| n.starts_with("map height")).unwrap();
    let told = "cropped to 60x60 at column 15, row 0 for the proportions of the world, resampled to 120x120";
    assert!(note.contains(told), "{note}");
    assert_eq!(made.catalogue.frame.cell_m, 30.0);
    let expected = GeoReference {
        epsg: Some(32633),
        unit: CrsUnit::Metre,
        west: 500_900.0,
        north: 5_200_000.0,
        step: (30.0, 30.0),
    };
    assert_eq!(made.catalogue.georeference, Some(expected));
    // One side alone keeps all of the map.
    let mut job = with_map("city", &path).resample().set("goal.buildable_share", 0).unwrap();
    job.recipe_mut().set_sides([Some(60), None], "the test");
    let made = run(&job);
    assert_eq!((made.recipe.size, made.catalogue.frame.cell_m), ((60, 40), 90.0));
}

#[test]
fn the_cell_of_the_user_counts_and_not_the_shape_of_the_cells_of_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = asc(dir.path(), "land.asc", (40, 40), |x, y| 3.0 + (x * y) as f64 / 40.0);
    // At 60° north a degree of longitude is half a degree of latitude.
    let text = std::fs::read_to_string(&path).unwrap();
    let degrees =
        text.replace("500000", "10").replace("5197600", "60").replace("cellsize 60", "cellsize 0.001");
    std::fs::write(&path, degrees).unwrap();
    std::fs::remove_file(path.with_extension("prj")).unwrap();
    assert_eq!(run(&with_map("island", &path)).recipe.size, (20, 40));
    let mut job = with_map("island", &path);
    job.set_cell_m(30.0, "--cell-m").unwrap();
    let made = run(&job);
    assert_eq!((made.recipe.size, made.catalogue.frame.cell_m), ((40, 40), 30.0));
    let note = made.catalogue.notes.iter().find(|n| n.starts_with("map height")).unwrap();
    assert!(made.catalogue.georeference.is_none() && note.contains("--cell-m is not its cell"), "{note}");
}

#[test]
fn a_sea_at_exactly_0_m_is_sea_in_a_city_too() {
    let dir = tempfile::tempdir().unwrap();
    let path = asc(dir.path(), "coast.asc", (40, 40), |x, _| if x < 16 { 0.0 } else { x as f64 - 15.0 });
    let made = run(&with_map("city", &path).set("goal.buildable_share", 0).unwrap());
    let height = made.catalogue.floats("height").unwrap();
    let buildable = made.catalogue.cells("buildable").unwrap();
    for y in 0..40 {
        for x in 0..40 {
            assert!(height[(x, y)] > 0.0 || buildable.at(x, y) == 3.0, "{x}, {y}: sea is water");
        }
    }
    assert_eq!(made.catalogue.figures["sea"], 0.4);
}

#[test]
fn the_place_of_a_map_is_that_of_this_map() {
    let dir = tempfile::tempdir().unwrap();
    let path = asc(dir.path(), "land.asc", (40, 40), |x, y| 3.0 + (x * y) as f64 / 40.0);
    let made = run(&with_map("island", &path).crop(Crop { x: 10, y: 5, width: 30, height: 30 }));
    let place = made.catalogue.georeference.unwrap();
    assert_eq!((place.west, place.north), (500_600.0, 5_199_700.0));
    // Another map does not inherit it, and a part of the same map lies within it.
    let mut recipe = made.recipe.clone();
    recipe.crop = None;
    let height = made.maps["h"].clone();
    let mut other = Job::of(recipe.clone()).map("h", (*height).clone()).unwrap();
    assert_eq!(run(&other).catalogue.georeference, None);
    other.recipe_mut().georeference = Some(place);
    assert_eq!(run(&other).catalogue.georeference, Some(place));
    // A cell that is not that of the place takes the place away, and says so.
    let mut job = with_map("island", &path);
    job.set_cell_m(60.0, "--cell-m").unwrap();
    assert!(run(&job).catalogue.georeference.is_some());
    job.set_cell_m(10.0, "--cell-m").unwrap();
    let made = run(&job);
    assert_eq!((made.catalogue.georeference, made.catalogue.frame.cell_m), (None, 10.0));
    let note = made.catalogue.notes.iter().find(|n| n.starts_with("map height")).unwrap();
    assert!(note.contains("whose place on the Earth is left out, as --cell-m is not its cell"), "{note}");
}
