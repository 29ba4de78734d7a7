//! Why a tile of a realm is what it is.

use super::biomes::{
    self, BEACH, BIOMES, BOREAL, CLIFF, COLD, DESERT, FOREST, Fields, GRASSLAND, LAKE, LAKESHORE, MANGROVE,
    MOUNTAIN, OCEAN, PATCHES, TIDAL_FLAT, TRANSITIONS, TUNDRA, WEATHER, WETLAND,
};
use super::land::border_displacement;
use super::params::RealmParams;
use super::validate::{self, BRIDGE, CROSSINGS, CROSSROADS, RAIL_BRIDGE, RAIL_CROSSING};
use crate::catalogue::explain::{
    Cell, Explanation, Look, Reason, direction_word, list, params, say, say_both,
};
use crate::catalogue::{Catalogue, Feature};
use crate::error::Result;
use serde_json::Value;
use weald_core::noise::gradient::{Fractal, NoiseShape, fractal_at};
use weald_core::{Dir8, Seed};

/// The reasons for everything on a tile.
pub(super) fn explain(catalogue: &Catalogue, cell: Cell) -> Result<Explanation> {
    let p: RealmParams = params(catalogue)?;
    let (mut told, look) = (Explanation::of(catalogue, cell), Look::new(catalogue, cell));
    told.because(&look, "biome", |look| biome(look, &p));
    told.because(&look, "water", water);
    told.because(&look, "border", border);
    told.because(&look, "transition", |look| transition(look, &p));
    told.because(&look, "river", |look| line(look, &RIVER));
    told.because(&look, "road", |look| line(look, &ROAD));
    told.because(&look, "railroad", |look| line(look, &RAILROAD));
    told.because(&look, "crossing", crossing);
    told.because(&look, "settlement", settlement);
    Ok(told)
}

fn name(biome: u8) -> &'static str {
    BIOMES.get(biome as usize).map_or("none", |c| c.name)
}

/// Noise of the stage of biomes at the tile.
fn noise(look: &Look, stream: &str, waves: &Fractal) -> f32 {
    let seed = Seed(look.catalogue.seed).of("biomes").of(stream);
    fractal_at(look.cell.0 as f64 + 0.5, look.cell.1 as f64 + 0.5, seed, NoiseShape::Fbm, waves)
}

/// The share of the land whose values are lower.
fn rank(look: &Look, layer: &'static str) -> Option<f64> {
    let (values, biomes) = (look.layer(layer)?, look.layer("biome")?);
    let ((w, h), here) = (look.size(), look.value(layer)?);
    let (mut land, mut lower) = (0u64, 0u64);
    for y in 0..h {
        for x in (0..w).filter(|&x| biomes.at(x, y) != OCEAN as f64) {
            land += 1;
            lower += (values.at(x, y) < here) as u64;
        }
    }
    Some(lower as f64 / land.max(1) as f64)
}

