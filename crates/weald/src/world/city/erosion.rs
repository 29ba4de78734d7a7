//! Erosion: land that uplift and streams shape on a mesh, droplets and river beds on the cells of the map (§3), and the goal.

use super::coast::{BEACH_M, Coast, Sea};
use super::land::{self, NoiseLand};
use super::params::{CityParams, Inflow, Side};
use super::shape::{Shaped, Shaping, Source};
use super::worldmap::{self, Rim, Seam};
use super::{BUILDABLE, ROUGHEST, is_sea};
use crate::error::{Error, Result};
use std::sync::Arc;
use weald_core::erosion::land::{HIGHEST_M, in_metres, metres, steps};
use weald_core::erosion::{Droplets, Land, despike, droplet};
use weald_core::hydro::{Banks, Bed, RiverRule, cut_beds};
use weald_core::landscape::{self, Bends, Landscape, Line, Station, Winding};
use weald_core::mesh::{Mesh, Surface};
use weald_core::{Ctx, Frame, Grid, Seed, blur, dir8, par, slope, stats};

/// How close to the goal the share of buildable ground is.
const PROMISE: f64 = 0.01;

/// How close to the goal the search stops.
const CLOSE: f64 = 0.002;

/// The least and the greatest factor by which the relief of shaped land is corrected; beyond it the land is shaped anew.
const CORRECTION: (f64, f64) = (0.6, 1.6);

/// Cells of a map up to which the share of buildable ground is that of the finished land while the relief is sought. On larger
/// maps the cells within river beds are taken for those under water, and spikes are left, which moves the share by about 0.001.
const EXACT: usize = 512 * 512;

/// Reliefs that are tried on shaped land.
const TURNS: usize = 5;

/// The least and the greatest uplift that is tried, in metres a year.
const UPLIFTS: (f64, f64) = (2e-5, 2e-2);

/// Relief on half the nodes along a side relative to that on all of them, at the same share of buildable ground, about.
const FINER: f64 = 0.58;

/// Streams that drain at least this get a bed, in square metres and in squares of the mesh; they are rivers from
/// `water.river_area_km2` on.
const BROOK: (f64, f64) = (5e4, 16.0);

/// A river has at most this many vertices on a stretch as long as it is wide: more would be cut again and again.
const THINNED: f64 = 4.0;

/// Height of the border cells beside an inlet above it, in metres.
const SILL_M: f32 = 0.05;

/// The gentlest fall of a river.
const LEAST_SLOPE: f64 = 2e-5;

/// By how much a cell may lie above or below all its neighbours, as part of its side: a little less than the rule allows, since
/// heights are rounded afterwards.
const SMOOTH: f64 = 0.99 * ROUGHEST;

/// Cells from the border within which a river only touches the map.
const TOUCHES: usize = 8;

/// Cells from which on a map gets all droplets; smaller maps get proportionally fewer.
const CELLS: usize = 1024 * 1024;

/// The eroded land.
#[derive(Clone, Debug)]
pub struct Eroded {
    /// Heights in metres above the sea.
    pub height: Grid<f32>,
    /// Uplift of each cell, in metres.
    pub uplift: Grid<f32>,
    /// What was eroded from each cell, in metres.
    pub eroded: Grid<f32>,
    /// What was deposited on it, in metres.
    pub deposited: Grid<f32>,
    /// The volumes of the three, and what left the map.
    pub mass_balance: MassBalance,
    /// Uplift of mountains, in millimetres a year; 0 for land that was not shaped.
    pub uplift_mm: f64,
    /// Where rivers enter the map.
    pub inlets: Vec<Inlet>,
    /// The region around.
    pub around: Option<Around>,
    /// The pixels of a world map just outside the map, if it can have one.
    pub rim: Option<Rim>,
}

/// A place where a river enters the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Inlet {
    /// The first cell inside the border.
    pub cell: u32,
    /// Area that drains to it from outside, in square metres.
    pub area_m2: f64,
    /// Where the river, or those that joined it outside, left the map before: the last cell inside the border, and the area.
    pub left: Vec<(u32, f64)>,
}

/// The region around the map.
#[derive(Clone, Debug)]
pub struct Around {
    /// Its nodes.
    pub mesh: Arc<Mesh>,
    /// Their heights above the sea, in metres.
    pub height: Arc<Vec<f64>>,
    /// The factor by which the shaped land was multiplied to meet the goal.
    pub relief: f64,
}

