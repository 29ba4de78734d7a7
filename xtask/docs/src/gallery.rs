//! The pictures of the documentation, each made by the command that its world declares, or by `weald measure`.

use crate::file;
use std::fs;
use std::path::Path;
use std::process::Command;
use weald::world::{GalleryPicture, WORLDS};

/// The folder of the pictures.
pub const FOLDER: &str = "docs/gallery";

/// Pictures of no world, made by `weald measure`: name, heightmap and side of a cell in metres.
pub const MEASURED: [(&str, &str, &str); 1] =
    [("measure-jacksboro.png", "crates/weald/tests/data/realism/jacksboro.npy", "80")];

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
    for (name, map, cell_m) in MEASURED {
        println!("== {name}");
        let mut command = Command::new(program);
        command.arg("measure").arg(file(map)).args(["--cell-m", cell_m, "--force", "-o"]);
        command.arg(file(FOLDER).join(name));
        finished(&mut command, name)?;
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
