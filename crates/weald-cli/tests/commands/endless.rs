//! The commands of the endless world.

use crate::common::Place;
use serde_json::Value;

#[test]
fn sample_prints_the_golden_rows_in_small_letters() {
    for (file, set) in [
        ("default", ""),
        ("paths", "--set paths=true"),
        ("lake150", "--set lake_level=150"),
        ("lake230", "--set lake_level=230"),
        ("wood-only", "--set wood_only=true"),
    ] {
        let place = Place::new();
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../weald/tests/data/relf");
        let golden = std::fs::read_to_string(format!("{golden}/{file}.csv")).unwrap();
        place.write("points.csv", &golden);
        let document = "--columns height,depth,terrain,feature,code";
        let said = place.fine(&format!("sample endless --points points.csv {document} {set}"));
        let lowered = golden.lines().map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let names = [cells[4].to_lowercase(), cells[5].to_lowercase()];
            format!(
                "{},{},{},{},{},{},{}\n",
                cells[0], cells[1], cells[2], cells[3], names[0], names[1], cells[6]
            )
        });
        assert_eq!(said, lowered.collect::<String>(), "{file}");
    }
}

#[test]
fn sample_prints_the_surface_of_the_window_beside_the_document() {
    let place = Place::new();
    let mut points = "x,y\n".to_owned();
    for i in 0..120 * 90 {
        points += &format!("{},{}\n", -100 + i % 120, 100 - i / 120);
    }
    place.write("points.csv", &points);
    place.fine("generate endless --at -100,100 --size 120x90 --seed 3 --layers surface,terrain -o map");
    let rows = place.fine("sample endless --seed 3 --points points.csv");
    let few = place.fine("sample endless --seed 3 --points points.csv --columns surface,terrain");
    let surface = place.read("map/layers/surface.npy");
    let codes = &surface[surface.len() - 120 * 90..];
    let classes = place.json("map/manifest.json")["layers"]
        .as_array()
        .unwrap()
        .iter()
        .find(|l| l["name"] == "surface")
        .unwrap()["classes"]
        .clone();
    assert!(rows.starts_with("x,y,height,depth,terrain,feature,code,surface,version,height_m,depth_m\n"));
    for ((row, few), &code) in rows.lines().skip(1).zip(few.lines().skip(1)).zip(codes) {
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!(classes[code as usize]["name"], cells[7], "{row}");
        assert_eq!(few, format!("{},{},{},{}", cells[0], cells[1], cells[7], cells[4]));
        assert_eq!(cells[5] == "none", cells[8].is_empty(), "{row}");
        let numbers = [2, 9].map(|i| cells[i].parse::<f64>().unwrap());
        assert_eq!(numbers[0] / 4.0, numbers[1], "{row}: four height units are a metre");
    }
    assert_eq!(rows.lines().count(), 120 * 90 + 1);
}

#[test]
fn a_planet_is_sampled_by_latitude_and_longitude_or_in_metres_on_its_sphere() {
    let place = Place::new();
    let said = place.fine("sample planet --at 90,0 --at 90,120 --at 0,-360");
    let rows: Vec<&str> = said.lines().collect();
    assert_eq!(rows[0], "lat,lon,height,depth,terrain,feature,version,height_m,depth_m");
    assert_eq!(rows[1].split_once(",0.0,").unwrap().1, rows[2].split_once(",120.0,").unwrap().1, "one pole");
    let metres = place.fine("sample planet --at 1600,0,0 --at 0,0,1600");
    let there: Vec<&str> = metres.lines().collect();
    assert!(there[0].starts_with("x,y,z,height"));
    assert_eq!(there[1].strip_prefix("1600.0,0.0,0.0,"), rows[3].strip_prefix("0.0,-360.0,"));
    place.write("p.csv", "name,LON,lat\na,30,45\nb,-30,-45\n");
    assert_eq!(place.fine("sample planet --points p.csv --columns terrain").lines().count(), 3);
    place.write("bad.csv", "x,y,z\n0,0,1600\n10,20,\n");
    assert!(
        place
            .fails("sample planet --points bad.csv", 2)
            .contains("bad.csv:3: a place must be 3 numbers: x, y, z")
    );
    place.write("none.csv", "lat,lon\n");
    assert_eq!(place.fine("sample planet --points none.csv --columns terrain"), "lat,lon,terrain\n");
    assert!(place.fails("sample planet --at 10,0,0", 2).contains("1600 m from it"));
    assert!(place.fails("sample planet --at 91,0", 2).contains("degrees north between -90 and 90"));
    assert!(place.fails("sample planet --at 1,2 --columns code", 2).contains("use height, depth, terrain"));
}

