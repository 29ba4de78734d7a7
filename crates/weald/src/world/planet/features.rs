//! Where the features of a planet stand.
//!
//! [`find`] gives exactly the features that [`Ground::feature`] has at every crossing. It is fast because rows of crossings
//! are first sieved with 32-bit whole numbers, which vectorise: what cannot be a feature is never looked at again.

use super::Thing;
use super::ground::{FACE_STEP, Features, Ground};
use super::sphere::{FACES, Face};
use crate::world::relf;
use weald_core::waves::{COUNT, PARTS, Waves};
use weald_core::{Ctx, Seed, par};

/// Crossings worked on at a time, in buffers that stay in the nearest cache.
const CHUNK: usize = 1024;

/// Bits of the fraction of a coordinate as a whole number. The 256 values of the profile at 128 parts each take 15 bits, so that
/// positions on it, modulo its length, fill 32 bits, and the uppermost 8 are the index of the value.
const FRACTION: u32 = 17;

/// Distance from the edge of a value of the profile, in units of 2⁻¹⁷ parts, within which the sieve does not decide. The third
/// coordinate is off by at most half a unit, so that a position is off by at most half the largest coefficient, which is 70.
const UNSURE: u32 = 64;

/// Features where two rings of whole coordinates cross, by face, then by v and u, with what was placed.
///
/// On the face of axis k the rings are the other two coordinates u and v, and the third is ±√(r² − u² − v²), which must be the
/// largest of the three ([`super::sphere::face_of`]), so that every crossing belongs to one face. None in lakes, mud and
/// towns that was not placed there. Reach: point; cost: 10·r² crossings, of which one row of square roots serves all six
/// faces.
pub fn find(ground: &Ground, ctx: &Ctx) -> weald_core::Result<Vec<Thing>> {
    let square = ground.radius_m() * ground.radius_m();
    let most = (square / 2.0).sqrt() as i64;
    let sieve = Sieve::new(ground.features());
    let rows = par::map((2 * most + 1) as usize, ctx, |row| {
        let row = Row { square, v: row as i64 - most };
        let mut found: [Vec<Thing>; 6] = Default::default();
        row.search(&sieve, |face, u| {
            let at = ground.crossing_of(face, [u, row.v]);
            found[face].extend(at.and_then(|at| ground.thing(&at)));
        });
        found
    })?;
    let mut all: Vec<Thing> =
        (0..6).flat_map(|face| rows.iter().flat_map(move |found| found[face].iter().copied())).collect();
    let placed: Vec<Thing> = ground.placed().filter_map(|at| ground.thing(&at)).collect();
    if !placed.is_empty() {
        all.extend(placed);
        let order = |t: &Thing| {
            let [u, v] = FACES[t.face].others().map(|axis| t.place[axis] as i64);
            (t.face, v, u)
        };
        all.sort_by_key(order);
        all.dedup();
    }
    Ok(all)
}

/// The crossings of one ring with all others, on all faces.
struct Row {
    /// The square of the radius.
    square: f64,
    /// The second whole coordinate.
    v: i64,
}

impl Row {
    /// The square of the third coordinate, if it is the largest one.
    #[inline(always)]
    fn rest(&self, u: i64) -> Option<f64> {
        let rest = self.square - (u * u + self.v * self.v) as f64;
        (rest >= (u * u).max(self.v * self.v) as f64).then_some(rest)
    }

    /// The greatest u whose third coordinate is the largest; it shrinks as u grows.
    fn last(&self) -> Option<i64> {
        self.rest(0)?;
        let (v, square) = (self.v as f64, self.square);
        // u is the largest but one or not.
        let guess = (square - 2.0 * v * v).max(0.0).sqrt().min(((square - v * v) / 2.0).max(0.0).sqrt());
        let mut last = guess as i64;
        while self.rest(last).is_none() {
            last -= 1;
        }
        while self.rest(last + 1).is_some() {
            last += 1;
        }
        Some(last)
    }

    /// Calls `visit` with face and u of every crossing that the sieve lets pass.
    fn search(&self, sieve: &Sieve, mut visit: impl FnMut(usize, i64)) {
        let Some(last) = self.last() else { return };
        let (mut thirds, mut marks) = ([0u32; CHUNK], [0u8; CHUNK]);
        let mut first = -last;
        while first <= last {
            let n = CHUNK.min((last - first + 1) as usize);
            let (thirds, marks) = (&mut thirds[..n], &mut marks[..n]);
            for (k, third) in thirds.iter_mut().enumerate() {
                let u = (first + k as i64) as f64;
                let rest = self.square - (u * u + (self.v * self.v) as f64);
                *third = (rest.sqrt() * (1u32 << FRACTION) as f64 + 0.5) as u32;
            }
            for (number, face) in FACES.iter().enumerate() {
                par::widest_simd(
                    #[inline(always)]
                    || sieve.mark((number, face), [first, self.v], thirds, marks),
                );
                for (k, chunk) in marks.chunks(64).enumerate() {
                    if chunk.iter().fold(0, |all, mark| all | mark) != 0 {
                        let marked = chunk.iter().enumerate().filter(|(_, mark)| **mark != 0);
                        marked.for_each(|(i, _)| visit(number, first + (64 * k + i) as i64));
                    }
                }
            }
            first += n as i64;
        }
    }
}

/// Tells where there may be a feature.
enum Sieve<'a> {
    Original {
        /// Coefficients of the waves along the axes.
        along: [[i64; 3]; COUNT],
        /// The profile.
        values: Box<[u8; 256]>,
    },
    Hashed(&'a [Seed; 6]),
}

