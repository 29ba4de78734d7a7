//! Polygons of the biomes: their rings are the borders of the regions.
//!
//! The edges of a polygon's rings are compared with those around its region, one by one. If each of them has the region on one side and
//! something else on the other, none comes twice and there are as many as the region has, then the rings are its border.

use super::Rule;
use super::codes::{BIOMES, LAKE, biome};
use super::tiles::{Realm, Regions};
use crate::check::{RuleResult, folder};
use crate::error::{Error, Result};
use crate::files;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::Path;

/// The file of the polygons.
pub(super) const FILE: &str = "biomes.geojson";
/// How far an area may be off in square kilometres, and as a share.
const SLACK: (f64, f64) = (1e-3, 1e-6);

/// The rules of this chapter.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "biome-polygons",
        about: "biomes.geojson has a polygon for each region of one biome, connected along edges; its rings follow the corners of the \
                tiles around the region, the outer ring first, and enclose as many tiles",
        needs: &["biome", FILE],
        run: borders,
    },
    Rule {
        name: "biome-figures",
        about: "biome, tiles and area_km2 of a polygon are those of its region",
        needs: &["biome", FILE],
        run: figures,
    },
    Rule {
        name: "lake-levels",
        about: "level_m of a lake's polygon is the surface of the lake, to 1 cm; no other polygon has one",
        needs: &["biome", "surface", FILE],
        run: levels,
    },
];

/// A polygon with its properties.
#[derive(Deserialize)]
pub(super) struct Polygon {
    #[serde(default)]
    properties: Map<String, Value>,
    geometry: Geometry,
}

#[derive(Deserialize)]
#[serde(tag = "type", content = "coordinates")]
enum Geometry {
    Polygon(Vec<Vec<[f64; 2]>>),
}

#[derive(Deserialize)]
struct Collection {
    features: Vec<Polygon>,
}

/// Reads the file of polygons. None if there is no such file.
pub(super) fn read(path: &Path) -> Result<Option<Vec<Polygon>>> {
    if !files::is_file(path) {
        return Ok(None);
    }
    let all: Collection = serde_json::from_str(&folder::text(path)?)
        .map_err(|e| Error::Invalid(format!("{}: {e}; make the folder again", path.display())))?;
    Ok(Some(all.features))
}

/// Something without a fault, or what is wrong with it.
type Sound<T> = std::result::Result<T, String>;

/// A corner of tiles: column and row of the tile to its south-east.
type Corner = (usize, usize);

/// The rings of a polygon as corners, the outer one first; what is wrong with them if they are not closed rings on corners.
fn rings(realm: &Realm, polygon: &Polygon) -> Sound<Vec<Vec<Corner>>> {
    let Geometry::Polygon(rings) = &polygon.geometry;
    let along = |v: f64, most: usize| {
        let k = (v / realm.cell_m).round();
        let near = (v - k * realm.cell_m).abs() <= 1e-3 * realm.cell_m;
        (near && k >= 0.0 && k <= most as f64).then_some(k as usize)
    };
    let corner = |at: &[f64; 2]| {
        let corner = along(at[0], realm.width).zip(along(at[1], realm.height));
        corner.ok_or_else(|| format!("{at:?} is not a corner of tiles"))
    };
    let mut out = Vec::new();
    for ring in rings {
        let ring = ring.iter().map(corner).collect::<Sound<Vec<Corner>>>()?;
        if ring.len() < 5 || ring.first() != ring.last() {
            return Err("a ring is not closed".into());
        }
        if let Some(p) = ring.windows(2).find(|p| (p[0].0 == p[1].0) == (p[0].1 == p[1].1)) {
            return Err(format!("a ring goes from corner {:?} to {:?}, not along x or y", p[0], p[1]));
        }
        out.push(ring);
    }
    if out.is_empty() { Err("there is no ring".into()) } else { Ok(out) }
}

