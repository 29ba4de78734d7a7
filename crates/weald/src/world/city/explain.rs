//! Why a cell of a city map is what it is.

use super::params::CityParams;
use super::water::river_rule;
use super::{BUILDABILITY, BUILDABLE, NEAR, WATER, is_sea};
use crate::catalogue::explain::{
    Cell, Explanation, Look, Number, Reason, direction_word, params, say, say_both,
};
use crate::catalogue::{Catalogue, Feature};
use crate::error::Result;
use serde_json::Value;
use weald_core::{Ctx, slope};

/// The reasons for everything in a cell.
pub(super) fn explain(catalogue: &Catalogue, cell: Cell) -> Result<Explanation> {
    let p: CityParams = params(catalogue)?;
    let (mut told, look) = (Explanation::of(catalogue, cell), Look::new(catalogue, cell));
    told.because(&look, "buildable", buildable);
    told.because(&look, "slope", steepness);
    told.because(&look, "water", water);
    told.because(&look, "river", |look| river(look, &p));
    told.because(&look, "lake", lake);
    told.because(&look, "flow", |look| flow(look, &p));
    told.because(&look, "ground", |look| ground(look, &p));
    Ok(told)
}

/// What puts a cell under water.
enum Wet {
    Sea(f32),
    Lake(u32),
    Channel(u32),
    /// Within the width of a river: its number, and the distance of its nearest cell in cells.
    Beside(u32, f64),
    Dry,
}

/// What puts the cell under water, from the layers alone. How far a river is wide is known from the class of the cell only.
fn wet(look: &Look) -> Option<Wet> {
    let (height, lake) = (look.float("height")?, look.value("lake_id")? as u32);
    let river = look.value("river_id")? as u32;
    if is_sea(height) {
        return Some(Wet::Sea(height));
    }
    if lake > 0 {
        return Some(Wet::Lake(lake - 1));
    }
    if river > 0 {
        return Some(Wet::Channel(river - 1));
    }
    if look.code("buildable")? != WATER {
        return Some(Wet::Dry);
    }
    let (id, far) = nearest_channel(look)?;
    Some(Wet::Beside(id, far))
}

/// The river whose channel is nearest, and its distance in cells, within the half width of the widest river.
fn nearest_channel(look: &Look) -> Option<(u32, f64)> {
    let ids = look.layer("river_id")?;
    let (cell_m, (w, h), (x, y)) = (look.catalogue.frame.cell_m, look.size(), look.cell);
    let rivers = look.catalogue.line_set("rivers").map_or(&[][..], |set| &set.features);
    let widest = rivers.iter().filter_map(|r| r.property("width_m")?.as_f64()).fold(0.0, f64::max);
    let reach = (widest / 2.0 / cell_m).ceil() as usize + 1;
    let columns = x.saturating_sub(reach)..(x + reach + 1).min(w);
    let rows = y.saturating_sub(reach)..(y + reach + 1).min(h);
    let around = rows.flat_map(|ny| columns.clone().map(move |nx| (nx, ny)));
    let far = |(nx, ny): Cell| nx.abs_diff(x).pow(2) + ny.abs_diff(y).pow(2);
    let near = around.filter(|&(nx, ny)| ids.at(nx, ny) > 0.0).min_by_key(|&at| far(at))?;
    Some((ids.at(near.0, near.1) as u32 - 1, (far(near) as f64).sqrt()))
}

/// The feature of a set with that id.
fn feature<'c>(look: &Look<'c>, set: &str, id: u32) -> Option<&'c Feature> {
    let sets = look.catalogue.lines.iter().chain(&look.catalogue.points);
    sets.filter(|s| s.name == set).flat_map(|s| &s.features).find(|f| f.id == id)
}

fn property(feature: Option<&Feature>, name: &str) -> Option<f64> {
    feature.and_then(|f| f.property(name)).and_then(Value::as_f64)
}

