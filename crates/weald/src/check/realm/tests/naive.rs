//! A small realm drawn by hand, and what follows from it found by the plainest means.

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use weald_core::{Dir8, dir8};

/// Columns.
pub(super) const W: usize = 60;
/// Rows.
pub(super) const H: usize = 48;
/// Metres a tile.
pub(super) const CELL_M: f64 = 1000.0;

/// Level of the lake.
pub(super) const LEVEL_M: f32 = 315.0;

/// Names of the biomes.
const BIOMES: [&str; 10] = [
    "ocean",
    "lake",
    "tundra",
    "boreal",
    "forest",
    "grassland",
    "wetland",
    "mountain",
    "desert",
    "subtropical",
];
/// The bands of biomes from north to south: code and first row.
const BANDS: [(u8, usize); 6] = [(2, 0), (7, 7), (5, 14), (4, 23), (6, 32), (0, 40)];

/// The tile at a column and a row.
pub(super) fn tile(x: usize, y: usize) -> usize {
    y * W + x
}

/// Neighbours of a tile with their directions.
fn around(i: usize) -> Vec<(Dir8, usize)> {
    let mut out = Vec::new();
    dir8::neighbours(W, H, i % W, i / W, |d, x, y| out.push((d, tile(x, y))));
    out
}

/// The centre of a tile.
pub(super) fn centre(i: usize) -> Value {
    json!([((i % W) as f64 + 0.5) * CELL_M, ((i / W) as f64 + 0.5) * CELL_M])
}

/// The tiles of a line that goes straight from corner to corner, along x, y or a diagonal.
pub(super) fn path(corners: &[(usize, usize)]) -> Vec<usize> {
    let mut out = vec![tile(corners[0].0, corners[0].1)];
    for &(x, y) in corners {
        let toward = |from: usize, to: usize| (from + usize::from(to > from)) - usize::from(to < from);
        while *out.last().unwrap() != tile(x, y) {
            let at = *out.last().unwrap();
            out.push(tile(toward(at % W, x), toward(at / W, y)));
        }
    }
    out
}

#[derive(Clone)]
pub(super) struct River {
    pub(super) tiles: Vec<usize>,
    pub(super) mouth: &'static str,
    pub(super) parent: Option<usize>,
    pub(super) order: u8,
    /// Where it leaves the map.
    pub(super) out: Option<Dir8>,
}

/// A railroad or a road.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) tiles: Vec<usize>,
    pub(super) joins: (usize, usize),
}

#[derive(Clone)]
pub(super) struct Place {
    pub(super) at: (usize, usize),
    pub(super) tier: usize,
    pub(super) landmass: usize,
    pub(super) road: bool,
    pub(super) rail: bool,
}

/// What was drawn by hand.
#[derive(Clone)]
pub(super) struct Plan {
    pub(super) biome: Vec<u8>,
    pub(super) rivers: Vec<River>,
    pub(super) rails: Vec<Way>,
    pub(super) roads: Vec<Way>,
    pub(super) places: Vec<Place>,
}

/// A river from corner to corner.
pub(super) fn river(corners: &[(usize, usize)], mouth: &'static str) -> River {
    River { tiles: path(corners), mouth, parent: None, order: 1, out: None }
}

/// A railroad or road from corner to corner.
pub(super) fn way(corners: &[(usize, usize)], joins: (usize, usize)) -> Way {
    Way { tiles: path(corners), joins }
}

