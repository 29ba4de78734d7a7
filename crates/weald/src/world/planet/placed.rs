//! Placed things on the planet: an ordered list that is saved as a small text.
//!
//! One thing per line (or separated by `;`): its name, one of [`FEATURES`], and its latitude and longitude in degrees. It stands
//! at the nearest crossing of two rings of whole coordinates ([`Ground::crossing`]), less than a metre away, or up to 4 m beside an
//! edge of the cube; the face of the crossing tells + and − of the third coordinate apart. `none LAT LON` removes what the planet has there. At every crossing the last entry counts.

use super::classes::{FEATURES, name};
use super::ground::{Crossing, Ground};
use super::local::LatLon;
use super::sphere;
use crate::world::placed::entries;
use std::collections::BTreeMap;

/// A crossing as a key: its face and its rings.
pub(super) type Key = (usize, [i64; 2]);

/// The list of placed things.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placed {
    things: Vec<(LatLon, u8)>,
}

impl Placed {
    /// Reads the text form. The error says which line is wrong and what is right.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut placed = Self::default();
        for entry in entries(text) {
            let kind = code(entry.name).ok_or_else(|| entry.wrong(format!("must start with {}", names())))?;
            let bounds = [(-90.0, 90.0), (-360.0, 360.0)];
            let what = "places are a latitude between -90 and 90 and a longitude between -360 and 360";
            let places = entry.pairs(bounds, what)?;
            if places.len() != 1 {
                return Err(entry.wrong(format!("write {} LAT LON", entry.name)));
            }
            placed.place(places[0], kind);
        }
        Ok(placed)
    }

    /// The text form, in the order of placing.
    pub fn to_text(&self) -> String {
        let line = |&((lat, lon), kind): &(LatLon, u8)| format!("{} {lat} {lon}\n", name(FEATURES, kind));
        self.things.iter().map(line).collect()
    }

    /// Puts a thing, a value of [`FEATURES`], at a place and replaces what was placed at exactly that place; 0 removes
    /// what the planet has there.
    pub fn place(&mut self, at: LatLon, kind: u8) {
        self.take_away(at);
        self.things.push((at, kind));
    }

    /// Removes what was placed at exactly that place; returns whether there was something.
    pub fn take_away(&mut self, at: LatLon) -> bool {
        let before = self.things.len();
        self.things.retain(|thing| thing.0 != at);
        self.things.len() < before
    }

    /// Removes everything of a kind and returns how many there were.
    pub fn clear(&mut self, thing: &str) -> Result<usize, String> {
        let kind = code(thing).ok_or_else(|| format!("{thing}: must be {}", names()))?;
        let before = self.things.len();
        self.things.retain(|thing| thing.1 != kind);
        Ok(before - self.things.len())
    }

    /// All placed things, in the order of placing.
    pub fn things(&self) -> &[(LatLon, u8)] {
        &self.things
    }

    /// The things by their crossing; the last one of each. Fails where no two rings cross nearby.
    pub(super) fn by_crossing(&self, ground: &Ground) -> Result<BTreeMap<Key, u8>, String> {
        let key = |&((lat, lon), kind): &(LatLon, u8)| {
            let place = sphere::place(lat, lon, ground.radius_m());
            let Crossing { face, rings, .. } = ground.crossing(place).ok_or_else(|| {
                format!(
                    "{} {lat} {lon}: no two rings of whole metres cross there; move it by a metre",
                    name(FEATURES, kind)
                )
            })?;
            Ok(((face, rings), kind))
        };
        self.things.iter().map(key).collect()
    }
}

/// The value of a feature by its name.
fn code(name: &str) -> Option<u8> {
    FEATURES.iter().find(|class| class.name == name).map(|class| class.value as u8)
}

/// What can be placed, as a list for errors.
fn names() -> String {
    FEATURES.iter().map(|class| class.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_the_last_entry_counts() {
        let placed =
            Placed::parse("cone 45.5 -30; boulder 0 0 # a comment\nrocket 45.5,-30\nnone 1 2").unwrap();
        assert_eq!(placed.to_text(), "boulder 0 0\nrocket 45.5 -30\nnone 1 2\n");
        assert_eq!(Placed::parse(&placed.to_text()).unwrap(), placed);
        for (text, part) in [
            ("cone 91 0", "line 1: \"cone 91 0\": places are a latitude"),
            ("tree 1 2", "must start with none, mine, boulder"),
            ("t 1 2 3 4", "write t LAT LON"),
        ] {
            let message = Placed::parse(text).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }
}
