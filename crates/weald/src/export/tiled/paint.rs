//! Pixels of tiles: colours, noise that is equal at the edges of all tiles, and sprites drawn as text.

use crate::catalogue::Rgb;
use weald_core::Seed;

/// Pixels along the side of a tile.
pub(super) const SIDE: usize = 16;

/// A pixel: red, green, blue and opacity.
pub(super) type Pixel = [u8; 4];

/// No pixel.
const CLEAR: Pixel = [0; 4];

/// Towards this colour things become darker.
const DARK: Rgb = [34, 44, 58];

/// Towards this colour things become lighter.
const LIGHT: Rgb = [255, 252, 236];

/// The seed of everything in a tileset, which is the same for all maps of a world.
const TILESET: Seed = Seed(16).of("tileset");

/// A colour between two: the share `t` of `b`.
pub(super) fn mix(a: Rgb, b: Rgb, t: f32) -> Rgb {
    let between = |i: usize| (a[i] as f32 + (b[i] as f32 - a[i] as f32) * t).round() as u8;
    [between(0), between(1), between(2)]
}

/// A lighter colour, or a darker one if `by` is below 0.
pub(super) fn shade(colour: Rgb, by: f32) -> Rgb {
    if by < 0.0 { mix(colour, DARK, -by) } else { mix(colour, LIGHT, by) }
}

/// A pixel of that colour.
pub(super) fn solid([r, g, b]: Rgb) -> Pixel {
    [r, g, b, 255]
}

/// One picture of a tileset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tile([[Pixel; SIDE]; SIDE]);

impl Tile {
    /// An empty tile.
    pub(super) fn new() -> Self {
        Self([[CLEAR; SIDE]; SIDE])
    }

    /// A tile from a function of place.
    pub(super) fn of(mut pixel: impl FnMut(usize, usize) -> Option<Pixel>) -> Self {
        let mut out = Self::new();
        for (x, y) in places() {
            out.0[y][x] = pixel(x, y).unwrap_or(CLEAR);
        }
        out
    }

    /// The pixel at a place.
    pub(super) fn at(&self, x: usize, y: usize) -> Pixel {
        self.0[y][x]
    }

    /// A row of pixels.
    pub(super) fn row(&self, y: usize) -> &[Pixel; SIDE] {
        &self.0[y]
    }

    /// Paints a pixel over what is there; places outside are left out.
    pub(super) fn put(&mut self, x: i32, y: i32, pixel: Pixel) {
        let inside = 0..SIDE as i32;
        if !inside.contains(&x) || !inside.contains(&y) || pixel[3] == 0 {
            return;
        }
        let below = &mut self.0[y as usize][x as usize];
        let (over, under) = (pixel[3] as u32, below[3] as u32 * (255 - pixel[3] as u32) / 255);
        let sum = over + under;
        for i in 0..3 {
            below[i] = ((pixel[i] as u32 * over + below[i] as u32 * under + sum / 2) / sum) as u8;
        }
        below[3] = sum as u8;
    }

    /// Paints a sprite with its north-west pixel at (x, y). `colour` says what each letter is.
    pub(super) fn stamp(&mut self, sprite: &Sprite, (x, y): (i32, i32), colour: impl Fn(u8) -> Pixel) {
        for (dy, row) in sprite.iter().enumerate() {
            for (dx, letter) in row.bytes().enumerate().filter(|(_, letter)| *letter != b'.') {
                self.put(x + dx as i32, y + dy as i32, colour(letter));
            }
        }
    }
}

/// A small picture: a letter for each pixel, and a dot for none.
pub(super) type Sprite = [&'static str];

/// Width and height of a sprite.
pub(super) fn size(sprite: &Sprite) -> (i32, i32) {
    (sprite[0].len() as i32, sprite.len() as i32)
}

/// All places of a tile, row by row.
pub(super) fn places() -> impl Iterator<Item = (usize, usize)> {
    (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)))
}

/// Numbers for one variant of a tile.
#[derive(Clone, Copy)]
pub(super) struct Dice {
    shared: Seed,
    own: Seed,
}

impl Dice {
    /// The numbers of a variant of the tiles called `name`.
    pub(super) fn new(name: &str, variant: usize) -> Self {
        let shared = TILESET.of(name);
        Self { shared, own: Seed(shared.at(variant as i64, 7)) }
    }

    /// A number in [0, 1) for a pixel.
    pub(super) fn unit(&self, x: usize, y: usize) -> f32 {
        self.own.unit_at(x as i64, y as i64) as f32
    }

    /// A whole number below `n`, the `k`th of its kind.
    pub(super) fn below(&self, n: i32, k: usize) -> i32 {
        (self.own.at(k as i64, -1) % n.max(1) as u64) as i32
    }

    /// Smooth noise in [0, 1) over the tile. Variants have the same values along the edges, and opposite edges agree, so that any two
    /// tiles join.
    pub(super) fn smooth(&self, x: usize, y: usize) -> f32 {
        const CELL: usize = 4;
        let corner = |i: usize, j: usize| {
            let (i, j) = (i % (SIDE / CELL), j % (SIDE / CELL));
            let seed = if i == 0 || j == 0 { self.shared } else { self.own };
            seed.unit_at(i as i64, j as i64) as f32
        };
        let ease = |v: usize| {
            let t = (v % CELL) as f32 / CELL as f32 + 0.5 / CELL as f32;
            t * t * (3.0 - 2.0 * t)
        };
        let (i, j, tx, ty) = (x / CELL, y / CELL, ease(x), ease(y));
        let along = |j: usize| corner(i, j) + (corner(i + 1, j) - corner(i, j)) * tx;
        along(j) + (along(j + 1) - along(j)) * ty
    }
}