/// Volumes in cubic metres: eroded = deposited + exported.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MassBalance {
    /// Volume lifted up.
    pub uplift_m3: f64,
    /// Volume eroded.
    pub eroded_m3: f64,
    /// Volume deposited.
    pub deposited_m3: f64,
    /// Volume that left the map.
    pub exported_m3: f64,
}

/// What erosion works on.
pub(super) struct Erosion<'a> {
    pub(super) frame: &'a Frame,
    pub(super) land: &'a land::Land,
    pub(super) noise_land: Option<&'a NoiseLand>,
    pub(super) coast: Option<&'a Coast>,
    /// The sea on the cells of the map, if there is a coast.
    pub(super) sea: Option<&'a Sea>,
    pub(super) seed: Seed,
    pub(super) params: &'a CityParams,
}

impl Erosion<'_> {
    /// Erodes the land: shapes it on a mesh, lets droplets run, cuts river beds, and finds the relief that meets the goal. Reach:
    /// whole map and the region around it.
    pub(super) fn run(&self, ctx: &Ctx) -> Result<Eroded> {
        let (e, goal) = (&self.params.erosion, self.params.goal.buildable_share);
        if e.age == 0.0 {
            return self.unshaped(ctx);
        }
        let mut uplift = e.uplift_mm / 1000.0;
        if goal > 0.0 {
            uplift = ctx.stage("first look", |c| self.first_look(goal, uplift, c))?;
        }
        for attempt in 0.. {
            let shaped = ctx.stage("uplift and streams", |c| self.shaping(uplift, 0).run(c))?;
            let (surface, raster) = ctx.stage("surface", |c| {
                let surface = Surface::new(&shaped.mesh, &shaped.land.height, &c.quiet())?;
                let raster = Raster::new(self, &shaped, &surface, c)?;
                Ok::<_, Error>((surface, raster))
            })?;
            let worn = ctx.stage("droplets", |c| self.droplets(&raster.height, c))?;
            let lines = ctx.stage("river lines", |_| Ok::<_, Error>(self.lines(&shaped, &surface)))?;
            let inlets = self.inlets(&lines);
            let scene = Scene { erosion: self, raster: &raster, worn: &worn, lines: &lines, inlets: &inlets };
            let (carved, found) = ctx.stage("relief and river beds", |c| scene.relief(goal, c))?;
            let near = (found - goal).abs() <= if self.exact() { PROMISE } else { PROMISE - CLOSE };
            if goal == 0.0 || (CORRECTION.0..=CORRECTION.1).contains(&carved.relief) && near || attempt == 2 {
                if goal > 0.0 && !near {
                    return Err(unmet(self.params, found));
                }
                return ctx.stage("mass balance", |c| scene.finish(carved, shaped.region, uplift, c));
            }
            uplift = (uplift * carved.relief).clamp(UPLIFTS.0, UPLIFTS.1);
        }
        unreachable!("the loop returns")
    }

    /// Whether the share of buildable ground is that of the finished land while the relief is sought.
    fn exact(&self) -> bool {
        self.frame.cells() <= EXACT
    }

    fn shaping(&self, uplift: f64, halvings: u32) -> Shaping<'_> {
        let source = match self.noise_land {
            Some(noise) => Source::Noise(noise, self.coast),
            None => Source::Authored(&self.land.height, &self.land.zones),
        };
        Shaping { frame: self.frame, source, seed: self.seed, params: self.params, uplift, halvings }
    }

    /// The uplift that about meets the goal, on a quarter of the nodes.
    fn first_look(&self, goal: f64, mut uplift: f64, ctx: &Ctx) -> Result<f64> {
        let ctx = &ctx.quiet();
        for _ in 0..2 {
            let shaped = self.shaping(uplift, 1).run(ctx)?;
            let step = (self.frame.width.max(self.frame.height) / 512).max(1);
            let frame = Frame {
                width: self.frame.width / step,
                height: self.frame.height / step,
                cell_m: self.frame.cell_m * step as f64,
                origin: self.frame.origin,
            };
            let height = Surface::new(&shaped.mesh, &shaped.land.height, ctx)?.raster(&frame, ctx)?;
            let height = match self.coast {
                Some(coast) => coast.sea(&frame, ctx)?.flood(height, ctx)?,
                None => height,
            };
            let relief = scale_for(&slopes(&height, frame.cell_m, ctx)?, goal, ctx)?;
            uplift = (uplift * relief).clamp(UPLIFTS.0, UPLIFTS.1);
            if (CORRECTION.0..=CORRECTION.1).contains(&relief) {
                break;
            }
        }
        Ok(uplift * FINER)
    }

    /// The map with a border that fits a world map, if its size allows one; the cells of `kept` keep their heights. A given map
    /// keeps its border.
    fn feathered(
        &self,
        height: Grid<f32>,
        kept: impl Fn(usize) -> bool + Sync,
        ctx: &Ctx,
    ) -> Result<(Grid<f32>, Option<Rim>)> {
        if worldmap::size_for(height.shape()).is_err() {
            return Ok((height, None));
        }
        let (feathered, rim) = worldmap::feather(&height, &kept, &Seam::of(self.frame.cell_m), ctx)?;
        Ok((if self.noise_land.is_some() { feathered } else { height }, Some(rim)))
    }

    fn flooded(&self, height: Grid<f32>, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
        match self.sea {
            Some(sea) => sea.flood(height, ctx),
            None => Ok(height),
        }
    }

    /// Land that only droplets change. Along its border it is fitted to the land around; what that raises counts as uplift.
    fn unshaped(&self, ctx: &Ctx) -> Result<Eroded> {
        let goal = self.params.goal.buildable_share;
        let mut height = self.flooded(self.land.height.clone(), ctx)?;
        let droplets = self.params.erosion.droplets > 0;
        let worn = droplets.then(|| ctx.stage("droplets", |c| self.droplets(&height, c))).transpose()?;
        if let Some(worn) = &worn {
            height = in_metres(&worn.height, &ctx.quiet())?;
        }
        let eroded = ctx.stage("mass balance", |c| {
            let (mut fitted, rim) = self.feathered(height.clone(), |_| false, &c.quiet())?;
            let uplift = fitted.cells().iter().zip(height.cells()).map(|(a, b)| (a - b).max(0.0)).collect();
            let uplift = Grid::from_vec(self.frame.width, self.frame.height, uplift);
            // A given map that no droplets change keeps every bit.
            if droplets || self.noise_land.is_some() {
                fitted = self.even(self.flooded(fitted, c)?, &c.quiet())?;
            }
            let eroded = self.balanced(fitted, uplift, worn.as_ref().map(|worn| (worn, 1.0)), c)?;
            Ok::<_, Error>(Eroded { rim, ..eroded })
        })?;
        if goal > 0.0 {
            let slope = self.dry_slopes(&eroded.height, &[], &ctx.quiet())?;
            let found = stats::share_below(&slope, BUILDABLE as f32, &ctx.quiet())?;
            if (found - goal).abs() > PROMISE {
                return Err(Error::Invalid(format!(
                    "goal.buildable_share = {goal}: cannot be met with erosion.age=0, which leaves the relief as it is; {found:.3} of \
                     this map is buildable; set goal.buildable_share=0, or let the land be shaped with erosion.age=1"
                )));
            }
        }
        Ok(eroded)
    }

    /// The droplets, on the cells of the map.
    fn droplets(&self, height: &Grid<f32>, ctx: &Ctx) -> Result<Land> {
        let e = &self.params.erosion;
        self.within_reach(height)?;
        let land = Land::new(height, self.frame.cell_m, ctx)?;
        let part = (height.len() as f64 / CELLS as f64).min(1.0);
        let rules = Droplets {
            count: (e.droplets as f64 * part) as u32,
            inertia: e.inertia as f32,
            erosion_rate: e.erosion_rate as f32,
            deposition_rate: e.deposition_rate as f32,
            evaporation_rate: e.evaporation_rate as f32,
            capacity: e.sediment_capacity as f32,
            min_slope: e.min_slope as f32,
            brush_cells: e.brush_radius,
            max_steps: e.max_steps,
            batch: e.batch,
            heading: e.heading.into(),
            emphasis: e.emphasis.into(),
        };
        Ok(droplet(land, &self.land.zones, self.seed.of("droplets"), &rules, ctx)?)
    }

    /// Fails if the land is higher or lower than erosion can hold.
    fn within_reach(&self, height: &Grid<f32>) -> Result<()> {
        let Some(v) = height.cells().iter().find(|v| v.abs() as f64 > HIGHEST_M) else { return Ok(()) };
        let advice = match (self.noise_land.is_some(), self.params.erosion.age > 0.0) {
            (false, _) => "give a map with less relief",
            (true, false) => "lower terrain.amplitude_m or raise terrain.buildable_share",
            (true, true) if self.params.goal.buildable_share > 0.0 => "raise goal.buildable_share",
            (true, true) => "lower erosion.uplift_mm",
        };
        Err(Error::Invalid(format!("the land reaches {v} m, more than {HIGHEST_M} m: {advice}")))
    }

    /// Removes spikes and pits. What a spike on the coast loses falls into the sea, which stays open.
    fn even(&self, mut height: Grid<f32>, ctx: &Ctx) -> Result<Grid<f32>> {
        self.within_reach(&height)?;
        // Each turn leaves about a ninth of what a spike has above the sea.
        for _ in 0..16 {
            let mut land = Land::new(&height, self.frame.cell_m, ctx)?;
            par::for_rows(land.before.rows_mut(), ctx, |y, row| {
                row.iter_mut().zip(self.land.height.row(y)).for_each(|(s, &h)| *s = steps(h));
            })?;
            let fitted = self.noise_land.is_some();
            height = in_metres(&despike(land, SMOOTH * self.frame.cell_m, fitted).height, ctx)?;
            if !self.sea.is_some_and(|sea| sea.reopen(&mut height)) {
                break;
            }
        }
        Ok(height)
    }

    /// Slopes of finished land where it is dry, infinite under water.
    fn dry_slopes(&self, height: &Grid<f32>, inlets: &[Inlet], ctx: &Ctx) -> Result<Grid<f32>> {
        let cell_m = self.frame.cell_m;
        let wet = super::water::water(height, cell_m, inlets, &self.params.water, ctx)?.wet;
        let mut slope = slope::rise_over_run(height, cell_m, ctx)?;
        let under_water = slope.cells_mut().iter_mut().zip(wet.cells()).filter(|(_, wet)| **wet > 0);
        under_water.for_each(|(slope, _)| *slope = f32::INFINITY);
        Ok(slope)
    }

    fn river_rule(&self) -> RiverRule {
        super::water::river_rule(self.frame.cell_m, &self.params.water)
    }

    /// The rivers and brooks of the mesh, as smooth lines.
    fn lines(&self, shaped: &Shaped, surface: &Surface) -> Vec<Line> {
        let rule = self.river_rule();
        let spacing = shaped.mesh.lattice().spacing_m;
        let courses = landscape::courses(&shaped.land, BROOK.0.max(BROOK.1 * spacing * spacing));
        let wind = Winding {
            seed: self.seed.of("bends"),
            bends: Bends::default(),
            width: |area: f64| rule.width(rule.discharge_of(area)),
            ground: |at| surface.at(at),
        };
        landscape::lines(&shaped.mesh, &shaped.land, &courses, &wind)
    }

    /// Where the lines enter the map from the region around it.
    fn inlets(&self, lines: &[Line]) -> Vec<Inlet> {
        let f = self.frame;
        let cell = |s: &Station| {
            let index = |v: f64, origin: f64, n: usize| {
                let i = ((v - origin) / f.cell_m).floor();
                // The border cells are outlets of the map; a river begins inside them.
                (i >= 1.0 && i < n as f64 - 1.0).then_some(i as usize)
            };
            let (x, y) = (index(s.at.0, f.origin.0, f.width)?, index(s.at.1, f.origin.1, f.height)?);
            Some((y * f.width + x) as u32)
        };
        // Whole cells, so that areas add up to those of the accumulation.
        let whole = |area_m2: f64| (area_m2 / (f.cell_m * f.cell_m)).round() * f.cell_m * f.cell_m;
        let mut inlets = Vec::new();
        if self.params.rivers.inflow == Inflow::None || self.noise_land.is_none() {
            return inlets;
        }
        // By line: what its tributaries left the map with and bring to it outside, by vertex.
        let mut brought: Vec<Vec<(usize, (u32, f64))>> = vec![Vec::new(); lines.len()];
        // Tributaries come after their parents in the list.
        for (k, line) in lines.iter().enumerate().rev() {
            let mut from_tributaries = std::mem::take(&mut brought[k]);
            from_tributaries.sort_unstable_by_key(|tributary| tributary.0);
            let mut from_tributaries = from_tributaries.into_iter().peekable();
            let mut left: Vec<(u32, f64)> = Vec::new();
            for (vertex, piece) in line.points.windows(2).enumerate() {
                while let Some(tributary) = from_tributaries.next_if(|t| t.0 <= vertex) {
                    left.push(tributary.1);
                }
                for pair in weald_core::line::dense(piece, f.cell_m / 2.0).windows(2) {
                    match (cell(&pair[0]), cell(&pair[1])) {
                        (Some(cell), None) => left.push((cell, whole(pair[0].area_m2))),
                        (None, Some(cell)) => {
                            let (area_m2, left) = (whole(pair[1].area_m2), std::mem::take(&mut left));
                            inlets.push(Inlet { cell, area_m2, left });
                        }
                        _ => {}
                    }
                }
            }
            if let Some((parent, vertex)) = line.joins {
                brought[parent].extend(left.into_iter().map(|left| (vertex, left)));
            }
        }
        inlets
    }

    /// The layers and volumes of finished heights: height = height_before + uplift − eroded + deposited at every cell. Of what
    /// droplets moved, both sides are kept, times the relief. Young or given land can be raised by more than uplift and deposits,
    /// when its relief is changed to meet a goal: then all that rose counts as uplift, so that no ground comes from nowhere.
    fn balanced(
        &self,
        height: Grid<f32>,
        uplift: Grid<f32>,
        worn: Option<(&Land, f64)>,
        ctx: &Ctx,
    ) -> Result<Eroded> {
        let eroded = self.booked(height, uplift, worn, ctx)?;
        if eroded.mass_balance.exported_m3 >= 0.0 {
            return Ok(eroded);
        }
        let Eroded { height, mut uplift, .. } = eroded;
        par::for_rows(uplift.rows_mut(), &ctx.quiet(), |y, row| {
            for (x, u) in row.iter_mut().enumerate() {
                // The next number up, as the difference may have been rounded down.
                *u = u.max((height[(x, y)] - self.land.height[(x, y)]).next_up());
            }
        })?;
        self.booked(height, uplift, worn, ctx)
    }

    /// What was eroded and deposited, with this uplift.
    fn booked(
        &self,
        height: Grid<f32>,
        uplift: Grid<f32>,
        worn: Option<(&Land, f64)>,
        ctx: &Ctx,
    ) -> Result<Eroded> {
        let ctx = &ctx.quiet();
        let (w, h) = height.shape();
        let before = &self.land.height;
        let (mut eroded, mut deposited) = (Grid::filled(w, h, 0f32), Grid::filled(w, h, 0f32));
        par::for_rows((eroded.rows_mut(), deposited.rows_mut()), ctx, |y, (eroded, deposited)| {
            for x in 0..w {
                let net = before[(x, y)] as f64 + uplift[(x, y)] as f64 - height[(x, y)] as f64;
                let both = worn.map_or(0.0, |(land, relief)| {
                    let lost = land.eroded[(x, y)];
                    let gained = land.height[(x, y)] - land.before[(x, y)] + lost;
                    relief * metres(lost.min(gained)) as f64
                });
                eroded[x] = (net.max(0.0) + both) as f32;
                deposited[x] = ((-net).max(0.0) + both) as f32;
            }
        })?;
        let area = self.frame.cell_m * self.frame.cell_m;
        let volume = |grid: &Grid<f32>| -> weald_core::Result<f64> {
            let rows = par::map(h, ctx, |y| grid.row(y).iter().fold(0.0, |sum, &v| sum + v as f64))?;
            Ok(rows.into_iter().fold(0.0, |sum, row| sum + row) * area)
        };
        let (eroded_m3, deposited_m3) = (volume(&eroded)?, volume(&deposited)?);
        let mass_balance = MassBalance {
            uplift_m3: volume(&uplift)?,
            eroded_m3,
            deposited_m3,
            exported_m3: eroded_m3 - deposited_m3,
        };
        Ok(Eroded {
            height,
            uplift,
            eroded,
            deposited,
            mass_balance,
            uplift_mm: 0.0,
            inlets: Vec::new(),
            around: None,
            rim: None,
        })
    }
}

