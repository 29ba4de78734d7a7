//! Landscapes for Unreal Engine: a heightmap and a weightmap for each class.
//!
//! A landscape has one of the sizes that Epic recommends and its samples at vertices; the value 32768 is the height 0 of the landscape, and at Z scale 100
//! the values span 512 m (<https://dev.epicgames.com/documentation/en-us/unreal-engine/landscape-technical-guide-in-unreal-engine>). So
//! a value is (h − z) · 12800 / s + 32768 for a height h in metres, the Z scale s and the location z of the landscape, which is the
//! middle of the heights: the full range of values serves the land, and with that location the sea is at Z = 0.

use super::cover::{Cover, taps};
use super::png::write_grey16;
use super::quantise::{Outside, Range, quantise};
use super::sidecar::{Registration, Sidecar};
use super::target::{Delivered, Form, Needs, Source, Target, TargetOption};
use super::terrain::{clipped_note, higher, range, resampled_note, short, side, spacing, span_m};
use crate::error::Result;
use crate::sink::Sink;
use serde_json::json;
use std::path::{Path, PathBuf};
use weald_core::Ctx;
use weald_core::resample::at_vertices;

/// The target `unreal`.
pub static TARGET: Target = Target {
    name: "unreal",
    about: "a landscape heightmap of a recommended size, and a weightmap for each class of the cover",
    files: "NAME.png, NAME_weight_CLASS.png",
    readers: "Unreal Engine",
    needs: Needs::Ground,
    takes: &[TargetOption::Samples, TargetOption::HeightScale, TargetOption::Clip],
    validate: Some(|o| side(SIZES, 0, o.samples, "Unreal Engine").map(drop)),
    form: Form::Folder(export),
};

/// Samples along a side of the landscapes that Epic recommends.
const SIZES: &[usize] = &[127, 253, 505, 1009, 2017, 4033, 8129];

/// Values to a metre at Z scale 1.
const VALUES_PER_M: f64 = 12_800.0;
/// The value at the location, and the number of values above it; there is one more below it.
const ZERO: f64 = 32_768.0;
const ABOVE: f64 = 32_767.0;

/// How a landscape lies above the ground of its level.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Landscape {
    z_scale: f64,
    /// Metres above the sea of the value 32768.
    middle_m: f64,
}

impl Landscape {
    /// The least scale with two decimals that holds a range around its middle, which is rounded to centimetres. Both are printed as they are.
    fn of(range: Range) -> Self {
        let middle_m = ((range.low_m + range.high_m) * 50.0).round() / 100.0;
        let quantum = ((middle_m - range.low_m) / ZERO).max((range.high_m - middle_m) / ABOVE);
        // A millionth more makes up for the rounding of these sums.
        let z_scale = (quantum * VALUES_PER_M * 100.0 + 1e-6).ceil() / 100.0;
        Self { z_scale, middle_m }
    }

    /// The heights of the values 0 and 65 535.
    fn range(self) -> Range {
        let quantum = self.z_scale / VALUES_PER_M;
        Range { low_m: self.middle_m - ZERO * quantum, high_m: self.middle_m + ABOVE * quantum }
    }
}

fn export(source: &Source, dir: &Path, ctx: &Ctx) -> Result<Delivered> {
    let heights = source.heights(ctx)?;
    let span = span_m(&heights)?;
    let cells = heights.height.shape();
    let side = side(SIZES, cells.0.max(cells.1), source.options.samples, "Unreal Engine")?;
    let landscape = Landscape::of(range(source, &heights, ctx)?);
    let range = landscape.range();
    let height = at_vertices(&heights.height, (side, side), &ctx.quiet())?;
    let (values, clipped) = quantise(&height, range, Outside::of(source.options.clip), &higher, ctx)?;
    let name = format!("{}.png", source.stem);
    let mut out = Sink::open(dir.join(&name))?;
    out.with(|out| write_grey16(out, &values))?;
    out.finish()?;
    let mut files = vec![(name, "heights, 16 bits".to_owned())];

    let cover = Cover::of(source, ctx)?;
    let maps: Vec<(PathBuf, Vec<Option<usize>>)> = cover
        .classes
        .iter()
        .enumerate()
        .map(|(i, class)| (dir.join(weight_name(source.stem, &class.name)), vec![Some(i)]))
        .collect();
    let columns = taps(cells.0, side, Registration::Vertex);
    let rows = taps(cells.1, side, Registration::Vertex);
    cover.write_pngs(&maps, &columns, &rows, ctx)?;
    files.extend(cover.classes.iter().map(|class| {
        (
            weight_name(source.stem, &class.name),
            format!("weights of {}, 255 in sum over all classes", class.name),
        )
    }));

    let (east_cm, south_cm) = (span.0 * 100.0 / (side - 1) as f64, span.1 * 100.0 / (side - 1) as f64);
    let mut numbers = vec![
        format!("Import from File: {}.png, {side} x {side}", source.stem),
        format!("Scale X {}, Y {}, Z {}", short(east_cm, 6), short(south_cm, 6), short(landscape.z_scale, 2)),
        format!("Location Z {}, so that the sea is at Z = 0", short(landscape.middle_m * 100.0, 0)),
        "weightmaps belong to weight-blended layers of the landscape's material".to_owned(),
    ];
    numbers.push(spacing((east_cm / 100.0, south_cm / 100.0)));
    numbers.extend(resampled_note(cells, (side, side)));
    numbers.extend(clipped_note(clipped, range));
    numbers.extend(source.note());
    let more = json!({
        "scale_x_cm": east_cm, "scale_y_cm": south_cm, "z_scale": landscape.z_scale,
        "location_z_cm": (landscape.middle_m * 100.0).round(), "zero_value": ZERO as u16,
        "weightmaps": cover.classes.iter().map(|c| json!({
            "file": weight_name(source.stem, &c.name), "class": c.name, "value": c.value, "colour": c.colour,
        })).collect::<Vec<_>>(),
    });
    let sidecar = Sidecar {
        files: vec![format!("{}.png", source.stem)],
        size: Some((side, side)),
        registration: Registration::Vertex,
        metres_per_pixel: Some(east_cm / 100.0),
        metres_per_pixel_y: Some(south_cm / 100.0),
        range_m: Some((range.low_m, range.high_m)),
        more: more.as_object().cloned().unwrap_or_default(),
        ..Sidecar::default()
    };
    Ok(Delivered { files, numbers, sidecar })
}

