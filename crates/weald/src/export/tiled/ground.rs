//! Tiles of the ground, of transitions, and of the fringes along borders and shores.

use super::paint::{Dice, Pixel, SIDE, Tile, mix, shade, solid};
use crate::catalogue::Rgb;
use crate::style::tiles::Ground;

/// Variants of the ground of a class.
pub(super) const GROUNDS: usize = 4;

/// Variants of a transition where it goes on to all sides; a tile for each set of sides where it ends follows them.
pub(super) const SPECKLES: usize = 3;

/// Waves, light above dark.
const WAVES: &[&[&str]] = &[&[".ll..", "l..ld", "d...."], &[".ll...l", "l..lll.", ".d..dd."]];

/// The colour of the ground at a pixel, without its details.
fn tone(colour: Rgb, dice: &Dice, (x, y): (usize, usize), depth: f32) -> Rgb {
    match dice.smooth(x, y) {
        v if v > 0.64 => shade(colour, 0.7 * depth),
        v if v < 0.34 => shade(colour, -0.5 * depth),
        _ => colour,
    }
}

/// A tile of ground.
pub(super) fn tile(ground: Ground, colour: Rgb, name: &str, variant: usize) -> Tile {
    let dice = Dice::new(name, variant);
    let mut out = Tile::of(|x, y| Some(solid(pixel(ground, colour, &dice, (x, y)))));
    let wave = |letter: u8| if letter == b'l' { [255, 255, 255, 84] } else { [20, 60, 110, 40] };
    if ground == Ground::Water && variant != 1 {
        let sprite = WAVES[variant % WAVES.len()];
        let (w, h) = super::paint::size(sprite);
        let (x, y) = (1 + dice.below(SIDE as i32 - w - 1, 0), 2 + dice.below(SIDE as i32 - h - 3, 1));
        out.stamp(sprite, (x, y), wave);
    }
    out
}

/// A pixel of the ground.
fn pixel(ground: Ground, colour: Rgb, dice: &Dice, (x, y): (usize, usize)) -> Rgb {
    let r = dice.unit(x, y);
    let depth = match ground {
        Ground::Water => 0.03,
        Ground::Rock | Ground::Marsh => 0.14,
        _ => 0.085,
    };
    let base = tone(colour, dice, (x, y), depth);
    // Short strokes: the pixel and the one above or beside it share a number.
    let upright = dice.unit(x, y / 2 + 40);
    let lying = dice.unit(x / 3, y + 80);
    match ground {
        Ground::Water => base,
        Ground::Grass if upright < 0.035 => shade(base, -0.16),
        Ground::Grass if upright > 0.975 => shade(base, 0.26),
        Ground::Leaves if r < 0.07 => shade(base, -0.2),
        Ground::Leaves if r > 0.95 => shade(base, 0.2),
        Ground::Marsh if lying < 0.07 => mix(base, [92, 140, 176], 0.6),
        Ground::Marsh if upright > 0.96 => shade(base, -0.25),
        Ground::Rock if lying < 0.05 => shade(base, -0.22),
        Ground::Rock if r > 0.96 => shade(base, 0.35),
        Ground::Sand if ripple(x, y) && r < 0.85 => shade(base, -0.07),
        Ground::Sand if r > 0.975 => shade(base, -0.18),
        Ground::Frost if r > 0.93 => shade(base, 0.6),
        Ground::Frost if r < 0.03 => shade(base, -0.22),
        _ => base,
    }
}

/// Whether a pixel lies on a ripple of sand: a wave along each fourth row that is equal at both sides of the tile.
fn ripple(x: usize, y: usize) -> bool {
    const BEND: [usize; SIDE] = [0, 0, 0, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1, 0, 0, 0];
    (y + BEND[x]).is_multiple_of(5) && y < SIDE - 1
}

/// How much of its share a transition has at its edge.
const AT_EDGE: f32 = 0.25;

/// Pixels from the edge of a transition to where it has its whole share.
const THINS_OVER: f32 = 7.0;

/// A tile of transition: the share `share` of its pixels, in patches, and fewer towards the `sides` where it ends (bits 0 to 3: east,
/// south, west, north).
pub(super) fn speckles((colour, share): (Rgb, f32), name: &str, variant: usize, sides: u8) -> Tile {
    let dice = Dice::new(name, variant);
    Tile::of(|x, y| {
        let ends = [SIDE - 1 - x, SIDE - 1 - y, x, y];
        let thin = |k: usize| AT_EDGE + (1.0 - AT_EDGE) * ((ends[k] as f32 + 0.5) / THINS_OVER).min(1.0);
        let left: f32 = (0..4).filter(|k| sides >> k & 1 == 1).map(thin).product();
        // Patches with ragged edges. The sum has its median at 1/2.
        let level = 0.62 * dice.smooth(x, y) + 0.38 * dice.unit(x, y);
        let cover = level < 0.5 + (share * left - 0.5) * 0.85;
        let fine = dice.unit(x, y + 200);
        let colour = match fine {
            v if v < 0.06 => shade(colour, -0.14),
            v if v > 0.92 => shade(colour, 0.2),
            _ => colour,
        };
        cover.then(|| solid(colour))
    })
}

