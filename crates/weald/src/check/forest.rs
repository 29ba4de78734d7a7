//! The rules of forest-terrain-v1, run on what a file or a folder holds.
//!
//! Values are 32-bit floats and thresholds are rounded to 32 bits before they are compared, so a class can be
//! checked exactly against the values beside it. Where a rule compares a sum or a difference, both answers
//! are accepted within the rounding of one 32-bit operation. Two base maps are not part of a tile: roughness
//! is recovered from the obstruction and vegetation variance from the tree density, as intervals.

use super::{Report, RuleResult};
use crate::error::{Error, Result};
use crate::export::npy::Array;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};
use std::fmt::{self, Write as _};
use std::io::Read;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use weald_core::{Ctx, Dir8, dir8, label, math, seed::Seed};

const SPEC: &str = "forest-terrain-v1";

const NO_SEED: &str = "there is no seed: which of several equal drops the water takes was not checked";

/// Directions in the order of the passability keys: N NE E SE S SW W NW.
const COMPASS: [u8; 8] = [6, 7, 0, 1, 2, 3, 4, 5];

const RIDGE: u8 = 2;
const BASIN: u8 = 4;
const LAKE: u8 = 1;
const STREAM: u8 = 2;
const MARSH: u8 = 3;
const OPEN_BOG: u8 = 0;
const PEAT: u8 = 0;
const SANDY_TILL: u8 = 1;
const ROCKY_TILL: u8 = 2;
const TRAIL_FLAG: u8 = 4;

// ---------------------------------------------------------------------------------------------- parameters

/// A group of parameters with its defaults.
macro_rules! group {
    ($name:ident { $($field:ident = $default:expr),* $(,)? }) => {
        #[derive(Clone, Debug, Deserialize)]
        #[serde(default, deny_unknown_fields, rename_all = "camelCase")]
        struct $name {
            $($field: f64),*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }
    };
}

/// The weight of a diagonal step, with the digits of the document.
#[expect(clippy::approx_constant, reason = "the document gives eleven digits and not the root of two")]
const DIAGONAL: f64 = 1.41421356237;

group!(GridParams { playable_inset = 1.0 });
group!(LandformParams { eps = 0.005, flat_slope_threshold = 0.03 });
group!(Weights { accum = 0.55, flat = 0.25, prox = 0.20 });
group!(Ground {
    peat_moisture_threshold = 0.70,
    standing_water_moisture_threshold = 0.78,
    standing_water_slope_max = 0.04,
    lichen_moisture_max = 0.35,
    exposed_sand_moisture_max = 0.40,
    bedrock_height_min = 0.75,
    bedrock_roughness_min = 0.55,
});
group!(Features {
    obstruction_moisture_mix = 0.15,
    windthrow_threshold = 0.70,
    fallen_log_threshold = 0.45,
    root_tangle_moisture_threshold = 0.60,
    boulder_height_min = 0.70,
    boulder_roughness_min = 0.60,
});
group!(Movement {
    steep_block_delta = 0.22,
    steep_difficult_delta = 0.12,
    cliff_slope_min = 0.18,
    move_cost_obstruction_max = 1.35,
    move_cost_moisture_max = 1.25,
    marsh_move_cost_multiplier = 1.15,
    open_bog_move_cost_multiplier = 1.20,
});
group!(Visibility {
    base = 40.0,
    density_penalty = 28.0,
    obstruction_penalty = 10.0,
    elevation_bonus = 6.0,
    min_meters = 8.0,
    max_meters = 60.0,
});
group!(Orientation {
    min = 0.25,
    max = 0.95,
    density_weight = 0.45,
    obstruction_weight = 0.20,
    wetness_weight = 0.15,
    wetness_start = 0.60,
    wetness_range = 0.40,
    ridge_bonus = 0.10,
});
group!(GameTrails {
    diag_weight = DIAGONAL,
    inf = 1e9,
    w_slope = 4.0,
    slope_scale = 0.18,
    w_moist = 3.0,
    moist_start = 0.55,
    w_obs = 2.0,
    w_ridge = 0.35,
    w_stream_prox = 0.25,
    stream_prox_max_dist = 5.0,
    w_cross = 0.65,
    w_marsh = 1.25,
    water_seed_max_dist = 6.0,
    seed_tiles_per_trail = 450.0,
    stream_endpoint_accum_threshold = 0.70,
    ridge_endpoint_max_slope = 0.12,
    game_trail_move_cost_multiplier = 0.85,
});

#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Hydrology {
    min_drop_threshold: f64,
    tie_eps: f64,
    stream_accum_threshold: f64,
    stream_min_slope_threshold: f64,
    lake_flat_slope_threshold: f64,
    lake_accum_threshold: f64,
    moisture_accum_start: f64,
    flatness_threshold: f64,
    water_prox_max_dist: f64,
    weights: Weights,
    marsh_moisture_threshold: f64,
    marsh_slope_threshold: f64,
}

impl Default for Hydrology {
    fn default() -> Self {
        Self {
            min_drop_threshold: 0.0005,
            tie_eps: 0.000001,
            stream_accum_threshold: 0.55,
            stream_min_slope_threshold: 0.01,
            lake_flat_slope_threshold: 0.03,
            lake_accum_threshold: 0.65,
            moisture_accum_start: 0.35,
            flatness_threshold: 0.06,
            water_prox_max_dist: 6.0,
            weights: Weights::default(),
            marsh_moisture_threshold: 0.78,
            marsh_slope_threshold: 0.04,
        }
    }
}

/// Of the noise, only the strength of the variance matters to the rules.
#[derive(Clone, Debug, Deserialize)]
struct VegVarianceNoise {
    #[serde(default = "default_strength")]
    strength: f64,
}

fn default_strength() -> f64 {
    0.12
}

impl Default for VegVarianceNoise {
    fn default() -> Self {
        Self { strength: default_strength() }
    }
}

/// Appendix A.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Params {
    grid: GridParams,
    #[serde(rename = "heightNoise")]
    _height_noise: IgnoredAny,
    #[serde(rename = "roughnessNoise")]
    _roughness_noise: IgnoredAny,
    veg_variance_noise: VegVarianceNoise,
    veg_variance_strength: Option<f64>,
    landform: LandformParams,
    hydrology: Hydrology,
    ground: Ground,
    roughness_features: Features,
    movement: Movement,
    visibility: Visibility,
    orientation: Orientation,
    game_trails: GameTrails,
}

impl Params {
    /// Reads the object; names may also be in snake_case, as recipes write them.
    fn read(value: &Value, from: &Path) -> Result<Self> {
        serde_json::from_value(camel_case(value)).map_err(|e| {
            Error::Invalid(format!(
                "{}: params: {e}; they must be the object of Appendix A of the document",
                from.display()
            ))
        })
    }

    fn strength(&self) -> f64 {
        self.veg_variance_strength.unwrap_or(self.veg_variance_noise.strength)
    }

    fn inset(&self) -> usize {
        self.grid.playable_inset.max(0.0) as usize
    }
}

/// The same value with every name in camelCase.
fn camel_case(value: &Value) -> Value {
    let Value::Object(map) = value else {
        return value.clone();
    };
    let renamed = map.iter().map(|(key, v)| {
        let mut name = String::new();
        for (i, part) in key.split('_').enumerate() {
            let mut letters = part.chars();
            match letters.next() {
                Some(first) if i > 0 => name.extend(first.to_uppercase()),
                Some(first) => name.push(first),
                None => {}
            }
            name.push_str(letters.as_str());
        }
        (name, camel_case(v))
    });
    Value::Object(renamed.collect())
}

// --------------------------------------------------------------------------------------------------- arrays

/// The arrays of a map, row-major, each empty if it is not known, under the names of their layers.
macro_rules! arrays {
    ($($name:ident: $type:ty, $kind:ident;)*) => {
        /// All that is known of a map.
        #[derive(Clone, Debug, Default)]
        pub(super) struct Tiles {
            /// Tiles in a row.
            pub(super) columns: usize,
            /// Number of rows.
            pub(super) rows: usize,
            /// First species + 1, and second species + 1 in the high half; 0 for none. Only tiles have it.
            dominant: Vec<u8>,
            $($name: Vec<$type>,)*
        }

        impl Tiles {
            /// Takes over a layer. False if it has no name or type that is known here.
            pub(super) fn set_layer(&mut self, name: &str, array: Array) -> bool {
                match (name, array) {
                    $((stringify!($name), Array::$kind(g)) => self.$name = g.into_vec(),)*
                    _ => return false,
                }
                true
            }

            fn has(&self, name: &str) -> bool {
                match name {
                    "dominant" => !self.dominant.is_empty(),
                    $(stringify!($name) => !self.$name.is_empty(),)*
                    _ => false,
                }
            }

            /// Puts tile `order[i]` at place i.
            fn reorder(&mut self, order: &[usize]) {
                fn pick<T: Copy>(cells: &mut Vec<T>, order: &[usize]) {
                    if !cells.is_empty() {
                        *cells = order.iter().map(|&i| cells[i]).collect();
                    }
                }
                pick(&mut self.dominant, order);
                $(pick(&mut self.$name, order);)*
            }

            /// Compares every array that both know.
            fn compare(&self, layers: &Tiles, rule: &mut RuleResult) {
                $(if !self.$name.is_empty() && !layers.$name.is_empty() {
                    for (i, (a, b)) in self.$name.iter().zip(&layers.$name).enumerate() {
                        rule.check(a == b, Some((i % self.columns, i / self.columns)), || {
                            format!("{} is {a} in the tiles and {b} in the layer", stringify!($name))
                        });
                    }
                })*
            }
        }
    };
}

arrays! {
    height: f32, F32;
    roughness: f32, F32;
    veg_variance: f32, F32;
    slope_mag: f32, F32;
    aspect_deg: f32, F32;
    landform: u8, U8;
    flow_dir: u8, U8;
    flow_accum: u32, U32;
    flow_accum_n: f32, F32;
    lake_mask: u8, U8;
    stream_mask: u8, U8;
    lake_id: u32, U32;
    dist_water: u16, U16;
    moisture: f32, F32;
    water_class: u8, U8;
    biome: u8, U8;
    soil: u8, U8;
    tree_density: f32, F32;
    canopy_cover: f32, F32;
    firmness: f32, F32;
    obstruction: f32, F32;
    surface_flags: u8, U8;
    feature_flags: u8, U8;
    game_trail: u8, U8;
    game_trail_id: i32, I32;
    visibility_m: f32, F32;
    orientation_reliability: f32, F32;
    move_cost: f32, F32;
    passability: u16, U16;
    followable: u8, U8;
    cliff_edge: u8, U8;
}

// ------------------------------------------------------------------------------------------- reading tiles

/// The names of one kind of class or flag, in the order of their codes.
trait Names {
    const WHAT: &'static str;
    const NAMES: &'static [&'static str];
}

macro_rules! names {
    ($($kind:ident = $what:literal: $($name:literal)*;)*) => {
        $(
            #[derive(Debug)]
            struct $kind;

            impl Names for $kind {
                const WHAT: &'static str = $what;
                const NAMES: &'static [&'static str] = &[$($name),*];
            }
        )*
    };
}

names! {
    LandformName = "landform": "flat" "slope" "ridge" "valley" "basin";
    WaterName = "water class": "none" "lake" "stream" "marsh";
    BiomeName = "biome":
        "open_bog" "spruce_swamp" "mixed_forest" "pine_heath" "esker_pine" "lake" "stream_bank";
    SoilName = "soil": "peat" "sandy_till" "rocky_till";
    SpeciesName = "species": "scots_pine" "norway_spruce" "birch";
    SurfaceName = "surface flag": "standing_water" "sphagnum" "lichen" "exposed_sand" "bedrock";
    FeatureName = "feature flag": "fallen_log" "root_tangle" "boulder" "windthrow";
    FollowName = "followable": "stream" "ridge" "game_trail" "shore";
    PassName = "passability": "passable" "difficult" "blocked";
    CompassName = "direction": "N" "NE" "E" "SE" "S" "SW" "W" "NW";
}

/// The name of a code, for messages.
fn name_of<N: Names>(code: u8) -> &'static str {
    N::NAMES.get(code as usize).copied().unwrap_or("?")
}

/// The names of a set of flags, for messages.
fn names_of<N: Names>(bits: u8) -> String {
    let all = (0..8).filter(|b| bits >> b & 1 == 1).map(|b| name_of::<N>(b));
    format!("[{}]", all.collect::<Vec<_>>().join(", "))
}

/// One name, read as its code.
struct Code<N>(u8, PhantomData<N>);

impl<'de, N: Names> Deserialize<'de> for Code<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Word<N>(PhantomData<N>);
        impl<N: Names> Visitor<'_> for Word<N> {
            type Value = u8;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                write!(f, "a {}: one of {}", N::WHAT, N::NAMES.join(", "))
            }
            fn visit_str<E: serde::de::Error>(self, v: &str) -> std::result::Result<u8, E> {
                let code = N::NAMES.iter().position(|&n| n == v);
                code.map(|c| c as u8).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(v), &self))
            }
        }
        Ok(Code(deserializer.deserialize_str(Word::<N>(PhantomData))?, PhantomData))
    }
}

/// A list of names, read as a set of bits and whether they stand in order without repetition.
struct Set<N> {
    bits: u8,
    in_order: bool,
    names: PhantomData<N>,
}

impl<'de, N: Names> Deserialize<'de> for Set<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct List<N>(PhantomData<N>);
        impl<'de, N: Names> Visitor<'de> for List<N> {
            type Value = Set<N>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                write!(f, "a list of {} names", N::WHAT)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Set<N>, A::Error> {
                let mut set = Set { bits: 0, in_order: true, names: PhantomData };
                while let Some(Code(code, _)) = seq.next_element::<Code<N>>()? {
                    set.in_order &= u32::from(set.bits) >> code == 0;
                    set.bits |= 1 << code;
                }
                Ok(set)
            }
        }
        deserializer.deserialize_seq(List(PhantomData))
    }
}

/// A list of at most two species in the form of [`Tiles::dominant`].
struct Species(u8);

impl<'de> Deserialize<'de> for Species {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let list = Vec::<Code<SpeciesName>>::deserialize(deserializer)?;
        match list.as_slice() {
            [] => Ok(Species(0)),
            [a] => Ok(Species(a.0 + 1)),
            [a, b] => Ok(Species((a.0 + 1) | (b.0 + 1) << 4)),
            _ => Err(D::Error::invalid_length(list.len(), &"at most two species")),
        }
    }
}

#[derive(Deserialize)]
struct Tile {
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

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Meta {
    spec_version: Option<String>,
    seed: Option<Value>,
    width: Option<usize>,
    height: Option<usize>,
    params: Option<Value>,
}

/// Fills [`Tiles`] one tile after the other.
struct Reader {
    tiles: Tiles,
    places: Vec<(u32, u32)>,
    wrong_id: RuleResult,
    order: RuleResult,
    has_trail_id: bool,
    has_cliffs: bool,
    name: String,
}

impl Reader {
    fn new() -> Self {
        Self {
            tiles: Tiles::default(),
            places: Vec::new(),
            wrong_id: RuleResult::new("tile-ids", "each tile's id is forest:x,y of its position"),
            order: RuleResult::new(
                "list-order",
                "flags and directions stand in their fixed order, each once",
            ),
            has_trail_id: false,
            has_cliffs: false,
            name: String::new(),
        }
    }

    fn push(&mut self, tile: Tile) {
        let (x, y) = (tile.position.x, tile.position.y);
        let place = Some((x as usize, y as usize));
        self.name.clear();
        let _ = write!(self.name, "forest:{x},{y}");
        self.wrong_id
            .check(self.name == tile.id, place, || format!("the id is {}, not {}", tile.id, self.name));
        self.places.push((x, y));
        let t = &mut self.tiles;
        t.height.push(tile.topography.elevation);
        t.slope_mag.push(tile.topography.slope_mag);
        t.aspect_deg.push(tile.topography.aspect_deg);
        t.landform.push(tile.topography.landform.0);
        t.flow_dir.push(tile.hydrology.flow_dir);
        t.flow_accum.push(tile.hydrology.flow_accum);
        t.flow_accum_n.push(tile.hydrology.flow_accum_n);
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
        let cliffs = nav.cliffs.unwrap_or(Set { bits: 0, in_order: true, names: PhantomData });
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
}

/// A file of tiles as it was read.
struct Envelope {
    meta: Meta,
    tiles: Tiles,
    places: Vec<(u32, u32)>,
    rules: [RuleResult; 2],
}

/// Reads the first value of the file: the whole envelope, or the line of the meta data alone.
struct First<'a> {
    reader: &'a mut Reader,
    meta: &'a mut Option<Meta>,
}

impl<'de> DeserializeSeed<'de> for First<'_> {
    /// Whether the tiles were part of it.
    type Value = bool;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<bool, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for First<'_> {
    type Value = bool;
    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object with `meta` and `tiles`")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<bool, A::Error> {
        let mut tiles = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "meta" => *self.meta = Some(map.next_value()?),
                "tiles" if tiles => return Err(A::Error::duplicate_field("tiles")),
                "tiles" => {
                    map.next_value_seed(TileList(self.reader))?;
                    tiles = true;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        if !tiles && self.meta.is_none() {
            return Err(A::Error::custom("there is neither `tiles` nor `meta` in the first object"));
        }
        Ok(tiles)
    }
}

/// The `tiles` list, read without keeping it.
struct TileList<'a>(&'a mut Reader);