/// The tile to the south-east of the first of a ring's northernmost corners, which is inside the ring.
fn inside(realm: &Realm, ring: &[Corner]) -> Option<usize> {
    let &(x, y) = ring.iter().min_by_key(|c| (c.1, c.0))?;
    (x < realm.width && y < realm.height).then_some(y * realm.width + x)
}

/// The area of a ring in tiles, by the shoelace formula.
fn area(ring: &[Corner]) -> u64 {
    let cross = |a: Corner, b: Corner| a.0 as i64 * b.1 as i64 - b.0 as i64 * a.1 as i64;
    ring.windows(2).fold(0i64, |sum, p| sum.wrapping_add(cross(p[0], p[1]))).unsigned_abs() / 2
}

/// The number of edges around each region.
fn outlines(realm: &Realm, regions: &Regions) -> Vec<usize> {
    let (w, h) = (realm.width, realm.height);
    let mut out = vec![0; regions.first.len()];
    for (i, &mine) in regions.of.iter().enumerate() {
        let (x, y) = (i % w, i / w);
        let same = |inside: bool, by: isize| inside && regions.of[i.wrapping_add_signed(by)] == mine;
        let (row, column) =
            ([(x > 0, -1), (x + 1 < w, 1)], [(y > 0, -(w as isize)), (y + 1 < h, w as isize)]);
        out[mine as usize] += row.into_iter().chain(column).filter(|&(inside, by)| !same(inside, by)).count();
    }
    out
}

/// Which edges were drawn already, from which side.
struct Drawn<'a> {
    realm: &'a Realm,
    regions: &'a Regions,
    /// By the corner at the western or northern end of the edge, each with bits for its two sides: edges to the east, then to the south.
    east: Vec<u8>,
    south: Vec<u8>,
}

impl<'a> Drawn<'a> {
    fn new(realm: &'a Realm, regions: &'a Regions) -> Self {
        let corners = (realm.width + 1) * (realm.height + 1);
        Self { realm, regions, east: vec![0; corners], south: vec![0; corners] }
    }

    /// Draws an edge of a region from its western or northern end on. Says what is wrong with it.
    fn draw(&mut self, (x, y): Corner, east: bool, region: u32) -> Sound<()> {
        let (w, h) = (self.realm.width, self.realm.height);
        let (before, behind) = if east { (y > 0, y < h) } else { (x > 0, x < w) };
        let i = y * w + x;
        let is = |there: bool, i: usize| there && self.regions.of[i] == region;
        let sides = [is(before, i.wrapping_sub(if east { w } else { 1 })), is(behind, i)];
        let way = if east { "E" } else { "S" };
        if sides[0] == sides[1] {
            return Err(format!(
                "the edge from corner ({x}, {y}) to the {way} is not on the border of the region"
            ));
        }
        let list = if east { &mut self.east } else { &mut self.south };
        let (drawn, bit) = (&mut list[y * (w + 1) + x], 1 + u8::from(sides[1]));
        if *drawn & bit != 0 {
            return Err(format!("the edge from corner ({x}, {y}) to the {way} comes twice"));
        }
        *drawn |= bit;
        Ok(())
    }

    /// Draws a ring of a region and counts its edges. Says what is wrong with it.
    fn ring(&mut self, ring: &[Corner], region: u32) -> Sound<usize> {
        let mut count = 0;
        for p in ring.windows(2) {
            let (from, to) = (p[0].min(p[1]), p[0].max(p[1]));
            let east = from.1 == to.1;
            for k in 0..(to.0 - from.0) + (to.1 - from.1) {
                let at = if east { (from.0 + k, from.1) } else { (from.0, from.1 + k) };
                self.draw(at, east, region)?;
                count += 1;
            }
        }
        Ok(count)
    }
}

