//! Places on the sphere: by latitude and longitude, on the six faces of a cube around it, and on a map around a place.
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

/// The place of a latitude and a longitude in degrees, north and east positive, on the sphere of a radius:
/// r·(cos φ·cos λ, cos φ·sin λ, sin φ). Longitudes that differ by 360° are the same, and so are
/// all of them at a pole.
///
/// ```
/// use weald::core::Seed;
/// use weald::world::planet::ground::Ground;
/// use weald::world::planet::sphere::{lat_lon, place};
/// let there = place(52.5, 13.4, 1600.0);
/// let ground = Ground::new(Seed(0), 1600.0, 290.0);
/// assert!((0.0..=690.0).contains(&ground.height(there)));
/// let (lat, lon) = lat_lon(there);
/// assert!((lat - 52.5).abs() < 1e-12 && (lon - 13.4).abs() < 1e-12);
/// ```
pub fn place(lat: f64, lon: f64, radius: f64) -> Vector {
    if lat.abs() == 90.0 {
        return [0.0, 0.0, radius.copysign(lat)];
    }
    let (lat, lon) = (lat.to_radians(), (lon % 360.0).to_radians());
    let flat = radius * math::cos(lat);
    [flat * math::cos(lon), flat * math::sin(lon), radius * math::sin(lat)]
}

/// Latitude, −90° to 90°, and longitude, above −180° up to 180°, of the direction of a place. At the poles the longitude is
/// that of the little that x and y differ from 0, or 0.
pub fn lat_lon(v: Vector) -> (f64, f64) {
    let lat = math::atan2(v[2], (v[0] * v[0] + v[1] * v[1]).sqrt());
    // Adding 0 turns −0 into 0.
    let lon = math::atan2(v[1] + 0.0, v[0] + 0.0);
    (lat.to_degrees() + 0.0, lon.to_degrees() + 0.0)
}

/// The azimuthal equidistant projection around a place: on the map every place lies in its true direction and at its true
/// distance from the centre. With n the direction of the centre, e and m the tangents at it towards east and north, r the
/// radius, ρ = √(x² + y²) and c = ρ/r, the map's point x metres east and y metres north is
/// r·(cos c·n + sin c·(x·e + y·m)/ρ). Across the direction from the centre lengths on the map are c / sin c times those on
/// the ground.
///
/// The tangents follow from latitude and longitude, not from the axis, so the poles are like any other place. There the
/// longitude that was given points down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Azimuthal {
    radius: f64,
    centre: Vector,
    east: Vector,
    north: Vector,
}

impl Azimuthal {
    /// The projection around a latitude and a longitude in degrees of the sphere of a radius.
    ///
    /// ```
    /// use weald::world::planet::sphere::Azimuthal;
    /// let map = Azimuthal::new(90.0, 0.0, 1600.0);
    /// let there = map.place((30.0, -40.0));
    /// let (x, y) = map.at(there);
    /// assert!((x - 30.0).abs() < 1e-9 && (y + 40.0).abs() < 1e-9);
    /// // Longitude 0 points down.
    /// assert!((there[0] - 40.0).abs() < 0.1);
    /// ```
    pub fn new(lat: f64, lon: f64, radius: f64) -> Self {
        let centre = place(lat, lon, 1.0);
        let (lat, lon) = (lat.to_radians(), (lon % 360.0).to_radians());
        let (c, s, high) = (math::cos(lon), math::sin(lon), math::sin(lat));
        Self { radius, centre, east: [-s, c, 0.0], north: [-high * c, -high * s, math::cos(lat)] }
    }

    /// The place on the sphere of a point of the map: metres east and north of the centre.
    #[inline]
    pub fn place(&self, (x, y): (f64, f64)) -> Vector {
        let far = (x * x + y * y).sqrt();
        let angle = far / self.radius;
        let (out, along) = (self.radius * math::cos(angle), self.across(angle));
        std::array::from_fn(|k| out * self.centre[k] + along * (x * self.east[k] + y * self.north[k]))
    }

    /// The point of the map of a place, metres east and north of the centre. The place opposite to the centre has none of its
    /// own and is given as one to the east.
    pub fn at(&self, v: Vector) -> (f64, f64) {
        let (x, y) = (dot(v, self.east), dot(v, self.north));
        let far = (x * x + y * y).sqrt();
        let angle = math::atan2(far, dot(v, self.centre));
        match far > 0.0 {
            true => (x / far * angle * self.radius, y / far * angle * self.radius),
            false => (angle * self.radius, 0.0),
        }
    }

