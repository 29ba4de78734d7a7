//! Features and classes as a GeoPackage, which geographic information systems open.
//!
//! Format: OGC 12-128r17, GeoPackage 1.3 (<https://www.geopackage.org/spec130/>). Every set of lines, points and polygons is a table of
//! features, and the regions of the cover are polygons in the table `classes`, which share their borders exactly. A map that lies on the
//! Earth has the coordinates of its reference system, any other one metres with y north in an undefined Cartesian system. The date of
//! every table is that of the beginning of 1970, so that the same map makes the same bytes.

mod geometry;
mod sqlite;
#[cfg(test)]
mod tests;

use super::geojson::{Geometry, sets};
use super::placement::{P, Placement, Wgs84, has_length, left_out_note, polygon};
use super::sidecar::Sidecar;
use super::target::{Delivered, Form, Needs, Source, Target};
use crate::catalogue::{Class, FeatureSet, Kind};
use crate::error::Result;
use crate::sink::Sink;
use geometry::{Extent, blob};
use serde_json::{Value, json};
use sqlite::{Cell, Identity, Table, database, record};
use std::path::Path;
use weald_core::{Ctx, par, region};

/// The target `gpkg`.
pub static TARGET: Target = Target {
    name: "gpkg",
    about: "all lines, points and polygons, and the cover as polygons, in one database",
    files: "NAME.gpkg",
    readers: "QGIS, GDAL and other geographic information systems",
    needs: Needs::Nothing,
    takes: &[],
    validate: None,
    form: Form::File("gpkg", export),
};

/// `GPKG`, and version 1.3.
const IDENTITY: Identity = Identity { application: 0x4750_4B47, version: 10_300 };
/// When every table changed last.
const DATE: &str = "1970-01-01T00:00:00.000Z";

/// A table of features.
struct Features {
    name: String,
    about: String,
    geometry: Geometry,
    columns: Vec<(String, Type)>,
    /// The values of the columns and the bytes of the geometry of each feature.
    rows: Vec<Vec<u8>>,
    extent: Option<Extent>,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Boolean,
    Integer,
    Real,
    Text,
}

impl Type {
    fn name(self) -> &'static str {
        match self {
            Type::Boolean => "BOOLEAN",
            Type::Integer => "INTEGER",
            Type::Real => "REAL",
            Type::Text => "TEXT",
        }
    }

    /// The type of a value; none for nothing.
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Null => None,
            Value::Bool(_) => Some(Type::Boolean),
            Value::Number(number) if number.as_i64().is_some() => Some(Type::Integer),
            Value::Number(_) => Some(Type::Real),
            _ => Some(Type::Text),
        }
    }

    /// The type of a column that has values of both.
    fn with(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (Type::Integer | Type::Real, Type::Integer | Type::Real) => Type::Real,
            _ => Type::Text,
        }
    }

    /// A value in a column of this type.
    fn cell(self, value: &Value) -> Cell {
        match (self, value) {
            (_, Value::Null) => Cell::Null,
            (Type::Text, Value::String(text)) => Cell::Text(text.clone()),
            (Type::Text, other) => Cell::Text(other.to_string()),
            (Type::Real, other) => other.as_f64().map_or(Cell::Null, Cell::Real),
            (Type::Boolean, other) => Cell::Integer(other.as_bool().unwrap_or(false).into()),
            (Type::Integer, other) => other.as_i64().map_or(Cell::Null, Cell::Integer),
        }
    }
}

