//! The pictures of the documentation, each made by the command under it.

use crate::run::{Outcome, cargo, output, root, say};
use std::fs;

/// Picture in docs/gallery, and the arguments of `weald` that make it: its `map.png`, or another file after a colon.
const PICTURES: &[(&str, &str)] = &[
    ("forest-42.png", "generate forest --seed 42 --size 256x256"),
    ("forest-rugged-7.png", "generate forest --recipe forest-rugged --seed 7"),
    ("endless-0.png", "generate endless --at -500,500 --size 1000x1000"),
    ("endless-5.png", "generate endless --seed 5 --at -400,300"),
    ("endless-town.png", "generate endless --at 1450,700 --size 400x300"),
    ("endless-mines.png", "generate endless --at 1000,2000 --set view=mines"),
    ("endless-sky.png", "generate endless --recipe endless-sky"),
    ("city-7.png", "generate city --seed 7 --size 512"),
    (
        "city-7-before.png",
        "generate city --seed 7 --size 512 --set erosion.droplets=0 --set erosion.stream_passes=0 \
         --set erosion.creep=0 --set goal.buildable_share=0",
    ),
    ("city-mountainous-4.png", "generate city --recipe city-mountainous --seed 4 --size 512"),
    ("city-valleys-11.png", "generate city --recipe city-valleys --seed 11 --size 448"),
    ("city-rolling-12.png", "generate city --recipe city-rolling --seed 12 --size 512"),
    ("city-literal-7.png", "generate city --recipe city-literal --seed 7 --size 448"),
    ("island-7.png", "generate island --seed 7"),
    ("archipelago-3.png", "generate island --recipe archipelago --seed 3 --size 768"),
    ("atoll-3.png", "generate island --recipe atoll --seed 3 --size 768"),
    ("continent-3.png", "generate island --recipe continent --seed 3 --size 768"),
    ("island-literal-3.png", "generate island --recipe island-literal --seed 3 --size 768"),
    ("island-step-1.png:debug/likelihood.png", STEPS),
    ("island-step-1-land.png:debug/land.png", STEPS),
    ("island-step-2.png:debug/shoreline.png", STEPS),
    ("island-step-3.png:debug/shore_distance.png", STEPS),
    ("island-step-4.png:debug/height_hills.png", STEPS),
    ("island-step-6.png:debug/river_order.png", STEPS),
    ("island-step-7.png:debug/height_carved.png", STEPS),
    ("island-step-8.png:debug/height.png", STEPS),
    ("island-step-9.png:debug/flow_accumulation.png", STEPS),
    ("island-step-9-moisture.png:debug/moisture.png", STEPS),
    ("planet-0.png", "generate planet"),
    ("galaxy-1.png", "generate galaxy"),
];

/// The island of which every step is shown.
const STEPS: &str = "debug island --seed 5 --size 384";

/// Makes all of them.
pub(crate) fn make() -> Outcome {
    cargo(&["build", "--release", "--quiet", "-p", "weald-cli"])?;
    let folder = std::env::temp_dir().join(format!("weald-gallery-{}", std::process::id()));
    for (name, args) in PICTURES {
        let (name, file) = name.split_once(':').unwrap_or((name, "map.png"));
        say(name);
        let out = folder.display().to_string();
        let mut words: Vec<&str> = vec!["run", "--release", "--quiet", "-p", "weald-cli", "--"];
        words.extend(args.split(' '));
        words.extend(["--layers", "none", "--files", "none", "--force", "-o", &out]);
        output("cargo", &words)?;
        fs::create_dir_all(root().join("docs/gallery")).map_err(|e| e.to_string())?;
        fs::copy(folder.join(file), root().join("docs/gallery").join(name))
            .map_err(|e| format!("{name}: {e}"))?;
    }
    fs::remove_dir_all(&folder).map_err(|e| e.to_string())
}