    /// How many metres on the ground a metre on the map is at a point of it, along the vector (dx, dy) of length 1: 1 away
    /// from the centre, sin c / c across, and between them √(d² + (sin c / c)²·(1 − d²)) with d the part of the vector that
    /// leads away.
    pub fn scale(&self, (x, y): (f64, f64), (dx, dy): (f64, f64)) -> f64 {
        let square = x * x + y * y;
        if square == 0.0 {
            return 1.0;
        }
        let (out, across) = (x * dx + y * dy, self.across(square.sqrt() / self.radius));
        let out = out * out / square;
        (out + across * across * (1.0 - out).max(0.0)).sqrt()
    }

    /// sin c / c.
    #[inline]
    fn across(&self, angle: f64) -> f64 {
        if angle > 0.0 { math::sin(angle) / angle } else { 1.0 }
    }

    /// Radius of the sphere.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

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

impl Face {
    /// The axes of the two whole coordinates of a crossing on this face, in the order of the axes.
    pub fn others(&self) -> [usize; 2] {
        [[1, 2], [0, 2], [0, 1]][self.axis]
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
    fn latitude_and_longitude_lead_to_a_place_and_back() {
        for (lat, lon) in [(0.0, 0.0), (0.0, 180.0), (-89.9, 0.1), (33.3, -120.5), (89.999, 45.0)] {
            let back = lat_lon(place(lat, lon, 1600.0));
            assert!((back.0 - lat).abs() < 1e-9 && (back.1 - lon).abs() < 1e-9, "{lat} {lon}: {back:?}");
        }
        for (lat, lon) in [(90.0, 30.0), (-90.0, -100.0)] {
            assert_eq!(lat_lon(place(lat, lon, 8000.0)).0, lat);
        }
        assert_eq!(lat_lon([0.0, 0.0, 5.0]), (90.0, 0.0));
        assert_eq!(lat_lon([-5.0, -0.0, -0.0]), (0.0, 180.0));
        let (a, b) = (place(10.0, 350.0, 1600.0), place(10.0, -10.0, 1600.0));
        assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-9));
    }

    #[test]
    fn a_map_around_a_place_keeps_distances_and_directions_from_it_at_the_poles_too() {
        for (lat, lon) in [(90.0, 0.0), (90.0, 77.0), (-90.0, 10.0), (0.0, 0.0), (-35.0, 200.0)] {
            let map = Azimuthal::new(lat, lon, 1600.0);
            for k in 0..100 {
                let angle = k as f64 / 100.0 * std::f64::consts::TAU;
                let far = 1.0 + 40.0 * k as f64;
                let point = (far * math::cos(angle), far * math::sin(angle));
                let there = map.place(point);
                assert!((dot(there, there).sqrt() - 1600.0).abs() < 1e-9);
                let back = map.at(there);
                assert!(
                    (back.0 - point.0).abs() < 1e-6 && (back.1 - point.1).abs() < 1e-6,
                    "{back:?} {point:?}"
                );
                // Chord and arc of the circle through both.
                let apart: Vector = std::array::from_fn(|k| there[k] - 1600.0 * map.centre[k]);
                let chord = 3200.0 * math::sin(far / 3200.0).abs();
                assert!((dot(apart, apart).sqrt() - chord).abs() < 1e-6, "{point:?}");
            }
        }
    }

    #[test]
    fn the_scale_of_the_map_is_that_of_short_steps_on_it() {
        let map = Azimuthal::new(20.0, 30.0, 1000.0);
        for (point, step) in [
            ((0.0, 0.0), (1.0, 0.0)),
            ((900.0, 0.0), (0.0, 1.0)),
            ((900.0, 300.0), (0.6, -0.8)),
            ((5.0, -700.0), (0.0, 1.0)),
        ] {
            let d = 1e-3;
            let (a, b) = (map.place(point), map.place((point.0 + d * step.0, point.1 + d * step.1)));
            let apart: Vector = std::array::from_fn(|k| b[k] - a[k]);
            assert!(
                (dot(apart, apart).sqrt() / d - map.scale(point, step)).abs() < 1e-5,
                "{point:?} {step:?}"
            );
        }
    }

    #[test]
    fn north_is_up_away_from_the_poles_and_the_given_longitude_points_down_at_them() {
        let map = Azimuthal::new(40.0, -70.0, 1600.0);
        assert!(lat_lon(map.place((0.0, 50.0))).0 > 40.0 && lat_lon(map.place((50.0, 0.0))).1 > -70.0);
        for (pole, sign) in [(90.0, -1.0), (-90.0, 1.0)] {
            let map = Azimuthal::new(pole, 25.0, 1600.0);
            let (lat, lon) = lat_lon(map.place((0.0, sign * 100.0)));
            assert!((lon - 25.0).abs() < 1e-6 && lat.abs() > 86.0, "{lat} {lon}");
        }
    }

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
