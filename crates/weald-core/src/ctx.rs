//! The context of a run: progress, cancellation and intermediate grids.
//!
//! Every stage takes a [`Ctx`]. It reports progress to a [`Watch`], which the program around the library implements,
//! and it asks whether the run was cancelled. Neither a clock nor any printing is involved.
//!
//! ```
//! use std::sync::atomic::{AtomicBool, Ordering};
//! use weald_core::{Cancelled, Ctx, Grid, ctx::Watch, stats};
//!
//! struct Silent;
//! impl Watch for Silent {}
//!
//! let stop = AtomicBool::new(false);
//! let ctx = Ctx::new(&Silent, &stop);
//! let grid = Grid::filled(4, 4, 1.0f32);
//! assert_eq!(ctx.stage("range", |c| stats::min_max(&grid, c)), Ok(Some((1.0, 1.0))));
//! stop.store(true, Ordering::Relaxed);
//! assert_eq!(ctx.stage("range", |c| stats::min_max(&grid, c)), Err(Cancelled));
//! ```

use crate::cells::Cells;
use std::sync::atomic::{AtomicBool, Ordering};

/// The error of a run that was asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl std::fmt::Display for Cancelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Cancelled {}

/// What a stage returns: its result, or [`Cancelled`] if the run was asked to stop. Stages have no other error.
pub type Result<T, E = Cancelled> = std::result::Result<T, E>;

/// Receives what a run reports. Every method does nothing by default.
#[doc(alias = "observer")]
#[doc(alias = "progress")]
pub trait Watch: Sync {
    /// A stage has started.
    fn begin(&self, _stage: &'static str) {}
    /// The running stage has finished `done` of its `total` steps. May be called from any thread.
    fn tick(&self, _stage: &'static str, _done: usize, _total: usize) {}
    /// A stage has ended.
    fn end(&self, _stage: &'static str) {}
    /// Whether intermediate grids are wanted. Stages do not make them otherwise.
    fn wants_intermediates(&self) -> bool {
        false
    }
    /// Receives an intermediate grid, which is not part of the result: its name, what it shows, and its cells.
    fn intermediate(&self, _name: &'static str, _about: &'static str, _data: Cells<'_>) {}
}

/// A [`Watch`] that ignores every report.
struct Silence;
impl Watch for Silence {}

/// The context that is handed down through a pipeline. [`Ctx::default`] reports nothing and is never cancelled.
#[doc(alias = "cancellation token")]
#[derive(Clone, Copy)]
pub struct Ctx<'a> {
    watch: &'a dyn Watch,
    stop: &'a AtomicBool,
    stage: &'static str,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Default for Ctx<'static> {
    fn default() -> Self {
        Ctx { watch: &Silence, stop: &NEVER, stage: "" }
    }
}

impl<'a> Ctx<'a> {
    /// Reports to `watch` and stops soon after `stop` becomes true.
    pub fn new(watch: &'a dyn Watch, stop: &'a AtomicBool) -> Self {
        Ctx { watch, stop, stage: "" }
    }

    /// Runs one named stage: checks for cancellation, then reports its beginning and its end.
    pub fn stage<T, E: From<Cancelled>>(
        &self,
        name: &'static str,
        run: impl FnOnce(&Ctx<'a>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.checkpoint()?;
        self.watch.begin(name);
        let out = run(&Ctx { stage: name, ..*self });
        self.watch.end(name);
        out
    }

    /// Fails with [`Cancelled`] if the run was asked to stop.
    #[inline]
    pub fn checkpoint(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
    }

    /// Reports that `done` of `total` steps are finished.
    pub fn tick(&self, done: usize, total: usize) {
        self.watch.tick(self.stage, done, total);
    }

    /// The same context without progress reports: for the passes of a stage that reports its own progress. It can still
    /// be cancelled.
    pub fn quiet(&self) -> Ctx<'a> {
        Ctx { watch: &Silence, ..*self }
    }

    /// Whether intermediate grids are wanted.
    pub fn wants_intermediates(&self) -> bool {
        self.watch.wants_intermediates()
    }

    /// Reports an intermediate grid.
    pub fn intermediate(&self, name: &'static str, about: &'static str, data: Cells<'_>) {
        self.watch.intermediate(name, about, data);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    struct Log(Mutex<Vec<String>>);
    impl Watch for Log {
        fn begin(&self, stage: &'static str) {
            self.0.lock().unwrap().push(format!("+{stage}"));
        }
        fn end(&self, stage: &'static str) {
            self.0.lock().unwrap().push(format!("-{stage}"));
        }
        fn tick(&self, stage: &'static str, done: usize, total: usize) {
            self.0.lock().unwrap().push(format!("{stage} {done}/{total}"));
        }
    }

    #[test]
    fn a_stage_is_announced_ticks_by_its_name_and_ends_even_when_it_fails() {
        let (log, stop) = (Log(Mutex::default()), AtomicBool::new(false));
        let ctx = Ctx::new(&log, &stop);
        let r: Result<()> = ctx.stage("flow", |c| {
            c.tick(1, 2);
            stop.store(true, Ordering::Relaxed);
            c.checkpoint()
        });
        assert_eq!(r, Err(Cancelled));
        assert_eq!(*log.0.lock().unwrap(), ["+flow", "flow 1/2", "-flow"]);
        assert_eq!(ctx.stage("next", |_| Ok::<_, Cancelled>(1)), Err(Cancelled));
    }

    #[test]
    fn a_quiet_pass_is_not_heard_and_still_stops() {
        let (log, stop) = (Log(Mutex::default()), AtomicBool::new(false));
        let quiet = Ctx::new(&log, &stop).quiet();
        quiet.tick(1, 2);
        assert!(log.0.lock().unwrap().is_empty() && quiet.checkpoint().is_ok());
        stop.store(true, Ordering::Relaxed);
        assert_eq!(quiet.checkpoint(), Err(Cancelled));
    }
}
