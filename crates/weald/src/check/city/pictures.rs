//! Heights as 16-bit pictures for a game, and the files that describe them.

use super::Rule;
use super::land::City;
use crate::check::{RuleResult, folder, open};
use crate::error::{Error, Result};
use crate::files;
use serde_json::Value;
use weald_core::Grid;

/// Side of the picture that the game needs.
const GAME: usize = 4096;

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "heightmap",
        about: "heightmap.png is 16-bit grey with round((height + map.sea_level_m) / map.height_scale_m * 65535)",
        needs: &["heightmap.png", "height"],
        run: heightmap,
    },
    Rule {
        name: "heightmap-told",
        about: "heightmap.terrain.json gives the size, scale, sea level and extremes of heightmap.png",
        needs: &["heightmap.png"],
        run: |city, rule| told(city, rule, "heightmap", 1.0),
    },
    Rule {
        name: "worldmap",
        about: "the centre of worldmap.png is the mean of the pixels of heightmap.png that it covers, to one step; \
                where one of them is cut off at black or white, the mean may lie beyond",
        needs: &["worldmap.png", "heightmap.png"],
        run: worldmap,
    },
    Rule {
        name: "worldmap-told",
        about: "worldmap.terrain.json gives the size, scale, sea level and extremes of worldmap.png",
        needs: &["worldmap.png"],
        run: |city, rule| told(city, rule, "worldmap", 4.0),
    },
];

/// A picture's pixels. None, and a violation, if it is not 16-bit grey.
fn grey(city: &City, rule: &mut RuleResult, name: &str) -> Result<Option<Grid<u16>>> {
    let path = city.dir.join(name);
    let bad = |e: &dyn std::fmt::Display| {
        Error::Invalid(format!("{}: cannot read it: {e}; make the folder again", path.display()))
    };
    let limits = ::png::Limits { bytes: 1 << 30 };
    let decoder = ::png::Decoder::new_with_limits(open(&path)?, limits);
    let mut reader = decoder.read_info().map_err(|e| bad(&e))?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let (colour, depth) = reader.output_color_type();
    let good = colour == ::png::ColorType::Grayscale && depth == ::png::BitDepth::Sixteen;
    rule.check(good, None, || format!("{name} is {colour:?} with {depth:?} bits, not 16-bit grey"));
    if !good {
        return Ok(None);
    }
    let size = reader.output_buffer_size().ok_or_else(|| bad(&"it is too large"))?;
    let mut raw = vec![0; size];
    reader.next_frame(&mut raw).map_err(|e| bad(&e))?;
    let cells = raw.as_chunks::<2>().0.iter().map(|&b| u16::from_be_bytes(b)).collect();
    Ok(Some(Grid::from_vec(width, height, cells)))
}

fn heightmap(city: &City, rule: &mut RuleResult) -> Result<()> {
    let Some(picture) = grey(city, rule, "heightmap.png")? else { return Ok(()) };
    let (sea, scale) = (city.param("map.sea_level_m")?, city.param("map.height_scale_m")?);
    let (w, h) = (picture.width(), picture.height());
    let as_map = (w, h) == (city.width, city.height);
    rule.check(as_map || (w, h) == (GAME, GAME), None, || {
        format!("heightmap.png is {w}x{h}, the map {}x{}", city.width, city.height)
    });
    if !as_map {
        return Ok(());
    }
    let height = city.floats("height");
    for y in 0..h {
        for x in 0..w {
            let exact = (f64::from(height[(x, y)]) + sea) / scale * 65535.0;
            let found = picture[(x, y)];
            // One half more or less, however the last digit was rounded.
            let good = (f64::from(found) - exact.clamp(0.0, 65535.0)).abs() <= 0.5 + 1e-6;
            rule.check(good, Some((x, y)), || {
                format!("heightmap.png holds {found}, {} m make {exact:.3}", height[(x, y)])
            });
        }
    }
    Ok(())
}