fn borders(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let (regions, class) = (realm.regions(), realm.bytes("biome").cells());
    let outlines = outlines(realm, regions);
    let mut drawn = Drawn::new(realm, regions);
    let mut found = vec![false; regions.first.len()];
    for (k, polygon) in realm.polygons().iter().enumerate() {
        let rings = rings(realm, polygon);
        rule.check(rings.is_ok(), None, || {
            format!("polygon {k}: {}", rings.as_ref().err().map_or("", String::as_str))
        });
        let Ok(rings) = rings else { continue };
        let Some(tile) = inside(realm, &rings[0]) else { continue };
        let region = regions.of[tile];
        let (name, place) = (biome(class[tile]), realm.at(tile));
        let text = format!("polygon {k} around the {name} at {}", realm.place(tile));
        let again = std::mem::replace(&mut found[region as usize], true);
        rule.check(!again, place, || format!("{text}: another polygon has this region"));
        if again {
            continue;
        }
        let edges: Sound<usize> = rings.iter().try_fold(0, |sum, ring| Ok(sum + drawn.ring(ring, region)?));
        let wanted = outlines[region as usize];
        rule.check(edges == Ok(wanted), place, || match &edges {
            Ok(edges) => format!("{text} has {edges} edges, its region {wanted}"),
            Err(why) => format!("{text}: {why}"),
        });
        let holes: u64 = rings[1..].iter().map(|r| area(r)).sum();
        let (tiles, wanted) = (area(&rings[0]).checked_sub(holes), regions.tiles[region as usize] as u64);
        rule.check(tiles == Some(wanted), place, || {
            let outer = area(&rings[0]);
            format!("{text} encloses {outer} tiles less {holes} in holes, its region has {wanted}")
        });
    }
    for (&first, _) in regions.first.iter().zip(&found).filter(|(_, found)| !**found) {
        rule.check(false, realm.at(first), || {
            format!("{FILE} has no polygon for the {} at {}", biome(class[first]), realm.place(first))
        });
    }
    Ok(())
}

fn figures(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let (regions, class) = (realm.regions(), realm.bytes("biome").cells());
    for (k, polygon) in realm.polygons().iter().enumerate() {
        let Some(i) = rings(realm, polygon).ok().and_then(|rings| inside(realm, &rings[0])) else { continue };
        let about = |key: &str| polygon.properties.get(key).unwrap_or(&Value::Null);
        let wanted = BIOMES.get(usize::from(class[i]));
        rule.check(wanted.is_some_and(|w| about("biome") == w), realm.at(i), || {
            format!("biome of polygon {k} is {}, not {}", about("biome"), biome(class[i]))
        });
        let tiles = regions.tiles[regions.of[i] as usize];
        rule.check(about("tiles").as_f64() == Some(tiles as f64), realm.at(i), || {
            format!("tiles of polygon {k} is {}, not {tiles}", about("tiles"))
        });
        let area = tiles as f64 * realm.cell_m2() / 1e6;
        let found = about("area_km2").as_f64().unwrap_or(f64::NAN);
        rule.check((found - area).abs() <= SLACK.0 + SLACK.1 * area, realm.at(i), || {
            format!("area_km2 of polygon {k} is {}, not {area}", about("area_km2"))
        });
    }
    Ok(())
}

fn levels(realm: &Realm, rule: &mut RuleResult) -> Result<()> {
    let (class, surface) = (realm.bytes("biome").cells(), realm.floats("surface").cells());
    for (k, polygon) in realm.polygons().iter().enumerate() {
        let Some(i) = rings(realm, polygon).ok().and_then(|rings| inside(realm, &rings[0])) else { continue };
        let found = polygon.properties.get("level_m");
        let good = match (class[i], found) {
            (LAKE, Some(level)) => {
                level.as_f64().is_some_and(|level| (level - f64::from(surface[i])).abs() <= 0.01)
            }
            (LAKE, None) => false,
            (_, found) => found.is_none(),
        };
        rule.check(good, realm.at(i), || {
            let (name, found) = (biome(class[i]), found.unwrap_or(&Value::Null));
            format!("level_m of polygon {k} around {name} is {found}, and the surface there {} m", surface[i])
        });
    }
    Ok(())
}
