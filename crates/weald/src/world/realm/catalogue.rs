//! The layers, lines, points, polygons and figures of a realm.

use super::biomes::{BIOMES, LAKE, MOUNTAIN, OCEAN, TRANSITIONS};
use super::names::NameMaker;
use super::rivers::Mouth;
use super::settlements::{KINDS, RADII, biome_name};
use super::validate::CROSSINGS;
use super::ways::{Way, Ways};
use super::world::INFO;
use super::{Realm, validate};
use crate::catalogue::Field::{F32, U8, U16};
use crate::catalogue::Palette::{Elevation, Moisture};
use crate::catalogue::{Catalogue, Class, Feature, FeatureSet, LayerOf};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use weald_core::{Grid, line, region};

/// Land, ocean and lakes.
const WATER: &[Class] = &[
    Class { value: 0, name: "land", colour: [214, 212, 176] },
    Class { value: 1, name: "ocean", colour: [128, 172, 204] },
    Class { value: 2, name: "lake", colour: [150, 192, 216] },
];

/// The directions in which a feature goes on, as bits.
const LINKS: &[Class] = &[
    Class { value: 1, name: "E", colour: [214, 96, 77] },
    Class { value: 2, name: "SE", colour: [222, 155, 72] },
    Class { value: 4, name: "S", colour: [201, 192, 80] },
    Class { value: 8, name: "SW", colour: [122, 176, 88] },
    Class { value: 16, name: "W", colour: [72, 160, 150] },
    Class { value: 32, name: "NW", colour: [76, 126, 182] },
    Class { value: 64, name: "N", colour: [118, 98, 176] },
    Class { value: 128, name: "NE", colour: [184, 88, 140] },
];

/// Classes of roads, by the tier that they were built for.
const ROADS: [&str; 5] = ["highway", "highway", "road", "track", "track"];

/// Regions of mountains and of ocean that are large enough for a name, in tiles.
const NAMED: (u32, u32, u32) = (60, 250, 8);

type L = LayerOf<Realm>;

/// The layers, in order.
pub(super) const LAYERS: &[L] = &[
    L::classes("biome", "Biome of the tile: the base class, without transitions", BIOMES, U8(|r| &r.classes)),
    L::classes("transition", "Kind of transition along a border", TRANSITIONS, U8(|r| &r.transition)),
    L::measure(
        "height",
        "m",
        "Height above the sea, negative below it; the ground under lakes",
        F32(|r| &r.height),
    )
    .coloured(Elevation),
    L::measure("temperature", "°C", "Mean temperature of the year", F32(|r| &r.temperature)),
    L::measure(
        "moisture",
        "1",
        "Rain relative to that of a plain on the coast, 0 to 1",
        F32(|r| &r.moisture),
    )
    .coloured(Moisture),
    L::classes("water", "Whether the tile is land, ocean or lake", WATER, U8(|r| &r.water)),
    L::flags(
        "river_dirs",
        "Directions in which a river goes on from the tile",
        LINKS,
        U8(|r| &r.rivers.links),
    ),
    L::flags(
        "rail_dirs",
        "Directions in which a railroad goes on from the tile",
        LINKS,
        U8(|r| &r.railroads.links),
    ),
    L::flags("road_dirs", "Directions in which a road goes on from the tile", LINKS, U8(|r| &r.roads.links)),
    L::classes("crossing", "What crosses on the tile", CROSSINGS, U8(|r| &r.crossing)),
    L::measure(
        "settlement",
        "",
        "Number of the settlement whose footprint holds the tile, 0 for none",
        U16(|r| &r.settlement),
    ),
];

/// Names of everything, in the order in which they are given.
struct AllNames {
    settlements: Vec<String>,
    rivers: Vec<String>,
    places: Vec<Feature>,
}

impl Realm {
    /// Layers, rivers, railroads, roads, settlements, crossings, biomes and figures.
    pub fn into_catalogue(self) -> Catalogue {
        let realm = Arc::new(self);
        let regions = region::outlines(&realm.classes);
        let names = realm.names(&regions);
        let lines = vec![
            realm.river_lines(&names.rivers),
            realm.way_lines(
                "railroads",
                "Railroads from junction to junction; from and to are the settlements that they join",
                &realm.railroads,
                None,
            ),
            realm.way_lines(
                "roads",
                "Roads from junction to junction; from and to are the settlements that they join",
                &realm.roads,
                Some(&ROADS),
            ),
        ];
        let points = vec![
            realm.settlement_points(&names.settlements),
            realm.crossing_points(),
            FeatureSet::new(
                "places",
                "Names of ranges, lakes and seas, with the number of tiles they cover",
                names.places,
            ),
        ];
        Catalogue {
            seed: realm.seed.0,
            params: serde_json::to_value(&realm.params).expect("parameters are plain data"),
            layers: LayerOf::layers(LAYERS, &realm),
            figures: realm.figures(&lines),
            lines,
            points,
            polygons: vec![realm.biome_polygons(&regions)],
            ..Catalogue::new(INFO.name, INFO.length_unit, realm.frame)
        }
    }

