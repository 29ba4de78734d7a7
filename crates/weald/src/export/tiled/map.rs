//! The map: global ids of tiles for every layer, and objects for points, as Tiled's JSON.

use super::paint::SIDE;
use super::sheet::{COLUMNS, ClassGids, CoverGids, FIRST_GID, Sheet, StandsGids};
use super::{TILESET, cover, ground, houses, links};
use crate::catalogue::{Catalogue, Feature, FeatureSet};
use crate::error::{Error, Result};
use crate::npy::hex;
use crate::sink::Sink;
use crate::style::tiles::{LabelSet, TileMap};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use weald_core::{Ctx, Dir8, Grid, Seed};

/// The version of the format, and of the program that introduced it.
const VERSION: (&str, &str) = ("1.10", "1.10.2");

/// No tile.
pub(super) const EMPTY: u32 = 0;

/// The layers that a map is made from.
pub(super) struct Tiles<'a> {
    map: &'a TileMap,
    catalogue: &'a Catalogue,
    ground: &'a Grid<u8>,
    transitions: Option<&'a Grid<u8>>,
    links: Vec<&'a Grid<u8>>,
    crossing: Option<&'a Grid<u8>>,
    /// For each kind of crossing, the layer along which it is drawn.
    along: Vec<&'a Grid<u8>>,
    settlement: Option<&'a Grid<u16>>,
    /// Ranks of the settlements by their number, from 0.
    ranks: BTreeMap<u16, usize>,
    /// Tiles at the centres of settlements.
    centres: BTreeMap<(usize, usize), usize>,
    labels: Vec<(&'static LabelSet, &'a FeatureSet)>,
    /// Chooses variants by place.
    variants: Seed,
}

/// A layer of tiles: its name, and the global id of each tile.
type TileLayer<'t> = (&'static str, Box<dyn Fn(&Sheet, usize, usize) -> u32 + 't>);

impl<'a> Tiles<'a> {
    /// Finds the layers and points of a map. What is missing is an error.
    pub(super) fn new(map: &'a TileMap, catalogue: &'a Catalogue) -> Result<Self> {
        let points = |name: &str| {
            let message =
                || format!("the points {name} are missing; make the world again without leaving them out");
            catalogue.point_set(name).ok_or_else(|| Error::Invalid(message()))
        };
        let mut out = Self {
            map,
            catalogue,
            ground: catalogue.bytes(map.ground.layer)?,
            transitions: map.transitions.map(|t| catalogue.bytes(t.layer)).transpose()?,
            links: map.links.iter().map(|l| catalogue.bytes(l.layer)).collect::<Result<_>>()?,
            crossing: map.crossings.map(|c| catalogue.bytes(c.layer)).transpose()?,
            along: map
                .crossings
                .iter()
                .flat_map(|c| c.kinds)
                .map(|k| catalogue.bytes(k.along))
                .collect::<Result<_>>()?,
            settlement: map.footprints.map(|f| catalogue.words(f.layer)).transpose()?,
            ranks: BTreeMap::new(),
            centres: BTreeMap::new(),
            labels: Vec::new(),
            variants: Seed(catalogue.seed).of("tiled"),
        };
        for label in map.labels {
            out.labels.push((label, points(label.points)?));
        }
        if let Some(footprints) = &map.footprints {
            for feature in &points(footprints.points)?.features {
                let rank =
                    feature.property(footprints.rank).and_then(Value::as_u64).unwrap_or(1).max(1) as usize;
                let rank = rank.min(footprints.ranks.len()) - 1;
                out.ranks.insert(feature.id as u16, rank);
                let (px, py) = out.pixels(feature);
                out.centres.insert(((px / SIDE as f64) as usize, (py / SIDE as f64) as usize), rank);
            }
        }
        Ok(out)
    }

    /// Fails if a value of the ground has no tile.
    pub(super) fn validate(&self, sheet: &Sheet) -> Result<()> {
        let missing = |v: &&u8| sheet.classes[**v as usize].is_none();
        match self.ground.cells().iter().find(missing) {
            None => Ok(()),
            Some(value) => {
                let layer = self.map.ground.layer;
                Err(Error::Internal(format!("the layer {layer} has the value {value}, which has no tile")))
            }
        }
    }

    /// The place of a point in pixels.
    fn pixels(&self, feature: &Feature) -> (f64, f64) {
        let frame = &self.catalogue.frame;
        let (x, y) = feature.points.first().copied().unwrap_or_default();
        let scale = SIDE as f64 / frame.cell_m;
        ((x - frame.origin.0) * scale, (y - frame.origin.1) * scale)
    }

