//! The tags of a TIFF file.

use super::bad;
use crate::error::Result;
use std::collections::BTreeMap;

pub(super) const SUBFILE: u16 = 254;
pub(super) const WIDTH: u16 = 256;
pub(super) const HEIGHT: u16 = 257;
pub(super) const BITS: u16 = 258;
pub(super) const COMPRESSION: u16 = 259;
pub(super) const PHOTOMETRIC: u16 = 262;
pub(super) const FILL_ORDER: u16 = 266;
pub(super) const STRIP_OFFSETS: u16 = 273;
pub(super) const SAMPLES: u16 = 277;
pub(super) const STRIP_ROWS: u16 = 278;
pub(super) const STRIP_BYTES: u16 = 279;
pub(super) const PLANAR: u16 = 284;
pub(super) const PREDICTOR: u16 = 317;
pub(super) const COLOR_MAP: u16 = 320;
pub(super) const TILE_WIDTH: u16 = 322;
pub(super) const TILE_HEIGHT: u16 = 323;
pub(super) const TILE_OFFSETS: u16 = 324;
pub(super) const TILE_BYTES: u16 = 325;
pub(super) const EXTRA_SAMPLES: u16 = 338;
pub(super) const SAMPLE_FORMAT: u16 = 339;
pub(super) const PIXEL_SCALE: u16 = 33550;
pub(super) const TIEPOINT: u16 = 33922;
pub(super) const TRANSFORMATION: u16 = 34264;
pub(super) const GEO_KEYS: u16 = 34735;
pub(super) const GEO_NAMES: u16 = 34737;
pub(super) const GDAL_METADATA: u16 = 42112;
pub(super) const GDAL_NODATA: u16 = 42113;

/// A tag: the type of its values, how many there are, and where they stand.
struct Entry {
    kind: u16,
    count: usize,
    at: usize,
}

impl Entry {
    /// Bytes of a value.
    fn size(&self) -> usize {
        match self.kind {
            3 | 8 => 2,
            4 | 9 | 11 | 13 => 4,
            5 | 10 | 12 | 16 | 17 | 18 => 8,
            _ => 1,
        }
    }
}

/// The tags of the first picture of a file.
pub(super) struct Tags<'a> {
    pub(super) bytes: &'a [u8],
    /// Whether the most significant byte comes first.
    pub(super) big_endian: bool,
    entries: BTreeMap<u16, Entry>,
    /// Where the tags of the next picture begin; 0 if there is none.
    next: usize,
}

impl<'a> Tags<'a> {
    /// Reads the header and the tags of the first picture.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self> {
        let big_endian = bytes.starts_with(b"MM");
        let header = Self { bytes, big_endian, entries: BTreeMap::new(), next: 0 };
        let at = if header.is_big()? { header.uint(8, 8)? } else { header.uint(4, 4)? };
        header.at(usize::try_from(at).map_err(|_| bad("it is damaged: its tags lie outside the file"))?)
    }

    /// Whether the file is a BigTIFF.
    fn is_big(&self) -> Result<bool> {
        Ok(self.uint(2, 2)? == 43)
    }

    /// The tags of the picture behind this one, if there is one that can be read.
    pub(super) fn following(&self) -> Option<Self> {
        if self.next == 0 { None } else { self.at(self.next).ok() }
    }

    /// The tags that begin at `at`.
    fn at(&self, at: usize) -> Result<Self> {
        let mut tags = Self { entries: BTreeMap::new(), next: 0, ..*self };
        let bytes = self.bytes;
        let big = self.is_big()?;
        let (word, counted) = if big { (8, 8) } else { (4, 2) };
        let count = tags.uint(at, counted)?;
        if count > 4096 {
            return Err(bad(format!("it is damaged: it claims {count} tags")));
        }
        let row = if big { 20 } else { 12 };
        for i in 0..count as usize {
            let from = at + counted + i * row;
            let (tag, kind) = (tags.uint(from, 2)? as u16, tags.uint(from + 2, 2)? as u16);
            let count = tags.uint(from + 4, word)? as usize;
            let mut entry = Entry { kind, count, at: from + 4 + word };
            let total = count.checked_mul(entry.size()).filter(|&n| n <= bytes.len());
            let total =
                total.ok_or_else(|| bad(format!("it is damaged: tag {tag} is longer than the file")))?;
            if total > word {
                entry.at = tags.uint(entry.at, word)? as usize;
            }
            if entry.at.checked_add(total).is_none_or(|end| end > bytes.len()) {
                return Err(bad(format!("it ends before the values of its tag {tag}")));
            }
            tags.entries.entry(tag).or_insert(entry);
        }
        // Some writers leave this out behind the last picture.
        tags.next = tags.uint(at + counted + count as usize * row, word).unwrap_or(0) as usize;
        Ok(tags)
    }

    /// A whole number of `size` bytes at `at`.
    fn uint(&self, at: usize, size: usize) -> Result<u64> {
        let bytes = at.checked_add(size).and_then(|end| self.bytes.get(at..end));
        let bytes = bytes.ok_or_else(|| bad("it ends before its tags"))?;
        let add = |sum: u64, b: &u8| sum << 8 | u64::from(*b);
        Ok(if self.big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) })
    }

    /// The whole numbers of a tag; none if it is missing.
    pub(super) fn numbers(&self, tag: u16) -> Result<Vec<u64>> {
        let Some(entry) = self.entries.get(&tag) else { return Ok(Vec::new()) };
        let size = entry.size();
        (0..entry.count).map(|i| self.uint(entry.at + i * size, size)).collect()
    }

    /// The first whole number of a tag.
    pub(super) fn number(&self, tag: u16) -> Result<Option<u64>> {
        let Some(entry) = self.entries.get(&tag).filter(|e| e.count > 0) else { return Ok(None) };
        self.uint(entry.at, entry.size()).map(Some)
    }

    /// The number at `index` of a tag with many.
    pub(super) fn nth(&self, tag: u16, index: usize) -> Result<Option<u64>> {
        let Some(entry) = self.entries.get(&tag).filter(|e| e.count > index) else { return Ok(None) };
        self.uint(entry.at + index * entry.size(), entry.size()).map(Some)
    }

    /// The floats of a tag; none if it is missing or has another type.
    pub(super) fn floats(&self, tag: u16) -> Result<Vec<f64>> {
        let Some(entry) = self.entries.get(&tag).filter(|e| e.kind == 12) else { return Ok(Vec::new()) };
        (0..entry.count).map(|i| Ok(f64::from_bits(self.uint(entry.at + 8 * i, 8)?))).collect()
    }

    /// The text of a tag.
    pub(super) fn text(&self, tag: u16) -> Option<String> {
        let entry = self.entries.get(&tag).filter(|e| e.kind == 2)?;
        let bytes = self.bytes.get(entry.at..entry.at + entry.count)?;
        Some(String::from_utf8_lossy(bytes).trim_matches(['\0', ' ', '\n']).to_owned())
    }
}
