//! The map around a place of a planet: heights, depths, kinds of ground and features, as data.
//!
//! The map is an [`Azimuthal`] equidistant projection, north up. Every cell asks the planet itself at its place on the sphere, so
//! neither the poles nor the faces of the cube show. A runner runs on it by the rules of [`runner`].

use super::classes::{FEATURES, LAKE, MOOR, MUD, TERRAINS, THICKET, name};
use super::ground::Ground;
use super::sphere::{self, Azimuthal, Vector};
use super::{PlanetParams, Thing};
use crate::catalogue::{Catalogue, Feature, FeatureSet, Field, LayerOf, Palette};
use crate::error::{Error, Result};
use crate::style::Style;
use crate::world::runner::{self, Cell, Footing, Going, Leg};
use serde_json::Map;
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;
use weald_core::{Ctx, Frame, Grid, Seed, math, par};

/// Cells that a map drawn around a place has along a side, at most: one a metre up to here, larger ones beyond.
pub const MAX_CELLS: usize = 2048;

/// Bytes for each cell of a map, at most, while it is made and drawn.
const BYTES_PER_CELL: u64 = 90;

/// A place by latitude and longitude in degrees, north and east positive.
pub type LatLon = (f64, f64);

/// Where a map lies and how large it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The place at the centre of the map.
    pub centre: LatLon,
    /// The projection around it.
    pub projection: Azimuthal,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Side of a cell in metres.
    pub cell_m: f64,
}

impl Extent {
    /// The square around a place, `half_m` metres from its centre to each side, on a planet of a radius. A cell is the least
    /// whole number of metres that needs at most [`MAX_CELLS`] along a side. Fails if the map would reach further than a
    /// quarter of the way around the planet.
    pub fn around(centre: LatLon, half_m: f64, radius_m: f64) -> Result<Self> {
        let most = most_m(radius_m);
        if !(LEAST_M..=most).contains(&half_m) {
            return Err(Error::Invalid(format!(
                "--radius {half_m}: must be at most {most} m on this planet, a quarter of the way around it, and at least {LEAST_M} m; \
                 use --view orthographic for more"
            )));
        }
        let cell_m = (2.0 * half_m / MAX_CELLS as f64).ceil().max(1.0);
        let side = ((2.0 * half_m / cell_m).round() as usize).max(2);
        let projection = Azimuthal::new(centre.0, centre.1, radius_m);
        Ok(Self { centre, projection, width: side, height: side, cell_m })
    }

    /// The map of a leg: centred between its ends on the great circle, one cell a metre, with `margin_m` around. Fails if the ends
    /// are opposite to each other, or if the map would reach further than a quarter of the way around the planet.
    pub fn of_leg(from: LatLon, to: LatLon, margin_m: u32, radius_m: f64) -> Result<Self> {
        let [a, b] = [from, to].map(|(lat, lon)| sphere::place(lat, lon, 1.0));
        let sum: Vector = std::array::from_fn(|k| a[k] + b[k]);
        let far = sphere::dot(sum, sum).sqrt();
        let centre = sphere::lat_lon(sum);
        let projection = Azimuthal::new(centre.0, centre.1, radius_m);
        let (x, y) = projection.at(a);
        let half = |v: f64| v.abs().ceil() + f64::from(margin_m);
        let (wide, high) = (half(x), half(y));
        if far < 1e-6 || wide.max(high) > radius_m * FRAC_PI_2 {
            let long = 2.0 * (x * x + y * y).sqrt();
            return Err(Error::Invalid(format!(
                "the leg is {long:.0} m long, and with its margin of {margin_m} m it does not fit on a map that reaches a \
                 quarter of the way around this planet, {:.0} m, from its centre; run shorter legs, or give a smaller --margin",
                (radius_m * FRAC_PI_2).floor()
            )));
        }
        let (width, height) = (2 * wide as usize + 1, 2 * high as usize + 1);
        Ok(Self { centre, projection, width, height, cell_m: 1.0 })
    }

    /// About how much memory the map takes, at most, while it is made and drawn.
    pub fn bytes_needed(&self) -> u64 {
        (self.width as u64).saturating_mul(self.height as u64).saturating_mul(BYTES_PER_CELL)
    }

