//! A smooth surface through values at the nodes of a mesh.

use super::Mesh;
use crate::ctx::Ctx;
use crate::frame::Frame;
use crate::grid::Grid;
use crate::line::Point;
use crate::{Result, par};

/// A barycentric coordinate above this counts as inside: places on an edge belong to either side.
const INSIDE: f64 = -1e-9;

/// Cells over which a walk from triangle to triangle goes on, at most.
const GAP: usize = 8;

/// A surface through the values at the nodes, without facets.
///
/// Each triangle is a cubic in Bézier form with the gradients of its corners. Its middle control point is blended from the
/// three that make the derivative across one edge change linearly along it, so that neighbouring triangles meet with one
/// tangent plane (Goodman and Said 1991, doi:10.1002/cnm.1630070608). The gradient of a node is that of the plane through it that
/// fits its neighbours best, by least squares with weights 1/d². Planes are reproduced exactly. Reach: 6 squares.
pub struct Surface<'a> {
    mesh: &'a Mesh,
    values: &'a [f64],
    gradients: Vec<(f64, f64)>,
}

impl<'a> Surface<'a> {
    /// The surface through `values`, one for each node.
    ///
    /// # Panics
    /// If the numbers of values and nodes differ.
    pub fn new(mesh: &'a Mesh, values: &'a [f64], ctx: &Ctx) -> Result<Self> {
        assert_eq!(mesh.len(), values.len(), "one value for each node");
        let gradients = mesh.map(ctx, |node| gradient(mesh, values, node))?;
        Ok(Self { mesh, values, gradients })
    }

    /// The value at a place in metres. Places outside the mesh have the value of the nearest place on its border.
    pub fn at(&self, place: Point) -> f64 {
        let place = self.inside(place);
        let mut patch = self.start(place);
        patch.value(self, place)
    }

    /// The values at the cell centres of `frame`. Cost: about 15 ns a cell.
    pub fn raster(&self, frame: &Frame, ctx: &Ctx) -> Result<Grid<f32>> {
        self.raster_where(frame, ctx, |_| true)
    }

    /// [`Surface::raster`] of the cells that are `inside`, and 0 elsewhere.
    pub fn raster_where(
        &self,
        frame: &Frame,
        ctx: &Ctx,
        inside: impl Fn(usize) -> bool + Sync,
    ) -> Result<Grid<f32>> {
        let columns: Vec<f64> = (0..frame.width).map(|x| self.inside(frame.cell_centre(x, 0)).0).collect();
        par::fill(frame.width, frame.height, ctx, |y, row: &mut [f32]| {
            let mut patch: Option<(usize, Patch)> = None;
            let down = self.inside(frame.cell_centre(0, y)).1;
            for (x, out) in row.iter_mut().enumerate().filter(|(x, _)| inside(y * frame.width + x)) {
                let place = (columns[x], down);
                // After a gap the walk begins anew.
                let near = patch.take().filter(|(last, _)| x - last <= GAP).map(|(_, patch)| patch);
                let mut here = near.unwrap_or_else(|| self.start(place));
                *out = here.value(self, place) as f32 + 0.0;
                patch = Some((x, here));
            }
        })
    }

    /// The values at the nodes of another mesh, such as a finer one.
    pub fn nodes(&self, mesh: &Mesh, ctx: &Ctx) -> Result<Vec<f64>> {
        let columns = mesh.lattice().columns;
        let rows = par::map(mesh.lattice().rows, ctx, |j| {
            let first = j * columns;
            let mut patch = self.start(self.inside(mesh.at(first)));
            (first..first + columns).map(|n| patch.value(self, self.inside(mesh.at(n)))).collect::<Vec<_>>()
        })?;
        Ok(rows.concat())
    }

    fn inside(&self, (x, y): Point) -> Point {
        let (l, (ox, oy)) = (self.mesh.lattice(), self.mesh.lattice().origin());
        let side = |nodes: usize| (nodes - 1) as f64 * l.spacing_m;
        (x.clamp(ox, ox + side(l.columns)), y.clamp(oy, oy + side(l.rows)))
    }

