//! The worlds, and what every world declares and offers.
//!
//! `world/NAME/` makes a world, `check/NAME/` checks it, `recipes/NAME*.toml` and `docs/NAME.md` describe it, and one line of
//! [`WORLDS`] registers it. Commands, recipes, golden hashes, benchmarks, gallery and documentation loop over that list.

pub mod city;
pub mod endless;
pub mod forest;
pub mod galaxy;
pub mod island;
pub mod parts;
mod phases;
pub(crate) mod placed;
pub mod planet;
pub mod realm;
mod relf;
pub mod runner;

pub use phases::Phases;

use crate::catalogue::explain::Explain;
use crate::catalogue::{Catalogue, LayerSpec, Rgb, Sampler};
use crate::error::{Error, Result};
use crate::params::ParamTree;
use crate::sink::Sink;
use crate::style::exports::Exports;
use crate::style::{Scene, Style, View};
use parts::Parts;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;
use weald_core::tiled::Tiles;
use weald_core::{Ctx, Grid, Seed};

/// All worlds. To add one, add its folder and one line here.
pub static WORLDS: &[&dyn World] = &[
    &forest::ForestWorld,
    &endless::EndlessWorld,
    &planet::PlanetWorld,
    &galaxy::GalaxyWorld,
    &city::CityWorld,
    &island::IslandWorld,
    &realm::RealmWorld,
];

/// The world called `name`.
pub fn find(name: &str) -> Option<&'static dyn World> {
    WORLDS.iter().copied().find(|w| w.info().name == name)
}

/// A kind of world that can be made.
pub trait World: Sync {
    /// What the world declares about itself.
    fn info(&self) -> &'static WorldInfo;

    /// The layers it makes, in order. Some are made only with certain parameters.
    fn layers(&self) -> Vec<LayerSpec>;

    /// The parameters with their defaults.
    fn params(&self) -> ParamTree;

    /// Turns the parameters into their types. This is the only place where they are validated.
    fn plan(&self, params: &ParamTree) -> Result<Box<dyn Plan>>;

    /// JSON schema of the world's own file.
    fn output_schema(&self) -> Value;

    /// Whether maps of another size than the world can be resampled to it. Otherwise they are refused.
    fn resamples_maps(&self) -> bool {
        true
    }

    /// Parameters that have another default for a map made elsewhere, with that default.
    fn defaults_for_maps(&self) -> &'static [(&'static str, i64)] {
        &[]
    }

    /// What is different about a map that is made in tiles; none if the world cannot be made so.
    fn in_tiles(&self) -> Option<&'static InTiles> {
        None
    }

    /// The value of the parameter `path` as it is kept in a recipe, from a text file given by a user.
    fn param_from_text(&self, _path: &str, text: &str) -> std::result::Result<Value, String> {
        Ok(text.trim_end().into())
    }

    /// The value of the parameter `path` as it is kept in a recipe, from a picture given by a user.
    fn param_from_picture(&self, path: &str, _picture: &Grid<Rgb>) -> std::result::Result<Value, String> {
        Err(format!("{path} cannot be read from a picture; give a text"))
    }
}

/// A world with valid parameters, ready to be made.
pub trait Plan: Send + Sync {
    /// About how much memory it takes, at most, to make, draw and write a map of that size.
    fn bytes_needed(&self, size: (usize, usize)) -> u64;

    /// Whether the world can have that size at all.
    fn check_size(&self, _size: (usize, usize)) -> Result<()> {
        Ok(())
    }

    /// How the numbers of the map called `name` are read, to be told to the user: "metres from -3 to 812". Heights from 0 to 1 are grey unless
    /// they are said to be `in_metres`.
    fn reads_map(&self, _name: &str, map: &Grid<f32>, in_metres: bool) -> String {
        map_values(map, in_metres)
    }

    /// Makes the world. Kept phases whose inputs did not change are not made again.
    fn make(&self, inputs: Inputs, phases: &mut Phases, ctx: &Ctx) -> Result<Catalogue>;

    /// The same map in tiles, if the world can be made so with these parameters.
    fn parts(&self, _seed: Seed, _tiles: Tiles) -> Result<Option<Box<dyn Parts>>> {
        Ok(None)
    }

