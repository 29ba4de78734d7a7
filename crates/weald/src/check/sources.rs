//! Do the files of a folder agree on how it was made?

use super::folder::Folder;
use super::params::camel_case;
use super::{RuleInfo, RuleResult};
use crate::error::{Error, Result};
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};

/// How much of a tiles file is read for its meta data.
const HEAD: u64 = 1 << 20;

/// The rule.
pub(super) const RULE: RuleInfo = RuleInfo {
    name: "sources-agree",
    about: "manifest, recipe and tiles give the same world, seed, size and parameters",
};

/// Compares world, seed, size and parameters of the manifest with those of `recipe.toml`.
pub(super) fn recipe(folder: &Folder) -> RuleResult {
    let (mut rule, manifest) = (RULE.result(), &folder.typed);
    if let Some(recipe) = &folder.recipe {
        let size = serde_json::json!([manifest.frame.width, manifest.frame.height]);
        same(&mut rule, "recipe.toml", "world", Some(&manifest.world.as_str().into()), recipe.get("kind"));
        same(&mut rule, "recipe.toml", "seed", manifest.seed.as_ref(), recipe.get("seed"));
        same(&mut rule, "recipe.toml", "size", Some(&size), recipe.get("size"));
        same(&mut rule, "recipe.toml", "params", manifest.params.as_ref(), recipe.get("params"));
    }
    rule
}

/// Compares seed, size and parameters of the manifest with those of files of tiles, which hold `elevation` only if its source is
/// not the noise of the document.
pub(super) fn tiles(folder: &Folder, files: &[PathBuf]) -> Result<RuleResult> {
    let (mut rule, manifest) = (RULE.result(), &folder.typed);
    let [width, height] = [manifest.frame.width, manifest.frame.height].map(Value::from);
    let mut params = manifest.params.as_ref().map(camel_case);
    if let Some(groups) = params.as_mut().and_then(Value::as_object_mut) {
        groups.retain(|name, group| name != "elevation" || group["source"] != "noise");
    }
    for path in files {
        let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let Some(meta) = meta(path)? else { continue };
        same(&mut rule, &name, "seed", manifest.seed.as_ref(), meta.get("seed"));
        same(&mut rule, &name, "width", Some(&width), meta.get("width"));
        same(&mut rule, &name, "height", Some(&height), meta.get("height"));
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

/// The `meta` at the head of a tiles file, if it is there.
fn meta(path: &Path) -> Result<Option<Value>> {
    let mut head = Vec::new();
    super::open(path)?.take(HEAD).read_to_end(&mut head).map_err(|e| Error::io(path, e))?;
    let head = String::from_utf8_lossy(&head);
    let Some((_, rest)) = head.split_once("\"meta\"") else { return Ok(None) };
    let rest = rest.trim_start().strip_prefix(':').unwrap_or("");
    Ok(serde_json::Deserializer::from_str(rest).into_iter().next().and_then(std::result::Result::ok))
}
