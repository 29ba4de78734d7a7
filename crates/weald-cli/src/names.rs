//! Names of worlds and recipes, for completions. Any other text is accepted here and refused later with a suggestion.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use std::ffi::OsStr;
use std::path::PathBuf;
use weald::world::WORLDS;

/// The name of a world.
#[derive(Clone)]
pub(crate) struct WorldName;

impl TypedValueParser for WorldName {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |w: &&dyn weald::world::World| PossibleValue::new(w.info().name).help(w.info().about);
        Some(Box::new(WORLDS.iter().map(value)))
    }
}

/// The name of a recipe that comes with the program, or a file.
#[derive(Clone)]
pub(crate) struct RecipeName;

impl TypedValueParser for RecipeName {
    type Value = PathBuf;

    fn parse_ref(&self, _: &Command, _: Option<&Arg>, value: &OsStr) -> Result<PathBuf, Error> {
        Ok(value.into())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = WORLDS.iter().flat_map(|w| w.info().recipes).map(|r| PossibleValue::new(r.name));
        Some(Box::new(names))
    }
}
