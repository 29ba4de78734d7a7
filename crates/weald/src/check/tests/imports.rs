//! The checker shares nothing with the generators: what its files may import.

use std::fs;
use std::path::{Path, PathBuf};

/// Modules of this crate that a file may name: the checker itself, errors, and readers of files.
const CRATE: [&str; 5] = ["check", "error", "files", "import", "npy"];
/// Plain types and helpers of the core that a file may name.
const CORE: [&str; 11] =
    ["AnyGrid", "Cells", "Ctx", "Dir8", "Frame", "Grid", "Seed", "dir8", "label", "math", "seed"];
/// Files that may use the generators: they make the samples of a world whose folders cannot be written by hand.
const EXCEPT: [&str; 1] = ["endless/tests/made.rs"];

fn sources(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// The first name of each path that goes on after `root::`, groups in braces taken apart.
fn names_after<'a>(text: &'a str, root: &str) -> Vec<&'a str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = Vec::new();
    for (at, _) in text.match_indices(root) {
        let rest = &text[at + root.len()..];
        if text[..at].ends_with(is_name) || !rest.starts_with("::") {
            continue;
        }
        let rest = &rest[2..];
        if !rest.starts_with('{') {
            names.extend(rest.split(|c| !is_name(c)).next());
            continue;
        }
        let (mut depth, mut start) = (0, 1);
        for (i, c) in rest.char_indices() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if depth == 0 || (depth == 1 && c == ',') {
                names.extend(rest[start..i].trim().split(|c| !is_name(c)).next().filter(|n| !n.is_empty()));
                start = i + 1;
            }
            if depth == 0 {
                break;
            }
        }
    }
    names
}

/// A file without its comments.
fn code(text: &str) -> String {
    text.lines().map(|l| l.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

#[test]
fn no_file_names_a_generator() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/check");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 50, "the files of the checker were found");
    let mut wrong = Vec::new();
    for file in &files {
        let name = file.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        // This file names what it looks for.
        if EXCEPT.contains(&name.as_str()) || name == "tests/imports.rs" {
            continue;
        }
        let text = code(&fs::read_to_string(file).unwrap());
        for (root, allowed) in [("crate", &CRATE[..]), ("weald_core", &CORE)] {
            let named = names_after(&text, root).into_iter().filter(|n| !allowed.contains(n));
            wrong.extend(named.map(|n| format!("{name}: {root}::{n}")));
        }
        // Nor may it climb out of the checker by relative paths.
        if text.contains("super::super") || (name == "mod.rs" && text.contains("super::")) {
            wrong.push(format!("{name}: super:: leads out of the checker"));
        }
    }
    assert!(wrong.is_empty(), "the checker must not use these:\n{}", wrong.join("\n"));
}

#[test]
fn names_are_found_alone_and_in_groups() {
    let text =
        "use crate::{error::{Error, Result}, world}; crate::params::of(); weald_crate::x; use crate::npy;";
    assert_eq!(names_after(text, "crate"), ["error", "world", "params", "npy"]);
}
