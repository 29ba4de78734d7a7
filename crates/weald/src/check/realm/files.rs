//! The frame, the list of layers, the files that the manifest lists, and the codes and ranges of the layers.

use super::Rule;
use super::codes::{BIOMES, CROSSINGS, WATERS, transitions};
use super::tiles::Realm;
use crate::check::{RuleResult, map};
use crate::error::Result;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "realm-frame",
        about: "a tile measures map.cell_m, the origin is 0, 0 and the unit m",
        needs: &[],
        run: frame,
    },
    Rule {
        name: "realm-layers",
        about: "the layers have the names, order, types and units of this world",
        needs: &[],
        run: map::kinds,
    },
    Rule {
        name: "line-files",
        about: "the files of the manifest are there, those of lines, points and polygons with as many as it says",
        needs: &[],
        run: map::files,
    },
    Rule { name: "numbers", about: "no layer holds NaN, an infinity or -0", needs: &[], run: map::numbers },
    Rule {
        name: "classes",
        about: "biome, transition, water and crossing hold codes of their tables, and the manifest names them as the tables do",
        needs: &[],
        run: classes,
    },
    Rule {
        name: "moisture-range",
        about: "moisture lies between 0 and 1",
        needs: &["moisture"],
        run: moisture,
    },
];

fn frame(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    realm.frame((realm.param("map.cell_m")?, "map.cell_m"), rule);
    Ok(())
}

fn classes(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let transitions = transitions();
    let transitions: Vec<&str> = transitions.iter().map(String::as_str).collect();
    let layers = realm.manifest["layers"].as_array();
    for (layer, names) in
        [("biome", &BIOMES[..]), ("transition", &transitions), ("water", &WATERS), ("crossing", &CROSSINGS)]
    {
        if !realm.has(layer) {
            continue;
        }
        for (i, &v) in realm.bytes(layer).cells().iter().enumerate() {
            rule.check(usize::from(v) < names.len(), realm.at(i), || format!("{v} is no class of {layer}"));
        }
        let entry = layers.into_iter().flatten().find(|l| l["name"] == layer);
        let listed = entry.and_then(|l| l["classes"].as_array());
        rule.check(listed.is_none_or(|l| l.len() == names.len()), None, || {
            format!(
                "the manifest names {} classes of {layer}, not {}",
                listed.map_or(0, Vec::len),
                names.len()
            )
        });
        for class in listed.into_iter().flatten() {
            let (value, name) = (&class["value"], &class["name"]);
            let wanted = value.as_u64().and_then(|v| names.get(usize::try_from(v).ok()?));
            rule.check(wanted.is_some_and(|w| name == w), None, || match wanted {
                Some(wanted) => format!("the manifest calls class {value} of {layer} {name}, not {wanted}"),
                None => format!("the manifest names a class {value} of {layer}, which there is not"),
            });
        }
    }
    Ok(())
}

fn moisture(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    for (i, &v) in realm.floats("moisture").cells().iter().enumerate() {
        rule.check((0.0..=1.0).contains(&v), realm.at(i), || format!("moisture is {v}"));
    }
    Ok(())
}