    /// The point of the map at columns and rows from its north-west corner, as metres east and north of its centre.
    #[inline]
    fn point(&self, column: f64, row: f64) -> (f64, f64) {
        let (w, h) = (self.width as f64, self.height as f64);
        ((column - w / 2.0) * self.cell_m, (h / 2.0 - row) * self.cell_m)
    }

    /// The place on the sphere of a point at columns and rows from the north-west corner.
    #[inline]
    pub fn place(&self, column: f64, row: f64) -> Vector {
        self.projection.place(self.point(column, row))
    }

    /// Columns and rows of a place from the north-west corner.
    pub fn position(&self, place: Vector) -> (f64, f64) {
        let (x, y) = self.projection.at(place);
        (x / self.cell_m + self.width as f64 / 2.0, self.height as f64 / 2.0 - y / self.cell_m)
    }

    /// The cell of a place, if it is on the map.
    pub fn cell(&self, place: Vector) -> Option<Cell> {
        let (column, row) = self.position(place);
        let inside = column >= 0.0 && row >= 0.0 && column < self.width as f64 && row < self.height as f64;
        inside.then_some((column as usize, row as usize))
    }

    /// Latitude and longitude of the centre of a cell.
    fn lat_lon(&self, (column, row): Cell) -> LatLon {
        sphere::lat_lon(self.place(column as f64 + 0.5, row as f64 + 0.5))
    }

    /// Where the map lies, in metres from its centre, x east and y south.
    fn frame(&self) -> Frame {
        let (x, y) = self.point(0.0, 0.0);
        Frame { origin: (x, -y), ..Frame::new(self.width, self.height, self.cell_m) }
    }
}

/// The map around a place.
pub struct Local {
    /// The planet as a function of place.
    pub ground: Arc<Ground>,
    /// Where the map lies.
    pub extent: Extent,
    /// Height of the ground, or of the water above it.
    pub height: Grid<f32>,
    /// Depth of the water, 0 on land.
    pub depth: Grid<f32>,
    /// Kind of ground.
    pub terrain: Grid<u8>,
    /// The features on the map.
    pub features: Vec<Thing>,
}

impl Local {
    /// Asks the planet at the centre of every cell and keeps the features that lie on the map. Reach: point.
    pub fn new(
        ground: &Arc<Ground>,
        extent: Extent,
        features: &[Thing],
        ctx: &Ctx,
    ) -> weald_core::Result<Self> {
        let (w, h, level) = (extent.width, extent.height, ground.level());
        let (mut height, mut depth) = (Grid::filled(w, h, 0.0f32), Grid::filled(w, h, 0.0f32));
        let mut terrain = Grid::filled(w, h, 0u8);
        par::for_rows(
            (height.rows_mut(), depth.rows_mut(), terrain.rows_mut()),
            ctx,
            #[inline(always)]
            |r, (height, depth, terrain)| {
                for c in 0..w {
                    let place = extent.place(c as f64 + 0.5, r as f64 + 0.5);
                    let here = ground.height(place);
                    terrain[c] = ground.kind(place, here);
                    height[c] = here.max(level) as f32;
                    depth[c] = (level - here).max(0.0) as f32;
                }
            },
        )?;
        let features = features.iter().filter(|f| extent.cell(f.place).is_some()).copied().collect();
        Ok(Self { ground: Arc::clone(ground), extent, height, depth, terrain, features })
    }

    /// The straight route along the great circle, metre by metre, and the fastest one along 16 directions from cell to cell.
    /// Both places must lie on the map ([`Extent::of_leg`]).
    pub fn leg(&self, from: LatLon, to: LatLon, ctx: &Ctx) -> Result<Leg<LatLon>> {
        let cell = |(lat, lon): LatLon| {
            self.extent.cell(sphere::place(lat, lon, self.extent.projection.radius())).ok_or_else(|| {
                Error::Invalid(format!("{lat},{lon}: is outside the map; make the map larger"))
            })
        };
        let leg = runner::leg(self, cell(from)?, cell(to)?, ctx)?;
        Ok(leg.map(|cell| self.extent.lat_lon(cell)))
    }

