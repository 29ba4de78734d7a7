//! Priority queues with a total order.
//!
//! Keys must be `Ord`, which floats are not: convert the cost to an integer ([`float_key`]) and add the tie-break to the key.
//! Then the order in which entries come out depends on the entries alone and not on the order in which they were added.
//!
//! ```
//! use weald_core::queue::MinQueue;
//!
//! let mut queue = MinQueue::new();
//! [(3, 'c'), (1, 'b'), (1, 'a')].into_iter().for_each(|entry| queue.push(entry));
//! assert_eq!(queue.pop(), Some((1, 'a')));
//! ```

/// A priority queue with the smallest key first: a heap with four children per node, half as deep as a binary heap.
#[doc(alias = "priority queue")]
#[doc(alias = "binary heap")]
#[derive(Clone, Debug, Default)]
pub struct MinQueue<K> {
    heap: Vec<K>,
}

const ARITY: usize = 4;

impl<K: Ord + Copy> MinQueue<K> {
    /// An empty queue.
    pub fn new() -> Self {
        Self { heap: Vec::new() }
    }

    /// Removes all entries and keeps the memory.
    pub fn clear(&mut self) {
        self.heap.clear();
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Adds an entry.
    pub fn push(&mut self, key: K) {
        let mut hole = self.heap.len();
        self.heap.push(key);
        while hole > 0 {
            let parent = (hole - 1) / ARITY;
            if self.heap[parent] <= key {
                break;
            }
            self.heap[hole] = self.heap[parent];
            hole = parent;
        }
        self.heap[hole] = key;
    }

    /// The smallest entry, which stays in the queue.
    #[inline]
    pub fn first(&self) -> Option<K> {
        self.heap.first().copied()
    }

    /// Removes the smallest entry.
    pub fn pop(&mut self) -> Option<K> {
        let last = self.heap.pop()?;
        let Some(&top) = self.heap.first() else { return Some(last) };
        let mut hole = 0;
        loop {
            let first = hole * ARITY + 1;
            let Some(children) = self.heap.get(first..(first + ARITY).min(self.heap.len())) else { break };
            let Some((i, &least)) = children.iter().enumerate().min_by_key(|&(_, k)| k) else { break };
            if least >= last {
                break;
            }
            self.heap[hole] = least;
            hole = first + i;
        }
        self.heap[hole] = last;
        Some(top)
    }
}

/// An entry of a [`RisingQueue`], which knows its key.
pub trait Keyed: Copy {
    /// What the entry is sorted by.
    fn key(&self) -> u32;
}

/// The first of the pair is the key.
impl<V: Copy> Keyed for (u32, V) {
    #[inline]
    fn key(&self) -> u32 {
        self.0
    }
}

/// Bits of a digit of a key in a [`RisingQueue`], and how many digits a key has.
const DIGIT: u32 = 6;
const DIGITS: usize = 32usize.div_ceil(DIGIT as usize);
const VALUES: usize = 1 << DIGIT;

/// A monotone priority queue that gives all entries of the smallest key at once: no key may be below the last one given, as
/// in a search with positive costs. The order of entries with equal keys is unspecified.
///
/// A radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990, doi:10.1145/77600.77615) with digits of six bits: an entry is in the
/// bucket of the highest digit in which its key differs from the last one given, and of the value of that digit. It moves at
/// most five times, always to a lower digit; one whose key is less than 64 ahead hardly ever moves. Cost: constant per entry.
///
/// ```
/// use weald_core::queue::RisingQueue;
///
/// let (mut queue, mut first) = (RisingQueue::default(), Vec::new());
/// [(3, 'c'), (1, 'b'), (1, 'a')].into_iter().for_each(|entry| queue.push(entry));
/// assert_eq!(queue.pop_equal(&mut first), Some(1));
/// first.sort_unstable();
/// assert_eq!(first, [(1, 'a'), (1, 'b')]);
/// ```
#[doc(alias = "radix heap")]
#[doc(alias = "bucket queue")]
#[doc(alias = "monotone priority queue")]
#[derive(Clone, Debug)]
pub struct RisingQueue<E> {
    last: u32,
    /// Which buckets of each digit hold entries, one bit for each value.
    used: [u64; DIGITS],
    /// By digit, lowest first, then by its value.
    buckets: Vec<Vec<E>>,
}

impl<E> Default for RisingQueue<E> {
    fn default() -> Self {
        Self { last: 0, used: [0; DIGITS], buckets: (0..DIGITS * VALUES).map(|_| Vec::new()).collect() }
    }
}

impl<E: Keyed> RisingQueue<E> {
    /// Removes all entries and keeps the memory.
    pub fn clear(&mut self) {
        self.last = 0;
        for digit in 0..DIGITS {
            while self.used[digit] != 0 {
                let bucket = self.take_bucket(digit);
                self.buckets[bucket].clear();
            }
        }
    }

