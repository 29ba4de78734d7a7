//! Topography.

use super::sample::Stage;
use super::{after, failing, inner, run_arrays, tile};
use crate::check::forest::names::{ROCKY_TILL, SLOPE, VALLEY};
use crate::check::forest::params::Params;
use crate::check::forest::tiles::Tiles;

#[test]
fn topography_that_does_not_fit_the_elevations_is_found() {
    assert_eq!(after(|t| t.slope[36] += 1e-5, Some(Stage::Water)), ["slope"]);
    assert_eq!(after(|t| t.aspect_deg[36] += 0.01, None), ["aspect"]);
    let level = |t: &mut Tiles| {
        let i = tile(t, |i| t.slope[i] == 0.0);
        t.aspect_deg[i] = 90.0;
    };
    assert_eq!(after(level, None), ["aspect"]);
    let other = |t: &mut Tiles| {
        let i = tile(t, |i| t.landform[i] == SLOPE && !inner(t, i) && t.soil[i] == ROCKY_TILL);
        t.landform[i] = VALLEY;
    };
    assert_eq!(after(other, Some(Stage::Water)), ["landform"]);
}

#[test]
fn values_that_rounding_may_put_on_either_side_are_accepted_on_both() {
    // 0.005 above, as exact as 32 bits allow: higher or not hangs on how the sum is rounded.
    let mut t = Tiles { columns: 3, rows: 1, height: vec![0.5, 0.505, 0.5], ..Tiles::default() };
    t.slope = vec![0.0025, 0.0, 0.0025];
    for landform in [[4, 2, 4], [0, 0, 0]] {
        t.landform = landform.to_vec();
        let report = run_arrays(t.clone(), Params::default(), None);
        assert!(report.ok(), "{report}");
    }
    t.height[1] = 0.5051;
    t.landform = vec![0, 0, 0];
    let report = run_arrays(t, Params::default(), None);
    assert!(failing(&report).contains(&"landform"));
}
