//! Step 4: heights from uplift by the distance to the coast and from streams that carve the rising land, on a mesh.

use super::FALL_M;
use super::params::IslandParams;
use super::relief::Inland;
use weald_core::hydro::{Banks, Bed, RiverRule, cut_beds};
use weald_core::landscape::{self, Bends, Evolution, Lift, Line, Rising, Rock, Shaped, Station, Winding};
use weald_core::line::{Meander, Point};
use weald_core::mesh::Surface;
use weald_core::noise::gradient::{Fractal, NoiseShape, fractal_at};
use weald_core::{Ctx, Frame, Grid, Seed, math, par};

/// Bands of rows whose highest cells are sought at once.
const BANDS: usize = 64;

/// Cells for each square of the mesh, at least, and squares along the longer side, at least and at most.
const CELLS: usize = 2;
const SQUARES: (usize, usize) = (8, 1024);

/// Years of a step.
const YEARS: f64 = 20_000.0;

/// Diffusivity of soil creep in square metres a year, and the steepest slope that stands.
const CREEP: f64 = 0.005;
const SLOPE_LIMIT: f64 = 0.6;

/// Slope of an alluvial stream that drains 1 km², and the same as a share of the mean slope from coast to peak: the smaller counts.
const ALLUVIAL: (f64, f64) = (0.02, 0.4);

/// Uplift at the coast relative to that of the place farthest from it.
const COASTAL: f64 = 0.3;

/// Ranges of mountains: wavelength relative to that of the coast, and the weight of the noise.
const RANGES: (f64, f64) = (1.5, 0.7);

/// The root mean square of fractal noise, about.
const SPREAD: f64 = 0.2;

/// Squares of the mesh that drain through a node with a bed.
const BROOK_SQUARES: f64 = 40.0;

/// The gentlest fall of a bed.
const LEAST_SLOPE: f64 = 2e-5;

/// Rise of the beach from the coast: the ground is at least that steep as far as the mesh may not know the coast.
const BEACH: f32 = 0.01;

/// Most that the peak of a small island is raised so that it stands as high as its size asks for.
const MOST_RAISED: f64 = 2.0;

/// Meander strength at which rivers have the proportions of the rule.
const USUAL_STRENGTH: f64 = 0.3;

/// Width that a river has for its bends, in cells and at least; the slope from which on it does not swing, and the rise of the
/// banks, in widths, that it does not cut, both at the usual strength or less; above it they grow with the strength.
const MEANDERS: (f64, f64, f64) = (1.5, 0.08, 0.3);

/// What is shaped.
pub struct Site<'a> {
    /// Where the map lies.
    pub frame: Frame,
    /// 1 on land.
    pub land: &'a Grid<u8>,
    /// Distances from the coast.
    pub inland: &'a Inland,
    /// Chooses nodes, rock, ranges and bends.
    pub seed: Seed,
    /// The parameters.
    pub params: &'a IslandParams,
}

