//! What the targets of game engines share: sizes, extents and ranges of heights.

use super::quantise::Range;
use super::target::{Heights, Source};
use crate::error::{Error, Result};
use weald_core::Ctx;

/// Metres between the centres of the outermost cells, from west to east and from north to south: what samples at vertices span.
pub(super) fn span_m(heights: &Heights) -> Result<(f64, f64)> {
    let (columns, rows) = heights.height.shape();
    if columns < 2 || rows < 2 {
        return Err(Error::Shape(format!(
            "terrain needs at least 2x2 cells, not {columns}x{rows}; make a larger map"
        )));
    }
    Ok(((columns - 1) as f64 * heights.cell_m, (rows - 1) as f64 * heights.cell_m))
}

/// The number of samples along a side: the one that was asked for, or the least of `sizes` that has all `cells`, or the largest one.
/// `sizes` go up. Fails if a size is asked for that `program` does not take.
pub(super) fn side(sizes: &[usize], cells: usize, asked: Option<usize>, program: &str) -> Result<usize> {
    match asked {
        Some(samples) if sizes.contains(&samples) => Ok(samples),
        Some(samples) => {
            let known: Vec<String> = sizes.iter().map(ToString::to_string).collect();
            let message = format!(
                "--samples {samples}: {program} takes {} samples along a side; use one of these, or leave the option out",
                known.join(", ")
            );
            Err(Error::Invalid(message))
        }
        None => Ok(sizes.iter().copied().find(|&s| s >= cells).unwrap_or(sizes[sizes.len() - 1])),
    }
}

/// The range of the values 0 to 65 535: from the lowest to the highest height, or as high as `--height-scale` says.
pub(super) fn range(source: &Source, heights: &Heights, ctx: &Ctx) -> Result<Range> {
    let own = Range::of(&heights.height, ctx)?;
    Ok(match source.options.height_scale_m {
        Some(scale) => Range { high_m: own.low_m + scale, ..own },
        None => own,
    })
}

/// The height scale to use for heights that do not fit.
pub(super) fn higher(needed: Range) -> String {
    format!("use --height-scale {} or leave the option out", needed.span_m().ceil())
}

/// How the number of samples differs from that of the cells, in a sentence; none if it does not.
pub(super) fn resampled_note(cells: (usize, usize), samples: (usize, usize)) -> Option<String> {
    (cells != samples).then(|| {
        format!(
            "{}x{} cells are resampled to {}x{} samples, which cover the same ground",
            cells.0, cells.1, samples.0, samples.1
        )
    })
}

/// How far apart neighbouring samples are, from west to east and from north to south, in a sentence.
pub(super) fn spacing((x, y): (f64, f64)) -> String {
    match (short(x, 6), short(y, 6)) {
        (x, y) if x == y => format!("neighbouring samples are {x} m apart"),
        (x, y) => {
            format!("neighbouring samples are {x} m apart from west to east and {y} m from north to south")
        }
    }
}

/// Metres of a unit in a program that has limits: the least power of ten that brings each of some lengths in metres down to its limit in units.
pub(super) fn unit_m(lengths: &[(f64, f64)]) -> f64 {
    let mut unit = 1.0;
    while lengths.iter().any(|(metres, limit)| metres / unit > *limit) {
        unit *= 10.0;
    }
    unit
}

/// How many samples were clipped, in a sentence; none if none was.
pub(super) fn clipped_note(clipped: usize, range: Range) -> Option<String> {
    (clipped > 0).then(|| format!("{clipped} samples above {} m were clipped", short(range.high_m, 4)))
}

/// A number for people, with at most `decimals` digits after the point and no zeros at the end.
pub(super) fn short(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_the_least_that_has_all_cells_or_the_one_asked_for() {
        let sizes = [33, 65, 129];
        assert_eq!(side(&sizes, 2, None, "X").unwrap(), 33);
        assert_eq!(side(&sizes, 65, None, "X").unwrap(), 65);
        assert_eq!(side(&sizes, 66, None, "X").unwrap(), 129);
        assert_eq!(side(&sizes, 5000, None, "X").unwrap(), 129);
        assert_eq!(side(&sizes, 5000, Some(33), "X").unwrap(), 33);
        let message = side(&sizes, 50, Some(64), "X").unwrap_err().to_string();
        assert!(message.starts_with("--samples 64: X takes 33, 65, 129 samples"), "{message}");
    }

    #[test]
    fn a_unit_is_a_metre_or_the_power_of_ten_that_fits() {
        assert_eq!(unit_m(&[(100.0, 100.0), (5.0, 10.0)]), 1.0);
        assert_eq!(unit_m(&[(101.0, 100.0)]), 10.0);
        assert_eq!(unit_m(&[(90.0, 100.0), (25_000.0, 100.0)]), 1000.0);
    }

    #[test]
    fn the_spacing_of_samples_is_told_of_both_directions_where_they_differ() {
        assert_eq!(spacing((2.5, 2.5)), "neighbouring samples are 2.5 m apart");
        let wide = "neighbouring samples are 2.5 m apart from west to east and 1.25 m from north to south";
        assert_eq!(spacing((2.5, 1.25)), wide);
    }

    #[test]
    fn numbers_for_people_have_no_zeros_at_the_end() {
        assert_eq!(short(1200.0, 3), "1200");
        assert_eq!(short(0.5, 3), "0.5");
        assert_eq!(short(-0.0004, 3), "0");
        assert_eq!(short(97.656_26, 4), "97.6563");
    }
}