/// The biome, and what the climate has to do with it. Borders are shifted and mended on the whole map, so that one tile alone does not
/// tell its biome: the reason says what the climate gives and what the tile is.
fn biome(look: &Look, p: &RealmParams) -> Option<Reason> {
    let (class, t, m) = (look.code("biome")?, look.float("temperature")?, look.float("moisture")?);
    let height = look.float("height")? as f64;
    let rule = "mountain and wetland by ranks of height, slope and moisture (biomes.mountain_share, \
        biomes.wetland_share); otherwise by temperature with weather (tundra below 0 °C, boreal below 6 °C) \
        and by the rank of moisture: below 16.5 °C forest above 0.45, else grassland; warmer desert below \
        0.33, grassland below 0.55, else subtropical; then borders are shifted by noise, and small patches \
        and straight borders removed";
    if class <= LAKE {
        let sentence = match class {
            OCEAN => {
                format!("This is ocean, {} m deep: water that reaches the edge of the map.", say(-height))
            }
            _ => "This is a lake: a dammed valley, an old bend of a river, or water that does not reach the \
                edge of the map."
                .to_owned(),
        };
        return Some(Reason::new("biome", name(class), sentence, rule).number("height", height, "m"));
    }
    let (high, wet) = (rank(look, "height")?, rank(look, "moisture")?);
    let (felt, damp) =
        biomes::felt(t, wet as f32, noise(look, "weather", &WEATHER), noise(look, "patches", &PATCHES));
    let zone = biomes::zone(felt, damp);
    let percent = |v: f64| say((100.0 * v).round());
    let warm = format!("{} °C with the weather of the place", say((10.0 * felt as f64).round() / 10.0));
    let row = |of: u8| match of {
        TUNDRA => format!("it has {warm}, below {} °C", say(COLD.0.into())),
        BOREAL => format!("it has {warm}, from {} to {} °C", say(COLD.0.into()), say(COLD.1.into())),
        FOREST | GRASSLAND if felt < COLD.2 => {
            let side = if of == FOREST { "above" } else { "not above" };
            format!(
                "it has {warm}, from {} to {} °C, and its moisture ranks at {} of the land, {side} 0.45",
                say(COLD.1.into()),
                say(COLD.2.into()),
                say(damp.into())
            )
        }
        DESERT => format!("it has {warm}, and its moisture ranks at {}, below 0.33", say(damp.into())),
        GRASSLAND => {
            format!("it has {warm}, and its moisture ranks at {}, from 0.33 to 0.55", say(damp.into()))
        }
        _ => format!("it has {warm}, and its moisture ranks at {}, at least 0.55", say(damp.into())),
    };
    let sentence = match class {
        MOUNTAIN => format!(
            "This is mountain: it belongs to the highest and steepest {} % of the land, lies within the reach of their shifted borders, \
            or was drawn so in a template; its {} m are higher than {} % of the land.",
            percent(p.biomes.mountain_share),
            say(height),
            percent(high)
        ),
        WETLAND => format!(
            "This is wetland: it belongs to the flattest, lowest and wettest {} % of the land, lies within the reach of \
            their shifted borders, or was drawn so in a template; its moisture is above that of {} % of the land.",
            percent(p.biomes.wetland_share),
            percent(wet)
        ),
        _ if class == zone => format!("This is {}, because {}.", name(class), row(class)),
        _ => format!(
            "This is {}. By its own climate it would be {}, because {}; but borders are shifted by up to {} \
            tiles, small patches and straight borders are removed{}, and here that decided.",
            name(class),
            name(zone),
            row(zone),
            say(p.borders.displacement_tiles),
            if p.biomes.template.trim().is_empty() { "" } else { ", and the template draws biomes" }
        ),
    };
    let reason = Reason::new("biome", name(class), sentence, rule).number("temperature", t, "°C").number(
        "temperature with weather",
        felt,
        "°C",
    );
    let reason = reason.number("moisture", m, "1").number("rank of moisture with patches", damp, "1");
    Some(reason.number("height", height, "m").number("rank of height", high, "1"))
}

fn water(look: &Look) -> Option<Reason> {
    let class = look.code("biome")?;
    let code = [1, 2, 0][class.min(2) as usize];
    let (height, surface) = (look.float("height")? as f64, look.float("surface")? as f64);
    let sentence = match class {
        OCEAN => format!("The water of the ocean stands {} m above the ground here.", say(surface - height)),
        LAKE => format!(
            "The water of the lake stands at {} m, {} m above its bed.",
            say(surface),
            say(surface - height)
        ),
        _ => format!("This is land, {} m above the sea.", say(surface)),
    };
    let reason = Reason::new(
        "water",
        ["land", "ocean", "lake"][code as usize],
        sentence,
        "ocean and lake by biome, all else is land",
    );
    Some(reason.giving("water", code).number("surface", surface, "m").number("height", height, "m"))
}

