//! Compression of filtered rows: a Huffman code for each block, and runs of zeros.
//!
//! Filtered rows are small numbers and long runs of zeros. A search for other repetitions would find little and take most of
//! the time. RFC 1950 and 1951 have the format.

use super::filter::Counts;

/// The first bytes of a zlib stream: a window of 32 KiB, and the fastest method.
pub(super) const HEADER: [u8; 2] = [0x78, 0x01];

/// Symbols of the code: bytes, the end of the block, and 29 classes of lengths.
const SYMBOLS: usize = 286;
/// The symbol that ends a block.
const END: usize = 256;
/// Most bits of a symbol, so that four fit into a word beside the seven that may wait there.
const LONGEST: u32 = 12;
/// The longest run that has a symbol.
const LONGEST_RUN: usize = 258;

/// Appends a block to `out`, which ends on a byte: the last one with zero bits, all others with an empty stored block.
#[inline(always)]
pub(super) fn block(bytes: &[u8], last: bool, out: &mut Vec<u8>) {
    let counts = counts(bytes);
    let lengths = lengths(&counts, LONGEST);
    let codes = codes(&lengths);
    let used: usize = counts.iter().zip(&lengths).map(|(&n, &l)| n as usize * l as usize).sum();
    // Header, extra bits and the end need less than the rest; a run has at most six bits besides its symbol.
    let runs: usize = counts[END + 1..].iter().map(|&n| n as usize).sum();
    let room = (used + 6 * runs) / 8 + SYMBOLS / 2 + 64;
    let start = out.len();
    out.resize(start + room, 0);
    let mut bits = Bits { out: &mut out[start..], at: 0, word: 0, count: 0 };
    header(last, &lengths, &mut bits);
    each(
        bytes,
        #[inline(always)]
        |part| match part {
            Part::Eight(eight) => {
                let [a, b, c, d, e, f, g, h] = eight.map(|b| codes[b as usize]);
                bits.four([a, b, c, d]);
                bits.four([e, f, g, h]);
            }
            Part::Byte(byte) => bits.put(codes[byte as usize]),
            Part::Run { symbol, extra, value } => {
                bits.put(codes[symbol]);
                // The extra bits, and one for the only distance there is, 1.
                bits.put(Code::new(value, extra + 1));
            }
        },
    );
    bits.put(codes[END]);
    if !last {
        bits.put(Code::new(0, 3));
    }
    let mut used = bits.finish();
    if !last {
        out[start + used..][..4].copy_from_slice(&[0, 0, 255, 255]);
        used += 4;
    }
    out.truncate(start + used);
}

/// What a block is made of.
enum Part {
    Eight([u8; 8]),
    Byte(u8),
    /// The byte before again and again: the symbol of the number of times, and bits that make it exact.
    Run {
        symbol: usize,
        extra: u32,
        value: u32,
    },
}

/// Takes a block apart. Whole groups of eight zeros are runs.
#[inline(always)]
fn each(bytes: &[u8], mut part: impl FnMut(Part)) {
    let (eights, rest) = bytes.as_chunks::<8>();
    let mut zeros = 0;
    for eight in eights {
        if *eight == [0; 8] {
            zeros += 8;
            continue;
        }
        if zeros > 0 {
            run(zeros, &mut part);
            zeros = 0;
        }
        part(Part::Eight(*eight));
    }
    if zeros > 0 {
        run(zeros, &mut part);
    }
    rest.iter().for_each(|&b| part(Part::Byte(b)));
}

/// A run of `zeros` zeros: a zero, and then itself again and again.
fn run(zeros: usize, part: &mut impl FnMut(Part)) {
    part(Part::Byte(0));
    let mut left = zeros - 1;
    while left >= 3 {
        let length = left.min(LONGEST_RUN);
        left -= length;
        let (symbol, extra, value) = match length - 3 {
            255 => (SYMBOLS - 1, 0, 0),
            over => {
                let extra = over.max(4).ilog2() - 2;
                (END + 1 + 4 * extra as usize + (over >> extra), extra, over & ((1 << extra) - 1))
            }
        };
        part(Part::Run { symbol, extra, value: value as u32 });
    }
    (0..left).for_each(|_| part(Part::Byte(0)));
}

#[inline(always)]
fn counts(bytes: &[u8]) -> [u32; SYMBOLS] {
    let (mut fast, mut slow) = (Counts::default(), [0; SYMBOLS]);
    each(
        bytes,
        #[inline(always)]
        |part| match part {
            Part::Eight(eight) => fast.eight(eight),
            Part::Byte(byte) => slow[byte as usize] += 1,
            Part::Run { symbol, .. } => slow[symbol] += 1,
        },
    );
    slow.iter_mut().zip(fast.sums()).for_each(|(all, n)| *all += n);
    slow[END] = 1;
    slow
}

/// Writes what precedes the symbols of a block: its kind and the lengths of its codes. All sixteen lengths that there could be
/// are written in four bits, and 1 is the only distance.
fn header(last: bool, lengths: &[u8; SYMBOLS], bits: &mut Bits) {
    bits.put(Code::new(u32::from(last) | 2 << 1, 3));
    bits.put(Code::new((SYMBOLS - 257) as u32, 5));
    bits.put(Code::new(0, 5));
    bits.put(Code::new(19 - 4, 4));
    // The lengths of the codes of lengths; the first three would be those of repetitions.
    (0..19).for_each(|k| bits.put(Code::new(if k < 3 { 0 } else { 4 }, 3)));
    let mut length = |l: u8| bits.put(Code::new(u32::from(l).reverse_bits() >> 28, 4));
    lengths.iter().for_each(|&l| length(l));
    length(1);
}

