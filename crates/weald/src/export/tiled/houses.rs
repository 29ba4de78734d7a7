//! Tiles of settlements: houses beside the lines that pass, and a landmark at the centre.
//!
//! The letters of a sprite: `l`, `r`, `d` roof in light, shade and dark, `w` and `v` wall in light and shade, `o` outline, `k` door or window,
//! `g` gold, `s` shadow.

use super::paint::{Dice, Pixel, SIDE, Sprite, Tile, shade, size, solid};
use crate::style::tiles::{FootprintRank, Landmark};

/// Variants of a tile of houses.
pub(super) const VARIANTS: usize = 3;

const COTTAGE: &Sprite = &[".ooo.", "ollro", "olrro", "owkvo", ".sss."];
const HOUSE: &Sprite = &[".ooooo.", "ollrrro", "olrrrdo", "ordrddo", "owkwvvo", "owkwvvo", ".sssss."];
const LONG: &Sprite = &[".oooooo.", "ollllrro", "olrrrrdo", "odddddro", "owwkwvko", ".ssssss."];
const TOWER: &Sprite = &["..o..", ".olo.", "olrdo", "owvvo", "okvvo", "owvvo", ".sss."];
const CASTLE: &Sprite = &[
    "......g.......",
    ".o....o....o..",
    "olo..olo..olo.",
    "lrdooolrdoolrd",
    "owvowlrrdwowvo",
    "owvowwkkvvowvo",
    "okvwwwwvvvvkvo",
    "owvwvwvwvwvwvo",
    "owvwwwwwvvvvvo",
    "owvwwkkkvvvvvo",
    "owvwwkkkvvvvvo",
    "ooowwkkkvvvooo",
    ".ssssssssssss.",
];
const CATHEDRAL: &Sprite = &[
    "..g......g..",
    "..o......o..",
    ".olo....olo.",
    ".lrd.oo.lrd.",
    "owvoolroowvo",
    "okvollrrokvo",
    "owvlrrrddwvo",
    "owvwwwvvvwvo",
    "okvwwkkvvkvo",
    "owvwwkkvvwvo",
    "ooowwkkvvooo",
    ".ssssssssss.",
];
const CHURCH: &Sprite = &[
    "..g.......",
    "..o.......",
    ".olo......",
    ".lrd.oooo.",
    "owvvollrro",
    "okvvlrrrdo",
    "owvvdddddo",
    "owvvwwkvvo",
    "owkkwwvvvo",
    "oookooooo.",
    ".ssssssss.",
];
const HALL: &Sprite = &[
    "..oooooo..",
    ".ollllrro.",
    "ollrrrrrdo",
    "olrrrrrrdo",
    "oddddddddo",
    "owkwwvvkvo",
    "owwwkkvvvo",
    "owwwkkvvvo",
    ".ssssssss.",
];

/// Which directions lines leave a tile in, as far as houses beside them are concerned.
pub(super) const PATTERNS: usize = 5;

/// The pattern of a set of directions: none, along sides only, only from north-west to south-east, only the other diagonal, or mixed.
pub(super) fn pattern(mask: u8) -> usize {
    const SIDES: u8 = 0b0101_0101;
    match (mask & SIDES != 0, mask & !SIDES) {
        (false, 0) => 0,
        (true, 0) => 1,
        (false, diagonals) if diagonals & 0b1000_1000 == 0 => 2,
        (false, diagonals) if diagonals & 0b0010_0010 == 0 => 3,
        _ => 4,
    }
}

/// Places of houses that keep off the lines of a pattern: the middle of each house.
fn plots(pattern: usize) -> (&'static [(i32, i32)], &'static [&'static Sprite]) {
    match pattern {
        0 => (&[(4, 4), (12, 4), (4, 12), (12, 12)], &[HOUSE, LONG, HOUSE, COTTAGE, TOWER]),
        1 => (&[(2, 2), (13, 2), (2, 13), (13, 13)], &[COTTAGE]),
        2 => (&[(12, 4), (4, 12)], &[HOUSE, COTTAGE]),
        3 => (&[(4, 4), (12, 12)], &[HOUSE, COTTAGE]),
        _ => (&[], &[]),
    }
}

fn letter(rank: &FootprintRank) -> impl Fn(u8) -> Pixel {
    let roof = rank.roof;
    move |letter| match letter {
        b'l' => solid(shade(roof, 0.24)),
        b'r' => solid(roof),
        b'd' => solid(shade(roof, -0.26)),
        b'w' => solid([240, 230, 208]),
        b'v' => solid([208, 194, 168]),
        b'k' => solid([86, 66, 56]),
        b'g' => solid([238, 196, 84]),
        b'o' => solid([70, 54, 52]),
        _ => [24, 30, 40, 84],
    }
}

/// A tile of houses beside lines of a pattern.
pub(super) fn tile(rank: &FootprintRank, pattern: usize, variant: usize) -> Tile {
    let dice = Dice::new(rank.name, 10 * pattern + variant);
    let mut out = Tile::new();
    if pattern == 0 {
        // Trodden earth, with ragged edges, shows that the place is built on.
        let earth = |x: usize, y: usize| 0.6 * dice.smooth(x, y) + 0.4 * dice.unit(x, y) < 0.62;
        out = Tile::of(|x, y| earth(x, y).then(|| solid(shade([206, 190, 154], -0.1 * dice.unit(x, y)))));
    }
    let (places, sprites) = plots(pattern);
    for (k, &(x, y)) in places.iter().enumerate() {
        let garden = (k + variant).is_multiple_of(4) && variant > 0 && pattern < 2;
        if garden {
            continue;
        }
        let sprite = sprites[dice.below(sprites.len() as i32, k) as usize];
        let (w, h) = size(sprite);
        let fit = |v: i32, n: i32| (v - n / 2).clamp(0, SIDE as i32 - n);
        // Where no line passes, houses need not stand in rows.
        let shift = |n: usize| if pattern == 0 { dice.below(3, 20 + 2 * k + n) - 1 } else { 0 };
        out.stamp(sprite, (fit(x + shift(0), w), fit(y + shift(1), h)), letter(rank));
    }
    out
}

/// The tile at the centre of a settlement.
pub(super) fn centre(rank: &FootprintRank) -> Tile {
    let mut out = Tile::new();
    let whole: &[(&Sprite, (i32, i32))] = match rank.centre {
        Landmark::Castle => &[(CASTLE, (1, 1))],
        Landmark::Cathedral => &[(CATHEDRAL, (2, 2))],
        Landmark::Church => &[(CHURCH, (3, 2))],
        Landmark::House => &[(HALL, (3, 3))],
        Landmark::Huts => &[(COTTAGE, (2, 3)), (HOUSE, (8, 7))],
    };
    for (sprite, at) in whole {
        out.stamp(sprite, *at, letter(rank));
    }
    out
}