/// A shape with a lake's or an island's coast, 4 columns and 3 rows from a place on.
fn blob((x, y): (usize, usize)) -> [usize; 8] {
    let tiles = [(1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (3, 1), (1, 2), (2, 2)];
    tiles.map(|(dx, dy)| tile(x + dx, y + dy))
}

impl Plan {
    pub(super) fn new() -> Self {
        // Borders go two tiles east, one up or down, two tiles east, and so on.
        let band = |i: usize| {
            let y = (i / W) as i64 - (i % W / 2 % 2) as i64;
            BANDS.iter().rfind(|b| b.1 as i64 <= y.max(0)).unwrap().0
        };
        let mut biome: Vec<u8> = (0..W * H).map(band).collect();
        blob((16, 16)).into_iter().for_each(|i| biome[i] = 1);
        blob((9, 43)).into_iter().for_each(|i| biome[i] = 5);
        let place = |at, tier, road, rail| Place { at, tier, landmass: 1, road, rail };
        let main = [(30, 10), (30, 22), (31, 23), (31, 24), (30, 25), (30, 31), (29, 32), (29, 40)];
        Self {
            biome,
            rivers: vec![
                River { order: 2, ..river(&main, "ocean") },
                River { parent: Some(0), ..river(&[(19, 17), (30, 17)], "river") },
                river(&[(17, 10), (17, 16)], "lake"),
                River { out: Some(Dir8(4)), ..river(&[(6, 36), (0, 36)], "edge") },
            ],
            rails: vec![
                way(&[(10, 28), (52, 28)], (1, 2)),
                way(&[(18, 28), (20, 26), (24, 26), (26, 28)], (1, 2)),
            ],
            roads: vec![
                way(&[(10, 25), (10, 20), (44, 20), (44, 36)], (1, 4)),
                way(&[(10, 20), (10, 13)], (1, 3)),
                way(&[(36, 12), (36, 36), (37, 37), (43, 37)], (5, 4)),
                way(&[(52, 26), (52, 20), (44, 20)], (2, 1)),
                way(&[(36, 31), (44, 31)], (5, 4)),
            ],
            places: vec![
                place((10, 28), 1, true, true),
                place((52, 28), 2, true, true),
                place((10, 12), 3, true, false),
                place((44, 37), 4, true, false),
                place((36, 12), 5, true, false),
                Place { landmass: 2, ..place((10, 44), 5, false, false) },
            ],
        }
    }

    /// The transition of each tile: on land within 3 tiles of another biome, that of the nearest one.
    pub(super) fn transition(&self, i: usize) -> u8 {
        let own = self.biome[i];
        let (x, y) = ((i % W) as i64, (i / W) as i64);
        let apart = |n: usize| ((n % W) as i64 - x).pow(2) + ((n / W) as i64 - y).pow(2);
        let rows = (y - 3).max(0)..(y + 4).min(H as i64);
        let near = rows
            .flat_map(|y| ((x - 3).max(0)..(x + 4).min(W as i64)).map(move |x| (y * W as i64 + x) as usize));
        let nearest = near.filter(|&n| self.biome[n] != own && apart(n) <= 9).min_by_key(|&n| (apart(n), n));
        match nearest {
            Some(n) if own > 1 => kind(own, self.biome[n]),
            _ => 0,
        }
    }

    /// The id of the settlement of each tile.
    pub(super) fn settlement(&self, i: usize) -> u16 {
        let holds = |p: &Place| {
            let (dx, dy) = ((i % W).abs_diff(p.at.0), (i / W).abs_diff(p.at.1));
            let r = [3, 2, 1, 1, 0][p.tier - 1];
            self.biome[i] > 1 && dx * dx + dy * dy <= r * r + r
        };
        self.places.iter().position(holds).map_or(0, |k| k as u16 + 1)
    }

    /// The links of rivers, railroads and roads.
    pub(super) fn links(&self) -> [Vec<u8>; 3] {
        let mut rivers = drawn(self.rivers.iter().map(|r| &r.tiles));
        for r in &self.rivers {
            if let Some(d) = r.out {
                rivers[*r.tiles.last().unwrap()] |= 1 << d.0;
            }
        }
        [rivers, drawn(self.rails.iter().map(|w| &w.tiles)), drawn(self.roads.iter().map(|w| &w.tiles))]
    }

    /// The polygons of all regions, as features.
    pub(super) fn polygons(&self) -> Vec<Value> {
        let mut left: BTreeSet<usize> = (0..W * H).collect();
        let mut out = Vec::new();
        while let Some(&first) = left.first() {
            let mut region = BTreeSet::from([first]);
            let mut open = vec![first];
            while let Some(i) = open.pop() {
                for (d, n) in around(i) {
                    if !d.is_diagonal() && self.biome[n] == self.biome[first] && region.insert(n) {
                        open.push(n);
                    }
                }
            }
            left.retain(|i| !region.contains(i));
            let coordinates: Value = rings(&region).iter().map(|r| ring(r)).collect();
            let mut about = json!({
                "biome": BIOMES[usize::from(self.biome[first])], "tiles": region.len(),
                "area_km2": region.len() as f64 * CELL_M * CELL_M / 1e6,
            });
            if self.biome[first] == 1 {
                about["level_m"] = LEVEL_M.into();
            }
            let geometry = json!({"type": "Polygon", "coordinates": coordinates});
            out.push(json!({"type": "Feature", "id": out.len(), "properties": about, "geometry": geometry}));
        }
        out
    }

    /// The name of the biome at a place.
    pub(super) fn biome_at(&self, (x, y): (usize, usize)) -> &'static str {
        BIOMES[usize::from(self.biome[tile(x, y)])]
    }
}

