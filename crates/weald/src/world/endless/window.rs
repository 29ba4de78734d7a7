//! Windows: many whole places at once.
//!
//! The numbers are those of [`Endless::terra`], bit for bit. Heights of whole places are multiples of 1/128, or of
//! 1/16384 at times between ticks, so comparisons are between whole numbers, and rows come from
//! [`weald_core::waves::HeightRows`] and [`weald_core::waves::Rows`].

use super::kinds::{Feature, Terrain};
use super::place::{Endless, PATH_SHIFT, PATH_TOLERANCE, Tables};
use super::placed::Place;
use crate::error::{Error, Result};
use crate::world::relf;
use weald_core::{Ctx, Grid, par};

/// Places worked on at a time, in buffers that stay in the nearest cache.
const CHUNK: usize = 1024;

/// A rectangle of whole places. Column c and row r is the place (west + c, north − r).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// x of the first column.
    pub west: i64,
    /// y of the first row.
    pub north: i64,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl Window {
    /// The same window, wider by `margin` metres on every side.
    pub fn grown(&self, margin: i64) -> Self {
        let more = 2 * margin as usize;
        Self {
            west: self.west - margin,
            north: self.north + margin,
            width: self.width + more,
            height: self.height + more,
        }
    }

    /// The place of a cell.
    #[inline]
    pub fn place(&self, column: usize, row: usize) -> Place {
        (self.west + column as i64, self.north - row as i64)
    }

    /// The cell of a place, if it is within.
    #[inline]
    pub fn cell(&self, (x, y): Place) -> Option<(usize, usize)> {
        let (column, row) = (x - self.west, self.north - y);
        let inside = column >= 0 && row >= 0 && column < self.width as i64 && row < self.height as i64;
        inside.then_some((column as usize, row as usize))
    }

    /// [west, east, south, north], all within.
    pub(super) fn bounds(&self) -> [i64; 4] {
        [self.west, self.west + self.width as i64 - 1, self.north - self.height as i64 + 1, self.north]
    }

    /// An error unless every place is where the world is defined.
    pub fn validate(&self) -> Result<()> {
        let reach = super::params::REACH_M;
        let [west, east, south, north] = self.bounds();
        if self.width == 0 || self.height == 0 {
            return Err(Error::Invalid(format!(
                "size = {}x{}: must be at least 1x1",
                self.width, self.height
            )));
        }
        if west < -reach || east > reach || south < -reach || north > reach {
            return Err(Error::Invalid(format!(
                "the window from {west},{south} to {east},{north} leaves the world, which ends at ±{reach}; move --at \
                 or make the window smaller"
            )));
        }
        Ok(())
    }
}

/// What [`Endless::terra`] answers for every place of a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// Height of the ground, or of the water.
    pub height: Grid<f32>,
    /// Depth of the water.
    pub depth: Grid<f32>,
    /// Codes of [`Terrain`].
    pub terrain: Grid<u8>,
    /// Codes of [`Feature`].
    pub feature: Grid<u8>,
}

/// Comparisons of heights in whole parts.
struct Levels {
    /// Parts of a unit of height.
    parts: f64,
    /// Below it is water.
    lake: u32,
    /// Height up to which there is no path.
    above: i64,
    /// Below it is mud.
    mud: u32,
}

impl Endless {
    /// Heights of the ground, without water. Reach: point. Cost: about five loads and additions per place.
    pub fn heights(&self, window: &Window, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
        let mut out = Grid::filled(window.width, window.height, 0.0);
        self.heights_into(window, &mut out, ctx)?;
        Ok(out)
    }

    /// [`Endless::heights`] into a grid of the size of the window, for callers that ask often.
    pub fn heights_into(&self, window: &Window, out: &mut Grid<f32>, ctx: &Ctx) -> weald_core::Result<()> {
        assert_eq!(
            (out.width(), out.height()),
            (window.width, window.height),
            "the grid has the window's size"
        );
        self.ground_rows(window, [1, 0, 0], out, ctx)
    }

    /// Heights at scale·x + east, scale·y + north for the places (x, y) of a window.
    pub(super) fn ground_rows(
        &self,
        window: &Window,
        [scale, east, north]: [i64; 3],
        out: &mut Grid<f32>,
        ctx: &Ctx,
    ) -> weald_core::Result<()> {
        let tables = self.tables();
        let unit = 1.0 / tables.ground.parts() as f32;
        par::for_rows(
            out.rows_mut(),
            ctx,
            #[inline(always)]
            |r, row: &mut [f32]| {
                let (mut x, y) = window.place(0, r);
                let mut sums = [0u32; CHUNK];
                let y = scale * y + north;
                for out in row.chunks_mut(CHUNK / scale as usize) {
                    let sums = &mut sums[..(out.len() - 1) * scale as usize + 1];
                    tables.ground.fill([scale * x + east, y], sums);
                    for (height, &sum) in out.iter_mut().zip(sums.iter().step_by(scale as usize)) {
                        *height = sum as i32 as f32 * unit;
                    }
                    x += out.len() as i64;
                }
            },
        )
    }