    /// The centre of a tile in metres.
    fn centre(&self, tile: u32) -> (f64, f64) {
        self.frame.cell_centre(tile as usize % self.frame.width, tile as usize / self.frame.width)
    }

    fn line(&self, tiles: &[u32]) -> (Vec<(f64, f64)>, f64) {
        let points: Vec<(f64, f64)> = tiles.iter().map(|&t| self.centre(t)).collect();
        let length = (line::length(&points) * 10.0).round() / 10.0;
        (points, length)
    }

    /// Names: settlements from the capital down, rivers from the largest, then seas, ranges and lakes by size.
    fn names(&self, regions: &[region::Region]) -> AllNames {
        let mut maker = NameMaker::new(self.seed.of("names"), &self.params.names);
        let settlements = self.settlements.iter().map(|_| maker.settlement()).collect();
        let rivers = self.rivers.list.iter().map(|_| maker.river()).collect();
        let (area, _) = region::areas(&self.classes);
        let mut large: Vec<usize> = (0..regions.len())
            .filter(|&k| match regions[k].class {
                MOUNTAIN => regions[k].tiles >= NAMED.0,
                OCEAN => regions[k].tiles >= NAMED.1,
                LAKE => regions[k].tiles >= NAMED.2,
                _ => false,
            })
            .collect();
        large.sort_by_key(|&k| (std::cmp::Reverse(regions[k].tiles), k));
        let middles = middles(&area, &large);
        let place = |(id, (&k, at)): (usize, (&usize, u32))| {
            let (kind, name) = match regions[k].class {
                MOUNTAIN => ("range", maker.range()),
                OCEAN => ("sea", maker.sea()),
                _ => ("lake", maker.lake()),
            };
            let properties =
                [("name", json!(name)), ("kind", json!(kind)), ("tiles", json!(regions[k].tiles))];
            Feature::new(id as u32, vec![self.centre(at)], properties)
        };
        let places = large.iter().zip(middles).enumerate().map(place).collect();
        AllNames { settlements, rivers, places }
    }

    fn river_lines(&self, names: &[String]) -> FeatureSet {
        let feature = |(id, river): (usize, &super::rivers::River)| {
            let (points, length_m) = self.line(&river.tiles);
            let (mouth, parent) = match river.mouth {
                Mouth::Ocean => ("ocean", None),
                Mouth::Lake => ("lake", None),
                Mouth::River(parent) => ("river", Some(parent)),
                Mouth::Edge => ("edge", None),
            };
            Feature::new(
                id as u32,
                points,
                [
                    ("name", json!(names[id])),
                    ("parent", json!(parent)),
                    ("mouth", json!(mouth)),
                    ("order", json!(river.order)),
                    ("length_m", json!(length_m)),
                ],
            )
        };
        FeatureSet::new(
            "rivers",
            "Rivers from source to mouth, tile by tile, the largest first; order is Strahler's",
            self.rivers.list.iter().enumerate().map(feature).collect(),
        )
    }

    fn way_lines(
        &self,
        name: &'static str,
        about: &'static str,
        ways: &Ways,
        classes: Option<&[&str; 5]>,
    ) -> FeatureSet {
        let feature = |(id, way): (usize, &Way)| {
            let (points, length_m) = self.line(&way.tiles);
            let mut properties = vec![
                ("from", json!(way.joins.0 + 1)),
                ("to", json!(way.joins.1 + 1)),
                ("length_m", json!(length_m)),
            ];
            if let Some(classes) = classes {
                properties.push(("class", json!(classes[way.tier.clamp(1, 5) - 1])));
            }
            Feature::new(id as u32, points, properties)
        };
        FeatureSet::new(name, about, ways.list.iter().enumerate().map(feature).collect())
    }

    fn settlement_points(&self, names: &[String]) -> FeatureSet {
        let feature = |(k, s): (usize, &super::settlements::Settlement)| {
            Feature::new(
                k as u32 + 1,
                vec![self.centre(s.centre)],
                [
                    ("name", json!(names[k])),
                    ("tier", json!(s.tier)),
                    ("kind", json!(KINDS[s.tier - 1])),
                    ("radius", json!(RADII[s.tier - 1])),
                    ("population", json!(s.population)),
                    ("biome", json!(biome_name(&self.classes, s))),
                    ("harbour", json!(s.harbour)),
                    ("landmass", json!(s.land)),
                    ("road", json!(self.roads.joined[k])),
                    ("rail", json!(self.railroads.joined[k])),
                    ("road_reason", json!(self.roads.left_out[k])),
                    ("rail_reason", json!(self.railroads.left_out[k])),
                ],
            )
        };
        FeatureSet::new(
            "settlements",
            "Settlements from the capital down; road_reason and rail_reason say why one is not joined",
            self.settlements.iter().enumerate().map(feature).collect(),
        )
    }

    fn crossing_points(&self) -> FeatureSet {
        let on = self.crossing.cells().iter().enumerate().filter(|(_, c)| **c != validate::NONE);
        let feature = |(id, (tile, &code)): (usize, (usize, &u8))| {
            Feature::new(
                id as u32,
                vec![self.centre(tile as u32)],
                [("kind", json!(CROSSINGS[code as usize].name))],
            )
        };
        FeatureSet::new(
            "crossings",
            "Bridges, rail bridges, rail crossings and crossroads",
            on.enumerate().map(feature).collect(),
        )
    }

