//! Phases that are kept from one run to the next, so that a caller can continue from the first one that changed.

use crate::error::Result;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;
use weald_core::Cells;

/// The phases of a world as they are made, and those of the run before if they are kept.
///
/// A phase is identified by its name and by a key: everything it was made from, and the keys of the phases before it. A kept
/// phase with the same key is taken over; the result has the same bits.
///
/// ```
/// use weald::{Job, core::Ctx, world::Phases};
/// let mut phases = Phases::keeping();
/// let job = Job::new("forest")?.size(64);
/// job.run_from(&mut phases, &Ctx::default())?;
/// // Only trails and navigation are made again.
/// job.set("game_trails.seed_tiles_per_trail", 200)?.run_from(&mut phases, &Ctx::default())?;
/// assert_eq!(phases.taken_over(), ["land", "water", "cover"]);
/// # Ok::<(), weald::Error>(())
/// ```
#[derive(Default)]
pub struct Phases {
    keep: bool,
    kept: BTreeMap<&'static str, Kept>,
    key: Key,
    taken_over: Vec<&'static str>,
}

type Key = [u8; 32];

struct Kept {
    key: Key,
    value: Arc<dyn Any + Send + Sync>,
}

impl Phases {
    /// For one run: nothing is kept.
    pub fn once() -> Self {
        Self::default()
    }

    /// For many runs: the phases of each run are kept for the next one.
    pub fn keeping() -> Self {
        Self { keep: true, ..Self::default() }
    }

    /// The phases that the last run took over, in order.
    pub fn taken_over(&self) -> &[&'static str] {
        &self.taken_over
    }

    /// Begins a run with what all phases depend on.
    pub(crate) fn begin(&mut self, key: &impl Serialize) {
        self.taken_over.clear();
        self.key = Key::default();
        self.key = self.next_key("", key);
    }

    /// A phase: taken over if nothing it was made from has changed, else made by `make`.
    pub(crate) fn phase<T: Send + Sync + 'static>(
        &mut self,
        name: &'static str,
        key: &impl Serialize,
        make: impl FnOnce() -> Result<T>,
    ) -> Result<Arc<T>> {
        if !self.keep {
            return make().map(Arc::new);
        }
        self.key = self.next_key(name, key);
        if let Some(kept) = self.kept.get(name).filter(|k| k.key == self.key)
            && let Ok(value) = Arc::clone(&kept.value).downcast::<T>()
        {
            self.taken_over.push(name);
            return Ok(value);
        }
        let value = Arc::new(make()?);
        self.kept.insert(name, Kept { key: self.key, value: value.clone() });
        Ok(value)
    }

    fn next_key(&self, name: &str, key: &impl Serialize) -> Key {
        if !self.keep {
            return self.key;
        }
        let mut hash = Sha256::new();
        hash.update(self.key);
        hash.update(name);
        hash.update(serde_json::to_vec(key).expect("parameters are plain data"));
        hash.finalize().into()
    }

    /// A fingerprint of the cells of a map, for keys.
    pub(crate) fn fingerprint(&self, map: Option<Cells>) -> Option<String> {
        map.filter(|_| self.keep).map(|map| crate::npy::sha256(&map))
    }
}