/// The error for a goal that no relief meets.
fn unmet(p: &CityParams, found: f64) -> Error {
    let goal = p.goal.buildable_share;
    let advice = match (found < goal, p.sea.side != Side::None) {
        (true, true) => "ask for less, or lower sea.share",
        (true, false) => "ask for less, or raise zones.coverage",
        (false, _) => "ask for more, lower zones.coverage, or use 0 for no goal",
    };
    Error::Invalid(format!(
        "goal.buildable_share = {goal}: cannot be met; the nearest share that was found is {found:.3}; {advice}"
    ))
}

/// Adds the cells of rivers to those that keep their height. A river that passes outside and only touches the border is left
/// out: its bed would be a notch in the border.
fn keep_rivers(kept: &mut [bool], wet: &[u32], (w, h): (usize, usize)) {
    let from_edge = |x: usize, y: usize| worldmap::from_edge((x, y), (w, h));
    let (inner, mut outer): (Vec<usize>, Vec<usize>) =
        wet.iter().map(|&cell| cell as usize).partition(|&cell| from_edge(cell % w, cell / w) >= TOUCHES);
    inner.into_iter().for_each(|cell| kept[cell] = true);
    // Each turn follows the rivers by at least a cell towards the border.
    let mut left = usize::MAX;
    while outer.len() < left {
        left = outer.len();
        outer.retain(|&cell| {
            let mut linked = false;
            let look = |_, x: usize, y: usize| linked |= kept[y * w + x] && from_edge(x, y) > 0;
            dir8::neighbours(w, h, cell % w, cell / w, look);
            kept[cell] |= linked;
            !linked
        });
    }
}

