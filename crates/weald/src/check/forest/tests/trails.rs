//! Game trails.

use super::sample::{Sample, Stage};
use super::{after, dry, failing, inner, run, tile, with_layers};
use crate::check::forest::names::{LAKE, RIDGE};
use crate::check::forest::params::Params;
use crate::check::forest::tiles::Tiles;
use crate::check::forest::world::World;
use std::collections::BTreeSet;

/// Marks tile `i` as part of trail `id`, or as none.
fn mark(t: &mut Tiles, i: usize, id: i32) {
    t.game_trail_id[i] = id;
    t.game_trail[i] = u8::from(id >= 0);
}

#[test]
fn wrong_trails_are_found() {
    let nav = Some(Stage::Navigation);
    let to_edge = |t: &mut Tiles| {
        let last = t.game_trail.iter().rposition(|&g| g == 1).unwrap();
        for i in (last..t.game_trail.len()).step_by(t.columns) {
            mark(t, i, t.game_trail_id[last]);
        }
    };
    assert_eq!(after(to_edge, nav), ["trails-on-open-ground"]);
    let alone = |t: &mut Tiles| {
        let w = World::new(t.clone(), Params::default(), None);
        let free = |i: usize| {
            let mut free = w.playable(i) && dry(t, i) && t.landform[i] != RIDGE && !w.trail[i];
            w.around(i, |_, n| free &= !w.trail[n]);
            free && t.slope[i] > 0.3
        };
        let i = tile(t, free);
        mark(t, i, 1);
    };
    assert_eq!(after(alone, nav), ["trails-reach-an-end", "trail-ids", "trail-seeds"]);
    let far_id = |t: &mut Tiles| {
        for id in t.game_trail_id.iter_mut().filter(|id| **id == 0) {
            *id = 90;
        }
    };
    assert_eq!(after(far_id, None), ["trail-ids"]);
    let none = |t: &mut Tiles| {
        for i in 0..t.game_trail.len() {
            mark(t, i, -1);
        }
    };
    assert_eq!(after(none, nav), ["trail-seeds"]);
    assert_eq!(with_layers(|t| t.game_trail_id[0] = 0), ["trail-ids"], "an id where there is no trail");
}

#[test]
fn a_trail_that_makes_a_detour_is_found() {
    let good = Sample::authored();
    let trail: Vec<usize> = (0..good.t.game_trail.len()).filter(|&i| good.t.game_trail[i] == 1).collect();
    let mut seen = BTreeSet::new();
    for &i in &trail {
        for n in [i - 1, i + 1, i - good.t.columns, i + good.t.columns] {
            let mut sample = good.clone();
            if sample.t.game_trail[n] == 1 || sample.t.water_class[n] == LAKE || !inner(&sample.t, n) {
                continue;
            }
            mark(&mut sample.t, n, good.t.game_trail_id[i]);
            mark(&mut sample.t, i, -1);
            sample.derive(Stage::Navigation);
            seen.insert(failing(&run(&sample.envelope())));
        }
    }
    assert!(seen.contains(&vec!["trail-costs"]), "{seen:?}");
}
