//! Why a cell of a planet is what it is. The six faces stand side by side, in the order of their layers: the columns of the first face,
//! then those of the second.

use super::classes::{FEATURES, GRASS, LAKE, MOOR, MUD, NONE, TERRAINS, THICKET, TOWN, name};
use super::ground::Ground;
use super::params::PlanetParams;
use super::sphere::{self, FACES, lat_lon};
use crate::catalogue::explain::{
    Cell, Explain, Explanation, LayerValue, Look, Number, Reason, features_near, params, say,
};
use crate::catalogue::{Catalogue, Feature};
use crate::error::{Error, Result};
use crate::world::relf;
use crate::world::runner::{metres, metres_both};
use serde_json::Value;

/// How a planet explains its cells.
pub(super) const EXPLAIN: Explain = Explain {
    place: "latitude and longitude in degrees, north and east positive, or x, y and z in metres from the \
        centre",
    size: |catalogue| (FACES.len() * catalogue.frame.width, catalogue.frame.height),
    locate,
    explain,
};

fn ground(catalogue: &Catalogue) -> Result<&Ground> {
    let sampler = catalogue.sampler.as_deref();
    sampler.and_then(|s| s.as_any().downcast_ref()).ok_or_else(|| {
        Error::Invalid(
            "a planet is explained from its recipe; make the folder again with its recipe.toml".into(),
        )
    })
}

/// The cell of a place on the sphere.
fn locate(catalogue: &Catalogue, place: &[f64]) -> Result<Cell> {
    use crate::catalogue::Sampler;
    let v = ground(catalogue)?.place(place)?;
    let (face, side) = (sphere::face_of(v), catalogue.frame.width);
    let (x, y) = FACES[face].cell(v, side);
    let inside = |v: f64| (v.max(0.0) as usize).min(side - 1);
    Ok((face * side + inside(x), inside(y)))
}

/// The reasons for everything in a cell.
fn explain(catalogue: &Catalogue, (x, y): Cell) -> Result<Explanation> {
    let (p, ground): (PlanetParams, &Ground) = (params(catalogue)?, ground(catalogue)?);
    let side = catalogue.frame.width;
    let (face, cell) = (x / side, (x % side, y));
    let middles = sphere::middles(side);
    let place = FACES[face].direction(middles[cell.0], middles[cell.1]).map(|k| k * p.radius_m);
    let (lat, lon) = lat_lon(place);
    let of_face = |name: &str| name.ends_with(FACES[face].name);
    let mut told = Explanation::of(catalogue, cell);
    told.cell = (x, y);
    told.coordinates = vec![
        Number::new("latitude", lat, "deg"),
        Number::new("longitude", lon, "deg"),
        Number::new(format!("column of face {}", FACES[face].name), cell.0 as f64, ""),
        Number::new("row of the face", cell.1 as f64, ""),
    ];
    let layers = catalogue.layers.iter().filter(|layer| of_face(layer.name));
    told.values = layers.map(|layer| LayerValue::of(layer, cell)).collect();
    let on_face = |f: &Feature| f.property("face").and_then(Value::as_str) == Some(FACES[face].name);
    told.features = features_near(catalogue, (cell.0 as f64 + 0.5, cell.1 as f64 + 0.5), 1.0, on_face);
    let look = Look::new(catalogue, cell);
    // The name of the layer of a quantity on this face.
    let layer = |quantity: &str| {
        let wanted = format!("{quantity}_{}", FACES[face].name);
        super::catalogue::LAYERS.iter().map(|l| l.spec.name).find(|name| *name == wanted).unwrap_or("")
    };
    let height = ground.height(place);
    told.because(&look, "sea", |_| Some(sea(height, &p, (layer("height"), layer("depth")))));
    told.because(&look, "ground", |_| Some(kind(ground, place, height, layer("terrain"))));
    told.because(&look, "feature", |look| feature(look, face, layer("feature")));
    Ok(told)
}

