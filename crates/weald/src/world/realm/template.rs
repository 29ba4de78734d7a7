//! A small grid of biomes drawn by hand.

use super::biomes;
use crate::catalogue::Rgb;
use crate::params::Problem;
use weald_core::noise::gradient::Fractal;
use weald_core::region::Displacement;
use weald_core::{Ctx, Grid, Result, Seed};

/// The letters of a template and their biomes; `.` leaves the biome to the climate.
pub const LETTERS: [(char, Option<u8>); 10] = [
    ('.', None),
    ('~', Some(biomes::OCEAN)),
    ('T', Some(biomes::TUNDRA)),
    ('B', Some(biomes::BOREAL)),
    ('F', Some(biomes::FOREST)),
    ('G', Some(biomes::GRASSLAND)),
    ('W', Some(biomes::WETLAND)),
    ('M', Some(biomes::MOUNTAIN)),
    ('D', Some(biomes::DESERT)),
    ('S', Some(biomes::SUBTROPICAL)),
];

/// The biome of every tile that a template draws, none where the climate decides.
pub type Drawn = Grid<Option<u8>>;

/// A template that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    rows: Vec<Vec<Option<u8>>>,
}

impl Template {
    /// Reads a template, one line for each row; none if the text is empty. Fails with a sentence that says what is wrong.
    pub fn parse(text: &str) -> std::result::Result<Option<Self>, String> {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
        let Some(first) = lines.first() else { return Ok(None) };
        let wide = first.chars().count();
        if !SIDES.contains(&wide) || !SIDES.contains(&lines.len()) {
            return Err(format!("a template has at most {0} rows of at most {0} letters", SIDES.end()));
        }
        let mut rows = Vec::new();
        for (y, line) in lines.iter().enumerate() {
            if line.chars().count() != wide {
                return Err(format!(
                    "row {} has {} letters and the first row {wide}; all rows must be equally long",
                    y + 1,
                    line.chars().count()
                ));
            }
            let cell = |c: char| LETTERS.iter().find(|l| l.0 == c.to_ascii_uppercase()).map(|l| l.1).ok_or(c);
            match line.chars().map(cell).collect::<std::result::Result<Vec<_>, char>>() {
                Ok(row) => rows.push(row),
                Err(c) => {
                    let known: Vec<String> = LETTERS.iter().map(|l| l.0.to_string()).collect();
                    return Err(format!("row {} holds {c:?}; the letters are {}", y + 1, known.join(" ")));
                }
            }
        }
        Ok(Some(Self { rows }))
    }

    /// The template stretched over a map.
    ///
    /// The cell of a tile is looked up at a place that noise shifts by up to 0.4 cells, so that cells do not look like squares. Reach: point.
    pub fn stretched(&self, (width, height): (usize, usize), seed: Seed, ctx: &Ctx) -> Result<Drawn> {
        let (rows, columns) = (self.rows.len(), self.rows[0].len());
        let (wide, high) = (width as f64 / columns as f64, height as f64 / rows as f64);
        let waves =
            Fractal { wavelength_m: 1.3 * wide.max(high), octaves: 4, persistence: 0.5, lacunarity: 2.0 };
        let shift = Displacement { most: 0.4, waves };
        let [dx, dy] = shift.fields((width, height), seed.of("template"), ctx)?;
        let cell = |v: usize, size: f64, by: f32, n: usize| {
            (((v as f64 + 0.5) / size + by as f64).max(0.0) as usize).min(n - 1)
        };
        Ok(Grid::from_fn(width, height, |x, y| {
            self.rows[cell(y, high, dy[(x, y)], rows)][cell(x, wide, dx[(x, y)], columns)]
        }))
    }
}

/// Sides that a template may have, in cells.
const SIDES: std::ops::RangeInclusive<usize> = 1..=256;

/// The text of a template that was drawn as a picture, one pixel for each cell, in the colours of the biomes. A colour counts as the biome whose
/// colour is nearest; white leaves the biome to the climate.
pub fn from_picture(picture: &Grid<Rgb>) -> std::result::Result<String, String> {
    let (w, h) = picture.shape();
    if !SIDES.contains(&w) || !SIDES.contains(&h) {
        return Err(format!(
            "the picture has {w}x{h} pixels; a template has one pixel for each cell, at most {}",
            SIDES.end()
        ));
    }
    let far = |a: Rgb, b: Rgb| (0..3).map(|k| (a[k] as i32 - b[k] as i32).pow(2)).sum::<i32>();
    let colour =
        |letter: &(char, Option<u8>)| letter.1.map_or([255; 3], |b| biomes::BIOMES[b as usize].colour);
    let letter =
        |&pixel: &Rgb| LETTERS.iter().min_by_key(|l| far(pixel, colour(l))).expect("there are letters").0;
    Ok((0..h).map(|y| picture.row(y).iter().map(letter).collect::<String>()).collect::<Vec<_>>().join("\n"))
}

/// What is wrong with the text of a template.
pub fn problems(text: &str) -> Vec<Problem> {
    match Template::parse(text) {
        Ok(_) => Vec::new(),
        Err(what) => vec![Problem::new("biomes.template", text, what)],
    }
}
