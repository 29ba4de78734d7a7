//! How the numbers of a chunk become bytes.

use super::blosc;
use super::cell::Dtype;
use super::checksum::crc32c;
use flate2::GzBuilder;
use serde_json::{Value, json};
use std::io::{Read, Write};

/// How hard gzip tries, from 1 to 9.
const LEVEL: u32 = 5;

/// What a byte of gzip can stand for at most.
const LARGEST_RATIO: usize = 1040;

/// How the bytes of a chunk are made fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// Not at all.
    Plain,
    /// By gzip, which every reader knows.
    Gzip,
    /// By LZ4 in a container of Blosc, which is read several times as fast.
    Blosc,
}

/// The codecs of a chunk: its numbers with the lowest byte first, packed, and a checksum after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Codec {
    /// The numbers.
    pub(crate) dtype: Dtype,
    /// How their bytes are packed.
    pub(crate) packing: Packing,
    /// Whether a checksum follows.
    pub(crate) checksum: bool,
}

impl Codec {
    /// That of exports.
    pub(crate) fn gzip(dtype: Dtype) -> Self {
        Self { dtype, packing: Packing::Gzip, checksum: false }
    }

    /// That of stores.
    pub(crate) fn blosc(dtype: Dtype) -> Self {
        Self { dtype, packing: Packing::Blosc, checksum: true }
    }

    /// The codecs, as the metadata of an array names them.
    pub(crate) fn json(self) -> Value {
        let mut out = match self.dtype {
            Dtype::Uint8 => vec![json!({"name": "bytes"})],
            _ => vec![json!({"name": "bytes", "configuration": {"endian": "little"}})],
        };
        match self.packing {
            Packing::Plain => {}
            Packing::Gzip => out.push(json!({"name": "gzip", "configuration": {"level": LEVEL}})),
            Packing::Blosc => {
                let shuffle = if self.dtype == Dtype::Uint8 { "noshuffle" } else { "shuffle" };
                out.push(json!({"name": "blosc", "configuration": {
                    "typesize": self.dtype.bytes(), "cname": "lz4", "clevel": 1, "shuffle": shuffle, "blocksize": 0,
                }}));
            }
        }
        if self.checksum {
            out.push(json!({"name": "crc32c"}));
        }
        out.into()
    }

    /// The codec that the metadata of an array names, or what of it is not read.
    pub(crate) fn parse(codecs: &Value, dtype: Dtype) -> Result<Self, String> {
        let mut left = codecs.as_array().into_iter().flatten().peekable();
        let name = |codec: &Value| codec["name"].as_str().unwrap_or_default().to_owned();
        let of =
            |codec: &Value, key: &str| codec["configuration"][key].as_str().unwrap_or_default().to_owned();
        let first = left.next().unwrap_or(&Value::Null);
        if name(first) != "bytes" {
            return Err(format!("its first codec is {:?} instead of \"bytes\"", name(first)));
        }
        if dtype.bytes() > 1 && of(first, "endian") != "little" {
            return Err("the highest byte of its numbers comes first".into());
        }
        let mut out = Self { dtype, packing: Packing::Plain, checksum: false };
        let packing = match left.peek() {
            Some(codec) if name(codec) == "gzip" => Packing::Gzip,
            Some(codec) if name(codec) == "blosc" => {
                if !matches!(&*of(codec, "cname"), "lz4" | "lz4hc") {
                    return Err(format!(
                        "the compressor of its Blosc codec is {:?} instead of \"lz4\"",
                        of(codec, "cname")
                    ));
                }
                Packing::Blosc
            }
            _ => Packing::Plain,
        };
        if packing != Packing::Plain {
            (out.packing, _) = (packing, left.next());
        }
        out.checksum = left.next_if(|codec| name(codec) == "crc32c").is_some();
        match left.next() {
            Some(codec) => {
                Err(format!("its codec {:?} is not among bytes, gzip, blosc and crc32c", name(codec)))
            }
            None => Ok(out),
        }
    }

