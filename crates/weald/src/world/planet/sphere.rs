//! The six faces of a cube around the sphere.
//!
//! z points north, longitude 0 is x and 90° east is y. Each face is seen from outside; its columns run along `right` and
//! its rows along `down`:
//!
//! | face | centre | right | down |
//! | --- | --- | --- | --- |
//! | px | +x, 0° | +y, east | −z, south |
//! | nx | −x, 180° | −y, east | −z, south |
//! | py | +y, 90° east | −x, east | −z, south |
//! | ny | −y, 90° west | +x, east | −z, south |
//! | pz | +z, north pole | +y | +x, towards px |
//! | nz | −z, south pole | +y | −x, away from px |
//!
//! The centre of column c of n lies at the angle (2·(c + ½)/n − 1)·45° from the centre of the face, rows alike: equal
//! angles, so that the first cell of a face is as far from the last one of its neighbour as cells inside are from each
//! other.

use weald_core::math;

/// A place or a direction: x, y, z.
pub type Vector = [f64; 3];

/// One face of the cube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// As in the names of its layers.
    pub name: &'static str,
    /// Axis of its normal: 0, 1 or 2.
    pub axis: usize,
    /// Outwards.
    pub normal: Vector,
    /// Along its rows.
    pub right: Vector,
    /// Along its columns.
    pub down: Vector,
}

const fn face(name: &'static str, axis: usize, normal: Vector, right: Vector, down: Vector) -> Face {
    Face { name, axis, normal, right, down }
}

/// The faces, in the order of the layers.
pub const FACES: [Face; 6] = [
    face("px", 0, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]),
    face("nx", 0, [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]),
    face("py", 1, [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]),
    face("ny", 1, [0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]),
    face("pz", 2, [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]),
    face("nz", 2, [0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]),
];

/// The product of two vectors.
#[inline]
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector of length 1 in the same direction.
#[inline]
pub fn unit(v: Vector) -> Vector {
    let length = dot(v, v).sqrt();
    v.map(|c| c / length)
}

/// Number of the face that a direction meets: that of the largest coordinate, of x before y before z where two are equal.
pub fn face_of(v: Vector) -> usize {
    let size = v.map(f64::abs);
    let axis = if size[0] >= size[1] && size[0] >= size[2] {
        0
    } else if size[1] >= size[2] {
        1
    } else {
        2
    };
    2 * axis + usize::from(v[axis] < 0.0)
}

/// Tangents of the angles of the centres of `side` columns.
pub fn middles(side: usize) -> Vec<f64> {
    (0..side).map(|c| tangent((2 * c + 1) as f64 / side as f64)).collect()
}

/// Tangents of the angles of the `side + 1` edges of columns.
pub fn edges(side: usize) -> Vec<f64> {
    (0..=side).map(|c| tangent((2 * c) as f64 / side as f64)).collect()
}

/// Tangent of the angle at a share of the half side: 0 is −45°, 2 is 45°.
fn tangent(share: f64) -> f64 {
    math::tan((share - 1.0) * std::f64::consts::FRAC_PI_4)
}

/// The place at a latitude and a longitude in degrees, north and east positive, on a sphere of this radius.
///
/// x = r·cos φ·cos λ, y = r·cos φ·sin λ, z = r·sin φ. The poles are exact, whatever the longitude.
pub fn place(latitude: f64, longitude: f64, radius_m: f64) -> Vector {
    if latitude.abs() == 90.0 {
        return [0.0, 0.0, radius_m.copysign(latitude)];
    }
    let (phi, lambda) = (latitude.to_radians(), (longitude % 360.0).to_radians());
    let flat = math::cos(phi);
    [flat * math::cos(lambda), flat * math::sin(lambda), math::sin(phi)].map(|v| v * radius_m)
}

impl Face {
    /// The axes of the two whole coordinates of a crossing on this face, in the order of the axes.
    pub fn others(&self) -> (usize, usize) {
        ([1, 0, 0][self.axis], [2, 2, 1][self.axis])
    }

    /// The direction whose angles have the tangents `s` along the rows and `t` along the columns.
    #[inline]
    pub fn direction(&self, s: f64, t: f64) -> Vector {
        unit(std::array::from_fn(|k| self.normal[k] + s * self.right[k] + t * self.down[k]))
    }

    /// Column and row of a direction that meets this face, with fractions of cells.
    pub fn cell(&self, v: Vector, side: usize) -> (f64, f64) {
        let out = dot(v, self.normal);
        let along = |axis: Vector| {
            let angle = math::atan2(dot(v, axis), out);
            (angle / std::f64::consts::FRAC_PI_4 + 1.0) * 0.5 * side as f64
        };
        (along(self.right), along(self.down))
    }
}

/// Solid angles of the cells of a face, the same for all faces: with G(s, t) = atan(s·t / √(1 + s² + t²)) at the
/// corners, G(s₁, t₁) − G(s₀, t₁) − G(s₁, t₀) + G(s₀, t₀). They add up to 4π/6.
pub fn solid_angles(side: usize) -> Vec<f64> {
    let edges = edges(side);
    let corner = |s: f64, t: f64| math::atan2(s * t, (1.0 + s * s + t * t).sqrt());
    let rows: Vec<Vec<f64>> = edges.iter().map(|&t| edges.iter().map(|&s| corner(s, t)).collect()).collect();
    let cell = |i: usize| {
        let (c, r) = (i % side, i / side);
        rows[r + 1][c + 1] - rows[r + 1][c] - rows[r][c + 1] + rows[r][c]
    };
    (0..side * side).map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_is_seen_from_outside_with_its_rows_to_the_right() {
        for f in &FACES {
            let (r, d) = (f.right, f.down);
            let cross = [r[1] * d[2] - r[2] * d[1], r[2] * d[0] - r[0] * d[2], r[0] * d[1] - r[1] * d[0]];
            assert_eq!(cross, f.normal.map(|c| -c), "{}", f.name);
            assert_eq!(FACES[face_of(f.normal)], *f);
        }
    }

    #[test]
    fn a_cell_is_found_again_from_its_direction() {
        let middles = middles(7);
        for f in &FACES {
            for r in 0..7 {
                for c in 0..7 {
                    let v = f.direction(middles[c], middles[r]);
                    assert_eq!(FACES[face_of(v)].name, f.name);
                    let (x, y) = f.cell(v, 7);
                    assert!((x - c as f64 - 0.5).abs() < 1e-9 && (y - r as f64 - 0.5).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn solid_angles_add_up_to_a_sixth_of_the_sphere_and_differ_by_less_than_half() {
        for side in [1, 2, 9, 64] {
            let all = solid_angles(side);
            let sum: f64 = all.iter().sum();
            assert!((sum - 4.0 * std::f64::consts::PI / 6.0).abs() < 1e-9, "{side}: {sum}");
            let (low, high) = all.iter().fold((f64::MAX, 0.0f64), |(l, h), &v| (l.min(v), h.max(v)));
            assert!(high < 1.5 * low, "{side}: {low} {high}");
        }
    }
}
