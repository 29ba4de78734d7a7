//! The order of the modules: what each may import, read from the source.
//!
//! Both `crate::X` and paths of `super::` count, alone and in groups. Files and modules of tests may import more; what they
//! may is [`IN_TESTS`].

use crate::file;
use std::fs;
use std::path::Path;

/// A module of `weald`, and the modules that it may import besides itself.
const ORDER: &[(&str, &[&str])] = &[
    (
        "job",
        &[
            "recipe",
            "export",
            "render",
            "check",
            "import",
            "world",
            "params",
            "style",
            "catalogue",
            "zarr",
            "sink",
            "npy",
            "atomic",
            "georeference",
            "reading",
            "memory",
            "files",
            "error",
        ],
    ),
    ("recipe", &["world", "params", "style", "georeference", "reading", "error"]),
    (
        "export",
        &[
            "style",
            "catalogue",
            "zarr",
            "sink",
            "png",
            "npy",
            "atomic",
            "georeference",
            "memory",
            "files",
            "error",
        ],
    ),
    ("render", &["catalogue", "style", "png", "error"]),
    ("check", &["import", "npy", "reading", "files", "error"]),
    ("measure", &["import", "render", "reading", "error"]),
    ("import", &["npy", "georeference", "reading", "memory", "files", "error"]),
    ("world", &["catalogue", "style", "params", "sink", "npy", "reading", "error"]),
    ("style", &["catalogue", "error"]),
    ("params", &["error"]),
    ("catalogue", &["georeference", "error"]),
    ("zarr", &["catalogue", "atomic", "georeference", "memory", "files", "error"]),
    ("npy", &["error"]),
    ("png", &[]),
    ("georeference", &["error"]),
    ("reading", &["georeference", "error"]),
    ("memory", &["error"]),
    ("sink", &["files", "error"]),
    ("atomic", &["error"]),
    ("files", &[]),
    ("error", &[]),
];

/// What tests may import besides: (module, import).
const IN_TESTS: &[(&str, &str)] = &[
    ("params", "world"),
    ("measure", "npy"),
    ("export", "job"),
    ("export", "world"),
    ("export", "import"),
    ("export", "recipe"),
];

/// Parts of `world` that every world may import.
const SHARED_BY_WORLDS: &[&str] = &["parts", "phases", "relf"];

/// Files that make the samples of tests with everything there is.
const EXCEPT: &[&str] = &["check/endless/tests/made.rs", "check/tests/imports.rs", "export/chart/tests.rs"];

/// An import: where it stands and the path from the root of the crate.
struct Import {
    line: usize,
    path: Vec<String>,
    in_test: bool,
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The source with comments and text in quotes blanked out, so that lines keep their numbers.
fn code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut chars, mut before) = (text.chars().peekable(), ' ');
    while let Some(c) = chars.next() {
        match c {
            '/' if chars.peek() == Some(&'/') => while chars.next_if(|&c| c != '\n').is_some() {},
            // A raw string, which ends in a quote and as many #.
            'r' if !is_name(before) && matches!(chars.peek(), Some('"' | '#')) => {
                let mut hashes = 0;
                while chars.next_if_eq(&'#').is_some() {
                    hashes += 1;
                }
                if chars.next_if_eq(&'"').is_some() {
                    let mut found = None;
                    for c in chars.by_ref() {
                        found = match (c, found) {
                            ('"', _) => Some(0),
                            ('#', Some(n)) => Some(n + 1),
                            _ => None,
                        };
                        if c == '\n' {
                            out.push(c);
                        }
                        if found == Some(hashes) {
                            break;
                        }
                    }
                }
            }
            '"' => {
                while let Some(c) = chars.next() {
                    match c {
                        '\\' => out.extend(chars.next().filter(|&c| c == '\n')),
                        '"' => break,
                        '\n' => out.push(c),
                        _ => {}
                    }
                }
            }
            // A character; a lifetime is left as it is.
            '\'' => {
                let mut ahead = chars.clone();
                match (ahead.next(), ahead.next()) {
                    (Some('\\'), Some(_)) => {
                        chars.next();
                        chars.next();
                        while chars.next_if(|&c| c != '\'').is_some() {}
                        chars.next();
                    }
                    (Some(_), Some('\'')) => {
                        chars.next();
                        chars.next();
                    }
                    _ => out.push(c),
                }
            }
            _ => out.push(c),
        }
        before = c;
    }
    out
}

