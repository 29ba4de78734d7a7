//! Harbours: sheltered places on the coast.

use super::params;
use weald_core::hydro::River;
use weald_core::{Cancelled, Ctx, Dir8, Grid, par, scatter};

/// Distance up to which land gives shelter, in cells.
const SIGHT: usize = 40;

/// Distance up to which the mouth of a river counts, in cells.
const MOUTH: usize = 6;

/// What a river mouth adds to the score.
const MOUTH_WORTH: f32 = 0.15;

/// A harbour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Harbour {
    /// The cell of land, as y·width + x.
    pub cell: u32,
    /// Share of the horizon that is closed by land, 0 to 1; near land counts more.
    pub shelter: f32,
    /// Depth of the water beside it in metres.
    pub depth_m: f32,
    /// Index of the river whose mouth is near.
    pub river: Option<u32>,
}

/// The harbours, the best first.
///
/// Shelter is measured in sixteen directions from the sea cell beside a coast cell: shelter = 1 − mean(min(f, 40)/40) with f the
/// cells of open water. The score of a place is its shelter, plus 0.15 at the mouth of a river; the best are taken first,
/// each farther than the spacing from those before. Reach: whole map. Cost: about 1 µs per coast cell.
pub fn harbours(
    (shoreline, height): (&Grid<u8>, &Grid<f32>),
    rivers: &[River],
    p: &params::Harbours,
    ctx: &Ctx,
) -> Result<Vec<Harbour>, Cancelled> {
    let (w, h) = (height.width(), height.height());
    let mut mouths: Vec<(u32, u32)> = Vec::new();
    for (k, river) in rivers.iter().enumerate().filter(|(_, r)| r.parent.is_none()) {
        mouths.extend(river.cells.last().map(|&c| (c, k as u32)));
    }
    mouths.sort_unstable();
    let near_mouth = |x: usize, y: usize| {
        let rows = y.saturating_sub(MOUTH)..=(y + MOUTH).min(h - 1);
        let found = rows.flat_map(|row| {
            let (left, right) = (row * w + x.saturating_sub(MOUTH), row * w + (x + MOUTH).min(w - 1));
            let from = mouths.partition_point(|m| (m.0 as usize) < left);
            mouths[from..].iter().take_while(move |m| m.0 as usize <= right).map(|m| m.1)
        });
        // The list is sorted by size, so the smallest number is the largest river.
        found.min()
    };
    let rows = par::map(h, ctx, |y| {
        let mut found = Vec::new();
        for x in (0..w).filter(|&x| shoreline[(x, y)] != 0) {
            let at_sea = Dir8::ALL.into_iter().filter(|d| !d.is_diagonal()).find_map(|d| {
                let (sx, sy) = (x as i64 + d.dx() as i64, y as i64 + d.dy() as i64);
                let on_map = height.contains(sx, sy);
                (on_map && height[(sx as usize, sy as usize)] < 0.0).then_some((sx, sy))
            });
            let Some(at_sea) = at_sea else { continue };
            let shelter = shelter(height, at_sea);
            if shelter >= p.min_shelter as f32 {
                let depth_m = -height[(at_sea.0 as usize, at_sea.1 as usize)];
                found.push(Harbour { cell: (y * w + x) as u32, shelter, depth_m, river: near_mouth(x, y) });
            }
        }
        found
    })?;
    let mut all = rows.concat();
    let worth = |a: &Harbour| a.shelter + if a.river.is_some() { MOUTH_WORTH } else { 0.0 };
    all.sort_unstable_by(|a, b| worth(b).total_cmp(&worth(a)).then(a.cell.cmp(&b.cell)));
    let kept = scatter::min_spacing(w, all.iter().map(|a| a.cell as usize), p.harbour_spacing);
    let mut kept = kept.into_iter().peekable();
    Ok(all.into_iter().filter(|a| kept.next_if_eq(&(a.cell as usize)).is_some()).collect())
}

/// Sixteen directions: the eight of the compass, and those between them.
const SIGHTS: [(i64, i64); 16] = [
    (2, 0),
    (2, 1),
    (2, 2),
    (1, 2),
    (0, 2),
    (-1, 2),
    (-2, 2),
    (-2, 1),
    (-2, 0),
    (-2, -1),
    (-2, -2),
    (-1, -2),
    (0, -2),
    (1, -2),
    (2, -2),
    (2, -1),
];

/// Shelter of a cell of the sea. Off the map is open water.
fn shelter(height: &Grid<f32>, (x, y): (i64, i64)) -> f32 {
    let mut open = 0;
    for (dx, dy) in SIGHTS {
        let blocked = |k: &usize| {
            let (sx, sy) = (x + dx * *k as i64 / 2, y + dy * *k as i64 / 2);
            height.contains(sx, sy) && height[(sx as usize, sy as usize)] >= 0.0
        };
        open += (1..=SIGHT).find(blocked).map_or(SIGHT, |k| k - 1);
    }
    1.0 - open as f32 / (SIGHT * SIGHTS.len()) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bay_shelters_more_than_a_straight_coast_and_that_more_than_a_rock() {
        let at = |land: &dyn Fn(i64, i64) -> bool| {
            let cells = (0..101 * 101).map(|i| if land(i % 101 - 50, i / 101 - 50) { 1.0 } else { -5.0 });
            shelter(&Grid::from_vec(101, 101, cells.collect()), (50, 50))
        };
        let rock = at(&|x, y| (x, y) == (1, 0));
        let straight = at(&|x, _| x > 0);
        let bay = at(&|x, y| x > 0 || y.abs() > 4);
        assert_eq!(rock, 3.0 / 16.0, "it hides three of the sights");
        assert!(straight > 0.35 && straight < 0.5 && bay > 0.7, "{straight} {bay}");
    }
}
