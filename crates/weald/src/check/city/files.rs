//! The frame, the list of layers and the files the manifest tells of.

use super::Rule;
use super::land::{City, LAYERS};
use crate::check::RuleResult;
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
        run: layers,
    },
    Rule {
        name: "line-files",
        about: "the files of the manifest are there, those of lines and points with as many as it says",
        needs: &[],
        run: line_files,
    },
    Rule { name: "numbers", about: "no layer holds NaN, an infinity or -0", needs: &[], run: numbers },
];

fn frame(city: &City, rule: &mut RuleResult) -> Result<()> {
    let frame = &city.manifest["frame"];
    let wanted = city.param("map.size_m")? / city.width as f64;
    rule.check((city.cell_m - wanted).abs() <= 1e-12 * wanted, None, || {
        format!("a cell measures {} m, not map.size_m / {} = {wanted}", city.cell_m, city.width)
    });
    let origin = [0, 1].map(|k| frame["origin"][k].as_f64());
    rule.check(origin == [Some(0.0); 2], None, || format!("the origin is {}, not 0, 0", frame["origin"]));
    rule.check(frame["unit"] == "m", None, || format!("the unit is {}, not m", frame["unit"]));
    Ok(())
}

fn layers(city: &City, rule: &mut RuleResult) -> Result<()> {
    let mut last = 0;
    for layer in city.manifest["layers"].as_array().into_iter().flatten() {
        let (name, dtype, unit) = (&layer["name"], &layer["dtype"], &layer["unit"]);
        let Some(k) = LAYERS.iter().position(|l| *name == l.0) else {
            rule.check(false, None, || format!("{name} is no layer of this world"));
            continue;
        };
        rule.check(k >= last, None, || format!("{name} stands after {}", LAYERS[last].0));
        last = last.max(k);
        rule.check(*dtype == LAYERS[k].1, None, || format!("{name} is {dtype}, not {}", LAYERS[k].1));
        if let Some(wanted) = LAYERS[k].2 {
            rule.check(*unit == wanted, None, || format!("the unit of {name} is {unit}, not {wanted}"));
        }
    }
    Ok(())
}

fn line_files(city: &City, rule: &mut RuleResult) -> Result<()> {
    for list in ["lines", "points"] {
        for entry in city.manifest[list].as_array().into_iter().flatten() {
            let name = entry["name"].as_str().unwrap_or("");
            let there = city.has(&format!("{name}.geojson")) && entry["file"] == format!("{name}.geojson");
            rule.check(there, None, || format!("there is no {name}.geojson"));
            let found = city.shapes(name).len();
            rule.check(entry["count"] == found, None, || {
                format!("{name}.geojson holds {found}, the manifest says {}", entry["count"])
            });
        }
    }
    for entry in city.manifest["files"].as_array().into_iter().flatten() {
        let name = entry["file"].as_str().unwrap_or("");
        rule.check(city.dir.join(name).is_file(), None, || format!("there is no file {name}"));
    }
    for (name, path) in [("rivers", "rivers"), ("lakes", "lakes.count")] {
        if city.has(&format!("{name}.geojson")) {
            city.same(rule, path, city.shapes(name).len() as f64, 0.0);
        }
    }
    Ok(())
}

fn numbers(city: &City, rule: &mut RuleResult) -> Result<()> {
    for name in LAYERS.iter().filter(|l| l.1 == "float32" && city.has(l.0)).map(|l| l.0) {
        for (i, &v) in city.floats(name).cells().iter().enumerate() {
            let good = v.is_finite() && v.to_bits() != 1 << 31;
            rule.check(good, city.at(i), || format!("{name} is {v:?}"));
        }
    }
    Ok(())
}
