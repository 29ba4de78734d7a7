//! Files, waters, edges of the cube and shares of the sphere.

use super::Rule;
use super::faces::{FACES, Planet, across};
use crate::check::{RuleResult, map};
use crate::error::Result;
use crate::files;
use std::f64::consts::{FRAC_PI_4, PI};
use weald_core::math;

const TERRAINS: [(u8, &str); 7] =
    [(0, "lake"), (1, "town"), (2, "grass"), (3, "moor"), (4, "wood"), (5, "thicket"), (7, "mud")];
/// The document's level of lakes: ground below it that is dry is mud.
pub(super) const MUD_LEVEL: f32 = 204.0;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "line-files",
        about: "the files of the manifest are there, features.geojson with as many points as it says",
        needs: &[],
        run: files,
    },
    Rule {
        name: "planet-water",
        about: "terrain is lake where depth > 0; there the height is lake_level, elsewhere no lower; dry ground below 204 is mud",
        needs: &["terrain", "height", "depth"],
        run: water,
    },
    Rule {
        name: "planet-edges",
        about: "the ground changes across an edge of the cube no more than between cells inside the faces",
        needs: &["height", "depth"],
        run: edges,
    },
    Rule {
        name: "planet-shares",
        about: "stats.terrain_share is the share of the sphere of each kind",
        needs: &["terrain"],
        run: shares,
    },
];

fn files(planet: &Planet, rule: &mut RuleResult) -> Result<()> {
    map::files(planet, rule)?;
    let there = files::is_file(&planet.dir.join("features.geojson"));
    rule.check(there, None, || "there is no features.geojson".into());
    Ok(())
}

/// Lakes are where the water is deep, and their surface is level.
fn water(planet: &Planet, rule: &mut RuleResult) -> Result<()> {
    let level = planet.param("lake_level")? as f32;
    for (k, (name, _)) in FACES.iter().enumerate() {
        let (heights, depths) = (planet.measure("height", k).cells(), planet.measure("depth", k).cells());
        for (i, &terrain) in planet.classes("terrain", k).cells().iter().enumerate() {
            let (height, depth) = (heights[i], depths[i]);
            let known = TERRAINS.iter().any(|t| t.0 == terrain);
            let lake = terrain == 0;
            let good = known
                && lake == (depth > 0.0)
                && depth >= 0.0
                && (if lake { height == level } else { height >= level })
                && (lake || (terrain == 7) == (height < MUD_LEVEL));
            rule.check(good, planet.at(i), || {
                format!(
                    "{name}: terrain {terrain} with height {height} and depth {depth}, the level is {level}"
                )
            });
        }
    }
    Ok(())
}

/// Steps across the edges of faces are hardly larger than steps inside: of few cells the largest step may be one of them.
fn edges(planet: &Planet, rule: &mut RuleResult) -> Result<()> {
    let (n, ground) = (planet.side, planet.ground());
    let most = planet.largest_step(&ground);
    // Of a few cells, or of a world that is level inside, nothing can be said.
    if n < 16 || most == 0.0 {
        return Ok(());
    }
    for (k, (from, _)) in FACES.iter().enumerate() {
        for side in 0..4 {
            for at in 0..n {
                let here = [(n - 1, at), (at, n - 1), (0, at), (at, 0)][side];
                let (other, there) = across(k, side, at, n);
                let step = (ground[k][here.1 * n + here.0] - ground[other][there.1 * n + there.0]).abs();
                rule.check(step <= 1.5 * most, Some(here), || {
                    let to = FACES[other].0;
                    format!("{from} to {to}: a step of {step}, inside the faces the largest is {most}")
                });
            }
        }
    }
    Ok(())
}

/// Shares of the sphere by solid angle.
fn shares(planet: &Planet, rule: &mut RuleResult) -> Result<()> {
    let n = planet.side;
    let edge = |i: usize| math::tan((2.0 * i as f64 / n as f64 - 1.0) * FRAC_PI_4);
    let corner = |s: f64, t: f64| math::atan2(s * t, (1.0 + s * s + t * t).sqrt());
    let faces: [_; 6] = std::array::from_fn(|k| planet.classes("terrain", k));
    let mut sums = [0.0f64; 256];
    for y in 0..n {
        for x in 0..n {
            let (s0, s1, t0, t1) = (edge(x), edge(x + 1), edge(y), edge(y + 1));
            let angle = corner(s1, t1) - corner(s0, t1) - corner(s1, t0) + corner(s0, t0);
            faces.iter().for_each(|g| sums[g[(x, y)] as usize] += angle);
        }
    }
    for (value, name) in TERRAINS {
        planet.same(rule, &format!("terrain_share.{name}"), sums[value as usize] / (4.0 * PI), 1e-9);
    }
    Ok(())
}
