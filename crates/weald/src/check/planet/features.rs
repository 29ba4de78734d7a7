//! The point features: where they lie, and what the layers say of them.

use super::Rule;
use super::faces::{FACES, Planet, along, cell};
use super::ground::MUD_LEVEL;
use crate::check::RuleResult;
use crate::check::relf::PROFILE;
use crate::check::shapes::Shape;
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::f64::consts::PI;
use weald_core::{Grid, math};

const KINDS: [&str; 11] =
    ["none", "mine", "boulder", "root", "waterhole", "knoll", "x", "cone", "rocket", "building", "t"];
/// The last kind that the planet has by itself.
const LAST_NATURAL: usize = 7;

/// Coefficients of seed 0 along x, y and z: heights, towns, features.
const HEIGHT: [[i64; 5]; 3] = [[0, 13, 21, 22, 29], [27, 26, 21, 11, 1], [15, -40, 1, 37, -15]];
const TOWN: [[i64; 5]; 3] = [[-43, -43, -56, 31, 4], [-3, -12, 22, 2, 32], [-60, 13, -13, -60, -4]];
const FEATURE: [[i64; 5]; 3] = [[15, -54, -34, -51, -43], [-51, -62, -58, -64, 33], [7, -5, -70, 70, 30]];

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "planet-features",
        about: "a feature is on the sphere, with two whole coordinates and the third one the largest",
        needs: &["features.geojson"],
        run: on_sphere,
    },
    Rule {
        name: "planet-feature-degrees",
        about: "lat and lon of a feature, in degrees, north and east positive, are those of its x, y and z",
        needs: &["features.geojson"],
        run: degrees,
    },
    Rule {
        name: "planet-feature-cells",
        about: "the cell of a feature holds a feature that lies in it, and no other cell holds any",
        needs: &["features.geojson", "feature"],
        run: in_cells,
    },
    Rule {
        name: "planet-features-dry",
        about: "no feature that was not placed lies in deep water; of seed 0, each passes the document's tests for features, lakes, mud and towns",
        needs: &["features.geojson", "depth", "height"],
        run: dry,
    },
    Rule {
        name: "planet-placed",
        about: "what was placed last at a crossing stands there, and rockets, buildings and telephone boxes stand nowhere else",
        needs: &["features.geojson"],
        run: placed,
    },
    Rule {
        name: "planet-version",
        about: "a feature has a version from 0 to 3; seed 0: the low bits of round(10000π·(u + 100003·face)·v)",
        needs: &["features.geojson"],
        run: version,
    },
    Rule {
        name: "planet-counts",
        about: "stats.features counts the features",
        needs: &["features.geojson"],
        run: counts,
    },
];

/// A feature with all that is said of it.
struct Feature {
    /// Its number in the file.
    number: usize,
    /// The index of its face.
    face: usize,
    /// The index of its kind, from 1.
    kind: usize,
    /// Metres from the centre of the planet.
    place: [f64; 3],
    /// The cell that its coordinates in the file name, at most the last of the face.
    cell: (usize, usize),
    /// Whether that cell is the one of its place, or beside it.
    same_cell: bool,
}

impl Feature {
    /// Reads a point. None if kind, face, x, y or z is missing.
    fn of(planet: &Planet, number: usize, shape: &Shape) -> Option<Self> {
        let n = planet.side;
        let place = ["x", "y", "z"].map(|key| shape.number(key));
        let face = FACES.iter().position(|f| shape.word("face") == f.0)?;
        let kind = KINDS[1..].iter().position(|k| shape.word("kind") == *k)? + 1;
        let &[[x, y]] = shape.positions() else { return None };
        if place.iter().any(|c| c.is_nan()) {
            return None;
        }
        let (at, stated) = (cell(face, place, n), (x as usize, y as usize));
        let same_cell = at.0.abs_diff(stated.0) <= 1 && at.1.abs_diff(stated.1) <= 1;
        let cell = (stated.0.min(n - 1), stated.1.min(n - 1));
        Some(Self { number, face, kind, place, cell, same_cell })
    }
}

impl Feature {
    /// Its face and its two whole coordinates, in the order of the axes.
    fn key(&self) -> (usize, [i64; 2]) {
        let others: Vec<i64> =
            (0..3).filter(|k| *k != self.face / 2).map(|k| self.place[k].round() as i64).collect();
        (self.face, [others[0], others[1]])
    }
}

/// The features that can be read.
fn features(planet: &Planet) -> impl Iterator<Item = Feature> {
    let all = planet.shapes("features").iter().enumerate();
    all.filter_map(|(i, shape)| Feature::of(planet, i, shape))
}

