//! Lines and polygons in degrees, cut where they cross the meridian of 180°.
//!
//! RFC 7946 (§3.1.9) wants longitudes from −180° to 180° and geometries in parts on both sides of that meridian. Maps count longitudes on
//! across it, as zones 1 and 60 of UTM do, so a part lies in the strip from −180° + 360°·k to 180° + 360°·k for one whole number k, and is
//! moved by −360°·k.

use super::placement::{P, area};
use std::ops::RangeInclusive;

/// The turns k of the strips that some points lie in.
fn turns<'a>(points: impl Iterator<Item = &'a P>) -> RangeInclusive<i64> {
    let (west, east) = points.fold((f64::MAX, f64::MIN), |(a, b), p| (a.min(p.0), b.max(p.0)));
    if west >= -180.0 && east <= 180.0 || west > east {
        return 0..=0;
    }
    let first = ((west + 180.0) / 360.0).floor() as i64;
    first..=(((east + 180.0) / 360.0).ceil() as i64 - 1).max(first)
}

/// The western and the eastern edge of a strip.
fn edges(turn: i64) -> (f64, f64) {
    (360.0 * turn as f64 - 180.0, 360.0 * turn as f64 + 180.0)
}

fn moved(points: &[P], turn: i64) -> Vec<P> {
    points.iter().map(|&(x, y)| (x - 360.0 * turn as f64, y)).collect()
}

/// A position.
pub(super) fn point(p: P) -> P {
    moved(&[p], *turns([p].iter()).start())[0]
}

/// The parts of a line.
pub(super) fn line(points: &[P]) -> Vec<Vec<P>> {
    let mut parts = Vec::new();
    for turn in turns(points.iter()) {
        let (west, east) = edges(turn);
        let within = |x: f64| x >= west && x <= east;
        let mut part: Vec<P> = Vec::new();
        for (i, &p) in points.iter().enumerate() {
            if let Some(&before) = i.checked_sub(1).and_then(|i| points.get(i)) {
                // Where the step from the point before leaves or enters the strip, in its order.
                let mut cuts: Vec<P> = [west, east]
                    .into_iter()
                    .filter(|x| (before.0 < *x && p.0 > *x) || (before.0 > *x && p.0 < *x))
                    .map(|x| crossing(before, p, x))
                    .collect();
                if p.0 < before.0 {
                    cuts.reverse();
                }
                part.extend(cuts);
            }
            if within(p.0) {
                part.push(p);
            }
            let leaves = !within(p.0) || i + 1 == points.len();
            if leaves && part.len() > 1 {
                parts.push(moved(&part, turn));
            }
            if leaves {
                part.clear();
            }
        }
    }
    parts.retain(|part| part.iter().any(|p| *p != part[0]));
    parts
}

/// The parts of a polygon, whose outer ring comes first and goes against the clock and whose holes go with it. So do the rings of its parts.
pub(super) fn polygon(rings: Vec<Vec<P>>) -> Vec<Vec<Vec<P>>> {
    let all = turns(rings.iter().flatten());
    if all == (0..=0) {
        return vec![rings];
    }
    let mut parts = Vec::new();
    for turn in all {
        let (west, east) = edges(turn);
        for part in east_of(&rings, west) {
            // Turned by 180°, the west is the east.
            for part in east_of(&part.iter().map(|ring| opposite(ring)).collect::<Vec<_>>(), -east) {
                parts.push(part.iter().map(|ring| moved(&opposite(ring), turn)).collect());
            }
        }
    }
    parts
}

fn opposite(ring: &[P]) -> Vec<P> {
    ring.iter().map(|&(x, y)| (-x, -y)).collect()
}

/// Where a step crosses a meridian.
fn crossing(a: P, b: P, x: f64) -> P {
    (x, a.1 + (b.1 - a.1) * (x - a.0) / (b.0 - a.0))
}