#[test]
fn sample_takes_places_one_by_one_and_prints_json() {
    let place = Place::new();
    let said = place.fine("sample endless --at 1266,-1000 --at -2.5,3 --json");
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said[0]["height"], 412.125);
    assert_eq!((&said[0]["feature"], &said[0]["code"]), (&"knoll".into(), &"SM".into()));
    assert_eq!((&said[0]["surface"], &said[0]["version"]), (&"wood".into(), &2.into()));
    assert_eq!((&said[1]["code"], &said[1]["version"]), (&"".into(), &Value::Null));
    assert_eq!((&said[1]["x"], &said[1]["terrain"]), (&(-2.5).into(), &"wood".into()));
    place.write("no-heading.csv", "1266;-1000;what\n\n# a comment\n0;0\n");
    assert_eq!(place.fine("sample endless --points no-heading.csv").lines().count(), 3);
    let other = place.fine("sample endless --seed 7 --at 1266,-1000");
    assert!(!other.contains("412.125"), "{other}");
}

#[test]
fn wrong_places_say_what_is_right() {
    let place = Place::new();
    place.write("bad.csv", "x,y\n1,2\n3,north\n");
    place.write("names.csv", "east,north\n1,2\n");
    for (args, part) in [
        ("sample endless --points bad.csv", "bad.csv:3: a place must be 2 numbers"),
        ("sample endless --points names.csv", "names.csv:1: must name the columns x and y"),
        ("sample endless --at 1,2000000000", "metres north between -1000000000 and 1000000000"),
        ("sample endless", "use --at X,Y, or --points FILE.csv"),
        ("placed add - cone 1,2", "give its name"),
        ("placed add t.txt road 0,0", "\"road 0 0\": write road X Y X Y"),
        ("placed clear bad.csv boulder", "line 1: \"x,y\": places are whole metres"),
        ("placed add t.txt tree 1,2", "must start with none, mine, boulder"),
        ("generate endless --set view=mines -o x", "use --view with one of map, mines, caverns, sky"),
        ("generate endless --set mines.level=2 -o x", "use --view mines --draw level=N"),
        ("sample endless --at 1,2 --columns depth,tree", "--columns tree: there is no such column"),
        ("generate endless --set time=1e9 --set time_rate=-3 -o x", "time = 1000000000.0: times time_rate"),
        ("sample forest --at 1,2", "forest: this world cannot be sampled"),
        ("generate endless --at 1.5,2", "must be two whole numbers"),
        ("generate endless --at 1000000000,0 --size 9x9 -o x", "leaves the world"),
        ("generate forest --at 1,2", "--at: the world forest has no window to place"),
        ("generate forest --placed bad.csv", "nothing can be placed in the world forest"),
        ("generate endless --placed bad.csv", "bad.csv: line 1: \"x,y\": places are whole metres"),
        ("generate endless --set placed=tree -o x", "must be a list of placed things: line 1"),
        ("generate endless --view moon -o x", "this world has no such view; use map, mines, caverns, sky"),
        ("generate endless --layers mine_2 --size 9x9 -o x", "mine_2"),
        ("mine endless --at 0,0 --level 2", "--set mines.levels=8"),
        ("mine endless --at=-9223372036854775808,0", "metres east between -1000000000 and 1000000000"),
        ("leg endless --from 0,0 --to 0,9223372036854775807", "between -1000000000 and 1000000000"),
        ("generate endless --at 0,9223372036854775807", "at.y = 9223372036854775807: must be"),
        ("placed add t.txt cone 0,9223372036854775807", "1000000000"),
        ("sample endless --at 1,2,3", "2 numbers"),
        ("sample planet --at 1", "2 numbers"),
        ("leg endless --from 0,0 --to 1,1 --margin 9000", "5000"),
    ] {
        let message = place.fails(args, 2);
        assert!(message.contains(part), "weald {args}: {message}");
    }
    assert_eq!(place.names(), ["bad.csv", "names.csv"]);
}