fn worldmap(city: &City, rule: &mut RuleResult) -> Result<()> {
    let Some(world) = grey(city, rule, "worldmap.png")? else { return Ok(()) };
    let Some(near) = grey(city, rule, "heightmap.png")? else { return Ok(()) };
    let ((w, h), (ww, wh)) = (near.shape(), world.shape());
    let fits = ww == w.next_multiple_of(8) && wh % 8 == 0 && ww * h == wh * w;
    rule.check(fits, None, || {
        let must =
            "its sides must be those of heightmap.png, rounded up to multiples of 8 in the same proportion";
        format!("worldmap.png is {ww}x{wh}, heightmap.png {w}x{h}; {must}")
    });
    if !fits {
        return Ok(());
    }
    let (x0, y0) = ((ww - ww / 4) / 2, (wh - wh / 4) / 2);
    for y in 0..wh / 4 {
        for x in 0..ww / 4 {
            let (mut sum, mut whole, mut black, mut white) = (0.0, 0.0, false, false);
            for (row, high) in covered(y, h, wh) {
                for (column, wide) in covered(x, w, ww) {
                    let v = near[(column, row)];
                    sum += f64::from(v) * wide * high;
                    whole += wide * high;
                    black |= v == 0;
                    white |= v == u16::MAX;
                }
            }
            let (found, mean) = (world[(x0 + x, y0 + y)], sum / whole);
            let off = f64::from(found) - mean;
            let good = (off >= -1.0 - 1e-9 || black) && (off <= 1.0 + 1e-9 || white);
            rule.check(good, Some((x0 + x, y0 + y)), || {
                format!("worldmap.png holds {found}, the mean of heightmap.png is {mean}")
            });
        }
    }
    Ok(())
}

/// The pixels of a heightmap of `side` pixels that pixel `k` of the centre of a world map of `world` pixels covers, each with how much of
/// it: a pixel of the world map is 4 · side / world pixels wide.
fn covered(k: usize, side: usize, world: usize) -> impl Iterator<Item = (usize, f64)> {
    let edge = |k: usize| 4.0 * (k * side) as f64 / world as f64;
    let (from, to) = (edge(k), edge(k + 1));
    let last = (to.ceil() as usize).min(side);
    (from as usize..last).map(move |p| (p, (to.min(p as f64 + 1.0) - from.max(p as f64)).max(0.0)))
}

/// Compares NAME.terrain.json with NAME.png, whose pixels span `times` what those of a playable map span.
fn told(city: &City, rule: &mut RuleResult, name: &str, times: f64) -> Result<()> {
    let file = format!("{name}.terrain.json");
    let path = city.dir.join(&file);
    rule.check(files::is_file(&path), None, || format!("there is no {file} beside {name}.png"));
    if !files::is_file(&path) {
        return Ok(());
    }
    let text = folder::text(&path)?;
    let side: Value = serde_json::from_str(&text)
        .map_err(|e| Error::Invalid(format!("{}: {e}; make the folder again", path.display())))?;
    let Some(picture) = grey(city, rule, &format!("{name}.png"))? else { return Ok(()) };
    let (width, height) = (picture.width() as f64, picture.height() as f64);
    let (sea, scale) = (city.param("map.sea_level_m")?, city.param("map.height_scale_m")?);
    let (low, high) = picture.cells().iter().fold((u16::MAX, 0), |(a, b), &v| (v.min(a), v.max(b)));
    let metres = |v: u16| f64::from(v) / 65535.0 * scale - sea;
    for (key, wanted) in [
        ("width", width),
        ("height", height),
        ("metres_per_pixel", times * city.param("map.size_m")? / width),
        ("min_m", metres(low)),
        ("max_m", metres(high)),
        ("sea_level_m", sea),
        ("height_scale_m", scale),
    ] {
        let found = side[key].as_f64().unwrap_or(f64::NAN);
        rule.check((found - wanted).abs() <= 1e-9 * wanted.abs().max(scale), None, || {
            format!("{key} of {file} is {}, not {wanted}", side[key])
        });
    }
    let wanted = format!("{name}.png");
    rule.check(side["file"] == wanted, None, || format!("file of {file} is {}, not {wanted}", side["file"]));
    Ok(())
}
