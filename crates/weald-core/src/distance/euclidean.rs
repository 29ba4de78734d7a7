//! Exact Euclidean distances and nearest sources.

use crate::Result;
use crate::ctx::Ctx;
use crate::grid::Grid;
use crate::par;

/// Number of columns that are searched together: enough for wide vectors, few enough for a tall strip to stay in the cache.
const STRIP: usize = 64;

/// There is no source in this column.
const NONE: u16 = u16::MAX;

/// The nearest source of every cell, and its distance.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Nearby {
    /// Squared distance in cells²; `u32::MAX` if there are no sources.
    pub squared: Grid<u32>,
    /// Index of the source, the lowest of equally near ones; `u32::MAX` if there are no sources.
    pub source: Grid<u32>,
}

/// Exact squared Euclidean distance dx² + dy² in cells² to the nearest source, and the index of that source.
///
/// First along the columns: for every cell (x, y) the row s of the nearest source in its column, the northern one of two, at
/// g = |y − s|. Then along the rows: the squared distance of (u, y) is the minimum over x of (u − x)² + g(x)², the lower
/// envelope of parabolas (Meijster, Roerdink, Hesselink 2000, doi:10.1007/0-306-47025-X_36). Of the parabolas of columns
/// i < j the first is lower up to u = ⌊(j² − i² + g(j)² − g(i)² − t) / 2(j − i)⌋ and the second from there on. Where they are
/// equal the lower source index decides, which is that of j only if s(j) < s(i): then t = 1, otherwise t = 0. This is the
/// order of (distance, index), as if every parabola were raised by an infinitesimal multiple of its index, so the envelope
/// decides between any number of equally near sources.
///
/// Reach: whole map. Cost: linear; strips of columns in parallel, then rows in parallel, all in integers.
///
/// ```
/// use weald_core::{Ctx, distance};
///
/// let near = distance::euclidean(8, 8, &Ctx::default(), |cell| cell == 0 || cell == 7)?;
/// // Three columns and four rows from the first source.
/// assert_eq!((near.squared[(3, 4)], near.source[(3, 4)]), (25, 0));
/// assert_eq!((near.squared[(4, 4)], near.source[(4, 4)]), (25, 7));
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
///
/// # Panics
/// If a side is longer than 32,767 cells.
#[doc(alias = "distance transform")]
#[doc(alias = "EDT")]
#[doc(alias = "Voronoi")]
#[doc(alias = "proximity")]
pub fn euclidean(
    width: usize,
    height: usize,
    ctx: &Ctx,
    source: impl Fn(usize) -> bool + Sync,
) -> Result<Nearby> {
    assert!(
        width.max(height) <= i16::MAX as usize,
        "{width}x{height} cells are too many for these distances"
    );
    let strips = par::map(width.div_ceil(STRIP), &ctx.quiet(), |strip| {
        let (left, wide) = (strip * STRIP, STRIP.min(width - strip * STRIP));
        par::widest_simd(
            #[inline(always)]
            || columns(wide, height, |x, y| source(y * width + left + x)),
        )
    })?;
    let mut squared = Grid::filled(width, height, 0u32);
    let mut nearest = Grid::filled(width, height, 0u32);
    par::for_rows(
        (squared.rows_mut(), nearest.rows_mut()),
        ctx,
        #[inline(always)]
        |y, (squared, nearest)| {
            let envelope = envelope(width, y, &strips);
            if envelope.is_empty() {
                squared.fill(u32::MAX);
                nearest.fill(u32::MAX);
            }
            let mut end = width;
            for arc in envelope.iter().rev() {
                let run = arc.from as usize..end;
                end = run.start;
                nearest[run.clone()].fill(arc.s as u32 * width as u32 + arc.x as u32);
                for (u, out) in run.clone().zip(&mut squared[run]) {
                    *out = arc.at(u as i32) as u32;
                }
            }
        },
    )?;
    Ok(Nearby { squared, source: nearest })
}

/// For every cell of a strip of columns the row of the nearest source in its column, the northern one of two.
#[inline(always)]
fn columns(width: usize, height: usize, source: impl Fn(usize, usize) -> bool) -> Vec<u16> {
    let mut rows = vec![NONE; width * height];
    for (y, row) in rows.chunks_exact_mut(width).enumerate() {
        row.iter_mut().enumerate().for_each(|(x, out)| *out = if source(x, y) { y as u16 } else { NONE });
    }
    let mut last = [NONE; STRIP];
    for row in rows.chunks_exact_mut(width) {
        for (last, out) in last.iter_mut().zip(row) {
            *last = if *out == NONE { *last } else { *out };
            *out = *last;
        }
    }
    // Upwards: `last` is now the nearest source at or below a cell.
    last.fill(NONE);
    for (y, row) in rows.chunks_exact_mut(width).enumerate().rev() {
        let y = y as u16;
        for (below, above) in last.iter_mut().zip(row) {
            *below = if *above == y { y } else { *below };
            let up = if *above == NONE { NONE } else { y - *above };
            let down = if *below == NONE { NONE } else { *below - y };
            *above = if up <= down { *above } else { *below };
        }
    }
    rows
}

