//! Why a cell of an island map is what it is.

use super::cover::{
    BEACH, COVER, HEATH, LIMITS_M, LUSH, MARSH, MARSHES, PATCHES, ROCK, SAND, SEA, SHALLOW_CELLS, SHALLOWS,
    SNOW, STEEP, Site, WOOD,
};
use super::params::IslandParams;
use super::water::moisture_of;
use crate::catalogue::explain::{
    Cell, Explanation, Look, Reason, count, direction_word, list, params, say, say_both,
};
use crate::catalogue::{Catalogue, Feature};
use crate::error::Result;
use serde_json::Value;
use weald_core::hydro::Order;
use weald_core::noise::gradient::{NoiseShape, fractal_at};
use weald_core::{Ctx, Dir8, Seed, slope};

/// The reasons for everything in a cell.
pub(super) fn explain(catalogue: &Catalogue, cell: Cell) -> Result<Explanation> {
    let p: IslandParams = params(catalogue)?;
    let (mut told, look) = (Explanation::of(catalogue, cell), Look::new(catalogue, cell));
    told.because(&look, "land", |look| land(look, &p));
    told.because(&look, "cover", cover);
    told.because(&look, "river", |look| river(look, &p));
    told.because(&look, "flow", flow);
    told.because(&look, "accumulation", accumulation);
    told.because(&look, "basin", basin);
    told.because(&look, "moisture", moisture);
    told.because(&look, "harbour", |look| harbour(look, &p));
    Ok(told)
}

fn land(look: &Look, p: &IslandParams) -> Option<Reason> {
    let (land, shore) = (look.code("land")?, look.float("shore_distance")? as f64);
    let height = look.float("height")? as f64;
    let share = say((1000.0 * p.shape.land_fraction).round() / 10.0);
    let rule = format!(
        "of a generated map the {share} % of the cells are land that are likeliest by noise and by the \
        distance from the centre, and that a flood from the edge reaches last; of a given map the cells \
        above 0"
    );
    let (answer, sentence) = match land {
        0 => (
            "sea",
            format!(
                "This is sea, {} m deep and {} cells from the coast: the flood from the edge of the map \
                reaches it.",
                say(-height),
                say(shore)
            ),
        ),
        _ => (
            "land",
            format!("This is land, {} m above the sea and {} cells from the coast.", say(height), say(shore)),
        ),
    };
    let reason = Reason::new("land", answer, sentence, rule).number("height", height, "m");
    Some(reason.number("shore_distance", shore, "cells").number(
        "shape.land_fraction",
        p.shape.land_fraction,
        "1",
    ))
}

/// Squared distance of the nearest river in cells, exact up to 61 cells and `u32::MAX` beyond, where no rule asks.
fn river_squared(look: &Look) -> Option<u32> {
    const REACH: usize = 61;
    let (order, (w, h), (x, y)) = (look.layer("river_order")?, look.size(), look.cell);
    let columns = x.saturating_sub(REACH)..(x + REACH + 1).min(w);
    let rows = y.saturating_sub(REACH)..(y + REACH + 1).min(h);
    let squared = |nx: usize, ny: usize| (nx.abs_diff(x).pow(2) + ny.abs_diff(y).pow(2)) as u32;
    let around = rows.flat_map(|ny| columns.clone().map(move |nx| (nx, ny)));
    let rivers = around.filter(|&(nx, ny)| order.at(nx, ny) > 0.0).map(|(nx, ny)| squared(nx, ny));
    // Beyond this the corners of the square reach further than its sides.
    Some(rivers.min().filter(|&s| s <= (REACH * REACH) as u32).unwrap_or(u32::MAX))
}

/// "3.2 cells", or how far at least.
fn away(squared: u32) -> String {
    match squared {
        u32::MAX => "more than 60 cells".to_owned(),
        squared => format!("{} cells", say((squared as f64).sqrt())),
    }
}

