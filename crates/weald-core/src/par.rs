//! Deterministic parallelism: rows in parallel, sums in order.
//!
//! A kernel reads existing grids and writes only its own rows, so the number of threads cannot change a bit. Sums are taken
//! per row and then in the order of the rows. Without the `parallel` feature the same functions run on one thread.
//!
//! ```
//! use weald_core::{Ctx, par};
//!
//! let squares = par::fill(4, 3, &Ctx::default(), |y, row: &mut [usize]| row.fill(y * y))?;
//! assert_eq!(squares.row(2), [4; 4]);
//! # Ok::<(), weald_core::Cancelled>(())
//! ```

use crate::Result;
use crate::ctx::Ctx;
use crate::grid::Grid;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The least number of rows in a task; smaller tasks cost more than they save.
const GRAIN: usize = 8;

/// Results for each thread that [`in_order`] computes while it hands over those before them.
const WAVE: usize = 8;

/// Rows that can be split between threads: those of one grid, or of several grids with the same number of rows.
pub trait Rows: Send + Sized {
    /// What a kernel receives for one row.
    type Row;
    /// Number of rows left.
    fn count(&self) -> usize;
    /// Splits off the first `at` rows.
    fn split(self, at: usize) -> (Self, Self);
    /// Removes and returns the first row. There must be one.
    fn pop(&mut self) -> Self::Row;
}

/// The rows of one grid, mutable.
pub struct RowsMut<'a, T> {
    width: usize,
    cells: &'a mut [T],
}

impl<T> Grid<T> {
    /// The rows, for [`for_rows`].
    pub fn rows_mut(&mut self) -> RowsMut<'_, T> {
        RowsMut { width: self.width().max(1), cells: self.cells_mut() }
    }
}

impl<'a, T> RowsMut<'a, T> {
    /// Rows of `width` values each.
    ///
    /// # Panics
    /// If the values do not fill whole rows.
    pub fn new(width: usize, cells: &'a mut [T]) -> Self {
        assert!(width > 0 && cells.len().is_multiple_of(width), "values must fill whole rows");
        Self { width, cells }
    }
}

impl<'a, T: Send> Rows for RowsMut<'a, T> {
    type Row = &'a mut [T];
    fn count(&self) -> usize {
        self.cells.len() / self.width
    }
    fn split(self, at: usize) -> (Self, Self) {
        let (a, b) = self.cells.split_at_mut(at * self.width);
        (RowsMut { width: self.width, cells: a }, RowsMut { width: self.width, cells: b })
    }
    fn pop(&mut self) -> &'a mut [T] {
        let cells = std::mem::take(&mut self.cells);
        let (row, rest) = cells.split_at_mut(self.width);
        self.cells = rest;
        row
    }
}

impl<A: Rows, B: Rows> Rows for (A, B) {
    type Row = (A::Row, B::Row);
    fn count(&self) -> usize {
        debug_assert_eq!(self.0.count(), self.1.count());
        self.0.count()
    }
    fn split(self, at: usize) -> (Self, Self) {
        let ((a, c), (b, d)) = (self.0.split(at), self.1.split(at));
        ((a, b), (c, d))
    }
    fn pop(&mut self) -> Self::Row {
        (self.0.pop(), self.1.pop())
    }
}

impl<A: Rows, B: Rows, C: Rows> Rows for (A, B, C) {
    type Row = (A::Row, B::Row, C::Row);
    fn count(&self) -> usize {
        debug_assert_eq!(self.0.count(), self.2.count());
        self.0.count()
    }
    fn split(self, at: usize) -> (Self, Self) {
        let ((a, d), (b, e), (c, f)) = (self.0.split(at), self.1.split(at), self.2.split(at));
        ((a, b, c), (d, e, f))
    }
    fn pop(&mut self) -> Self::Row {
        (self.0.pop(), self.1.pop(), self.2.pop())
    }
}

/// Runs both functions, in parallel if there are two threads.
pub fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "parallel")]
    return rayon::join(a, b);
    #[cfg(not(feature = "parallel"))]
    (a(), b())
}

/// The number of threads that the functions of this module use.
pub fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Calls `kernel(y, row)` for every row, rows in parallel.
///
/// ```
/// use weald_core::{Ctx, Grid, par};
///
/// let mut height = Grid::filled(3, 2, 1.0);
/// par::for_rows(height.rows_mut(), &Ctx::default(), |y, row| row.iter_mut().for_each(|h| *h += y as f32))?;
/// assert_eq!(height.cells(), [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
pub fn for_rows<R: Rows>(rows: R, ctx: &Ctx, kernel: impl Fn(usize, R::Row) + Sync) -> Result<()> {
    run_rows(rows, GRAIN, ctx, kernel)
}

fn run_rows<R: Rows>(rows: R, least: usize, ctx: &Ctx, kernel: impl Fn(usize, R::Row) + Sync) -> Result<()> {
    let (total, done) = (rows.count(), AtomicUsize::new(0));
    // About 16 tasks per thread balance rows of unequal cost.
    let grain = (total / (threads() * 16)).max(least);
    split_rows(rows, 0, grain, &|first, mut rows: R| {
        let n = rows.count();
        widest_simd(
            #[inline(always)]
            || {
                for y in first..first + n {
                    ctx.checkpoint()?;
                    kernel(y, rows.pop());
                }
                Ok(())
            },
        )?;
        ctx.tick(done.fetch_add(n, Ordering::Relaxed) + n, total);
        Ok(())
    })
}

