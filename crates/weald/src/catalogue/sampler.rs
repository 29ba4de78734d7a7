//! Worlds that are functions of place: what is at a point, without a map.

use super::{Catalogue, Kind};
use crate::error::{Error, Result};
use serde_json::Value;
use std::any::Any;
use std::fmt;
use weald_core::Ctx;

/// One column of the answer about a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// In snake_case.
    pub name: &'static str,
    /// Unit of the values, `""` if they have none.
    pub unit: &'static str,
    /// What it is, in one sentence.
    pub about: &'static str,
    /// How to read the values; classes are answered by name.
    pub kind: Kind,
}

/// One coordinate of a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// In snake_case, as in the heading of a table of places.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// The least and the greatest value.
    pub range: (f64, f64),
}

/// One value of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Datum {
    /// A measure.
    Number(f64),
    /// A whole number.
    Whole(i64),
    /// The name of a class.
    Name(&'static str),
    /// Two letters.
    Letters([u8; 2]),
    /// There is no such value at this place.
    Missing,
}

/// As in a table: a missing value is empty.
impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Datum::Number(v) => write!(f, "{v:?}"),
            Datum::Whole(v) => write!(f, "{v}"),
            Datum::Name(name) => f.write_str(name),
            Datum::Letters(letters) => f.write_str(std::str::from_utf8(letters).unwrap_or("")),
            Datum::Missing => Ok(()),
        }
    }
}

/// As in JSON: a missing value is `null`, missing letters are `""`.
impl From<Datum> for Value {
    fn from(datum: Datum) -> Self {
        match datum {
            Datum::Number(v) => v.into(),
            Datum::Whole(v) => v.into(),
            Datum::Name(name) => name.into(),
            Datum::Letters(letters) => std::str::from_utf8(&letters).unwrap_or("").into(),
            Datum::Missing => Value::Null,
        }
    }
}

/// A rectangle of places at equal distances, at any scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lattice {
    /// Metres east of the first column.
    pub west: i64,
    /// Metres north of the first row.
    pub north: i64,
    /// Metres from one place to the next.
    pub step: u32,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

/// A world as a function of place. It is rebuilt from a recipe, so that it can be sampled without making a map.
///
/// ```
/// use weald::Job;
/// use weald::catalogue::Datum;
/// let sampler = Job::new("endless")?.sampler()?.expect("the endless world is a function of place");
/// let place = sampler.place(&[1266.0, -1000.0])?;
/// let answer = sampler.at(place)?;
/// assert_eq!((sampler.columns()[0].name, answer[0]), ("height", Datum::Number(412.125)));
/// # Ok::<(), weald::Error>(())
/// ```
pub trait Sampler: Send + Sync {
    /// The columns of an answer, in order.
    fn columns(&self) -> &'static [Column];

    /// The ways to give a place, the usual one first. No two have the same number of coordinates.
    fn axes(&self) -> &'static [&'static [Axis]];

    /// The place with the given coordinates, of which there are as many as one of [`Sampler::axes`] has, each in its range.
    fn locate(&self, given: &[f64]) -> Result<[f64; 3]>;

    /// The values of some columns, given by their numbers, at many places: all of the first place, then all of the second.
    fn sample(&self, places: &[[f64; 3]], columns: &[usize], ctx: &Ctx) -> Result<Vec<Datum>>;

    /// The height of the ground at a place, under water too.
    fn height(&self, place: [f64; 3]) -> f64;

    /// The code of the ground at a place whose ground has this height.
    fn ground(&self, place: [f64; 3], height: f64) -> u8;

    /// A part of a world without edges, for maps and views that are made piece by piece: the catalogue of what is seen at that scale.
    /// Single things and lines are in it only at a step of 1 m. `None` for a world that has edges.
    fn tile(&self, _at: &Lattice, _ctx: &Ctx) -> Result<Option<Catalogue>> {
        Ok(None)
    }

    /// The sampler itself, for the world that made it.
    fn as_any(&self) -> &dyn Any;

    /// The place with the given coordinates. Fails if their number or one of them is wrong, and says what is right.
    fn place(&self, given: &[f64]) -> Result<[f64; 3]> {
        let inside = |axes: &[Axis]| {
            axes.len() == given.len()
                && axes.iter().zip(given).all(|(axis, v)| (axis.range.0..=axis.range.1).contains(v))
        };
        if self.axes().iter().any(|axes| inside(axes)) {
            return self.locate(given);
        }
        let form = |axes: &&[Axis]| {
            let axis = |a: &Axis| format!("{} between {} and {}", a.about, a.range.0, a.range.1);
            format!("{} numbers: {}", axes.len(), axes.iter().map(axis).collect::<Vec<_>>().join(", "))
        };
        let forms: Vec<String> = self.axes().iter().map(form).collect();
        Err(Error::Invalid(format!("a place must be {}", forms.join("; or "))))
    }

    /// The numbers of the columns with these names. Fails for a name that is none of them.
    fn numbers_of(&self, names: &[&str]) -> Result<Vec<usize>> {
        let number = |name: &&str| {
            self.columns().iter().position(|c| c.name == *name).ok_or_else(|| {
                let known: Vec<&str> = self.columns().iter().map(|c| c.name).collect();
                Error::Invalid(format!("{name}: there is no such column; use {}", known.join(", ")))
            })
        };
        names.iter().map(number).collect()
    }

    /// The values of all columns at one place.
    fn at(&self, place: [f64; 3]) -> Result<Vec<Datum>> {
        let all: Vec<usize> = (0..self.columns().len()).collect();
        self.sample(&[place], &all, &Ctx::default())
    }
}
