//! How catalogues are drawn, as data: views and styles. Nothing here draws; [`crate::render`] does.

pub mod chart;
pub mod exports;
pub mod map;
pub mod orienteer;
pub mod scene;
pub mod tiles;

pub use chart::ChartStyle;
pub use map::MapStyle;
pub use orienteer::OrienteerStyle;
pub use scene::Scene;

use crate::catalogue::{Catalogue, Rgb};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use weald_core::Ctx;

/// A way to draw the catalogues of a world.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// As on the command line.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// Layers it needs.
    pub layers: &'static [&'static str],
    /// What can be set.
    pub settings: &'static [Setting],
    /// The style for a catalogue.
    pub style: fn(&Catalogue, &Settings) -> Style,
}

/// A number that can be set for a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// As on the command line.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Its unit, `""` for none.
    pub unit: &'static str,
    /// Its default.
    pub default: f64,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// Whether only whole numbers are allowed.
    pub whole: bool,
}

/// The settings of a view, all of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings(BTreeMap<&'static str, f64>);

impl Settings {
    /// The value of the setting called `name`.
    ///
    /// # Panics
    /// If the view has no such setting.
    pub fn get(&self, name: &str) -> f64 {
        self.0[name]
    }
}

/// Options of drawing. They do not change the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawOptions {
    /// Name of the view; `None` for the world's first one.
    pub view: Option<String>,
    /// Pixels along the longer side of the map within the picture; `None` to let the view choose.
    pub px: Option<usize>,
    /// Settings of the view, by name.
    pub settings: BTreeMap<String, f64>,
}

/// Pixels that a picture may have along its longer side.
pub const PX: std::ops::RangeInclusive<usize> = 64..=8192;

impl DrawOptions {
    /// The chosen view of those a world has.
    pub fn choose(&self, views: &'static [View]) -> Result<&'static View> {
        let names = || views.iter().map(|v| v.name).collect::<Vec<_>>().join(", ");
        if let Some(px) = self.px.filter(|px| !PX.contains(px)) {
            let (least, most) = (PX.start(), PX.end());
            return Err(Error::Invalid(format!(
                "--px {px}: must be between {least} and {most} pixels; for a larger picture draw several windows"
            )));
        }
        match &self.view {
            None => views.first().ok_or_else(|| Error::Internal("a world has no view".into())),
            Some(name) => views.iter().find(|v| v.name == name).ok_or_else(|| {
                Error::Invalid(format!("--view {name}: this world has no such view; use {}", names()))
            }),
        }
    }

    /// The same for another view: the settings that it has are kept.
    pub fn for_view(&self, name: &str, views: &[View]) -> Self {
        let known = |setting: &str| {
            views.iter().any(|v| v.name == name && v.settings.iter().any(|s| s.name == setting))
        };
        let settings = self.settings.iter().filter(|(s, _)| known(s)).map(|(s, v)| (s.clone(), *v)).collect();
        Self { view: Some(name.into()), px: self.px, settings }
    }

    /// Whether all options are the defaults.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The settings of `view`, all in their ranges.
    pub fn settings(&self, view: &View) -> Result<Settings> {
        for (name, value) in &self.settings {
            let Some(setting) = view.settings.iter().find(|s| s.name == name) else {
                let known: Vec<&str> = view.settings.iter().map(|s| s.name).collect();
                let use_ = if known.is_empty() {
                    "it has no settings".to_owned()
                } else {
                    format!("use {}", known.join(", "))
                };
                let message = format!("the view {} has no such setting; {use_}", view.name);
                return Err(Error::Invalid(format!("--draw {name}: {message}")));
            };
            if !(setting.min..=setting.max).contains(value) || (setting.whole && value.fract() != 0.0) {
                let kind = if setting.whole { "a whole number " } else { "" };
                let range = format!("must be {kind}between {} and {}", setting.min, setting.max);
                return Err(Error::Invalid(format!("--draw {name}={value}: {range}")));
            }
        }
        let value = |s: &Setting| (s.name, self.settings.get(s.name).copied().unwrap_or(s.default));
        Ok(Settings(view.settings.iter().map(value).collect()))
    }
}

/// How a catalogue is drawn.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Style {
    /// A map with relief, cover, water, lines and points on a sheet.
    Map(MapStyle),
    /// Only the water and the contours of a map, on a transparent background, one pixel per cell.
    Overlay(MapStyle),
    /// An orienteering map on a sheet.
    Orienteering(OrienteerStyle),
    /// Floating land, seen from the side.
    Floating(FloatingStyle),
    /// A planet.
    Globe(GlobeStyle),
    /// A block of space, seen along z.
    Stars(StarsStyle),
    /// Classes of ground in even light, one pixel per cell. No pixel depends on more than its neighbours, so that tiles join without a
    /// seam.
    Shaded(ShadedStyle),
    /// Another catalogue that is first made from this one, such as the map around a place.
    Derived(DerivedStyle),
}

/// How a catalogue is drawn that is first made from another one.
#[derive(Clone, Debug)]
pub struct DerivedStyle {
    /// The settings of the view.
    pub settings: Settings,
    /// Makes the catalogue to draw.
    pub make: fn(&Catalogue, &Settings, &Ctx) -> Result<Catalogue>,
    /// The style for it.
    pub style: fn(&Catalogue, &Settings) -> Style,
}