/// The vertices of a line that are farther apart than `step`, and its ends.
fn thinned(points: &[Station], step: impl Fn(&Station) -> f64) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::with_capacity(points.len());
    for (i, station) in points.iter().enumerate() {
        let far = |&last: &usize| weald_core::line::length(&[points[last].at, station.at]) >= step(station);
        if i + 1 == points.len() || kept.last().is_none_or(far) {
            kept.push(i);
        }
    }
    kept
}

/// Slopes of dry land; cells in the sea have an infinite slope, so that they are never buildable.
fn slopes(height: &Grid<f32>, cell_m: f64, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
    let mut slope = slope::rise_over_run(height, cell_m, ctx)?;
    par::for_rows(slope.rows_mut(), ctx, |y, row| {
        for (s, _) in row.iter_mut().zip(height.row(y)).filter(|(_, h)| is_sea(**h)) {
            *s = f32::INFINITY;
        }
    })?;
    Ok(slope)
}

/// The factor by which relief with these slopes is scaled so that `share` of the map is buildable.
fn scale_for(slopes: &Grid<f32>, share: f64, ctx: &Ctx) -> weald_core::Result<f64> {
    let (mut low, mut high) = (1e-3f64, 1e3f64);
    for _ in 0..24 {
        let middle = (low * high).sqrt();
        let found = stats::share_below(slopes, (BUILDABLE / middle) as f32, ctx)?;
        if found > share { low = middle } else { high = middle }
    }
    Ok((low * high).sqrt())
}