/// The name of a weightmap. The importer takes `x` or `y` and digits after an underscore for the place of a tile, so such a class
/// loses the underscore.
fn weight_name(stem: &str, class: &str) -> String {
    let mut name = format!("{stem}_weight_");
    let mut before = '_';
    for c in class.chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        let tile = before.eq_ignore_ascii_case(&'x') || before.eq_ignore_ascii_case(&'y');
        if tile && c.is_ascii_digit() {
            name.push('-');
        }
        name.push(c);
        before = c;
    }
    name + ".png"
}

#[cfg(test)]
mod tests {
    use super::*;
    use weald_core::{Grid, math};

    #[test]
    fn the_scale_is_that_of_the_range_and_the_value_32768_is_the_location() {
        let landscape = Landscape::of(Range { low_m: -100.0, high_m: 900.0 });
        assert_eq!(landscape.middle_m, 400.0);
        assert!((landscape.z_scale - 195.3125).abs() < 0.02, "{}", landscape.z_scale);
        let range = landscape.range();
        assert!(range.low_m <= -100.0 && range.high_m >= 900.0 && range.span_m() < 1000.1, "{range:?}");
        let at = range.low_m + 32_768.0 * range.quantum_m();
        assert!((at - 400.0).abs() < 1e-9, "{at}");
    }

    #[test]
    fn a_range_fits_whatever_its_middle_rounds_to() {
        for k in 0..4000 {
            let low_m = f64::from(k) * 0.0137 - 5.0;
            // Spans from a millimetre to 22 km.
            let span_m = 0.001 * math::exp(f64::from(k % 170) * 0.1);
            let wanted = Range { low_m, high_m: low_m + span_m };
            let landscape = Landscape::of(wanted);
            let range = landscape.range();
            assert!(range.low_m <= wanted.low_m && range.high_m >= wanted.high_m, "{wanted:?} {range:?}");
            let most = span_m * 65_536.0 / 65_534.0 + 0.011 + 0.01 * 65_535.0 / VALUES_PER_M;
            assert!(range.span_m() <= most, "{wanted:?} {range:?}");
        }
    }

    #[test]
    fn heights_come_back_from_the_printed_numbers_within_half_a_quantum() {
        for (low, high) in [
            (-10_935.0, 8_849.0),
            (0.0, 0.001),
            (-0.004, 0.0),
            (8_000.125, 8_001.0),
            (-11_000.0, -0.015),
            (0.015, 654.995),
            (-1.0, 1_310.715),
            (0.0, 100_000.0),
        ] {
            let heights =
                Grid::from_fn(64, 64, |x, y| (low + (high - low) * (y * 64 + x) as f64 / 4095.0) as f32);
            let landscape = Landscape::of(Range::of(&heights, &Ctx::default()).unwrap());
            let (values, clipped) =
                quantise(&heights, landscape.range(), Outside::Refuse, &higher, &Ctx::default()).unwrap();
            assert_eq!(clipped, 0, "{low} to {high}");
            let scale: f64 = short(landscape.z_scale, 2).parse().unwrap();
            let location: f64 = short(landscape.middle_m * 100.0, 0).parse().unwrap();
            for (value, height) in values.cells().iter().zip(heights.cells()) {
                let back = location / 100.0 + (f64::from(*value) - 32_768.0) * scale / 12_800.0;
                let off = (back - f64::from(*height)).abs();
                assert!(off <= scale / 25_600.0 + 1e-9, "{low} to {high}: {height} came back as {back}");
            }
        }
    }

    #[test]
    fn names_do_not_look_like_tiles() {
        assert_eq!(weight_name("island", "bare rock"), "island_weight_bare_rock.png");
        assert_eq!(weight_name("island", "x12"), "island_weight_x-12.png");
        assert_eq!(weight_name("island", "hedge_y1"), "island_weight_hedge_y-1.png");
    }
}
