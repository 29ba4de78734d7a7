//! Opens every export with the programs that people use, and prints a table of tools and targets.
//!
//! Tools are installed into `target/interop` (Python and Node packages) and with apt-get (programs). The checks that need nothing but
//! Python, which every machine of the project has, and a small Node package are also part of `cargo xtask test`.

use crate::run::{Outcome, cargo, command, finish, output, program, target};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// How long a check takes to set up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// Part of `cargo xtask test`.
    Quick,
    /// Needs programs that are large to install.
    Full,
}

/// A tool that opens what a target has written.
struct Check {
    target: &'static str,
    tool: &'static str,
    pace: Pace,
    /// A line for sh, run in the folder of the exports. `$python` and `$bin` are the Python of the tools and its programs, `$readers`
    /// the script that reads with it, `$npm` the folder of Node packages.
    line: &'static str,
    /// What the tool must print.
    prints: &'static [&'static str],
}

const fn check(
    target: &'static str,
    tool: &'static str,
    pace: Pace,
    line: &'static str,
    prints: &'static [&'static str],
) -> Check {
    Check { target, tool, pace, line, prints }
}

/// Worlds that are made for the checks: the folder, and the command.
const WORLDS: &[(&str, &str)] = &[
    ("island", "generate island --seed 7 --size 200x160"),
    ("endless", "generate endless --seed 0 --at -500,500 --size 1000x1000"),
    ("forest", "generate forest --seed 42 --size 96x64"),
    ("realm", "generate realm --seed 7 --size 64"),
    ("city", "generate city --seed 7 --size 256"),
];

use Pace::{Full, Quick};

/// All checks.
const CHECKS: &[Check] = &[
    check("geotiff", "gdalinfo", Full, "gdalinfo island/geotiff/island.tif", &["LAYOUT=COG", "Type=Float32"]),
    check(
        "geotiff",
        "rio-cogeo",
        Full,
        "$bin/rio cogeo validate island/geotiff/island.tif",
        &["is a valid cloud optimized GeoTIFF"],
    ),
    check(
        "geotiff",
        "rasterio",
        Full,
        "$python $readers geotiff island/geotiff/island.tif island/layers/height.npy",
        &["values equal"],
    ),
    check("gpkg", "sqlite3", Quick, "$python $readers gpkg island/gpkg/island.gpkg", &["integrity ok"]),
    check(
        "gpkg",
        "ogrinfo",
        Full,
        "ogrinfo -al -so island/gpkg/island.gpkg",
        &["Layer name: rivers", "Layer name: classes"],
    ),
    check(
        "geojson",
        "Python (json)",
        Quick,
        "$python $readers geojson island/geojson/rivers.geojson",
        &["features"],
    ),
    check("geojson", "ogrinfo", Full, "ogrinfo -al -so island/geojson/rivers.geojson", &["Line String"]),
    check(
        "zarr",
        "xarray",
        Full,
        "$python $readers zarr island/zarr/island.zarr island/layers",
        &["layers equal"],
    ),
    check(
        "r16",
        "NumPy",
        Full,
        "$python $readers r16 island/r16/island.r16 island/layers/height.npy",
        &["half a quantum"],
    ),
    check("exr", "exrinfo", Full, "exrinfo -v island/exr/island.exr", &["'R': float", "'zip'"]),
    check(
        "unity",
        "NumPy",
        Full,
        "$python $readers unity island/unity/island.raw island/layers/height.npy",
        &["south first"],
    ),
    check("unity", "Pillow", Full, "$python $readers splat island/unity", &["sum to 255"]),
    check("unreal", "Pillow", Full, "$python $readers unreal island/unreal", &["sum to 255"]),
    check(
        "godot",
        "exrinfo",
        Full,
        "exrinfo island/godot/island_height.exr && exrinfo island/godot/island_control.exr && echo both",
        &["both"],
    ),
    check("gltf", "gltf-validator", Quick, "node $npm/validate.mjs island/gltf/island.glb", &["0 errors"]),
    check("stl", "Python", Quick, "$python $readers stl island/stl/island.stl", &["watertight"]),
    check(
        "minecraft",
        "Pillow",
        Full,
        "$python $readers grey16 island/minecraft/island.png",
        &["16-bit grey"],
    ),
    check(
        "luanti",
        "luac",
        Full,
        "find island/luanti -name '*.lua' -exec luac5.1 -p {} + && echo compiled",
        &["compiled"],
    ),
    check(
        "tiled",
        "tmxrasterizer",
        Full,
        "QT_QPA_PLATFORM=offscreen tmxrasterizer realm/tiled/realm.tmj tiled.png && $python $readers ink tiled.png",
        &["ink"],
    ),
    check(
        "omap",
        "xmllint",
        Full,
        "xmllint --noout endless/omap/endless.omap && echo well-formed",
        &["well-formed"],
    ),
    check("omap", "Python (expat)", Quick, "$python $readers omap endless/omap/endless.omap", &["symbols"]),
    check("svg", "Python (expat)", Quick, "$python $readers xml endless/svg/endless.svg", &["svg"]),
    check(
        "svg",
        "rsvg-convert",
        Full,
        "rsvg-convert endless/svg/endless.svg -o svg.png && $python $readers ink svg.png",
        &["ink"],
    ),
    check("pdf", "pdfinfo", Full, "pdfinfo endless/pdf/endless.pdf", &["Pages:           1"]),
    check(
        "pdf",
        "pdftoppm",
        Full,
        "pdftoppm -r 60 -png -singlefile endless/pdf/endless.pdf pdf && $python $readers ink pdf.png",
        &["ink"],
    ),
    check(
        "cs2",
        "Pillow",
        Full,
        "$python $readers grey16 city/cs2/heightmap.png",
        &["4096x4096, 16-bit grey"],
    ),
];

