//! Waters and moisture.

use super::sample::Stage;
use super::{after, dry, failing, inner, run_arrays, tile, with_layers};
use crate::check::forest::names::{LAKE, MARSH, NO_WATER};
use crate::check::forest::params::Params;
use crate::check::forest::tiles::Tiles;

#[test]
fn wrong_water_and_moisture_are_found() {
    let marsh = |t: &mut Tiles| {
        let i = tile(t, |i| dry(t, i) && !inner(t, i));
        t.water_class[i] = MARSH;
    };
    assert_eq!(after(marsh, Some(Stage::Vegetation)), ["water-class"]);
    let lake = |t: &mut Tiles| {
        let i = tile(t, |i| t.water_class[i] == LAKE);
        t.water_class[i] = NO_WATER;
    };
    assert!(after(lake, Some(Stage::Vegetation)).contains(&"water-class"));
    let wetter = |t: &mut Tiles| {
        let i = tile(t, |i| dry(t, i) && !inner(t, i));
        t.moisture[i] += 1e-5;
    };
    assert_eq!(after(wetter, Some(Stage::Vegetation)), ["moisture"]);
}

#[test]
fn wrong_water_layers_are_found() {
    assert_eq!(with_layers(|t| t.lake_mask[0] ^= 1), ["lake-mask"]);
    assert_eq!(with_layers(|t| t.stream_mask[0] ^= 1), ["stream-mask"]);
    assert_eq!(with_layers(|t| t.water_distance[0] ^= 1), ["water-distance"]);
    assert_eq!(with_layers(|t| t.lake_id[0] = 1), ["lake-ids"]);
    let lost = |t: &mut Tiles| {
        let i = tile(t, |i| t.lake_id[i] > 0);
        t.lake_id[i] = 0;
    };
    assert_eq!(with_layers(lost), ["lake-ids"]);
    let ids = |lake_id: Vec<u32>| {
        let t = Tiles { columns: 5, rows: 1, water_class: vec![1, 1, 0, 1, 1], lake_id, ..Tiles::default() };
        failing(&run_arrays(t, Params::default(), None))
    };
    assert!(ids(vec![1, 1, 0, 2, 2]).is_empty());
    assert!(ids(vec![5, 5, 0, 2, 2]).is_empty(), "the order of the numbers is free");
    assert_eq!(ids(vec![1, 1, 0, 1, 1]), ["lake-ids"], "two lakes, one number");
    assert_eq!(ids(vec![1, 2, 0, 3, 3]), ["lake-ids"], "one lake, two numbers");
}
