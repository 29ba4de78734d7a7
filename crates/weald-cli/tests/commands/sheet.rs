//! weald sheet: small maps of many seeds on one picture.

use crate::common::Place;

/// Columns and rows of a PNG file.
fn pixels(png: &[u8]) -> (u32, u32) {
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn many_seeds_stand_on_one_picture_that_is_the_same_each_time() {
    let place = Place::new();
    let told = place.fine("sheet island --seeds 1..4 --size 48 --px 96 --columns 2 -o a.png");
    let (w, h) = pixels(&place.read("a.png"));
    assert_eq!(told, format!("island, 4 seeds -> a.png, {w}x{h} pixels\n"));
    place.fine("sheet island --seeds 1,2,3,4 --size 48 --px 96 --columns 2 --threads 1 -o b.png");
    assert!(place.read("a.png") == place.read("b.png"));
    place.fine("sheet island --seeds 1,2,3,5 --size 48 --px 96 --columns 2 -o c.png");
    assert!(place.read("a.png") != place.read("c.png"));
    place.fine("sheet island --seeds 1..4 --size 48 --px 96 --columns 4 -o wide.png");
    let wide = pixels(&place.read("wide.png"));
    assert!(wide.0 > w && wide.1 < h, "{wide:?}");
}

#[test]
fn a_sheet_takes_recipes_and_parameters_and_has_a_name_of_its_own() {
    let place = Place::new();
    let told = place
        .fine("sheet forest --recipe forest-rugged --set grid.playable_inset=2 --size 40 --px 64 --seeds 9");
    assert!(told.starts_with("forest, 1 seed -> forest-seeds.png, "), "{told}");
    assert!(place.fails("sheet forest --size 40 --seeds 9", 4).contains("--force"));
    place.fine("sheet forest --size 40 --px 64 --seeds 9 --force");
}

#[test]
fn seeds_and_sizes_that_cannot_be_drawn_are_refused() {
    let place = Place::new();
    for (args, code, message) in [
        ("sheet island", 2, "--seeds <A..B|A,B,C>"),
        ("sheet island --seeds none", 2, "must be FROM..TO, such as 1..12, or seeds with commas between"),
        ("sheet island --seeds 5..2", 2, "2 is less than 5; give the smaller seed first"),
        ("sheet island --seeds 1..100", 2, "these are 100 seeds; a sheet has at most 64"),
        ("sheet island --seeds -3..4", 2, "must be FROM..TO"),
        ("sheet island --seeds 1..2 --px 10", 2, "--px 10: must be between 64 and 1024 pixels"),
        ("sheet island --seeds 1..2 --columns 0", 2, "must be a whole number of at least 1"),
        ("sheet island --seeds 1..2 -o x.jpg", 2, "-o x.jpg: give the picture a name that ends in .png"),
        ("sheet nowhere --seeds 1..2", 2, "nowhere"),
        ("sheet city --seeds 1..2 --size 9", 2, "both sides must be between 32 and 16384"),
        ("sheet island --seeds 1..2 --set nothing=1", 2, "nothing"),
    ] {
        let told = place.fails(args, code);
        assert!(told.contains(message), "weald {args}: {told}");
    }
    assert!(place.names().is_empty(), "nothing is left behind: {:?}", place.names());
}
