//! Jobs that are made in tiles.

use super::Job;
use crate::error::{Error, Result};
use crate::recipe::Recipe;
use crate::world::WORLDS;
use crate::world::parts::Parts;
use weald_core::Seed;
use weald_core::tiled::Tiles;

/// A world that is made in tiles.
pub struct InParts {
    /// The recipe of the same map as a whole: [`Job::run`] gives the same bits, if it fits into memory.
    pub recipe: Recipe,
    /// The world, cut into tiles.
    pub parts: Box<dyn Parts>,
    /// What is different from the recipe that was given, one line each.
    pub notes: Vec<String>,
}

impl Job {
    /// The world in tiles of `side` cells. Parameters that ask for what cannot be cut are changed, which the notes say.
    ///
    /// ```
    /// use weald::Job;
    /// let forest = Job::new("forest")?.size(1000).in_parts(256)?;
    /// assert_eq!(forest.parts.tiles().count(), 16);
    /// assert!(forest.notes[0].contains("game trails"));
    /// # Ok::<(), weald::Error>(())
    /// ```
    pub fn in_parts(&self, side: usize) -> Result<InParts> {
        let mut recipe = self.recipe.clone();
        let world = recipe.world;
        let whole = |why: &str| {
            let able: Vec<&str> =
                WORLDS.iter().filter(|w| w.in_tiles().is_some()).map(|w| w.info().name).collect();
            let message = format!(
                "{} cannot be made in tiles: {why}; those that can: {}",
                world.info().name,
                able.join(", ")
            );
            Err(Error::Invalid(message))
        };
        let Some(rules) = world.in_tiles() else { return whole("much of it reaches over the whole map") };
        if !self.maps.is_empty() || !recipe.maps.is_empty() {
            let message =
                "a map of one's own cannot be made in tiles; use weald derive, or leave the map out";
            return Err(Error::Invalid(message.into()));
        }
        let mut notes = Vec::new();
        for &(path, value, why) in rules.settings {
            if recipe.params.value(path).and_then(|v| v.as_i64()) != Some(value) {
                recipe.params.set(path, value.into(), "in tiles");
                notes.push(format!("{why}: {path} = {value}"));
            }
        }
        let (width, height) = recipe.size;
        if width == 0 || height == 0 || side == 0 {
            return Err(Error::Invalid(format!(
                "size = {width}x{height} in tiles of {side}: must be at least 1"
            )));
        }
        let plan = world.plan(&recipe.params)?;
        match plan.parts(Seed(recipe.seed), Tiles::new(width, height, side))? {
            Some(parts) => Ok(InParts { recipe, parts, notes }),
            None => whole("these parameters reach over the whole map"),
        }
    }
}
