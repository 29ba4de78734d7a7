//! What the island promises, over many seeds, shares, recipes and sizes. It takes minutes, so `cargo xtask bench island` runs
//! it and `cargo xtask test` does not.

use crate::island_rules::{ground, outline, rivers, sea_floor};
use crate::real_land::{judged, measured};
use crate::sweep::{only_for_release, print_list, recipe};
use std::time::Instant;
use weald::core::{Ctx, Seed};
use weald::world::island::{Island, IslandParams, IslandWorld, generate};

/// Recipes that come with the program.
const RECIPES: [&str; 5] = ["island", "archipelago", "atoll", "continent", "island-literal"];

/// Figures of the maps of one kind.
struct Kind {
    name: String,
    side: usize,
    maps: usize,
    rivers: Vec<usize>,
    /// Maps by the highest order on them.
    orders: [usize; 10],
    /// The largest share of the land that was lifted, and the largest lift in metres.
    raised: (f64, f32),
    seconds: f64,
    broken: Vec<String>,
}

impl Kind {
    fn new(name: &str, side: usize) -> Self {
        let name = name.to_owned();
        let (rivers, broken) = (Vec::new(), Vec::new());
        Self { name, side, maps: 0, rivers, orders: [0; 10], raised: (0.0, 0.0), seconds: 0.0, broken }
    }

    /// Makes a map, tries every rule on it and takes its figures down.
    fn make(&mut self, seed: u64, p: &IslandParams) {
        #[expect(clippy::disallowed_methods, reason = "the sweep tells how long it took")]
        let start = Instant::now();
        let made = generate((self.side, self.side), None, Seed(seed), p, &Ctx::default());
        self.seconds += start.elapsed().as_secs_f64();
        self.maps += 1;
        let verdict = made.map_err(|e| e.to_string()).and_then(|island| {
            self.note(&island);
            outline(&island)?;
            sea_floor(&island)?;
            ground(&island)?;
            rivers(&island)
        });
        if let Err(what) = verdict {
            let share = p.shape.land_fraction;
            self.broken.push(format!("{}, {}², share {share}, seed {seed}: {what}", self.name, self.side));
        }
    }

    fn note(&mut self, island: &Island) {
        self.rivers.push(island.rivers.len());
        let highest = island.orders.iter().map(|o| o.strahler).max().unwrap_or(0);
        self.orders[(highest as usize).min(9)] += 1;
        let land = island.land.cells().iter().filter(|l| **l == 1).count();
        let (cells, most) = island.water.raised;
        let share = cells as f64 / land.max(1) as f64;
        self.raised = (self.raised.0.max(share), self.raised.1.max(most));
    }

    /// Prints a row of the table; gives what is broken.
    fn print(mut self) -> Vec<String> {
        self.rivers.sort_unstable();
        let rivers = match self.rivers.as_slice() {
            [] => "none".to_owned(),
            all => format!("{}, {}, {}", all[0], all[all.len() / 2], all[all.len() - 1]),
        };
        let orders = self.orders.iter().enumerate().filter(|(_, n)| **n > 0);
        let orders: Vec<String> = orders.map(|(order, n)| format!("{order}: {n}")).collect();
        println!(
            "| {} | {}² | {} | {rivers} | {} | {:.2} % | {:.2} | {:.0} | {} |",
            self.name,
            self.side,
            self.maps,
            orders.join(", "),
            self.raised.0 * 100.0,
            self.raised.1,
            self.seconds / self.maps as f64 * 1e3,
            self.broken.len()
        );
        self.broken
    }
}

/// Every rule of land, water and rivers holds for every map: 200 seeds at 256², 10 at 1024², 100 seeds at 128² for every
/// tenth of land from 0.1 to 0.9, and 10 seeds at 512² of every recipe.
#[test]
#[ignore = "takes minutes: cargo xtask bench island"]
fn every_seed_keeps_the_rules_at_every_share_recipe_and_size() {
    only_for_release();
    println!(
        "| maps | size | count | rivers: least, median, most | maps by highest order | raised | by m | ms a map | broken |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut broken = Vec::new();
    for (side, seeds) in [(256, 200), (1024, 10)] {
        let mut kind = Kind::new("defaults", side);
        (1..=seeds).for_each(|seed| kind.make(seed, &IslandParams::default()));
        broken.extend(kind.print());
    }
    for tenths in 1..=9 {
        let mut p = IslandParams::default();
        p.shape.land_fraction = tenths as f64 / 10.0;
        let mut kind = Kind::new(&format!("land 0.{tenths}"), 128);
        (1..=100).for_each(|seed| kind.make(seed, &p));
        broken.extend(kind.print());
    }
    for name in RECIPES {
        let (p, mut kind) = (recipe(&IslandWorld, name), Kind::new(name, 512));
        (1..=10).for_each(|seed| kind.make(seed, &p));
        broken.extend(kind.print());
    }
    broken.iter().for_each(|what| println!("{what}"));
    assert!(broken.is_empty(), "{} maps break a rule; they are listed above", broken.len());
}

/// The figures of 20 seeds of `island` and `continent` at 1024² are those of real land.
#[test]
#[ignore = "takes minutes: cargo xtask bench island"]
fn the_land_is_like_real_land() {
    only_for_release();
    let mut broken = Vec::new();
    for name in ["island", "continent"] {
        let p = recipe(&IslandWorld, name);
        let maps: Vec<_> = (1..=20)
            .map(|seed| generate((1024, 1024), None, Seed(seed), &p, &Ctx::default()).unwrap())
            .map(|island| measured(&island.water.height, island.frame.cell_m))
            .collect();
        broken.extend(judged(name, &maps));
    }
    print_list("Broken", &broken);
    assert!(broken.is_empty());
}
