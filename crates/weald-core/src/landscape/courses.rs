//! Rivers of a landscape as lines.

use super::Landscape;
use crate::Seed;
use crate::line::{self, Lerp, Meander, Placed, Point};
use crate::math;
use crate::mesh::Mesh;

/// A river through the nodes of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Nodes from source to mouth. The last node of a tributary belongs to its parent.
    pub nodes: Vec<u32>,
    /// The river that it flows into, which comes earlier in the list.
    pub parent: Option<usize>,
}

/// The rivers of a landscape: nodes through which at least `from_m2` drains, ordered by the area at their mouths, the largest
/// first, and then by the node of the mouth.
///
/// Where rivers meet, the one with the largest area goes on; of equal ones the one with the smaller number. Rivers of a single
/// node of their own are left out. Reach: whole mesh. Cost: linear.
pub fn courses(land: &Landscape, from_m2: f64) -> Vec<Course> {
    let n = land.height.len();
    let channel = |node: usize| land.area_m2[node] >= from_m2;
    let ends = |node: usize| land.receiver[node] as usize == node;
    // The donor from which the main stem comes.
    let mut main = vec![u32::MAX; n];
    for node in (0..n).filter(|&node| channel(node) && !ends(node)) {
        let best = &mut main[land.receiver[node] as usize];
        if *best == u32::MAX || land.area_m2[node] > land.area_m2[*best as usize] {
            *best = node as u32;
        }
    }
    let mut mouths: Vec<usize> = (0..n)
        .filter(|&node| channel(node) && (ends(node) || main[land.receiver[node] as usize] != node as u32))
        .filter(|&node| main[node] != u32::MAX)
        .collect();
    mouths.sort_unstable_by(|&a, &b| land.area_m2[b].total_cmp(&land.area_m2[a]).then(a.cmp(&b)));
    let mut river_of = vec![u32::MAX; n];
    let mut list = Vec::with_capacity(mouths.len());
    for (k, mouth) in mouths.into_iter().enumerate() {
        let mut nodes = Vec::new();
        let parent = (!ends(mouth)).then(|| {
            nodes.push(land.receiver[mouth]);
            river_of[land.receiver[mouth] as usize] as usize
        });
        let mut at = mouth as u32;
        while at != u32::MAX {
            nodes.push(at);
            river_of[at as usize] = k as u32;
            at = main[at as usize];
        }
        nodes.reverse();
        list.push(Course { nodes, parent });
    }
    list
}

/// A place on a river.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Station {
    /// Where it is, in metres.
    pub at: Point,
    /// Height of the ground there, in metres.
    pub height_m: f64,
    /// Area that drains through it, in square metres.
    pub area_m2: f64,
}

impl Lerp for Station {
    fn lerp(self, other: Self, t: f64) -> Self {
        Self {
            at: self.at.lerp(other.at, t),
            height_m: math::lerp(self.height_m, other.height_m, t),
            area_m2: math::lerp(self.area_m2, other.area_m2, t),
        }
    }
}

impl Placed for Station {
    fn place(&self) -> Point {
        self.at
    }
}

/// A river as a smooth line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// From source to mouth.
    pub points: Vec<Station>,
    /// The line in which it ends, which comes earlier in the list, and the vertex of it.
    pub joins: Option<(usize, usize)>,
}

/// How rivers wind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bends {
    /// Slope along the river from which on it does not meander.
    pub steepest: f64,
    /// Rise of the banks, in widths of the river, from which on a bend does not cut into them.
    pub bank: f64,
    /// Distance from one bend to the next on the same side and reach to the side, in widths of the river.
    pub widths: Meander,
}

/// Bends of 11 widths that reach 2.5 widths to the side (Leopold and Wolman 1960, `doi:10.1130/0016-7606(1960)71[769:RM]2.0.CO;2`), on
/// slopes of less than 0.6 % between banks of up to a fifth of the width.
impl Default for Bends {
    fn default() -> Self {
        Self { steepest: 0.006, bank: 0.2, widths: Meander { wavelength: 11.0, amplitude: 2.5 } }
    }
}

/// Rounds of corner cutting.
const ROUNDS: usize = 2;

