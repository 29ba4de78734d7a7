//! The rules of a galaxy, from its table of stars, its layers and its points.

use super::folder::{Arrays, Manifest, parameter, points, seed, text};
use super::{Report, RuleResult};
use crate::error::{Error, Result};
use std::path::Path;
use weald_core::AnyGrid;
use weald_core::Seed;
use weald_core::waves::ORIGINAL;

/// Coefficients of the test for stars of seed 0.
const S: [i64; 5] = [-43, -43, -56, 31, 4];
const T: [i64; 5] = [-3, -12, 22, 2, 32];
const U: [i64; 5] = [-24, -25, 60, 10, -30];

/// Every how many columns of space are searched for stars that the table lacks.
const EVERY: usize = 97;

/// One line of the table.
#[derive(Clone, Copy, PartialEq)]
struct Row {
    place: [i64; 3],
    magnitude: f64,
    planets: u8,
    colour: u8,
}

/// The low byte, planets and colour of a place with a star: seed 0 by the document's expression, else by hash.
fn star(seed: u64, [x, y, z]: [i64; 3]) -> Option<(u8, u8, u8)> {
    let (f, bits) = if seed == 0 {
        let a: i64 = (0..5)
            .map(|i| ORIGINAL[((S[i] * x + T[i] * y + U[i] * z).div_euclid(128) & 255) as usize] as i64)
            .sum();
        let p = x.wrapping_mul(y).wrapping_mul(z);
        {
            let (v, below) = (a as f64 * p as f64 / 128.0, (a as f64 * p as f64 / 128.0).floor());
            let f = if v - below >= 0.5 { below + 1.0 } else { below };
            (f as i64 & 4095, p as u64)
        }
    } else {
        let hash = Seed(Seed(seed).of("stars").at(y, z)).at(x, 0);
        ((hash & 4095) as i64, hash >> 12)
    };
    let byte = (bits & 255) as u8;
    (f == 127 && (1..=7).contains(&byte)).then_some((byte, (bits >> 8 & 15) as u8, (bits >> 12 & 15) as u8))
}

/// Runs the rules.
pub(super) fn rules(dir: &Path, manifest: &Manifest, arrays: &Arrays, report: &mut Report) -> Result<()> {
    let path = dir.join("stars.csv");
    if !path.exists() {
        report.notes.push("the rules of the stars were not checked: there is no stars.csv".into());
        return Ok(());
    }
    let rows = read(&path)?;
    let seed = seed(manifest)?;
    let (width, height) = (manifest.frame.width, manifest.frame.height);
    let number = |path: &str| parameter(manifest, path);
    let corner = [
        number("at.x")? as i64 - (width / 2) as i64,
        number("at.y")? as i64 - (height / 2) as i64,
        number("at.z")? as i64,
    ];
    let depth = number("depth_ly")? as i64;
    let block = [width as i64, height as i64, depth];
    let least = (number("stars.min_magnitude")?, number("stars.magnitude_range")?);
    report.rules.push(table(&rows, seed, (corner, block), least));
    report.rules.push(complete(&rows, seed, corner, block));
    if let Some(AnyGrid::U16(counts)) = arrays.get("stars") {
        let mut rule = RuleResult::new("galaxy-star-layer", "the layer stars counts the stars of the table");
        let mut left = counts.clone();
        for row in &rows {
            let at = [0, 1].map(|k| (row.place[k] - corner[k]) as usize);
            if at[0] < width && at[1] < height {
                left[(at[0], at[1])] = left[(at[0], at[1])].wrapping_sub(1);
            }
        }
        for (i, &rest) in left.cells().iter().enumerate() {
            rule.check(rest == 0, Some((i % width, i / width)), || {
                "counts other stars than the table".into()
            });
        }
        report.rules.push(rule);
    }
    report.rules.push(same_points(&rows, &dir.join("stars.geojson"), corner)?);
    report.rules.push(gas(arrays));
    report.rules.push(figures(&rows, manifest, block, number("stars.visible_below")?));
    Ok(())
}

fn read(path: &Path) -> Result<Vec<Row>> {
    let text = text(path)?;
    let mut lines = text.lines();
    let bad = |line: usize, what: &str| {
        Error::Invalid(format!("{}:{line}: {what}; make the folder again", path.display()))
    };
    if lines.next() != Some("x,y,z,magnitude,planets,colour") {
        return Err(bad(1, "must be x,y,z,magnitude,planets,colour"));
    }
    let row = |line: &str| -> Option<Row> {
        let cells: Vec<&str> = line.split(',').collect();
        let [x, y, z, magnitude, planets, colour] = cells[..] else { return None };
        Some(Row {
            place: [x.parse().ok()?, y.parse().ok()?, z.parse().ok()?],
            magnitude: magnitude.parse().ok()?,
            planets: planets.parse().ok()?,
            colour: colour.parse().ok()?,
        })
    };
    lines.enumerate().map(|(i, l)| row(l).ok_or_else(|| bad(i + 2, "is not a star of six numbers"))).collect()
}