/// The parts of a polygon east of a meridian.
///
/// The rings are cut into chains, which enter the east and leave it. Along the meridian from south to north, chains enter and leave by
/// turns, because the inside is to the left of all rings; between such two places the meridian is within the polygon. So a chain that
/// leaves goes on along the meridian to the one that enters next in the south, until it comes back to the first one.
fn east_of(rings: &[Vec<P>], meridian: f64) -> Vec<Vec<Vec<P>>> {
    let (mut chains, mut whole): (Vec<Vec<P>>, Vec<Vec<P>>) = (Vec::new(), Vec::new());
    for ring in rings {
        match ring.windows(2).position(|s| s[0].0 <= meridian && s[1].0 > meridian) {
            Some(start) => chains.extend(chains_of(ring, start, meridian)),
            None if ring.iter().any(|p| p.0 > meridian) => whole.push(ring.clone()),
            None => {}
        }
    }
    // The latitudes of the ends: whether it enters, and the chain.
    let mut ends: Vec<(f64, bool, usize)> = (0..chains.len())
        .flat_map(|i| [(chains[i][0].1, true, i), (chains[i][chains[i].len() - 1].1, false, i)])
        .collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Where some ends meet, they are put so that chains enter and leave by turns.
    for i in 0..ends.len() {
        let fits = |end: &(f64, bool, usize)| end.1 == i.is_multiple_of(2);
        let same = ends[i..].iter().take_while(|end| end.0 == ends[i].0).position(fits);
        ends.swap(i, i + same.unwrap_or(0));
    }
    let mut next: Vec<usize> = (0..chains.len()).collect();
    for pair in ends.chunks(2).filter(|pair| pair.len() == 2 && pair[0].1 && !pair[1].1) {
        next[pair[1].2] = pair[0].2;
    }
    let mut taken = vec![false; chains.len()];
    for first in 0..chains.len() {
        let (mut ring, mut at) = (Vec::new(), first);
        while !taken[at] {
            taken[at] = true;
            ring.extend_from_slice(&chains[at]);
            at = next[at];
        }
        ring.dedup();
        ring.extend(ring.first().copied());
        ring.dedup();
        if ring.len() > 3 {
            whole.push(ring);
        }
    }
    whole.retain(|ring| area(ring) != 0.0);
    with_holes(whole)
}

/// The stretches of a closed ring that lie east of a meridian, with the places where they cross it. Point `start` lies west of it and the next
/// one east.
fn chains_of(ring: &[P], start: usize, meridian: f64) -> Vec<Vec<P>> {
    let points = ring.len() - 1;
    let (mut chains, mut chain): (Vec<Vec<P>>, Vec<P>) = (Vec::new(), Vec::new());
    for i in start..start + points {
        let (a, b) = (ring[i % points], ring[(i + 1) % points]);
        if (a.0 > meridian) != (b.0 > meridian) {
            chain.push(crossing(a, b, meridian));
        }
        if b.0 > meridian {
            chain.push(b);
        } else if !chain.is_empty() {
            chains.push(std::mem::take(&mut chain));
        }
    }
    chains
}

/// Rings as polygons: those against the clock, each with the holes that lie in it.
fn with_holes(rings: Vec<Vec<P>>) -> Vec<Vec<Vec<P>>> {
    let (outer, holes): (Vec<_>, Vec<_>) = rings.into_iter().partition(|ring| area(ring) > 0.0);
    let mut polygons: Vec<Vec<Vec<P>>> = outer.into_iter().map(|ring| vec![ring]).collect();
    for hole in holes {
        // Rings may meet at a point, but not along a step.
        let middle = ((hole[0].0 + hole[1].0) / 2.0, (hole[0].1 + hole[1].1) / 2.0);
        let around = polygons.iter_mut().filter(|polygon| surrounds(&polygon[0], middle));
        if let Some(polygon) = around.min_by(|a, b| area(&a[0]).total_cmp(&area(&b[0]))) {
            polygon.push(hole);
        }
    }
    polygons
}

