//! Delaunay triangulation of jittered nodes, by flips from the squares of their lattice.

use super::PARTS;

/// No triangle on the other side: an edge of the border.
const OUTSIDE: u32 = u32::MAX;

/// Triangles and what lies beside them. Edge k of a triangle runs from its corner k to corner k + 1; half-edge 3t + k is edge
/// k of triangle t.
#[derive(Clone, Debug)]
pub(super) struct Triangles {
    corners: Vec<[u32; 3]>,
    /// The half-edge on the other side of each half-edge.
    twins: Vec<[u32; 3]>,
}

impl Triangles {
    /// Triangulates nodes that keep the order of their squares.
    ///
    /// A row of nodes lies north of the next one and a column west of the next one, so four neighbouring nodes make a simple
    /// quadrilateral, and one of its diagonals lies inside. These triangles cover the rectangle. Then every edge whose circle
    /// holds the opposite corner is flipped, until none is left (Lawson 1977). The tests are exact in integers. The
    /// triangulation is unique: of two diagonals on one circle the one with the smallest node stays. Nodes are at most 3
    /// squares apart, because a circle with a radius of √2 squares holds a whole square and so a node.
    pub(super) fn new(at: &[(i32, i32)], columns: usize, rows: usize) -> Self {
        let mut mesh = Self::of_squares(at, columns, rows);
        let mut dirty: Vec<u32> = Vec::new();
        for start in 0..mesh.corners.len() as u32 * 3 {
            // The other half was here before, or was tested again after the flips that moved it.
            if mesh.twins[start as usize / 3][start as usize % 3] < start {
                continue;
            }
            dirty.push(start);
            while let Some(edge) = dirty.pop() {
                mesh.legalise(edge, at, &mut dirty);
            }
        }
        mesh
    }

    pub(super) fn corners(&self) -> &[[u32; 3]] {
        &self.corners
    }

    /// The triangle on the other side of an edge.
    pub(super) fn beside(&self, triangle: usize, edge: usize) -> Option<usize> {
        let twin = self.twins[triangle][edge];
        (twin != OUTSIDE).then_some(twin as usize / 3)
    }

