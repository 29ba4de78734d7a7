//! The land that uplift and streams shape: first the region around the map, coarsely, then the map with what flows in.

use super::coast::Coast;
use super::is_sea;
use super::land::NoiseLand;
use super::params::{CityParams, Inflow, Side};
use weald_core::landscape::{Depressions, Evolution, Ground, Landscape, Rock, evolve};
use weald_core::line::Point;
use weald_core::mesh::{Lattice, Mesh, Surface};
use weald_core::noise::gradient::{Fractal, NoiseShape, fractal_at};
use weald_core::{Ctx, Frame, Seed, math};

/// Width of the region relative to that of the map.
pub(super) const TIMES: f64 = 4.0;

/// Nodes along the longer side of the map, at least and at most.
const NODES: (usize, usize) = (64, 512);

/// Steps on each level of the region, the coarsest first; each level has twice the nodes of the one before.
const STEPS: [usize; 4] = [40, 20, 15, 10];

/// Steps of the map itself.
const MAP_STEPS: usize = 12;

/// Years of a step at an age of 1.
const YEARS: f64 = 20_000.0;

/// Nodes around the map that are shaped with it, so that its border shows no edge of the mesh.
const MARGIN: usize = 32;

/// Uplift of plains relative to that of mountains.
const PLAINS: f64 = 0.01;

/// Wavelength of the rock.
const ROCK_M: f64 = 2000.0;

/// Fall of the region towards the side where its water leaves it.
const TILT: f64 = 5e-4;

/// Catchment of a large river where it enters the region, in square metres.
const LARGE_M2: f64 = 3e10;

/// Slope of the sides of the valley in which a river is led through the map.
const VALLEY: f64 = 0.02;

/// Height of all other land above that valley, at least, in metres.
const BESIDE_M: f64 = 40.0;

/// Nodes of the region within which a river that leaves the map's mesh comes back, to stay inside.
const RETURN: usize = 40;

/// Streams of the region that drain at least this keep their way through the map, in square metres.
const KEPT_M2: f64 = 5e6;

/// Land on a mesh before and after it was shaped.
pub struct Shaped {
    /// The nodes.
    pub mesh: Mesh,
    /// Heights and drainage.
    pub land: Landscape,
    /// Heights before; empty if nothing of them is left.
    pub start: Vec<f64>,
    /// Uplift during the whole time, in metres.
    pub uplift: Vec<f64>,
    /// The region around; none for a map made elsewhere.
    pub region: Option<(Mesh, Landscape)>,
}

/// Where the land comes from.
pub enum Source<'a> {
    /// Noise, and a coast if the map has a sea.
    Noise(&'a NoiseLand, Option<&'a Coast>),
    /// Heights and zones of a map made elsewhere.
    Authored(&'a weald_core::Grid<f32>, &'a weald_core::Grid<f32>),
}

/// What shapes the land.
pub(super) struct Shaping<'a> {
    pub(super) frame: &'a Frame,
    pub(super) source: Source<'a>,
    pub(super) seed: Seed,
    pub(super) params: &'a CityParams,
    /// Uplift of mountains, in metres a year.
    pub(super) uplift: f64,
    /// How often the number of nodes along a side is halved, for a first look.
    pub(super) halvings: u32,
}