fn sea(height: f64, p: &PlanetParams, (high, deep): (&'static str, &'static str)) -> Reason {
    let level = p.lake_level;
    let (surface, depth) = (height.max(level) as f32, (level - height).max(0.0) as f32);
    let (h, l) = metres_both(height, level);
    let (answer, sentence) = match depth > 0.0 {
        true => (
            "sea",
            format!(
                "This is water: its floor lies at {h}, below the level of {l}, so that it is {} deep.",
                metres(depth as f64)
            ),
        ),
        false => ("land", format!("This is land: its ground lies at {h}, not below the level of {l}.")),
    };
    let rule = "water where the ground is below lake_level; height is the higher of both";
    let reason = Reason::new("sea", answer, sentence, rule).giving(high, surface).giving(deep, depth);
    reason.number("ground", height, "height units").number("lake_level", level, "height units")
}

fn kind(ground: &Ground, place: sphere::Vector, height: f64, layer: &'static str) -> Reason {
    let kind = ground.kind(place, height);
    let [towns, a, b] = ground.cover_sums(place);
    let why = match kind {
        LAKE => format!("the ground lies below the water, at {}", metres(height)),
        MUD => {
            let (h, l) = metres_both(height, relf::LAKE_HEIGHT);
            format!("the ground was a lake bed: it lies at {h}, below {l}")
        }
        TOWN => format!("the first sum of waves is {towns}, below the 120 of towns"),
        GRASS => format!(
            "the second sum of waves is {a}, below the 255 of open ground, and the third {b}, below 255"
        ),
        MOOR => format!(
            "the second sum of waves is {a}, below the 255 of open ground, and the third {b}, at least 255"
        ),
        THICKET => {
            format!("the second sum of waves is {a}, at least the 255 of wood, and the third {b}, below 200")
        }
        _ => format!(
            "the second sum of waves is {a}, at least the 255 of wood, and the third {b}, at least 200"
        ),
    };
    let name = name(TERRAINS, kind);
    let rule = "lake below lake_level; mud below 204; town if the first of three sums of waves is below \
        120; then open (second sum below 255): grass if the third is below 255, else moor; otherwise \
        thicket if the third is below 200, else wood";
    let reason = Reason::new("ground", name, format!("The ground is {name}, because {why}."), rule)
        .giving(layer, kind);
    let reason = reason.number("ground", height, "height units").number("first sum", towns, "");
    reason.number("second sum", a, "").number("third sum", b, "")
}

/// The feature of the cell: the one nearest to its centre.
fn feature(look: &Look, face: usize, layer: &'static str) -> Option<Reason> {
    let all = look.catalogue.point_set("features").map_or(&[][..], |set| &set.features);
    let side = look.catalogue.frame.width;
    let inside = |v: f64| (v as usize).min(side - 1);
    let here = |f: &&Feature| {
        let (x, y) = f.points[0];
        f.property("face").and_then(Value::as_str) == Some(FACES[face].name)
            && (inside(x), inside(y)) == look.cell
    };
    let far = |f: &Feature| {
        let (x, y) = f.points[0];
        let (dx, dy) = (x - x.floor() - 0.5, y - y.floor() - 0.5);
        dx * dx + dy * dy
    };
    let found: Vec<&Feature> = all.iter().filter(here).collect();
    // Of those equally near, the last one counts.
    let nearest = found.iter().rev().min_by(|a, b| far(a).total_cmp(&far(b)));
    let kind = |f: &Feature| f.property("kind").and_then(Value::as_str).unwrap_or("none").to_owned();
    let rule = "at the crossings of rings of whole coordinates where the bits of a wave or a hash say so, \
        none in water, mud and towns but what was placed; a cell shows the one nearest to its centre";
    let (answer, sentence) = match nearest {
        None => ("none".to_owned(), "No feature stands in this cell.".to_owned()),
        Some(f) => {
            let number = |name: &str| f.property(name).and_then(Value::as_f64).unwrap_or(0.0);
            let more = match found.len() {
                1 => String::new(),
                n => format!(", the nearest to its centre of {n}"),
            };
            let at = format!("{}, {} degrees", say(number("lat")), say(number("lon")));
            (kind(f), format!("A {} stands in this cell, at {at}{more}.", kind(f)))
        }
    };
    let code = FEATURES.iter().find(|c| c.name == answer).map_or(NONE as u32, |c| c.value);
    Some(Reason::new("feature", answer, sentence, rule).giving(layer, code).number(
        "features in the cell",
        found.len() as f64,
        "",
    ))
}
