//! Heightmaps for games: 16-bit grey, with a file beside it that says what the grey values mean.

use super::{BUILDABLE, is_sea, params};
use crate::npy::hex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use weald_core::{Cancelled, Ctx, Frame, Grid, par, slope};

/// The largest grey value.
const TOP: f64 = 65535.0;
/// Pixels along each side of the heightmaps that Cities: Skylines II imports.
const CITIES_SIDE: usize = 4096;
/// Height scales that its editor accepts, in metres.
pub(super) const CITIES_SCALES: std::ops::RangeInclusive<f64> = 200.0..=10_000.0;

/// What grey values mean: v = round((h + sea level) / height scale · 65535) for a height of h metres above the sea.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Height of the sea above grey value 0, in metres.
    pub sea_level_m: f64,
    /// Height of grey value 65535 above grey value 0, in metres; above 0.
    pub height_scale_m: f64,
}

impl From<&params::Map> for Scale {
    fn from(map: &params::Map) -> Self {
        Self { sea_level_m: map.sea_level_m, height_scale_m: map.height_scale_m }
    }
}

impl Scale {
    /// The grey value before it is clamped.
    #[inline]
    fn exact(&self, height_m: f64) -> f64 {
        ((height_m + self.sea_level_m) / self.height_scale_m * TOP).round()
    }

    /// The grey value of a height above the sea, clamped to 16 bits.
    #[inline]
    pub fn value(&self, height_m: f64) -> u16 {
        self.exact(height_m).clamp(0.0, TOP) as u16
    }

    /// The height above the sea that a grey value stands for.
    pub fn metres(&self, value: u16) -> f64 {
        value as f64 / TOP * self.height_scale_m - self.sea_level_m
    }

    /// Metres from one grey value to the next.
    pub fn quantum_m(&self) -> f64 {
        self.height_scale_m / TOP
    }

    /// The grey values of a map of heights above the sea, and how many of them had to be clamped. Reach: point.
    pub fn values(&self, height: &Grid<f32>, ctx: &Ctx) -> Result<(Grid<u16>, u64), Cancelled> {
        let grid = par::fill(height.width(), height.height(), ctx, |y, row: &mut [u16]| {
            for (out, h) in row.iter_mut().zip(height.row(y)) {
                *out = self.value(*h as f64);
            }
        })?;
        let limited = par::map(height.height(), ctx, |y| {
            height.row(y).iter().filter(|h| !(0.0..=TOP).contains(&self.exact(**h as f64))).count() as u64
        })?;
        Ok((grid, limited.into_iter().sum()))
    }
}

/// What a heightmap does not say about itself.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// Name of the file with the grey values.
    pub file: &'a str,
    /// Where its pixels lie: a pixel is a cell.
    pub frame: Frame,
    /// What its values mean.
    pub scale: Scale,
    /// The seed.
    pub seed: u64,
    /// The parameters of the world.
    pub params: &'a Value,
    /// Values that had to be clamped, as [`Scale::values`] counts them.
    pub limited: u64,
    /// Width of the land that it shows in the game, in metres.
    pub game_m: f64,
}

/// Width of the playable map in Cities: Skylines II, in metres.
pub const CITIES_M: f64 = 14_336.0;

/// Share of the land in a heightmap that is above the sea and has a slope of at most 5 %, if it is `width_m` wide: what a game
/// makes of it.
pub fn buildable_share(values: &Grid<u16>, scale: &Scale, width_m: f64, ctx: &Ctx) -> Result<f64, Cancelled> {
    let ctx = &ctx.quiet();
    let height = par::fill(values.width(), values.height(), ctx, |y, row: &mut [f32]| {
        row.iter_mut().zip(values.row(y)).for_each(|(h, &v)| *h = scale.metres(v) as f32);
    })?;
    let slope = slope::rise_over_run(&height, width_m / values.width() as f64, ctx)?;
    let dry =
        slope.cells().iter().zip(height.cells()).filter(|(s, h)| **s <= BUILDABLE as f32 && !is_sea(**h));
    Ok(dry.count() as f64 / values.len() as f64)
}