/// Whether a place lies within a closed ring: a ray to the east crosses it an odd number of times.
fn surrounds(ring: &[P], (x, y): P) -> bool {
    let crosses = |s: &&[P]| {
        (s[0].1 > y) != (s[1].1 > y) && x < s[0].0 + (s[1].0 - s[0].0) * (y - s[0].1) / (s[1].1 - s[0].1)
    };
    ring.windows(2).filter(crosses).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(parts: &[Vec<Vec<P>>]) -> f64 {
        parts.iter().flatten().map(|ring| area(ring)).sum::<f64>() / 2.0
    }

    fn rectangle((west, south): P, (east, north): P) -> Vec<P> {
        vec![(west, south), (east, south), (east, north), (west, north), (west, south)]
    }

    #[test]
    fn what_lies_on_one_side_is_only_moved() {
        assert_eq!((point((180.0, 1.0)), point((-180.0, 1.0))), ((180.0, 1.0), (-180.0, 1.0)));
        assert_eq!((point((190.0, 1.0)), point((-181.0, 2.0))), ((-170.0, 1.0), (179.0, 2.0)));
        assert_eq!(line(&[(179.0, 1.0), (180.0, 2.0)]), [[(179.0, 1.0), (180.0, 2.0)]]);
        assert_eq!(line(&[(181.0, 1.0), (182.0, 2.0)]), [[(-179.0, 1.0), (-178.0, 2.0)]]);
        let here = vec![rectangle((10.0, 0.0), (20.0, 5.0))];
        assert_eq!(polygon(here.clone()), std::slice::from_ref(&here));
        let there = vec![rectangle((370.0, 0.0), (380.0, 5.0))];
        assert_eq!(polygon(there), [here]);
    }

    #[test]
    fn lines_are_cut_at_the_meridian_and_touch_it_from_both_sides() {
        let parts = line(&[(178.0, 0.0), (182.0, 4.0), (179.0, 7.0)]);
        let east = vec![(-180.0, 2.0), (-178.0, 4.0), (-180.0, 6.0)];
        assert_eq!(parts, [vec![(178.0, 0.0), (180.0, 2.0)], vec![(180.0, 6.0), (179.0, 7.0)], east]);
        let west = line(&[(-179.0, 0.0), (-181.0, 2.0)]);
        assert_eq!(west, [[(180.0, 1.0), (179.0, 2.0)], [(-179.0, 0.0), (-180.0, 1.0)]]);
        // One that only touches the meridian has no part of a single point.
        assert_eq!(line(&[(181.0, 0.0), (180.0, 1.0), (181.0, 2.0)]).len(), 1);
        // A step around the whole Earth and more.
        assert_eq!(line(&[(-200.0, 0.0), (200.0, 4.0)]).len(), 3);
    }

    #[test]
    fn polygons_are_cut_into_polygons_of_the_same_area() {
        let parts = polygon(vec![rectangle((178.0, 0.0), (184.0, 2.0))]);
        assert_eq!(parts.len(), 2);
        assert_eq!(total(&parts), 12.0);
        assert!(parts.iter().flatten().flatten().all(|p| p.0.abs() <= 180.0));
        // A hole across the meridian becomes a bay of both parts, and one beside it stays a hole.
        let turned = |mut ring: Vec<P>| {
            ring.reverse();
            ring
        };
        let outer = rectangle((170.0, 0.0), (190.0, 10.0));
        let across = turned(rectangle((179.0, 4.0), (181.0, 6.0)));
        let beside = turned(rectangle((185.0, 1.0), (186.0, 2.0)));
        let parts = polygon(vec![outer, across, beside]);
        assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(total(&parts), 200.0 - 4.0 - 1.0);
        // A comb with its teeth beyond the meridian becomes a back and its teeth.
        let comb = [(179.0, 0.0), (181.0, 0.0), (181.0, 1.0), (179.5, 1.0), (179.5, 2.0), (181.0, 2.0)];
        let comb = [&comb[..], &[(181.0, 3.0), (179.0, 3.0), (179.0, 0.0)]].concat();
        let parts = polygon(vec![comb]);
        assert_eq!((parts.len(), total(&parts)), (3, 4.5));
        assert!(parts.iter().all(|part| part.len() == 1 && area(&part[0]) > 0.0));
    }

    #[test]
    fn an_edge_or_a_corner_on_the_meridian_is_no_part() {
        let beside = rectangle((180.0, 0.0), (182.0, 2.0));
        assert_eq!(polygon(vec![beside]), [[rectangle((-180.0, 0.0), (-178.0, 2.0))]]);
        let corner = vec![(180.0, 1.0), (181.0, 0.0), (181.0, 2.0), (180.0, 1.0)];
        let parts = polygon(vec![corner]);
        assert_eq!((parts.len(), total(&parts)), (1, 1.0));
        let both = vec![(179.0, 0.0), (180.0, 1.0), (181.0, 0.0), (181.0, 3.0), (179.0, 3.0), (179.0, 0.0)];
        let parts = polygon(vec![both]);
        assert_eq!((parts.len(), total(&parts)), (2, 5.0));
    }
}
