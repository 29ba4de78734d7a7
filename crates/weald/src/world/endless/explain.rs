//! Why a cell of a window of the endless world is what it is: the tests of [`Endless::terra`] in their order, then what lies on the ground.

use super::kinds::{Feature, Terrain};
use super::map::{self, BELOW_SHAFT, OPEN, ROCK, TUNNEL};
use super::mines::MineCell;
use super::place::{Endless, PATH_SHIFT, PATH_TOLERANCE};
use super::placed::{Place, Put};
use super::roads::{Road, RoadEnd};
use super::runner::{LOOK_AHEAD_M, ground_speed, slope_speed};
use super::streams::{Stream, StreamEnd};
use super::window::{Survey, Window};
use super::wood::{Building, Side};
use crate::catalogue::explain::{Cell, Explain, Explanation, Look, Number, Reason, count, say};
use crate::catalogue::{self, Catalogue, FeatureSet};
use crate::error::{Error, Result};
use crate::world::relf;
use crate::world::runner::{metres, metres_both};
use serde_json::Value;
use weald_core::waves::round;
use weald_core::{Ctx, Grid};

/// How the endless world explains its cells.
pub(super) const EXPLAIN: Explain = Explain {
    place: "metres east and north, within the window of the folder",
    size: |catalogue| (catalogue.frame.width, catalogue.frame.height),
    locate,
    explain,
};

/// The window of a catalogue.
fn window(catalogue: &Catalogue) -> Window {
    let frame = &catalogue.frame;
    let (west, north) = (round(frame.origin.0 + 0.5), round(-(frame.origin.1 + 0.5)));
    Window { west, north, width: frame.width, height: frame.height }
}

/// The cell of the nearest whole place.
fn locate(catalogue: &Catalogue, place: &[f64]) -> Result<Cell> {
    let window = window(catalogue);
    let [west, east, south, north] = window.bounds();
    let found = match *place {
        [x, y] if x.abs() < 1e15 && y.abs() < 1e15 => window.cell((round(x), round(y))),
        _ => None,
    };
    found.ok_or_else(|| {
        let given: Vec<String> = place.iter().map(f64::to_string).collect();
        Error::Invalid(format!(
            "{}: is no place of this window; x runs from {west} to {east} metres east and y from {south} to \
            {north} metres north",
            given.join(",")
        ))
    })
}

/// One whole place of the world, and the catalogue of the window around it.
struct Spot<'c> {
    world: &'c Endless,
    place: Place,
    ctx: Ctx<'static>,
}

impl Spot<'_> {
    fn x(&self) -> f64 {
        self.place.0 as f64
    }

    fn y(&self) -> f64 {
        self.place.1 as f64
    }

    /// The window of this place alone.
    fn alone(&self) -> Window {
        Window { west: self.place.0, north: self.place.1, width: 1, height: 1 }
    }
}

/// The reasons for everything in a cell.
fn explain(catalogue: &Catalogue, cell: Cell) -> Result<Explanation> {
    let sampler = catalogue.sampler.as_deref();
    let world: &Endless = sampler.and_then(|s| s.as_any().downcast_ref()).ok_or_else(|| {
        Error::Invalid(
            "this world is explained from its recipe; make the folder again with its recipe.toml".into(),
        )
    })?;
    let spot = Spot { world, place: window(catalogue).place(cell.0, cell.1), ctx: Ctx::default() };
    let (mut told, look) = (Explanation::of(catalogue, cell), Look::new(catalogue, cell));
    told.coordinates = vec![Number::new("x", spot.x(), "m east"), Number::new("y", spot.y(), "m north")];
    told.because(&look, "terrain", |_| Some(terrain(&spot)));
    told.because(&look, "feature", |_| Some(feature(&spot)));
    told.because(&look, "surface", |look| surface(look, &spot));
    told.because(&look, "tree", |look| tree(look, &spot));
    told.because(&look, "snow", |look| snow(look, &spot));
    told.because(&look, "speed", |look| speed(look, &spot));
    told.because(&look, "mine", |_| mine(&spot));
    told.because(&look, "cavern", |_| Some(cavern(&spot)));
    told.because(&look, "sky", |_| Some(sky(&spot)));
    Ok(told)
}

