//! The rules about the files of the layers: type, shape, hash and range, as the manifest states them.

use super::folder::{ManifestFrame, ManifestLayer};
use super::{RuleInfo, RuleResult, open};
use crate::error::{Error, Result};
use crate::files;
use crate::npy;
use sha2::{Digest, Sha256};
use std::io::Read;
use std::path::{Component, Path};
use weald_core::AnyGrid;

/// The rules about the files of the layers.
pub(super) struct LayerFiles {
    shape: RuleResult,
    hash: RuleResult,
    range: RuleResult,
}

/// Names and meanings of these rules.
pub(super) const RULES: [RuleInfo; 3] = [
    RuleInfo {
        name: "layer-file",
        about: "each layer's file is there, with the type and shape of the manifest",
    },
    RuleInfo { name: "layer-hash", about: "each layer's data have the SHA-256 of the manifest" },
    RuleInfo {
        name: "layer-range",
        about: "each layer's least and greatest value are those of the manifest",
    },
];

impl LayerFiles {
    /// The rules before any layer was read.
    pub(super) fn new() -> Self {
        let [shape, hash, range] = RULES.map(|r| r.result());
        Self { shape, hash, range }
    }

    /// What became of them.
    pub(super) fn into_rules(self) -> [RuleResult; 3] {
        [self.shape, self.hash, self.range]
    }

    /// Reads one layer and checks its file. None if there is nothing that further rules could use.
    pub(super) fn read(
        &mut self,
        dir: &Path,
        frame: &ManifestFrame,
        layer: &ManifestLayer,
    ) -> Result<Option<AnyGrid>> {
        let name = &layer.name;
        let Some(file) = &layer.file else { return Ok(None) };
        let relative = Path::new(file);
        let inside = relative.components().all(|c| matches!(c, Component::Normal(_)));
        let path = dir.join(relative);
        if !inside || !files::is_file(&path) {
            self.shape.check(false, None, || format!("{name}: there is no file {file} in the folder"));
            return Ok(None);
        }
        let mut input = open(&path)?;
        let array = npy::read(&mut input)
            .map_err(|e| Error::Invalid(format!("{}: {e}; make the folder again", path.display())))?;
        let mut rest = [0u8; 1];
        let longer = input.read(&mut rest).map_err(|e| Error::io(&path, e))? > 0;
        let view = View::of(&array);
        let good = view.dtype == dtype(&layer.dtype) && view.shape == (frame.width, frame.height) && !longer;
        self.shape.check(good, None, || {
            let (w, h) = view.shape;
            let (dt, fw, fh) = (&layer.dtype, frame.width, frame.height);
            let after = if longer { " and more after it" } else { "" };
            format!("{name}: the file holds {} {w}x{h}{after}, the manifest says {dt} {fw}x{fh}", view.dtype)
        });
        self.hash.check(layer.sha256.as_deref() == Some(view.sha256.as_str()), None, || {
            let stated = layer.sha256.as_deref().unwrap_or("nothing");
            format!("{name}: the data have SHA-256 {}, the manifest says {stated}", view.sha256)
        });
        let same = |stated: Option<f64>, found: f64| match (&array, stated) {
            (AnyGrid::F32(_), Some(v)) => v as f32 == found as f32,
            (_, stated) => stated == Some(found),
        };
        self.range.check(same(layer.min, view.min) && same(layer.max, view.max), None, || {
            let (min, max) = (layer.min.unwrap_or(f64::NAN), layer.max.unwrap_or(f64::NAN));
            format!(
                "{name}: the values run from {} to {}, the manifest says {min} to {max}",
                view.min, view.max
            )
        });
        Ok(good.then_some(array))
    }
}

/// One name for each type, whether it is written as NumPy or as Rust does.
fn dtype(name: &str) -> &str {
    match name {
        "f32" => "float32",
        "f64" => "float64",
        "u8" => "uint8",
        "u16" => "uint16",
        "u32" => "uint32",
        "i32" => "int32",
        other => other,
    }
}

/// What the manifest states about an array, measured.
pub(super) struct View {
    /// The type of the cells, as NumPy names it.
    pub(super) dtype: &'static str,
    /// Columns and rows.
    pub(super) shape: (usize, usize),
    /// The hash of the data, in hexadecimal digits.
    pub(super) sha256: String,
    /// The least value.
    pub(super) min: f64,
    /// The greatest value.
    pub(super) max: f64,
}

impl View {
    /// Measures an array.
    pub(super) fn of(array: &AnyGrid) -> Self {
        let (cells, mut hash) = (array.cells(), Sha256::new());
        npy::bytes(&cells, |b| {
            hash.update(b);
            Ok(())
        })
        .expect("a hash takes all bytes");
        let ((dtype, shape), (min, max)) = ((cells.dtype(), cells.shape()), cells.min_max());
        let sha256 = hash.finalize().iter().map(|b| format!("{b:02x}")).collect();
        Self { dtype, shape, sha256, min, max }
    }
}
