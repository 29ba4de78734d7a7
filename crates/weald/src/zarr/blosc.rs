//! Containers of Blosc, version 1, with the compressor LZ4 and bytes sorted by their place in a number.
//!
//! Format: <https://github.com/Blosc/c-blosc/blob/main/README_CHUNK_FORMAT.rst>. A container of ours is one block. All first bytes of the numbers
//! are one stream, all second bytes the next one, and so on; a stream that LZ4 does not make shorter stands as it is. Numbers of a byte are one
//! stream. Containers of other programs may have several blocks, and streams that hold a whole block.

use super::lz4;
use std::borrow::Cow;

/// Bytes of the header.
const HEADER: usize = 16;
/// The bytes of a number are sorted by their place.
const SHUFFLED: u8 = 0x01;
/// The bytes stand after the header as they were.
const COPIED: u8 = 0x02;
/// The bits of a number are sorted by their place.
const BIT_SHUFFLED: u8 = 0x04;
/// A block is one stream.
const WHOLE: u8 = 0x10;
/// The compressor LZ4, in the upper three bits.
const LZ4: u8 = 1 << 5;
/// A block of fewer numbers is one stream.
const FEWEST: usize = 128;
/// Numbers of more bytes are not divided into streams.
const MOST_STREAMS: usize = 16;

/// The most bytes that a byte can stand for.
pub(super) const LARGEST_RATIO: usize = 256;

/// The container of numbers of so many bytes each.
pub(super) fn pack(bytes: &[u8], size: usize) -> Vec<u8> {
    let divided = size > 1 && bytes.len() / size >= FEWEST && bytes.len().is_multiple_of(size);
    let shuffle = if size > 1 { SHUFFLED } else { 0 };
    let flags = LZ4 | shuffle | if divided { 0 } else { WHOLE };
    let mut out = header(flags, size, bytes.len(), 0);
    out.extend_from_slice(&(HEADER as u32 + 4).to_le_bytes());
    let sorted = sorted(bytes, size);
    let mut table = lz4::Table::new();
    for stream in sorted.chunks(if divided { bytes.len() / size } else { bytes.len().max(1) }) {
        let at = out.len();
        out.extend_from_slice(&[0; 4]);
        if !lz4::compress(stream, &mut table, &mut out) {
            out.extend_from_slice(stream);
        }
        let length = (out.len() - at - 4) as u32;
        out[at..at + 4].copy_from_slice(&length.to_le_bytes());
    }
    if out.len() >= HEADER + bytes.len() {
        out = header(LZ4 | shuffle | COPIED, size, bytes.len(), 0);
        out.extend_from_slice(bytes);
    }
    let length = out.len() as u32;
    out[12..16].copy_from_slice(&length.to_le_bytes());
    out
}

fn header(flags: u8, size: usize, bytes: usize, packed: usize) -> Vec<u8> {
    let words = [bytes, bytes, packed].map(|n| (n as u32).to_le_bytes());
    [&[2, 1, flags, size as u8][..], words.as_flattened()].concat()
}

/// All first bytes of the numbers, then all second ones, and so on. What does not fill a number stays at the end.
fn sorted(bytes: &[u8], size: usize) -> Cow<'_, [u8]> {
    if size == 1 {
        return bytes.into();
    }
    let count = bytes.len() / size;
    let mut out = vec![0; bytes.len()];
    let (sorted, rest) = out.split_at_mut(size * count);
    rest.copy_from_slice(&bytes[size * count..]);
    match size {
        2 => {
            let (a, b) = sorted.split_at_mut(count);
            let places = bytes.as_chunks::<2>().0.iter().zip(a).zip(b);
            places.for_each(|((number, a), b)| [*a, *b] = *number);
        }
        4 => {
            let (ab, cd) = sorted.split_at_mut(2 * count);
            let ((a, b), (c, d)) = (ab.split_at_mut(count), cd.split_at_mut(count));
            let places = bytes.as_chunks::<4>().0.iter().zip(a).zip(b).zip(c).zip(d);
            places.for_each(|((((number, a), b), c), d)| [*a, *b, *c, *d] = *number);
        }
        _ => (0..size * count).for_each(|i| sorted[i % size * count + i / size] = bytes[i]),
    }
    out.into()
}

/// The inverse of [`sorted`].
fn unsorted(bytes: &[u8], size: usize, out: &mut [u8]) {
    let count = bytes.len() / size;
    let (numbers, rest) = out.split_at_mut(count * size);
    rest.copy_from_slice(&bytes[count * size..]);
    match size {
        2 => {
            let (a, b) = bytes.split_at(count);
            let places = numbers.as_chunks_mut::<2>().0.iter_mut().zip(a).zip(b);
            places.for_each(|((out, a), b)| *out = [*a, *b]);
        }
        4 => {
            let ((ab, cd), half) = (bytes.split_at(2 * count), count);
            let ((a, b), (c, d)) = (ab.split_at(half), cd.split_at(half));
            let places = numbers.as_chunks_mut::<4>().0.iter_mut().zip(a).zip(b).zip(c).zip(d);
            places.for_each(|((((out, a), b), c), d)| *out = [*a, *b, *c, *d]);
        }
        _ => numbers.iter_mut().enumerate().for_each(|(i, out)| *out = bytes[i % size * count + i / size]),
    }
}

/// The word at `at`.
fn word(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize)
}

