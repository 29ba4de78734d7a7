//! sample: what is at places of a world that is a function of place.

use crate::args::{Point, Sample};
use crate::ask::job;
use crate::make::one_from_standard_input;
use crate::progress::{Bars, Progress};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use weald::catalogue::{Axis, Column, Datum, Sampler};
use weald::core::{Ctx, par};
use weald::job::read_text;
use weald::{Error, Result};

/// Places that are answered and printed at a time.
const BATCH: usize = 1 << 18;
/// Rows that one task writes as text.
const TASK: usize = 4096;

/// The places of a question and the axes they are given along.
struct Places {
    axes: &'static [Axis],
    /// As they were given.
    given: Vec<Point>,
    /// In the world's own coordinates.
    places: Vec<[f64; 3]>,
}

/// One row for each place: its coordinates, then the columns of the world.
pub(crate) fn run(args: &Sample, stop: &AtomicBool) -> Result<()> {
    let ask = &args.ask;
    let inputs = [&ask.recipe, &ask.params, &ask.placed, &args.points].map(|path| path.as_deref());
    one_from_standard_input(&inputs)?;
    let job = job(ask)?;
    let sampler = job.place_sampler()?;
    let columns = columns(args.columns.as_deref(), sampler.as_ref())?;
    let places = match &args.points {
        Some(file) => read_points(file, sampler.as_ref())?,
        None if args.at.is_empty() => {
            return Err(Error::Invalid("no place was given; use --at X,Y, or --points FILE.csv".into()));
        }
        None => given_places(&args.at, sampler.as_ref())?,
    };
    let progress = Progress::new(Bars::Off);
    let ctx = Ctx::new(&progress, stop);
    let format = Format { axes: places.axes, columns: &columns, all: sampler.columns(), json: args.ask.json };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut print = |text: &str| out.write_all(text.as_bytes()).map_err(|e| Error::io("standard output", e));
    print(&format.head())?;
    let mut separator = "";
    for (given, batch) in places.given.chunks(BATCH).zip(places.places.chunks(BATCH)) {
        let answers = sampler.sample(batch, &columns, &ctx)?;
        let texts = par::map(given.len().div_ceil(TASK), &ctx, |task| {
            let rows = task * TASK..((task + 1) * TASK).min(given.len());
            format.rows(&given[rows.clone()], &answers[rows.start * columns.len()..rows.end * columns.len()])
        })?;
        for text in &texts {
            print(separator)?;
            print(text)?;
            separator = format.separator();
        }
    }
    print(if separator.is_empty() && format.json { "]\n" } else { format.foot() })?;
    out.flush().map_err(|e| Error::io("standard output", e))
}

/// How answers are printed: a table in CSV, or an array of objects in JSON.
struct Format<'a> {
    axes: &'static [Axis],
    /// Numbers of the columns.
    columns: &'a [usize],
    all: &'static [Column],
    json: bool,
}

impl Format<'_> {
    fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        let columns = self.columns.iter().map(|&column| self.all[column].name);
        self.axes.iter().map(|axis| axis.name).chain(columns)
    }

    fn head(&self) -> String {
        if self.json { "[\n".into() } else { self.names().collect::<Vec<_>>().join(",") + "\n" }
    }

    fn separator(&self) -> &'static str {
        if self.json { ",\n" } else { "" }
    }

    fn foot(&self) -> &'static str {
        if self.json { "\n]\n" } else { "" }
    }

    /// The rows of some places, with a separator between each two; in CSV every row ends its line.
    fn rows(&self, given: &[Point], answers: &[Datum]) -> String {
        let mut out = String::with_capacity(given.len() * 80);
        for (row, (place, answer)) in given.iter().zip(answers.chunks(self.columns.len())).enumerate() {
            if row > 0 {
                out.push_str(self.separator());
            }
            if self.json {
                let values = place.iter().map(|v| json!(v)).chain(answer.iter().map(|&d| Value::from(d)));
                let record: Map<String, Value> = self.names().map(str::to_owned).zip(values).collect();
                let _ = write!(out, "{}", json!(record));
                continue;
            }
            for (i, v) in place.iter().enumerate() {
                let _ = write!(out, "{}{v:?}", if i > 0 { "," } else { "" });
            }
            for datum in answer {
                let _ = write!(out, ",{datum}");
            }
            out.push('\n');
        }
        out
    }
}