/// Rivers narrower than this do not meander beyond the bends of their line, in metres; from twice this width on they do fully.
const NARROWEST_M: f64 = 5.0;

/// The rivers as smooth lines, in the order of `courses`.
///
/// The corners of the line through the nodes are cut, and on valley floors the river meanders by its `width`, a function of the
/// drained area, as far as the `ground` beside it allows. Heights fall along every line, and a tributary ends on a vertex of
/// its parent's line. Reach: a bend.
pub fn lines(
    mesh: &Mesh,
    land: &Landscape,
    courses: &[Course],
    wind: &Winding<impl Fn(f64) -> f64, impl Fn(Point) -> f64>,
) -> Vec<Line> {
    let mut all: Vec<Line> = Vec::with_capacity(courses.len());
    for (k, course) in courses.iter().enumerate() {
        let own = course.nodes.len() - course.parent.is_some() as usize;
        let mut stations: Vec<Station> = course.nodes[..own]
            .iter()
            .map(|&node| node as usize)
            .map(|n| Station { at: mesh.at(n), height_m: land.height[n], area_m2: land.area_m2[n] })
            .collect();
        let joins = course.parent.map(|parent| {
            let points = &all[parent].points;
            let vertex = nearest(points, mesh.at(course.nodes[own] as usize));
            let last = stations[own - 1];
            stations.push(Station {
                at: points[vertex].at,
                height_m: points[vertex].height_m.min(last.height_m),
                ..last
            });
            (parent, vertex)
        });
        let bent = wind.bent(line::smooth(&stations, ROUNDS), Seed(wind.seed.at(k as i64, 0)));
        all.push(Line { points: bent, joins });
    }
    all
}

/// How and where rivers wind.
pub struct Winding<W, G> {
    /// Chooses the bends.
    pub seed: Seed,
    /// Their proportions.
    pub bends: Bends,
    /// Width of a river in metres, by the area that drains through it in square metres.
    pub width: W,
    /// Height of the ground, in metres.
    pub ground: G,
}

impl<W: Fn(f64) -> f64, G: Fn(Point) -> f64> Winding<W, G> {
    /// Moves every station to the side by amplitude · noise: noise changes sides once every half wavelength, amplitude and
    /// wavelength follow the width, and the ends stay.
    fn bent(&self, line: Vec<Station>, seed: Seed) -> Vec<Station> {
        let n = line.len();
        let mut way = vec![0.0; n];
        for i in 1..n {
            way[i] = way[i - 1] + line::length(&[line[i - 1].at, line[i].at]);
        }
        let long = way[n - 1];
        let first_side = (seed.at(0, 1) & 1) as i64;
        // Most bends are small and some reach far.
        let bend = |k: i64| {
            let size = seed.unit_at(k, 0);
            let size = 0.1 + 0.9 * size * size;
            if (k + first_side) % 2 == 0 { size } else { -size }
        };
        let mut phase = 0.0;
        let mut out = line.clone();
        for i in 1..n.saturating_sub(1) {
            let wide = (self.width)(line[i].area_m2);
            let wave = self.bends.widths.wavelength * wide.max(NARROWEST_M);
            // Bends are between two thirds and one and a half times as long as the rule.
            let pace = math::lerp(0.67, 1.5, seed.unit_at(phase as i64, 2));
            phase += 2.0 * pace * (way[i] - way[i - 1]) / wave;
            let fade = wave.min(long / 2.0);
            let ends = math::smoothstep(way[i] / fade) * math::smoothstep((long - way[i]) / fade);
            // Slope and direction over half a bend to both sides.
            let (a, b) = (
                way.partition_point(|&w| w < way[i] - wave / 4.0),
                way.partition_point(|&w| w < way[i] + wave / 4.0).min(n - 1),
            );
            let (dx, dy) = (line[b].at.0 - line[a].at.0, line[b].at.1 - line[a].at.1);
            let chord = (dx * dx + dy * dy).sqrt();
            let slope = (line[a].height_m - line[b].height_m) / (way[b] - way[a]).max(1.0);
            let calm = 1.0 - math::clamp01(slope / self.bends.steepest);
            let calm = calm * math::clamp01(wide / NARROWEST_M - 1.0);
            if chord == 0.0 || calm * ends == 0.0 {
                continue;
            }
            let noise = math::lerp(
                bend(phase as i64),
                bend(phase as i64 + 1),
                math::smoothstep(phase - phase.floor()),
            );
            let push = self.bends.widths.amplitude * wide * ends * calm * noise;
            let side = |push: f64| (line[i].at.0 - dy / chord * push, line[i].at.1 + dx / chord * push);
            let rise = (self.ground)(side(push)) - line[i].height_m;
            let free = 1.0 - math::clamp01(rise / (self.bends.bank * wide));
            out[i].at = side(push * free);
        }
        out
    }
}

