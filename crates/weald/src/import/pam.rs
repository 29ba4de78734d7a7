//! Files `NAME.tif.aux.xml`, in which GDAL keeps what a format cannot hold or a map cannot be written to.

use super::units::{self, Scale};
use super::wkt::System;
use crate::error::{Error, Result};
use crate::files;
use std::path::Path;

/// What such a file says of a map, whose heights are in its first band.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Pam {
    /// The name of the file.
    pub(super) name: String,
    /// The corner of the first cell and the steps from column to column and from row to row: west, its steps, north, and its steps.
    pub(super) corner: Option<[f64; 6]>,
    /// The coordinate system as well-known text.
    system: Option<String>,
    pub(super) nodata: Option<f64>,
    pub(super) scale: Option<f64>,
    pub(super) offset: Option<f64>,
    /// Metres in the unit of the heights.
    pub(super) unit_m: Option<f64>,
}

impl Pam {
    /// Reads the file beside a map; all is missing if there is none.
    pub(super) fn beside(path: &Path) -> Result<Self> {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(".aux.xml");
        let file = path.with_file_name(&name);
        if !files::is_file(&file) {
            return Ok(Self::default());
        }
        Self::of(&super::text_beside(&file)?, super::name_of(&file))
    }

    /// What a text says. Fails if it says something that cannot be.
    fn of(text: &str, name: String) -> Result<Self> {
        let bad = |what: String| {
            Error::Invalid(format!("{name} beside it cannot be read: {what}; write it again, or remove it"))
        };
        let short = |value: &str| value.chars().take(40).collect::<String>();
        let mut found = Self::default();
        for (path, value) in elements(text) {
            let element = path.rsplit('/').next().unwrap_or_default();
            let number = || {
                value
                    .parse()
                    .ok()
                    .map(Some)
                    .ok_or_else(|| bad(format!("{element} is {:?}, not a number", short(&value))))
            };
            let finite = || match number()? {
                Some(v) if !f64::is_finite(v) => Err(bad(format!("{element} is {v}, not a finite number"))),
                number => Ok(number),
            };
            match path.as_str() {
                "PAMDataset/SRS" => found.system = Some(value),
                "PAMDataset/GeoTransform" => {
                    let numbers: Option<Vec<f64>> = value.split(',').map(|n| n.trim().parse().ok()).collect();
                    let corner = numbers.and_then(|numbers| <[f64; 6]>::try_from(numbers).ok());
                    let corner = corner.filter(|corner| corner.iter().all(|v| v.is_finite()));
                    found.corner = Some(corner.ok_or_else(|| {
                        bad(format!(
                            "GeoTransform is {:?}, not six numbers with commas between",
                            short(&value)
                        ))
                    })?);
                }
                // A number such as nan is one that cells can have.
                "PAMDataset/PAMRasterBand/NoDataValue" => found.nodata = number()?,
                "PAMDataset/PAMRasterBand/Scale" => found.scale = finite()?,
                "PAMDataset/PAMRasterBand/Offset" => found.offset = finite()?,
                "PAMDataset/PAMRasterBand/UnitType" if units::is_unit(&value) => {
                    let unit_m = units::named(&value);
                    found.unit_m = Some(unit_m.ok_or_else(|| {
                        bad(format!(
                            "UnitType is {:?}, which is no unit of height that is known",
                            short(&value)
                        ))
                    })?);
                }
                _ => {}
            }
        }
        Ok(Self { name, ..found })
    }

    /// The coordinate system. Fails as [`System::of`] does.
    pub(super) fn system(&self) -> Result<Option<System>> {
        self.system.as_ref().map_or(Ok(None), |text| System::of(text, &self.name))
    }

    /// Whether it says what makes heights of the numbers.
    pub(super) fn scales(&self) -> bool {
        self.scale.is_some() || self.offset.is_some() || self.unit_m.is_some()
    }

    /// What makes metres of the numbers in a system.
    pub(super) fn heights(&self, system: Option<System>) -> Scale {
        let unit_m = self.unit_m.or(system.and_then(|system| system.height_m));
        Scale::new(self.scale, self.offset, unit_m)
    }

    /// What a user should know of what was taken from it, of which there are names.
    pub(super) fn note(&self, taken: &[(bool, &str)]) -> Option<String> {
        let names: Vec<&str> = taken.iter().filter(|(taken, _)| *taken).map(|(_, name)| *name).collect();
        let (last, others) = names.split_last()?;
        let and = if others.is_empty() { "" } else { " and " };
        Some(format!("{}{and}{last} by {}", others.join(", "), self.name))
    }
}

