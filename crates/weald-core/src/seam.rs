//! A map and the land around it: a world map four times as wide, with the playable map at its centre and no step between them.

use crate::ctx::{Ctx, Result};
use crate::grid::Grid;
use crate::resample::{Values, resampled};
use crate::{math, par, stats};

/// Pixels of the playable map along each side of a pixel of the world map.
const FINE: usize = 4;
/// Rounds of [`settled`], at most. Rough land takes a few dozen.
const MOST_ROUNDS: usize = 1000;
/// A round of [`settled`] that changes no height by more than this, in metres, is the last.
const STILL_M: f64 = 0.005;
/// How fast the stretch of border that influences a place grows with its distance from the border: half of it on each side.
const SPREAD: f64 = 0.5;

/// How the two maps are joined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seam {
    /// Side of a pixel of the playable map, in metres.
    pub cell_m: f64,
    /// How far outside the playable map the land still follows its border, in metres.
    pub fade_m: f64,
    /// How far inside its border the playable map turns into what the world map can show, in metres; at least a pixel of
    /// the world map is used.
    pub feather_m: f64,
}

impl Seam {
    /// For pixels of that side: 300 m outside, and 350 m inside, which is 100 pixels of 3.5 m.
    pub fn of(cell_m: f64) -> Self {
        Self { cell_m, fade_m: 300.0, feather_m: 350.0 }
    }
}

/// The pixels of the world map around the playable map: the map with a rim of one pixel, clockwise from its north-western corner.
#[derive(Clone, Debug, PartialEq)]
pub struct Rim(Vec<f32>);

/// Columns and rows of the world map of a map of that size: as many as it has itself, rounded up to multiples of 8 in the same
/// proportion, so that the map begins and ends with a whole pixel. None if there is no such size.
pub fn size_for((w, h): (usize, usize)) -> Option<(usize, usize)> {
    let wide = w.next_multiple_of(2 * FINE);
    let high = (h * wide).checked_div(w)?;
    (high > 0 && high * w == h * wide && high.is_multiple_of(2 * FINE)).then_some((wide, high))
}

/// Prepares the playable map for any land around it: near its border it turns into what the coarser pixels of the world map can
/// show, and the pixels just outside continue it. The map is the same whether a world map is made or not.
///
/// A pixel of the world map is the mean of the playable pixels it covers, and outside the border it continues the two
/// pixels inside: 2a − b. The playable map p becomes p + w·(B − p) with w = 1 − s(pixels to the border / feather),
/// s(t) = t²(3 − 2t), and B the world map between its pixels (linear along both axes). Both hold at once: the means belong
/// to the changed map. The cells of `kept`, such as those of rivers, keep their heights: w = 0.
///
/// A pixel covers 4 × 4 playable pixels if the sides are multiples of 8. Otherwise it covers nearly as many, those at its edges by
/// their shares.
///
/// Reach: the feather. Cost: a pass over the map, and some dozen over the pixels of the world map in the feather.
///
/// # Panics
/// If there is no world map for its size ([`size_for`]).
pub fn feather(
    playable: &Grid<f32>,
    kept: &(impl Fn(usize) -> bool + Sync),
    seam: &Seam,
    ctx: &Ctx,
) -> Result<(Grid<f32>, Rim)> {
    let shape = playable.shape();
    let sides = Sides::of(shape);
    let feather = ((seam.feather_m / seam.cell_m).round() as usize).max(FINE);
    let share = |x: usize, y: usize| {
        let pixels = from_edge((x, y), shape);
        if pixels < feather && !kept(y * shape.0 + x) { share(pixels, feather) } else { 0.0 }
    };
    let mut wide = continued(&sides.means(playable, ctx)?);
    let band = (feather * sides.across.pixels).div_ceil(sides.across.cells);
    settled(&mut wide, playable, (&share, band), sides, ctx)?;
    let rim = Rim(border(wide.width(), wide.height()).map(|at| wide[at]).collect());
    Ok((feathered(playable, &wide, &share, sides, ctx)?, rim))
}

