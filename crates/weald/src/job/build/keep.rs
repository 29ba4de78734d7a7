//! What a build keeps on the disk from pass to pass.

use super::PRIVATE;
use crate::atomic;
use crate::catalogue::LayerSpec;
use crate::error::{Error, Result};
use crate::world::parts::{Keep, Merged, Parts};
use crate::zarr::{Head, LayerHead, Place, Store};
use serde_json::{Map, Value};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use weald_core::tiled::{Tiles, Window};
use weald_core::{AnyGrid, Cells, Ctx};

/// The file of what a pass found for every tile.
const COMMON: &str = "common";

/// The arrays of a build, its summaries and its shares.
pub(super) struct Kept {
    store: Store,
    /// Grids that later passes read and that are not kept; none if there are none.
    handed: Option<Store>,
    private: PathBuf,
    tiles: Tiles,
}

/// The grids that later passes read and that are not among the layers.
pub(super) fn handed_on(parts: &dyn Parts, layers: &[LayerSpec]) -> Vec<LayerSpec> {
    let reads: Vec<&str> = (0..parts.passes().len()).flat_map(|pass| parts.reads(pass)).collect();
    let mut grids = parts.layers();
    grids.extend(parts.handed_on());
    grids.retain(|g| reads.contains(&g.name) && !layers.iter().any(|l| l.name == g.name));
    grids
}

impl Kept {
    pub(super) fn new(path: &Path, store: Store, parts: &dyn Parts) -> Result<Self> {
        let (private, tiles) = (path.join(PRIVATE), *parts.tiles());
        let names: Vec<&str> = store.head().layers.iter().map(|l| l.name.as_str()).collect();
        let kept: Vec<LayerSpec> = parts.layers().into_iter().filter(|l| names.contains(&l.name)).collect();
        let grids = handed_on(parts, &kept);
        let at = private.join("handed-on");
        let handed = match grids.is_empty() || private.join(super::FIGURES).is_file() {
            true => None,
            false if at.join("zarr.json").is_file() => Some(Store::open(&at)?),
            false => {
                let head = Head {
                    title: "Grids that passes hand on".into(),
                    shape: tiles.shape(),
                    tile: tiles.side,
                    layers: grids.iter().map(LayerHead::from).collect(),
                    attributes: Map::new(),
                    place: Place::cells(),
                };
                fs::create_dir_all(&private).map_err(|e| Error::io(&private, e))?;
                Some(Store::create(&at, &head)?)
            }
        };
        Ok(Self { store, handed, private, tiles })
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// The names of the layers that are kept.
    pub(super) fn layers(&self) -> impl Iterator<Item = &str> {
        self.store.head().layers.iter().map(|l| l.name.as_str())
    }

    /// The store that has a grid.
    fn of(&self, name: &str) -> Option<&Store> {
        let has = |store: &&Store| store.head().layers.iter().any(|l| l.name == name);
        Some(&self.store).filter(has).or(self.handed.as_ref().filter(has))
    }

    fn place(&self, k: usize) -> (usize, usize) {
        (k % self.tiles.across(), k / self.tiles.across())
    }

    fn folder(&self, kind: &str, pass: usize) -> PathBuf {
        self.private.join(format!("{kind}-{pass}"))
    }

    pub(super) fn is_done(&self, pass: usize, k: usize) -> bool {
        self.folder("done", pass).join(k.to_string()).is_file()
    }

    /// The figures of a pass, if it is merged.
    pub(super) fn figures(&self, pass: usize) -> Result<Option<Map<String, Value>>> {
        let file = self.folder("merged", pass).join("figures.json");
        match fs::read_to_string(&file) {
            Ok(text) => {
                let damaged = |_| {
                    let message = "is damaged; remove the store and build it again";
                    Error::Invalid(format!("{}: {message}", file.display()))
                };
                serde_json::from_str(&text).map(Some).map_err(damaged)
            }
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(Error::io(&file, e)),
        }
    }

    /// A file of what a pass found.
    fn merged(&self, pass: usize, name: &str) -> Result<Vec<u8>> {
        let missing = || Error::Internal(format!("pass {pass} is not merged"));
        read(&self.folder("merged", pass).join(name))?.ok_or_else(missing)
    }

    /// Removes what is needed only to go on.
    pub(super) fn clear(&self) -> Result<()> {
        for entry in fs::read_dir(&self.private).map_err(|e| Error::io(&self.private, e))? {
            let path = entry.map_err(|e| Error::io(&self.private, e))?.path();
            if path.is_dir() {
                fs::remove_dir_all(&path).map_err(|e| Error::io(&path, e))?;
            }
        }
        Ok(())
    }
}

/// Writes a file whole or not at all, in a folder that is made if it is not there.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    atomic::write(&folder.join(name), bytes)
}

fn read(file: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(file) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::io(file, e)),
    }
}

impl Keep for Kept {
    fn put(&self, name: &'static str, k: usize, cells: &Cells, ctx: &Ctx) -> Result<()> {
        match self.of(name) {
            Some(store) => store.write(0, name, self.place(k), cells, ctx),
            None => Ok(()),
        }
    }

    fn window(&self, name: &'static str, window: Window, ctx: &Ctx) -> Result<AnyGrid> {
        let missing = || Error::Internal(format!("the build keeps no grid {name}"));
        self.of(name).ok_or_else(missing)?.read(0, name, window, ctx)
    }

    fn put_summary(&self, pass: usize, k: usize, summary: Vec<u8>) -> Result<()> {
        write(&self.folder("done", pass), &k.to_string(), &summary)
    }

    fn summary(&self, pass: usize, k: usize) -> Result<Option<Vec<u8>>> {
        read(&self.folder("done", pass).join(k.to_string()))
    }

    fn put_merged(&self, pass: usize, merged: Merged) -> Result<()> {
        let folder = self.folder("merged", pass);
        for (k, share) in merged.shares.iter().enumerate() {
            write(&folder, &k.to_string(), share)?;
        }
        write(&folder, COMMON, &merged.common)?;
        // Written last: with it the pass is merged.
        write(&folder, "figures.json", Value::Object(merged.figures).to_string().as_bytes())
    }

    fn share(&self, pass: usize, k: usize) -> Result<Vec<u8>> {
        self.merged(pass, &k.to_string())
    }

    fn common(&self, pass: usize) -> Result<Vec<u8>> {
        self.merged(pass, COMMON)
    }
}
