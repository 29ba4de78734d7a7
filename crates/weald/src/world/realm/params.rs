//! The parameters of the realm world.

use crate::params::{Params, Problem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// All parameters of the realm world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RealmParams {
    /// The map as a whole.
    pub map: Map,
    /// Land and ocean.
    pub land: Land,
    /// Peninsulas, bays and islands.
    pub coast: Coast,
    /// Elevation of the land.
    pub elevation: Elevation,
    /// Temperature and rain.
    pub climate: Climate,
    /// Biomes.
    pub biomes: Biomes,
    /// Distortion of borders between biomes and of coasts.
    pub borders: Borders,
    /// Rivers and lakes.
    pub rivers: Rivers,
    /// Settlements.
    pub settlements: Settlements,
    /// Railroads.
    pub railroads: Railroads,
    /// Roads.
    pub roads: Roads,
    /// Names of settlements, rivers, ranges and seas.
    pub names: Names,
}

/// The map as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Map {
    /// Side of a tile.
    #[schemars(range(min = 10, max = 100000), extend("x-unit" = "m"))]
    pub cell_m: f64,
}

impl Default for Map {
    fn default() -> Self {
        Self { cell_m: 1000.0 }
    }
}

/// What lies beyond a side of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Beyond {
    /// Ocean: the continent ends before that side.
    Ocean,
    /// Land: the continent goes on, and rivers may leave the map.
    Land,
}

/// Land and ocean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Land {
    /// Share of the map that is land, before peninsulas, bays and islands.
    #[schemars(range(min = 0.05, max = 0.95))]
    pub share: f64,
    /// Wavelength of the largest bends of the coast, as a share of the shorter side of the map. Lower values give several landmasses.
    #[schemars(range(min = 0.1, max = 2))]
    pub wavelength: f64,
    /// What lies beyond the northern side.
    pub north: Beyond,
    /// What lies beyond the eastern side.
    pub east: Beyond,
    /// What lies beyond the southern side.
    pub south: Beyond,
    /// What lies beyond the western side.
    pub west: Beyond,
}

impl Default for Land {
    fn default() -> Self {
        let ocean = Beyond::Ocean;
        Self { share: 0.52, wavelength: 0.6, north: ocean, east: ocean, south: ocean, west: ocean }
    }
}

/// Peninsulas, bays and islands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Coast {
    /// Peninsulas and bays for each 256 tiles of a side with ocean beyond it, give or take one.
    #[schemars(range(min = 0, max = 12))]
    pub features: u32,
    /// Share of them that are peninsulas; the others are bays.
    #[schemars(range(min = 0, max = 1))]
    pub peninsulas: f64,
    /// Islands off the coast for a map of 256 by 256 tiles; twice as many for one with sides twice as long.
    #[schemars(range(min = 0, max = 40))]
    pub islands: u32,
}

impl Default for Coast {
    fn default() -> Self {
        Self { features: 3, peninsulas: 0.5, islands: 5 }
    }
}

/// Elevation of the land.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Elevation {
    /// Height of the highest peak.
    #[schemars(range(min = 100, max = 9000), extend("x-unit" = "m"))]
    pub peak_m: f64,
    /// How strongly mountain ranges stand out from the land between them.
    #[schemars(range(min = 0, max = 1))]
    pub ranges: f64,
    /// How much rock differs from place to place in how easily streams carve it. 0 is the same rock everywhere, with straighter rivers.
    #[schemars(range(min = 0, max = 1))]
    pub roughness: f64,
}

impl Default for Elevation {
    fn default() -> Self {
        Self { peak_m: 2800.0, ranges: 0.7, roughness: 1.0 }
    }
}

