//! What a stage knows of the outside: progress, cancelling, taps. No clock and no printing live here; a shell
//! implements [`Watch`] and adds them.

use crate::cells::Cells;
use std::sync::atomic::{AtomicBool, Ordering};

/// The work was asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl std::fmt::Display for Cancelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Cancelled {}

/// What a shell may want to hear of a run. Every method does nothing by default.
pub trait Watch: Sync {
    /// A stage starts.
    fn begin(&self, _stage: &'static str) {}
    /// `done` of `total` steps of the running stage are over. May be called from any thread.
    fn tick(&self, _stage: &'static str, _done: usize, _total: usize) {}
    /// A stage has ended.
    fn end(&self, _stage: &'static str) {}
    /// Whether intermediate grids are wanted, so that none is made for nobody.
    fn wants_intermediates(&self) -> bool {
        false
    }
    /// An intermediate grid that is not part of the result: name, what it is, data.
    fn intermediate(&self, _name: &'static str, _about: &'static str, _data: Cells<'_>) {}
}

/// Hears nothing.
struct Silence;
impl Watch for Silence {}

/// Handed down through a pipeline.
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

    /// Runs one named stage.
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

    /// An error if the work was asked to stop.
    #[inline]
    pub fn checkpoint(&self) -> Result<(), Cancelled> {
        if self.stop.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
    }

    /// Tells that `done` of `total` steps are over.
    pub fn tick(&self, done: usize, total: usize) {
        self.watch.tick(self.stage, done, total);
    }

    /// The same without ears: for a pass of a stage that counts its passes itself. It still stops.
    pub fn quiet(&self) -> Ctx<'a> {
        Ctx { watch: &Silence, ..*self }
    }

    /// Whether intermediate grids are wanted.
    pub fn wants_intermediates(&self) -> bool {
        self.watch.wants_intermediates()
    }

    /// Shows an intermediate grid.
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
        let r: Result<(), Cancelled> = ctx.stage("flow", |c| {
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
