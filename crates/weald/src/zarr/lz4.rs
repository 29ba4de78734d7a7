//! Blocks of LZ4, the format of <https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md>.
//!
//! The code is our own because the usual crate hashes by the width of a pointer, so that a browser would write other bytes than a server.

/// Bits of a place in the table: 4096 places of four bytes stay in the fastest cache.
const BITS: u32 = 12;
/// A match has at least so many bytes.
const LEAST: usize = 4;
/// The last bytes of a block are literals, and no match begins among the last twelve.
const TAIL: usize = 5;
const MARGIN: usize = 12;
/// The farthest that a match may look back.
const REACH: usize = 65_535;
/// After so many places without a match, as a power of two, the steps from place to place grow by one.
const PATIENCE: u32 = 6;

/// Where the bytes with a certain hash were seen last.
pub(super) struct Table([u32; 1 << BITS]);

impl Table {
    /// An empty table. It may be used for one block after the other.
    pub(super) fn new() -> Self {
        Self([0; 1 << BITS])
    }
}

/// The eight bytes at `at`.
#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(*bytes[at..].first_chunk().expect("eight bytes are there"))
}

/// The place of the first five bytes of a word.
#[inline(always)]
fn place(word: u64) -> usize {
    ((word << 24).wrapping_mul(889_523_592_379) >> (64 - BITS)) as usize
}

/// The number of equal bytes from `a` and from `b` on, up to `end`. `a` is before `b`.
#[inline(always)]
fn equal(bytes: &[u8], a: usize, b: usize, end: usize) -> usize {
    let mut n = 0;
    while b + n + 8 <= end {
        let other = word(bytes, a + n) ^ word(bytes, b + n);
        if other != 0 {
            return n + other.trailing_zeros() as usize / 8;
        }
        n += 8;
    }
    while b + n < end && bytes[a + n] == bytes[b + n] {
        n += 1;
    }
    n
}

/// Appends a length beyond the 15 that fit into the token.
fn push_length(mut left: usize, out: &mut Vec<u8>) {
    while left >= 255 {
        out.push(255);
        left -= 255;
    }
    out.push(left as u8);
}

/// Appends literals, and the match after them unless they are the last.
#[inline(always)]
fn push(literals: &[u8], found: Option<(usize, usize)>, out: &mut Vec<u8>) {
    let (run, length) = (literals.len(), found.map_or(0, |(_, length)| length - LEAST));
    out.push((run.min(15) << 4 | length.min(15)) as u8);
    if run >= 15 {
        push_length(run - 15, out);
    }
    out.extend_from_slice(literals);
    if let Some((offset, _)) = found {
        out.extend_from_slice(&(offset as u16).to_le_bytes());
        if length >= 15 {
            push_length(length - 15, out);
        }
    }
}

/// Appends `bytes` as a block to `out` and returns true, or leaves `out` alone and returns false if a block would not be shorter. At most
/// 2³² bytes.
pub(super) fn compress(bytes: &[u8], table: &mut Table, out: &mut Vec<u8>) -> bool {
    let (start, mut kept) = (out.len(), 0);
    table.0.fill(0);
    // The table is empty where it says 0, so that no match is found for the first byte, and none with it.
    let mut at = 1;
    let mut misses = 1 << PATIENCE;
    while at + MARGIN <= bytes.len() {
        let here = word(bytes, at);
        let seen = std::mem::replace(&mut table.0[place(here)], at as u32) as usize;
        if at - seen > REACH || seen == 0 || word(bytes, seen) as u32 != here as u32 {
            at += misses >> PATIENCE;
            misses += 1;
            continue;
        }
        let (mut from, mut seen) = (at, seen);
        while from > kept && seen > 0 && bytes[from - 1] == bytes[seen - 1] {
            (from, seen) = (from - 1, seen - 1);
        }
        let forward = at - from + LEAST;
        let length = forward + equal(bytes, seen + forward, from + forward, bytes.len() - TAIL);
        push(&bytes[kept..from], Some((from - seen, length)), out);
        kept = from + length;
        if out.len() - start >= bytes.len() {
            break;
        }
        at = kept;
        misses = 1 << PATIENCE;
        // One of the places that the match skipped, so that what it repeats is found again.
        if at + MARGIN <= bytes.len() {
            table.0[place(word(bytes, at - 2))] = (at - 2) as u32;
        }
    }
    push(&bytes[kept..], None, out);
    let shorter = out.len() - start < bytes.len();
    if !shorter {
        out.truncate(start);
    }
    shorter
}

/// What a length has beyond the 15 of the token.
fn longer(block: &[u8], at: &mut usize) -> Option<usize> {
    let mut sum = 0;
    loop {
        let byte = *block.get(*at)?;
        *at += 1;
        sum += usize::from(byte);
        if byte != 255 {
            return Some(sum);
        }
    }
}

