//! The trails as lines: do they make the trail layers?

use super::tiles::Tiles;
use crate::check::folder::Folder;
use crate::check::shapes::Shape;
use crate::check::{RuleInfo, RuleResult};
use crate::error::{Error, Result};

/// The rule of this chapter.
pub(super) const RULE: RuleInfo = RuleInfo {
    name: "trail-lines",
    about: "trails run from their seeds and make the layer of trail numbers",
};

/// The tiles of each line or point of `NAME.geojson`.
fn on_tiles(folder: &Folder, name: &str, shapes: &[Shape]) -> Result<Vec<Vec<usize>>> {
    let (columns, rows) = folder.size();
    let tile = |&[x, y]: &[f64; 2]| {
        let inside = x >= 0.0 && y >= 0.0 && x < columns as f64 && y < rows as f64;
        inside.then_some(y as usize * columns + x as usize).ok_or_else(|| {
            let file = folder.dir.join(format!("{name}.geojson"));
            Error::Invalid(format!("{}: a point lies off the map; make the folder again", file.display()))
        })
    };
    shapes.iter().map(|s| s.positions().iter().map(tile).collect()).collect()
}

/// Every line of `trails.geojson` starts at a point of `trail_seeds.geojson` and goes from tile to neighbouring tile;
/// drawn in their order, each on the tiles that are still free, the lines make the layer of trail numbers.
pub(super) fn trail_lines(folder: &Folder, tiles: &Tiles) -> Result<Option<RuleResult>> {
    let shapes = folder.shapes(&["trails", "trail_seeds"])?;
    let (Some(lines), Some(seeds)) = (shapes.get("trails"), shapes.get("trail_seeds")) else {
        return Ok(None);
    };
    if tiles.game_trail_id.is_empty() {
        return Ok(None);
    }
    let (w, h) = (tiles.columns, tiles.rows);
    let mut starts: Vec<usize> = on_tiles(folder, "trail_seeds", seeds)?.into_iter().flatten().collect();
    starts.sort_unstable();
    let mut rule = RULE.result();
    let mut id = vec![-1i32; w * h];
    for (number, line) in on_tiles(folder, "trails", lines)?.iter().enumerate() {
        let start = line.first().copied().unwrap_or(0);
        let place = Some((start % w, start / w));
        rule.check(starts.binary_search(&start).is_ok(), place, || {
            format!("trail {number} starts at no seed")
        });
        let near = |s: &[usize]| (s[0] % w).abs_diff(s[1] % w) <= 1 && (s[0] / w).abs_diff(s[1] / w) <= 1;
        rule.check(line.windows(2).all(near), place, || format!("trail {number} leaps over tiles"));
        for &tile in line {
            if id[tile] < 0 {
                id[tile] = number as i32;
            }
        }
    }
    for (i, (drawn, layer)) in id.iter().zip(&tiles.game_trail_id).enumerate() {
        rule.check(drawn == layer, Some((i % w, i / w)), || {
            format!("the lines give {drawn}, the layer {layer}")
        });
    }
    Ok(Some(rule))
}
