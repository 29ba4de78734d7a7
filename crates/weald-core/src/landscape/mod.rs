//! Landscape evolution: land that uplift raises and streams carve, on a mesh.
//!
//! ```
//! use weald_core::landscape::{Evolution, Ground, evolve};
//! use weald_core::mesh::{Lattice, Mesh};
//! use weald_core::{Ctx, Seed};
//!
//! let mesh = Mesh::new(Lattice::new(48, 48, 100.0), Seed(1).of("nodes"));
//! let ground = Ground::uniform(&mesh, 1e-3, 2e-6);
//! let land = evolve(&mesh, vec![0.0; mesh.len()], &ground, &Evolution { steps: 50, ..Evolution::default() }, &Ctx::default())?;
//! // Every node that is not an outlet stands above the node that it drains to.
//! for (node, &receiver) in land.receiver.iter().enumerate() {
//!     assert!(mesh.is_border(node) || land.height[node] > land.height[receiver as usize]);
//! }
//! # Ok::<(), weald_core::Cancelled>(())
//! ```

mod courses;
mod flood;
mod rising;
mod rock;

pub use courses::{Bends, Course, Line, Station, Winding, courses, levels, lines};
pub use rising::{Lift, Rising, Shaped};
pub use rock::Rock;

use crate::ctx::Ctx;
use crate::mesh::Mesh;
use crate::{Result, par};

/// What the land is made of, node by node.
#[derive(Clone, Debug)]
pub struct Ground {
    /// Uplift U, in metres a year.
    pub uplift: Vec<f32>,
    /// Erodibility K of the rock, a year.
    pub erodibility: Vec<f32>,
    /// Nodes that keep their height and where water leaves the land.
    pub outlet: Vec<bool>,
    /// Area that drains into nodes from outside the mesh: node and square metres.
    pub inflow: Vec<(u32, f64)>,
}

impl Ground {
    /// The same ground everywhere, with the border as outlet.
    pub fn uniform(mesh: &Mesh, uplift: f32, erodibility: f32) -> Self {
        Self {
            uplift: vec![uplift; mesh.len()],
            erodibility: vec![erodibility; mesh.len()],
            outlet: (0..mesh.len()).map(|node| mesh.is_border(node)).collect(),
            inflow: Vec::new(),
        }
    }
}

/// What becomes of depressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depressions {
    /// Sediment fills them: every node ends above its receiver.
    Silt,
    /// They stay as lakes, which water crosses and does not carve.
    Lakes,
}

/// How long and by which rules the land changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evolution {
    /// Number of steps.
    pub steps: usize,
    /// Years of a step. Steps are implicit: long ones are stable.
    pub years: f64,
    /// The steepest slope that stands, as rise over run.
    pub slope_limit: f64,
    /// Diffusivity of soil creep, in square metres a year.
    pub creep_m2_per_year: f64,
    /// The gentlest slope on which water flows, as rise over run: sediment fills whatever is lower.
    pub least_slope: f64,
    /// Slope of an alluvial stream that drains 1 km², as rise over run: sediment fills its valley up to it. It falls with the fourth
    /// root of the area.
    pub alluvial_slope: f64,
    /// What becomes of depressions.
    pub depressions: Depressions,
}

impl Default for Evolution {
    fn default() -> Self {
        Self {
            steps: 80,
            years: 20_000.0,
            slope_limit: 0.7,
            creep_m2_per_year: 0.0012,
            least_slope: 4e-5,
            alluvial_slope: 0.008,
            depressions: Depressions::Silt,
        }
    }
}

/// Land with its drainage.
#[derive(Clone, Debug)]
pub struct Landscape {
    /// Height of every node, in metres.
    pub height: Vec<f64>,
    /// The node to which each node drains; itself for an outlet.
    pub receiver: Vec<u32>,
    /// All nodes, each before its receiver.
    pub downstream: Vec<u32>,
    /// Area that drains through each node, its own square included, in square metres.
    pub area_m2: Vec<f64>,
}

