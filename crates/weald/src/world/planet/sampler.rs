//! The planet as a function of place, in latitude and longitude or in metres from its centre.

use super::classes::{FEATURES, NONE, TERRAINS, name};
use super::ground::Ground;
use super::sphere::{self, dot};
use crate::catalogue::{Axis, Column, Datum, Kind, Sampler};
use crate::error::{Error, Result};
use crate::world::runner::HEIGHT_UNITS_PER_M;
use std::any::Any;
use weald_core::{Ctx, par};

/// The columns of an answer.
const COLUMNS: &[Column] = &[
    Column {
        name: "height",
        unit: "height units",
        about: "Height of the ground, or of the water above it",
        kind: Kind::Measure,
    },
    Column {
        name: "depth",
        unit: "height units",
        about: "Depth of the water, 0 on land",
        kind: Kind::Measure,
    },
    Column {
        name: "terrain",
        unit: "",
        about: "Terrain: what covers the ground",
        kind: Kind::Classes(TERRAINS),
    },
    Column {
        name: "feature",
        unit: "",
        about: "Point feature at the nearest crossing of two rings of whole coordinates",
        kind: Kind::Classes(FEATURES),
    },
    Column {
        name: "version",
        unit: "",
        about: "Version of the feature, 0 to 3: which of several pictures of its kind shows it",
        kind: Kind::Measure,
    },
    Column {
        name: "height_m",
        unit: "m",
        about: "The same height in metres, four height units to a metre",
        kind: Kind::Measure,
    },
    Column { name: "depth_m", unit: "m", about: "The same depth in metres", kind: Kind::Measure },
];

/// Greatest coordinate of a place on a planet.
const REACH_M: f64 = 8001.0;

/// How far from the sphere a place in metres may lie.
const NEAR_M: f64 = 1.0;

const fn metres(name: &'static str, about: &'static str) -> Axis {
    Axis { name, about, range: (-REACH_M, REACH_M) }
}

/// Latitude and longitude, or metres from the centre.
const AXES: &[&[Axis]] = &[
    &[
        Axis { name: "lat", about: "degrees north", range: (-90.0, 90.0) },
        Axis { name: "lon", about: "degrees east", range: (-360.0, 360.0) },
    ],
    &[metres("x", "x"), metres("y", "y"), metres("z", "z")],
];

/// Places that one task answers.
const TASK: usize = 1024;

impl Sampler for Ground {
    fn columns(&self) -> &'static [Column] {
        COLUMNS
    }

    fn axes(&self) -> &'static [&'static [Axis]] {
        AXES
    }

    fn locate(&self, given: &[f64]) -> Result<[f64; 3]> {
        let radius = self.radius_m();
        let &[x, y, z] = given else { return Ok(sphere::place(given[0], given[1], radius)) };
        let far = dot([x, y, z], [x, y, z]).sqrt();
        if (far - radius).abs() > NEAR_M {
            let message = format!(
                "{x},{y},{z}: is {far:.1} m from the centre; places on this planet are {radius} m from it, or give \
                 latitude and longitude"
            );
            return Err(Error::Invalid(message));
        }
        Ok([x, y, z].map(|v| v / far * radius))
    }

    fn sample(&self, places: &[[f64; 3]], columns: &[usize], ctx: &Ctx) -> Result<Vec<Datum>> {
        let level = self.level();
        let tasks = par::map(places.len().div_ceil(TASK), ctx, |task| {
            let mut out = Vec::with_capacity(TASK * columns.len());
            for &place in &places[task * TASK..((task + 1) * TASK).min(places.len())] {
                let height = Ground::height(self, place);
                let found = self.crossing(place).map(|at| (self.stands(&at), at));
                let found = found.filter(|(kind, _)| *kind != NONE);
                out.extend(columns.iter().map(|&column| match column {
                    0 => Datum::Number(height.max(level)),
                    1 => Datum::Number((level - height).max(0.0)),
                    2 => Datum::Name(name(TERRAINS, self.kind(place, height))),
                    3 => Datum::Name(found.map_or("none", |(kind, _)| name(FEATURES, kind))),
                    4 => found.map_or(Datum::Missing, |(_, at)| Datum::Whole(self.version(&at).into())),
                    5 => Datum::Number(height.max(level) / HEIGHT_UNITS_PER_M),
                    _ => Datum::Number((level - height).max(0.0) / HEIGHT_UNITS_PER_M),
                }));
            }
            out
        })?;
        Ok(tasks.into_iter().flatten().collect())
    }

    fn height(&self, place: [f64; 3]) -> f64 {
        Ground::height(self, place)
    }

    fn ground(&self, place: [f64; 3], height: f64) -> u8 {
        self.kind(place, height)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
