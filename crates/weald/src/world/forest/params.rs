//! The parameters of the forest, with the defaults of the document's Appendix A. Only the group `elevation` is not the document's.
//!
//! This is the one home of names, defaults, ranges, units and descriptions: validation, `--set`, recipes and schemas
//! are made from it. In JSON the document's camelCase names are accepted as well.

use crate::params::{Params, Problem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// All parameters of the forest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ForestParams {
    /// The playable area of the map.
    pub grid: Grid,
    /// Where the elevation map H comes from. Not part of the document.
    pub elevation: Elevation,
    /// Noise of the elevation map H.
    pub height_noise: HeightNoise,
    /// Noise of the roughness map R.
    pub roughness_noise: RoughnessNoise,
    /// Noise of the vegetation variance map V, and its weight.
    pub veg_variance_noise: VegVarianceNoise,
    /// Landforms: when a tile is flat, a ridge, a valley or a basin.
    pub landform: Landform,
    /// Hydrology: flow, streams, lakes, marshes and moisture.
    pub hydrology: Hydrology,
    /// Soil and surface.
    pub ground: Ground,
    /// Obstruction and the features that cause it.
    pub roughness_features: RoughnessFeatures,
    /// Movement: passability and move cost.
    pub movement: Movement,
    /// Visibility: how far a walker can see.
    pub visibility: Visibility,
    /// Orientation reliability: how reliably a walker knows where they are. Informational.
    pub orientation: Orientation,
    /// Game trails.
    pub game_trails: GameTrails,
}

/// The playable area of the map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Grid {
    /// Width of the border that cannot be entered. If it covers the map, nothing is playable.
    #[schemars(range(min = 0, max = 1000000), extend("x-unit" = "tiles"))]
    pub playable_inset: u32,
}

impl Default for Grid {
    fn default() -> Self {
        Self { playable_inset: 1 }
    }
}

/// Where the elevation map H comes from. Not part of the document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Elevation {
    /// Where heights come from.
    pub source: Source,
    /// Share of the squares of 24 by 24 tiles that have a lake, among those with a stream. For shaped heights only.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub lakes: f64,
}

impl Default for Elevation {
    fn default() -> Self {
        Self { source: Source::Noise, lakes: 0.6 }
    }
}

/// Where heights come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The noise of the document.
    Noise,
    /// Land that rises by that noise while streams carve it, so that all water leads to the border.
    Shaped,
}

/// Noise of the elevation map H.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct HeightNoise {
    /// Number of octaves.
    #[schemars(range(min = 1, max = 16))]
    pub octaves: u32,
    /// Frequency of the first octave.
    #[schemars(range(max = 64.0), extend("exclusiveMinimum" = 0.0, "x-unit" = "per tile"))]
    pub base_frequency: f64,
    /// Lacunarity: factor of the frequency from octave to octave.
    #[schemars(range(min = 1.0, max = 8.0))]
    pub lacunarity: f64,
    /// Persistence: factor of the amplitude from octave to octave.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub persistence: f64,
}

impl Default for HeightNoise {
    fn default() -> Self {
        Self { octaves: 5, base_frequency: 0.035, lacunarity: 2.0, persistence: 0.5 }
    }
}

/// Noise of the roughness map R.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RoughnessNoise {
    /// Number of octaves.
    #[schemars(range(min = 1, max = 16))]
    pub octaves: u32,
    /// Frequency of the first octave.
    #[schemars(range(max = 64.0), extend("exclusiveMinimum" = 0.0, "x-unit" = "per tile"))]
    pub base_frequency: f64,
    /// Lacunarity: factor of the frequency from octave to octave.
    #[schemars(range(min = 1.0, max = 8.0))]
    pub lacunarity: f64,
    /// Persistence: factor of the amplitude from octave to octave.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub persistence: f64,
}

impl Default for RoughnessNoise {
    fn default() -> Self {
        Self { octaves: 3, base_frequency: 0.06, lacunarity: 2.0, persistence: 0.55 }
    }
}