/// The transition on a tile of a biome beside another one.
fn kind(own: u8, other: u8) -> u8 {
    match (own.min(other), own.max(other)) {
        (0, _) => 4,
        (1, _) => 8,
        (4, 5) => 1,
        (5, 7) => 2,
        (4, 6) => 3,
        // Tundra comes first: boreal, forest, grassland, wetland, mountain.
        (2, high) => 9 + high - 3,
        pair => panic!("{pair:?} do not touch on this map"),
    }
}

/// The links of lines.
fn drawn<'a>(lines: impl Iterator<Item = &'a Vec<usize>>) -> Vec<u8> {
    let mut out = vec![0; W * H];
    for pair in lines.flat_map(|l| l.windows(2)) {
        if let Some((d, _)) = around(pair[0]).into_iter().find(|n| n.1 == pair[1]) {
            out[pair[0]] |= 1 << d.0;
            out[pair[1]] |= 1 << d.opposite().0;
        }
    }
    out
}

type Corner = (usize, usize);

/// The rings around a region, the outer one first, with a vertex at every corner of a tile.
fn rings(region: &BTreeSet<usize>) -> Vec<Vec<Corner>> {
    let has =
        |x: i64, y: i64| x >= 0 && x < W as i64 && y >= 0 && region.contains(&(y as usize * W + x as usize));
    // Edges with the region to their right, by the corner where they begin.
    let mut edges: BTreeMap<Corner, Vec<Corner>> = BTreeMap::new();
    for &i in region {
        let (x, y) = (i % W, i / W);
        let (tx, ty) = (x as i64, y as i64);
        for (beside, from, to) in [
            (has(tx, ty - 1), (x, y), (x + 1, y)),
            (has(tx + 1, ty), (x + 1, y), (x + 1, y + 1)),
            (has(tx, ty + 1), (x + 1, y + 1), (x, y + 1)),
            (has(tx - 1, ty), (x, y + 1), (x, y)),
        ] {
            if !beside {
                edges.entry(from).or_default().push(to);
            }
        }
    }
    let mut out: Vec<Vec<Corner>> = Vec::new();
    while let Some((&start, _)) = edges.iter().find(|e| !e.1.is_empty()) {
        let mut ring = vec![start];
        while let Some(next) = edges.get_mut(ring.last().unwrap()).and_then(Vec::pop) {
            ring.push(next);
        }
        out.push(ring);
    }
    // The outer ring reaches farthest to the north-west.
    out.sort_by_key(|r| r.iter().map(|c| c.0 + c.1).min());
    out
}

/// A ring as coordinates.
pub(super) fn ring(corners: &[Corner]) -> Value {
    corners.iter().map(|&(x, y)| json!([x as f64 * CELL_M, y as f64 * CELL_M])).collect()
}

/// The length of a line in metres.
pub(super) fn length_m(tiles: &[usize]) -> f64 {
    let step = |p: &[usize]| match (p[0] % W == p[1] % W) || (p[0] / W == p[1] / W) {
        true => CELL_M,
        false => CELL_M * 2f64.sqrt(),
    };
    tiles.windows(2).map(step).sum()
}
