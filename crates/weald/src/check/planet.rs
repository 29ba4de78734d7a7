//! The rules of a planet, from its layers and its features.
//!
//! The faces are laid out a second time here, from the description in the documentation: normal, right, down.

use super::folder::{Arrays, Manifest, parameter, points, seed};
use super::{Report, RuleResult};
use crate::error::Result;
use serde_json::Value;
use std::f64::consts::{FRAC_PI_4, PI};
use std::path::Path;
use weald_core::AnyGrid;
use weald_core::waves::ORIGINAL;
use weald_core::{Grid, math};

/// Name, normal, right, down; an axis is 1, 2 or 3 with its sign.
const FACES: [(&str, [i8; 3]); 6] = [
    ("px", [1, 2, -3]),
    ("nx", [-1, -2, -3]),
    ("py", [2, -1, -3]),
    ("ny", [-2, 1, -3]),
    ("pz", [3, 2, 1]),
    ("nz", [-3, 2, -1]),
];

const TERRAINS: [(u8, &str); 7] =
    [(0, "lake"), (1, "town"), (2, "grass"), (3, "moor"), (4, "wood"), (5, "thicket"), (7, "mud")];
const KINDS: [&str; 8] = ["none", "mine", "boulder", "root", "waterhole", "knoll", "x", "cone"];
/// The document's level of lakes: below it is mud.
const MUD_LEVEL: f32 = 204.0;

/// What the layers of one face hold.
struct Faces<'a> {
    height: Vec<&'a Grid<f32>>,
    depth: Vec<&'a Grid<f32>>,
    terrain: Vec<&'a Grid<u8>>,
    feature: Vec<&'a Grid<u8>>,
    side: usize,
}

impl Faces<'_> {
    /// Height of the ground, under water too.
    fn ground(&self, k: usize, (x, y): (usize, usize)) -> f32 {
        self.height[k][(x, y)] - self.depth[k][(x, y)]
    }
}

/// The largest change of the ground between neighbours inside a face.
fn largest_step(f: &Faces) -> f32 {
    let mut most = 0.0f32;
    for k in 0..6 {
        for y in 0..f.side {
            for x in 0..f.side {
                let here = f.ground(k, (x, y));
                if x + 1 < f.side {
                    most = most.max((f.ground(k, (x + 1, y)) - here).abs());
                }
                if y + 1 < f.side {
                    most = most.max((f.ground(k, (x, y + 1)) - here).abs());
                }
            }
        }
    }
    most
}

/// Coefficients of seed 0 along x, y and z: heights, towns, features.
const HEIGHT: [[i64; 5]; 3] = [[0, 13, 21, 22, 29], [27, 26, 21, 11, 1], [15, -40, 1, 37, -15]];
const TOWN: [[i64; 5]; 3] = [[-43, -43, -56, 31, 4], [-3, -12, 22, 2, 32], [-60, 13, -13, -60, -4]];
const FEATURE: [[i64; 5]; 3] = [[15, -54, -34, -51, -43], [-51, -62, -58, -64, 33], [7, -5, -70, 70, 30]];