/// The tests of [`Endless::terra`] in their order: bleak, path, placed, lake, mud, cover.
fn terrain(spot: &Spot) -> Reason {
    let (world, p, (x, y)) = (spot.world, spot.world.params(), (spot.x(), spot.y()));
    let (ground, level) = (world.ground_height(x, y), p.lake_level);
    let there = world.ground_height(x + PATH_SHIFT.0 as f64, y + PATH_SHIFT.1 as f64);
    let apart = (ground - there).abs();
    let (h, l) = metres_both(ground, level);
    let put = world.placed().at(spot.place);
    let at = [x, y, 0.0];
    let [towns, a, b] = [world.town.steps(at), world.wood.steps(at), world.rough.steps(at)];
    let (kind, test, why) = if p.bleak {
        (Terrain::Z, "bleak", "the bleak world has nothing else".to_owned())
    } else if p.paths && ground > level && apart < PATH_TOLERANCE {
        let (d, most) = metres_both(apart, PATH_TOLERANCE);
        (
            Terrain::Path,
            "path",
            format!(
                "the ground at {h} is dry and differs by only {d}, less than {most}, from that of the place \
                {} m east and {} m north",
                PATH_SHIFT.0, PATH_SHIFT.1
            ),
        )
    } else if put == Some(Put::Road) {
        (Terrain::Road, "placed", "a road was drawn here by hand".to_owned())
    } else if put == Some(Put::Thing(Feature::None)) {
        (Terrain::Grass, "placed", "what stood here was removed by hand".to_owned())
    } else if level > ground {
        (Terrain::Lake, "lake", format!("the ground lies at {h}, below the lake level of {l}"))
    } else if relf::LAKE_HEIGHT > ground {
        let (h, l) = metres_both(ground, relf::LAKE_HEIGHT);
        (
            Terrain::Mud,
            "mud",
            format!(
                "the ground lies at {h}, below the {l} up to which lakes once stood, but not below the lake \
                level"
            ),
        )
    } else if p.wood_only {
        (Terrain::Wood, "cover", "this world is all wood".to_owned())
    } else {
        let kind = Terrain::of_code(relf::cover(towns, a, b)).expect("the cover is a terrain");
        let why = match kind {
            Terrain::Town => format!("the first sum of waves is {towns}, below the 120 of towns"),
            Terrain::Grass => format!(
                "the second sum of waves is {a}, below the 255 of open ground, and the third {b}, below 255"
            ),
            Terrain::Moor => format!(
                "the second sum of waves is {a}, below the 255 of open ground, and the third {b}, at least \
                255"
            ),
            Terrain::Thicket => format!(
                "the second sum of waves is {a}, at least the 255 of wood, and the third {b}, below 200"
            ),
            _ => format!(
                "the second sum of waves is {a}, at least the 255 of wood, and the third {b}, at least 200"
            ),
        };
        (kind, "cover", format!("{why}; the ground at {h} is not below the lake level of {l}"))
    };
    let water = matches!(kind, Terrain::Lake);
    let (height, depth) = match (kind, test) {
        (Terrain::Lake, _) => (level, level - ground),
        (Terrain::Road, "placed") => (ground.max(level), 0.0),
        _ => (ground, 0.0),
    };
    let deep = if water { format!(" The water is {} deep.", metres(depth)) } else { String::new() };
    let sentence = format!("The terrain is {}, because {why}.{deep}", kind.name());
    let rule =
        format!("the test \"{test}\" of bleak, path, placed, lake, mud and cover was the first that held");
    let reason = Reason::new("terrain", kind.name(), sentence, rule).giving("terrain", kind as u8);
    let reason = reason.giving("height", height as f32).giving("depth", depth as f32).number(
        "ground",
        ground,
        "height units",
    );
    let reason = reason.number("lake_level", level, "height units").number(
        "height at the path's other place",
        there,
        "height units",
    );
    reason.number("first sum", towns, "").number("second sum", a, "").number("third sum", b, "")
}

fn feature(spot: &Spot) -> Reason {
    let (world, terra) = (spot.world, spot.world.terra(spot.x(), spot.y()));
    let natural = world.fixed_feature(spot.place.0, spot.place.1);
    let kind = terra.feature;
    let placed = world.placed().thing_at(spot.place);
    let sentence = match (kind, placed) {
        (Feature::None, Some(_)) => "Nothing stands here: what was placed or removed by hand leaves nothing \
            to see."
            .to_owned(),
        (Feature::None, None) if natural != Feature::None => {
            format!(
                "Nothing stands here: the bits of the place would give a {}, but there is none on {}.",
                natural.name(),
                terra.terrain.name()
            )
        }
        (Feature::None, None) => "Nothing stands here: the bits of the place give no feature, as at all but \
            about one place in 4096."
            .to_owned(),
        (kind, Some(thing)) if thing == kind => {
            format!("A {} stands here, because it was placed by hand.", kind.name())
        }
        (kind, _) => {
            let code =
                terra.code.map_or(String::new(), |c| format!(", with the control flag {}", c.as_str()));
            format!("A {} stands here, because the bits of the place say so{code}.", kind.name())
        }
    };
    let rule = "what was placed; otherwise by 12 bits of a sum of waves times x·y, or of a hash, on grass, \
        moor, wood and thicket";
    Reason::new("feature", kind.name(), sentence, rule).giving("feature", kind as u8)
}

