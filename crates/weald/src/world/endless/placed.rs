//! Placed things: what a user has put into the world, as one ordered overlay that is saved as a small text.
//!
//! One thing per line (or separated by `;`): its name and its place in whole metres, x east and y north. A road is a line
//! of at least two places. `#` starts a comment. The kinds are those of the document's program:
//!
//! | line | what it does |
//! | --- | --- |
//! | `cone X Y`, `rocket X Y`, `t X Y` | the thing stands there |
//! | `none X Y` | what stood there is gone; the place is grass |
//! | `road X Y X Y …` | a paved road, 5 m wide |

use super::kinds::Feature;
use super::params::REACH_M;
use super::shape::{Strip, covered};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Half the width of a road in metres.
pub(super) const ROAD_HALF_M: f64 = 2.5;

/// A whole place: x east, y north.
pub type Place = (i64, i64);

/// What can be placed at a point.
const THINGS: [Feature; 4] = [Feature::None, Feature::Cone, Feature::Rocket, Feature::T];

/// The overlay of placed things.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placed {
    things: BTreeMap<Place, Feature>,
    roads: Vec<Vec<Place>>,
}

impl Placed {
    /// Removes everything of a kind and returns how many there were.
    pub fn clear(&mut self, thing: &str) -> Result<usize, String> {
        match (thing, Feature::of_name(thing)) {
            ("road", _) => Ok(self.take_away_roads()),
            (_, Some(kind)) if Self::can_place(kind) => Ok(self.take_away_all(kind)),
            _ => Err(format!("{thing}: must be cone, rocket, t, none or road")),
        }
    }

