//! The faces of the cube: a direction from the centre of the planet belongs to the face of its largest component.
//!
//! The faces are laid out a second time here, from the description in the documentation: normal, right, down.

use super::Rule;
use crate::check::map::{LayerKind, Map, MapWorld};
use crate::check::rule::Checked;
use crate::error::{Error, Result};
use std::f64::consts::FRAC_PI_4;
use std::ops::Deref;
use weald_core::{Grid, math};

/// Name, normal, right, down; an axis is 1, 2 or 3 with its sign.
pub(super) const FACES: [(&str, [i8; 3]); 6] = [
    ("px", [1, 2, -3]),
    ("nx", [-1, -2, -3]),
    ("py", [2, -1, -3]),
    ("ny", [-2, 1, -3]),
    ("pz", [3, 2, 1]),
    ("nz", [-3, 2, -1]),
];

/// A planet as its folder holds it.
pub(super) struct Planet {
    map: Map,
    /// The seed.
    pub(super) seed: u64,
    /// Cells along a side of a face.
    pub(super) side: usize,
}

impl Deref for Planet {
    type Target = Map;
    fn deref(&self) -> &Map {
        &self.map
    }
}

impl Checked for Planet {
    const RULES: &'static [&'static [Rule]] = super::RULES;

    /// Whether the file of this name is there, or the layer of this name for all six faces.
    fn has(&self, name: &str) -> bool {
        self.map.has(name) || FACES.iter().all(|f| self.map.has(&format!("{name}_{}", f.0)))
    }
}

impl MapWorld for Planet {
    const LAYERS: &'static [LayerKind] = &[
        ("height_px", "float32", None),
        ("height_nx", "float32", None),
        ("height_py", "float32", None),
        ("height_ny", "float32", None),
        ("height_pz", "float32", None),
        ("height_nz", "float32", None),
        ("depth_px", "float32", None),
        ("depth_nx", "float32", None),
        ("depth_py", "float32", None),
        ("depth_ny", "float32", None),
        ("depth_pz", "float32", None),
        ("depth_nz", "float32", None),
        ("terrain_px", "uint8", None),
        ("terrain_nx", "uint8", None),
        ("terrain_py", "uint8", None),
        ("terrain_ny", "uint8", None),
        ("terrain_pz", "uint8", None),
        ("terrain_nz", "uint8", None),
        ("feature_px", "uint8", None),
        ("feature_nx", "uint8", None),
        ("feature_py", "uint8", None),
        ("feature_ny", "uint8", None),
        ("feature_pz", "uint8", None),
        ("feature_nz", "uint8", None),
    ];
    const SHAPES: &'static [&'static str] = &["features"];

    fn of(map: Map) -> Result<Self> {
        if map.width != map.height {
            return Err(Error::Invalid(format!(
                "{}: a face has {}x{} cells and is not square; make the folder again",
                map.dir.join("manifest.json").display(),
                map.width,
                map.height
            )));
        }
        Ok(Self { seed: map.known_seed()?, side: map.width, map })
    }
}

impl Planet {
    /// A measure on a face. Only for rules that need its layers.
    pub(super) fn measure(&self, what: &str, face: usize) -> &Grid<f32> {
        self.floats(&format!("{what}_{}", FACES[face].0))
    }

    /// Classes on a face. Only for rules that need their layers.
    pub(super) fn classes(&self, what: &str, face: usize) -> &Grid<u8> {
        self.bytes(&format!("{what}_{}", FACES[face].0))
    }

    /// Heights of the ground on each face, under water too. Only for rules that need height and depth.
    pub(super) fn ground(&self) -> [Vec<f32>; 6] {
        std::array::from_fn(|k| {
            let (height, depth) = (self.measure("height", k), self.measure("depth", k));
            height.cells().iter().zip(depth.cells()).map(|(h, d)| h - d).collect()
        })
    }

    /// The largest change of the ground between neighbours inside a face.
    pub(super) fn largest_step(&self, ground: &[Vec<f32>; 6]) -> f32 {
        let (n, mut most) = (self.side, 0.0f32);
        for face in ground {
            for (i, &here) in face.iter().enumerate() {
                if i % n + 1 < n {
                    most = most.max((face[i + 1] - here).abs());
                }
                if i / n + 1 < n {
                    most = most.max((face[i + n] - here).abs());
                }
            }
        }
        most
    }
}

/// The component of a vector along an axis with sign.
pub(super) fn along(v: [f64; 3], axis: i8) -> f64 {
    v[axis.unsigned_abs() as usize - 1] * f64::from(axis.signum())
}

/// The cell of the neighbouring face that touches the midpoint of the edge of a cell: `side` is 0 right, 1 down, 2 left,
/// 3 up, and `at` the number of the cell along the edge.
pub(super) fn across(face: usize, side: usize, at: usize, n: usize) -> (usize, (usize, usize)) {
    let [normal, right, down] = FACES[face].1;
    let out = [right, down, -right, -down][side];
    let beside = if side.is_multiple_of(2) { down } else { right };
    let mut v = [0.0; 3];
    for (axis, size) in [
        (normal, 1.0 - 1e-9),
        (out, 1.0),
        (beside, math::tan(((2 * at + 1) as f64 / n as f64 - 1.0) * FRAC_PI_4)),
    ] {
        v[axis.unsigned_abs() as usize - 1] = size * f64::from(axis.signum());
    }
    let other = FACES.iter().position(|f| f.1[0] == out).expect("every axis is the normal of a face");
    (other, cell(other, v, n))
}

/// Column and row of a direction on a face.
pub(super) fn cell(face: usize, v: [f64; 3], n: usize) -> (usize, usize) {
    let [normal, right, down] = FACES[face].1;
    let index = |axis: i8| {
        let angle = math::atan2(along(v, axis), along(v, normal));
        (((angle / FRAC_PI_4 + 1.0) / 2.0 * n as f64).max(0.0) as usize).min(n - 1)
    };
    (index(right), index(down))
}
