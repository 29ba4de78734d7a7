//! A galaxy as its folder holds it, and where stars are.

use super::Rule;
use crate::check::folder::text;
use crate::check::map::{LayerKind, Map, MapWorld};
use crate::check::relf::PROFILE;
use crate::check::rule::Checked;
use crate::error::{Error, Result};
use crate::files;
use std::ops::Deref;
use std::path::Path;
use weald_core::Seed;

/// The file of the table of stars.
pub(super) const TABLE: &str = "stars.csv";

/// Coefficients of the test for stars of seed 0, along x, y and z.
const X: [i64; 5] = [-43, -43, -56, 31, 4];
const Y: [i64; 5] = [-3, -12, 22, 2, 32];
const Z: [i64; 5] = [-24, -25, 60, 10, -30];

/// One line of the table.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Row {
    /// Light years from the viewer.
    pub(super) place: [i64; 3],
    /// Absolute magnitude.
    pub(super) magnitude: f64,
    /// Number of planets.
    pub(super) planets: u8,
    /// Number of the colour.
    pub(super) colour: u8,
}

/// A block of space with its stars.
pub(super) struct Galaxy {
    map: Map,
    /// The table of stars; empty if there is none.
    pub(super) rows: Vec<Row>,
    /// The seed.
    pub(super) seed: u64,
    /// Where the viewer is.
    pub(super) viewer: [i64; 3],
    /// The least coordinates of the block.
    pub(super) corner: [i64; 3],
    /// Width, height and depth of the block.
    pub(super) block: [i64; 3],
}

impl Deref for Galaxy {
    type Target = Map;
    fn deref(&self) -> &Map {
        &self.map
    }
}

impl Checked for Galaxy {
    const RULES: &'static [&'static [Rule]] = super::RULES;

    fn has(&self, name: &str) -> bool {
        self.map.has(name)
    }
}

impl MapWorld for Galaxy {
    const LAYERS: &'static [LayerKind] = &[
        ("nebula", "float32", None),
        ("nebula_near", "float32", None),
        ("nebula_middle", "float32", None),
        ("nebula_far", "float32", None),
        ("stars", "uint16", None),
    ];
    const SHAPES: &'static [&'static str] = &["stars"];

    fn of(map: Map) -> Result<Self> {
        let path = map.dir.join(TABLE);
        let rows = if files::is_file(&path) { read(&path)? } else { Vec::new() };
        let at = |axis: &str| map.param(&format!("at.{axis}")).map(|v| v as i64);
        let viewer = [at("x")?, at("y")?, at("z")?];
        let [x, y, z] = viewer;
        let corner = [x - (map.width / 2) as i64, y - (map.height / 2) as i64, z + 1];
        let block = [map.width as i64, map.height as i64, map.param("depth_ly")? as i64];
        Ok(Self { seed: map.known_seed()?, rows, viewer, corner, block, map })
    }
}

/// Reads the table of stars.
fn read(path: &Path) -> Result<Vec<Row>> {
    let text = text(path)?;
    let mut lines = text.lines();
    let bad = |line: usize, what: &str| {
        Error::Invalid(format!("{}:{line}: {what}; make the folder again", path.display()))
    };
    if lines.next() != Some("x,y,z,magnitude,planets,colour") {
        return Err(bad(1, "must be x,y,z,magnitude,planets,colour"));
    }
    let row = |line: &str| -> Option<Row> {
        let cells: Vec<&str> = line.split(',').collect();
        let [x, y, z, magnitude, planets, colour] = cells[..] else { return None };
        Some(Row {
            place: [x.parse().ok()?, y.parse().ok()?, z.parse().ok()?],
            magnitude: magnitude.parse().ok()?,
            planets: planets.parse().ok()?,
            colour: colour.parse().ok()?,
        })
    };
    lines.enumerate().map(|(i, l)| row(l).ok_or_else(|| bad(i + 2, "is not a star of six numbers"))).collect()
}

/// The low byte, planets and colour of a place with a star: seed 0 by the document's expression, others by hash.
pub(super) fn star(seed: u64, [x, y, z]: [i64; 3]) -> Option<(u8, u8, u8)> {
    let (f, bits) = if seed == 0 {
        // In the document's language numbers are 64-bit floats, and bits are taken after rounding towards zero.
        let bits = |v: f64| (v % 65536.0) as i64 & 65535;
        let wave = |i: usize| {
            let sum =
                X[i].wrapping_mul(x).wrapping_add(Y[i].wrapping_mul(y)).wrapping_add(Z[i].wrapping_mul(z));
            PROFILE[(bits(sum as f64 / 128.0) & 255) as usize]
        };
        let p = x as f64 * y as f64 * z as f64;
        let v = f64::from((0..5).map(wave).sum::<i16>()) * p / 128.0;
        let below = v.floor();
        let rounded = if v - below >= 0.5 { below + 1.0 } else { below };
        (bits(rounded) & 4095, bits(p) as u64)
    } else {
        let hash = Seed(Seed(seed).of("stars").at(y, z)).at(x, 0);
        ((hash & 4095) as i64, hash >> 12)
    };
    let byte = (bits & 255) as u8;
    (f == 127 && (1..=7).contains(&byte)).then_some((byte, (bits >> 8 & 15) as u8, (bits >> 12 & 15) as u8))
}