impl<'a> Sieve<'a> {
    fn new(features: &'a Features) -> Self {
        match features {
            Features::Hashed(streams) => Sieve::Hashed(streams),
            Features::Original(Waves { each }) => {
                let profile = &each[0].profile;
                let one = each.iter().all(|w| w.profile == *profile && w.phase == 0);
                let sure =
                    each.iter().flat_map(|w| w.along).all(|c| c.unsigned_abs() < 2 * UNSURE as u64 - 8);
                assert!(one && sure && profile.length() == 256, "the sieve is made for the original waves");
                Sieve::Original {
                    along: each.each_ref().map(|w| w.along),
                    values: Box::new(std::array::from_fn(|k| profile.at(k as i64))),
                }
            }
        }
    }

    /// Marks the crossings (u, v), (u + 1, v), … of a face that may be features: all features, and about three in 4096 of the
    /// others. `thirds` are the absolute values of the third coordinate in units of 2⁻¹⁷ m.
    #[inline(always)]
    fn mark(&self, (number, face): (usize, &Face), [u, v]: [i64; 2], thirds: &[u32], marks: &mut [u8]) {
        match self {
            Sieve::Hashed(streams) => {
                for (k, mark) in marks.iter_mut().enumerate() {
                    let hash = streams[number].at(u + k as i64, v);
                    *mark = u8::from(relf::may_be_feature(hash as u32 & 0xfff));
                }
            }
            Sieve::Original { along, values } => {
                let (mut index, mut nearest) = ([[0u8; CHUNK]; COUNT], [u32::MAX; CHUNK]);
                for (index, along) in index.iter_mut().zip(along) {
                    let [first, second] = face.others().map(|axis| along[axis]);
                    let third = along[face.axis] * face.normal[face.axis] as i64;
                    let start = ((first * u + second * v) << FRACTION) as u32;
                    let line = [start.wrapping_add(UNSURE), (first << FRACTION) as u32, third as u32];
                    positions(line, thirds, index, &mut nearest);
                }
                let product = (u + FACE_STEP * number as i64).wrapping_mul(v) as u32;
                // Only the low 19 bits of the product with the sum of waves matter, so 32 bits that wrap around serve.
                for (k, mark) in marks.iter_mut().enumerate() {
                    let sum: u32 = index.iter().map(|index| values[index[k] as usize] as u32).sum();
                    let product = product.wrapping_add((v as u32).wrapping_mul(k as u32));
                    let bits = sum.wrapping_mul(product).wrapping_add(64) >> 7 & 0xfff;
                    *mark = u8::from(relf::may_be_feature(bits) | (nearest[k] < (2 * UNSURE) << 8));
                }
            }
        }
    }
}

/// Indices of the values of the profile along a row: the uppermost 8 bits of start + k·step + third·w for the k-th w of
/// `thirds`. `nearest` is lowered to the distance above the edge of a value, in the uppermost 24 bits.
#[inline(always)]
fn positions([start, step, third]: [u32; 3], thirds: &[u32], index: &mut [u8], nearest: &mut [u32]) {
    const { assert!((256 * PARTS) << FRACTION == 1 << 32, "positions wrap around with the profile") };
    for (k, ((&w, index), nearest)) in thirds.iter().zip(index).zip(nearest).enumerate() {
        let at = start.wrapping_add(step.wrapping_mul(k as u32)).wrapping_add(third.wrapping_mul(w));
        *index = (at >> 24) as u8;
        *nearest = (*nearest).min(at << 8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every crossing of every face, one by one.
    fn plainly(ground: &Ground) -> Vec<Thing> {
        let most = ground.radius_m() as i64;
        let mut all = Vec::new();
        for face in 0..FACES.len() {
            for v in -most..=most {
                let crossings = (-most..=most).filter_map(|u| ground.crossing_of(face, [u, v]));
                all.extend(crossings.filter_map(|at| ground.thing(&at)));
            }
        }
        all
    }

    #[test]
    fn the_sieve_finds_what_a_look_at_every_crossing_finds() {
        for (seed, level, radius) in [
            (0, 290.0, 1600.0),
            (0, 0.0, 613.7),
            (0, 204.0, 100.0),
            (5, 290.0, 700.0),
            (u64::MAX, 0.0, 333.3),
        ] {
            let ground = Ground::new(Seed(seed), radius, level);
            let found = find(&ground, &Ctx::default()).unwrap();
            assert!(found == plainly(&ground), "seed {seed}, radius {radius}");
            assert!(!found.is_empty());
        }
    }

    #[test]
    fn the_sieve_passes_few_crossings_that_are_no_features() {
        let ground = Ground::new(Seed(0), 8000.0, 290.0);
        let (sieve, mut passed, mut all) = (Sieve::new(ground.features()), 0, 0);
        for v in 5000..5004 {
            let row = Row { square: 8000.0 * 8000.0, v };
            all += 6 * (2 * row.last().unwrap() + 1);
            row.search(&sieve, |_, _| passed += 1);
        }
        let share = passed as f64 / all as f64 * 4096.0;
        assert!((2.0..4.5).contains(&share), "{share} of 4096 pass");
    }

    #[test]
    fn the_last_crossing_of_a_ring_is_that_of_the_formula() {
        for radius in [100.0, 613.7, 8000.0] {
            for v in [0, 1, 57, 64, 70, 71, 400, 433, 434, 4618, 4619, 5656, 5657] {
                let row = Row { square: radius * radius, v };
                let plain = (0..=radius as i64).take_while(|u| row.rest(*u).is_some()).last();
                assert_eq!(row.last(), plain, "radius {radius}, v {v}");
            }
        }
    }
}
