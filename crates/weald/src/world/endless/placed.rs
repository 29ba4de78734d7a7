//! Placed things: what a user has put into the world, as one ordered overlay that is saved as a small text.
//!
//! One thing per line (or separated by `;`): its name and its place in whole metres, x east and y north. A road is a line
//! of at least two places. `#` starts a comment. At every place the last entry counts, whether a thing or a road.
//!
//! | line | what it does |
//! | --- | --- |
//! | `cone X Y`, `boulder X Y`, … | the feature stands there; any of [`FEATURES`] |
//! | `none X Y` | what stood there is gone; the place is grass |
//! | `road X Y X Y …` | a paved road, 5 m wide |

use super::kinds::{FEATURES, Feature};
use super::params::REACH_M;
use super::shape::{Strip, covered};
use crate::world::placed::{Entry, entries};
use std::collections::BTreeMap;

/// Half the width of a road in metres.
pub(super) const ROAD_HALF_M: f64 = 2.5;

/// A whole place: x east, y north.
pub type Place = (i64, i64);

/// What was placed last at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    /// A feature; [`Feature::None`] if what stood there was removed.
    Thing(Feature),
    /// A drawn road.
    Road,
}

/// The overlay of placed things.
#[derive(Clone, Debug, Default)]
pub struct Placed {
    /// Things with their position in the order of placing.
    things: BTreeMap<Place, (u64, Feature)>,
    roads: Vec<Drawn>,
    /// Position of the next entry.
    next: u64,
}

/// A drawn road.
#[derive(Clone, Debug)]
struct Drawn {
    order: u64,
    places: Vec<Place>,
    /// [west, east, south, north] of what it covers.
    bounds: [i64; 4],
}

/// Overlays are equal if they hold the same in the same order.
impl PartialEq for Placed {
    fn eq(&self, other: &Self) -> bool {
        self.to_text() == other.to_text()
    }
}

impl Placed {
    /// Removes everything of a kind and returns how many there were.
    pub fn clear(&mut self, thing: &str) -> Result<usize, String> {
        match (thing, Feature::of_name(thing)) {
            ("road", _) => Ok(self.take_away_roads()),
            (_, Some(kind)) => Ok(self.take_away_all(kind)),
            _ => Err(format!("{thing}: must be {}", names())),
        }
    }