/// The masks of neighbours that make different fringes: a corner counts only if neither side beside it is there.
pub(super) fn fringe_mask(mask: u8) -> u8 {
    let mut out = mask;
    for corner in [1, 3, 5, 7] {
        let beside = 1u8 << (corner - 1) | 1u8 << ((corner + 1) % 8);
        if mask & beside != 0 {
            out &= !(1 << corner);
        }
    }
    out
}

/// Every mask that [`fringe_mask`] returns, but none at all.
pub(super) fn fringe_masks() -> impl Iterator<Item = u8> {
    (1..=u8::MAX).filter(|&m| fringe_mask(m) == m)
}

/// Pixels from the middle of a pixel to the nearest of the neighbouring tiles in `mask`, less where two of them meet at a right angle, so that
/// corners are round.
fn reach(mask: u8, (x, y): (usize, usize)) -> f32 {
    const SIZE: f32 = SIDE as f32;
    let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
    let has = |d: u8| mask >> d & 1 == 1;
    let beside = |low: bool, v: f32| if low { v } else { SIZE - v };
    let sides: [(u8, f32); 4] =
        [(0, beside(false, px)), (2, beside(false, py)), (4, beside(true, px)), (6, beside(true, py))];
    let mut out = f32::MAX;
    for (k, &(d, distance)) in sides.iter().enumerate() {
        if has(d) {
            out = out.min(distance);
        }
        let (next, other) = sides[(k + 1) % 4];
        if has(d) && has(next) {
            // A rounded inner corner.
            const ROUND: f32 = 9.0;
            let (a, b) = ((ROUND - distance).max(0.0), (ROUND - other).max(0.0));
            out = out.min(ROUND - (a * a + b * b).sqrt());
        }
        if has(d + 1) {
            out = out.min((distance * distance + other * other).sqrt());
        }
    }
    out
}

/// How far a fringe reaches at a pixel: about `mean` pixels.
fn ragged(dice: &Dice, (x, y): (usize, usize), mean: f32) -> f32 {
    // The same for all masks, so that fringes join from tile to tile.
    mean + 5.0 * (dice.smooth(x, y) - 0.5)
}

/// The ground of neighbouring tiles that laps over this one.
pub(super) fn fringe((ground, colour): (Ground, Rgb), name: &str, mask: u8) -> Tile {
    let dice = Dice::new(name, 0);
    let edge = Dice::new("fringe", 0);
    Tile::of(|x, y| {
        let left = ragged(&edge, (x, y), 3.6) - reach(mask, (x, y));
        let loose = left > -1.6 && left <= 0.0 && dice.unit(x, y + 120) < 0.3;
        (left > 0.0 || loose).then(|| solid(pixel(ground, colour, &dice, (x, y))))
    })
}

/// Water of neighbouring tiles that laps over this one of land, with foam and wet sand.
pub(super) fn shore(colour: Rgb, name: &str, mask: u8) -> Tile {
    let dice = Dice::new(name, 1);
    let edge = Dice::new("shore", 0);
    Tile::of(|x, y| match ragged(&edge, (x, y), 3.8) - reach(mask, (x, y)) {
        left if left > 1.1 => Some(solid(shallow(tone(colour, &dice, (x, y), 0.03)))),
        left if left > 0.0 => Some(solid(shade(colour, 0.72))),
        left if left > -1.2 => Some(with_opacity([126, 112, 84], 96)),
        _ => None,
    })
}

/// Shallow water along land, on a tile of water.
pub(super) fn shallows(colour: Rgb, mask: u8) -> Tile {
    let edge = Dice::new("shallows", 0);
    Tile::of(|x, y| match ragged(&edge, (x, y), 5.5) - reach(mask, (x, y)) {
        left if left > 0.0 => Some(solid(shallow(colour))),
        left if left > -2.6 => Some(with_opacity(shallow(colour), 110)),
        _ => None,
    })
}

/// The colour of shallow water.
fn shallow(colour: Rgb) -> Rgb {
    mix(colour, [196, 230, 226], 0.42)
}

fn with_opacity([r, g, b]: Rgb, opacity: u8) -> Pixel {
    [r, g, b, opacity]
}
