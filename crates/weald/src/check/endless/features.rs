//! Things that stand at single points.

use super::Rule;
use super::formula;
use super::names::{CONE, FEATURES, HOUSE, LAKE, MINE, MUD, NONE, PATH, ROAD, ROCKET, T, TOWN, Z};
use super::window::Window;
use crate::check::RuleResult;
use crate::error::Result;
use std::collections::BTreeMap;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "original-feature",
        about: "seed 0: the features are the document's",
        needs: &["feature", "formula"],
        run: original_feature,
    },
    Rule {
        name: "feature-ground",
        about: "only placed things stand in mud, lakes and towns, and nothing stands on paths and drawn roads",
        needs: &["feature", "terrain"],
        run: feature_ground,
    },
    Rule {
        name: "feature-placed",
        about: "rockets, single buildings and telephone boxes stand only where they were placed, and what was placed last stands there",
        needs: &["feature"],
        run: feature_placed,
    },
    Rule {
        name: "feature-points",
        about: "the file of features holds every feature of the layer, and no more",
        needs: &["feature", "features.geojson"],
        run: feature_points,
    },
    Rule {
        name: "control-code",
        about: "the code is two letters of x and y; cones and placed things have none",
        needs: &["features.geojson"],
        run: control_code,
    },
    Rule {
        name: "version",
        about: "a feature has a version from 0 to 3; seed 0: that of the bits of its place",
        needs: &["features.geojson"],
        run: version,
    },
    Rule {
        name: "shaft-levels",
        about: "a mine states how deep its shaft goes, one to four levels and no deeper than the mines; seed 0: as its bits say",
        needs: &["features.geojson"],
        run: shaft_levels,
    },
];

/// How many levels a shaft of the original world reaches.
fn reach(w: &Window, x: i64, y: i64) -> u8 {
    let bits = formula::road_bits(x, y) >> 8;
    1 + bits.rem_euclid(i64::from(w.p.mines.levels)) as u8
}

/// The mines with the number of levels they reach: in the window as the file says, around it by formula.
pub(super) fn shafts(w: &Window, margin: i64) -> Vec<((i64, i64), u8)> {
    let mines = w.shapes("features").iter().filter(|s| s.word("kind") == name(MINE));
    let mut all: Vec<_> =
        mines.filter_map(|s| Some((s.start()?, s.whole("levels")?.clamp(0, 255) as u8))).collect();
    let Some(formula) = &w.formula else { return all };
    for y in w.p.at.y - w.rows as i64 + 1 - margin..=w.p.at.y + margin {
        for x in w.p.at.x - margin..w.p.at.x + w.columns as i64 + margin {
            if w.index(x, y).is_none() && formula.feature(x, y) == MINE {
                all.push(((x, y), reach(w, x, y)));
            }
        }
    }
    all
}

fn original_feature(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let formula = w.original();
    w.compare(rule, w.codes("feature"), |x, y| formula.feature(x, y));
    Ok(())
}

fn feature_ground(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let (feature, terrain) = (w.codes("feature"), w.codes("terrain"));
    w.each(|i, x, y| {
        if feature[i] == NONE {
            return;
        }
        let placed = w.placed.thing(x, y) == Some(feature[i]);
        let good = match terrain[i] {
            PATH | ROAD | Z => false,
            TOWN | LAKE | MUD => placed,
            _ => true,
        };
        rule.check(good, Some(w.cell(i)), || {
            format!("{} at {x},{y} on ground that allows no features", name(feature[i]))
        });
    });
    Ok(())
}

