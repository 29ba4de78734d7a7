//! Worlds to walk on: ground without edges with what stands on it, and globes.

use super::Output;
use super::tiles::Tiles;
use crate::catalogue::{Catalogue, Datum, FeatureSet, Lattice};
use crate::error::{Error, Result};
use crate::style::Scene;
use serde_json::{Value, json};
use weald_core::Ctx;

/// Ground to walk on, at the places of a lattice.
#[derive(Clone, Debug)]
pub struct Ground {
    /// Height of the ground in metres, of the bed where there is water.
    pub ground: Vec<f32>,
    /// Height of the water in metres, NaN where there is none.
    pub water: Vec<f32>,
    /// Red, green and blue of the ground as one sees it outdoors.
    pub colours: Vec<u8>,
    /// What it was read from. At a step of 1 m it holds lines, points and trees as well.
    pub catalogue: Catalogue,
}

/// What stands on a piece of ground. Everything belongs to exactly one of the pieces around it: places are metres east and north of its
/// north-west corner.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Things {
    /// x, y and kind of every tree.
    pub trees: Vec<f32>,
    /// x, y and height in metres of every building.
    pub buildings: Vec<f32>,
    /// Features, and the parts of lines within the piece, as JSON.
    pub rest: Value,
}

impl Tiles {
    /// The ground at the places of a lattice.
    pub fn ground(&self, at: &Lattice, ctx: &Ctx) -> Result<Ground> {
        let catalogue = self.catalogue(at, ctx)?;
        let (height, depth) = (catalogue.floats("height")?, catalogue.floats("depth")?);
        let (surface, snow) = (catalogue.bytes("surface")?, catalogue.bytes("snow")?);
        let metres = |units: f32| (f64::from(units) / self.look.height_units_per_m) as f32;
        let both = || height.cells().iter().zip(depth.cells());
        let ground = both().map(|(h, d)| metres(h - d)).collect();
        let water = both().map(|(h, d)| if *d > 0.0 { metres(*h) } else { f32::NAN }).collect();
        let colour = |(&class, &snow): (&u8, &u8)| match snow {
            0 => self.look.outdoors.iter().find(|c| c.0 == class).map_or([200; 3], |c| c.1),
            _ => [244, 247, 250],
        };
        let colours = surface.cells().iter().zip(snow.cells()).flat_map(colour).collect();
        Ok(Ground { ground, water, colours, catalogue })
    }

    /// Height of the ground at a place in metres, or of the water above it.
    pub fn height_at(&self, x: f64, y: f64) -> Result<f64> {
        let sampler = self.sampler();
        let column = sampler.columns().iter().position(|c| c.name == "height");
        let column = column.ok_or_else(|| Error::Internal("a world with tiles has no height".into()))?;
        let answer = sampler.sample(&[sampler.place(&[x, y])?], &[column], &Ctx::default())?;
        match answer[..] {
            [Datum::Number(height)] => Ok(height / self.look.height_units_per_m),
            _ => Err(Error::Internal("a height is no number".into())),
        }
    }

