//! Opens every export with the programs that people use, lets Weald read what other programs write, and prints a table of targets and tools.
//!
//! Tools are installed into `target/interop` (Python and Node packages) and with apt-get (programs). The checks that need nothing but
//! Python, which every machine of the project has, and a small Node package are also part of `cargo xtask test`.

use crate::run::{Outcome, cargo, command, finish, output, program, root, target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How long a check takes to set up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// Part of `cargo xtask test`.
    Quick,
    /// Needs programs that are large to install.
    Full,
}

/// A tool that opens what a target has written, or writes what Weald reads.
struct Check {
    /// The target, or `reading`.
    target: &'static str,
    tool: &'static str,
    pace: Pace,
    /// A line for sh, run in the folder of the exports. `$python` and `$bin` are the Python of the tools and its programs, `$tests` the folder
    /// of the scripts, `$readers` the script that reads with that Python, `$npm` the folder of Node packages, `$weald` the program.
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

/// A check of what Weald reads.
const fn reading(tool: &'static str, line: &'static str) -> Check {
    check("reading", tool, Full, line, &["files, read as they are"])
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

/// All checks of exports.
const EXPORTS: &[Check] = &[
    check("geotiff", "gdalinfo", Full, "gdalinfo island/geotiff/island.tif", &["LAYOUT=COG", "Type=Float32"]),
    check(
        "geotiff",
        "gdalinfo",
        Full,
        "gdalinfo endless/geotiff/endless.tif",
        &["LAYOUT=COG", "Overviews: 500x500, 250x250"],
    ),
    check(
        "geotiff",
        "rio-cogeo",
        Full,
        "$bin/rio cogeo validate endless/geotiff/endless.tif",
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
    // The Python of the system is the one for which apt-get installs QGIS.
    check(
        "gpkg",
        "QGIS",
        Full,
        "$weald export island/ --to geotiff -o island.tif && /usr/bin/python3 $tests/in_qgis.py island.tif island/gpkg/island.gpkg",
        &["layers valid"],
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
        "zarr",
        "zarr-python",
        Full,
        "cargo run --quiet --manifest-path $tests/../../Cargo.toml -p weald --example larger_than_memory -- store && \
         $python $readers store store/map.zarr store",
        &["layers equal on 3 levels"],
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
        "exr",
        "Blender",
        Full,
        "$blender $tests/in_blender.py -- displaced island/exr/island.exr island/layers/height.npy 10",
        &["displaced"],
    ),
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
    check(
        "gltf",
        "Blender",
        Full,
        "$blender $tests/in_blender.py -- mesh island/gltf/island.glb island/layers/height.npy 10",
        &["1990 x 1590 x"],
    ),
    check("stl", "Python", Quick, "$python $readers stl island/stl/island.stl", &["watertight"]),
    check(
        "stl",
        "PrusaSlicer",
        Full,
        "prusa-slicer --info island/stl/island.stl",
        &["size_x = 150.000000", "manifold = yes"],
    ),
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
    // The sea around an island, with blocks of a cell; then lakes, with blocks of a metre.
    check(
        "luanti",
        "minetestserver",
        Full,
        "$weald export island/ --to luanti --samples 200 -o blocks/ && \
         $python $readers luanti blocks island/layers/height.npy $tests/weald_probe 204",
        &["columns of the right height"],
    ),
    check(
        "luanti",
        "minetestserver",
        Full,
        "$weald export endless/ --to geotiff -o endless.tif && \
         $python $readers luanti endless/luanti endless.tif $tests/weald_probe 300",
        &["columns of the right height"],
    ),
    check(
        "tiled",
        "tmxrasterizer",
        Full,
        "QT_QPA_PLATFORM=offscreen tmxrasterizer realm/tiled/realm.tmj tiled.png && $python $readers ink tiled.png",
        &["ink"],
    ),
    // Tiled writes the path of the tileset as it stands from the folder in which it runs.
    check(
        "tiled",
        "tiled",
        Full,
        "cd realm/tiled && QT_QPA_PLATFORM=offscreen tiled --export-map realm.tmj realm.tmx && \
         $python $readers tmx realm.tmj realm.tmx",
        &["objects equal"],
    ),
    check(
        "omap",
        "xmllint",
        Full,
        "xmllint --noout endless/omap/endless.omap && echo well-formed",
        &["well-formed"],
    ),
    check(
        "omap",
        "Python (expat)",
        Quick,
        "$python $readers omap endless/omap/endless.omap 1000",
        &["symbols"],
    ),
    check(
        "omap",
        "Mapper",
        Full,
        "xvfb-run -a -s '-screen 0 1024x768x24' $python $readers mapper endless/omap/endless.omap",
        &["drawn"],
    ),
    check("svg", "Python (expat)", Quick, "$python $readers xml endless/svg/endless.svg", &["svg"]),
    check(
        "svg",
        "rsvg-convert",
        Full,
        "rsvg-convert endless/svg/endless.svg -o svg.png && $python $readers ink svg.png",
        &["ink"],
    ),
    check("svg", "Inkscape", Full, "$python $readers symbols endless/svg/endless.svg", &["symbols drawn"]),
    check("pdf", "pdfinfo", Full, "pdfinfo endless/pdf/endless.pdf", &["Pages:           1"]),
    check(
        "pdf",
        "pdftoppm",
        Full,
        "pdftoppm -r 60 -png -singlefile endless/pdf/endless.pdf pdf && $python $readers ink pdf.png",
        &["ink"],
    ),
    // At 254 dots per inch a millimetre has ten.
    check(
        "pdf",
        "pdftoppm",
        Full,
        "$weald export endless/ --to pdf --scale 10000 -o scale.pdf && \
         pdftoppm -r 254 -gray -singlefile scale.pdf scale && $python $readers scale scale.pgm 1000",
        &["the frame is 1000 pixels"],
    ),
    check(
        "cs2",
        "Pillow",
        Full,
        "$python $readers grey16 city/cs2/heightmap.png",
        &["4096x4096, 16-bit grey"],
    ),
];

/// All checks of maps that other programs have written: every type, compression and layout that the program has.
const READING: &[Check] = &[
    reading("GDAL", "$python $tests/writers.py gdal $weald reading"),
    reading("Pillow", "$python $tests/writers.py pillow $weald reading"),
    reading("OpenCV", "$python $tests/writers.py opencv $weald reading"),
    reading("ImageMagick", "$python $tests/writers.py imagemagick $weald reading"),
    reading("NumPy", "$python $tests/writers.py numpy $weald reading"),
    reading("OpenEXR", "$python $tests/writers.py openexr $weald reading"),
];

/// Packages of Debian: a program, or a path for what is not found as a program, and the package that has it.
const PACKAGES: &[(&str, &str)] = &[
    ("gdalinfo", "gdal-bin"),
    ("exrinfo", "openexr"),
    ("tmxrasterizer", "tiled"),
    ("xmllint", "libxml2-utils"),
    ("pdfinfo", "poppler-utils"),
    ("rsvg-convert", "librsvg2-bin"),
    ("luac5.1", "lua5.1"),
    ("blender", "blender"),
    // The importer of glTF needs it, and Blender only recommends it.
    ("/usr/lib/python3/dist-packages/numpy", "python3-numpy"),
    ("/usr/lib/python3/dist-packages/qgis", "python3-qgis"),
    ("prusa-slicer", "prusa-slicer"),
    ("/usr/games/minetestserver", "minetest-server"),
    ("Mapper", "openorienteering-mapper"),
    ("xvfb-run", "xvfb"),
    ("xauth", "xauth"),
    ("inkscape", "inkscape"),
    ("import", "imagemagick"),
];

/// Packages of PyPI, and the name by which each is imported.
const MODULES: &[(&str, &str)] = &[
    ("numpy", "numpy"),
    ("rasterio", "rasterio"),
    ("rio-cogeo", "rio_cogeo"),
    ("xarray", "xarray"),
    ("zarr", "zarr"),
    ("pillow", "PIL"),
    ("opencv-python-headless", "cv2"),
    ("OpenEXR", "OpenEXR"),
];

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
    let there = |what: &str| match what.starts_with('/') {
        true => Path::new(what).exists(),
        false => output("which", &[what]).is_ok(),
    };
    let missing: Vec<&str> =
        PACKAGES.iter().filter(|(what, _)| !there(what)).map(|(_, package)| *package).collect();
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
    let (packages, names): (Vec<&str>, Vec<&str>) = MODULES.iter().copied().unzip();
    if output(&python, &["-c", &format!("import {}", names.join(", "))]).is_err() {
        program("python3", &["-m", "venv", &venv.display().to_string()])?;
        program(&python, &[&["-m", "pip", "install", "--quiet"], &packages[..]].concat())?;
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
    let script = root().join("tests/interop/validate.mjs");
    fs::copy(&script, npm.join("validate.mjs")).map_err(|e| format!("{}: {e}", script.display()))?;
    Ok(npm)
}

/// Makes the exports, runs the checks of that pace, or all, and prints the table.
fn run(pace: Pace, python: &str) -> Outcome {
    let npm = install_validator()?;
    let work = folder().join("work");
    let _ = fs::remove_dir_all(&work);
    fs::create_dir_all(&work).map_err(|e| format!("{}: {e}", work.display()))?;
    // Checks change into other folders.
    let absolute = |path: PathBuf| fs::canonicalize(&path).map_err(|e| format!("{}: {e}", path.display()));
    let (weald, tests) = (absolute(target().join("debug/weald"))?, absolute(root().join("tests/interop"))?);
    let checks: Vec<&Check> =
        EXPORTS.iter().chain(READING).filter(|c| pace == Full || c.pace == Quick).collect();
    make(&checks, &weald, &work)?;
    let mut failed = Vec::new();
    println!("{:10} {:16} result", "target", "tool");
    for check in checks {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", check.line])
            .current_dir(&work)
            .env("python", python)
            .env("readers", tests.join("readers.py"))
            .env("tests", &tests)
            .env("blender", "blender -b --factory-startup --python-exit-code 1 --python")
            .env("weald", &weald)
            .env("npm", &npm)
            .env("bin", folder().join("venv/bin"));
        let result = match told(&mut shell, check)? {
            Ok(line) => line,
            Err(printed) => {
                failed.push(format!("{} with {}: `{}`\n{printed}", check.target, check.tool, check.line));
                "FAILED".to_owned()
            }
        };
        println!("{:10} {:16} {result}", check.target, check.tool);
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n\n")) }
}

/// Makes the worlds that checks need, with their exports.
fn make(checks: &[&Check], weald: &Path, work: &Path) -> Outcome {
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
        let mut command = Command::new(weald);
        command.args(line.split(' ')).current_dir(work);
        finish(command, &format!("weald {line}"))?;
    }
    Ok(())
}

/// The line of what a check prints that tells most, or all that it prints if it fails.
fn told(shell: &mut Command, check: &Check) -> Result<Result<String, String>, String> {
    let out = shell.output().map_err(|e| format!("sh: {e}"))?;
    let printed = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    if !out.status.success() {
        return Ok(Err(printed));
    }
    if let Some(text) = check.prints.iter().find(|text| !printed.contains(**text)) {
        return Ok(Err(format!("{text:?} is missing from this:\n{printed}")));
    }
    let line = printed.lines().rfind(|line| check.prints.iter().any(|text| line.contains(text)));
    Ok(Ok(line.unwrap_or_default().trim().to_owned()))
}