/// Evolves land by uplift, stream power, creep and a limit of slope.
///
/// Each step drains every node to the neighbour with the steepest descent, adds the areas up downstream, and from the outlets
/// upstream solves ∂h/∂t = U + D∇²h − K A^½ |∇h| implicitly: h ← (h + U·dt + c + F·h_r)/(1 + F) with F = K·A^½·dt/d, where h_r is
/// the new height of the receiver at the distance d (Braun and Willett 2013, doi:10.1016/j.geomorph.2012.10.008) and
/// c = min(4·D·dt/s², ½)·(mean of the neighbours − h) with the spacing s. Then h ≤ h_r + `slope_limit`·d and, if depressions
/// silt, h ≥ h_r + S·d: from then on no node lacks a lower neighbour. S is `least_slope` or, where at least 5 ha drain, the slope
/// at which a stream can carry its sediment, `alluvial_slope`·(A/1 km²)^−¼, if that is more. Only land that begins with depressions is
/// flooded, so that a step is linear in the nodes. Reach: whole mesh. Cost: about 50 ns a node and step.
///
/// # Panics
/// If a list has another length than the mesh has nodes, or no node is an outlet.
pub fn evolve(
    mesh: &Mesh,
    height: Vec<f64>,
    ground: &Ground,
    rule: &Evolution,
    ctx: &Ctx,
) -> Result<Landscape> {
    let n = mesh.len();
    assert!([height.len(), ground.uplift.len(), ground.erodibility.len(), ground.outlet.len()] == [n; 4]);
    assert!(ground.outlet.contains(&true), "water must leave the land somewhere");
    let mut work = Work::new(mesh, height);
    for step in 0..rule.steps {
        ctx.checkpoint()?;
        work.drain(ground, rule, &ctx.quiet())?;
        work.accumulate(ground);
        work.carve(ground, rule);
        ctx.tick(step + 1, rule.steps);
    }
    work.drain(ground, &Evolution { years: 0.0, ..*rule }, &ctx.quiet())?;
    work.accumulate(ground);
    Ok(Landscape {
        height: work.height,
        receiver: work.down.iter().map(|d| d.receiver).collect(),
        downstream: work.order,
        area_m2: work.area,
    })
}

/// Area from which on a stream has an alluvial slope, in square metres.
const STREAM_M2: f64 = 5e4;

/// Where a node drains to in a step, and what it becomes before streams carve it.
#[derive(Clone, Copy)]
struct Down {
    /// Height with uplift and creep.
    raised: f64,
    /// The receiver, or the node itself.
    receiver: u32,
    /// Distance to the receiver, in metres.
    length: f32,
}

/// The state between steps.
struct Work<'m> {
    mesh: &'m Mesh,
    height: Vec<f64>,
    down: Vec<Down>,
    order: Vec<u32>,
    donors: Vec<u8>,
    area: Vec<f64>,
}

impl<'m> Work<'m> {
    fn new(mesh: &'m Mesh, height: Vec<f64>) -> Self {
        let n = mesh.len();
        Self {
            mesh,
            height,
            down: (0..n as u32).map(|node| Down { raised: 0.0, receiver: node, length: 1.0 }).collect(),
            order: vec![0; n],
            donors: vec![0; n],
            area: vec![0.0; n],
        }
    }

    /// Finds the receivers by steepest descent, and over the flooded ground where a node has no lower neighbour.
    fn drain(&mut self, ground: &Ground, rule: &Evolution, ctx: &Ctx) -> Result<()> {
        let (mesh, height) = (self.mesh, &self.height);
        let columns = mesh.lattice().columns;
        let spacing = mesh.lattice().spacing_m;
        let creep = (4.0 * rule.creep_m2_per_year * rule.years / (spacing * spacing)).min(0.5);
        let mut rows = vec![false; mesh.lattice().rows];
        let down = par::RowsMut::new(columns, &mut self.down);
        par::for_rows((down, par::RowsMut::new(1, &mut rows)), ctx, |j, (row, pits)| {
            for (i, out) in row.iter_mut().enumerate() {
                let node = j * columns + i;
                let h = height[node];
                if ground.outlet[node] {
                    *out = Down { raised: h, receiver: node as u32, length: 1.0 };
                    continue;
                }
                // Most nodes keep their receiver from step to step: beginning with it makes the test below predictable. Of equal
                // slopes the first neighbour still wins.
                let (mut fall, mut length, mut receiver) =
                    (h - height[out.receiver as usize], out.length, out.receiver);
                if fall <= 0.0 {
                    (fall, length, receiver) = (0.0, 1.0, u32::MAX);
                }
                let (near, mut sum) = (mesh.neighbours(node), 0.0);
                for (&n, &l) in near.iter().zip(mesh.lengths(node)) {
                    let other = height[n as usize];
                    sum += other;
                    let (this, best) = ((h - other) * length as f64, fall * l as f64);
                    if this > best || (this == best && n < receiver && this > 0.0) {
                        (fall, length, receiver) = (h - other, l, n);
                    }
                }
                if receiver == u32::MAX {
                    (receiver, pits[0]) = (node as u32, true);
                }
                let mean = sum / near.len() as f64;
                let raised = h + ground.uplift[node] as f64 * rule.years + creep * (mean - h);
                *out = Down { raised, receiver, length };
            }
        })?;
        if rows.contains(&true) {
            flood::flood(mesh, &self.height, &ground.outlet, |node, receiver, length| {
                (self.down[node].receiver, self.down[node].length) = (receiver, length);
            });
        }
        Ok(())
    }