    /// A patch to begin the walk to a place with: one of the square that holds it.
    fn start(&self, place: Point) -> Patch {
        let (l, (ox, oy)) = (self.mesh.lattice(), self.mesh.lattice().origin());
        let square = |v: f64, most: usize| ((v / l.spacing_m) as usize).min(most - 2);
        let (i, j) = (square(place.0 - ox, l.columns), square(place.1 - oy, l.rows));
        Patch::new(self, (j * (l.columns - 1) + i) * 2)
    }
}

/// The gradient of the plane through a node that fits its neighbours best.
fn gradient(mesh: &Mesh, values: &[f64], node: usize) -> (f64, f64) {
    let ((x, y), h) = (mesh.at(node), values[node]);
    let (mut xx, mut xy, mut yy, mut xh, mut yh) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for &n in mesh.neighbours(node) {
        let (nx, ny) = mesh.at(n as usize);
        let (dx, dy, dh) = (nx - x, ny - y, values[n as usize] - h);
        let weight = 1.0 / (dx * dx + dy * dy);
        xx += weight * dx * dx;
        xy += weight * dx * dy;
        yy += weight * dy * dy;
        xh += weight * dx * dh;
        yh += weight * dy * dh;
    }
    let det = xx * yy - xy * xy;
    if det <= 1e-9 * xx * yy {
        return (0.0, 0.0);
    }
    ((xh * yy - yh * xy) / det, (yh * xx - xh * xy) / det)
}

/// One triangle of a surface, with all that its values need.
struct Patch {
    triangle: usize,
    /// Corner 0, and the rows of the matrix that turns a place into barycentric coordinates 1 and 2.
    origin: Point,
    to: [(f64, f64); 2],
    /// Values at the corners.
    corner: [f64; 3],
    /// Control points on the edges: `edge[k]` are those from corner k to corner k + 1.
    edge: [[f64; 2]; 3],
    /// The middle control point that suits each edge.
    middle: [f64; 3],
}

impl Patch {
    fn new(surface: &Surface, triangle: usize) -> Self {
        let nodes = surface.mesh.triangles()[triangle].map(|n| n as usize);
        let p = nodes.map(|n| surface.mesh.at(n));
        let corner = nodes.map(|n| surface.values[n]);
        let slope = nodes.map(|n| surface.gradients[n]);
        let toward = |from: usize, to: usize| {
            let (dx, dy) = (p[to].0 - p[from].0, p[to].1 - p[from].1);
            corner[from] + (slope[from].0 * dx + slope[from].1 * dy) / 3.0
        };
        let edge = [0, 1, 2].map(|k| [toward(k, (k + 1) % 3), toward((k + 1) % 3, k)]);
        let middle = [0, 1, 2].map(|k| {
            // Edge from a to b, with c opposite; f is where the perpendicular from c meets it.
            let (a, b, c) = (k, (k + 1) % 3, (k + 2) % 3);
            let (ex, ey) = (p[b].0 - p[a].0, p[b].1 - p[a].1);
            let f = ((p[c].0 - p[a].0) * ex + (p[c].1 - p[a].1) * ey) / (ex * ex + ey * ey);
            let [near_a, near_b] = edge[k];
            let ([_, from_a], [from_b, _]) = (edge[c], edge[b]);
            let at_a = from_a - (1.0 - f) * corner[a] - f * near_a;
            let at_b = from_b - (1.0 - f) * near_b - f * corner[b];
            (1.0 - f) * near_a + f * near_b + (at_a + at_b) / 2.0
        });
        let ((bx, by), (cx, cy)) = ((p[1].0 - p[0].0, p[1].1 - p[0].1), (p[2].0 - p[0].0, p[2].1 - p[0].1));
        let det = bx * cy - by * cx;
        let to = [(cy / det, -cx / det), (-by / det, bx / det)];
        Self { triangle, origin: p[0], to, corner, edge, middle }
    }

    fn barycentric(&self, (x, y): Point) -> [f64; 3] {
        let (dx, dy) = (x - self.origin.0, y - self.origin.1);
        let [v, w] = self.to.map(|(a, b)| a * dx + b * dy);
        [1.0 - v - w, v, w]
    }

