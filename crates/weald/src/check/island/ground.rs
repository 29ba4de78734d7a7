//! Land and sea, the coast, heights and depths.

use super::Rule;
use super::land::Island;
use crate::check::RuleResult;
use crate::error::Result;

/// How far a distance to the coast may be off, as a share.
const DISTANCE: f64 = 1e-3;
/// How far a depth may be off, as a share.
const DEPTH: f64 = 1e-5;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule { name: "land-values", about: "land is 1 on land and 0 in the sea", needs: &["land"], run: values },
    Rule {
        name: "land-share",
        about: "generated land has shape.land_fraction of all cells, rounded to a whole number",
        needs: &["land"],
        run: share,
    },
    Rule {
        name: "sea-whole",
        about: "around generated land, the sea is connected to the outside of the map",
        needs: &["land"],
        run: whole,
    },
    Rule {
        name: "border-sea",
        about: "generated land does not touch the border if there is room inside",
        needs: &["land"],
        run: border,
    },
    Rule {
        name: "shore-distance",
        about: "shore_distance is the distance to the coast in steps of 1 and sqrt 2, to 0.1 %",
        needs: &["shore_distance", "land"],
        run: distance,
    },
    Rule {
        name: "land-above-sea",
        about: "land lies above 0 m and the bed of the sea below",
        needs: &["height", "land"],
        run: signs,
    },
    Rule {
        name: "sea-depth",
        about: "where no depth was given, the sea is sea.shore_depth_m deep at the coast, sea.slope_m deeper a cell as far as sea.shelf_cells, \
                and sea.plain_depth_m deeper between half and two and a half times that width; distances may be off by sea.wander, and by nine tenths of the shorter of the \
                distance and the shelf if they are Euclidean",
        needs: &["height", "land", "shore_distance"],
        run: depth,
    },
];

fn values(island: &Island, rule: &mut RuleResult) -> Result<()> {
    for (i, &v) in island.bytes("land").cells().iter().enumerate() {
        rule.check(v <= 1, island.at(i), || format!("land is {v}, not 0 or 1"));
    }
    Ok(())
}

fn share(island: &Island, rule: &mut RuleResult) -> Result<()> {
    if island.derived() {
        return Ok(());
    }
    let wanted = (island.param("shape.land_fraction")? * island.cells() as f64).round();
    let found = island.land_cells();
    rule.check(found as f64 == wanted, None, || format!("{found} cells are land, not {wanted}"));
    Ok(())
}

fn whole(island: &Island, rule: &mut RuleResult) -> Result<()> {
    if island.derived() {
        return Ok(());
    }
    let sea: Vec<bool> = (0..island.cells()).map(|i| !island.is_land(i)).collect();
    let mut reached: Vec<bool> = (0..sea.len()).map(|i| sea[i] && island.on_border(i)).collect();
    let mut open: Vec<usize> = (0..sea.len()).filter(|&i| reached[i]).collect();
    while let Some(i) = open.pop() {
        island.around(i, |n| {
            if sea[n] && !std::mem::replace(&mut reached[n], true) {
                open.push(n);
            }
        });
    }
    for i in (0..sea.len()).filter(|&i| sea[i]) {
        rule.check(reached[i], island.at(i), || "no path over the sea leads from here to the border".into());
    }
    Ok(())
}

fn border(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let (w, h) = (island.width, island.height);
    let inside = w.saturating_sub(2) * h.saturating_sub(2);
    if island.derived() || island.param("shape.land_fraction")? * island.cells() as f64 > inside as f64 {
        return Ok(());
    }
    for i in (0..island.cells()).filter(|&i| island.on_border(i)) {
        rule.check(!island.is_land(i), island.at(i), || "there is land on the border".into());
    }
    Ok(())
}

fn distance(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let stated = island.floats("shore_distance").cells();
    for (i, &wanted) in island.shore().iter().enumerate() {
        let found = f64::from(stated[i]);
        rule.check((found - wanted).abs() <= DISTANCE * wanted, island.at(i), || {
            format!("shore_distance is {found}, the coast is {wanted} cells away")
        });
    }
    Ok(())
}

fn signs(island: &Island, rule: &mut RuleResult) -> Result<()> {
    for (i, &h) in island.floats("height").cells().iter().enumerate() {
        let good = if island.is_land(i) { h > 0.0 } else { h < 0.0 };
        rule.check(good, island.at(i), || {
            format!("{} lies at {h} m", if island.is_land(i) { "land" } else { "the sea's bed" })
        });
    }
    Ok(())
}

fn depth(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let (height, shore) = (island.floats("height").cells(), island.floats("shore_distance").cells());
    let (at_shore, slope) = (island.param("sea.shore_depth_m")?, island.param("sea.slope_m")?);
    let (shelf, plain) = (island.param("sea.shelf_cells")?, island.param("sea.plain_depth_m")?);
    let wander = island.param("sea.wander")?;
    let steps = island.value("params.sea.distance") == "steps";
    let given = island.given()?;
    let floor = |r: f64| {
        let t = ((r - 0.5 * shelf) / (2.0 * shelf).max(1.0)).clamp(0.0, 1.0);
        -at_shore - slope * r.min(shelf) - plain * t * t * (3.0 - 2.0 * t)
    };
    for i in (0..height.len()).filter(|&i| !island.is_land(i)) {
        let far = f64::from(shore[i]);
        // A straight line is at most 8.3 % shorter than steps of 1 and √2; distances to the coast are smoothed further out.
        let (near, far) = if steps { (far, far) } else { (far / 1.083, far) };
        let soft = |d: f64| if steps { 0.0 } else { 0.9 * d.min(shelf) };
        let (high, low) = match given.as_ref().and_then(|map| map.cells().get(i)) {
            Some(&given) if given < 0.0 => (f64::from(given), f64::from(given)),
            _ => (floor((near - soft(near)) * (1.0 - wander)), floor((far + soft(far)) * (1.0 + wander))),
        };
        let found = f64::from(height[i]);
        let slack = DEPTH * low.abs();
        rule.check(found <= high + slack && found >= low - slack, island.at(i), || {
            format!("the sea's bed is at {found} m, not between {low} m and {high} m")
        });
    }
    Ok(())
}