    fn biome_polygons(&self, regions: &[region::Region]) -> FeatureSet {
        let m = self.frame.cell_m;
        let feature = |(id, region): (usize, &region::Region)| {
            let ring = |r: &Vec<(f64, f64)>| r.iter().map(|&(x, y)| (x * m, y * m)).collect::<Vec<_>>();
            let mut rings = region.rings.iter().map(ring);
            let mut feature = Feature::new(
                id as u32,
                rings.next().unwrap_or_default(),
                [
                    ("biome", json!(BIOMES[region.class as usize].name)),
                    ("tiles", json!(region.tiles)),
                    ("area_km2", json!(region.tiles as f64 * m * m / 1e6)),
                ],
            );
            feature.holes = rings.collect();
            feature
        };
        FeatureSet::new(
            "biomes",
            "Connected regions of one biome",
            regions.iter().enumerate().map(feature).collect(),
        )
    }

    fn figures(&self, lines: &[FeatureSet]) -> Map<String, Value> {
        let land = self.water.cells().iter().filter(|w| **w == 0).count();
        let share = |part: usize, of: usize| if of == 0 { 0.0 } else { part as f64 / of as f64 };
        let mut biomes = Map::new();
        for class in &BIOMES[2..] {
            let tiles = self.classes.cells().iter().filter(|c| **c as u32 == class.value).count();
            biomes.insert(class.name.into(), json!(share(tiles, land)));
        }
        let tiers: Vec<usize> =
            (1..=5).map(|t| self.settlements.iter().filter(|s| s.tier == t).count()).collect();
        let mut kinds = Map::new();
        for class in &CROSSINGS[1..] {
            let count = self.crossing.cells().iter().filter(|c| **c as u32 == class.value).count();
            kinds.insert(class.name.into(), json!(count));
        }
        let length_km = |set: &FeatureSet| {
            let sum = set.features.iter().map(|f| line::length(&f.points)).fold(0.0, |a, b| a + b);
            (sum / 100.0).round() / 10.0
        };
        let reach = |s: &&super::settlements::Settlement| {
            self.settlements.iter().filter(|o| o.land == s.land).count() > 1
        };
        let reachable = self.settlements.iter().filter(reach).count();
        let value = json!({
            "land_share": share(land, self.frame.cells()),
            "biomes": biomes,
            "borders": {
                "tiles": self.mended.border_tiles,
                "repaired_share": share(self.mended.repaired.flipped, self.mended.border_tiles),
            },
            "lakes": region::outlines(&self.classes).iter().filter(|r| r.class == LAKE).count(),
            "oxbow_lakes": self.oxbows,
            "rivers": {"count": self.rivers.list.len(), "length_km": length_km(&lines[0])},
            "settlements": {
                "tiers": tiers,
                "on_roads": self.roads.joined.iter().filter(|j| **j).count(),
                "reachable": reachable,
                "on_railroads": self.railroads.joined.iter().filter(|j| **j).count(),
            },
            "railroads_km": length_km(&lines[1]),
            "roads_km": length_km(&lines[2]),
            "crossings": kinds,
            "violations": self.violations.len(),
        });
        let Value::Object(out) = value else { unreachable!("an object was written") };
        out
    }
}

/// For each region of a list the tile of it that is nearest to the mean of its tiles.
fn middles(area: &Grid<u32>, regions: &[usize]) -> Vec<u32> {
    let w = area.width();
    let most = area.cells().iter().max().map_or(0, |&m| m as usize + 1);
    let mut place = vec![usize::MAX; most];
    regions.iter().enumerate().for_each(|(k, &r)| place[r] = k);
    let mut sums = vec![(0u64, 0u64, 0u64); regions.len()];
    let on = |i: usize| Some(place[area.cells()[i] as usize]).filter(|&k| k != usize::MAX);
    for (i, k) in (0..area.len()).filter_map(|i| Some((i, on(i)?))) {
        let (x, y, n) = &mut sums[k];
        (*x, *y, *n) = (*x + (i % w) as u64, *y + (i / w) as u64, *n + 1);
    }
    let mut best = vec![(u64::MAX, 0u32); regions.len()];
    for (i, k) in (0..area.len()).filter_map(|i| Some((i, on(i)?))) {
        let (x, y, n) = sums[k];
        let (dx, dy) = ((i % w) as u64 * n, (i / w) as u64 * n);
        let far = dx.abs_diff(x) / n * (dx.abs_diff(x) / n) + dy.abs_diff(y) / n * (dy.abs_diff(y) / n);
        best[k] = best[k].min((far, i as u32));
    }
    best.iter().map(|b| b.1).collect()
}

/// Writes the table of violations.
pub(super) fn write_violations(
    catalogue: &Catalogue,
    _: &[String],
    out: &mut crate::sink::Sink,
    _: &weald_core::Ctx,
) -> crate::error::Result<()> {
    let _ = catalogue;
    out.write(b"rule,x,y,kinds,directions\n")
}
