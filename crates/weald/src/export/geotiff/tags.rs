//! The tags of a TIFF file, in little-endian order.

/// The values of a tag.
pub(super) enum Value {
    Short(Vec<u16>),
    Long(Vec<u32>),
    /// 64 bits, in BigTIFF only.
    Long8(Vec<u64>),
    Double(Vec<f64>),
    Text(String),
}

impl Value {
    /// The number of its type.
    fn kind(&self) -> u16 {
        match self {
            Value::Text(_) => 2,
            Value::Short(_) => 3,
            Value::Long(_) => 4,
            Value::Double(_) => 12,
            Value::Long8(_) => 16,
        }
    }

    /// How many values there are, and their bytes.
    fn bytes(&self) -> (usize, Vec<u8>) {
        match self {
            Value::Text(text) => (text.len() + 1, [text.as_bytes(), &[0]].concat()),
            Value::Short(v) => (v.len(), v.iter().flat_map(|v| v.to_le_bytes()).collect()),
            Value::Long(v) => (v.len(), v.iter().flat_map(|v| v.to_le_bytes()).collect()),
            Value::Double(v) => (v.len(), v.iter().flat_map(|v| v.to_le_bytes()).collect()),
            Value::Long8(v) => (v.len(), v.iter().flat_map(|v| v.to_le_bytes()).collect()),
        }
    }
}

/// How wide offsets are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sizes {
    /// TIFF: 32 bits.
    Classic,
    /// BigTIFF: 64 bits.
    Big,
}

impl Sizes {
    /// Those of a file of at most so many bytes.
    pub(super) fn for_bytes(most: u64) -> Self {
        if most < 1 << 32 { Sizes::Classic } else { Sizes::Big }
    }

    /// Bytes of an offset.
    fn word(self) -> usize {
        match self {
            Sizes::Classic => 4,
            Sizes::Big => 8,
        }
    }

    /// Bytes of the header.
    pub(super) fn header(self) -> usize {
        2 * self.word()
    }

    /// The header of a file whose first tags stand at `first`.
    pub(super) fn header_bytes(self, first: u64) -> Vec<u8> {
        let mut out = match self {
            Sizes::Classic => b"II*\0".to_vec(),
            Sizes::Big => b"II+\0\x08\0\0\0".to_vec(),
        };
        self.push(&mut out, first);
        out
    }

    /// Offsets as the values of a tag.
    pub(super) fn offsets(self, offsets: impl Iterator<Item = u64>) -> Value {
        match self {
            Sizes::Classic => Value::Long(offsets.map(|o| o as u32).collect()),
            Sizes::Big => Value::Long8(offsets.collect()),
        }
    }

    fn push(self, out: &mut Vec<u8>, offset: u64) {
        out.extend_from_slice(&offset.to_le_bytes()[..self.word()]);
    }
}

/// The tags of one picture of a file, in ascending order.
pub(super) struct Directory {
    sizes: Sizes,
    tags: Vec<(u16, Value)>,
}

impl Directory {
    pub(super) fn new(sizes: Sizes) -> Self {
        Self { sizes, tags: Vec::new() }
    }

    /// Adds a tag with a higher number than all before.
    pub(super) fn add(&mut self, tag: u16, value: Value) {
        debug_assert!(self.tags.last().is_none_or(|(last, _)| *last < tag), "tags stand in ascending order");
        self.tags.push((tag, value));
    }

    /// Writes the tags at the end of `out`, which begins with the file, and their longer values behind them; `more` says whether those of
    /// another picture follow.
    pub(super) fn append_to(&self, out: &mut Vec<u8>, more: bool) {
        let word = self.sizes.word();
        let (counted, row) = match self.sizes {
            Sizes::Classic => (2, 12),
            Sizes::Big => (8, 20),
        };
        let values_at = out.len() + counted + self.tags.len() * row + word;
        let mut values: Vec<u8> = Vec::new();
        out.extend_from_slice(&(self.tags.len() as u64).to_le_bytes()[..counted]);
        for (tag, value) in &self.tags {
            let (count, mut bytes) = value.bytes();
            out.extend_from_slice(&tag.to_le_bytes());
            out.extend_from_slice(&value.kind().to_le_bytes());
            self.sizes.push(out, count as u64);
            if bytes.len() <= word {
                bytes.resize(word, 0);
                out.append(&mut bytes);
            } else {
                self.sizes.push(out, (values_at + values.len()) as u64);
                values.append(&mut bytes);
                values.resize(values.len().next_multiple_of(2), 0);
            }
        }
        let next = if more { (values_at + values.len()) as u64 } else { 0 };
        self.sizes.push(out, next);
        out.append(&mut values);
    }
}
