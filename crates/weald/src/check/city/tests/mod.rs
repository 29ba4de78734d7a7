//! Folders of the city world made by hand, good ones and broken ones.

mod broken;
mod good;
mod naive;

use crate::check::Report;
use crate::check::tests::folder::{self, HandMade};
use crate::error::Result;
use naive::{CELL_M, SIDE};
use serde_json::{Value, json};
use weald_core::{AnyGrid, Grid};

/// A river begins where this many cells drain.
const RIVER: u32 = 100;
const SEA_M: f64 = 511.7;
const SCALE_M: f64 = 4096.0;

/// A folder before it is written.
#[derive(Clone)]
struct Sample {
    /// Name, unit, cells.
    layers: Vec<(&'static str, &'static str, AnyGrid)>,
    params: Value,
    stats: Value,
    frame: Value,
    rivers: Vec<Value>,
    lakes: Vec<Value>,
    sources: Vec<Value>,
    heightmap: Vec<u16>,
    /// Of heightmap.png.
    told: Value,
    worldmap: Option<Vec<u16>>,
    /// Of worldmap.png.
    world_told: Value,
    /// A change of the finished manifest.
    manifest: fn(&mut Value),
}

fn centre(i: usize) -> Value {
    json!([((i % SIDE) as f64 + 0.5) * CELL_M, ((i / SIDE) as f64 + 0.5) * CELL_M])
}

fn point(id: usize, at: usize, properties: Value) -> Value {
    folder::point(id, centre(at), properties)
}

fn told(name: &str, values: &[u16], metres_per_pixel: f64) -> Value {
    let metres = |v: u16| f64::from(v) / 65535.0 * SCALE_M - SEA_M;
    json!({
        "file": format!("{name}.png"), "width": SIDE, "height": SIDE, "metres_per_pixel": metres_per_pixel,
        "min_m": metres(*values.iter().min().unwrap()), "max_m": metres(*values.iter().max().unwrap()),
        "sea_level_m": SEA_M, "height_scale_m": SCALE_M,
    })
}

fn floats(cells: Vec<f32>) -> AnyGrid {
    AnyGrid::F32(Grid::from_vec(SIDE, SIDE, cells))
}

impl Sample {
    /// A good folder.
    fn new() -> Self {
        Self::of(naive::height)
    }

    /// A good folder with a bay and a depression below the sea.
    fn by_the_sea() -> Self {
        Self::of(naive::height_by_the_sea)
    }