/// The level of the water at every vertex of every line, in their order.
///
/// The water of a line stands at the lowest `ground` that the line has passed, and falls by at least `least_slope`; where a
/// tributary comes in it stands no higher than that. Reach: all that lies upstream. Cost: linear.
pub fn levels(lines: &[Line], least_slope: f64, ground: impl Fn(&Station) -> f64) -> Vec<Vec<f64>> {
    let mut caps: Vec<Vec<(usize, f64)>> = vec![Vec::new(); lines.len()];
    let mut all = vec![Vec::new(); lines.len()];
    // Tributaries come after their parents in the list, and so before them here.
    for (k, line) in lines.iter().enumerate().rev() {
        caps[k].sort_unstable_by_key(|cap| cap.0);
        let mut cap = caps[k].iter().peekable();
        let (mut level, mut last) = (f64::INFINITY, line.points[0].at);
        for (i, station) in line.points.iter().enumerate() {
            let fall = least_slope * line::length(&[last, station.at]);
            last = station.at;
            level = (level - fall).min(ground(station));
            while let Some(low) = cap.next_if(|cap| cap.0 <= i) {
                level = level.min(low.1);
            }
            all[k].push(level);
        }
        if let Some((parent, vertex)) = line.joins {
            caps[parent].push((vertex, level));
        }
    }
    all
}

