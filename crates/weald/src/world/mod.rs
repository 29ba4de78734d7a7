//! The worlds, and what all of them offer to a shell.

pub mod city;
pub mod endless;
pub mod forest;
pub mod galaxy;
pub mod island;
pub mod planet;
mod relf;

use crate::error::Result;
use crate::export::Sink;
use crate::layer::Catalogue;
use crate::params::ParamTree;
use crate::recipe::Recipe;
use crate::render::Image;
use serde_json::Value;
use std::collections::BTreeMap;
use weald_core::{Ctx, Grid};

/// A kind of world that can be made.
pub trait World: Sync {
    /// As on the command line.
    fn name(&self) -> &'static str;
    /// In one sentence.
    fn about(&self) -> &'static str;
    /// The seed when none is asked for.
    fn default_seed(&self) -> u64 {
        1
    }
    /// Columns and rows when none are asked for.
    fn default_size(&self) -> (usize, usize);
    /// The unit of its coordinates.
    fn length_unit(&self) -> &'static str;
    /// Parameters with their defaults.
    fn params(&self) -> ParamTree;
    /// Maps that can be authored: (name, what it is). The first one decides the size of the world.
    fn map_names(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// Whether the parameters go together.
    fn check(&self, params: &ParamTree) -> Result<()>;
    /// About how much memory making and writing this world takes at the most.
    fn bytes_needed(&self, recipe: &Recipe) -> u64;
    /// Files that only this world has.
    fn own_files(&self) -> &'static [OwnFile];
    /// What can be added to those files on request: (name, what it is).
    fn extras(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// Names of the layers it makes.
    fn layer_names(&self) -> Vec<&'static str>;
    /// JSON schema of the world's own file.
    fn output_schema(&self) -> Value;
    /// Makes a world. `maps` holds the authored maps by name.
    fn make(&self, recipe: &Recipe, maps: BTreeMap<String, Grid<f32>>, ctx: &Ctx) -> Result<Box<dyn Made>>;
}

/// A world that was made.
pub trait Made: Send + Sync {
    /// Its layers, lines, points and figures.
    fn catalogue(&self) -> Catalogue<'_>;
    /// The picture of it that people look at, drawn from its catalogue alone.
    fn picture(&self, catalogue: &Catalogue, ctx: &Ctx) -> Result<Image>;
    /// Writes one of [`World::own_files`], with the named extras.
    fn write_own(&self, file: &OwnFile, extras: &[String], out: &mut Sink, ctx: &Ctx) -> Result<()>;
    /// The authored map of that name as it was given, if no layer holds it. Made from it, the world is the same.
    fn map(&self, _name: &str) -> Option<&Grid<f32>> {
        None
    }
    /// What somebody who uses the files must know, a line each: numbers to type into a game.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A file that only one world has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnFile {
    /// Its name in the folder.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Whether it is written when nothing is said.
    pub by_default: bool,
}

/// All worlds.
pub static WORLDS: &[&dyn World] = &[
    &forest::ForestWorld,
    &endless::EndlessWorld,
    &planet::PlanetWorld,
    &galaxy::GalaxyWorld,
    &city::CityWorld,
    &island::IslandWorld,
];

/// The world called `name`.
pub fn find(name: &str) -> Option<&'static dyn World> {
    WORLDS.iter().copied().find(|w| w.name() == name)
}