    fn of_squares(at: &[(i32, i32)], columns: usize, rows: usize) -> Self {
        let (across, down) = (columns - 1, rows - 1);
        let mut corners = Vec::with_capacity(across * down * 2);
        let mut twins = Vec::with_capacity(across * down * 2);
        // Half-edges on the sides of the squares of this row: [north, east, south, west]; and whether the diagonal runs
        // from the north-west.
        let sides = |square: usize, north_west: bool| -> [u32; 4] {
            let (t, u) = (square as u32 * 6, square as u32 * 6 + 3);
            if north_west { [t, t + 1, u + 1, u + 2] } else { [t, u, u + 1, t + 2] }
        };
        let mut splits = Vec::with_capacity(across * down);
        for j in 0..down {
            for i in 0..across {
                let a = j * columns + i;
                let [a, b, c, d] = [a, a + 1, a + columns + 1, a + columns].map(|n| n as u32);
                let p = |n: u32| at[n as usize];
                let inside = turn(p(a), p(c), p(b)) < 0 && turn(p(a), p(c), p(d)) > 0;
                let other = turn(p(b), p(d), p(c)) < 0 && turn(p(b), p(d), p(a)) > 0;
                let north_west = inside && (!other || in_circle(p(a), p(b), p(c), p(d)) <= 0);
                splits.push(north_west);
                corners.extend(if north_west { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
            }
        }
        for (square, &north_west) in splits.iter().enumerate() {
            let (i, j) = (square % across, square / across);
            let beyond = |here: bool, square: usize, side: usize| {
                if here { sides(square, splits[square])[side] } else { OUTSIDE }
            };
            let north = beyond(j > 0, square.wrapping_sub(across), 2);
            let east = beyond(i + 1 < across, square + 1, 3);
            let south = beyond(j + 1 < down, square + across, 0);
            let west = beyond(i > 0, square.wrapping_sub(1), 1);
            let (t, u) = (square as u32 * 6, square as u32 * 6 + 3);
            twins.extend(if north_west {
                [[north, east, u], [t + 2, south, west]]
            } else {
                [[north, u + 2, west], [east, south, t + 1]]
            });
        }
        Self { corners, twins }
    }

    /// Flips the edge if the opposite corner lies in the circle of its triangle, and hands on the four edges around it.
    fn legalise(&mut self, edge: u32, at: &[(i32, i32)], dirty: &mut Vec<u32>) {
        let twin = self.twins[edge as usize / 3][edge as usize % 3];
        if twin == OUTSIDE {
            return;
        }
        let ((t, k), (u, l)) = (split(edge), split(twin));
        let ([p, q, r], [_, _, s]) = (turned(self.corners[t], k), turned(self.corners[u], l));
        // p → q is the edge, r and s are opposite.
        let place = |n: u32| at[n as usize];
        let sign = in_circle(place(p), place(q), place(r), place(s));
        if sign < 0 || (sign == 0 && p.min(q) <= r.min(s)) {
            return;
        }
        let ([_, qr, rp], [_, ps, sq]) = (turned(self.twins[t], k), turned(self.twins[u], l));
        self.corners[t] = [r, s, q];
        self.corners[u] = [s, r, p];
        let (t3, u3) = (t as u32 * 3, u as u32 * 3);
        self.twins[t] = [u3, sq, qr];
        self.twins[u] = [t3, rp, ps];
        for (outer, inner) in [(sq, t3 + 1), (qr, t3 + 2), (rp, u3 + 1), (ps, u3 + 2)] {
            if outer != OUTSIDE {
                let (v, m) = split(outer);
                self.twins[v][m] = inner;
            }
        }
        dirty.extend([t3 + 1, t3 + 2, u3 + 1, u3 + 2]);
    }

    /// Calls `visit` for every edge in both directions.
    #[inline(always)]
    fn edges(&self, mut visit: impl FnMut(u32, u32)) {
        for (&[a, b, c], twins) in self.corners.iter().zip(&self.twins) {
            for ((from, to), &twin) in [(a, b), (b, c), (c, a)].into_iter().zip(twins) {
                visit(from, to);
                // An edge of the border has no other half that would name the neighbour back.
                if twin == OUTSIDE {
                    visit(to, from);
                }
            }
        }
    }

    /// Where the neighbours of every node begin in the second list, which holds them in ascending order.
    pub(super) fn neighbours(&self, nodes: usize) -> (Vec<u32>, Vec<u32>) {
        let mut first = vec![0u32; nodes + 1];
        self.edges(|from, _| first[from as usize + 1] += 1);
        for i in 0..nodes {
            first[i + 1] += first[i];
        }
        let mut neighbours = vec![0u32; first[nodes] as usize];
        let mut next = first.clone();
        self.edges(|from, to| {
            let at = &mut next[from as usize];
            neighbours[*at as usize] = to;
            *at += 1;
        });
        for i in 0..nodes {
            neighbours[first[i] as usize..first[i + 1] as usize].sort_unstable();
        }
        (first, neighbours)
    }
}

/// Triangle and edge of a half-edge.
fn split(half: u32) -> (usize, usize) {
    (half as usize / 3, half as usize % 3)
}

/// The three values from the one with number k on.
fn turned(v: [u32; 3], k: usize) -> [u32; 3] {
    [v[k], v[(k + 1) % 3], v[(k + 2) % 3]]
}

/// Twice the area of the triangle, positive if a → b → c turns to the right on a map whose y points south.
#[inline]
fn turn(a: (i32, i32), b: (i32, i32), c: (i32, i32)) -> i64 {
    let d = |v: i32, w: i32| (v - w) as i64;
    d(b.0, a.0) * d(c.1, a.1) - d(b.1, a.1) * d(c.0, a.0)
}

/// Positive if d lies inside the circle through a, b and c, which must turn to the right; 0 if on it. Places are at most 6
/// squares apart, so the products stay below 2⁶³.
#[inline]
fn in_circle(a: (i32, i32), b: (i32, i32), c: (i32, i32), d: (i32, i32)) -> i64 {
    const { assert!(6 * PARTS < 1 << 15) };
    let v = |p: (i32, i32)| {
        let (x, y) = ((p.0 - d.0) as i64, (p.1 - d.1) as i64);
        (x, y, x * x + y * y)
    };
    let ((ax, ay, aa), (bx, by, bb), (cx, cy, cc)) = (v(a), v(b), v(c));
    aa * (bx * cy - by * cx) - bb * (ax * cy - ay * cx) + cc * (ax * by - ay * bx)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;
    use crate::mesh::{Lattice, Mesh};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The same test in 128 bits.
    fn in_circle_wide(a: (i32, i32), b: (i32, i32), c: (i32, i32), d: (i32, i32)) -> i128 {
        let v = |p: (i32, i32)| {
            let (x, y) = ((p.0 - d.0) as i128, (p.1 - d.1) as i128);
            (x, y, x * x + y * y)
        };
        let ((ax, ay, aa), (bx, by, bb), (cx, cy, cc)) = (v(a), v(b), v(c));
        aa * (bx * cy - by * cx) - bb * (ax * cy - ay * cx) + cc * (ax * by - ay * bx)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn no_circle_through_a_triangle_holds_a_node_and_the_triangles_cover_the_rectangle(
            columns in 2usize..14, rows in 2usize..14, seed: u64
        ) {
            let mesh = Mesh::new(Lattice::new(columns, rows, 10.0), Seed(seed));
            let mut twice = 0;
            for &[a, b, c] in mesh.triangles() {
                let (p, q, r) = (mesh.at[a as usize], mesh.at[b as usize], mesh.at[c as usize]);
                prop_assert!(turn(p, q, r) > 0, "a triangle turns to the left");
                twice += turn(p, q, r);
                for &node in &mesh.at {
                    prop_assert!(in_circle_wide(p, q, r, node) <= 0);
                }
            }
            prop_assert_eq!(twice, 2 * PARTS * PARTS * (columns - 1) as i64 * (rows - 1) as i64);
        }

        #[test]
        fn neighbours_are_the_corners_of_common_triangles_and_beside_leads_back(
            columns in 2usize..12, rows in 2usize..12, seed: u64
        ) {
            let mesh = Mesh::new(Lattice::new(columns, rows, 10.0), Seed(seed));
            let mut near = vec![BTreeSet::new(); mesh.len()];
            for (t, corners) in mesh.triangles().iter().enumerate() {
                for k in 0..3 {
                    let (a, b) = (corners[k], corners[(k + 1) % 3]);
                    near[a as usize].insert(b);
                    near[b as usize].insert(a);
                    if let Some(other) = mesh.triangles.beside(t, k) {
                        let back = (0..3).filter(|&l| mesh.triangles.beside(other, l) == Some(t)).count();
                        prop_assert_eq!(back, 1);
                        prop_assert!(mesh.triangles()[other].contains(&a) && mesh.triangles()[other].contains(&b));
                    } else {
                        prop_assert!(mesh.is_border(a as usize) && mesh.is_border(b as usize));
                    }
                }
            }
            for (node, near) in near.iter().enumerate() {
                prop_assert_eq!(mesh.neighbours(node), near.iter().copied().collect::<Vec<u32>>());
                for (&n, &length) in mesh.neighbours(node).iter().zip(mesh.lengths(node)) {
                    let (p, q) = (mesh.at(node), mesh.at(n as usize));
                    let far = ((p.0 - q.0) * (p.0 - q.0) + (p.1 - q.1) * (p.1 - q.1)).sqrt();
                    prop_assert!((far - length as f64).abs() < 1e-5 * far);
                    // A circle with a radius of √2 squares holds a node.
                    prop_assert!(far < 2.0 * 2f64.sqrt() * 10.0 + 1e-9);
                }
            }
        }
    }

    #[test]
    fn a_mesh_is_a_function_of_place_away_from_its_border() {
        let whole = Mesh::new(Lattice::new(40, 40, 25.0), Seed(3));
        let part = Mesh::new(Lattice { columns: 24, rows: 20, spacing_m: 25.0, first: (9, 12) }, Seed(3));
        let edges = |mesh: &Mesh| {
            let (l, mut out) = (*mesh.lattice(), BTreeSet::new());
            let square = |n: usize| ((n % l.columns) as i64 + l.first.0, (n / l.columns) as i64 + l.first.1);
            for node in 0..mesh.len() {
                out.extend(mesh.neighbours(node).iter().map(|&n| (square(node), square(n as usize))));
            }
            // At least five squares inside the smaller mesh.
            out.retain(|&((x, y), _)| (14..28).contains(&x) && (17..27).contains(&y));
            out
        };
        assert_eq!(edges(&part), edges(&whole));
        assert!(edges(&part).len() > 500);
    }

    #[test]
    fn of_four_nodes_on_one_circle_the_diagonal_with_the_smallest_stays() {
        // Without jitter every square is such a case.
        let at: Vec<(i32, i32)> = (0..25).map(|i| (i % 5 * PARTS as i32, i / 5 * PARTS as i32)).collect();
        let mesh = Triangles::new(&at, 5, 5);
        for &[a, b, c] in mesh.corners() {
            let least = a.min(b).min(c);
            assert!([a, b, c].contains(&(least + 6)), "{a}, {b}, {c}");
        }
    }
}
