//! The tables of the documentation, in Markdown.

use serde_json::Value;
use weald::catalogue::{Class, Kind, LayerSpec};
use weald::export::target::TARGETS;
use weald::measure::RANGES;
use weald::params::{Leaf, aliases, range_text};
use weald::world::{BuiltInRecipe, FileSpec, WORLDS, World, WorldInfo};

/// A table: heads, then rows. A head that ends in `:` is aligned to the right.
fn table<const N: usize>(heads: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | ")).replace("|  |", "| |");
    let mut out = line(&heads.map(|h| h.trim_end_matches(':').to_owned()));
    out += &line(&heads.map(|h| if h.ends_with(':') { "---:" } else { "---" }.to_owned()));
    for row in rows {
        // Twice, because neighbouring empty cells share a bar.
        out += &line(&row.map(|cell| cell.replace('|', "\\|").replace('\n', " "))).replace("|  |", "| |");
    }
    out
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

fn codes<'t>(words: impl IntoIterator<Item = &'t str>) -> String {
    words.into_iter().map(code).collect::<Vec<_>>().join(", ")
}

/// Without the full stop, which a table has no use for.
fn phrase(text: &str) -> &str {
    text.trim_end_matches('.')
}

/// The figures of `weald measure` with their ranges.
pub(crate) fn figures() -> String {
    let rows = RANGES.iter().map(|f| [code(f.name), f.range_text(), f.about.to_owned()]);
    table(["figure", "real land", "what it is"], rows)
}

/// The worlds with their recipes, for the README.
pub(crate) fn worlds() -> String {
    let rows = WORLDS.iter().map(|w| w.info()).map(|info| {
        [
            format!("[`{0}`](docs/{0}.md)", info.name),
            phrase(info.about).to_owned(),
            codes(info.recipes.iter().map(|r| r.name)),
        ]
    });
    table(["world", "what it makes", "recipes"], rows)
}

/// The recipes of a world, described by the comment at the head of their files.
pub(crate) fn recipes(info: &WorldInfo) -> String {
    table(["recipe", "what it makes"], info.recipes.iter().map(|r| [code(r.name), recipe_about(r)]))
}

/// The comment at the head of a recipe, up to the command that uses it.
pub(crate) fn recipe_about(recipe: &BuiltInRecipe) -> String {
    let comment = recipe.toml.lines().map_while(|l| l.strip_prefix("# "));
    comment.take_while(|l| !l.starts_with("weald ")).collect::<Vec<_>>().join(" ")
}

/// The phases of a world, in order.
pub(crate) fn phases(info: &WorldInfo) -> String {
    let rows = info.phases.iter().map(|p| {
        let params = if p.params.is_empty() { "none".into() } else { codes(p.params.iter().copied()) };
        [code(p.name), phrase(p.about).to_owned(), params]
    });
    table(["phase", "what it makes", "parameters it reads"], rows)
}

/// The layers of a world, in order.
pub(crate) fn layers(world: &dyn World) -> String {
    let row = |l: LayerSpec| {
        let about = phrase(l.about).to_owned();
        [code(l.name), l.dtype.to_owned(), l.unit.to_owned(), about, kind(l.kind)]
    };
    let mut rows: Vec<[String; 5]> = Vec::new();
    for new in world.layers().into_iter().map(row) {
        match rows.last_mut() {
            // Layers that differ in their names only, such as the faces of a cube, share a row.
            Some(last) if last[1..] == new[1..] => last[0] = format!("{}, {}", last[0], new[0]),
            _ => rows.push(new),
        }
    }
    table(["layer", "type", "unit", "meaning", "codes"], rows)
}

fn kind(kind: Kind) -> String {
    let list = |table: &[Class]| {
        table.iter().map(|c| format!("{} {}", c.value, c.name)).collect::<Vec<_>>().join(", ")
    };
    match kind {
        Kind::Measure => String::new(),
        Kind::Classes(table) => list(table),
        Kind::Flags(table) => format!("sum of {}", list(table)),
        Kind::Steps(table) => format!("for each direction {}", list(table)),
    }
}

