//! The trails as lines: do they make the trail layers?

use super::Tiles;
use crate::check::RuleResult;
use crate::error::{Error, Result};
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct Collection {
    features: Vec<Feature>,
}

#[derive(Deserialize)]
struct Feature {
    geometry: Geometry,
}

#[derive(Deserialize)]
#[serde(tag = "type", content = "coordinates")]
enum Geometry {
    Point((f64, f64)),
    LineString(Vec<(f64, f64)>),
}

/// The tiles of each feature.
fn read(path: &Path, columns: usize, rows: usize) -> Result<Vec<Vec<usize>>> {
    let bad =
        |e: &dyn std::fmt::Display| Error::Invalid(format!("{}: {e}; make the folder again", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| Error::io(path, e))?;
    let all: Collection = serde_json::from_str(&text).map_err(|e| bad(&e))?;
    let tile = |&(x, y): &(f64, f64)| {
        let inside = x >= 0.0 && y >= 0.0 && x < columns as f64 && y < rows as f64;
        inside.then_some(y as usize * columns + x as usize).ok_or_else(|| bad(&"a point lies off the map"))
    };
    let tiles = |f: &Feature| match &f.geometry {
        Geometry::Point(at) => Ok(vec![tile(at)?]),
        Geometry::LineString(points) => points.iter().map(tile).collect(),
    };
    all.features.iter().map(tiles).collect()
}

/// Every line of `trails.geojson` starts at a point of `trail_seeds.geojson` and goes from tile to neighbouring tile;
/// laid in their order, first come first served, the lines make the layer of trail numbers.
pub(in crate::check) fn trail_lines(dir: &Path, tiles: &Tiles) -> Result<Option<RuleResult>> {
    let (lines, seeds) = (dir.join("trails.geojson"), dir.join("trail_seeds.geojson"));
    if !lines.exists() || !seeds.exists() || tiles.game_trail_id.is_empty() {
        return Ok(None);
    }
    let (w, h) = (tiles.columns, tiles.rows);
    let mut starts: Vec<usize> = read(&seeds, w, h)?.into_iter().flatten().collect();
    starts.sort_unstable();
    let mut rule =
        RuleResult::new("trail-lines", "trails run from their seeds and make the layer of trail numbers");
    let mut id = vec![-1i32; w * h];
    for (number, line) in read(&lines, w, h)?.iter().enumerate() {
        let start = line.first().copied().unwrap_or(0);
        let place = Some((start % w, start / w));
        rule.check(starts.binary_search(&start).is_ok(), place, || {
            format!("trail {number} starts at no seed")
        });
        let near = |s: &[usize]| (s[0] % w).abs_diff(s[1] % w) <= 1 && (s[0] / w).abs_diff(s[1] / w) <= 1;
        rule.check(line.windows(2).all(near), place, || format!("trail {number} leaps over tiles"));
        for &tile in line {
            if id[tile] < 0 {
                id[tile] = number as i32;
            }
        }
    }
    for (i, (drawn, layer)) in id.iter().zip(&tiles.game_trail_id).enumerate() {
        rule.check(drawn == layer, Some((i % w, i / w)), || {
            format!("the lines give {drawn}, the layer {layer}")
        });
    }
    Ok(Some(rule))
}
