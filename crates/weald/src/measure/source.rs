//! Maps of heights to measure: heightmaps of any format that is read, and output folders.

use super::Terms;
use crate::error::{Error, Result, not_json};
use crate::import::{self, FillNodata, Imported, Numbers, ReadOptions};
use serde_json::Value;
use std::path::{Component, Path, PathBuf};
use weald_core::{Ctx, Grid};

/// The side of a cell if nothing says what it is, in metres.
const USUAL_CELL_M: f64 = 30.0;

/// What the user says about a map; it comes before what the files say.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// Side of a cell, in metres.
    pub cell_m: Option<f64>,
    /// The layer of a folder to measure; `height` if there is none.
    pub layer: Option<String>,
    /// How the file is read. Of a folder, the height of the sea, the height that is no data, and the part count too.
    pub reading: ReadOptions,
}

impl Default for Given {
    /// Cells without data are left out of every figure.
    fn default() -> Self {
        let reading = ReadOptions { fill: FillNodata::Keep, ..ReadOptions::default() };
        Self { cell_m: None, layer: None, reading }
    }
}

/// A map as it was read, and where each of its terms comes from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Source {
    /// The heights.
    pub height: Grid<f32>,
    /// What they mean.
    pub terms: Terms,
    /// How the heights are to be understood, such as "grey values from 0 to 1".
    pub heights: String,
    /// Where the side of a cell comes from, such as "manifest.json".
    pub cell_from: String,
    /// Where the sea level comes from.
    pub sea_from: String,
    /// How the file was read; none for a folder.
    pub reading: Option<Reading>,
}

/// How a file was read, for people and for machines.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// In a line.
    pub summary: String,
    /// The same for machines.
    pub json: Value,
}

/// What a file says of a map besides its heights.
struct Said {
    cell_m: Option<f64>,
    sea_level: Option<f64>,
    /// The file that says so.
    by: String,
}

/// Reads a heightmap of any format of [`import`], or the layer of an output folder. Cells without data are left out of every figure.
///
/// A heightmap `NAME.png` with a file `NAME.terrain.json` beside it is in metres above the sea: grey value (0 to 1) times
/// `height_scale_m` less `sea_level_m`, with cells of `metres_per_pixel`. Without such a file, grey values stay from 0 to 1 and
/// other numbers as they are. The size of a cell is that of the file, and taken to be 30 m if it says nothing; the sea level is 0. Degrees
/// become metres, and cells that are not square are resampled to square ones.
///
/// In a folder, the cell size is that of the manifest's frame. The sea level is the parameter `lake_level` of worlds that have
/// one, and 0 in all others.
pub fn read(path: &Path, given: &Given) -> Result<Source> {
    let (height, heights, said, reading) = match path.is_dir() {
        true => folder(path, given).map(|(height, heights, said)| (height, heights, said, None))?,
        false => file(path, given)?,
    };
    Ok(source((height, heights, said, reading), given))
}

/// [`read`] of a NumPy file whose bytes are given. Errors call it `name`.
pub fn read_npy(name: &str, bytes: &[u8], given: &Given) -> Result<Source> {
    let imported = import::read_npy(name, bytes, &given.reading)?;
    Ok(source(heights_of(imported, Path::new(name), given)?, given))
}

/// Heights, what they are, what their files say, and how they were read.
type Found = (Grid<f32>, String, Said, Option<Reading>);

/// What was found, with what the user says.
fn source((height, heights, said, reading): Found, given: &Given) -> Source {
    // In a file they were taken away when it was read, before its numbers became grey or metres.
    let nodata = given.reading.nodata.filter(|_| reading.is_none());
    let (cell_m, cell_from) = match (given.cell_m, said.cell_m) {
        (Some(v), _) => (v, "--cell-m".to_owned()),
        (None, Some(v)) => (v, said.by.clone()),
        (None, None) => (USUAL_CELL_M, "assumed; give --cell-m".to_owned()),
    };
    let (sea_level, sea_from) = match (given.reading.sea_level, said.sea_level) {
        (Some(v), _) => (v, "--sea-level".to_owned()),
        (None, Some(v)) => (v as f32, said.by),
        (None, None) => (0.0, "assumed; give --sea-level".to_owned()),
    };
    let terms = Terms { cell_m, sea_level, nodata };
    Source { height, terms, heights, cell_from, sea_from, reading }
}

