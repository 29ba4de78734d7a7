//! Points of crossings, names, and the table of violations.

use super::Rule;
use super::codes::{CROSSINGS, LAKE, OCEAN, crossing};
use super::tiles::Realm;
use crate::check::shapes::Shape;
use crate::check::{RuleResult, folder};
use crate::error::Result;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The first line of the table of violations.
const HEADER: &str = "rule,x,y,kinds,directions";

/// Code of the biome mountain.
const MOUNTAIN: usize = 7;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "crossings",
        about: "crossings.geojson has a point with the right kind for each crossing of the layer, and no other",
        needs: &["crossing", "crossings.geojson"],
        run: crossings,
    },
    Rule {
        name: "settlement-names",
        about: "every settlement has a name, and no two have the same",
        needs: &["settlement", "settlements.geojson"],
        run: |realm, rule| names(realm.shapes("settlements"), "settlement", rule),
    },
    Rule {
        name: "river-names",
        about: "every river has a name, and no two have the same",
        needs: &["river_dirs", "rivers.geojson"],
        run: |realm, rule| names(realm.shapes("rivers"), "river", rule),
    },
    Rule {
        name: "place-names",
        about: "every range, lake and sea of places.geojson has a name that no other one, no settlement and no river has",
        needs: &["biome", "places.geojson"],
        run: place_names,
    },
    Rule {
        name: "places",
        about: "a place lies at the centre of a tile of mountain, lake or ocean, as its kind says: range, lake or sea; tiles is the size \
                of the region of a range or lake, and above 0",
        needs: &["biome", "places.geojson"],
        run: places,
    },
    Rule {
        name: "violations",
        about: "violations.csv has its header and no further line",
        needs: &["biome", "violations.csv"],
        run: violations,
    },
];

fn crossings(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let layer = realm.bytes("crossing").cells();
    let mut points = vec![false; layer.len()];
    for (k, shape) in realm.shapes("crossings").iter().enumerate() {
        let tile = match shape.coordinates() {
            &[at] => realm.cell(at),
            _ => None,
        };
        rule.check(tile.is_some(), None, || format!("crossing {k} is not a point at the centre of a tile"));
        let Some(i) = tile else { continue };
        let kind = shape.about.get("kind").unwrap_or(&Value::Null);
        let wanted = CROSSINGS.get(usize::from(layer[i])).filter(|_| layer[i] != 0);
        rule.check(wanted.is_some_and(|w| kind == w) && !points[i], realm.at(i), || {
            let here = realm.place(i);
            match points[i] {
                true => format!("crossings.geojson has {here} twice"),
                false => format!("the point at {here} is a {kind}, the layer says {}", crossing(layer[i])),
            }
        });
        points[i] = true;
    }
    for (i, &code) in layer.iter().enumerate().filter(|(_, code)| **code != 0) {
        rule.check(points[i], realm.at(i), || {
            format!("crossings.geojson has no point for the {} at {}", crossing(code), realm.place(i))
        });
    }
    Ok(())
}

/// Checks that each of these has a name of its own.
fn names(shapes: &[Shape], what: &str, rule: &mut RuleResult) -> Result<()> {
    let mut first: BTreeMap<&str, &Value> = BTreeMap::new();
    for shape in shapes {
        let name = shape.word("name");
        rule.check(!name.trim().is_empty(), None, || format!("{what} {} has no name", shape.id));
        if name.trim().is_empty() {
            continue;
        }
        let other = first.insert(name, &shape.id);
        rule.check(other.is_none(), None, || {
            let other = other.unwrap_or(&Value::Null);
            format!("{what} {} has the name of {what} {other}, {name}", shape.id)
        });
    }
    Ok(())
}

fn place_names(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let taken: BTreeSet<&str> =
        ["settlements", "rivers"].iter().flat_map(|f| realm.shapes(f)).map(|s| s.word("name")).collect();
    for shape in realm.shapes("places") {
        let name = shape.word("name");
        rule.check(!taken.contains(name), None, || {
            format!("place {} has the name of a settlement or river, {name}", shape.id)
        });
    }
    names(realm.shapes("places"), "place", rule)
}

fn places(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let biome = realm.bytes("biome").cells();
    for (k, shape) in realm.shapes("places").iter().enumerate() {
        let tile = match shape.coordinates() {
            &[at] => realm.cell(at),
            _ => None,
        };
        rule.check(tile.is_some(), None, || format!("place {k} is not a point at the centre of a tile"));
        let Some(i) = tile else { continue };
        let kind = shape.about.get("kind").unwrap_or(&Value::Null);
        let wanted = match usize::from(biome[i]) {
            MOUNTAIN => "range",
            b if b == usize::from(LAKE) => "lake",
            b if b == usize::from(OCEAN) => "sea",
            _ => "no place",
        };
        rule.check(kind == wanted, realm.at(i), || {
            format!("place {k} at {} is a {kind}, but there is {wanted}", realm.place(i))
        });
        let (stated, region) = (shape.whole("tiles"), realm.regions().of[i] as usize);
        let size = realm.regions().tiles[region] as i64;
        let good = stated.is_some_and(|t| if kind == "sea" { t > 0 } else { t == size });
        rule.check(good, realm.at(i), || {
            let found = shape.about.get("tiles").unwrap_or(&Value::Null);
            format!("tiles of place {k} is {found}; its region has {size}")
        });
    }
    Ok(())
}

fn violations(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let text = folder::text(&realm.dir.join("violations.csv"))?;
    let mut lines = text.lines();
    let header = lines.next().unwrap_or("");
    rule.check(header == HEADER, None, || format!("violations.csv begins with {header:?}, not {HEADER:?}"));
    for line in lines {
        rule.check(false, None, || format!("violations.csv reports {line:?}"));
    }
    Ok(())
}