/// Where the body in braces ends that starts at or after `from`.
fn end_of_block(code: &str, from: usize) -> usize {
    let mut depth = 0;
    for (i, c) in code[from..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return from + i,
            '}' => depth -= 1,
            ';' if depth == 0 => return from + i,
            _ => {}
        }
    }
    code.len()
}

/// Modules in braces: start, end, name.
fn inline_modules(code: &str) -> Vec<(usize, usize, String)> {
    let mut out = Vec::new();
    for (at, _) in code.match_indices("mod ") {
        let name: String = code[at + 4..].chars().take_while(|&c| is_name(c)).collect();
        let after = at + 4 + name.len();
        if !code[..at].ends_with(is_name) && !name.is_empty() && code[after..].trim_start().starts_with('{') {
            out.push((at, end_of_block(code, after), name));
        }
    }
    out
}

/// The parts of a source that only tests have.
fn test_parts(code: &str) -> Vec<(usize, usize)> {
    let marks = code.match_indices("#[cfg(test)]").chain(code.match_indices("#[test]"));
    marks.map(|(at, _)| (at, end_of_block(code, at))).collect()
}

/// The paths of a `use` or an expression that begins at `rest`, groups taken apart, each as far as names go.
fn paths(rest: &str, prefix: &[String], out: &mut Vec<Vec<String>>) -> usize {
    let mut path = prefix.to_vec();
    let mut at = 0;
    loop {
        let start = at + (rest[at..].len() - rest[at..].trim_start().len());
        if rest[start..].starts_with('{') {
            let mut inner = start + 1;
            while inner < rest.len() {
                inner += rest[inner..].len() - rest[inner..].trim_start_matches([' ', '\n', ',']).len();
                if rest[inner..].starts_with('}') {
                    return inner + 1;
                }
                let read = paths(&rest[inner..], &path, out);
                if read == 0 {
                    return rest.len();
                }
                inner += read;
            }
            return inner;
        }
        let name: String = rest[start..].chars().take_while(|&c| is_name(c) || c == '*').collect();
        at = start + name.len();
        path.push(name);
        if !rest[at..].starts_with("::") {
            break;
        }
        at += 2;
    }
    // A new name after `as` belongs to the path.
    if let Some(renamed) = rest[at..].strip_prefix(" as ") {
        at += 4 + renamed.chars().take_while(|&c| is_name(c)).count();
    }
    out.push(path);
    at
}

/// What a file imports. `module` is its own path from the root of the crate.
fn imports(text: &str, module: &[String]) -> Vec<Import> {
    let code = code(text);
    let (modules, tests) = (inline_modules(&code), test_parts(&code));
    let mut out = Vec::new();
    for root in ["crate::", "super::"] {
        for (at, _) in code.match_indices(root) {
            // `super::super::` is read from its first word on; `$crate` is that of a macro.
            if code[..at].ends_with(|c: char| is_name(c) || c == ':') {
                continue;
            }
            let mut own = module.to_vec();
            own.extend(modules.iter().filter(|m| m.0 < at && at < m.1).map(|m| m.2.clone()));
            let mut found = Vec::new();
            paths(&code[at..], &[], &mut found);
            for path in found {
                let ups = path.iter().take_while(|p| *p == "super").count();
                let rest = path[ups.max(1)..].iter().cloned();
                let above = if ups > 0 { own.len().saturating_sub(ups) } else { 0 };
                let path = own[..above].iter().cloned().chain(rest).collect();
                let line = code[..at].matches('\n').count() + 1;
                let in_test = tests.iter().any(|t| t.0 < at && at < t.1);
                out.push(Import { line, path, in_test });
            }
        }
    }
    out
}

/// What is wrong with an import by the module `from`, if anything.
fn wrong(from: &[String], import: &Import) -> Option<String> {
    let (Some(module), Some(to)) = (from.first(), import.path.first()) else { return None };
    let to = to.as_str();
    // What the root of the crate exports again is named by its module.
    let to = match to {
        "Error" | "Problem" | "Result" => "error",
        "Job" | "Output" => "job",
        _ => to,
    };
    let Some((_, allowed)) = ORDER.iter().find(|(name, _)| name == module) else {
        return (module != "lib").then(|| format!("the module {module} has no place in the order"));
    };
    if to == module {
        let is_world =
            |p: &[String]| p.get(1).filter(|n| file("crates/weald/src/world").join(n).is_dir()).cloned();
        let (Some(own), Some(other)) = (is_world(from), is_world(&import.path)) else { return None };
        let shared = SHARED_BY_WORLDS.contains(&other.as_str());
        return (module == "world" && own != other && !shared)
            .then(|| format!("world/{own} imports world/{other}"));
    }
    let known = ORDER.iter().any(|(name, _)| *name == to);
    let in_test = import.in_test && IN_TESTS.contains(&(module, to));
    (known && !allowed.contains(&to) && !in_test).then(|| format!("{module} imports {to}"))
}