/// Joins the playable map with the land `around` it, which covers four times its side on the pixels of [`size_for`].
///
/// At the centre, a pixel of the world map is the mean of the playable pixels it covers, 4 × 4 or nearly, and around it the rim. Farther out
/// it is `around` + D·(1 − s(r / fade)), with r the distance to the rim, and D the mean difference between the rim and
/// `around` over a stretch of the rim as long as r around the nearest place: steps of the border do not become ribs.
///
/// Reach: the fade. Cost: a pass over each map.
///
/// # Panics
/// If the land around has another size.
pub fn world_map(
    playable: &Grid<f32>,
    rim: &Rim,
    around: &Grid<f32>,
    seam: &Seam,
    ctx: &Ctx,
) -> Result<Grid<f32>> {
    let sides = Sides::of(playable.shape());
    assert_eq!(
        size_for(playable.shape()),
        Some(around.shape()),
        "the land around has the size of the world map"
    );
    let pixel_m = seam.cell_m * sides.across.fine();
    outside(&sides.means(playable, ctx)?, rim, around, (pixel_m, seam.fade_m), ctx)
}

/// A map with a border of one more pixel that continues it: 2a − b.
fn continued(middle: &Grid<f32>) -> Grid<f32> {
    let (w, h) = middle.shape();
    let along = |k: usize, n: usize| {
        // The pixel, and the one behind it if k lies outside.
        let inner = (k.clamp(1, n) - 1).min(n - 1);
        let outer = k == 0 || k == n + 1;
        (inner, if outer && n > 1 { if k == 0 { 1 } else { n - 2 } } else { inner })
    };
    Grid::from_fn(w + 2, h + 2, |x, y| {
        let ((ax, bx), (ay, by)) = (along(x, w), along(y, h));
        2.0 * middle[(ax, ay)] - middle[(bx, by)]
    })
}

/// The border cells of a map of that shape, which has at least two rows and columns, clockwise from the north-west.
pub fn border(w: usize, h: usize) -> impl Iterator<Item = (usize, usize)> {
    let north = (0..w).map(|x| (x, 0));
    let east = (1..h).map(move |y| (w - 1, y));
    let south = (0..w - 1).rev().map(move |x| (x, h - 1));
    let west = (1..h - 1).rev().map(|y| (0, y));
    north.chain(east).chain(south).chain(west)
}

/// Column and row of the world map where the playable map begins.
fn corner(world: &Grid<f32>) -> (usize, usize) {
    let start = |side: usize| (side - side / FINE) / 2;
    (start(world.width()), start(world.height()))
}

fn set_middle(world: &mut Grid<f32>, middle: &Grid<f32>) {
    let (x0, y0) = corner(world);
    for y in 0..middle.height() {
        world.row_mut(y0 + y)[x0..x0 + middle.width()].copy_from_slice(middle.row(y));
    }
}

/// A closed line of values that can be averaged over any stretch.
struct Ring {
    values: Vec<f64>,
    /// Sums of all values before each one; the last is the sum of all.
    sums: Vec<f64>,
}

impl Ring {
    fn new(values: Vec<f64>) -> Self {
        let mut sums = vec![0.0];
        for v in &values {
            sums.push(sums[sums.len() - 1] + v);
        }
        Self { values, sums }
    }

    /// Where a border cell of a grid of that shape stands in the ring.
    fn place((x, y): (usize, usize), (w, h): (usize, usize)) -> usize {
        match (x, y) {
            (x, 0) => x,
            (x, y) if x == w - 1 => w - 1 + y,
            (x, y) if y == h - 1 => w - 1 + h - 1 + (w - 1 - x),
            (_, y) => 2 * (w - 1) + h - 1 + (h - 1 - y),
        }
    }