/// A whole place of the document from coordinates of the frame.
fn whole(&(x, y): &(f64, f64)) -> Place {
    (round(x), round(-y))
}

fn text<'f>(feature: &'f catalogue::Feature, name: &str) -> &'f str {
    feature.property(name).and_then(Value::as_str).unwrap_or("")
}

fn whole_number(feature: &catalogue::Feature, name: &str) -> i64 {
    feature.property(name).and_then(Value::as_i64).unwrap_or(0)
}

fn set<'c>(catalogue: &'c Catalogue, name: &str) -> Option<&'c FeatureSet> {
    catalogue.lines.iter().chain(&catalogue.points).find(|s| s.name == name)
}

/// The streams of the window, from their lines.
fn streams(catalogue: &Catalogue) -> Vec<Stream> {
    let end = |name: &str| match name {
        "lake" => StreamEnd::Lake,
        "hollow" => StreamEnd::Hollow,
        _ => StreamEnd::Limit,
    };
    let lines = set(catalogue, "streams").map_or(&[][..], |s| &s.features);
    lines
        .iter()
        .map(|f| Stream { points: f.points.iter().map(whole).collect(), end: end(text(f, "end")) })
        .collect()
}

/// The roads of the window, from their lines. Their points are kept to the last bit near the origin only.
fn roads(catalogue: &Catalogue) -> Vec<Road> {
    let lines = set(catalogue, "roads").map_or(&[][..], |s| &s.features);
    let road = |f: &catalogue::Feature| {
        let start = (whole_number(f, "start_x"), whole_number(f, "start_y"));
        let offset = |&(x, y): &(f64, f64)| (x - start.0 as f64, -y - start.1 as f64);
        Road {
            start,
            branch: whole_number(f, "branch") as usize,
            points: f.points.iter().map(offset).collect(),
            bridges: Vec::new(),
            end: RoadEnd::Length,
        }
    };
    lines.iter().map(road).collect()
}

fn buildings(catalogue: &Catalogue) -> Vec<Building> {
    let points = set(catalogue, "buildings").map_or(&[][..], |s| &s.features);
    let height = |f: &catalogue::Feature| f.property("height").and_then(Value::as_f64).unwrap_or(0.0);
    points
        .iter()
        .map(|f| Building { place: whole(&f.points[0]), height: height(f), door: Side::North })
        .collect()
}

/// What lies on the terrain, in the order in which it is laid: streams with their marshes, roads, buildings.
fn surface(look: &Look, spot: &Spot) -> Option<Reason> {
    let (alone, code) = (spot.alone(), look.code("terrain")?);
    let one = |v: u8| Grid::filled(1, 1, v);
    let survey = Survey {
        height: Grid::filled(1, 1, 0.0),
        depth: Grid::filled(1, 1, 0.0),
        terrain: one(code),
        feature: one(0),
    };
    let (streams, roads, buildings) =
        (streams(look.catalogue), roads(look.catalogue), buildings(look.catalogue));
    let laid = |s: &[Stream], r: &[Road], b: &[Building]| {
        let grid = map::surface(spot.world, &alone, &survey, (s, r, b), &spot.ctx).ok()?;
        Terrain::of_code(grid[(0, 0)])
    };
    let steps = [
        Terrain::of_code(code)?,
        laid(&[], &[], &[])?,
        laid(&streams, &[], &[])?,
        laid(&streams, &roads, &[])?,
        laid(&streams, &roads, &buildings)?,
    ];
    let kind = steps[4];
    let why = match (kind, steps) {
        (Terrain::Building, _) => "a building, 12 m square, stands on it".to_owned(),
        (Terrain::Bridge, s) if s[3] != s[2] => format!("a road, 5 m wide, crosses the {} here", s[2].name()),
        (Terrain::Road, s) if s[3] != s[2] => {
            format!("a road, 5 m wide, passes over the {} here", s[2].name())
        }
        (Terrain::Stream, s) if s[2] != s[1] => {
            format!("a stream, 3 m wide, runs over the {} here", s[1].name())
        }
        (Terrain::Marsh, s) if s[2] != s[1] => {
            "a stream ends in a hollow nearby and makes a marsh of 9 by 9 m".to_owned()
        }
        (_, s) if s[1] != s[0] => "a road was drawn here by hand".to_owned(),
        _ => "no stream, marsh, road or building lies on the terrain".to_owned(),
    };
    let sentence = format!("The surface is {}, because {why}.", kind.name());
    let rule = "the terrain, with marshes, streams (3 m), roads (5 m; bridges over water) and buildings (12 \
        m) on it, in this order; water leaves towns, roads and lakes as they are";
    let reason = Reason::new("surface", kind.name(), sentence, rule).giving("surface", kind as u8);
    let height = buildings.iter().rev().find(|b| super::wood::footprint(b.place).any(|at| at == spot.place));
    let reason = reason.giving("building_height", height.map_or(0.0, |b| b.height as f32));
    Some(match height {
        Some(b) => reason.number("building_height", b.height, "height units"),
        None => reason,
    })
}