/// Buildability by water, then by slope.
fn buildable(look: &Look) -> Option<Reason> {
    let (steep, wet) = (look.float("slope")?, wet(look)?);
    let (gentle, near) = (BUILDABLE as f32, NEAR as f32);
    let percent = |v: f64| v * 100.0;
    let (class, why) = match &wet {
        Wet::Sea(_) => (WATER, "it lies in the sea".to_owned()),
        Wet::Lake(id) => (WATER, format!("lake {id} covers it")),
        Wet::Channel(id) => (WATER, format!("the channel of river {id} passes")),
        Wet::Beside(id, _) => (WATER, format!("river {id} is wide enough to cover it")),
        Wet::Dry => {
            let class = (steep <= gentle) as u8 + (steep <= near) as u8;
            let (s, limit) = match class {
                2 => say_both(percent(steep.into()), percent(BUILDABLE)),
                _ => say_both(percent(steep.into()), percent(if class == 1 { BUILDABLE } else { NEAR })),
            };
            let why = match class {
                2 => format!("it is dry and its slope of {s} % is at most {limit} %"),
                1 => format!(
                    "its slope of {s} % is above the {limit} % of buildable ground, but at most {} %",
                    percent(NEAR)
                ),
                _ => format!("its slope of {s} % is above {limit} %"),
            };
            (class, why)
        }
    };
    let name = BUILDABILITY[class as usize].name;
    let is = match class {
        WATER => "Nothing can be built on this water, because",
        2 => "This ground is buildable, because",
        1 => "This ground is nearly buildable, because",
        _ => "This ground is not buildable, because",
    };
    let rule = "water in the sea, in lakes and within the width of rivers; otherwise buildable up to a \
        slope of 5 %, near up to 10 %, else unbuildable";
    let reason =
        Reason::new("buildable", name, format!("{is} {why}."), rule).number("slope", steep, "rise/run");
    let reason =
        reason.number("buildable up to", BUILDABLE, "rise/run").number("near up to", NEAR, "rise/run");
    // How wide a river is at a cell beside its channel is not kept in the catalogue.
    Some(if matches!(wet, Wet::Beside(..)) { reason } else { reason.giving("buildable", class) })
}

fn steepness(look: &Look) -> Option<Reason> {
    let (height, at) = look.around("height", 2)?;
    let steep = slope::rise_over_run(&height, look.catalogue.frame.cell_m, &Ctx::default()).ok()?[at];
    let lowest = lowest_neighbour(look)?;
    let falls = match lowest {
        Some((d, by)) => {
            format!(", and its lowest neighbour, to the {}, is {} m lower", direction_word(d), say(by))
        }
        None => ", and none of its neighbours is lower".to_owned(),
    };
    let sentence = format!("The ground rises by {} % here{falls}.", say(100.0 * steep as f64));
    let rule = "slope = length of the gradient of height, from the cells on both sides";
    let beside = lowest.map(|(d, by)| look.neighbour(d, format!("lowest, {} m lower", say(by))));
    let answer = format!("{} %", say(100.0 * steep as f64));
    let reason = Reason::new("slope", answer, sentence, rule).giving("slope", steep);
    Some(reason.number("slope", steep, "rise/run").beside(beside))
}

/// The direction of the lowest neighbour that is lower than the cell, and by how much.
fn lowest_neighbour(look: &Look) -> Option<Option<(weald_core::Dir8, f64)>> {
    let heights = look.layer("height")?;
    let here = heights.at(look.cell.0, look.cell.1);
    let drops = look.neighbours().into_iter().map(|(d, (x, y))| (d, here - heights.at(x, y)));
    Some(drops.filter(|n| n.1 > 0.0).max_by(|a, b| a.1.total_cmp(&b.1)))
}

fn water(look: &Look) -> Option<Reason> {
    let wet = wet(look)?;
    let cell_m = look.catalogue.frame.cell_m;
    let rule = "sea: height <= 0; lake: lake_id > 0; river: river_id > 0, and the ground within half the \
        width of a river that is no higher than its water";
    let (answer, sentence) = match wet {
        Wet::Sea(height) => (
            "sea",
            format!("This is sea: its floor lies {} m below the level of the sea.", say(0.0 - height as f64)),
        ),
        Wet::Lake(id) => {
            ("lake", format!("This is water of lake {id}, which fills a depression up to its outlet."))
        }
        Wet::Channel(id) => ("river", format!("This is water: the channel of river {id} passes here.")),
        Wet::Beside(id, far) => {
            let far = say(far * cell_m);
            (
                "river",
                format!(
                    "This is water of river {id}, whose channel is {far} m away: the river is wider than \
                    that, and the ground is not above its water."
                ),
            )
        }
        Wet::Dry => (
            "none",
            "This is dry land: it lies above the sea, in no lake and beside no river that is wide enough to \
            cover it."
                .into(),
        ),
    };
    let far = match wet {
        Wet::Beside(_, far) => Some(Number::new("distance from the channel", far * cell_m, "m")),
        _ => None,
    };
    let mut reason =
        Reason::new("water", answer, sentence, rule).number("height", look.float("height")?, "m");
    reason.numbers.extend(far);
    Some(reason)
}

