//! How a map of tiles is drawn with a tileset, as data: which layers there are, and what the tiles of their values look like.
//!
//! Colours are those of the classes of the layers. [`crate::export`] draws the tileset and writes the map.

use crate::catalogue::Rgb;

/// A map of tiles. Its layers, from bottom to top: terrain, edges, transitions, shores, cover, the links, crossings, settlements, and the
/// labels.
#[derive(Clone, Copy, Debug)]
pub struct TileMap {
    /// The ground.
    pub ground: GroundTiles,
    /// What lies along the borders of the ground.
    pub transitions: Option<TransitionTiles>,
    /// Lines from tile to tile, from bottom to top.
    pub links: &'static [LinkTiles],
    /// What is drawn where two lines cross.
    pub crossings: Option<CrossingTiles>,
    /// Houses.
    pub footprints: Option<FootprintTiles>,
    /// Points with names.
    pub labels: &'static [LabelSet],
}

/// The ground of every tile.
#[derive(Clone, Copy, Debug)]
pub struct GroundTiles {
    /// The layer of classes.
    pub layer: &'static str,
    /// Its classes. At a border, the ground of a later class laps over that of an earlier one.
    pub classes: &'static [GroundClass],
}

/// What the tiles of a class of ground look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroundClass {
    /// The value of the class.
    pub value: u8,
    /// Its texture.
    pub ground: Ground,
    /// What stands on it.
    pub cover: Option<Cover>,
}

/// A texture of the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Water, with waves. It laps over all land.
    Water,
    /// Blades of grass.
    Grass,
    /// The floor of a forest.
    Leaves,
    /// Puddles and moss.
    Marsh,
    /// Cracked rock.
    Rock,
    /// Rippled sand.
    Sand,
    /// Lichen and spots of snow.
    Frost,
}

/// What stands on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// Spruces.
    Conifers,
    /// Round trees.
    Broadleaves,
    /// Palms and round trees.
    Palms,
    /// Tufts of grass, and flowers.
    Tufts,
    /// Reeds.
    Reeds,
    /// Summits with snow.
    Peaks,
    /// Low hills.
    Hills,
    /// Dunes and cacti.
    Dunes,
    /// Low shrubs and stones.
    Shrubs,
    /// Steep rocks.
    Rocks,
    /// Trees on stilts in water.
    Mangroves,
}

/// Speckled ground along borders, in the colour of the class.
#[derive(Clone, Copy, Debug)]
pub struct TransitionTiles {
    /// The layer of classes; 0 is none.
    pub layer: &'static str,
    /// Classes that look otherwise than half covered with the cover of the ground, thinned out.
    pub looks: &'static [TransitionLook],
}

/// What the tiles of a transition look like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransitionLook {
    /// The value of the class.
    pub value: u8,
    /// Share of the ground that is covered with its colour.
    pub share: f32,
    /// What stands on it.
    pub stands: Stands,
}

/// What stands on the tiles of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// Nothing.
    Nothing,
    /// What stands on the ground, thinned out.
    Ground,
    /// Something of its own.
    Own(Cover),
}

/// A layer of links to the eight neighbours, as bits from east clockwise.
#[derive(Clone, Copy, Debug)]
pub struct LinkTiles {
    /// The layer of flags.
    pub layer: &'static str,
    /// Its name in the map.
    pub name: &'static str,
    /// What the lines look like.
    pub line: Line,
    /// Their colour.
    pub colour: Rgb,
    /// The colour of their edges, or of the ground under them.
    pub casing: Rgb,
}

/// What a line from tile to tile looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// Water between banks. It fades out on tiles of water.
    River,
    /// Rails on sleepers.
    Rail,
    /// A way with light edges.
    Road,
}

/// What is drawn where two lines cross.
#[derive(Clone, Copy, Debug)]
pub struct CrossingTiles {
    /// The layer of classes; a value that is not listed has no tile.
    pub layer: &'static str,
    /// The kinds.
    pub kinds: &'static [CrossingKind],
}

/// A kind of crossing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrossingKind {
    /// The value of the class.
    pub value: u8,
    /// What it looks like.
    pub deck: Deck,
    /// The layer of links of the line on top, along which it is drawn.
    pub along: &'static str,
}

/// What a crossing looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deck {
    /// A bridge between two walls.
    Bridge,
    /// A level crossing with barriers.
    Barriers,
}

/// Houses on the footprints of settlements.
#[derive(Clone, Copy, Debug)]
pub struct FootprintTiles {
    /// The layer with the number of the settlement, 0 for none.
    pub layer: &'static str,
    /// The points of the settlements, whose ids are those numbers.
    pub points: &'static str,
    /// The property that ranks them, from 1.
    pub rank: &'static str,
    /// What the ranks look like, from rank 1 on; a higher rank looks like the last.
    pub ranks: &'static [FootprintRank],
}

/// What the settlements of a rank look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FootprintRank {
    /// Its name.
    pub name: &'static str,
    /// The colour of the roofs.
    pub roof: Rgb,
    /// What stands at the centre.
    pub centre: Landmark,
}

/// What stands at the centre of a settlement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landmark {
    /// A castle.
    Castle,
    /// A large church with two towers.
    Cathedral,
    /// A church.
    Church,
    /// A large house.
    House,
    /// Two huts.
    Huts,
}

/// A set of points that is written as objects with names.
#[derive(Clone, Copy, Debug)]
pub struct LabelSet {
    /// The set of points; each has a property `name`.
    pub points: &'static str,
    /// Its name in the map.
    pub name: &'static str,
    /// The property that is the kind of the object.
    pub kind: &'static str,
    /// Further properties that are kept.
    pub properties: &'static [&'static str],
    /// Its colour in the editor.
    pub colour: Rgb,
}