fn on_sphere(planet: &Planet, rule: &mut RuleResult) -> Result<()> {
    let radius = planet.param("radius_m")?;
    for (i, shape) in planet.shapes("features").iter().enumerate() {
        let Some(Feature { face, place, .. }) = Feature::of(planet, i, shape) else {
            rule.check(false, None, || format!("feature {i}: {:?} lacks kind, face, x, y or z", shape.about));
            continue;
        };
        let third = along(place, FACES[face].1[0]);
        let length = place.iter().map(|c| c * c).fold(0.0, |a, b| a + b).sqrt();
        let whole = place.iter().filter(|c| c.fract() == 0.0).count() >= 2;
        let good = (length - radius).abs() < 1e-6 && whole && place.iter().all(|c| c.abs() <= third);
        rule.check(good, None, || {
            format!("feature {i} at {place:?}: {length} from the centre, face {}", FACES[face].0)
        });
    }
    Ok(())
}

/// The direction of latitude φ and longitude λ is (cos φ·cos λ, cos φ·sin λ, sin φ).
fn degrees(planet: &Planet, rule: &mut RuleResult) -> Result<()> {
    let radius = planet.param("radius_m")?;
    for (i, shape) in planet.shapes("features").iter().enumerate() {
        let [lat, lon] = ["lat", "lon"].map(|key| shape.number(key));
        let (high, turn) = (lat.to_radians(), lon.to_radians());
        let flat = radius * math::cos(high);
        let stated = [flat * math::cos(turn), flat * math::sin(turn), radius * math::sin(high)];
        let place = ["x", "y", "z"].map(|key| shape.number(key));
        let near = place.iter().zip(stated).all(|(a, b)| (a - b).abs() < 1e-6);
        let good = near && lat.abs() <= 90.0 && lon.abs() <= 180.0;
        rule.check(good, None, || format!("feature {i} at {place:?}: lat {lat}, lon {lon}"));
    }
    Ok(())
}

fn in_cells(planet: &Planet, rule: &mut RuleResult) -> Result<()> {
    let mut kinds: Vec<Grid<u16>> = vec![Grid::filled(planet.side, planet.side, 0); 6];
    for f in features(planet) {
        kinds[f.face][f.cell] |= 1 << (f.kind - 1);
        let stated = planet.classes("feature", f.face)[f.cell];
        rule.check(f.same_cell && stated > 0, Some(f.cell), || {
            format!("feature {} on {}: its cell says {stated}", f.number, FACES[f.face].0)
        });
    }
    for (face, held) in kinds.iter().enumerate() {
        let layer = planet.classes("feature", face).cells();
        for (i, (&stated, &kinds)) in layer.iter().zip(held.cells()).enumerate() {
            let good = if stated == 0 { kinds == 0 } else { stated < 11 && kinds & 1 << (stated - 1) != 0 };
            rule.check(good, planet.at(i), || {
                format!("{}: the layer says {stated}, which none of the features here is", FACES[face].0)
            });
        }
    }
    Ok(())
}

fn dry(planet: &Planet, rule: &mut RuleResult) -> Result<()> {
    let level = planet.param("lake_level")?;
    let most = planet.largest_step(&planet.ground());
    let placed = placed_things(planet)?;
    for f in features(planet).filter(|f| !placed.contains_key(&f.key())) {
        let depth = planet.measure("depth", f.face)[f.cell];
        let fits =
            depth <= 2.0 * most && (planet.seed != 0 || original(f.face, f.place, level) == Some(f.kind));
        rule.check(fits, Some(f.cell), || {
            format!("feature {} at {:?} on {}, depth {depth}", f.number, f.place, FACES[f.face].0)
        });
    }
    Ok(())
}

/// What the parameters place, by face and whole coordinates; the last one of each.
fn placed_things(planet: &Planet) -> Result<BTreeMap<(usize, [i64; 2]), usize>> {
    let radius = planet.param("radius_m")?;
    let text = planet.value("params.placed").as_str().unwrap_or("").to_owned();
    let mut all = BTreeMap::new();
    let uncommented = text.lines().map(|line| line.split('#').next().unwrap_or(""));
    for entry in uncommented.flat_map(|line| line.split(';')) {
        let mut words = entry.split([' ', '\t', ',']).filter(|word| !word.is_empty());
        let Some(kind) = words.next() else { continue };
        let numbers: Option<Vec<f64>> = words.map(|word| word.parse().ok()).collect();
        let kind = KINDS.iter().position(|name| *name == kind);
        let (Some(kind), Some(&[lat, lon])) = (kind, numbers.as_deref()) else {
            return Err(Error::Invalid(format!("params.placed: \"{entry}\" is not a placed thing")));
        };
        let (high, turn) = (lat.to_radians(), (lon % 360.0).to_radians());
        let flat = radius * math::cos(high);
        let v = [flat * math::cos(turn), flat * math::sin(turn), radius * math::sin(high)];
        let axis = (0..3).fold(0, |best, k| if v[k].abs() > v[best].abs() { k } else { best });
        let face = 2 * axis + usize::from(v[axis] < 0.0);
        let others: Vec<usize> = (0..3).filter(|k| *k != axis).collect();
        let ring = |k: usize| (v[k] + 0.5).floor() as i64;
        all.insert((face, crossing(radius, face, [ring(others[0]), ring(others[1])], v)), kind);
    }
    Ok(all)
}

