//! Progress bars and timings: the only place that reads the clock.

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use weald::core::ctx::Watch;

/// How often a bar is redrawn while no step is reported.
const BEAT: Duration = Duration::from_millis(100);

/// Shows a bar with the remaining time of the running stage, or the elapsed time where a stage reports no steps, and
/// remembers how long each stage took.
pub(crate) struct Progress {
    bar: ProgressBar,
    steps: Mutex<Steps>,
    stages: Mutex<Vec<Timing>>,
    start: Instant,
}

/// How far the running stage is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Steps {
    done: usize,
    /// 0 as long as it reports no steps.
    total: usize,
}

/// What a report of steps means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum News {
    /// The stage is further than before.
    Further,
    /// Another pass of the stage begins: the pace of the last one does not count.
    Anew,
    /// A late report: another thread was faster.
    Late,
}

impl Steps {
    fn news(&self, done: usize, total: usize) -> News {
        if total != self.total || done < self.done / 2 {
            News::Anew
        } else if done < self.done {
            News::Late
        } else {
            News::Further
        }
    }
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
        let shown = bars == Bars::Auto && std::io::stderr().is_terminal();
        let progress =
            Self::on(if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() });
        if shown {
            progress.bar.enable_steady_tick(BEAT);
        }
        progress
    }

    fn on(target: ProgressDrawTarget) -> Self {
        let bar = ProgressBar::with_draw_target(None, target).with_style(waiting());
        Self { bar, steps: Mutex::default(), stages: Mutex::default(), start: now() }
    }

    /// Removes the bar from the screen.
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

/// A stage that reports no steps: a spinner and the elapsed time.
fn waiting() -> ProgressStyle {
    ProgressStyle::with_template("{msg:28} {spinner} {elapsed}").expect("the template is valid")
}

/// A stage that reports its steps: a bar and the remaining time, as soon as it can be estimated.
fn counting() -> ProgressStyle {
    let left = |state: &ProgressState, out: &mut dyn Write| {
        let eta = state.eta();
        if eta > Duration::ZERO {
            // Standard error may be closed.
            let _ = write!(out, "{:#} left", HumanDuration(eta));
        }
    };
    let style = ProgressStyle::with_template("{msg:28} {bar:32} {percent:>3}%  {left}");
    style.expect("the template is valid").with_key("left", left)
}

impl Watch for Progress {
    fn begin(&self, stage: &'static str) {
        self.stages.lock().expect("no stage panicked").push(Timing { stage, begin: now(), took: None });
        *self.steps.lock().expect("no stage panicked") = Steps::default();
        self.bar.unset_length();
        self.bar.set_style(waiting());
        self.bar.set_message(stage);
        self.bar.reset();
    }

    fn tick(&self, _stage: &'static str, done: usize, total: usize) {
        if total == 0 {
            return;
        }
        let mut steps = self.steps.lock().expect("no stage panicked");
        match steps.news(done, total) {
            News::Late => return,
            News::Anew => {
                if steps.total == 0 {
                    self.bar.set_style(counting());
                }
                self.bar.set_length(total as u64);
                self.bar.set_position(done as u64);
                self.bar.reset_eta();
            }
            News::Further => self.bar.set_position(done as u64),
        }
        *steps = Steps { done, total };
    }

    fn end(&self, stage: &'static str) {
        let mut stages = self.stages.lock().expect("no stage panicked");
        if let Some(timing) = stages.iter_mut().rev().find(|t| t.stage == stage) {
            timing.took = Some(now() - timing.begin);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::io::Result;
    use std::sync::Arc;

    /// Keeps what was written last.
    #[derive(Clone, Debug, Default)]
    struct Screen(Arc<Mutex<String>>);

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            100
        }
        fn move_cursor_up(&self, _: usize) -> Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> Result<()> {
            Ok(())
        }
        fn write_line(&self, s: &str) -> Result<()> {
            self.write_str(s)
        }
        fn write_str(&self, s: &str) -> Result<()> {
            if !s.trim().is_empty() {
                *self.0.lock().unwrap() = s.to_owned();
            }
            Ok(())
        }
        fn clear_line(&self) -> Result<()> {
            Ok(())
        }
        fn flush(&self) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_stage_without_steps_shows_the_time_gone_by_and_one_with_steps_the_time_left() {
        let screen = Screen::default();
        let progress = Progress::on(ProgressDrawTarget::term_like(Box::new(screen.clone())));
        let shown = || {
            progress.bar.force_draw();
            screen.0.lock().unwrap().clone()
        };
        progress.begin("rivers");
        let line = shown();
        assert!(line.contains("rivers") && line.contains("0s") && !line.contains('%'), "{line}");
        for done in 1..=5 {
            std::thread::sleep(Duration::from_millis(60));
            progress.tick("rivers", done, 100);
        }
        let line = shown();
        assert!(line.contains("  5%") && line.contains("s left"), "{line}");
        progress.end("rivers");
        progress.begin("lakes");
        let line = shown();
        assert!(line.contains("lakes") && !line.contains('%') && !line.contains("left"), "{line}");
        assert_eq!(progress.timings().iter().map(|t| t.0).collect::<Vec<_>>(), ["rivers"]);
    }

    #[test]
    fn threads_that_are_overtaken_do_not_turn_the_bar_back_and_a_new_pass_does() {
        let steps = Steps { done: 50, total: 100 };
        assert_eq!(steps.news(51, 100), News::Further);
        assert_eq!(steps.news(48, 100), News::Late);
        assert_eq!(steps.news(1, 100), News::Anew);
        assert_eq!(steps.news(50, 200), News::Anew);
        assert_eq!(Steps::default().news(1, 8), News::Anew);
    }
}
