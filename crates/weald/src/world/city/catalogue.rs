//! What leaves the city world.

use super::{BUILDABILITY, City};
use crate::layer::{Catalogue, Data, Feature, FeatureSet, Kind, Layer};
use serde_json::{Map, Value, json};
use weald_core::stats;

/// Names of the layers, in order.
pub(super) const LAYERS: [&str; 9] = [
    "height_before",
    "zones",
    "height",
    "slope",
    "buildable",
    "eroded",
    "deposited",
    "flow_accumulation",
    "lake_id",
];

impl City {
    /// Layers, rivers, lakes, water sources and figures.
    pub fn catalogue(&self) -> Catalogue<'_> {
        Catalogue {
            frame: self.frame,
            layers: self.layers(),
            lines: vec![self.rivers()],
            points: vec![self.lakes(), self.sources()],
            stats: self.stats(),
        }
    }

    fn layers(&self) -> Vec<Layer<'_>> {
        let layer = |name, unit, about, data| Layer { name, unit, about, data, kind: Kind::Measure };
        vec![
            layer("height_before", "m", "Height above the sea before erosion.", Data::F32(&self.land.height)),
            layer("zones", "", "How buildable the land is meant to be, 0 to 1.", Data::F32(&self.land.zones)),
            layer("height", "m", "Height above the sea.", Data::F32(&self.eroded.height)),
            layer("slope", "rise/run", "Slope by central differences.", Data::F32(&self.slope)),
            Layer {
                name: "buildable",
                unit: "",
                about: "Whether one can build: up to 5 % slope, nearly up to 10 %.",
                data: Data::U8(&self.buildable),
                kind: Kind::Classes(BUILDABILITY),
            },
            layer("eroded", "m", "What erosion took away.", Data::F32(&self.eroded.eroded)),
            layer("deposited", "m", "What erosion laid down.", Data::F32(&self.eroded.deposited)),
            layer(
                "flow_accumulation",
                "cells",
                "Cells that drain through this one, itself included.",
                Data::U32(&self.water.accumulation),
            ),
            layer("lake_id", "", "Number of the lake, 0 for none.", Data::U32(&self.water.lakes.of_cell)),
        ]
    }

    /// The middle of a cell in metres.
    fn middle(&self, cell: usize) -> (f64, f64) {
        self.frame.cell_centre(cell % self.frame.width, cell / self.frame.width)
    }

    fn rivers(&self) -> FeatureSet {
        let level = self.water.level.cells();
        let mm = |v: f64| (v * 1000.0).round() / 1000.0;
        let feature = |(id, river): (usize, &weald_core::hydro::River)| {
            let points: Vec<(f64, f64)> = river.cells.iter().map(|&c| self.middle(c as usize)).collect();
            let length = weald_core::line::length(&points);
            let levels: Vec<f64> = river.cells.iter().map(|&c| mm(level[c as usize] as f64)).collect();
            Feature {
                id: id as u32,
                points,
                properties: vec![
                    ("parent", json!(river.parent)),
                    ("area_km2", json!(river.area_m2 / 1e6)),
                    ("discharge_m3_s", json!(river.discharge_m3_s)),
                    ("width_m", json!(river.width_m)),
                    ("length_m", json!(mm(length))),
                    ("level_m", json!(levels)),
                ],
            }
        };
        FeatureSet {
            name: "rivers",
            about: "Rivers from source to mouth, the largest first; level_m is the height of the water at each point",
            features: self.water.rivers.iter().enumerate().map(feature).collect(),
        }
    }

    fn lakes(&self) -> FeatureSet {
        let feature = |(id, lake): (usize, &weald_core::hydro::Lake)| Feature {
            id: id as u32,
            points: vec![self.frame.cell_centre(lake.outlet.0 as usize, lake.outlet.1 as usize)],
            properties: vec![
                ("level_m", json!(lake.level_m)),
                ("area_m2", json!(lake.area_m2)),
                ("volume_m3", json!(lake.volume_m3)),
                ("depth_m", json!(lake.depth_m)),
            ],
        };
        FeatureSet {
            name: "lakes",
            about: "Lakes at their outlets; the layer lake_id holds id + 1",
            features: self.water.lakes.list.iter().enumerate().map(feature).collect(),
        }
    }

    /// Where water can be let in by hand: heads of rivers, and lakes.
    fn sources(&self) -> FeatureSet {
        let mut features = Vec::new();
        let mut add = |point: (f64, f64), kind: &str, level: f32, discharge: f64| {
            features.push(Feature {
                id: features.len() as u32,
                points: vec![point],
                properties: vec![
                    ("kind", json!(kind)),
                    ("level_m", json!(level)),
                    ("discharge_m3_s", json!(discharge)),
                ],
            });
        };
        let (level, area, rule) =
            (self.water.level.cells(), self.water.accumulation.cells(), &self.water.rule);
        for river in &self.water.rivers {
            let head = river.cells[0] as usize;
            add(self.middle(head), "river", level[head], rule.discharge(area[head]));
        }
        for lake in &self.water.lakes.list {
            let (x, y) = (lake.outlet.0 as usize, lake.outlet.1 as usize);
            let cell = y * self.frame.width + x;
            add(self.middle(cell), "lake", lake.level_m, rule.discharge(area[cell]));
        }
        FeatureSet {
            name: "water_sources",
            about: "Where to let water in: heads of rivers, outlets of lakes",
            features,
        }
    }

    fn stats(&self) -> Map<String, Value> {
        let (f, e, w) = (&self.figures, &self.eroded, &self.water);
        let bins = stats::histogram(&self.buildable);
        let cells = self.frame.cells() as f64;
        let goal = self.params.goal.buildable_share;
        let fit = w.profile.fit.as_ref();
        let lakes: f64 = w.lakes.list.iter().map(|l| l.area_m2).sum();
        let land = cells * self.frame.cell_m * self.frame.cell_m;
        let extremes = Data::F32(&e.height).min_max();
        let value = json!({
            "coverage": f.coverage,
            "buildable_before_ridges": self.land.buildable_terrain,
            "buildable_after_ridges": f.buildable_after_ridges,
            "buildable_after_erosion": f.buildable,
            "near": bins[1] as f64 / cells,
            "amplitude_m": self.maker.as_ref().map(|m| m.amplitude_m),
            "goal": (goal > 0.0).then(|| json!({"asked": goal, "reached": f.buildable})),
            "creep": e.creep,
            "mass_balance": {
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
