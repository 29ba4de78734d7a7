//! Where a map lies on the Earth.

use serde_json::{Value, json};
use weald_core::math;

/// The unit of the coordinates of a georeference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrsUnit {
    /// Metres.
    Metre,
    /// International feet of 0.3048 m.
    Foot,
    /// Feet of the surveys of the United States, of 1200/3937 m.
    UsFoot,
    /// Degrees of longitude and latitude.
    Degree,
}

impl CrsUnit {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            CrsUnit::Metre => "metre",
            CrsUnit::Foot => "foot",
            CrsUnit::UsFoot => "US survey foot",
            CrsUnit::Degree => "degree",
        }
    }

    /// Its name for more than one.
    pub fn plural(self) -> &'static str {
        match self {
            CrsUnit::Metre => "metres",
            CrsUnit::Foot => "feet",
            CrsUnit::UsFoot => "US survey feet",
            CrsUnit::Degree => "degrees",
        }
    }

    /// The unit of that name.
    pub fn of(name: &str) -> Option<Self> {
        [CrsUnit::Metre, CrsUnit::Foot, CrsUnit::UsFoot, CrsUnit::Degree]
            .into_iter()
            .find(|u| u.name() == name)
    }

    /// The unit of length of so many metres.
    pub fn of_metres(metres: f64) -> Option<Self> {
        [CrsUnit::Metre, CrsUnit::Foot, CrsUnit::UsFoot].into_iter().find(|u| u.metres() == Some(metres))
    }

    /// Metres in a unit of length; none for degrees, whose length depends on the place.
    pub fn metres(self) -> Option<f64> {
        match self {
            CrsUnit::Metre => Some(1.0),
            CrsUnit::Foot => Some(0.3048),
            CrsUnit::UsFoot => Some(1200.0 / 3937.0),
            CrsUnit::Degree => None,
        }
    }
}

/// The ellipsoid of WGS 84: its equatorial radius in metres, and the square of its eccentricity.
pub(crate) const WGS84_RADIUS_M: f64 = 6_378_137.0;
pub(crate) const WGS84_E2: f64 = 0.006_694_379_990_14;

/// The code in the EPSG register of a system that programs also call by codes of their own: the Mercator projection of web maps.
pub(crate) fn registered(code: u32) -> u32 {
    match code {
        3785 | 102_100 | 102_113 | 900_913 => 3857,
        code => code,
    }
}

/// Where a map lies in a coordinate reference system: the north-west corner of its first cell, and the steps from cell to cell,
/// both in the unit of the system. Rows run from north to south.
#[doc(alias = "geotransform")]
#[doc(alias = "CRS")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeoReference {
    /// The EPSG code of the coordinate reference system, if it is known.
    pub epsg: Option<u32>,
    /// Unit of the coordinates.
    pub unit: CrsUnit,
    /// Easting or longitude of the western edge.
    pub west: f64,
    /// Northing or latitude of the northern edge.
    pub north: f64,
    /// From a column to the next one, and from a row to the next one; both above 0.
    pub step: (f64, f64),
}

impl GeoReference {
    /// Width and height of a cell in metres, in the middle of a map of `rows` rows.
    ///
    /// Degrees are measured on the WGS 84 ellipsoid at latitude φ of the middle row: a degree of latitude is π/180 · a(1 − e²) / (1 − e² sin²
    /// φ)^1.5 and one of longitude π/180 · a cos φ / √(1 − e² sin² φ), with a = 6378137 m and e² = 0.00669437999014 (Snyder 1987,
    /// *Map Projections: A Working Manual*, USGS Professional Paper 1395, p. 25).
    ///
    /// Metres of the Mercator projection of web maps are longer than those of the ground: by cosh(y/a), y being the northing of the middle.
    /// Those of the Mercator projection on the ellipsoid (EPSG:3395) are longer by √(1 − e² sin² φ) / cos φ, φ being the latitude of the
    /// middle (Snyder, p. 44).
    pub fn cell_m(&self, rows: usize) -> (f64, f64) {
        let middle = self.north - self.step.1 * rows as f64 / 2.0;
        let (a, e2) = (WGS84_RADIUS_M, WGS84_E2);
        let isometric = middle.abs().min(3e7) / a;
        let scale = match self.epsg.map(registered) {
            Some(3857) => Some(cosh(isometric)),
            Some(3395) => {
                // Each step brings the latitude nearer by a factor of e² at least.
                let (mut u, e) = (isometric, e2.sqrt());
                let sine = |u: f64| 1.0 - 2.0 / (math::exp(2.0 * u) + 1.0);
                for _ in 0..8 {
                    let s = e * sine(u);
                    u = isometric + e / 2.0 * math::ln((1.0 + s) / (1.0 - s));
                }
                Some((1.0 - e2 * sine(u) * sine(u)).sqrt() * cosh(u))
            }
            _ => None,
        };
        if let Some(scale) = scale {
            return (self.step.0 / scale, self.step.1 / scale);
        }
        if let Some(metres) = self.unit.metres() {
            return (self.step.0 * metres, self.step.1 * metres);
        }
        let latitude = middle.clamp(-89.9, 89.9);
        let radian = std::f64::consts::PI / 180.0;
        let (sin, cos) = (math::sin(latitude * radian), math::cos(latitude * radian));
        let w = 1.0 - e2 * sin * sin;
        let (east, north) = (a * cos / w.sqrt(), a * (1.0 - e2) / (w * w.sqrt()));
        (self.step.0 * radian * east, self.step.1 * radian * north)
    }

