//! Islands as their folder holds them.

use super::Rule;
use crate::check::map::{LayerKind, Map, MapWorld};
use crate::check::rivers::{Course, Network, Rivers, own_cells};
use crate::check::rule::Checked;
use crate::error::Result;
use crate::files;
use crate::import;
use std::cell::OnceCell;
use std::ops::Deref;
use weald_core::{Dir8, Grid};

/// No cell: where water leaves the map, and in the sea.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A map with all that is known of it.
pub(super) struct Island {
    map: Map,
    shore: OnceCell<Vec<f64>>,
    drainage: OnceCell<Drainage>,
    courses: OnceCell<Vec<Course>>,
    owners: OnceCell<Vec<u32>>,
    network: OnceCell<Network>,
}

impl Deref for Island {
    type Target = Map;
    fn deref(&self) -> &Map {
        &self.map
    }
}

impl Checked for Island {
    const RULES: &'static [&'static [Rule]] = super::RULES;

    fn has(&self, name: &str) -> bool {
        self.map.has(name)
    }
}

impl MapWorld for Island {
    const LAYERS: &'static [LayerKind] = &[
        ("land", "uint8", None),
        ("shore_distance", "float32", Some("cells")),
        ("height", "float32", Some("m")),
        ("flow_direction", "uint8", None),
        ("flow_accumulation", "uint32", Some("cells")),
        ("moisture", "float32", None),
        ("river_order", "uint8", None),
        ("river_id", "uint32", None),
        ("basin", "uint32", None),
        ("cover", "uint8", None),
    ];
    const SHAPES: &'static [&'static str] = &["rivers", "harbours", "peaks"];

    fn of(map: Map) -> Result<Self> {
        Ok(Self {
            map,
            shore: OnceCell::new(),
            drainage: OnceCell::new(),
            courses: OnceCell::new(),
            owners: OnceCell::new(),
            network: OnceCell::new(),
        })
    }
}

impl Island {
    /// Whether a cell is land. Only for rules that need the layer.
    pub(super) fn is_land(&self, i: usize) -> bool {
        self.bytes("land").cells()[i] != 0
    }

    /// Number of cells of land.
    pub(super) fn land_cells(&self) -> usize {
        self.bytes("land").cells().iter().filter(|&&l| l != 0).count()
    }

    /// Whether a cell is land with the sea or the outside of the map along an edge.
    pub(super) fn is_coast(&self, i: usize) -> bool {
        let sea = |n: usize| !self.is_land(n);
        let w = self.width;
        self.is_land(i) && (self.on_border(i) || sea(i - 1) || sea(i + 1) || sea(i - w) || sea(i + w))
    }

    /// For each cell the distance to the nearest coast in steps of 1 and, along a diagonal, √2; width + height without
    /// any coast.
    ///
    /// A shortest path over open ground takes at most one straight and one diagonal direction, in any order, so one sweep
    /// from the north-west and one from the south-east find it (Rosenfeld and Pfaltz 1966,
    /// <https://doi.org/10.1145/321356.321357>).
    pub(super) fn shore(&self) -> &[f64] {
        self.shore.get_or_init(|| {
            let (w, h) = (self.width, self.height);
            let far = (w + h) as f64;
            let mut d: Vec<f64> =
                (0..self.cells()).map(|i| if self.is_coast(i) { 0.0 } else { f64::INFINITY }).collect();
            for i in 0..d.len() {
                d[i] = nearest(&d, i, (w, h), [4, 5, 6, 7]);
            }
            for i in (0..d.len()).rev() {
                d[i] = nearest(&d, i, (w, h), [0, 1, 2, 3]);
            }
            d.iter_mut().for_each(|v| *v = v.min(far));
            d
        })
    }

    /// Where the water of a cell goes: the neighbour that `flow_direction` names, if that is on the map. Only for rules that need
    /// the layer.
    pub(super) fn below(&self, i: usize) -> Option<usize> {
        let d = Dir8(self.bytes("flow_direction").cells()[i]);
        if !d.is_some() {
            return None;
        }
        let (x, y) =
            ((i % self.width) as i64 + i64::from(d.dx()), (i / self.width) as i64 + i64::from(d.dy()));
        let inside = x >= 0 && y >= 0 && x < self.width as i64 && y < self.height as i64;
        inside.then(|| y as usize * self.width + x as usize)
    }

    /// What follows from `flow_direction` and `land`. Only for rules that need both.
    pub(super) fn drainage(&self) -> &Drainage {
        self.drainage.get_or_init(|| Drainage::of(self))
    }

