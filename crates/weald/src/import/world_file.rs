//! Where a map lies by the files beside it: a world file such as `NAME.tfw`, and `NAME.prj`.

use crate::error::{Error, Result};
use crate::files;
use crate::georeference::CrsUnit;
use std::path::Path;

/// The coordinate system of a file `NAME.prj`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct System {
    pub(super) unit: CrsUnit,
    pub(super) epsg: Option<u32>,
}

impl System {
    /// The coordinate system by the file `NAME.prj` that programs write beside a map, as well-known text, if there is one that says it.
    /// Fails if its coordinates are in a unit that maps do not keep.
    pub(super) fn beside(path: &Path) -> Result<Option<Self>> {
        let Ok(text) = files::read_to_string(path.with_extension("prj")) else { return Ok(None) };
        let text = text.trim().to_ascii_uppercase();
        let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
        // The code of the whole stands at its very end.
        let code = || {
            let (_, last) =
                text.rsplit_once("AUTHORITY[\"EPSG\",").or_else(|| text.rsplit_once("ID[\"EPSG\","))?;
            last.strip_suffix("]]")?.trim_matches('"').parse().ok()
        };
        if begins(&["GEOGCS", "GEOGCRS"]) {
            return Ok(Some(Self { unit: CrsUnit::Degree, epsg: code() }));
        }
        if !begins(&["PROJCS", "PROJCRS"]) {
            return Ok(None);
        }
        // That of the system follows those of its parts.
        let factor = || {
            let (_, last) = text.rsplit_once("UNIT[\"")?;
            last.split(',').nth(1)?.split(']').next()?.trim().parse::<f64>().ok()
        };
        let near =
            |unit: &CrsUnit| unit.metres().zip(factor()).is_none_or(|(a, b)| (a / b - 1.0).abs() < 1e-8);
        let unit = [CrsUnit::Metre, CrsUnit::UsFoot, CrsUnit::Foot].into_iter().find(near);
        unit.map(|unit| Some(Self { unit, epsg: code() })).ok_or_else(|| {
            Error::Invalid(
                "the .prj file beside it says that its coordinates are neither metres nor feet; bring it to metres first: gdalwarp -t_srs \
                 EPSG:32633 IN OUT.tif, with the UTM zone of the place"
                    .into(),
            )
        })
    }
}

/// A world file: six numbers in as many lines that make coordinates of columns and rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WorldFile {
    /// Easting from column to column and from row to row, that of the centre of the first pixel, and the same for northings.
    pub(super) matrix: [f64; 6],
    pub(super) system: Option<System>,
}

impl WorldFile {
    /// The world file of a TIFF file, if there is one: `NAME.tfw`, `NAME.tifw` or `NAME.wld`.
    pub(super) fn beside(path: &Path) -> Result<Option<Self>> {
        let name = |ending: &&str| path.with_extension(ending);
        let Some(file) = ["tfw", "tifw", "wld"].iter().map(name).find(|file| files::is_file(file)) else {
            return Ok(None);
        };
        let text = files::read_to_string(&file).map_err(|e| Error::io(&file, e))?;
        let numbers: Vec<f64> = text.split_whitespace().filter_map(|n| n.parse().ok()).collect();
        let &[a, d, b, e, c, f] = &numbers[..] else {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            return Err(Error::Invalid(format!(
                "{name} beside it is no world file of six numbers; remove it, or make it again with gdal_translate -co TFW=YES"
            )));
        };
        Ok(Some(Self { matrix: [a, b, c, d, e, f], system: System::beside(path)? }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_projection_tells_its_unit_and_its_code() {
        let dir = tempfile::tempdir().unwrap();
        let read = |text: &str| {
            std::fs::write(dir.path().join("a.prj"), text).unwrap();
            System::beside(&dir.path().join("a.asc"))
        };
        let utm = r#"PROJCS["WGS 84 / UTM zone 33N",GEOGCS["WGS 84",UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]],UNIT["metre",1],AUTHORITY["EPSG","32633"]]"#;
        assert_eq!(read(utm).unwrap(), Some(System { unit: CrsUnit::Metre, epsg: Some(32633) }));
        let feet = r#"PROJCS["NAD83",GEOGCS["NAD83",UNIT["Degree",0.0174532925199433]],UNIT["Foot_US",0.304800609601219]]"#;
        assert_eq!(read(feet).unwrap(), Some(System { unit: CrsUnit::UsFoot, epsg: None }));
        let degrees = r#"GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984"],UNIT["Degree",0.0174532925199433]]"#;
        assert_eq!(read(degrees).unwrap(), Some(System { unit: CrsUnit::Degree, epsg: None }));
        let yards = r#"PROJCS["Everest",GEOGCS["E",UNIT["Degree",0.0174532925199433]],UNIT["Yard",0.9144]]"#;
        assert!(read(yards).unwrap_err().to_string().contains("gdalwarp -t_srs"));
        assert_eq!(read("something else").unwrap(), None);
    }
}
