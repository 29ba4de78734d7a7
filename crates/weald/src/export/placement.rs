//! Where features lie, in the coordinates of other programs: x east and y north.

use super::target::Source;
use crate::georeference::{CrsUnit, GeoReference, WGS84_E2, WGS84_RADIUS_M};
use std::collections::BTreeMap;
use weald_core::{Frame, math};

/// A position or a vertex.
pub(super) type P = (f64, f64);

/// From the plane of a map, with y south, to coordinates with y north.
pub(super) struct Placement {
    frame: Frame,
    /// Where the map lies on the Earth, if that is known.
    pub georeference: Option<GeoReference>,
    factor: f64,
    unit: &'static str,
}

/// The scale of UTM along its central meridians.
const K0: f64 = 0.9996;

/// Coordinate reference systems from which longitude and latitude on WGS 84 can be computed here.
///
/// NAD83 and ETRS89 are taken as WGS 84, from which they differ by 2 m at most in North America and by 1 m in Europe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wgs84 {
    /// They are longitude and latitude.
    Degrees,
    /// The Mercator projection of web maps.
    WebMercator,
    /// The zone of Universal Transverse Mercator with that number.
    Utm {
        /// 1 to 60.
        zone: u32,
        /// Northing of the equator in metres: 0 in the north, 10 000 000 in the south.
        equator: u32,
    },
}

impl Wgs84 {
    /// The system with that EPSG code: degrees of WGS 84, ETRS89 and NAD83, their zones of UTM, and the Mercator projection of web maps.
    pub(super) fn of(epsg: u32) -> Option<Self> {
        match epsg {
            4326 | 4258 | 4269 => Some(Wgs84::Degrees),
            3857 => Some(Wgs84::WebMercator),
            25828..=25838 => Some(Wgs84::Utm { zone: epsg - 25800, equator: 0 }),
            26901..=26923 => Some(Wgs84::Utm { zone: epsg - 26900, equator: 0 }),
            32601..=32660 => Some(Wgs84::Utm { zone: epsg - 32600, equator: 0 }),
            32701..=32760 => Some(Wgs84::Utm { zone: epsg - 32700, equator: 10_000_000 }),
            _ => None,
        }
    }

    /// Longitude and latitude in degrees.
    ///
    /// Of web maps on the sphere, φ = 90° − 2 atan e^(−y/a); of UTM by the inverse series of Snyder (1987, *Map Projections: A Working Manual*, USGS Professional Paper 1395, pp. 57–64, equations
    /// 3-26, 7-19, 8-12 and 8-17 to 8-25), with a = 6 378 137 m, e² = 0.00669437999014 and k₀ = 0.9996.
    pub(super) fn longitude_latitude(self, (x, y): P) -> P {
        let (a, e2, k0) = (WGS84_RADIUS_M, WGS84_E2, K0);
        let degree = std::f64::consts::PI / 180.0;
        let (zone, equator) = match self {
            Wgs84::Degrees => return (x, y),
            Wgs84::WebMercator => {
                return (x / a / degree, 90.0 - 2.0 * math::atan2(math::exp(-y / a), 1.0) / degree);
            }
            Wgs84::Utm { zone, equator } => (zone, equator),
        };
        let (e4, e6) = (e2 * e2, e2 * e2 * e2);
        let ep2 = e2 / (1.0 - e2);
        // The footprint latitude.
        let mu = (y - f64::from(equator)) / k0 / (a * (1.0 - e2 / 4.0 - 3.0 * e4 / 64.0 - 5.0 * e6 / 256.0));
        let root = (1.0 - e2).sqrt();
        let e1 = (1.0 - root) / (1.0 + root);
        let (e1_2, e1_3, e1_4) = (e1 * e1, e1 * e1 * e1, e1 * e1 * e1 * e1);
        let phi1 = mu
            + (3.0 * e1 / 2.0 - 27.0 * e1_3 / 32.0) * math::sin(2.0 * mu)
            + (21.0 * e1_2 / 16.0 - 55.0 * e1_4 / 32.0) * math::sin(4.0 * mu)
            + 151.0 * e1_3 / 96.0 * math::sin(6.0 * mu)
            + 1097.0 * e1_4 / 512.0 * math::sin(8.0 * mu);
        let (sin, cos, tan) = (math::sin(phi1), math::cos(phi1), math::tan(phi1));
        let (c, t) = (ep2 * cos * cos, tan * tan);
        let w = 1.0 - e2 * sin * sin;
        let (n, r) = (a / w.sqrt(), a * (1.0 - e2) / (w * w.sqrt()));
        let d = (x - 500_000.0) / (n * k0);
        let (d2, d3) = (d * d, d * d * d);
        let latitude = phi1
            - n * tan / r
                * (d2 / 2.0 - (5.0 + 3.0 * t + 10.0 * c - 4.0 * c * c - 9.0 * ep2) * d2 * d2 / 24.0
                    + (61.0 + 90.0 * t + 298.0 * c + 45.0 * t * t - 252.0 * ep2 - 3.0 * c * c) * d3 * d3
                        / 720.0);
        let longitude = (d - (1.0 + 2.0 * t + c) * d3 / 6.0
            + (5.0 - 2.0 * c + 28.0 * t - 3.0 * c * c + 8.0 * ep2 + 24.0 * t * t) * d2 * d3 / 120.0)
            / cos;
        (meridian(zone) + longitude / degree, latitude / degree)
    }

