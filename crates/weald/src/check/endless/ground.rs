//! Heights, water and terrain.

use super::Rule;
use super::formula::LAKE_HT0;
use super::names::{
    BRIDGE, BUILDING, FEATURES, LAKE, MARSH, MINES, MUD, PATH, ROAD, SNOW, STREAM, TERRAINS, TOWN, TREES,
    WOOD, Z,
};
use super::window::Window;
use crate::check::RuleResult;
use crate::error::Result;
use serde_json::Value;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "class-names",
        about: "the manifest names the codes of the layers as the document does",
        needs: &[],
        run: class_names,
    },
    Rule {
        name: "original-height",
        about: "seed 0: height and water are the document's",
        needs: &["height", "formula"],
        run: original_height,
    },
    Rule {
        name: "original-depth",
        about: "seed 0: the depth of the water is the document's",
        needs: &["depth", "formula"],
        run: original_depth,
    },
    Rule {
        name: "original-terrain",
        about: "seed 0: the terrain is the document's",
        needs: &["terrain", "formula"],
        run: original_terrain,
    },
    Rule {
        name: "lake",
        about: "there is a lake exactly where there is depth, and its height is the lake level",
        needs: &["terrain", "depth", "height"],
        run: lake,
    },
    Rule {
        name: "mud",
        about: "mud is ground below 204 that is not below the lake level",
        needs: &["terrain", "height"],
        run: mud,
    },
    Rule {
        name: "terrain-settings",
        about: "paths, wood and barren ground are where the parameters paths, wood_only and bleak say",
        needs: &["terrain"],
        run: settings,
    },
];

fn class_names(w: &Window, rule: &mut RuleResult) -> Result<()> {
    for layer in w.manifest["layers"].as_array().into_iter().flatten() {
        let name = layer["name"].as_str().unwrap_or("");
        let wanted: &[&str] = match name {
            "terrain" | "surface" | "sky_terrain" => &TERRAINS,
            "feature" => &FEATURES,
            "tree" => &TREES,
            "snow" => &SNOW,
            "cavern" => &MINES[..2],
            mine if mine.starts_with("mine_") => &MINES,
            _ => continue,
        };
        let none = Vec::new();
        let found = layer["classes"].as_array().unwrap_or(&none);
        let class = |(i, (c, name)): (usize, (&Value, &&str))| c["value"] == i && c["name"] == **name;
        let same = found.len() == wanted.len() && found.iter().zip(wanted).enumerate().all(class);
        rule.check(same, None, || format!("{name}: the classes are not {}", wanted.join(", ")));
    }
    Ok(())
}

fn original_height(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let formula = w.original();
    w.compare(rule, w.floats("height"), |x, y| formula.terra(x, y).height as f32);
    Ok(())
}

fn original_depth(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let formula = w.original();
    w.compare(rule, w.floats("depth"), |x, y| formula.terra(x, y).depth as f32);
    Ok(())
}

fn original_terrain(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let formula = w.original();
    w.compare(rule, w.codes("terrain"), |x, y| formula.terra(x, y).terrain);
    Ok(())
}

fn lake(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let (terrain, depth, height) = (w.codes("terrain"), w.floats("depth"), w.floats("height"));
    let level = w.p.lake_level as f32;
    w.each(|i, _, _| {
        let (lake, d, h) = (terrain[i] == LAKE, depth[i], height[i]);
        // What is dry and neither mud, placed nor barren lies at the level or higher.
        let low = h < level && !w.p.bleak && !w.placed.things.contains_key(&w.place(i));
        let good = if lake { d > 0.0 && h == level } else { d == 0.0 && !low };
        rule.check(good, Some(w.cell(i)), || {
            let name = TERRAINS.get(usize::from(terrain[i])).unwrap_or(&"nothing");
            format!("{name} with the depth {d} and the height {h}, at a lake level of {level}")
        });
    });
    Ok(())
}

fn mud(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let (terrain, height) = (w.codes("terrain"), w.floats("height"));
    w.each(|i, x, y| {
        let h = f64::from(height[i]);
        let low = h < LAKE_HT0 && h as f32 >= w.p.lake_level as f32;
        let other = matches!(terrain[i], LAKE | PATH | ROAD | Z) || w.placed.things.contains_key(&(x, y));
        let good = if terrain[i] == MUD { low } else { other || !low };
        rule.check(good, Some(w.cell(i)), || match terrain[i] {
            MUD => format!("mud at a height of {h}"),
            _ => format!("no mud at a height of {h}"),
        });
    });
    Ok(())
}

fn settings(w: &Window, rule: &mut RuleResult) -> Result<()> {
    let terrain = w.codes("terrain");
    w.each(|i, x, y| {
        let t = terrain[i];
        let placed = w.placed.things.contains_key(&(x, y));
        let good = match t {
            _ if w.p.bleak => t == Z,
            LAKE | MUD | WOOD => true,
            PATH => w.p.paths,
            ROAD => w.placed.road(x, y),
            STREAM | MARSH | Z | BUILDING | BRIDGE => false,
            TOWN => !w.p.wood_only,
            _ => !w.p.wood_only || placed,
        };
        rule.check(good, Some(w.cell(i)), || {
            let name = TERRAINS.get(usize::from(t)).unwrap_or(&"an unknown code");
            format!("{name} is not a terrain of these settings")
        });
    });
    Ok(())
}
