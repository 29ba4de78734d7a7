//! The city as one of the worlds.

use super::params::CityParams;
use super::{City, generate, style};
use crate::error::{Error, Result};
use crate::export::Sink;
use crate::export::heightmap::{self, About, Scale, Seam, WorldMap};
use crate::layer::{Catalogue, Data};
use crate::params::ParamTree;
use crate::recipe::Recipe;
use crate::render::{self, Image};
use crate::world::{Made, OwnFile, World};
use serde_json::Value;
use std::collections::BTreeMap;
use weald_core::{Ctx, Frame, Grid, Seed};

/// The city.
pub struct CityWorld;

/// Bytes a cell takes in memory at the most while a map is made, drawn and written.
const BYTES_PER_CELL: u64 = 90;

impl World for CityWorld {
    fn name(&self) -> &'static str {
        "city"
    }

    fn about(&self) -> &'static str {
        "A heightmap for city builders: eroded land with a share of buildable ground that you ask for."
    }

    fn default_size(&self) -> (usize, usize) {
        (1024, 1024)
    }

    fn length_unit(&self) -> &'static str {
        "m"
    }

    fn params(&self) -> ParamTree {
        ParamTree::of::<CityParams>()
    }

    fn map_names(&self) -> &'static [(&'static str, &'static str)] {
        &[("h", "heights")]
    }

    fn check(&self, params: &ParamTree) -> Result<()> {
        params.finish::<CityParams>().map(drop)
    }

    fn bytes_needed(&self, recipe: &Recipe) -> u64 {
        recipe.cells().saturating_mul(BYTES_PER_CELL)
    }

    fn own_files(&self) -> &'static [OwnFile] {
        const fn file(name: &'static str, about: &'static str, by_default: bool) -> OwnFile {
            OwnFile { name, about, by_default }
        }
        const FILES: &[OwnFile] = &[
            file("heightmap.png", "heights as 16-bit grey, for the game", true),
            file("heightmap.terrain.json", "what the grey of heightmap.png means", true),
            file("worldmap.png", "the land around, four times as wide, as 16-bit grey", false),
            file("worldmap.terrain.json", "what the grey of worldmap.png means", false),
            file("overlay.png", "rivers, lakes and contour lines on nothing, to lay over the map", false),
        ];
        FILES
    }

    fn extras(&self) -> &'static [(&'static str, &'static str)] {
        &[(WITH_WORLD, "heightmap.png ends at its border in what worldmap.png shows there")]
    }

    fn layer_names(&self) -> Vec<&'static str> {
        super::catalogue::LAYERS.to_vec()
    }

    fn output_schema(&self) -> Value {
        heightmap::sidecar_schema()
    }

    fn make(
        &self,
        recipe: &Recipe,
        mut maps: BTreeMap<String, Grid<f32>>,
        ctx: &Ctx,
    ) -> Result<Box<dyn Made>> {
        let params: CityParams = recipe.params.finish()?;
        let authored = maps.remove("h").map(|map| in_metres(map, &params));
        Ok(Box::new(generate(recipe.size, authored, Seed(recipe.seed), &params, ctx)?))
    }
}

/// Grey values, which are 0 to 1, become metres above the sea; what goes beyond is in metres already.
fn in_metres(mut map: Grid<f32>, p: &CityParams) -> Grid<f32> {
    if map.cells().iter().all(|v| (0.0..=1.0).contains(v)) {
        let (scale, sea) = (p.map.height_scale_m, p.map.sea_level_m);
        map.cells_mut().iter_mut().for_each(|v| *v = (*v as f64 * scale - sea) as f32);
    }
    map
}

impl City {
    /// How heights become grey.
    fn scale(&self) -> Scale {
        let map = &self.params.map;
        Scale { sea_level_m: map.sea_level_m, height_scale_m: map.height_scale_m }
    }

    /// The heights of a heightmap and where they lie. The map that goes with a world map is changed near its border.
    fn heights(&self, file: &str, extras: &[String], ctx: &Ctx) -> Result<(&Grid<f32>, Frame)> {
        let alone = file == "heightmap" && !extras.iter().any(|e| e == WITH_WORLD);
        if alone {
            return Ok((&self.eroded.height, self.frame));
        }
        let (joined, around) = self.joined(ctx)?;
        Ok(if file == "heightmap" { (&joined.playable, self.frame) } else { (&joined.world, *around) })
    }

    /// The map joined with the land around it, and where that lies. Made when it is asked for first.
    fn joined(&self, ctx: &Ctx) -> Result<&(WorldMap, Frame)> {
        if self.joined.get().is_none() {
            let (around, frame) = self.surroundings(ctx)?;
            let seam = Seam::of(self.frame.cell_m);
            let joined = heightmap::world_map(&self.eroded.height, &around, &seam, ctx)?;
            // Whoever comes second made the same.
            let _ = self.joined.set((joined, frame));
        }
        self.joined.get().ok_or_else(|| Error::Internal("the joined map was not kept".into()))
    }
}

/// The extra by which heightmap.png is made to fit worldmap.png.
const WITH_WORLD: &str = "seam";

impl Made for City {
    fn catalogue(&self) -> Catalogue<'_> {
        City::catalogue(self)
    }

    fn picture(&self, catalogue: &Catalogue, ctx: &Ctx) -> Result<Image> {
        render::map(catalogue, &style::map_style(self), ctx)
    }

    fn write_own(&self, file: &OwnFile, extras: &[String], out: &mut Sink, ctx: &Ctx) -> Result<()> {
        if file.name == "overlay.png" {
            let film = render::overlay(&self.catalogue(), &style::map_style(self), ctx)?;
            return out.with(|w| film.write_png(w));
        }
        let (name, ending) = file.name.split_once('.').unwrap_or((file.name, ""));
        let (height, frame) = self.heights(name, extras, ctx)?;
        let (values, limited) = self.scale().values(height, ctx)?;
        if ending == "png" {
            return out.with(|w| heightmap::write_png(w, &values));
        }
        let params = serde_json::to_value(&self.params).map_err(|e| Error::Internal(e.to_string()))?;
        let picture = format!("{name}.png");
        let about =
            About { file: &picture, frame, scale: self.scale(), seed: self.seed.0, params: &params, limited };
        out.write(format!("{:#}\n", heightmap::sidecar(&values, &about)).as_bytes())
    }

    fn notes(&self) -> Vec<String> {
        let (map, f) = (&self.params.map, &self.figures);
        let mut notes = vec![
            format!(
                "buildable: {:.1} % before erosion, {:.1} % after it",
                100.0 * f.buildable_after_ridges,
                100.0 * f.buildable
            ),
            format!("height scale to type into the game: {}", map.height_scale_m),
            format!("sea level in the game: {} m; heights are above it", map.sea_level_m),
        ];
        let (low, high) = Data::F32(&self.eroded.height).min_max();
        if low + map.sea_level_m < 0.0 {
            notes.push("the lowest ground is cut off; raise map.lowest_m or map.sea_level_m".into());
        }
        if high + map.sea_level_m > map.height_scale_m {
            let needed = (high + map.sea_level_m).ceil();
            notes.push(format!(
                "the highest ground is cut off at this height scale; set map.height_scale_m={needed} or more"
            ));
        }
        if (self.frame.width, self.frame.height) != (4096, 4096) {
            notes.push("Cities: Skylines II takes 4096x4096 only: add --size 4096 for it".into());
        }
        notes
    }
}