/// Shaped land on the cells of the map.
struct Raster {
    height: Grid<f32>,
    uplift: Grid<f32>,
    /// The lowest ground.
    low: f64,
}

impl Raster {
    fn new(erosion: &Erosion, shaped: &Shaped, surface: &Surface, ctx: &Ctx) -> weald_core::Result<Self> {
        let (frame, ctx) = (erosion.frame, &ctx.quiet());
        let height = surface.raster(frame, ctx)?;
        let mut height = blur::gaussian(&height, BLUR * shaped.mesh.lattice().spacing_m / frame.cell_m, ctx)?;
        let young = (1.0 - erosion.params.erosion.age) as f32;
        if young > 0.0 || erosion.noise_land.is_none() {
            // What the nodes could not hold of the land before; of a given map all of it stays.
            let share = if erosion.noise_land.is_none() { 1.0 } else { young };
            let smooth = Surface::new(&shaped.mesh, &shaped.start, ctx)?.raster(frame, ctx)?;
            par::for_rows(height.rows_mut(), ctx, |y, row| {
                for (x, h) in row.iter_mut().enumerate() {
                    *h += share * (erosion.land.height[(x, y)] - smooth[(x, y)]);
                }
            })?;
        }
        let height = erosion.flooded(height, ctx)?;
        let uplift = uplift(shaped, frame, ctx)?;
        let low = stats::min_max(&height, ctx)?.map_or(0.0, |(low, _)| low as f64);
        Ok(Self { height, uplift, low })
    }
}

