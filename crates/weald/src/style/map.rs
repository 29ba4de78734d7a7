//! The style of a map, as data.

use crate::catalogue::{Catalogue, Feature, Rgb};
use weald_core::Seed;

/// How the map of a catalogue is drawn. Everything is named by layer and class value; what is absent is not drawn.
#[derive(Clone, Debug, Default)]
pub struct MapStyle {
    /// In large type above the map.
    pub title: String,
    /// In small type below the title.
    pub subtitle: String,
    /// Lines of small type at the foot of the legend.
    pub notes: Vec<String>,
    /// The height field.
    pub relief: Option<Relief>,
    /// The class layer that colours the ground. Without it the ground has the colours of its height.
    pub cover: Option<Cover>,
    /// Measures that tint the ground, in this order.
    pub tints: Vec<Tint>,
    /// Where trees stand.
    pub trees: Option<Trees>,
    /// Lakes, streams and marshes.
    pub water: Option<Water>,
    /// Lakes that a layer numbers, besides those of `water`.
    pub lakes: Option<Lakes>,
    /// The sea around the land.
    pub sea: Option<Sea>,
    /// Rivers that are lines, below the other lines.
    pub rivers: Option<Rivers>,
    /// Line sets, drawn in this order.
    pub lines: Vec<LineStyle>,
    /// Point sets, drawn above everything else. Earlier sets have the first choice of place.
    pub points: Vec<PointStyle>,
    /// Names, written where there is room for them. Earlier ones have the first choice of place.
    pub labels: Vec<LabelStyle>,
    /// Cells at the border that are faded towards the paper.
    pub margin_cells: usize,
    /// The unit of the coordinates and of the scale bar.
    pub unit: Unit,
    /// Pixels along the longer side of the map; at least 1200 without it.
    pub px: Option<usize>,
}

impl MapStyle {
    /// The map of land in metres: title, subtitle, and kilometres along its edges.
    pub(crate) fn of_land(title: &str, catalogue: &Catalogue) -> Self {
        let frame = &catalogue.frame;
        let (w, h, km) = (frame.width, frame.height, frame.cell_m / 1000.0);
        let (wide, high) = (w as f64 * frame.cell_m / 1000.0, h as f64 * frame.cell_m / 1000.0);
        Self {
            title: title.into(),
            subtitle: format!(
                "Seed {} \u{b7} {w} \u{d7} {h} cells \u{b7} {wide:.1} \u{d7} {high:.1} km",
                catalogue.seed
            ),
            unit: Unit { name: "km", per_cell: km },
            ..Self::default()
        }
    }
}

/// A unit of length on the map.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// Its name or sign, as written on the scale bar.
    pub name: &'static str,
    /// Length of the side of a cell in this unit.
    pub per_cell: f64,
}

impl Default for Unit {
    fn default() -> Self {
        Self { name: "cells", per_cell: 1.0 }
    }
}

/// Direction in which the written second coordinate grows. Catalogues always count southwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Northing {
    /// Southwards, as in the catalogue.
    #[default]
    Down,
    /// Northwards: the written value is the catalogue's with the opposite sign.
    Up,
}

/// Whether a sheet has a north arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum NorthArrow {
    /// North is up, on the whole map.
    #[default]
    Up,
    /// None: around a pole north has no one direction.
    None,
}

/// The height field and how strongly it is lit.
#[derive(Clone, Copy, Debug)]
pub struct Relief {
    /// Name of the layer, f32.
    pub layer: &'static str,
    /// Vertical exaggeration: factor of the heights; `None` to choose it so that the steepest tenth of the slopes is lit like
    /// 31°, whatever the land.
    pub z_factor: Option<f64>,
    /// Contours.
    pub contours: Contours,
}

/// Contours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contours {
    /// None.
    Off,
    /// A round interval that gives about twelve contours, from 3 pixels per cell on.
    Auto,
    /// A round interval that gives at most this many contours, at every scale.
    Most(u32),
    /// One at every multiple of this height.
    Every(f64),
}