impl Shaping<'_> {
    /// Shapes the land. Reach: the whole region. Cost: about 1.2 s for a map of 512² nodes.
    pub(super) fn run(&self, ctx: &Ctx) -> weald_core::Result<Shaped> {
        match self.source {
            Source::Noise(..) => {
                let region = self.region(ctx)?;
                self.map(region, ctx)
            }
            Source::Authored(..) => self.given(ctx),
        }
    }

    /// Squares along the longer side of the map.
    fn squares(&self) -> usize {
        self.frame.width.max(self.frame.height).clamp(NODES.0, NODES.1) >> self.halvings
    }

    fn size_m(&self) -> (f64, f64) {
        (self.frame.width as f64 * self.frame.cell_m, self.frame.height as f64 * self.frame.cell_m)
    }

    /// Side of a square of the map, in metres.
    pub(super) fn spacing_m(&self) -> f64 {
        let (w, h) = self.size_m();
        w.max(h) / self.squares() as f64
    }

    pub(super) fn rule(&self, steps: usize) -> Evolution {
        let e = &self.params.erosion;
        Evolution {
            steps,
            years: YEARS * e.age,
            slope_limit: e.slope_limit,
            creep_m2_per_year: e.creep_m2_per_year,
            depressions: Depressions::Silt,
            ..Evolution::default()
        }
    }

    /// How much of the land before is left in detail, 0 to 1.
    fn young(&self) -> f64 {
        1.0 - self.params.erosion.age
    }

    /// The region from its coarsest level to its finest, whose squares are four times as wide as those of the map.
    fn region(&self, ctx: &Ctx) -> weald_core::Result<(Mesh, Landscape)> {
        let mut last: Option<(Mesh, Vec<f64>, Landscape)> = None;
        for (level, &steps) in STEPS.iter().enumerate() {
            let spacing = self.spacing_m() * TIMES * (1 << (STEPS.len() - 1 - level)) as f64;
            let mesh = Mesh::new(self.lattice(spacing, TIMES, 0), self.seed.of("nodes"));
            let mut ground = self.ground(&mesh, ctx)?;
            self.open(&mesh, &mut ground);
            let start =
                if last.is_none() || self.young() > 0.0 { self.start(&mesh, ctx)? } else { Vec::new() };
            let height = match &last {
                None => start.clone(),
                Some((coarse, before, land)) => {
                    self.refined(coarse, (before, &land.height), (&mesh, &start), ctx)?
                }
            };
            let land = evolve(&mesh, at_sea_level(height, &ground.outlet), &ground, &self.rule(steps), ctx)?;
            last = Some((mesh, start, land));
        }
        let (mesh, _, land) = last.expect("there is a level");
        Ok((mesh, land))
    }

    /// A lattice around the map, `times` as wide as it and wider by `margin` squares on every side.
    pub(super) fn lattice(&self, spacing_m: f64, times: f64, margin: usize) -> Lattice {
        let (w, h) = self.size_m();
        let squares = |side: f64| (side * times / spacing_m).round().max(2.0) as usize + 2 * margin;
        let before = |side: f64| (-(times - 1.0) / 2.0 * side / spacing_m).round() as i64 - margin as i64;
        Lattice { columns: squares(w) + 1, rows: squares(h) + 1, spacing_m, first: (before(w), before(h)) }
    }

    /// Heights of a finer level: what changed on the coarser one is added to the start of the finer one, whose own detail
    /// counts the less the older the land is.
    fn refined(
        &self,
        coarse: &Mesh,
        (before, after): (&[f64], &[f64]),
        (mesh, start): (&Mesh, &[f64]),
        ctx: &Ctx,
    ) -> weald_core::Result<Vec<f64>> {
        let young = self.young();
        let mut height = Surface::new(coarse, after, ctx)?.nodes(mesh, ctx)?;
        if young > 0.0 {
            let smooth = Surface::new(coarse, before, ctx)?.nodes(mesh, ctx)?;
            for (i, h) in height.iter_mut().enumerate() {
                *h += young * (start[i] - smooth[i]);
            }
        }
        Ok(height)
    }

    /// Uplift, rock and sea of every node, with no other outlet yet.
    pub(super) fn ground(&self, mesh: &Mesh, ctx: &Ctx) -> weald_core::Result<Ground> {
        let e = &self.params.erosion;
        let rock = Rock { seed: self.seed.of("rock"), variation: e.rock_variation, wavelength: ROCK_M };
        let nodes = mesh.map(ctx, |node| {
            let at = mesh.at(node);
            let (mountain, sea) = match self.source {
                Source::Noise(land, coast) => {
                    (land.mountain_at(at), coast.is_some_and(|c| c.inland_at(at) < 0.0))
                }
                Source::Authored(height, zones) => {
                    let cell = |v: f64| v / self.frame.cell_m - 0.5;
                    let at = (cell(at.0), cell(at.1));
                    (1.0 - zones.bilinear(at.0, at.1), is_sea(height.bilinear(at.0, at.1) as f32))
                }
            };
            ((self.uplift * (PLAINS + mountain)) as f32, rock.erodibility_at(at), sea)
        })?;
        let sea: Vec<bool> = nodes.iter().map(|n| n.2).collect();
        let given = matches!(self.source, Source::Authored(..));
        Ok(Ground {
            uplift: nodes.iter().map(|n| n.0).collect(),
            erodibility: nodes.iter().map(|n| n.1).collect(),
            outlet: if given { sea } else { connected(mesh, sea, self.params.sea.side) },
            inflow: Vec::new(),
        })
    }

    /// The side where the water of the region leaves: that of the sea, or one that the seed chooses.
    pub(super) fn low_side(&self) -> Side {
        match self.params.sea.side {
            Side::None => [Side::West, Side::North, Side::East, Side::South]
                [(self.seed.of("low side").0 >> 62) as usize],
            side => side,
        }
    }

    /// Distance from the low side of the region, in metres.
    fn off_low_side(&self, at: Point) -> f64 {
        let ((w, h), around) = (self.size_m(), (TIMES - 1.0) / 2.0);
        let corners = ((-around * w, -around * h), ((1.0 + around) * w, (1.0 + around) * h));
        self.low_side().distance(at, corners)
    }

    /// Opens the low side of the region, and lets a large river in at the opposite one.
    fn open(&self, mesh: &Mesh, ground: &mut Ground) {
        let low = self.low_side();
        ground.outlet.iter_mut().enumerate().for_each(|(node, outlet)| *outlet |= on_side(low, mesh, node));
        if self.params.rivers.inflow == Inflow::Large {
            let far = |node: &usize| {
                let at = mesh.at(*node);
                let (away, across) = self.off_line(at);
                across - away
            };
            let inlet =
                (0..mesh.len()).filter(|&n| mesh.is_border(n)).min_by(|a, b| far(a).total_cmp(&far(b)));
            ground.inflow.extend(inlet.map(|node| (node as u32, LARGE_M2)));
        }
    }

    /// Where a place lies relative to the line along which a river is led through the map: how far from the low side, and how
    /// far beside the line. The line swings from side to side and passes near the middle of the map.
    fn off_line(&self, at: Point) -> (f64, f64) {
        let (w, h) = self.size_m();
        let away = self.off_low_side(at);
        let (across, width) = match self.low_side() {
            Side::West | Side::East | Side::None => (at.1 - h / 2.0, h),
            Side::North | Side::South => (at.0 - w / 2.0, w),
        };
        let swing = Fractal { wavelength_m: w.max(h) * 0.8, octaves: 3, persistence: 0.5, lacunarity: 2.0 };
        let noise = |v: f64| fractal_at(v, 0.0, self.seed.of("river line"), NoiseShape::Fbm, &swing) as f64;
        let middle = TIMES / 2.0 * if matches!(self.low_side(), Side::North | Side::South) { h } else { w };
        let aside = if self.params.rivers.through {
            0.0
        } else {
            (self.seed.of("river aside").unit_at(0, 0) - 0.5) * 0.5
        };
        (away, (across - width * (aside + 0.8 * (noise(away) - noise(middle)))).abs())
    }

    /// Heights before anything shaped the land: those of the document, tilted towards the low side, with a valley for a river
    /// that is led through the map.
    fn start(&self, mesh: &Mesh, ctx: &Ctx) -> weald_core::Result<Vec<f64>> {
        let Source::Noise(land, _) = self.source else { return Ok(Vec::new()) };
        let led = self.params.rivers.through || self.params.rivers.inflow == Inflow::Large;
        mesh.map(ctx, |node| {
            let at = mesh.at(node);
            let (tilt, height) = (TILT * self.off_low_side(at), land.height_at(at));
            // No other way is as low as the valley.
            tilt + if led { height.max(BESIDE_M).min(VALLEY * self.off_line(at).1) } else { height }
        })
    }

    /// The map and its margin on fine nodes, with the region's heights at the border and the rivers that cross it.
    fn map(&self, region: (Mesh, Landscape), ctx: &Ctx) -> weald_core::Result<Shaped> {
        let mesh = Mesh::new(self.lattice(self.spacing_m(), 1.0, MARGIN), self.seed.of("nodes"));
        let mut ground = self.ground(&mesh, ctx)?;
        let around = Surface::new(&region.0, &region.1.height, ctx)?;
        let sea = ground.outlet.clone();
        self.border(&mesh, &region, &around, &mut ground);
        let before = |mesh: &Mesh| match self.source {
            Source::Noise(land, _) if self.young() > 0.0 => {
                mesh.map(ctx, |node| land.height_at(mesh.at(node)))
            }
            _ => Ok(Vec::new()),
        };
        let start = before(&mesh)?;
        let height =
            self.refined(&region.0, (&before(&region.0)?, &region.1.height), (&mesh, &start), ctx)?;
        let height = along_streams(height, &mesh, &region);
        let land = evolve(&mesh, at_sea_level(height, &sea), &ground, &self.rule(MAP_STEPS), ctx)?;
        let years = YEARS * self.params.erosion.age * (STEPS.iter().sum::<usize>() + MAP_STEPS) as f64;
        let uplift = ground.uplift.iter().map(|&u| u as f64 * years).collect();
        Ok(Shaped { mesh, land, start, uplift, region: Some(region) })
    }

    /// Outlets and inflows at the border of the map's mesh: water leaves where the region falls outwards, and enters where a
    /// stream of the region crosses the border.
    fn border(&self, mesh: &Mesh, region: &(Mesh, Landscape), around: &Surface, ground: &mut Ground) {
        let (l, origin) = (*mesh.lattice(), mesh.lattice().origin());
        let far =
            (origin.0 + (l.columns - 1) as f64 * l.spacing_m, origin.1 + (l.rows - 1) as f64 * l.spacing_m);
        let step = region.0.lattice().spacing_m;
        for node in (0..mesh.len()).filter(|&node| mesh.is_border(node)) {
            let (x, y) = mesh.at(node);
            let outwards = [
                (-1.0, 0.0, x == origin.0),
                (1.0, 0.0, x == far.0),
                (0.0, -1.0, y == origin.1),
                (0.0, 1.0, y == far.1),
            ];
            let beyond = |(dx, dy): (f64, f64)| around.at((x + dx * step, y + dy * step));
            let rise = |(dx, dy, _): &(f64, f64, bool)| beyond((*dx, *dy)) - beyond((-dx, -dy));
            ground.outlet[node] |= outwards.iter().filter(|side| side.2).map(rise).sum::<f64>() < 0.0;
        }
        let inside = |p: Point| p.0 > origin.0 && p.0 < far.0 && p.1 > origin.1 && p.1 < far.1;
        let node_at = |p: Point| {
            let index = |v: f64, from: f64, n: usize| {
                ((v - from) / l.spacing_m).round().clamp(0.0, (n - 1) as f64) as usize
            };
            (index(p.0, origin.0, l.columns), index(p.1, origin.1, l.rows))
        };
        // A river that leaves the mesh and soon comes back stays inside: by its way back, the area that it left with.
        let mut back: std::collections::BTreeMap<usize, f64> = Default::default();
        let returns = |node: usize| {
            let mut at = region.1.receiver[node] as usize;
            for _ in 0..RETURN {
                let next = region.1.receiver[at] as usize;
                if next == at || inside(region.0.at(next)) {
                    return (next != at).then_some(at);
                }
                at = next;
            }
            None
        };
        for (node, &receiver) in region.1.receiver.iter().enumerate() {
            if inside(region.0.at(node))
                && !inside(region.0.at(receiver as usize))
                && let Some(way_back) = returns(node)
            {
                *back.entry(way_back).or_default() += region.1.area_m2[node];
            }
        }
        let mut exits = Vec::new();
        for (node, &receiver) in region.1.receiver.iter().enumerate() {
            let (from, to) = (region.0.at(node), region.0.at(receiver as usize));
            if inside(from) == inside(to) {
                continue;
            }
            let (mut a, mut b) = (0.0, 1.0);
            for _ in 0..30 {
                let t = (a + b) / 2.0;
                let p = (math::lerp(from.0, to.0, t), math::lerp(from.1, to.1, t));
                if inside(p) == inside(from) { a = t } else { b = t }
            }
            let (i, j) = node_at((math::lerp(from.0, to.0, a), math::lerp(from.1, to.1, a)));
            let node_number = j * l.columns + i;
            if !inside(to) {
                if returns(node).is_none() {
                    exits.push(node_number);
                }
            } else if self.params.rivers.inflow != Inflow::None && !sea_node(self, mesh.at(node_number)) {
                let area = (region.1.area_m2[node] - back.get(&node).copied().unwrap_or(0.0)).max(0.0);
                ground.inflow.push((node_number as u32, area));
                // The border beside a river that enters does not take it out again: the larger, the wider its valley.
                let reach = 3 + (area.sqrt() / 2000.0) as usize;
                for n in i.saturating_sub(reach)..(i + reach + 1).min(l.columns) {
                    for m in j.saturating_sub(reach)..(j + reach + 1).min(l.rows) {
                        let beside = m * l.columns + n;
                        if mesh.is_border(beside) && !sea_node(self, mesh.at(beside)) {
                            ground.outlet[beside] = false;
                        }
                    }
                }
            }
        }
        exits.into_iter().for_each(|node| ground.outlet[node] = true);
        if !ground.outlet.contains(&true) {
            let lowest = (0..mesh.len()).filter(|&n| mesh.is_border(n));
            let lowest = lowest.min_by(|&a, &b| around.at(mesh.at(a)).total_cmp(&around.at(mesh.at(b))));
            lowest.into_iter().for_each(|node| ground.outlet[node] = true);
        }
    }

    /// A map made elsewhere: its border and its sea are outlets.
    fn given(&self, ctx: &Ctx) -> weald_core::Result<Shaped> {
        let mesh = Mesh::new(self.lattice(self.spacing_m(), 1.0, 0), self.seed.of("nodes"));
        let mut ground = self.ground(&mesh, ctx)?;
        let Source::Authored(height, _) = self.source else { unreachable!("only given maps have no noise") };
        let cell = |v: f64| v / self.frame.cell_m - 0.5;
        let start = mesh.map(ctx, |node| {
            let at = mesh.at(node);
            height.bilinear(cell(at.0), cell(at.1))
        })?;
        for node in (0..mesh.len()).filter(|&node| mesh.is_border(node)) {
            ground.outlet[node] = true;
        }
        let steps = STEPS.iter().sum::<usize>() + MAP_STEPS;
        let land = evolve(&mesh, start.clone(), &ground, &self.rule(steps), ctx)?;
        let years = YEARS * self.params.erosion.age * steps as f64;
        let uplift = ground.uplift.iter().map(|&u| u as f64 * years).collect();
        Ok(Shaped { mesh, land, start, uplift, region: None })
    }
}

