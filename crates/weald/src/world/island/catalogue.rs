//! What leaves the island world.

use super::cover::COVER;
use super::{Island, last_on_land};
use crate::layer::{Catalogue, Data, Feature, FeatureSet, Kind, Layer};
use serde_json::{Map, Value, json};
use weald_core::{Ctx, label, line};

/// Names of the layers, in order.
pub(super) const LAYERS: [&str; 9] = [
    "land",
    "shore_distance",
    "height",
    "flow_direction",
    "flow_accumulation",
    "moisture",
    "river_order",
    "basin",
    "cover",
];

/// To the millimetre.
fn mm(v: f64) -> f64 {
    (v * 1000.0).round() / 1000.0
}

/// To the millimetre, or as it is if that would be nothing.
fn depth(v: f64) -> f64 {
    if mm(v) > 0.0 { mm(v) } else { v }
}

impl Island {
    /// Layers, rivers, harbours, peaks and figures.
    pub fn catalogue(&self) -> Catalogue<'_> {
        let rivers = self.river_lines();
        let stats = self.stats(&rivers);
        Catalogue {
            frame: self.frame,
            layers: self.layers(),
            lines: vec![rivers],
            points: vec![self.harbour_points(), self.peak_points()],
            stats,
        }
    }

    fn layers(&self) -> Vec<Layer<'_>> {
        let layer = |name, unit, about, data| Layer { name, unit, about, data, kind: Kind::Measure };
        let w = &self.water;
        vec![
            layer("land", "", "1 on land, 0 in the sea.", Data::U8(&self.land)),
            layer(
                "shore_distance",
                "cells",
                "Distance from the coast, by steps of 1 and the root of 2.",
                Data::F32(&self.shore),
            ),
            layer("height", "m", "Height above the sea, below 0 in it.", Data::F32(&w.height)),
            layer(
                "flow_direction",
                "",
                "Where water goes: E 0, clockwise to NE 7; 255 in the sea and off the map.",
                Data::Dir(&w.directions),
            ),
            layer(
                "flow_accumulation",
                "cells",
                "Cells of land that drain through this one, itself included; 0 in the sea.",
                Data::U32(&w.accumulation),
            ),
            layer("moisture", "", "How moist the land is, 0 to 1; the sea is 1.", Data::F32(&self.moisture)),
            layer(
                "river_order",
                "",
                "Strahler's order of the river here, 0 for none.",
                Data::U8(&self.river_order),
            ),
            layer("basin", "", "Number of the basin, the largest first; 0 in the sea.", Data::U32(&w.basin)),
            Layer {
                name: "cover",
                unit: "",
                about: "What the ground looks like from above.",
                data: Data::U8(&self.cover),
                kind: Kind::Classes(COVER),
            },
        ]
    }

    /// The middle of a cell in metres.
    fn middle(&self, cell: u32) -> (f64, f64) {
        self.frame.cell_centre(cell as usize % self.frame.width, cell as usize / self.frame.width)
    }

    fn river_lines(&self) -> FeatureSet {
        let feature =
            |(id, (river, order)): (usize, (&weald_core::hydro::River, &weald_core::hydro::Order))| {
                let points: Vec<(f64, f64)> = river.cells.iter().map(|&c| self.middle(c)).collect();
                let length_m = mm(line::length(&points));
                let basin = self.water.basin.cells()[last_on_land(river, &self.land) as usize];
                Feature {
                    id: id as u32,
                    points,
                    properties: vec![
                        ("parent", json!(river.parent)),
                        ("order", json!(order.strahler)),
                        ("magnitude", json!(order.shreve)),
                        ("length_m", json!(length_m)),
                        ("area_km2", json!(river.area_m2 / 1e6)),
                        ("discharge_m3_s", json!(river.discharge_m3_s)),
                        ("width_m", json!(river.width_m)),
                        ("basin", json!(basin)),
                    ],
                }
            };
        FeatureSet {
            name: "rivers",
            about: "Rivers from source to mouth, the one with the most land first; order is Strahler's, magnitude Shreve's",
            features: self.rivers.iter().zip(&self.orders).enumerate().map(feature).collect(),
        }
    }

    fn harbour_points(&self) -> FeatureSet {
        let feature = |(id, harbour): (usize, &super::Harbour)| Feature {
            id: id as u32,
            points: vec![self.middle(harbour.cell)],
            properties: vec![
                ("shelter", json!(mm(harbour.shelter as f64))),
                ("depth_m", json!(depth(harbour.depth_m as f64))),
                ("river", json!(harbour.river)),
            ],
        };
        FeatureSet {
            name: "harbours",
            about: "Sheltered places on the coast, the best first; river is the one whose mouth is near",
            features: self.harbours.iter().enumerate().map(feature).collect(),
        }
    }

    fn peak_points(&self) -> FeatureSet {
        let feature = |(id, &cell): (usize, &u32)| Feature {
            id: id as u32,
            points: vec![self.middle(cell)],
            properties: vec![("height_m", json!(mm(self.water.height.cells()[cell as usize] as f64)))],
        };
        FeatureSet {
            name: "peaks",
            about: "Peaks far enough from each other for a river each, the highest before carving first",
            features: self.peaks.iter().enumerate().map(feature).collect(),
        }
    }

    fn stats(&self, lines: &FeatureSet) -> Map<String, Value> {
        let cells = self.frame.cells() as f64;
        let count = |grid: &weald_core::Grid<u8>| grid.cells().iter().filter(|v| **v != 0).count();
        let (land, coast) = (count(&self.land), count(&self.shoreline));
        // Nobody can stop this.
        let islands = label::regions(self.frame.width, self.frame.height, &Ctx::default(), |i| {
            self.land.cells()[i] != 0
        });
        let highest = Data::F32(&self.water.height).min_max().1.max(0.0);
        let mut orders: Vec<u32> = Vec::new();
        for order in &self.orders {
            orders.resize(orders.len().max(order.strahler as usize), 0);
            orders[order.strahler as usize - 1] += 1;
        }
        let length_km =
            lines.features.iter().map(|f| line::length(&f.points)).fold(0.0, |a, b| a + b) / 1000.0;
        let land_km2 = land as f64 * self.frame.cell_m * self.frame.cell_m / 1e6;
        let share = |part: f64| if land == 0 { 0.0 } else { part / land as f64 };
        let value = json!({
            "land_share": land as f64 / cells,
            "coast_cells": coast,
            "islands": islands.map_or(0, |i| i.1),
            "highest_m": highest,
            "rivers": {"count": self.rivers.len(), "orders": orders, "length_km": mm(length_km)},
            "basins": self.water.basins.len(),
            "largest_basin_share": share(self.water.basins.first().map_or(0.0, |b| b.cells as f64)),
            "drainage_density_km_per_km2": if land == 0 { 0.0 } else { length_km / land_km2 },
            "raised": {"share": share(self.water.raised.0 as f64), "most_m": self.water.raised.1},
        });
        let Value::Object(out) = value else { unreachable!("an object was written") };
        out
    }
}
