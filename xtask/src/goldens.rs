//! Golden hashes: the same bits with any number of threads and in WASM.

use crate::run::{Outcome, cargo, node, output, root, say};
use std::fs;

const FILE: &str = "tests/goldens/hashes.txt";

/// Compares what is computed now with the file.
pub(crate) fn compare() -> Outcome {
    let path = root().join(FILE);
    let expected = fs::read_to_string(&path).map_err(|e| format!("{FILE}: {e}"))?;
    for (what, lines) in all()? {
        differences(&what, &expected, &lines)?;
    }
    Ok(())
}

/// Writes the file anew, if all builds agree, and notes why.
pub(crate) fn mint(why: &str) -> Outcome {
    let all = all()?;
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
fn all() -> Result<Vec<(String, String)>, String> {
    say("goldens: build, native and WASM");
    cargo(&["build", "--release", "--quiet", "-p", "weald-goldens"])?;
    let wasm = ["build", "--release", "--quiet", "-p", "weald-goldens", "--lib", "--no-default-features"];
    cargo(&[&wasm[..], &["--target", "wasm32-unknown-unknown"]].concat())?;
    let mut all = Vec::new();
    for threads in ["1", "2", "7"] {
        say(&format!("goldens: {threads} threads"));
        let run = ["run", "--release", "--quiet", "-p", "weald-goldens", "--", threads];
        all.push((format!("native with {threads} threads"), output("cargo", &run)?));
    }
    say("goldens: WASM in Node");
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".into());
    let module = format!("{target}/wasm32-unknown-unknown/release/weald_goldens.wasm");
    all.push(("WASM".into(), node(&["tests/goldens/wasm.mjs", &module])?));
    Ok(all)
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