    /// The world as a function of place, if it is one.
    fn sampler(&self, _seed: Seed) -> Result<Option<Arc<dyn Sampler>>> {
        Ok(None)
    }
}

/// What is different about a world that is made in tiles.
#[derive(Clone, Copy, Debug)]
pub struct InTiles {
    /// Parameters that have another value then, because what they ask for cannot be cut, and why.
    pub settings: &'static [(&'static str, i64, &'static str)],
}

/// What a world is made from, besides its parameters.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The seed.
    pub seed: Seed,
    /// Columns and rows.
    pub size: (usize, usize),
    /// The maps that were given, by name.
    pub maps: BTreeMap<String, Arc<Grid<f32>>>,
    /// Whether heights are metres above the sea although they lie between 0 and 1.
    pub in_metres: bool,
    /// Optional results to make, such as `worldmap`.
    pub with: Vec<String>,
}

impl Inputs {
    /// Whether the optional result called `name` was requested.
    pub fn wants(&self, name: &str) -> bool {
        self.with.iter().any(|w| w == name)
    }

    /// Takes the map called `name`.
    fn take_map(&mut self, name: &str) -> Option<Grid<f32>> {
        self.maps.remove(name).map(Arc::unwrap_or_clone)
    }
}

/// Heights as most worlds read them, in words: grey if all are between 0 and 1 and not said to be metres, else metres.
pub(crate) fn map_values(map: &Grid<f32>, in_metres: bool) -> String {
    let (low, high) =
        map.cells().iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)));
    match low >= 0.0 && high <= 1.0 && !in_metres {
        true => format!("grey from {low} to {high}"),
        false => format!("metres from {low} to {high}"),
    }
}

/// Fails unless the sides of the world are within `sides`, and those of its height map, if one is given, are the same.
pub(crate) fn validate_sides(
    (width, height): (usize, usize),
    sides: &RangeInclusive<usize>,
    map: Option<(usize, usize)>,
) -> Result<()> {
    if !sides.contains(&width) || !sides.contains(&height) {
        let (least, most) = (sides.start(), sides.end());
        let message = format!("size = {width}x{height}: both sides must be between {least} and {most}");
        return Err(Error::Invalid(message));
    }
    match map.filter(|map| *map != (width, height)) {
        None => Ok(()),
        Some((w, h)) => Err(Error::Shape(format!(
            "map height is {w}x{h} but the world is {width}x{height}; leave the size out to take that of the map"
        ))),
    }
}

/// What a world declares about itself.
#[derive(Clone, Copy, Debug)]
pub struct WorldInfo {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub about: &'static str,
    /// The seed when none is given.
    pub default_seed: u64,
    /// Columns and rows when none are given.
    pub default_size: (usize, usize),
    /// Whether the land has one extent, so that another size in cells is only another resolution.
    pub fixed_extent: bool,
    /// The unit of its coordinates.
    pub length_unit: &'static str,
    /// Maps of one's own that it takes. The first one decides the size of the world, and the others
    /// are used only together with it.
    pub maps: &'static [MapInput],
    /// What the place of `--at` is.
    pub at: Option<At>,
    /// The parameter that can be read from a text file, for `--placed`.
    pub placed: Option<&'static str>,
    /// Files that only this world has.
    pub files: &'static [FileSpec],
    /// Options of those files.
    pub options: &'static [FileOption],
    /// What it has for the formats of other programs.
    pub exports: Exports,
    /// The ways to draw it; the first one is `map.png`.
    pub views: &'static [View],
    /// How the tiles of a world without edges look ([`Sampler::tile`]).
    pub tiles: Option<TileLook>,
    /// Its view in three dimensions.
    pub scene: Scene,
    /// The layers that say most about a cell, the most important first, for a line about the cell under the pointer.
    pub key_layers: &'static [&'static str],
    /// Why its cells are what they are.
    pub explain: Explain,
    /// The phases in which it is made, in order.
    pub phases: &'static [PhaseInfo],
    /// The recipes that come with the program. The first one has the world's name and its defaults.
    pub recipes: &'static [BuiltInRecipe],
    /// Seeds and sizes for which golden hashes are kept, for every recipe.
    pub goldens: &'static [Case],
    /// Seeds and sizes that the end-to-end benchmark measures.
    pub benches: &'static [Case],
    /// Pictures of the documentation.
    pub gallery: &'static [GalleryPicture],
}