    /// Orders the nodes, each before its receiver, and sums the areas.
    fn accumulate(&mut self, ground: &Ground) {
        let spacing = self.mesh.lattice().spacing_m;
        self.area.fill(spacing * spacing);
        for &(node, area) in &ground.inflow {
            self.area[node as usize] += area;
        }
        self.donors.fill(0);
        for (node, down) in self.down.iter().enumerate() {
            self.donors[down.receiver as usize] += (down.receiver as usize != node) as u8;
        }
        let mut count = 0;
        // A donor count of 255 marks a node that is done; no node has so many neighbours.
        for start in 0..self.down.len() {
            let mut node = start;
            while self.donors[node] == 0 {
                self.donors[node] = u8::MAX;
                self.order[count] = node as u32;
                count += 1;
                let receiver = self.down[node].receiver as usize;
                if receiver == node {
                    break;
                }
                self.area[receiver] += self.area[node];
                self.donors[receiver] -= 1;
                node = receiver;
            }
        }
        debug_assert_eq!(count, self.order.len(), "receivers must not run in circles");
    }

    /// Solves stream power from the outlets upstream.
    fn carve(&mut self, ground: &Ground, rule: &Evolution) {
        for &node in self.order.iter().rev() {
            let node = node as usize;
            let Down { raised, receiver, length } = self.down[node];
            if receiver as usize == node {
                continue;
            }
            let (base, length) = (self.height[receiver as usize], length as f64);
            if rule.depressions == Depressions::Lakes && raised <= base {
                self.height[node] = raised;
                continue;
            }
            let root = self.area[node].sqrt();
            let f = ground.erodibility[node] as f64 * rule.years * root / length;
            let carved = (raised + f * base) / (1.0 + f);
            let carved = carved.min(base + rule.slope_limit * length);
            self.height[node] = match rule.depressions {
                Depressions::Silt => {
                    // √(1 km²) is 1000 m.
                    let carries = if self.area[node] >= STREAM_M2 {
                        rule.alluvial_slope / (root / 1000.0).sqrt()
                    } else {
                        0.0
                    };
                    carved.max(base + carries.max(rule.least_slope) * length)
                }
                Depressions::Lakes => carved,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use crate::mesh::Lattice;
    use proptest::prelude::*;

    /// Spacings are powers of two, so that sums of areas are exact in any order.
    fn world(side: usize, seed: u64) -> (Mesh, Vec<f64>, Ground) {
        let mesh = Mesh::new(Lattice::new(side, side, 32.0), Seed(seed));
        let unit = |n: usize, k: i64| Seed(seed).unit_at(n as i64, k);
        let height = (0..mesh.len()).map(|n| 40.0 * unit(n, 1)).collect();
        let mut ground = Ground::uniform(&mesh, 0.0, 0.0);
        for n in 0..mesh.len() {
            ground.uplift[n] = (2e-3 * unit(n, 2)) as f32;
            ground.erodibility[n] = (1e-4 * unit(n, 3)) as f32;
            ground.outlet[n] = mesh.is_border(n) && unit(n, 4) < 0.3;
        }
        ground.outlet[0] = true;
        ground.inflow = vec![((mesh.len() / 2) as u32, 32.0 * 32.0 * 1000.0)];
        (mesh, height, ground)
    }

    /// The same rules written plainly: every step is flooded, areas are counted by walks and heights by recursion.
    fn plain(mesh: &Mesh, mut height: Vec<f64>, ground: &Ground, rule: &Evolution) -> Vec<f64> {
        for _ in 0..rule.steps {
            let mut to: Vec<(usize, f64)> = (0..mesh.len()).map(|n| (n, 1.0)).collect();
            flood::flood(mesh, &height, &ground.outlet, |n, r, l| to[n] = (r as usize, l as f64));
            let mut area = vec![0.0; mesh.len()];
            let mut walk = |mut n: usize, more: f64| {
                loop {
                    area[n] += more;
                    if to[n].0 == n {
                        break;
                    }
                    n = to[n].0;
                }
            };
            (0..mesh.len()).for_each(|n| walk(n, 32.0 * 32.0));
            ground.inflow.iter().for_each(|&(n, more)| walk(n as usize, more));
            let creep = (4.0 * rule.creep_m2_per_year * rule.years / 1024.0).min(0.5);
            let mut new: Vec<Option<f64>> = vec![None; mesh.len()];
            fn solve(
                n: usize,
                new: &mut [Option<f64>],
                to: &[(usize, f64)],
                of: &dyn Fn(usize, f64) -> f64,
            ) -> f64 {
                if let Some(h) = new[n] {
                    return h;
                }
                let base = if to[n].0 == n { f64::NAN } else { solve(to[n].0, new, to, of) };
                let h = of(n, base);
                new[n] = Some(h);
                h
            }
            let of = |n: usize, base: f64| {
                let h = height[n];
                if to[n].0 == n {
                    return h;
                }
                let near = mesh.neighbours(n);
                let mean =
                    near.iter().map(|&m| height[m as usize]).fold(0.0, |a, b| a + b) / near.len() as f64;
                let raised = h + ground.uplift[n] as f64 * rule.years + creep * (mean - h);
                let d = to[n].1;
                if rule.depressions == Depressions::Lakes && raised <= base {
                    return raised;
                }
                let f = ground.erodibility[n] as f64 * rule.years * area[n].sqrt() / d;
                let carved = ((raised + f * base) / (1.0 + f)).min(base + rule.slope_limit * d);
                if rule.depressions == Depressions::Lakes {
                    return carved;
                }
                let stream =
                    if area[n] >= 5e4 { rule.alluvial_slope / (area[n].sqrt() / 1000.0).sqrt() } else { 0.0 };
                carved.max(base + stream.max(rule.least_slope) * d)
            };
            let solved: Vec<f64> = (0..mesh.len()).map(|n| solve(n, &mut new, &to, &of)).collect();
            height = solved;
        }
        height
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn evolution_equals_the_rules_written_plainly(
            side in 4usize..16, steps in 1usize..6, seed: u64, lakes: bool
        ) {
            let (mesh, height, ground) = world(side, seed);
            let depressions = if lakes { Depressions::Lakes } else { Depressions::Silt };
            let rule = Evolution { steps, depressions, ..Evolution::default() };
            let land = evolve(&mesh, height.clone(), &ground, &rule, &Ctx::default()).unwrap();
            prop_assert_eq!(land.height, plain(&mesh, height, &ground, &rule));
        }

        #[test]
        fn all_water_reaches_an_outlet_and_nothing_of_the_area_is_lost(side in 3usize..24, seed: u64) {
            let (mesh, height, ground) = world(side, seed);
            let land = evolve(&mesh, height, &ground, &Evolution { steps: 3, ..Evolution::default() }, &Ctx::default()).unwrap();
            let mut place = vec![0; mesh.len()];
            land.downstream.iter().enumerate().for_each(|(k, &n)| place[n as usize] = k);
            for (n, &r) in land.receiver.iter().enumerate() {
                prop_assert_eq!(r as usize == n, ground.outlet[n]);
                prop_assert!(ground.outlet[n] || mesh.neighbours(n).contains(&r));
                prop_assert!(ground.outlet[n] || place[n] < place[r as usize]);
                prop_assert!(ground.outlet[n] || land.height[n] > land.height[r as usize]);
            }
            let out: f64 = (0..mesh.len()).filter(|&n| ground.outlet[n]).map(|n| land.area_m2[n]).sum();
            prop_assert_eq!(out, (mesh.len() + 1000) as f64 * 1024.0);
        }
    }

    #[test]
    fn in_the_end_streams_are_as_steep_as_uplift_over_erodibility_and_the_root_of_the_area() {
        let mesh = Mesh::new(Lattice::new(40, 40, 64.0), Seed(5));
        let (uplift, erodibility) = (1e-3, 5e-6);
        let ground = Ground::uniform(&mesh, uplift as f32, erodibility as f32);
        let rule = Evolution {
            steps: 600,
            years: 50_000.0,
            slope_limit: f64::INFINITY,
            creep_m2_per_year: 0.0,
            least_slope: 0.0,
            alluvial_slope: 0.0,
            ..Evolution::default()
        };
        let land = evolve(&mesh, vec![0.0; mesh.len()], &ground, &rule, &Ctx::default()).unwrap();
        for n in (0..mesh.len()).filter(|&n| !mesh.is_border(n)) {
            let r = land.receiver[n];
            let at = mesh.neighbours(n).iter().position(|&m| m == r).unwrap();
            let slope = (land.height[n] - land.height[r as usize]) / mesh.lengths(n)[at] as f64;
            let wanted = uplift / (erodibility * land.area_m2[n].sqrt());
            assert!((slope / wanted - 1.0).abs() < 0.01, "{slope} and {wanted}");
        }
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn any_number_of_threads_gives_the_same_land() {
        let (mesh, height, ground) = world(60, 9);
        let rule = Evolution { steps: 4, ..Evolution::default() };
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| evolve(&mesh, height.clone(), &ground, &rule, &Ctx::default()).unwrap().height)
        };
        assert_eq!(on(1), on(7));
    }
}
