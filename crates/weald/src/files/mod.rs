//! Files, on every platform. Where the system has none, as in a browser, they are kept in memory under the same paths, so that recipes,
//! folders, imports and checks work there without knowing it.

#[cfg(any(test, target_arch = "wasm32"))]
pub mod memory;

#[cfg(not(target_arch = "wasm32"))]
mod disk {
    pub(crate) use std::fs::{File, create_dir, read_to_string, write};
    use std::path::Path;

    /// Whether there is a file, which may be reached by a link.
    pub(crate) fn is_file(path: &Path) -> bool {
        path.is_file()
    }

    /// Whether there is a folder, which may be reached by a link. Fails if there is nothing at all.
    pub(crate) fn is_dir(path: &Path) -> std::io::Result<bool> {
        Ok(std::fs::metadata(path)?.is_dir())
    }
}

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use disk::{File, is_dir, is_file, read_to_string};
#[cfg(all(not(target_arch = "wasm32"), feature = "export"))]
pub(crate) use disk::{create_dir, write};
#[cfg(target_arch = "wasm32")]
pub(crate) use memory::{File, is_dir, is_file, read_to_string};
#[cfg(all(target_arch = "wasm32", feature = "export"))]
pub(crate) use memory::{create_dir, write};
