//! The layers, lines, points and figures of the city.

use super::heightmap::{CITIES_SCALES, Scale};
use super::params::Side;
use super::world::{INFO, WORLDMAP};
use super::{BUILDABILITY, City};
use crate::catalogue::Field::{F32, U8, U32};
use crate::catalogue::Palette::{Accumulation, Elevation, Moisture, Slope};
use crate::catalogue::{Catalogue, Cells, Feature, FeatureSet, LayerOf, Raster};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use weald_core::stats;

type L = LayerOf<City>;

/// Rounds in which the lines of rivers are smoothed.
const SMOOTHING: usize = 4;

/// The layers, in order.
pub(super) const LAYERS: &[L] = &[
    L::measure("height_before", "m", "Height above the sea before erosion", F32(|c| &c.land.height))
        .coloured(Elevation),
    L::measure(
        "zones",
        "1",
        "Potential P: how buildable the land is meant to be, 0 to 1",
        F32(|c| &c.land.zones),
    ),
    L::measure("height", "m", "Height above the sea", F32(|c| &c.eroded.height)).coloured(Elevation),
    L::measure("slope", "rise/run", "Slope of the ground", F32(|c| &c.slope)).coloured(Slope),
    L::classes(
        "buildable",
        "Buildability of dry land by slope: buildable up to 5 %, near up to 10 %",
        BUILDABILITY,
        U8(|c| &c.buildable),
    ),
    L::measure("uplift", "m", "Height by which uplift raised the ground", F32(|c| &c.eroded.uplift)),
    L::measure("eroded", "m", "Depth of ground that erosion removed", F32(|c| &c.eroded.eroded)),
    L::measure("deposited", "m", "Depth of sediment that erosion deposited", F32(|c| &c.eroded.deposited)),
    L::measure(
        "flow_accumulation",
        "cells",
        "Flow accumulation: cells that drain through this one, itself included",
        U32(|c| &c.water.accumulation),
    )
    .coloured(Accumulation),
    L::measure("lake_id", "", "Number of the lake, 0 for none", U32(|c| &c.water.lakes.of_cell))
        .coloured(Moisture),
    L::measure(
        "river_id",
        "",
        "Number of the river whose channel passes, 0 for none",
        U32(|c| &c.water.river_id),
    )
    .coloured(Moisture),
];

impl City {
    /// Layers, rivers, lakes, water sources, figures and notes.
    pub fn into_catalogue(self) -> Catalogue {
        let city = Arc::new(self);
        let mut catalogue = Catalogue {
            seed: city.seed.0,
            params: serde_json::to_value(&city.params).expect("parameters are plain data"),
            layers: LayerOf::layers(LAYERS, &city),
            lines: vec![city.rivers()],
            points: vec![city.lakes(), city.sources()],
            figures: city.figures(),
            notes: city.notes(),
            ..Catalogue::new(INFO.name, INFO.length_unit, city.frame)
        };
        if let Some(joined) = &city.joined {
            catalogue.rasters =
                vec![Raster { name: WORLDMAP, frame: joined.frame, height: joined.world.clone() }];
        }
        catalogue
    }

    /// What a user of the files must know.
    fn notes(&self) -> Vec<String> {
        let (map, f) = (&self.params.map, &self.figures);
        let mut notes = vec![
            format!(
                "buildable: {:.1} % before erosion, {:.1} % after it, {:.1} % of heightmap.png in the game",
                100.0 * f.buildable_after_ridges,
                100.0 * f.buildable,
                100.0 * f.buildable_in_game
            ),
            format!("coverage: the potential is above 0.5 on {:.1} % of the map", 100.0 * f.coverage),
            format!("height scale to type into the game: {}", map.height_scale_m),
            format!("sea level in the game: {} m; heights are above it", map.sea_level_m),
        ];
        let (low, high) = Cells::F32(&self.eroded.height).min_max();
        // Less than half a step is rounded away.
        let slack = Scale::from(map).quantum_m() / 2.0;
        if low + map.sea_level_m < -slack {
            let raise = if self.noise_land.is_some() && self.params.sea.side == Side::None {
                "map.lowest_m or map.sea_level_m"
            } else {
                "map.sea_level_m"
            };
            notes.push(format!("the lowest ground is cut off at black in heightmap.png; raise {raise}"));
        }
        if high + map.sea_level_m > map.height_scale_m + slack {
            let needed = (high + map.sea_level_m).ceil();
            let advice = if needed <= *CITIES_SCALES.end() {
                format!("set map.height_scale_m={needed} or more")
            } else {
                "no height scale of the game holds it".into()
            };
            notes.push(format!("the highest ground is cut off at white in heightmap.png; {advice}"));
        }
        if (self.frame.width, self.frame.height) != (4096, 4096) {
            notes.push("Cities: Skylines II needs 4096x4096: add --size 4096 for it".into());
        }
        notes
    }

    /// The centre of a cell in metres.
    fn centre(&self, cell: usize) -> (f64, f64) {
        self.frame.cell_centre(cell % self.frame.width, cell / self.frame.width)
    }

