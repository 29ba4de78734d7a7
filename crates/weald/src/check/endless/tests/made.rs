//! Windows made by the generator: streams, roads and towns are too many to write by hand. This is the only file of the
//! checker that may use the generators.

use crate::export::folder::{self, Check, Choice, FolderPlan};
use crate::export::stage::Existing;
use crate::recipe::Recipe;
use crate::world;
use std::collections::BTreeMap;
use tempfile::TempDir;
use weald_core::Ctx;

/// Makes a window in the folder `w` of a temporary one, with `path=value` settings.
pub(super) fn folder(seed: u64, at: (i64, i64), size: (usize, usize), settings: &[&str]) -> TempDir {
    let world = world::find("endless").unwrap();
    let mut recipe = Recipe::new(world);
    recipe.set_seed(seed, "test");
    recipe.set_size(size, "test");
    recipe.params.set_text(&format!("at.x={}", at.0));
    recipe.params.set_text(&format!("at.y={}", at.1));
    settings.iter().for_each(|s| recipe.params.set_text(s));
    recipe.params.check().unwrap();
    let ctx = Ctx::default();
    let made = world.make(&recipe, BTreeMap::new(), &ctx).unwrap();
    let plan = FolderPlan {
        layers: Choice::All,
        images: Choice::none(),
        files: Vec::new(),
        extras: Vec::new(),
        check: Check::Skip,
        debug: None,
        seconds: None,
    };
    let dir = TempDir::new().unwrap();
    folder::write(&dir.path().join("w"), Existing::Keep, &recipe, &*made, &plan, &ctx).unwrap();
    dir
}