#[test]
fn a_window_is_made_again_bit_for_bit_from_its_own_recipe() {
    let place = Place::new();
    place.write("things.txt", "cone -95 80\nroad -100 50 -40 90\n");
    let made = "generate endless --at -100,100 --size 120x90 --placed things.txt --set snow_line=300";
    place.fine(&format!("{made} --files all -o a"));
    std::fs::remove_file(place.path().join("things.txt")).unwrap();
    place.fine("generate endless --recipe a/recipe.toml --files all -o b --threads 3");
    for file in
        ["manifest.json", "recipe.toml", "map.png", "trees.csv", "streams.geojson", "layers/surface.npy"]
    {
        assert_eq!(place.lasting(&format!("a/{file}")), place.lasting(&format!("b/{file}")), "{file}");
    }
    let manifest = place.json("a/manifest.json");
    assert_eq!(manifest["stats"]["north_west"], serde_json::json!([-100, 100]));
    assert_eq!(manifest["frame"]["origin"], serde_json::json!([-100.5, -100.5]));
    let roads = place.json("a/drawn_roads.geojson");
    assert_eq!(
        roads["features"][0]["geometry"]["coordinates"],
        serde_json::json!([[-100.0, -50.0], [-40.0, -90.0]])
    );
}

#[test]
fn placed_things_are_added_listed_and_taken_away() {
    let place = Place::new();
    place.fine("placed add t.txt cone 1,52");
    place.fine("placed add t.txt rocket -5,7");
    place.fine("placed add t.txt road 0,0 10,10 20,0");
    assert_eq!(place.fine("placed list t.txt"), "cone 1 52\nrocket -5 7\nroad 0 0 10 10 20 0\n");
    place.fine("placed remove t.txt 1,52");
    assert!(place.fails("placed remove t.txt 1,52", 2).contains("nothing is placed at 1,52"));
    place.fine("placed add t.txt road 100,0 200,0");
    place.fine("placed remove t.txt 150,1");
    place.fine("placed add t.txt boulder 150,0");
    assert_eq!(place.fine("placed clear t.txt boulder"), "removed 1 of boulder\n");
    assert!(place.fails("placed list none.txt", 4).contains("none.txt"));
    assert_eq!(place.fine("placed clear t.txt road"), "removed 1 of road\n");
    assert_eq!(place.fine("placed list t.txt"), "rocket -5 7\n");
    let sampled = place.fine("sample endless --placed t.txt --at -5,7");
    assert!(sampled.contains(",rocket,"), "{sampled}");
}

#[test]
fn a_leg_has_a_straight_and_a_best_way_and_a_picture() {
    let place = Place::new();
    let said = place.fine("leg endless --from -30,30 --to 60,-20 --margin 40 --json --picture leg.png");
    let said: Value = serde_json::from_str(&said).unwrap();
    let seconds = |way: &str| said[way]["seconds"].as_f64().unwrap();
    assert!(seconds("best") <= seconds("direct"), "{said}");
    assert!(
        said["best"]["climb_m"].as_f64().unwrap() < 40.0 && said["best"].get("climb").is_none(),
        "{said}"
    );
    assert!(place.read("leg.png").starts_with(b"\x89PNG"));
    assert!(place.fails("leg endless --from 0,0 --to 9,9 --picture leg.png", 4).contains("--force"));
    let text = place.fine("leg endless --from 0,0 --to 9,9");
    assert!(text.starts_with("direct") && text.contains(" m climb"), "{text}");
}

#[test]
fn a_mine_tells_its_cells_and_shafts() {
    let place = Place::new();
    let said = place.fine("mine endless --at 1198,2001 --json");
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&said["open"], &said["cell"]), (&true.into(), &serde_json::json!([1200, 2000, 1])));
    let shafts = said["shafts"].as_array().unwrap();
    assert!(shafts.iter().any(|s| s["x"] == 1198 && s["y"] == 2001), "{said}");
    assert!(place.fine("mine endless --at 1198,2001 --most 3").contains("at least 3 cells"));
}