/// The lengths of a Huffman code for symbols that occur so often, of at most `longest` bits; 0 for those that never do. At
/// least two symbols must occur.
pub(super) fn lengths(counts: &[u32; SYMBOLS], longest: u32) -> [u8; SYMBOLS] {
    let mut counts = *counts;
    loop {
        let lengths = free_lengths(&counts);
        if lengths.iter().all(|&l| u32::from(l) <= longest) {
            return lengths;
        }
        // Rare symbols become less rare, until none needs more.
        counts.iter_mut().filter(|n| **n > 0).for_each(|n| *n = *n / 2 + 1);
    }
}

/// The same without a limit: the two rarest trees are joined until one is left. Leaves are sorted and joined trees come out in
/// order, so the rarest is the next of one of two queues.
fn free_lengths(counts: &[u32; SYMBOLS]) -> [u8; SYMBOLS] {
    let mut leaves: Vec<(u32, usize)> =
        counts.iter().enumerate().filter(|(_, n)| **n > 0).map(|(k, &n)| (n, k)).collect();
    leaves.sort_unstable();
    let n = leaves.len();
    // Nodes: the leaves, then the joined ones. Each knows its weight and the node it was joined into.
    let mut weights: Vec<u64> = leaves.iter().map(|l| u64::from(l.0)).collect();
    let mut parents = vec![0; 2 * n - 1];
    let (mut leaf, mut joined) = (0, n);
    for node in n..2 * n - 1 {
        let mut weight = 0;
        for _ in 0..2 {
            let take_leaf = leaf < n && (joined == node || weights[leaf] <= weights[joined]);
            let next = if take_leaf { &mut leaf } else { &mut joined };
            weight += weights[*next];
            parents[*next] = node;
            *next += 1;
        }
        weights.push(weight);
    }
    let mut depths = vec![0u8; 2 * n - 1];
    for node in (0..2 * n - 2).rev() {
        depths[node] = depths[parents[node]] + 1;
    }
    let mut out = [0; SYMBOLS];
    leaves.iter().zip(depths).for_each(|(&(_, symbol), depth)| out[symbol] = depth);
    out
}

/// Bits to write, the first of them lowest, and above 16 of them their number.
#[derive(Clone, Copy, Default)]
struct Code(u32);

impl Code {
    #[inline(always)]
    fn new(bits: u32, count: u32) -> Self {
        Self(bits | count << 16)
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        u64::from(self.0 & 0xffff)
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0 >> 16
    }
}

/// The codes of symbols whose lengths are known: in order of length, then of symbol.
fn codes(lengths: &[u8; SYMBOLS]) -> [Code; SYMBOLS] {
    let mut out = [Code::default(); SYMBOLS];
    let mut next = 0u32;
    for length in 1..=LONGEST {
        next <<= 1;
        for (code, _) in out.iter_mut().zip(lengths).filter(|(_, l)| u32::from(**l) == length) {
            *code = Code::new(next.reverse_bits() >> (32 - length), length);
            next += 1;
        }
    }
    out
}

/// A writer of bits.
struct Bits<'a> {
    out: &'a mut [u8],
    at: usize,
    word: u64,
    /// Bits of the word that wait, at most seven between calls.
    count: u32,
}

impl Bits<'_> {
    #[inline(always)]
    fn put(&mut self, code: Code) {
        self.word(code.bits(), code.count());
    }

    #[inline(always)]
    fn four(&mut self, [a, b, c, d]: [Code; 4]) {
        let low = a.bits() | b.bits() << a.count();
        let high = c.bits() | d.bits() << c.count();
        let count = a.count() + b.count();
        self.word(low | high << count, count + c.count() + d.count());
    }

    #[inline(always)]
    fn word(&mut self, bits: u64, count: u32) {
        self.word |= bits << self.count;
        self.count += count;
        self.out[self.at..self.at + 8].copy_from_slice(&self.word.to_le_bytes());
        self.at += self.count as usize / 8;
        self.word >>= self.count & !7;
        self.count &= 7;
    }

    /// Fills the last byte with zeros. Returns the number of bytes.
    fn finish(self) -> usize {
        self.at + usize::from(self.count > 0)
    }
}

/// The checksum of a zlib stream (Adler-32) and the number of bytes that it is of, so that sums of parts can be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Adler {
    sum: u32,
    bytes: usize,
}

impl Default for Adler {
    fn default() -> Self {
        Self { sum: 1, bytes: 0 }
    }
}

impl Adler {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self { sum: simd_adler32::adler32(&bytes), bytes: bytes.len() }
    }

    /// The sum of what this one is of and, after it, what `next` is of. With a = 1 + Σ dᵢ and b = Σ of all a, both modulo 65521,
    /// the bytes of the first part add (a − 1) to every a of the second.
    pub(super) fn then(self, next: Self) -> Self {
        const MODULUS: u64 = 65_521;
        let parts = |sum: u32| (u64::from(sum & 0xffff), u64::from(sum >> 16));
        let ((a1, b1), (a2, b2)) = (parts(self.sum), parts(next.sum));
        let before = (a1 + MODULUS - 1) % MODULUS;
        let a = (before + a2) % MODULUS;
        let b = (b1 + b2 + before * (next.bytes as u64 % MODULUS)) % MODULUS;
        Self { sum: (b << 16 | a) as u32, bytes: self.bytes + next.bytes }
    }

    pub(super) fn bytes(self) -> [u8; 4] {
        self.sum.to_be_bytes()
    }
}
