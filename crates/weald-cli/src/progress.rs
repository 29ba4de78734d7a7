//! Bars and timings: the one place that looks at the clock.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use weald::core::ctx::Watch;

/// Shows a bar for the running stage and remembers how long each one took.
pub(crate) struct Progress {
    bar: ProgressBar,
    stages: Mutex<Vec<Timing>>,
    start: Instant,
}

/// How long a stage took.
pub(crate) struct Timing {
    pub(crate) stage: &'static str,
    begin: Instant,
    pub(crate) took: Option<Duration>,
}

#[expect(
    clippy::disallowed_methods,
    reason = "progress and timings are shown to people and never reach a world"
)]
fn now() -> Instant {
    Instant::now()
}

/// Whether progress is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bars {
    /// If standard error is a terminal.
    Auto,
    /// Never.
    Off,
}

impl Progress {
    pub(crate) fn new(bars: Bars) -> Self {
        let bar = if bars == Bars::Auto && std::io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{msg:28} {bar:32} {percent:>3}%  {eta} left")
                .expect("the template is valid");
            ProgressBar::new(0).with_style(style)
        } else {
            ProgressBar::hidden()
        };
        Self { bar, stages: Mutex::default(), start: now() }
    }

    /// Takes the bar off the screen.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    pub(crate) fn seconds(&self) -> f64 {
        (now() - self.start).as_secs_f64()
    }

    /// The stages that have ended, in order.
    pub(crate) fn timings(&self) -> Vec<(&'static str, f64)> {
        let stages = self.stages.lock().expect("no stage panicked");
        stages.iter().filter_map(|t| Some((t.stage, t.took?.as_secs_f64()))).collect()
    }
}

impl Watch for Progress {
    fn begin(&self, stage: &'static str) {
        self.stages.lock().expect("no stage panicked").push(Timing { stage, begin: now(), took: None });
        self.bar.reset();
        self.bar.set_length(0);
        self.bar.set_message(stage);
    }

    fn tick(&self, _stage: &'static str, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
    }

    fn end(&self, stage: &'static str) {
        let mut stages = self.stages.lock().expect("no stage panicked");
        if let Some(timing) = stages.iter_mut().rev().find(|t| t.stage == stage) {
            timing.took = Some(now() - timing.begin);
        }
    }
}