    /// Metres of the grid to a metre of the ground at a place in a zone of UTM; none for other systems, of which maps are read in metres of the ground.
    ///
    /// Snyder (1987), equation 8-11: k = k₀ (1 + (1 + C) A²/2 + (5 − 4T + 42C + 13C² − 28e'²) A⁴/24 + (61 − 148T + 16T²) A⁶/720), with T = tan² φ,
    /// C = e'² cos² φ and A = (λ − λ₀) cos φ.
    pub(super) fn grid_scale(self, at: P) -> Option<f64> {
        let Wgs84::Utm { zone, .. } = self else { return None };
        let degree = std::f64::consts::PI / 180.0;
        let (longitude, latitude) = self.longitude_latitude(at);
        let (cos, tan) = (math::cos(latitude * degree), math::tan(latitude * degree));
        let ep2 = WGS84_E2 / (1.0 - WGS84_E2);
        let (t, c) = (tan * tan, ep2 * cos * cos);
        let a = (longitude - meridian(zone)) * degree * cos;
        let a2 = a * a;
        let fourth = 5.0 - 4.0 * t + 42.0 * c + 13.0 * c * c - 28.0 * ep2;
        let sixth = 61.0 - 148.0 * t + 16.0 * t * t;
        Some(K0 * (1.0 + (1.0 + c) * a2 / 2.0 + fourth * a2 * a2 / 24.0 + sixth * a2 * a2 * a2 / 720.0))
    }
}

/// Longitude of the central meridian of a zone of UTM.
fn meridian(zone: u32) -> f64 {
    6.0 * f64::from(zone) - 183.0
}

impl Placement {
    /// In the coordinate reference system of the map if it has one, else local: metres if the world has ground, else cells.
    pub(super) fn of(source: &Source) -> Self {
        let georeference = source.catalogue.georeference;
        let ground = source.exports.ground;
        let factor = ground.map_or(1.0, |g| g.metres_per_unit);
        Self { frame: source.catalogue.frame, georeference, factor, unit: source.unit() }
    }

