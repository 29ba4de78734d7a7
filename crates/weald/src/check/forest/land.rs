//! Slope, aspect and landform (chapter 5).

use super::Rule;
use super::compare::{below, formula, rounding};
use super::names::{BASIN, FLAT, LandformName, RIDGE, SLOPE, VALLEY, name_of};
use super::world::World;
use crate::check::RuleResult;
use crate::error::Result;
use weald_core::math;

/// The rules of chapter 5.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "slope",
        about: "slopeMag is half the length of the central differences of the elevations (5.1)",
        needs: &["slope", "height"],
        run: slope,
    },
    Rule {
        name: "aspect",
        about: "aspectDeg points downhill, 0 east and 90 south; 0 where it is level (5.1)",
        needs: &["aspect_deg", "height"],
        run: aspect,
    },
    Rule {
        name: "landform",
        about: "landform follows from slope and the numbers of higher and lower neighbours (5.2)",
        needs: &["landform", "slope", "height"],
        run: landform,
    },
];

/// Central differences east and south, with the edge repeated.
fn gradient(w: &World, i: usize) -> (f64, f64) {
    let ((x, y), (cols, rows)) = (w.place(i), (w.t.columns, w.t.rows));
    let h = |x: usize, y: usize| w.t.height[y * cols + x] as f64;
    let east = h((x + 1).min(cols - 1), y) - h(x.saturating_sub(1), y);
    let south = h(x, (y + 1).min(rows - 1)) - h(x, y.saturating_sub(1));
    (east, south)
}

fn slope(w: &World, rule: &mut RuleResult) -> Result<()> {
    formula(w, rule, &w.t.slope, 1e-6, |i| {
        let (hx, hy) = gradient(w, i);
        (hx * hx + hy * hy).sqrt() / 2.0
    });
    Ok(())
}

fn aspect(w: &World, rule: &mut RuleResult) -> Result<()> {
    for (i, &a) in w.t.aspect_deg.iter().enumerate() {
        let (hx, hy) = gradient(w, i);
        let length = (hx * hx + hy * hy).sqrt();
        if length > 0.0 && length < 1e-6 {
            continue;
        }
        let e = if length == 0.0 { 0.0 } else { math::atan2(-hy, -hx) * 180.0 / std::f64::consts::PI };
        let e = if e < 0.0 { e + 360.0 } else { e };
        let apart = (a as f64 - e).abs();
        let good = if length == 0.0 { a == 0.0 } else { apart.min(360.0 - apart).abs() <= 1e-3 };
        rule.check(good, Some(w.place(i)), || format!("it is {a}, not {e}"));
    }
    Ok(())
}

/// The decision table of 5.2.
fn landform_of(flat: bool, higher: u32, lower: u32) -> u8 {
    match (flat, higher, lower) {
        (true, 1.., 0) => BASIN,
        (true, 0, 1..) => RIDGE,
        (true, ..) => FLAT,
        (false, 6.., _) => BASIN,
        (false, _, 6..) => RIDGE,
        (false, 5.., 0..=2) => VALLEY,
        (false, 0..=2, 5..) => RIDGE,
        (false, ..) => SLOPE,
    }
}

fn landform(w: &World, rule: &mut RuleResult) -> Result<()> {
    let eps = w.p.landform.eps;
    for (i, &found) in w.t.landform.iter().enumerate() {
        let c = w.t.height[i] as f64;
        // Surely and possibly higher and lower.
        let (mut higher, mut lower) = ((0, 0), (0, 0));
        w.around(i, |_, n| {
            let h = w.t.height[n] as f64;
            let (over, under) = (h - (c + eps), (c - eps) - h);
            let slack = if eps == 0.0 { 0.0 } else { rounding(c + eps) };
            higher = (higher.0 + u32::from(over > slack), higher.1 + u32::from(over > -slack));
            lower = (lower.0 + u32::from(under > slack), lower.1 + u32::from(under > -slack));
        });
        let flat = below(w.t.slope[i], w.p.landform.flat_slope_threshold);
        let good =
            (higher.0..=higher.1).any(|h| (lower.0..=lower.1).any(|l| landform_of(flat, h, l) == found));
        rule.check(good, Some(w.place(i)), || {
            let name = name_of::<LandformName>;
            let asked = name(landform_of(flat, higher.0, lower.0));
            let (h, l, s) = (higher.0, lower.0, w.t.slope[i]);
            format!("it is {}, not {asked}: slope {s}, {h} higher and {l} lower neighbours", name(found))
        });
    }
    Ok(())
}
