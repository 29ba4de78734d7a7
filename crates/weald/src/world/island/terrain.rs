//! terrain.json: the document's `TerrainData` and `River`.

use crate::catalogue::{Catalogue, Feature};
use crate::error::Result;
use crate::sink::Sink;
use serde_json::{Value, json};
use std::fmt::Write as _;
use weald_core::{Ctx, Grid, par};

/// Rows that are formatted at once.
const ROWS: usize = 64;

/// Writes heights, flow accumulation, moisture and rivers by the document's names.
pub(super) fn write(catalogue: &Catalogue, _: &[String], out: &mut Sink, ctx: &Ctx) -> Result<()> {
    out.write(b"{\"height\":")?;
    rows(out, catalogue.floats("height")?, ctx)?;
    out.write(b",\"flowAccumulation\":")?;
    rows(out, catalogue.counts("flow_accumulation")?, ctx)?;
    out.write(b",\"moisture\":")?;
    rows(out, catalogue.floats("moisture")?, ctx)?;
    out.write(b",\"rivers\":")?;
    let rivers = catalogue.line_set("rivers").map_or(&[][..], |set| &set.features);
    let cells =
        rivers.iter().map(|r| catalogue.cells_along(&r.points, "flow_direction")).collect::<Result<_>>()?;
    let mut tree = Tree { rivers, cells, tributaries: vec![Vec::new(); rivers.len()] };
    let mut mains = Vec::new();
    for (k, river) in rivers.iter().enumerate() {
        match river.property("parent").and_then(Value::as_u64) {
            Some(parent) => tree.tributaries[parent as usize].push(k),
            None => mains.push(k),
        }
    }
    let mut text = String::new();
    tree.write(&mains, &mut text);
    out.write(text.as_bytes())?;
    out.write(b"}\n")
}

/// Rivers with their tributaries.
struct Tree<'c> {
    rivers: &'c [Feature],
    /// The cells of each.
    cells: Vec<Vec<(usize, usize)>>,
    tributaries: Vec<Vec<usize>>,
}

impl Tree<'_> {
    fn write(&self, list: &[usize], text: &mut String) {
        text.push('[');
        for (n, &k) in list.iter().enumerate() {
            let comma = if n > 0 { "," } else { "" };
            let _ = write!(text, "{comma}\n{{\"id\":\"r{k}\",\"points\":[");
            for (i, &(x, y)) in self.cells[k].iter().enumerate() {
                let comma = if i > 0 { "," } else { "" };
                let _ = write!(text, "{comma}{{\"x\":{x},\"y\":{y}}}");
            }
            let order = self.rivers[k].property("order").cloned().unwrap_or_default();
            let _ = write!(text, "],\"strahler\":{order},\"tributaries\":");
            self.write(&self.tributaries[k], text);
            text.push('}');
        }
        text.push(']');
    }
}

/// Writes a grid as rows of numbers.
fn rows<T: std::fmt::Display + Sync>(out: &mut Sink, grid: &Grid<T>, ctx: &Ctx) -> Result<()> {
    out.write(b"[")?;
    for first in (0..grid.height()).step_by(ROWS) {
        let texts = par::map(ROWS.min(grid.height() - first), ctx, |k| {
            let mut text = String::from(if first + k > 0 { ",\n[" } else { "\n[" });
            for (x, value) in grid.row(first + k).iter().enumerate() {
                let _ = write!(text, "{}{value}", if x > 0 { "," } else { "" });
            }
            text.push(']');
            text
        })?;
        texts.iter().try_for_each(|t| out.write(t.as_bytes()))?;
    }
    out.write(b"]")
}

/// JSON schema of terrain.json.
pub(super) fn schema() -> Value {
    let rows = |about: &str, item: Value| json!({"description": about, "type": "array", "items": {"type": "array", "items": item}});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "TerrainData",
        "type": "object",
        "required": ["height", "flowAccumulation", "moisture", "rivers"],
        "additionalProperties": false,
        "properties": {
            "height": rows("Height of each cell in metres, row after row from the north; negative is water.", json!({"type": "number"})),
            "flowAccumulation": rows("Cells of land that drain through each one, itself included.", json!({"type": "integer", "minimum": 0})),
            "moisture": rows("Moisture of each cell.", json!({"type": "number", "minimum": 0, "maximum": 1})),
            "rivers": {"type": "array", "items": {"$ref": "#/$defs/River"}},
        },
        "$defs": {"River": {
            "type": "object",
            "required": ["id", "points", "strahler", "tributaries"],
            "additionalProperties": false,
            "properties": {
                "id": {"type": "string", "pattern": "^r[0-9]+$"},
                "points": {"description": "Cells from source to mouth, each a neighbour of the one before.", "type": "array", "minItems": 2, "items": {
                    "type": "object", "required": ["x", "y"], "additionalProperties": false,
                    "properties": {"x": {"type": "integer", "minimum": 0}, "y": {"type": "integer", "minimum": 0}},
                }},
                "strahler": {"type": "integer", "minimum": 1},
                "tributaries": {"type": "array", "items": {"$ref": "#/$defs/River"}},
            },
        }},
    })
}