    /// The bytes of a chunk in a file.
    pub(crate) fn encode(self, bytes: Vec<u8>) -> Vec<u8> {
        let mut out = match self.packing {
            Packing::Plain => bytes,
            Packing::Gzip => gzipped(&bytes),
            Packing::Blosc => blosc::pack(&bytes, self.dtype.bytes()),
        };
        if self.checksum {
            let sum = crc32c(&out);
            out.extend_from_slice(&sum.to_le_bytes());
        }
        out
    }

    /// The bytes of a chunk, of which there must be `length`; otherwise what is wrong. Memory for no more than the file can hold is taken.
    pub(crate) fn decode(self, mut packed: &[u8], length: usize) -> Result<Vec<u8>, String> {
        if self.checksum {
            let Some((bytes, sum)) = packed.split_last_chunk::<4>() else {
                return Err("it is too short".into());
            };
            if crc32c(bytes) != u32::from_le_bytes(*sum) {
                return Err("its checksum is another".into());
            }
            packed = bytes;
        }
        let out = match self.packing {
            Packing::Plain => packed.to_vec(),
            Packing::Gzip => unzipped(packed, length)?,
            Packing::Blosc => blosc::unpack(packed, length)?,
        };
        let other = || format!("it has {} bytes where {length} belong", out.len());
        if out.len() == length { Ok(out) } else { Err(other()) }
    }

    /// The most bytes that a chunk of `length` bytes has in a file that is whole. Those who pack badly may still add a little.
    pub(crate) fn longest(self, length: usize) -> usize {
        length.saturating_add(length / 8).saturating_add(1 << 16)
    }
}

/// Bytes as gzip, without a name or a time.
fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), flate2::Compression::new(LEVEL));
    encoder.write_all(bytes).expect("writing to memory does not fail");
    encoder.finish().expect("writing to memory does not fail")
}

/// The bytes of gzip, at most one more than `length`.
fn unzipped(packed: &[u8], length: usize) -> Result<Vec<u8>, String> {
    if length > packed.len().saturating_mul(LARGEST_RATIO) {
        return Err(format!("{} bytes of gzip are too few for {length}", packed.len()));
    }
    let mut out = Vec::with_capacity(length + 1);
    let decoder = flate2::read::MultiGzDecoder::new(packed);
    decoder.take(length as u64 + 1).read_to_end(&mut out).map_err(|e| format!("gzip: {e}"))?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_codec_is_named_parsed_and_undone() {
        for dtype in Dtype::ALL {
            for packing in [Packing::Plain, Packing::Gzip, Packing::Blosc] {
                for checksum in [false, true] {
                    let codec = Codec { dtype, packing, checksum };
                    assert_eq!(Codec::parse(&codec.json(), dtype), Ok(codec));
                    let bytes: Vec<u8> = (0..256 * dtype.bytes()).map(|i| (i / 3) as u8).collect();
                    let packed = codec.encode(bytes.clone());
                    assert_eq!(codec.decode(&packed, bytes.len()), Ok(bytes.clone()));
                    assert!(codec.decode(&packed, bytes.len() - 1).is_err());
                    assert!(codec.decode(&packed, bytes.len() + 1).is_err());
                    assert!(codec.decode(&packed, 1 << 60).is_err());
                    assert!(codec.decode(&packed[..packed.len() - 1], bytes.len()).is_err());
                }
            }
        }
    }

    #[test]
    fn what_is_not_read_is_named() {
        let refused = |codecs| Codec::parse(&codecs, Dtype::Uint16).unwrap_err();
        let bytes = json!({"name": "bytes", "configuration": {"endian": "little"}});
        assert!(
            refused(json!([{"name": "bytes", "configuration": {"endian": "big"}}])).contains("highest byte")
        );
        assert!(refused(json!([bytes, {"name": "zstd"}])).contains("\"zstd\" is not among"));
        assert!(refused(json!([{"name": "transpose"}, bytes])).contains("\"transpose\""));
        let blosc = json!({"name": "blosc", "configuration": {"cname": "zstd"}});
        assert!(refused(json!([bytes, blosc])).contains("\"zstd\" instead of \"lz4\""));
        assert!(refused(json!([])).contains("first codec"));
        assert!(refused(json!("gzip")).contains("first codec"));
    }
}
