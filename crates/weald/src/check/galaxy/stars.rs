//! The stars: the table, the layer, the points and the figures.

use super::Rule;
use super::space::{Galaxy, Row, star};
use crate::check::{RuleResult, map};
use crate::error::Result;

/// Every how many columns of space are searched for stars that the table lacks.
const EVERY: usize = 97;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "line-files",
        about: "the files of the manifest are there, stars.geojson with as many points as it says",
        needs: &[],
        run: map::files,
    },
    Rule {
        name: "galaxy-stars",
        about: "every star of the table passes the test for stars, lies in the block, and has its magnitude, planets and colour",
        needs: &["stars.csv"],
        run: table,
    },
    Rule {
        name: "galaxy-no-more-stars",
        about: "one in 97 columns of space, searched place by place, has no star that the table lacks",
        needs: &["stars.csv"],
        run: complete,
    },
    Rule {
        name: "galaxy-star-layer",
        about: "the layer stars counts the stars of the table",
        needs: &["stars", "stars.csv"],
        run: layer,
    },
    Rule {
        name: "galaxy-points",
        about: "stars.geojson holds the stars of the table in the same order",
        needs: &["stars.csv"],
        run: points,
    },
    Rule {
        name: "galaxy-stats",
        about: "the figures of the manifest are those of the table",
        needs: &["stars.csv"],
        run: figures,
    },
];

/// Every star is one, lies in the block, and has what its place says.
fn table(g: &Galaxy, rule: &mut RuleResult) -> Result<()> {
    let (least, range) = (g.param("stars.min_magnitude")?, g.param("stars.magnitude_range")?);
    for (i, row) in g.rows.iter().enumerate() {
        let inside = (0..3).all(|k| (0..g.block[k]).contains(&row.place[k].wrapping_sub(g.corner[k])));
        let ordered = i == 0 || {
            let key = |r: &Row| [r.place[2], r.place[1], r.place[0]];
            key(&g.rows[i - 1]) < key(row)
        };
        let good = star(g.seed, row.place).is_some_and(|(byte, planets, colour)| {
            let magnitude = least + range * f64::from(byte) / 7.0;
            (planets, colour) == (row.planets, row.colour) && (magnitude - row.magnitude).abs() < 1e-9
        });
        rule.check(inside && ordered && good, None, || {
            let Row { place, magnitude, planets, colour } = row;
            format!("{place:?}: magnitude {magnitude}, {planets} planets, colour {colour}")
        });
    }
    Ok(())
}

/// Columns of space hold no star that the table lacks.
fn complete(g: &Galaxy, rule: &mut RuleResult) -> Result<()> {
    let (corner, [width, height, depth]) = (g.corner, g.block);
    let mut known: Vec<[i64; 3]> = g.rows.iter().map(|r| r.place).collect();
    known.sort_unstable();
    for column in (0..width * height).step_by(EVERY) {
        for layer in 0..depth {
            let place = [corner[0] + column % width, corner[1] + column / width, corner[2] + layer];
            let good = star(g.seed, place).is_none() || known.binary_search(&place).is_ok();
            rule.check(good, None, || format!("there is a star at {place:?}"));
        }
    }
    Ok(())
}

fn layer(g: &Galaxy, rule: &mut RuleResult) -> Result<()> {
    let mut found = vec![0u64; g.cells()];
    for row in &g.rows {
        let at = [0, 1].map(|k| row.place[k].wrapping_sub(g.corner[k]));
        if (0..2).all(|k| (0..g.block[k]).contains(&at[k])) {
            found[at[1] as usize * g.width + at[0] as usize] += 1;
        }
    }
    for (i, (&stated, &found)) in g.counts("stars").cells().iter().zip(&found).enumerate() {
        rule.check(u64::from(stated) == found, g.at(i), || {
            format!("the layer says {stated} stars, the table has {found}")
        });
    }
    Ok(())
}

fn points(g: &Galaxy, rule: &mut RuleResult) -> Result<()> {
    let (points, rows) = (g.shapes("stars"), &g.rows);
    rule.check(points.len() == rows.len(), None, || {
        format!("{} points and {} lines", points.len(), rows.len())
    });
    for (p, row) in points.iter().zip(rows) {
        let at = p.positions().first().copied().unwrap_or([f64::NAN; 2]);
        let good = ["x", "y", "z"].map(|key| p.whole(key)) == row.place.map(Some)
            && p.number("magnitude") == row.magnitude
            && (p.whole("planets"), p.whole("colour")) == (Some(row.planets.into()), Some(row.colour.into()))
            && (0..2).all(|k| at[k] == row.place[k].wrapping_sub(g.corner[k]) as f64 + 0.5);
        rule.check(good, None, || format!("{:?} at {at:?} is not the star at {:?}", p.about, row.place));
    }
    Ok(())
}

/// The figures of the manifest.
fn figures(g: &Galaxy, rule: &mut RuleResult) -> Result<()> {
    let limit = g.param("stars.visible_below")?;
    let volume = g.block.iter().map(|&v| v as f64).product::<f64>();
    let density = g.rows.len() as f64 / volume;
    g.same(rule, "stars", g.rows.len() as f64, 0.0);
    g.same(rule, "density_per_ly3", density, 1e-9 * density);
    let stats = g.value("stats");
    for planets in 0..16u8 {
        let found = g.rows.iter().filter(|r| r.planets == planets).count() as u64;
        rule.check(stats["stars_by_planets"][planets as usize].as_u64() == Some(found), None, || {
            format!("{found} stars have {planets} planets")
        });
    }
    let square = |r: &Row| {
        let away = |k: usize| r.place[k] as f64 - g.viewer[k] as f64;
        (0..3).map(|k| away(k) * away(k)).sum::<f64>()
    };
    let nearest = g.rows.iter().filter(|r| r.magnitude < limit).map(square).fold(f64::INFINITY, f64::min);
    let stated = &stats["nearest_visible"];
    let distance = nearest.sqrt();
    let good = match stated["distance_ly"].as_f64() {
        Some(v) => nearest.is_finite() && (v - distance).abs() <= 1e-9 * distance,
        None => stated.is_null() && nearest.is_infinite(),
    };
    rule.check(good, None, || format!("the nearest visible star is {distance} light years away"));
    Ok(())
}