impl<'de> DeserializeSeed<'de> for TileList<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for TileList<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of tiles")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<(), A::Error> {
        while let Some(tile) = seq.next_element()? {
            self.0.push(tile);
        }
        Ok(())
    }
}

/// Reads an envelope, or lines of which the first holds the meta data and each further one a tile.
fn read(input: &mut dyn Read, path: &Path) -> Result<Envelope> {
    let bad = |e: serde_json::Error| match e.io_error_kind() {
        Some(kind) => Error::io(path, kind.into()),
        None => Error::Invalid(format!(
            "{}: {e}; expected an object with `meta` and `tiles`, or a line of `meta` and a line per tile",
            path.display()
        )),
    };
    let mut reader = Reader::new();
    let mut meta = None;
    let mut json = serde_json::Deserializer::from_reader(input);
    let whole = First { reader: &mut reader, meta: &mut meta }.deserialize(&mut json).map_err(bad)?;
    if whole {
        json.end().map_err(bad)?;
    } else {
        while let Err(e) = json.end() {
            // Anything but the next line's first character is a real error.
            if e.is_io() {
                return Err(bad(e));
            }
            reader.push(Tile::deserialize(&mut json).map_err(bad)?);
        }
    }
    if reader.places.is_empty() {
        return Err(Error::Invalid(format!("{}: there are no tiles in it", path.display())));
    }
    if !reader.has_trail_id {
        reader.tiles.game_trail_id = Vec::new();
    }
    if !reader.has_cliffs {
        reader.tiles.cliff_edge = Vec::new();
    }
    Ok(Envelope {
        meta: meta.unwrap_or_default(),
        tiles: reader.tiles,
        places: reader.places,
        rules: [reader.wrong_id, reader.order],
    })
}

/// The seed, written as a decimal string or as a number.
fn read_seed(value: Option<&Value>) -> Option<u64> {
    match value? {
        Value::String(s) => s.parse().ok(),
        other => other.as_u64(),
    }
}

/// Checks that the tiles stand row by row and are complete, and puts them in order if that is all they lack.
/// False if the grid has holes.
fn place_tiles(e: &mut Envelope, report: &mut Report) -> bool {
    let mut rule = RuleResult::new("tiles-row-major", "tiles stand row by row, none missing and none twice");
    let largest = |of: fn(&(u32, u32)) -> u32| e.places.iter().map(of).max().map_or(0, |m| m as usize + 1);
    if e.meta.width.is_none() || e.meta.height.is_none() {
        report.notes.push("meta has no width and height: they were taken from the positions".into());
    }
    let w = e.meta.width.unwrap_or_else(|| largest(|p| p.0));
    let h = e.meta.height.unwrap_or_else(|| largest(|p| p.1));
    let count = e.places.len();
    rule.check(w.checked_mul(h) == Some(count), None, || {
        format!("{w}x{h} tiles are needed and {count} are there")
    });
    let complete = rule.violations == 0;
    let mut order = vec![usize::MAX; if complete { count } else { 0 }];
    let mut whole = complete;
    for (i, &(x, y)) in e.places.iter().enumerate() {
        let place = (x as usize, y as usize);
        let inside = place.0 < w && place.1 < h;
        let good = inside && place.1 * w + place.0 == i;
        rule.check(good, Some(place), || match i.checked_div(w) {
            Some(row) => format!("this is tile number {i}, where ({},{row}) belongs", i % w),
            None => format!("this is tile number {i} of a map without columns"),
        });
        if complete && inside && order[place.1 * w + place.0] == usize::MAX {
            order[place.1 * w + place.0] = i;
        } else {
            whole = false;
        }
    }
    if whole && rule.violations > 0 {
        e.tiles.reorder(&order);
    }
    report.rules.push(rule);
    (e.tiles.columns, e.tiles.rows) = (w, h);
    whole
}

/// Checks the meta data and gives the parameters and the seed.
fn read_meta(meta: &Meta, path: &Path, report: &mut Report) -> Result<(Params, Option<u64>)> {
    let mut rule = RuleResult::new("spec-version", "meta.specVersion is forest-terrain-v1");
    rule.check(meta.spec_version.as_deref() == Some(SPEC), None, || match &meta.spec_version {
        Some(v) => format!("it is {v}"),
        None => "there is none".into(),
    });
    report.rules.push(rule);
    let params = match &meta.params {
        Some(p) => Params::read(p, path)?,
        None => {
            report.notes.push("meta has no params: the defaults of Appendix A were assumed".into());
            Params::default()
        }
    };
    let seed = read_seed(meta.seed.as_ref());
    if seed.is_none() {
        report
            .notes
            .push("meta has no seed: which of several equal drops the water takes was not checked".into());
    }
    Ok((params, seed))
}

/// Checks a file of tiles.
pub(super) fn envelope(input: &mut dyn Read, path: &Path) -> Result<Report> {
    let mut report = Report::default();
    if let Some((tiles, params, seed)) = prepare(read(input, path)?, path, &mut report)? {
        World::new(tiles, params, seed).run(&mut report)?;
    }
    Ok(report)
}

/// Runs the rules about the form of the file. None if the tiles do not make a whole grid.
fn prepare(
    mut e: Envelope,
    path: &Path,
    report: &mut Report,
) -> Result<Option<(Tiles, Params, Option<u64>)>> {
    let (params, seed) = read_meta(&e.meta, path, report)?;
    let whole = place_tiles(&mut e, report);
    report.rules.extend(e.rules);
    if !whole {
        report.notes.push("the tiles do not fill the grid, so no further rule was checked".into());
    }
    Ok(whole.then_some((e.tiles, params, seed)))
}

/// Checks the tiles of a folder, and that they agree with its layers.
pub(super) fn folder_with_tiles(
    input: &mut dyn Read,
    path: &Path,
    layers: Tiles,
    report: &mut Report,
) -> Result<()> {
    let Some((mut tiles, params, seed)) = prepare(read(input, path)?, path, report)? else {
        return Ok(());
    };
    let mut rule = RuleResult::new("tiles-match-layers", "each value of a tile equals that of the layer");
    let same = (tiles.columns, tiles.rows) == (layers.columns, layers.rows);
    rule.check(same, None, || {
        let (w, h) = (tiles.columns, tiles.rows);
        format!("the tiles are {w}x{h}, the layers {}x{}", layers.columns, layers.rows)
    });
    if same {
        tiles.compare(&layers, &mut rule);
        // What only layers hold makes some rules exact and others possible.
        tiles.roughness = layers.roughness;
        tiles.veg_variance = layers.veg_variance;
        tiles.lake_mask = layers.lake_mask;
        tiles.stream_mask = layers.stream_mask;
        tiles.lake_id = layers.lake_id;
        tiles.dist_water = layers.dist_water;
        tiles.game_trail = layers.game_trail;
        if tiles.game_trail_id.is_empty() {
            tiles.game_trail_id = layers.game_trail_id;
        }
        if tiles.cliff_edge.is_empty() {
            tiles.cliff_edge = layers.cliff_edge;
        }
    }
    report.rules.push(rule);
    World::new(tiles, params, seed).run(report)
}

/// Checks the layers of a folder without tiles. `params` come with the file in which they stand.
pub(super) fn layers_alone(
    layers: Tiles,
    seed: Option<&Value>,
    params: Option<(Value, PathBuf)>,
    report: &mut Report,
) -> Result<()> {
    let params = match params {
        Some((value, from)) => Params::read(&value, &from)?,
        None => {
            report.notes.push("there are no params: the defaults of Appendix A were assumed".into());
            Params::default()
        }
    };
    let seed = read_seed(seed);
    if seed.is_none() {
        report.notes.push(NO_SEED.into());
    }
    World::new(layers, params, seed).run(report)
}

// --------------------------------------------------------------------------------------------------- rules

/// One rule of the document.
struct Rule {
    name: &'static str,
    about: &'static str,
    /// The arrays it needs. Without the first, which it is about, there is nothing to say.
    needs: &'static [&'static str],
    run: fn(&World, &mut RuleResult) -> Result<()>,
}

/// What is needed to say between which tiles trails must run.
const ROUTE_NEEDS: &[&str] =
    &["trail", "water_class", "flow_accum_n", "landform", "slope_mag", "moisture", "firmness", "obstruction"];

/// The rules, in the order of the document.
const RULES: &[Rule] = &[
    Rule {
        name: "numbers-in-range",
        about: "every number is finite and within its range, every code has a name",
        needs: &[],
        run: numbers_in_range,
    },
    Rule {
        name: "slope",
        about: "slopeMag is half the length of the central differences of the elevations (5.1)",
        needs: &["slope_mag", "height"],
        run: slope,
    },
    Rule {
        name: "aspect",
        about: "aspectDeg points downhill, 0 east and 90 south; 0 where it is level (5.1)",
        needs: &["aspect_deg", "height"],
        run: aspect,
    },
    Rule {
        name: "landform",
        about: "landform follows from slope and the numbers of higher and lower neighbours (5.2)",
        needs: &["landform", "slope_mag", "height"],
        run: landform,
    },
    Rule {
        name: "flow-downhill",
        about: "water takes the greatest drop to a lower neighbour and stops only where there is none (6.1)",
        needs: &["flow_dir", "height"],
        run: flow_downhill,
    },
    Rule {
        name: "flow-tie-break",
        about: "among equal drops the hash of seed and place decides (6.1)",
        needs: &["flow_dir", "height", "seed"],
        run: flow_tie_break,
    },
    Rule {
        name: "flow-acyclic",
        about: "water never returns to a tile (6.2)",
        needs: &["flow_dir"],
        run: flow_acyclic,
    },
    Rule {
        name: "flow-accumulation",
        about: "flowAccum is 1 and the sum of what flows in (6.2)",
        needs: &["flow_accum", "flow_dir"],
        run: flow_accumulation,
    },
    Rule {
        name: "outlets-sum",
        about: "what leaves at the outlets is the number of tiles (6.2)",
        needs: &["flow_accum", "flow_dir"],
        run: outlets_sum,
    },
    Rule {
        name: "flow-accum-n",
        about: "flowAccumN is the logarithm of flowAccum brought to 0..1 over the map (6.3)",
        needs: &["flow_accum_n", "flow_accum"],
        run: flow_accum_n,
    },
    Rule {
        name: "water-class",
        about: "lake before stream before marsh, each by its thresholds (6.4, 6.5, 6.7)",
        needs: &["water_class", "landform", "slope_mag", "flow_accum_n", "moisture"],
        run: water_class,
    },
    Rule {
        name: "lake-mask",
        about: "lake_mask marks the lakes",
        needs: &["lake_mask", "water_class"],
        run: lake_mask,
    },
    Rule {
        name: "stream-mask",
        about: "stream_mask marks the streams",
        needs: &["stream_mask", "water_class"],
        run: stream_mask,
    },
    Rule {
        name: "lake-ids",
        about: "each connected lake has one number of its own, everything else 0 (6.4)",
        needs: &["lake_id", "water_class"],
        run: lake_ids,
    },
    Rule {
        name: "water-distance",
        about: "dist_water is the number of steps to the next lake or stream, capped (6.6.2)",
        needs: &["dist_water", "water_class"],
        run: water_distance,
    },
    Rule {
        name: "moisture",
        about: "moisture is the weighted sum of accumulation, flatness and nearness to water (6.6)",
        needs: &["moisture", "flow_accum_n", "slope_mag", "water_class"],
        run: moisture,
    },
    Rule {
        name: "biome",
        about: "biome follows from water, moisture, slope, elevation and an admissible variance (7.2)",
        needs: &["biome", "water_class", "moisture", "slope_mag", "height"],
        run: biome,
    },
    Rule {
        name: "tree-density",
        about: "treeDensity is that of the biome, moisture and an admissible variance (7.3)",
        needs: &["tree_density", "biome", "moisture"],
        run: tree_density,
    },
    Rule {
        name: "canopy-cover",
        about: "canopyCover follows from treeDensity and biome (7.3)",
        needs: &["canopy_cover", "tree_density", "biome"],
        run: canopy_cover,
    },
    Rule {
        name: "dominant",
        about: "dominant species follow from biome and moisture (7.4)",
        needs: &["dominant", "biome", "moisture"],
        run: dominant,
    },
    Rule {
        name: "soil",
        about: "soil follows from moisture, landform and elevation (8)",
        needs: &["soil", "moisture", "landform", "height"],
        run: soil,
    },
    Rule {
        name: "firmness",
        about: "firmness follows from moisture and slope (8)",
        needs: &["firmness", "moisture", "slope_mag"],
        run: firmness,
    },
    Rule {
        name: "surface-flags",
        about: "surfaceFlags follow from moisture, slope, soil, elevation and an admissible roughness (8)",
        needs: &["surface_flags", "moisture", "slope_mag", "soil", "height"],
        run: surface_flags,
    },
    Rule {
        name: "obstruction",
        about: "obstruction is a mix of moisture and an admissible roughness (9)",
        needs: &["obstruction", "moisture"],
        run: obstruction,
    },
    Rule {
        name: "feature-flags",
        about: "featureFlags follow from obstruction, moisture, elevation and an admissible roughness (9)",
        needs: &["feature_flags", "obstruction", "moisture", "height"],
        run: feature_flags,
    },
    Rule {
        name: "trails-on-open-ground",
        about: "trails keep off lakes and the edge that is not playable (10.2)",
        needs: &["trail", "water_class"],
        run: trails_on_open_ground,
    },
    Rule {
        name: "trails-reach-an-end",
        about: "each connected piece of trail holds a stream or ridge end point (10.4)",
        needs: &["trail", "water_class", "flow_accum_n", "landform", "slope_mag"],
        run: trails_reach_an_end,
    },
    Rule {
        name: "trail-ids",
        about: "ids count from 0; each piece of one is a whole trail or joins an earlier one (10.1)",
        needs: &["game_trail_id", "trail", "water_class", "flow_accum_n", "landform", "slope_mag"],
        run: trail_ids,
    },
    Rule {
        name: "trail-seeds",
        about: "trails lead from the best seeds to their nearest end points and start nowhere else (10.3)",
        needs: ROUTE_NEEDS,
        run: trail_seeds,
    },
    Rule {
        name: "trail-costs",
        about: "no way from a seed to its end points is cheaper than the one along the trails (10.5)",
        needs: ROUTE_NEEDS,
        run: trail_costs,
    },
    Rule {
        name: "visibility",
        about: "baseMeters follows from density, obstruction and elevation (11)",
        needs: &["visibility_m", "tree_density", "obstruction", "height"],
        run: visibility,
    },
    Rule {
        name: "orientation",
        about: "orientationReliability follows from density, obstruction, moisture and landform (12)",
        needs: &["orientation_reliability", "tree_density", "obstruction", "moisture", "landform"],
        run: orientation,
    },
    Rule {
        name: "move-cost",
        about: "moveCost is the product of its multipliers, the trail's last (13.1)",
        needs: &["move_cost", "obstruction", "moisture", "water_class", "biome", "trail"],
        run: move_cost,
    },
    Rule {
        name: "passability",
        about: "each direction is passable, difficult or blocked as edge, lakes, bog and steps ask (13.2)",
        needs: &["passability", "height", "water_class", "moisture", "slope_mag"],
        run: passability,
    },
    Rule {
        name: "cliffs",
        about: "cliffs stand where the step up and the slope are steep enough (13.2)",
        needs: &["cliff_edge", "height", "slope_mag"],
        run: cliffs,
    },
    Rule {
        name: "followable",
        about: "followable lists stream, ridge, game_trail and shore where they are (13.3)",
        needs: &["followable", "water_class", "landform", "trail"],
        run: followable,
    },
];

/// A map with what its rules need beside it.
struct World {
    t: Tiles,
    p: Params,
    seed: Option<u64>,
    /// Whether a trail passes; empty if it is not known.
    trail: Vec<bool>,
}

impl World {
    fn new(t: Tiles, p: Params, seed: Option<u64>) -> Self {
        let trail = if !t.game_trail.is_empty() {
            t.game_trail.iter().map(|&v| v != 0).collect()
        } else if !t.game_trail_id.is_empty() {
            t.game_trail_id.iter().map(|&v| v >= 0).collect()
        } else {
            t.followable.iter().map(|&v| v & TRAIL_FLAG != 0).collect()
        };
        Self { t, p, seed, trail }
    }

    /// Runs every rule whose arrays are known.
    fn run(&self, report: &mut Report) -> Result<()> {
        for rule in RULES {
            let missing: Vec<&str> = rule.needs.iter().copied().filter(|n| !self.has(n)).collect();
            if missing.is_empty() {
                let mut result = RuleResult::new(rule.name, rule.about);
                (rule.run)(self, &mut result)?;
                report.rules.push(result);
            } else if self.has(rule.needs[0]) && missing != ["seed"] {
                report.notes.push(format!(
                    "{} was not checked: {} is missing",
                    rule.name,
                    missing.join(", ")
                ));
            }
        }
        Ok(())
    }

    fn has(&self, name: &str) -> bool {
        match name {
            "seed" => self.seed.is_some(),
            "trail" => !self.trail.is_empty(),
            name => self.t.has(name),
        }
    }

    fn len(&self) -> usize {
        self.t.columns * self.t.rows
    }

    fn place(&self, i: usize) -> (usize, usize) {
        (i % self.t.columns, i / self.t.columns)
    }

    fn playable(&self, i: usize) -> bool {
        let (inset, (x, y)) = (self.p.inset(), self.place(i));
        let far = |v: usize, size: usize| v >= inset && v.saturating_add(inset) < size;
        far(x, self.t.columns) && far(y, self.t.rows)
    }

