//! Trees seen from above: small crowns with light and shadow.

use super::ground::{Tone, grain, lit, tone};
use super::lines::Wet;
use crate::style::map::{Crown, Tree};
use weald_core::{Cancelled, Ctx, Grid, Seed, par};

/// One tree, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stem {
    x: f32,
    y: f32,
    radius: f32,
    crown: Tone,
    pointed: bool,
}

/// Where trees may stand and of which kind they are.
pub(super) struct Wood<'a> {
    /// Share of the places that hold a tree, by block.
    pub(super) density: &'a Grid<f32>,
    /// Index into `kinds`, by block.
    pub(super) cover: &'a Grid<u8>,
    /// Kinds of trees of each class of cover.
    pub(super) kinds: &'a [Vec<Tree>],
    /// Pixels that lines keep free, at half resolution.
    pub(super) free: &'a Grid<bool>,
    /// Water, by block.
    pub(super) water: &'a Grid<Wet>,
    /// Pixels per block.
    pub(super) scale: usize,
}

impl Wood<'_> {
    /// Whether a place lies in a block of open water or so close to one that the drawn shore may reach it.
    fn by_the_water(&self, x: f32, y: f32) -> bool {
        /// How far the shore is drawn beyond the edge of the block.
        const REACH: f32 = 0.32;
        let s = self.scale as f32;
        [(0.0, 0.0), (-REACH, 0.0), (REACH, 0.0), (0.0, -REACH), (0.0, REACH)].into_iter().any(|(dx, dy)| {
            let (bx, by) = ((x / s + dx).floor() as i64, (y / s + dy).floor() as i64);
            self.water.contains(bx, by) && self.water[(bx as usize, by as usize)] == Wet::Lake
        })
    }
}

/// Distance between places for trees in pixels: a whole number of them to a cell, about 5 where a cell has 5 pixels and
/// 8 where it has 20.
pub(super) fn pitch(scale: usize) -> f32 {
    let wanted = (4.0 + scale as f32 * 0.2).min(9.0);
    scale as f32 / ((scale as f32 / wanted).round().max(1.0))
}

/// The trees of a wood, in rows of places from the north.
///
/// Every place on a lattice has a hash, `seed.at(x, y)`. It shifts the tree by up to 0.4 of the lattice, picks its
/// kind and varies its size and colour. Whether there is one is decided by the hash and, to a lesser part,
/// by a smooth field, so that trees stand in groups as they do in nature; the sum is brought back to an even
/// distribution, so that their share follows the density.
pub(super) fn stems(wood: &Wood, seed: Seed, ctx: &Ctx) -> Result<Vec<Vec<Stem>>, Cancelled> {
    let pitch = pitch(wood.scale);
    let (w, h) = (wood.cover.width() * wood.scale, wood.cover.height() * wood.scale);
    let (columns, rows) = ((w as f32 / pitch).round() as i64, (h as f32 / pitch).round() as usize);
    let groups = seed.of("groups");
    par::map(rows, ctx, |row| {
        let y0 = row as i64;
        let mut stems: Vec<Stem> = (0..columns)
            .filter_map(|x0| {
                let hash = seed.at(x0, y0);
                let part = |shift: u32| ((hash >> shift) & 0xfff) as f32 / 4096.0;
                let x = (x0 as f32 + 0.5 + 0.8 * (part(0) - 0.5)) * pitch;
                let y = (y0 as f32 + 0.5 + 0.8 * (part(12) - 0.5)) * pitch;
                let cell = (
                    (x as usize / wood.scale).min(wood.cover.width() - 1),
                    (y as usize / wood.scale).min(wood.cover.height() - 1),
                );
                let smooth =
                    (1.6 * (grain(groups, x / (3.4 * pitch), y / (3.4 * pitch)) - 0.5) + 0.5).clamp(0.0, 1.0);
                let even = evened(GROUPED * smooth + (1.0 - GROUPED) * part(24));
                if even >= wood.density[cell]
                    || wood.by_the_water(x, y)
                    || wood.free[(x as usize / 2, y as usize / 2)]
                {
                    return None;
                }
                let kind = pick(&wood.kinds[wood.cover[cell] as usize], part(36))?;
                let varied = 1.0 + 0.16 * (part(48) - 0.5);
                let radius = 0.42 * pitch * kind.size * (0.8 + 0.4 * part(42));
                let crown = tone(kind.crown).map(|c| c * varied);
                Some(Stem { x, y, radius, crown, pointed: kind.shape == Crown::Pointed })
            })
            .collect();
        stems.sort_by(|a, b| a.y.total_cmp(&b.y));
        stems
    })
}

/// Weight of the smooth field in the decision whether there is a tree.
const GROUPED: f32 = 0.3;

/// The distribution function of g·A + (1 − g)·B for g = [`GROUPED`] and A, B even in [0, 1]: makes the sum even again.
fn evened(u: f32) -> f32 {
    let (short, area) = (GROUPED, 2.0 * GROUPED * (1.0 - GROUPED));
    if u < short {
        u * u / area
    } else if u < 1.0 - short {
        (u - short / 2.0) / (1.0 - short)
    } else {
        1.0 - (1.0 - u) * (1.0 - u) / area
    }
}

/// The kind at the share `t` of the weights.
fn pick(kinds: &[Tree], t: f32) -> Option<&Tree> {
    let all: f32 = kinds.iter().map(|k| k.weight).sum();
    let mut left = t * all;
    for kind in kinds {
        left -= kind.weight;
        if left < 0.0 {
            return Some(kind);
        }
    }
    kinds.last()
}