/// The name of a file without its folders.
fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned())
}

fn file(path: &Path, given: &Given) -> Result<Found> {
    if given.layer.is_some() {
        let message = format!("{} is a file; --layer chooses a layer of a folder", path.display());
        return Err(Error::Invalid(message));
    }
    heights_of(import::read(path, &given.reading)?, path, given)
}

/// The heights of a map that was read.
fn heights_of(imported: Imported, path: &Path, given: &Given) -> Result<Found> {
    // Cells whose side is given are squares.
    let imported = if given.cell_m.is_some() { imported } else { imported.squared(&Ctx::default())? };
    let by_sidecar = imported.place.is_none() && imported.cell_m.is_some();
    let by = imported.beside.clone().unwrap_or_else(|| name_of(path));
    let heights = match imported.numbers {
        Numbers::Grey => "grey values from 0 to 1".to_owned(),
        Numbers::Metres if by_sidecar => format!("metres above the sea, by {by}"),
        Numbers::Metres if imported.place.is_some() => "metres".to_owned(),
        _ => "numbers as they are in the file".to_owned(),
    };
    let reading = Reading { summary: imported.summary(), json: imported.to_json() };
    let Imported { map, cell_m, .. } = imported;
    let said = Said { cell_m: cell_m.map(|c| c.0), sea_level: by_sidecar.then_some(0.0), by };
    Ok((map, heights, said, Some(reading)))
}

fn folder(dir: &Path, given: &Given) -> Result<(Grid<f32>, String, Said)> {
    let file = dir.join("manifest.json");
    if !file.is_file() {
        let message = "neither a heightmap nor a folder that `weald generate` made: it has no manifest.json";
        return Err(Error::io(dir, std::io::Error::new(std::io::ErrorKind::NotFound, message)));
    }
    let manifest = json(&file)?;
    let wanted = given.layer.as_deref().unwrap_or("height");
    let layers = manifest["layers"].as_array().map_or(&[][..], Vec::as_slice);
    let layer = layers.iter().find(|l| l["name"] == wanted).ok_or_else(|| {
        let similar: Vec<&str> =
            layers.iter().filter_map(|l| l["name"].as_str()).filter(|n| n.contains("height")).collect();
        let choice = if similar.is_empty() {
            format!("it has no layer of heights; make the folder again with --layers {wanted}")
        } else {
            format!("it has {}; choose with --layer", similar.join(", "))
        };
        Error::Invalid(format!("{}: there is no layer {wanted}; {choice}", dir.display()))
    })?;
    let map = within(dir, layer["file"].as_str().unwrap_or("")).ok_or_else(|| {
        Error::Invalid(format!(
            "{}: the layer {wanted} was not written; make the folder again with --layers {wanted}",
            dir.display()
        ))
    })?;
    let unit = layer["unit"].as_str().unwrap_or("?");
    let heights = if unit == "1" {
        format!("the layer {wanted}, from 0 to 1")
    } else {
        format!("the layer {wanted}, in {unit}")
    };
    let mut map = import::map(&map)?;
    if let Some(crop) = given.reading.crop {
        map = crop.cut("", &map).map_err(|e| Error::Shape(format!("{}: {e}", dir.display())))?;
    }
    let said = Said {
        cell_m: manifest["frame"]["cell_m"].as_f64(),
        sea_level: Some(manifest["params"]["lake_level"].as_f64().unwrap_or(0.0)),
        by: name_of(&file),
    };
    Ok((map, heights, said))
}

/// A file below a folder, if the name is one and leads nowhere else.
fn within(dir: &Path, name: &str) -> Option<PathBuf> {
    let plain = Path::new(name).components().all(|c| matches!(c, Component::Normal(_)));
    (plain && !name.is_empty()).then(|| dir.join(name))
}

