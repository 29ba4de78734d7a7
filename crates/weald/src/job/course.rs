//! Courses of the endless world as a folder: the map with the course, and its controls and legs as tables.

use super::Output;
use super::export::entry;
use crate::error::{Error, Result};
use crate::export::atomic::{AtomicOutput, Existing, Form};
use crate::files;
use crate::recipe::Comments;
use crate::world::endless::Course;
use serde_json::{Value, json};
use std::path::Path;
use weald_core::Ctx;

impl Output {
    /// Writes map.png, course.csv, course.json, recipe.toml and manifest.json into a new folder, which appears whole or not at all.
    /// The catalogue must hold the points of the course for the map to show it.
    pub fn save_course(&self, folder: &Path, existing: Existing, course: &Course, ctx: &Ctx) -> Result<()> {
        let staged = AtomicOutput::new(folder, Form::Folder, existing)?;
        let picture = ctx.stage("map", |c| self.draw(&self.recipe.draw, c))?;
        let mut png = Vec::new();
        picture.write_png(&mut png).map_err(|e| Error::io("map.png", e))?;
        let recipe = super::folder::folder_recipe(&self.recipe).to_toml(Comments::Meaning);
        let all = [
            ("map.png", "The map with the course", png),
            ("course.csv", "Places, descriptions and legs as a table", course.to_csv().into_bytes()),
            (
                "course.json",
                "The same with the fastest routes",
                format!("{:#}\n", course.to_json()).into_bytes(),
            ),
            ("recipe.toml", "The recipe of the map", recipe.into_bytes()),
        ];
        let entries: Vec<Value> = all
            .iter()
            .map(|(name, about, _)| entry("", &((*name).to_owned(), (*about).to_owned())))
            .collect();
        let figures =
            json!({"length_m": course.length_m(), "climb_m": course.climb_m(), "seconds": course.seconds()});
        let manifest = json!({"weald": env!("CARGO_PKG_VERSION"), "course": figures, "files": entries});
        let manifest = ("manifest.json", "", format!("{manifest:#}\n").into_bytes());
        for (name, _, bytes) in all.iter().chain([&manifest]) {
            let path = staged.path().join(name);
            files::write(&path, bytes).map_err(|e| Error::io(&path, e))?;
        }
        ctx.checkpoint()?;
        staged.commit()
    }
}