fn tree(look: &Look, spot: &Spot) -> Option<Reason> {
    let surface = Terrain::of_code(look.code("surface")?)?;
    let grows = spot.world.tree(spot.place, surface);
    let clear = spot.world.clearings(&spot.alone(), &spot.ctx).ok()?;
    let near = clear.into_iter().find(|&at| super::wood::in_clearing(spot.place, at));
    let tree = grows.filter(|_| near.is_none());
    let odd = spot.place.0 % 2 != 0 && spot.place.1 % 2 != 0;
    let sentence = match (grows, near) {
        (Some(tree), None) => {
            format!("A tree of kind {} grows on this tile of {}.", tree.kind, surface.name())
        }
        (Some(_), Some((x, y))) => {
            format!("No tree grows here, because the feature at {x},{y} keeps trees 4 m away.")
        }
        (None, _) if matches!(surface, Terrain::Wood | Terrain::Thicket) && !odd => {
            "No tree grows at this very place: trees of wood and thicket stand where x and y are odd."
                .to_owned()
        }
        (None, _) => format!(
            "No tree grows here, because the surface is {}, neither wood nor thicket.",
            surface.name()
        ),
    };
    let rule = "on wood and thicket where x and y are odd, of the kind of the low bits of the place, at \
        least 4 m from knolls, mines, waterholes and man-made objects";
    let answer = tree.map_or("none".to_owned(), |t| format!("kind_{}", t.kind));
    Some(Reason::new("tree", answer, sentence, rule).giving("tree", tree.map_or(0, |t| t.kind + 1)))
}

fn snow(look: &Look, spot: &Spot) -> Option<Reason> {
    let (height, depth) = (look.float("height")?, look.float("depth")?);
    let line = spot.world.params().snow_line as f32;
    let lies = height >= line && depth == 0.0;
    let (h, l) = metres_both(height, line);
    let sentence = match (lies, depth > 0.0) {
        (true, _) => {
            format!("Snow lies here, because the ground at {h} is dry and not below the snow line of {l}.")
        }
        (_, true) => "No snow lies here, because this is water.".to_owned(),
        _ => format!("No snow lies here, because the ground at {h} is below the snow line of {l}."),
    };
    let reason =
        Reason::new("snow", if lies { "yes" } else { "no" }, sentence, "height >= snow_line on dry ground");
    Some(reason.giving("snow", lies as u8).number("height", height, "height units").number(
        "snow_line",
        line,
        "height units",
    ))
}

fn speed(look: &Look, spot: &Spot) -> Option<Reason> {
    let (code, world) = (look.code("surface")?, spot.world);
    let level = world.water_level() as f32;
    let height = |dx: f64, dy: f64| (world.ground_height(spot.x() + dx, spot.y() + dy) as f32).max(level);
    let here = height(0.0, 0.0);
    let ground = ground_speed(code) as f32;
    let ways = [
        ("north", "speed_north", 0.0, LOOK_AHEAD_M),
        ("east", "speed_east", LOOK_AHEAD_M, 0.0),
        ("south", "speed_south", 0.0, -LOOK_AHEAD_M),
        ("west", "speed_west", -LOOK_AHEAD_M, 0.0),
    ];
    let name = Terrain::of_code(code)?.name();
    let rule = "by the surface: 1 on good ground, 0.5 on moor and streams, 0.2 in thicket, marsh, mud and \
        water, 0 in buildings; times the share of the slope over the 10 m ahead";
    let mut parts = Vec::new();
    let mut reason =
        Reason::new("speed", say(ground as f64), "", rule).giving("speed", ground * slope_speed(0.0) as f32);
    for (word, layer, dx, dy) in ways {
        let climb = (height(dx, dy) - here) as f64;
        let share = ground * slope_speed(climb) as f32;
        let rises = if climb < 0.0 { "falls" } else { "rises" };
        parts.push(format!(
            "{} to the {word}, where it {rises} by {} over 10 m",
            say(share as f64),
            metres(climb.abs())
        ));
        reason = reason.giving(layer, share).number(format!("climb to the {word}"), climb, "height units");
    }
    reason.sentence = format!(
        "A runner has {} of full speed on {name}; with the slope it is {}.",
        say(ground as f64),
        parts.join("; ")
    );
    Some(reason)
}