/// Noise of the vegetation variance map V, and its weight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct VegVarianceNoise {
    /// Number of octaves.
    #[schemars(range(min = 1, max = 16))]
    pub octaves: u32,
    /// Frequency of the first octave.
    #[schemars(range(max = 64.0), extend("exclusiveMinimum" = 0.0, "x-unit" = "per tile"))]
    pub base_frequency: f64,
    /// Lacunarity: factor of the frequency from octave to octave.
    #[schemars(range(min = 1.0, max = 8.0))]
    pub lacunarity: f64,
    /// Persistence: factor of the amplitude from octave to octave.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub persistence: f64,
    /// How much V shifts the moisture that determines the biome.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub strength: f64,
}

impl Default for VegVarianceNoise {
    fn default() -> Self {
        Self { octaves: 4, base_frequency: 0.045, lacunarity: 2.0, persistence: 0.5, strength: 0.12 }
    }
}

/// Landforms: when a tile is flat, a ridge, a valley or a basin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Landform {
    /// Tolerance: a neighbour within this of a tile's height counts neither as higher nor as lower.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "height"))]
    pub eps: f64,
    /// Slope below which a tile is flat.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "height per tile"))]
    pub flat_slope_threshold: f64,
}

impl Default for Landform {
    fn default() -> Self {
        Self { eps: 0.005, flat_slope_threshold: 0.03 }
    }
}

/// Hydrology: flow, streams, lakes, marshes and moisture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Hydrology {
    /// Least drop at which water flows.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "height"))]
    pub min_drop_threshold: f64,
    /// Drops and path costs that differ by less than this count as equal. 0, or at least 1e-15.
    #[schemars(range(min = 0.0, max = 0.1), extend("x-unit" = "height; cost"))]
    pub tie_eps: f64,
    /// Normalised flow accumulation from which a tile is a stream. Above 1 there are no streams.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub stream_accum_threshold: f64,
    /// Slope from which a tile can be a stream.
    #[schemars(range(min = 0.0, max = 2.0), extend("x-unit" = "height per tile"))]
    pub stream_min_slope_threshold: f64,
    /// Slope below which a basin can be a lake.
    #[schemars(range(min = 0.0, max = 2.0), extend("x-unit" = "height per tile"))]
    pub lake_flat_slope_threshold: f64,
    /// Normalised flow accumulation from which a basin is a lake. Above 1 there are no lakes.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub lake_accum_threshold: f64,
    /// Normalised flow accumulation from which it adds moisture.
    #[schemars(range(min = 0.0), extend("exclusiveMaximum" = 1.0))]
    pub moisture_accum_start: f64,
    /// Slope from which flatness adds no moisture.
    #[schemars(range(max = 2.0), extend("exclusiveMinimum" = 0.0, "x-unit" = "height per tile"))]
    pub flatness_threshold: f64,
    /// Distance from which water adds no moisture.
    #[schemars(range(min = 1, max = 65535), extend("x-unit" = "tiles"))]
    pub water_prox_max_dist: u32,
    /// Weights of the three parts of moisture.
    pub weights: MoistureWeights,
    /// Moisture from which flat ground is marsh. Above 1 there is no marsh.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub marsh_moisture_threshold: f64,
    /// Slope below which ground can be marsh.
    #[schemars(range(min = 0.0, max = 2.0), extend("x-unit" = "height per tile"))]
    pub marsh_slope_threshold: f64,
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
            water_prox_max_dist: 6,
            weights: MoistureWeights::default(),
            marsh_moisture_threshold: 0.78,
            marsh_slope_threshold: 0.04,
        }
    }
}

/// Weights of the three parts of moisture. They are not normalised.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MoistureWeights {
    /// Weight of flow accumulation.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub accum: f64,
    /// Weight of flatness.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub flat: f64,
    /// Weight of proximity to water.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub prox: f64,
}

impl Default for MoistureWeights {
    fn default() -> Self {
        Self { accum: 0.55, flat: 0.25, prox: 0.20 }
    }
}