    /// What stands on the ground of a lattice, which must have a step of 1 m.
    pub fn things(&self, ground: &Ground, at: &Lattice) -> Result<Things> {
        if at.step != 1 {
            return Err(Error::Invalid(format!(
                "things stand on ground with a step of 1 m, not {} m",
                at.step
            )));
        }
        let catalogue = &ground.catalogue;
        let (west, north) = (at.west as f64, at.north as f64);
        let (width, height) = (at.width as f64 - 1.0, at.height as f64 - 1.0);
        let local = |x: f64, y: f64| (x - west, y - north);
        // Catalogues count southwards.
        let of_point = |(x, y): (f64, f64)| local(x, -y);
        let inside = |(x, y): (f64, f64)| x >= 0.0 && x < width && y <= 0.0 && y > -height;
        let mut out = Things::default();
        for tree in (self.look.trees)(catalogue)? {
            if inside(local(tree.place.0 as f64, tree.place.1 as f64)) {
                let (x, y) = local(tree.at.0, tree.at.1);
                out.trees.extend([x as f32, y as f32, tree.kind.into()]);
            }
        }
        let points = |name: &str| catalogue.point_set(name).into_iter().flat_map(|s| &s.features);
        for building in points("buildings") {
            let (x, y) = of_point(building.points[0]);
            let height = building.property("height").and_then(Value::as_f64).unwrap_or(0.0);
            if inside((x, y)) {
                out.buildings.extend([x as f32, y as f32, (height / self.look.height_units_per_m) as f32]);
            }
        }
        let features: Vec<Value> = points("features")
            .map(|f| (f, of_point(f.points[0])))
            .filter(|(_, at)| inside(*at))
            .map(|(f, (x, y))| {
                let get = |name: &str| f.property(name).cloned().unwrap_or(Value::Null);
                let kind = if get("cave_mouth") == true { "cave_mouth".into() } else { get("kind") };
                json!({
                    "x": x, "y": y, "kind": kind, "version": get("version"), "direction": get("direction"),
                    "code": get("code"),
                })
            })
            .collect();
        let lines: Vec<Value> =
            catalogue.lines.iter().flat_map(|set| clipped(set, of_point, inside)).collect();
        out.rest = json!({"features": features, "lines": lines});
        Ok(out)
    }
}

