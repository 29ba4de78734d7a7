//! The hashes of everything that a map promises to be the same everywhere.

use super::Output;
use crate::error::Result;
use crate::export::geojson;
use crate::npy::{hex, sha256};
use crate::sink::Sink;
use crate::world::{FileSpec, WorldInfo};
use sha2::{Digest, Sha256};
use std::io;
use weald_core::Ctx;

/// The files of a world whose bytes are promised: all but pictures.
pub fn promised_files(info: &WorldInfo) -> impl Iterator<Item = &'static FileSpec> + use<> {
    info.files.iter().filter(|f| !f.name.ends_with(".png"))
}

impl Output {
    /// Name and SHA-256 of the world's own files, as far as what they need was made, then of its layers, lines, points and polygons.
    /// The same recipe gives the same hashes on every platform.
    pub fn hashes(&self, ctx: &Ctx) -> Result<Vec<(String, String)>> {
        let (info, catalogue) = (self.recipe.world.info(), &self.catalogue);
        let mut out = Vec::new();
        let made = |f: &&FileSpec| f.needs.is_none_or(|request| catalogue.raster(request).is_some());
        for file in promised_files(info).filter(made) {
            let mut hash = Hash(Sha256::new());
            self.write_file(file, &[], &mut Sink::new(file.name, &mut hash), ctx)?;
            out.push((file.name.to_owned(), hex(&hash.0.finalize())));
        }
        out.extend(catalogue.layers.iter().map(|layer| (layer.name.to_owned(), sha256(&layer.cells()))));
        for (set, geometry) in geojson::sets(catalogue) {
            let mut hash = Hash(Sha256::new());
            geojson::write(&mut hash, set, geometry, info.length_unit).expect("hashing does not fail");
            out.push((format!("{}.geojson", set.name), hex(&hash.0.finalize())));
        }
        Ok(out)
    }
}

/// Hashes what is written to it.
struct Hash(Sha256);

impl io::Write for Hash {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