    /// A number below `n` for a place.
    fn variant(&self, x: usize, y: usize, n: usize) -> u32 {
        (self.variants.at(x as i64, y as i64) >> 20) as u32 % n as u32
    }

    fn class(&self, sheet: &Sheet, x: usize, y: usize) -> ClassGids {
        sheet.classes[self.ground[(x, y)] as usize].unwrap_or_default()
    }

    /// The classes of the neighbours; outside the map it goes on as the tile itself.
    fn around(&self, sheet: &Sheet, (x, y): (usize, usize)) -> [ClassGids; 8] {
        [0, 1, 2, 3, 4, 5, 6, 7].map(|d| {
            let near = step((x, y), Dir8(d), self.ground.shape());
            let (nx, ny) = near.unwrap_or((x, y));
            self.class(sheet, nx, ny)
        })
    }

    fn terrain(&self, sheet: &Sheet, x: usize, y: usize) -> u32 {
        self.class(sheet, x, y).ground + self.variant(x, y, ground::GROUNDS)
    }

    /// Land of the neighbours that laps over this tile: the class that is last in the order.
    fn edge(&self, sheet: &Sheet, x: usize, y: usize) -> u32 {
        let (own, around) = (self.class(sheet, x, y), self.around(sheet, (x, y)));
        let above = around.iter().filter(|c| !own.water && !c.water && c.order > own.order);
        let Some(top) = above.max_by_key(|c| c.order) else { return EMPTY };
        sheet.fringe(mask(&around, |c| c.order == top.order)).map_or(EMPTY, |k| top.fringes + k)
    }

    /// Water that laps over land, and shallows along land.
    fn shore(&self, sheet: &Sheet, x: usize, y: usize) -> u32 {
        let (own, around) = (self.class(sheet, x, y), self.around(sheet, (x, y)));
        match own.shallows {
            Some(first) => sheet.fringe(mask(&around, |c| !c.water)).map_or(EMPTY, |k| first + k),
            None => {
                let Some(water) = around.iter().filter(|c| c.water).min_by_key(|c| c.order) else {
                    return EMPTY;
                };
                sheet.fringe(mask(&around, |c| c.order == water.order)).map_or(EMPTY, |k| water.fringes + k)
            }
        }
    }

    fn transition(&self, sheet: &Sheet, x: usize, y: usize) -> Option<(u32, StandsGids)> {
        sheet.transitions[self.transitions?[(x, y)] as usize]
    }

    fn speckles(&self, sheet: &Sheet, x: usize, y: usize) -> u32 {
        let Some((first, _)) = self.transition(sheet, x, y) else { return EMPTY };
        let Some(layer) = self.transitions else { return EMPTY };
        let ends = |d: Dir8| {
            let at = step((x, y), d, layer.shape());
            at.is_some_and(|at| !self.class(sheet, at.0, at.1).water && layer[at] != layer[(x, y)])
        };
        let sides: u32 = (0..4).map(|k| (ends(Dir8(2 * k)) as u32) << k).sum();
        match sides {
            0 => first + self.variant(x, y, ground::SPECKLES),
            sides => first + ground::SPECKLES as u32 + sides - 1,
        }
    }

    /// What stands on a tile: nothing where a line passes or houses stand, and little on transitions.
    fn cover(&self, sheet: &Sheet, x: usize, y: usize) -> u32 {
        let built = self.settlement.is_some_and(|s| s[(x, y)] != 0);
        if built || self.all_links((x, y)) != 0 {
            return EMPTY;
        }
        let own = self.class(sheet, x, y).cover;
        let (stands, thin) = match self.transition(sheet, x, y) {
            None => (own, false),
            Some((_, StandsGids::Nothing)) => (None, false),
            Some((_, StandsGids::Ground)) => (own, true),
            Some((_, StandsGids::Own(gids))) => (Some(gids), true),
        };
        let pick = |gids: CoverGids| match thin {
            true => gids.thin + self.variant(x, y, cover::THIN),
            false => gids.dense + self.variant(x, y, cover::DENSE),
        };
        stands.map_or(EMPTY, pick)
    }

    /// The links of all kinds at a place.
    fn all_links(&self, at: (usize, usize)) -> u8 {
        self.links.iter().fold(0, |mask, layer| mask | layer[at])
    }

