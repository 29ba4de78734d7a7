//! The pictures of the documentation, each made by the command that its world declares, by `weald measure`, or
//! from the rules of the realm.

use crate::{file, rules};
use std::fs;
use std::path::Path;
use std::process::Command;
use weald::world::{GalleryPicture, WORLDS};

/// The folder of the pictures.
pub const FOLDER: &str = "docs/gallery";

/// A map that `weald measure` makes a page of.
pub enum Measured {
    /// A heightmap, and the side of a cell in metres.
    Real(&'static str, &'static str),
    /// What a command makes.
    Made(&'static str),
}

/// Pages made by `weald measure`, by name.
pub const MEASURED: [(&str, Measured); 3] = [
    ("measure-jacksboro.png", Measured::Real("crates/weald/tests/data/realism/jacksboro.npy", "80")),
    (
        "measure-city-mountainous-2.png",
        Measured::Made("generate city --recipe city-mountainous --seed 2 --size 1024"),
    ),
    ("measure-continent-3.png", Measured::Made("generate island --recipe continent --seed 3 --size 1024")),
];

/// Makes all of them with the program `weald`. Pictures that come from one command are made by one run of it.
pub fn make(program: &Path) -> Result<(), String> {
    let out = std::env::temp_dir().join(format!("weald-gallery-{}", std::process::id()));
    fs::create_dir_all(file(FOLDER)).map_err(|e| format!("{FOLDER}: {e}"))?;
    let mut made = "";
    for picture in WORLDS.iter().flat_map(|w| w.info().gallery) {
        println!("== {}", picture.name);
        if picture.args != made {
            run(program, picture, &out)?;
            made = picture.args;
        }
        let target = file(FOLDER).join(picture.name);
        fs::copy(out.join(picture.file), target).map_err(|e| format!("{}: {e}", picture.name))?;
    }
    for (name, picture) in rules::pictures()? {
        println!("== {name}");
        let bytes = picture.png().map_err(|e| format!("{name}: {e}"))?;
        fs::write(file(FOLDER).join(&name), bytes).map_err(|e| format!("{name}: {e}"))?;
    }
    for (name, map) in MEASURED {
        println!("== {name}");
        let mut command = Command::new(program);
        command.arg("measure");
        match map {
            Measured::Real(map, cell_m) => command.arg(file(map)).args(["--cell-m", cell_m]),
            Measured::Made(args) => {
                let mut make = Command::new(program);
                make.args(args.split_whitespace())
                    .args(["--layers", "height", "--files", "none", "--force", "-o"]);
                // The page has the name of the folder.
                let folder = out.join(name.trim_start_matches("measure-").trim_end_matches(".png"));
                finished(make.arg(&folder), name)?;
                command.arg(folder)
            }
        };
        finished(command.args(["--force", "-o"]).arg(file(FOLDER).join(name)), name)?;
    }
    fs::remove_dir_all(&out).map_err(|e| format!("{}: {e}", out.display()))
}

fn run(program: &Path, picture: &GalleryPicture, out: &Path) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(picture.args.split_whitespace());
    command.args(["--layers", "none", "--files", "none", "--force", "-o"]).arg(out);
    finished(&mut command, picture.name)
}

/// Runs a command; an error says which picture it was for.
fn finished(command: &mut Command, name: &str) -> Result<(), String> {
    let done = command.output().map_err(|e| format!("{name}: {e}"))?;
    if done.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&done.stderr);
    Err(format!("{name}: {command:?} failed ({})\n{message}", done.status))
}
