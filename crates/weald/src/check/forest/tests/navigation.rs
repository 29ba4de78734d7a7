//! All that is for those who walk.

use super::sample::Sample;
use super::{after, run, tile};
use crate::check::forest::names::TRAIL_FLAG;
use crate::check::forest::tiles::Tiles;

#[test]
fn wrong_navigation_is_found() {
    assert_eq!(after(|t| t.visibility_m[40] += 1e-4, None), ["visibility"]);
    assert_eq!(after(|t| t.orientation_reliability[40] -= 1e-4, None), ["orientation"]);
    assert_eq!(after(|t| t.move_cost[40] += 1e-4, None), ["move-cost"]);
    for d in 0..8 {
        // From passable to difficult, from difficult to passable, from blocked to passable.
        let change = |t: &mut Tiles| {
            let class = t.passability[53] >> (2 * d) & 3;
            t.passability[53] ^= class.max(1) << (2 * d);
        };
        assert_eq!(after(change, None), ["passability"], "direction {d}");
        assert_eq!(after(|t| t.cliff_edge[53] ^= 1 << d, None), ["cliffs"], "direction {d}");
    }
    for bit in [0, 1, 3] {
        assert_eq!(after(|t| t.followable[100] ^= 1 << bit, None), ["followable"]);
    }
    let untold = |t: &mut Tiles| {
        let i = tile(t, |i| t.game_trail[i] == 1);
        t.followable[i] &= !TRAIL_FLAG;
    };
    assert_eq!(after(untold, None), ["followable"]);
}

#[test]
fn passability_from_a_file_without_its_cliffs_and_ids_is_checked_as_well() {
    let mut envelope = Sample::authored().envelope();
    for tile in envelope["tiles"].as_array_mut().unwrap() {
        let nav = tile["navigation"].as_object_mut().unwrap();
        nav.remove("cliffs");
        nav.remove("gameTrailId");
    }
    let report = run(&envelope);
    assert!(report.ok(), "{report}");
    assert!(report.rules.iter().all(|r| r.rule != "cliffs" && r.rule != "trail-ids"));
    assert!(report.rules.iter().any(|r| r.rule == "trail-seeds" && r.checked > 0));
}
