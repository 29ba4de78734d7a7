//! TIFF and GeoTIFF (TIFF 6.0 of 1992, its BigTIFF and GeoTIFF extensions, and what GDAL adds): tiled or stripped, whole numbers of 1 to
//! 64 bits, floats of 16 to 64 bits, in either order of bytes.

mod chunk;
mod geo;
mod tags;

use super::beside::Beside;
use super::{Decoded, Kind, Numbers, are_shares, grey, too_large};
use crate::error::{Error, Result};
use chunk::Layout;
use tags::Tags;
use weald_core::{Ctx, Grid, par};

/// What to do about a file that cannot be read.
const CONVERT: &str = "save it again, for example with gdal_translate -co COMPRESS=DEFLATE IN.tif OUT.tif";

fn bad(what: impl std::fmt::Display) -> Error {
    Error::Invalid(format!("this TIFF file cannot be read: {what}; {CONVERT}"))
}

/// How the numbers of a pixel become one value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// The first number is the value.
    Value,
    /// Grey whose 0 is white.
    WhiteIsZero,
    /// Red, green and blue, which must be equal.
    Colours,
    /// An index into a table of colours, which must be grey.
    Palette,
}

/// Which numbers of a file are no data: that of the file, and that of the user.
#[derive(Clone, Copy, Default)]
struct Nodata {
    file: Option<f64>,
    user: Option<f32>,
}

impl Nodata {
    /// Whether a number of the file is a height.
    fn has_data(self, v: f64) -> bool {
        let by_file = match self.file {
            Some(n) if n.is_nan() => v.is_nan(),
            // Programs write the lowest float32 with fewer digits than it has.
            Some(n) => v as f32 == n as f32 || (n < -1e37 && v < -1e37),
            None => false,
        };
        !by_file && self.user != Some(v as f32)
    }
}

/// Reads the first picture of a TIFF file. Numbers that are `nodata` have no data, besides those of which the file says so. What it does not
/// say of its place and its heights is that of the files `beside` it.
pub(super) fn read(bytes: &[u8], nodata: Option<f32>, beside: &Beside, ctx: &Ctx) -> Result<Decoded> {
    let tags = Tags::read(bytes)?;
    let layout = Layout::of(&tags)?;
    let meaning = match (tags.number(tags::PHOTOMETRIC)?.unwrap_or(1), layout.samples) {
        (0, _) => Meaning::WhiteIsZero,
        (1, _) => Meaning::Value,
        (2, 3..) => Meaning::Colours,
        (3, 1..) => Meaning::Palette,
        (6, _) => return Err(bad("its colours are YCbCr, as in photographs")),
        (other, _) => {
            return Err(bad(format!("its photometric interpretation {other} is not one of heights")));
        }
    };
    let (width, height) = layout.size;
    too_large((width as u64, height as u64), 12)?;
    let geo = geo::read(&tags, beside)?;
    let own_nodata = geo::nodata(&tags);
    let nodata = Nodata { file: own_nodata.or(beside.pam.nodata), user: nodata };
    // Unsigned numbers of a picture without a place are grey; those of an elevation model are metres.
    let (scale, scaled_beside) = geo::scale(&tags, geo.height_m, &beside.pam)?;
    let picture = layout.sample.is_unsigned() && layout.bits <= 16 && geo.place.is_none() && scale.is_none();
    let meaning = match meaning {
        Meaning::WhiteIsZero if !picture => Meaning::Value,
        other => other,
    };
    let mut cells = pixels(&layout, &tags, meaning, nodata, ctx)?;
    if let Some(mask) = mask(&tags, layout.size)? {
        let shown = pixels(&Layout::of(&mask)?, &mask, Meaning::Value, Nodata::default(), ctx)?;
        cells.iter_mut().zip(shown).filter(|(_, shown)| *shown == 0.0).for_each(|(v, _)| *v = f32::NAN);
    }
    let mut map = Grid::from_vec(width, height, cells);
    // Of floats, which programs write of anything, a place without a name does not say that they are metres if they can be shares.
    let named = geo.place.is_some_and(|place| place.epsg.is_some());
    let says_metres = !layout.sample.is_float() || scale.unit_m.is_some() || named;
    let numbers = match (meaning, picture) {
        (Meaning::Colours | Meaning::Palette | Meaning::WhiteIsZero, _) | (_, true) => Numbers::Grey,
        _ if says_metres || (geo.place.is_some() && !are_shares(&map)) => Numbers::Metres,
        _ => Numbers::Plain,
    };
    // Some programs write colours of 8 bits times 256, so that white is not the largest number.
    let white = match (meaning, tags.numbers(tags::COLOR_MAP)) {
        (Meaning::Palette, Ok(table)) if table.iter().all(|v| v % 256 == 0) => 65280.0,
        (Meaning::Palette, _) => 65535.0,
        _ => layout.sample.most(layout.bits),
    };
    if meaning == Meaning::WhiteIsZero {
        map.cells_mut().iter_mut().for_each(|v| *v = (white - f64::from(*v)) as f32);
    }
    let mut notes = geo.notes;
    let nodata_beside = own_nodata.is_none() && beside.pam.nodata.is_some();
    notes.extend(beside.pam.note(&[(nodata_beside, "nodata"), (scaled_beside, "scale of heights")]));
    if numbers != Numbers::Grey {
        scale.apply(&mut map, &mut notes);
    }
    if geo.south_first {
        map = Grid::from_fn(width, height, |x, y| map[(x, height - 1 - y)]);
    }
    let name = if geo.place.is_some() { "GeoTIFF" } else { "TIFF" };
    let bands = layout.samples - usize::from(layout.alpha);
    if meaning == Meaning::Value && bands > 1 {
        notes.push(format!("the first of {bands} bands"));
    }
    let kind = Kind { format: name, cells: layout.sample.name(layout.bits), packing: layout.packing() };
    Ok(Decoded { map, white, kind, numbers, place: geo.place, notes })
}