/// The file beside a heightmap, `NAME.terrain.json`: everything that importers need.
pub fn sidecar(values: &Grid<u16>, about: &About, ctx: &Ctx) -> Result<Value, Cancelled> {
    let (frame, scale) = (&about.frame, &about.scale);
    let (low, high) =
        values.cells().iter().fold((u16::MAX, u16::MIN), |(low, high), &v| (low.min(v), high.max(v)));
    let side = (values.width(), values.height());
    let width_m = side.0 as f64 * frame.cell_m;
    let usable = side == (CITIES_SIDE, CITIES_SIDE)
        && CITIES_SCALES.contains(&scale.height_scale_m)
        && (width_m - about.game_m).abs() <= 1e-6 * about.game_m
        && about.limited == 0;
    let buildable = buildable_share(values, scale, about.game_m, ctx)?;
    Ok(json!({
        "weald": env!("CARGO_PKG_VERSION"),
        "file": about.file,
        "width": side.0,
        "height": side.1,
        "bits": 16,
        "byte_order": "big endian",
        "row_order": "north first",
        "registration": "pixel-centre",
        "metres_per_pixel": frame.cell_m,
        "origin": [frame.origin.0, frame.origin.1],
        "min_m": scale.metres(low),
        "max_m": scale.metres(high),
        "sea_level_m": scale.sea_level_m,
        "height_scale_m": scale.height_scale_m,
        "metres_above_the_sea": "value / 65535 * height_scale_m - sea_level_m",
        "limited_pixels": about.limited,
        "seed": about.seed,
        "params_sha256": hex(&Sha256::digest(about.params.to_string().as_bytes())),
        "games": {
            "cities_skylines_2": {
                "height_scale": scale.height_scale_m, "offset": 0, "width_m": about.game_m,
                "buildable_share": buildable, "usable": usable,
            },
        },
    }))
}

