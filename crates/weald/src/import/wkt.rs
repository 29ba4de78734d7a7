//! Coordinate systems as well-known text (OGC 01-009 and 18-010r7), as GDAL and ESRI write it: what a map needs of it.

use crate::error::{Error, Result};
use crate::georeference::{CrsUnit, registered};

/// A coordinate system, as far as a map needs it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct System {
    pub(super) epsg: Option<u32>,
    /// The unit of the coordinates.
    pub(super) unit: CrsUnit,
    /// Metres in the unit of the coordinates, if it is one of length that maps do not keep.
    pub(super) metres: Option<f64>,
    /// Metres in the unit of the heights, if the system says it.
    pub(super) height_m: Option<f64>,
}

const PROJECTED: [&str; 3] = ["PROJCS", "PROJCRS", "PROJECTEDCRS"];
const GEOGRAPHIC: [&str; 5] = ["GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS"];
const VERTICAL: [&str; 4] = ["VERT_CS", "VERTCS", "VERTCRS", "VERTICALCRS"];
/// What holds other systems, and means them.
const AROUND: [&str; 4] = ["COMPD_CS", "COMPOUNDCRS", "BOUNDCRS", "SOURCECRS"];

impl System {
    /// The system of a text that stands in the file of that name; none if the text names none. Fails if its coordinates are in a unit that
    /// maps do not keep.
    pub(super) fn of(text: &str, file: &str) -> Result<Option<Self>> {
        let roots = parsed(text);
        let find = |names: &[&str]| roots.iter().find_map(|root| root.find(names));
        let no_unit = |what: &str, code: u32, which: &str| {
            Error::Invalid(format!(
                "the coordinates of the system in {file} beside it are {what}; bring it to {which} first: gdalwarp -t_srs EPSG:{code} IN OUT.tif"
            ))
        };
        let height_m =
            find(&VERTICAL).and_then(Node::unit).map(|m| length(m).and_then(CrsUnit::metres).unwrap_or(m));
        if let Some(node) = find(&PROJECTED) {
            let unit = node.unit().map_or(Some(CrsUnit::Metre), length).ok_or_else(|| {
                no_unit("neither metres nor feet", 32633, "metres, such as the UTM zone of the place,")
            })?;
            let name = node.values.first().filter(|_| unit == CrsUnit::Metre);
            let epsg = name.and_then(|name| mercator(name)).or_else(|| node.code()).or_else(|| utm(name?));
            return Ok(Some(Self { epsg, unit, metres: None, height_m }));
        }
        let Some(node) = find(&GEOGRAPHIC) else { return Ok(None) };
        let degree = std::f64::consts::PI / 180.0;
        if node.unit().is_some_and(|radians| !near(radians, degree)) {
            return Err(no_unit("grads or radians, not degrees", 4326, "degrees"));
        }
        Ok(Some(Self { epsg: node.code(), unit: CrsUnit::Degree, metres: None, height_m }))
    }
}

/// Whether two sizes of units are the same but for the digits that programs write.
fn near(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < 1e-8
}

/// The unit of length of so many metres, if maps keep it.
fn length(metres: f64) -> Option<CrsUnit> {
    let units = [CrsUnit::Metre, CrsUnit::UsFoot, CrsUnit::Foot];
    units.into_iter().find(|unit| unit.metres().is_some_and(|m| near(metres, m)))
}

/// The code of the Mercator projection of web maps, or that on the ellipsoid, by the name of a system.
pub(super) fn mercator(name: &str) -> Option<u32> {
    const WEB: [&str; 5] = [
        "webmercator",
        "pseudomercator",
        "popularvisualisationcrs",
        "googlemercator",
        "googlemapsglobalmercator",
    ];
    const WORLD: [&str; 3] = ["worldmercator", "wgs84worldmercator", "wgs1984worldmercator"];
    let letters = letters(name);
    if WEB.iter().any(|web| letters.contains(web)) {
        Some(3857)
    } else {
        WORLD.contains(&letters.as_str()).then_some(3395)
    }
}