    fn rivers(&self) -> FeatureSet {
        let level = self.water.level.cells();
        let mm = |v: f64| (v * 1000.0).round() / 1000.0;
        let feature = |(id, river): (usize, &weald_core::hydro::River)| {
            let points: Vec<(f64, f64)> = river.cells.iter().map(|&c| self.centre(c as usize)).collect();
            let points = weald_core::line::rounded(&points, SMOOTHING);
            let length = weald_core::line::length(&points);
            let widths: Vec<f64> = self.water.widths_m[id].iter().map(|&w| mm(w as f64)).collect();
            let levels: Vec<f64> = river.cells.iter().map(|&c| mm(level[c as usize] as f64)).collect();
            Feature::new(
                id as u32,
                points,
                [
                    ("parent", json!(river.parent)),
                    ("area_km2", json!(river.area_m2 / 1e6)),
                    ("inflow_km2", json!(self.water.inflow_m2[id] / 1e6)),
                    ("discharge_m3_s", json!(river.discharge_m3_s)),
                    ("width_m", json!(river.width_m)),
                    ("depth_m", json!(self.water.rule.depth(river.discharge_m3_s))),
                    ("length_m", json!(mm(length))),
                    ("level_m", json!(levels)),
                    ("widths_m", json!(widths)),
                ],
            )
        };
        FeatureSet::new(
            "rivers",
            "Rivers from source to mouth, the largest first; level_m is the height of the bed, or of the lake over it, at each point",
            self.water.rivers.iter().enumerate().map(feature).collect(),
        )
    }

    fn lakes(&self) -> FeatureSet {
        let feature = |(id, lake): (usize, &weald_core::hydro::Lake)| {
            Feature::new(
                id as u32,
                vec![self.frame.cell_centre(lake.outlet.0 as usize, lake.outlet.1 as usize)],
                [
                    ("level_m", json!(lake.level_m)),
                    ("area_m2", json!(lake.area_m2)),
                    ("volume_m3", json!(lake.volume_m3)),
                    ("depth_m", json!(lake.depth_m)),
                ],
            )
        };
        FeatureSet::new(
            "lakes",
            "Lakes at their outlets; the layer lake_id holds id + 1",
            self.water.lakes.list.iter().enumerate().map(feature).collect(),
        )
    }

    /// Where a player can place water sources: heads of rivers, and lakes.
    fn sources(&self) -> FeatureSet {
        let mut features: Vec<Feature> = Vec::new();
        let mut add =
            |point: (f64, f64), kind: &str, level: f32, discharge: f64, more: Vec<(&'static str, Value)>| {
                let properties =
                    [("kind", json!(kind)), ("level_m", json!(level)), ("discharge_m3_s", json!(discharge))];
                features.push(Feature::new(
                    features.len() as u32,
                    vec![point],
                    properties.into_iter().chain(more),
                ));
            };
        let (level, area, rule) =
            (self.water.level.cells(), self.water.accumulation.cells(), &self.water.rule);
        for (inlet, river) in &self.water.inlets {
            let cell = inlet.cell as usize;
            let more = vec![("river", json!(river)), ("area_km2", json!(inlet.area_m2 / 1e6))];
            add(self.centre(cell), "inflow", level[cell], rule.discharge_of(inlet.area_m2), more);
        }
        for river in &self.water.rivers {
            let head = river.cells[0] as usize;
            add(self.centre(head), "river", level[head], rule.discharge(area[head]), Vec::new());
        }
        for lake in &self.water.lakes.list {
            let (x, y) = (lake.outlet.0 as usize, lake.outlet.1 as usize);
            let cell = y * self.frame.width + x;
            add(self.centre(cell), "lake", lake.level_m, rule.discharge(area[cell]), Vec::new());
        }
        FeatureSet::new(
            "water_sources",
            "Where to place water sources: where rivers enter the map, heads of rivers, outlets of lakes",
            features,
        )
    }

    fn figures(&self) -> Map<String, Value> {
        let (f, e, w) = (&self.figures, &self.eroded, &self.water);
        let bins = stats::histogram(&self.buildable);
        let cells = self.frame.cells() as f64;
        let goal = self.params.goal.buildable_share;
        let fit = w.profile.fit.as_ref();
        let lakes: f64 = w.lakes.list.iter().map(|l| l.area_m2).sum();
        let land = cells * self.frame.cell_m * self.frame.cell_m;
        let extremes = Cells::F32(&e.height).min_max();
        let value = json!({
            "coverage": f.coverage,
            "buildable_before_ridges": self.land.buildable_terrain,
            "buildable_after_ridges": f.buildable_after_ridges,
            "buildable_after_erosion": f.buildable,
            "buildable_in_game": f.buildable_in_game,
            "near": bins[1] as f64 / cells,
            "amplitude_m": self.noise_land.as_ref().map(|m| m.amplitude_m),
            "goal": (goal > 0.0).then(|| json!({"asked": goal, "reached": f.buildable})),
            "sea": f.sea,
            "uplift_mm": e.uplift_mm,
            "mass_balance": {
                "uplift_m3": e.mass_balance.uplift_m3,
                "eroded_m3": e.mass_balance.eroded_m3,
                "deposited_m3": e.mass_balance.deposited_m3,
                "exported_m3": e.mass_balance.exported_m3,
            },
            "relief_m": extremes.1 - extremes.0,
            "slopes": {
                "mean": f.slopes.mean, "median": f.slopes.median, "p90": f.slopes.p90, "p99": f.slopes.p99,
                "steepest": f.slopes.steepest,
            },
            "drainage": {
                "density_km_per_km2": w.profile.density_km_per_km2,
                "concavity": fit.map(|f| f.theta),
                "r2": fit.map(|f| f.r2),
            },
            "rivers": w.rivers.len(),
            "lakes": {"count": w.lakes.list.len(), "share": lakes / land},
            "spikes": f.rough.0,
            "pits": f.rough.1,
        });
        let Value::Object(out) = value else { unreachable!("an object was written") };
        out
    }
}
