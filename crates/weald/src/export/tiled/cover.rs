//! What stands on the ground: trees, reeds, hills and summits, as sprites in shades of the ground's colour.
//!
//! The letters of a sprite: `l` light, `m` medium, `d` dark, `o` outline, `t` trunk, `w` snow or foam, `f` a flower, `b` water, `s` shadow.

use super::paint::{Dice, Pixel, SIDE, Sprite, Tile, mix, shade, size, solid};
use crate::catalogue::Rgb;
use crate::style::tiles::Cover;

/// Variants of dense cover.
pub(super) const DENSE: usize = 4;

/// Variants of thin cover.
pub(super) const THIN: usize = 4;

const SPRUCE: &Sprite =
    &["...o...", "..olo..", "..olo..", ".olmdo.", ".olmdo.", "ollmddo", "ommmddo", "..oto..", "..sss.."];
const SMALL_SPRUCE: &Sprite = &["..o..", ".olo.", ".omo.", "olmdo", "ommdo", "..t..", ".sss."];
const ROUND: &Sprite =
    &["..ooo..", ".ollmo.", "ollmmdo", "olmmmdo", "ommmddo", ".oddoo.", "..ott..", "..sss.."];
const SMALL_ROUND: &Sprite = &[".ooo.", "olmmo", "olmdo", "omddo", ".oto.", ".sss."];
const PALM: &Sprite =
    &[".oo.oo.", "ollollo", "omolomo", "o.oto.o", "...t...", "..tt...", "..t....", ".sss..."];
const TUFT: &Sprite = &["d.d.d", ".dmd."];
const LOW_TUFT: &Sprite = &["d.d", ".d."];
const FLOWER: &Sprite = &["f", "d"];
const REEDS: &Sprite = &["o..o.", "o.oo.", "d.od.", "d.ddd", "bdbdb", ".bbb."];
const LOW_REEDS: &Sprite = &[".o.", "od.", "dd.", "bdb"];
const PEAK: &Sprite = &[
    ".....oo......",
    "....owwo.....",
    "...owwwdo....",
    "...owwmddo...",
    "..olwlmmdo...",
    "..olllmmddo..",
    ".olllmmdddo..",
    ".ollllmmdddo.",
    "ollllmmmddddo",
    "olllmmmmmdddo",
    ".sssssssssss.",
];
const TWINS: &Sprite = &[
    "....oo.........",
    "...owwo...oo...",
    "..owwwdo.owwo..",
    "..owwmddoowmdo.",
    ".ollwmmddllmdo.",
    ".olllmmdolmmddo",
    "ollllmmdollmddo",
    "olllmmmdllmmddo",
    "ollmmmmdllmmddo",
    ".sssssssssssss.",
];
const SMALL_PEAK: &Sprite = &[
    "....o....",
    "...owo...",
    "...owdo..",
    "..olwmdo.",
    "..ollmdo.",
    ".ollmmddo",
    "olllmmddo",
    "ollmmmddo",
    ".sssssss.",
];
const LOW_PEAK: &Sprite = &["...o...", "..olo..", "..olmo.", ".ollmdo", "ollmmdo", ".sssss."];
const HILL: &Sprite = &["...oooo...", "..olllmoo.", ".ollllmmdo", "ollllmmmdd", "llllmmmmdd"];
const LOW_HILL: &Sprite = &["..ooo..", ".ollmo.", "ollmmdo", "llmmmdd"];
const DUNE: &Sprite = &["...wwww....", "..wlllldd..", ".wlll..ddd.", "wll......dd"];
const LOW_DUNE: &Sprite = &["..www..", ".wlldd.", "wl...dd"];
const CACTUS: &Sprite = &["..c..", "c.c..", "c.c.c", "ccc.c", "..ccc", "..c..", ".sss."];
const SHRUB: &Sprite = &[".oo.", "olmo", "omdo", ".ss."];
const STONE: &Sprite = &[".oo.", "owmo", "omdo", ".ss."];
const CRAG: &Sprite = &["..oo...", ".owlo..", ".owldoo", "owlldmo", "ollmddo", "olmmddo", ".sssss."];
const MANGROVE: &Sprite = &[".oooo..", "ollmmo.", "olmmmdo", ".odddo.", "..tot..", ".t.t.t.", ".bbbbb."];

/// Which sprites make up a cover: those of dense tiles, how many stand along a side, and how likely each place is taken.
fn sprites(cover: Cover) -> (&'static [&'static Sprite], usize, f32) {
    match cover {
        Cover::Conifers => (&[SPRUCE, SPRUCE, SMALL_SPRUCE], 2, 0.94),
        Cover::Broadleaves => (&[ROUND, ROUND, SMALL_ROUND], 2, 0.92),
        Cover::Palms => (&[PALM, ROUND, SMALL_ROUND, PALM], 2, 0.86),
        Cover::Tufts => (&[TUFT, LOW_TUFT, LOW_TUFT, FLOWER], 2, 0.5),
        Cover::Reeds => (&[REEDS, LOW_REEDS, REEDS, LOW_TUFT], 2, 0.7),
        Cover::Peaks => (&[PEAK, TWINS, PEAK, SMALL_PEAK], 1, 1.0),
        Cover::Hills => (&[HILL, LOW_HILL], 1, 0.9),
        Cover::Dunes => (&[DUNE, LOW_DUNE, LOW_DUNE, CACTUS], 1, 0.66),
        Cover::Shrubs => (&[SHRUB, STONE, LOW_TUFT], 2, 0.34),
        Cover::Rocks => (&[CRAG, STONE, CRAG], 2, 0.6),
        Cover::Mangroves => (&[MANGROVE, SMALL_ROUND, MANGROVE], 2, 0.7),
    }
}