    /// What [`Endless::terra`] answers for every place. Reach: point.
    pub fn survey(&self, window: &Window, ctx: &Ctx) -> weald_core::Result<Survey> {
        let (w, h) = (window.width, window.height);
        let mut survey = Survey {
            height: Grid::filled(w, h, 0.0),
            depth: Grid::filled(w, h, 0.0),
            terrain: Grid::filled(w, h, 0),
            feature: Grid::filled(w, h, 0),
        };
        self.survey_into(window, &mut survey, ctx)?;
        Ok(survey)
    }

    /// [`Endless::survey`] into grids of the size of the window, for callers that ask often.
    pub fn survey_into(&self, window: &Window, survey: &mut Survey, ctx: &Ctx) -> weald_core::Result<()> {
        let of = |width, height| (width, height) == (window.width, window.height);
        let whole = of(survey.height.width(), survey.height.height())
            && of(survey.depth.width(), survey.depth.height())
            && of(survey.terrain.width(), survey.terrain.height())
            && of(survey.feature.width(), survey.feature.height());
        assert!(whole, "the grids have the window's size");
        let (tables, lake) = (self.tables(), self.params.lake_level);
        let parts = tables.ground.parts() as f64;
        let levels = Levels {
            parts,
            lake: if self.params.bleak { 0 } else { (lake * parts).ceil() as u32 },
            above: (lake * parts).floor() as i64,
            mud: (relf::LAKE_HEIGHT * parts) as u32,
        };
        let Survey { height, depth, terrain, feature } = survey;
        par::for_rows(
            ((height.rows_mut(), depth.rows_mut()), (terrain.rows_mut(), feature.rows_mut())),
            ctx,
            #[inline(always)]
            |r, ((heights, depths), (terrains, features))| {
                let (west, north) = window.place(0, r);
                let mut sums = [0u32; CHUNK];
                for (k, heights) in heights.chunks_mut(CHUNK).enumerate() {
                    let (first, n) = (k * CHUNK, heights.len());
                    let at = (west + first as i64, north);
                    let sums = &mut sums[..n];
                    tables.ground.fill([at.0, at.1], sums);
                    let terrains = &mut terrains[first..first + n];
                    self.terrain_row(tables, &levels, at, sums, terrains);
                    level_row(&levels, lake, sums, heights, &mut depths[first..first + n]);
                    self.feature_row(tables, at, terrains, &mut features[first..first + n]);
                }
            },
        )?;
        self.overlay(window, survey);
        Ok(())
    }

    /// Terrain of a row from its heights in parts.
    #[inline(always)]
    fn terrain_row(&self, tables: &Tables, levels: &Levels, (x, y): Place, sums: &[u32], out: &mut [u8]) {
        let p = &self.params;
        let n = sums.len();
        if p.bleak {
            out.fill(Terrain::Z as u8);
            return;
        }
        if p.wood_only {
            out.fill(Terrain::Wood as u8);
        } else {
            let (mut town, mut wood, mut rough) = ([0u32; CHUNK], [0u32; CHUNK], [0u32; CHUNK]);
            let (town, wood, rough) = (&mut town[..n], &mut wood[..n], &mut rough[..n]);
            tables.town.fill([x, y, 0], town);
            tables.wood.fill([x, y, 0], wood);
            tables.rough.fill([x, y, 0], rough);
            for (((out, &town), &wood), &rough) in out.iter_mut().zip(&*town).zip(&*wood).zip(&*rough) {
                *out = relf::cover(town, wood, rough);
            }
        }
        for (out, &sum) in out.iter_mut().zip(sums) {
            let dry = if sum < levels.mud { Terrain::Mud as u8 } else { *out };
            *out = if sum < levels.lake { Terrain::Lake as u8 } else { dry };
        }
        if p.paths {
            let mut there = [0u32; CHUNK];
            let there = &mut there[..n];
            tables.ground.fill([x + PATH_SHIFT.0, y + PATH_SHIFT.1], there);
            let tolerance = (PATH_TOLERANCE * levels.parts) as i64;
            for ((out, &sum), &there) in out.iter_mut().zip(sums).zip(&*there) {
                let level = (sum as i64 - there as i64).abs() < tolerance;
                *out = if level && sum as i64 > levels.above { Terrain::Path as u8 } else { *out };
            }
        }
    }

    /// Features of a row, where the terrain allows them.
    #[inline(always)]
    fn feature_row(&self, tables: &Tables, (x, y): Place, terrains: &[u8], out: &mut [u8]) {
        out.fill(0);
        self.candidates(tables, (x, y), out);
        for_marks(out, |i, mark| {
            let bears = [Terrain::Grass, Terrain::Moor, Terrain::Wood, Terrain::Thicket];
            let feature = match bears.iter().any(|&t| t as u8 == terrains[i]) {
                true => self.fixed_feature(x + i as i64, y),
                false => Feature::None,
            };
            *mark = feature as u8;
        });
    }