    /// A folder of the land that has this height.
    fn of(height: fn(usize) -> f32) -> Self {
        let cells = SIDE * SIDE;
        let height: Vec<f32> = (0..cells).map(height).collect();
        let eroded: Vec<f32> =
            (0..cells).map(|i| (0.06 * CELL_M * (14.0 - (i / SIDE) as f64).max(0.0)) as f32).collect();
        let deposited: Vec<f32> = (0..cells).map(|i| if i / SIDE < 50 { 0.0 } else { 3.0 }).collect();
        let uplift: Vec<f32> = (0..cells).map(|i| 2.0 + (i % SIDE) as f32 / 64.0).collect();
        let worn = |i: usize| f64::from(eroded[i]) - f64::from(deposited[i]) - f64::from(uplift[i]);
        let before: Vec<f32> = (0..cells).map(|i| (f64::from(height[i]) + worn(i)) as f32).collect();
        let high = (0.7 * cells as f64).round() as usize;
        let zones: Vec<f32> =
            (0..cells)
                .map(|i| {
                    if i < high { 1.0 - 0.4 * i as f32 / high as f32 } else { 0.4 - 1e-4 * (i - high) as f32 }
                })
                .collect();
        let slope: Vec<f32> = (0..cells).map(|i| naive::slope(&height, i)).collect();
        let flat_before = (0..cells).filter(|&i| naive::slope(&before, i) <= 0.05).count();
        let water = naive::water(&height);
        let (mut lake, mut lakes) = (vec![0u32; cells], Vec::new());
        for (inside, out) in water.lakes(&height) {
            let depths: Vec<f64> =
                inside.iter().map(|&i| f64::from(water.level[i]) - f64::from(height[i])).collect();
            let deepest = depths.iter().copied().fold(0.0, f64::max);
            if deepest < 0.5 || inside.len() < 2 {
                continue;
            }
            let area = inside.len() as f64 * CELL_M * CELL_M;
            let volume = depths.iter().fold(0.0, |a, b| a + b) * CELL_M * CELL_M;
            let about = json!({
                "level_m": water.level[out], "area_m2": area, "volume_m3": volume, "depth_m": deepest,
            });
            inside.iter().for_each(|&i| lake[i] = lakes.len() as u32 + 1);
            lakes.push(point(lakes.len(), out, about));
        }
        let rivers: Vec<Value> =
            water.rivers(RIVER).iter().enumerate().map(|(k, r)| river(k, r, &water.level)).collect();
        let mut river_id = vec![0u32; cells];
        for (k, r) in water.rivers(RIVER).iter().enumerate() {
            let own = r.cells.len() - usize::from(r.parent.is_some());
            r.cells[..own].iter().for_each(|&i| river_id[i] = k as u32 + 1);
        }
        // All rivers are narrower than a cell.
        let class = |i: usize| match slope[i] {
            _ if height[i] < 0.0 || lake[i] > 0 || river_id[i] > 0 => 3,
            s => u8::from(s <= 0.10) + u8::from(s <= 0.05),
        };
        let classes: Vec<u8> = (0..cells).map(class).collect();
        let mut sources: Vec<Value> = Vec::new();
        for r in water.rivers(RIVER) {
            let about = json!({"kind": "river", "level_m": water.level[r.cells[0]], "discharge_m3_s": 1.0});
            sources.push(point(sources.len(), r.cells[0], about));
        }
        for l in &lakes {
            let about = json!({"kind": "lake", "level_m": water.level[cell_of(l)], "discharge_m3_s": 1.0});
            sources.push(point(sources.len(), cell_of(l), about));
        }
        let share = |yes: usize| yes as f64 / cells as f64;
        let of = |c: u8| share(classes.iter().filter(|&&k| k == c).count());
        let goal = of(2);
        let volume = |v: &[f32]| v.iter().map(|&v| f64::from(v)).sum::<f64>() * CELL_M * CELL_M;
        let mut sorted = slope.clone();
        sorted.sort_by(f32::total_cmp);
        let at = |q: f64| sorted[(q * (cells - 1) as f64) as usize];
        let (low, top) = height.iter().fold((f32::INFINITY, 0f32), |(a, b), &h| (a.min(h), b.max(h)));
        let stats = json!({
            "coverage": share(high), "buildable_before_ridges": 0.42, "buildable_after_ridges": share(flat_before),
            "buildable_after_erosion": of(2), "near": of(1), "goal": {"asked": of(2), "reached": of(2)},
            "sea": share(height.iter().filter(|&&h| h < 0.0).count()),
            "mass_balance": {
                "uplift_m3": volume(&uplift),
                "eroded_m3": volume(&eroded), "deposited_m3": volume(&deposited),
                "exported_m3": volume(&eroded) - volume(&deposited),
            },
            "slopes": {
                "mean": slope.iter().map(|&s| f64::from(s)).sum::<f64>() / cells as f64,
                "median": at(0.5), "p90": at(0.9), "p99": at(0.99), "steepest": at(1.0),
            },
            "rivers": rivers.len(),
            "lakes": {"count": lakes.len(), "share": share(lake.iter().filter(|&&l| l > 0).count())},
            "pits": 0, "spikes": 0, "relief_m": f64::from(top) - f64::from(low),
        });
        let heightmap: Vec<u16> =
            height.iter().map(|&h| ((f64::from(h) + SEA_M) / SCALE_M * 65535.0).round() as u16).collect();
        let mut world = vec![8000u16; cells];
        for k in 0..256 {
            let (x, y) = (k % 16, k / 16);
            let pixel = |n: usize| f64::from(heightmap[(4 * y + n / 4) * SIDE + 4 * x + n % 4]);
            world[(24 + y) * SIDE + 24 + x] = ((0..16).map(pixel).sum::<f64>() / 16.0).round() as u16;
        }
        let whole = |v: Vec<u32>| AnyGrid::U32(Grid::from_vec(SIDE, SIDE, v));
        Self {
            layers: vec![
                ("height_before", "m", floats(before)),
                ("zones", "", floats(zones)),
                ("height", "m", floats(height)),
                ("slope", "", floats(slope)),
                ("buildable", "", AnyGrid::U8(Grid::from_vec(SIDE, SIDE, classes))),
                ("uplift", "m", floats(uplift)),
                ("eroded", "m", floats(eroded)),
                ("deposited", "m", floats(deposited)),
                ("flow_accumulation", "cells", whole(water.area)),
                ("lake_id", "", whole(lake)),
                ("river_id", "", whole(river_id)),
            ],
            params: json!({
                "map": {"size_m": 14336.0, "height_scale_m": SCALE_M, "sea_level_m": SEA_M},
                "zones": {"coverage": 0.7, "curve": "power"},
                "terrain": {"buildable_share": 0.425},
                "sea": {"side": "none", "share": 0.2},
                "goal": {"buildable_share": goal},
                "water": {
                    "river_area_km2": (f64::from(RIVER) - 0.5) * CELL_M * CELL_M / 1e6, "runoff_mm": 400.0,
                    "lake_min_depth_m": 0.5, "lake_min_area_m2": 1.5 * CELL_M * CELL_M,
                },
            }),
            stats,
            frame: json!({"width": SIDE, "height": SIDE, "cell_m": CELL_M, "origin": [0.0, 0.0], "unit": "m"}),
            rivers,
            lakes,
            sources,
            told: told("heightmap", &heightmap, CELL_M),
            heightmap,
            world_told: told("worldmap", &world, 4.0 * CELL_M),
            worldmap: Some(world),
            manifest: |_| (),
        }
    }