    /// Calls `visit(direction, cell)` for the neighbours of `i`, in numeric order.
    fn around(&self, i: usize, mut visit: impl FnMut(usize, usize)) {
        let (x, y) = self.place(i);
        dir8::neighbours(self.t.columns, self.t.rows, x, y, |d, nx, ny| {
            visit(d.0 as usize, ny * self.t.columns + nx);
        });
    }

    /// The neighbour of `i` in direction `d`, if it is on the map.
    fn step(&self, i: usize, d: u8) -> Option<usize> {
        let mut found = None;
        self.around(i, |dir, n| found = if dir == d as usize { Some(n) } else { found });
        found
    }

    /// Breadth-first distance over eight neighbours to the cells where `source` holds, without cap.
    fn distance(&self, source: impl Fn(usize) -> bool) -> Vec<u32> {
        let mut distance = vec![u32::MAX; self.len()];
        let mut queue: VecDeque<usize> = (0..self.len()).filter(|&i| source(i)).collect();
        queue.iter().for_each(|&i| distance[i] = 0);
        while let Some(i) = queue.pop_front() {
            self.around(i, |_, n| {
                if distance[n] == u32::MAX {
                    distance[n] = distance[i] + 1;
                    queue.push_back(n);
                }
            });
        }
        distance
    }

    fn is_open_water(&self, i: usize) -> bool {
        matches!(self.t.water_class[i], LAKE | STREAM)
    }

    /// The roughness as an interval: exact if it is known, else what obstruction and moisture leave. It may
    /// reach beyond 0..1.
    fn roughness(&self, i: usize) -> (f64, f64) {
        if let Some(&r) = self.t.roughness.get(i) {
            return (r as f64, r as f64);
        }
        let mix = self.p.roughness_features.obstruction_moisture_mix;
        let (Some(&o), Some(&m)) = (self.t.obstruction.get(i), self.t.moisture.get(i)) else {
            return (0.0, 1.0);
        };
        if mix >= 1.0 {
            return (0.0, 1.0);
        }
        unclamp(o, m as f64 * mix, 1.0 - mix)
    }

    /// The vegetation variance as an interval: exact if it is known, else what tree density, biome and
    /// moisture leave. It may reach beyond 0..1.
    fn variance(&self, i: usize) -> (f64, f64) {
        if let Some(&v) = self.t.veg_variance.get(i) {
            return (v as f64, v as f64);
        }
        let base = self.t.biome.get(i).and_then(|&b| VEGETATION.get(b as usize));
        let (Some(&d), Some(&(base, _)), Some(&m)) =
            (self.t.tree_density.get(i), base, self.t.moisture.get(i))
        else {
            return (0.0, 1.0);
        };
        unclamp(d, base - 0.05 + (m as f64 - 0.5) * 0.08, 0.10)
    }
}

/// The x for which clamp01(offset + x · factor) rounds to `value`, as an interval.
fn unclamp(value: f32, offset: f64, factor: f64) -> (f64, f64) {
    let slack = 2e-7;
    let at = |v: f64| (v - offset) / factor;
    let low = if value <= 0.0 { at(0.0).min(0.0) } else { at(value as f64 - slack) };
    let high = if value >= 1.0 { at(1.0).max(1.0) } else { at(value as f64 + slack) };
    (low, high)
}

/// Base density and canopy of each biome, by code.
const VEGETATION: [(f64, f64); 7] =
    [(0.10, 0.15), (0.80, 0.78), (0.55, 0.60), (0.35, 0.40), (0.30, 0.35), (0.0, 0.0), (0.60, 0.55)];

/// `value >= threshold`, the threshold rounded to 32 bits.
fn reaches(value: f32, threshold: f64) -> bool {
    value >= threshold as f32
}

/// `value < threshold`, the threshold rounded to 32 bits.
fn below(value: f32, threshold: f64) -> bool {
    value < threshold as f32
}

/// The rounding of one 32-bit operation whose result is about `a`.
fn rounding(a: f64) -> f64 {
    1.2e-7 * a.abs() + 1e-12
}

/// Whether `difference >= threshold` must hold and whether it may hold, given how it may have been rounded.
fn reaches_about(difference: f64, threshold: f64) -> (bool, bool) {
    let slack = rounding(difference.abs().max(threshold.abs()));
    (difference >= threshold + slack, difference >= threshold - slack)
}

/// Checks a formula at every cell.
fn formula(
    w: &World,
    rule: &mut RuleResult,
    values: &[f32],
    tolerance: f64,
    expected: impl Fn(usize) -> f64,
) {
    for (i, &v) in values.iter().enumerate() {
        let e = expected(i);
        let slack = tolerance + 2.0 * rounding(e);
        rule.check((v as f64 - e).abs() <= slack, Some(w.place(i)), || format!("it is {v}, not {e}"));
    }
}

fn numbers_in_range(w: &World, rule: &mut RuleResult) -> Result<()> {
    let t = &w.t;
    let (v, o) = (&w.p.visibility, &w.p.orientation);
    let unit = (0.0f32, 1.0f32);
    let measures: [(&str, &[f32], (f32, f32)); 14] = [
        ("elevation", &t.height, unit),
        ("roughness", &t.roughness, unit),
        ("vegetation variance", &t.veg_variance, unit),
        ("slopeMag", &t.slope_mag, unit),
        ("aspectDeg", &t.aspect_deg, (0.0, 360.0f32.next_down())),
        ("flowAccumN", &t.flow_accum_n, unit),
        ("moisture", &t.moisture, unit),
        ("treeDensity", &t.tree_density, unit),
        ("canopyCover", &t.canopy_cover, unit),
        ("firmness", &t.firmness, unit),
        ("obstruction", &t.obstruction, unit),
        ("baseMeters", &t.visibility_m, (v.min_meters as f32, v.max_meters as f32)),
        ("orientationReliability", &t.orientation_reliability, (o.min as f32, o.max as f32)),
        ("moveCost", &t.move_cost, (f32::MIN_POSITIVE, f32::MAX)),
    ];
    for (name, values, (low, high)) in measures {
        for (i, &v) in values.iter().enumerate() {
            rule.check((low..=high).contains(&v), Some(w.place(i)), || {
                format!("{name} is {v}, not in {low}..={high}")
            });
        }
    }
    let codes: [(&str, &[u8], u8); 10] = [
        ("landform", &t.landform, 4),
        ("waterClass", &t.water_class, 3),
        ("biome", &t.biome, 6),
        ("soil", &t.soil, 2),
        ("surfaceFlags", &t.surface_flags, 31),
        ("featureFlags", &t.feature_flags, 15),
        ("followable", &t.followable, 15),
        ("lake_mask", &t.lake_mask, 1),
        ("stream_mask", &t.stream_mask, 1),
        ("game_trail", &t.game_trail, 1),
    ];
    for (name, values, most) in codes {
        for (i, &v) in values.iter().enumerate() {
            rule.check(v <= most, Some(w.place(i)), || format!("{name} is {v}, not in 0..={most}"));
        }
    }
    for (i, &d) in t.flow_dir.iter().enumerate() {
        rule.check(d < 8 || d == Dir8::NONE.0, Some(w.place(i)), || {
            format!("flowDir is {d}, not in 0..=7 or 255")
        });
    }
    for (i, &a) in t.flow_accum.iter().enumerate() {
        let good = a >= 1 && a as usize <= w.len();
        rule.check(good, Some(w.place(i)), || format!("flowAccum is {a}, not in 1..={}", w.len()));
    }
    for (i, &p) in t.passability.iter().enumerate() {
        // 3 is no class: both bits of a pair.
        rule.check(p & p >> 1 & 0x5555 == 0, Some(w.place(i)), || {
            format!("passability {p:#06x} has a class 3")
        });
    }
    Ok(())
}

/// Central differences east and south, with the edge repeated.
fn gradient(w: &World, i: usize) -> (f64, f64) {
    let ((x, y), (cols, rows)) = (w.place(i), (w.t.columns, w.t.rows));
    let h = |x: usize, y: usize| w.t.height[y * cols + x] as f64;
    let east = h((x + 1).min(cols - 1), y) - h(x.saturating_sub(1), y);
    let south = h(x, (y + 1).min(rows - 1)) - h(x, y.saturating_sub(1));
    (east, south)
}

fn slope(w: &World, rule: &mut RuleResult) -> Result<()> {
    formula(w, rule, &w.t.slope_mag, 1e-6, |i| {
        let (hx, hy) = gradient(w, i);
        (hx * hx + hy * hy).sqrt() / 2.0
    });
    Ok(())
}

fn aspect(w: &World, rule: &mut RuleResult) -> Result<()> {
    for (i, &a) in w.t.aspect_deg.iter().enumerate() {
        let (hx, hy) = gradient(w, i);
        let length = (hx * hx + hy * hy).sqrt();
        if length > 0.0 && length < 1e-6 {
            continue;
        }
        let e = if length == 0.0 { 0.0 } else { math::atan2(-hy, -hx) * 180.0 / std::f64::consts::PI };
        let e = if e < 0.0 { e + 360.0 } else { e };
        let apart = (a as f64 - e).abs();
        let good = if length == 0.0 { a == 0.0 } else { apart.min(360.0 - apart).abs() <= 1e-3 };
        rule.check(good, Some(w.place(i)), || format!("it is {a}, not {e}"));
    }
    Ok(())
}

/// The decision table of 5.2.
fn landform_of(flat: bool, higher: u32, lower: u32) -> u8 {
    const FLAT: u8 = 0;
    const SLOPE: u8 = 1;
    const VALLEY: u8 = 3;
    match (flat, higher, lower) {
        (true, 1.., 0) => BASIN,
        (true, 0, 1..) => RIDGE,
        (true, ..) => FLAT,
        (false, 6.., _) => BASIN,
        (false, _, 6..) => RIDGE,
        (false, 5.., 0..=2) => VALLEY,
        (false, 0..=2, 5..) => RIDGE,
        (false, ..) => SLOPE,
    }
}

fn landform(w: &World, rule: &mut RuleResult) -> Result<()> {
    let eps = w.p.landform.eps;
    for (i, &found) in w.t.landform.iter().enumerate() {
        let c = w.t.height[i] as f64;
        // Surely and possibly higher and lower.
        let (mut higher, mut lower) = ((0, 0), (0, 0));
        w.around(i, |_, n| {
            let h = w.t.height[n] as f64;
            let (over, under) = (h - (c + eps), (c - eps) - h);
            let slack = if eps == 0.0 { 0.0 } else { rounding(c + eps) };
            higher = (higher.0 + u32::from(over > slack), higher.1 + u32::from(over > -slack));
            lower = (lower.0 + u32::from(under > slack), lower.1 + u32::from(under > -slack));
        });
        let flat = below(w.t.slope_mag[i], w.p.landform.flat_slope_threshold);
        let good =
            (higher.0..=higher.1).any(|h| (lower.0..=lower.1).any(|l| landform_of(flat, h, l) == found));
        rule.check(good, Some(w.place(i)), || {
            let name = name_of::<LandformName>;
            let asked = name(landform_of(flat, higher.0, lower.0));
            let (h, l, s) = (higher.0, lower.0, w.t.slope_mag[i]);
            format!("it is {}, not {asked}: slope {s}, {h} higher and {l} lower neighbours", name(found))
        });
    }
    Ok(())
}

/// The ways that water may take, in the order of directions: (direction, drop, surely and not just possibly).
fn ways_down(w: &World, i: usize) -> Vec<(u8, f64, bool)> {
    let least = w.p.hydrology.min_drop_threshold;
    let mut ways = Vec::with_capacity(8);
    w.around(i, |d, n| {
        let drop = w.t.height[i] as f64 - w.t.height[n] as f64;
        let (surely, maybe) = reaches_about(drop, least);
        if drop > 0.0 && maybe {
            ways.push((d as u8, drop, surely));
        }
    });
    ways
}

fn flow_downhill(w: &World, rule: &mut RuleResult) -> Result<()> {
    for (i, &d) in w.t.flow_dir.iter().enumerate() {
        let ways = ways_down(w, i);
        let place = Some(w.place(i));
        if d == Dir8::NONE.0 {
            let way = ways.iter().find(|way| way.2);
            rule.check(way.is_none(), place, || {
                let (dir, drop, _) = way.copied().unwrap_or_default();
                format!("water stops here, but {} is lower by {drop}", Dir8::NAMES[dir as usize])
            });
            continue;
        }
        let most = ways.iter().map(|way| way.1).fold(0.0, f64::max);
        let slack = w.p.hydrology.tie_eps + rounding(most);
        let taken = ways.iter().find(|way| way.0 == d);
        rule.check(taken.is_some_and(|way| most - way.1 <= slack), place, || {
            let name = Dir8::NAMES.get(d as usize).unwrap_or(&"?");
            match taken {
                Some((_, drop, _)) => {
                    format!("water goes {name} by a drop of {drop}, but one of {most} is there")
                }
                None => format!("water goes {name}, where nothing is lower by hydrology.minDropThreshold"),
            }
        });
    }
    Ok(())
}

fn flow_tie_break(w: &World, rule: &mut RuleResult) -> Result<()> {
    let eps = w.p.hydrology.tie_eps;
    let seed = Seed(w.seed.unwrap_or_default());
    for (i, &d) in w.t.flow_dir.iter().enumerate() {
        let ways = ways_down(w, i);
        let most = ways.iter().map(|way| way.1).fold(0.0, f64::max);
        let slack = rounding(most);
        let tied: Vec<_> = ways.iter().filter(|way| most - way.1 <= eps + slack).collect();
        if tied.len() < 2 || tied.iter().all(|way| way.0 != d) {
            continue;
        }
        let (x, y) = w.place(i);
        let hash = seed.at(x as i64, y as i64);
        // Which ties hold may hang on rounding, so every list that rounding allows is tried.
        let open: Vec<usize> =
            (0..tied.len()).filter(|&k| !tied[k].2 || most - tied[k].1 > eps - slack).collect();
        let good = (0..1u32 << open.len()).any(|kept| {
            let stays = |k: &usize| open.iter().position(|o| o == k).is_none_or(|bit| kept >> bit & 1 == 1);
            let list: Vec<usize> = (0..tied.len()).filter(stays).collect();
            !list.is_empty() && tied[list[(hash % list.len() as u64) as usize]].0 == d
        });
        rule.check(good, Some((x, y)), || {
            let name = |d: u8| Dir8::NAMES[d as usize];
            let names: Vec<_> = tied.iter().map(|way| name(way.0)).collect();
            let asked = names[(hash % names.len() as u64) as usize];
            format!("water goes {}; of the equal drops {} the hash takes {asked}", name(d), names.join(" "))
        });
    }
    Ok(())
}

fn flow_acyclic(w: &World, rule: &mut RuleResult) -> Result<()> {
    let next: Vec<Option<usize>> = w.t.flow_dir.iter().enumerate().map(|(i, &d)| w.step(i, d)).collect();
    let mut inflows = vec![0u8; w.len()];
    next.iter().flatten().for_each(|&n| inflows[n] += 1);
    let mut ready: Vec<usize> = (0..w.len()).filter(|&i| inflows[i] == 0).collect();
    let mut done = vec![false; w.len()];
    while let Some(i) = ready.pop() {
        done[i] = true;
        if let Some(n) = next[i] {
            inflows[n] -= 1;
            if inflows[n] == 0 {
                ready.push(n);
            }
        }
    }
    for (i, &done) in done.iter().enumerate() {
        rule.check(done, Some(w.place(i)), || "water that leaves here comes back".into());
    }
    Ok(())
}

fn flow_accumulation(w: &World, rule: &mut RuleResult) -> Result<()> {
    for (i, &found) in w.t.flow_accum.iter().enumerate() {
        let mut sum = 1u64;
        w.around(i, |d, n| {
            if w.t.flow_dir[n] == Dir8(d as u8).opposite().0 {
                sum += u64::from(w.t.flow_accum[n]);
            }
        });
        let good = sum == u64::from(found);
        rule.check(good, Some(w.place(i)), || format!("it is {found}, but 1 and what flows in make {sum}"));
    }
    Ok(())
}

fn outlets_sum(w: &World, rule: &mut RuleResult) -> Result<()> {
    let outlets = (0..w.len()).filter(|&i| w.step(i, w.t.flow_dir[i]).is_none());
    let sum: u64 = outlets.map(|i| u64::from(w.t.flow_accum[i])).sum();
    rule.check(sum == w.len() as u64, None, || format!("the outlets sum to {sum}, not to {} tiles", w.len()));
    Ok(())
}

fn flow_accum_n(w: &World, rule: &mut RuleResult) -> Result<()> {
    let ln = |v: u32| math::ln(f64::from(v.max(1)));
    let low = ln(w.t.flow_accum.iter().copied().min().unwrap_or(1));
    let high = ln(w.t.flow_accum.iter().copied().max().unwrap_or(1));
    formula(w, rule, &w.t.flow_accum_n, 1e-6, |i| {
        if high > low { (ln(w.t.flow_accum[i]) - low) / (high - low) } else { 0.0 }
    });
    Ok(())
}