    /// Reads the text form. The error says which line is wrong and what is right.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut placed = Self::default();
        entries(text).try_for_each(|entry| placed.add(&entry))?;
        Ok(placed)
    }

    fn add(&mut self, entry: &Entry) -> Result<(), String> {
        let thing = Feature::of_name(entry.name);
        if thing.is_none() && entry.name != "road" {
            return Err(entry.wrong(format!("must start with {}", names())));
        }
        let what = format!("places are whole metres between -{REACH_M} and {REACH_M}");
        let places = entry.pairs([(-REACH_M, REACH_M); 2], &what)?;
        match thing {
            Some(thing) if places.len() == 1 => self.place(places[0], thing),
            Some(_) => return Err(entry.wrong(format!("write {} X Y", entry.name))),
            None if places.len() > 1 => self.draw_road(places),
            None => return Err(entry.wrong("write road X Y X Y …, at least two places")),
        }
        Ok(())
    }

    /// The text form, in the order of placing.
    pub fn to_text(&self) -> String {
        let thing = |(&(x, y), &(order, thing)): (&Place, &(u64, Feature))| {
            (order, format!("{} {x} {y}\n", thing.name()))
        };
        let road = |road: &Drawn| {
            let places: Vec<String> = road.places.iter().map(|(x, y)| format!("{x} {y}")).collect();
            (road.order, format!("road {}\n", places.join(" ")))
        };
        let mut lines: Vec<(u64, String)> =
            self.things.iter().map(thing).chain(self.roads.iter().map(road)).collect();
        lines.sort_unstable();
        lines.into_iter().map(|(_, line)| line).collect()
    }

    /// Puts a feature at a place and replaces what was placed there; [`Feature::None`] removes what the world has there.
    pub fn place(&mut self, at: Place, thing: Feature) {
        let order = self.order();
        self.things.insert(at, (order, thing));
    }

    /// Draws a road along at least two places.
    pub fn draw_road(&mut self, places: Vec<Place>) {
        if places.len() > 1 {
            let half = ROAD_HALF_M.ceil() as i64;
            let least = |of: fn(&Place) -> i64| places.iter().map(of).min().unwrap_or(0) - half;
            let most = |of: fn(&Place) -> i64| places.iter().map(of).max().unwrap_or(0) + half;
            let bounds = [least(|p| p.0), most(|p| p.0), least(|p| p.1), most(|p| p.1)];
            let order = self.order();
            self.roads.push(Drawn { order, places, bounds });
        }
    }

    fn order(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Removes what was placed last at a place: the thing, or the road over it. Returns whether there was something.
    pub fn take_away(&mut self, at: Place) -> bool {
        let over = self.roads.iter().rposition(|road| road.covers(at));
        match (self.at(at), over) {
            (Some(Put::Road), Some(road)) => drop(self.roads.remove(road)),
            (Some(_), _) => drop(self.things.remove(&at)),
            (None, _) => return false,
        }
        true
    }

    /// Removes everything of a kind; returns how many there were.
    pub fn take_away_all(&mut self, kind: Feature) -> usize {
        let before = self.things.len();
        self.things.retain(|_, (_, thing)| *thing != kind);
        before - self.things.len()
    }

    /// Removes all roads; returns how many there were.
    pub fn take_away_roads(&mut self) -> usize {
        std::mem::take(&mut self.roads).len()
    }

    /// Whether nothing is placed.
    pub fn is_empty(&self) -> bool {
        self.things.is_empty() && self.roads.is_empty()
    }

    /// What was placed last at a whole place: a thing, or a road that covers it.
    pub fn at(&self, place: Place) -> Option<Put> {
        let road = self.roads.iter().rev().find(|road| road.covers(place)).map(|road| road.order);
        match self.things.get(&place) {
            Some(&(order, thing)) if road < Some(order) => Some(Put::Thing(thing)),
            _ => road.map(|_| Put::Road),
        }
    }

    /// The thing at a whole place, unless a road was drawn over it.
    pub fn thing_at(&self, place: Place) -> Option<Feature> {
        match self.at(place) {
            Some(Put::Thing(thing)) => Some(thing),
            _ => None,
        }
    }

    /// All placed things, by x and then y, those below a road included.
    pub fn things(&self) -> impl Iterator<Item = (Place, Feature)> + '_ {
        self.things.iter().map(|(&place, &(_, thing))| (place, thing))
    }

    /// Drawn roads, in the order in which they were drawn.
    pub fn roads(&self) -> impl Iterator<Item = &[Place]> + '_ {
        self.roads.iter().map(|road| road.places.as_slice())
    }

    /// Whole places that drawn roads cover within west..=east and south..=north, each once.
    pub(super) fn road_places(&self, bounds: [i64; 4]) -> Vec<Place> {
        let all = self.roads.iter().flat_map(|road| strips(&road.places)).flat_map(|s| covered(s, bounds));
        let mut places: Vec<Place> = all.collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}

impl Drawn {
    /// Whether it covers a place.
    fn covers(&self, (x, y): Place) -> bool {
        let [west, east, south, north] = self.bounds;
        let near = (west..=east).contains(&x) && (south..=north).contains(&y);
        near && strips(&self.places)
            .any(|strip| strip.holds((x - strip.origin.0) as f64, (y - strip.origin.1) as f64))
    }
}

/// The straight parts of a drawn road.
fn strips(road: &[Place]) -> impl Iterator<Item = Strip> + '_ {
    road.windows(2).map(|ends| {
        let ((ax, ay), (bx, by)) = (ends[0], ends[1]);
        let to = ((bx - ax) as f64, (by - ay) as f64);
        Strip { origin: (ax, ay), from: (0.0, 0.0), to, half_m: ROAD_HALF_M }
    })
}