/// Every star is one, lies in the block, and has what its place says.
fn table(
    rows: &[Row],
    seed: u64,
    (corner, block): ([i64; 3], [i64; 3]),
    (least, range): (f64, f64),
) -> RuleResult {
    let about = "every star of the table passes the test for stars, lies in the block, and has its magnitude, planets and colour";
    let mut rule = RuleResult::new("galaxy-stars", about);
    for (i, row) in rows.iter().enumerate() {
        let inside = (0..3).all(|k| (0..block[k]).contains(&(row.place[k] - corner[k])));
        let ordered = i == 0 || {
            let key = |r: &Row| [r.place[2], r.place[1], r.place[0]];
            key(&rows[i - 1]) < key(row)
        };
        let good = star(seed, row.place).is_some_and(|(byte, planets, colour)| {
            let magnitude = least + range * f64::from(byte) / 7.0;
            (planets, colour) == (row.planets, row.colour) && (magnitude - row.magnitude).abs() < 1e-9
        });
        rule.check(inside && ordered && good, None, || {
            format!(
                "{:?}: magnitude {}, {} planets, colour {}",
                row.place, row.magnitude, row.planets, row.colour
            )
        });
    }
    rule
}

/// Columns of space hold no star that the table lacks.
fn complete(rows: &[Row], seed: u64, corner: [i64; 3], [width, height, depth]: [i64; 3]) -> RuleResult {
    let about = "one in 97 columns of space, searched place by place, has no star that the table lacks";
    let mut rule = RuleResult::new("galaxy-no-more-stars", about);
    let mut known: Vec<[i64; 3]> = rows.iter().map(|r| r.place).collect();
    known.sort_unstable();
    for column in (0..width * height).step_by(EVERY) {
        for layer in 0..depth {
            let place = [corner[0] + column % width, corner[1] + column / width, corner[2] + layer];
            let good = star(seed, place).is_none() || known.binary_search(&place).is_ok();
            rule.check(good, None, || format!("there is a star at {place:?}"));
        }
    }
    rule
}

fn same_points(rows: &[Row], path: &Path, corner: [i64; 3]) -> Result<RuleResult> {
    let mut rule =
        RuleResult::new("galaxy-points", "stars.geojson holds the stars of the table in the same order");
    let points = points(path)?;
    rule.check(points.len() == rows.len(), None, || {
        format!("{} points and {} lines", points.len(), rows.len())
    });
    for ((p, at), row) in points.iter().zip(rows) {
        let whole = |key: &str| p[key].as_i64();
        let good = [whole("x"), whole("y"), whole("z")] == row.place.map(Some)
            && p["magnitude"].as_f64() == Some(row.magnitude)
            && (whole("planets"), whole("colour")) == (Some(row.planets.into()), Some(row.colour.into()))
            && (0..2).all(|k| at[k] == (row.place[k] - corner[k]) as f64 + 0.5);
        rule.check(good, None, || format!("{p} at {at:?} is not the star at {:?}", row.place));
    }
    Ok(rule)
}

fn gas(arrays: &Arrays) -> RuleResult {
    let mut rule =
        RuleResult::new("galaxy-gas", "nebula is the sum of its three parts, none of them below 0");
    let get = |name: &str| match arrays.get(name) {
        Some(AnyGrid::F32(g)) => Some(g.cells()),
        _ => None,
    };
    let all = ["nebula", "nebula_near", "nebula_middle", "nebula_far"].map(get);
    if let [Some(sum), Some(near), Some(middle), Some(far)] = all {
        for i in 0..sum.len() {
            let parts = [near[i], middle[i], far[i]];
            let good = parts.iter().all(|&p| p >= 0.0) && parts[0] + parts[1] + parts[2] == sum[i];
            rule.check(good, None, || format!("cell {i}: {parts:?} make {}", sum[i]));
        }
    }
    rule
}

/// The figures of the manifest.
fn figures(rows: &[Row], manifest: &Manifest, block: [i64; 3], limit: f64) -> RuleResult {
    let mut rule = RuleResult::new("galaxy-stats", "the figures of the manifest are those of the table");
    let stats = &manifest.stats;
    let volume = block.iter().map(|&v| v as f64).product::<f64>();
    let near = |v: &serde_json::Value, found: f64| {
        v.as_f64().is_some_and(|v| (v - found).abs() <= 1e-9 * found.abs())
    };
    rule.check(stats["stars"].as_u64() == Some(rows.len() as u64), None, || format!("{} stars", rows.len()));
    let density = rows.len() as f64 / volume;
    rule.check(near(&stats["density_per_ly3"], density), None, || format!("density {density}"));
    for planets in 0..16u8 {
        let found = rows.iter().filter(|r| r.planets == planets).count() as u64;
        rule.check(stats["stars_by_planets"][planets as usize].as_u64() == Some(found), None, || {
            format!("{found} stars have {planets} planets")
        });
    }
    let square = |r: &Row| r.place.iter().map(|&c| c as f64 * c as f64).sum::<f64>();
    let nearest = rows.iter().filter(|r| r.magnitude < limit).map(square).fold(f64::INFINITY, f64::min);
    let stated = &stats["nearest_visible"];
    let good =
        if nearest.is_finite() { near(&stated["distance_ly"], nearest.sqrt()) } else { stated.is_null() };
    rule.check(good, None, || format!("the nearest visible star is {} light years away", nearest.sqrt()));
    rule
}
