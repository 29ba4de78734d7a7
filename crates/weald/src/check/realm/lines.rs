//! Lines as tiles, and what holds for the lines of every kind.

use super::codes::{Kind, going};
use super::tiles::Realm;
use crate::check::RuleResult;
use crate::check::map::Map;
use crate::check::shapes::Shape;
use weald_core::Dir8;

/// How far a length may be off in metres: it may be rounded to whole metres.
const LENGTH_M: f64 = 1.0;

/// A line as tiles.
pub(super) struct Line {
    /// The tile at whose centre each vertex lies; none off the centres and off the map.
    pub(super) tiles: Vec<Option<usize>>,
}

impl Line {
    /// The tiles of a line.
    pub(super) fn of(map: &Map, shape: &Shape) -> Self {
        Self { tiles: shape.positions().iter().map(|&p| map.cell(p)).collect() }
    }

    /// The tile of the first vertex.
    pub(super) fn first(&self) -> Option<usize> {
        self.tiles.first().copied().flatten()
    }

    /// The tile of the last vertex.
    pub(super) fn last(&self) -> Option<usize> {
        self.tiles.last().copied().flatten()
    }

    /// The tiles that are known.
    pub(super) fn known(&self) -> impl Iterator<Item = usize> {
        self.tiles.iter().copied().flatten()
    }

    /// Pairs of tiles that follow each other, both known.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.tiles.windows(2).filter_map(|p| Some((p[0]?, p[1]?)))
    }
}

/// The direction from a tile to its neighbour; none if they are not neighbours.
pub(super) fn direction(realm: &Realm, a: usize, b: usize) -> Option<Dir8> {
    Dir8::ALL.into_iter().find(|&d| realm.step(a, d) == Some(b))
}

/// Rule: each vertex lies at the centre of a tile, tiles that follow each other are neighbours, and the length is that of the line.
pub(super) fn vertices(realm: &Realm, kind: Kind, rule: &mut RuleResult) {
    let name = kind.name();
    for (k, (shape, line)) in realm.shapes(kind.file()).iter().zip(realm.lines(kind)).enumerate() {
        // A river that leaves the map may have one tile.
        let least = if kind == Kind::River { 1 } else { 2 };
        rule.check(line.tiles.len() >= least, None, || format!("{name} {k} has no way at all"));
        for (v, (tile, at)) in line.tiles.iter().zip(shape.positions()).enumerate() {
            rule.check(tile.is_some(), None, || {
                format!("vertex {v} of {name} {k}, {at:?}, is not the centre of a tile on the map")
            });
        }
        for (a, b) in line.pairs() {
            rule.check(realm.next_to(a, b), realm.at(a), || {
                format!("{name} {k} leaps from {} to {}", realm.place(a), realm.place(b))
            });
        }
        let (found, wanted) = (shape.number("length_m"), length_m(shape));
        rule.check((found - wanted).abs() <= LENGTH_M, line.first().and_then(|i| realm.at(i)), || {
            format!("length_m of {name} {k} is {found}, not {wanted}")
        });
    }
}

/// The length of a line in metres.
fn length_m(shape: &Shape) -> f64 {
    shape.positions().windows(2).fold(0.0, |sum, p| {
        let (dx, dy) = (p[1][0] - p[0][0], p[1][1] - p[0][1]);
        sum + (dx * dx + dy * dy).sqrt()
    })
}

/// Rule: the links of the lines are those of the layer, and no two lines share one. Links that lead off the map are left out.
pub(super) fn links(realm: &Realm, kind: Kind, rule: &mut RuleResult) {
    let name = kind.name();
    let mut drawn = vec![0u8; realm.cells()];
    for (k, line) in realm.lines(kind).iter().enumerate() {
        for (a, b) in line.pairs() {
            let Some(d) = direction(realm, a, b) else { continue };
            let bit = 1 << d.0;
            rule.check(drawn[a] & bit == 0, realm.at(a), || {
                let (a, b) = (realm.place(a), realm.place(b));
                format!("the link from {a} to {b} belongs to {name} {k} and to an earlier {name}, or to {name} {k} twice")
            });
            drawn[a] |= bit;
            drawn[b] |= 1 << d.opposite().0;
        }
    }
    for (i, &links) in realm.links(kind).iter().enumerate().filter(|(i, links)| **links | drawn[*i] != 0) {
        let inside = links & !outward(realm, i);
        rule.check(inside == drawn[i], realm.at(i), || {
            format!(
                "{} says that the {name} at {} goes {}, but the lines of {}.geojson go {} there",
                kind.layer(),
                realm.place(i),
                going(inside),
                kind.file(),
                going(drawn[i])
            )
        });
    }
}

/// The directions that lead off the map from a tile, as bits.
pub(super) fn outward(realm: &Realm, i: usize) -> u8 {
    if !realm.on_border(i) {
        return 0;
    }
    Dir8::ALL.into_iter().filter(|&d| realm.step(i, d).is_none()).fold(0, |bits, d| bits | 1 << d.0)
}