    /// The rivers, as cells: those of the layer `river_id`, in the order of their accumulation, which grows downstream, and the cell
    /// of the parent or of the sea where its line ends. Only for rules that need `land`, `river_id` and `flow_accumulation`.
    fn courses(&self) -> &[Course] {
        self.courses.get_or_init(|| {
            let course = |(shape, cells)| Course::to_sea(self, shape, cells, |i| !self.is_land(i));
            self.shapes("rivers").iter().zip(own_cells(self)).map(course).collect()
        })
    }

    /// The rivers. Only for rules that need the layers of their cells.
    pub(super) fn rivers(&self) -> Rivers<'_> {
        Rivers { map: self, shapes: self.shapes("rivers"), courses: self.courses() }
    }

    /// For each cell the number of its river plus 1, 0 without one. Only for rules that need the layers of their
    /// cells.
    pub(super) fn owners(&self) -> &[u32] {
        self.owners.get_or_init(|| self.rivers().owners())
    }

    /// Orders and magnitudes of the rivers. Only for rules that need the layers of their cells.
    pub(super) fn network(&self) -> &Network {
        self.network.get_or_init(|| self.rivers().network())
    }

    /// Whether a map of the land was given, not made.
    pub(super) fn derived(&self) -> bool {
        files::is_file(&self.dir.join("maps/h.npy"))
    }

    /// The map that was given.
    pub(super) fn given(&self) -> Result<Option<Grid<f32>>> {
        let path = self.dir.join("maps/h.npy");
        if files::is_file(&path) { import::map(&path).map(Some) } else { Ok(None) }
    }
}

/// The least of a cell and of the ways over four of its neighbours.
fn nearest(d: &[f64], i: usize, (w, h): (usize, usize), directions: [u8; 4]) -> f64 {
    let (x, y) = ((i % w) as i64, (i / w) as i64);
    directions.into_iter().map(Dir8).fold(d[i], |best, dir| {
        let (nx, ny) = (x + i64::from(dir.dx()), y + i64::from(dir.dy()));
        if nx < 0 || ny < 0 || nx >= w as i64 || ny >= h as i64 {
            return best;
        }
        let step = if dir.is_diagonal() { std::f64::consts::SQRT_2 } else { 1.0 };
        best.min(d[ny as usize * w + nx as usize] + step)
    })
}

/// What follows from the directions of flow.
pub(super) struct Drainage {
    /// Land cells that drain through each; 0 in the sea, and on a path that goes round in a circle.
    pub(super) accumulation: Vec<u32>,
    /// The last land cell on the path of each; [`NOWHERE`] in the sea and on a path without end.
    pub(super) last: Vec<u32>,
    /// Numbers of the basins; 0 in the sea and on a path without end.
    pub(super) basin: Vec<u32>,
    /// Cells of each basin, that of number 1 first.
    pub(super) basins: Vec<u32>,
}

impl Drainage {
    /// Lets each cell pass on its accumulation when all cells above it have done so, then follows that order backwards.
    fn of(island: &Island) -> Self {
        let cells = island.cells();
        let land: Vec<usize> = (0..cells).filter(|&i| island.is_land(i)).collect();
        // The next land cell.
        let mut next = vec![NOWHERE; cells];
        let mut waits = vec![0u8; cells];
        for &i in &land {
            if let Some(n) = island.below(i).filter(|&n| island.is_land(n)) {
                next[i] = n as u32;
                waits[n] += 1;
            }
        }
        let mut order: Vec<u32> = land.iter().filter(|&&i| waits[i] == 0).map(|&i| i as u32).collect();
        let mut accumulation = vec![0u32; cells];
        let mut done = 0;
        while done < order.len() {
            let i = order[done] as usize;
            done += 1;
            accumulation[i] += 1;
            if next[i] != NOWHERE {
                let n = next[i] as usize;
                accumulation[n] += accumulation[i];
                waits[n] -= 1;
                if waits[n] == 0 {
                    order.push(n as u32);
                }
            }
        }
        // A circle waits for itself.
        (0..cells).filter(|&i| waits[i] > 0).for_each(|i| accumulation[i] = 0);
        let mut last = vec![NOWHERE; cells];
        let mut ends = Vec::new();
        for &i in order.iter().rev() {
            let n = next[i as usize];
            if n == NOWHERE {
                last[i as usize] = i;
                ends.push(i);
            } else {
                last[i as usize] = last[n as usize];
            }
        }
        ends.sort_unstable_by_key(|&i| (std::cmp::Reverse(accumulation[i as usize]), i));
        let mut number = vec![0u32; cells];
        for (k, &i) in ends.iter().enumerate() {
            number[i as usize] = k as u32 + 1;
        }
        let basin = last.iter().map(|&l| if l == NOWHERE { 0 } else { number[l as usize] }).collect();
        let basins = ends.iter().map(|&i| accumulation[i as usize]).collect();
        Self { accumulation, last, basin, basins }
    }
}
