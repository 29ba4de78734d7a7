//! Folders of the island world made by hand, good ones and broken ones.

mod broken;
mod good;
mod naive;

use crate::check::Report;
use crate::check::tests::folder::{self, HandMade};
use crate::error::Result;
use naive::{CELL_M, H, RUNOFF_MM, SOURCES, South, Truth, W, cell, centre, is_coast};
use serde_json::{Value, json};
use std::fs;
use weald_core::{AnyGrid, Grid};

/// A folder before it is written.
#[derive(Clone)]
struct Sample {
    truth: Truth,
    /// Name, unit, cells.
    layers: Vec<(&'static str, &'static str, AnyGrid)>,
    params: Value,
    stats: Value,
    frame: Value,
    rivers: Vec<Value>,
    harbours: Vec<Value>,
    peaks: Vec<Value>,
    terrain: Option<Value>,
    /// Name of the layer that was given as a map.
    given: Option<&'static str>,
    /// A change of the finished manifest.
    manifest: fn(&mut Value),
}

fn point(id: usize, at: usize, properties: Value) -> Value {
    folder::point(id, centre(at), properties)
}

fn rows<T: serde::Serialize>(cells: &[T]) -> Value {
    cells.chunks(W).map(|row| json!(row)).collect()
}

fn bytes(cells: Vec<u8>) -> AnyGrid {
    AnyGrid::U8(Grid::from_vec(W, H, cells))
}

fn floats(cells: Vec<f32>) -> AnyGrid {
    AnyGrid::F32(Grid::from_vec(W, H, cells))
}

fn wholes(cells: Vec<u32>) -> AnyGrid {
    AnyGrid::U32(Grid::from_vec(W, H, cells))
}

impl Sample {
    /// A good folder.
    fn new() -> Self {
        Self::of(Truth::new(South::Sea, &SOURCES), None)
    }

    /// A good folder of a map that was given, with land at the border.
    fn given() -> Self {
        Self::of(Truth::new(South::Border, &SOURCES), Some("land"))
    }

    /// A good folder without rivers.
    fn dry() -> Self {
        let mut sample = Self::of(Truth::new(South::Sea, &[]), None);
        sample.harbours[1]["properties"]["river"] = Value::Null;
        sample
    }

    fn of(truth: Truth, given: Option<&'static str>) -> Self {
        let cells = W * H;
        let each = |f: &dyn Fn(usize) -> f32| (0..cells).map(f).collect::<Vec<f32>>();
        let land_cells = truth.land.iter().filter(|&&l| l).count();
        let moisture = each(&|i| truth.moisture(i));
        let rivers: Vec<Value> = (0..truth.rivers.len()).map(|k| truth.line(k)).collect();
        let order = |k: usize| truth.order[truth.rivers[k].cells[truth.rivers[k].own - 1]];
        let highest = (0..rivers.len()).map(order).max().unwrap_or(0);
        let orders: Vec<usize> =
            (1..=highest).map(|o| (0..rivers.len()).filter(|&k| order(k) == o).count()).collect();
        let km = rivers.iter().map(|r| r["properties"]["length_m"].as_f64().unwrap()).sum::<f64>() / 1000.0;
        let largest = truth.basin.iter().filter(|&&b| b == 1).count();
        let top = (0..cells).filter(|&i| truth.land[i]).map(|i| truth.height[i]).fold(0.0, f32::max);
        let stats = json!({
            "land_share": land_cells as f64 / cells as f64,
            "coast_cells": (0..cells).filter(|&i| is_coast(&truth.land, i)).count(),
            "islands": 2, "highest_m": top,
            "rivers": {"count": rivers.len(), "orders": orders, "length_km": km},
            "basins": truth.basin.iter().max(),
            "largest_basin_share": largest as f64 / land_cells as f64,
            "drainage_density_km_per_km2": km / (land_cells as f64 * CELL_M * CELL_M / 1e6),
            "raised": {"share": 0.01, "most_m": 0.25},
        });
        let peak = |(k, r): (usize, &naive::River)| {
            point(k, r.cells[0], json!({"height_m": truth.height[r.cells[0]]}))
        };
        let branches = (0..rivers.len()).filter(|&k| truth.rivers[k].parent.is_none());
        let terrain = json!({
            "height": rows(&truth.height), "flowAccumulation": rows(&truth.area), "moisture": rows(&moisture),
            "rivers": branches.map(|k| truth.branch(k)).collect::<Vec<_>>(),
        });
        Self {
            layers: vec![
                ("land", "", bytes(truth.land.iter().map(|&l| u8::from(l)).collect())),
                ("shore_distance", "cells", floats(each(&|i| truth.shore[i] as f32))),
                ("height", "m", floats(truth.height.clone())),
                ("flow_direction", "", bytes(truth.flow.iter().map(|d| d.map_or(255, |d| d.0)).collect())),
                ("flow_accumulation", "cells", wholes(truth.area.clone())),
                ("moisture", "", floats(moisture)),
                ("river_order", "", bytes(truth.order.clone())),
                ("river_id", "", wholes(truth.river_ids())),
                ("basin", "", wholes(truth.basin.clone())),
                ("cover", "", bytes(truth.land.iter().map(|&l| 2 * u8::from(l)).collect())),
            ],
            params: json!({
                "map": {"cell_m": CELL_M},
                "shape": {"land_fraction": land_cells as f64 / cells as f64},
                "sea": {
                    "shore_depth_m": 5.0, "slope_m": 0.3, "shelf_cells": 4.0, "plain_depth_m": 0.0, "wander": 0.0,
                    "distance": "steps",
                },
                "elevation": {"min_peak_elevation": 20.0},
                "rivers": {"spring_area": 0, "runoff_mm": RUNOFF_MM, "river_spacing": 1.0},
                "valleys": {"depth_m": 1.0, "depth_per_order_m": 1.0},
                "noise": {"noise_amplitude": 0.1},
            }),
            stats,
            frame: json!({"width": W, "height": H, "cell_m": CELL_M, "origin": [0.0, 0.0], "unit": "m"}),
            rivers,
            harbours: vec![
                point(0, cell(12, 6), json!({"shelter": 0.25, "depth_m": 5.3, "river": null})),
                point(1, cell(15, 3), json!({"shelter": 0.0, "depth_m": 5.3, "river": 0})),
            ],
            peaks: truth.rivers.iter().enumerate().map(peak).collect(),
            terrain: Some(terrain),
            given,
            manifest: |_| (),
            truth,
        }
    }

