//! What a galaxy is asked.

use crate::args::GalaxyStats;
use crate::make::{Sources, check_memory, find_world, merged, print};
use crate::progress::{Bars, Progress};
use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use weald::Result;
use weald::core::{Ctx, Seed};
use weald::recipe::Recipe;
use weald::world::galaxy::stats::Summary;
use weald::world::galaxy::{self, GalaxyParams};

/// Answers the four questions of the document.
pub(crate) fn stats(args: &GalaxyStats, stop: &AtomicBool) -> Result<()> {
    let sources = Sources {
        recipe: args.recipe.as_deref(),
        params: None,
        seed: args.seed,
        size: args.size,
        placed: None,
        set: &args.set,
    };
    let recipe = merged(find_world("galaxy")?, &sources)?;
    let params: GalaxyParams = recipe.params.finish()?;
    check_memory(&recipe)?;
    let progress = Progress::new(if args.json { Bars::Off } else { Bars::Auto });
    let ctx = Ctx::new(&progress, stop);
    let galaxy = galaxy::generate(recipe.size, Seed(recipe.seed), &params, &ctx)?;
    progress.finish();
    let summary = galaxy.summary();
    print(&if args.json { format!("{:#}\n", summary.to_json()) } else { text(&summary, &recipe, &params) })
}

fn text(s: &Summary, recipe: &Recipe, p: &GalaxyParams) -> String {
    let mut out = String::new();
    let (w, h) = recipe.size;
    let _ = writeln!(out, "galaxy {w}x{h}x{} light years, seed {}\n", p.depth_ly, recipe.seed);
    let ratio = 100.0 * (s.density / s.expected - 1.0);
    let _ = writeln!(
        out,
        "1. {} stars in {} cubic light years: {:.3e} per cubic light year",
        s.stars, s.volume, s.density
    );
    let why = if recipe.seed == 0 {
        "1/4096 * 4/256: the low byte of a product of three numbers is 1 to 7 four times in 256, not seven"
    } else {
        "1/4096 * 7/256"
    };
    let _ = writeln!(out, "   expected {:.3e} ({why}); measured is {ratio:+.1} %", s.expected);
    let limit = p.stars.visible_below;
    let _ = match s.nearest {
        Some(n) => {
            let [x, y, z] = n.star.place;
            let planets = if n.star.planets == 1 { "planet" } else { "planets" };
            writeln!(
                out,
                "2. nearest visible star: {:.2} light years from the viewer at 0,0,0; it has {} {planets}\n   \
                 at {x},{y},{z}, magnitude {}, colour {}; visible: in the block, magnitude below {limit}",
                n.distance_ly, n.star.planets, n.magnitude, n.star.colour
            )
        }
        None => writeln!(out, "2. no star in the block is visible, that is of a magnitude below {limit}"),
    };
    let _ = writeln!(out, "3. stars by number of planets");
    for (planets, count) in s.by_planets.iter().enumerate() {
        let _ = writeln!(out, "   {planets:2} {count:6}");
    }
    let _ = match s.correlation {
        Some(c) => writeln!(
            out,
            "4. colour and planets: {}\n   r = {:+.4}, 95 % of samples without correlation are within {:.4}\n   \
             chi-square = {:.1} with {} degrees of freedom ({}x{} classes), p {}",
            c.verdict(),
            c.r,
            c.bound,
            c.chi_square,
            c.freedom,
            c.classes,
            c.classes,
            if c.p < 1e-4 { "below 0.0001".to_owned() } else { format!("= {:.4}", c.p) }
        ),
        None => writeln!(out, "4. colour and planets: fewer than 20 stars tell nothing; take a larger block"),
    };
    out
}
