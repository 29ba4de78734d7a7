//! Harbours and peaks.

use super::Rule;
use super::land::Island;
use crate::check::RuleResult;
use crate::check::shapes::Shape;
use crate::error::Result;
use serde_json::Value;
use std::collections::BTreeMap;

/// How far a height or a depth that was rounded to millimetres may be off, in metres.
const ROUNDED_M: f64 = 6e-4;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "harbours",
        about: "a harbour lies on a cell of the coast and has a shelter of 0 to 1",
        needs: &["harbours.geojson", "land"],
        run: harbours,
    },
    Rule {
        name: "harbour-depth",
        about: "depth_m of a harbour is the depth of the sea beside it",
        needs: &["harbours.geojson", "land", "height"],
        run: depths,
    },
    Rule {
        name: "harbour-river",
        about: "river of a harbour is that of a river without a parent, or null",
        needs: &["harbours.geojson", "rivers.geojson", "land", "river_id", "flow_accumulation"],
        run: rivers,
    },
    Rule {
        name: "peaks",
        about: "a peak lies on land, at the height of the ground to 1 mm, and no two in one place",
        needs: &["peaks.geojson", "land", "height"],
        run: peaks,
    },
    Rule {
        name: "river-sources",
        about: "every river begins on a peak, unless rivers.spring_area is above 0",
        needs: &["peaks.geojson", "rivers.geojson", "land", "river_id", "flow_accumulation"],
        run: sources,
    },
    Rule {
        name: "source-spacing",
        about: "rivers begin at least rivers.river_spacing cells apart and, if there are two, no lower than elevation.min_peak_elevation, \
                less what valleys and noise may take",
        needs: &["rivers.geojson", "height", "land", "river_id", "flow_accumulation"],
        run: spacing,
    },
];

/// The cell of a point.
fn cell(island: &Island, shape: &Shape) -> Option<usize> {
    shape.positions().first().and_then(|&p| island.cell(p))
}

fn harbours(island: &Island, rule: &mut RuleResult) -> Result<()> {
    for (k, harbour) in island.shapes("harbours").iter().enumerate() {
        let at = cell(island, harbour);
        let place = at.and_then(|i| island.at(i));
        rule.check(at.is_some_and(|i| island.is_coast(i)), place, || {
            format!("harbour {k} at {:?} is not at the centre of a coast cell", harbour.positions())
        });
        let shelter = harbour.number("shelter");
        rule.check((0.0..=1.0).contains(&shelter), place, || format!("shelter of harbour {k} is {shelter}"));
    }
    Ok(())
}

fn depths(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let height = island.floats("height").cells();
    for (k, harbour) in island.shapes("harbours").iter().enumerate() {
        let Some(i) = cell(island, harbour) else { continue };
        let stated = harbour.number("depth_m");
        let w = island.width as i64;
        let near = [(1, 0), (0, 1), (-1, 0), (0, -1)].into_iter().filter_map(|(dx, dy)| {
            let (x, y) = (i as i64 % w + dx, i as i64 / w + dy);
            let inside = x >= 0 && y >= 0 && x < w && y < island.height as i64;
            inside.then(|| (y * w + x) as usize).filter(|&n| !island.is_land(n))
        });
        let depths: Vec<f64> = near.map(|n| -f64::from(height[n])).collect();
        // Beside a harbour on the border the sea may lie outside of the map.
        let fits = depths.is_empty() || depths.iter().any(|d| (d - stated).abs() <= ROUNDED_M);
        rule.check(stated > 0.0 && fits, island.at(i), || {
            format!("depth_m of harbour {k} is {stated}, the sea beside it is {depths:?} m deep")
        });
    }
    Ok(())
}

fn rivers(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let rivers = island.rivers();
    for (k, harbour) in island.shapes("harbours").iter().enumerate() {
        let stated = harbour.about.get("river");
        let known = |id: u64| rivers.courses.get(id as usize).is_some_and(|c| c.parent.is_none());
        let good = stated.is_some_and(|v| v.is_null() || v.as_u64().is_some_and(known));
        rule.check(good, cell(island, harbour).and_then(|i| island.at(i)), || {
            let stated = stated.unwrap_or(&Value::Null);
            format!("river of harbour {k} is {stated}, which is no river with a mouth of its own")
        });
    }
    Ok(())
}

fn peaks(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let height = island.floats("height").cells();
    let mut taken = vec![false; island.cells()];
    for (k, peak) in island.shapes("peaks").iter().enumerate() {
        let at = cell(island, peak).filter(|&i| island.is_land(i));
        rule.check(at.is_some(), at.and_then(|i| island.at(i)), || {
            format!("peak {k} at {:?} is not at the centre of a land cell", peak.positions())
        });
        let Some(i) = at else { continue };
        let before = std::mem::replace(&mut taken[i], true);
        rule.check(!before, island.at(i), || format!("peak {k} is at the place of another"));
        let stated = peak.number("height_m");
        rule.check((stated - f64::from(height[i])).abs() <= ROUNDED_M, island.at(i), || {
            format!("height_m of peak {k} is {stated}, the ground is at {} m", height[i])
        });
    }
    Ok(())
}

fn sources(island: &Island, rule: &mut RuleResult) -> Result<()> {
    if island.param("rivers.spring_area")? > 0.0 {
        return Ok(());
    }
    let mut peak = vec![false; island.cells()];
    for i in island.shapes("peaks").iter().filter_map(|s| cell(island, s)) {
        peak[i] = true;
    }
    for (k, _, course) in island.rivers().each() {
        let Some(&i) = course.all().first() else { continue };
        rule.check(peak[i], island.at(i), || format!("river {k} begins here, where no peak is"));
    }
    Ok(())
}

/// The sources are sorted into squares as wide as the spacing, so that each is compared with those of nine squares.
fn spacing(island: &Island, rule: &mut RuleResult) -> Result<()> {
    let apart = island.param("rivers.river_spacing")?;
    let valley = island.param("valleys.depth_m")? + island.param("valleys.depth_per_order_m")?;
    let noise = island.param("noise.noise_amplitude")?;
    let (least, height) = (island.param("elevation.min_peak_elevation")?, island.floats("height").cells());
    let low = (least - valley - noise * (least - valley).max(1.0)).max(0.0) - ROUNDED_M;
    let sources: Vec<usize> =
        island.rivers().each().filter_map(|(_, _, c)| c.all().first().copied()).collect();
    let place = |i: usize| ((i % island.width) as f64, (i / island.width) as f64);
    let square = |i: usize| ((place(i).0 / apart) as i64, (place(i).1 / apart) as i64);
    let mut squares: BTreeMap<(i64, i64), Vec<usize>> = BTreeMap::new();
    for &i in &sources {
        rule.check(sources.len() < 2 || f64::from(height[i]) >= low, island.at(i), || {
            format!("a river begins here at {} m, below {least} m", height[i])
        });
        let (sx, sy) = square(i);
        let near = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (sx + dx, sy + dy)));
        let close = near.filter_map(|s| squares.get(&s)).flatten().find(|&&n| {
            let (dx, dy) = (place(i).0 - place(n).0, place(i).1 - place(n).1);
            dx * dx + dy * dy < apart * apart
        });
        rule.check(close.is_none(), island.at(i), || {
            format!("a river begins here and another one at {:?}", close.and_then(|&n| island.at(n)))
        });
        squares.entry((sx, sy)).or_default().push(i);
    }
    Ok(())
}