fn water_class(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (t, p) = (&w.t, &w.p.hydrology);
    for (i, &found) in t.water_class.iter().enumerate() {
        let (slope, accum, moist) = (t.slope_mag[i], t.flow_accum_n[i], t.moisture[i]);
        let lake = t.landform[i] == BASIN
            && below(slope, p.lake_flat_slope_threshold)
            && reaches(accum, p.lake_accum_threshold);
        let stream = reaches(accum, p.stream_accum_threshold) && reaches(slope, p.stream_min_slope_threshold);
        let marsh = reaches(moist, p.marsh_moisture_threshold) && below(slope, p.marsh_slope_threshold);
        let asked = match (lake, stream, marsh) {
            (true, ..) => LAKE,
            (_, true, _) => STREAM,
            (_, _, true) => MARSH,
            _ => 0,
        };
        rule.check(found == asked, Some(w.place(i)), || {
            let name = name_of::<WaterName>;
            let form = name_of::<LandformName>(t.landform[i]);
            let values = format!("{form}, slope {slope}, flowAccumN {accum}, moisture {moist}");
            format!("it is {}, not {}: {values}", name(found), name(asked))
        });
    }
    Ok(())
}

/// Checks that a 0/1 layer marks the cells of a water class.
fn mask(w: &World, rule: &mut RuleResult, mask: &[u8], class: u8) {
    for (i, &m) in mask.iter().enumerate() {
        let found = name_of::<WaterName>(w.t.water_class[i]);
        rule.check((m != 0) == (w.t.water_class[i] == class), Some(w.place(i)), || {
            format!("it is {m} on {found}")
        });
    }
}

fn lake_mask(w: &World, rule: &mut RuleResult) -> Result<()> {
    mask(w, rule, &w.t.lake_mask, LAKE);
    Ok(())
}

fn stream_mask(w: &World, rule: &mut RuleResult) -> Result<()> {
    mask(w, rule, &w.t.stream_mask, STREAM);
    Ok(())
}

/// Numbers the connected pieces of the cells where `inside` holds, from 1; 0 elsewhere.
fn pieces(w: &World, inside: impl Fn(usize) -> bool) -> Result<(Vec<u32>, usize)> {
    let (grid, count) = label::regions(w.t.columns, w.t.rows, &Ctx::default(), inside)?;
    Ok((grid.into_vec(), count as usize))
}

fn lake_ids(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (lakes, count) = pieces(w, |i| w.t.water_class[i] == LAKE)?;
    let mut id_of_lake = vec![0u32; count + 1];
    let mut lake_of_id = BTreeMap::new();
    for (i, (&id, &lake)) in w.t.lake_id.iter().zip(&lakes).enumerate() {
        let place = Some(w.place(i));
        if lake == 0 || id == 0 {
            rule.check(lake == 0 && id == 0, place, || {
                format!("lake number {id} on {}", name_of::<WaterName>(w.t.water_class[i]))
            });
            continue;
        }
        let known = &mut id_of_lake[lake as usize];
        *known = if *known == 0 { id } else { *known };
        let owner = *lake_of_id.entry(id).or_insert(lake);
        rule.check(*known == id && owner == lake, place, || {
            format!("lake number {id}: this lake is number {known} elsewhere, or another lake has the number")
        });
    }
    Ok(())
}

/// Steps to the nearest cell of open water, at most `cap`.
fn steps_to_water(w: &World, cap: f64) -> Vec<f64> {
    w.distance(|i| w.is_open_water(i)).into_iter().map(|d| f64::from(d).min(cap)).collect()
}

fn water_distance(w: &World, rule: &mut RuleResult) -> Result<()> {
    let asked = steps_to_water(w, w.p.hydrology.water_prox_max_dist);
    for (i, (&found, &asked)) in w.t.dist_water.iter().zip(&asked).enumerate() {
        rule.check(f64::from(found) == asked, Some(w.place(i)), || format!("it is {found}, not {asked}"));
    }
    Ok(())
}

fn moisture(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (t, p) = (&w.t, &w.p.hydrology);
    let steps = steps_to_water(w, p.water_prox_max_dist);
    formula(w, rule, &t.moisture, 1e-6, |i| {
        let accum = (t.flow_accum_n[i] as f64 - p.moisture_accum_start) / (1.0 - p.moisture_accum_start);
        let flat = (p.flatness_threshold - t.slope_mag[i] as f64) / p.flatness_threshold;
        let prox = 1.0 - steps[i] / p.water_prox_max_dist;
        let [accum, flat, prox] = [accum, flat, prox].map(math::clamp01);
        math::clamp01(p.weights.accum * accum + p.weights.flat * flat + p.weights.prox * prox)
    });
    Ok(())
}

/// The biome of dry land, by the number of moisture thresholds that are reached.
fn biome_of(wetness: usize, slope: f32, height: f32) -> u8 {
    match wetness {
        3 if below(slope, 0.03) => OPEN_BOG,
        2 | 3 => 1,
        1 => 2,
        _ if reaches(height, 0.70) && below(slope, 0.05) => 4,
        _ => 3,
    }
}

fn biome(w: &World, rule: &mut RuleResult) -> Result<()> {
    let t = &w.t;
    let name = name_of::<BiomeName>;
    let wetness = |m: f64| [0.40f32, 0.65, 0.85].iter().filter(|&&limit| m >= limit as f64).count();
    for (i, &found) in t.biome.iter().enumerate() {
        let place = Some(w.place(i));
        let wet = match t.water_class[i] {
            LAKE => Some(5),
            STREAM => Some(6),
            _ => None,
        };
        if let Some(asked) = wet {
            let water = name_of::<WaterName>(t.water_class[i]);
            rule.check(found == asked, place, || {
                format!("it is {} on {water}, not {}", name(found), name(asked))
            });
            continue;
        }
        let (low, high) = w.variance(i);
        let at = |v: f64| t.moisture[i] as f64 + (v.clamp(0.0, 1.0) - 0.5) * w.p.strength();
        let (a, b) = (at(low).min(at(high)), at(low).max(at(high)));
        let (a, b) = (math::clamp01(a - rounding(1.0)), math::clamp01(b + rounding(1.0)));
        let of = |wetness| biome_of(wetness, t.slope_mag[i], t.height[i]);
        rule.check((wetness(a)..=wetness(b)).any(|k| of(k) == found), place, || {
            let (asked, s, h) = (name(of(wetness(a))), t.slope_mag[i], t.height[i]);
            format!("it is {}, not {asked}: perturbed moisture {a}, slope {s}, elevation {h}", name(found))
        });
    }
    Ok(())
}

fn tree_density(w: &World, rule: &mut RuleResult) -> Result<()> {
    let t = &w.t;
    for (i, &found) in t.tree_density.iter().enumerate() {
        let place = Some(w.place(i));
        let Some(&(base, _)) = VEGETATION.get(t.biome[i] as usize) else {
            continue;
        };
        if let Some(&v) = t.veg_variance.get(i) {
            let e = math::clamp01(base + (v as f64 - 0.5) * 0.10 + (t.moisture[i] as f64 - 0.5) * 0.08);
            rule.check((found as f64 - e).abs() <= 1e-6, place, || format!("it is {found}, not {e}"));
            continue;
        }
        let (low, high) = w.variance(i);
        rule.check(low <= 1.0 && high >= 0.0, place, || {
            format!("{found} in {} would need a variance of {low}", name_of::<BiomeName>(t.biome[i]))
        });
    }
    Ok(())
}

fn canopy_cover(w: &World, rule: &mut RuleResult) -> Result<()> {
    formula(w, rule, &w.t.canopy_cover, 1e-6, |i| match VEGETATION.get(w.t.biome[i] as usize) {
        Some(&(density, canopy)) => math::clamp01(canopy + (w.t.tree_density[i] as f64 - density) * 0.6),
        None => f64::from(w.t.canopy_cover[i]),
    });
    Ok(())
}

fn dominant(w: &World, rule: &mut RuleResult) -> Result<()> {
    const PINE: u8 = 1;
    const SPRUCE: u8 = 2;
    const BIRCH: u8 = 3;
    for (i, &found) in w.t.dominant.iter().enumerate() {
        let moist = w.t.moisture[i];
        let asked = match w.t.biome[i] {
            3 | 4 => PINE,
            1 => SPRUCE,
            2 if reaches(moist, 0.52) => SPRUCE | BIRCH << 4,
            2 => BIRCH | SPRUCE << 4,
            6 => BIRCH,
            OPEN_BOG if !reaches(moist, 0.75) => BIRCH,
            _ => 0,
        };
        rule.check(found == asked, Some(w.place(i)), || {
            let list = |code: u8| {
                let names = [code & 15, code >> 4].into_iter().filter(|&c| c > 0);
                names.map(|c| name_of::<SpeciesName>(c - 1)).collect::<Vec<_>>().join(", ")
            };
            let biome = name_of::<BiomeName>(w.t.biome[i]);
            format!("it is [{}], not [{}]: {biome}, moisture {moist}", list(found), list(asked))
        });
    }
    Ok(())
}

fn soil(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (t, p) = (&w.t, &w.p.ground);
    for (i, &found) in t.soil.iter().enumerate() {
        let (moist, height) = (t.moisture[i], t.height[i]);
        let high = t.landform[i] == RIDGE || reaches(height, p.bedrock_height_min);
        let asked = if reaches(moist, p.peat_moisture_threshold) {
            PEAT
        } else if moist <= p.exposed_sand_moisture_max as f32 && high {
            SANDY_TILL
        } else {
            ROCKY_TILL
        };
        rule.check(found == asked, Some(w.place(i)), || {
            let (name, form) = (name_of::<SoilName>, name_of::<LandformName>(t.landform[i]));
            format!(
                "it is {}, not {}: moisture {moist}, {form}, elevation {height}",
                name(found),
                name(asked)
            )
        });
    }
    Ok(())
}

fn firmness(w: &World, rule: &mut RuleResult) -> Result<()> {
    formula(w, rule, &w.t.firmness, 1e-6, |i| {
        let (moist, slope) = (w.t.moisture[i] as f64, w.t.slope_mag[i] as f64);
        math::clamp01(1.0 - 0.85 * moist + 0.15 * math::clamp01(slope / 0.2))
    });
    Ok(())
}

/// Adds `bit` to the flags that must be set and to those that may be set.
fn flag(bit: u8, (surely, maybe): (bool, bool), flags: &mut (u8, u8)) {
    flags.0 |= u8::from(surely) << bit;
    flags.1 |= u8::from(maybe) << bit;
}

/// Whether the roughness of `i` must and may reach a threshold.
fn rough(w: &World, i: usize, threshold: f64) -> (bool, bool) {
    let ((low, high), limit) = (w.roughness(i), threshold as f32 as f64);
    (low >= limit, high >= limit)
}

/// Checks flags against those that must and those that may be set.
fn flags<N: Names>(rule: &mut RuleResult, place: (usize, usize), found: u8, (surely, maybe): (u8, u8)) {
    rule.check(found & surely == surely && found & !maybe == 0, Some(place), || {
        format!("it is {}, not {}", names_of::<N>(found), names_of::<N>(surely))
    });
}

fn surface_flags(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (t, p) = (&w.t, &w.p.ground);
    let known = |yes: bool| (yes, yes);
    for (i, &found) in t.surface_flags.iter().enumerate() {
        let moist = t.moisture[i];
        let mut f = (0, 0);
        let standing = reaches(moist, p.standing_water_moisture_threshold)
            && below(t.slope_mag[i], p.standing_water_slope_max);
        flag(0, known(standing), &mut f);
        flag(1, known(t.soil[i] == PEAT), &mut f);
        flag(2, known(moist <= p.lichen_moisture_max as f32), &mut f);
        let sand = t.soil[i] == SANDY_TILL && moist <= p.exposed_sand_moisture_max as f32;
        flag(3, known(sand), &mut f);
        if reaches(t.height[i], p.bedrock_height_min) {
            flag(4, rough(w, i, p.bedrock_roughness_min), &mut f);
        }
        flags::<SurfaceName>(rule, w.place(i), found, f);
    }
    Ok(())
}

fn obstruction(w: &World, rule: &mut RuleResult) -> Result<()> {
    let t = &w.t;
    let mix = w.p.roughness_features.obstruction_moisture_mix;
    for (i, &found) in t.obstruction.iter().enumerate() {
        let place = Some(w.place(i));
        let of = |r: f64| math::clamp01(r * (1.0 - mix) + t.moisture[i] as f64 * mix);
        let (low, high) = match t.roughness.get(i) {
            Some(&r) => (of(r as f64), of(r as f64)),
            None => (of(0.0), of(1.0)),
        };
        let good = (low - 1e-6..=high + 1e-6).contains(&(found as f64));
        rule.check(good, place, || format!("it is {found}, not in {low}..={high}"));
    }
    Ok(())
}

fn feature_flags(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (t, p) = (&w.t, &w.p.roughness_features);
    let known = |yes: bool| (yes, yes);
    for (i, &found) in t.feature_flags.iter().enumerate() {
        let mut f = (0, 0);
        flag(0, known(reaches(t.obstruction[i], p.fallen_log_threshold)), &mut f);
        flag(1, known(reaches(t.moisture[i], p.root_tangle_moisture_threshold)), &mut f);
        if reaches(t.height[i], p.boulder_height_min) {
            flag(2, rough(w, i, p.boulder_roughness_min), &mut f);
        }
        flag(3, known(reaches(t.obstruction[i], p.windthrow_threshold)), &mut f);
        flags::<FeatureName>(rule, w.place(i), found, f);
    }
    Ok(())
}

fn visibility(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (t, p) = (&w.t, &w.p.visibility);
    formula(w, rule, &t.visibility_m, 1e-5, |i| {
        let (density, obstruction) = (t.tree_density[i] as f64, t.obstruction[i] as f64);
        let bonus = p.elevation_bonus * (t.height[i] as f64 - 0.5);
        let seen = p.base - p.density_penalty * density - p.obstruction_penalty * obstruction + bonus;
        seen.min(p.max_meters).max(p.min_meters)
    });
    Ok(())
}

fn orientation(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (t, p) = (&w.t, &w.p.orientation);
    formula(w, rule, &t.orientation_reliability, 1e-5, |i| {
        let wet = math::clamp01((t.moisture[i] as f64 - p.wetness_start) / p.wetness_range);
        let mut value = 1.0 - p.density_weight * t.tree_density[i] as f64;
        value -= p.obstruction_weight * t.obstruction[i] as f64;
        value -= p.wetness_weight * wet;
        value += if t.landform[i] == RIDGE { p.ridge_bonus } else { 0.0 };
        value.min(p.max).max(p.min)
    });
    Ok(())
}

fn move_cost(w: &World, rule: &mut RuleResult) -> Result<()> {
    let (t, p) = (&w.t, &w.p.movement);
    formula(w, rule, &t.move_cost, 1e-5, |i| {
        let mut cost = math::lerp(1.0, p.move_cost_obstruction_max, t.obstruction[i] as f64);
        cost *= math::lerp(1.0, p.move_cost_moisture_max, t.moisture[i] as f64);
        cost *= if t.water_class[i] == MARSH { p.marsh_move_cost_multiplier } else { 1.0 };
        cost *= if t.biome[i] == OPEN_BOG { p.open_bog_move_cost_multiplier } else { 1.0 };
        cost * if w.trail[i] { w.p.game_trails.game_trail_move_cost_multiplier } else { 1.0 }
    });
    Ok(())
}

/// The classes that a step from `i` to `n` may have: the one asked for, and another if rounding may decide.
fn step_class(w: &World, i: usize, n: Option<usize>) -> (u16, u16) {
    const PASSABLE: u16 = 0;
    const DIFFICULT: u16 = 1;
    const BLOCKED: u16 = 2;
    let t = &w.t;
    let Some(n) = n.filter(|&n| w.playable(n)) else {
        return (BLOCKED, BLOCKED);
    };
    if t.water_class[i] == LAKE || t.water_class[n] == LAKE {
        return (BLOCKED, BLOCKED);
    }
    if reaches(t.moisture[i], 0.90) && below(t.slope_mag[i], 0.03) {
        return (DIFFICULT, DIFFICULT);
    }
    let dh = t.height[n] as f64 - t.height[i] as f64;
    let (block, difficult) = (w.p.movement.steep_block_delta, w.p.movement.steep_difficult_delta);
    let class = |block: bool, difficult: bool| match (block, difficult) {
        (true, _) => BLOCKED,
        (_, true) => DIFFICULT,
        _ => PASSABLE,
    };
    let (b, d) = (reaches_about(dh, block), reaches_about(dh, difficult));
    (class(b.0, d.0), class(b.1, d.1))
}

fn passability(w: &World, rule: &mut RuleResult) -> Result<()> {
    for (i, &codes) in w.t.passability.iter().enumerate() {
        let mut neighbours = [None; 8];
        w.around(i, |d, n| neighbours[d] = Some(n));
        for d in COMPASS {
            let found = codes >> (2 * d) & 3;
            let (a, b) = step_class(w, i, neighbours[d as usize]);
            rule.check(found == a || found == b, Some(w.place(i)), || {
                let name = |c: u16| name_of::<PassName>(c as u8);
                format!("{} is {}, not {}", Dir8::NAMES[d as usize], name(found), name(a))
            });
        }
    }
    Ok(())
}

fn cliffs(w: &World, rule: &mut RuleResult) -> Result<()> {
    let p = &w.p.movement;
    for (i, &found) in w.t.cliff_edge.iter().enumerate() {
        let steep = reaches(w.t.slope_mag[i], p.cliff_slope_min);
        let mut asked = [(false, false); 8];
        w.around(i, |d, n| {
            let dh = w.t.height[n] as f64 - w.t.height[i] as f64;
            let (surely, maybe) = reaches_about(dh, p.steep_block_delta);
            asked[d] = (surely && steep, maybe && steep);
        });
        for d in COMPASS {
            let set = found >> d & 1 == 1;
            let (surely, maybe) = asked[d as usize];
            rule.check((set || !surely) && (maybe || !set), Some(w.place(i)), || {
                let name = Dir8::NAMES[d as usize];
                if set {
                    format!("a cliff {name} where none is")
                } else {
                    format!("no cliff {name} where one is")
                }
            });
        }
    }
    Ok(())
}