/// Draws what of the trees lies in pixel row `y`: all shadows first, then the crowns from the north.
pub(super) fn draw_row(rows: &[Vec<Stem>], pitch: f32, y: usize, light: &[f32], out: &mut [Tone]) {
    /// No tree reaches further than this, shadow included.
    const REACH: f32 = 14.0;
    if rows.is_empty() {
        return;
    }
    let centre = y as f32 + 0.5;
    let first = (((centre - REACH) / pitch).floor().max(0.0)) as usize;
    let last = (((centre + REACH) / pitch).ceil().max(0.0) as usize).min(rows.len());
    let near = &rows[first.min(rows.len())..last];
    for stem in near.iter().flatten() {
        let r = stem.radius * 1.05;
        let (sx, sy) = (stem.x + 0.55 * stem.radius, stem.y + 0.62 * stem.radius);
        span(sx, sy, r, centre, out.len(), |x, edge, _, _| {
            let dark = 0.19 * edge;
            let t = &mut out[x];
            *t = [t[0] * (1.0 - dark), t[1] * (1.0 - 0.9 * dark), t[2] * (1.0 - 0.72 * dark)];
        });
    }
    for stem in near.iter().flatten() {
        span(stem.x, stem.y, stem.radius, centre, out.len(), |x, edge, dx, dy| {
            let mut crown = crown_tone(stem, dx, dy);
            // Crowns are too dark for the light of bare ground, which would turn them grey.
            if light[x] < 1.0 {
                crown = lit(crown, light[x]);
            } else {
                crown = crown.map(|c| c * (1.0 + 0.45 * (light[x] - 1.0)));
            }
            super::ground::blend(&mut out[x], crown, edge);
        });
    }
}

/// Colour of a crown at an offset from its centre, in radii.
fn crown_tone(stem: &Stem, dx: f32, dy: f32) -> Tone {
    let across = -(dx + dy) * std::f32::consts::FRAC_1_SQRT_2;
    let far = dx * dx + dy * dy;
    let light = if stem.pointed {
        // A cone: the flank towards the light is bright up to the tip.
        0.30 * (across * 2.2).clamp(-1.0, 1.0) + 0.10 * (1.0 - far)
    } else {
        0.34 * across + 0.12 * (1.0 - far)
    };
    if light > 0.0 {
        let warm = [1.0, 1.0, 0.8];
        std::array::from_fn(|k| stem.crown[k] + (255.0 - stem.crown[k]) * light * 0.75 * warm[k])
    } else {
        stem.crown.map(|c| c * (1.0 + light * 1.25))
    }
}

/// Calls `plot(x, coverage, dx, dy)` for the pixels of a disc in the row with the given centre; dx and dy in radii.
#[inline]
fn span(cx: f32, cy: f32, r: f32, row: f32, width: usize, mut plot: impl FnMut(usize, f32, f32, f32)) {
    let dy = row - cy;
    let reach = r + 0.5;
    if dy.abs() >= reach {
        return;
    }
    let half = (reach * reach - dy * dy).sqrt();
    let first = (cx - half).floor().max(0.0) as usize;
    let last = ((cx + half).ceil().max(0.0) as usize).min(width);
    for x in first..last {
        let dx = x as f32 + 0.5 - cx;
        let edge = (r + 0.5 - (dx * dx + dy * dy).sqrt()).clamp(0.0, 1.0);
        if edge > 0.0 {
            plot(x, edge, dx / r, dy / r);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PINE: Tree = Tree { crown: [100, 120, 80], size: 1.0, shape: Crown::Round, weight: 1.0 };

    fn wood_of(density: f32) -> Vec<Vec<Stem>> {
        let (density, cover) = (Grid::filled(60, 60, density), Grid::filled(60, 60, 0u8));
        let free = Grid::filled(160, 160, false);
        let kinds = [vec![PINE]];
        let water = Grid::filled(cover.width(), cover.height(), Wet::Land);
        let wood =
            Wood { density: &density, cover: &cover, kinds: &kinds, free: &free, water: &water, scale: 5 };
        stems(&wood, Seed(1).of("trees"), &Ctx::default()).unwrap()
    }

    #[test]
    fn the_number_of_trees_follows_the_density() {
        for density in [0.0, 0.1, 0.35, 0.8, 1.0] {
            let n = wood_of(density).iter().map(Vec::len).sum::<usize>() as f32 / 3600.0;
            assert!((n - density).abs() < 0.06, "{n} of {density}");
        }
    }

    #[test]
    fn trees_are_the_same_every_time_and_differ_by_place() {
        let wood = wood_of(0.5);
        assert_eq!(wood, wood_of(0.5));
        assert_ne!(wood[3], wood[4]);
    }

    #[test]
    fn lines_keep_their_way_free_of_trees() {
        let (density, cover) = (Grid::filled(9, 9, 1.0), Grid::filled(9, 9, 0u8));
        let free = Grid::filled(30, 30, true);
        let kinds = [vec![PINE]];
        let water = Grid::filled(cover.width(), cover.height(), Wet::Land);
        let wood =
            Wood { density: &density, cover: &cover, kinds: &kinds, free: &free, water: &water, scale: 5 };
        assert!(stems(&wood, Seed(1), &Ctx::default()).unwrap().iter().all(Vec::is_empty));
    }

    #[test]
    fn a_crown_is_brighter_towards_the_light() {
        let stem = Stem { x: 0.0, y: 0.0, radius: 3.0, crown: [100.0; 3], pointed: false };
        assert!(crown_tone(&stem, -0.5, -0.5)[1] > crown_tone(&stem, 0.5, 0.5)[1] + 20.0);
    }
}