    /// The unit of the coordinates, in words for more than one.
    pub(super) fn unit(&self) -> &'static str {
        self.unit
    }

    /// The EPSG code of the coordinates, if there is one.
    pub(super) fn epsg(&self) -> Option<u32> {
        self.georeference.and_then(|place| place.epsg)
    }

    /// Whether the coordinates are degrees.
    pub(super) fn is_geographic(&self) -> bool {
        self.georeference.is_some_and(|place| place.unit == CrsUnit::Degree)
    }

    /// The coordinates of a place on the map.
    pub(super) fn at(&self, (x, y): P) -> P {
        let Some(place) = self.georeference else {
            // Adding 0 turns −0 into 0.
            return (x * self.factor + 0.0, -y * self.factor + 0.0);
        };
        let column = (x - self.frame.origin.0) / self.frame.cell_m;
        let row = (y - self.frame.origin.1) / self.frame.cell_m;
        (place.west + column * place.step.0, place.north - row * place.step.1)
    }

    /// The place on the map of a corner of cells.
    pub(super) fn corner(&self, (x, y): P) -> P {
        (self.frame.origin.0 + x * self.frame.cell_m, self.frame.origin.1 + y * self.frame.cell_m)
    }
}

/// Which way round a ring goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Against the clock, as outer rings do.
    Left,
    /// With the clock, as holes do.
    Right,
}

/// Whether a line has a length: its points are not all the same.
pub(super) fn has_length(points: &[P]) -> bool {
    points.iter().any(|p| *p != points[0])
}

/// How many features were left out, in a sentence; none if none was.
pub(super) fn left_out_note(count: usize) -> Option<String> {
    (count > 0).then(|| format!("{count} lines without length or polygons without area were left out"))
}

/// Whether a ring has an area, above what rounding leaves of none.
fn has_area(ring: &[P]) -> bool {
    let far = |of: fn(P) -> f64| {
        let (least, most) =
            ring.iter().fold((f64::MAX, f64::MIN), |(a, b), p| (a.min(of(*p)), b.max(of(*p))));
        most - least
    };
    let (wide, high) = (far(|p| p.0), far(|p| p.1));
    area(ring).abs() > 1e-12 * (wide * wide + high * high)
}

/// Twice the area of a ring, above 0 against the clock where y is north; seen from its first point, so that large coordinates lose no digits.
pub(super) fn area(ring: &[P]) -> f64 {
    let first = ring.first().copied().unwrap_or_default();
    let at = |p: P| (p.0 - first.0, p.1 - first.1);
    let part = |s: &[P]| {
        let (a, b) = (at(s[0]), at(s[1]));
        a.0 * b.1 - b.0 * a.1
    };
    ring.windows(2).map(part).sum()
}

/// A closed ring in coordinates with y north, turned round if it goes the other way.
pub(super) fn turned(mut ring: Vec<P>, turn: Turn) -> Vec<P> {
    if (area(&ring) < 0.0) == (turn == Turn::Left) {
        ring.reverse();
    }
    ring
}

/// The rings of a polygon as other programs want them: none touches itself, the outer one comes first and goes against the clock, the
/// holes go with it.
///
/// A region whose tiles meet at a corner has a ring that passes this corner twice. Such a ring is cut there into rings that touch each
/// other, which OGC 06-103r4 (§6.1.11) allows. If that gave more than one outer ring, the rings stay as they are. Rings without area are
/// left out, and if the outer one has none, there is no ring at all.
pub(super) fn polygon(mut rings: Vec<Vec<P>>) -> Vec<Vec<P>> {
    let Some(outer) = rings.first().filter(|ring| has_area(ring)).map(|ring| area(ring) > 0.0) else {
        return Vec::new();
    };
    rings.retain(|ring| has_area(ring));
    let mut parts: Vec<Vec<P>> = rings.iter().flat_map(|ring| simple(ring)).collect();
    parts.retain(|ring| has_area(ring));
    let outers: Vec<usize> = (0..parts.len()).filter(|&i| (area(&parts[i]) > 0.0) == outer).collect();
    // The holes of some sets go the way of their outer ring; those are taken as they come.
    let parts = match outers[..] {
        [only] => {
            parts.swap(0, only);
            parts
        }
        _ => rings,
    };
    let turn = |i: usize| if i == 0 { Turn::Left } else { Turn::Right };
    parts.into_iter().enumerate().map(|(i, ring)| turned(ring, turn(i))).collect()
}