/// How ground is shaded, one pixel per cell.
#[derive(Clone, Debug)]
pub struct ShadedStyle {
    /// Layer of heights, f32.
    pub height: &'static str,
    /// Factor of the heights.
    pub z_factor: f64,
    /// Class layer that colours the ground.
    pub cover: &'static str,
    /// Colours of its classes; others have the colours of class pictures.
    pub classes: Vec<(u32, Rgb)>,
    /// A layer of 0 and 1 drawn over the ground: snow, and its colour.
    pub veil: Option<(&'static str, Rgb)>,
}

/// How floating land is drawn.
#[derive(Clone, Debug, Default)]
pub struct FloatingStyle {
    /// In large type above the land.
    pub title: String,
    /// In small type below the title.
    pub subtitle: String,
    /// Layer of the height of the ground, f32.
    pub top: &'static str,
    /// Layer of the height of the underside, f32. Where it equals the ground there is nothing.
    pub underside: &'static str,
    /// Layer of classes that colours the ground.
    pub cover: &'static str,
    /// Colours of its classes.
    pub classes: Vec<(u32, Rgb)>,
    /// Colour of walls and undersides.
    pub rock: Rgb,
    /// Cells that a unit of height is drawn high.
    pub rise: f64,
    /// Buildings on the ground.
    pub buildings: Option<FloatingBuildings>,
    /// Trees on the ground.
    pub trees: Option<FloatingTrees>,
}

/// How buildings stand on floating land.
#[derive(Clone, Debug)]
pub struct FloatingBuildings {
    /// Layer of their height, f32, 0 where there is none.
    pub layer: &'static str,
    /// Cells that a unit of height is drawn high.
    pub rise: f64,
    /// Colour of roofs.
    pub roof: Rgb,
    /// Colour of walls.
    pub wall: Rgb,
}

/// How trees stand on floating land.
#[derive(Clone, Debug)]
pub struct FloatingTrees {
    /// Layer of kinds.
    pub layer: &'static str,
    /// Kinds with their colour and their height in cells; other values are no trees.
    pub kinds: Vec<(u32, Rgb, f64)>,
}

/// A longitude above −180° up to 180°.
pub(crate) fn turned(lon: f64) -> f64 {
    let east = lon.rem_euclid(360.0);
    if east > 180.0 { east - 360.0 } else { east }
}

/// How a planet is drawn. The catalogue must carry a sampler.
#[derive(Clone, Debug)]
pub struct GlobeStyle {
    /// What is drawn.
    pub projection: Projection,
    /// Latitude and longitude of the centre in degrees, north and east positive.
    pub centre: (f64, f64),
    /// In large type above the sheet.
    pub title: String,
    /// In small type below the title.
    pub subtitle: String,
    /// Radius of the sphere in metres.
    pub radius_m: f64,
    /// Height of the water.
    pub sea_level: f64,
    /// Ground above this is white.
    pub snow_line: f64,
    /// The code of water.
    pub water: u8,
    /// The kinds of ground, in the order of the legend.
    pub ground: Vec<GlobeClass>,
    /// Names, colours and numbers of the features.
    pub features: Vec<(String, Rgb, u64)>,
    /// The highest ground or water of any cell, and the greatest depth.
    pub extremes: (f64, f64),
    /// Cells along a side of a face.
    pub side: usize,
    /// Width in pixels: of the two globes of the sheet with the gap between them, of the equirectangular map, or of the square
    /// around one globe.
    pub px: usize,
}

/// A kind of ground on a planet.
#[derive(Clone, Debug, PartialEq)]
pub struct GlobeClass {
    /// Its code.
    pub value: u8,
    /// Its colour.
    pub colour: Rgb,
    /// Its name in the legend.
    pub label: String,
    /// Its share of the sphere.
    pub share: f64,
}

/// How a sphere is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Projection {
    /// The globe from two opposite sides, with a legend.
    Sheet,
    /// All longitudes and latitudes, north up.
    Equirectangular,
    /// The globe, seen from far above the centre.
    Orthographic,
}

/// How a block of space is drawn.
#[derive(Clone, Debug)]
pub struct StarsStyle {
    /// In large type above the picture.
    pub title: String,
    /// In small type below the title.
    pub subtitle: String,
    /// x of the first column, y of the first row, z of the nearest layer, in light years.
    pub corner: [i64; 3],
    /// Depth of the block in light years.
    pub depth_ly: u32,
    /// Layers of gas: the nearest, middle and furthest third of the depth, and their sum.
    pub gas: [&'static str; 4],
    /// The point set of stars, with the properties x, y, magnitude and colour.
    pub stars: &'static str,
    /// The least magnitude, and the range of magnitudes in seven steps.
    pub magnitudes: (f64, f64),
    /// What is known of the block as a whole.
    pub figures: StarFigures,
}

/// Figures of a block of space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StarFigures {
    /// Stars in the block.
    pub stars: u64,
    /// Stars per cubic light year, as found.
    pub density: f64,
    /// Stars per cubic light year, as expected.
    pub expected: f64,
    /// Distance of the nearest visible star in light years, and the number of its planets.
    pub nearest: Option<(f64, u64)>,
}
