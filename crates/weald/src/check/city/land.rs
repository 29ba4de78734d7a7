//! A city builder's land as its folder holds it.

use super::Rule;
use crate::check::fill;
use crate::check::map::{LayerKind, Map, MapWorld};
use crate::check::rivers::{Course, Rivers, own_cells};
use crate::check::rule::Checked;
use crate::error::Result;
use crate::files;
use std::cell::OnceCell;
use std::ops::Deref;
use weald_core::Grid;

/// How far two levels of water that should be the same may differ, in metres.
pub(super) const LEVEL_M: f64 = 1e-3;

/// A map with all that is known of it.
pub(super) struct City {
    map: Map,
    level: OnceCell<Grid<f32>>,
    courses: OnceCell<Vec<Course>>,
    owners: OnceCell<Vec<u32>>,
}

impl Deref for City {
    type Target = Map;
    fn deref(&self) -> &Map {
        &self.map
    }
}

impl Checked for City {
    const RULES: &'static [&'static [Rule]] = super::RULES;

    fn has(&self, name: &str) -> bool {
        self.map.has(name)
    }
}

impl MapWorld for City {
    const LAYERS: &'static [LayerKind] = &[
        ("height_before", "float32", Some("m")),
        ("zones", "float32", None),
        ("height", "float32", Some("m")),
        ("slope", "float32", None),
        ("buildable", "uint8", None),
        ("uplift", "float32", Some("m")),
        ("eroded", "float32", Some("m")),
        ("deposited", "float32", Some("m")),
        ("flow_accumulation", "uint32", Some("cells")),
        ("lake_id", "uint32", None),
        ("river_id", "uint32", None),
    ];
    const SHAPES: &'static [&'static str] = &["rivers", "lakes", "water_sources"];

    fn of(map: Map) -> Result<Self> {
        Ok(Self { map, level: OnceCell::new(), courses: OnceCell::new(), owners: OnceCell::new() })
    }
}

impl City {
    /// The classes of buildable land. Only for rules that need them.
    pub(super) fn classes(&self) -> &Grid<u8> {
        self.bytes("buildable")
    }

    /// The level of standing water over `height`.
    pub(super) fn level(&self) -> &Grid<f32> {
        self.level.get_or_init(|| fill::level(self.floats("height"), |i| self.in_sea(i)))
    }

    /// The rivers, as cells: those of the layer `river_id`, in the order of their accumulation, which grows downstream, and for
    /// a tributary the cell where its line ends. Only for rules that need `river_id` and `flow_accumulation`.
    pub(super) fn courses(&self) -> &[Course] {
        self.courses.get_or_init(|| {
            let course = |(shape, cells)| Course::through(self, shape, cells);
            self.shapes("rivers").iter().zip(own_cells(self)).map(course).collect()
        })
    }

    /// The rivers.
    pub(super) fn rivers(&self) -> Rivers<'_> {
        Rivers { map: self, shapes: self.shapes("rivers"), courses: self.courses() }
    }

    /// For each cell the number of its river plus 1, 0 without one. Where a tributary ends is its parent's.
    pub(super) fn owners(&self) -> &[u32] {
        self.owners.get_or_init(|| self.rivers().owners())
    }

    /// Whether a cell lies in the sea: its ground is at 0 m or lower. Only for rules that need the height.
    pub(super) fn in_sea(&self, i: usize) -> bool {
        self.floats("height").cells()[i] <= 0.0
    }

    /// Whether water may leave the map at a cell: on the border and in the sea. Only for rules that need the height.
    pub(super) fn may_end(&self, i: usize) -> bool {
        self.on_border(i) || self.in_sea(i)
    }

    /// Whether a cell lies in the first row or column inside the border.
    pub(super) fn beside_border(&self, i: usize) -> bool {
        let (x, y) = (i % self.width, i / self.width);
        !self.on_border(i) && (x == 1 || y == 1 || x + 2 == self.width || y + 2 == self.height)
    }

    /// Whether the land before erosion was given, not made.
    pub(super) fn derived(&self) -> bool {
        files::is_file(&self.dir.join("maps/h.npy"))
    }
}
