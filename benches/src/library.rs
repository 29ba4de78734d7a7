//! Whole worlds by the library alone, for shells to be compared with.

use crate::{best_of, on_threads};
use weald::Job;
use weald::core::Ctx;

/// Worlds that shells make beside the library, and the cells along their side.
const WORLDS: [&str; 3] = ["island", "forest", "city"];
const SIDE: usize = 1024;

/// Prints world, side and seconds of the fastest run on all cores, without drawing and writing.
pub(crate) fn print() {
    for world in WORLDS {
        let job = Job::new(world).expect("the world exists").seed(7).size(SIDE);
        let run = || job.run(&Ctx::default()).expect("the defaults work");
        println!("{world} {SIDE} {}", on_threads(0, || best_of(3, run)));
    }
}
