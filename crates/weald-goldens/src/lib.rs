//! The golden hashes: one line for each world, recipe, seed, size and layer, and for the world's own files. Worlds, recipes,
//! seeds and sizes are those of the registry. `tests/goldens/hashes.txt` holds what the hashes must be, natively with any
//! number of threads and in WASM.

use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::Path;
use weald::core::Ctx;
use weald::export::geojson::{self, Geometry};
use weald::npy::{hex, sha256};
use weald::sink::Sink;
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

/// Name and hash of everything that one map promises: the world's own files, layers, lines, points and polygons.
fn hashes(info: &WorldInfo, recipe: &str, case: &Case) -> Result<Vec<(String, String)>> {
    let ctx = Ctx::default();
    // Pictures are outside the promise.
    let files = || info.files.iter().filter(|f| !f.name.ends_with(".png"));
    let mut job = Job::new(info.name)?;
    job.merge_recipe(Path::new(recipe))?;
    let job = job.seed(case.seed).size(case.size);
    let job = files().filter_map(|f| f.needs).fold(job, Job::with);
    let output = job.run(&ctx)?;
    let mut out = Vec::new();
    for file in files() {
        let mut hash = Hash(Sha256::new());
        output.write_file(file, &[], &mut Sink::new(file.name, &mut hash), &ctx)?;
        out.push((file.name.to_owned(), hex(&hash.0.finalize())));
    }
    let catalogue = &output.catalogue;
    out.extend(catalogue.layers.iter().map(|layer| (layer.name.to_owned(), sha256(&layer.cells()))));
    let lines = catalogue.lines.iter().map(|set| (set, Geometry::Lines));
    let points = catalogue.points.iter().map(|set| (set, Geometry::Points));
    let polygons = catalogue.polygons.iter().map(|set| (set, Geometry::Polygons));
    for (set, geometry) in lines.chain(points).chain(polygons) {
        let mut hash = Hash(Sha256::new());
        geojson::write(&mut hash, set, geometry, info.length_unit).expect("hashing does not fail");
        out.push((format!("{}.geojson", set.name), hex(&hash.0.finalize())));
    }
    Ok(out)
}

/// Hashes what is written to it.
struct Hash(Sha256);

impl std::io::Write for Hash {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What a page or Node calls.
#[cfg(target_arch = "wasm32")]
pub mod wasm {
    use std::sync::OnceLock;

    static LINES: OnceLock<String> = OnceLock::new();

    fn lines() -> &'static str {
        LINES.get_or_init(|| super::lines().unwrap_or_else(|e| format!("error: {e}")))
    }

    /// Where the lines stand in memory.
    #[unsafe(no_mangle)]
    pub extern "C" fn lines_start() -> *const u8 {
        lines().as_ptr()
    }

    /// How many bytes they are.
    #[unsafe(no_mangle)]
    pub extern "C" fn lines_length() -> usize {
        lines().len()
    }
}