    /// A leg as a course on the map: the straight line and the fastest route, with start and finish.
    pub fn course(&self, leg: &Leg<LatLon>) -> (FeatureSet, FeatureSet) {
        let at = |&(lat, lon): &LatLon| self.at(sphere::place(lat, lon, self.extent.projection.radius()));
        leg.course_at(at)
    }

    /// A place in the coordinates of the map: metres from its centre, x east and y south.
    fn at(&self, place: Vector) -> (f64, f64) {
        let (x, y) = self.extent.projection.at(place);
        (x, -y)
    }

    /// Layers, features and the graticule; coordinates in metres from the centre, x east and y south.
    pub fn into_catalogue(self, seed: Seed, p: &PlanetParams) -> Catalogue {
        let local = Arc::new(self);
        let point = |(id, thing): (usize, &Thing)| {
            Feature::new(
                id as u32,
                vec![local.at(thing.place)],
                [("kind", name(FEATURES, thing.kind).into())],
            )
        };
        let features = local.features.iter().enumerate().map(point).collect();
        let (lat, lon) = local.extent.centre;
        let mut figures = Map::new();
        figures.insert("latitude".into(), lat.into());
        figures.insert("longitude".into(), lon.into());
        Catalogue {
            seed: seed.0,
            params: serde_json::to_value(p).expect("parameters are plain data"),
            layers: LayerOf::layers(LAYERS, &local),
            lines: vec![local.graticule()],
            points: vec![FeatureSet::new("features", "Point features", features)],
            figures,
            sampler: Some(local.ground.clone()),
            ..Catalogue::new(super::world::INFO.name, super::world::INFO.length_unit, local.extent.frame())
        }
    }

    /// Meridians and parallels. Parallels are the largest round number of degrees apart, up to 15°, that is at most a third of the
    /// map's width; meridians as many degrees, or the next round number, up to 30°, that keeps them a tenth of the width apart
    /// at the centre. Both are drawn in pieces of a tenth of the step.
    fn graticule(&self) -> FeatureSet {
        const STEPS: [f64; 10] = [0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0];
        let (radius, (lat, lon)) = (self.extent.projection.radius(), self.extent.centre);
        let wide = self.extent.width.max(self.extent.height) as f64 * self.extent.cell_m;
        let metres = radius * PI / 180.0;
        let step = STEPS[..9].iter().rev().find(|s| *s * metres <= wide / 3.0).map_or(STEPS[0], |s| *s);
        let narrow = math::cos(lat.to_radians());
        let apart = STEPS.into_iter().find(|s| s * metres * narrow >= wide / 10.0);
        let turn = apart.unwrap_or(30.0).max(step);
        // The corners lie within `span` of the centre, and within `beside` of its meridian.
        let span = wide * 0.75 / metres;
        let share = math::sin(span.to_radians()) / narrow;
        let beside = match lat.abs() + span < 90.0 {
            true => math::atan2(share, (1.0 - share * share).sqrt()).to_degrees(),
            false => 180.0,
        };
        let line = |[from, to]: [LatLon; 2]| -> Vec<(f64, f64)> {
            let pieces = (((to.0 - from.0).abs() + (to.1 - from.1).abs()) / step * 10.0).ceil().max(1.0);
            let place = |k: i64| {
                let t = k as f64 / pieces;
                sphere::place(from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t, radius)
            };
            (0..=pieces as i64).map(|k| self.at(place(k))).collect()
        };
        let (south, north) = ((lat - span).max(-90.0), (lat + span).min(90.0));
        let (west, east) = (lon - beside, lon + beside);
        // A whole turn has as many meridians as steps, not one more.
        let last =
            if beside < 180.0 { (east / turn).floor() } else { (west / turn).ceil() + 360.0 / turn - 1.0 };
        let meridians = ((west / turn).ceil() as i64..=last as i64).map(|m| m as f64 * turn);
        let parallels =
            ((south / step).ceil() as i64..=(north / step).floor() as i64).map(|p| p as f64 * step);
        let lines = meridians
            .map(|m| line([(south, m), (north, m)]))
            .chain(parallels.filter(|p| p.abs() < 90.0).map(|p| line([(p, west), (p, east)])));
        let feature = |(id, line)| Feature::new(id as u32, line, []);
        let about = format!("Meridians every {turn}\u{b0} and parallels every {step}\u{b0}");
        FeatureSet {
            name: "graticule".into(),
            about: about.into(),
            features: lines.enumerate().map(feature).collect(),
        }
    }
}