fn followable(w: &World, rule: &mut RuleResult) -> Result<()> {
    let t = &w.t;
    for (i, &found) in t.followable.iter().enumerate() {
        let mut shore = false;
        w.around(i, |_, n| shore |= t.water_class[n] == LAKE);
        shore &= t.water_class[i] != LAKE;
        let set = [t.water_class[i] == STREAM, t.landform[i] == RIDGE, w.trail[i], shore];
        let asked = set.iter().enumerate().map(|(b, &s)| u8::from(s) << b).sum();
        flags::<FollowName>(rule, w.place(i), found, (asked, asked));
    }
    Ok(())
}

// -------------------------------------------------------------------------------------------------- trails

/// A stream end point.
fn is_water_node(w: &World, i: usize) -> bool {
    w.t.water_class[i] == STREAM
        && reaches(w.t.flow_accum_n[i], w.p.game_trails.stream_endpoint_accum_threshold)
}

/// A ridge end point.
fn is_ridge_node(w: &World, i: usize) -> bool {
    w.t.landform[i] == RIDGE && below(w.t.slope_mag[i], w.p.game_trails.ridge_endpoint_max_slope)
}

fn is_open_ground(w: &World, i: usize) -> bool {
    w.t.water_class[i] != LAKE && w.playable(i)
}

fn trails_on_open_ground(w: &World, rule: &mut RuleResult) -> Result<()> {
    for i in (0..w.len()).filter(|&i| w.trail[i]) {
        rule.check(is_open_ground(w, i), Some(w.place(i)), || {
            let what = if w.playable(i) { "a lake" } else { "the edge that is not playable" };
            format!("a trail on {what}")
        });
    }
    Ok(())
}

/// Checks that each piece of trail holds a cell for which `found` holds.
fn each_piece(w: &World, rule: &mut RuleResult, what: &str, found: impl Fn(usize) -> bool) -> Result<()> {
    let (piece, count) = pieces(w, |i| w.trail[i])?;
    let mut first = vec![usize::MAX; count + 1];
    let mut good = vec![false; count + 1];
    for (i, &k) in piece.iter().enumerate().filter(|p| *p.1 > 0) {
        let k = k as usize;
        first[k] = first[k].min(i);
        good[k] |= found(i);
    }
    for k in 1..=count {
        rule.check(good[k], Some(w.place(first[k])), || format!("the trail that begins here {what}"));
    }
    Ok(())
}

fn trails_reach_an_end(w: &World, rule: &mut RuleResult) -> Result<()> {
    each_piece(w, rule, "reaches neither a stream nor a ridge end point", |i| {
        is_water_node(w, i) || is_ridge_node(w, i)
    })
}

/// How many seeds the map has.
fn seed_count(w: &World) -> usize {
    let side = |size: usize| size as f64 - 2.0 * w.p.inset() as f64;
    let area = (side(w.t.columns) * side(w.t.rows)).max(0.0);
    (area / w.p.game_trails.seed_tiles_per_trail).floor().max(1.0) as usize
}

/// A path is marked where no earlier one is, so its own tiles fall into pieces only where earlier ids lie
/// between them: each piece touches an earlier id, or is the whole path from its seed to its end point.
fn trail_ids(w: &World, rule: &mut RuleResult) -> Result<()> {
    let ids = &w.t.game_trail_id;
    let most = 2 * seed_count(w);
    let mut seen = vec![false; w.len()];
    let mut of_id: BTreeMap<i32, Vec<(usize, bool, bool)>> = BTreeMap::new();
    for (i, &id) in ids.iter().enumerate() {
        rule.check((id >= 0) == w.trail[i] && id >= -1 && id < most as i32, Some(w.place(i)), || {
            let trail = if w.trail[i] { "a trail tile" } else { "no trail tile" };
            format!("id {id} on {trail}; {most} is the number of routes that may be asked for")
        });
        if id < 0 || seen[i] {
            continue;
        }
        let (mut joins, mut ends) = (false, false);
        let mut stack = vec![i];
        seen[i] = true;
        while let Some(c) = stack.pop() {
            ends |= is_water_node(w, c) || is_ridge_node(w, c);
            w.around(c, |_, n| {
                joins |= (0..id).contains(&ids[n]);
                if ids[n] == id && !seen[n] {
                    seen[n] = true;
                    stack.push(n);
                }
            });
        }
        of_id.entry(id).or_default().push((i, joins, ends));
    }
    if let Some((&first, list)) = of_id.first_key_value() {
        rule.check(first == 0, Some(w.place(list[0].0)), || format!("the least id is {first}, not 0"));
    }
    for (id, list) in &of_id {
        for &(i, joins, ends) in list {
            rule.check(joins || (list.len() == 1 && ends), Some(w.place(i)), || {
                format!("this piece of trail {id} joins no earlier trail and is no whole trail either")
            });
        }
    }
    Ok(())
}

/// The seeds of trails: those that are surely taken, and the cells that may be one.
struct Seeds {
    sure: Vec<usize>,
    possible: BTreeSet<usize>,
}

/// Scores that differ by less may be ranked either way.
const SCORE_SLACK: f64 = 1e-6;

impl Seeds {
    fn new(w: &World) -> Self {
        let (t, cap) = (&w.t, w.p.game_trails.water_seed_max_dist);
        let steps = steps_to_water(w, cap);
        let score = |i: usize| {
            let (firm, moist, slope) = (t.firmness[i] as f64, t.moisture[i] as f64, t.slope_mag[i] as f64);
            0.35 * math::clamp01((firm - 0.35) / 0.65)
                + 0.25 * math::clamp01(1.0 - (moist - 0.55).abs() / 0.55)
                + 0.20 * math::clamp01(1.0 - slope / 0.25)
                + 0.20 * math::clamp01(1.0 - steps[i] / cap)
        };
        let candidate =
            |&i: &usize| is_open_ground(w, i) && below(t.moisture[i], 0.92) && below(t.slope_mag[i], 0.30);
        let mut ranked: Vec<(f64, usize)> = (0..w.len()).filter(candidate).map(|i| (score(i), i)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let count = seed_count(w);
        let last_in = ranked.get(count - 1).map_or(f64::NEG_INFINITY, |r| r.0 - SCORE_SLACK);
        let first_out = ranked.get(count).map_or(f64::NEG_INFINITY, |r| r.0 + SCORE_SLACK);
        let sure = ranked.iter().filter(|r| r.0 > first_out).map(|r| r.1).collect();
        Self { sure, possible: ranked.iter().filter(|r| r.0 >= last_in).map(|r| r.1).collect() }
    }
}

/// The nearest cell where `source` holds, by steps and then by row and column, for every cell.
fn nearest(w: &World, source: impl Fn(usize) -> bool) -> Vec<Option<usize>> {
    let distance = w.distance(&source);
    let mut order: Vec<usize> = (0..w.len()).filter(|&i| distance[i] < u32::MAX).collect();
    order.sort_by_key(|&i| distance[i]);
    let mut best: Vec<Option<usize>> = vec![None; w.len()];
    for i in order {
        if distance[i] == 0 {
            best[i] = Some(i);
            continue;
        }
        // The first step towards a nearest source always leads to a cell that is one step nearer.
        w.around(i, |_, n| {
            if distance[n] + 1 == distance[i] {
                best[i] = [best[i], best[n]].into_iter().flatten().min();
            }
        });
    }
    best
}

/// The routes that are surely asked for and have a way: (seed, end point). Tiles whose cost reaches INF are
/// no way here, though a search may take them for one: what is left can be reached in any case.
fn sure_routes(w: &World, seeds: &Seeds, cost: &[f64]) -> Result<Vec<(usize, usize)>> {
    let (ground, _) = pieces(w, |i| cost[i] < w.p.game_trails.inf)?;
    let ends = [nearest(w, |i| is_water_node(w, i)), nearest(w, |i| is_ridge_node(w, i))];
    let mut routes = Vec::new();
    for &s in seeds.sure.iter().filter(|&&s| ground[s] > 0) {
        let reached = ends.iter().filter_map(|e| e[s]).filter(|&e| ground[e] == ground[s]);
        routes.extend(reached.map(|e| (s, e)));
    }
    Ok(routes)
}

fn trail_seeds(w: &World, rule: &mut RuleResult) -> Result<()> {
    let seeds = Seeds::new(w);
    let (piece, _) = pieces(w, |i| w.trail[i])?;
    for (s, e) in sure_routes(w, &seeds, &trail_cost_field(w))? {
        rule.check(piece[s] > 0 && piece[s] == piece[e], Some(w.place(s)), || {
            let (x, y) = w.place(e);
            format!("no trail leads from this seed to its end point ({x},{y})")
        });
    }
    each_piece(w, rule, "holds no tile that can be a seed", |i| seeds.possible.contains(&i))
}

/// The cost field C of 10.2.3, infinite where there is no way.
fn trail_cost_field(w: &World) -> Vec<f64> {
    let (t, p) = (&w.t, &w.p.game_trails);
    let to_stream = w.distance(|i| t.water_class[i] == STREAM);
    let cost = |i: usize| {
        let slope = p.w_slope * math::clamp01(t.slope_mag[i] as f64 / p.slope_scale);
        let wet = p.w_moist * math::clamp01((t.moisture[i] as f64 - p.moist_start) / (1.0 - p.moist_start));
        let steps = f64::from(to_stream[i]).min(p.stream_prox_max_dist);
        let near = -p.w_stream_prox * math::clamp01(1.0 - steps / p.stream_prox_max_dist);
        let ridge = if t.landform[i] == RIDGE { -p.w_ridge } else { 0.0 };
        let water = match t.water_class[i] {
            STREAM => p.w_cross,
            MARSH => p.w_marsh,
            _ => 0.0,
        };
        1.0 + slope + wet + p.w_obs * t.obstruction[i] as f64 + water + ridge + near
    };
    (0..w.len()).map(|i| if is_open_ground(w, i) { cost(i) } else { f64::INFINITY }).collect()
}

/// Cheapest ways by Dijkstra's algorithm, with arrays that are used again from route to route.
struct Ways<'a> {
    w: &'a World,
    cost: &'a [f64],
    so_far: Vec<f64>,
    touched: Vec<usize>,
}

impl Ways<'_> {
    /// The cost of the cheapest way over cells where `open` holds. That of the first cell is not counted.
    fn cheapest(&mut self, from: usize, to: usize, open: impl Fn(usize) -> bool) -> Option<f64> {
        self.touched.drain(..).for_each(|i| self.so_far[i] = f64::INFINITY);
        let mut heap = BinaryHeap::from([(Reverse(0u64), from)]);
        self.so_far[from] = 0.0;
        self.touched.push(from);
        while let Some((Reverse(bits), i)) = heap.pop() {
            // Costs are not negative, so their bits are in their order.
            let here = f64::from_bits(bits);
            if i == to {
                return Some(here);
            }
            if here > self.so_far[i] {
                continue;
            }
            self.w.around(i, |d, n| {
                let far = if d % 2 == 1 { self.w.p.game_trails.diag_weight } else { 1.0 };
                let there = here + self.cost[n] * far;
                if there < self.so_far[n] && open(n) {
                    self.so_far[n] = there;
                    self.touched.push(n);
                    heap.push((Reverse(there.to_bits()), n));
                }
            });
        }
        None
    }
}

/// At most so many routes are measured; it is the slowest of the rules.
const ROUTES_MEASURED: usize = 400;

fn trail_costs(w: &World, rule: &mut RuleResult) -> Result<()> {
    let cost = trail_cost_field(w);
    let routes = sure_routes(w, &Seeds::new(w), &cost)?;
    let least = cost.iter().copied().fold(f64::INFINITY, f64::min).max(1e-3);
    let mut ways = Ways { w, cost: &cost, so_far: vec![f64::INFINITY; w.len()], touched: Vec::new() };
    let every = routes.len().div_ceil(ROUTES_MEASURED).max(1);
    for &(s, e) in routes.iter().step_by(every) {
        // Without any trail between them, the rule about seeds has said so.
        let Some(along) = ways.cheapest(s, e, |n| w.trail[n]) else {
            continue;
        };
        let Some(best) = ways.cheapest(s, e, |n| cost[n] < w.p.game_trails.inf) else {
            continue;
        };
        // A search that takes costs within tieEps as equal may lose as much twice at each step.
        let steps = (best / least).ceil();
        let slack = 2.0 * w.p.hydrology.tie_eps * steps + 1e-5 * best.max(1.0);
        rule.check(along <= best + slack, Some(w.place(s)), || {
            let (x, y) = w.place(e);
            format!("the trail from this seed to ({x},{y}) costs {along}, but {best} is enough")
        });
    }
    Ok(())
}

/// Small maps derived step by step from the document, with nothing shared with the rules but the arrays.
#[cfg(test)]
pub(super) mod sample {
    use super::*;
    use serde_json::json;
    use weald_core::noise::{Fbm, Octave, Perlin};
    use weald_core::seed::{GOLDEN, mix64};

    /// A map and what it was made with.
    #[derive(Clone)]
    pub(in crate::check) struct Sample {
        pub(in crate::check) t: Tiles,
        pub(in crate::check) params: Value,
        pub(in crate::check) seed: u64,
    }

    const DX: [i64; 8] = [1, 1, 0, -1, -1, -1, 0, 1];
    const DY: [i64; 8] = [0, 1, 1, 1, 0, -1, -1, -1];

    fn clamp01(v: f64) -> f64 {
        v.clamp(0.0, 1.0)
    }

    /// The stages, in order.
    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
    pub(in crate::check) enum Stage {
        Topography,
        Flow,
        Water,
        Vegetation,
        Ground,
        Trails,
        Navigation,
    }

    impl Sample {
        /// Elevations, roughness and variance from the noise of chapter 4 with the default parameters.
        pub(in crate::check) fn noise(seed: u64, w: usize, h: usize) -> Self {
            let map = |id: u64, octaves: u64, frequency: f64, persistence: f64| {
                let octave = |k: u64| Octave {
                    noise: Perlin::new(mix64(seed ^ id ^ k.wrapping_mul(GOLDEN))),
                    frequency: frequency * (1u64 << k) as f64,
                    amplitude: (0..k).fold(1.0, |a, _| a * persistence),
                };
                let fbm = Fbm::new((0..octaves).map(octave).collect());
                fbm.grid(w, h, &Ctx::default()).unwrap().into_vec()
            };
            let t = Tiles {
                columns: w,
                rows: h,
                height: map(0x4848484848484848, 5, 0.035, 0.5),
                roughness: map(0x5252525252525252, 3, 0.06, 0.55),
                veg_variance: map(0x5656565656565656, 4, 0.045, 0.5),
                ..Tiles::default()
            };
            let mut sample = Self { t, params: json!({}), seed };
            sample.derive(Stage::Topography);
            sample
        }

        /// The noise with heights stretched and cut into steps: with cliffs, pits and equal drops.
        pub(in crate::check) fn rugged(seed: u64, w: usize, h: usize) -> Self {
            let mut sample = Self::noise(seed, w, h);
            for v in &mut sample.t.height {
                *v = (((*v - 0.5) * 5.0 + 0.5).clamp(0.0, 1.0) * 96.0).round() / 96.0;
            }
            sample.params = json!({
                "hydrology": {"lakeAccumThreshold": 0.3, "weights": {"flat": 0.4}},
                "gameTrails": {"seedTilesPerTrail": 60},
                "vegVarianceNoise": {"strength": 0.9},
            });
            sample.derive(Stage::Topography);
            sample
        }

        /// An authored valley with a lake, a marsh and a plateau behind a cliff.
        pub(in crate::check) fn authored() -> Self {
            let (w, h) = (16usize, 14usize);
            let mut t = Tiles { columns: w, rows: h, ..Tiles::default() };
            for y in 0..h {
                for x in 0..w {
                    let wave = ((x * 7 + y * 5) % 11) as f32 / 10.0;
                    let mut height = match x {
                        12.. => 0.88 + 0.002 * (x as f32 - 12.0) + 0.004 * wave,
                        _ => 0.12 + 0.02 * (x as f32 - 5.0).abs() + 0.02 * (9.0 - y as f32).max(0.0),
                    };
                    height = if (4..=7).contains(&x) && (9..=11).contains(&y) { 0.118 } else { height };
                    height = if (x, y) == (5, 10) { 0.112 } else { height };
                    height = if (x, y) == (13, 5) { 0.99 } else { height };
                    height = if (x, y) == (9, 3) { 0.44 } else { height };
                    t.height.push(height);
                    t.roughness.push(0.2 + 0.75 * wave);
                    t.veg_variance.push(((x * 3 + y * 8) % 13) as f32 / 12.0);
                }
            }
            let params = json!({
                "hydrology": {
                    "marshMoistureThreshold": 0.5,
                    "lakeAccumThreshold": 0.5,
                    "streamAccumThreshold": 0.4,
                    "weights": {"accum": 0.55, "flat": 0.40, "prox": 0.55},
                    "waterProxMaxDist": 3,
                },
                "ground": {"standingWaterMoistureThreshold": 0.5, "peatMoistureThreshold": 0.6},
                "gameTrails": {"seedTilesPerTrail": 40, "streamEndpointAccumThreshold": 0.5},
                "vegVarianceNoise": {"strength": 0.5},
            });
            let mut sample = Self { t, params, seed: 7 };
            sample.derive(Stage::Topography);
            sample
        }