    /// The cells of a layer of numbers.
    fn floats(&mut self, name: &str) -> &mut [f32] {
        match &mut self.layers.iter_mut().find(|l| l.0 == name).unwrap().2 {
            AnyGrid::F32(g) => g.cells_mut(),
            _ => panic!("{name} has no numbers"),
        }
    }

    /// The cells of a layer of whole numbers.
    fn wholes(&mut self, name: &str) -> &mut [u32] {
        match &mut self.layers.iter_mut().find(|l| l.0 == name).unwrap().2 {
            AnyGrid::U32(g) => g.cells_mut(),
            _ => panic!("{name} has no whole numbers"),
        }
    }

    /// Level of standing water, found plainly.
    fn level(&mut self) -> Vec<f32> {
        naive::water(self.floats("height")).level
    }

    /// Writes the folder and checks it, if it can be checked.
    fn try_check(&self) -> Result<Report> {
        let (frame, params, stats) = (&self.frame, &self.params, &self.stats);
        let manifest = json!({"seed": 7, "frame": frame, "params": params, "stats": stats});
        let mut folder = HandMade::new("city", &manifest);
        for (name, unit, array) in &self.layers {
            folder.layer(name, unit, array);
        }
        folder.shapes("lines", "rivers", &self.rivers);
        folder.shapes("points", "lakes", &self.lakes);
        folder.shapes("points", "water_sources", &self.sources);
        folder.listed("heightmap.png", &grey(&self.heightmap));
        folder.unlisted("heightmap.terrain.json", self.told.to_string().as_bytes());
        if let Some(world) = &self.worldmap {
            folder.listed("worldmap.png", &grey(world));
            folder.unlisted("worldmap.terrain.json", self.world_told.to_string().as_bytes());
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

/// The cell of a point.
fn cell_of(point: &Value) -> usize {
    let at = |k: usize| (point["geometry"]["coordinates"][k].as_f64().unwrap() / CELL_M) as usize;
    at(1) * SIDE + at(0)
}

fn river(id: usize, r: &naive::River, level: &[f32]) -> Value {
    let line: Vec<Value> = r.cells.iter().map(|&i| centre(i)).collect();
    let apart = |a: usize, b: usize| naive::around(a).into_iter().find(|n| n.0 == b).unwrap().1 * CELL_M;
    let length: f64 = r.cells.windows(2).map(|p| apart(p[0], p[1])).sum();
    let km2 = f64::from(r.area) * CELL_M * CELL_M / 1e6;
    let levels: Vec<f32> = r.cells.iter().map(|&i| level[i]).collect();
    let about = json!({
        "parent": r.parent, "length_m": length, "level_m": levels, "area_km2": km2, "inflow_km2": 0.0,
    });
    let mut river = json!({"type": "Feature", "id": id, "properties": about});
    let count = line.len();
    river["geometry"] = json!({"type": "LineString", "coordinates": line});
    water_of(&mut river, km2, count);
    river
}

/// Writes discharge, width and depth of a river that drains `km2`, with one width for all of its vertices.
fn water_of(river: &mut Value, km2: f64, vertices: usize) {
    let discharge = km2 * 0.4e6 / 31_557_600.0;
    let about = &mut river["properties"];
    about["area_km2"] = km2.into();
    about["discharge_m3_s"] = discharge.into();
    about["width_m"] = (4.0 * discharge.sqrt()).into();
    about["depth_m"] = (0.35 * weald_core::math::pow(discharge, 0.4)).into();
    about["widths_m"] = vec![4.0 * discharge.sqrt(); vertices].into();
}

/// Lets so much water into river 0 from outside that it is as wide as that many cells.
fn flooded(s: &mut Sample, cells: f64) {
    let more = (cells * CELL_M / 4.0) * (cells * CELL_M / 4.0) * 31_557_600.0 / 0.4e6;
    let river = &mut s.rivers[0];
    let (km2, count) = (
        river["properties"]["area_km2"].as_f64().unwrap(),
        river["properties"]["widths_m"].as_array().unwrap().len(),
    );
    river["properties"]["inflow_km2"] = more.into();
    water_of(river, km2 + more, count);
    let at = SIDE + 5;
    let about = json!({
        "kind": "inflow", "level_m": s.level()[at], "discharge_m3_s": 1.0, "river": 0, "area_km2": more,
    });
    s.sources.push(point(s.sources.len(), at, about));
}

/// A picture of 16-bit grey.
fn grey(values: &[u16]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut out, SIDE as u32, SIDE as u32);
    encoder.set_color(::png::ColorType::Grayscale);
    encoder.set_depth(::png::BitDepth::Sixteen);
    let raw: Vec<u8> = values.iter().flat_map(|v| v.to_be_bytes()).collect();
    encoder.write_header().unwrap().write_image_data(&raw).unwrap();
    out
}
