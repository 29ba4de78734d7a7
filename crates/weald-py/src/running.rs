//! Work of the library while Python runs on: the calling thread gives up the interpreter, waits, and looks from time to time whether there
//! is something to tell or a reason to stop.

use crate::raising::raised;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use weald::core::Ctx;
use weald::core::ctx::Watch;
use weald::{Error, Result};

/// How often the calling thread looks for signals and tells of progress.
const BEAT: Duration = Duration::from_millis(50);

/// Threads that a pool may have.
const THREADS: std::ops::RangeInclusive<usize> = 1..=256;

/// What a call says of how it runs.
#[derive(Default)]
pub(crate) struct How {
    /// Threads of a pool of its own; the shared pool without it.
    pub(crate) threads: Option<usize>,
    /// Called with a stage and with how much of it is done.
    pub(crate) progress: Option<Py<PyAny>>,
}

/// Names of stages, in the order in which they ended, and how many seconds each took.
pub(crate) type Seconds = Vec<(&'static str, f64)>;

/// Runs `work` for a function that takes neither a number of threads nor a progress report.
pub(crate) fn plain<T: Send>(py: Python<'_>, work: impl FnOnce(&Ctx) -> Result<T> + Send) -> PyResult<T> {
    run(py, &How::default(), |watched| work(&watched.ctx()))
}

/// Runs `work` on a thread pool. A signal, such as that of Ctrl-C, or an exception of the progress report stops it and is then raised; a
/// panic becomes an error.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    how: &How,
    work: impl FnOnce(&Watched) -> Result<T> + Send,
) -> PyResult<T> {
    let pool = pool(how.threads)?;
    let (watcher, stop) = (Watcher::new(how.progress.is_some()), AtomicBool::new(false));
    let watched = Watched { watcher: &watcher, stop: &stop };
    let mut reason: Option<PyErr> = None;
    let result = py.detach(|| {
        let (ended, end) = sync_channel(1);
        pool.in_place_scope(|scope| {
            scope.spawn(|_| {
                let result = catch_unwind(AssertUnwindSafe(|| work(&watched)));
                // The receiver lives as long as the scope.
                let _ = ended.send(result.unwrap_or_else(|panic| Err(Error::Internal(message(&*panic)))));
            });
            loop {
                match end.recv_timeout(BEAT) {
                    Ok(result) => return result,
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(Error::Internal("the work ended without a result".into()));
                    }
                    Err(RecvTimeoutError::Timeout) if reason.is_none() => {
                        let look = |py: Python<'_>| {
                            py.check_signals().and_then(|()| watcher.tell(py, &how.progress))
                        };
                        reason = Python::attach(look).err();
                        stop.store(reason.is_some(), Ordering::Relaxed);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    });
    if let Some(reason) = reason {
        return Err(reason);
    }
    watcher.tell(py, &how.progress)?;
    result.map_err(raised)
}

/// The words of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without words".into())
}

/// The pool that calls share.
static SHARED: Mutex<Option<Shared>> = Mutex::new(None);

/// A pool, and the process whose threads it has: after a fork the new process has none of them.
struct Shared {
    process: u32,
    pool: Arc<ThreadPool>,
}

/// A pool of so many threads, or the shared one.
fn pool(threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    if let Some(threads) = threads {
        return built(Some(threads)).map(Arc::new);
    }
    let mut shared = SHARED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let process = std::process::id();
    if let Some(there) = shared.as_ref().filter(|there| there.process == process) {
        return Ok(Arc::clone(&there.pool));
    }
    let pool = Arc::new(built(None)?);
    if let Some(old) = shared.replace(Shared { process, pool: Arc::clone(&pool) }) {
        // Its threads belong to the parent process; to end them from here would wait for them in vain.
        std::mem::forget(old);
    }
    Ok(pool)
}

/// A pool of so many threads, or of as many as the machine can run at a time.
fn built(threads: Option<usize>) -> PyResult<ThreadPool> {
    if let Some(threads) = threads.filter(|threads| !THREADS.contains(threads)) {
        let (least, most) = (THREADS.start(), THREADS.end());
        let message = format!("threads = {threads}: must be between {least} and {most}");
        return Err(PyValueError::new_err(message));
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    pool.map_err(|e| raised(Error::Internal(e.to_string())))
}

/// Gives the pool that calls share so many threads; as many as the machine can run at a time for `None`.
#[pyfunction]
#[pyo3(signature = (threads))]
pub(crate) fn set_threads(threads: Option<usize>) -> PyResult<()> {
    let pool = Arc::new(built(threads)?);
    let mut shared = SHARED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    *shared = Some(Shared { process: std::process::id(), pool });
    Ok(())
}

/// Panics on a thread of the pool, so that the tests see what becomes of it.
#[cfg(debug_assertions)]
#[pyfunction]
pub(crate) fn _panic(py: Python<'_>) -> PyResult<()> {
    plain(py, |_| panic!("a test asked for it"))
}

/// What work knows of its caller.
pub(crate) struct Watched<'a> {
    watcher: &'a Watcher,
    stop: &'a AtomicBool,
}

impl<'a> Watched<'a> {
    /// The context to run stages in.
    pub(crate) fn ctx(&self) -> Ctx<'a> {
        Ctx::new(self.watcher, self.stop)
    }

    /// The stages that have ended.
    pub(crate) fn seconds(&self) -> Seconds {
        let stages = self.watcher.stages.lock().expect("no stage panics while it is noted");
        stages.iter().filter_map(|stage| Some((stage.name, stage.seconds?))).collect()
    }
}

/// A stage that has begun.
struct Stage {
    name: &'static str,
    begin: Instant,
    seconds: Option<f64>,
}

/// A stage, what is done of it, and how much there is to do.
type News = (&'static str, usize, usize);

/// Notes what the work reports, on whatever thread it does so.
struct Watcher {
    stages: Mutex<Vec<Stage>>,
    /// What is to be told; none if nobody listens.
    news: Option<Mutex<Vec<News>>>,
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long a stage took is told to people and never reaches a world"
)]
fn now() -> Instant {
    Instant::now()
}

impl Watcher {
    fn new(heard: bool) -> Self {
        Self { stages: Mutex::default(), news: heard.then(Mutex::default) }
    }

    /// Calls the progress report with what is new.
    fn tell(&self, py: Python<'_>, progress: &Option<Py<PyAny>>) -> PyResult<()> {
        let (Some(progress), Some(news)) = (progress, &self.news) else { return Ok(()) };
        let news = std::mem::take(&mut *news.lock().expect("no stage panics while it reports"));
        news.into_iter().try_for_each(|report| progress.call1(py, report).map(drop))
    }
}

impl Watch for Watcher {
    fn begin(&self, stage: &'static str) {
        let begun = Stage { name: stage, begin: now(), seconds: None };
        self.stages.lock().expect("no stage panics while it is noted").push(begun);
        if let Some(news) = &self.news {
            news.lock().expect("no stage panics while it reports").push((stage, 0, 0));
        }
    }

    fn tick(&self, stage: &'static str, done: usize, total: usize) {
        let Some(news) = &self.news else { return };
        let mut news = news.lock().expect("no stage panics while it reports");
        match news.last_mut() {
            // Only the newest report of a stage is told.
            Some(last) if last.0 == stage && last.2 != 0 => *last = (stage, done, total),
            _ => news.push((stage, done, total)),
        }
    }

    fn end(&self, stage: &'static str) {
        let mut stages = self.stages.lock().expect("no stage panics while it is noted");
        if let Some(ended) = stages.iter_mut().rev().find(|s| s.name == stage && s.seconds.is_none()) {
            ended.seconds = Some((now() - ended.begin).as_secs_f64());
        }
    }
}
