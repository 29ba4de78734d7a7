//! The parameters of the document with their defaults, and the seed.

use crate::check::params::camel_case;
use crate::check::{Report, folder};
use crate::error::{Error, Result};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::path::Path;

/// The type of a parameter: a number unless another one is named.
macro_rules! type_of {
    () => {
        f64
    };
    ($type:ty) => {
        $type
    };
}

/// A group of parameters with its defaults.
macro_rules! group {
    ($(#[$doc:meta])* $name:ident { $($field:ident $(: $type:ty)? = $default:expr),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Deserialize)]
        #[serde(default, deny_unknown_fields, rename_all = "camelCase")]
        pub(super) struct $name {
            $(pub(super) $field: type_of!($($type)?)),*
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
pub(super) const DIAGONAL: f64 = 1.41421356237;

group!(
    /// The edge that is not playable.
    GridParams { playable_inset = 1.0 }
);
group!(
    /// When a neighbour is higher or lower, and when land is flat (5.2).
    LandformParams { eps = 0.005, flat_slope_threshold = 0.03 }
);
group!(
    /// The parts of the moisture (6.6).
    Weights { accum = 0.55, flat = 0.25, prox = 0.20 }
);
group!(
    /// Soils and surface flags (chapter 8).
    Ground {
        peat_moisture_threshold = 0.70,
        standing_water_moisture_threshold = 0.78,
        standing_water_slope_max = 0.04,
        lichen_moisture_max = 0.35,
        exposed_sand_moisture_max = 0.40,
        bedrock_height_min = 0.75,
        bedrock_roughness_min = 0.55,
    }
);
group!(
    /// Obstruction and feature flags (chapter 9).
    Features {
        obstruction_moisture_mix = 0.15,
        windthrow_threshold = 0.70,
        fallen_log_threshold = 0.45,
        root_tangle_moisture_threshold = 0.60,
        boulder_height_min = 0.70,
        boulder_roughness_min = 0.60,
    }
);
group!(
    /// Costs, steps and cliffs (chapter 13).
    Movement {
        steep_block_delta = 0.22,
        steep_difficult_delta = 0.12,
        cliff_slope_min = 0.18,
        move_cost_obstruction_max = 1.35,
        move_cost_moisture_max = 1.25,
        marsh_move_cost_multiplier = 1.15,
        open_bog_move_cost_multiplier = 1.20,
    }
);
group!(
    /// How far one sees (chapter 11).
    Visibility {
        base = 40.0,
        density_penalty = 28.0,
        obstruction_penalty = 10.0,
        elevation_bonus = 6.0,
        min_meters = 8.0,
        max_meters = 60.0,
    }
);
group!(
    /// How well one keeps a direction (chapter 12).
    Orientation {
        min = 0.25,
        max = 0.95,
        density_weight = 0.45,
        obstruction_weight = 0.20,
        wetness_weight = 0.15,
        wetness_start = 0.60,
        wetness_range = 0.40,
        ridge_bonus = 0.10,
    }
);
group!(
    /// Costs, seeds and end points of trails (chapter 10).
    GameTrails {
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
    }
);

group!(
    /// Flow, waters and moisture (chapter 6).
    Hydrology {
        min_drop_threshold = 0.0005,
        tie_eps = 0.000001,
        stream_accum_threshold = 0.55,
        stream_min_slope_threshold = 0.01,
        lake_flat_slope_threshold = 0.03,
        lake_accum_threshold = 0.65,
        moisture_accum_start = 0.35,
        flatness_threshold = 0.06,
        water_prox_max_dist = 6.0,
        weights: Weights = Weights::default(),
        marsh_moisture_threshold = 0.78,
        marsh_slope_threshold = 0.04,
    }
);

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

/// Where heights come from. The rules take heights as they are.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Elevation {
    #[serde(default, rename = "source")]
    _source: Source,
    #[serde(default, rename = "lakes")]
    _lakes: IgnoredAny,
}

/// The sources of heights.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Source {
    #[default]
    Noise,
    Shaped,
}

/// The parameters of Appendix A, and where heights come from.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Params {
    grid: GridParams,
    playable_inset: Option<f64>,
    #[serde(rename = "elevation")]
    _elevation: Option<Elevation>,
    #[serde(rename = "heightNoise")]
    _height_noise: IgnoredAny,
    #[serde(rename = "roughnessNoise")]
    _roughness_noise: IgnoredAny,
    veg_variance_noise: VegVarianceNoise,
    veg_variance_strength: Option<f64>,
    pub(super) landform: LandformParams,
    pub(super) hydrology: Hydrology,
    pub(super) ground: Ground,
    pub(super) roughness_features: Features,
    pub(super) movement: Movement,
    pub(super) visibility: Visibility,
    pub(super) orientation: Orientation,
    pub(super) game_trails: GameTrails,
}

impl Params {
    /// Reads the object; names may also be in snake_case, as recipes write them.
    pub(super) fn read(value: &Value, from: &Path) -> Result<Self> {
        serde_json::from_value(camel_case(value)).map_err(|e| {
            Error::Invalid(format!(
                "{}: params: {e}; they must be the object of Appendix A of the document",
                from.display()
            ))
        })
    }

    /// How much the variance moves the moisture that decides on the biome.
    pub(super) fn strength(&self) -> f64 {
        self.veg_variance_strength.unwrap_or(self.veg_variance_noise.strength)
    }

    /// How many rows and columns at the edge are not playable.
    pub(super) fn inset(&self) -> usize {
        self.playable_inset.unwrap_or(self.grid.playable_inset).max(0.0) as usize
    }
}

/// What a map was made with, as far as it is known.
pub(super) struct Settings {
    /// The parameters.
    pub(super) params: Params,
    /// The seed.
    pub(super) seed: Option<u64>,
}

impl Settings {
    /// Reads parameters, which come with the file in which they stand, and seed. Says in the notes which of
    /// both are `missing`, in these words.
    pub(super) fn read(
        params: Option<(&Value, &Path)>,
        seed: Option<&Value>,
        missing: [&str; 2],
        report: &mut Report,
    ) -> Result<Self> {
        let params = match params {
            Some((value, from)) => Params::read(value, from)?,
            None => {
                report.notes.push(format!("{}: the defaults of Appendix A were assumed", missing[0]));
                Params::default()
            }
        };
        let seed = folder::seed(seed);
        if seed.is_none() {
            report.notes.push(format!(
                "{}: which of several equal drops the water takes was not checked",
                missing[1]
            ));
        }
        Ok(Self { params, seed })
    }
}