impl WorldInfo {
    /// The file called `name`.
    pub fn file(&self, name: &str) -> Option<&'static FileSpec> {
        self.files.iter().find(|f| f.name == name)
    }

    /// The view called `name`.
    pub fn view(&self, name: &str) -> Option<&'static View> {
        self.views.iter().find(|v| v.name == name)
    }
}

/// How the tiles of a world without edges look.
#[derive(Clone, Copy, Debug)]
pub struct TileLook {
    /// The style of a tile on a map.
    pub style: fn(&Catalogue) -> Style,
    /// Colours of the classes of the layer `surface` as one sees them outdoors.
    pub outdoors: &'static [(u8, Rgb)],
    /// Units of the layer `height` in a metre.
    pub height_units_per_m: f64,
    /// How far the world reaches to the east, north, west and south, in metres.
    pub reach_m: f64,
    /// Every tree of a tile at a step of 1 m.
    pub trees: fn(&Catalogue) -> Result<Vec<TreeAt>>,
}

/// A tree of a tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeAt {
    /// The whole place it belongs to: metres east and north.
    pub place: (i64, i64),
    /// Where it stands: metres east and north.
    pub at: (f64, f64),
    /// Which kind of tree.
    pub kind: u8,
}

/// A map of one's own that a world takes.
#[derive(Clone, Copy, Debug)]
pub struct MapInput {
    /// Its name in recipes and folders.
    pub name: &'static str,
    /// A longer name that is taken as well.
    pub alias: &'static str,
    /// What it is.
    pub about: &'static str,
    /// What its numbers may be.
    pub values: MapValues,
}

/// What the numbers of a map of one's own may be.
#[derive(Clone, Copy, Debug)]
pub enum MapValues {
    /// Shares from 0 to 1.
    Shares,
    /// Heights from 0 to 1. Metres are scaled to them, the lowest to 0 and the highest to 1.
    ScaledHeights,
    /// Heights as grey from 0 to 1 or in metres above the sea.
    Heights(HeightTerms),
}

/// The parameters of a world that say what the heights of a map of one's own mean.
#[derive(Clone, Copy, Debug)]
pub struct HeightTerms {
    /// How large the map is.
    pub extent: MapExtent,
    /// Where the sea is in grey values.
    pub sea: GreySea,
    /// The lowest and the highest height that it takes, in metres above the sea.
    pub range_m: (f32, f32),
    /// What grey values mean. A file beside the map that says it is not asked if one of them is set.
    pub grey: &'static [&'static str],
}