    /// The integral from the beginning to `at` cells, any number of times around.
    fn sum_to(&self, at: f64) -> f64 {
        let n = self.values.len();
        let turns = (at / n as f64).floor();
        let along = at - turns * n as f64;
        let cell = (along as usize).min(n - 1);
        turns * self.sums[n] + self.sums[cell] + self.values[cell] * (along - cell as f64)
    }

    /// The mean of cell `place` and of `reach` cells to both sides of it.
    fn mean(&self, place: usize, reach: f64) -> f64 {
        let reach = reach.min((self.values.len() as f64 - 1.0) / 2.0);
        let (from, to) = (place as f64 - reach, (place + 1) as f64 + reach);
        (self.sum_to(to) - self.sum_to(from)) / (to - from)
    }
}

/// The land around, fitted to the rim of `middle`, which is put into its place.
fn outside(
    middle: &Grid<f32>,
    rim: &Rim,
    around: &Grid<f32>,
    (pixel_m, fade_m): (f64, f64),
    ctx: &Ctx,
) -> Result<Grid<f32>> {
    let (x0, y0) = corner(around);
    let (w, h) = (middle.width() + 2, middle.height() + 2);
    let difference =
        |((x, y), &value): ((usize, usize), &f32)| value as f64 - around[(x0 - 1 + x, y0 - 1 + y)] as f64;
    let ring = Ring::new(border(w, h).zip(&rim.0).map(difference).collect());
    let mut world = par::fill(around.width(), around.height(), ctx, |y, row: &mut [f32]| {
        let near_y = y.clamp(y0 - 1, y0 + h - 2);
        for (x, out) in row.iter_mut().enumerate() {
            let near_x = x.clamp(x0 - 1, x0 + w - 2);
            let (dx, dy) = (x.abs_diff(near_x) as f64, y.abs_diff(near_y) as f64);
            let far = (dx * dx + dy * dy).sqrt();
            let at = (near_x + 1 - x0, near_y + 1 - y0);
            let share = 1.0 - math::smoothstep(far * pixel_m / fade_m);
            let land = around[(x, y)] as f64;
            // The centre is set below.
            let bent = if share > 0.0 && from_edge(at, (w, h)) == 0 {
                land + share * ring.mean(Ring::place(at, (w, h)), far * SPREAD)
            } else {
                land
            };
            *out = bent as f32 + 0.0;
        }
    })?;
    set_middle(&mut world, middle);
    Ok(world)
}

/// Pixels from the nearest edge of a map of that shape.
pub fn from_edge((x, y): (usize, usize), (w, h): (usize, usize)) -> usize {
    x.min(y).min(w - 1 - x).min(h - 1 - y)
}

/// Share of the world map in a playable pixel that far from the border, less than the feather.
fn share(pixels: usize, feather: usize) -> f64 {
    1.0 - math::smoothstep(pixels as f64 / feather as f64)
}

/// The playable pixels along one axis, and the pixels of the world map that cover them.
#[derive(Clone, Copy, Debug)]
struct Axis {
    cells: usize,
    pixels: usize,
}

impl Axis {
    /// The playable pixels that a pixel of the world map covers, each with its share: 1 if it covers the whole of it.
    fn covered(self, pixel: usize) -> impl Iterator<Item = (usize, f64)> {
        let (from, to) = (pixel * self.cells, (pixel + 1) * self.cells);
        (from / self.pixels..to.div_ceil(self.pixels)).map(move |cell| {
            let parts = to.min((cell + 1) * self.pixels) - from.max(cell * self.pixels);
            (cell, parts as f64 / self.pixels as f64)
        })
    }

    /// How many playable pixels a pixel of the world map covers.
    fn fine(self) -> f64 {
        self.cells as f64 / self.pixels as f64
    }

    /// Where the centre of a playable pixel lies, in pixels of the world map from the centre of its first one.
    fn coarse(self, cell: usize) -> f64 {
        ((2 * cell + 1) * self.pixels) as f64 / (2 * self.cells) as f64 - 0.5
    }