/// The vertex of a line that is nearest to a place.
fn nearest(line: &[Station], place: Point) -> usize {
    let far = |i: &usize| {
        let (dx, dy) = (line[*i].at.0 - place.0, line[*i].at.1 - place.1);
        dx * dx + dy * dy
    };
    (0..line.len()).min_by(|a, b| far(a).total_cmp(&far(b))).expect("a river has nodes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ctx;
    use crate::landscape::{Evolution, Ground, evolve};
    use crate::mesh::Lattice;
    use proptest::prelude::*;

    fn land(side: usize, seed: u64) -> (Mesh, Landscape) {
        let mesh = Mesh::new(Lattice::new(side, side, 100.0), Seed(seed));
        let start = (0..mesh.len()).map(|n| 20.0 * Seed(seed).unit_at(n as i64, 1)).collect();
        let ground = Ground::uniform(&mesh, 5e-4, 2e-5);
        let rule = Evolution { steps: 12, ..Evolution::default() };
        let land = evolve(&mesh, start, &ground, &rule, &Ctx::default()).unwrap();
        (mesh, land)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn every_channel_node_belongs_to_one_river_and_the_larger_branch_goes_on(side in 6usize..30, seed: u64) {
            let (_, land) = land(side, seed);
            let from = 8e4;
            let rivers = courses(&land, from);
            let mut owner = vec![usize::MAX; land.height.len()];
            for (k, river) in rivers.iter().enumerate() {
                let own = river.nodes.len() - river.parent.is_some() as usize;
                prop_assert!(own > 1);
                for w in river.nodes.windows(2) {
                    prop_assert_eq!(land.receiver[w[0] as usize], w[1]);
                }
                for &n in &river.nodes[..own] {
                    prop_assert_eq!(std::mem::replace(&mut owner[n as usize], k), usize::MAX);
                    prop_assert!(land.area_m2[n as usize] >= from);
                }
                if let Some(parent) = river.parent {
                    let joins = *river.nodes.last().unwrap() as usize;
                    prop_assert!(parent < k);
                    prop_assert_eq!(owner[joins], parent);
                    let at = rivers[parent].nodes.iter().position(|&n| n as usize == joins).unwrap();
                    let rival = land.area_m2[rivers[parent].nodes[at - 1] as usize];
                    prop_assert!(rival >= land.area_m2[river.nodes[own - 1] as usize]);
                }
            }
            for n in (0..land.height.len()).filter(|&n| owner[n] == usize::MAX && land.area_m2[n] >= from) {
                let feeds = |m: usize| land.receiver[m] as usize == n && m != n && land.area_m2[m] >= from;
                prop_assert!((0..land.height.len()).all(|m| !feeds(m)), "only single nodes are left out");
            }
        }

        #[test]
        fn lines_fall_and_tributaries_end_on_their_parents(side in 8usize..30, seed: u64) {
            let (mesh, land) = land(side, seed);
            let rivers = courses(&land, 8e4);
            let width = |area: f64| 1e-2 * area.sqrt();
            let wind = Winding { seed: Seed(seed), bends: Bends::default(), width, ground: |_| 0.0 };
            let lines = lines(&mesh, &land, &rivers, &wind);
            prop_assert_eq!(lines.len(), rivers.len());
            for (line, river) in lines.iter().zip(&rivers) {
                prop_assert!(line.points.windows(2).all(|w| w[1].height_m <= w[0].height_m + 1e-9));
                prop_assert!(line.points.windows(2).all(|w| w[1].area_m2 >= w[0].area_m2 - 1e-6));
                prop_assert_eq!(line.points[0].at, mesh.at(river.nodes[0] as usize));
                prop_assert_eq!(line.joins.map(|j| j.0), river.parent);
                let end = line.points.last().unwrap().at;
                match line.joins {
                    Some((parent, vertex)) => prop_assert_eq!(end, lines[parent].points[vertex].at),
                    None => prop_assert_eq!(end, mesh.at(*river.nodes.last().unwrap() as usize)),
                }
            }
        }
    }

    #[test]
    fn water_never_rises_and_stands_no_higher_than_the_ground_and_what_comes_in() {
        let (mesh, land) = land(24, 3);
        let rivers = courses(&land, 8e4);
        let wind = Winding { seed: Seed(3), bends: Bends::default(), width: |_| 1.0, ground: |_| 0.0 };
        let lines = lines(&mesh, &land, &rivers, &wind);
        assert!(lines.iter().any(|line| line.joins.is_some()), "one has a parent");
        // Bumpy ground: a line passes low and high places.
        let ground = |s: &Station| s.height_m + 5.0 * Seed(9).unit_at(s.at.0 as i64, s.at.1 as i64);
        let levels = levels(&lines, 1e-4, ground);
        for (line, level) in lines.iter().zip(&levels) {
            assert_eq!(line.points.len(), level.len());
            assert!(line.points.iter().zip(level).all(|(s, &l)| l <= ground(s)));
            for (p, l) in line.points.windows(2).zip(level.windows(2)) {
                assert!(l[1] <= l[0] - 1e-4 * line::length(&[p[0].at, p[1].at]) + 1e-9);
            }
            if let Some((parent, vertex)) = line.joins {
                assert!(levels[parent][vertex] <= level[level.len() - 1]);
            }
        }
    }

    #[test]
    fn a_wide_river_winds_on_a_plain_and_not_between_high_banks() {
        let straight: Vec<Station> = (0..400)
            .map(|i| Station { at: (10.0 * i as f64, 0.0), height_m: 10.0 - 1e-3 * i as f64, area_m2: 1.0 })
            .collect();
        let side = |ground: fn(Point) -> f64| {
            let wind = Winding { seed: Seed(1), bends: Bends::default(), width: |_| 30.0, ground };
            let bent = wind.bent(straight.clone(), Seed(2));
            assert_eq!((bent[0], bent[399]), (straight[0], straight[399]));
            bent.iter().map(|s| s.at.1.abs()).fold(0.0, f64::max)
        };
        let plain = side(|_| 10.0);
        assert!(plain > 20.0 && plain <= 75.0, "{plain}");
        assert!(side(|(_, y)| 10.0 + 10.0 * y.abs()) < 5.0);
    }
}