/// The parts of lines whose pieces have their middle inside.
fn clipped(
    set: &FeatureSet,
    local: impl Fn((f64, f64)) -> (f64, f64),
    inside: impl Fn((f64, f64)) -> bool,
) -> Vec<Value> {
    let mut out = Vec::new();
    // A bridge is one thing: it is given whole.
    let whole = set.name == "bridges";
    for feature in &set.features {
        let mut run: Vec<f64> = Vec::new();
        for pair in feature.points.windows(2) {
            let (a, b) = (local(pair[0]), local(pair[1]));
            if whole || inside(((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0)) {
                if run.is_empty() {
                    run.extend([a.0, a.1]);
                }
                run.extend([b.0, b.1]);
            } else if !run.is_empty() {
                out.push(json!({"set": set.name, "points": std::mem::take(&mut run)}));
            }
        }
        if !run.is_empty() {
            out.push(json!({"set": set.name, "points": run}));
        }
    }
    out
}

impl Output {
    /// Heights of a globe above its sea, in height units, on a lattice of latitudes and longitudes: rows from the north, columns from 180°
    /// west; 0 at sea. Fails if the world is no globe.
    pub fn globe_heights(&self, columns: usize, rows: usize) -> Result<Vec<f32>> {
        let (Scene::Globe { sea_level, .. }, Some(sampler)) =
            (self.recipe.world.info().scene, &self.catalogue.sampler)
        else {
            return Err(Error::Invalid("this world is no globe".into()));
        };
        let level = self.catalogue.number(sea_level);
        let mut out = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            let lat = 90.0 - 180.0 * row as f64 / (rows - 1).max(1) as f64;
            for column in 0..columns {
                let lon = -180.0 + 360.0 * column as f64 / (columns - 1).max(1) as f64;
                let height = sampler.height(sampler.place(&[lat, lon])?);
                out.push((height - level).max(0.0) as f32);
            }
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Job;

    fn tiles() -> Tiles {
        Job::new("endless").unwrap().tiles().unwrap().unwrap()
    }

    #[test]
    fn the_ground_is_that_of_the_layers_in_metres_and_the_water_lies_above_it() {
        let (tiles, ctx) = (tiles(), Ctx::default());
        let at = Lattice { west: -600, north: 400, step: 8, width: 100, height: 100 };
        let ground = tiles.ground(&at, &ctx).unwrap();
        let (mut wet, heights) = (0, ground.catalogue.floats("height").unwrap());
        for (i, (&bed, &water)) in ground.ground.iter().zip(&ground.water).enumerate() {
            let (x, y) = (at.west + 8 * (i as i64 % 100), at.north - 8 * (i as i64 / 100));
            let surface = tiles.height_at(x as f64, y as f64).unwrap() as f32;
            assert_eq!(surface, heights.cells()[i] / 4.0);
            assert!(if water.is_nan() { bed == surface } else { bed < water && water == surface });
            wet += u32::from(!water.is_nan());
        }
        assert!(wet > 0 && ground.colours.len() == 30_000);
    }

    #[test]
    fn everything_belongs_to_exactly_one_of_the_pieces_around_it() {
        let (tiles, ctx) = (tiles(), Ctx::default());
        let things = |west: i64, north: i64, side: usize| {
            let at = Lattice { west, north, step: 1, width: side, height: side };
            tiles.things(&tiles.ground(&at, &ctx).unwrap(), &at).unwrap()
        };
        // Trees and features, at their places in the world.
        let seen = |things: &Things, west: i64, north: i64| -> Vec<(f64, f64, String)> {
            let at = |x: f64, y: f64, kind: String| (x + west as f64, y + north as f64, kind);
            let trees = things.trees.chunks(3).map(|t| at(t[0].into(), t[1].into(), t[2].to_string()));
            let number = |f: &Value, key: &str| f[key].as_f64().unwrap();
            let features = things.rest["features"].as_array().unwrap().iter();
            let features = features.map(|f| at(number(f, "x"), number(f, "y"), f["kind"].to_string()));
            trees.chain(features).collect()
        };
        let (west, north, half) = (-128, 128, 128);
        let whole = seen(&things(west, north, 257), west, north);
        let mut parts = Vec::new();
        for (dx, dy) in [(0, 0), (half, 0), (0, -half), (half, -half)] {
            parts.extend(seen(&things(west + dx, north + dy, 129), west + dx, north + dy));
        }
        assert_eq!(whole.len(), parts.len());
        for (x, y, kind) in &whole {
            // Places are floats relative to their corners.
            let here = |p: &&(f64, f64, String)| (p.0 - x).abs() + (p.1 - y).abs() < 1e-3 && p.2 == *kind;
            assert_eq!(parts.iter().filter(here).count(), 1, "{kind} at {x}, {y}");
        }
        assert!(whole.len() > 1000, "{}", whole.len());
    }

    #[test]
    fn things_stand_only_on_ground_of_every_metre() {
        let (tiles, ctx) = (tiles(), Ctx::default());
        let at = Lattice { west: 0, north: 0, step: 2, width: 9, height: 9 };
        let ground = tiles.ground(&at, &ctx).unwrap();
        assert!(tiles.things(&ground, &at).is_err());
    }

    #[test]
    fn a_globe_is_flat_at_sea_and_has_the_heights_of_its_land_and_one_at_each_pole() {
        let output = Job::new("planet").unwrap().size(16).run(&Ctx::default()).unwrap();
        let heights = output.globe_heights(37, 19).unwrap();
        for pole in [&heights[..37], &heights[18 * 37..]] {
            assert!(pole.iter().all(|h| (h - pole[0]).abs() < 0.01), "{pole:?}");
        }
        let sampler = output.catalogue.sampler.as_ref().unwrap();
        let depth = sampler.columns().iter().position(|c| c.name == "depth").unwrap();
        let (mut wet, mut dry) = (0, 0);
        for (i, &height) in heights.iter().enumerate() {
            let (lat, lon) = (90.0 - 10.0 * (i / 37) as f64, -180.0 + 10.0 * (i % 37) as f64);
            let place = sampler.place(&[lat, lon]).unwrap();
            let Datum::Number(depth) = sampler.sample(&[place], &[depth], &Ctx::default()).unwrap()[0] else {
                panic!("a depth is a number")
            };
            let above = (sampler.height(place) - 290.0) as f32;
            assert!(if depth > 0.0 { height == 0.0 } else { height == above }, "{lat}, {lon}: {height}");
            (wet, dry) = (wet + u32::from(depth > 0.0), dry + u32::from(depth == 0.0));
        }
        assert!(wet > 100 && dry > 100, "{wet} places at sea and {dry} on land");
        let forest = Job::new("forest").unwrap().size(8).run(&Ctx::default()).unwrap();
        assert!(forest.globe_heights(3, 3).is_err());
    }
}