/// The texts of the elements of an XML file that have one, in their order, each with the names of the elements around it and its own. Bands behind
/// the first one are left out. What is damaged ends with the file.
fn elements(text: &str) -> Vec<(String, String)> {
    /// Elements in elements, as far as any of them counts.
    const DEEPEST: usize = 3;
    let mut found = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('<') {
        // Comments and what is for programs.
        if let Some((_, behind)) = after.strip_prefix("!--").and_then(|comment| comment.split_once("-->")) {
            rest = behind;
            continue;
        }
        let Some((tag, behind)) = after.split_once('>') else { break };
        rest = behind;
        if tag.starts_with(['?', '!']) || tag.ends_with('/') {
            continue;
        }
        if tag.starts_with('/') {
            open.pop();
            continue;
        }
        let name = tag.split_whitespace().next().unwrap_or_default();
        let band = tag.split_once("band=").and_then(|(_, band)| band.split(['"', '\'']).nth(1));
        let other_band = name == "PAMRasterBand" && band.is_some_and(|band| band != "1");
        open.push(if other_band { "another band" } else { name });
        let value = rest.split('<').next().unwrap_or_default().trim();
        if !value.is_empty() && open.len() <= DEEPEST {
            found.push((open.join("/"), plain(value)));
        }
    }
    found
}

/// A text of an XML file without the marks for characters that mean something there.
fn plain(text: &str) -> String {
    // What those marks begin with comes last.
    let marks =
        [("&quot;", "\""), ("&#34;", "\""), ("&apos;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    marks.iter().fold(text.to_owned(), |text, (mark, character)| text.replace(mark, character))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::georeference::CrsUnit;

    fn read(text: &str) -> Result<Pam> {
        Pam::of(text, "a.tif.aux.xml".into())
    }

    #[test]
    fn place_and_heights_of_the_first_band_are_read() {
        let pam = read(
            "<?xml version='1.0'?>\n<!-- <Scale>9</Scale> -->\n<PAMDataset>\n\
             <SRS dataAxisToSRSAxisMapping=\"1,2\">PROJCS[&quot;any&quot;,UNIT[&quot;metre&quot;,1],AUTHORITY[&quot;EPSG&quot;,&quot;32633&quot;]]</SRS>\n\
             <GeoTransform>  5.0e+05,  3.0e+01,  0.0,  5.2e+06,  0.0, -3.0e+01</GeoTransform>\n\
             <Metadata domain=\"xml:other\"><Scale>7</Scale></Metadata>\n\
             <PAMRasterBand band=\"1\" name=\"x\"><Description/><NoDataValue le_hex_equiv=\"00\">-9.999E+03</NoDataValue>\
             <UnitType>ft</UnitType><Offset>-10</Offset><Scale>0.5</Scale>\
             <Metadata><MDI key=\"STATISTICS_MEAN\">3</MDI></Metadata></PAMRasterBand>\n\
             <PAMRasterBand band=\"2\" name=\"x\"><NoDataValue>0</NoDataValue></PAMRasterBand>\n</PAMDataset>",
        )
        .unwrap();
        assert_eq!(pam.corner, Some([500_000.0, 30.0, 0.0, 5_200_000.0, 0.0, -30.0]));
        assert_eq!((pam.nodata, pam.scale, pam.offset), (Some(-9999.0), Some(0.5), Some(-10.0)));
        assert_eq!(pam.unit_m, Some(0.3048));
        let system = pam.system().unwrap().unwrap();
        assert_eq!((system.epsg, system.unit), (Some(32633), CrsUnit::Metre));
        assert_eq!(
            pam.note(&[(true, "nodata"), (false, "unit"), (true, "scale"), (true, "place")]).unwrap(),
            "nodata, scale and place by a.tif.aux.xml"
        );
        assert_eq!(pam.note(&[(false, "nodata")]), None);
    }

    #[test]
    fn a_file_with_nothing_but_statistics_says_nothing() {
        let text = "<PAMDataset><PAMRasterBand band=\"1\"><Metadata><MDI key=\"STATISTICS_MEAN\">3</MDI></Metadata></PAMRasterBand></PAMDataset>";
        assert_eq!(read(text).unwrap(), Pam { name: "a.tif.aux.xml".into(), ..Pam::default() });
        // Nor does one that ends too early, or that is none.
        assert!(!read("<PAMDataset><PAMRasterBand band=\"1\"><NoDataV").unwrap().scales());
        assert_eq!(read("no XML").unwrap().nodata, None);
    }

    #[test]
    fn what_cannot_be_is_refused_with_the_file_and_the_element() {
        let band = |inner: &str| {
            read(&format!("<PAMDataset><PAMRasterBand band=\"1\">{inner}</PAMRasterBand></PAMDataset>"))
        };
        for (inner, reason) in [
            ("<NoDataValue>none</NoDataValue>", "NoDataValue is \"none\", not a number"),
            ("<Scale>inf</Scale>", "Scale is inf, not a finite number"),
            ("<Offset>NaN</Offset>", "Offset is NaN, not a finite number"),
            ("<UnitType>K</UnitType>", "UnitType is \"K\", which is no unit of height"),
        ] {
            let message = band(inner).unwrap_err().to_string();
            assert!(message.contains(reason) && message.contains("a.tif.aux.xml beside it"), "{message}");
        }
        assert!(band("<NoDataValue>nan</NoDataValue>").unwrap().nodata.unwrap().is_nan());
        let message =
            read("<PAMDataset><GeoTransform>1, 2, 3</GeoTransform></PAMDataset>").unwrap_err().to_string();
        assert!(message.contains("GeoTransform is \"1, 2, 3\", not six numbers"), "{message}");
    }
}
