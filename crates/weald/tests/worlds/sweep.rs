//! What the sweeps over many seeds share.

use std::path::Path;
use weald::params::Params;
use weald::recipe::Recipe;
use weald::world::World;

/// The parameters of a recipe that comes with the program.
pub(crate) fn recipe<P: Params>(world: &'static dyn World, name: &str) -> P {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../recipes/{name}.toml"));
    let mut recipe = Recipe::new(world);
    recipe.merge_toml(&std::fs::read_to_string(&path).unwrap(), &path).unwrap();
    recipe.params.finish().unwrap()
}

/// Fails in a build that would take too long.
pub(crate) fn only_for_release() {
    if cfg!(debug_assertions) {
        panic!("this takes too long without --release");
    }
}

/// Prints a list of what was found on which map.
pub(crate) fn print_list(title: &str, list: &[(String, String)]) {
    println!("\n{title}: {}", list.len());
    if !list.is_empty() {
        println!("\n| map | found |\n| --- | --- |");
    }
    list.iter().for_each(|(map, found)| println!("| {map} | {found} |"));
}