impl Going for Local {
    fn shape(&self) -> (usize, usize) {
        (self.extent.width, self.extent.height)
    }

    fn full_speed_m_s(&self) -> f64 {
        runner::FULL_SPEED_M_S
    }

    fn footing(&self, cell: Cell) -> Footing {
        match self.terrain[cell] {
            MOOR => Footing::Rough,
            THICKET | MUD | LAKE => Footing::Bad,
            _ => Footing::Good,
        }
    }

    fn height(&self, (column, row): Cell, (dx, dy): (f64, f64)) -> f64 {
        let place = self.extent.place(column as f64 + 0.5 + dx, row as f64 + 0.5 + dy);
        self.ground.height(place).max(self.ground.level())
    }

    fn scale(&self, (column, row): Cell, (dx, dy): (f64, f64)) -> f64 {
        let point = self.extent.point(column as f64 + 0.5, row as f64 + 0.5);
        self.extent.projection.scale(point, (dx, -dy)) * self.extent.cell_m
    }

    fn least_scale(&self) -> f64 {
        // Across, at the corner.
        let (x, y) = self.extent.point(0.0, 0.0);
        let far = (x * x + y * y).sqrt();
        self.extent.projection.scale((x, y), (-y / far, x / far)) * self.extent.cell_m
    }
}

type L = LayerOf<Local>;

const LAYERS: &[L] = &[
    L::measure(
        "height",
        "height units",
        "Height of the ground, or of the water above it",
        Field::F32(|m| &m.height),
    )
    .coloured(Palette::Elevation),
    L::measure("depth", "height units", "Depth of the water, 0 on land", Field::F32(|m| &m.depth))
        .coloured(Palette::Moisture),
    L::classes("terrain", "Terrain: what covers the ground", TERRAINS, Field::U8(|m| &m.terrain)),
];

/// Half the side of the smallest map around a place.
const LEAST_M: f64 = 20.0;

/// Half the side of the largest map around a place: a quarter of the way around the planet.
pub(super) fn most_m(radius_m: f64) -> f64 {
    (radius_m * FRAC_PI_2).floor()
}

/// The map around a place, from the catalogue of a planet: its seed, parameters and features.
pub(super) fn of_catalogue(
    catalogue: &Catalogue,
    centre: LatLon,
    half_m: f64,
    ctx: &Ctx,
) -> Result<Catalogue> {
    let p: PlanetParams = serde_json::from_value(catalogue.params.clone())
        .map_err(|e| Error::Invalid(format!("the parameters of the planet cannot be read: {e}")))?;
    let extent = Extent::around(centre, half_m, p.radius_m)?;
    let thing = |f: &Feature| {
        let number = |name: &str| f.property(name)?.as_f64();
        let kind = FEATURES.iter().find(|c| f.property("kind").is_some_and(|k| k == c.name))?.value as u8;
        let place = [number("x")?, number("y")?, number("z")?];
        Some(Thing { kind, face: sphere::face_of(place), place })
    };
    let set = catalogue.points.iter().find(|set| set.name == "features");
    let things: Vec<Thing> = set.map_or(&[][..], |s| &s.features).iter().filter_map(thing).collect();
    let seed = Seed(catalogue.seed);
    let ground = Arc::new(Ground::of(seed, &p).map_err(Error::Invalid)?);
    Ok(Local::new(&ground, extent, &things, ctx)?.into_catalogue(seed, &p))
}

/// How the catalogue of a map around a place is drawn.
pub fn style(catalogue: &Catalogue) -> Style {
    Style::Orienteering(super::style::contour_map(catalogue))
}