    /// The corners of a tile that diagonal links between other tiles pass, as bits from south-east clockwise.
    fn corners(&self, layer: usize, (x, y): (usize, usize)) -> u8 {
        let links = self.links[layer];
        // At the corner between the directions d and d + 2, the neighbour at d has a link to the one at d + 2.
        let passed = |k: u8| {
            let d = Dir8(2 * k);
            step((x, y), d, links.shape()).is_some_and(|near| links[near] >> ((2 * k + 3) % 8) & 1 == 1)
        };
        (0..4).map(|k| (passed(k) as u8) << k).sum()
    }

    /// The tile of a layer of links.
    fn link(&self, sheet: &Sheet, layer: usize, (x, y): (usize, usize)) -> u32 {
        let gids = &sheet.links[layer];
        match (self.links[layer][(x, y)], gids.mouths) {
            (0, _) => match self.corners(layer, (x, y)) {
                0 => EMPTY,
                corners => gids.corners + corners as u32 - 1,
            },
            (links, Some(mouths)) if self.class(sheet, x, y).water => mouths + links as u32 - 1,
            (links, _) => gids.links + links as u32 - 1,
        }
    }

    fn crossing(&self, sheet: &Sheet, x: usize, y: usize) -> u32 {
        let Some((layer, tiles)) = self.crossing.zip(self.map.crossings) else { return EMPTY };
        let Some(k) = tiles.kinds.iter().position(|kind| kind.value == layer[(x, y)]) else { return EMPTY };
        let along = self.along[k][(x, y)];
        let decks = links::two_links().count();
        sheet.crossings[k] + links::two_links().position(|mask| mask == along).unwrap_or(decks) as u32
    }

    fn houses(&self, sheet: &Sheet, x: usize, y: usize) -> u32 {
        let Some(number) = self.settlement.map(|s| s[(x, y)]).filter(|n| *n != 0) else { return EMPTY };
        if let Some(&rank) = self.centres.get(&(x, y)) {
            return sheet.ranks[rank].centre;
        }
        let Some(&rank) = self.ranks.get(&number) else { return EMPTY };
        let pattern = houses::pattern(self.all_links((x, y)));
        let variant = self.variant(x, y, houses::VARIANTS);
        sheet.ranks[rank].houses + (pattern * houses::VARIANTS) as u32 + variant
    }