fn export(source: &Source, path: &Path, ctx: &Ctx) -> Result<Delivered> {
    let placement = Placement::of(source);
    let srs = srs_id(&placement);
    let (mut tables, mut left_out) = (Vec::new(), 0);
    for (set, geometry) in sets(source.catalogue) {
        let table = features(set, geometry, &placement, ctx)?;
        left_out += set.features.len() - table.rows.len();
        tables.push(table);
    }
    if source.exports.ground.is_some() {
        tables.push(classes(source, &placement, ctx)?);
    }
    unique_names(&mut tables);
    let counts: Vec<(String, usize)> = tables.iter().map(|t| (t.name.clone(), t.rows.len())).collect();
    let bytes = package(&placement, tables)?;
    let mut out = Sink::open(path)?;
    out.write(&bytes)?;
    out.finish()?;

    let counted: Vec<String> = counts.iter().map(|(name, rows)| format!("{name} ({rows})")).collect();
    let mut numbers = vec![format!("tables of features: {}", counted.join(", "))];
    numbers.push(match (placement.georeference, placement.epsg()) {
        (_, Some(code)) => format!("coordinates are those of EPSG:{code}, in {}", placement.unit()),
        (Some(_), None) => format!(
            "coordinates are those of the map that was read, in {}; its reference system is not known, so set it in your program",
            placement.unit()
        ),
        (None, None) => {
            format!("coordinates are local, in {}: x east, y north (srs_id -1, undefined Cartesian)", placement.unit())
        }
    });
    numbers.extend(left_out_note(left_out));
    numbers.extend(source.note());
    let more = json!({
        "srs_id": srs, "units": placement.unit(), "x": "east", "y": "north",
        "tables": counts.iter().map(|(name, rows)| json!({"name": name, "features": rows})).collect::<Vec<_>>(),
    });
    let sidecar = Sidecar { more: more.as_object().cloned().unwrap_or_default(), ..Sidecar::default() };
    Ok(Delivered { files: Vec::new(), numbers, sidecar })
}

/// The number of the reference system: the EPSG code, or those that the format has for unknown ones.
fn srs_id(placement: &Placement) -> i32 {
    match placement.epsg() {
        Some(code) => code as i32,
        None if placement.is_geographic() => 0,
        None => -1,
    }
}

/// A set as a table: a column for the number of the feature, and one for each property. Lines without length and polygons without area
/// are left out.
fn features(set: &FeatureSet, geometry: Geometry, placement: &Placement, ctx: &Ctx) -> Result<Features> {
    let mut properties: Vec<(&str, Option<Type>)> = Vec::new();
    for feature in &set.features {
        for (name, value) in &feature.properties {
            let found = Type::of(value);
            match properties.iter_mut().find(|(known, _)| *known == name.as_ref()) {
                Some((_, kind)) => *kind = kind.zip(found).map(|(a, b)| a.with(b)).or(*kind).or(found),
                None => properties.push((name.as_ref(), found)),
            }
        }
    }
    let mut columns = vec![("id".to_owned(), Type::Integer)];
    for (name, kind) in &properties {
        let taken = |name: &str| {
            let same = |known: &str| known.eq_ignore_ascii_case(name);
            same("fid") || same("geom") || columns.iter().any(|(known, _)| same(known))
        };
        let mut column = (*name).to_owned();
        while taken(&column) {
            column.push('_');
        }
        columns.push((column, kind.unwrap_or(Type::Text)));
    }
    let srs = srs_id(placement);
    let made = par::map(set.features.len(), &ctx.quiet(), |i| {
        let feature = &set.features[i];
        let place = |points: &[P]| points.iter().map(|&p| placement.at(p)).collect::<Vec<P>>();
        let mut rings = vec![place(&feature.points)];
        if geometry == Geometry::Polygons {
            rings.extend(feature.holes.iter().map(|hole| place(hole)));
            rings = polygon(rings);
        }
        let none = match geometry {
            Geometry::Points => false,
            Geometry::Lines => !has_length(&rings[0]),
            Geometry::Polygons => rings.is_empty(),
        };
        if none {
            return None;
        }
        let (geom, extent) = blob(geometry, rings, srs);
        let mut cells = vec![Cell::Null, geom, Cell::Integer(feature.id.into())];
        for ((name, _), (_, kind)) in properties.iter().zip(&columns[1..]) {
            cells.push(feature.property(name).map_or(Cell::Null, |value| kind.cell(value)));
        }
        Some((record(&cells), extent))
    })?;
    let made = made.into_iter().flatten().collect();
    Ok(Features::new(&set.name, &set.about, geometry, columns, made))
}