/// "3 tiles to the north-east": a way in tiles.
fn way((dx, dy): (i64, i64)) -> String {
    let far = ((dx * dx + dy * dy) as f64).sqrt();
    let tiles = if far == 1.0 { "1 tile".to_owned() } else { format!("{} tiles", say(far)) };
    // The nearest of the eight directions: tan 67.5° is 2.414.
    let along =
        |own: i64, other: i64| if 2.414 * own.abs() as f64 > other.abs() as f64 { own.signum() } else { 0 };
    let north_south = ["north", "", "south"][(along(dy, dx) + 1) as usize];
    let east_west = ["west", "", "east"][(along(dx, dy) + 1) as usize];
    let between = if north_south.is_empty() || east_west.is_empty() { "" } else { "-" };
    format!("{tiles} to the {north_south}{between}{east_west}")
}

/// The nearest tile of another biome.
fn border(look: &Look) -> Option<Reason> {
    const REACH: i64 = 24;
    let (biomes, (w, h), (x, y)) = (look.layer("biome")?, look.size(), look.cell);
    let own = biomes.at(x, y);
    let around = (-REACH..=REACH).flat_map(|dy| (-REACH..=REACH).map(move |dx| (dx, dy)));
    let on_map = |&(dx, dy): &(i64, i64)| {
        let (nx, ny) = (x as i64 + dx, y as i64 + dy);
        nx >= 0 && ny >= 0 && nx < w as i64 && ny < h as i64
    };
    let class = |(dx, dy): (i64, i64)| biomes.at((x as i64 + dx) as usize, (y as i64 + dy) as usize);
    let near = |&(dx, dy): &(i64, i64)| dx * dx + dy * dy <= REACH * REACH;
    let other = around.filter(near).filter(on_map).filter(|&at| class(at) != own);
    let nearest = other.min_by_key(|&(dx, dy)| (dx * dx + dy * dy, dy, dx));
    let rule = "the nearest tile whose biome differs";
    Some(match nearest {
        None => Reason::new("border", "none", format!("No other biome lies within {REACH} tiles."), rule),
        Some(at) => {
            let to = name(class(at) as u8);
            let sentence = format!("The nearest other biome is {to}, {}.", way(at));
            let far = ((at.0 * at.0 + at.1 * at.1) as f64).sqrt();
            Reason::new("border", to, sentence, rule).number("distance", far, "tiles")
        }
    })
}

/// The band of transition along a border.
fn transition(look: &Look, p: &RealmParams) -> Option<Reason> {
    for layer in ["biome", "height", "temperature", "moisture"] {
        look.layer(layer)?;
    }
    let c = look.catalogue;
    let map = c.bytes("biome").ok()?;
    let fields = Fields {
        height: c.floats("height").ok()?,
        temperature: c.floats("temperature").ok()?,
        moisture: c.floats("moisture").ok()?,
    };
    let own = map[look.cell];
    let waves = border_displacement(&p.borders).waves;
    let width = biomes::band(noise(look, "transitions", &waves));
    let border = biomes::nearest_border(map, look.cell, &biomes::around());
    let kind = border.map_or(biomes::NONE, |b| {
        biomes::transition_of((own, &b), look.cell, &fields, noise(look, "transitions", &waves), p)
    });
    let kind_name = TRANSITIONS[kind as usize].name;
    let band = say(width as f64);
    let sentence = match (border, kind) {
        (None, _) if own <= LAKE => "Bands of transition lie on land, and this is water.".to_owned(),
        (None, _) => {
            format!("There is no transition here: no other biome lies within the band of {band} tiles.")
        }
        (Some(b), biomes::NONE) => {
            let (far, band) = say_both((b.squared() as f64).sqrt(), width);
            format!(
                "There is no transition here: the border to {} is {far} tiles away, farther than the band \
                of {band} tiles.",
                name(b.class)
            )
        }
        (Some(b), kind) => {
            let why = match kind {
                CLIFF => ", and the coast is steep",
                MANGROVE => ", and the coast is hot and wet",
                TIDAL_FLAT => ", and the coast is flat",
                BEACH => ", and the coast is neither steep nor flat",
                LAKESHORE => ", along the lake",
                _ => "",
            };
            format!(
                "The tile is {}, because {} lies {}, within the band of {band} tiles{why}.",
                kind_name.replace('_', " "),
                name(b.class),
                way(b.offset)
            )
        }
    };
    let rule = "a band of 2 to 4 tiles along borders, whose width follows noise; its kind by both biomes, \
        on coasts by how steep they are and by climate";
    Some(Reason::new("transition", kind_name, sentence, rule).giving("transition", kind).number(
        "width of the band",
        width,
        "tiles",
    ))
}