    /// The layers of tiles, from bottom to top.
    pub(super) fn layers(&self) -> Vec<TileLayer<'_>> {
        let mut out: Vec<TileLayer> = vec![
            ("terrain", Box::new(|s, x, y| self.terrain(s, x, y))),
            ("edges", Box::new(|s, x, y| self.edge(s, x, y))),
        ];
        if self.transitions.is_some() {
            out.push(("transitions", Box::new(|s, x, y| self.speckles(s, x, y))));
        }
        out.push(("shores", Box::new(|s, x, y| self.shore(s, x, y))));
        out.push(("cover", Box::new(|s, x, y| self.cover(s, x, y))));
        for (k, links) in self.map.links.iter().enumerate() {
            out.push((links.name, Box::new(move |s, x, y| self.link(s, k, (x, y)))));
        }
        if self.crossing.is_some() {
            out.push(("crossings", Box::new(|s, x, y| self.crossing(s, x, y))));
        }
        if self.settlement.is_some() {
            out.push(("settlements", Box::new(|s, x, y| self.houses(s, x, y))));
        }
        out
    }

    /// Writes the map.
    pub(super) fn write(&self, out: &mut Sink, sheet: &Sheet, ctx: &Ctx) -> Result<()> {
        let layers = self.layers();
        let objects: usize = self.labels.iter().map(|(_, set)| set.features.len()).sum();
        let count = layers.len() + self.labels.len();
        out.write(format!("{},\n\"layers\":[", open(&self.head(sheet, count, objects))).as_bytes())?;
        for (k, (name, gid)) in layers.iter().enumerate() {
            ctx.checkpoint()?;
            let separator = if k > 0 { "," } else { "" };
            out.with(|w| {
                write!(w, "{separator}\n{},\"data\":[", open(&self.tile_layer(name, k + 1)))?;
                self.write_gids(w, |x, y| gid(sheet, x, y))?;
                w.write_all(b"]}")
            })?;
        }
        let mut next = 1;
        for (k, (label, set)) in self.labels.iter().enumerate() {
            let layer = self.object_layer(label, set, layers.len() + k + 1, next);
            next += set.features.len();
            out.write(format!(",\n{layer}").as_bytes())?;
        }
        out.write(b"\n]}\n")
    }

    /// Writes the global ids of a layer, a row on each line.
    fn write_gids(&self, out: &mut dyn Write, gid: impl Fn(usize, usize) -> u32) -> std::io::Result<()> {
        let (width, height) = self.ground.shape();
        let mut number = itoa::Buffer::new();
        for y in 0..height {
            out.write_all(if y > 0 { b",\n" } else { b"\n" })?;
            for x in 0..width {
                if x > 0 {
                    out.write_all(b",")?;
                }
                out.write_all(number.format(gid(x, y)).as_bytes())?;
            }
        }
        Ok(())
    }

    /// The map without its layers.
    fn head(&self, sheet: &Sheet, layers: usize, objects: usize) -> Value {
        let ((width, height), catalogue) = (self.ground.shape(), self.catalogue);
        let (image_width, image_height) = sheet.size();
        let tiles: Vec<Value> =
            sheet.names().enumerate().map(|(id, name)| json!({"id": id, "type": name})).collect();
        json!({
            "type": "map", "version": VERSION.0, "tiledversion": VERSION.1,
            "orientation": "orthogonal", "renderorder": "right-down", "infinite": false, "compressionlevel": -1,
            "width": width, "height": height, "tilewidth": SIDE, "tileheight": SIDE,
            "nextlayerid": layers + 1, "nextobjectid": objects + 1,
            "properties": [
                {"name": "cell_m", "type": "float", "value": catalogue.frame.cell_m},
                {"name": "seed", "type": "string", "value": catalogue.seed.to_string()},
                {"name": "world", "type": "string", "value": catalogue.world},
            ],
            "tilesets": [{
                "firstgid": FIRST_GID, "name": catalogue.world, "image": TILESET,
                "imagewidth": image_width, "imageheight": image_height,
                "tilewidth": SIDE, "tileheight": SIDE, "tilecount": sheet.len(), "columns": COLUMNS,
                "margin": 0, "spacing": 0, "tiles": tiles,
            }],
        })
    }

    /// A layer of tiles without its tiles.
    fn tile_layer(&self, name: &str, id: usize) -> Value {
        let (width, height) = self.ground.shape();
        json!({
            "type": "tilelayer", "id": id, "name": name, "x": 0, "y": 0, "width": width, "height": height,
            "opacity": 1, "visible": true,
        })
    }

    /// Points with names, kinds and properties; their ids count from `first`.
    fn object_layer(&self, label: &LabelSet, set: &FeatureSet, id: usize, first: usize) -> Value {
        let text = |feature: &Feature, name: &str| {
            feature.property(name).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let object = |(k, feature): (usize, &Feature)| {
            let (x, y) = self.pixels(feature);
            let properties: Vec<Value> =
                label.properties.iter().filter_map(|&name| property(name, feature.property(name)?)).collect();
            json!({
                "id": first + k, "name": text(feature, "name"), "type": text(feature, label.kind), "point": true,
                "x": x, "y": y, "width": 0, "height": 0, "rotation": 0, "visible": true, "properties": properties,
            })
        };
        let objects: Vec<Value> = set.features.iter().enumerate().map(object).collect();
        json!({
            "type": "objectgroup", "id": id, "name": label.name, "draworder": "topdown",
            "color": format!("#{}", hex(&label.colour)), "x": 0, "y": 0, "opacity": 1, "visible": true,
            "objects": objects,
        })
    }
}

/// The neighbour in a direction, if it is on the map.
fn step((x, y): (usize, usize), d: Dir8, (w, h): (usize, usize)) -> Option<(usize, usize)> {
    let near = |v: usize, by: i32, n: usize| v.checked_add_signed(by as isize).filter(|&v| v < n);
    Some((near(x, d.dx(), w)?, near(y, d.dy(), h)?))
}

/// The set of neighbours for which `is` holds, as bits.
fn mask(around: &[ClassGids; 8], is: impl Fn(&ClassGids) -> bool) -> u8 {
    around.iter().enumerate().map(|(d, class)| (is(class) as u8) << d).sum()
}

/// A property with the type that Tiled has for it; lists and nothing have none.
fn property(name: &str, value: &Value) -> Option<Value> {
    let kind = match value {
        Value::Bool(_) => "bool",
        Value::Number(n) if n.is_f64() => "float",
        Value::Number(_) => "int",
        Value::String(_) => "string",
        _ => return None,
    };
    Some(json!({"name": name, "type": kind, "value": value}))
}

/// An object as JSON without its last brace, so that more can be added.
fn open(object: &Value) -> String {
    let text = object.to_string();
    text[..text.len() - 1].to_owned()
}