    /// Where a playable pixel lies between the pixels of the world map: the first of them, from 0 for the one before `pixel`, which
    /// covers it, and the weights of it and the next.
    fn linear(self, cell: usize, pixel: usize) -> (usize, [f64; 2]) {
        let place = self.coarse(cell) + 1.0 - pixel as f64;
        let first = (place as usize).min(1);
        let next = place - first as f64;
        (first, [1.0 - next, next])
    }
}

/// Both axes of a playable map.
#[derive(Clone, Copy, Debug)]
struct Sides {
    across: Axis,
    down: Axis,
}

impl Sides {
    fn of((w, h): (usize, usize)) -> Self {
        let size = size_for((w, h));
        assert!(size.is_some(), "there is no world map of a map of {w}x{h} cells");
        let (wide, high) = size.unwrap_or_default();
        Self { across: Axis { cells: w, pixels: wide / FINE }, down: Axis { cells: h, pixels: high / FINE } }
    }

    /// The pixels of the world map that cover the playable map: its means.
    fn means(self, playable: &Grid<f32>, ctx: &Ctx) -> Result<Grid<f32>> {
        let size = (self.across.pixels, self.down.pixels);
        match (self.across.cells, self.down.cells) == (size.0 * FINE, size.1 * FINE) {
            true => stats::block_means(playable, FINE, ctx),
            false => resampled(playable, size, Values::Measure, ctx),
        }
    }
}

/// A pixel of the world map within the feather: its mean is `own` + Σ weights · (itself and its neighbours, row by row).
struct Joint {
    place: usize,
    own: f64,
    weights: [f64; 9],
}

/// The joint of the world pixel (`px`, `py`) of those that cover the playable map.
fn joint(
    playable: &Grid<f32>,
    (px, py): (usize, usize),
    place: usize,
    share: &impl Fn(usize, usize) -> f64,
    sides: Sides,
) -> Joint {
    let (mut own, mut weights) = (0.0, [0.0; 9]);
    for (y, tall) in sides.down.covered(py) {
        let (row, down) = sides.down.linear(y, py);
        for (x, wide) in sides.across.covered(px) {
            let (column, across) = sides.across.linear(x, px);
            let (share, part) = (share(x, y), tall * wide);
            own += part * ((1.0 - share) * playable[(x, y)] as f64);
            for (j, down) in down.iter().enumerate() {
                for (i, across) in across.iter().enumerate() {
                    weights[(row + j) * 3 + column + i] += part * (share * down * across);
                }
            }
        }
    }
    let count = sides.across.fine() * sides.down.fine();
    Joint { place, own: own / count, weights: weights.map(|w| w / count) }
}

/// Changes the centre of the world map until it is the mean of the playable map that is feathered towards it.
///
/// The mean of a feathered pixel is a linear function of its nine neighbours on the world map, with weights that sum to
/// less than 1 or, at the border, end in the fixed land outside: repeating it converges. What a round changes is
/// the step that is left at the border. Only the pixels within the `band` along the border change.
fn settled(
    world: &mut Grid<f32>,
    playable: &Grid<f32>,
    (share, band): (&(impl Fn(usize, usize) -> f64 + Sync), usize),
    sides: Sides,
    ctx: &Ctx,
) -> Result<()> {
    let width = world.width();
    let (w, h) = (sides.across.pixels, sides.down.pixels);
    let rows: Vec<Vec<Joint>> = par::map(h, ctx, |y| {
        (0..w)
            .filter(|&x| from_edge((x, y), (w, h)) < band)
            .map(|x| joint(playable, (x, y), (1 + y) * width + 1 + x, share, sides))
            .collect()
    })?;
    let mut heights: Vec<f64> = world.cells().iter().map(|v| *v as f64).collect();
    for _ in 0..MOST_ROUNDS {
        let fresh = par::map(rows.len(), &ctx.quiet(), |y| {
            let mean = |j: &Joint| {
                let above = j.place - width - 1;
                let near = |k: usize| heights[above + k / 3 * width + k % 3];
                (0..9).fold(j.own, |sum, k| sum + j.weights[k] * near(k))
            };
            rows[y].iter().map(mean).collect::<Vec<f64>>()
        })?;
        let mut change = 0f64;
        for (joint, mean) in rows.iter().flatten().zip(fresh.into_iter().flatten()) {
            change = change.max((heights[joint.place] - mean).abs());
            heights[joint.place] = mean;
        }
        if change <= STILL_M {
            break;
        }
    }
    for joint in rows.iter().flatten() {
        world.cells_mut()[joint.place] = heights[joint.place] as f32 + 0.0;
    }
    Ok(())
}

