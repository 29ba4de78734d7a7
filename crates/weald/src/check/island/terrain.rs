//! The file for games: `terrain.json` says the same as the layers and the lines.

use super::Rule;
use super::land::Island;
use crate::check::RuleResult;
use crate::error::{Error, Result};
use serde::Deserialize;
use weald_core::Grid;

/// The rules of this chapter. Both read the file, of which one only looks at the rivers.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "terrain-grids",
        about: "height, flowAccumulation and moisture of terrain.json are the layers",
        needs: &["height", "terrain.json"],
        run: grids,
    },
    Rule {
        name: "terrain-rivers",
        about: "the rivers of terrain.json are those of rivers.geojson, each within the one it ends in",
        needs: &["terrain.json", "rivers.geojson", "land", "river_id", "flow_accumulation"],
        run: rivers,
    },
];

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Grids {
    height: Vec<Vec<f64>>,
    flow_accumulation: Vec<Vec<f64>>,
    moisture: Vec<Vec<f64>>,
}

#[derive(Deserialize)]
struct Lines {
    rivers: Vec<River>,
}

#[derive(Deserialize)]
struct River {
    id: String,
    points: Vec<Point>,
    strahler: u32,
    tributaries: Vec<River>,
}

#[derive(Deserialize, PartialEq)]
struct Point {
    x: u64,
    y: u64,
}

/// Reads what a rule needs of the file.
fn read<T: for<'a> Deserialize<'a>>(island: &Island) -> Result<T> {
    let path = island.dir.join("terrain.json");
    let text = crate::check::folder::text(&path)?;
    serde_json::from_str(&text)
        .map_err(|e| Error::Invalid(format!("{}: {e}; make the folder again", path.display())))
}

fn grids(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let terrain: Grids = read(island)?;
    for (name, rows) in [("height", &terrain.height[..]), ("moisture", &terrain.moisture[..])] {
        if island.has(name) {
            // A number in the file is the shortest that lies nearer to the value of the layer than to any other.
            same(island, (name, rows), island.floats(name), rule, |found, v| {
                (found - f64::from(v)).abs() <= 0.5001 * (f64::from(v.abs().next_up()) - f64::from(v.abs()))
            });
        }
    }
    if island.has("flow_accumulation") {
        let key = ("flowAccumulation", &terrain.flow_accumulation[..]);
        same(island, key, island.wholes("flow_accumulation"), rule, |found, v| found == f64::from(v));
    }
    Ok(())
}

/// Compares rows of the file with a layer.
fn same<T: Copy + std::fmt::Display>(
    island: &Island,
    (key, rows): (&str, &[Vec<f64>]),
    layer: &Grid<T>,
    rule: &mut RuleResult,
    equal: impl Fn(f64, T) -> bool,
) {
    let shape = rows.len() == island.height && rows.iter().all(|r| r.len() == island.width);
    rule.check(shape, None, || format!("{key} does not have {} rows of {}", island.height, island.width));
    if !shape {
        return;
    }
    for (i, (&found, &v)) in rows.iter().flatten().zip(layer.cells()).enumerate() {
        rule.check(equal(found, v), island.at(i), || format!("{key} is {found}, the layer says {v}"));
    }
}

fn rivers(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let terrain: Lines = read(island)?;
    let mut seen = vec![0u32; island.rivers().courses.len()];
    let mut open: Vec<(Option<usize>, &River)> = terrain.rivers.iter().map(|r| (None, r)).collect();
    while let Some((parent, river)) = open.pop() {
        let id = &river.id;
        let number = id.strip_prefix('r').and_then(|n| n.parse::<usize>().ok()).filter(|&k| k < seen.len());
        rule.check(number.is_some(), None, || format!("{id:?} is no river of rivers.geojson"));
        let Some(k) = number else { continue };
        open.extend(river.tributaries.iter().map(|t| (number, t)));
        seen[k] += 1;
        let (shape, course) = (&island.rivers().shapes[k], &island.rivers().courses[k]);
        let place = course.all().first().and_then(|&i| island.at(i));
        rule.check(course.parent == parent, place, || {
            format!("{id} stands within {parent:?}, rivers.geojson says {:?}", course.parent)
        });
        let point = |&i: &usize| Point { x: (i % island.width) as u64, y: (i / island.width) as u64 };
        let points: Vec<Point> = course.all().iter().map(point).collect();
        rule.check(points == river.points, place, || {
            let (found, wanted) = (river.points.len(), points.len());
            format!("the {found} points of {id} are not the {wanted} of rivers.geojson")
        });
        let order = shape.number("order");
        rule.check(f64::from(river.strahler) == order, place, || {
            format!("strahler of {id} is {}, rivers.geojson says {order}", river.strahler)
        });
    }
    for (k, &times) in seen.iter().enumerate() {
        rule.check(times == 1, None, || format!("r{k} stands {times} times in terrain.json, not once"));
    }
    Ok(())
}