/// A kind of linear feature.
struct Kind {
    subject: &'static str,
    layer: &'static str,
    set: &'static str,
    rule: &'static str,
}

const RIVER: Kind = Kind {
    subject: "river",
    layer: "river_dirs",
    set: "rivers",
    rule: "from a source downhill to the ocean, a lake, the edge or another river, tile by tile",
};
const ROAD: Kind = Kind {
    subject: "road",
    layer: "road_dirs",
    set: "roads",
    rule: "the cheapest way between two settlements that keeps the rules of crossings",
};
const RAILROAD: Kind = Kind {
    subject: "railroad",
    layer: "rail_dirs",
    set: "railroads",
    rule: "the cheapest way between two large settlements without sharp bends",
};

/// The lines of a set that have a vertex on the tile.
fn lines_here<'c>(look: &Look<'c>, set: &str) -> Vec<&'c Feature> {
    let frame = &look.catalogue.frame;
    let tile = |&(x, y): &(f64, f64)| {
        (((x - frame.origin.0) / frame.cell_m) as usize, ((y - frame.origin.1) / frame.cell_m) as usize)
    };
    let all = look.catalogue.line_set(set).map_or(&[][..], |s| &s.features);
    all.iter().filter(|f| f.points.iter().any(|p| tile(p) == look.cell)).collect()
}

/// The settlement with that number.
fn settlement_name(look: &Look, id: u64) -> String {
    let all = look.catalogue.point_set("settlements").map_or(&[][..], |s| &s.features);
    let found = all.iter().find(|f| f.id as u64 == id);
    let text = |f: &Feature, name: &str| f.property(name).and_then(Value::as_str).unwrap_or("").to_owned();
    found.map_or_else(
        || format!("settlement {id}"),
        |f| format!("the {} of {}", text(f, "kind"), text(f, "name")),
    )
}

fn line(look: &Look, kind: &Kind) -> Option<Reason> {
    let links = look.code(kind.layer)?;
    let Kind { subject, set, rule, .. } = *kind;
    let towards = validate::directions(links);
    let on: Vec<&str> = Dir8::ALL.into_iter().filter(|d| links >> d.0 & 1 == 1).map(direction_word).collect();
    let on = list(&on);
    let here = lines_here(look, set);
    let text = |f: &Feature, name: &str| f.property(name).and_then(Value::as_str).map(str::to_owned);
    let number = |f: &Feature, name: &str| f.property(name).and_then(Value::as_u64);
    let what: Vec<String> = here
        .iter()
        .map(|f| match subject {
            "river" => {
                let mouth = text(f, "mouth").unwrap_or_default();
                let order = number(f, "order").unwrap_or(1);
                format!(
                    "the river {} of order {order}, which ends in the {mouth}",
                    text(f, "name").unwrap_or_default()
                )
            }
            _ => {
                let class = text(f, "class").unwrap_or_else(|| "railroad".into());
                let ends =
                    [number(f, "from"), number(f, "to")].map(|id| settlement_name(look, id.unwrap_or(0)));
                format!("the {class} that joins {} and {}", ends[0], ends[1])
            }
        })
        .collect();
    let sentence = match links {
        0 => format!("No {subject} passes this tile."),
        _ if what.is_empty() => format!("A {subject} passes this tile and goes on to the {on}."),
        _ => format!("Here passes {}; it goes on to the {on}.", list(&what)),
    };
    let answer = if links == 0 { "none".to_owned() } else { towards };
    let beside: Vec<_> = Dir8::ALL
        .into_iter()
        .filter(|d| links >> d.0 & 1 == 1)
        .map(|d| look.neighbour(d, format!("the {subject} goes on")))
        .collect();
    Some(Reason::new(subject, answer, sentence, rule).number("lines", here.len() as f64, "").beside(beside))
}

