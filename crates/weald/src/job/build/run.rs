//! A whole build on one machine.

use super::Build;
use crate::error::{Error, Result};
use std::sync::atomic::{AtomicUsize, Ordering};
use weald_core::Ctx;

/// Who works on the tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workers {
    /// Tiles that are made at the same time.
    pub tiles: usize,
    /// Threads of each of them.
    pub threads: usize,
}

impl Workers {
    /// As many tiles at a time as there are threads and as fit into memory; the threads are shared between them.
    pub fn of(threads: usize, memory: u64, bytes_per_tile: u64) -> Self {
        let fit = memory.checked_div(bytes_per_tile).unwrap_or(1).max(1);
        let tiles = threads.min(usize::try_from(fit).unwrap_or(usize::MAX)).max(1);
        Self { tiles, threads: (threads / tiles).max(1) }
    }
}

impl Build {
    /// Goes on until the build is finished. What was done before is not done again.
    pub fn run(&self, workers: Workers, ctx: &Ctx) -> Result<()> {
        if self.is_finished() {
            return Ok(());
        }
        for (pass, told) in self.parts().passes().iter().enumerate() {
            if !self.is_merged(pass)? {
                ctx.stage(told.name, |c| self.pass(pass, workers, c))?;
                ctx.stage("merge", |c| self.merge(pass, c))?;
            }
        }
        for level in 1..self.store().levels() {
            ctx.stage("overviews", |c| self.overviews(level, workers, c))?;
        }
        self.finish()
    }

    /// The tiles of a pass that are not done.
    fn pass(&self, pass: usize, workers: Workers, ctx: &Ctx) -> Result<()> {
        let all = self.parts().tiles().count();
        each(&self.open_tiles(pass)?, all, workers, ctx, |k, c| self.tile(pass, k, c))
    }

    /// The tiles of an overview that are not there.
    fn overviews(&self, level: usize, workers: Workers, ctx: &Ctx) -> Result<()> {
        let (across, down) = self.store().tiles(level)?;
        let open = self.open_overviews(level)?;
        each(&open, across * down, workers, ctx, |k, c| self.overview(level, k, c))
    }
}

/// Calls `work` for every one of the `open` of `all` tiles, several at a time. After an error no other tile is begun.
fn each(
    open: &[usize],
    all: usize,
    workers: Workers,
    ctx: &Ctx,
    work: impl Fn(usize, &Ctx) -> Result<()> + Sync,
) -> Result<()> {
    if open.is_empty() {
        return Ok(());
    }
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(all - open.len()));
    ctx.tick(all - open.len(), all);
    let one = || -> Result<()> {
        while let Some(&k) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
            ctx.checkpoint()?;
            // The others go on with the tiles they have.
            work(k, &ctx.quiet()).inspect_err(|_| next.store(open.len(), Ordering::Relaxed))?;
            ctx.tick(done.fetch_add(1, Ordering::Relaxed) + 1, all);
        }
        Ok(())
    };
    #[cfg(not(feature = "parallel"))]
    return one();
    #[cfg(feature = "parallel")]
    {
        // A pool for each tile at a time: in one pool a thread that waits for its rows could begin another tile, and memory would not be
        // bounded.
        let pool = || rayon::ThreadPoolBuilder::new().num_threads(workers.threads).build();
        let pools: Vec<_> = (0..workers.tiles.min(open.len()).max(1))
            .map(|_| pool().map_err(|e| Error::Internal(e.to_string())))
            .collect::<Result<_>>()?;
        std::thread::scope(|scope| {
            let running: Vec<_> = pools.iter().map(|pool| scope.spawn(|| pool.install(one))).collect();
            let results: Vec<Result<()>> = running
                .into_iter()
                .map(|r| r.join().unwrap_or_else(|p| std::panic::resume_unwind(p)))
                .collect();
            results.into_iter().collect()
        })
    }
}