/// Standard deviation by which the shaped land is blurred on the cells, in distances of nodes: cells finer than the nodes show no
/// facets between them.
const BLUR: f64 = 0.3;

/// Cells of the map along a cell on which the uplift is interpolated, which changes slowly.
const COARSER: usize = 4;

/// The uplift of every cell.
fn uplift(shaped: &Shaped, frame: &Frame, ctx: &Ctx) -> weald_core::Result<Grid<f32>> {
    let coarse = Frame {
        width: frame.width.div_ceil(COARSER),
        height: frame.height.div_ceil(COARSER),
        cell_m: frame.cell_m * COARSER as f64,
        origin: frame.origin,
    };
    let wide = Surface::new(&shaped.mesh, &shaped.uplift, ctx)?.raster(&coarse, ctx)?;
    par::fill(frame.width, frame.height, ctx, |y, row: &mut [f32]| {
        let at = |i: usize| (i as f64 + 0.5) / COARSER as f64 - 0.5;
        for (x, out) in row.iter_mut().enumerate() {
            *out = wide.bilinear(at(x), at(y)) as f32;
        }
    })
}

/// All that finished heights are made from.
struct Scene<'a> {
    erosion: &'a Erosion<'a>,
    raster: &'a Raster,
    worn: &'a Land,
    lines: &'a [Line],
    inlets: &'a [Inlet],
}