    /// Degrees or metres, for a map of (columns, rows) cells of which nobody says what its coordinates are: degrees if all of it can lie on the
    /// globe, does not begin at the origin, and has cells below 0.1 or spans 90 and more. No elevation model in metres is so.
    pub fn likely_unit(&self, (columns, rows): (usize, usize)) -> CrsUnit {
        let (width, height) = (columns as f64 * self.step.0, rows as f64 * self.step.1);
        let (east, south) = (self.west + width, self.north - height);
        let on_globe = self.west >= -361.0 && east <= 361.0 && !self.is_beyond(south);
        let at_origin = self.west == 0.0 && (self.north == 0.0 || south == 0.0);
        let likely = self.step.0 < 0.1 || (width >= 90.0 && self.step.0 < 30.0);
        if on_globe && likely && !at_origin { CrsUnit::Degree } else { CrsUnit::Metre }
    }

    /// Whether a map of `rows` rows in degrees reaches beyond a pole by more than the half cell by which the centres of its rows may lie on it.
    #[cfg(feature = "import")]
    pub(crate) fn is_beyond_a_pole(&self, rows: usize) -> bool {
        self.unit == CrsUnit::Degree && self.is_beyond(self.north - rows as f64 * self.step.1)
    }

    /// Whether latitudes from that of the northern edge to `south` are none.
    fn is_beyond(&self, south: f64) -> bool {
        let most = 90.0 + 0.5001 * self.step.1;
        self.north > most || south < -most
    }

    /// The georeference of the part that begins at column `x` and row `y`.
    pub fn part(&self, x: usize, y: usize) -> Self {
        let (west, north) = (self.west + x as f64 * self.step.0, self.north - y as f64 * self.step.1);
        Self { west, north, ..*self }
    }

    /// The georeference of the same area with another number of cells.
    pub fn resampled(&self, from: (usize, usize), to: (usize, usize)) -> Self {
        let along = |step: f64, from: usize, to: usize| {
            if from == to { step } else { step * from as f64 / to as f64 }
        };
        Self { step: (along(self.step.0, from.0, to.0), along(self.step.1, from.1, to.1)), ..*self }
    }

    /// As it stands in manifests.
    pub fn to_json(&self) -> Value {
        json!({
            "epsg": self.epsg, "unit": self.unit.name(), "west": self.west, "north": self.north,
            "step": [self.step.0, self.step.1],
        })
    }

    /// Reads what [`GeoReference::to_json`] makes; none if it is not that.
    pub fn from_json(value: &Value) -> Option<Self> {
        let number = |v: &Value| v.as_f64().filter(|v| v.is_finite());
        let step = |k: usize| number(&value["step"][k]).filter(|v| *v > 0.0);
        Some(Self {
            epsg: value["epsg"].as_u64().and_then(|code| u32::try_from(code).ok()),
            unit: CrsUnit::of(value["unit"].as_str()?)?,
            west: number(&value["west"])?,
            north: number(&value["north"])?,
            step: (step(0)?, step(1)?),
        })
    }
}

