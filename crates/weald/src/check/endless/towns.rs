//! Buildings in towns.

use super::Rule;
use super::formula;
use super::lines::Shape;
use super::names::{HOUSE, TOWN};
use super::surface::square;
use super::window::Window;
use crate::check::RuleResult;
use crate::error::Result;
use serde_json::Value;
use std::collections::BTreeSet;

/// Sides of a building by the low bits of its number.
const DOORS: [&str; 4] = ["west", "north", "east", "south"];
/// Distance of the places where buildings can stand.
const GRID: i64 = 16;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "building-place",
        about: "buildings stand in towns where x and y are multiples of 16, and where they were placed, one at a place",
        needs: &["buildings.geojson"],
        run: place,
    },
    Rule {
        name: "building-form",
        about: "a building is 60 + v²/127 high with v below 128, and its door is on the side that v gives",
        needs: &["buildings.geojson"],
        run: form,
    },
    Rule {
        name: "original-building",
        about: "seed 0: buildings stand where the bits of the place say so, with the height and the door that they give",
        needs: &["buildings.geojson", "formula"],
        run: original,
    },
    Rule {
        name: "building-height",
        about: "the layer of heights is that of the buildings of the file",
        needs: &["building_height", "buildings.geojson"],
        run: layer,
    },
];

/// The height of the building with the number `v`.
fn height(v: i64) -> f64 {
    60.0 + (v * v) as f64 / 127.0
}

fn told(s: &Shape) -> f64 {
    s.about.get("height").and_then(Value::as_f64).unwrap_or(f64::NAN)
}

fn place(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let mut seen = BTreeSet::new();
    for s in w.shapes("buildings") {
        let at = s.start();
        let good = at.is_some_and(|(x, y)| {
            let of_town = x % GRID == 0 && y % GRID == 0 && w.terrain(x, y).is_none_or(|t| t == TOWN);
            (of_town || w.placed.thing(x, y) == Some(HOUSE)) && seen.insert((x, y))
        });
        rule.check(good, at.and_then(|p| w.column_row(p)), || {
            format!("a building at {:?}, where none can stand or one is already", s.points.first())
        });
    }
    Ok(())
}

fn form(w: &Window, rule: &mut RuleResult) -> Result<()> {
    for s in w.shapes("buildings") {
        let v = (0..128).find(|&v| (height(v) - told(s)).abs() < 1e-6);
        let door = DOORS.iter().position(|d| *d == s.word("door"));
        let good = v.is_some_and(|v| door == Some((v & 3) as usize));
        rule.check(good, s.start().and_then(|p| w.column_row(p)), || {
            format!(
                "the building at {:?} has the height {} and its door to the {}",
                s.points.first(),
                told(s),
                s.word("door")
            )
        });
    }
    Ok(())
}

fn original(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let there: BTreeSet<_> = w.shapes("buildings").iter().filter_map(Shape::start).collect();
    for s in w.shapes("buildings") {
        let Some((x, y)) = s.start() else { continue };
        let bits = formula::building_bits(x, y);
        let door = DOORS[(bits & 3) as usize];
        let stands = bits & 15 < 8 || w.placed.thing(x, y) == Some(HOUSE);
        let good = stands && (told(s) - height(bits & 127)).abs() < 1e-6 && s.word("door") == door;
        rule.check(good, w.column_row((x, y)), || {
            format!("the building at {x},{y} is not what the bits {} tell", bits & 127)
        });
    }
    let (x0, y1) = (w.p.at.x, w.p.at.y);
    let (x1, y0) = (x0 + w.columns as i64 - 1, y1 - w.rows as i64 + 1);
    // Buildings of which a part lies in the window.
    let steps =
        |low: i64, high: i64| ((low - 5).div_euclid(GRID)..=(high + 6).div_euclid(GRID)).map(|v| v * GRID);
    for y in steps(y0, y1) {
        for x in steps(x0, x1) {
            let mut shows = false;
            square(w, (x, y), -6, 5, |_| shows = true);
            let dry = || {
                let mut places = (-6..6).flat_map(|dy| (-6..6).map(move |dx| (x + dx, y + dy)));
                w.p.bridges || places.all(|(x, y)| w.original().ground(x, y) >= w.p.lake_level)
            };
            if shows && w.terrain(x, y) == Some(TOWN) && formula::building_bits(x, y) & 15 < 8 && dry() {
                rule.check(there.contains(&(x, y)), w.column_row((x, y)), || {
                    format!("there is no building at {x},{y}")
                });
            }
        }
    }
    for (&(x, y), _) in w.placed.things.iter().filter(|(_, thing)| **thing == HOUSE) {
        let stands = w.index(x, y).is_some() && w.feature(x, y) == Some(HOUSE);
        rule.check(!stands || there.contains(&(x, y)), w.column_row((x, y)), || {
            format!("the building that was placed at {x},{y} is missing")
        });
    }
    Ok(())
}

fn layer(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let mut wanted = vec![0.0f32; w.columns * w.rows];
    for s in w.shapes("buildings") {
        let Some(at) = s.start() else { continue };
        square(w, at, -6, 5, |i| wanted[i] = told(s) as f32);
    }
    let found = w.floats("building_height");
    w.each(|i, x, y| {
        rule.check(found[i] == wanted[i], Some(w.cell(i)), || {
            format!("{} at {x},{y}, the buildings give {}", found[i], wanted[i])
        });
    });
    Ok(())
}