fn json(path: &Path) -> Result<Value> {
    let text = std::fs::read_to_string(path).map_err(|e| Error::io(path, e))?;
    serde_json::from_str(&text)
        .map_err(|e| Error::Invalid(format!("{}: {}; make the folder again", path.display(), not_json(&e))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use weald_core::Cells;

    fn npy(path: &Path, cells: &Cells) {
        let mut file = Vec::new();
        crate::npy::write(&mut file, cells).unwrap();
        std::fs::write(path, file).unwrap();
    }

    #[test]
    fn a_heightmap_with_its_terrain_file_is_in_metres_above_the_sea() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("land.r16");
        std::fs::write(&path, [0u16, 65535, 65535, 0].map(u16::to_le_bytes).concat()).unwrap();
        let alone = read(&path, &Given::default()).unwrap();
        assert_eq!(alone.heights, "grey values from 0 to 1");
        assert_eq!((alone.terms, alone.cell_from.as_str()), (Terms::new(30.0), "assumed; give --cell-m"));
        let told = r#"{"metres_per_pixel": 14, "height_scale_m": 4096, "sea_level_m": 512}"#;
        std::fs::write(dir.path().join("land.terrain.json"), told).unwrap();
        let beside = read(&path, &Given::default()).unwrap();
        assert_eq!(beside.height.cells(), [-512.0, 3584.0, 3584.0, -512.0]);
        assert_eq!((beside.terms.cell_m, beside.cell_from.as_str()), (14.0, "land.terrain.json"));
        let reading = ReadOptions { sea_level: Some(-3.0), ..Given::default().reading };
        let given = Given { cell_m: Some(5.0), reading, ..Given::default() };
        let asked = read(&path, &given).unwrap();
        assert_eq!((asked.terms.cell_m, asked.terms.sea_level), (5.0, -3.0));
        assert_eq!(asked.sea_from, "--sea-level");
        std::fs::write(
            dir.path().join("land.terrain.json"),
            r#"{"metres_per_pixel": 14, "height_scale_m": 4096}"#,
        )
        .unwrap();
        assert!(read(&path, &given).unwrap_err().to_string().contains("it has no sea_level_m"));
    }

    #[test]
    fn floats_and_wide_numbers_stay_as_they_are() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("land.npy");
        npy(&path, &Cells::I32(&Grid::from_vec(2, 1, vec![-40, 812])));
        let found = read(&path, &Given::default()).unwrap();
        assert_eq!(
            (found.height.cells(), found.heights.as_str()),
            (&[-40.0, 812.0][..], "numbers as they are in the file")
        );
    }

    #[test]
    fn a_folder_gives_its_height_cell_and_lake_level() {
        let dir = tempfile::tempdir().unwrap();
        npy(&dir.path().join("h.npy"), &Cells::F32(&Grid::from_vec(2, 1, vec![3.0, 4.5])));
        let write = |text: &str| std::fs::write(dir.path().join("manifest.json"), text).unwrap();
        write(
            r#"{"frame": {"cell_m": 7.5}, "params": {"lake_level": 204},
               "layers": [{"name": "height_px", "unit": "m", "file": "h.npy"}, {"name": "slope"},
                          {"name": "height_nx", "unit": "1", "file": "../h.npy"}]}"#,
        );
        let layer = |name: &str| Given { layer: Some(name.into()), ..Given::default() };
        let found = read(dir.path(), &layer("height_px")).unwrap();
        assert_eq!((found.terms.cell_m, found.terms.sea_level), (7.5, 204.0));
        assert_eq!(
            (found.heights.as_str(), found.sea_from.as_str()),
            ("the layer height_px, in m", "manifest.json")
        );
        let refused = |given: &Given| read(dir.path(), given).unwrap_err().to_string();
        assert!(refused(&Given::default()).contains("it has height_px, height_nx; choose with --layer"));
        assert!(refused(&layer("slope")).contains("was not written"));
        assert!(refused(&layer("height_nx")).contains("was not written"), "no file outside is read");
        write(r#"{"layers": []}"#);
        assert!(refused(&Given::default()).contains("it has no layer of heights"));
    }
}