/// Temperature and rain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Climate {
    /// Mean temperature of the year at sea level along the northern side.
    #[schemars(range(min = -30, max = 40), extend("x-unit" = "°C"))]
    pub north_c: f64,
    /// The same along the southern side.
    #[schemars(range(min = -30, max = 40), extend("x-unit" = "°C"))]
    pub south_c: f64,
    /// How much colder it gets with every kilometre of height.
    #[schemars(range(min = 0, max = 12), extend("x-unit" = "°C"))]
    pub lapse_c_per_km: f64,
    /// Direction in which the wind blows, clockwise from east.
    #[schemars(range(min = 0, max = 360), extend("x-unit" = "°"))]
    pub wind_deg: f64,
    /// Distance over which air that crosses a plain loses 63 % of its water.
    #[schemars(range(min = 5, max = 5000), extend("x-unit" = "tiles"))]
    pub rain_reach_tiles: f64,
}

impl Default for Climate {
    fn default() -> Self {
        Self { north_c: -5.0, south_c: 24.0, lapse_c_per_km: 6.5, wind_deg: 20.0, rain_reach_tiles: 120.0 }
    }
}

/// Biomes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Biomes {
    /// Share of the land that is mountain.
    #[schemars(range(min = 0, max = 0.5))]
    pub mountain_share: f64,
    /// Share of the land that is wetland.
    #[schemars(range(min = 0, max = 0.3))]
    pub wetland_share: f64,
    /// A small grid of biomes that takes the place of the climate: one line of text for each row, one letter for each cell.
    /// `~` ocean, `T` tundra, `B` boreal, `F` forest, `G` grassland, `W` wetland, `M` mountain, `D` desert, `S` subtropical, and `.` to leave
    /// a cell to the climate. Ocean that does not reach the side of the map becomes a lake. The grid has at most 256 by 256 cells. It is
    /// stretched over the map, and its borders are distorted like all others. Empty for none.
    pub template: String,
}

impl Default for Biomes {
    fn default() -> Self {
        Self { mountain_share: 0.13, wetland_share: 0.05, template: String::new() }
    }
}

/// Distortion of borders between biomes and of coasts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Borders {
    /// Wavelength of the terrain's noise, to which the frequencies below refer.
    #[schemars(range(min = 16, max = 512), extend("x-unit" = "tiles"))]
    pub base_tiles: f64,
    /// Frequency of the distortion of borders between biomes, as a multiple of the terrain's.
    #[schemars(range(min = 4, max = 8))]
    pub frequency: f64,
    /// The greatest displacement of a border between biomes.
    #[schemars(range(min = 1, max = 3), extend("x-unit" = "tiles"))]
    pub displacement_tiles: f64,
    /// Octaves of that distortion.
    #[schemars(range(min = 2, max = 3))]
    pub octaves: u32,
    /// Frequency of the distortion of coasts, as a multiple of the terrain's.
    #[schemars(range(min = 2, max = 4))]
    pub coast_frequency: f64,
    /// The greatest displacement of a coast.
    #[schemars(range(min = 2, max = 5), extend("x-unit" = "tiles"))]
    pub coast_displacement_tiles: f64,
    /// Octaves of that distortion.
    #[schemars(range(min = 3, max = 4))]
    pub coast_octaves: u32,
}

impl Default for Borders {
    fn default() -> Self {
        Self {
            base_tiles: 64.0,
            frequency: 6.0,
            displacement_tiles: 2.0,
            octaves: 3,
            coast_frequency: 3.0,
            coast_displacement_tiles: 4.0,
            coast_octaves: 4,
        }
    }
}

/// Rivers and lakes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rivers {
    /// Area that drains into a river where it begins. Less gives more rivers.
    #[schemars(range(min = 40, max = 10000), extend("x-unit" = "tiles"))]
    pub source_tiles: u32,
    /// How far rivers swing to the side on flat land.
    #[schemars(range(min = 0, max = 3), extend("x-unit" = "tiles"))]
    pub meander_tiles: f64,
    /// Lakes for each 256 by 256 tiles.
    #[schemars(range(min = 0, max = 60))]
    pub lakes: u32,
}

impl Default for Rivers {
    fn default() -> Self {
        Self { source_tiles: 240, meander_tiles: 2.0, lakes: 8 }
    }
}