/// The class layer that colours the ground.
#[derive(Clone, Debug)]
pub struct Cover {
    /// Name of the layer.
    pub layer: &'static str,
    /// Heading of its part of the legend.
    pub heading: &'static str,
    /// Its classes, in the order of the legend. Values that are not listed have the colours of class pictures.
    pub classes: Vec<CoverClass>,
}

/// How one class of ground looks.
#[derive(Clone, Debug)]
pub struct CoverClass {
    /// The value in the layer.
    pub value: u32,
    /// Name in the legend; `None` for the name of the class.
    pub label: Option<&'static str>,
    /// Colour of the ground.
    pub ground: Rgb,
    /// The trees that stand on it, chosen by weight.
    pub trees: Vec<Tree>,
}

/// One kind of tree, seen from above.
#[derive(Clone, Copy, Debug)]
pub struct Tree {
    /// Colour of the crown in average light.
    pub crown: Rgb,
    /// Radius of the crown as a share of the usual one.
    pub size: f32,
    /// Shape of the crown.
    pub shape: Crown,
    /// Weight among the kinds of its class.
    pub weight: f32,
}

/// The shape of a crown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crown {
    /// A dome.
    Round,
    /// A cone: lit and dark flank meet in a ridge.
    Pointed,
}

/// Where trees stand.
#[derive(Clone, Copy, Debug)]
pub struct Trees {
    /// Name of the layer of their density, f32, 0 to 1.
    pub density: &'static str,
    /// Seed of the position and variation of each tree.
    pub seed: Seed,
}

/// A measure that tints the ground: not at all at `low`, with `strength` of the colour at `high`.
#[derive(Clone, Copy, Debug)]
pub struct Tint {
    /// Name of the layer, f32.
    pub layer: &'static str,
    /// Value with no tint.
    pub low: f64,
    /// Value with the full tint; may be below `low`.
    pub high: f64,
    /// The colour.
    pub colour: Rgb,
    /// Share of the colour at `high`, 0 to 1.
    pub strength: f32,
}

/// The class layer of water.
#[derive(Clone, Debug)]
pub struct Water {
    /// Name of the layer.
    pub layer: &'static str,
    /// Values that are open water.
    pub lakes: Vec<u32>,
    /// Values that are running water.
    pub streams: Vec<u32>,
    /// Values that are wet ground.
    pub marshes: Vec<u32>,
    /// Name of the layer of flow directions (`Dir8`), along which stream cells are joined.
    pub flow: &'static str,
    /// Name of the layer of flow accumulation, by which streams grow wider.
    pub accumulation: &'static str,
}

/// A layer that numbers lakes: every value but 0 is open water.
#[derive(Clone, Copy, Debug)]
pub struct Lakes {
    /// Name of the layer.
    pub layer: &'static str,
    /// Name in the legend.
    pub label: &'static str,
}

/// The sea: where a layer of heights is below 0. It is tinted by its depth, and no relief of its floor is shown.
#[derive(Clone, Copy, Debug)]
pub struct Sea {
    /// Name of the layer of heights, f32.
    pub layer: &'static str,
    /// Name in the legend.
    pub label: &'static str,
    /// Colour where it is shallowest.
    pub shallow: Rgb,
    /// Colour where it is deepest.
    pub deep: Rgb,
    /// Depth contours between the least and the greatest depth.
    pub lines: Contours,
}

/// Rivers that are lines from source to mouth.
#[derive(Clone, Copy, Debug)]
pub struct Rivers {
    /// Name of the line set.
    pub set: &'static str,
    /// Name in the legend.
    pub label: &'static str,
    /// Name of the layer of flow accumulation: the width grows with its square root.
    pub load: &'static str,
    /// Name of the property that is the true width at the mouth, in metres.
    pub width: &'static str,
    /// Name of the property that lists the true width at every point, in metres, which goes before `load`.
    pub widths: Option<&'static str>,
    /// Stream order, by which rivers are wider and have separate legend entries; `None` for rivers that differ by their flow
    /// alone.
    pub order: Option<StreamOrder>,
}