        fn p(&self) -> Params {
            Params::read(&self.params, Path::new("test")).unwrap()
        }

        /// Runs the stages from `first` on.
        pub(in crate::check) fn derive(&mut self, first: Stage) {
            use Stage::*;
            for stage in [Topography, Flow, Water, Vegetation, Ground, Trails, Navigation] {
                match stage {
                    _ if stage < first => {}
                    Topography => self.topography(),
                    Flow => self.flow(),
                    Water => self.water(),
                    Vegetation => self.vegetation(),
                    Ground => self.ground(),
                    Trails => self.trails(),
                    Navigation => self.navigation(),
                }
            }
        }

        fn size(&self) -> usize {
            self.t.columns * self.t.rows
        }

        /// The neighbour in direction `d`.
        fn to(&self, i: usize, d: usize) -> Option<usize> {
            let (w, h) = (self.t.columns as i64, self.t.rows as i64);
            let (x, y) = (i as i64 % w + DX[d], i as i64 / w + DY[d]);
            (x >= 0 && y >= 0 && x < w && y < h).then_some((y * w + x) as usize)
        }

        fn near(&self, i: usize) -> impl Iterator<Item = usize> {
            (0..8).filter_map(move |d| self.to(i, d))
        }

        fn apart(&self, a: usize, b: usize) -> usize {
            let w = self.t.columns;
            (a % w).abs_diff(b % w).max((a / w).abs_diff(b / w))
        }

        fn playable(&self, i: usize) -> bool {
            let (w, h) = (self.t.columns, self.t.rows);
            (1..w - 1).contains(&(i % w)) && (1..h - 1).contains(&(i / w))
        }

        fn topography(&mut self) {
            let (p, n) = (self.p(), self.size());
            for list in [&mut self.t.slope_mag, &mut self.t.aspect_deg] {
                list.clear();
            }
            self.t.landform.clear();
            for i in 0..n {
                let h = |d: usize| self.t.height[self.to(i, d).unwrap_or(i)] as f64;
                let (hx, hy) = (h(0) - h(4), h(2) - h(6));
                let slope = ((hx * hx + hy * hy).sqrt() / 2.0) as f32;
                let turn = if hx == 0.0 && hy == 0.0 { 0.0 } else { math::atan2(-hy, -hx).to_degrees() };
                let aspect = if turn < 0.0 { turn + 360.0 } else { turn } as f32;
                let c = self.t.height[i] as f64;
                let eps = p.landform.eps;
                let high = self.near(i).filter(|&m| self.t.height[m] as f64 > c + eps).count();
                let low = self.near(i).filter(|&m| (self.t.height[m] as f64) < c - eps).count();
                let form = if slope < p.landform.flat_slope_threshold as f32 {
                    if low == 0 && high > 0 {
                        4
                    } else if high == 0 && low > 0 {
                        2
                    } else {
                        0
                    }
                } else if high >= 6 {
                    4
                } else if low >= 6 {
                    2
                } else if high >= 5 && low <= 2 {
                    3
                } else if low >= 5 && high <= 2 {
                    2
                } else {
                    1
                };
                self.t.slope_mag.push(slope);
                self.t.aspect_deg.push(aspect);
                self.t.landform.push(form);
            }
        }

        fn flow(&mut self) {
            let (p, n) = (self.p(), self.size());
            self.t.flow_dir = (0..n).map(|i| self.way(i, &p)).collect();
            self.accumulate();
        }

        fn way(&self, i: usize, p: &Params) -> u8 {
            let drop = |d: usize| self.to(i, d).map(|m| self.t.height[i] as f64 - self.t.height[m] as f64);
            let drops: Vec<(usize, f64)> = (0..8)
                .filter_map(|d| drop(d).map(|v| (d, v)))
                .filter(|&(_, v)| v > 0.0 && v >= p.hydrology.min_drop_threshold)
                .collect();
            let most = drops.iter().map(|v| v.1).fold(0.0, f64::max);
            let tied: Vec<usize> =
                drops.iter().filter(|v| (v.1 - most).abs() <= p.hydrology.tie_eps).map(|v| v.0).collect();
            let (x, y) = ((i % self.t.columns) as u64, (i / self.t.columns) as u64);
            let hash =
                mix64(self.seed ^ x.wrapping_mul(0x9E3779B97F4A7C15) ^ y.wrapping_mul(0xC2B2AE3D27D4EB4F));
            if tied.is_empty() { 255 } else { tied[(hash % tied.len() as u64) as usize] as u8 }
        }

        /// Follows every tile's water to its end.
        pub(in crate::check) fn accumulate(&mut self) {
            let n = self.size();
            let mut sum = vec![0u32; n];
            for i in 0..n {
                let mut at = Some(i);
                while let Some(c) = at {
                    sum[c] += 1;
                    at = if self.t.flow_dir[c] < 8 { self.to(c, self.t.flow_dir[c] as usize) } else { None };
                }
            }
            let (low, high) = (*sum.iter().min().unwrap() as f64, *sum.iter().max().unwrap() as f64);
            let ln = math::ln;
            let share = |a: u32| (ln(a as f64) - ln(low)) / (ln(high) - ln(low));
            self.t.flow_accum_n =
                sum.iter().map(|&a| if high > low { clamp01(share(a)) as f32 } else { 0.0 }).collect();
            self.t.flow_accum = sum;
        }

        fn water(&mut self) {
            let (p, n) = (self.p().hydrology, self.size());
            let t = &self.t;
            let is_lake = |i: usize| {
                t.landform[i] == 4
                    && t.slope_mag[i] < p.lake_flat_slope_threshold as f32
                    && t.flow_accum_n[i] >= p.lake_accum_threshold as f32
            };
            let is_stream = |i: usize| {
                !is_lake(i)
                    && t.flow_accum_n[i] >= p.stream_accum_threshold as f32
                    && t.slope_mag[i] >= p.stream_min_slope_threshold as f32
            };
            let wet: Vec<usize> = (0..n).filter(|&i| is_lake(i) || is_stream(i)).collect();
            let cap = p.water_prox_max_dist as usize;
            let far: Vec<usize> =
                (0..n).map(|i| wet.iter().map(|&m| self.apart(i, m)).min().unwrap_or(cap).min(cap)).collect();
            let moist: Vec<f32> = (0..n)
                .map(|i| {
                    let start = p.moisture_accum_start;
                    let accum = clamp01((t.flow_accum_n[i] as f64 - start) / (1.0 - start));
                    let flat = clamp01((p.flatness_threshold - t.slope_mag[i] as f64) / p.flatness_threshold);
                    let prox = clamp01(1.0 - far[i] as f64 / cap as f64);
                    clamp01(p.weights.accum * accum + p.weights.flat * flat + p.weights.prox * prox) as f32
                })
                .collect();
            let class = |i: usize| {
                let marsh = moist[i] >= p.marsh_moisture_threshold as f32
                    && t.slope_mag[i] < p.marsh_slope_threshold as f32;
                if is_lake(i) {
                    1
                } else if is_stream(i) {
                    2
                } else if marsh {
                    3
                } else {
                    0
                }
            };
            let water: Vec<u8> = (0..n).map(class).collect();
            self.t.lake_mask = water.iter().map(|&c| u8::from(c == 1)).collect();
            self.t.stream_mask = water.iter().map(|&c| u8::from(c == 2)).collect();
            self.t.dist_water = far.iter().map(|&d| d as u16).collect();
            let mut id = vec![0u32; n];
            for (k, i) in (0..n).filter(|&i| water[i] == 1).enumerate() {
                id[i] = k as u32 + 1;
            }
            for _ in 0..n {
                for i in (0..n).filter(|&i| water[i] == 1) {
                    id[i] = self.near(i).filter(|&m| water[m] == 1).map(|m| id[m]).fold(id[i], u32::min);
                }
            }
            self.t.lake_id = id;
            self.t.moisture = moist;
            self.t.water_class = water;
        }

        fn vegetation(&mut self) {
            let (p, n) = (self.p(), self.size());
            let t = &mut self.t;
            for list in [&mut t.biome, &mut t.dominant] {
                list.clear();
            }
            for list in [&mut t.tree_density, &mut t.canopy_cover] {
                list.clear();
            }
            for i in 0..n {
                let (m, v, s) = (t.moisture[i], t.veg_variance[i] as f64, t.slope_mag[i]);
                let m2 = clamp01(m as f64 + (v - 0.5) * p.strength()) as f32;
                let (biome, density, canopy) = match t.water_class[i] {
                    1 => (5, 0.0, 0.0),
                    2 => (6, 0.60, 0.55),
                    _ if m2 >= 0.85 && s < 0.03 => (0, 0.10, 0.15),
                    _ if m2 >= 0.65 => (1, 0.80, 0.78),
                    _ if m2 >= 0.40 => (2, 0.55, 0.60),
                    _ if t.height[i] >= 0.70 && s < 0.05 => (4, 0.30, 0.35),
                    _ => (3, 0.35, 0.40),
                };
                let trees = clamp01(density + (v - 0.5) * 0.10 + (m as f64 - 0.5) * 0.08) as f32;
                t.biome.push(biome);
                t.tree_density.push(trees);
                t.canopy_cover.push(clamp01(canopy + (trees as f64 - density) * 0.6) as f32);
                t.dominant.push(match biome {
                    3 | 4 => 1,
                    1 => 2,
                    2 if m >= 0.52 => 0x32,
                    2 => 0x23,
                    6 => 3,
                    0 if m < 0.75 => 3,
                    _ => 0,
                });
            }
        }

        fn ground(&mut self) {
            let (p, n) = (self.p(), self.size());
            let (g, f) = (&p.ground, &p.roughness_features);
            let t = &mut self.t;
            for list in [&mut t.soil, &mut t.surface_flags, &mut t.feature_flags] {
                list.clear();
            }
            for list in [&mut t.firmness, &mut t.obstruction] {
                list.clear();
            }
            for i in 0..n {
                let (m, h, r, s) = (t.moisture[i], t.height[i], t.roughness[i], t.slope_mag[i]);
                let soil = if m >= g.peat_moisture_threshold as f32 {
                    0
                } else if m <= g.exposed_sand_moisture_max as f32
                    && (t.landform[i] == 2 || h >= g.bedrock_height_min as f32)
                {
                    1
                } else {
                    2
                };
                let mix = f.obstruction_moisture_mix;
                let o = clamp01(r as f64 * (1.0 - mix) + m as f64 * mix) as f32;
                let surface = [
                    m >= g.standing_water_moisture_threshold as f32 && s < g.standing_water_slope_max as f32,
                    soil == 0,
                    m <= g.lichen_moisture_max as f32,
                    soil == 1 && m <= g.exposed_sand_moisture_max as f32,
                    h >= g.bedrock_height_min as f32 && r >= g.bedrock_roughness_min as f32,
                ];
                let feature = [
                    o >= f.fallen_log_threshold as f32,
                    m >= f.root_tangle_moisture_threshold as f32,
                    h >= f.boulder_height_min as f32 && r >= f.boulder_roughness_min as f32,
                    o >= f.windthrow_threshold as f32,
                ];
                let bits = |flags: &[bool]| flags.iter().rev().fold(0u8, |b, &f| b << 1 | u8::from(f));
                t.soil.push(soil);
                t.firmness.push(clamp01(1.0 - 0.85 * m as f64 + 0.15 * clamp01(s as f64 / 0.2)) as f32);
                t.obstruction.push(o);
                t.surface_flags.push(bits(&surface));
                t.feature_flags.push(bits(&feature));
            }
        }

        /// C of 10.2.3; None where there is no way.
        fn cost(&self, i: usize, p: &GameTrails) -> Option<f64> {
            let t = &self.t;
            if t.water_class[i] == 1 || !self.playable(i) {
                return None;
            }
            let cap = p.stream_prox_max_dist as usize;
            let streams = (0..self.size()).filter(|&m| t.water_class[m] == 2);
            let far = streams.map(|m| self.apart(i, m)).min().unwrap_or(cap).min(cap) as f64;
            let mut c = 1.0 + p.w_slope * clamp01(t.slope_mag[i] as f64 / p.slope_scale);
            c += p.w_moist * clamp01((t.moisture[i] as f64 - p.moist_start) / (1.0 - p.moist_start));
            c += p.w_obs * t.obstruction[i] as f64;
            c += [0.0, 0.0, p.w_cross, p.w_marsh][t.water_class[i] as usize];
            c -= if t.landform[i] == 2 { p.w_ridge } else { 0.0 };
            Some(c - p.w_stream_prox * clamp01(1.0 - far / cap as f64))
        }

        fn trails(&mut self) {
            let (p, n) = (self.p().game_trails, self.size());
            let t = &self.t;
            let cost: Vec<Option<f64>> = (0..n).map(|i| self.cost(i, &p)).collect();
            let cap = p.water_seed_max_dist as usize;
            let score = |i: usize| {
                let wet = (0..n).filter(|&m| t.water_class[m] == 1 || t.water_class[m] == 2);
                let far = wet.map(|m| self.apart(i, m)).min().unwrap_or(cap).min(cap) as f64;
                0.35 * clamp01((t.firmness[i] as f64 - 0.35) / 0.65)
                    + 0.25 * clamp01(1.0 - (t.moisture[i] as f64 - 0.55).abs() / 0.55)
                    + 0.20 * clamp01(1.0 - t.slope_mag[i] as f64 / 0.25)
                    + 0.20 * clamp01(1.0 - far / cap as f64)
            };
            let mut seeds: Vec<(f64, usize)> = (0..n)
                .filter(|&i| cost[i].is_some() && t.moisture[i] < 0.92 && t.slope_mag[i] < 0.30)
                .map(|i| (-score(i), i))
                .collect();
            seeds.sort_by(|a, b| a.partial_cmp(b).unwrap());
            let area = t.columns.saturating_sub(2) * t.rows.saturating_sub(2);
            seeds.truncate((area / p.seed_tiles_per_trail as usize).max(1));
            let water = |&m: &usize| {
                t.water_class[m] == 2 && t.flow_accum_n[m] >= p.stream_endpoint_accum_threshold as f32
            };
            let ridge = |&m: &usize| t.landform[m] == 2 && t.slope_mag[m] < p.ridge_endpoint_max_slope as f32;
            let mut routes = Vec::new();
            for &(_, s) in &seeds {
                let ends: [Option<usize>; 2] = [
                    (0..n).filter(water).min_by_key(|&m| (self.apart(s, m), m)),
                    (0..n).filter(ridge).min_by_key(|&m| (self.apart(s, m), m)),
                ];
                routes.extend(ends.into_iter().flatten().filter_map(|e| self.route(s, e, &cost)));
            }
            let mut ids = vec![-1i32; n];
            for (k, route) in routes.iter().enumerate() {
                for &i in route {
                    ids[i] = if ids[i] < 0 { k as i32 } else { ids[i] };
                }
            }
            self.t.game_trail = ids.iter().map(|&k| u8::from(k >= 0)).collect();
            self.t.game_trail_id = ids;
        }

        /// A cheapest way, by going over all steps until nothing gets cheaper.
        fn route(&self, from: usize, to: usize, cost: &[Option<f64>]) -> Option<Vec<usize>> {
            let mut best = vec![(f64::INFINITY, usize::MAX); self.size()];
            best[from].0 = 0.0;
            let mut changed = true;
            while changed {
                changed = false;
                for i in 0..self.size() {
                    for d in 0..8 {
                        let Some(n) = self.to(i, d) else { continue };
                        let Some(c) = cost[n] else { continue };
                        let there = best[i].0 + c * if d % 2 == 1 { DIAGONAL } else { 1.0 };
                        if there < best[n].0 - 1e-9 {
                            best[n] = (there, i);
                            changed = true;
                        }
                    }
                }
            }
            let mut path = vec![to];
            while best[to].0.is_finite() && path[path.len() - 1] != from {
                path.push(best[path[path.len() - 1]].1);
            }
            (best[to].0.is_finite()).then_some(path)
        }