    /// The value at a place of the mesh: walks to its triangle first. In a Delaunay triangulation the walk does not turn in
    /// circles. On an edge it stops at either side, and the triangle with the lower number counts, so that values do not depend on
    /// where the walk began.
    fn value(&mut self, surface: &Surface, place: Point) -> f64 {
        let mut b = self.barycentric(place);
        // A place outside by rounding has no triangle; the last one is the nearest.
        while let Some(k) = (0..3).filter(|&k| b[k] < INSIDE).min_by(|&j, &k| b[j].total_cmp(&b[k])) {
            // The edge opposite to corner k begins at corner k + 1.
            let Some(next) = surface.mesh.triangles.beside(self.triangle, (k + 1) % 3) else { break };
            *self = Self::new(surface, next);
            b = self.barycentric(place);
        }
        if b.iter().any(|b| b.abs() <= -INSIDE) {
            b = self.lowest(surface, place, b);
        }
        let [u, v, w] = b;
        let ([c0, c1, c2], e) = (self.corner, &self.edge);
        let (uv, vw, wu) = (u * v, v * w, w * u);
        let sum = uv + vw + wu;
        let mut h = u * u * u * c0 + v * v * v * c1 + w * w * w * c2;
        h += 3.0 * (uv * (u * e[0][0] + v * e[0][1]) + vw * (v * e[1][0] + w * e[1][1]));
        h += 3.0 * wu * (w * e[2][0] + u * e[2][1]);
        if sum > 0.0 {
            let middle = (uv * self.middle[0] + vw * self.middle[1] + wu * self.middle[2]) / sum;
            h += 6.0 * uv * w * middle;
        }
        h
    }
}

