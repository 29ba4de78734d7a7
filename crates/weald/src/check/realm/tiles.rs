//! A realm as its folder holds it.

use super::Rule;
use super::codes::{Kind, LAKE};
use super::lines::Line;
use super::polygons::{self, Polygon};
use crate::check::map::{LayerKind, Map, MapWorld};
use crate::check::rule::Checked;
use crate::check::shapes::Shape;
use crate::error::Result;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Deref;
use weald_core::Dir8;

/// No region: the class of the tile was not asked for.
pub(super) const NOWHERE: u32 = u32::MAX;
/// How far beyond a footprint the rules for lines are off, in tiles.
const ZONE: usize = 2;

/// A map with all that is known of it.
pub(super) struct Realm {
    map: Map,
    polygons: Option<Vec<Polygon>>,
    zone: OnceCell<Vec<bool>>,
    regions: OnceCell<Regions>,
    landmasses: OnceCell<Regions>,
    footprints: OnceCell<BTreeMap<u16, Vec<usize>>>,
    lines: [OnceCell<Vec<Line>>; 3],
}

impl Deref for Realm {
    type Target = Map;
    fn deref(&self) -> &Map {
        &self.map
    }
}

impl Checked for Realm {
    const RULES: &'static [&'static [Rule]] = super::RULES;
    const ALWAYS: &'static [&'static str] = &[
        "biome",
        "transition",
        "height",
        "surface",
        "moisture",
        "water",
        "river_dirs",
        "rail_dirs",
        "road_dirs",
        "crossing",
        "settlement",
    ];

    fn has(&self, name: &str) -> bool {
        match name {
            polygons::FILE => self.polygons.is_some(),
            _ => self.map.has(name),
        }
    }
}

impl MapWorld for Realm {
    const LAYERS: &'static [LayerKind] = &[
        ("biome", "uint8", None),
        ("transition", "uint8", None),
        ("height", "float32", Some("m")),
        ("surface", "float32", Some("m")),
        ("temperature", "float32", None),
        ("moisture", "float32", None),
        ("water", "uint8", None),
        ("river_dirs", "uint8", None),
        ("rail_dirs", "uint8", None),
        ("road_dirs", "uint8", None),
        ("crossing", "uint8", None),
        ("settlement", "uint16", None),
    ];
    const SHAPES: &'static [&'static str] =
        &["rivers", "railroads", "roads", "settlements", "crossings", "places"];

    fn of(map: Map) -> Result<Self> {
        Ok(Self {
            polygons: polygons::read(&map.dir.join(polygons::FILE))?,
            map,
            zone: OnceCell::new(),
            regions: OnceCell::new(),
            landmasses: OnceCell::new(),
            footprints: OnceCell::new(),
            lines: Default::default(),
        })
    }

    fn polygons_of(&self, file: &str) -> Option<usize> {
        self.polygons.as_ref().filter(|_| polygons::FILE.strip_suffix(".geojson") == Some(file)).map(Vec::len)
    }
}

impl Realm {
    /// Whether a tile is land. Only for rules that need `biome`.
    pub(super) fn is_land(&self, i: usize) -> bool {
        self.bytes("biome").cells()[i] > LAKE
    }

    /// The links of a kind by tile: bit d is set where the line goes on in direction d. Only for rules that need the layer.
    pub(super) fn links(&self, kind: Kind) -> &[u8] {
        self.bytes(kind.layer()).cells()
    }

    /// The neighbour in a direction; none outside the map.
    pub(super) fn step(&self, i: usize, d: Dir8) -> Option<usize> {
        let (x, y) =
            ((i % self.width) as i64 + i64::from(d.dx()), (i / self.width) as i64 + i64::from(d.dy()));
        let inside = x >= 0 && y >= 0 && x < self.width as i64 && y < self.height as i64;
        inside.then(|| y as usize * self.width + x as usize)
    }

    /// The neighbours to which links of a tile lead, those on the map.
    pub(super) fn linked(&self, i: usize, links: u8) -> impl Iterator<Item = usize> {
        Dir8::ALL.into_iter().filter(move |d| links >> d.0 & 1 == 1).filter_map(move |d| self.step(i, d))
    }

    /// Column and row of a tile as text, for a message.
    pub(super) fn place(&self, i: usize) -> String {
        format!("({}, {})", i % self.width, i / self.width)
    }

    /// Whether a tile is so near to a footprint that the rules for lines are off. Only for rules that need `settlement`.
    pub(super) fn exempt(&self, i: usize) -> bool {
        self.zone.get_or_init(|| {
            let footprint = self.counts("settlement").cells().iter().map(|&id| id != 0).collect();
            near(self.width, footprint, ZONE)
        })[i]
    }

