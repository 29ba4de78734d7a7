//! Golden hashes: the same bits with any number of threads, in WASM and on ARM.

use crate::run::{Outcome, cargo, node, output, program, root, target, with_env};
use crate::steps::Steps;
use crate::web;
use std::fs;
use std::path::Path;

const FILE: &str = "tests/goldens/hashes.txt";

/// The profile of the runner: optimised, but not linked in one piece.
const PROFILE: &str = "goldens";

/// Builds the runner.
const BUILD: [&str; 6] = ["build", "--profile", PROFILE, "--quiet", "-p", "weald-goldens"];

const ARM: &str = "aarch64-unknown-linux-gnu";

/// Where the C library for ARM lies.
const ARM_ROOT: &str = "/usr/aarch64-linux-gnu";

/// Compares what is computed now with the file.
pub(crate) fn compare(steps: &mut Steps) -> Outcome {
    let expected = expected()?;
    for (what, lines) in all(steps)? {
        differences(&what, &expected, &lines)?;
    }
    Ok(())
}

/// Compares what the engine of the page, which has been built, computes with the file.
pub(crate) fn compare_wasm(steps: &mut Steps) -> Outcome {
    let expected = expected()?;
    differences("WASM", &expected, &wasm(steps, &expected)?)
}

fn expected() -> Result<String, String> {
    fs::read_to_string(root().join(FILE)).map_err(|e| format!("{FILE}: {e}"))
}

/// Compares what a build for 64-bit ARM computes with the file. The build runs on this machine by qemu.
pub(crate) fn arm() -> Outcome {
    let mut steps = Steps::default();
    steps.step("tools", arm_tools)?;
    steps.step("build for ARM", || {
        let build = ["build", "--profile", PROFILE, "--quiet", "-p", "weald-goldens", "--target", ARM];
        with_env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc", &build)
    })?;
    let lines = steps.step("goldens: ARM in qemu", || {
        let runner = target().join(ARM).join(PROFILE).join("weald-goldens").display().to_string();
        output("qemu-aarch64", &["-L", ARM_ROOT, &runner, "2"])
    })?;
    differences("ARM", &expected()?, &lines)?;
    steps.print();
    println!("{} hashes are equal on ARM", lines.lines().count());
    Ok(())
}

/// Fails if something is missing that the build for ARM needs, and says how to get it.
fn arm_tools() -> Outcome {
    let there = |tool: &str| output(tool, &["--version"]).is_ok();
    let needed = [
        ("qemu-aarch64", "qemu-user", there("qemu-aarch64")),
        ("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu", there("aarch64-linux-gnu-gcc")),
        (
            "the C library for ARM",
            "libc6-dev-arm64-cross",
            Path::new(ARM_ROOT).join("lib/libc.so.6").exists(),
        ),
    ];
    let missing: Vec<&(&str, &str, bool)> = needed.iter().filter(|(_, _, there)| !there).collect();
    if !missing.is_empty() {
        let tools: Vec<&str> = missing.iter().map(|(tool, _, _)| *tool).collect();
        let packages: Vec<&str> = missing.iter().map(|(_, package, _)| *package).collect();
        let install = format!("apt-get install {}", packages.join(" "));
        return Err(format!("{}: not found; on Debian or Ubuntu: {install}", tools.join(", ")));
    }
    program("rustup", &["target", "add", ARM])
}

/// Writes the file anew, if all builds agree, and notes why.
pub(crate) fn mint(why: &str) -> Outcome {
    let all = all(&mut Steps::default())?;
    let (first, lines) = &all[0];
    for (what, other) in &all[1..] {
        differences(&format!("{what} against {first}"), lines, other)?;
    }
    fs::write(root().join(FILE), lines).map_err(|e| format!("{FILE}: {e}"))?;
    let path = root().join("CHANGELOG.md");
    let text = fs::read_to_string(&path).map_err(|e| format!("CHANGELOG.md: {e}"))?;
    let Some((head, tail)) = text.split_once("### Maps\n\n") else {
        return Err("CHANGELOG.md has no section '### Maps' to note the reason in".into());
    };
    let noted = format!("{head}### Maps\n\n- Golden hashes minted: {}\n{tail}", why.trim());
    fs::write(path, noted).map_err(|e| format!("CHANGELOG.md: {e}"))?;
    println!("{} hashes written; the reason is in CHANGELOG.md", lines.lines().count());
    Ok(())
}

/// The lines of every build.
fn all(steps: &mut Steps) -> Result<Vec<(String, String)>, String> {
    steps.step("goldens: build", || cargo(&BUILD))?;
    let runner = target().join(PROFILE).join("weald-goldens").display().to_string();
    let mut all = Vec::new();
    for threads in ["1", "2", "7"] {
        let lines = steps.step(&format!("goldens: {threads} threads"), || output(&runner, &[threads]))?;
        all.push((format!("native with {threads} threads"), lines));
    }
    steps.step("goldens: build for WASM", web::engine)?;
    let lines = wasm(steps, &all[0].1)?;
    all.push(("WASM".into(), lines));
    Ok(all)
}

/// The lines of the engine that the page runs, for the cases of other lines.
fn wasm(steps: &mut Steps, cases: &str) -> Result<String, String> {
    let file = target().join("golden-cases.txt");
    fs::write(&file, cases).map_err(|e| format!("{}: {e}", file.display()))?;
    let [folder, file] = [web::package(), file].map(|p| p.display().to_string());
    steps.step("goldens: WASM in Node", || node(&["tests/goldens/wasm.mjs", &folder, &file]))
}

/// Fails with the lines that differ.
fn differences(what: &str, expected: &str, found: &str) -> Outcome {
    if expected == found {
        return Ok(());
    }
    let (expected, found): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    let wrong: Vec<&&str> = found.iter().filter(|l| !expected.contains(l)).collect();
    let shown: String = wrong.iter().take(12).map(|l| format!("\n  {l}")).collect();
    Err(format!(
        "{what}: {} of {} golden hashes differ from the expected {}:{shown}\n\
         If the maps are meant to change: cargo xtask goldens --why \"the reason\"",
        wrong.len(),
        found.len(),
        expected.len()
    ))
}
