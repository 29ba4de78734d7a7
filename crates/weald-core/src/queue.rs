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

/// A monotone priority queue with the smallest key first: no key may be below the last one removed, as in a search with
/// positive costs. The order of entries with equal keys is unspecified.
///
/// A radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990, doi:10.1145/77600.77615): an entry is in the bucket numbered by the
/// highest bit in which its key differs from the last one removed. It moves at most 32 times, always to a lower bucket.
#[doc(alias = "radix heap")]
#[doc(alias = "monotone priority queue")]
#[derive(Clone, Debug)]
pub struct RisingQueue {
    last: u32,
    /// (key, value) by highest differing bit, 0 for keys equal to `last`.
    buckets: [Vec<(u32, u32)>; 33],
}

impl Default for RisingQueue {
    fn default() -> Self {
        Self { last: 0, buckets: std::array::from_fn(|_| Vec::new()) }
    }
}

impl RisingQueue {
    /// Removes all entries and keeps the memory.
    pub fn clear(&mut self) {
        self.last = 0;
        self.buckets.iter_mut().for_each(Vec::clear);
    }

    /// Adds an entry; `key` must be at least the last one removed.
    #[inline]
    pub fn push(&mut self, key: u32, value: u32) {
        debug_assert!(key >= self.last);
        let bucket = 32 - (key ^ self.last).leading_zeros();
        self.buckets[bucket as usize].push((key, value));
    }

    /// Removes an entry with the smallest key.
    #[inline]
    pub fn pop(&mut self) -> Option<(u32, u32)> {
        if self.buckets[0].is_empty() {
            let next = self.buckets.iter().position(|b| !b.is_empty())?;
            let mut entries = std::mem::take(&mut self.buckets[next]);
            self.last = entries.iter().map(|e| e.0).min()?;
            entries.drain(..).for_each(|(key, value)| self.push(key, value));
            // The emptied bucket keeps its memory.
            self.buckets[next] = entries;
        }
        self.buckets[0].pop()
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
        fn a_rising_queue_gives_the_smallest_key_each_time(steps in proptest::collection::vec((0u32..3, 0u32..1 << 20), 0..300)) {
            let (mut q, mut naive, mut last) = (RisingQueue::default(), Vec::new(), 0);
            for (op, rise) in steps {
                if op > 0 {
                    q.push(last + rise, rise);
                    naive.push((last + rise, rise));
                } else {
                    let taken = q.pop();
                    prop_assert_eq!(taken.map(|t| t.0), naive.iter().map(|e| e.0).min());
                    if let Some(taken) = taken {
                        last = taken.0;
                        let at = naive.iter().position(|&e| e == taken);
                        prop_assert!(at.is_some(), "an entry came out that was not in");
                        naive.swap_remove(at.unwrap());
                    }
                }
            }
        }

        #[test]
        fn float_keys_sort_like_floats(a in 0.0f64..1e12, b in 0.0f64..1e12) {
            prop_assert_eq!(a.partial_cmp(&b), float_key(a).partial_cmp(&float_key(b)));
        }
    }
}