fn cover(look: &Look) -> Option<Reason> {
    let (heights, at) = look.around("height", 2)?;
    let cell_m = look.catalogue.frame.cell_m;
    let slope = slope::rise_over_run(&heights, cell_m, &Ctx::default()).ok()?[at];
    let (x, y) = (look.cell.0 as f64 + 0.5, look.cell.1 as f64 + 0.5);
    let seed = Seed(look.catalogue.seed).of("cover");
    let site = Site {
        height: heights[at],
        slope,
        shore: look.float("shore_distance")?,
        river: river_squared(look)?,
        patch: fractal_at(x, y, seed, NoiseShape::Fbm, &PATCHES),
    };
    let (class, lush) = (site.cover(), site.lush());
    let height = |limit: f32| say_both(site.height, limit);
    let grows = |limit: f32| say_both(lush, limit);
    let why = match class {
        SEA => {
            let (d, l) = say_both(site.shore, SHALLOW_CELLS);
            format!("it is under the sea and {d} cells from the coast, more than the {l} of shallows")
        }
        SHALLOWS => {
            let (d, l) = say_both(site.shore, SHALLOW_CELLS);
            format!("it is under the sea and {d} cells from the coast, at most {l}")
        }
        SNOW => {
            let (h, l) = height(LIMITS_M[2]);
            format!("it lies at {h} m, above the snow line of {l} m")
        }
        ROCK if site.height > LIMITS_M[1] => {
            let (h, l) = height(LIMITS_M[1]);
            format!("it lies at {h} m, above the {l} m up to which plants grow")
        }
        ROCK => {
            let (s, l) = say_both(slope, STEEP);
            format!("its slope of {s} is above {l}, too steep for soil")
        }
        HEATH if site.height > LIMITS_M[0] => {
            let (h, l) = height(LIMITS_M[0]);
            format!("it lies at {h} m, above the {l} m up to which trees grow")
        }
        BEACH => {
            let ((h, l), (d, far)) = (height(SAND.0), say_both(site.shore, SAND.1));
            format!("it lies at {h} m, below {l} m, and {d} cells from the coast, less than {far}")
        }
        MARSH => {
            let ((h, l), (s, flat)) = (height(MARSHES.0), say_both(slope, MARSHES.1));
            format!(
                "it is low ({h} m, below {l} m), flat (slope {s}, below {flat}) and {} from a river, at \
                most 3",
                away(site.river)
            )
        }
        WOOD => {
            let (g, l) = grows(LUSH[0]);
            format!("plants grow well here: lushness {g}, above {l}")
        }
        HEATH => {
            let (g, l) = grows(LUSH[1]);
            format!("it is too dry for grass: lushness {g}, at most {l}")
        }
        _ => {
            let ((g, l), most) = (grows(LUSH[1]), say(LUSH[0] as f64));
            format!("plants grow here, but no wood: lushness {g}, above {l} and at most {most}")
        }
    };
    let name = COVER[class as usize].name;
    let rule = "sea and shallows by shore_distance; snow above 2300 m, rock above 1700 m or a slope of 0.7, \
        heath above 1100 m, beach below 2 m near the coast, marsh by rivers; then by lushness: wood above \
        0.52, grass above 0.4, otherwise heath";
    let reason = Reason::new("cover", name, format!("The ground cover is {name}, because {why}."), rule);
    let reason =
        reason.giving("cover", class).number("height", site.height, "m").number("slope", slope, "rise/run");
    let reason = reason.number("shore_distance", site.shore, "cells").number("lushness", lush, "1");
    let far = (site.river != u32::MAX).then_some((site.river as f64).sqrt());
    Some(match far {
        Some(far) => reason.number("distance from a river", far, "cells"),
        None => reason,
    })
}

/// The line of a river.
fn river_line<'c>(look: &Look<'c>, id: u32) -> Option<&'c Feature> {
    look.catalogue.line_set("rivers")?.features.iter().find(|f| f.id == id)
}