    fn layer(&mut self, name: &str) -> &mut AnyGrid {
        &mut self.layers.iter_mut().find(|l| l.0 == name).unwrap().2
    }

    fn floats(&mut self, name: &str) -> &mut [f32] {
        match self.layer(name) {
            AnyGrid::F32(g) => g.cells_mut(),
            _ => panic!("{name} has no numbers"),
        }
    }

    fn bytes(&mut self, name: &str) -> &mut [u8] {
        match self.layer(name) {
            AnyGrid::U8(g) => g.cells_mut(),
            _ => panic!("{name} has no bytes"),
        }
    }

    fn wholes(&mut self, name: &str) -> &mut [u32] {
        match self.layer(name) {
            AnyGrid::U32(g) => g.cells_mut(),
            _ => panic!("{name} has no whole numbers"),
        }
    }

    /// The number of the river that begins at a place.
    fn from(&self, x: usize, y: usize) -> usize {
        self.truth.rivers.iter().position(|r| r.cells[0] == cell(x, y)).unwrap()
    }

    /// Writes the folder and checks it, if it can be checked.
    fn try_check(&self) -> Result<Report> {
        let (frame, params, stats) = (&self.frame, &self.params, &self.stats);
        let manifest = json!({"seed": 7, "frame": frame, "params": params, "stats": stats});
        let mut folder = HandMade::new("island", &manifest);
        for (name, unit, array) in &self.layers {
            if self.given == Some(name) {
                fs::create_dir(folder.file("maps")).unwrap();
                folder::write_npy(&folder.file("maps/h.npy"), array);
            }
            let entry = folder.layer(name, unit, array);
            if *name == "cover" {
                entry["classes"] = json!([{"value": 0, "name": "sea"}, {"value": 2, "name": "wood"}]);
            }
        }
        folder.shapes("lines", "rivers", &self.rivers);
        folder.shapes("points", "harbours", &self.harbours);
        folder.shapes("points", "peaks", &self.peaks);
        if let Some(terrain) = &self.terrain {
            folder.listed("terrain.json", terrain.to_string().as_bytes());
        }
        (self.manifest)(&mut folder.manifest);
        folder.check()
    }

    fn check(&self) -> Report {
        self.try_check().unwrap()
    }

    /// The rules that are broken.
    fn failing(&self) -> Vec<&'static str> {
        folder::failing(&self.check())
    }

    /// The lines of the report that tell of a fault.
    fn faults(&self) -> String {
        folder::faults(&self.check())
    }
}
