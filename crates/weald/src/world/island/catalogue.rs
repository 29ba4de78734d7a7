//! The layers, lines, points and figures of the island.

use super::cover::COVER;
use super::world::INFO;
use super::{Island, last_on_land};
use crate::catalogue::Field::{Dir, F32, U8, U32};
use crate::catalogue::Palette::{Accumulation, Elevation, Moisture};
use crate::catalogue::{Catalogue, Cells, Class, DIRECTIONS, Feature, FeatureSet, LayerOf};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use weald_core::{Ctx, label, line};

/// Sea and land.
const LAND: &[Class] = &[
    Class { value: 0, name: "sea", colour: [150, 194, 218] },
    Class { value: 1, name: "land", colour: [188, 200, 140] },
];

/// Rounds in which the corners of rivers are smoothed.
const SMOOTHING: usize = 4;

type L = LayerOf<Island>;

/// The layers, in order.
pub(super) const LAYERS: &[L] = &[
    L::classes("land", "Whether the cell is land or sea", LAND, U8(|i| &i.land)),
    L::measure(
        "shore_distance",
        "cells",
        "Distance from the coast, in steps of 1 and the square root of 2",
        F32(|i| &i.shore),
    ),
    L::measure("height", "m", "Height above the sea, negative below it", F32(|i| &i.water.height))
        .coloured(Elevation),
    L::classes(
        "flow_direction",
        "Direction in which water leaves the cell; none in the sea and where it leaves the map",
        DIRECTIONS,
        Dir(|i| &i.water.directions),
    ),
    L::measure(
        "flow_accumulation",
        "cells",
        "Flow accumulation: cells of land that drain through this one, itself included; 0 in the sea",
        U32(|i| &i.water.accumulation),
    )
    .coloured(Accumulation),
    L::measure("moisture", "1", "Moisture of the land, 0 to 1; the sea is 1", F32(|i| &i.moisture))
        .coloured(Moisture),
    L::measure("river_order", "", "Strahler order of the river, 0 for none", U8(|i| &i.river_order))
        .coloured(Moisture),
    L::measure("river_id", "", "Number of the river of each cell plus 1, 0 for none", U32(|i| &i.river_id)),
    L::measure("basin", "", "Number of the basin, the largest first; 0 in the sea", U32(|i| &i.water.basin)),
    L::classes("cover", "Ground cover as seen from above", COVER, U8(|i| &i.cover)),
];

/// To the millimetre.
fn mm(v: f64) -> f64 {
    (v * 1000.0).round() / 1000.0
}

/// To the millimetre, or unrounded if that would be 0.
fn depth(v: f64) -> f64 {
    if mm(v) > 0.0 { mm(v) } else { v }
}

impl Island {
    /// Layers, rivers, harbours, peaks and figures.
    pub fn into_catalogue(self) -> Catalogue {
        let island = Arc::new(self);
        let rivers = island.river_lines();
        Catalogue {
            seed: island.seed.0,
            params: serde_json::to_value(&island.params).expect("parameters are plain data"),
            layers: LayerOf::layers(LAYERS, &island),
            figures: island.figures(&rivers),
            lines: vec![rivers],
            points: vec![island.harbour_points(), island.peak_points()],
            ..Catalogue::new(INFO.name, INFO.length_unit, island.frame)
        }
    }

    /// The centre of a cell in metres.
    fn centre(&self, cell: u32) -> (f64, f64) {
        self.frame.cell_centre(cell as usize % self.frame.width, cell as usize / self.frame.width)
    }

    fn river_lines(&self) -> FeatureSet {
        let feature =
            |(id, (river, order)): (usize, (&weald_core::hydro::River, &weald_core::hydro::Order))| {
                let centres: Vec<(f64, f64)> = river.cells.iter().map(|&c| self.centre(c)).collect();
                let points = line::rounded(&centres, SMOOTHING);
                let length_m = mm(line::length(&points));
                let basin = self.water.basin.cells()[last_on_land(river, &self.land) as usize];
                Feature::new(
                    id as u32,
                    points,
                    [
                        ("parent", json!(river.parent)),
                        ("order", json!(order.strahler)),
                        ("magnitude", json!(order.shreve)),
                        ("length_m", json!(length_m)),
                        ("area_km2", json!(river.area_m2 / 1e6)),
                        ("discharge_m3_s", json!(river.discharge_m3_s)),
                        ("width_m", json!(river.width_m)),
                        ("basin", json!(basin)),
                    ],
                )
            };
        FeatureSet::new(
            "rivers",
            "Rivers from source to mouth as smooth lines, the largest drained area first; order is Strahler's, magnitude Shreve's",
            self.rivers.iter().zip(&self.orders).enumerate().map(feature).collect(),
        )
    }

    fn harbour_points(&self) -> FeatureSet {
        let feature = |(id, harbour): (usize, &super::Harbour)| {
            Feature::new(
                id as u32,
                vec![self.centre(harbour.cell)],
                [
                    ("shelter", json!(mm(harbour.shelter as f64))),
                    ("depth_m", json!(depth(harbour.depth_m as f64))),
                    ("river", json!(harbour.river)),
                ],
            )
        };
        FeatureSet::new(
            "harbours",
            "Sheltered places on the coast, the best first; river is the river whose mouth is near",
            self.harbours.iter().enumerate().map(feature).collect(),
        )
    }

    fn peak_points(&self) -> FeatureSet {
        let feature = |(id, &cell): (usize, &u32)| {
            Feature::new(
                id as u32,
                vec![self.centre(cell)],
                [("height_m", json!(mm(self.water.height.cells()[cell as usize] as f64)))],
            )
        };
        FeatureSet::new(
            "peaks",
            "Peaks at least river_spacing apart, sorted by their height before carving, the highest first",
            self.peaks.iter().enumerate().map(feature).collect(),
        )
    }

    fn figures(&self, lines: &FeatureSet) -> Map<String, Value> {
        let cells = self.frame.cells() as f64;
        let count = |grid: &weald_core::Grid<u8>| grid.cells().iter().filter(|v| **v != 0).count();
        let (land, coast) = (count(&self.land), count(&self.shoreline));
        // This cannot be cancelled.
        let islands = label::regions(self.frame.width, self.frame.height, &Ctx::default(), |i| {
            self.land.cells()[i] != 0
        });
        let highest = Cells::F32(&self.water.height).min_max().1.max(0.0);
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
