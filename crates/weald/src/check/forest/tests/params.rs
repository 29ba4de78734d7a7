//! Parameters.

use crate::check::forest::params::Params;
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn parameters_may_be_written_in_either_case_and_the_alias_counts() {
    let read = |v: Value| Params::read(&v, Path::new("p")).unwrap();
    assert_eq!(read(json!({"game_trails": {"w_slope": 2}})).game_trails.w_slope, 2.0);
    assert_eq!(read(json!({"gameTrails": {"wSlope": 2}})).game_trails.w_slope, 2.0);
    assert_eq!(read(json!({"vegVarianceStrength": 0.5})).strength(), 0.5);
    assert_eq!(read(json!({"vegVarianceNoise": {"strength": 0.4, "octaves": 4}})).strength(), 0.4);
    assert_eq!(read(json!({})).strength(), 0.12);
    assert_eq!(read(json!({"playableInset": 3})).inset(), 3);
    assert_eq!(read(json!({"grid": {"playableInset": 2}})).inset(), 2);
}