fn river(look: &Look, p: &IslandParams) -> Option<Reason> {
    let (orders, id) = (look.layer("river_order")?, look.value("river_id")? as u32);
    let order = look.value("river_order")?;
    let rule = "rivers follow the water from peaks and springs (rivers.spring_area) to the sea or into \
        another river; Strahler's order is 1 at a source, and where rivers meet the highest of theirs, or \
        one more if at least two have it";
    if id == 0 {
        let near = river_squared(look)?;
        let sentence = format!("No river runs through this cell; the nearest one is {} away.", away(near));
        let reason = Reason::new("river", "none", sentence, rule).giving("river_order", 0);
        return Some(reason.number("rivers.spring_area", p.rivers.spring_area, "cells"));
    }
    let from: Vec<(Dir8, f64)> = look
        .inflows("flow_direction")?
        .into_iter()
        .map(|(d, (x, y))| (d, orders.at(x, y)))
        .filter(|n| n.1 > 0.0)
        .collect();
    let met = Order::of_meeting(from.iter().map(|n| Order { strahler: n.1 as u8, shreve: 0 })).strahler;
    let upstream = match from.len() {
        0 => "its source is here".to_owned(),
        1 => format!("one river of order {} flows in", say(from[0].1)),
        _ => {
            let orders: Vec<String> = from.iter().map(|n| say(n.1)).collect();
            format!("rivers of the orders {} meet here", list(&orders))
        }
    };
    let line = river_line(look, id - 1);
    let number = |name: &str| line.and_then(|r| r.property(name)).and_then(Value::as_f64).unwrap_or(0.0);
    let ends = match line.and_then(|r| r.property("parent")).and_then(Value::as_u64) {
        Some(parent) => format!("It flows into river {parent}"),
        None => "It flows into the sea or leaves the map".to_owned(),
    };
    let sentence = format!(
        "River {} runs here with the order {}, because {upstream}. {ends}; as a whole it is {} km long, {} m wide \
        at its end, and drains {} km².",
        id - 1,
        say(order),
        say(number("length_m") / 1000.0),
        say(number("width_m")),
        say(number("area_km2"))
    );
    let beside: Vec<_> = from
        .iter()
        .map(|&(d, o)| look.neighbour(d, format!("a river of order {} flows in", say(o))))
        .collect();
    let reason = Reason::new("river", format!("river {}, order {}", id - 1, say(order)), sentence, rule);
    let reason = reason.giving("river_order", met).number("river_order", order, "");
    Some(reason.number("rivers.spring_area", p.rivers.spring_area, "cells").beside(beside))
}

fn flow(look: &Look) -> Option<Reason> {
    let (d, heights) = (Dir8(look.code("flow_direction")?), look.layer("height")?);
    let (land, here) = (look.code("land")?, heights.at(look.cell.0, look.cell.1));
    let rule = "to the steepest neighbour over ground whose depressions are filled; rivers keep their \
        courses; then the ground is graded so that every cell of land lies above the one it drains to";
    let to = look.neighbours().into_iter().find(|n| n.0 == d);
    Some(match to {
        None if land == 0 => {
            Reason::new("flow", "none", "This is sea, into which the water of the land flows.", rule)
        }
        None => Reason::new("flow", "none", "The water leaves the map here.", rule),
        Some((d, (x, y))) => {
            let by = here - heights.at(x, y);
            let into = match look.at("land", (x, y))? == 0.0 {
                true => "into the sea",
                false => "to the next cell",
            };
            let sentence =
                format!("Water flows {} from here {into}, {} m lower.", direction_word(d), say(by));
            let to = look.neighbour(d, format!("takes the water, {} m lower", say(by)));
            Reason::new("flow", Dir8::NAMES[d.0 as usize], sentence, rule)
                .number("drop", by, "m")
                .beside([to])
        }
    })
}

fn accumulation(look: &Look) -> Option<Reason> {
    let (area, land) = (look.layer("flow_accumulation")?, look.code("land")?);
    let lands = look.layer("land")?;
    let from: Vec<(Dir8, f64)> = look
        .inflows("flow_direction")?
        .into_iter()
        .filter(|n| lands.at(n.1.0, n.1.1) > 0.0)
        .map(|(d, (x, y))| (d, area.at(x, y)))
        .collect();
    let rule = "1 + the sum of flow_accumulation of the neighbours that drain into the cell; 0 in the sea";
    if land == 0 {
        let sentence = "Flow is counted on land only, and this is sea.";
        return Some(Reason::new("accumulation", "0", sentence, rule).giving("flow_accumulation", 0));
    }
    let sum = from.iter().fold(1.0, |sum, n| sum + n.1);
    let sentence = match from.len() {
        0 => "No other cell drains into this one: it lies on a divide.".to_owned(),
        n => format!(
            "The water of {} cells passes here, from {}.",
            say(sum),
            count(n, "neighbour", "neighbours")
        ),
    };
    let beside: Vec<_> = from
        .iter()
        .map(|&(d, a)| look.neighbour(d, format!("brings the water of {} cells", say(a))))
        .collect();
    let reason = Reason::new("accumulation", say(sum), sentence, rule).giving("flow_accumulation", sum);
    Some(reason.number("flow_accumulation", sum, "cells").beside(beside))
}