/// The regions of the cover as polygons through the corners of cells.
fn classes(source: &Source, placement: &Placement, ctx: &Ctx) -> Result<Features> {
    let spec = source.ground()?;
    let cells = source.catalogue.cells(spec.cover)?;
    let layer = source.catalogue.layer(spec.cover);
    let table: &[Class] = match layer.map(|layer| layer.kind) {
        Some(Kind::Classes(table)) => table,
        _ => &[],
    };
    let (width, height) = cells.shape();
    let map = par::fill(width, height, &ctx.quiet(), |y, row: &mut [u8]| {
        row.iter_mut().enumerate().for_each(|(x, out)| *out = cells.at(x, y) as u8);
    })?;
    let regions = region::outlines(&map);
    let srs = srs_id(placement);
    let cell_m = source.cell_m(&spec);
    let made = par::map(regions.len(), &ctx.quiet(), |i| {
        let region = &regions[i];
        let place = |p: &P| placement.at(placement.corner(*p));
        let rings: Vec<Vec<P>> = region.rings.iter().map(|ring| ring.iter().map(place).collect()).collect();
        let (geom, extent) = blob(Geometry::Polygons, polygon(rings), srs);
        let name = table.iter().find(|class| class.value == u32::from(region.class));
        let cells = [
            Cell::Null,
            geom,
            Cell::Integer(region.class.into()),
            name.map_or(Cell::Null, |class| Cell::Text(class.name.to_owned())),
            Cell::Integer(region.tiles.into()),
            Cell::Real(f64::from(region.tiles) * cell_m * cell_m),
        ];
        (record(&cells), extent)
    })?;
    let about = layer.map_or("", |layer| layer.about);
    let columns =
        [("class", Type::Integer), ("name", Type::Text), ("cells", Type::Integer), ("area_m2", Type::Real)];
    let columns = columns.map(|(name, kind)| (name.to_owned(), kind)).to_vec();
    Ok(Features::new("classes", about, Geometry::Polygons, columns, made))
}

impl Features {
    fn new(
        name: &str,
        about: &str,
        geometry: Geometry,
        columns: Vec<(String, Type)>,
        made: Vec<(Vec<u8>, Option<Extent>)>,
    ) -> Self {
        let extent = made.iter().filter_map(|(_, extent)| *extent).reduce(Extent::with);
        let rows = made.into_iter().map(|(row, _)| row).collect();
        Self { name: name.to_owned(), about: about.to_owned(), geometry, columns, rows, extent }
    }

    /// The name of its geometries.
    fn kind(&self) -> &'static str {
        match self.geometry {
            Geometry::Points => "POINT",
            Geometry::Lines => "LINESTRING",
            Geometry::Polygons => "POLYGON",
        }
    }

    fn table(self) -> Table {
        let mut sql = format!(
            "CREATE TABLE {} (\"fid\" INTEGER PRIMARY KEY NOT NULL, \"geom\" {}",
            quoted(&self.name),
            self.kind()
        );
        for (name, kind) in &self.columns {
            sql += &format!(", {} {}", quoted(name), kind.name());
        }
        sql.push(')');
        let rows = (1..).zip(self.rows).collect();
        Table { name: self.name, sql, rows, unique: Vec::new() }
    }
}

/// A name in double quotes.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Gives tables of the same name different ones; the names of SQLite have no capitals.
fn unique_names(tables: &mut [Features]) {
    for i in 1..tables.len() {
        while (0..i).any(|k| tables[k].name.eq_ignore_ascii_case(&tables[i].name)) {
            tables[i].name.push('_');
        }
    }
}