        fn navigation(&mut self) {
            let (p, n) = (self.p(), self.size());
            let (v, o, m) = (&p.visibility, &p.orientation, &p.movement);
            let mut nav = self.t.clone();
            for list in [&mut nav.visibility_m, &mut nav.orientation_reliability, &mut nav.move_cost] {
                list.clear();
            }
            nav.passability.clear();
            nav.followable.clear();
            nav.cliff_edge.clear();
            for i in 0..n {
                let t = &self.t;
                let [d, obs, wet, h] =
                    [&t.tree_density, &t.obstruction, &t.moisture, &t.height].map(|a| a[i] as f64);
                let seen = v.base - v.density_penalty * d - v.obstruction_penalty * obs
                    + v.elevation_bonus * (h - 0.5);
                nav.visibility_m.push(seen.clamp(v.min_meters, v.max_meters) as f32);
                let mut sure = 1.0 - o.density_weight * d - o.obstruction_weight * obs;
                sure -= o.wetness_weight * clamp01((wet - o.wetness_start) / o.wetness_range);
                sure += if t.landform[i] == 2 { o.ridge_bonus } else { 0.0 };
                nav.orientation_reliability.push(sure.clamp(o.min, o.max) as f32);
                let mut cost = 1.0 + (m.move_cost_obstruction_max - 1.0) * obs;
                cost *= 1.0 + (m.move_cost_moisture_max - 1.0) * wet;
                cost *= if t.water_class[i] == 3 { m.marsh_move_cost_multiplier } else { 1.0 };
                cost *= if t.biome[i] == 0 { m.open_bog_move_cost_multiplier } else { 1.0 };
                cost *=
                    if t.game_trail[i] == 1 { p.game_trails.game_trail_move_cost_multiplier } else { 1.0 };
                nav.move_cost.push(cost as f32);
                let (mut pass, mut cliff) = (0u16, 0u8);
                for d in 0..8 {
                    let step = self.to(i, d);
                    let dh = step.map_or(0.0, |k| t.height[k] as f64 - h);
                    let lake = |k: usize| t.water_class[k] == 1;
                    let class = match step.filter(|&k| self.playable(k)) {
                        None => 2,
                        Some(k) if lake(i) || lake(k) => 2,
                        _ if t.moisture[i] >= 0.90 && t.slope_mag[i] < 0.03 => 1,
                        _ if dh >= m.steep_block_delta => 2,
                        _ if dh >= m.steep_difficult_delta => 1,
                        _ => 0,
                    };
                    pass |= class << (2 * d);
                    let edge = dh >= m.steep_block_delta && t.slope_mag[i] >= m.cliff_slope_min as f32;
                    cliff |= u8::from(edge) << d;
                }
                nav.passability.push(pass);
                nav.cliff_edge.push(cliff);
                let shore = t.water_class[i] != 1 && self.near(i).any(|k| t.water_class[k] == 1);
                let cues = [t.water_class[i] == 2, t.landform[i] == 2, t.game_trail[i] == 1, shore];
                nav.followable.push((0..4).map(|b| u8::from(cues[b]) << b).sum());
            }
            self.t = nav;
        }

        /// The record of tile `i`.
        fn tile(&self, i: usize) -> Value {
            let t = &self.t;
            let (x, y) = (i % t.columns, i / t.columns);
            let list = |bits: u8, names: &[&str]| {
                let set = names.iter().enumerate().filter(|(b, _)| bits >> b & 1 == 1);
                Value::from(set.map(|(_, n)| *n).collect::<Vec<_>>())
            };
            let compass = CompassName::NAMES.iter().zip(COMPASS);
            let pass: serde_json::Map<String, Value> = compass
                .clone()
                .map(|(n, d)| {
                    (n.to_string(), PassName::NAMES[(t.passability[i] >> (2 * d) & 3) as usize].into())
                })
                .collect();
            let cliffs: Vec<&str> =
                compass.filter(|(_, d)| t.cliff_edge[i] >> d & 1 == 1).map(|(n, _)| *n).collect();
            let species = [t.dominant[i] & 15, t.dominant[i] >> 4].into_iter().filter(|&s| s > 0);
            let mut tile = json!({
                "id": format!("forest:{x},{y}"),
                "position": {"x": x, "y": y},
                "topography": {
                    "elevation": t.height[i],
                    "slopeMag": t.slope_mag[i],
                    "aspectDeg": t.aspect_deg[i],
                    "landform": LandformName::NAMES[t.landform[i] as usize],
                },
                "hydrology": {
                    "flowDir": t.flow_dir[i],
                    "flowAccum": t.flow_accum[i],
                    "flowAccumN": t.flow_accum_n[i],
                    "moisture": t.moisture[i],
                    "waterClass": WaterName::NAMES[t.water_class[i] as usize],
                },
                "vegetation": {
                    "biome": BiomeName::NAMES[t.biome[i] as usize],
                    "treeDensity": t.tree_density[i],
                    "canopyCover": t.canopy_cover[i],
                    "dominant": species.map(|s| SpeciesName::NAMES[s as usize - 1]).collect::<Vec<_>>(),
                },
                "ground": {
                    "soil": SoilName::NAMES[t.soil[i] as usize],
                    "firmness": t.firmness[i],
                    "surfaceFlags": list(t.surface_flags[i], SurfaceName::NAMES),
                },
                "roughness": {
                    "obstruction": t.obstruction[i],
                    "featureFlags": list(t.feature_flags[i], FeatureName::NAMES),
                },
                "visibility": {"baseMeters": t.visibility_m[i]},
                "navigation": {
                    "moveCost": t.move_cost[i],
                    "orientationReliability": t.orientation_reliability[i],
                    "followable": list(t.followable[i], FollowName::NAMES),
                    "passability": pass,
                    "cliffs": cliffs,
                },
            });
            if t.game_trail_id[i] >= 0 {
                tile["navigation"]["gameTrailId"] = t.game_trail_id[i].into();
            }
            tile
        }

        /// The whole envelope.
        pub(in crate::check) fn envelope(&self) -> Value {
            json!({
                "meta": {
                    "specVersion": "forest-terrain-v1",
                    "seed": self.seed.to_string(),
                    "width": self.t.columns,
                    "height": self.t.rows,
                    "params": self.params,
                },
                "tiles": (0..self.size()).map(|i| self.tile(i)).collect::<Vec<_>>(),
            })
        }

        /// Every layer, by name.
        pub(in crate::check) fn layers(&self) -> Vec<(&'static str, Array)> {
            use weald_core::Grid;
            let (t, w, h) = (&self.t, self.t.columns, self.t.rows);
            let mut list = Vec::new();
            macro_rules! put {
                ($($kind:ident: $($name:ident)*;)*) => {
                    $($(list.push({
                        let grid = Grid::from_vec(w, h, t.$name.clone());
                        (stringify!($name), Array::$kind(grid))
                    });)*)*
                };
            }
            put! {
                F32: height roughness veg_variance slope_mag aspect_deg flow_accum_n moisture tree_density
                    canopy_cover firmness obstruction visibility_m orientation_reliability move_cost;
                U8: landform flow_dir lake_mask stream_mask water_class biome soil surface_flags feature_flags
                    game_trail followable cliff_edge;
                U16: dist_water passability;
                U32: flow_accum lake_id;
                I32: game_trail_id;
            }
            list
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sample::{Sample, Stage};
    use super::*;
    use serde_json::json;
    use sha2::{Digest, Sha256};

    fn run(envelope: &Value) -> Report {
        super::envelope(&mut envelope.to_string().as_bytes(), Path::new("test.json")).unwrap()
    }

    fn failing(report: &Report) -> Vec<&'static str> {
        report.rules.iter().filter(|r| r.violations > 0).map(|r| r.rule).collect()
    }

    /// Changes one thing in a good map, derives again what comes after, and names the rules that fail.
    fn after(change: impl FnOnce(&mut Tiles), next: Option<Stage>) -> Vec<&'static str> {
        let mut sample = Sample::authored();
        change(&mut sample.t);
        if let Some(next) = next {
            sample.derive(next);
        }
        failing(&run(&sample.envelope()))
    }

