//! The frame, the list of layers and the files that the manifest lists.

use super::Rule;
use super::land::City;
use crate::check::{RuleResult, map};
use crate::error::Result;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "city-frame",
        about: "a cell measures map.size_m / width, the origin is 0, 0 and the unit m",
        needs: &[],
        run: frame,
    },
    Rule {
        name: "city-layers",
        about: "the layers have the names, order, types and units of this world",
        needs: &[],
        run: map::kinds,
    },
    Rule {
        name: "line-files",
        about: "the files of the manifest are there, those of lines and points with as many as it says",
        needs: &[],
        run: line_files,
    },
    Rule { name: "numbers", about: "no layer holds NaN, an infinity or -0", needs: &[], run: map::numbers },
];

fn frame(city: &City, rule: &mut RuleResult) -> Result<()> {
    city.frame((city.param("map.size_m")? / city.width as f64, "map.size_m / width"), rule);
    Ok(())
}

fn line_files(city: &City, rule: &mut RuleResult) -> Result<()> {
    map::files(city, rule)?;
    for (name, path) in [("rivers", "rivers"), ("lakes", "lakes.count")] {
        if city.has(&format!("{name}.geojson")) {
            city.same(rule, path, city.shapes(name).len() as f64, 0.0);
        }
    }
    Ok(())
}
