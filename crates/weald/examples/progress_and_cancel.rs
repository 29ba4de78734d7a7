//! Progress while a world is made, and a way to stop it.
//!
//! `cargo run --example progress_and_cancel`

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use weald::core::Ctx;
use weald::core::ctx::Watch;
use weald::{Error, Job, Result};

/// Keeps the stages that began, and raises the flag when one of them is reached.
pub(crate) struct Log<'a> {
    stages: Mutex<Vec<&'static str>>,
    stop_at: &'static str,
    stop: &'a AtomicBool,
}

impl Watch for Log<'_> {
    fn begin(&self, stage: &'static str) {
        self.stages.lock().expect("no stage panicked").push(stage);
        if stage == self.stop_at {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn tick(&self, stage: &'static str, done: usize, total: usize) {
        // Called from any thread; a game would set the length of a bar here.
        let _ = (stage, done, total);
    }
}

/// Makes a city map and stops when the stage `stop_at` begins. Gives the stages that began.
pub(crate) fn stages_until(stop_at: &'static str) -> Result<Vec<&'static str>> {
    let stop = AtomicBool::new(false);
    let log = Log { stages: Mutex::default(), stop_at, stop: &stop };
    let job = Job::new("city")?.size(64).set("goal.buildable_share", 0)?;
    match job.run(&Ctx::new(&log, &stop)) {
        Ok(_) | Err(Error::Cancelled) => Ok(log.stages.into_inner().expect("no stage panicked")),
        Err(error) => Err(error),
    }
}

#[allow(dead_code, reason = "the tests call stages_until")]
fn main() -> Result<()> {
    println!("stopped: {:?}", stages_until("fill")?);
    println!("whole:   {:?}", stages_until("")?);
    Ok(())
}
