//! The layers, lines, points, polygons and figures of a realm.

use super::biomes::{BIOMES, LAKE, MOUNTAIN, OCEAN, TRANSITIONS};
use super::names::{NameMaker, Named};
use super::rivers::Mouth;
use super::settlements::{KINDS, RADII, biome_name};
use super::validate::CROSSINGS;
use super::ways::{Way, Ways};
use super::world::INFO;
use super::{Realm, validate};
use crate::catalogue::Field::{F32, U8, U16};
use crate::catalogue::Palette::{Elevation, Moisture};
use crate::catalogue::{Catalogue, Class, Feature, FeatureSet, LayerOf};
use crate::error::Result;
use crate::sink::Sink;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use weald_core::{Ctx, distance, line, region, scatter};

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

/// Fewest tiles of ranges of mountains and lakes that have a name; on large maps it is the 1200th and the 50,000th part of the map.
const NAMED: (u32, u32) = (60, 8);

/// Squared distance from land of a named sea, in tiles; open water to the west and east of it, as a share of the width; how far seas are
/// apart, as a share of the shorter side; and how many there are at most.
const SEA_TILES: u32 = 64;
const SEA_LETTERS: f64 = 0.07;
const SEAS_APART: f64 = 0.45;
const MOST_SEAS: usize = 6;

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
    L::measure(
        "surface",
        "m",
        "Height of the surface above the sea: the water of the ocean and of lakes, the ground elsewhere",
        F32(|r| &r.surface),
    )
    .coloured(Elevation),
    L::measure(
        "temperature",
        "°C",
        "Mean temperature of the year, before rivers cut into the land",
        F32(|r| &r.temperature),
    ),
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
                "Railroads from junction to junction; from and to are the settlements that each was built to join",
                &realm.railroads,
                None,
            ),
            realm.way_lines(
                "roads",
                "Roads from junction to junction; from and to are the settlements that each was built to join",
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
            figures: realm.figures(&lines, &regions),
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

    /// Names: settlements from the capital down, rivers in their order, then seas, ranges and lakes by size.
    fn names(&self, regions: &[region::Region]) -> AllNames {
        let mut maker = NameMaker::new(self.seed.of("names"), &self.params.names);
        let settlements = self.settlements.iter().map(|_| maker.name(Named::Settlement)).collect();
        let rivers = self.rivers.list.iter().map(|_| maker.name(Named::River)).collect();
        let tiles = self.frame.cells() as u32;
        let mut named: Vec<(u32, u32, u8)> = Vec::new();
        for (region, at) in regions.iter().zip(self.middles(regions.len())) {
            let large = match region.class {
                MOUNTAIN => region.tiles >= NAMED.0.max(tiles / 1200),
                LAKE => region.tiles >= NAMED.1.max(tiles / 50_000),
                _ => false,
            };
            if large {
                named.push((region.tiles, at, region.class));
            }
        }
        named.sort_by_key(|n| (std::cmp::Reverse(n.0), n.1));
        let seas = self.seas().into_iter().map(|(at, tiles)| (tiles, at, OCEAN));
        named.splice(0..0, seas);
        let place = |(id, (tiles, at, class)): (usize, (u32, u32, u8))| {
            let (kind, named) = match class {
                MOUNTAIN => ("range", Named::Range),
                OCEAN => ("sea", Named::Sea),
                _ => ("lake", Named::Lake),
            };
            let properties =
                [("name", json!(maker.name(named))), ("kind", json!(kind)), ("tiles", json!(tiles))];
            Feature::new(id as u32, vec![self.centre(at)], properties)
        };
        let places = named.into_iter().enumerate().map(place).collect();
        AllNames { settlements, rivers, places }
    }

    /// For each region the tile of it that is farthest from every other region, the first of equal ones.
    fn middles(&self, regions: usize) -> Vec<u32> {
        let (area, _) = region::areas(&self.classes);
        let (w, h) = area.shape();
        let mut best = vec![(0u32, 0u32); regions];
        // This cannot be cancelled.
        let border = region::border_tiles(&self.classes, &Ctx::default());
        let far = border.and_then(|b| distance::euclidean(w, h, &Ctx::default(), |i| b.cells()[i] != 0));
        for (i, &d) in far.iter().flat_map(|f| f.squared.cells().iter().enumerate()) {
            let best = &mut best[area.cells()[i] as usize];
            if *best == (0, 0) || d > best.0 {
                *best = (d, i as u32);
            }
        }
        best.iter().map(|b| b.1).collect()
    }

    /// Places in the ocean for names of seas: far from land and from the sides of the map, with open water to the west and east for the
    /// letters, and apart from each other; each with the number of ocean tiles to which it is the nearest.
    fn seas(&self) -> Vec<(u32, u32)> {
        let (w, h) = self.classes.shape();
        let inside = |i: usize| {
            let (x, y) = (i % w, i / w);
            x.min(w - 1 - x).min(y).min(h - 1 - y)
        };
        let land = |i: usize| self.classes.cells()[i] > LAKE || inside(i) == 0;
        let Ok(far) = distance::euclidean(w, h, &Ctx::default(), land) else { return Vec::new() };
        let letters = (SEA_LETTERS * w as f64) as usize;
        let open = |i: usize| {
            let (x, row) = (i % w, i - i % w);
            let columns = x.saturating_sub(letters)..(x + letters + 1).min(w);
            self.classes.cells()[row..row + w][columns].iter().all(|c| *c == OCEAN)
        };
        let wide = |&i: &usize| far.squared.cells()[i] >= SEA_TILES && open(i);
        let mut ranked: Vec<usize> = (0..w * h).filter(wide).collect();
        ranked.sort_by_key(|&i| (std::cmp::Reverse(far.squared.cells()[i]), i));
        let apart = SEAS_APART * w.min(h) as f64;
        let places: Vec<usize> = scatter::min_spacing(w, ranked, apart).into_iter().take(MOST_SEAS).collect();
        let mut tiles = vec![0u32; places.len()];
        for i in (0..w * h).filter(|&i| self.classes.cells()[i] == OCEAN) {
            let far =
                |&k: &usize| (places[k] % w).abs_diff(i % w).pow(2) + (places[k] / w).abs_diff(i / w).pow(2);
            if let Some(k) = (0..places.len()).min_by_key(far) {
                tiles[k] += 1;
            }
        }
        places.into_iter().zip(tiles).map(|(at, tiles)| (at as u32, tiles)).collect()
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
            "Rivers from source to mouth, tile by tile; order is Strahler's",
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
                    ("road", json!(self.roads.left_out[k].is_none())),
                    ("rail", json!(self.railroads.left_out[k].is_none())),
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
        let (area, _) = region::areas(&self.classes);
        let mut surface = vec![0f32; regions.len()];
        area.cells().iter().zip(self.surface.cells()).for_each(|(&r, &s)| surface[r as usize] = s);
        let feature = |(id, region): (usize, &region::Region)| {
            let ring = |r: &Vec<(f64, f64)>| r.iter().map(|&(x, y)| (x * m, y * m)).collect::<Vec<_>>();
            let mut rings = region.rings.iter().map(ring);
            let mut properties = vec![
                ("biome", json!(BIOMES[region.class as usize].name)),
                ("tiles", json!(region.tiles)),
                ("area_km2", json!(region.tiles as f64 * m * m / 1e6)),
            ];
            if region.class == LAKE {
                properties.push(("level_m", json!((surface[id] as f64 * 100.0).round() / 100.0)));
            }
            let mut feature = Feature::new(id as u32, rings.next().unwrap_or_default(), properties);
            feature.holes = rings.collect();
            feature
        };
        FeatureSet::new(
            "biomes",
            "Connected regions of one biome; level_m is the height of a lake's water",
            regions.iter().enumerate().map(feature).collect(),
        )
    }

    fn figures(&self, lines: &[FeatureSet], regions: &[region::Region]) -> Map<String, Value> {
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
            "lakes": regions.iter().filter(|r| r.class == LAKE).count(),
            "oxbow_lakes": self.oxbows,
            "rivers": {"count": self.rivers.list.len(), "length_km": length_km(&lines[0])},
            "settlements": {
                "tiers": tiers,
                "on_roads": self.roads.left_out.iter().filter(|why| why.is_none()).count(),
                "reachable": reachable,
                "on_railroads": self.railroads.left_out.iter().filter(|why| why.is_none()).count(),
            },
            "railroads_km": length_km(&lines[1]),
            "roads_km": length_km(&lines[2]),
            "crossings": kinds,
            "violations": self.violations.iter().map(validate::Violation::to_json).collect::<Vec<_>>(),
        });
        let Value::Object(out) = value else { unreachable!("an object was written") };
        out
    }
}

/// Writes the table of violations.
pub(super) fn write_violations(catalogue: &Catalogue, _: &[String], out: &mut Sink, _: &Ctx) -> Result<()> {
    out.write(b"rule,x,y,kinds,directions\n")?;
    for v in catalogue.figures.get("violations").and_then(Value::as_array).into_iter().flatten() {
        let text = |key: &str| v[key].as_str().unwrap_or_default().to_owned();
        let line =
            format!("{},{},{},{},{}\n", text("rule"), v["x"], v["y"], text("kinds"), text("directions"));
        out.write(line.as_bytes())?;
    }
    Ok(())
}
