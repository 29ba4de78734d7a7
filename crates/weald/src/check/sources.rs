//! Do the files of a folder tell the same of how it was made?

use super::RuleResult;
use super::folder::{Manifest, text};
use crate::error::{Error, Result};
use crate::params::{camel_case, rename_keys};
use serde_json::Value;
use std::io::Read;
use std::path::Path;

/// How much of a tiles file is read for its meta.
const HEAD: u64 = 1 << 20;

/// Compares seed, size and parameters of the manifest with those of `recipe.toml` and of the tiles files.
pub(super) fn agree(
    dir: &Path,
    manifest: &Manifest,
    tile_files: &[std::path::PathBuf],
) -> Result<RuleResult> {
    let about = "manifest, recipe and tiles give the same world, seed, size and parameters";
    let mut rule = RuleResult::new("sources-agree", about);
    let size = serde_json::json!([manifest.frame.width, manifest.frame.height]);
    let file = dir.join("recipe.toml");
    if file.exists() {
        let bad = |e: &dyn std::fmt::Display| Error::Invalid(format!("{}: {e}", file.display()));
        let table: toml::Table = text(&file)?.parse().map_err(|e| bad(&e))?;
        let recipe = serde_json::to_value(table).map_err(|e| bad(&e))?;
        same(&mut rule, "recipe.toml", "world", Some(&manifest.world.as_str().into()), recipe.get("kind"));
        same(&mut rule, "recipe.toml", "seed", manifest.seed.as_ref(), recipe.get("seed"));
        same(&mut rule, "recipe.toml", "size", Some(&size), recipe.get("size"));
        same(&mut rule, "recipe.toml", "params", manifest.params.as_ref(), recipe.get("params"));
    }
    let params = manifest.params.as_ref().map(|p| rename_keys(p, &camel_case));
    for path in tile_files {
        let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let Some(meta) = meta(path)? else { continue };
        same(&mut rule, &name, "seed", manifest.seed.as_ref(), meta.get("seed"));
        same(&mut rule, &name, "width", size.get(0), meta.get("width"));
        same(&mut rule, &name, "height", size.get(1), meta.get("height"));
        same(&mut rule, &name, "params", params.as_ref(), meta.get("params"));
    }
    Ok(rule)
}

fn same(rule: &mut RuleResult, file: &str, what: &str, ours: Option<&Value>, theirs: Option<&Value>) {
    if let (Some(a), Some(b)) = (ours, theirs) {
        rule.check(equal(a, b), None, || format!("{what} of {file} is not that of manifest.json"));
    }
}

/// Numbers by value, whether written as whole numbers, with a point or as text.
fn equal(a: &Value, b: &Value) -> bool {
    let whole = |v: &Value| v.as_u64().or_else(|| v.as_str()?.parse().ok());
    match (a, b) {
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(k, v)| y.get(k).is_some_and(|w| equal(v, w)))
        }
        (Value::Array(x), Value::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(v, w)| equal(v, w)),
        _ => {
            a == b
                || whole(a).is_some_and(|n| whole(b) == Some(n))
                || a.as_f64().is_some_and(|n| b.as_f64() == Some(n))
        }
    }
}

/// The `meta` at the head of a tiles file, if it stands there.
fn meta(path: &Path) -> Result<Option<Value>> {
    let mut head = Vec::new();
    super::open(path)?.take(HEAD).read_to_end(&mut head).map_err(|e| Error::io(path, e))?;
    let head = String::from_utf8_lossy(&head);
    let Some((_, rest)) = head.split_once("\"meta\"") else { return Ok(None) };
    let rest = rest.trim_start().strip_prefix(':').unwrap_or("");
    Ok(serde_json::Deserializer::from_str(rest).into_iter().next().and_then(std::result::Result::ok))
}