/// A parabola of the lower envelope.
#[derive(Clone, Copy)]
struct Arc {
    /// Column and row of the source.
    x: i32,
    s: i32,
    /// Squared distance of the source from the row in question.
    square: i32,
    /// The first column where this parabola is the lowest.
    from: i32,
}

impl Arc {
    /// Squared distance of column `u`.
    #[inline(always)]
    fn at(&self, u: i32) -> i32 {
        (u - self.x) * (u - self.x) + self.square
    }
}

/// The lower envelope over row `y`, from west to east; empty only if there are no sources.
fn envelope(width: usize, y: usize, strips: &[Vec<u16>]) -> Vec<Arc> {
    let mut arcs: Vec<Arc> = Vec::with_capacity(width);
    for (strip, rows) in strips.iter().enumerate() {
        let wide = STRIP.min(width - strip * STRIP);
        for (x, &s) in (strip * STRIP..).zip(&rows[y * wide..][..wide]) {
            if s == NONE {
                continue;
            }
            let (x, s) = (x as i32, s as i32);
            let mut new = Arc { x, s, square: (y as i32 - s) * (y as i32 - s), from: 0 };
            while let Some(last) = arcs.last() {
                let wins = (s < last.s) as i32;
                if new.at(last.from) - wins >= last.at(last.from) {
                    // Not negative, because the older one is lower at `last.from`.
                    let twice = x * x - last.x * last.x + new.square - last.square - wins;
                    new.from = (twice as u32 / (2 * (x - last.x)) as u32) as i32 + 1;
                    break;
                }
                arcs.pop();
            }
            if (new.from as usize) < width {
                arcs.push(new);
            }
        }
    }
    arcs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use proptest::prelude::*;

    fn apart(a: usize, b: usize, w: usize) -> usize {
        let (dx, dy) = ((a % w).abs_diff(b % w), (a / w).abs_diff(b / w));
        dx * dx + dy * dy
    }

    fn equals_brute_force(
        w: usize,
        h: usize,
        source: impl Fn(usize) -> bool + Sync,
    ) -> Result<(), TestCaseError> {
        let sources: Vec<usize> = (0..w * h).filter(|&i| source(i)).collect();
        let found = euclidean(w, h, &Ctx::default(), source).unwrap();
        for i in 0..w * h {
            let best = sources.iter().map(|&s| (apart(i, s, w), s)).min();
            let (squared, nearest) = best.unwrap_or((u32::MAX as usize, u32::MAX as usize));
            prop_assert_eq!(found.squared.cells()[i] as usize, squared, "cell {}", i);
            prop_assert_eq!(found.source.cells()[i] as usize, nearest, "cell {}", i);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn distances_and_sources_equal_brute_force(
            w in 1usize..150, h in 1usize..60, rare in 0u32..12, seed: u64
        ) {
            equals_brute_force(w, h, |i| Seed(seed).at(i as i64, 7).is_multiple_of(1 << rare))?;
        }

        #[test]
        fn of_sources_on_a_lattice_the_lowest_index_wins(
            w in 1usize..90, h in 1usize..60, step in 2usize..12, lean in 0usize..5
        ) {
            // A lattice, upright or leaning, has cells between two and four equally near sources.
            let lattice = |x: usize, y: usize| y.is_multiple_of(step) && (x + y / step * lean).is_multiple_of(step);
            equals_brute_force(w, h, |i| lattice(i % w, i / w))?;
        }

        #[test]
        fn of_sources_on_a_circle_the_lowest_index_wins(w in 1usize..70, h in 1usize..70, which: u64) {
            // x² + y² = 25² has 20 integer solutions: from the centre all are equally near.
            let (cx, cy) = (w / 2, h / 2);
            equals_brute_force(w, h, |i| {
                let (dx, dy) = ((i % w).abs_diff(cx), (i / w).abs_diff(cy));
                dx * dx + dy * dy == 625 && Seed(which).at(i as i64, 0).is_multiple_of(2)
            })?;
        }
    }

    #[test]
    fn one_row_one_column_and_no_source_are_maps_too() {
        for (w, h) in [(1, 1), (1, 200), (200, 1), (0, 3), (3, 0), (64, 2), (65, 2)] {
            equals_brute_force(w, h, |i| i % 17 == 3).unwrap();
            equals_brute_force(w, h, |_| false).unwrap();
        }
    }

    #[test]
    fn the_longest_sides_do_not_overflow() {
        let last = i16::MAX as usize;
        let wide = euclidean(last, 2, &Ctx::default(), |i| i == 0).unwrap();
        assert_eq!(wide.squared[(last - 1, 1)] as usize, (last - 1) * (last - 1) + 1);
        let tall = euclidean(2, last, &Ctx::default(), |i| i == 2 * last - 1).unwrap();
        assert_eq!(tall.squared[(0, 0)] as usize, (last - 1) * (last - 1) + 1);
    }

    #[test]
    #[cfg(feature = "parallel")]
    fn threads_do_not_matter() {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                euclidean(300, 200, &Ctx::default(), |i| Seed(3).at(i as i64, 0).is_multiple_of(50)).unwrap()
            })
        };
        let one = run(1);
        for threads in [2, 7] {
            let many = run(threads);
            assert!(many.squared == one.squared && many.source == one.source);
        }
    }
}
