//! What is at places of a world that is a function of place.

use crate::request::{Arrays, Request, read};
use crate::running::{How, run};
use numpy::{PyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyList;
use weald::catalogue::Datum;
use weald::core::Grid;

/// The answers of one column: numbers, with NaN for what is missing, or words.
enum Column {
    Numbers(Vec<f64>),
    Words(Vec<String>),
}

impl Column {
    /// The answers of the column `of` of rows of `wide` answers.
    fn of(answers: &[Datum], of: usize, wide: usize) -> Self {
        let column = || answers.iter().skip(of).step_by(wide);
        if column().any(|datum| matches!(datum, Datum::Name(_) | Datum::Letters(_))) {
            return Column::Words(column().map(Datum::to_string).collect());
        }
        let number = |datum: &Datum| match *datum {
            Datum::Number(v) => v,
            Datum::Whole(v) => v as f64,
            _ => f64::NAN,
        };
        Column::Numbers(column().map(number).collect())
    }
}

/// The columns of a world at places, one in each row: names, and an array or a list of words. `columns` chooses some of them.
#[pyfunction]
#[pyo3(signature = (request, points, columns, threads, progress))]
pub(crate) fn sample<'py>(
    py: Python<'py>,
    request: &str,
    points: PyReadonlyArray2<'py, f64>,
    columns: Option<Vec<String>>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<(&'static str, Bound<'py, PyAny>)>> {
    let [count, given] = [points.shape()[0], points.shape()[1]];
    let points = Grid::from_vec(given, count, points.as_slice()?.to_vec());
    let made = run(py, &How { threads, progress }, |watched| {
        let request: Request = read(request)?;
        let sampler = request.job(Arrays::new())?.place_sampler()?;
        let all = sampler.columns();
        let chosen = match &columns {
            None => (0..all.len()).collect(),
            Some(names) => sampler.numbers_of(&names.iter().map(String::as_str).collect::<Vec<_>>())?,
        };
        let places = (0..points.height()).map(|row| sampler.place(points.row(row)));
        let places = places.collect::<weald::Result<Vec<_>>>()?;
        let answers = sampler.sample(&places, &chosen, &watched.ctx())?;
        let column =
            |(k, &number): (usize, &usize)| (all[number].name, Column::of(&answers, k, chosen.len()));
        Ok(chosen.iter().enumerate().map(column).collect::<Vec<_>>())
    })?;
    let object = |(name, column): (&'static str, Column)| {
        let column = match column {
            Column::Numbers(values) => PyArray1::from_vec(py, values).into_any(),
            Column::Words(words) => PyList::new(py, words)?.into_any(),
        };
        Ok((name, column))
    };
    made.into_iter().map(object).collect()
}
