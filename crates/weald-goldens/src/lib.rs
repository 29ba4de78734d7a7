//! The golden hashes: one line for each world, recipe, seed, size and layer, and for the world's own files. `tests/goldens/hashes.txt` holds what they
//! must be, natively with any number of threads and in WASM.

use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::Path;
use weald::Result;
use weald::core::Ctx;
use weald::export::Sink;
use weald::export::folder::{hex, summary};
use weald::export::geojson::{self, Geometry};
use weald::recipe::Recipe;
use weald::world;

/// World, name of the recipe, its text.
const RECIPES: &[(&str, &str, &str)] = &[
    ("forest", "forest", include_str!("../../../recipes/forest.toml")),
    ("forest", "forest-rugged", include_str!("../../../recipes/forest-rugged.toml")),
    ("endless", "endless", include_str!("../../../recipes/endless.toml")),
    ("endless", "endless-islands", include_str!("../../../recipes/endless-islands.toml")),
    ("planet", "planet", include_str!("../../../recipes/planet.toml")),
    ("galaxy", "galaxy", include_str!("../../../recipes/galaxy.toml")),
    ("city", "city", include_str!("../../../recipes/city.toml")),
    ("city", "city-mountainous", include_str!("../../../recipes/city-mountainous.toml")),
    ("city", "city-valleys", include_str!("../../../recipes/city-valleys.toml")),
    ("city", "city-rolling", include_str!("../../../recipes/city-rolling.toml")),
    ("city", "city-literal", include_str!("../../../recipes/city-literal.toml")),
    ("island", "island", include_str!("../../../recipes/island.toml")),
    ("island", "archipelago", include_str!("../../../recipes/archipelago.toml")),
    ("island", "atoll", include_str!("../../../recipes/atoll.toml")),
    ("island", "continent", include_str!("../../../recipes/continent.toml")),
    ("island", "island-literal", include_str!("../../../recipes/island-literal.toml")),
];

/// Seeds and sizes of the recipes of a world.
fn cases(kind: &str) -> &'static [(u64, (usize, usize))] {
    match kind {
        "endless" => &[(0, (200, 150)), (42, (97, 61)), (u64::MAX, (33, 200))],
        "planet" => &[(0, (64, 64)), (42, (33, 33))],
        "city" => &[(1, (256, 256)), (42, (320, 256)), (u64::MAX, (256, 264))],
        "island" => &[(1, (128, 128)), (42, (200, 150)), (7, (256, 256)), (u64::MAX, (61, 240))],
        "galaxy" => &[(0, (160, 120)), (42, (97, 61)), (u64::MAX, (33, 200))],
        _ => &[(1, (64, 64)), (42, (97, 61)), (42, (256, 256)), (u64::MAX, (33, 200))],
    }
}

/// All lines: `world recipe seed size layer sha256`.
pub fn lines() -> Result<String> {
    let mut out = String::new();
    for &(kind, name, text) in RECIPES {
        let world = world::find(kind).expect("a golden world exists");
        for &(seed, size) in cases(kind) {
            let mut recipe = Recipe::new(world);
            recipe.merge_toml(text, Path::new(name))?;
            recipe.set_seed(seed, "golden");
            recipe.set_size(size, "golden");
            let made = world.make(&recipe, Default::default(), &Ctx::default())?;
            // Pictures are outside the promise.
            for file in world.own_files().iter().filter(|f| !f.name.ends_with(".png")) {
                let mut hash = Hash(Sha256::new());
                made.write_own(file, &[], &mut Sink::new(file.name, &mut hash), &Ctx::default())?;
                let hash = hex(&hash.0.finalize());
                let _ = writeln!(out, "{kind} {name} {seed} {}x{} {} {hash}", size.0, size.1, file.name);
            }
            let catalogue = made.catalogue();
            for layer in &catalogue.layers {
                let (_, _, hash) = summary(layer, &Ctx::default())?;
                let _ = writeln!(out, "{kind} {name} {seed} {}x{} {} {hash}", size.0, size.1, layer.name);
            }
            let lines = catalogue.lines.iter().map(|set| (set, Geometry::Lines));
            for (set, geometry) in lines.chain(catalogue.points.iter().map(|set| (set, Geometry::Points))) {
                let mut hash = Hash(Sha256::new());
                geojson::write(&mut hash, set, geometry, world.length_unit()).expect("hashing does not fail");
                let hash = hex(&hash.0.finalize());
                let _ =
                    writeln!(out, "{kind} {name} {seed} {}x{} {}.geojson {hash}", size.0, size.1, set.name);
            }
        }
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