    /// The tiles of each footprint by the id of its settlement. Only for rules that need `settlement`.
    pub(super) fn footprints(&self) -> &BTreeMap<u16, Vec<usize>> {
        self.footprints.get_or_init(|| {
            let mut out: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
            for (i, &id) in self.counts("settlement").cells().iter().enumerate().filter(|(_, id)| **id != 0) {
                out.entry(id).or_default().push(i);
            }
            out
        })
    }

    /// The regions of one biome. Only for rules that need `biome`.
    pub(super) fn regions(&self) -> &Regions {
        self.regions.get_or_init(|| {
            let biome = self.bytes("biome").cells();
            Regions::of((self.width, self.height), |i| Some(biome[i]))
        })
    }

    /// The regions of land. Only for rules that need `biome`.
    pub(super) fn landmasses(&self) -> &Regions {
        self.landmasses
            .get_or_init(|| Regions::of((self.width, self.height), |i| self.is_land(i).then_some(0)))
    }

    /// The settlements of the file.
    pub(super) fn settlements(&self) -> impl Iterator<Item = Settlement<'_>> {
        self.shapes("settlements").iter().map(|shape| Settlement {
            shape,
            id: shape.id.as_u64().and_then(|id| u16::try_from(id).ok()).filter(|&id| id != 0),
            tile: match shape.coordinates() {
                &[at] => self.cell(at),
                _ => None,
            },
        })
    }

    /// The lines of a kind as tiles.
    pub(super) fn lines(&self, kind: Kind) -> &[Line] {
        self.lines[kind as usize]
            .get_or_init(|| self.shapes(kind.file()).iter().map(|s| Line::of(self, s)).collect())
    }

    /// The polygons of the biomes; empty if there is no such file.
    pub(super) fn polygons(&self) -> &[Polygon] {
        self.polygons.as_deref().unwrap_or(&[])
    }
}

/// A settlement of the file.
pub(super) struct Settlement<'a> {
    /// The point with its properties.
    pub(super) shape: &'a Shape,
    /// Its id, if that is a number from 1 on.
    pub(super) id: Option<u16>,
    /// The tile at whose centre it lies, if that is on the map.
    pub(super) tile: Option<usize>,
}

impl Settlement<'_> {
    /// Its tier, if that is one from 1 to 5.
    pub(super) fn tier(&self) -> Option<usize> {
        self.shape.whole("tier").filter(|t| (1..=5).contains(t)).map(|t| t as usize)
    }

    /// Its id and name, for a message.
    pub(super) fn text(&self) -> String {
        format!("settlement {} ({})", self.shape.id, self.shape.word("name"))
    }
}

/// Regions of tiles of one class that touch along an edge.
pub(super) struct Regions {
    /// The number of each tile's region, [`NOWHERE`] without one.
    pub(super) of: Vec<u32>,
    /// The first tile of each region, row by row.
    pub(super) first: Vec<usize>,
    /// The number of tiles of each region.
    pub(super) tiles: Vec<usize>,
}

impl Regions {
    /// Fills each region from its first tile on.
    fn of((w, h): (usize, usize), class: impl Fn(usize) -> Option<u8>) -> Self {
        let mut out = Self { of: vec![NOWHERE; w * h], first: Vec::new(), tiles: Vec::new() };
        let mut open = Vec::new();
        for start in 0..w * h {
            let mine = class(start);
            if mine.is_none() || out.of[start] != NOWHERE {
                continue;
            }
            let number = out.first.len() as u32;
            out.of[start] = number;
            open.push(start);
            let mut tiles = 0;
            while let Some(i) = open.pop() {
                tiles += 1;
                let (x, y) = (i % w, i / w);
                let beside = [(x > 0, -1), (x + 1 < w, 1), (y > 0, -(w as isize)), (y + 1 < h, w as isize)];
                for (_, by) in beside.into_iter().filter(|b| b.0) {
                    let n = i.wrapping_add_signed(by);
                    if out.of[n] == NOWHERE && class(n) == mine {
                        out.of[n] = number;
                        open.push(n);
                    }
                }
            }
            out.first.push(start);
            out.tiles.push(tiles);
        }
        out
    }
}

/// Whether a source lies at most `reach` columns and rows away.
pub(super) fn near(width: usize, mut tiles: Vec<bool>, reach: usize) -> Vec<bool> {
    let height = tiles.len().checked_div(width).unwrap_or(0);
    for (count, along, across) in [(width, 1, width), (height, width, 1)] {
        let lines = tiles.len().checked_div(count).unwrap_or(0);
        let mut line = vec![false; count];
        for first in (0..lines).map(|k| k * across) {
            for (k, out) in line.iter_mut().enumerate() {
                let beside = k.saturating_sub(reach)..(k + reach + 1).min(count);
                *out = beside.into_iter().any(|k| tiles[first + k * along]);
            }
            line.iter().enumerate().for_each(|(k, &v)| tiles[first + k * along] = v);
        }
    }
    tiles
}