/// The feature of seed 0 at a place, by the document's program with a third coordinate; none in lakes, mud and towns.
fn original(face: usize, v: [f64; 3], level: f64) -> Option<usize> {
    let j =
        |c: &[[i64; 5]; 3], i: usize| c[0][i] as f64 * v[0] + c[1][i] as f64 * v[1] + c[2][i] as f64 * v[2];
    let steps = |c: &[[i64; 5]; 3]| -> i64 {
        (0..5).map(|i| ORIGINAL[((j(c, i).floor() as i64 >> 7) & 255) as usize] as i64).sum()
    };
    let height: f64 = (0..5)
        .map(|i| {
            let at = j(&HEIGHT, i) / 128.0;
            let value = |k: i64| f64::from(ORIGINAL[(k & 255) as usize]);
            let (here, next) = (value(at.floor() as i64), value(at.floor() as i64 + 1));
            here + (at - at.floor()) * (next - here)
        })
        .sum();
    if height < level || height < f64::from(MUD_LEVEL) || steps(&TOWN) < 120 {
        return None;
    }
    let others: Vec<i64> = (0..3).filter(|k| *k != face / 2).map(|k| v[k] as i64).collect();
    let p = (others[0] + 100_003 * face as i64) * others[1];
    let low = |value: f64, mask: i64| (value + 0.5).floor() as i64 & mask;
    match low((steps(&FEATURE) * p) as f64 / 128.0, 0xfff) {
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

/// Runs the rules whose layers are there.
pub(super) fn rules(dir: &Path, manifest: &Manifest, arrays: &Arrays, report: &mut Report) -> Result<()> {
    let measure = |what: &str| -> Option<Vec<&Grid<f32>>> {
        FACES
            .iter()
            .map(|f| match arrays.get(&format!("{what}_{}", f.0)) {
                Some(AnyGrid::F32(g)) => Some(g),
                _ => None,
            })
            .collect()
    };
    let classes = |what: &str| -> Option<Vec<&Grid<u8>>> {
        FACES
            .iter()
            .map(|f| match arrays.get(&format!("{what}_{}", f.0)) {
                Some(AnyGrid::U8(g)) => Some(g),
                _ => None,
            })
            .collect()
    };
    let all = (measure("height"), measure("depth"), classes("terrain"), classes("feature"));
    let (Some(height), Some(depth), Some(terrain), Some(feature)) = all else {
        report
            .notes
            .push("the rules of the ground were not checked: some of the 24 layers are missing".into());
        return Ok(());
    };
    let faces = Faces { height, depth, terrain, feature, side: manifest.frame.width };
    report.rules.push(water(&faces, parameter(manifest, "lake_level")? as f32));
    report.rules.push(edges(&faces));
    report.rules.push(shares(&faces, &manifest.stats));
    features(dir, manifest, &faces, report)
}

/// Lakes are where the water is deep, and their surface is level.
fn water(f: &Faces, level: f32) -> RuleResult {
    let about = "lake where depth > 0, and only there the height is the level with the ground below it; mud below 204";
    let mut rule = RuleResult::new("planet-water", about);
    for (k, (name, _)) in FACES.iter().enumerate() {
        for i in 0..f.height[k].len() {
            let (height, depth) = (f.height[k].cells()[i], f.depth[k].cells()[i]);
            let terrain = f.terrain[k].cells()[i];
            let known = TERRAINS.iter().any(|t| t.0 == terrain);
            let lake = terrain == 0;
            let good = known
                && lake == (depth > 0.0)
                && depth >= 0.0
                && (if lake { height == level } else { height >= level })
                && (lake || (terrain == 7) == (height < MUD_LEVEL));
            rule.check(good, Some((i % f.side, i / f.side)), || {
                format!(
                    "{name}: terrain {terrain} with height {height} and depth {depth}, the level is {level}"
                )
            });
        }
    }
    rule
}

/// The component of a vector along an axis with sign.
fn along(v: [f64; 3], axis: i8) -> f64 {
    v[axis.unsigned_abs() as usize - 1] * f64::from(axis.signum())
}

/// The cell of the neighbouring face that touches the middle of the edge of a cell: `side` is 0 right, 1 down, 2 left, 3 up, and
/// `at` the number of the cell along the edge.
fn across(face: usize, side: usize, at: usize, n: usize) -> (usize, (usize, usize)) {
    let [normal, right, down] = FACES[face].1;
    let out = [right, down, -right, -down][side];
    let beside = if side.is_multiple_of(2) { down } else { right };
    let mut v = [0.0; 3];
    for (axis, size) in [
        (normal, 1.0 - 1e-9),
        (out, 1.0),
        (beside, math::tan(((2 * at + 1) as f64 / n as f64 - 1.0) * FRAC_PI_4)),
    ] {
        v[axis.unsigned_abs() as usize - 1] = size * f64::from(axis.signum());
    }
    let other = FACES.iter().position(|f| f.1[0] == out).expect("every axis is the normal of a face");
    (other, cell(other, v, n))
}

/// Column and row of a direction on a face.
fn cell(face: usize, v: [f64; 3], n: usize) -> (usize, usize) {
    let [normal, right, down] = FACES[face].1;
    let index = |axis: i8| {
        let angle = math::atan2(along(v, axis), along(v, normal));
        (((angle / FRAC_PI_4 + 1.0) / 2.0 * n as f64).max(0.0) as usize).min(n - 1)
    };
    (index(right), index(down))
}

/// Steps across the edges of faces are no larger than steps inside.
fn edges(f: &Faces) -> RuleResult {
    let about = "the ground changes across an edge of the cube no more than between cells inside the faces";
    let mut rule = RuleResult::new("planet-edges", about);
    let n = f.side;
    let most = largest_step(f);
    // Of a few cells, or of a world that is level inside, nothing can be said.
    if n < 16 || most == 0.0 {
        return rule;
    }
    for (k, (from, _)) in FACES.iter().enumerate() {
        for side in 0..4 {
            for at in 0..n {
                let here = [(n - 1, at), (at, n - 1), (0, at), (at, 0)][side];
                let (other, there) = across(k, side, at, n);
                let step = (f.ground(k, here) - f.ground(other, there)).abs();
                rule.check(step <= most, Some(here), || {
                    let to = FACES[other].0;
                    format!("{from} to {to}: a step of {step}, inside the faces the largest is {most}")
                });
            }
        }
    }
    rule
}

/// Shares of the sphere by solid angle.
fn shares(f: &Faces, stats: &Value) -> RuleResult {
    let mut rule =
        RuleResult::new("planet-shares", "stats.terrain_share is the share of the sphere of each kind");
    let n = f.side;
    let edge = |i: usize| math::tan((2.0 * i as f64 / n as f64 - 1.0) * FRAC_PI_4);
    let corner = |s: f64, t: f64| math::atan2(s * t, (1.0 + s * s + t * t).sqrt());
    let mut sums = [0.0f64; 256];
    for y in 0..n {
        for x in 0..n {
            let (s0, s1, t0, t1) = (edge(x), edge(x + 1), edge(y), edge(y + 1));
            let angle = corner(s1, t1) - corner(s0, t1) - corner(s1, t0) + corner(s0, t0);
            f.terrain.iter().for_each(|g| sums[g[(x, y)] as usize] += angle);
        }
    }
    for (value, name) in TERRAINS {
        let (stated, found) = (stats["terrain_share"][name].as_f64(), sums[value as usize] / (4.0 * PI));
        rule.check(stated.is_some_and(|v| (v - found).abs() < 1e-9), None, || {
            format!("{name}: {found}, the manifest says {stated:?}")
        });
    }
    rule
}

/// Features lie on the sphere where two rings cross, on dry ground, and in their cells.
fn features(dir: &Path, manifest: &Manifest, f: &Faces, report: &mut Report) -> Result<()> {
    let radius = parameter(manifest, "radius_m")?;
    let path = dir.join("features.geojson");
    let mut on_sphere = RuleResult::new(
        "planet-features",
        "a feature is on the sphere, with two whole coordinates and the third one the largest",
    );
    let mut in_cells = RuleResult::new(
        "planet-feature-cells",
        "the cell of a feature holds a feature that lies in it, and no other cell holds any",
    );
    let mut dry = RuleResult::new(
        "planet-features-dry",
        "no feature lies in deep water; of seed 0, each passes the document's tests for features, lakes, mud and towns",
    );
    let (seed, level) = (seed(manifest)?, parameter(manifest, "lake_level")?);
    let most = largest_step(f);
    let mut seen: Vec<Grid<u8>> = vec![Grid::filled(f.side, f.side, 0); 6];
    let all = points(&path)?;
    for (i, (properties, [x, y])) in all.iter().enumerate() {
        let v: Vec<f64> = ["x", "y", "z"].iter().filter_map(|k| properties[*k].as_f64()).collect();
        let face = FACES.iter().position(|f| properties["face"] == f.0);
        let kind = KINDS[1..].iter().position(|k| properties["kind"] == *k);
        let (&[a, b, c], Some(face), Some(kind)) = (v.as_slice(), face, kind) else {
            on_sphere.check(false, None, || format!("feature {i}: {properties} lacks kind, face, x, y or z"));
            continue;
        };
        let v = [a, b, c];
        let third = along(v, FACES[face].1[0]);
        let length = (a * a + b * b + c * c).sqrt();
        let whole = v.iter().filter(|c| c.fract() == 0.0).count() >= 2;
        let good = (length - radius).abs() < 1e-6 && whole && v.iter().all(|c| c.abs() <= third);
        on_sphere.check(good, None, || {
            format!("feature {i} at {v:?}: {length} from the middle, face {}", FACES[face].0)
        });
        let at = cell(face, v, f.side);
        let near = (*x as usize, *y as usize);
        let same = at.0.abs_diff(near.0) <= 1 && at.1.abs_diff(near.1) <= 1;
        let at = (near.0.min(f.side - 1), near.1.min(f.side - 1));
        seen[face][at] |= 1 << kind;
        let fits =
            f.depth[face][at] <= 2.0 * most && (seed != 0 || original(face, v, level) == Some(kind + 1));
        dry.check(fits, Some(at), || {
            format!("feature {i} at {v:?} on {}, depth {}", FACES[face].0, f.depth[face][at])
        });
        in_cells.check(same && f.feature[face][at] > 0, Some(at), || {
            format!("feature {i} on {}: its cell says {}", FACES[face].0, f.feature[face][at])
        });
    }
    for (face, held) in seen.iter().enumerate() {
        for (i, &kinds) in held.cells().iter().enumerate() {
            let said = f.feature[face].cells()[i];
            let good = if said == 0 { kinds == 0 } else { said < 8 && kinds & 1 << (said - 1) != 0 };
            in_cells.check(good, Some((i % f.side, i / f.side)), || {
                format!("{}: the layer says {said}, which none of the features here is", FACES[face].0)
            });
        }
    }
    let mut counted = RuleResult::new("planet-counts", "stats.features counts the features");
    counted.check(manifest.stats["features"].as_u64() == Some(all.len() as u64), None, || {
        format!("{} features, the manifest says {}", all.len(), manifest.stats["features"])
    });
    report.rules.extend([on_sphere, in_cells, dry, counted]);
    Ok(())
}