/// The code of a zone of UTM by its name, as GDAL and ESRI write it: "WGS 84 / UTM zone 33N", "NAD_1983_UTM_Zone_10N".
pub(super) fn utm(name: &str) -> Option<u32> {
    let letters = letters(name);
    let (datum, zone) = letters.split_once("utmzone")?;
    let (number, hemisphere) = zone.split_at_checked(zone.len().checked_sub(1)?)?;
    let number: u32 = number.parse().ok()?;
    match (datum, hemisphere, number) {
        ("wgs84" | "wgs1984", "n", 1..=60) => Some(32600 + number),
        ("wgs84" | "wgs1984", "s", 1..=60) => Some(32700 + number),
        ("nad83" | "nad1983", "n", 1..=23) => Some(26900 + number),
        ("etrs89" | "etrs1989", "n", 28..=38) => Some(25800 + number),
        _ => None,
    }
}

/// The letters and digits of a name, in small letters.
fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

/// A part of a text: `NAME["value", 1.5, PART[…], …]`.
#[derive(Default)]
struct Node {
    /// In capitals.
    name: String,
    /// Texts and numbers, in their order.
    values: Vec<String>,
    parts: Vec<Node>,
}

impl Node {
    /// The first system of one of these names: this one, or one in it that it means.
    fn find(&self, names: &[&str]) -> Option<&Node> {
        if names.contains(&self.name.as_str()) {
            return Some(self);
        }
        let around = AROUND.contains(&self.name.as_str());
        self.parts.iter().filter(|_| around).find_map(|part| part.find(names))
    }

    /// The size of the unit of a system: its own last one, not those of the systems that it is made of; in newer texts that of its first axis.
    fn unit(&self) -> Option<f64> {
        let own = |node: &Node| -> Option<f64> {
            let is_unit = |part: &&Node| matches!(part.name.as_str(), "UNIT" | "LENGTHUNIT" | "ANGLEUNIT");
            node.parts
                .iter()
                .rfind(is_unit)?
                .values
                .get(1)?
                .parse()
                .ok()
                .filter(|v: &f64| v.is_finite() && *v > 0.0)
        };
        let mut axes = self.parts.iter().filter(|part| part.name == "AXIS");
        own(self).or_else(|| axes.find_map(own))
    }

    /// The code of a system in the EPSG register, which ESRI may call by another one.
    fn code(&self) -> Option<u32> {
        let mut codes = self.parts.iter().filter(|part| matches!(part.name.as_str(), "AUTHORITY" | "ID"));
        codes.find_map(|part| {
            let code = registered(part.values.get(1)?.parse().ok()?);
            let authority = part.values[0].to_ascii_uppercase();
            (authority == "EPSG" || (authority == "ESRI" && code == 3857)).then_some(code)
        })
    }
}