/// Runs `work` in a version of its code that is compiled for the widest vectors of the processor. The versions differ only in
/// the choice of instructions: no operation is fused or reordered, so every bit of the result is the same. A closure given
/// to [`for_rows`] benefits if it is marked `#[inline(always)]`.
#[inline(always)]
pub fn widest_simd<T>(work: impl FnOnce() -> T) -> T {
    fearless_simd::dispatch!(fearless_simd::Level::new(), simd => fearless_simd::Simd::vectorize(simd, work))
}

fn split_rows<R: Rows>(
    rows: R,
    first: usize,
    grain: usize,
    run: &(impl Fn(usize, R) -> Result<()> + Sync),
) -> Result<()> {
    let n = rows.count();
    if n <= grain {
        return run(first, rows);
    }
    let (a, b) = rows.split(n / 2);
    let (ra, rb) = join(|| split_rows(a, first, grain, run), || split_rows(b, first + n / 2, grain, run));
    ra.and(rb)
}

/// Calls `kernel(first row, cells of a, cells of b)` for at least `bands` bands of rows of two grids with the same number of
/// rows, bands in parallel. No band is empty.
pub fn for_bands<A: Send, B: Send>(
    (a, b): (RowsMut<A>, RowsMut<B>),
    bands: usize,
    ctx: &Ctx,
    kernel: impl Fn(usize, &mut [A], &mut [B]) + Sync,
) -> Result<()> {
    let grain = (a.count() / bands.max(1)).max(1);
    if a.count() == 0 {
        return Ok(());
    }
    split_rows((a, b), 0, grain, &|first, (a, b): (RowsMut<A>, RowsMut<B>)| {
        ctx.checkpoint()?;
        kernel(first, a.cells, b.cells);
        Ok(())
    })
}

/// The results of `make(i)` for every `i` below `count`, in order, computed in parallel. Each item should be worth a task of
/// its own, such as a row or a band of rows.
///
/// ```
/// use weald_core::{Ctx, Grid, par};
///
/// let grid = Grid::from_fn(3, 2, |x, y| x + y);
/// let sums = par::map(grid.height(), &Ctx::default(), |y| grid.row(y).iter().sum::<usize>())?;
/// assert_eq!(sums, [3, 6]);
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
pub fn map<T: Send>(count: usize, ctx: &Ctx, make: impl Fn(usize) -> T + Sync) -> Result<Vec<T>> {
    let mut slots: Grid<Option<T>> = Grid::from_vec(1, count, (0..count).map(|_| None).collect());
    run_rows(slots.rows_mut(), 1, ctx, |y, slot| slot[0] = Some(make(y)))?;
    Ok(slots.into_vec().into_iter().map(|s| s.expect("every row was visited")).collect())
}

/// A new grid whose row `y` is written by `kernel(y, row)`.
pub fn fill<T: Clone + Default + Send>(
    width: usize,
    height: usize,
    ctx: &Ctx,
    kernel: impl Fn(usize, &mut [T]) + Sync,
) -> Result<Grid<T>> {
    let mut grid = Grid::filled(width, height, T::default());
    for_rows(grid.rows_mut(), ctx, kernel)?;
    Ok(grid)
}

/// The results of `work(state, i)` for every `i` below `count`, in order, computed in parallel. Each thread makes its own
/// `state` once; results must not depend on what a state was used for before.
pub fn map_with<S, T: Send>(
    count: usize,
    ctx: &Ctx,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> T + Sync,
) -> Result<Vec<T>> {
    // Few items are handed out one by one, many in batches.
    let batch = (count / (threads() * 64)).clamp(1, 16);
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let worker = |_: usize| -> Result<Vec<(usize, Vec<T>)>> {
        let (mut state, mut mine) = (state(), Vec::new());
        loop {
            let first = next.fetch_add(batch, Ordering::Relaxed);
            if first >= count {
                return Ok(mine);
            }
            ctx.checkpoint()?;
            let last = (first + batch).min(count);
            mine.push((first, (first..last).map(|i| work(&mut state, i)).collect()));
            ctx.tick(done.fetch_add(last - first, Ordering::Relaxed) + last - first, count);
        }
    };
    #[cfg(feature = "parallel")]
    let parts = {
        use rayon::prelude::*;
        (0..threads()).into_par_iter().map(worker).collect::<Result<Vec<_>, _>>()?
    };
    #[cfg(not(feature = "parallel"))]
    let parts = vec![worker(0)?];
    let mut batches: Vec<_> = parts.into_iter().flatten().collect();
    batches.sort_unstable_by_key(|&(first, _)| first);
    Ok(batches.into_iter().flat_map(|(_, items)| items).collect())
}