/// The files that only this world has.
pub(crate) fn files(info: &WorldInfo) -> String {
    let made = |f: &FileSpec| match f.needs {
        _ if f.by_default => "always".to_owned(),
        Some(needs) => format!("on request: `--with {needs}`"),
        None => format!("on request: `--files {}`", f.name),
    };
    let files = info.files.iter().map(|f| [code(f.name), phrase(f.about).to_owned(), made(f)]);
    let fitting = TARGETS.iter().filter(|t| t.fits(&info.exports));
    let targets: Vec<String> = fitting.map(|t| code(t.name)).collect();
    let about = format!("[formats of other programs](formats.md): {}", targets.join(", "));
    let exports = ["`TARGET/`".to_owned(), about, "on request: `--export TARGET`".to_owned()];
    table(["file", "content", "written"], files.chain((!targets.is_empty()).then_some(exports)))
}

/// The formats of other programs.
pub(crate) fn targets() -> String {
    let rows = TARGETS.iter().map(|t| {
        let has = |w: &&&dyn World| t.fits(&w.info().exports);
        let worlds: Vec<&str> = WORLDS.iter().filter(has).map(|w| w.info().name).collect();
        let worlds = if worlds.len() == WORLDS.len() { "all".to_owned() } else { worlds.join(", ") };
        [code(t.name), phrase(t.about).to_owned(), t.files.to_owned(), t.readers.to_owned(), worlds]
    });
    table(["target", "what it is", "files", "read by", "worlds"], rows)
}

/// The views of a world.
pub(crate) fn views(info: &WorldInfo) -> String {
    let rows = info.views.iter().map(|view| {
        let setting = |s: &weald::style::Setting| {
            let unit = if s.unit.is_empty() { String::new() } else { format!(" {}", s.unit) };
            format!("`{}`: {}, {} to {}{unit}, default {}", s.name, phrase(s.about), s.min, s.max, s.default)
        };
        let settings: Vec<String> = view.settings.iter().map(setting).collect();
        let layers = view.layers.iter().copied();
        [code(view.name), phrase(view.about).to_owned(), codes(layers), settings.join("; ")]
    });
    table(["view", "what it shows", "layers it needs", "settings"], rows)
}

/// The parameters of a world, in order.
pub(crate) fn parameters(world: &dyn World) -> String {
    let row = |leaf: Leaf| {
        let text = |key: &str| leaf.schema[key].as_str().unwrap_or("").to_owned();
        let default = match &leaf.default {
            Value::String(s) if s.is_empty() => "empty".to_owned(),
            Value::String(s) => code(s),
            Value::Number(n) => n.to_string().trim_end_matches(".0").to_owned(),
            other => other.to_string(),
        };
        let mut about = phrase(text("description").trim()).to_owned();
        let also = aliases(&leaf.schema);
        if !also.is_empty() {
            about += &format!(" (also {})", codes(also.into_iter()));
        }
        [code(&leaf.path), default, text("x-unit"), range(&leaf.schema), about]
    };
    table(["parameter", "default:", "unit", "range", "meaning"], world.params().leaves().into_iter().map(row))
}

/// The values that a parameter may have.
fn range(schema: &Value) -> String {
    match schema.get("enum").and_then(Value::as_array) {
        Some(words) => codes(words.iter().filter_map(Value::as_str)),
        None if schema["type"] == "boolean" => "true or false".to_owned(),
        None => range_text(schema).unwrap_or_default(),
    }
}

/// The rules that `weald check` tests, in order.
pub(crate) fn rules(info: &WorldInfo) -> String {
    let rules = weald::check::rules(info.name).unwrap_or_default();
    table(["rule", "what must hold"], rules.iter().map(|r| [code(r.name), phrase(r.about).to_owned()]))
}