fn sea_node(shaping: &Shaping, at: Point) -> bool {
    matches!(shaping.source, Source::Noise(_, Some(coast)) if coast.inland_at(at) < 0.0)
}

/// Lowers the nodes along the larger streams of the region to the heights of these, so that the streams keep their way.
fn along_streams(mut height: Vec<f64>, mesh: &Mesh, region: &(Mesh, Landscape)) -> Vec<f64> {
    let (l, origin) = (*mesh.lattice(), mesh.lattice().origin());
    for (node, &receiver) in region.1.receiver.iter().enumerate() {
        if region.1.area_m2[node] < KEPT_M2 || receiver as usize == node {
            continue;
        }
        let (from, to) = (region.0.at(node), region.0.at(receiver as usize));
        let pieces = (weald_core::line::length(&[from, to]) / l.spacing_m * 2.0).ceil().max(1.0);
        for k in 0..=pieces as usize {
            let t = k as f64 / pieces;
            let index = |v: f64, from: f64, n: usize| {
                let i = ((v - from) / l.spacing_m).round();
                (i >= 0.0 && i < n as f64).then_some(i as usize)
            };
            let (x, y) = (math::lerp(from.0, to.0, t), math::lerp(from.1, to.1, t));
            if let (Some(i), Some(j)) = (index(x, origin.0, l.columns), index(y, origin.1, l.rows)) {
                let level = math::lerp(region.1.height[node], region.1.height[receiver as usize], t);
                let h = &mut height[j * l.columns + i];
                *h = h.min(level);
            }
        }
    }
    height
}

/// The heights with the nodes of the sea at its level, to which streams carve down.
fn at_sea_level(mut height: Vec<f64>, sea: &[bool]) -> Vec<f64> {
    height.iter_mut().zip(sea).filter(|(_, sea)| **sea).for_each(|(h, _)| *h = 0.0);
    height
}

/// Whether a node lies on that side of its mesh.
pub(super) fn on_side(side: Side, mesh: &Mesh, node: usize) -> bool {
    let (columns, rows) = (mesh.lattice().columns, mesh.lattice().rows);
    side.touches((node % columns, node / columns), (columns, rows))
}

/// Leaves only that part of the sea which is connected to the side where it lies.
fn connected(mesh: &Mesh, sea: Vec<bool>, side: Side) -> Vec<bool> {
    let mut open = vec![false; mesh.len()];
    let mut next: Vec<usize> =
        (0..mesh.len()).filter(|&node| sea[node] && on_side(side, mesh, node)).collect();
    next.iter().for_each(|&node| open[node] = true);
    while let Some(node) = next.pop() {
        for &n in mesh.neighbours(node) {
            if sea[n as usize] && !open[n as usize] {
                open[n as usize] = true;
                next.push(n as usize);
            }
        }
    }
    open
}