/// Every source below a folder: its path from there, whether it is for tests only, and its text.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
                out.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    out.sort();
    out
}

/// The module of a file: `world/city/mod.rs` is `world::city`.
fn module_of(name: &str) -> Vec<String> {
    let path = name.trim_end_matches(".rs");
    path.trim_end_matches("/mod").split('/').map(str::to_owned).collect()
}

#[test]
fn no_module_imports_against_the_order() {
    let root = file("crates/weald/src");
    let mut all = Vec::new();
    let mut count = 0;
    for (name, text) in sources(&root) {
        if EXCEPT.contains(&name.as_str()) {
            continue;
        }
        let module = module_of(&name);
        let test_file = module.iter().any(|m| m == "tests");
        for mut import in imports(&text, &module) {
            count += 1;
            import.in_test |= test_file;
            if let Some(what) = wrong(&module, &import) {
                all.push(format!(
                    "crates/weald/src/{name}:{}: {what} ({})",
                    import.line,
                    import.path.join("::")
                ));
            }
        }
    }
    assert!(count > 500, "the imports were found: {count}");
    assert!(
        all.is_empty(),
        "{} imports against the order of xtask/docs/src/directions.rs:\n{}",
        all.len(),
        all.join("\n")
    );
}

#[test]
fn the_core_imports_nothing_of_ours() {
    for (name, text) in sources(&file("crates/weald-core/src")) {
        let code = code(&text);
        for (number, line) in code.lines().enumerate() {
            let named = line.match_indices("weald").any(|(at, _)| {
                let rest = &line[at..];
                !line[..at].ends_with(is_name) && rest.starts_with("weald::")
            });
            assert!(!named, "crates/weald-core/src/{name}:{}: the core imports weald", number + 1);
        }
    }
    let manifest = fs::read_to_string(file("crates/weald-core/Cargo.toml")).unwrap();
    let ours = manifest.lines().find(|l| l.starts_with("weald"));
    assert_eq!(ours, None, "crates/weald-core/Cargo.toml");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, module: &str) -> Vec<String> {
        let module = module_of(module);
        let mut all: Vec<String> = imports(text, &module)
            .iter()
            .filter_map(|i| wrong(&module, i).map(|w| format!("{}: {w}", i.line)))
            .collect();
        all.sort();
        all
    }

    #[test]
    fn imports_are_found_alone_in_groups_and_by_relative_paths() {
        assert_eq!(found("use crate::export::png;", "world/city/mod.rs"), ["1: world imports export"]);
        assert_eq!(found("\n  crate::render::draw();", "style/map.rs"), ["2: style imports render"]);
        let group = "use crate::{\n  error::{Error, Result},\n  job as j, world::find};";
        assert_eq!(found(group, "render/mod.rs"), ["1: render imports job", "1: render imports world"]);
        assert_eq!(found("use super::super::super::job;", "world/city/world.rs"), ["1: world imports job"]);
        assert_eq!(found("use super::job;", "params.rs"), ["1: params imports job"]);
        assert_eq!(found("use crate::Job;", "export/mod.rs"), ["1: export imports job"]);
    }

    #[test]
    fn a_world_must_not_import_another_world() {
        assert_eq!(
            found("use crate::world::island::coast;", "world/city/mod.rs"),
            ["1: world/city imports world/island"]
        );
        assert_eq!(
            found("use super::super::island;", "world/city/land.rs"),
            ["1: world/city imports world/island"]
        );
        assert!(
            found("use super::super::{Case, relf}; use crate::world::phases;", "world/city/land.rs")
                .is_empty()
        );
        assert!(found("use super::land; use crate::world::city::land;", "world/city/water.rs").is_empty());
    }

    #[test]
    fn comments_text_and_inner_modules_are_understood() {
        let text = "// crate::job\nlet s = \"crate::job\"; let c = '\"'; let r = r#\"crate::job \" \"#;\n";
        assert!(found(text, "world/city/mod.rs").is_empty());
        let inner = "mod tests {\n use super::super::job;\n}";
        assert_eq!(found(inner, "params.rs"), ["2: params imports job"]);
        let test = "#[cfg(test)]\nmod tests {\n use crate::world;\n}";
        assert!(found(test, "params.rs").is_empty());
        assert_eq!(found("use crate::world;", "params.rs"), ["1: params imports world"]);
    }
}