/// Numbers of the columns that were asked for, all of them by default.
fn columns(names: Option<&str>, sampler: &dyn Sampler) -> Result<Vec<usize>> {
    let Some(names) = names else { return Ok((0..sampler.columns().len()).collect()) };
    let names: Vec<&str> = names.split(',').map(str::trim).collect();
    sampler.numbers_of(&names).map_err(|e| Error::Invalid(format!("--columns {e}")))
}

/// Places of the command line.
fn given_places(given: &[Point], sampler: &dyn Sampler) -> Result<Places> {
    let wrong = |e: Error| Error::Invalid(format!("--at: {e}"));
    let places = given.iter().map(|p| sampler.place(p)).collect::<Result<_>>().map_err(wrong)?;
    let count = given[0].len();
    if given.iter().any(|p| p.len() != count) {
        return Err(Error::Invalid("--at: all places must have as many numbers as the first".into()));
    }
    let axes = sampler.axes().iter().find(|axes| axes.len() == count);
    Ok(Places { axes: axes.expect("the places were located"), given: given.to_vec(), places })
}

/// Places of a CSV file: the columns with the names of the axes, or the first ones if there is no header.
fn read_points(file: &Path, sampler: &dyn Sampler) -> Result<Places> {
    let text = read_text(file)?;
    let bad = |line: usize, message: &str| Error::Invalid(format!("{}:{line}: {message}", file.display()));
    let forms = sampler.axes();
    let mut found: Option<(&'static [Axis], Vec<usize>)> = None;
    let (mut given, mut places) = (Vec::new(), Vec::new());
    for (i, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let cells: Vec<&str> = line.split([',', ';', '\t']).map(|c| c.trim().trim_matches('"')).collect();
        if found.is_none() {
            found = forms.iter().find_map(|axes| named(axes, &cells));
            if found.is_some() {
                continue;
            }
            if cells[0].parse::<f64>().is_err() {
                let names = |axes: &&[Axis]| axes.iter().map(|a| a.name).collect::<Vec<_>>().join(" and ");
                let names = forms.iter().map(names).collect::<Vec<_>>().join(", or ");
                return Err(bad(i + 1, &format!("must name the columns {names}, or begin with numbers")));
            }
        }
        let (axes, columns) = found.get_or_insert_with(|| unnamed(forms, &cells));
        let number = |&column: &usize| cells.get(column).and_then(|c| c.parse::<f64>().ok());
        let point: Option<Point> = columns.iter().map(number).collect();
        let names = || axes.iter().map(|a| a.name).collect::<Vec<_>>().join(", ");
        let point = point
            .ok_or_else(|| bad(i + 1, &format!("a place must be {} numbers: {}", axes.len(), names())))?;
        places.push(sampler.place(&point).map_err(|e| bad(i + 1, &e.to_string()))?);
        given.push(point);
    }
    let axes = found.map_or(forms[0], |(axes, _)| axes);
    Ok(Places { axes, given, places })
}

/// The first columns of a table without a heading: the way to give a place that has as many coordinates as the row has numbers,
/// or else the usual one.
fn unnamed(forms: &'static [&'static [Axis]], row: &[&str]) -> (&'static [Axis], Vec<usize>) {
    let numbers = row.iter().take_while(|cell| cell.parse::<f64>().is_ok()).count();
    let axes = forms.iter().find(|axes| axes.len() == numbers).unwrap_or(&forms[0]);
    (axes, (0..axes.len()).collect())
}

/// The columns of a heading that have the names of some axes, if all of them are there.
fn named(axes: &'static [Axis], heading: &[&str]) -> Option<(&'static [Axis], Vec<usize>)> {
    let column = |axis: &Axis| heading.iter().position(|cell| cell.eq_ignore_ascii_case(axis.name));
    Some((axes, axes.iter().map(column).collect::<Option<Vec<usize>>>()?))
}