/// Ground with river beds.
struct Carved {
    relief: f64,
    height: Grid<f32>,
    /// The cells of rivers.
    wet: Vec<u32>,
    /// Where rivers and brooks enter the map, without those that only touch it.
    inlets: Vec<Inlet>,
    rim: Option<Rim>,
}

impl Scene<'_> {
    /// A height of the shaped land with another relief. Land beside a sea keeps the level of the sea, a given map its own
    /// heights, and all other land begins at `map.lowest_m`.
    fn scaled(&self, height: f64, relief: f64) -> f64 {
        let e = self.erosion;
        match (e.coast, e.noise_land) {
            (None, Some(_)) => e.params.map.lowest_m + relief * (height - self.raster.low),
            _ if height > 0.0 => height * relief,
            _ => height,
        }
    }

    /// The beds of all lines on the ground at a relief; those of rivers, and those of brooks.
    fn beds(&self, ground: &Grid<f32>, relief: f64) -> (Vec<Vec<Bed>>, Vec<Vec<Bed>>) {
        let (e, rule) = (self.erosion, self.erosion.river_rule());
        let from = e.params.water.river_area_km2 * 1e6;
        let cell = |v: f64, origin: f64| (v - origin) / e.frame.cell_m - 0.5;
        let inside = |v: f64, n: usize| v > -0.5 && v < n as f64 - 0.5;
        let levels = landscape::levels(self.lines, LEAST_SLOPE, |s| {
            let (x, y) = (cell(s.at.0, e.frame.origin.0), cell(s.at.1, e.frame.origin.1));
            let on_map = inside(x, e.frame.width) && inside(y, e.frame.height);
            if on_map { ground.bilinear(x, y) } else { self.scaled(s.height_m, relief) }
        });
        let bed = |(s, &level_m): (&Station, &f64)| {
            let discharge = rule.discharge_of(s.area_m2);
            let (width_m, depth_m) = (rule.width(discharge), rule.depth(discharge));
            // Above the sea the bed stays above it.
            let level_m = level_m.max(0.02);
            Bed { at: s.at, level_m, width_m, depth_m: depth_m.min(0.9 * level_m - 0.01) }
        };
        let (mut rivers, mut brooks) = (Vec::new(), Vec::new());
        // Tributaries come first.
        for (line, levels) in self.lines.iter().zip(&levels).rev() {
            let kept = thinned(&line.points, |s| rule.width(rule.discharge_of(s.area_m2)) / THINNED);
            let mut beds: Vec<Bed> = kept.iter().map(|&i| bed((&line.points[i], &levels[i]))).collect();
            let split = kept.partition_point(|&i| line.points[i].area_m2 < from);
            if split > 0 {
                brooks.push(beds[..(split + 1).min(beds.len())].to_vec());
            }
            if split + 1 < beds.len() {
                rivers.push(beds.split_off(split));
            }
        }
        (rivers, brooks)
    }

    /// The ground at a relief, with river beds.
    fn carved(&self, relief: f64, ctx: &Ctx) -> Result<Carved> {
        let (frame, ctx) = (self.erosion.frame, &ctx.quiet());
        let height = par::fill(frame.width, frame.height, ctx, |y, row: &mut [f32]| {
            for (h, &worn) in row.iter_mut().zip(self.worn.height.row(y)) {
                *h = self.scaled(metres(worn) as f64, relief) as f32;
            }
        })?;
        let mut height = self.erosion.flooded(height, ctx)?;
        if self.erosion.noise_land.is_none() {
            let (height, rim) = self.erosion.feathered(height, |_| false, ctx)?;
            return Ok(Carved { relief, height, wet: Vec::new(), inlets: Vec::new(), rim });
        }
        let (rivers, brooks) = self.beds(&height, relief);
        let banks = Banks { sea_m: Some(0.0), ..Banks::default() };
        cut_beds(&mut height, frame, &brooks, &banks);
        let wet = cut_beds(&mut height, frame, &rivers, &banks);
        let mut kept: Vec<bool> = height.cells().iter().map(|&h| is_sea(h)).collect();
        keep_rivers(&mut kept, &wet, height.shape());
        let (mut height, rim) = self.erosion.feathered(height, |cell| kept[cell], ctx)?;
        if self.erosion.sea.is_some() {
            let dry = height.cells_mut().iter_mut().zip(&kept).filter(|(_, kept)| !**kept);
            dry.for_each(|(h, _)| *h = h.max(BEACH_M as f32));
        }
        let from = self.erosion.river_rule().from_area_m2;
        let (w, h) = height.shape();
        // A line may pass the corner of a cell that its bed leaves out.
        let enters = |inlet: &&Inlet| {
            let mut bed = inlet.area_m2 < from || kept[inlet.cell as usize];
            let (x, y) = (inlet.cell as usize % w, inlet.cell as usize / w);
            dir8::neighbours(w, h, x, y, |_, x, y| bed |= kept[y * w + x] && !height.on_border(x, y));
            bed
        };
        let inlets: Vec<Inlet> = self.inlets.iter().filter(enters).cloned().collect();
        self.sills(&mut height, &inlets);
        Ok(Carved { relief, height, wet, inlets, rim })
    }

    /// Raises the border cells beside the inlet of every river a little above it: water leaves the map over border cells, and a wide
    /// river that enters at an angle would leave it again at once.
    fn sills(&self, height: &mut Grid<f32>, inlets: &[Inlet]) {
        let (rule, (w, h)) = (self.erosion.river_rule(), height.shape());
        for inlet in inlets.iter().filter(|inlet| inlet.area_m2 >= rule.from_area_m2) {
            let (x, y) = (inlet.cell as usize % w, inlet.cell as usize / w);
            let wide = rule.width(rule.discharge_of(inlet.area_m2)) / rule.cell_m;
            let reach = wide.max(2.0).ceil() as usize;
            let sill = height[(x, y)] + SILL_M;
            for ny in y.saturating_sub(reach)..(y + reach + 1).min(h) {
                for nx in x.saturating_sub(reach)..(x + reach + 1).min(w) {
                    if height.on_border(nx, ny) {
                        height[(nx, ny)] = height[(nx, ny)].max(sill);
                    }
                }
            }
        }
    }

    /// The ground at the relief that meets the goal, and the share of it that is buildable; at a relief of 1 without a goal.
    fn relief(&self, goal: f64, ctx: &Ctx) -> Result<(Carved, f64)> {
        let (quiet, cell_m) = (ctx.quiet(), self.erosion.frame.cell_m);
        let mut best = (self.carved(1.0, &quiet)?, 0.0);
        if goal == 0.0 {
            return Ok(best);
        }
        let buildable = |carved: &Carved| -> Result<(Grid<f32>, f64)> {
            let slope = if self.erosion.exact() {
                let e = self.erosion;
                e.dry_slopes(&e.even(carved.height.clone(), &quiet)?, &carved.inlets, &quiet)?
            } else {
                let mut slope = slopes(&carved.height, cell_m, &quiet)?;
                carved.wet.iter().for_each(|&cell| slope.cells_mut()[cell as usize] = f32::INFINITY);
                slope
            };
            let share = stats::share_below(&slope, BUILDABLE as f32, &quiet)?;
            Ok((slope, share))
        };
        let (mut slope, mut found) = buildable(&best.0)?;
        let mut relief = 1.0;
        best.1 = found;
        for turn in 1..TURNS {
            if (found - goal).abs() <= CLOSE {
                break;
            }
            relief *= scale_for(&slope, goal, &quiet)?.clamp(0.2, 5.0);
            let carved = self.carved(relief, &quiet)?;
            (slope, found) = buildable(&carved)?;
            if (found - goal).abs() < (best.1 - goal).abs() {
                best = (carved, found);
            }
            ctx.tick(turn, TURNS);
        }
        Ok(best)
    }

    /// The finished land.
    fn finish(
        &self,
        carved: Carved,
        region: Option<(Mesh, Landscape)>,
        uplift: f64,
        ctx: &Ctx,
    ) -> Result<Eroded> {
        let (e, relief, quiet) = (self.erosion, carved.relief, &ctx.quiet());
        let height = e.even(carved.height, quiet)?;
        let raised = par::fill(e.frame.width, e.frame.height, quiet, |y, row: &mut [f32]| {
            for (out, &u) in row.iter_mut().zip(self.raster.uplift.row(y)) {
                *out = (u as f64 * relief).max(0.0) as f32;
            }
        })?;
        let eroded = e.balanced(height, raised, Some((self.worn, relief)), quiet)?;
        let around = region.map(|(mesh, region)| Around {
            mesh: Arc::new(mesh),
            height: Arc::new(region.height.iter().map(|&h| self.scaled(h, relief)).collect()),
            relief,
        });
        let uplift_mm = uplift * relief * 1000.0;
        Ok(Eroded { uplift_mm, inlets: carved.inlets, around, rim: carved.rim, ..eroded })
    }
}