    /// Marks the places of a row where the first bits of [`Endless::fixed_feature`] are right: about three in 4096.
    ///
    /// Only the low 19 bits of a·x·y + 64 matter to f while the product is exact as a 64-bit float, so 32-bit products that
    /// wrap around serve. Further out the arithmetic is that of [`Endless::fixed_feature`].
    #[inline(always)]
    fn candidates(&self, tables: &Tables, (x, y): Place, marks: &mut [u8]) {
        let Some(finds) = &tables.finds else {
            let features = self.seed.of("features");
            for (i, mark) in marks.iter_mut().enumerate() {
                let hash = features.at(x + i as i64, y);
                *mark = u8::from(relf::may_be_feature(hash as u32 & 0xfff));
            }
            return;
        };
        let mut sums = [0u32; CHUNK];
        let sums = &mut sums[..marks.len()];
        finds.fill([x, y, 0], sums);
        let largest = x.abs().max((x + marks.len() as i64).abs()) as f64 * y.abs() as f64 * 690.0;
        let near = largest < (1u64 << 53) as f64;
        if near {
            for (i, (mark, &a)) in marks.iter_mut().zip(sums.iter()).enumerate() {
                let product = (x as u32).wrapping_add(i as u32).wrapping_mul(y as u32);
                let bits = a.wrapping_mul(product).wrapping_add(64) >> 7 & 0xfff;
                *mark = u8::from(relf::may_be_feature(bits));
            }
        } else {
            for (i, (mark, &a)) in marks.iter_mut().zip(sums.iter()).enumerate() {
                let bits = relf::feature_bits(a as i64, (x + i as i64).wrapping_mul(y));
                *mark = u8::from(relf::may_be_feature(bits));
            }
        }
    }

    /// Queries every place again on which something was placed.
    fn overlay(&self, window: &Window, survey: &mut Survey) {
        let things = self.placed.things().map(|(place, _)| place);
        for place in things.chain(self.placed.road_places(window.bounds())) {
            let Some(cell) = window.cell(place) else { continue };
            let terra = self.terra(place.0 as f64, place.1 as f64);
            survey.height[cell] = terra.height as f32;
            survey.depth[cell] = terra.depth as f32;
            survey.terrain[cell] = terra.terrain as u8;
            survey.feature[cell] = terra.feature as u8;
        }
    }

    /// Places with a feature that `wanted` accepts, in row-major order. Reach: point.
    pub fn find(
        &self,
        window: &Window,
        wanted: impl Fn(Feature) -> bool + Sync,
        ctx: &Ctx,
    ) -> weald_core::Result<Vec<(Place, Feature)>> {
        let tables = self.tables();
        let rows = par::map(window.height.div_ceil(ROWS), ctx, |block| {
            let mut found = Vec::new();
            let mut marks = [0u8; CHUNK];
            for r in block * ROWS..((block + 1) * ROWS).min(window.height) {
                let (west, y) = window.place(0, r);
                for first in (0..window.width).step_by(CHUNK) {
                    let marks = &mut marks[..CHUNK.min(window.width - first)];
                    let x = west + first as i64;
                    marks.fill(0);
                    par::widest_simd(
                        #[inline(always)]
                        || self.candidates(tables, (x, y), marks),
                    );
                    for_marks(marks, |i, _| {
                        let place = (x + i as i64, y);
                        if wanted(self.fixed_feature(place.0, place.1)) {
                            found.push(place);
                        }
                    });
                }
            }
            found
        })?;
        let placed = self.placed.things().filter(|(place, _)| window.cell(*place).is_some()).map(|(p, _)| p);
        let mut places: Vec<Place> = rows.into_iter().flatten().chain(placed).collect();
        places.sort_unstable_by_key(|&(x, y)| (-y, x));
        places.dedup();
        let stands = |place: Place| (place, self.terra(place.0 as f64, place.1 as f64).feature);
        Ok(places.into_iter().map(stands).filter(|&(_, f)| f != Feature::None && wanted(f)).collect())
    }
}

/// Rows that one task searches.
const ROWS: usize = 16;

/// Height and depth of a row from its heights in parts.
#[inline(always)]
fn level_row(levels: &Levels, lake: f64, sums: &[u32], heights: &mut [f32], depths: &mut [f32]) {
    let unit = 1.0 / levels.parts;
    for ((height, depth), &sum) in heights.iter_mut().zip(depths).zip(sums) {
        let ground = sum as i32 as f64 * unit;
        let wet = sum < levels.lake;
        *height = if wet { lake } else { ground } as f32;
        *depth = if wet { lake - ground } else { 0.0 } as f32;
    }
}

/// Calls `visit` for every byte that is not 0.
#[inline(always)]
fn for_marks(marks: &mut [u8], mut visit: impl FnMut(usize, &mut u8)) {
    for (k, chunk) in marks.chunks_mut(64).enumerate() {
        if chunk.iter().fold(0, |all, mark| all | mark) != 0 {
            for (i, mark) in chunk.iter_mut().enumerate() {
                if *mark != 0 {
                    visit(k * 64 + i, mark);
                }
            }
        }
    }
}