/// The layers that tell the order of a river along its line.
#[derive(Clone, Copy, Debug)]
pub struct StreamOrder {
    /// Name of the layer of stream order.
    pub layer: &'static str,
    /// Name of the layer of flow directions, along which the cells of a river lie.
    pub flow: &'static str,
}

/// Features of a set that are meant: those whose property has one of these values.
#[derive(Clone, Copy, Debug)]
pub struct Only {
    /// Name of the property.
    pub property: &'static str,
    /// Its values, numbers as they are written.
    pub values: &'static [&'static str],
}

impl Only {
    /// Whether a feature is meant.
    pub fn has(&self, feature: &Feature) -> bool {
        feature.property(self.property).is_some_and(|value| match value.as_str() {
            Some(text) => self.values.contains(&text),
            None => self.values.contains(&value.to_string().as_str()),
        })
    }
}

/// How a set of lines is drawn.
#[derive(Clone, Copy, Debug)]
pub struct LineStyle {
    /// Name of the line set.
    pub set: &'static str,
    /// The lines that are meant; `None` for all.
    pub only: Option<Only>,
    /// Name in the legend, `""` for none.
    pub label: &'static str,
    /// Colour.
    pub colour: Rgb,
    /// Width in pixels on a sheet of usual size.
    pub width: f32,
    /// Length of dashes and gaps in pixels, `None` for a solid line.
    pub dash: Option<(f32, f32)>,
    /// Colour of the lighter line below it.
    pub casing: Option<Rgb>,
}

/// How a set of points is drawn.
#[derive(Clone, Copy, Debug)]
pub struct PointStyle {
    /// Name of the point set.
    pub set: &'static str,
    /// The points that are meant; `None` for all.
    pub only: Option<Only>,
    /// Name in the legend.
    pub label: &'static str,
    /// The symbol.
    pub mark: Mark,
    /// Colour of the symbol and of what is written beside it.
    pub colour: Rgb,
    /// What is written beside some of them.
    pub caption: Option<Caption>,
}

/// A small symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// An anchor.
    Anchor,
    /// A triangle.
    Peak,
    /// A star in a ring.
    Capital,
    /// A disc in a ring.
    City,
    /// A ring.
    Town,
    /// A disc.
    Village,
    /// A small disc.
    Hamlet,
}

/// How names are written.
#[derive(Clone, Copy, Debug)]
pub struct LabelStyle {
    /// Name of the point set or line set.
    pub set: &'static str,
    /// The features that are meant; `None` for all.
    pub only: Option<Only>,
    /// Name of the property that is written.
    pub property: &'static str,
    /// Size of the type in pixels on a sheet of usual size.
    pub size: f32,
    /// Colour.
    pub colour: Rgb,
    /// Thickness added to the strokes, as a share of the size.
    pub weight: f32,
    /// Space added between letters, as a share of the size.
    pub spacing: f32,
    /// Where it stands.
    pub place: LabelPlace,
    /// The ground on which all of it must stand; `None` for any.
    pub ground: Option<LabelGround>,
    /// What becomes of a name for which no place is free.
    pub crowded: Crowded,
}

/// A class of ground for names.
#[derive(Clone, Copy, Debug)]
pub struct LabelGround {
    /// Name of the class layer.
    pub layer: &'static str,
    /// The value of its class.
    pub value: u32,
}

/// What becomes of a name for which no place is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crowded {
    /// It is left out.
    LeaveOut,
    /// It may cover symbols, but no other name.
    CoverSymbols,
}

/// Where a name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelPlace {
    /// Beside the symbol of a point.
    Beside,
    /// Over a point.
    Over,
    /// Along a line.
    Along,
}

/// Numbers beside points, where there is room for them.
#[derive(Clone, Copy, Debug)]
pub struct Caption {
    /// Name of the property, a number, that is written without decimals. Points with larger numbers come first.
    pub property: &'static str,
    /// How many there are at most.
    pub most: usize,
}