/// Sprites of thin cover: the small ones.
fn thin_sprites(cover: Cover) -> &'static [&'static Sprite] {
    match cover {
        Cover::Conifers => &[SMALL_SPRUCE, SPRUCE],
        Cover::Broadleaves => &[SMALL_ROUND, ROUND],
        Cover::Palms => &[PALM, SMALL_ROUND],
        Cover::Tufts => &[LOW_TUFT, TUFT],
        Cover::Reeds => &[LOW_REEDS, REEDS],
        Cover::Peaks => &[LOW_PEAK, SMALL_PEAK],
        Cover::Hills => &[LOW_HILL],
        Cover::Dunes => &[LOW_DUNE, CACTUS],
        Cover::Shrubs => &[SHRUB, STONE],
        Cover::Rocks => &[CRAG, STONE],
        Cover::Mangroves => &[MANGROVE],
    }
}

/// What a letter is on ground of that colour.
fn letter(cover: Cover, ground: Rgb) -> impl Fn(u8) -> Pixel {
    // Rock keeps its hue; plants are greener than the ground.
    let body = match cover {
        Cover::Peaks | Cover::Hills | Cover::Rocks | Cover::Dunes => ground,
        Cover::Conifers => mix(ground, [58, 112, 84], 0.6),
        Cover::Shrubs => mix(ground, [122, 132, 104], 0.5),
        _ => mix(ground, [84, 140, 62], 0.5),
    };
    move |letter| {
        let hard = matches!(cover, Cover::Peaks | Cover::Rocks);
        match letter {
            b'l' if hard => solid(shade(body, 0.16)),
            b'l' => solid(shade(body, 0.24)),
            b'm' => solid(shade(body, -0.08)),
            b'd' if hard => solid(shade(body, -0.36)),
            b'd' => solid(shade(body, -0.26)),
            b'o' if cover == Cover::Hills => solid(shade(body, -0.28)),
            b'o' => solid(shade(body, -0.55)),
            b't' => solid([104, 78, 56]),
            b'w' if cover == Cover::Dunes => solid(shade(body, 0.55)),
            b'w' => solid([246, 246, 244]),
            b'f' => solid([236, 140, 110]),
            b'c' => solid([96, 132, 84]),
            b'b' => [92, 142, 180, 200],
            _ => [24, 34, 46, 70],
        }
    }
}

/// A tile full of cover.
pub(super) fn dense(cover: Cover, ground: Rgb, name: &str, variant: usize) -> Tile {
    let (list, along, chance) = sprites(cover);
    let dice = Dice::new(name, variant);
    let cell = (SIDE / along) as i32;
    let mut out = Tile::new();
    let mut stands: Vec<(i32, i32, &Sprite)> = Vec::new();
    for k in 0..along * along {
        if dice.unit(k, 300) >= chance {
            continue;
        }
        let sprite = list[dice.below(list.len() as i32, 10 + k) as usize];
        let (w, h) = size(sprite);
        let (i, j) = ((k % along) as i32, (k / along) as i32);
        let jitter = |room: i32, n: usize| dice.below(room.max(0) + 1, 40 + 2 * k + n);
        // Tall sprites may reach into the row above.
        let (x, foot) = (i * cell + jitter(cell - w, 0), j * cell + cell - jitter(cell - h, 1));
        stands.push((x.min(SIDE as i32 - w), (foot - h).max(0), sprite));
    }
    stands.sort_by_key(|&(x, y, sprite)| (y + size(sprite).1, x));
    for (x, y, sprite) in stands {
        out.stamp(sprite, (x, y), letter(cover, ground));
    }
    out
}

/// A tile with one or two pieces of cover, or none, away from the edges.
pub(super) fn thin(cover: Cover, ground: Rgb, name: &str, variant: usize) -> Tile {
    let list = thin_sprites(cover);
    let dice = Dice::new(name, 100 + variant);
    let mut out = Tile::new();
    let pieces = [1, 2, 1, 0][variant % 4];
    for k in 0..pieces {
        let sprite = list[(variant + k) % list.len()];
        let (w, h) = size(sprite);
        let room = |n: i32, at: usize| dice.below((SIDE as i32 - 4 - n).max(0) + 1, at);
        let y = match (pieces, k) {
            (2, 0) => 1,
            (2, _) => SIDE as i32 - 1 - h,
            _ => 2 + room(h, 2 * k + 1),
        };
        out.stamp(sprite, (2 + room(w, 2 * k), y), letter(cover, ground));
    }
    out
}
