//! How a network scales: Horton's ratios, Hack's law, and how slope falls with the area that drains.

use super::Value;
use super::network::{Network, Stream};
use weald_core::stats::{Straight, least_squares};
use weald_core::{Grid, math};

/// Bins of the slope-area relation.
const BINS: usize = 12;
/// Fewer channel cells than this in a bin say nothing.
const LEAST_IN_BIN: usize = 5;
/// Longest paths of at most this many cells are left out of Hack's law.
const SHORT: f64 = 10.0;
/// Fewer channel cells than this do not make a line.
const LEAST_POINTS: usize = 20;

/// A law y = k · x^exponent, and the points through which it was fitted.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Law {
    /// The points (x, y).
    pub points: Vec<(f64, f64)>,
    /// Natural logarithm of k, and the exponent; `None` if there are too few points.
    pub fit: Option<Straight>,
}

/// Horton's ratios of number and of mean length: the geometric mean of N(ω)/N(ω + 1) and of L(ω + 1)/L(ω) over neighbouring
/// orders that have at least two streams each (Horton 1945, doi:10.1130/0016-7606(1945)56\[275:EDOSAT\]2.0.CO;2).
pub(super) fn horton(streams: &[Stream]) -> (Value, Value) {
    let many: Vec<&Stream> = streams.iter().take_while(|s| s.count >= 2).collect();
    let [first, .., last] = many[..] else {
        let few = "fewer than two orders have two streams";
        return (Err(few), Err(few));
    };
    // The product of the ratios of neighbours is the ratio of the ends.
    let mean = |ratio: f64| math::pow(ratio, 1.0 / (many.len() - 1) as f64);
    let length = |s: &Stream| s.length / f64::from(s.count);
    (Ok(mean(f64::from(first.count) / f64::from(last.count))), Ok(mean(length(last) / length(first))))
}

/// Hack's law, longest path = k · accumulation^h, on channel cells with a longest path above 10 cells, by least squares over the
/// logarithms (Hack 1957, doi:10.3133/pp294B).
pub(super) fn hack(network: &Network) -> (Value, Law) {
    let longest = network.longest_paths();
    let channels = (0..longest.len()).filter(|&cell| network.is_channel(cell) && longest[cell] > SHORT);
    let points: Vec<(f64, f64)> =
        channels.map(|cell| (f64::from(network.accumulation.cells()[cell]), longest[cell])).collect();
    let law = Law { fit: fit(&points, LEAST_POINTS), points };
    (law.fit.map(|f| f.slope).ok_or("there are fewer than 20 channel cells, or all have one area"), law)
}

/// The slope-area relation, slope = k · accumulation^−θ (Flint 1974, doi:10.1029/WR010i005p00969). Channel cells whose receiver
/// lies lower on the map as it is, before depressions are filled; the slope is the drop over `cell_m`, also along a
/// diagonal. Twelve bins of equal numbers of cells, by accumulation; a bin gives its mean slope at the mean of its logarithms of
/// accumulation.
pub(super) fn slope_area(height: &Grid<f32>, network: &Network, cell_m: f64) -> (Value, Law) {
    let mut reaches: Vec<(u32, u32, f64)> = Vec::new();
    for cell in (0..height.len()).filter(|&cell| network.is_channel(cell)) {
        let Some(to) = network.receiver(cell) else { continue };
        let drop = f64::from(height.cells()[cell]) - f64::from(height.cells()[to]);
        if drop > 0.0 {
            reaches.push((network.accumulation.cells()[cell], cell as u32, drop / cell_m));
        }
    }
    if reaches.len() < BINS * LEAST_IN_BIN {
        return (Err("fewer than 60 channel cells fall towards their receiver"), Law::default());
    }
    reaches.sort_by_key(|&(area, cell, _)| (area, cell));
    let bin = |k: usize| {
        let bin = &reaches[k * reaches.len() / BINS..(k + 1) * reaches.len() / BINS];
        let n = bin.len() as f64;
        let area = bin.iter().map(|r| math::ln(f64::from(r.0))).sum::<f64>() / n;
        (math::exp(area), bin.iter().map(|r| r.2).sum::<f64>() / n)
    };
    let points: Vec<(f64, f64)> = (0..BINS).map(bin).collect();
    let law = Law { fit: fit(&points, 2), points };
    (law.fit.map(|f| -f.slope).ok_or("all channel cells drain one area"), law)
}

/// The line through the logarithms of the points.
fn fit(points: &[(f64, f64)], least: usize) -> Option<Straight> {
    let logs: Vec<(f64, f64)> = points.iter().map(|p| (math::ln(p.0), math::ln(p.1))).collect();
    if logs.len() < least { None } else { least_squares(&logs) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_those_of_the_orders_with_at_least_two_streams() {
        let of = |count: u32, mean: f64| Stream { count, length: mean * f64::from(count) };
        let (number, length) = horton(&[of(64, 10.0), of(16, 20.0), of(4, 40.0), of(1, 500.0)]);
        assert!((number.unwrap() - 4.0).abs() < 1e-12 && (length.unwrap() - 2.0).abs() < 1e-12);
        assert!(horton(&[of(8, 10.0), of(1, 20.0)]).0.is_err());
    }

    #[test]
    fn points_on_a_power_law_give_its_exponent() {
        let points: Vec<(f64, f64)> =
            (1..50).map(|i| (f64::from(i), 3.0 * math::pow(f64::from(i), 0.55))).collect();
        let line = fit(&points, 20).unwrap();
        assert!((line.slope - 0.55).abs() < 1e-12 && (math::exp(line.intercept) - 3.0).abs() < 1e-9);
        assert_eq!(fit(&points[..19], 20), None);
    }
}
