//! Heights as nothing but 16-bit whole numbers: `.r16`, which engines and terrain editors read.
//!
//! Two bytes a sample, the lower one first; rows from the north, samples at the centres of cells. The file says neither its size nor what
//! its numbers mean: the sidecar does.

use super::quantise::{Outside, Range, quantise};
use super::sidecar::Sidecar;
use super::target::{Delivered, Form, Needs, Source, Target, TargetOption};
use super::terrain::{clipped_note, short, spacing};
use crate::error::{Error, Result};
use crate::memory;
use crate::sink::Sink;
use std::path::Path;
use weald_core::resample::{Values, resampled};
use weald_core::{Ctx, Grid};

/// The target `r16`.
pub static TARGET: Target = Target {
    name: "r16",
    about: "heights as 16-bit whole numbers, little-endian, north first",
    files: "NAME.r16",
    readers: "World Machine, Gaea, Houdini, Unreal, Terrain3D and other terrain editors",
    needs: Needs::Ground,
    takes: &[TargetOption::Samples, TargetOption::HeightScale, TargetOption::Clip],
    validate: None,
    form: Form::File("r16", export),
};

fn export(source: &Source, path: &Path, ctx: &Ctx) -> Result<Delivered> {
    let heights = source.heights(ctx)?;
    let (columns, rows) = heights.height.shape();
    let size = sides((columns, rows), source.options.samples)?;
    let height = match size == (columns, rows) {
        true => heights.height,
        false => resampled(&heights.height, size, Values::Measure, &ctx.quiet())?,
    };
    let along = |cells: usize, samples: usize| heights.cell_m * cells as f64 / samples as f64;
    let spaces = (along(columns, size.0), along(rows, size.1));
    let full = Range::of(&height, ctx)?;
    let range = match source.options.height_scale_m {
        Some(span) => Range { high_m: full.low_m + span, ..full },
        None => full,
    };
    let remedy = |needed: Range| format!("use --height-scale {} or more", needed.span_m().ceil());
    let (values, clipped) = quantise(&height, range, Outside::of(source.options.clip), &remedy, ctx)?;
    let mut out = Sink::open(path)?;
    write(&mut out, &values, ctx)?;
    out.finish()?;
    let (low, high) = (range.low_m, range.high_m);
    let mut numbers = vec![
        format!("{}x{} samples of 16 bits, little-endian, north first; {}", size.0, size.1, spacing(spaces)),
        format!(
            "0 is {} m and 65535 is {} m above the sea: height {} m, a step is {} m",
            short(low, 4),
            short(high, 4),
            short(high - low, 4),
            short(range.quantum_m(), 6)
        ),
    ];
    if size != (columns, rows) {
        numbers.push(format!("resampled from {columns}x{rows}"));
    }
    numbers.extend(clipped_note(clipped, range));
    numbers.extend(source.note());
    let more = [("bits".into(), 16.into()), ("byte_order".into(), "little endian".into())];
    let sidecar = Sidecar {
        size: Some(size),
        metres_per_pixel: Some(spaces.0),
        metres_per_pixel_y: Some(spaces.1),
        range_m: Some((low, high)),
        more: more.into_iter().collect(),
        ..Sidecar::default()
    };
    Ok(Delivered { files: Vec::new(), numbers, sidecar })
}

/// The most samples along a side that can be asked for.
const MOST: usize = 65_536;

/// Columns and rows with `longer` samples along the longer side and the shape kept.
fn sides((columns, rows): (usize, usize), longer: Option<usize>) -> Result<(usize, usize)> {
    let Some(longer) = longer else { return Ok((columns, rows)) };
    if longer > MOST {
        return Err(Error::Invalid(format!(
            "--samples {longer}: an .r16 file can have at most {MOST} along a side"
        )));
    }
    let shorter = |n: usize, of: usize| ((longer as f64 * n as f64 / of as f64).round() as usize).max(1);
    let size =
        if columns >= rows { (longer, shorter(rows, columns)) } else { (shorter(columns, rows), longer) };
    let what = format!("--samples {longer}: {}x{} samples", size.0, size.1);
    memory::check(12 * size.0 as u64 * size.1 as u64, &what, "give fewer")?;
    Ok(size)
}

/// Writes values row by row, in little-endian order.
pub fn write(out: &mut Sink, values: &Grid<u16>, ctx: &Ctx) -> Result<()> {
    let bands = values.height().div_ceil(BAND);
    super::gltf::write_parts(out, bands, ctx, |k| {
        let rows = k * BAND..((k + 1) * BAND).min(values.height());
        rows.flat_map(|y| values.row(y)).flat_map(|v| v.to_le_bytes()).collect()
    })
}

/// Rows that are turned into bytes at a time.
const BAND: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_is_kept_at_any_number_of_samples() {
        assert_eq!(sides((300, 200), None).unwrap(), (300, 200));
        assert_eq!(sides((300, 200), Some(150)).unwrap(), (150, 100));
        assert_eq!(sides((200, 300), Some(450)).unwrap(), (300, 450));
        assert_eq!(sides((1000, 1), Some(10)).unwrap(), (10, 1));
        assert!(sides((300, 200), Some(5_000_000_000)).unwrap_err().to_string().contains("at most 65536"));
    }

    #[test]
    fn the_lower_byte_comes_first_and_rows_follow_each_other() {
        let values = Grid::from_fn(2, 70, |x, y| (256 * y + x) as u16);
        let mut bytes = Vec::new();
        let mut sink = Sink::new("a.r16", &mut bytes);
        write(&mut sink, &values, &Ctx::default()).unwrap();
        drop(sink);
        assert_eq!(bytes[..8], [0, 0, 1, 0, 0, 1, 1, 1]);
        assert_eq!((bytes.len(), &bytes[276..]), (280, &[0, 69, 1, 69][..]));
    }
}