    /// Adds an entry, whose key must be at least the last one given.
    #[inline]
    pub fn push(&mut self, entry: E) {
        let key = entry.key();
        debug_assert!(key >= self.last);
        let differs = key ^ self.last;
        // 0 if only the lowest digit differs, or none.
        let digit = if differs < VALUES as u32 { 0 } else { differs.ilog2() / DIGIT };
        let value = key >> (digit * DIGIT) & (VALUES as u32 - 1);
        self.used[digit as usize] |= 1 << value;
        self.buckets[digit as usize * VALUES + value as usize].push(entry);
    }

    /// Moves all entries with the smallest key into `out`, in place of what was there, and returns that key; `None` if the
    /// queue is empty.
    pub fn pop_equal(&mut self, out: &mut Vec<E>) -> Option<u32> {
        out.clear();
        let digit = self.used.iter().position(|&used| used != 0)?;
        let mut bucket = self.take_bucket(digit);
        if digit == 0 {
            // All keys of the bucket are equal.
            self.last = self.buckets[bucket].first()?.key();
        } else {
            self.last = self.buckets[bucket].iter().map(E::key).min()?;
            let mut entries = std::mem::take(&mut self.buckets[bucket]);
            entries.drain(..).for_each(|entry| self.push(entry));
            // The emptied bucket keeps its memory.
            self.buckets[bucket] = entries;
            bucket = self.take_bucket(0);
        }
        std::mem::swap(&mut self.buckets[bucket], out);
        Some(self.last)
    }

    /// The first bucket of a digit that holds entries, which the caller empties.
    fn take_bucket(&mut self, digit: usize) -> usize {
        let value = self.used[digit].trailing_zeros() as usize;
        self.used[digit] &= self.used[digit] - 1;
        digit * VALUES + value
    }
}

/// An integer that sorts like a non-negative float: if a < b, then `float_key(a) < float_key(b)`.
#[inline]
pub fn float_key(cost: f64) -> u64 {
    debug_assert!(cost >= 0.0);
    cost.to_bits()
}

/// An integer that sorts like any float that is not NaN: if a < b, then `signed_key(a) < signed_key(b)`. −0 counts as 0.
///
/// ```
/// use weald_core::queue::signed_key;
///
/// assert!(signed_key(-3.5) < signed_key(-0.0));
/// assert_eq!(signed_key(-0.0), signed_key(0.0));
/// ```
#[inline(always)]
pub fn signed_key(value: f32) -> u32 {
    let bits = (value + 0.0).to_bits();
    bits ^ (((bits as i32 >> 31) as u32) | 0x8000_0000)
}

/// The float with a [`signed_key`].
///
/// ```
/// use weald_core::queue::{signed_key, signed_value};
///
/// assert_eq!(signed_value(signed_key(-3.5)), -3.5);
/// ```
#[inline]
pub fn signed_value(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 0 { !key } else { key ^ 0x8000_0000 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keys_sort_like_heights_and_lead_back_to_them() {
        let sorted = [f32::NEG_INFINITY, -7.5, -1e-30, 0.0, 1e-30, 3.0, 4e20];
        assert!(sorted.windows(2).all(|w| signed_key(w[0]) < signed_key(w[1])));
        assert!(sorted.iter().all(|&v| signed_value(signed_key(v)) == v));
    }

    proptest! {
        #[test]
        fn entries_come_out_sorted(mut keys in proptest::collection::vec(0u32..50, 0..200)) {
            let mut q = MinQueue::new();
            keys.iter().for_each(|&k| q.push(k));
            let out: Vec<_> = std::iter::from_fn(|| q.pop()).collect();
            keys.sort_unstable();
            prop_assert_eq!(out, keys);
        }

        #[test]
        fn pushing_between_pops_keeps_the_order(ops in proptest::collection::vec(proptest::option::of(0u32..99), 0..200)) {
            let (mut q, mut naive) = (MinQueue::new(), Vec::new());
            for op in ops {
                match op {
                    Some(k) => { q.push(k); naive.push(k); naive.sort_unstable_by(|a, b| b.cmp(a)); }
                    None => prop_assert_eq!(q.pop(), naive.pop()),
                }
            }
        }

        #[test]
        fn a_rising_queue_gives_all_entries_of_the_smallest_key_each_time(
            steps in proptest::collection::vec((0u32..4, 0u32..20, 0u32..20), 0..300)
        ) {
            let (mut q, mut naive, mut last, mut taken) = (RisingQueue::default(), Vec::new(), 0, Vec::new());
            for (value, (op, rise, shift)) in steps.into_iter().enumerate() {
                if op > 0 {
                    let key = last + (rise << shift >> 4);
                    q.push((key, value));
                    naive.push((key, value));
                } else {
                    let key = q.pop_equal(&mut taken);
                    prop_assert_eq!(key, naive.iter().map(|e| e.0).min());
                    last = key.unwrap_or(last);
                    taken.sort_unstable();
                    let expected: Vec<_> = naive.extract_if(.., |e| Some(e.0) == key).collect();
                    prop_assert_eq!(&taken, &expected);
                }
            }
        }

        #[test]
        fn float_keys_sort_like_floats(a in 0.0f64..1e12, b in 0.0f64..1e12) {
            prop_assert_eq!(a.partial_cmp(&b), float_key(a).partial_cmp(&float_key(b)));
        }
    }
}
