//! terrain.json: the document's `TerrainData` and `River`.

use super::Island;
use crate::error::Result;
use crate::export::Sink;
use serde_json::{Value, json};
use std::fmt::Write as _;
use weald_core::{Ctx, Grid, par};

/// Rows that are put into words at once.
const ROWS: usize = 64;

impl Island {
    /// Writes heights, flow, moisture and rivers as the document names them.
    pub(super) fn write_terrain(&self, out: &mut Sink, ctx: &Ctx) -> Result<()> {
        out.write(b"{\"height\":")?;
        rows(out, &self.water.height, ctx)?;
        out.write(b",\"flowAccumulation\":")?;
        rows(out, &self.water.accumulation, ctx)?;
        out.write(b",\"moisture\":")?;
        rows(out, &self.moisture, ctx)?;
        out.write(b",\"rivers\":")?;
        let mut tributaries: Vec<Vec<usize>> = vec![Vec::new(); self.rivers.len()];
        for (k, river) in self.rivers.iter().enumerate() {
            if let Some(parent) = river.parent {
                tributaries[parent].push(k);
            }
        }
        let mains: Vec<usize> = (0..self.rivers.len()).filter(|&k| self.rivers[k].parent.is_none()).collect();
        let mut text = String::new();
        self.rivers_text(&mains, &tributaries, &mut text);
        out.write(text.as_bytes())?;
        out.write(b"}\n")
    }

    fn rivers_text(&self, list: &[usize], tributaries: &[Vec<usize>], text: &mut String) {
        let w = self.frame.width as u32;
        text.push('[');
        for (n, &k) in list.iter().enumerate() {
            let comma = if n > 0 { "," } else { "" };
            let _ = write!(text, "{comma}\n{{\"id\":\"r{k}\",\"points\":[");
            for (i, &cell) in self.rivers[k].cells.iter().enumerate() {
                let comma = if i > 0 { "," } else { "" };
                let _ = write!(text, "{comma}{{\"x\":{},\"y\":{}}}", cell % w, cell / w);
            }
            let _ = write!(text, "],\"strahler\":{},\"tributaries\":", self.orders[k].strahler);
            self.rivers_text(&tributaries[k], tributaries, text);
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