/// The parts of a text at its outermost level; what is not closed ends with the text. None of a text that is none.
fn parsed(text: &str) -> Vec<Node> {
    /// Parts in parts; no system has more than ten.
    const DEEPEST: usize = 40;
    let mut open = vec![Node::default()];
    let close = |open: &mut Vec<Node>| {
        if open.len() > 1
            && let Some(node) = open.pop()
            && let Some(outer) = open.last_mut()
        {
            outer.parts.push(node);
        }
    };
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let Some(inner) = open.last_mut() else { break };
        match c {
            '"' => {
                let (value, behind) = after.split_once('"').unwrap_or((after, ""));
                inner.values.push(value.to_owned());
                rest = behind;
            }
            ']' | ')' => {
                close(&mut open);
                rest = after;
            }
            '[' | '(' | ',' => rest = after,
            c if c.is_whitespace() => rest = after,
            _ => {
                let end = rest.find(['[', '(', ']', ')', ',', '"']).unwrap_or(rest.len());
                let word = rest[..end].trim();
                rest = &rest[end..];
                if rest.starts_with(['[', '(']) {
                    if open.len() > DEEPEST {
                        return Vec::new();
                    }
                    open.push(Node { name: word.to_ascii_uppercase(), ..Node::default() });
                } else {
                    inner.values.push(word.to_owned());
                }
            }
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().map(|outermost| outermost.parts).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const US_FOOT: f64 = 1200.0 / 3937.0;

    fn read(text: &str) -> Option<System> {
        System::of(text, "a.prj").unwrap()
    }

    fn system(epsg: Option<u32>, unit: CrsUnit, height_m: Option<f64>) -> Option<System> {
        Some(System { epsg, unit, metres: None, height_m })
    }

    #[test]
    fn a_projection_tells_its_unit_and_its_code() {
        let utm = r#"PROJCS["WGS 84 / UTM zone 33N",GEOGCS["WGS 84",UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]],UNIT["metre",1],AUTHORITY["EPSG","32633"]]"#;
        assert_eq!(read(utm), system(Some(32633), CrsUnit::Metre, None));
        let feet = r#"PROJCS["NAD83",GEOGCS["NAD83",UNIT["Degree",0.0174532925199433]],UNIT["Foot_US",0.304800609601219]]"#;
        assert_eq!(read(feet), system(None, CrsUnit::UsFoot, None));
        let degrees = r#"GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984"],UNIT["Degree",0.0174532925199433]]"#;
        assert_eq!(read(degrees), system(None, CrsUnit::Degree, None));
        let yards = r#"PROJCS["Everest",GEOGCS["E",UNIT["Degree",0.0174532925199433]],UNIT["Yard",0.9144]]"#;
        let message = System::of(yards, "a.prj").unwrap_err().to_string();
        assert!(message.contains("a.prj") && message.contains("gdalwarp -t_srs"), "{message}");
        let grads = r#"GEOGCS["NTF (Paris)",UNIT["grad",0.01570796326794897]]"#;
        assert!(System::of(grads, "a.prj").unwrap_err().to_string().contains("grads"));
        assert_eq!(read("something else"), None);
        // A text that ends too early, and one without an end of its parts.
        assert_eq!(read(r#"PROJCS["a plane""#), system(None, CrsUnit::Metre, None));
        assert_eq!(read(&"PROJCS[".repeat(100_000)), None);
    }

    #[test]
    fn the_codes_of_units_and_datums_are_not_those_of_systems() {
        let text = r#"PROJCS["own",GEOGCS["WGS 84",DATUM["WGS_1984",AUTHORITY["EPSG","6326"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]],UNIT["metre",1,AUTHORITY["EPSG","9001"]]]"#;
        assert_eq!(read(text), system(None, CrsUnit::Metre, None));
        let text = r#"GEOGCS["NAD83",DATUM["NAD83",AUTHORITY["EPSG","6269"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4269"],AXIS["Latitude",NORTH]]"#;
        assert_eq!(read(text), system(Some(4269), CrsUnit::Degree, None));
    }

    #[test]
    fn a_compound_system_has_the_unit_of_its_plane_and_another_one_of_its_heights() {
        let gdal = r#"COMPD_CS["NAD83 / UTM zone 10N + NAVD88 height (ft)",
            PROJCS["NAD83 / UTM zone 10N",
                GEOGCS["NAD83",DATUM["North_American_Datum_1983",AUTHORITY["EPSG","6269"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4269"]],
                PROJECTION["Transverse_Mercator"],PARAMETER["central_meridian",-123],UNIT["metre",1,AUTHORITY["EPSG","9001"]],
                AXIS["Easting",EAST],AXIS["Northing",NORTH],AUTHORITY["EPSG","26910"]],
            VERT_CS["NAVD88 height (ft)",VERT_DATUM["NAVD88",2005,AUTHORITY["EPSG","5103"]],UNIT["foot",0.3048,AUTHORITY["EPSG","9002"]],AXIS["Up",UP],AUTHORITY["EPSG","8228"]],
            AUTHORITY["EPSG","9999"]]"#;
        assert_eq!(read(gdal), system(Some(26910), CrsUnit::Metre, Some(0.3048)));
        let plane = r#"PROJCS["NAD_1983_StatePlane_Tennessee_FIPS_4100_Feet",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983"],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],UNIT["Foot_US",0.3048006096012192]]"#;
        let heights = r#"VERTCS["NAVD88_height_(m)",VDATUM["North_American_Vertical_Datum_1988"],PARAMETER["Vertical_Shift",0.0],PARAMETER["Direction",1.0],UNIT["Meter",1.0]]"#;
        // ESRI puts both side by side, or into one.
        assert_eq!(read(&format!("{plane},{heights}")), system(None, CrsUnit::UsFoot, Some(1.0)));
        let both = format!(
            "COMPD_CS[\"both\",{plane},{}]",
            heights.replace("\"Meter\",1.0", "\"Foot_US\",0.3048006096012192")
        );
        assert_eq!(read(&both), system(None, CrsUnit::UsFoot, Some(US_FOOT)));
        let degrees = r#"COMPD_CS["WGS 84 + EGM96 height",GEOGCS["WGS 84",UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]],VERT_CS["EGM96 height",UNIT["metre",1],AUTHORITY["EPSG","5773"]]]"#;
        assert_eq!(read(degrees), system(Some(4326), CrsUnit::Degree, Some(1.0)));
    }

    #[test]
    fn newer_texts_tell_their_unit_at_the_axes() {
        let text = r#"COMPOUNDCRS["both",PROJCRS["WGS 84 / UTM zone 33N",BASEGEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563,LENGTHUNIT["metre",1]]],ID["EPSG",4326]],CS[Cartesian,2],AXIS["(E)",east,ORDER[1],LENGTHUNIT["metre",1]],AXIS["(N)",north,LENGTHUNIT["metre",1]],ID["EPSG",32633]],VERTCRS["heights",VDATUM["any"],CS[vertical,1],AXIS["up",up,LENGTHUNIT["US survey foot",0.304800609601219]]]]"#;
        assert_eq!(read(text), system(Some(32633), CrsUnit::Metre, Some(US_FOOT)));
        let bound = r#"BOUNDCRS[SOURCECRS[GEOGCRS["any",CS[ellipsoidal,2],AXIS["latitude",north],AXIS["longitude",east],ANGLEUNIT["degree",0.0174532925199433],ID["EPSG",4258]]],TARGETCRS[GEOGCRS["WGS 84",ID["EPSG",4326]]]]"#;
        assert_eq!(read(bound), system(Some(4258), CrsUnit::Degree, None));
    }

    #[test]
    fn zones_of_utm_without_a_code_are_known_by_their_names() {
        let code = |name: &str, unit: &str| {
            let degree = r#"GEOGCS["any",UNIT["Degree",0.0174532925199433]]"#;
            read(&format!("PROJCS[\"{name}\",{degree},{unit}]")).and_then(|system| system.epsg)
        };
        for (name, epsg) in [
            ("WGS_1984_UTM_Zone_16N", Some(32616)),
            ("WGS 84 / UTM zone 56S", Some(32756)),
            ("NAD_1983_UTM_Zone_10N", Some(26910)),
            ("ETRS89 / UTM zone 32N", Some(25832)),
            ("NAD_1983_2011_UTM_Zone_10N", None),
            ("NAD_1927_UTM_Zone_10N", None),
            ("WGS_1984_UTM_Zone_61N", None),
            ("ETRS_1989_UTM_Zone_32S", None),
            ("WGS_1984_UTM_Zone_", None),
        ] {
            assert_eq!(code(name, r#"UNIT["Meter",1.0]"#), epsg, "{name}");
        }
        assert_eq!(code("NAD_1983_UTM_Zone_10N", r#"UNIT["Foot_US",0.3048006096012192]"#), None);
    }

    #[test]
    fn web_maps_and_the_mercator_of_the_world_are_known_by_their_names() {
        let code = |name: &str, more: &str| {
            let unit = r#"GEOGCS["GCS_WGS_1984",UNIT["Degree",0.0174532925199433]],UNIT["Meter",1.0]"#;
            read(&format!("PROJCS[\"{name}\",{unit}{more}]")).and_then(|system| system.epsg)
        };
        for name in [
            "WGS_1984_Web_Mercator_Auxiliary_Sphere",
            "WGS_1984_Web_Mercator",
            "Popular Visualisation CRS / Mercator",
            "WGS 84 / Pseudo-Mercator",
            "Google Maps Global Mercator",
        ] {
            assert_eq!(code(name, ""), Some(3857), "{name}");
        }
        for authority in
            ["\"ESRI\",\"102100\"", "\"EPSG\",\"900913\"", "\"EPSG\",\"3785\"", "\"ESRI\",102113"]
        {
            assert_eq!(code("any", &format!(",AUTHORITY[{authority}]")), Some(3857), "{authority}");
        }
        assert_eq!(code("WGS_1984_World_Mercator", ""), Some(3395));
        assert_eq!(code("any", ",AUTHORITY[\"ESRI\",\"54030\"]"), None, "no code of the EPSG register");
        assert_eq!(code("Hotine_Oblique_Mercator", ""), None);
    }
}
