//! Land that rises out of the sea, shaped from a coarse mesh to a fine one.

use super::{Evolution, Ground, Landscape, evolve};
use crate::ctx::Ctx;
use crate::frame::Frame;
use crate::line::Point;
use crate::mesh::{Lattice, Mesh, Surface};
use crate::{Result, Seed, par};

/// Squares along the longer side of the coarsest level, at least.
const COARSEST: usize = 32;

/// Steps on the coarsest level, and on the finer ones from the finest on; the last number is for all others.
const FIRST_STEPS: usize = 60;
const STEPS: [usize; 3] = [10, 15, 20];

/// Uplift on the coarsest level, in metres a year.
const FIRST_UPLIFT: f64 = 1e-3;

/// What lifts the land at a place, and how easily streams carve it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lift {
    /// Uplift relative to that of other places.
    pub uplift: f32,
    /// Erodibility of the rock, a year.
    pub erodibility: f32,
}

/// Land on a mesh, with its drainage.
#[derive(Clone, Debug)]
pub struct Shaped {
    /// The nodes.
    pub mesh: Mesh,
    /// Heights in metres and where water goes.
    pub land: Landscape,
}

/// Land that rises out of the sea.
pub struct Rising<'a> {
    /// The map that the mesh covers.
    pub frame: Frame,
    /// Squares of the finest mesh along the longer side of the map.
    pub squares: usize,
    /// Chooses the nodes.
    pub seed: Seed,
    /// Height of the highest node, in metres.
    pub peak_m: f64,
    /// How the land changes. Its number of steps is that of no level: every level has its own.
    pub rule: Evolution,
    /// What lifts the land; none in the sea.
    pub lift: &'a (dyn Fn(Point) -> Option<Lift> + Sync),
    /// Heights at which the land begins, in metres.
    pub start: &'a (dyn Fn(Point) -> f64 + Sync),
}

/// Shaped land of one level.
struct Level {
    shaped: Shaped,
    /// Uplift that gives the peak its height, in metres a year.
    uplift: f64,
}

impl Rising<'_> {
    /// Shapes the land on meshes of twice as many squares each, every one of which begins with the land of the coarser one.
    ///
    /// Nodes in the sea and on the border are outlets at 0 m. After each level the uplift is set so that the peak has its height. See
    /// [`evolve`]. Reach: whole map. Cost: about 1 µs for each node of the finest mesh.
    pub fn shaped(&self, ctx: &Ctx) -> Result<Shaped> {
        let mut levels = vec![self.squares];
        while levels[levels.len() - 1] / 2 >= COARSEST {
            levels.push(levels[levels.len() - 1] / 2);
        }
        let (finest, coarser) = (levels[0], &levels[1..]);
        // The finest mesh is made while coarser ones are shaped.
        let (coarse, fine) = par::join(
            || {
                let mut last: Option<Level> = None;
                for (k, &squares) in coarser.iter().enumerate().rev() {
                    last = Some(self.level(self.nodes(squares, ctx)?, last, STEPS[(k + 1).min(2)], ctx)?);
                }
                Ok(last)
            },
            || self.nodes(finest, ctx),
        );
        Ok(self.level(fine?, coarse?, STEPS[0], ctx)?.shaped)
    }

    /// Nodes with their ground, for an uplift of 1 m a year.
    fn nodes(&self, squares: usize, ctx: &Ctx) -> Result<(Mesh, Ground)> {
        let (w, h) = (self.frame.width as f64, self.frame.height as f64);
        let spacing = w.max(h) / squares as f64;
        let nodes = |cells: f64| (cells / spacing).ceil().max(1.0) as usize + 1;
        let mesh = Mesh::new(Lattice::new(nodes(w), nodes(h), spacing * self.frame.cell_m), self.seed);
        let lifts = mesh.map(ctx, |node| match mesh.is_border(node) {
            true => None,
            false => (self.lift)(mesh.at(node)),
        })?;
        let ground = Ground {
            uplift: lifts.iter().map(|l| l.map_or(0.0, |l| l.uplift)).collect(),
            erodibility: lifts.iter().map(|l| l.map_or(0.0, |l| l.erodibility)).collect(),
            outlet: lifts.iter().map(Option::is_none).collect(),
            inflow: Vec::new(),
        };
        Ok((mesh, ground))
    }

    /// Shapes a level that begins with the land of the coarser one.
    fn level(
        &self,
        (mesh, mut ground): (Mesh, Ground),
        coarser: Option<Level>,
        steps: usize,
        ctx: &Ctx,
    ) -> Result<Level> {
        let (height, mut uplift) = match &coarser {
            None => (mesh.map(ctx, |node| (self.start)(mesh.at(node)))?, FIRST_UPLIFT),
            Some(Level { shaped, uplift }) => {
                (Surface::new(&shaped.mesh, &shaped.land.height, ctx)?.nodes(&mesh, ctx)?, *uplift)
            }
        };
        let steps = if coarser.is_none() { FIRST_STEPS } else { steps };
        drop(coarser);
        ground.uplift.iter_mut().for_each(|u| *u = (*u as f64 * uplift) as f32);
        let height = height.iter().zip(&ground.outlet).map(|(&h, &sea)| if sea { 0.0 } else { h.max(0.0) });
        let mut land = evolve(&mesh, height.collect(), &ground, &Evolution { steps, ..self.rule }, ctx)?;
        let top = land.height.iter().copied().fold(0.0, f64::max);
        if top > 0.0 {
            let factor = self.peak_m / top;
            uplift *= factor;
            land.height.iter_mut().for_each(|h| *h *= factor);
        }
        Ok(Level { shaped: Shaped { mesh, land }, uplift })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_node_has_the_height_of_the_peak_and_the_sea_is_at_0() {
        let frame = Frame::new(96, 64, 100.0);
        let land = |(x, y): Point| {
            let (dx, dy) = (x / 9600.0 - 0.5, y / 6400.0 - 0.5);
            (dx * dx + dy * dy < 0.16).then_some(Lift { uplift: 1.0, erodibility: 4e-5 })
        };
        let rising = Rising {
            frame,
            squares: 64,
            seed: Seed(3),
            peak_m: 1234.0,
            rule: Evolution::default(),
            lift: &land,
            start: &|(x, y)| 10.0 + (x * 0.7 + y * 1.3) % 5.0,
        };
        let Shaped { mesh, land: shaped } = rising.shaped(&Ctx::default()).unwrap();
        let top = shaped.height.iter().copied().fold(0.0, f64::max);
        assert!((top - 1234.0).abs() < 1e-6, "{top}");
        for node in 0..mesh.len() {
            let sea = mesh.is_border(node) || land(mesh.at(node)).is_none();
            assert_eq!(shaped.receiver[node] as usize == node, sea);
            assert_eq!(shaped.height[node] == 0.0, sea);
        }
    }
}
