//! Geometries as the bytes of a GeoPackage.

use super::super::geojson::Geometry;
use super::super::placement::P;
use super::sqlite::Cell;

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    /// Least x.
    pub west: f64,
    /// Least y.
    pub south: f64,
    /// Greatest x.
    pub east: f64,
    /// Greatest y.
    pub north: f64,
}

impl Extent {
    fn of(points: &[P]) -> Option<Self> {
        let at = |&(x, y): &P| Self { west: x, south: y, east: x, north: y };
        points.iter().map(at).reduce(Self::with)
    }

    /// The rectangle around both.
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            west: self.west.min(other.west),
            south: self.south.min(other.south),
            east: self.east.max(other.east),
            north: self.north.max(other.north),
        }
    }
}

/// The bytes of a geometry, and what it covers; nothing for a feature without a point.
///
/// The header has the letters `GP`, version 0, flags for little-endian numbers and for an extent, the reference system and, but for points, the
/// extent; then comes well-known binary (OGC 06-103r4).
pub(super) fn blob(geometry: Geometry, rings: Vec<Vec<P>>, srs: i32) -> (Cell, Option<Extent>) {
    let Some(extent) = Extent::of(&rings[0]) else { return (Cell::Null, None) };
    let mut out = b"GP\0".to_vec();
    out.push(if geometry == Geometry::Points { 0b0001 } else { 0b0011 });
    out.extend_from_slice(&srs.to_le_bytes());
    let mut numbers = |values: &[f64]| values.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes()));
    if geometry != Geometry::Points {
        numbers(&[extent.west, extent.east, extent.south, extent.north]);
    }
    let count = |n: usize| (n as u32).to_le_bytes();
    out.push(1);
    let points = |out: &mut Vec<u8>, points: &[P]| {
        for (x, y) in points {
            out.extend_from_slice(&x.to_le_bytes());
            out.extend_from_slice(&y.to_le_bytes());
        }
    };
    match geometry {
        Geometry::Points => {
            out.extend_from_slice(&1u32.to_le_bytes());
            points(&mut out, &rings[0][..1]);
        }
        Geometry::Lines => {
            out.extend_from_slice(&2u32.to_le_bytes());
            out.extend_from_slice(&count(rings[0].len()));
            points(&mut out, &rings[0]);
        }
        Geometry::Polygons => {
            out.extend_from_slice(&3u32.to_le_bytes());
            out.extend_from_slice(&count(rings.len()));
            for ring in &rings {
                out.extend_from_slice(&count(ring.len()));
                points(&mut out, ring);
            }
        }
    }
    (Cell::Blob(out), Some(extent))
}