    /// Changes one thing in a good map and runs the rules on all arrays, as for a folder.
    fn with_layers(change: impl FnOnce(&mut Tiles)) -> Vec<&'static str> {
        let mut sample = Sample::authored();
        change(&mut sample.t);
        let params = Params::read(&sample.params, Path::new("test")).unwrap();
        let mut report = Report::default();
        World::new(sample.t, params, Some(sample.seed)).run(&mut report).unwrap();
        failing(&report)
    }

    /// Changes one thing in a good file and names the rules that fail.
    fn edited(change: impl FnOnce(&mut Value)) -> Vec<&'static str> {
        let mut envelope = Sample::authored().envelope();
        change(&mut envelope);
        failing(&run(&envelope))
    }

    /// The first tile for which `wanted` holds.
    fn tile(t: &Tiles, wanted: impl Fn(usize) -> bool) -> usize {
        (0..t.columns * t.rows).find(|&i| wanted(i)).expect("the sample has such a tile")
    }

    fn inner(t: &Tiles, i: usize) -> bool {
        let (x, y) = (i % t.columns, i / t.columns);
        (1..t.columns - 1).contains(&x) && (1..t.rows - 1).contains(&y)
    }

    fn dry(t: &Tiles, i: usize) -> bool {
        t.water_class[i] == 0
    }

    #[test]
    fn maps_derived_from_the_document_keep_every_rule() {
        let mut samples = vec![Sample::authored(), Sample::noise(42, 16, 16), Sample::noise(3, 40, 23)];
        samples.extend((0..12).map(|seed| Sample::rugged(seed, 20 + seed as usize, 24)));
        samples.extend([(1, 1), (1, 9), (2, 2), (7, 3)].map(|(w, h)| Sample::rugged(5, w, h)));
        for sample in samples {
            let report = run(&sample.envelope());
            assert!(report.ok(), "{report}");
            let params = Params::read(&sample.params, Path::new("test")).unwrap();
            let mut report = Report::default();
            World::new(sample.t, params, Some(sample.seed)).run(&mut report).unwrap();
            assert!(report.ok(), "{report}");
            let names: BTreeSet<_> = report.rules.iter().map(|r| r.rule).collect();
            assert_eq!(names.len(), RULES.len(), "every rule runs when all arrays are known");
        }
    }

    #[test]
    fn the_authored_sample_shows_every_class() {
        let t = Sample::authored().t;
        let shown = |codes: &[u8]| codes.iter().copied().collect::<BTreeSet<_>>().len();
        assert_eq!(shown(&t.landform), 5);
        assert_eq!(shown(&t.water_class), 4);
        assert_eq!(shown(&t.biome), 7);
        assert_eq!(shown(&t.soil), 3);
        for flags in [&t.surface_flags, &t.feature_flags, &t.followable] {
            let all = flags.iter().fold(0, |a, b| a | b);
            assert!(all == 31 || all == 15);
        }
        assert!(t.cliff_edge.iter().any(|&c| c != 0));
        let classes: BTreeSet<u16> =
            t.passability.iter().flat_map(|p| (0..8).map(move |d| p >> (2 * d) & 3)).collect();
        assert_eq!(classes.len(), 3);
        assert!(t.game_trail_id.iter().any(|&k| k > 2));
    }

    #[test]
    fn the_sample_and_so_the_rules_agree_with_an_independent_program() {
        let read = |name: &str| -> Value {
            let file = format!("{}/tests/data/forest/{name}", env!("CARGO_MANIFEST_DIR"));
            serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
        };
        let t = Sample::noise(42, 16, 16).t;
        let hashes = |name: &str| {
            let all = read(name);
            let of_map = |e: &&Value| e["seed"] == "42" && e["width"] == 16;
            all["entries"].as_array().unwrap().iter().find(of_map).unwrap()["artifacts"].clone()
        };
        let (land, trails) = (hashes("topography-sha256.json"), hashes("navigation-sha256.json"));
        let hash =
            |bytes: Vec<u8>| Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect::<String>();
        for (name, values) in [
            ("H", &t.height),
            ("R", &t.roughness),
            ("V", &t.veg_variance),
            ("SlopeMag", &t.slope_mag),
            ("AspectDeg", &t.aspect_deg),
        ] {
            assert_eq!(hash(values.iter().flat_map(|v| v.to_le_bytes()).collect()), land[name], "{name}");
        }
        assert_eq!(hash(t.landform.clone()), land["Landform"]);
        assert_eq!(hash(t.game_trail.clone()), trails["GameTrail"]);
        let ids = t.game_trail_id.iter().flat_map(|v| v.to_le_bytes()).collect();
        assert_eq!(hash(ids), trails["GameTrailId"]);
        let (water, life) = (read("hydrology-42_16x16.json"), read("ecology-42_16x16.json"));
        let whole =
            |v: &Value| v.as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as u32).collect::<Vec<_>>();
        let wide = |v: &[u8]| v.iter().map(|&v| v as u32).collect::<Vec<_>>();
        assert_eq!(wide(&t.flow_dir), whole(&water["fd"]));
        assert_eq!(t.flow_accum, whole(&water["fa"]));
        assert_eq!(wide(&t.water_class), whole(&water["waterClass"]));
        assert_eq!(t.dist_water.iter().map(|&d| d as u32).collect::<Vec<_>>(), whole(&water["distWater"]));
        assert_eq!(wide(&t.biome), whole(&life["biome"]));
        assert_eq!(wide(&t.soil), whole(&life["soilType"]));
        assert_eq!(wide(&t.surface_flags), whole(&life["surfaceFlags"]));
        assert_eq!(wide(&t.feature_flags), whole(&life["featureFlags"]));
        for (name, from, values) in [
            ("faN", &water, &t.flow_accum_n),
            ("moisture", &water, &t.moisture),
            ("treeDensity", &life, &t.tree_density),
            ("canopyCover", &life, &t.canopy_cover),
            ("obstruction", &life, &t.obstruction),
        ] {
            for (a, b) in values.iter().zip(from[name].as_array().unwrap()) {
                assert!((*a as f64 - b.as_f64().unwrap()).abs() <= 1e-6, "{name}: {a} {b}");
            }
        }
        let envelope = Sample::noise(42, 16, 16).envelope();
        for (tile, species) in
            envelope["tiles"].as_array().unwrap().iter().zip(life["dominant"].as_array().unwrap())
        {
            assert_eq!(&tile["vegetation"]["dominant"], species);
        }
    }

    #[test]
    fn the_form_of_the_file_is_checked() {
        assert_eq!(edited(|e| e["meta"]["specVersion"] = "v0".into()), ["spec-version"]);
        assert_eq!(edited(|e| e["tiles"].as_array_mut().unwrap().swap(3, 40)), ["tiles-row-major"]);
        assert_eq!(edited(|e| drop(e["tiles"].as_array_mut().unwrap().pop())), ["tiles-row-major"]);
        assert_eq!(edited(|e| e["meta"]["width"] = 15.into()), ["tiles-row-major"]);
        assert_eq!(edited(|e| e["tiles"][5] = e["tiles"][6].clone()), ["tiles-row-major"]);
        assert_eq!(edited(|e| e["tiles"][5]["id"] = "forest:5,1".into()), ["tile-ids"]);
        let reversed = edited(|e| {
            let list = e["tiles"].as_array_mut().unwrap().iter_mut().find_map(|t| {
                let flags = t["roughness"]["featureFlags"].as_array_mut().unwrap();
                (flags.len() > 1).then_some(flags)
            });
            list.unwrap().reverse();
        });
        assert_eq!(reversed, ["list-order"]);
        assert_eq!(
            edited(|e| e["tiles"][9]["navigation"]["followable"] = json!(["ridge", "ridge"]))[0],
            "list-order"
        );
    }

    #[test]
    fn numbers_beyond_their_range_are_found() {
        // A whole turn more is the same direction but not in [0, 360).
        assert_eq!(after(|t| t.aspect_deg[20] += 360.0, None), ["numbers-in-range"]);
        for change in [
            (|t| t.flow_dir[3] = 8) as fn(&mut Tiles),
            |t| t.moisture[3] = f32::NAN,
            |t| t.move_cost[3] = f32::INFINITY,
            |t| t.biome[3] = 7,
            |t| t.passability[3] |= 3,
            |t| t.flow_accum[3] = 0,
            |t| t.orientation_reliability[3] = 0.96,
            |t| t.visibility_m[3] = 7.9,
            |t| t.game_trail[3] = 2,
        ] {
            assert_eq!(with_layers(change)[0], "numbers-in-range");
        }
    }

    #[test]
    fn topography_that_does_not_fit_the_elevations_is_found() {
        assert_eq!(after(|t| t.slope_mag[36] += 1e-5, Some(Stage::Water)), ["slope"]);
        assert_eq!(after(|t| t.aspect_deg[36] += 0.01, None), ["aspect"]);
        let level = |t: &mut Tiles| {
            let i = tile(t, |i| t.slope_mag[i] == 0.0);
            t.aspect_deg[i] = 90.0;
        };
        assert_eq!(after(level, None), ["aspect"]);
        let other = |t: &mut Tiles| {
            let i = tile(t, |i| t.landform[i] == 1 && !inner(t, i) && t.soil[i] == ROCKY_TILL);
            t.landform[i] = 3;
        };
        assert_eq!(after(other, Some(Stage::Water)), ["landform"]);
    }

    /// The ways down from each tile of the authored map.
    fn ways_of(t: &Tiles) -> Vec<Vec<(u8, f64, bool)>> {
        let w = World::new(t.clone(), Params::default(), None);
        (0..w.len()).map(|i| ways_down(&w, i)).collect()
    }

    /// Sends the water of one tile elsewhere and derives all that follows.
    fn redirected(choose: impl Fn(&Tiles, &[Vec<(u8, f64, bool)>]) -> (usize, u8)) -> Vec<&'static str> {
        let mut sample = Sample::authored();
        let (i, d) = choose(&sample.t, &ways_of(&sample.t));
        sample.t.flow_dir[i] = d;
        sample.accumulate();
        sample.derive(Stage::Water);
        failing(&run(&sample.envelope()))
    }

    #[test]
    fn water_that_does_not_take_the_greatest_drop_is_found() {
        let lesser = |t: &Tiles, ways: &[Vec<(u8, f64, bool)>]| {
            let taken = |i: usize| ways[i].iter().find(|w| w.0 == t.flow_dir[i]).map_or(0.0, |w| w.1);
            let i = tile(t, |i| ways[i].iter().any(|w| w.1 < taken(i) - 1e-3));
            (i, ways[i].iter().find(|w| w.1 < taken(i) - 1e-3).unwrap().0)
        };
        assert_eq!(redirected(lesser), ["flow-downhill"]);
        assert_eq!(redirected(|t, _| (tile(t, |i| t.flow_dir[i] != 255), 255)), ["flow-downhill"]);
        assert_eq!(redirected(|_, _| (0, 6)), ["flow-downhill"], "north of the first row is no tile");
        assert_eq!(redirected(|t, _| (tile(t, |i| t.flow_dir[i] == 255), 0)).first(), Some(&"flow-downhill"));
    }

    #[test]
    fn the_wrong_one_of_equal_drops_is_found_if_the_seed_is_known() {
        let other = |t: &Tiles, ways: &[Vec<(u8, f64, bool)>]| {
            let taken = |i: usize| ways[i].iter().find(|w| w.0 == t.flow_dir[i]).copied().unwrap_or_default();
            let equal = |i: usize, w: &&(u8, f64, bool)| w.0 != taken(i).0 && (w.1 - taken(i).1).abs() < 1e-8;
            let i = tile(t, |i| ways[i].iter().any(|w| equal(i, &w)));
            (i, ways[i].iter().find(|w| equal(i, w)).unwrap().0)
        };
        assert_eq!(redirected(other), ["flow-tie-break"]);
        assert_eq!(edited(|e| e["meta"]["seed"] = "8".into()), ["flow-tie-break"]);
        assert!(edited(|e| e["meta"]["seed"] = 7.into()).is_empty(), "a seed may be a number");
        let mut envelope = Sample::authored().envelope();
        envelope["meta"].as_object_mut().unwrap().remove("seed");
        let report = run(&envelope);
        assert!(report.ok() && report.notes.iter().any(|n| n.contains("seed")), "{report}");
        assert!(report.rules.iter().all(|r| r.rule != "flow-tie-break"));
    }

    #[test]
    fn water_in_a_circle_is_found() {
        let t = Tiles { columns: 3, rows: 2, flow_dir: vec![0, 2, 255, 6, 4, 4], ..Tiles::default() };
        let mut report = Report::default();
        World::new(t, Params::default(), None).run(&mut report).unwrap();
        assert_eq!(failing(&report), ["flow-acyclic"]);
        let rule = report.rules.iter().find(|r| r.rule == "flow-acyclic").unwrap();
        assert_eq!((rule.violations, rule.checked), (4, 6), "the four tiles of the circle and no others");
    }

    #[test]
    fn wrong_sums_of_water_are_found() {
        let share = |t: &mut Tiles| {
            let most = math::ln(*t.flow_accum.iter().max().unwrap() as f64);
            t.flow_accum_n = t.flow_accum.iter().map(|&a| (math::ln(a as f64) / most) as f32).collect();
        };
        let inside = |t: &mut Tiles| {
            let i = tile(t, |i| t.flow_dir[i] != 255 && t.flow_accum[i] == 1);
            t.flow_accum[i] += 1;
            share(t);
        };
        assert_eq!(after(inside, Some(Stage::Water)), ["flow-accumulation"]);
        let outlet = |t: &mut Tiles| {
            let i = tile(t, |i| t.flow_dir[i] == 255 && t.flow_accum[i] == 1);
            t.flow_accum[i] += 1;
            share(t);
        };
        assert_eq!(after(outlet, Some(Stage::Water)), ["flow-accumulation", "outlets-sum"]);
        assert_eq!(after(|t| t.flow_accum_n[36] += 1e-5, Some(Stage::Water)), ["flow-accum-n"]);
    }

    #[test]
    fn wrong_water_and_moisture_are_found() {
        let marsh = |t: &mut Tiles| {
            let i = tile(t, |i| dry(t, i) && !inner(t, i));
            t.water_class[i] = MARSH;
        };
        assert_eq!(after(marsh, Some(Stage::Vegetation)), ["water-class"]);
        let lake = |t: &mut Tiles| {
            let i = tile(t, |i| t.water_class[i] == LAKE);
            t.water_class[i] = 0;
        };
        assert!(after(lake, Some(Stage::Vegetation)).contains(&"water-class"));
        let wetter = |t: &mut Tiles| {
            let i = tile(t, |i| dry(t, i) && !inner(t, i));
            t.moisture[i] += 1e-5;
        };
        assert_eq!(after(wetter, Some(Stage::Vegetation)), ["moisture"]);
    }

    #[test]
    fn wrong_water_layers_are_found() {
        assert_eq!(with_layers(|t| t.lake_mask[0] ^= 1), ["lake-mask"]);
        assert_eq!(with_layers(|t| t.stream_mask[0] ^= 1), ["stream-mask"]);
        assert_eq!(with_layers(|t| t.dist_water[0] ^= 1), ["water-distance"]);
        assert_eq!(with_layers(|t| t.lake_id[0] = 1), ["lake-ids"]);
        let lost = |t: &mut Tiles| {
            let i = tile(t, |i| t.lake_id[i] > 0);
            t.lake_id[i] = 0;
        };
        assert_eq!(with_layers(lost), ["lake-ids"]);
        let ids = |lake_id: Vec<u32>| {
            let t =
                Tiles { columns: 5, rows: 1, water_class: vec![1, 1, 0, 1, 1], lake_id, ..Tiles::default() };
            let mut report = Report::default();
            World::new(t, Params::default(), None).run(&mut report).unwrap();
            failing(&report)
        };
        assert!(ids(vec![1, 1, 0, 2, 2]).is_empty());
        assert!(ids(vec![5, 5, 0, 2, 2]).is_empty(), "the order of the numbers is free");
        assert_eq!(ids(vec![1, 1, 0, 1, 1]), ["lake-ids"], "two lakes, one number");
        assert_eq!(ids(vec![1, 2, 0, 3, 3]), ["lake-ids"], "one lake, two numbers");
    }

    #[test]
    fn wrong_vegetation_is_found() {
        let biome = |t: &mut Tiles| {
            let i = tile(t, |i| t.biome[i] == 3 && t.moisture[i] < 0.2);
            t.biome[i] = 2;
            t.tree_density[i] += 0.20;
            t.canopy_cover[i] += 0.20;
            t.dominant[i] = 0x23;
        };
        assert_eq!(after(biome, Some(Stage::Navigation)), ["biome"]);
        let bank = |t: &mut Tiles| {
            let i = tile(t, |i| t.biome[i] == 6);
            t.biome[i] = 5;
        };
        assert!(after(bank, None).contains(&"biome"));
        let density = |t: &mut Tiles| {
            let i = tile(t, |i| t.biome[i] == 5);
            t.tree_density[i] = 0.5;
            t.canopy_cover[i] = 0.3;
        };
        assert_eq!(after(density, Some(Stage::Navigation)), ["tree-density"]);
        assert_eq!(after(|t| t.canopy_cover[30] += 1e-5, None), ["canopy-cover"]);
        assert_eq!(after(|t| t.dominant[30] = 0x12, None), ["dominant"]);
        let swapped = |t: &mut Tiles| {
            let i = tile(t, |i| t.dominant[i] == 0x23);
            t.dominant[i] = 0x32;
        };
        assert_eq!(after(swapped, None), ["dominant"]);
        // The variance is known from its layer, so less is needed to see it.
        let slightly = |t: &mut Tiles| {
            let i = tile(t, |i| t.biome[i] == 3);
            t.tree_density[i] += 1e-5;
        };
        assert!(with_layers(slightly).contains(&"tree-density"));
    }

    #[test]
    fn wrong_ground_is_found() {
        let soil = |t: &mut Tiles| {
            let i = tile(t, |i| t.soil[i] == ROCKY_TILL && t.moisture[i] > 0.45);
            t.soil[i] = SANDY_TILL;
        };
        assert_eq!(after(soil, None), ["soil"]);
        let firm = |t: &mut Tiles| {
            let i = tile(t, |i| t.water_class[i] == LAKE);
            t.firmness[i] += 1e-5;
        };
        assert_eq!(after(firm, None), ["firmness"]);
        for bit in 0..4 {
            assert_eq!(after(|t| t.surface_flags[100] ^= 1 << bit, None), ["surface-flags"]);
        }
        for wanted in [16, 0] {
            let bedrock = |t: &mut Tiles| {
                let i = tile(t, |i| t.height[i] > 0.75 && t.surface_flags[i] & 16 == wanted);
                t.surface_flags[i] ^= 16;
            };
            assert_eq!(after(bedrock, None), ["surface-flags"]);
            let boulder = |t: &mut Tiles| {
                let i = tile(t, |i| t.height[i] > 0.75 && t.feature_flags[i] & 4 == wanted / 4);
                t.feature_flags[i] ^= 4;
            };
            assert_eq!(after(boulder, None), ["feature-flags"]);
        }
        for bit in [0, 1, 3] {
            assert_eq!(after(|t| t.feature_flags[100] ^= 1 << bit, None), ["feature-flags"]);
        }
        let full = |t: &mut Tiles| {
            let i = tile(t, |i| !inner(t, i) && t.height[i] < 0.5);
            t.obstruction[i] = 1.0;
            t.feature_flags[i] |= 1 | 8;
        };
        assert_eq!(after(full, Some(Stage::Trails)), ["obstruction"]);
    }

    #[test]
    fn wrong_navigation_is_found() {
        assert_eq!(after(|t| t.visibility_m[40] += 1e-4, None), ["visibility"]);
        assert_eq!(after(|t| t.orientation_reliability[40] -= 1e-4, None), ["orientation"]);
        assert_eq!(after(|t| t.move_cost[40] += 1e-4, None), ["move-cost"]);
        for d in 0..8 {
            // From passable to difficult, from difficult to passable, from blocked to passable.
            let change = |t: &mut Tiles| {
                let class = t.passability[53] >> (2 * d) & 3;
                t.passability[53] ^= class.max(1) << (2 * d);
            };
            assert_eq!(after(change, None), ["passability"], "direction {d}");
            assert_eq!(after(|t| t.cliff_edge[53] ^= 1 << d, None), ["cliffs"], "direction {d}");
        }
        for bit in [0, 1, 3] {
            assert_eq!(after(|t| t.followable[100] ^= 1 << bit, None), ["followable"]);
        }
        let untold = |t: &mut Tiles| {
            let i = tile(t, |i| t.game_trail[i] == 1);
            t.followable[i] &= !TRAIL_FLAG;
        };
        assert_eq!(after(untold, None), ["followable"]);
    }

    #[test]
    fn passability_from_a_file_without_its_cliffs_and_ids_is_checked_as_well() {
        let mut envelope = Sample::authored().envelope();
        for tile in envelope["tiles"].as_array_mut().unwrap() {
            let nav = tile["navigation"].as_object_mut().unwrap();
            nav.remove("cliffs");
            nav.remove("gameTrailId");
        }
        let report = run(&envelope);
        assert!(report.ok(), "{report}");
        assert!(report.rules.iter().all(|r| r.rule != "cliffs" && r.rule != "trail-ids"));
        assert!(report.rules.iter().any(|r| r.rule == "trail-seeds" && r.checked > 0));
    }

    /// Marks tile `i` as part of trail `id`, or as none.
    fn mark(t: &mut Tiles, i: usize, id: i32) {
        t.game_trail_id[i] = id;
        t.game_trail[i] = u8::from(id >= 0);
    }

    #[test]
    fn wrong_trails_are_found() {
        let nav = Some(Stage::Navigation);
        let to_edge = |t: &mut Tiles| {
            let last = t.game_trail.iter().rposition(|&g| g == 1).unwrap();
            for i in (last..t.game_trail.len()).step_by(t.columns) {
                mark(t, i, t.game_trail_id[last]);
            }
        };
        assert_eq!(after(to_edge, nav), ["trails-on-open-ground"]);
        let alone = |t: &mut Tiles| {
            let w = World::new(t.clone(), Params::default(), None);
            let free = |i: usize| {
                let mut free = w.playable(i) && dry(t, i) && t.landform[i] != RIDGE && !w.trail[i];
                w.around(i, |_, n| free &= !w.trail[n]);
                free && t.slope_mag[i] > 0.3
            };
            let i = tile(t, free);
            mark(t, i, 1);
        };
        assert_eq!(after(alone, nav), ["trails-reach-an-end", "trail-ids", "trail-seeds"]);
        let far_id = |t: &mut Tiles| {
            for id in t.game_trail_id.iter_mut().filter(|id| **id == 0) {
                *id = 90;
            }
        };
        assert_eq!(after(far_id, None), ["trail-ids"]);
        let none = |t: &mut Tiles| {
            for i in 0..t.game_trail.len() {
                mark(t, i, -1);
            }
        };
        assert_eq!(after(none, nav), ["trail-seeds"]);
        assert_eq!(with_layers(|t| t.game_trail_id[0] = 0), ["trail-ids"], "an id where there is no trail");
    }

    #[test]
    fn a_trail_that_makes_a_detour_is_found() {
        let good = Sample::authored();
        let trail: Vec<usize> = (0..good.t.game_trail.len()).filter(|&i| good.t.game_trail[i] == 1).collect();
        let mut seen = BTreeSet::new();
        for &i in &trail {
            for n in [i - 1, i + 1, i - good.t.columns, i + good.t.columns] {
                let mut sample = good.clone();
                if sample.t.game_trail[n] == 1 || sample.t.water_class[n] == LAKE || !inner(&sample.t, n) {
                    continue;
                }
                mark(&mut sample.t, n, good.t.game_trail_id[i]);
                mark(&mut sample.t, i, -1);
                sample.derive(Stage::Navigation);
                seen.insert(failing(&run(&sample.envelope())));
            }
        }
        assert!(seen.contains(&vec!["trail-costs"]), "{seen:?}");
    }

    #[test]
    fn lines_are_read_like_an_envelope() {
        let sample = Sample::authored();
        let envelope = sample.envelope();
        let mut lines = format!("{}\n", json!({"meta": envelope["meta"]}));
        for tile in envelope["tiles"].as_array().unwrap() {
            lines.push_str(&format!("{tile}\n"));
        }
        let report = super::envelope(&mut lines.as_bytes(), Path::new("tiles.ndjson")).unwrap();
        assert_eq!(report, run(&envelope));
        let cut = &lines[..lines.len() - 30];
        assert!(matches!(super::envelope(&mut cut.as_bytes(), Path::new("-")), Err(Error::Invalid(_))));
    }

    #[test]
    fn a_file_without_meta_data_is_checked_with_the_defaults_and_says_so() {
        let envelope = json!({"tiles": Sample::noise(42, 16, 16).envelope()["tiles"]});
        let report = run(&envelope);
        assert_eq!(failing(&report), ["spec-version"]);
        for word in ["width", "Appendix A", "seed"] {
            assert!(report.notes.iter().any(|n| n.contains(word)), "{report}");
        }
        let mut other = Sample::authored().envelope();
        other["meta"].as_object_mut().unwrap().remove("params");
        assert!(failing(&run(&other)).contains(&"water-class"), "other parameters, other waters");
    }

    #[test]
    fn files_that_cannot_be_read_say_what_was_expected() {
        let message =
            |text: &str| super::envelope(&mut text.as_bytes(), Path::new("a.json")).unwrap_err().to_string();
        let mut envelope = Sample::authored().envelope();
        envelope["tiles"][3]["vegetation"]["biome"] = "jungle".into();
        for (text, part) in [
            ("", "a.json: EOF"),
            ("[]", "an object with `meta` and `tiles`"),
            ("{\"layers\": []}", "neither `tiles` nor `meta`"),
            ("{\"meta\": {}, \"tiles\": []}", "no tiles"),
            ("{\"meta\": {}}", "no tiles"),
            ("{\"tiles\": [{\"id\": 3}]}", "expected a string"),
            (&envelope.to_string(), "jungle"),
            (&envelope.to_string(), "esker_pine"),
        ] {
            let message = message(text);
            assert!(message.contains(part), "{message}");
        }
        let mut envelope = Sample::authored().envelope();
        envelope["meta"]["params"] = json!({"hydrology": {"tieEbs": 1}});
        assert!(message(&envelope.to_string()).contains("tieEbs"));
    }

    #[test]
    fn parameters_may_be_written_in_either_case_and_the_alias_counts() {
        let read = |v: Value| Params::read(&v, Path::new("p")).unwrap();
        assert_eq!(read(json!({"game_trails": {"w_slope": 2}})).game_trails.w_slope, 2.0);
        assert_eq!(read(json!({"gameTrails": {"wSlope": 2}})).game_trails.w_slope, 2.0);
        assert_eq!(read(json!({"vegVarianceStrength": 0.5})).strength(), 0.5);
        assert_eq!(read(json!({"vegVarianceNoise": {"strength": 0.4, "octaves": 4}})).strength(), 0.4);
        assert_eq!(read(json!({})).strength(), 0.12);
    }

    #[test]
    fn values_that_rounding_may_put_on_either_side_are_accepted_on_both() {
        // 0.005 above, as exact as 32 bits allow: higher or not hangs on how the sum is rounded.
        let mut t = Tiles { columns: 3, rows: 1, height: vec![0.5, 0.505, 0.5], ..Tiles::default() };
        t.slope_mag = vec![0.0025, 0.0, 0.0025];
        for landform in [[4, 2, 4], [0, 0, 0]] {
            t.landform = landform.to_vec();
            let mut report = Report::default();
            World::new(t.clone(), Params::default(), None).run(&mut report).unwrap();
            assert!(report.ok(), "{report}");
        }
        t.height[1] = 0.5051;
        t.landform = vec![0, 0, 0];
        let mut report = Report::default();
        World::new(t, Params::default(), None).run(&mut report).unwrap();
        assert!(failing(&report).contains(&"landform"));
    }
}
