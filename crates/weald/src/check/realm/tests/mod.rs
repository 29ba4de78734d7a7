//! Folders of the realm world made by hand, good ones and broken ones.

mod broken;
mod good;
mod naive;

use crate::check::Report;
use crate::check::tests::folder::{self, HandMade};
use crate::error::Result;
use naive::{CELL_M, H, LEVEL_M, Plan, River, W, Way, centre, length_m, tile};
use serde_json::{Value, json};
use weald_core::{AnyGrid, Grid};

/// A folder before it is written.
#[derive(Clone)]
struct Sample {
    /// Name, unit, cells.
    layers: Vec<(&'static str, &'static str, AnyGrid)>,
    params: Value,
    frame: Value,
    rivers: Vec<Value>,
    railroads: Vec<Value>,
    roads: Vec<Value>,
    settlements: Vec<Value>,
    crossings: Vec<Value>,
    places: Vec<Value>,
    biomes: Vec<Value>,
    violations: String,
    /// Files that are not written.
    without: &'static [&'static str],
    /// A change of the finished manifest.
    manifest: fn(&mut Value),
}

fn bytes(cells: Vec<u8>) -> AnyGrid {
    AnyGrid::U8(Grid::from_vec(W, H, cells))
}

fn floats(cell: impl Fn(usize) -> f32) -> AnyGrid {
    AnyGrid::F32(Grid::from_vec(W, H, (0..W * H).map(cell).collect()))
}

fn line(id: usize, tiles: &[usize], about: Value) -> Value {
    let coordinates: Vec<Value> = tiles.iter().map(|&i| centre(i)).collect();
    let geometry = json!({"type": "LineString", "coordinates": coordinates});
    json!({"type": "Feature", "id": id, "properties": about, "geometry": geometry})
}

impl Sample {
    /// A good folder.
    fn new() -> Self {
        Self::of(&Plan::new())
    }