/// Fills `out` with what a block holds. None if the block is damaged or holds more or fewer bytes.
#[inline(always)]
pub(super) fn decompress(block: &[u8], out: &mut [u8]) -> Option<()> {
    let (mut at, mut done) = (0, 0);
    loop {
        let token = *block.get(at)?;
        at += 1;
        let mut run = usize::from(token >> 4);
        if run == 15 {
            run += longer(block, &mut at)?;
        }
        // Sixteen bytes are copied at once where there is room, as many as are needed elsewhere.
        match (block.get(at..at + 16), out.get_mut(done..done + 16)) {
            (Some(from), Some(to)) if run <= 16 => to.copy_from_slice(from),
            _ => out.get_mut(done..done + run)?.copy_from_slice(block.get(at..at + run)?),
        }
        (at, done) = (at + run, done + run);
        if at == block.len() {
            return (done == out.len()).then_some(());
        }
        let offset = usize::from(u16::from_le_bytes(*block[at..].first_chunk()?));
        at += 2;
        let mut length = usize::from(token & 15);
        if length == 15 {
            length += longer(block, &mut at)?;
        }
        length += LEAST;
        if offset == 0 || offset > done || length > out.len() - done {
            return None;
        }
        repeat(out, (done - offset, done), length);
        done += length;
    }
}

/// Writes at `to` the `length` bytes from `from` on, which may be among those that are written.
#[inline(always)]
fn repeat(out: &mut [u8], (from, to): (usize, usize), length: usize) {
    let offset = to - from;
    if offset >= 16 && length <= 16 && to + 16 <= out.len() {
        let (before, after) = out.split_at_mut(to);
        after[..16].copy_from_slice(&before[from..from + 16]);
    } else if offset >= length {
        out.copy_within(from..from + length, to);
    } else if offset == 1 {
        let byte = out[from];
        out[to..to + length].fill(byte);
    } else {
        // What is there repeats itself, so it doubles with every copy.
        let mut done = 0;
        while done < length {
            let n = (offset + done).min(length - done);
            out.copy_within(from..from + n, to + done);
            done += n;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn there_and_back(bytes: &[u8]) -> Option<usize> {
        let mut block = vec![9];
        let shorter = compress(bytes, &mut Table::new(), &mut block);
        if !shorter {
            assert_eq!(block, [9]);
            return None;
        }
        let mut out = vec![1; bytes.len()];
        decompress(&block[1..], &mut out).unwrap();
        assert_eq!(out, bytes);
        Some(block.len() - 1)
    }

    #[test]
    fn repetitions_become_short_and_noise_is_refused() {
        assert_eq!(there_and_back(&[7; 65_536]), Some(267));
        let word = b"a river runs ";
        assert!(there_and_back(&word.repeat(50)).unwrap() < 40);
        let mut state = 1u32;
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .take(5000)
        .collect();
        assert_eq!(there_and_back(&noise), None);
        assert_eq!(there_and_back(&[]), None);
        // Far repetitions are out of reach, near ones are not.
        let apart = |n: usize| [&noise[..], &vec![0; n], &noise[..]].concat();
        assert!(there_and_back(&apart(50_000)).unwrap() < 6000);
        assert!(there_and_back(&apart(70_000)).unwrap() > 10_000);
    }

    #[test]
    fn a_block_of_the_format_by_hand_is_read() {
        // Three literals, nine bytes from three before, five literals.
        let block = [&[0x35][..], b"abc", &[3, 0], &[0x50], b"12345"].concat();
        let mut out = [0; 17];
        decompress(&block, &mut out).unwrap();
        assert_eq!(&out, b"abcabcabcabc12345");
        assert_eq!(decompress(&block, &mut [0; 16]), None);
        assert_eq!(decompress(&block, &mut [0; 18]), None);
        // A match before the first byte, and one of no distance.
        for offset in [4, 0] {
            let bad = [&[0x35][..], b"abc", &[offset, 0], &[0x50], b"12345"].concat();
            assert_eq!(decompress(&bad, &mut out), None);
        }
    }

    proptest! {
        #[test]
        fn whatever_is_compressed_comes_back(
            parts in prop::collection::vec((0u8..4, 0usize..300, prop::collection::vec(any::<u8>(), 0..40)), 0..30),
        ) {
            let bytes: Vec<u8> = parts
                .iter()
                .flat_map(|(byte, times, other)| {
                    [vec![*byte; *times], other.clone(), other.iter().map(|b| b % 3).collect()].concat()
                })
                .collect();
            there_and_back(&bytes);
        }

        #[test]
        fn damaged_blocks_are_refused_or_read_and_never_panic(
            block in prop::collection::vec(any::<u8>(), 0..200),
            size in 0usize..2000,
        ) {
            decompress(&block, &mut vec![0; size]);
        }
    }
}
