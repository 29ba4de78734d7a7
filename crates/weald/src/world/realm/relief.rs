//! Heights: uplift and streams on a mesh, and the ocean floor.

use super::biomes::{MOUNTAIN, WETLAND};
use super::land::Domain;
use super::params::RealmParams;
use super::template::Drawn;
use weald_core::landscape::{Evolution, Lift, Rising, Rock, Shaped};
use weald_core::line::Point;
use weald_core::mesh::Surface;
use weald_core::noise::gradient::{Fractal, NoiseShape, fractal_at};
use weald_core::{Ctx, Frame, Grid, Result, Seed, distance, math};

/// Tiles for each square of the mesh, and squares along the longer side, at least and at most.
const TILES: usize = 2;
const SQUARES: (usize, usize) = (24, 1024);

/// Diffusivity of soil creep in square metres a year for tiles of 1 km, and the steepest slope that stands.
const CREEP: f64 = 0.005;
const SLOPE_LIMIT: f64 = 0.6;

/// Distance from the coast from which on uplift is full, in tiles, and uplift at the coast relative to that.
const COAST: (f64, f64) = (36.0, 0.3);

/// Wavelength of ranges of mountains and of rock, in tiles.
const RANGE_TILES: f64 = 96.0;
const ROCK_TILES: f64 = 90.0;

/// The root mean square of fractal noise, about.
const SPREAD: f64 = 0.2;

/// Depth of the ocean at the coast and its fall with each tile, in metres; the width of the shelf in tiles, and the depth beyond it.
const FLOOR: (f64, f64, f64, f64) = (6.0, 5.0, 16.0, 2400.0);

/// Shaped land over the whole domain.
#[derive(Clone, Debug)]
pub struct Relief {
    /// The mesh with its drainage, in metres from the domain's north-west corner.
    pub shaped: Shaped,
    /// Height of every tile of the map, in metres: above 0 on land and below it in the ocean.
    pub height: Grid<f32>,
}

/// What is shaped.
struct Site<'a> {
    frame: Frame,
    land: &'a Grid<u8>,
    /// What a template draws, and where the map lies in the domain.
    drawn: Option<&'a Drawn>,
    first: (usize, usize),
    /// Squared distance from the ocean in tiles.
    inland: &'a Grid<u32>,
    seed: Seed,
    params: &'a RealmParams,
}

/// Shapes the land by uplift and streams, and adds the floor of the ocean.
///
/// Uplift is U = u·(c + (1 − c)·smoothstep(d/36))·e^(k·(2r − 1) + ½·n), with d the distance from the coast in tiles, r noise whose crests are ranges
/// of mountains, n other noise, and u so that the peak has its height: see [`Rising`]. A template raises its mountains and lowers the rest. Reach:
/// whole map.
pub fn relief(
    domain: &Domain,
    (land, drawn): (&Grid<u8>, Option<&Drawn>),
    seed: Seed,
    p: &RealmParams,
    ctx: &Ctx,
) -> Result<Relief> {
    let (w, h) = domain.size;
    let frame = Frame::new(w, h, p.map.cell_m);
    let inland = distance::euclidean(w, h, ctx, |i| land.cells()[i] == 0)?.squared;
    let site = Site { frame, land, drawn, first: domain.first, inland: &inland, seed, params: p };
    let shaped = site.shaped(ctx)?;
    let raster = Surface::new(&shaped.mesh, &shaped.land.height, ctx)?
        .raster_where(&frame, ctx, |i| land.cells()[i] != 0)?;
    let offshore = distance::euclidean(w, h, ctx, |i| land.cells()[i] == 1)?.squared;
    let floor = |(x, y): (usize, usize)| {
        let far = (offshore[(x, y)] as f64).sqrt().min((w + h) as f64);
        let waves = Fractal { wavelength_m: 30.0, octaves: 4, persistence: 0.5, lacunarity: 2.0 };
        let noise = fractal_at(x as f64, y as f64, seed.of("floor"), NoiseShape::Fbm, &waves) as f64 / SPREAD;
        let (depth, fall, shelf, deep) = FLOOR;
        let d = far * (1.0 + 0.12 * noise.clamp(-2.0, 2.0));
        let beyond = math::smoothstep(math::clamp01((d - 0.5 * shelf) / (2.0 * shelf)));
        -(depth + fall * d.min(shelf) + deep * beyond) as f32
    };
    let all = Grid::from_fn(w, h, |x, y| match land[(x, y)] {
        0 => floor((x, y)),
        _ => raster[(x, y)].max(1.0 + ((inland[(x, y)] as f32).sqrt() - 1.0).min(4.0)),
    });
    Ok(Relief { shaped, height: domain.crop(&all) })
}

