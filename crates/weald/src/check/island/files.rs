//! The frame, the list of layers and the files that the manifest lists.

use super::Rule;
use super::land::Island;
use crate::check::{RuleResult, map};
use crate::error::Result;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "island-frame",
        about: "a cell measures map.cell_m, the origin is 0, 0 and the unit m",
        needs: &[],
        run: frame,
    },
    Rule {
        name: "island-layers",
        about: "the layers have the names, order, types and units of this world",
        needs: &[],
        run: map::kinds,
    },
    Rule {
        name: "line-files",
        about: "the files of the manifest are there, those of lines and points with as many as it says",
        needs: &[],
        run: map::files,
    },
    Rule { name: "numbers", about: "no layer holds NaN, an infinity or -0", needs: &[], run: map::numbers },
    Rule {
        name: "cover-classes",
        about: "cover holds values of its class table",
        needs: &["cover"],
        run: cover,
    },
];

fn frame(island: &Island, rule: &mut RuleResult) -> Result<()> {
    island.frame((island.param("map.cell_m")?, "map.cell_m"), rule);
    Ok(())
}

fn cover(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let layers = island.manifest["layers"].as_array();
    let entry = layers.into_iter().flatten().find(|l| l["name"] == "cover");
    let table = entry.and_then(|l| l["classes"].as_array()).map_or(&[][..], Vec::as_slice);
    let mut known = [false; 256];
    for value in table.iter().filter_map(|c| c["value"].as_u64()).filter(|&v| v < 256) {
        known[value as usize] = true;
    }
    for (i, &v) in island.bytes("cover").cells().iter().enumerate() {
        rule.check(known[usize::from(v)], island.at(i), || format!("{v} is no class"));
    }
    Ok(())
}
