//! JSON schemas of parameters: how they are made, read and told to people.

use super::Leaf;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::Value;

/// The schema of `P`, inlined and without references.
pub(super) fn schema_of<P: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<P>().to_value();
    tidy(&mut schema);
    schema
}

/// Lists the aliases of each parameter as `x-aliases`. One that stands for several parameters is no name of any.
pub(super) fn with_aliases(mut schema: Value, aliases: &[(&str, &str)]) -> Value {
    for (alias, path) in aliases {
        let alone = aliases.iter().filter(|(other, _)| other == alias).count() == 1;
        let leaf = path.split('.').try_fold(&mut schema, |s, key| s.get_mut("properties")?.get_mut(key));
        if let Some(Value::Object(leaf)) = leaf.filter(|_| alone) {
            let list = leaf.entry("x-aliases").or_insert_with(|| Value::Array(Vec::new()));
            list.as_array_mut().expect("a list").push((*alias).into());
        }
    }
    schema
}

/// The other names of a parameter, as its schema lists them.
pub fn aliases(schema: &Value) -> Vec<&str> {
    schema["x-aliases"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Removes what the Rust types add and a reader does not need: formats, and defaults of whole groups.
fn tidy(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else { return };
    object.remove("format");
    // A choice of names, each with its own description, becomes the list of the names.
    if let Some(Value::Array(choices)) = object.get("oneOf") {
        let names: Vec<Value> = choices.iter().filter_map(|c| c.get("const").cloned()).collect();
        if names.len() == choices.len() {
            object.remove("oneOf");
            object.insert("type".into(), "string".into());
            object.insert("enum".into(), names.into());
        }
    }
    if object.contains_key("properties") {
        object.remove("default");
    }
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(tidy);
    }
}

pub(super) fn collect_leaves(schema: &Value, defaults: &Value, path: &str, out: &mut Vec<Leaf>) {
    match schema.get("properties").and_then(Value::as_object) {
        Some(properties) => {
            for (key, inner) in properties {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                collect_leaves(inner, &defaults[key.as_str()], &path, out);
            }
        }
        None => out.push(Leaf { path: path.to_owned(), schema: schema.clone(), default: defaults.clone() }),
    }
}

/// The value in the leaf's own type, or what it must be.
pub(super) fn fit(leaf: &Value, value: &Value) -> std::result::Result<Value, String> {
    let kind = leaf["type"].as_str().unwrap_or("");
    let typed = match kind {
        "integer" => match value.as_f64() {
            Some(f) if f.fract() == 0.0 && (0.0..9e15).contains(&f) => Value::from(f as u64),
            Some(f) if f.fract() == 0.0 && (-9e15..0.0).contains(&f) => Value::from(f as i64),
            _ => {
                return Err(format!(
                    "must be a whole number{}",
                    range_text(leaf).map_or(String::new(), |r| format!(" {r}"))
                ));
            }
        },
        "number" => match value.as_f64() {
            Some(f) if f.is_finite() => Value::from(if f == 0.0 { 0.0 } else { f }),
            _ => {
                return Err(format!(
                    "must be a number{}",
                    range_text(leaf).map_or(String::new(), |r| format!(" {r}"))
                ));
            }
        },
        "boolean" if value.is_boolean() => return Ok(value.clone()),
        "string" if value.is_string() => {
            let allowed = leaf.get("enum").and_then(Value::as_array);
            return match allowed {
                Some(names) if !names.contains(value) => {
                    let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
                    Err(format!("must be one of {}", names.join(", ")))
                }
                _ => Ok(value.clone()),
            };
        }
        "boolean" => return Err("must be true or false".into()),
        other => return Err(format!("must be a {other}")),
    };
    let number = typed.as_f64().unwrap_or(f64::NAN);
    let bound = |key: &str| leaf.get(key).and_then(Value::as_f64);
    let inside = bound("minimum").is_none_or(|b| number >= b)
        && bound("maximum").is_none_or(|b| number <= b)
        && bound("exclusiveMinimum").is_none_or(|b| number > b)
        && bound("exclusiveMaximum").is_none_or(|b| number < b);
    if inside { Ok(typed) } else { Err(format!("must be {}", range_text(leaf).unwrap_or_default())) }
}

/// "between 4 and 4096", "above 0 and at most 10", …
pub fn range_text(leaf: &Value) -> Option<String> {
    let bound = |key: &str| {
        let value = leaf.get(key).and_then(Value::as_f64)?;
        Some(if value.abs() < 1e15 { format!("{value}") } else { format!("{value:e}") })
    };
    if let (Some(lo), Some(hi)) = (bound("minimum"), bound("maximum")) {
        return Some(format!("between {lo} and {hi}"));
    }
    let low = bound("minimum")
        .map(|b| format!("at least {b}"))
        .or_else(|| bound("exclusiveMinimum").map(|b| format!("above {b}")));
    let high = bound("maximum")
        .map(|b| format!("at most {b}"))
        .or_else(|| bound("exclusiveMaximum").map(|b| format!("below {b}")));
    match (low, high) {
        (Some(l), Some(h)) => Some(format!("{l} and {h}")),
        (l, h) => l.or(h),
    }
}

/// `waterProxMaxDist` → `water_prox_max_dist`; dots stay.
pub(super) fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            if !out.is_empty() && !out.ends_with('.') {
                out.push('_');
            }
            out.push(c.to_ascii_lowercase());
        } else {
            out.push(c);
        }
    }
    out
}

/// `water_prox_max_dist` → `waterProxMaxDist`.
pub fn camel_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut up = false;
    for c in name.chars() {
        match c {
            '_' => up = true,
            c if up => {
                out.push(c.to_ascii_uppercase());
                up = false;
            }
            c => out.push(c),
        }
    }
    out
}

/// Renames the properties of a schema, at every depth.
pub(super) fn rename_properties(schema: &mut Value) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        let old = std::mem::take(properties);
        *properties = old
            .into_iter()
            .map(|(name, mut inner)| {
                rename_properties(&mut inner);
                (camel_case(&name), inner)
            })
            .collect();
    }
}

/// The same tree with every key renamed.
pub fn rename_keys(value: &Value, rename: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::Object(map) => {
            Value::Object(map.iter().map(|(k, v)| (rename(k), rename_keys(v, rename))).collect())
        }
        other => other.clone(),
    }
}