/// Where the water of the cell ends up.
fn basin(look: &Look) -> Option<Reason> {
    let (basin, flow) = (look.value("basin")? as u32, look.layer("flow_direction")?);
    let ((w, h), mut at, mut steps) = (look.size(), look.cell, 0usize);
    let lands = look.layer("land")?;
    let rule = "all land whose water reaches the sea, or leaves the map, at one cell; numbered from the \
        largest basin down";
    if basin == 0 {
        return Some(
            Reason::new("basin", "sea", "This is sea, which belongs to no basin.", rule).giving("basin", 0),
        );
    }
    while steps <= w * h && lands.at(at.0, at.1) > 0.0 {
        let d = Dir8(flow.at(at.0, at.1) as u8);
        if !d.is_some() {
            break;
        }
        let next = (at.0.wrapping_add_signed(d.dx() as isize), at.1.wrapping_add_signed(d.dy() as isize));
        if next.0 >= w || next.1 >= h {
            break;
        }
        (at, steps) = (next, steps + 1);
    }
    let ends = if lands.at(at.0, at.1) > 0.0 { "leaves the map" } else { "reaches the sea" };
    let rank = if basin == 1 { ", the largest of the map".to_owned() } else { String::new() };
    let sentence = format!(
        "The cell belongs to basin {basin}{rank}: its water {ends} at column {}, row {}, after {}.",
        at.0,
        at.1,
        count(steps, "step", "steps")
    );
    let reason = Reason::new("basin", basin.to_string(), sentence, rule).number(
        "steps to the outlet",
        steps as f64,
        "cells",
    );
    Some(reason.number("outlet x", at.0 as f64, "cells").number("outlet y", at.1 as f64, "cells"))
}

fn moisture(look: &Look) -> Option<Reason> {
    let (land, height) = (look.code("land")?, look.float("height")?);
    let (area, shore) = (look.value("flow_accumulation")? as u32, look.float("shore_distance")?);
    let near = river_squared(look)?;
    let [low, flow, coast] = moisture_of(height, area, shore, near);
    let wet = if land == 0 { 1.0 } else { (low + flow + coast) / 3.0 };
    let rule = "the mean of max(0, 1 − height/400), of 0.8 within 20 cells of a river and min(1, \
        flow_accumulation/1000) elsewhere, and of 1 − min(shore_distance, 100)/100; 1 in the sea";
    let sentence = match land {
        0 => "This is sea, whose moisture is 1.".to_owned(),
        _ => format!(
            "The moisture is {}, the mean of {} for the height, {} for {} and {} for the distance from the \
            coast.",
            say(wet as f64),
            say(low as f64),
            say(flow as f64),
            if near <= 400 { "the river nearby" } else { "the water that drains through" },
            say(coast as f64)
        ),
    };
    let reason = Reason::new("moisture", say(wet as f64), sentence, rule).giving("moisture", wet);
    Some(reason.number("height", height, "m").number("shore_distance", shore, "cells").number(
        "flow_accumulation",
        area,
        "cells",
    ))
}

/// The harbour in the cell, or the nearest one for a cell of the coast.
fn harbour(look: &Look, p: &IslandParams) -> Option<Reason> {
    let harbours = look.catalogue.point_set("harbours").map_or(&[][..], |set| &set.features);
    let frame = &look.catalogue.frame;
    let (x, y) = frame.cell_centre(look.cell.0, look.cell.1);
    let far = |f: &&Feature| {
        let (dx, dy) = (f.points[0].0 - x, f.points[0].1 - y);
        (dx * dx + dy * dy).sqrt()
    };
    let nearest = harbours.iter().min_by(|a, b| far(a).total_cmp(&far(b)))?;
    let number = |name: &str| nearest.property(name).and_then(Value::as_f64).unwrap_or(0.0);
    let shelter = say((100.0 * number("shelter")).round());
    let river = match nearest.property("river").and_then(Value::as_u64) {
        Some(river) => format!(", at the mouth of river {river}"),
        None => String::new(),
    };
    let what = format!(
        "land closes {shelter} % of its horizon and the water beside it is {} m deep{river}",
        say(number("depth_m"))
    );
    let km = say(far(&nearest) / 1000.0);
    let (answer, sentence) = match far(&nearest) < frame.cell_m / 2.0 {
        true => (
            format!("harbour {}", nearest.id),
            format!(
                "Harbour {} lies here, because {what}; harbours need {} %.",
                nearest.id,
                say(100.0 * p.harbours.min_shelter)
            ),
        ),
        false => (
            "none".to_owned(),
            format!(
                "There is no harbour here; the nearest one, harbour {}, is {km} km away: {what}.",
                nearest.id
            ),
        ),
    };
    let rule = "coast cells with a shelter of at least harbours.min_shelter, the best first, each farther \
        than harbours.harbour_spacing from those before";
    let reason = Reason::new("harbour", answer, sentence, rule).number("shelter", number("shelter"), "1");
    Some(reason.number("harbours.min_shelter", p.harbours.min_shelter, "1").number(
        "distance",
        far(&nearest),
        "m",
    ))
}
