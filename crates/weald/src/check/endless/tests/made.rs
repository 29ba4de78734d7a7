//! Windows made by the generator: streams, roads and towns are too many to write by hand. This is the only file of the
//! checker that may use the generators.

use crate::Job;
use crate::export::atomic::Existing;
use crate::job::folder::FolderPlan;
use tempfile::TempDir;
use weald_core::Ctx;

/// Makes a window in the folder `w` of a temporary one, with `path=value` settings.
pub(super) fn folder(seed: u64, at: (i64, i64), size: (usize, usize), settings: &[&str]) -> TempDir {
    let mut job = Job::new("endless").unwrap().seed(seed).size(size);
    job.set_place(at, "test").unwrap();
    settings.iter().for_each(|s| job.recipe_mut().params.set_text(s));
    let output = job.run(&Ctx::default()).unwrap();
    let dir = TempDir::new().unwrap();
    output.save(&dir.path().join("w"), Existing::Keep, &FolderPlan::new(&[]), &Ctx::default()).unwrap();
    dir
}