/// The playable map, turning into the world map towards its border.
fn feathered(
    playable: &Grid<f32>,
    world: &Grid<f32>,
    share: &(impl Fn(usize, usize) -> f64 + Sync),
    sides: Sides,
    ctx: &Ctx,
) -> Result<Grid<f32>> {
    par::fill(playable.width(), playable.height(), ctx, |y, row: &mut [f32]| {
        for (x, out) in row.iter_mut().enumerate() {
            let (here, share) = (playable[(x, y)], share(x, y));
            *out = here;
            if share > 0.0 {
                let wide = world.bilinear(1.0 + sides.across.coarse(x), 1.0 + sides.down.coarse(y));
                *out = (here as f64 + share * (wide - here as f64)) as f32 + 0.0;
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::gradient::{Fractal, NoiseShape, fractal};
    use crate::{Frame, Seed};

    /// A step of heights in the pictures of Cities: Skylines II.
    const QUANTUM_M: f64 = 4096.0 / 65535.0;

    /// Land of a square map and of the land around it; the map is rougher and lies higher.
    fn lands(side: usize) -> (Grid<f32>, Grid<f32>, Seam) {
        let cell_m = 14336.0 / side as f64;
        let pixels = size_for((side, side)).unwrap().0;
        let pixel_m = 4.0 * 14336.0 / pixels as f64;
        let wide = Frame { origin: (-21504.0, -21504.0), ..Frame::new(pixels, pixels, pixel_m) };
        let shape = Fractal { wavelength_m: 4000.0, octaves: 8, persistence: 0.6, lacunarity: 2.0 };
        let rough = Fractal { wavelength_m: 300.0, octaves: 5, persistence: 0.7, lacunarity: 2.0 };
        let ctx = Ctx::default();
        let of = |frame: &Frame, shape: &Fractal, seed: u64, amplitude: f32| {
            let mut grid = fractal(frame, Seed(seed), NoiseShape::Fbm, shape, &ctx).unwrap();
            grid.cells_mut().iter_mut().for_each(|v| *v *= amplitude);
            grid
        };
        let narrow = Frame::new(side, side, cell_m);
        let around = of(&wide, &shape, 1, 900.0);
        let (mut playable, detail) = (of(&narrow, &shape, 1, 900.0), of(&narrow, &rough, 2, 60.0));
        playable.cells_mut().iter_mut().zip(detail.cells()).for_each(|(v, d)| *v += d + 25.0);
        (playable, around, Seam::of(cell_m))
    }

    /// The largest step from the border of the playable map to the world map between its pixels.
    fn border_step(playable: &Grid<f32>, world: &Grid<f32>) -> f64 {
        let (w, h) = playable.shape();
        let (x0, y0) = corner(world);
        let at = |start: usize, v: usize| {
            start as f64 + (v as f64 + 0.5) * (world.width() / FINE) as f64 / w as f64 - 0.5
        };
        border(w, h)
            .map(|(x, y)| (world.bilinear(at(x0, x), at(y0, y)) - playable[(x, y)] as f64).abs())
            .fold(0.0, f64::max)
    }

    #[test]
    fn a_map_whose_side_is_no_multiple_of_8_meets_its_world_map_as_closely_as_any_other() {
        let ctx = Ctx::default();
        for side in [253, 1009, 1025] {
            let (rough, around, seam) = lands(side);
            let (playable, rim) = feather(&rough, &|_| false, &seam, &ctx).unwrap();
            let world = world_map(&playable, &rim, &around, &seam, &ctx).unwrap();
            let step = border_step(&playable, &world);
            assert!(step < 4.0 * QUANTUM_M, "{side}: {step} m");
        }
    }

    #[test]
    fn there_is_no_step_at_the_border_of_the_playable_map_and_the_middle_is_its_exact_mean() {
        let ctx = Ctx::default();
        for side in [256, 1024] {
            let (rough, around, seam) = lands(side);
            let (playable, rim) = feather(&rough, &|_| false, &seam, &ctx).unwrap();
            let plain = world_map(&rough, &rim, &around, &seam, &ctx).unwrap();
            assert!(border_step(&rough, &plain) > 20.0 * QUANTUM_M, "the land is rough enough to tell");
            let world = world_map(&playable, &rim, &around, &seam, &ctx).unwrap();
            let step = border_step(&playable, &world);
            assert!(step < 4.0 * QUANTUM_M, "{side}: {step} m");
            let (x0, y0) = (side / 8 * 3, side / 8 * 3);
            for y in 0..side / 4 {
                for x in 0..side / 4 {
                    let mut sum = 0.0;
                    for k in 0..16 {
                        sum += playable[(4 * x + k % 4, 4 * y + k / 4)] as f64;
                    }
                    assert_eq!(world[(x0 + x, y0 + y)], (sum / 16.0) as f32);
                }
            }
        }
    }

    #[test]
    fn only_the_feather_of_the_playable_map_and_the_fade_around_it_change() {
        let (rough, around, seam) = lands(512);
        let ctx = Ctx::default();
        let (playable, rim) = feather(&rough, &|_| false, &seam, &ctx).unwrap();
        let world = world_map(&playable, &rim, &around, &seam, &ctx).unwrap();
        let feather = (350.0f64 / 28.0).round() as usize;
        let mut changed = 0;
        for y in 0..512 {
            for x in 0..512 {
                let same = playable[(x, y)] == rough[(x, y)];
                assert!(same || from_edge((x, y), (512, 512)) < feather, "{x}, {y}");
                changed += !same as usize;
                let outside = |v: usize| 191usize.saturating_sub(v).max(v.saturating_sub(320)) as f64;
                let far = (outside(x) * outside(x) + outside(y) * outside(y)).sqrt() * 112.0;
                if far > 300.0 {
                    assert_eq!(world[(x, y)], around[(x, y)], "{x}, {y}");
                }
            }
        }
        assert!(changed > 20_000, "{changed}");
    }

    #[test]
    fn a_map_that_is_lifted_above_the_land_around_is_reached_by_a_ramp() {
        let (side, lift) = (256, 50.0f32);
        let (level, around) = (Grid::filled(side, side, lift), Grid::filled(side, side, 0.0f32));
        let seam = Seam { cell_m: 10.0, fade_m: 1000.0, feather_m: 100.0 };
        let (playable, rim) = feather(&level, &|_| false, &seam, &Ctx::default()).unwrap();
        assert!(playable.cells().iter().all(|v| (v - lift).abs() < 1e-3), "level land stays level");
        let world = world_map(&playable, &rim, &around, &seam, &Ctx::default()).unwrap();
        // The steepest place of 1 - s(r / fade) falls by 1.5 / fade.
        let steepest = 1.5 / 1000.0 * 40.0 * lift;
        for y in 0..side {
            for x in 1..side {
                let step = (world[(x, y)] - world[(x - 1, y)]).abs();
                assert!(step <= steepest * 1.05, "{x}, {y}: {step}");
            }
        }
        assert_eq!((world[(0, 0)], world[(128, 128)]), (0.0, lift));
    }

    #[test]
    fn the_pixels_outside_continue_a_plane() {
        let plane = Grid::from_fn(64, 48, |x, y| 3.0 * x as f32 - 2.0 * y as f32);
        let (same, rim) = feather(&plane, &|_| false, &Seam::of(28.0), &Ctx::default()).unwrap();
        for ((x, y), &h) in same.iter() {
            assert!((h - plane[(x, y)]).abs() < 0.02, "{x}, {y}");
        }
        for ((x, y), &h) in border(18, 14).zip(&rim.0) {
            let wanted = 3.0 * (4.0 * x as f32 - 2.5) - 2.0 * (4.0 * y as f32 - 2.5);
            assert!((h - wanted).abs() < 0.1, "{x}, {y}: {h} and {wanted}");
        }
    }

    #[test]
    fn a_ring_is_averaged_over_any_stretch_and_every_cell_of_a_border_has_one_place() {
        let grid = Grid::from_vec(5, 4, (0..20).map(|i| (i * i % 7) as f64).collect());
        let ring = Ring::new(border(5, 4).map(|at| grid[at]).collect());
        let n = ring.values.len();
        assert_eq!(n, 14);
        let mut seen = vec![false; n];
        for (x, y) in (0..20).map(|i| (i % 5, i / 5)).filter(|&at| from_edge(at, (5, 4)) == 0) {
            let place = Ring::place((x, y), (5, 4));
            assert_eq!(ring.values[place], grid[(x, y)]);
            assert!(!std::mem::replace(&mut seen[place], true));
            assert!((ring.mean(place, 0.0) - grid[(x, y)]).abs() < 1e-12);
            let around = (0..5).map(|k| ring.values[(place + n + k - 2) % n]).sum::<f64>() / 5.0;
            assert!((ring.mean(place, 2.0) - around).abs() < 1e-12);
        }
        let all = ring.values.iter().sum::<f64>() / n as f64;
        assert!((ring.mean(3, 99.0) - all).abs() < 1e-12);
    }

    #[test]
    fn a_map_of_any_number_of_cells_lies_in_a_world_map_without_a_step() {
        for side in [121, 63, 129] {
            let n = size_for((side, side)).unwrap().0;
            let rough = |x: usize, y: usize| ((x * x + 3 * y * y) % 97) as f32;
            let ctx = Ctx::default();
            let playable = crate::blur::gaussian(&Grid::from_fn(side, side, rough), 2.0, &ctx).unwrap();
            let seam = Seam { feather_m: 20.0, fade_m: 60.0, cell_m: 1.0 };
            let (map, rim) = feather(&playable, &|_| false, &seam, &ctx).unwrap();
            assert_eq!(map[(side / 2, side / 2)], playable[(side / 2, side / 2)], "the middle is as it was");
            let around = Grid::filled(n, n, 7.0);
            let world = world_map(&map, &rim, &around, &seam, &ctx).unwrap();
            assert_eq!(world.shape(), (n, n));
            // Along a row across the western border, the map differs from the world map between its pixels by little.
            let start = corner(&world).0;
            let (mut after, mut before) = (0.0, 0.0);
            for y in side / 4..side * 3 / 4 {
                let at = |v: usize| start as f64 + (v as f64 + 0.5) / side as f64 * (n / FINE) as f64 - 0.5;
                let wide = world.bilinear(at(0), at(y));
                let step = map[(0, y)] as f64 - wide;
                // The relief is 97 m.
                assert!(step.abs() < 0.1, "{side}: {step} m at row {y}");
                after += step.abs();
                before += (playable[(0, y)] as f64 - wide).abs();
            }
            assert!(after < before / 4.0, "{side}: {after} of {before} m");
        }
    }
}