impl Patch {
    /// Goes to the triangle with the lowest number of those that share the place with this one, and returns its barycentric coordinates.
    fn lowest(&mut self, surface: &Surface, place: Point, mut b: [f64; 3]) -> [f64; 3] {
        loop {
            let beside = |k: usize| surface.mesh.triangles.beside(self.triangle, (k + 1) % 3);
            let near = (0..3).filter(|&k| b[k].abs() <= -INSIDE).filter_map(beside);
            let lower = near.filter(|&next| next < self.triangle).find_map(|next| {
                let patch = Self::new(surface, next);
                let b = patch.barycentric(place);
                b.iter().all(|&b| b >= INSIDE).then_some((patch, b))
            });
            let Some((patch, to)) = lower else { return b };
            (*self, b) = (patch, to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use crate::mesh::Lattice;
    use proptest::prelude::*;

    fn bumpy(mesh: &Mesh, seed: u64) -> Vec<f64> {
        (0..mesh.len()).map(|n| 50.0 * Seed(seed).unit_at(n as i64, 7)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn windows_have_the_values_of_the_whole_map(seed: u64, x in 0usize..60, y in 0usize..40, w in 1usize..40, h in 1usize..30) {
            let ctx = Ctx::default();
            let mesh = Mesh::new(Lattice { columns: 17, rows: 13, spacing_m: 20.0, first: (0, 0) }, Seed(seed));
            let values = bumpy(&mesh, seed);
            let surface = Surface::new(&mesh, &values, &ctx).unwrap();
            let whole = surface.raster(&Frame::new(100, 70, 3.0), &ctx).unwrap();
            let frame = Frame { origin: (3.0 * x as f64, 3.0 * y as f64), ..Frame::new(w, h, 3.0) };
            let part = surface.raster(&frame, &ctx).unwrap();
            prop_assert!(part.iter().all(|((i, j), v)| v.to_bits() == whole[(x + i, y + j)].to_bits()));
        }

        #[test]
        fn on_an_edge_the_value_does_not_depend_on_the_walk(seed: u64, share in 0.0f64..1.0, from in 0usize..300) {
            let ctx = Ctx::default();
            let mesh = Mesh::new(Lattice { columns: 17, rows: 13, spacing_m: 20.0, first: (0, 0) }, Seed(seed));
            let values = bumpy(&mesh, seed);
            let surface = Surface::new(&mesh, &values, &ctx).unwrap();
            for (t, corners) in mesh.triangles().iter().enumerate().step_by(7) {
                let [a, b] = [mesh.at(corners[0] as usize), mesh.at(corners[1] as usize)];
                let place = (a.0 + share * (b.0 - a.0), a.1 + share * (b.1 - a.1));
                let begin = |triangle: usize| Patch::new(&surface, triangle).value(&surface, place).to_bits();
                prop_assert_eq!(begin(t), begin((t + from) % mesh.triangles().len()));
            }
        }

        #[test]
        fn planes_are_kept_and_the_surface_passes_through_the_nodes(
            seed: u64, a in -1.0f64..1.0, b in -1.0f64..1.0, c in -100.0f64..100.0
        ) {
            let ctx = Ctx::default();
            let mesh = Mesh::new(Lattice { columns: 17, rows: 13, spacing_m: 20.0, first: (-4, 6) }, Seed(seed));
            let plane = |(x, y): Point| a * x + b * y + c;
            let values: Vec<f64> = (0..mesh.len()).map(|n| plane(mesh.at(n))).collect();
            let flat = Surface::new(&mesh, &values, &ctx).unwrap();
            let bumps = bumpy(&mesh, seed);
            let rough = Surface::new(&mesh, &bumps, &ctx).unwrap();
            for k in 0..200i64 {
                let at = (-80.0 + 320.0 * Seed(seed).unit_at(k, 0), 120.0 + 240.0 * Seed(seed).unit_at(k, 1));
                prop_assert!((flat.at(at) - plane(at)).abs() < 1e-6);
            }
            for (n, bump) in bumps.iter().enumerate() {
                prop_assert!((rough.at(mesh.at(n)) - bump).abs() < 1e-6);
            }
        }

        #[test]
        fn there_is_no_crease_along_the_edges(seed: u64) {
            let ctx = Ctx::default();
            let mesh = Mesh::new(Lattice::new(12, 12, 20.0), Seed(seed));
            let values = bumpy(&mesh, seed);
            let surface = Surface::new(&mesh, &values, &ctx).unwrap();
            for (t, corners) in mesh.triangles().iter().enumerate() {
                for k in 0..3 {
                    if mesh.triangles.beside(t, k).is_none() {
                        continue;
                    }
                    let (p, q) = (mesh.at(corners[k] as usize), mesh.at(corners[(k + 1) % 3] as usize));
                    let long = line_length(p, q);
                    let (nx, ny) = (-(q.1 - p.1) / long, (q.0 - p.0) / long);
                    for share in [0.25, 0.5, 0.8] {
                        let at = (p.0 + share * (q.0 - p.0), p.1 + share * (q.1 - p.1));
                        let step = 1e-6;
                        let h = |s: f64| surface.at((at.0 + nx * s * step, at.1 + ny * s * step));
                        // The slopes on both sides, each over the same distance.
                        let (left, right) = ((h(-1.0) - h(-3.0)) / 2.0, (h(3.0) - h(1.0)) / 2.0);
                        prop_assert!((left - right).abs() < 1e-2 * step, "{} and {}", left, right);
                    }
                }
            }
        }
    }

    fn line_length(p: Point, q: Point) -> f64 {
        crate::line::length(&[p, q])
    }

    #[test]
    fn a_raster_holds_the_values_at_its_cell_centres_and_a_finer_mesh_those_at_its_nodes() {
        let ctx = Ctx::default();
        let mesh = Mesh::new(Lattice::new(20, 20, 30.0), Seed(4));
        let values = bumpy(&mesh, 4);
        let surface = Surface::new(&mesh, &values, &ctx).unwrap();
        let frame = Frame { origin: (-40.0, -20.0), ..Frame::new(90, 70, 7.5) };
        let raster = surface.raster(&frame, &ctx).unwrap();
        for ((x, y), &h) in raster.iter() {
            assert!((h as f64 - surface.at(frame.cell_centre(x, y))).abs() < 1e-4);
        }
        let fine = Mesh::new(Lattice::new(39, 39, 15.0), Seed(4));
        let nodes = surface.nodes(&fine, &ctx).unwrap();
        assert!(nodes.iter().enumerate().all(|(n, &h)| (h - surface.at(fine.at(n))).abs() < 1e-6));
    }
}