/// The bytes of a container, of which there must be `length`; otherwise what is wrong with it.
pub(super) fn unpack(packed: &[u8], length: usize) -> Result<Vec<u8>, String> {
    let broken = || "its Blosc container is not whole".to_owned();
    let [version, _, flags, size, ..] = *packed else { return Err(broken()) };
    let words = (word(packed, 4), word(packed, 8), word(packed, 12));
    let (Some(bytes), Some(block), Some(all)) = words else { return Err(broken()) };
    if version > 2 || size == 0 || all != packed.len() {
        return Err(broken());
    }
    if bytes != length || bytes > packed.len().saturating_mul(LARGEST_RATIO) {
        return Err(format!("its Blosc container has {bytes} bytes where {length} belong"));
    }
    if flags & COPIED != 0 {
        return packed.get(HEADER..HEADER + bytes).map(<[u8]>::to_vec).ok_or_else(broken);
    }
    if flags & BIT_SHUFFLED != 0 {
        return Err("its Blosc container has sorted bits, which are not read".into());
    }
    if flags & 0xe0 != LZ4 {
        return Err(format!("the compressor {} of its Blosc container is not LZ4", flags >> 5));
    }
    if bytes > 0 && (block == 0 || block > bytes) {
        return Err(broken());
    }
    let mut out = vec![0; bytes];
    for (k, out) in out.chunks_mut(block.max(1)).enumerate() {
        let at = word(packed, HEADER + 4 * k).ok_or_else(broken)?;
        let whole = flags & WHOLE != 0 || out.len() < block || !is_divided(block, size.into());
        let streams = if whole { 1 } else { size.into() };
        if flags & SHUFFLED == 0 || size == 1 {
            unpack_block(packed, at, streams, out).ok_or_else(broken)?;
        } else {
            let mut sorted = vec![0; out.len()];
            unpack_block(packed, at, streams, &mut sorted).ok_or_else(broken)?;
            unsorted(&sorted, size.into(), out);
        }
    }
    Ok(out)
}

/// Whether blocks of so many bytes are divided into a stream for each byte of their numbers.
fn is_divided(block: usize, size: usize) -> bool {
    size <= MOST_STREAMS && block / size >= FEWEST
}

/// Fills `out` with the streams from `at` on.
fn unpack_block(packed: &[u8], mut at: usize, streams: usize, out: &mut [u8]) -> Option<()> {
    let each = out.len() / streams;
    if each * streams != out.len() {
        return None;
    }
    for out in out.chunks_exact_mut(each) {
        let length = word(packed, at)?;
        let stream = packed.get(at + 4..)?.get(..length)?;
        if length == each {
            out.copy_from_slice(stream);
        } else {
            lz4::decompress(stream, out)?;
        }
        at += 4 + length;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_container_has_the_header_of_the_format() {
        let numbers: Vec<u8> = (0..1000u32).flat_map(u32::to_le_bytes).collect();
        let packed = pack(&numbers, 4);
        assert_eq!(packed[..4], [2, 1, 0x21, 4]);
        assert_eq!(
            (word(&packed, 4), word(&packed, 8), word(&packed, 12)),
            (Some(4000), Some(4000), Some(packed.len()))
        );
        // The upper two bytes are zeros, the lowest ones noise.
        assert!(packed.len() < 1500, "{}", packed.len());
        assert_eq!(pack(&[7; 500], 1)[2], 0x30);
        // What does not become shorter stands as it is.
        let short = pack(&[1, 2, 3, 4], 4);
        assert_eq!((short[2], &short[16..]), (0x23, &[1, 2, 3, 4][..]));
    }

    #[test]
    fn several_blocks_of_one_stream_each_are_read() {
        // Two blocks of 300 bytes and one of 100, as other programs write them.
        let numbers: Vec<u8> = (0..350u16).flat_map(u16::to_le_bytes).collect();
        let mut packed = header(LZ4 | SHUFFLED | WHOLE, 2, 700, 0);
        packed[8..12].copy_from_slice(&300u32.to_le_bytes());
        packed.extend([0; 12]);
        for (k, block) in numbers.chunks(300).enumerate() {
            let at = packed.len() as u32;
            packed[16 + 4 * k..][..4].copy_from_slice(&at.to_le_bytes());
            let mut stream = Vec::new();
            let sorted = sorted(block, 2);
            if !lz4::compress(&sorted, &mut lz4::Table::new(), &mut stream) {
                stream = sorted.into_owned();
            }
            packed.extend((stream.len() as u32).to_le_bytes());
            packed.extend(stream);
        }
        let all = packed.len() as u32;
        packed[12..16].copy_from_slice(&all.to_le_bytes());
        assert_eq!(unpack(&packed, 700), Ok(numbers));
    }

    #[test]
    fn other_compressors_and_sizes_are_refused_by_name() {
        let mut packed = pack(&[7; 500], 1);
        assert!(unpack(&packed, 501).unwrap_err().contains("500 bytes where 501 belong"));
        packed[2] = 4 << 5;
        assert!(unpack(&packed, 500).unwrap_err().contains("compressor 4"));
        packed[2] = LZ4 | BIT_SHUFFLED;
        assert!(unpack(&packed, 500).unwrap_err().contains("sorted bits"));
        assert!(unpack(&packed[..10], 500).is_err() && unpack(&[], 0).is_err());
    }

    proptest! {
        #[test]
        fn whatever_is_packed_comes_back(
            bytes in prop::collection::vec(0u8..4, 0..3000),
            size in prop::sample::select(vec![1usize, 2, 3, 4, 8]),
        ) {
            prop_assert_eq!(unpack(&pack(&bytes, size), bytes.len()).unwrap(), bytes);
        }

        #[test]
        fn damaged_containers_never_panic(
            bytes in prop::collection::vec(0u8..4, 0..1500),
            damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        ) {
            let mut packed = pack(&bytes, 4);
            for (at, value) in damage {
                let at = at.index(packed.len().min(64));
                packed[at] = value;
            }
            let _ = unpack(&packed, bytes.len());
        }
    }
}
