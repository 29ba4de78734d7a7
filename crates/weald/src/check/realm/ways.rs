//! The lines of railroads and roads: what is built, and between which settlements.

use super::Rule;
use super::codes::Kind;
use super::lines;
use super::tiles::Realm;
use crate::check::RuleResult;
use crate::error::Result;
use serde_json::Value;
use std::collections::BTreeSet;

/// The classes of roads.
const CLASSES: [&str; 3] = ["highway", "road", "track"];

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "rail-tiles",
        about: "a railroad's line has a vertex at the centre of each of its tiles, which are neighbours, and length_m is its length",
        needs: &["rail_dirs", "railroads.geojson"],
        run: |realm, rule| vertices(realm, Kind::Railroad, rule),
    },
    Rule {
        name: "rail-links",
        about: "the links of the railroads' lines are those of rail_dirs, and no two lines share one",
        needs: &["rail_dirs", "railroads.geojson"],
        run: |realm, rule| links(realm, Kind::Railroad, rule),
    },
    Rule {
        name: "rail-ends",
        about: "a railroad's from and to are settlements, and each end is a tile of one of them or of another railroad",
        needs: &["settlement", "railroads.geojson", "settlements.geojson"],
        run: |realm, rule| ends(realm, Kind::Railroad, rule),
    },
    Rule {
        name: "road-tiles",
        about: "a road's line has a vertex at the centre of each of its tiles, which are neighbours, length_m is its length, and class \
                is highway, road or track",
        needs: &["road_dirs", "roads.geojson"],
        run: roads,
    },
    Rule {
        name: "road-links",
        about: "the links of the roads' lines are those of road_dirs, and no two lines share one",
        needs: &["road_dirs", "roads.geojson"],
        run: |realm, rule| links(realm, Kind::Road, rule),
    },
    Rule {
        name: "road-ends",
        about: "a road's from and to are settlements, and each end is a tile of one of them or of another road",
        needs: &["settlement", "roads.geojson", "settlements.geojson"],
        run: |realm, rule| ends(realm, Kind::Road, rule),
    },
];

fn vertices(realm: &Realm, kind: Kind, rule: &mut RuleResult) -> Result<()> {
    lines::vertices(realm, kind, rule);
    Ok(())
}

fn links(realm: &Realm, kind: Kind, rule: &mut RuleResult) -> Result<()> {
    lines::links(realm, kind, rule);
    Ok(())
}

fn roads(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    for (k, shape) in realm.shapes("roads").iter().enumerate() {
        rule.check(CLASSES.contains(&shape.word("class")), None, || {
            let class = shape.about.get("class").unwrap_or(&Value::Null);
            format!("class of road {k} is {class}, not one of {}", CLASSES.join(", "))
        });
    }
    vertices(realm, Kind::Road, rule)
}

fn ends(realm: &Realm, kind: Kind, rule: &mut RuleResult) -> Result<()> {
    let (name, layer) = (kind.name(), realm.counts("settlement").cells());
    let known: BTreeSet<u16> = realm.settlements().filter_map(|s| s.id).collect();
    // How many lines pass each tile; a line counts once.
    let mut passes = vec![0u32; realm.cells()];
    for line in realm.lines(kind) {
        let tiles: BTreeSet<usize> = line.known().collect();
        tiles.into_iter().for_each(|i| passes[i] += 1);
    }
    for (k, (shape, line)) in realm.shapes(kind.file()).iter().zip(realm.lines(kind)).enumerate() {
        let joins = ["from", "to"].map(|key| {
            let id = shape.whole(key).and_then(|id| u16::try_from(id).ok()).filter(|id| known.contains(id));
            rule.check(id.is_some(), line.first().and_then(|i| realm.at(i)), || {
                let found = shape.about.get(key).unwrap_or(&Value::Null);
                format!("{key} of {name} {k} is {found}, which is no settlement")
            });
            id
        });
        for i in [line.first(), line.last()].into_iter().flatten() {
            let in_footprint = joins.into_iter().flatten().any(|id| layer[i] == id);
            rule.check(in_footprint || passes[i] > 1, realm.at(i), || {
                format!(
                    "{name} {k} ends at {}, which is neither in the settlements that it joins nor on another {name}",
                    realm.place(i)
                )
            });
        }
    }
    Ok(())
}
