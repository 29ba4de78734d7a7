//! The record of one tile in a file, and how its values come into the arrays.

use super::names::{
    BiomeName, Code, CompassName, FeatureName, FollowName, LandformName, PassName, Set, SoilName, Species,
    SurfaceName, WaterName,
};
use super::tiles::Tiles;
use crate::check::{RuleInfo, RuleResult};
use serde::Deserialize;
use std::fmt::Write as _;

/// One tile, as a file has it.
#[derive(Deserialize)]
pub(super) struct Tile {
    id: String,
    position: Position,
    topography: TileTopography,
    hydrology: TileHydrology,
    vegetation: TileVegetation,
    ground: TileGround,
    roughness: TileRoughness,
    visibility: TileVisibility,
    navigation: TileNavigation,
}

#[derive(Deserialize)]
struct Position {
    x: u32,
    y: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TileTopography {
    elevation: f32,
    slope_mag: f32,
    aspect_deg: f32,
    landform: Code<LandformName>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TileHydrology {
    flow_dir: u8,
    flow_accum: u32,
    flow_accum_n: f32,
    moisture: f32,
    water_class: Code<WaterName>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TileVegetation {
    biome: Code<BiomeName>,
    tree_density: f32,
    canopy_cover: f32,
    dominant: Species,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TileGround {
    soil: Code<SoilName>,
    firmness: f32,
    surface_flags: Set<SurfaceName>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TileRoughness {
    obstruction: f32,
    feature_flags: Set<FeatureName>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TileVisibility {
    base_meters: f32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TileNavigation {
    move_cost: f32,
    orientation_reliability: f32,
    followable: Set<FollowName>,
    passability: TilePassability,
    #[serde(default)]
    game_trail_id: Option<i32>,
    #[serde(default)]
    cliffs: Option<Set<CompassName>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
struct TilePassability {
    e: Code<PassName>,
    se: Code<PassName>,
    s: Code<PassName>,
    sw: Code<PassName>,
    w: Code<PassName>,
    nw: Code<PassName>,
    n: Code<PassName>,
    ne: Code<PassName>,
}

/// The rules about single tiles of a file.
pub(super) const RULES: [RuleInfo; 2] = [
    RuleInfo { name: "tile-ids", about: "each tile's id is forest:x,y of its position" },
    RuleInfo { name: "list-order", about: "flags and directions stand in their fixed order, each once" },
];

/// Fills [`Tiles`] one tile after the other.
pub(super) struct Reader {
    /// What was read, in the order of the file.
    pub(super) tiles: Tiles,
    /// Column and row of each tile.
    pub(super) places: Vec<(u32, u32)>,
    /// The rule about ids.
    pub(super) wrong_id: RuleResult,
    /// The rule about the order of lists.
    pub(super) order: RuleResult,
    has_trail_id: bool,
    has_cliffs: bool,
    name: String,
}

impl Reader {
    /// A reader that has no tile yet.
    pub(super) fn new() -> Self {
        Self {
            tiles: Tiles::default(),
            places: Vec::new(),
            wrong_id: RULES[0].result(),
            order: RULES[1].result(),
            has_trail_id: false,
            has_cliffs: false,
            name: String::new(),
        }
    }

    /// Adds a tile.
    pub(super) fn push(&mut self, tile: Tile) {
        let (x, y) = (tile.position.x, tile.position.y);
        let place = Some((x as usize, y as usize));
        self.name.clear();
        let _ = write!(self.name, "forest:{x},{y}");
        self.wrong_id
            .check(self.name == tile.id, place, || format!("the id is {}, not {}", tile.id, self.name));
        self.places.push((x, y));
        let t = &mut self.tiles;
        t.height.push(tile.topography.elevation);
        t.slope.push(tile.topography.slope_mag);
        t.aspect_deg.push(tile.topography.aspect_deg);
        t.landform.push(tile.topography.landform.0);
        t.flow_direction.push(tile.hydrology.flow_dir);
        t.flow_accumulation.push(tile.hydrology.flow_accum);
        t.flow_accumulation_log.push(tile.hydrology.flow_accum_n);
        t.moisture.push(tile.hydrology.moisture);
        t.water_class.push(tile.hydrology.water_class.0);
        t.biome.push(tile.vegetation.biome.0);
        t.tree_density.push(tile.vegetation.tree_density);
        t.canopy_cover.push(tile.vegetation.canopy_cover);
        t.dominant.push(tile.vegetation.dominant.0);
        t.soil.push(tile.ground.soil.0);
        t.firmness.push(tile.ground.firmness);
        t.surface_flags.push(tile.ground.surface_flags.bits);
        t.obstruction.push(tile.roughness.obstruction);
        t.feature_flags.push(tile.roughness.feature_flags.bits);
        t.visibility_m.push(tile.visibility.base_meters);
        let nav = tile.navigation;
        t.move_cost.push(nav.move_cost);
        t.orientation_reliability.push(nav.orientation_reliability);
        t.followable.push(nav.followable.bits);
        let p = nav.passability;
        let codes = [p.e.0, p.se.0, p.s.0, p.sw.0, p.w.0, p.nw.0, p.n.0, p.ne.0];
        t.passability.push(codes.iter().enumerate().map(|(d, &c)| u16::from(c) << (2 * d)).sum());
        t.game_trail_id.push(nav.game_trail_id.unwrap_or(-1));
        self.has_trail_id |= nav.game_trail_id.is_some();
        self.has_cliffs |= nav.cliffs.is_some();
        let cliffs = nav.cliffs.unwrap_or_default();
        // From the order of the compass to that of Dir8: north is bit 0 there and bit 6 here.
        t.cliff_edge.push(cliffs.bits.rotate_left(6));
        let lists = [
            (tile.ground.surface_flags.in_order, "surfaceFlags"),
            (tile.roughness.feature_flags.in_order, "featureFlags"),
            (nav.followable.in_order, "followable"),
            (cliffs.in_order, "cliffs"),
        ];
        for (in_order, list) in lists {
            self.order.check(in_order, place, || format!("{list} is out of order or repeats a name"));
        }
    }

    /// Drops the arrays of what no tile has.
    pub(super) fn drop_unknown(&mut self) {
        if !self.has_trail_id {
            self.tiles.game_trail_id = Vec::new();
        }
        if !self.has_cliffs {
            self.tiles.cliff_edge = Vec::new();
        }
    }
}