fn river(look: &Look, p: &CityParams) -> Option<Reason> {
    let id = look.value("river_id")? as u32;
    let (cells, cell_m) = (look.value("flow_accumulation")?, look.catalogue.frame.cell_m);
    let (km2, least) = (cells * cell_m * cell_m / 1e6, p.water.river_area_km2);
    let (has, needs) = say_both(km2, least);
    let rule = "a river runs where at least water.river_area_km2 drain through a cell, with what flows into \
        the map from outside";
    let found = feature(look, "rivers", id.wrapping_sub(1)).filter(|_| id > 0);
    let sentence = match (id, found) {
        (0, _) if km2 >= least => {
            format!("No river has its channel here, although {has} km² drain through the cell.")
        }
        (0, _) => format!(
            "No river runs here: {has} km² drain through the cell, and a river begins with {needs} km²."
        ),
        (id, None) => format!("River {} runs here; {has} km² of the map drain through the cell.", id - 1),
        (id, river) => {
            let number = |name| property(river, name).unwrap_or(0.0);
            let outside = number("inflow_km2");
            let from = match km2 >= least {
                true => format!(
                    "{has} km² of the map drain through the cell, at least the {needs} km² that a river \
                    needs"
                ),
                false => format!(
                    "{has} km² of the map drain through the cell, and the rest of the {needs} km² that a \
                    river needs comes from outside the map"
                ),
            };
            let inflow = if outside > 0.0 {
                format!(", {} km² of it outside the map", say(outside))
            } else {
                String::new()
            };
            let ends = match river.and_then(|r| r.property("parent")).and_then(Value::as_u64) {
                Some(parent) => format!("It flows into river {parent}"),
                None => "It leaves the map or reaches the sea".to_owned(),
            };
            format!(
                "River {} runs here, because {from}. {ends}, {} m wide, with {} m³/s from {} km²{inflow}.",
                id - 1,
                say(number("width_m")),
                say(number("discharge_m3_s")),
                say(number("area_km2"))
            )
        }
    };
    let answer = if id > 0 { format!("river {}", id - 1) } else { "none".into() };
    let reason = Reason::new("river", answer, sentence, rule).number("drained area", km2, "km²");
    Some(reason.number("water.river_area_km2", least, "km²").number("flow_accumulation", cells, "cells"))
}

fn lake(look: &Look) -> Option<Reason> {
    let id = look.value("lake_id")? as u32;
    let rule = "a depression of at least water.lake_min_depth_m and water.lake_min_area_m2, filled up to its \
        outlet";
    if id == 0 {
        return Some(Reason::new("lake", "none", "No lake covers the cell.", rule));
    }
    let lake = feature(look, "lakes", id - 1);
    let number = |name| property(lake, name).unwrap_or(0.0);
    let under = number("level_m") - look.float("height")? as f64;
    let sentence = format!(
        "Lake {} covers the cell with {} m of water: it stands at {} m, the height of its outlet, covers {} \
        ha and is up to {} m deep.",
        id - 1,
        say(under),
        say(number("level_m")),
        say(number("area_m2") / 10_000.0),
        say(number("depth_m"))
    );
    let reason = Reason::new("lake", format!("lake {}", id - 1), sentence, rule);
    Some(reason.number("level", number("level_m"), "m").number("depth here", under, "m"))
}

fn flow(look: &Look, p: &CityParams) -> Option<Reason> {
    let (cells, cell_m) = (look.value("flow_accumulation")?, look.catalogue.frame.cell_m);
    let ha = cells * cell_m * cell_m / 10_000.0;
    let runoff = river_rule(cell_m, &p.water).discharge_of(10_000.0 * ha);
    let carries = format!("{} m³/s with {} mm of runoff a year", say(runoff), say(p.water.runoff_mm));
    let sentence = match cells <= 1.0 {
        true => "No other cell drains through this one: it lies on a divide, or in the sea.".to_owned(),
        false => format!(
            "{} cells drain through this one, itself included: {} ha, which is {carries}.",
            say(cells),
            say(ha)
        ),
    };
    let rule = "cells whose water passes when every cell drains to its steepest neighbour over ground \
        without depressions";
    let reason = Reason::new("flow", format!("{} cells", say(cells)), sentence, rule);
    Some(reason.number("flow_accumulation", cells, "cells").number("drained area", ha, "ha"))
}

/// What zones and erosion did.
fn ground(look: &Look, p: &CityParams) -> Option<Reason> {
    let (before, after) = (look.float("height_before")? as f64, look.float("height")? as f64);
    let (zone, uplift) = (look.float("zones")? as f64, look.float("uplift")? as f64);
    let (eroded, deposited) = (look.float("eroded")? as f64, look.float("deposited")? as f64);
    let meant = if zone > 0.5 { "meant to be buildable" } else { "meant to be hills" };
    let sentence = format!(
        "The ground lies at {} m: it was {} m high before erosion, was raised by {} m, lost {} m and gained \
        {} m of sediment; its potential of {} says that it is {meant}.",
        say(after),
        say(before),
        say(uplift),
        say(eroded),
        say(deposited),
        say(zone)
    );
    let rule = "height_before from zones, terrain and ridges; then uplift, erosion by streams and droplets, \
        and deposition";
    let reason =
        Reason::new("ground", format!("{} m", say(after)), sentence, rule).number("zones", zone, "1");
    let reason = reason.number("height_before", before, "m").number("uplift", uplift, "m");
    let reason = reason.number("eroded", eroded, "m").number("deposited", deposited, "m");
    Some(reason.number("erosion.age", p.erosion.age, ""))
}
