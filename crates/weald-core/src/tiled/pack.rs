//! Summaries and shares as bytes, so that passes can run in other processes and on other machines.

/// Something that can be written as bytes and read back: numbers are little-endian, lists begin with their length.
pub trait Pack: Sized {
    /// Appends its bytes.
    fn pack(&self, out: &mut Vec<u8>);

    /// Reads it back; `None` if the bytes are not those of such a value.
    fn unpack(from: &mut Reader) -> Option<Self>;

    /// Its bytes.
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.pack(&mut out);
        out
    }

    /// Reads it from exactly these bytes.
    ///
    /// ```
    /// use weald_core::tiled::Pack;
    ///
    /// let list = vec![(3u64, 0.5f32), (4, 1.0)];
    /// assert_eq!(Vec::from_bytes(&list.to_bytes()), Some(list.clone()));
    /// assert_eq!(Vec::<(u64, f32)>::from_bytes(&list.to_bytes()[1..]), None);
    /// ```
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let value = Self::unpack(&mut reader)?;
        reader.0.is_empty().then_some(value)
    }
}

/// Bytes that are read from the front.
pub struct Reader<'a>(&'a [u8]);

macro_rules! numbers {
    ($($kind:ty),*) => {$(
        impl Pack for $kind {
            fn pack(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn unpack(from: &mut Reader) -> Option<Self> {
                let (bytes, rest) = from.0.split_first_chunk()?;
                from.0 = rest;
                Some(Self::from_le_bytes(*bytes))
            }
        }
    )*};
}
numbers!(u8, u16, u32, u64, f32, f64);

impl Pack for usize {
    fn pack(&self, out: &mut Vec<u8>) {
        (*self as u64).pack(out);
    }
    fn unpack(from: &mut Reader) -> Option<Self> {
        u64::unpack(from)?.try_into().ok()
    }
}

impl<T: Pack> Pack for Vec<T> {
    fn pack(&self, out: &mut Vec<u8>) {
        self.len().pack(out);
        self.iter().for_each(|item| item.pack(out));
    }
    fn unpack(from: &mut Reader) -> Option<Self> {
        // A damaged length must not ask for memory: every item has at least one byte.
        let len = usize::unpack(from).filter(|&len| len <= from.0.len())?;
        (0..len).map(|_| T::unpack(from)).collect()
    }
}

impl<A: Pack, B: Pack> Pack for (A, B) {
    fn pack(&self, out: &mut Vec<u8>) {
        self.0.pack(out);
        self.1.pack(out);
    }
    fn unpack(from: &mut Reader) -> Option<Self> {
        Some((A::unpack(from)?, B::unpack(from)?))
    }
}

/// Implements [`Pack`] for a struct by its fields, in order.
macro_rules! pack_fields {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::tiled::Pack for $name {
            fn pack(&self, out: &mut Vec<u8>) {
                $($crate::tiled::Pack::pack(&self.$field, out);)*
            }
            fn unpack(from: &mut $crate::tiled::Reader) -> Option<Self> {
                $(let $field = $crate::tiled::Pack::unpack(from)?;)*
                Some(Self { $($field),* })
            }
        }
    };
}
pub(crate) use pack_fields;