/// Soil and surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Ground {
    /// Moisture from which the soil is peat.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub peat_moisture_threshold: f64,
    /// Moisture from which there is standing water.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub standing_water_moisture_threshold: f64,
    /// Slope below which there can be standing water.
    #[schemars(range(min = 0.0, max = 2.0), extend("x-unit" = "height per tile"))]
    pub standing_water_slope_max: f64,
    /// Greatest moisture at which lichen grows. Below 0 there is none.
    #[schemars(range(min = -1.0, max = 1.0))]
    pub lichen_moisture_max: f64,
    /// Greatest moisture at which sand is exposed and soil can be sandy till. Below 0 there is neither.
    #[schemars(range(min = -1.0, max = 1.0))]
    pub exposed_sand_moisture_max: f64,
    /// Elevation from which bedrock can be exposed and soil can be sandy till.
    #[schemars(range(min = 0.0, max = 2.0), extend("x-unit" = "height"))]
    pub bedrock_height_min: f64,
    /// Roughness from which bedrock can be exposed.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub bedrock_roughness_min: f64,
}

impl Default for Ground {
    fn default() -> Self {
        Self {
            peat_moisture_threshold: 0.70,
            standing_water_moisture_threshold: 0.78,
            standing_water_slope_max: 0.04,
            lichen_moisture_max: 0.35,
            exposed_sand_moisture_max: 0.40,
            bedrock_height_min: 0.75,
            bedrock_roughness_min: 0.55,
        }
    }
}

/// Obstruction and the features that cause it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RoughnessFeatures {
    /// Share of moisture in obstruction; the rest is roughness.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub obstruction_moisture_mix: f64,
    /// Obstruction from which there is windthrow, trees felled by wind.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub windthrow_threshold: f64,
    /// Obstruction from which there are fallen logs.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub fallen_log_threshold: f64,
    /// Moisture from which there are root tangles.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub root_tangle_moisture_threshold: f64,
    /// Elevation from which there are boulders.
    #[schemars(range(min = 0.0, max = 2.0), extend("x-unit" = "height"))]
    pub boulder_height_min: f64,
    /// Roughness from which there are boulders.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub boulder_roughness_min: f64,
}

impl Default for RoughnessFeatures {
    fn default() -> Self {
        Self {
            obstruction_moisture_mix: 0.15,
            windthrow_threshold: 0.70,
            fallen_log_threshold: 0.45,
            root_tangle_moisture_threshold: 0.60,
            boulder_height_min: 0.70,
            boulder_roughness_min: 0.60,
        }
    }
}

/// Movement: passability and move cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Movement {
    /// Climb in one step from which the step is blocked.
    #[schemars(range(min = 0.0, max = 2.0), extend("x-unit" = "height"))]
    pub steep_block_delta: f64,
    /// Climb in one step from which the step is difficult.
    #[schemars(range(min = 0.0, max = 2.0), extend("x-unit" = "height"))]
    pub steep_difficult_delta: f64,
    /// Slope from which a blocked climb is a cliff.
    #[schemars(range(min = 0.0, max = 2.0), extend("x-unit" = "height per tile"))]
    pub cliff_slope_min: f64,
    /// Factor of the move cost at full obstruction.
    #[schemars(range(max = 100.0), extend("exclusiveMinimum" = 0.0))]
    pub move_cost_obstruction_max: f64,
    /// Factor of the move cost at full moisture.
    #[schemars(range(max = 100.0), extend("exclusiveMinimum" = 0.0))]
    pub move_cost_moisture_max: f64,
    /// Factor of the move cost in a marsh.
    #[schemars(range(max = 100.0), extend("exclusiveMinimum" = 0.0))]
    pub marsh_move_cost_multiplier: f64,
    /// Factor of the move cost in an open bog.
    #[schemars(range(max = 100.0), extend("exclusiveMinimum" = 0.0))]
    pub open_bog_move_cost_multiplier: f64,
}

impl Default for Movement {
    fn default() -> Self {
        Self {
            steep_block_delta: 0.22,
            steep_difficult_delta: 0.12,
            cliff_slope_min: 0.18,
            move_cost_obstruction_max: 1.35,
            move_cost_moisture_max: 1.25,
            marsh_move_cost_multiplier: 1.15,
            open_bog_move_cost_multiplier: 1.20,
        }
    }
}