/// The whole database.
fn package(placement: &Placement, tables: Vec<Features>) -> Result<Vec<u8>> {
    let srs = srs_id(placement);
    let mut all = vec![reference_systems(placement), contents(&tables, srs), geometry_columns(&tables, srs)];
    all.extend(tables.into_iter().map(Features::table));
    database(&all, IDENTITY)
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

/// The reference systems: the three that every file has, and that of the map.
fn reference_systems(placement: &Placement) -> Table {
    let sql = "CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, \
               organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, \
               description TEXT)";
    let row = |id: i64, name: &str, organization: &str, definition: &str, about: &str| {
        let cells =
            [text(name), Cell::Null, text(organization), Cell::Integer(id), text(definition), text(about)];
        (id, record(&cells))
    };
    let mut rows = vec![
        row(
            -1,
            "Undefined Cartesian SRS",
            "NONE",
            "undefined",
            "undefined Cartesian coordinate reference system",
        ),
        row(
            0,
            "Undefined geographic SRS",
            "NONE",
            "undefined",
            "undefined geographic coordinate reference system",
        ),
        row(
            4326,
            "WGS 84 geodetic",
            "EPSG",
            WGS84_WKT,
            "longitude and latitude in decimal degrees on WGS 84",
        ),
    ];
    if let Some(code) = placement.epsg().filter(|&code| code != 4326) {
        let definition = match Wgs84::of(code) {
            // Zones of other datums have smaller codes; programs know them by these.
            Some(Wgs84::Utm { zone, equator }) if code >= 32_600 => utm_wkt(code, zone, equator),
            _ => "undefined".to_owned(),
        };
        rows.push(row(
            code.into(),
            &format!("EPSG:{code}"),
            "EPSG",
            &definition,
            "that of the map that was read",
        ));
        rows.sort_by_key(|row| row.0);
    }
    Table { name: "gpkg_spatial_ref_sys".into(), sql: sql.into(), rows, unique: Vec::new() }
}

/// WGS 84 as well-known text (OGC 01-009).
const WGS84_WKT: &str = "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563,\
                         AUTHORITY[\"EPSG\",\"7030\"]],AUTHORITY[\"EPSG\",\"6326\"]],PRIMEM[\"Greenwich\",0],\
                         UNIT[\"degree\",0.0174532925199433],AUTHORITY[\"EPSG\",\"4326\"]]";

/// A zone of UTM as well-known text.
fn utm_wkt(code: u32, zone: u32, equator: u32) -> String {
    let half = if equator == 0 { 'N' } else { 'S' };
    let meridian = 6 * zone as i32 - 183;
    format!(
        "PROJCS[\"WGS 84 / UTM zone {zone}{half}\",{WGS84_WKT},PROJECTION[\"Transverse_Mercator\"],\
         PARAMETER[\"latitude_of_origin\",0],PARAMETER[\"central_meridian\",{meridian}],PARAMETER[\"scale_factor\",0.9996],\
         PARAMETER[\"false_easting\",500000],PARAMETER[\"false_northing\",{equator}],UNIT[\"metre\",1],\
         AUTHORITY[\"EPSG\",\"{code}\"]]"
    )
}

/// The list of tables.
fn contents(tables: &[Features], srs: i32) -> Table {
    let sql = "CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE, \
               description TEXT DEFAULT '', last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')), \
               min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER, CONSTRAINT fk_gc_r_srs_id FOREIGN KEY \
               (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id))";
    let row = |table: &Features| {
        let mut cells =
            vec![text(&table.name), text("features"), text(&table.name), text(&table.about), text(DATE)];
        match table.extent {
            Some(e) => cells.extend([e.west, e.south, e.east, e.north].map(Cell::Real)),
            None => cells.extend([(); 4].map(|()| Cell::Null)),
        }
        cells.push(Cell::Integer(srs.into()));
        record(&cells)
    };
    let names: Vec<(Vec<Cell>, i64)> = (1..).zip(tables).map(|(i, t)| (vec![text(&t.name)], i)).collect();
    Table {
        name: "gpkg_contents".into(),
        sql: sql.into(),
        rows: (1..).zip(tables.iter().map(row)).collect(),
        unique: vec![names.clone(), names],
    }
}

/// The columns of geometries.
fn geometry_columns(tables: &[Features], srs: i32) -> Table {
    let sql = "CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT \
               NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL, CONSTRAINT pk_geom_cols PRIMARY KEY \
               (table_name, column_name), CONSTRAINT uk_gc_table_name UNIQUE (table_name), CONSTRAINT fk_gc_tn FOREIGN KEY \
               (table_name) REFERENCES gpkg_contents(table_name), CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES \
               gpkg_spatial_ref_sys (srs_id))";
    let row = |table: &Features| {
        let number = |n: i32| Cell::Integer(n.into());
        record(&[text(&table.name), text("geom"), text(table.kind()), number(srs), number(0), number(0)])
    };
    let keys = |key: &dyn Fn(&Features) -> Vec<Cell>| (1..).zip(tables).map(|(i, t)| (key(t), i)).collect();
    Table {
        name: "gpkg_geometry_columns".into(),
        sql: sql.into(),
        rows: (1..).zip(tables.iter().map(row)).collect(),
        unique: vec![keys(&|t| vec![text(&t.name), text("geom")]), keys(&|t| vec![text(&t.name)])],
    }
}
