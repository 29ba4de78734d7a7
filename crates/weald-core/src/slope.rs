//! Steepness and the way down.

use crate::ctx::{Cancelled, Ctx};
use crate::grid::Grid;
use crate::math;
use crate::par;
use std::f64::consts::PI;

/// Slope and aspect by central differences, computed in f64 and rounded to f32.
///
/// With Hx = h(x+1, y) − h(x−1, y) and Hy = h(x, y+1) − h(x, y−1), indices clamped to the map, and c the side of a
/// cell: slope = √(Hx² + Hy²) / (2c), rise over run; aspect = the angle of (−Hx, −Hy), the downhill direction, in
/// degrees from east towards south, in [0, 360), and 0 where Hx = Hy = 0. Reach: 1 cell.
pub fn central(height: &Grid<f32>, cell_m: f64, ctx: &Ctx) -> Result<(Grid<f32>, Grid<f32>), Cancelled> {
    let (w, h) = (height.width(), height.height());
    let (mut slope, mut aspect) = (Grid::filled(w, h, 0f32), Grid::filled(w, h, 0f32));
    par::for_rows(
        (slope.rows_mut(), aspect.rows_mut()),
        ctx,
        #[inline(always)]
        |y, (slope, aspect)| {
            let (row, north) = (height.row(y), height.row(y.saturating_sub(1)));
            let south = height.row((y + 1).min(h - 1));
            for x in 0..w {
                let hx = row[(x + 1).min(w - 1)] as f64 - row[x.saturating_sub(1)] as f64;
                let hy = south[x] as f64 - north[x] as f64;
                slope[x] = ((hx * hx + hy * hy).sqrt() / (2.0 * cell_m)) as f32;
                aspect[x] = aspect_deg(hx, hy);
            }
        },
    )?;
    Ok((slope, aspect))
}

/// Downhill direction of the gradient (hx, hy), in degrees from east towards south.
fn aspect_deg(hx: f64, hy: f64) -> f32 {
    if hx == 0.0 && hy == 0.0 {
        return 0.0;
    }
    let deg = math::atan2(-hy, -hx) * 180.0 / PI;
    let deg = (if deg < 0.0 { deg + 360.0 } else { deg }) as f32;
    // Just below 360 rounds up to it; a bare −0 would be a second zero.
    if deg >= 360.0 || deg == 0.0 { 0.0 } else { deg }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_has_one_slope_and_one_aspect_away_from_its_border() {
        // Falls 3 per cell to the east and 4 to the south: slope 5, downhill to the south-east.
        let plane = Grid::from_vec(
            5,
            5,
            (0..25).map(|i| 100.0 - 3.0 * (i % 5) as f32 - 4.0 * (i / 5) as f32).collect(),
        );
        let (slope, aspect) = central(&plane, 1.0, &Ctx::default()).unwrap();
        assert_eq!(slope[(2, 2)], 5.0);
        assert!((aspect[(2, 2)] - 53.130_1).abs() < 1e-4);
        let (half, _) = central(&plane, 2.0, &Ctx::default()).unwrap();
        assert_eq!(half[(2, 2)], 2.5);
        // On the eastern border the difference spans one cell only.
        assert_eq!(slope[(4, 2)], ((3.0f64 * 3.0 + 64.0).sqrt() / 2.0) as f32);
    }

    #[test]
    fn the_four_axes_have_round_angles_and_flats_have_zero() {
        assert_eq!(aspect_deg(-1.0, 0.0), 0.0);
        assert_eq!(aspect_deg(0.0, -1.0), 90.0);
        assert_eq!(aspect_deg(1.0, 0.0), 180.0);
        assert_eq!(aspect_deg(0.0, 1.0), 270.0);
        assert_eq!(aspect_deg(0.0, 0.0), 0.0);
        assert_eq!(aspect_deg(-1.0, 1e-12), 0.0);
    }

    #[test]
    fn a_single_cell_is_flat() {
        let (slope, aspect) = central(&Grid::filled(1, 1, 0.7), 1.0, &Ctx::default()).unwrap();
        assert_eq!((slope[(0, 0)], aspect[(0, 0)]), (0.0, 0.0));
    }
}