#[test]
fn every_view_is_drawn() {
    let place = Place::new();
    for view in ["map", "mines", "caverns", "sky"] {
        place.fine(&format!("generate endless --size 60x40 --layers none --view {view} -o {view}"));
        assert!(place.read(&format!("{view}/map.png")).starts_with(b"\x89PNG"));
    }
    assert_ne!(place.read("map/map.png"), place.read("sky/map.png"));
}

/// Names and lengths of the chunks of a PNG file.
fn chunks(file: &[u8]) -> Vec<(String, usize)> {
    let (mut at, mut found) = (8, Vec::new());
    while at < file.len() {
        let length = u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        found.push((String::from_utf8_lossy(&file[at + 4..at + 8]).into_owned(), length));
        at += 12 + length;
    }
    found
}

#[test]
fn frames_in_time_are_numbered_pictures_and_an_animation_of_them() {
    let place = Place::new();
    let window = "endless --seed 5 --at 240,180 --size 60x40 --px 120";
    let said = place.fine(&format!("generate {window} --frames 0..40:20 --fps 5 -o series"));
    assert!(said.contains("3 frames -> series") && said.contains("look at series/animation.png"), "{said}");
    let mut names: Vec<String> = std::fs::read_dir(place.path().join("series"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["animation.png", "frames", "manifest.json", "recipe.toml"]);
    let manifest = place.json("series/manifest.json");
    let listed: Vec<(&str, f64)> = manifest["frames"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| (f["file"].as_str().unwrap(), f["time"].as_f64().unwrap()))
        .collect();
    assert_eq!(listed, [("frames/0000.png", 0.0), ("frames/0001.png", 20.0), ("frames/0002.png", 40.0)]);
    assert_eq!((&manifest["frames_per_second"], &manifest["layers"]), (&5.into(), &serde_json::json!([])));
    // Each frame is the map of the world at that time.
    for (k, time) in [0, 20, 40].into_iter().enumerate() {
        place.fine(&format!("generate {window} --set time={time} --layers none --force -o still"));
        assert!(place.read("still/map.png") == place.read(&format!("series/frames/000{k}.png")), "{time}");
    }
    assert!(place.read("series/frames/0000.png") != place.read("series/frames/0002.png"));
    let animation = chunks(&place.read("series/animation.png"));
    let count = |name: &str| animation.iter().filter(|c| c.0 == name).count();
    assert_eq!((count("acTL"), count("fcTL"), count("IEND")), (1, 3, 1));
    // The same bytes again, with any number of threads, in place of the first.
    let before = place.read("series/animation.png");
    place.fine(&format!("generate {window} --frames 0..40:20 --fps 5 --threads 3 --check --force -o series"));
    assert!(before == place.read("series/animation.png"));
    let report = place.fine("check series");
    assert!(report.contains("frames") && report.contains("a series of pictures without layers"), "{report}");
    place.fine("generate endless --recipe series/recipe.toml -o again");
}

#[test]
fn a_series_counts_down_and_has_layers_if_they_are_asked_for() {
    let place = Place::new();
    place.fine(
        "generate endless --size 24x20 --px 64 --view mines --frames 2..0 --layers all --check -o down",
    );
    let manifest = place.json("down/manifest.json");
    let times: Vec<f64> =
        manifest["frames"].as_array().unwrap().iter().map(|f| f["time"].as_f64().unwrap()).collect();
    assert_eq!(times, [2.0, 1.0, 0.0]);
    assert_eq!(manifest["params"]["time"].as_f64(), Some(2.0));
    let report = place.fine("check down");
    assert!(report.contains("lake") && !report.contains("without layers"), "{report}");
    // What is missing, of another size or out of order is found.
    std::fs::copy(place.path().join("down/animation.png"), place.path().join("down/frames/0001.png"))
        .unwrap();
    assert!(!place.run("check down").status.success());
    std::fs::remove_file(place.path().join("down/frames/0001.png")).unwrap();
    let out = place.run("check down");
    assert_eq!(out.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&out.stdout).contains("frames/0001.png"));
}

