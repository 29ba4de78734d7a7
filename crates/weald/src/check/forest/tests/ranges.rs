//! Ranges.

use super::{after, with_layers};
use crate::check::forest::tiles::Tiles;

#[test]
fn numbers_beyond_their_range_are_found() {
    // A whole turn more is the same direction but not in [0, 360).
    assert_eq!(after(|t| t.aspect_deg[20] += 360.0, None), ["numbers-in-range"]);
    for change in [
        (|t| t.flow_direction[3] = 8) as fn(&mut Tiles),
        |t| t.moisture[3] = f32::NAN,
        |t| t.move_cost[3] = f32::INFINITY,
        |t| t.biome[3] = 7,
        |t| t.passability[3] |= 3,
        |t| t.flow_accumulation[3] = 0,
        |t| t.orientation_reliability[3] = 0.96,
        |t| t.visibility_m[3] = 7.9,
        |t| t.game_trail[3] = 2,
    ] {
        assert_eq!(with_layers(change)[0], "numbers-in-range");
    }
}