impl Site<'_> {
    fn shaped(&self, ctx: &Ctx) -> Result<Shaped> {
        let squares = (self.frame.width.max(self.frame.height) / TILES).clamp(SQUARES.0, SQUARES.1);
        let scale = self.params.map.cell_m / 1000.0;
        let rising = Rising {
            frame: self.frame,
            squares,
            seed: self.seed.of("nodes"),
            peak_m: self.params.elevation.peak_m,
            rule: Evolution {
                years: 20_000.0,
                slope_limit: SLOPE_LIMIT,
                creep_m2_per_year: CREEP * scale * scale,
                alluvial_slope: 0.004,
                ..Evolution::default()
            },
            lift: &|at| self.lift(at),
            start: &|at| self.start(at),
        };
        rising.shaped(ctx)
    }

    /// A place in tiles, and its tile.
    fn tile(&self, (x, y): Point) -> (f64, f64, usize) {
        let (x, y) = (x / self.frame.cell_m, y / self.frame.cell_m);
        let index = |v: f64, n: usize| (v.max(0.0) as usize).min(n - 1);
        (x, y, index(y, self.frame.height) * self.frame.width + index(x, self.frame.width))
    }

    fn rise(&self, tile: usize) -> f64 {
        let far = (self.inland.cells()[tile] as f64).sqrt();
        math::smoothstep(math::clamp01(far / COAST.0))
    }

    fn lift(&self, at: Point) -> Option<Lift> {
        let (x, y, tile) = self.tile(at);
        if self.land.cells()[tile] == 0 {
            return None;
        }
        let e = &self.params.elevation;
        let waves = |wavelength_m: f64, octaves: u32| Fractal {
            wavelength_m,
            octaves,
            persistence: 0.5,
            lacunarity: 2.0,
        };
        let crest =
            fractal_at(x, y, self.seed.of("ranges"), NoiseShape::Ridged, &waves(RANGE_TILES, 3)) as f64;
        // Noise near 0 is a crest: the fourth power makes it narrow.
        let crest = crest * crest * crest * crest;
        let other = fractal_at(x, y, self.seed.of("hills"), NoiseShape::Fbm, &waves(48.0, 3)) as f64 / SPREAD;
        let range = math::exp(2.2 * e.ranges * (2.0 * crest - 1.0) + 0.5 * other);
        let rock = Rock { seed: self.seed.of("rock"), variation: e.roughness, wavelength: ROCK_TILES };
        let uplift = math::lerp(COAST.1, 1.0, self.rise(tile)) * range * self.drawn_lift(tile);
        Some(Lift { uplift: uplift as f32, erodibility: rock.erodibility_at((x, y)) })
    }

    /// Uplift as a template asks for: high under its mountains, low under its wetlands; 1 where it draws nothing.
    fn drawn_lift(&self, tile: usize) -> f64 {
        let (x, y) = (tile % self.frame.width, tile / self.frame.width);
        let place = (x.wrapping_sub(self.first.0), y.wrapping_sub(self.first.1));
        match self.drawn.and_then(|d| *d.get(place.0, place.1)?) {
            None => 1.0,
            Some(MOUNTAIN) => 4.0,
            Some(WETLAND) => 0.2,
            Some(_) => 0.4,
        }
    }

    /// Low hills: rivers find their ways between them.
    fn start(&self, at: Point) -> f64 {
        let (x, y, tile) = self.tile(at);
        let hills = Fractal { wavelength_m: 64.0, octaves: 5, persistence: 0.6, lacunarity: 2.0 };
        let noise = fractal_at(x, y, self.seed.of("start"), NoiseShape::Fbm, &hills) as f64 / SPREAD;
        0.1 * self.params.elevation.peak_m * (self.rise(tile) + 0.3 * noise).max(0.0)
    }
}