#[test]
fn series_that_make_no_sense_are_refused_with_advice() {
    let place = Place::new();
    for (args, message) in [
        ("generate forest --frames 0..3", "--frames: the world forest does not change in time; use endless"),
        ("generate endless --frames 0..3 -o -", "--frames writes a folder; give its name with -o FOLDER"),
        ("generate endless --frames 0..3:0", "the step must not be 0"),
        ("generate endless --frames 0...3", "must be FROM..TO"),
        ("generate endless --frames 0..3:-1", "the step must be above 0 to count up"),
        ("generate endless --frames 0..20000", "at most 10000"),
        ("generate endless --frames 3", "must be FROM..TO"),
        ("generate endless --frames 0..3 --fps 0", "--fps"),
        ("generate endless --fps 5", "--frames"),
        ("debug endless --frames 0..3", "--frames is for `weald generate`"),
        ("generate endless --frames 0..3 --size 300000", "of memory"),
        ("generate endless --frames 0..99999999999", "must be FROM..TO"),
        ("generate endless --frames 999999999..1000000009:5", "time = "),
    ] {
        let said = place.fails(args, 2);
        assert!(said.contains(message), "weald {args} said\n{said}\nand not\n{message}");
    }
    assert!(place.names().is_empty(), "{:?}", place.names());
    place.fine("generate endless --size 9x9 --px 64 --frames 0..1 -o taken");
    assert!(
        place.fails("generate endless --size 9x9 --px 64 --frames 0..1 -o taken", 4).contains("use --force")
    );
}

#[test]
fn a_course_is_planned_printed_and_written_in_every_form() {
    let place = Place::new();
    let course = "course endless --controls 4 --length 1.6km --size 600";
    let text = place.fine(&format!("{course} -o course/"));
    for words in ["4 controls", " min", "straight", "fastest", "start", "finish", "31"] {
        assert!(text.contains(words), "{words} in {text}");
    }
    for file in ["map.png", "course.csv", "course.json", "recipe.toml", "manifest.json"] {
        assert!(!place.read(&format!("course/{file}")).is_empty(), "{file}");
    }
    let said: Value = serde_json::from_str(&place.fine(&format!("{course} --json"))).unwrap();
    let length = said["length_m"].as_f64().unwrap();
    assert!((length - 1600.0).abs() <= 48.0 && said["seconds"].as_f64().unwrap() > 100.0, "{length}");
    assert_eq!(said["legs"].as_array().unwrap().len(), 5);
    assert_eq!(said, place.json("course/course.json"), "the same with and without a folder");
    place.fine(&format!("{course} -o c.omap --scale 10000"));
    let omap = String::from_utf8(place.read("c.omap")).unwrap();
    assert!(
        ["701", "703", "704", "705", "706"].iter().all(|code| omap.contains(&format!("code=\"{code}\"")))
    );
    let again = place.fine("course endless --controls course/course.csv -o again.svg");
    assert!(again.contains("4 controls"), "{again}");
    assert!(String::from_utf8(place.read("again.svg")).unwrap().contains("Finish"));
}

#[test]
fn a_course_that_cannot_be_says_what_to_change() {
    let place = Place::new();
    place.write("wet.csv", "0,0\nhere,there\n");
    for (words, code, wanted) in [
        ("course forest --controls 5", 2, "forest: this world has no courses; use the world endless"),
        ("course endless --controls many", 2, "a number of controls, such as 8, or a CSV file"),
        ("course endless --controls wet.csv", 2, "wet.csv:2: a place must be two numbers"),
        ("course endless --controls 0", 2, "1 to 60 controls"),
        ("course endless --controls 8 --length 5km --size 300", 3, "larger --size"),
        ("course endless --controls 1 --length 50km", 3, "--cells"),
        ("course endless --controls 3 -o -", 2, "standard output has the description"),
        ("course endless --controls 3 -o course.doc", 2, ".png, .svg, .pdf, .omap, .csv or .json"),
        ("course endless --controls 3 --scale 10000", 2, "--scale is for vector maps"),
        ("course endless --controls 3 --length 5miles", 2, "such as 5km"),
    ] {
        let said = place.fails(words, code);
        assert!(said.contains(wanted), "{words}: {said}");
    }
    assert_eq!(place.names(), ["wet.csv"]);
}