/// Visibility: how far a walker can see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Visibility {
    /// Visibility in the open at an elevation of 0.5.
    #[schemars(range(min = 0.0, max = 100000.0), extend("x-unit" = "m"))]
    pub base: f64,
    /// Visibility lost in the densest wood.
    #[schemars(range(min = 0.0, max = 100000.0), extend("x-unit" = "m"))]
    pub density_penalty: f64,
    /// Visibility lost at full obstruction.
    #[schemars(range(min = 0.0, max = 100000.0), extend("x-unit" = "m"))]
    pub obstruction_penalty: f64,
    /// Visibility gained per unit of elevation above 0.5.
    #[schemars(range(min = -100000.0, max = 100000.0), extend("x-unit" = "m"))]
    pub elevation_bonus: f64,
    /// Least visibility.
    #[schemars(range(min = 0.0, max = 100000.0), extend("x-unit" = "m"))]
    pub min_meters: f64,
    /// Greatest visibility.
    #[schemars(range(min = 0.0, max = 100000.0), extend("x-unit" = "m"))]
    pub max_meters: f64,
}

impl Default for Visibility {
    fn default() -> Self {
        Self {
            base: 40.0,
            density_penalty: 28.0,
            obstruction_penalty: 10.0,
            elevation_bonus: 6.0,
            min_meters: 8.0,
            max_meters: 60.0,
        }
    }
}

/// Orientation reliability: how reliably a walker knows where they are. Informational.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Orientation {
    /// Least reliability.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub min: f64,
    /// Greatest reliability.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub max: f64,
    /// Reliability lost in the densest wood.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub density_weight: f64,
    /// Reliability lost at full obstruction.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub obstruction_weight: f64,
    /// Reliability lost on the wettest ground.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub wetness_weight: f64,
    /// Moisture from which wetness counts.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub wetness_start: f64,
    /// Increase in moisture over which wetness reaches its full weight.
    #[schemars(range(max = 10.0), extend("exclusiveMinimum" = 0.0))]
    pub wetness_range: f64,
    /// Reliability gained on a ridge.
    #[schemars(range(min = -1.0, max = 1.0))]
    pub ridge_bonus: f64,
}

impl Default for Orientation {
    fn default() -> Self {
        Self {
            min: 0.25,
            max: 0.95,
            density_weight: 0.45,
            obstruction_weight: 0.20,
            wetness_weight: 0.15,
            wetness_start: 0.60,
            wetness_range: 0.40,
            ridge_bonus: 0.10,
        }
    }
}