    /// Reads the text form. The error says which line is wrong and what is right.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut placed = Self::default();
        for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let entries = line.split('#').next().unwrap_or("").split(';').map(str::trim);
            for entry in entries.filter(|entry| !entry.is_empty()) {
                placed.add(entry).map_err(|must| format!("line {}: \"{entry}\": {must}", number + 1))?;
            }
        }
        Ok(placed)
    }

    fn add(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split([' ', '\t', ',']).filter(|w| !w.is_empty());
        let name = words.next().unwrap_or("");
        let thing = Feature::of_name(name).filter(|f| THINGS.contains(f));
        if thing.is_none() && name != "road" {
            return Err("must start with cone, rocket, t, none or road".into());
        }
        let numbers = words
            .map(|w| w.parse::<i64>().ok().filter(|v| (-REACH_M..=REACH_M).contains(v)))
            .collect::<Option<Vec<i64>>>()
            .ok_or_else(|| format!("places are whole metres between -{REACH_M} and {REACH_M}"))?;
        let places: Vec<Place> = numbers.chunks_exact(2).map(|p| (p[0], p[1])).collect();
        let even = numbers.len() % 2 == 0;
        match thing {
            Some(thing) if even && places.len() == 1 => self.place(places[0], thing),
            Some(_) => return Err(format!("write {name} X Y")),
            None if even && places.len() > 1 => self.draw_road(places),
            None => return Err("write road X Y X Y …, at least two places".into()),
        }
        Ok(())
    }

    /// The text form: things by x and then y, then roads in the order in which they were drawn.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for ((x, y), thing) in &self.things {
            let _ = writeln!(out, "{} {x} {y}", thing.name());
        }
        for road in &self.roads {
            let places: Vec<String> = road.iter().map(|(x, y)| format!("{x} {y}")).collect();
            let _ = writeln!(out, "road {}", places.join(" "));
        }
        out
    }

    /// Whether a thing can be placed: cones, rockets, telephone boxes and [`Feature::None`] can.
    pub fn can_place(thing: Feature) -> bool {
        THINGS.contains(&thing)
    }

    /// Puts a thing at a place and replaces what was placed there. Only cones, rockets, telephone boxes and
    /// [`Feature::None`] can be placed; anything else is ignored, as in the document's program.
    pub fn place(&mut self, at: Place, thing: Feature) {
        if THINGS.contains(&thing) {
            self.things.insert(at, thing);
        }
    }

    /// Draws a road along at least two places.
    pub fn draw_road(&mut self, places: Vec<Place>) {
        if places.len() > 1 {
            self.roads.push(places);
        }
    }

    /// Removes what was placed at a place: the thing, or else the last drawn of the roads over it. Returns whether there was
    /// something.
    pub fn take_away(&mut self, at: Place) -> bool {
        if self.things.remove(&at).is_some() {
            return true;
        }
        let over = self.roads.iter().rposition(|road| is_on(road, at));
        over.map(|i| self.roads.remove(i)).is_some()
    }

    /// Removes everything of a kind; returns how many there were.
    pub fn take_away_all(&mut self, kind: Feature) -> usize {
        let before = self.things.len();
        self.things.retain(|_, thing| *thing != kind);
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

    /// What was placed at a whole place.
    pub fn at(&self, place: Place) -> Option<Feature> {
        self.things.get(&place).copied()
    }

    /// Whether a drawn road covers a whole place.
    pub fn road_at(&self, (x, y): Place) -> bool {
        self.roads.iter().any(|road| is_on(road, (x, y)))
    }

    /// All placed things, by x and then y.
    pub fn things(&self) -> impl Iterator<Item = (Place, Feature)> + '_ {
        self.things.iter().map(|(&place, &thing)| (place, thing))
    }

    /// Drawn roads, in the order in which they were drawn.
    pub fn roads(&self) -> &[Vec<Place>] {
        &self.roads
    }

    /// Whole places that drawn roads cover within west..=east and south..=north, each once.
    pub(super) fn road_places(&self, bounds: [i64; 4]) -> Vec<Place> {
        let all = self.roads.iter().flat_map(|road| strips(road)).flat_map(|s| covered(s, bounds));
        let mut places: Vec<Place> = all.collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// Whether a drawn road covers a place.
fn is_on(road: &[Place], (x, y): Place) -> bool {
    strips(road).any(|strip| strip.holds((x - strip.origin.0) as f64, (y - strip.origin.1) as f64))
}

/// The straight parts of a drawn road.
fn strips(road: &[Place]) -> impl Iterator<Item = Strip> + '_ {
    road.windows(2).map(|ends| {
        let ((ax, ay), (bx, by)) = (ends[0], ends[1]);
        let to = ((bx - ax) as f64, (by - ay) as f64);
        Strip { origin: (ax, ay), from: (0.0, 0.0), to, half_m: ROAD_HALF_M }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let text =
            "cone 12 -40\r\nnone 5 5 # gone; for good\n\nrocket -7 8; t 1000000000 0\nroad 0 0 100 50 200 50";
        let placed = Placed::parse(text).unwrap();
        assert_eq!(placed.things().count(), 4);
        assert_eq!(Placed::parse(&placed.to_text()).unwrap(), placed);
        assert_eq!(placed.at((-7, 8)), Some(Feature::Rocket));
        assert_eq!(placed.at((5, 5)), Some(Feature::None));
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
        placed.place((9, 9), Feature::Boulder);
        assert_eq!(placed.take_away_all(Feature::Cone), 2);
        assert_eq!(placed.take_away_roads(), 1);
        assert_eq!(placed.to_text(), "t 3 53\n");
    }

    #[test]
    fn a_wrong_line_says_what_is_right() {
        for (text, part) in [
            ("cone 1", "line 1: \"cone 1\": write cone X Y"),
            ("\nboulder 1 2", "line 2: \"boulder 1 2\": must start with cone, rocket, t, none or road"),
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
        assert!(placed.road_at((2, 50)) && placed.road_at((-2, 0)) && !placed.road_at((3, 50)));
        let mut places = placed.road_places([-5, 5, 10, 12]);
        places.sort_unstable();
        assert_eq!(places.len(), 15);
        assert!(places.iter().all(|&(x, y)| placed.road_at((x, y)) && (10..=12).contains(&y)));
    }
}