fn feature_placed(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let (feature, terrain) = (w.codes("feature"), w.codes("terrain"));
    w.each(|i, x, y| {
        let placed = w.placed.thing(x, y);
        let f = feature[i];
        match (f, placed) {
            (ROCKET | T | HOUSE, _) => {
                rule.check(placed == Some(f), Some(w.cell(i)), || {
                    format!("{} at {x},{y} that was not placed", name(f))
                });
            }
            (_, Some(thing)) => {
                let covered = terrain.get(i).is_none_or(|&t| matches!(t, PATH | Z));
                rule.check(f == thing || (f == NONE && covered), Some(w.cell(i)), || {
                    format!("{} at {x},{y} where {} was placed", name(f), name(thing))
                });
            }
            _ => rule.check(usize::from(f) < FEATURES.len(), Some(w.cell(i)), || {
                format!("{f} at {x},{y} is no feature")
            }),
        }
    });
    Ok(())
}

fn feature_points(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let feature = w.codes("feature");
    let mut points: BTreeMap<usize, &str> = BTreeMap::new();
    for shape in w.shapes("features") {
        let at = shape.start();
        let told = shape.whole("x").zip(shape.whole("y"));
        rule.check(at.is_some() && at == told, at.and_then(|p| w.column_row(p)), || {
            format!("{} lies at {at:?} and says {told:?}", shape.word("kind"))
        });
        let cell = at.and_then(|(x, y)| w.index(x, y));
        rule.check(cell.is_some(), None, || format!("{} at {at:?} is off the map", shape.word("kind")));
        if let Some(i) = cell {
            let twice = points.insert(i, shape.word("kind")).is_some();
            rule.check(!twice, Some(w.cell(i)), || "two points for one feature".into());
        }
    }
    w.each(|i, x, y| {
        let listed = points.get(&i).copied();
        let wanted = if feature[i] == NONE { None } else { Some(name(feature[i])) };
        if listed.is_some() || wanted.is_some() {
            rule.check(listed == wanted, Some(w.cell(i)), || {
                let (file, layer) = (listed.unwrap_or("nothing"), wanted.unwrap_or("nothing"));
                format!("{file} at {x},{y} in the file and {layer} in the layer")
            });
        }
    });
    Ok(())
}

fn control_code(w: &Window, rule: &mut RuleResult) -> Result<()> {
    for shape in w.shapes("features") {
        let Some((x, y)) = shape.start() else { continue };
        let letter = |v: i64| char::from(b'A' + (v.unsigned_abs() % 26) as u8);
        let none = shape.word("kind") == name(CONE) || w.placed.thing(x, y).is_some();
        let wanted = if none { String::new() } else { format!("{}{}", letter(x), letter(y)) };
        let found = shape.word("code");
        rule.check(found == wanted, w.column_row((x, y)), || {
            format!("{} at {x},{y} has the code \"{found}\" instead of \"{wanted}\"", shape.word("kind"))
        });
    }
    Ok(())
}

fn version(w: &Window, rule: &mut RuleResult) -> Result<()> {
    for shape in w.shapes("features") {
        let Some((x, y)) = shape.start() else { continue };
        let told = shape.whole("version");
        let good = match w.formula {
            Some(_) => told == Some(formula::version(x, y)),
            None => told.is_some_and(|v| (0..4).contains(&v)),
        };
        rule.check(good, w.column_row((x, y)), || {
            format!("{} at {x},{y} has the version {told:?}", shape.word("kind"))
        });
    }
    Ok(())
}

fn shaft_levels(w: &Window, rule: &mut RuleResult) -> Result<()> {
    for shape in w.shapes("features") {
        let Some((x, y)) = shape.start() else { continue };
        let mine = shape.word("kind") == name(MINE);
        let told = shape.whole("levels");
        let good = match told {
            Some(levels) if mine && w.formula.is_some() => levels == i64::from(reach(w, x, y)),
            Some(levels) => mine && (1..=i64::from(w.p.mines.levels)).contains(&levels),
            None => !mine,
        };
        let mouth = shape.about.get("cave_mouth").is_some_and(serde_json::Value::is_boolean);
        rule.check(good && mouth == mine, w.column_row((x, y)), || {
            format!("{} at {x},{y} reaches {told:?} levels", shape.word("kind"))
        });
    }
    Ok(())
}

fn name(code: u8) -> &'static str {
    FEATURES.get(usize::from(code)).unwrap_or(&"an unknown code")
}
