//! The golden hashes: one line for each world, recipe, seed, size and layer, and for the world's own files. Worlds, recipes,
//! seeds and sizes are those of the registry. `tests/goldens/hashes.txt` holds what the hashes must be, natively with any
//! number of threads and in WASM.

use std::fmt::Write;
use std::path::Path;
use weald::core::Ctx;
use weald::job::hashes::promised_files;
use weald::world::{Case, WORLDS, WorldInfo};
use weald::{Job, Result};

/// All lines: `world recipe seed size name sha256`.
pub fn lines() -> Result<String> {
    let mut out = String::new();
    for info in WORLDS.iter().map(|w| w.info()) {
        for recipe in info.recipes {
            for case in info.goldens {
                for (name, hash) in hashes(info, recipe.name, case)? {
                    let (world, (width, height)) = (info.name, case.size);
                    let _ =
                        writeln!(out, "{world} {} {} {width}x{height} {name} {hash}", recipe.name, case.seed);
                }
            }
        }
    }
    Ok(out)
}

/// Name and hash of everything that one map promises.
fn hashes(info: &WorldInfo, recipe: &str, case: &Case) -> Result<Vec<(String, String)>> {
    let ctx = Ctx::default();
    let mut job = Job::new(info.name)?;
    job.merge_recipe(Path::new(recipe))?;
    let job = job.seed(case.seed).size(case.size);
    let job = promised_files(info).filter_map(|f| f.needs).fold(job, Job::with);
    job.run(&ctx)?.hashes(&ctx)
}