fn crossing(look: &Look) -> Option<Reason> {
    let links = [look.code("river_dirs")?, look.code("rail_dirs")?, look.code("road_dirs")?];
    let code = validate::crossing_of(links);
    let dirs = links.map(validate::directions);
    let sentence = match code {
        BRIDGE => format!("A bridge carries the road ({}) over the river ({}).", dirs[2], dirs[0]),
        RAIL_BRIDGE => format!("A bridge carries the railroad ({}) over the river ({}).", dirs[1], dirs[0]),
        RAIL_CROSSING => format!("The road ({}) crosses the railroad ({}).", dirs[2], dirs[1]),
        CROSSROADS => format!("Roads meet in {} directions ({}).", links[2].count_ones(), dirs[2]),
        _ => "Nothing crosses on this tile.".to_owned(),
    };
    let rule = "bridge: road over river; rail_bridge: railroad over river; rail_crossing: road over \
        railroad; crossroads: a road in at least four directions";
    Some(Reason::new("crossing", CROSSINGS[code as usize].name, sentence, rule).giving("crossing", code))
}

/// The settlement on the tile, or the nearest one.
fn settlement(look: &Look) -> Option<Reason> {
    let id = look.value("settlement")? as u32;
    let all = look.catalogue.point_set("settlements").map_or(&[][..], |s| &s.features);
    let frame = &look.catalogue.frame;
    let (x, y) = frame.cell_centre(look.cell.0, look.cell.1);
    let far = |f: &Feature| {
        let (dx, dy) = (f.points[0].0 - x, f.points[0].1 - y);
        (dx * dx + dy * dy).sqrt() / frame.cell_m
    };
    let rule = "the best places first, by biome, rivers, lakes, harbours and slope, tier by tier; the \
        footprint by tier";
    let here = all.iter().find(|f| f.id == id && id > 0);
    let nearest = here.or_else(|| all.iter().min_by(|a, b| far(a).total_cmp(&far(b))));
    let Some(f) = nearest else {
        return Some(Reason::new("settlement", "none", "There is no settlement on this map.", rule));
    };
    let text = |name: &str| f.property(name).and_then(Value::as_str).unwrap_or("");
    let people = f.property("population").and_then(Value::as_f64).unwrap_or(0.0);
    let road = match (f.property("road").and_then(Value::as_bool), text("road_reason")) {
        (Some(false), why) if !why.is_empty() => format!("; no road leads to it: {why}"),
        (Some(true), _) => "; a road leads to it".to_owned(),
        _ => String::new(),
    };
    let who = format!("the {} of {} with {} people", text("kind"), text("name"), say(people));
    let (answer, sentence) = match here {
        Some(_) => {
            (text("name").to_owned(), format!("The tile belongs to {who}, built on {}{road}.", text("biome")))
        }
        None => {
            let (dx, dy) = ((f.points[0].0 - x) / frame.cell_m, (f.points[0].1 - y) / frame.cell_m);
            (
                "none".to_owned(),
                format!(
                    "There is no settlement here; the nearest is {who}, {}{road}.",
                    way((dx.round() as i64, dy.round() as i64))
                ),
            )
        }
    };
    let reason = Reason::new("settlement", answer, sentence, rule).number("distance", far(f), "tiles");
    Some(reason.number("population", people, "people"))
}
