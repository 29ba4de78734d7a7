//! Worlds that are functions of place: what is at a point, without a map.

use super::Kind;
use serde_json::Value;
use std::any::Any;

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

/// What is at a place: one value per column.
pub type Answer = Vec<Value>;

/// A world as a function of place. It is rebuilt from a recipe, so that it can be sampled without making a map.
///
/// ```
/// use weald::Job;
/// let sampler = Job::new("endless")?.sampler()?.expect("the endless world is a function of place");
/// let answer = sampler.sample([1266.0, -1000.0, 0.0]);
/// assert_eq!((sampler.columns()[0].name, &answer[0]), ("height", &412.125.into()));
/// # Ok::<(), weald::Error>(())
/// ```
pub trait Sampler: Send + Sync {
    /// The columns of an answer, in order.
    fn columns(&self) -> &'static [Column];

    /// The values at a place, one per column, in the world's own coordinates.
    fn sample(&self, place: [f64; 3]) -> Answer;

    /// How far from the origin places may lie along each axis, and how many coordinates count.
    fn bounds(&self) -> (f64, usize);

    /// The height of the ground at a place, under water too.
    fn height(&self, place: [f64; 3]) -> f64;

    /// The code of the ground at a place whose ground has this height.
    fn ground(&self, place: [f64; 3], height: f64) -> u8;

    /// The sampler itself, for the world that made it.
    fn as_any(&self) -> &dyn Any;
}
