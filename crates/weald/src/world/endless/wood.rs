//! Trees in the wood and buildings in the towns.

use super::kinds::{Feature, Terrain};
use super::place::{Endless, fraction};
use super::placed::Place;
use super::window::Window;
use weald_core::waves::round;
use weald_core::{Cancelled, Ctx};

/// Least distance of trees from features in the wood.
const CLEAR_M: i64 = 4;

/// Buildings stand where x and y are multiples of this.
pub const BLOCK_M: i64 = 16;
/// Half the side of a building.
pub(super) const BUILDING_HALF_M: i64 = 6;

/// A tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tree {
    /// The odd whole place whose 2 m tile it stands on.
    pub place: Place,
    /// Which picture of a tree: 0 to 7, in a thicket 0 to 3.
    pub kind: u8,
    /// Offset from the place, the same east and north, from −1 to 1 m.
    pub offset: f64,
}

/// A side of the compass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// West.
    West,
    /// North.
    North,
    /// East.
    East,
    /// South.
    South,
}

impl Side {
    /// Its name in output.
    pub fn name(self) -> &'static str {
        match self {
            Side::West => "west",
            Side::North => "north",
            Side::East => "east",
            Side::South => "south",
        }
    }

    /// One metre towards it, east and north.
    pub fn step(self) -> Place {
        match self {
            Side::West => (-1, 0),
            Side::North => (0, 1),
            Side::East => (1, 0),
            Side::South => (0, -1),
        }
    }

    /// The side across.
    pub fn opposite(self) -> Self {
        match self {
            Side::West => Side::East,
            Side::North => Side::South,
            Side::East => Side::West,
            Side::South => Side::North,
        }
    }

    /// Its bearing in degrees, clockwise from north.
    pub fn bearing(self) -> u32 {
        match self {
            Side::North => 0,
            Side::East => 90,
            Side::South => 180,
            Side::West => 270,
        }
    }
}

/// A building, 12 m square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Building {
    /// Its centre.
    pub place: Place,
    /// Its height.
    pub height: f64,
    /// Where its door is.
    pub door: Side,
}

impl Endless {
    /// The tree that grows at a place on this terrain, whatever else stands there. Reach: point.
    ///
    /// With u = π·10000·x·y: kind = low 3 bits of ⌊u + ½⌋ (2 in a thicket), offset = 2·(u − ⌊u⌋) − 1.
    pub fn tree(&self, (x, y): Place, terrain: Terrain) -> Option<Tree> {
        let bits = match terrain {
            Terrain::Wood => 7,
            Terrain::Thicket => 3,
            _ => return None,
        };
        if x % 2 == 0 || y % 2 == 0 {
            return None;
        }
        let u = self.turns("trees", x, y);
        let kind = (round(u) & bits) as u8;
        Some(Tree { place: (x, y), kind, offset: fraction(u) * 2.0 - 1.0 })
    }

    /// Places from which trees keep at least 4 m away, in and around a window. Reach: 4 m.
    pub(super) fn clearings(&self, window: &Window, ctx: &Ctx) -> Result<Vec<Place>, Cancelled> {
        let kept = |f| matches!(f, Feature::Knoll | Feature::Mine | Feature::Waterhole | Feature::X);
        Ok(self.find(&window.grown(CLEAR_M), kept, ctx)?.into_iter().map(|(place, _)| place).collect())
    }

    /// The building at a place, if there is one.
    ///
    /// It was placed there; or x and y are multiples of 16, the terrain is town, and with u = ⌊π·10000·x·y⌋ the low 4 bits
    /// are below 8, and where no bridges are built all its ground is dry. Its height is 60 + v²/127 with v the low 7 bits of u, its door the low 2: west, north, east, south.
    /// Reach: point.
    pub fn building(&self, (x, y): Place) -> Option<Building> {
        let u = self.turns("buildings", x, y).trunc() as i64;
        let of_town = x % BLOCK_M == 0 && y % BLOCK_M == 0 && u & 15 < 8;
        if !of_town && self.placed.is_empty() {
            return None;
        }
        let terra = self.terra(x as f64, y as f64);
        if terra.feature != Feature::Building && !(of_town && terra.terrain == Terrain::Town) {
            return None;
        }
        let dry = |place: Place| self.ground_height(place.0 as f64, place.1 as f64) >= self.params.lake_level;
        if terra.feature != Feature::Building && !self.params.bridges && !footprint((x, y)).all(dry) {
            return None;
        }
        let v = (u & 127) as f64;
        let door = [Side::West, Side::North, Side::East, Side::South][(u & 3) as usize];
        Some(Building { place: (x, y), height: 60.0 + v * v / 127.0, door })
    }

    /// Buildings that stand in a window, or reach into it, by rows. Reach: 6 m.
    pub fn buildings(&self, window: &Window) -> Vec<Building> {
        let [west, east, south, north] = window.grown(BUILDING_HALF_M).bounds();
        let first = |low: i64| low.div_euclid(BLOCK_M) + i64::from(low.rem_euclid(BLOCK_M) != 0);
        let (ys, xs) = (first(south)..=north.div_euclid(BLOCK_M), first(west)..=east.div_euclid(BLOCK_M));
        let grid = ys.flat_map(|y| xs.clone().map(move |x| (x * BLOCK_M, y * BLOCK_M)));
        let inside = |&(x, y): &Place| (west..=east).contains(&x) && (south..=north).contains(&y);
        let placed = self.placed.things().filter(|(_, thing)| *thing == Feature::Building);
        let mut places: Vec<Place> = grid.chain(placed.map(|(place, _)| place).filter(inside)).collect();
        places.sort_unstable_by_key(|&(x, y)| (-y, x));
        places.dedup();
        places.into_iter().filter_map(|place| self.building(place)).collect()
    }
}

/// Places below a building, by its centre.
pub(super) fn footprint((x, y): Place) -> impl Iterator<Item = Place> {
    let side = -BUILDING_HALF_M..BUILDING_HALF_M;
    side.clone().flat_map(move |dy| side.clone().map(move |dx| (x + dx, y + dy)))
}

/// Whether two places are at most 4 m apart.
pub(super) fn in_clearing((x, y): Place, (cx, cy): Place) -> bool {
    let (dx, dy) = (x - cx, y - cy);
    dx * dx + dy * dy <= CLEAR_M * CLEAR_M
}