/// Settlements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settlements {
    /// Settlements for each 10,000 tiles of land.
    #[schemars(range(min = 0, max = 40))]
    pub density: f64,
    /// Least distance between settlements, in addition to their footprints.
    #[schemars(range(min = 8, max = 60), extend("x-unit" = "tiles"))]
    pub spacing_tiles: u32,
}

impl Default for Settlements {
    fn default() -> Self {
        Self { density: 16.0, spacing_tiles: 9 }
    }
}

/// Railroads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Railroads {
    /// The lowest tier of settlements that are joined: 0 for no railroads, 2 for capitals and cities, 3 for towns as well where there is room.
    #[schemars(range(min = 0, max = 3))]
    pub tiers: u32,
    /// Distance from a railroad within which a town gets a branch line.
    #[schemars(range(min = 0, max = 200), extend("x-unit" = "tiles"))]
    pub branch_tiles: u32,
    /// Cost of a bridge over a river, in tiles of plain.
    #[schemars(range(min = 1, max = 200))]
    pub bridge_cost: f64,
    /// How much railroads wind around small obstacles: 0 for straight stretches.
    #[schemars(range(min = 0, max = 1))]
    pub winding: f64,
}

impl Default for Railroads {
    fn default() -> Self {
        Self { tiers: 2, branch_tiles: 18, bridge_cost: 10.0, winding: 0.4 }
    }
}

/// Roads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Roads {
    /// Cost of a bridge over a river, in tiles of plain.
    #[schemars(range(min = 1, max = 200))]
    pub bridge_cost: f64,
    /// Cost of a crossing over a railroad, in tiles of plain.
    #[schemars(range(min = 1, max = 200))]
    pub crossing_cost: f64,
    /// Distance that roads and railroads along a river keep from it where they can; at least 3 tiles are kept nearly always.
    #[schemars(range(min = 3, max = 5), extend("x-unit" = "tiles"))]
    pub river_setback_tiles: u32,
    /// The same for roads along a railroad; at least 2 tiles are kept nearly always.
    #[schemars(range(min = 2, max = 4), extend("x-unit" = "tiles"))]
    pub rail_setback_tiles: u32,
    /// Extra cost of a tile near a river or a railroad, as a multiple of the cost of its ground, divided by the distance in tiles; 0 turns setbacks off.
    #[schemars(range(min = 0, max = 20))]
    pub setback_cost: f64,
    /// How many times as long as the straight line the way between neighbouring settlements may be before they get a road of their own.
    #[schemars(range(min = 1, max = 10))]
    pub detour: f64,
    /// How much roads wind around small obstacles: 0 for straight stretches.
    #[schemars(range(min = 0, max = 1))]
    pub winding: f64,
}

impl Default for Roads {
    fn default() -> Self {
        Self {
            bridge_cost: 6.0,
            crossing_cost: 3.0,
            river_setback_tiles: 5,
            rail_setback_tiles: 4,
            setback_cost: 2.0,
            detour: 1.9,
            winding: 0.3,
        }
    }
}

/// The language that names sound like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Culture {
    /// Each realm chooses one.
    #[default]
    Any,
    /// Short and hard: Harrowick, Thornby.
    Northern,
    /// Open and flowing: Valdorra, Castemera.
    Southern,
    /// Soft, with many vowels: Aelinor, Isuvela.
    Eastern,
}

/// Names of settlements, rivers, ranges, lakes and seas.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Names {
    /// The language that names sound like.
    pub culture: Culture,
    /// Names for settlements, one on each line, the most important first; when they run out, names are made. Empty for none.
    pub settlements: String,
    /// Names for rivers in the same way, the largest first.
    pub rivers: String,
    /// Names for ranges of mountains in the same way, the largest first.
    pub ranges: String,
    /// Names for lakes in the same way, the largest first.
    pub lakes: String,
    /// Names for seas in the same way.
    pub seas: String,
}

impl Params for RealmParams {
    fn problems(&self) -> Vec<Problem> {
        let mut problems = super::template::problems(&self.biomes.template);
        problems.extend(self.names.problems());
        problems
    }
}
