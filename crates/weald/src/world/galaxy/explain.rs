//! Why a column of space holds the gas and the stars that it does.

use super::params::GalaxyParams;
use super::stars::Stars;
use super::{nebula, scan};
use crate::catalogue::Catalogue;
use crate::catalogue::explain::{Cell, Explanation, Look, Number, Reason, count, features_near, params, say};
use crate::error::Result;
use weald_core::{Ctx, Grid, Seed};

/// The reasons for everything in a column of space.
pub(super) fn explain(catalogue: &Catalogue, cell: Cell) -> Result<Explanation> {
    let p: GalaxyParams = params(catalogue)?;
    let (width, height) = (catalogue.frame.width, catalogue.frame.height);
    let corner = [p.at.x - (width / 2) as i64, p.at.y - (height / 2) as i64, p.at.z + 1];
    let [x, y] = [corner[0] + cell.0 as i64, corner[1] + cell.1 as i64];
    let seed = Seed(catalogue.seed);
    // The scan of this one column is the generator's own.
    let found = scan(&Stars::new(seed), &nebula(seed, &p), ((1, 1), [x, y, corner[2]]), &p, &Ctx::default())?;
    let (mut told, look) = (Explanation::of(catalogue, cell), Look::new(catalogue, cell));
    told.coordinates = vec![Number::new("x", x as f64, "ly"), Number::new("y", y as f64, "ly")];
    told.features = features_near(catalogue, (cell.0 as f64 + 0.5, cell.1 as f64 + 0.5), 1.0, |_| true);
    told.because(&look, "gas", |_| gas(&found.gas, &p));
    told.because(&look, "stars", |_| {
        let first = corner[2];
        let list: Vec<String> = found
            .stars
            .iter()
            .map(|s| {
                format!(
                    "one {} light years deep with {}",
                    s.place[2] - first + 1,
                    count(s.planets.into(), "planet", "planets")
                )
            })
            .collect();
        let sentence = match list.len() {
            0 => format!(
                "No star stands in the {} light years of this column: none of its places passes the test \
                for stars.",
                p.depth_ly
            ),
            n => format!(
                "{} in this column, because {} the test for stars: {}.",
                count(n, "star stands", "stars stand"),
                if n == 1 { "one place passes" } else { "that many places pass" },
                list.join("; ")
            ),
        };
        let rule = match catalogue.seed {
            0 => {
                "⌊a·x·y·z/128 + ½⌋ mod 4096 = 127 with a the sum of profiles, and the low byte of x·y·z \
                from 1 to 7"
            }
            _ => "twelve bits of a hash of the place are 127, and the next eight from 1 to 7",
        };
        let reason = Reason::new("stars", list.len().to_string(), sentence, rule);
        Some(reason.giving("stars", list.len() as f64).number("depth_ly", p.depth_ly, "ly"))
    });
    Ok(told)
}

fn gas(parts: &[Grid<f32>; 3], p: &GalaxyParams) -> Option<Reason> {
    let [near, middle, far] = [0, 1, 2].map(|k: usize| parts[k][(0, 0)]);
    let sum = near + middle + far;
    let sentence = match sum > 0.0 {
        true => format!(
            "There is {} of gas along this column, {} in its nearest, {} in its middle and {} in its \
            furthest third, from the places where the sum of the waves is above {}.",
            say(sum as f64),
            say(near as f64),
            say(middle as f64),
            say(far as f64),
            p.nebula.threshold
        ),
        false => format!(
            "There is no gas along this column: the sum of the waves is nowhere above {}.",
            p.nebula.threshold
        ),
    };
    let rule = "the sum along z of max(0, sum of five waves − nebula.threshold)";
    let reason = Reason::new("gas", say(sum as f64), sentence, rule).giving("nebula", sum);
    let reason = reason.giving("nebula_near", near).giving("nebula_middle", middle).giving("nebula_far", far);
    Some(reason.number("nebula.threshold", p.nebula.threshold, "").number("nebula", sum, "density ly"))
}