/// A closed ring cut where it passes a point again.
fn simple(ring: &[P]) -> Vec<Vec<P>> {
    let key = |p: P| (p.0.to_bits(), p.1.to_bits());
    let mut seen: BTreeMap<(u64, u64), usize> = BTreeMap::new();
    let (mut path, mut parts): (Vec<P>, Vec<Vec<P>>) = (Vec::new(), Vec::new());
    for &p in ring {
        if let Some(&from) = seen.get(&key(p)) {
            let mut part = path.split_off(from);
            for &q in &part {
                seen.remove(&key(q));
            }
            part.push(p);
            // Two points and back again have no area.
            if part.len() > 3 {
                parts.push(part);
            }
        }
        seen.insert(key(p), path.len());
        path.push(p);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_of_utm_become_the_degrees_of_proj() {
        // From `gdaltransform -s_srs EPSG:n -t_srs EPSG:4326 -output_xy` (PROJ 9.1).
        let known = [
            (32617, (712_345.1, 4_012_345.9), (-78.637_193_379_567_6, 36.232_684_893_541)),
            (32633, (500_000.0, 5_300_000.0), (15.0, 47.853_341_945_608_8)),
            (32756, (334_000.0, 6_252_000.0), (151.205_514_686_936, -33.859_261_704_504)),
            (32601, (166_021.5, 10.0), (-179.999_999_489_189, 9.034_831_049_786_56e-5)),
            (25832, (691_600.0, 5_334_000.0), (11.575_108_480_707_2, 48.130_390_091_457_3)),
            (26917, (712_345.1, 4_012_345.9), (-78.637_193_379_551_9, 36.232_684_894_513_4)),
            (3857, (1_286_000.5, 6_130_000.25), (11.552_339_045_353_5, 48.138_937_271_885_9)),
            (3857, (-8_238_310.2, -4_970_071.6), (-74.005_999_679_777_5, -40.712_800_142_021_9)),
        ];
        for (epsg, at, expected) in known {
            let found = Wgs84::of(epsg).unwrap().longitude_latitude(at);
            let off = (found.0 - expected.0).abs().max((found.1 - expected.1).abs());
            assert!(off < 2e-8, "{epsg}: {found:?}, not {expected:?}");
        }
        assert_eq!(Wgs84::of(4326), Some(Wgs84::Degrees));
        assert_eq!(Wgs84::Degrees.longitude_latitude((7.5, 46.0)), (7.5, 46.0));
        assert!([2056, 25839, 26924, 32600, 32661, 32761].iter().all(|code| Wgs84::of(*code).is_none()));
    }

    #[test]
    fn metres_of_utm_are_those_of_the_ground_times_the_scale_of_their_place() {
        let places = [
            (32617, (712_345.1, 4_012_345.9)),
            (32756, (334_000.0, 6_252_000.0)),
            (32633, (166_100.0, 10.0)),
        ];
        for (epsg, at) in places {
            let system = Wgs84::of(epsg).unwrap();
            // The ground between two places 200 m apart in the grid, on the ellipsoid.
            let ends = [at.1 - 100.0, at.1 + 100.0].map(|y| system.longitude_latitude((at.0, y)));
            let (east, north) = GeoReference {
                epsg: Some(4326),
                unit: CrsUnit::Degree,
                west: 0.0,
                north: (ends[0].1 + ends[1].1) / 2.0,
                step: (1.0, 1.0),
            }
            .cell_m(0);
            let (x, y) = ((ends[1].0 - ends[0].0) * east, (ends[1].1 - ends[0].1) * north);
            let ground = (x * x + y * y).sqrt();
            let scale = system.grid_scale(at).unwrap();
            assert!((scale - 200.0 / ground).abs() < 1e-7, "{epsg}: {scale}, not {}", 200.0 / ground);
        }
        let middle = Wgs84::of(32633).unwrap().grid_scale((500_000.0, 5_300_000.0)).unwrap();
        assert!((middle - 0.9996).abs() < 1e-12, "{middle}");
        assert_eq!(Wgs84::WebMercator.grid_scale((0.0, 5e6)), None);
    }

    #[test]
    fn a_place_on_the_map_is_west_and_north_plus_steps() {
        let georeference = GeoReference {
            epsg: Some(4326),
            unit: CrsUnit::Degree,
            west: 7.0,
            north: 47.0,
            step: (0.25, 0.125),
        };
        let frame = Frame { origin: (100.0, -50.0), ..Frame::new(8, 8, 30.0) };
        let local = Placement { frame, georeference: None, factor: 10.0, unit: "m" };
        assert_eq!(local.at((3.0, 2.0)), (30.0, -20.0));
        let placed = Placement { georeference: Some(georeference), ..local };
        assert_eq!(placed.at(placed.corner((0.0, 0.0))), (7.0, 47.0));
        assert_eq!(placed.at(placed.corner((4.0, 8.0))), (8.0, 46.0));
    }

    #[test]
    fn rings_that_touch_themselves_are_cut_into_rings_that_do_not() {
        use weald_core::{Grid, region};
        // The region of 1 meets itself at the corner (2, 2), so its outer ring passes that corner twice.
        let map = Grid::from_vec(4, 4, vec![1, 1, 1, 1, 1, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1]);
        let regions = region::outlines(&map);
        let north = |ring: &Vec<P>| ring.iter().map(|&(x, y)| (x, -y)).collect::<Vec<P>>();
        for region in &regions {
            let rings = polygon(region.rings.iter().map(north).collect());
            assert!(area(&rings[0]) > 0.0 && rings[1..].iter().all(|ring| area(ring) < 0.0));
            let total: f64 = rings.iter().map(|ring| area(ring)).sum();
            assert_eq!(total, 2.0 * f64::from(region.tiles));
            for ring in &rings {
                assert_eq!(ring.first(), ring.last());
                let mut points: Vec<(i64, i64)> =
                    ring[1..].iter().map(|p| (p.0 as i64, p.1 as i64)).collect();
                points.sort_unstable();
                assert!(points.windows(2).all(|pair| pair[0] != pair[1]), "{ring:?}");
            }
        }
        let all = polygon(regions[0].rings.iter().map(north).collect());
        assert_eq!((regions[0].rings.len(), all.len()), (2, 3));
    }

    #[test]
    fn what_has_no_length_or_no_area_is_found() {
        assert!(!has_length(&[]) && !has_length(&[(1.0, 2.0)]) && !has_length(&[(1.0, 2.0), (1.0, 2.0)]));
        assert!(has_length(&[(1.0, 2.0), (1.0, 2.5), (1.0, 2.0)]));
        let flat = vec![(0.1, 0.1), (0.4, 0.2), (0.7, 0.3), (0.1, 0.1)];
        let good = vec![(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 0.0)];
        assert!(polygon(vec![flat.clone(), good.clone()]).is_empty() && polygon(Vec::new()).is_empty());
        assert!(polygon(vec![Vec::new()]).is_empty());
        assert_eq!(polygon(vec![good.clone(), flat]), [good]);
    }

    #[test]
    fn rings_are_turned_round_if_they_go_the_other_way() {
        let left = vec![(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 0.0)];
        let right: Vec<P> = left.iter().rev().copied().collect();
        assert_eq!(turned(left.clone(), Turn::Left), left);
        assert_eq!(turned(right.clone(), Turn::Left), left);
        assert_eq!(turned(left, Turn::Right), right);
    }
}