impl Site<'_> {
    /// Shapes the land, from a coarse mesh to fine ones: see [`Rising::shaped`].
    ///
    /// Uplift is U = u·(c + (1 − c)·smoothstep(t))·e^(r·n), where t runs from 0 at the coast to 1 at the place farthest from it,
    /// n is noise, and u gives the peak its height. The land begins as a low dome with noise.
    pub fn shaped(&self, ctx: &Ctx) -> weald_core::Result<Shaped> {
        let rising = Rising {
            frame: self.frame,
            squares: (self.frame.width.max(self.frame.height) / CELLS).clamp(SQUARES.0, SQUARES.1),
            seed: self.seed.of("nodes"),
            peak_m: self.params.elevation.peak_elevation,
            rule: self.rule(),
            lift: &|at| self.lift(at),
            start: &|at| self.start(at),
        };
        rising.shaped(ctx)
    }

    fn rule(&self) -> Evolution {
        let mean = self.params.elevation.peak_elevation / (self.inland.farthest() as f64 * self.frame.cell_m);
        Evolution {
            years: YEARS,
            slope_limit: SLOPE_LIMIT,
            creep_m2_per_year: CREEP,
            alluvial_slope: ALLUVIAL.0.min(ALLUVIAL.1 * mean),
            ..Evolution::default()
        }
    }

    /// The cell of a place; places on the border belong to the cell inside.
    fn cell(&self, (x, y): Point) -> usize {
        let index = |v: f64, n: usize| ((v / self.frame.cell_m) as usize).min(n - 1);
        index(y, self.frame.height) * self.frame.width + index(x, self.frame.width)
    }

    /// Noise with waves of so many cells.
    fn noise(&self, (x, y): Point, name: &str, waves: Fractal) -> f64 {
        let cell = self.frame.cell_m;
        fractal_at(x / cell, y / cell, self.seed.of(name), NoiseShape::Fbm, &waves) as f64 / SPREAD
    }

    /// Uplift and rock at a place; none in the sea.
    fn lift(&self, at: Point) -> Option<Lift> {
        let (e, shape) = (&self.params.elevation, &self.params.shape);
        let cell = self.cell(at);
        if self.land.cells()[cell] == 0 {
            return None;
        }
        // Its waves are in cells.
        let rock =
            Rock { seed: self.seed.of("rock"), variation: e.roughness, wavelength: 1.0 / e.roughness_scale };
        let ranges = Fractal {
            wavelength_m: RANGES.0 / shape.island_noise_scale,
            octaves: 3,
            persistence: 0.5,
            lacunarity: 2.0,
        };
        let rise = math::lerp(COASTAL, 1.0, math::smoothstep(self.inland.share(cell) as f64));
        let range = math::exp(RANGES.1 * self.noise(at, "ranges", ranges));
        let in_cells = (at.0 / self.frame.cell_m, at.1 / self.frame.cell_m);
        Some(Lift { uplift: (rise * range) as f32, erodibility: rock.erodibility_at(in_cells) })
    }

    /// A low dome with noise: rivers find their ways between its hills.
    fn start(&self, at: Point) -> f64 {
        let waves = 1.0 / self.params.shape.island_noise_scale;
        let hills = Fractal { wavelength_m: waves, octaves: 5, persistence: 0.6, lacunarity: 2.0 };
        let t = math::smoothstep(self.inland.share(self.cell(at)) as f64);
        0.2 * self.params.elevation.peak_elevation * (t + 0.15 * self.noise(at, "hills", hills)).max(0.0)
    }

    /// The shaped land on the cells of the map, 0 in the sea; the highest cell of the map, or of every island, has its height.
    /// At the coast the ground rises by at least 1 %, as far as two squares of the mesh. Reach: 6 squares.
    pub fn heights(&self, shaped: &mut Shaped, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
        let (w, h) = self.land.shape();
        self.fit(shaped, &self.island_tops(shaped));
        let mut height =
            Surface::new(&shaped.mesh, &shaped.land.height, ctx)?
                .raster_where(&self.frame, ctx, |i| self.land.cells()[i] != 0)?;
        let mut tops = vec![0f64; self.inland.islands()];
        let bands = h.min(BANDS);
        let of_bands = par::map(bands, ctx, |band| {
            let mut tops = vec![0f32; tops.len()];
            for cell in band * h / bands * w..(band + 1) * h / bands * w {
                let top = &mut tops[self.inland.island(cell)];
                *top = top.max(height.cells()[cell]);
            }
            tops
        })?;
        of_bands.iter().for_each(|band| tops.iter_mut().zip(band).for_each(|(t, &b)| *t = t.max(b as f64)));
        let scale: Vec<f32> = self.fit(shaped, &tops).iter().map(|&f| f as f32).collect();
        let far = 2.0 * shaped.mesh.lattice().spacing_m as f32;
        let (beach, cell) =
            (BEACH.min(self.params.elevation.peak_elevation as f32 / 100.0), self.frame.cell_m as f32);
        par::for_rows(height.rows_mut(), ctx, |y, row| {
            for (x, h) in row.iter_mut().enumerate() {
                let i = y * w + x;
                let island = self.inland.island(i);
                let least = FALL_M.max(beach * (self.inland.cells_from_coast(i) * cell).min(far));
                *h = if island == 0 { 0.0 } else { (*h * scale[island]).max(least) };
            }
        })?;
        Ok(height)
    }

    /// The highest node of every island.
    fn island_tops(&self, shaped: &Shaped) -> Vec<f64> {
        let mut tops = vec![0f64; self.inland.islands()];
        for (node, &h) in shaped.land.height.iter().enumerate() {
            let top = &mut tops[self.inland.island(self.cell(shaped.mesh.at(node)))];
            *top = top.max(h);
        }
        tops
    }

    /// Scales every island of the mesh so that `tops` become its peak, and returns the factors.
    fn fit(&self, shaped: &mut Shaped, tops: &[f64]) -> Vec<f64> {
        let highest = tops.iter().copied().fold(0.0, f64::max);
        let factor = |(k, &top): (usize, &f64)| match top > 0.0 && k > 0 {
            // The highest island always fits; an islet that the mesh hardly knows does not become a tower.
            true if top == highest => self.inland.peak(k) / top,
            true => (self.inland.peak(k) / top).min(MOST_RAISED),
            false => 1.0,
        };
        let scale: Vec<f64> = tops.iter().enumerate().map(factor).collect();
        for node in 0..shaped.mesh.len() {
            shaped.land.height[node] *= scale[self.inland.island(self.cell(shaped.mesh.at(node)))];
        }
        scale
    }

    /// The streams of the mesh as smooth lines, which meander.
    fn lines(&self, shaped: &Shaped, height: &Grid<f32>, rule: &RiverRule) -> Vec<Line> {
        let spacing = shaped.mesh.lattice().spacing_m;
        let courses = landscape::courses(&shaped.land, BROOK_SQUARES * spacing * spacing);
        let strength = self.params.rivers.river_meander_strength / USUAL_STRENGTH;
        let cell = self.frame.cell_m;
        let bends = Bends::default();
        let wind = Winding {
            seed: self.seed.of("bends"),
            bends: Bends {
                steepest: MEANDERS.1 * strength.max(1.0),
                bank: MEANDERS.2 * strength.max(1.0),
                widths: Meander { amplitude: strength * bends.widths.amplitude, ..bends.widths },
            },
            // Bends narrower than a few cells would be lost on the map.
            width: |area: f64| rule.width(rule.discharge_of(area)).max(MEANDERS.0 * cell),
            ground: |at: Point| height.bilinear(at.0 / cell - 0.5, at.1 / cell - 0.5),
        };
        landscape::lines(&shaped.mesh, &shaped.land, &courses, &wind)
    }

    /// Cuts the beds of all streams into the ground.
    ///
    /// Levels are those of [`landscape::levels`]. Reach: half a width of the river, and its banks.
    pub fn cut(&self, mut height: Grid<f32>, shaped: &Shaped, rule: &RiverRule) -> Grid<f32> {
        let lines = self.lines(shaped, &height, rule);
        let ground = |s: &Station| s.height_m.min(height.cells()[self.cell(s.at)].max(0.0) as f64);
        let levels = landscape::levels(&lines, LEAST_SLOPE, ground);
        let bed = |(s, &level): (&Station, &f64)| {
            let discharge = rule.discharge_of(s.area_m2);
            // Towards the sea the bed stays above it.
            let water = level.max(0.02);
            let depth_m = rule.depth(discharge).min(0.9 * water - 0.01);
            Bed { at: s.at, level_m: water, width_m: rule.width(discharge), depth_m }
        };
        let beds = |(line, levels): (&Line, &Vec<f64>)| line.points.iter().zip(levels).map(bed).collect();
        let all: Vec<Vec<Bed>> = lines.iter().zip(&levels).map(beds).collect();
        cut_beds(&mut height, &self.frame, &all, &Banks { sea_m: Some(0.0), ..Banks::default() });
        height
    }
}