/// Game trails.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GameTrails {
    /// Weight of a diagonal step.
    #[schemars(range(max = 10.0), extend("exclusiveMinimum" = 0.0))]
    pub diag_weight: f64,
    /// Cost from which a tile is closed to trails.
    #[schemars(range(max = 1e30), extend("exclusiveMinimum" = 0.0, "x-unit" = "cost"))]
    pub inf: f64,
    /// Cost of the steepest ground.
    #[schemars(range(min = 0.0, max = 1000000.0), extend("x-unit" = "cost"))]
    pub w_slope: f64,
    /// Slope that costs as much as the steepest ground.
    #[schemars(range(max = 10.0), extend("exclusiveMinimum" = 0.0, "x-unit" = "height per tile"))]
    pub slope_scale: f64,
    /// Cost of the wettest ground.
    #[schemars(range(min = 0.0, max = 1000000.0), extend("x-unit" = "cost"))]
    pub w_moist: f64,
    /// Moisture from which wetness adds cost.
    #[schemars(range(min = 0.0), extend("exclusiveMaximum" = 1.0))]
    pub moist_start: f64,
    /// Cost of full obstruction.
    #[schemars(range(min = 0.0, max = 1000000.0), extend("x-unit" = "cost"))]
    pub w_obs: f64,
    /// Reduction of cost on a ridge. The sum with w_stream_prox must be below 1.
    #[schemars(range(min = 0.0), extend("exclusiveMaximum" = 1.0, "x-unit" = "cost"))]
    pub w_ridge: f64,
    /// Reduction of cost beside a stream. The sum with w_ridge must be below 1.
    #[schemars(range(min = 0.0), extend("exclusiveMaximum" = 1.0, "x-unit" = "cost"))]
    pub w_stream_prox: f64,
    /// Distance from which a stream no longer attracts trails.
    #[schemars(range(min = 1, max = 65535), extend("x-unit" = "tiles"))]
    pub stream_prox_max_dist: u32,
    /// Cost of crossing a stream.
    #[schemars(range(min = 0.0, max = 1000000.0), extend("x-unit" = "cost"))]
    pub w_cross: f64,
    /// Cost of a marsh.
    #[schemars(range(min = 0.0, max = 1000000.0), extend("x-unit" = "cost"))]
    pub w_marsh: f64,
    /// Distance from which water no longer attracts the starts of trails.
    #[schemars(range(min = 1, max = 65535), extend("x-unit" = "tiles"))]
    pub water_seed_max_dist: u32,
    /// Playable tiles per start of trails; 0 for no trails.
    #[schemars(range(min = 0, max = 1000000000), extend("x-unit" = "tiles"))]
    pub seed_tiles_per_trail: u32,
    /// Normalised flow accumulation from which a stream is a goal of trails.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub stream_endpoint_accum_threshold: f64,
    /// Slope below which a ridge is a goal of trails.
    #[schemars(range(min = 0.0, max = 2.0), extend("x-unit" = "height per tile"))]
    pub ridge_endpoint_max_slope: f64,
    /// Factor of the move cost on a trail.
    #[schemars(range(max = 100.0), extend("exclusiveMinimum" = 0.0))]
    pub game_trail_move_cost_multiplier: f64,
}

#[expect(clippy::approx_constant, reason = "the figure of Appendix A")]
impl Default for GameTrails {
    fn default() -> Self {
        Self {
            diag_weight: 1.41421356237,
            inf: 1000000000.0,
            w_slope: 4.0,
            slope_scale: 0.18,
            w_moist: 3.0,
            moist_start: 0.55,
            w_obs: 2.0,
            w_ridge: 0.35,
            w_stream_prox: 0.25,
            stream_prox_max_dist: 5,
            w_cross: 0.65,
            w_marsh: 1.25,
            water_seed_max_dist: 6,
            seed_tiles_per_trail: 450,
            stream_endpoint_accum_threshold: 0.70,
            ridge_endpoint_max_slope: 0.12,
            game_trail_move_cost_multiplier: 0.85,
        }
    }
}

impl Params for ForestParams {
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("veg_variance_strength", "veg_variance_noise.strength"),
        ("playable_inset", "grid.playable_inset"),
    ];

    fn problems(&self) -> Vec<Problem> {
        let (h, t, v, o) = (&self.hydrology, &self.game_trails, &self.visibility, &self.orientation);
        let mut found = Vec::new();
        let mut must = |holds: bool, path: &str, value: f64, rule: String| {
            if !holds {
                found.push(Problem::new(path, value, rule));
            }
        };
        must(
            h.tie_eps == 0.0 || h.tie_eps >= 1e-15,
            "hydrology.tie_eps",
            h.tie_eps,
            "must be 0 or between 1e-15 and 0.1".into(),
        );
        must(
            t.w_ridge + t.w_stream_prox < 1.0,
            "game_trails.w_stream_prox",
            t.w_stream_prox,
            format!(
                "must be below 1 together with game_trails.w_ridge = {}, or a step could cost nothing",
                t.w_ridge
            ),
        );
        must(
            v.min_meters <= v.max_meters,
            "visibility.min_meters",
            v.min_meters,
            format!("must be at most visibility.max_meters = {}", v.max_meters),
        );
        must(
            o.min <= o.max,
            "orientation.min",
            o.min,
            format!("must be at most orientation.max = {}", o.max),
        );
        found
    }
}