/// Programs of Debian.
const PACKAGES: &[(&str, &str)] = &[
    ("gdalinfo", "gdal-bin"),
    ("exrinfo", "openexr"),
    ("tmxrasterizer", "tiled"),
    ("xmllint", "libxml2-utils"),
    ("pdfinfo", "poppler-utils"),
    ("rsvg-convert", "librsvg2-bin"),
    ("luac5.1", "lua5.1"),
];

/// Packages of PyPI.
const MODULES: &[&str] = &["numpy", "rasterio", "rio-cogeo", "xarray", "zarr", "pillow"];

/// All checks, with everything they need.
pub(crate) fn full() -> Outcome {
    install_programs()?;
    let python = install_python()?;
    cargo(&["build", "--quiet", "-p", "weald-cli"])?;
    run(Full, &python)
}

/// The quick checks, with the program that the tests have built.
pub(crate) fn quick() -> Outcome {
    run(Quick, "python3")
}

/// The folder of tools and exports.
fn folder() -> PathBuf {
    target().join("interop")
}

/// Installs the programs that are missing.
fn install_programs() -> Outcome {
    let there = |program: &str| output("which", &[program]).is_ok();
    let missing: Vec<&str> =
        PACKAGES.iter().filter(|(p, _)| !there(p)).map(|(_, package)| *package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    program("apt-get", &["update", "-qq"])?;
    program("apt-get", &[&["install", "-y", "-qq", "--no-install-recommends"], &missing[..]].concat())
}

/// Installs the Python packages into an environment of their own, and returns its Python.
fn install_python() -> Result<String, String> {
    let venv = folder().join("venv");
    let python = venv.join("bin/python").display().to_string();
    if output(&python, &["-c", "import rasterio, rio_cogeo, xarray, zarr, PIL"]).is_err() {
        program("python3", &["-m", "venv", &venv.display().to_string()])?;
        program(&python, &[&["-m", "pip", "install", "--quiet"], MODULES].concat())?;
    }
    Ok(python)
}

/// Installs the validator of glTF.
fn install_validator() -> Result<PathBuf, String> {
    let npm = folder().join("npm");
    fs::create_dir_all(&npm).map_err(|e| format!("{}: {e}", npm.display()))?;
    if !npm.join("node_modules/gltf-validator").is_dir() {
        let args = [
            "install",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
            "--prefix",
            ".",
            "gltf-validator@2.0.0-dev.3.10",
        ];
        let mut install = command("npm", &args);
        install.current_dir(&npm);
        finish(install, "npm install gltf-validator")?;
    }
    let script = crate::run::root().join("tests/interop/validate.mjs");
    fs::copy(&script, npm.join("validate.mjs")).map_err(|e| format!("{}: {e}", script.display()))?;
    Ok(npm)
}

/// Makes the exports, runs the checks of that pace, or all, and prints the table.
fn run(pace: Pace, python: &str) -> Outcome {
    let npm = install_validator()?;
    let work = folder().join("work");
    let _ = fs::remove_dir_all(&work);
    fs::create_dir_all(&work).map_err(|e| format!("{}: {e}", work.display()))?;
    let checks: Vec<&Check> = CHECKS.iter().filter(|c| pace == Full || c.pace == Quick).collect();
    let weald = target().join("debug/weald");
    for (world, make) in WORLDS {
        let mut wanted: Vec<&str> = checks
            .iter()
            .filter(|c| c.line.contains(&format!("{world}/{}", c.target)))
            .map(|c| c.target)
            .collect();
        wanted.dedup();
        if wanted.is_empty() {
            continue;
        }
        let line = format!("{make} --quiet --export {} -o {world}/", wanted.join(","));
        let mut command = Command::new(&weald);
        command.args(line.split(' ')).current_dir(&work);
        finish(command, &format!("weald {line}"))?;
    }
    let readers = crate::run::root().join("tests/interop/readers.py");
    let mut failed = Vec::new();
    println!("{:10} {:16} result", "target", "tool");
    for check in checks {
        let mut shell = Command::new("sh");
        shell.args(["-c", check.line]).current_dir(&work);
        shell
            .env("python", python)
            .env("readers", &readers)
            .env("npm", &npm)
            .env("bin", folder().join("venv/bin"));
        let out = shell.output().map_err(|e| format!("sh: {e}"))?;
        let printed =
            format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        let missing = check.prints.iter().find(|text| !printed.contains(**text));
        let told = match (out.status.success(), missing) {
            (true, None) => printed
                .lines()
                .rfind(|l| check.prints.iter().any(|p| l.contains(p)))
                .unwrap_or("")
                .trim()
                .to_owned(),
            (_, missing) => {
                failed.push(format!("{} with {}: `{}`", check.target, check.tool, check.line));
                format!("FAILED, without {missing:?}:\n{printed}")
            }
        };
        println!("{:10} {:16} {told}", check.target, check.tool);
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!("these readers refuse our files:\n{}", failed.join("\n")))
    }
}