/// The hyperbolic cosine.
fn cosh(x: f64) -> f64 {
    let grown = math::exp(x);
    (grown + 1.0 / grown) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_become_the_metres_of_their_latitude() {
        let at = |north: f64| GeoReference {
            epsg: Some(4326),
            unit: CrsUnit::Degree,
            west: 7.0,
            north,
            step: (1.0 / 3600.0, 1.0 / 3600.0),
        };
        // A second of arc: 30.92 m of longitude and 30.72 m of latitude on the equator, 21.91 m and 30.87 m at 45°.
        let (east, north) = at(0.0).cell_m(0);
        assert!((east - 30.922).abs() < 0.001 && (north - 30.715).abs() < 0.001, "{east} {north}");
        let (east, north) = at(45.5).cell_m(3600);
        assert!((east - 21.902).abs() < 0.001 && (north - 30.870).abs() < 0.001, "{east} {north}");
    }

    #[test]
    fn metres_of_web_maps_become_those_of_the_ground() {
        // Half a metre of ground to a metre of the map at 60°, whose northing is a · ln(2 + √3).
        let at = GeoReference {
            epsg: Some(3857),
            unit: CrsUnit::Metre,
            west: 0.0,
            north: 8_399_737.89,
            step: (30.0, 30.0),
        };
        let (east, north) = at.cell_m(0);
        assert!((east - 15.0).abs() < 1e-6 && north == east, "{east} {north}");
        assert!((GeoReference { north: -8_399_737.89, ..at }.cell_m(0).0 - 15.0).abs() < 1e-6);
        for code in [3785, 102_100, 102_113, 900_913] {
            assert_eq!(GeoReference { epsg: Some(code), ..at }.cell_m(0), (east, north), "EPSG:{code}");
        }
    }

    #[test]
    fn metres_of_the_mercator_projection_on_the_ellipsoid_become_those_of_the_ground() {
        // At 60°, whose northing is 8362698.55 m, a metre of the ground is 1.9949729 m of the map; at the equator they are equal.
        let at = |north: f64| {
            let step = (30.0, 30.0);
            GeoReference { epsg: Some(3395), unit: CrsUnit::Metre, west: 0.0, north, step }.cell_m(0)
        };
        for north in [8_362_698.55, -8_362_698.55] {
            let (east, south) = at(north);
            assert!((30.0 / east - 1.994_972_9).abs() < 1e-6 && south == east, "{north}: {east}");
        }
        assert!((at(0.0).0 - 30.0).abs() < 1e-9);
    }

    #[test]
    fn coordinates_of_which_nobody_says_more_are_degrees_where_they_cannot_be_metres() {
        let unit = |west: f64, south: f64, step: f64, (columns, rows): (usize, usize)| {
            let north = south + rows as f64 * step;
            let unit = CrsUnit::Metre;
            GeoReference { epsg: None, unit, west, north, step: (step, step) }.likely_unit((columns, rows))
        };
        assert_eq!(unit(7.0, 46.0, 1.0 / 1200.0, (1201, 1201)), CrsUnit::Degree);
        assert_eq!(unit(-180.0, -90.0, 0.25, (1440, 720)), CrsUnit::Degree);
        assert_eq!(unit(-180.0, -90.0, 1.0, (360, 180)), CrsUnit::Degree);
        // A laser scan of five by five metres, a model in UTM, and a map of nothing but cells.
        assert_eq!(unit(0.0, 0.0, 0.05, (100, 100)), CrsUnit::Metre);
        assert_eq!(unit(500_000.0, 5_200_000.0, 0.05, (100, 100)), CrsUnit::Metre);
        assert_eq!(unit(0.0, 0.0, 1.0, (100, 50)), CrsUnit::Metre);
        assert_eq!(unit(0.0, 0.0, 30.0, (300, 300)), CrsUnit::Metre);
    }

    #[test]
    fn a_georeference_reads_back_exactly_and_parts_keep_their_place() {
        let utm = GeoReference {
            epsg: Some(32617),
            unit: CrsUnit::Metre,
            west: 712_345.1,
            north: 4_012_345.9,
            step: (30.1, 30.1),
        };
        assert_eq!(GeoReference::from_json(&utm.to_json()), Some(utm));
        assert_eq!(utm.part(0, 0), utm);
        assert_eq!(utm.part(10, 0).west, 712_345.1 + 10.0 * 30.1);
        assert_eq!(utm.resampled((100, 50), (50, 50)).step, (60.2, 30.1));
        assert_eq!(GeoReference::from_json(&json!({"unit": "metre"})), None);
    }
}