/// The tags of the picture of that size behind the first one that says which of its pixels count, if there is one.
fn mask<'a>(tags: &Tags<'a>, size: (usize, usize)) -> Result<Option<Tags<'a>>> {
    /// So many pictures are looked at: a map, its overviews, and the masks of all of them.
    const MOST: usize = 64;
    // What follows may be damaged: the map does not need it.
    let mut next = tags.following();
    for _ in 0..MOST {
        let Some(tags) = next else { return Ok(None) };
        let is_mask = tags.number(tags::SUBFILE)?.is_some_and(|kind| kind & 4 != 0);
        let side = |tag| Ok::<_, Error>(tags.number(tag)?.map(|n| n as usize));
        if is_mask && (side(tags::WIDTH)?, side(tags::HEIGHT)?) == (Some(size.0), Some(size.1)) {
            return Ok(Some(tags));
        }
        next = tags.following();
    }
    Ok(None)
}

/// All pixels, row after row; those without data are NaN.
fn pixels(layout: &Layout, tags: &Tags, meaning: Meaning, nodata: Nodata, ctx: &Ctx) -> Result<Vec<f32>> {
    /// About how many pixels are unpacked at a time.
    const AT_ONCE: usize = 1 << 23;
    let palette = (meaning == Meaning::Palette).then(|| tags.numbers(tags::COLOR_MAP)).transpose()?;
    let (width, height) = layout.size;
    let mut cells = vec![0f32; width * height];
    let (across, down) = layout.chunks();
    let batch = (AT_ONCE / layout.chunk.0.saturating_mul(layout.chunk.1).max(1)).clamp(1, across * down);
    let mut first = 0;
    while first < across * down {
        let count = batch.min(across * down - first);
        let unpacked = par::map_with(
            count,
            ctx,
            || (),
            |(), i| -> Result<Vec<f32>> {
                let index = first + i;
                let values = layout.unpack(tags, 0, index)?;
                let part = layout.part(index);
                let mut cells =
                    values_of(values.as_deref(), (layout, part), meaning, palette.as_deref(), nodata)?;
                if layout.alpha && layout.stored == 1 {
                    let alpha = layout.unpack(tags, layout.samples - 1, index)?;
                    transparent(alpha.as_deref(), (layout, part), &mut cells);
                }
                Ok(cells)
            },
        )?;
        for (i, part) in unpacked.into_iter().enumerate() {
            let (part, (x0, y0, w, h)) = (part?, layout.part(first + i));
            for y in 0..h {
                let at = (y0 + y) * width + x0;
                cells[at..at + w].copy_from_slice(&part[y * w..(y + 1) * w]);
            }
        }
        first += count;
    }
    Ok(cells)
}

/// The values of the pixels of a strip or tile that lie in the picture; `raw` is none where the file has left it out.
fn values_of(
    raw: Option<&[u8]>,
    (layout, (x0, y0, w, h)): (&Layout, (usize, usize, usize, usize)),
    meaning: Meaning,
    palette: Option<&[u64]>,
    nodata: Nodata,
) -> Result<Vec<f32>> {
    let Some(raw) = raw else {
        let empty = nodata.file.is_some() || nodata.user == Some(0.0);
        return Ok(vec![if empty { f32::NAN } else { 0.0 }; w * h]);
    };
    let mut out = Vec::with_capacity(w * h);
    let alpha = (layout.alpha && layout.stored > 1).then(|| layout.stored - 1);
    for y in 0..h {
        let row = &raw[y * layout.row_bytes()..(y + 1) * layout.row_bytes()];
        for x in 0..w {
            let value = |k: usize| layout.sample.value(row, x * layout.stored + k, layout.bits);
            let colours = if meaning == Meaning::Colours { 3 } else { 1 };
            let empty = (0..colours).all(|k| !nodata.has_data(value(k)));
            if empty || alpha.is_some_and(|k| value(k) == 0.0) {
                out.push(f32::NAN);
                continue;
            }
            let v = match meaning {
                Meaning::Value | Meaning::WhiteIsZero => value(0),
                Meaning::Colours => grey([value(0), value(1), value(2)], layout.sample.most(layout.bits))
                    .ok_or_else(|| super::coloured((x0 + x, y0 + y)))?,
                Meaning::Palette => {
                    let table = palette.unwrap_or_default();
                    let (index, third) = (value(0) as usize, table.len() / 3);
                    if index >= third {
                        let (x, y) = (x0 + x, y0 + y);
                        return Err(bad(format!(
                            "it has no colour {index}, which the pixel at x={x}, y={y} has"
                        )));
                    }
                    let colour = [0, 1, 2].map(|k| table[k * third + index] as f64);
                    grey(colour, 65535.0).ok_or_else(|| super::coloured((x0 + x, y0 + y)))?
                }
            };
            out.push(v as f32);
        }
    }
    Ok(out)
}

/// Takes away the data of the cells of a strip or tile that are wholly transparent, where opacity is a band apart.
fn transparent(
    alpha: Option<&[u8]>,
    (layout, (_, _, w, h)): (&Layout, (usize, usize, usize, usize)),
    cells: &mut [f32],
) {
    for y in 0..h {
        let row = alpha.map(|raw| &raw[y * layout.row_bytes()..(y + 1) * layout.row_bytes()]);
        for x in 0..w {
            if row.is_none_or(|row| layout.sample.value(row, x, layout.bits) == 0.0) {
                cells[y * w + x] = f32::NAN;
            }
        }
    }
}