    fn of(plan: &Plan) -> Self {
        let links = plan.links();
        let crossing = |i: usize| match links.each_ref().map(|l| l[i] != 0) {
            [true, false, true] => 1,
            [true, true, _] => 2,
            [false, true, true] => 3,
            [false, false, true] if links[2][i].count_ones() >= 4 => 4,
            _ => 0,
        };
        let crossing: Vec<u8> = (0..W * H).map(crossing).collect();
        let point = |(i, &code): (usize, &u8)| {
            let kind = ["none", "bridge", "rail_bridge", "rail_crossing", "crossroads"][usize::from(code)];
            folder::point(i, centre(i), json!({"kind": kind}))
        };
        let water = |&b: &u8| if b < 2 { b + 1 } else { 0 };
        let height = |i: usize| match plan.biome[i] {
            0 => -8.0,
            1 => LEVEL_M - 5.0,
            // Level ground around the lake and along its outflow.
            _ if (15..20).contains(&(i / W)) && (14..32).contains(&(i % W)) => LEVEL_M,
            _ => 5.0 + 10.0 * (H - i / W) as f32,
        };
        let surface = |i: usize| [0.0, LEVEL_M].get(usize::from(plan.biome[i])).copied().unwrap_or(height(i));
        let river = |(k, r): (usize, &River)| {
            let about = json!({
                "name": format!("River {k}"), "parent": r.parent, "mouth": r.mouth, "order": r.order,
                "length_m": length_m(&r.tiles),
            });
            line(k, &r.tiles, about)
        };
        let way = |(k, w): (usize, &Way)| {
            let about = json!({
                "from": w.joins.0, "to": w.joins.1, "length_m": length_m(&w.tiles), "class": "road",
            });
            line(k, &w.tiles, about)
        };
        Self {
            layers: vec![
                ("biome", "", bytes(plan.biome.clone())),
                ("transition", "", bytes((0..W * H).map(|i| plan.transition(i)).collect())),
                ("height", "m", floats(height)),
                ("surface", "m", floats(surface)),
                ("temperature", "degrees C", floats(|_| 11.5)),
                ("moisture", "", floats(|_| 0.5)),
                ("water", "", bytes(plan.biome.iter().map(water).collect())),
                ("river_dirs", "", bytes(links[0].clone())),
                ("rail_dirs", "", bytes(links[1].clone())),
                ("road_dirs", "", bytes(links[2].clone())),
                ("crossing", "", bytes(crossing.clone())),
                (
                    "settlement",
                    "",
                    AnyGrid::U16(Grid::from_vec(W, H, (0..W * H).map(|i| plan.settlement(i)).collect())),
                ),
            ],
            params: json!({"map": {"cell_m": CELL_M}}),
            frame: json!({"width": W, "height": H, "cell_m": CELL_M, "origin": [0.0, 0.0], "unit": "m"}),
            rivers: plan.rivers.iter().enumerate().map(river).collect(),
            railroads: plan.rails.iter().enumerate().map(way).collect(),
            roads: plan.roads.iter().enumerate().map(way).collect(),
            settlements: (0..plan.places.len()).map(|k| settlement(plan, k)).collect(),
            crossings: crossing.iter().enumerate().filter(|c| *c.1 != 0).map(point).collect(),
            places: vec![
                place(0, tile(17, 17), "Lake Blue", "lake", 8),
                place(1, tile(50, 45), "Sea of Green", "sea", 300),
            ],
            biomes: plan.polygons(),
            violations: "rule,x,y,kinds,directions\n".into(),
            without: &[],
            manifest: |_| (),
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

    /// Sets the height of a tile of land.
    fn raise(&mut self, i: usize, height: f32) {
        self.floats("height")[i] = height;
        self.floats("surface")[i] = height;
    }

    fn bytes(&mut self, name: &str) -> &mut [u8] {
        match self.layer(name) {
            AnyGrid::U8(g) => g.cells_mut(),
            _ => panic!("{name} has no bytes"),
        }
    }

    fn ids(&mut self) -> &mut [u16] {
        match self.layer("settlement") {
            AnyGrid::U16(g) => g.cells_mut(),
            _ => panic!("settlement has no ids"),
        }
    }

    /// Writes the folder and checks it, if it can be checked.
    fn try_check(&self) -> Result<Report> {
        let mut folder = HandMade::new(
            "realm",
            &json!({"seed": 7, "frame": self.frame, "params": self.params, "stats": {}}),
        );
        for (name, unit, array) in &self.layers {
            let entry = folder.layer(name, unit, array);
            if *name == "water" {
                let names = ["land", "ocean", "lake"].into_iter().enumerate();
                entry["classes"] = names.map(|(v, name)| json!({"value": v, "name": name})).collect();
            }
        }
        for (list, name, features) in [
            ("lines", "rivers", &self.rivers),
            ("lines", "railroads", &self.railroads),
            ("lines", "roads", &self.roads),
            ("points", "settlements", &self.settlements),
            ("points", "crossings", &self.crossings),
            ("points", "places", &self.places),
        ] {
            if !self.without.contains(&name) {
                folder.shapes(list, name, features);
            }
        }
        let biomes = json!({"type": "FeatureCollection", "features": self.biomes});
        for (name, text) in [("biomes.geojson", &biomes.to_string()), ("violations.csv", &self.violations)] {
            if !self.without.contains(&name) {
                folder.listed(name, text.as_bytes());
            }
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

/// A named place as a feature.
fn place(id: usize, at: usize, name: &str, kind: &str, tiles: usize) -> Value {
    folder::point(id, centre(at), json!({"name": name, "kind": kind, "tiles": tiles}))
}

/// A settlement as a feature.
fn settlement(plan: &Plan, k: usize) -> Value {
    let p = &plan.places[k];
    let why =
        if p.landmass == 2 { "It is the only settlement on its landmass." } else { "No way was found." };
    let reason = |joined: bool| if joined { Value::Null } else { why.into() };
    let (kind, radius) =
        [("capital", 3), ("city", 2), ("town", 1), ("village", 1), ("hamlet", 0)][p.tier - 1];
    let about = json!({
        "name": format!("Place {k}"), "tier": p.tier, "kind": kind, "radius": radius, "population": 10u32.pow(6 - p.tier as u32),
        "biome": plan.biome_at(p.at), "harbour": k == 5, "landmass": p.landmass,
        "road": p.road, "road_reason": reason(p.road), "rail": p.rail, "rail_reason": reason(p.rail || p.tier > 2),
    });
    folder::point(k + 1, centre(tile(p.at.0, p.at.1)), about)
}
