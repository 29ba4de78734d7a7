//! terrain.json: the document's `TerrainData` and `River`.

use crate::catalogue::{Catalogue, Feature};
use crate::error::Result;
use crate::sink::Sink;
use serde_json::{Value, json};
use std::fmt::Write as _;
use weald_core::{Ctx, Grid, par};

/// Rows that are formatted together: of a large map enough to be worth a task of their own, and few enough to stay in a cache.
const ROWS: usize = 16;

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
            let mut number = itoa::Buffer::new();
            for (i, &(x, y)) in self.cells[k].iter().enumerate() {
                text.push_str(if i > 0 { ",{\"x\":" } else { "{\"x\":" });
                text.push_str(number.format(x));
                text.push_str(",\"y\":");
                text.push_str(number.format(y));
                text.push('}');
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
fn rows<T: Number>(out: &mut Sink, grid: &Grid<T>, ctx: &Ctx) -> Result<()> {
    out.write(b"[")?;
    let format = |part: usize| {
        let rows = part * ROWS..((part + 1) * ROWS).min(grid.height());
        let mut text = Vec::with_capacity(rows.len() * (grid.width() * T::ROOM + 3));
        for y in rows {
            text.extend_from_slice(if y > 0 { b",\n[" } else { b"\n[" });
            for value in grid.row(y) {
                value.write(&mut text);
                text.push(b',');
            }
            // The comma after the last one.
            text.pop_if(|_| grid.width() > 0);
            text.push(b']');
        }
        text
    };
    par::in_order(grid.height().div_ceil(ROWS), ctx, format, |_, text| out.write(&text))??;
    out.write(b"]")
}

/// A number that can be written fast, as `Display` writes it.
trait Number: Copy + Sync {
    /// Bytes that most need, with a comma.
    const ROOM: usize;

    fn write(self, text: &mut Vec<u8>);
}

impl Number for u32 {
    const ROOM: usize = 4;

    #[inline(always)]
    fn write(self, text: &mut Vec<u8>) {
        match self {
            0..10 => text.push(b'0' + self as u8),
            _ => text.extend_from_slice(itoa::Buffer::new().format(self).as_bytes()),
        }
    }
}

impl Number for f32 {
    const ROOM: usize = 12;

    #[inline(always)]
    fn write(self, text: &mut Vec<u8>) {
        /// Below, the shortest form might be one with an exponent.
        const LEAST: f32 = 1e-5;
        /// From here on, floats are whole numbers.
        const WHOLE: f32 = 16_777_216.0;
        if self.to_bits() == 0 {
            text.push(b'0');
        } else if self.abs() >= LEAST && self.abs() < WHOLE {
            if self as i32 as f32 == self {
                text.extend_from_slice(itoa::Buffer::new().format(self as i32).as_bytes());
                return;
            }
            let mut buffer = zmij::Buffer::new();
            let short = buffer.format_finite(self);
            if is_tie(self, short) {
                text.extend_from_slice(self.to_string().as_bytes());
            } else {
                push_short(text, short.as_bytes());
            }
        } else {
            text.extend_from_slice(self.to_string().as_bytes());
        }
    }
}

/// Whether `value` lies in the middle between two shortest forms, of which `Display` chooses the one that is farther from zero
/// and `short` may be the other. In full, a value with k binary places has k decimal places, the last of them a 5; it lies
/// in the middle if the shortest form has one place fewer.
#[inline(always)]
fn is_tie(value: f32, short: &str) -> bool {
    /// No shortest form of nine digits from 1e-5 on has more places.
    const PLACES: u32 = 13;
    let bits = value.to_bits();
    let exponent = bits >> 23 & 0xff;
    let places = 150 - exponent - (bits | 1 << 23).trailing_zeros();
    places <= PLACES + 1 && short.len() - short.find('.').unwrap_or(0) == places as usize
}

/// Appends at most 16 bytes without a call: eight from the front and eight from the back, which may overlap.
#[inline(always)]
fn push_short(text: &mut Vec<u8>, bytes: &[u8]) {
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(front), Some(back)) if bytes.len() <= 16 => {
            let end = text.len() + bytes.len();
            text.extend_from_slice(&[0; 16]);
            text[end - bytes.len()..][..8].copy_from_slice(front);
            text[end - 8..][..8].copy_from_slice(back);
            text.truncate(end);
        }
        _ => text.extend_from_slice(bytes),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(value: impl Number) -> String {
        let mut text = b"before".to_vec();
        value.write(&mut text);
        String::from_utf8(text).unwrap()[6..].to_owned()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn numbers_are_written_as_display_writes_them(
            bits: u32, near in -20_000.0f32..20_000.0, share in 0.0f32..1.0, whole in -20_000_000i32..20_000_000,
        ) {
            for value in [f32::from_bits(bits), near, share, share * 1e-4, whole as f32, whole as f32 / 8.0] {
                if value.is_finite() {
                    prop_assert_eq!(written(value), value.to_string());
                }
            }
            for value in [bits, bits % 1000, bits % 12] {
                prop_assert_eq!(written(value), value.to_string());
            }
        }
    }

    #[test]
    fn special_numbers_are_written_as_display_writes_them() {
        let near_one = [1e-5f32, 1e-5f32.next_down(), 1.0f32.next_down(), 1.0, 1.0f32.next_up()];
        let large =
            [16_777_215.0, 16_777_216.0, 16_777_218.0, 2_097_152.2, 2_097_151.9, 1e16, 1e17, f32::MAX];
        let small = [0.0, -0.0, f32::MIN_POSITIVE, f32::from_bits(1), 9.999_999e-6, 0.1, 0.3];
        for value in near_one.into_iter().chain(large).chain(small) {
            assert_eq!(written(value), value.to_string());
            assert_eq!(written(-value), (-value).to_string());
        }
    }

    #[test]
    fn rows_equal_those_written_plainly_for_any_number_of_threads() {
        for shape in [(1, 1), (3, 1), (1, 40), (37, 100)] {
            let grid = Grid::from_fn(shape.0, shape.1, |x, y| (x as f32 - 7.0) * 1.37 + (y / 20) as f32);
            let lines: Vec<String> = (0..shape.1)
                .map(|y| {
                    format!("\n[{}]", grid.row(y).iter().map(f32::to_string).collect::<Vec<_>>().join(","))
                })
                .collect();
            for threads in [1, 2, 7] {
                let mut text = Vec::new();
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| rows(&mut Sink::new("terrain.json", &mut text), &grid, &Ctx::default()))
                    .unwrap();
                assert_eq!(String::from_utf8(text).unwrap(), format!("[{}]", lines.join(",")));
            }
        }
    }
}