/// What can be placed, as a list for errors.
fn names() -> String {
    let features: Vec<&str> = FEATURES.iter().map(|class| class.name).collect();
    format!("{} or road", features.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_in_its_order() {
        let text =
            "road 0 0 100 50 200 50\r\ncone 12 -40\nnone 5 5 # gone; for good\n\nrocket -7 8; t 1000000000 0";
        let placed = Placed::parse(text).unwrap();
        assert_eq!(placed.things().count(), 4);
        assert_eq!(Placed::parse(&placed.to_text()).unwrap(), placed);
        assert!(placed.to_text().starts_with("road 0 0 100 50 200 50\ncone 12 -40\n"));
        assert_eq!(placed.at((-7, 8)), Some(Put::Thing(Feature::Rocket)));
        assert_eq!(placed.at((5, 5)), Some(Put::Thing(Feature::None)));
    }

    #[test]
    fn the_last_entry_counts_on_a_road_and_below_one() {
        let placed = Placed::parse("cone 4 0; road 0 0 10 0; boulder 2 1; cone 6 0; none 6 0").unwrap();
        assert_eq!(placed.at((4, 0)), Some(Put::Road));
        assert_eq!(placed.at((2, 1)), Some(Put::Thing(Feature::Boulder)));
        assert_eq!(placed.at((6, 0)), Some(Put::Thing(Feature::None)));
        let mut more = Placed::parse(&format!("{}road 2 -5 2 5; t 4 0", placed.to_text())).unwrap();
        assert_eq!((more.at((2, 1)), more.at((4, 0))), (Some(Put::Road), Some(Put::Thing(Feature::T))));
        assert!(more.take_away((2, 1)), "the road that was drawn last goes first");
        assert_eq!(more.at((2, 1)), Some(Put::Thing(Feature::Boulder)));
    }

    #[test]
    fn every_feature_can_be_placed_and_taken_away_again() {
        for (i, class) in FEATURES.iter().enumerate() {
            let mut placed = Placed::parse(&format!("{} {i} 7", class.name)).unwrap();
            assert_eq!(placed.thing_at((i as i64, 7)).map(Feature::name), Some(class.name));
            assert_eq!(placed.clear(class.name), Ok(1));
            assert!(placed.is_empty());
        }
    }

    #[test]
    fn things_come_and_go() {
        let mut placed = Placed::parse("cone 1 51;cone 2 52;t 3 53;road 0 0 9 9").unwrap();
        assert!(placed.take_away((1, 51)) && !placed.take_away((1, 51)));
        assert!(
            placed.take_away((5, 6)) && !placed.take_away((5, 6)),
            "a road is taken away at any of its places"
        );
        placed.draw_road(vec![(0, 0), (9, 9)]);
        placed.place((8, 8), Feature::Cone);
        assert_eq!(placed.take_away_all(Feature::Cone), 2);
        assert_eq!(placed.take_away_roads(), 1);
        assert_eq!(placed.to_text(), "t 3 53\n");
    }

    #[test]
    fn a_wrong_line_says_what_is_right() {
        for (text, part) in [
            ("cone 1", "line 1: \"cone 1\": places are whole metres"),
            ("cone 1 2 3 4", "line 1: \"cone 1 2 3 4\": write cone X Y"),
            ("\ntree 1 2", "line 2: \"tree 1 2\": must start with none, mine, boulder"),
            ("road 1 2", "at least two places"),
            ("cone 1 2.5", "whole metres"),
            ("cone 1 1000000001", "between -1000000000 and 1000000000"),
        ] {
            let message = Placed::parse(text).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn a_road_covers_five_metres() {
        let placed = Placed::parse("road 0 0 0 100").unwrap();
        let road = |at| placed.at(at) == Some(Put::Road);
        assert!(road((2, 50)) && road((-2, 0)) && !road((3, 50)));
        let mut places = placed.road_places([-5, 5, 10, 12]);
        places.sort_unstable();
        assert_eq!(places.len(), 15);
        assert!(places.iter().all(|&(x, y)| road((x, y)) && (10..=12).contains(&y)));
    }
}
