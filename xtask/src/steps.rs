//! The steps of a test run, and how long each took.

use crate::run::say;
use std::time::Instant;

/// Steps that have run: name and seconds.
#[derive(Default)]
pub(crate) struct Steps(Vec<(String, f64)>);

impl Steps {
    /// Runs one step.
    #[expect(clippy::disallowed_methods, reason = "a test run looks at the clock")]
    pub(crate) fn step<T>(
        &mut self,
        name: &str,
        run: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, String> {
        say(name);
        let start = Instant::now();
        let outcome = run();
        self.0.push((name.to_owned(), start.elapsed().as_secs_f64()));
        outcome
    }

    /// Prints the seconds of every step and of all together.
    pub(crate) fn print(&self) {
        println!("== seconds");
        let all = self.0.iter().map(|(_, seconds)| seconds).sum();
        for (name, seconds) in self.0.iter().chain([&("all".to_owned(), all)]) {
            println!("{seconds:7.1}  {name}");
        }
    }
}