/// The parameter that holds how large a map is.
#[derive(Clone, Copy, Debug)]
pub enum MapExtent {
    /// The side of a cell in metres.
    Cell(&'static str),
    /// The width of the map in metres.
    Width(&'static str),
}

/// The parameter that holds the sea level of grey values.
#[derive(Clone, Copy, Debug)]
pub enum GreySea {
    /// As grey from 0 to 1.
    Share(&'static str),
    /// In metres above black, and the parameter that holds the metres of white.
    Metres(&'static str, &'static str),
}

/// What the place of `--at` is.
#[derive(Clone, Copy, Debug)]
pub enum At {
    /// The place of the window: it decides what is made.
    Window(WindowPlace),
    /// The centre of the picture: it decides what is drawn.
    Picture(PicturePlace),
}

impl At {
    /// Which place it is, and in which units.
    pub fn about(&self) -> &'static str {
        match self {
            At::Window(place) => place.about,
            At::Picture(place) => place.about,
        }
    }
}

/// The settings that hold the centre of the picture.
#[derive(Clone, Copy, Debug)]
pub struct PicturePlace {
    /// Names of the settings. A view that has only one of them is centred by that one.
    pub settings: [&'static str; 2],
    /// Which place of the picture it is.
    pub about: &'static str,
    /// The view of the map around the place, which `--radius` chooses, and its setting of half the side of the map.
    pub map: (&'static str, &'static str),
}

/// The parameters that hold the place of the window.
#[derive(Clone, Copy, Debug)]
pub struct WindowPlace {
    /// Paths of the parameters.
    pub params: [&'static str; 2],
    /// Path of the parameter of the third coordinate, in a world that has one.
    pub depth: Option<&'static str>,
    /// Which place of the window it is.
    pub about: &'static str,
}

/// Writes a file of a world from its catalogue.
pub type WriteFile = fn(&Catalogue, &[String], &mut Sink, &Ctx) -> Result<()>;

/// How a file of a world is made.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// Text in a format of its own.
    Text(WriteFile),
    /// 16-bit grey values.
    Grey16(fn(&Catalogue, &[String], &Ctx) -> Result<Grid<u16>>),
    /// A picture: the view of that name.
    View(&'static str),
}

/// A file that only one world has.
#[derive(Clone, Copy, Debug)]
pub struct FileSpec {
    /// Its name in the folder.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Whether it is written by default.
    pub by_default: bool,
    /// The optional result that it needs: see [`Inputs::with`].
    pub needs: Option<&'static str>,
    /// How it is made.
    pub content: Content,
}

/// An option of the files of a world.
#[derive(Clone, Copy, Debug)]
pub struct FileOption {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The optional result with which it is added automatically.
    pub comes_with: Option<&'static str>,
}

/// A phase: a part of a world that depends only on its parameters and on the phases before it.
#[derive(Clone, Copy, Debug)]
pub struct PhaseInfo {
    /// Its name.
    pub name: &'static str,
    /// What it makes, in one sentence.
    pub about: &'static str,
    /// The parameters that it reads, by path; a path stands for everything below it.
    pub params: &'static [&'static str],
}

/// A recipe that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct BuiltInRecipe {
    /// Its name.
    pub name: &'static str,
    /// The TOML file.
    pub toml: &'static str,
}

/// Lists recipes of `recipes/` by name.
macro_rules! recipes {
    ($($name:literal),* $(,)?) => {
        &[$($crate::world::BuiltInRecipe {
            name: $name,
            toml: include_str!(concat!("../../../../../recipes/", $name, ".toml")),
        }),*]
    };
}
pub(crate) use recipes;

/// The recipe that comes with the program under that name, and its world.
pub fn find_recipe(name: &str) -> Option<(&'static dyn World, &'static BuiltInRecipe)> {
    WORLDS.iter().find_map(|&w| Some((w, w.info().recipes.iter().find(|r| r.name == name)?)))
}

/// A seed and a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The seed.
    pub seed: u64,
    /// Columns and rows.
    pub size: (usize, usize),
}

impl Case {
    /// A seed and a size.
    pub const fn new(seed: u64, width: usize, height: usize) -> Self {
        Self { seed, size: (width, height) }
    }
}

/// A picture of the documentation, and the command that makes it.
#[derive(Clone, Copy, Debug)]
pub struct GalleryPicture {
    /// Its name in `docs/gallery`.
    pub name: &'static str,
    /// Which file of the folder it is.
    pub file: &'static str,
    /// The arguments of `weald`, without the output.
    pub args: &'static str,
}

impl GalleryPicture {
    /// The map of a folder.
    pub const fn map(name: &'static str, args: &'static str) -> Self {
        Self { name, file: "map.png", args }
    }
}

/// JSON schema of a collection of points, all of which have these properties and no other.
fn points_schema(title: &str, properties: Value) -> Value {
    let names: Vec<&String> = properties.as_object().into_iter().flat_map(Map::keys).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "type": "object",
        "required": ["type", "features"],
        "properties": {
            "type": {"const": "FeatureCollection"},
            "features": {"type": "array", "items": {
                "type": "object",
                "required": ["type", "id", "properties", "geometry"],
                "properties": {
                    "type": {"const": "Feature"},
                    "id": {"type": "integer", "minimum": 0},
                    "properties": {
                        "type": "object",
                        "required": names,
                        "additionalProperties": false,
                        "properties": properties,
                    },
                    "geometry": {"type": "object", "required": ["type", "coordinates"], "properties": {
                        "type": {"const": "Point"},
                        "coordinates": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
                    }},
                },
            }},
        },
    })
}
