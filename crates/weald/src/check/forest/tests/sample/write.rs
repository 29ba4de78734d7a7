//! A sample as a file of tiles or as layers.

use super::Sample;
use crate::check::forest::names::{
    BiomeName, COMPASS, CompassName, FeatureName, FollowName, LandformName, Names, PassName, SoilName,
    SpeciesName, SurfaceName, WaterName,
};
use serde_json::{Value, json};
use weald_core::AnyGrid;
use weald_core::Grid;

impl Sample {
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
                (n.to_string(), PassName::NAMES[(t.passability[i] >> (2 * d.0) & 3) as usize].into())
            })
            .collect();
        let cliffs: Vec<&str> =
            compass.filter(|(_, d)| t.cliff_edge[i] >> d.0 & 1 == 1).map(|(n, _)| *n).collect();
        let species = [t.dominant[i] & 15, t.dominant[i] >> 4].into_iter().filter(|&s| s > 0);
        let mut tile = json!({
            "id": format!("forest:{x},{y}"),
            "position": {"x": x, "y": y},
            "topography": {
                "elevation": t.height[i],
                "slopeMag": t.slope[i],
                "aspectDeg": t.aspect_deg[i],
                "landform": LandformName::NAMES[t.landform[i] as usize],
            },
            "hydrology": {
                "flowDir": t.flow_direction[i],
                "flowAccum": t.flow_accumulation[i],
                "flowAccumN": t.flow_accumulation_log[i],
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
    pub(in crate::check) fn layers(&self) -> Vec<(&'static str, AnyGrid)> {
        let (t, w, h) = (&self.t, self.t.columns, self.t.rows);
        let mut list = Vec::new();
        macro_rules! put {
            ($($kind:ident: $($name:ident)*;)*) => {
                $($(list.push({
                    let grid = Grid::from_vec(w, h, t.$name.clone());
                    (stringify!($name), AnyGrid::$kind(grid))
                });)*)*
            };
        }
        put! {
            F32: height roughness vegetation_variance slope aspect_deg flow_accumulation_log moisture tree_density
                canopy_cover firmness obstruction visibility_m orientation_reliability move_cost;
            U8: landform flow_direction lake_mask stream_mask water_class biome soil surface_flags feature_flags
                game_trail followable cliff_edge;
            U16: water_distance passability;
            U32: flow_accumulation lake_id;
            I32: game_trail_id;
        }
        list
    }
}