/// The rings of a place: the nearest two, or beside an edge of the cube those within 2 m that meet nearest to the place on its face.
fn crossing(radius: f64, face: usize, [u, v]: [i64; 2], near: [f64; 3]) -> [i64; 2] {
    let place = |[u, v]: [i64; 2]| {
        let third2 = radius * radius - (u * u + v * v) as f64;
        let largest = u.abs().max(v.abs()) as f64;
        // Of two that are equally large the first axis counts, so a later face has the larger coordinate alone.
        let strict = match face / 2 {
            0 => third2.sqrt() >= largest,
            1 => third2.sqrt() > u.abs() as f64 && third2.sqrt() >= v.abs() as f64,
            _ => third2.sqrt() > largest,
        };
        let third = third2.sqrt() * if face.is_multiple_of(2) { 1.0 } else { -1.0 };
        let (u, v) = (u as f64, v as f64);
        (third2 >= largest * largest && strict)
            .then_some([[third, u, v], [u, third, v], [u, v, third]][face / 2])
    };
    if place([u, v]).is_some() {
        return [u, v];
    }
    let mut best = (f64::INFINITY, [u, v]);
    for dv in -2..=2 {
        for du in -2..=2 {
            let Some(there) = place([u + du, v + dv]) else { continue };
            let far = (0..3).map(|k| (there[k] - near[k]) * (there[k] - near[k])).fold(0.0, |a, b| a + b);
            if far < best.0 {
                best = (far, [u + du, v + dv]);
            }
        }
    }
    best.1
}

fn placed(planet: &Planet, rule: &mut RuleResult) -> Result<()> {
    let placed = placed_things(planet)?;
    let there: BTreeMap<_, usize> = features(planet).map(|f| (f.key(), f.kind)).collect();
    for (key, kind) in &placed {
        let found = there.get(key).copied().unwrap_or(0);
        rule.check(found == *kind, None, || {
            format!("{} at {key:?}, where {} was placed", KINDS[found], KINDS[*kind])
        });
    }
    for f in features(planet) {
        rule.check(f.kind <= LAST_NATURAL || placed.contains_key(&f.key()), Some(f.cell), || {
            format!("{} at {:?} was not placed", KINDS[f.kind], f.place)
        });
    }
    Ok(())
}

fn version(planet: &Planet, rule: &mut RuleResult) -> Result<()> {
    for f in features(planet) {
        let told = planet.shapes("features")[f.number].number("version");
        let (face, [u, v]) = f.key();
        let bits = PI * 10000.0 * (u + 100_003 * face as i64) as f64 * v as f64;
        let good = match planet.seed {
            0 => told == ((bits + 0.5).floor() as i64 & 3) as f64,
            _ => [0.0, 1.0, 2.0, 3.0].contains(&told),
        };
        rule.check(good, Some(f.cell), || format!("feature {} has the version {told}", f.number));
    }
    Ok(())
}

fn counts(planet: &Planet, rule: &mut RuleResult) -> Result<()> {
    planet.same(rule, "features", planet.shapes("features").len() as f64, 0.0);
    Ok(())
}

/// The feature of seed 0 at a place, by the document's program with a third coordinate; none in lakes, mud and towns.
fn original(face: usize, v: [f64; 3], level: f64) -> Option<usize> {
    let j =
        |c: &[[i64; 5]; 3], i: usize| c[0][i] as f64 * v[0] + c[1][i] as f64 * v[1] + c[2][i] as f64 * v[2];
    let steps = |c: &[[i64; 5]; 3]| -> i64 {
        (0..5).map(|i| i64::from(PROFILE[((j(c, i).floor() as i64 >> 7) & 255) as usize])).sum()
    };
    let height: f64 = (0..5)
        .map(|i| {
            let at = j(&HEIGHT, i) / 128.0;
            let value = |k: i64| f64::from(PROFILE[(k & 255) as usize]);
            let (here, next) = (value(at.floor() as i64), value(at.floor() as i64 + 1));
            here + (at - at.floor()) * (next - here)
        })
        .sum();
    if height < level || height < f64::from(MUD_LEVEL) || steps(&TOWN) < 120 {
        return None;
    }
    let others: Vec<i64> = (0..3).filter(|k| *k != face / 2).map(|k| v[k] as i64).collect();
    let p = others[0].wrapping_add(100_003 * face as i64).wrapping_mul(others[1]);
    let low = |value: f64, mask: i64| (value + 0.5).floor() as i64 & mask;
    match low(steps(&FEATURE).wrapping_mul(p) as f64 / 128.0, 0xfff) {
        4 => Some(match p & 255 {
            0..32 => 1,
            32..128 => 2,
            128..160 => 4,
            160..200 => 5,
            _ => 3,
        }),
        8 if low(PI * 1000.0 * p as f64, 255) < 4 => Some(6),
        16 if low(PI * 10000.0 * p as f64, 255) < 8 => Some(7),
        _ => None,
    }
}