/// Hands the results of `make(i)` for every `i` below `count` to `take(i, result)` in order, on the thread of the caller, while
/// the next ones are computed in parallel. Only a few results are kept at a time, so memory does not grow with their number.
/// Stops at the first error of `take`.
///
/// ```
/// use weald_core::{Ctx, par};
///
/// let mut text = String::new();
/// par::in_order(3, &Ctx::default(), |i| i * i, |_, square| -> std::fmt::Result {
///     text += &format!("{square} ");
///     Ok(())
/// })?
/// .unwrap();
/// assert_eq!(text, "0 1 4 ");
/// # Ok::<(), weald_core::Cancelled>(())
/// ```
pub fn in_order<T: Send, E>(
    count: usize,
    ctx: &Ctx,
    make: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(usize, T) -> std::result::Result<(), E>,
) -> Result<std::result::Result<(), E>> {
    let wave = threads() * WAVE;
    let mut ready: Vec<T> = Vec::new();
    let mut taken = 0;
    while taken < count {
        ctx.checkpoint()?;
        let first = taken + ready.len();
        let mut next: Vec<Option<T>> = (first..count.min(first + wave)).map(|_| None).collect();
        let mut hand_over = || {
            for item in ready.drain(..) {
                take(taken, item)?;
                taken += 1;
            }
            Ok(())
        };
        #[cfg(feature = "parallel")]
        let handed = rayon::in_place_scope(|scope| {
            for (i, slot) in (first..).zip(&mut next) {
                let make = &make;
                scope.spawn(move |_| *slot = Some(make(i)));
            }
            hand_over()
        });
        #[cfg(not(feature = "parallel"))]
        let handed = {
            (first..).zip(&mut next).for_each(|(i, slot)| *slot = Some(make(i)));
            hand_over()
        };
        if let Err(e) = handed {
            return Ok(Err(e));
        }
        ready.extend(next.into_iter().map(|item| item.expect("every item was made")));
        ctx.tick(taken, count);
    }
    Ok(Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctx::Cancelled;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn every_row_is_visited_once_with_its_own_number() {
        for height in [0, 1, 7, 8, 9, 1000] {
            let mut a = Grid::filled(3, height, 0usize);
            let mut b = Grid::filled(2, height, 0u8);
            for_rows((a.rows_mut(), b.rows_mut()), &Ctx::default(), |y, (a, b)| {
                a.fill(y + 1);
                b[1] += 1;
            })
            .unwrap();
            for y in 0..height {
                assert_eq!(a.row(y), [y + 1; 3]);
                assert_eq!(b.row(y), [0, 1]);
            }
        }
    }

    #[test]
    fn bands_cover_every_row_once_and_know_their_first() {
        for (height, bands) in [(0, 3), (1, 1), (1, 5), (7, 2), (7, 7), (100, 3), (100, 1000), (100, 0)] {
            let mut a = Grid::filled(3, height, 0usize);
            let mut b = Grid::filled(2, height, 0u8);
            let count = AtomicUsize::new(0);
            for_bands((a.rows_mut(), b.rows_mut()), bands, &Ctx::default(), |first, a, b| {
                assert!(!a.is_empty() && a.len() / 3 == b.len() / 2);
                a.chunks_exact_mut(3).enumerate().for_each(|(i, row)| row.fill(first + i + 1));
                b.iter_mut().for_each(|b| *b += 1);
                count.fetch_add(1, Ordering::Relaxed);
            })
            .unwrap();
            for y in 0..height {
                assert_eq!(a.row(y), [y + 1; 3]);
                assert_eq!(b.row(y), [1, 1]);
            }
            assert!(count.into_inner() >= bands.min(height));
        }
    }

    #[test]
    fn results_come_in_the_order_of_the_questions() {
        assert_eq!(
            map(100, &Ctx::default(), |y| y * y).unwrap(),
            (0..100).map(|y| y * y).collect::<Vec<_>>()
        );
        let doubled = map_with(1000, &Ctx::default(), || 0u32, |_, i| i * 2).unwrap();
        assert_eq!(doubled, (0..1000).map(|i| i * 2).collect::<Vec<_>>());
    }

    #[test]
    fn results_are_handed_over_in_order_until_an_error() {
        for count in [0, 1, 7, 1000] {
            let mut seen = Vec::new();
            let done = in_order(
                count,
                &Ctx::default(),
                |i| 3 * i,
                |i, item| {
                    seen.push(item);
                    if i == 500 { Err("enough") } else { Ok(()) }
                },
            );
            assert_eq!(done, Ok(if count > 500 { Err("enough") } else { Ok(()) }));
            assert_eq!(seen, (0..count.min(501)).map(|i| 3 * i).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_stopped_run_ends_with_cancelled() {
        struct Silent;
        impl crate::ctx::Watch for Silent {}
        let stop = AtomicBool::new(true);
        let ctx = Ctx::new(&Silent, &stop);
        assert_eq!(map(10, &ctx, |y| y), Err(Cancelled));
        assert_eq!(map_with(10, &ctx, || (), |_, i| i), Err(Cancelled));
        assert_eq!(in_order(10, &ctx, |i| i, |_, _| Ok::<_, ()>(())), Err(Cancelled));
    }
}