/// JSON schema of [`sidecar`].
pub fn sidecar_schema() -> Value {
    let number = json!({"type": "number"});
    let text = json!({"type": "string"});
    let count = json!({"type": "integer", "minimum": 0});
    let game = json!({
        "type": "object",
        "required": ["height_scale", "offset", "width_m", "buildable_share", "usable"],
        "properties": {
            "height_scale": number, "offset": number, "width_m": number, "buildable_share": number,
            "usable": {"type": "boolean"},
        },
    });
    let properties = json!({
        "weald": text, "file": text, "width": count, "height": count, "bits": {"const": 16},
        "byte_order": {"const": "big endian"}, "row_order": {"const": "north first"},
        "registration": {"const": "pixel-centre"}, "metres_per_pixel": number,
        "origin": {"type": "array", "items": number, "minItems": 2, "maxItems": 2},
        "min_m": number, "max_m": number, "sea_level_m": number, "height_scale_m": number,
        "metres_above_the_sea": text, "limited_pixels": count, "seed": count, "params_sha256": text,
        "games": {"type": "object", "properties": {"cities_skylines_2": game}},
    });
    let required: Vec<&String> = properties.as_object().into_iter().flat_map(|p| p.keys()).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What the grey values of a heightmap mean",
        "type": "object",
        "required": required,
        "properties": properties,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CITIES: Scale = Scale { sea_level_m: 511.7, height_scale_m: 4096.0 };

    #[test]
    fn a_height_is_the_nearest_grey_value_and_comes_back_within_half_a_step() {
        assert_eq!((CITIES.value(-511.7), CITIES.value(4096.0 - 511.7)), (0, 65535));
        assert_eq!(CITIES.value(0.0), 8187);
        for k in 0..1000 {
            let h = k as f64 * 3.58 - 511.0;
            assert!((CITIES.metres(CITIES.value(h)) - h).abs() <= CITIES.quantum_m() / 2.0 + 1e-9, "{h}");
        }
        assert!((0..=u16::MAX).all(|v| CITIES.value(CITIES.metres(v)) == v));
    }

    #[test]
    fn heights_beyond_the_scale_are_limited_and_counted() {
        let half = CITIES.quantum_m() / 2.0;
        let heights = [-600.0, -511.7 - 0.99 * half, 0.0, 4096.0 - 511.7 + 1.1 * half, 9000.0];
        let height = Grid::from_vec(5, 1, heights.map(|h| h as f32).to_vec());
        let (values, limited) = CITIES.values(&height, &Ctx::default()).unwrap();
        assert_eq!(values.cells(), [0, 0, 8187, 65535, 65535]);
        assert_eq!(limited, 3);
    }

    #[test]
    fn the_file_beside_it_says_what_an_importer_asks() {
        let values = Grid::from_vec(2, 1, vec![8187, 65535]);
        let params = json!({"terrain": {"octaves": 6}});
        let about = About {
            file: "heightmap.png",
            frame: Frame { origin: (-7.0, 3.5), ..Frame::new(2, 1, 3.5) },
            scale: CITIES,
            seed: 7,
            params: &params,
            limited: 2,
            game_m: 14_336.0,
        };
        let told = sidecar(&values, &about, &Ctx::default()).unwrap();
        assert_eq!(told["metres_per_pixel"], 3.5);
        assert_eq!(told["origin"], json!([-7.0, 3.5]));
        assert_eq!((&told["width"], &told["height"], &told["seed"]), (&json!(2), &json!(1), &json!(7)));
        assert!((told["max_m"].as_f64().unwrap() - (4096.0 - 511.7)).abs() < 1e-9);
        assert!(told["min_m"].as_f64().unwrap().abs() < CITIES.quantum_m());
        assert_eq!(told["games"]["cities_skylines_2"]["usable"], false);
        let other = json!({"terrain": {"octaves": 5}});
        let changed = sidecar(&values, &About { params: &other, ..about }, &Ctx::default()).unwrap();
        assert_ne!(told["params_sha256"], changed["params_sha256"]);
        assert_eq!(told["params_sha256"].as_str().unwrap().len(), 64);
    }

    #[test]
    fn cities_skylines_takes_one_size_one_width_and_the_scales_of_its_editor() {
        let usable = |side: usize, cell_m: f64, height_scale_m: f64, limited: u64| {
            let params = json!({});
            let about = About {
                file: "",
                frame: Frame::new(side, side, cell_m),
                scale: Scale { height_scale_m, ..CITIES },
                seed: 0,
                params: &params,
                limited,
                game_m: CITIES_M,
            };
            let told = sidecar(&Grid::filled(side, side, 9000), &about, &Ctx::default()).unwrap();
            told["games"]["cities_skylines_2"]["usable"].clone()
        };
        assert_eq!(usable(4096, 3.5, 4096.0, 0), true);
        for (side, cell_m, scale, limited) in
            [(2048, 7.0, 4096.0, 0), (4096, 3.5, 199.0, 0), (4096, 4.0, 4096.0, 0), (4096, 3.5, 4096.0, 1)]
        {
            assert_eq!(usable(side, cell_m, scale, limited), false, "{side} {cell_m} {scale} {limited}");
        }
    }

    #[test]
    fn the_share_in_the_game_is_that_of_the_grey_values_at_its_own_width() {
        // A plane that falls by 4 steps of 6.25 cm a pixel: 1.8 % on pixels of 14 m, 7.1 % on those of 3.5 m.
        let plane = Grid::from_fn(64, 64, |x, _| 9000 - 4 * x as u16);
        let share = |width_m: f64| buildable_share(&plane, &CITIES, width_m, &Ctx::default()).unwrap();
        assert_eq!((share(64.0 * 14.0), share(64.0 * 3.5)), (1.0, 0.0));
        let sea = Grid::filled(64, 64, 8000);
        assert_eq!(buildable_share(&sea, &CITIES, 896.0, &Ctx::default()).unwrap(), 0.0);
    }
}
