//! The endless world in chunks, made when somebody comes near: the way of a game that never ends.
//!
//! `cargo run --example endless_chunks`

use std::collections::BTreeMap;
use weald::Result;
use weald::core::{Ctx, Seed};
use weald::world::endless::{Endless, EndlessParams, Map, Window, generate};

/// Metres along the side of a chunk.
const SIDE: i64 = 64;

/// A world whose chunks are made on demand and kept.
pub(crate) struct Chunks {
    world: Endless,
    made: BTreeMap<(i64, i64), Map>,
}

impl Chunks {
    /// The original world, without a chunk so far.
    pub(crate) fn new() -> Result<Self> {
        Ok(Self { world: Endless::new(Seed(0), &EndlessParams::default())?, made: BTreeMap::new() })
    }

    /// The chunk that holds a place: x east, y north. Chunks may be asked for in any order; their edges always fit.
    pub(crate) fn at(&mut self, x: i64, y: i64) -> Result<&Map> {
        let key = (x.div_euclid(SIDE), y.div_euclid(SIDE));
        if !self.made.contains_key(&key) {
            let (west, north) = (key.0 * SIDE, (key.1 + 1) * SIDE - 1);
            let window = Window { west, north, width: SIDE as usize, height: SIDE as usize };
            self.made.insert(key, generate(&self.world, window, &Ctx::default())?);
        }
        Ok(&self.made[&key])
    }

    /// How many chunks have been made.
    pub(crate) fn count(&self) -> usize {
        self.made.len()
    }
}

/// Walks 300 m to the east and gives the heights on the way.
pub(crate) fn walk(chunks: &mut Chunks) -> Result<Vec<f32>> {
    (0..300)
        .map(|x| {
            let map = chunks.at(x, 0)?;
            let cell = map.window.cell((x, 0)).expect("the chunk holds the place");
            Ok(map.survey.height[cell])
        })
        .collect()
}

#[allow(dead_code, reason = "the tests call walk")]
fn main() -> Result<()> {
    let mut chunks = Chunks::new()?;
    let heights = walk(&mut chunks)?;
    println!(
        "{} m walked over {} chunks, from {} up to {}",
        heights.len(),
        chunks.count(),
        heights[0],
        heights.iter().fold(f32::MIN, |a, &b| a.max(b))
    );
    Ok(())
}