fn mine(spot: &Spot) -> Option<Reason> {
    const LAYERS: [&str; 8] =
        ["mine_1", "mine_2", "mine_3", "mine_4", "mine_5", "mine_6", "mine_7", "mine_8"];
    let world = spot.world;
    let shafts = world.shafts(&spot.alone(), &spot.ctx).ok()?;
    let code = |cell: MineCell| match cell {
        _ if shafts.above(cell) => BELOW_SHAFT,
        _ if world.mine_dug(cell) => OPEN,
        _ if shafts.tunnel(cell) => TUNNEL,
        _ => ROCK,
    };
    let levels = world.params().mines.levels;
    let codes: Vec<u8> = (1..=levels).map(|level| code(world.mine_cell(spot.place, level))).collect();
    let names: Vec<&str> =
        codes.iter().map(|&c| ["rock", "open", "below a shaft", "a tunnel"][c as usize]).collect();
    let open = codes.iter().filter(|c| **c != ROCK).count();
    let each: Vec<String> =
        names.iter().enumerate().map(|(k, name)| format!("level {} is {name}", k + 1)).collect();
    let sentence = format!(
        "Below this place {} open: {}.",
        match open {
            0 => "no level of the mines is".to_owned(),
            n =>
                format!("{} of the mines {}", count(n, "level", "levels"), if n == 1 { "is" } else { "are" }),
        },
        each.join("; ")
    );
    let rule = "below a shaft down to its levels; open where the fraction of the cell's number is above \
        mines.threshold; a tunnel behind a cave mouth; otherwise rock";
    let mut reason = Reason::new("mine", names.join(", "), sentence, rule).number(
        "mines.threshold",
        world.params().mines.threshold,
        "",
    );
    for (layer, code) in LAYERS.into_iter().zip(codes) {
        reason = reason.giving(layer, code);
    }
    Some(reason)
}

fn cavern(spot: &Spot) -> Reason {
    let cavern = spot.world.cavern(spot.x(), spot.y());
    let (floor, roof) = (cavern.floor as f32, cavern.roof as f32);
    let (f, r) = metres_both(floor, roof);
    let (answer, code, sentence) = match roof > floor {
        true => {
            ("open", OPEN, format!("The cavern below is open: its roof at {r} is above its floor at {f}."))
        }
        false => (
            "rock",
            ROCK,
            format!("There is rock where caverns are: the roof at {r} would not be above the floor at {f}."),
        ),
    };
    let reason = Reason::new(
        "cavern",
        answer,
        sentence,
        "open where cavern_roof > cavern_floor, both copies of the ground",
    );
    reason.giving("cavern", code).giving("cavern_floor", floor).giving("cavern_roof", roof)
}

fn sky(spot: &Spot) -> Reason {
    let (p, island) = (&spot.world.params().sky, spot.world.sky_island(spot.x(), spot.y()));
    let (top, under) =
        island.map_or((p.level as f32, p.level as f32), |i| (i.top as f32, i.underside as f32));
    let terrain = spot.world.terra(spot.x(), spot.y()).terrain;
    let kind = if top > under { terrain } else { Terrain::Sky };
    let ground = spot.world.ground_height(spot.x(), spot.y());
    let (h, l) = metres_both(ground, p.level);
    let sentence = match top > under {
        true => format!(
            "An island floats in the sky above: the ground at {h} is not below the {l} of its shores, and \
            it is {} thick.",
            metres((top - under) as f64)
        ),
        false => format!(
            "No island floats in the sky above, because the ground at {h} is below the {l} of its shores."
        ),
    };
    let reason = Reason::new(
        "sky",
        kind.name(),
        sentence,
        "islands where the ground is not below sky.level, with the terrain of the ground",
    );
    reason.giving("sky_terrain", kind as u8).giving("sky_top", top).giving("sky_underside", under)
}
