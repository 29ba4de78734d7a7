//! The steps of a test run, and how long each took.

use crate::run::{Outcome, say};
use std::time::Instant;

/// Steps that have run.
pub(crate) struct Steps {
    start: Instant,
    /// Name and seconds of each.
    took: Vec<(String, f64)>,
}

impl Default for Steps {
    fn default() -> Self {
        Self { start: now(), took: Vec::new() }
    }
}

#[expect(clippy::disallowed_methods, reason = "a test run looks at the clock")]
fn now() -> Instant {
    Instant::now()
}

impl Steps {
    /// Runs one step.
    pub(crate) fn step<T>(
        &mut self,
        name: &str,
        run: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, String> {
        say(name);
        let start = now();
        let outcome = run();
        self.took.push((name.to_owned(), start.elapsed().as_secs_f64()));
        outcome
    }

    /// Runs one step on a thread of its own, and others beside it. For a step that keeps one core busy only.
    pub(crate) fn beside(
        &mut self,
        name: &str,
        run: impl FnOnce() -> Outcome + Send,
        others: impl FnOnce(&mut Self) -> Outcome,
    ) -> Outcome {
        let (one, rest) = std::thread::scope(|scope| {
            let one = scope.spawn(|| {
                let mut steps = Self::default();
                let outcome = steps.step(name, run);
                (steps.took, outcome)
            });
            let rest = others(self);
            (one.join().expect("a step does not panic"), rest)
        });
        self.took.extend(one.0);
        one.1.and(rest)
    }

    /// Prints the seconds of every step and of all together, of which some ran beside each other.
    pub(crate) fn print(&self) {
        println!("== seconds");
        let all = self.start.elapsed().as_secs_f64();
        for (name, seconds) in self.took.iter().chain([&("all".to_owned(), all)]) {
            println!("{seconds:7.1}  {name}");
        }
    }
}
