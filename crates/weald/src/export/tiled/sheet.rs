//! The tileset: every tile of a map's declaration, in a fixed order, whether or not the map uses it. So all maps of a world have the same
//! tileset.

use super::links::{self, Look};
use super::paint::{SIDE, Tile};
use super::{cover, ground, houses};
use crate::catalogue::{Catalogue, Kind, Rgb};
use crate::error::{Error, Result};
use crate::style::tiles::{Ground, GroundClass, Line, LinkTiles, Stands, TileMap};
use std::io::{self, Write};

/// Tiles in a row of the picture.
pub(super) const COLUMNS: usize = 32;

/// The global id of the first tile.
pub(super) const FIRST_GID: u32 = 1;

/// Global ids of the tiles of a class, each the first of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClassGids {
    /// Place in the order in which ground laps over ground, from 1; water is above all land.
    pub(super) order: usize,
    pub(super) water: bool,
    /// [`ground::GROUNDS`] variants.
    pub(super) ground: u32,
    /// One for each of [`ground::fringe_masks`]: fringes on other land, or shores on land.
    pub(super) fringes: u32,
    /// The same, for the shallows of water.
    pub(super) shallows: Option<u32>,
    pub(super) cover: Option<CoverGids>,
}

/// Tiles of a cover: [`cover::DENSE`] variants, and [`cover::THIN`].
#[derive(Clone, Copy, Debug)]
pub(super) struct CoverGids {
    pub(super) dense: u32,
    pub(super) thin: u32,
}

/// What stands on a transition.
#[derive(Clone, Copy, Debug)]
pub(super) enum StandsGids {
    Nothing,
    Ground,
    Own(CoverGids),
}

/// Tiles of a layer of links.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkGids {
    /// One for each set of directions from 1 to 255.
    pub(super) links: u32,
    /// One for each set of corners from 1 to 15.
    pub(super) corners: u32,
    /// As `links`, on water.
    pub(super) mouths: Option<u32>,
}

/// Tiles of a rank of settlements.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankGids {
    pub(super) centre: u32,
    /// [`houses::VARIANTS`] for each pattern.
    pub(super) houses: u32,
}

/// The tileset, and where its tiles are.
pub(super) struct Sheet {
    tiles: Vec<(String, Tile)>,
    /// By value.
    pub(super) classes: Vec<Option<ClassGids>>,
    /// By value: [`ground::SPECKLES`] variants and 15 with edges, and what stands there.
    pub(super) transitions: Vec<Option<(u32, StandsGids)>>,
    /// In the order of the declaration.
    pub(super) links: Vec<LinkGids>,
    /// In the order of the declaration: one for each of [`links::two_links`], and one for other sets of directions.
    pub(super) crossings: Vec<u32>,
    pub(super) ranks: Vec<RankGids>,
    /// The place of each mask among [`ground::fringe_masks`].
    fringe_index: [u32; 256],
}

/// The name and the colour of a class in the table of its layer.
fn class_of(catalogue: &Catalogue, layer: &str, value: u8) -> Result<(&'static str, Rgb)> {
    let Some(Kind::Classes(table)) = catalogue.layer(layer).map(|l| l.kind) else {
        return Err(Error::Internal(format!(
            "the layer {layer} has no classes, and tiles need their colours"
        )));
    };
    let class = table.iter().find(|c| c.value == value as u32);
    class
        .map(|c| (c.name, c.colour))
        .ok_or_else(|| Error::Internal(format!("the layer {layer} has no class {value}")))
}

/// The classes of a layer other than 0: value, name and colour.
fn classes_of(catalogue: &Catalogue, layer: &str) -> Vec<(u8, &'static str, Rgb)> {
    match catalogue.layer(layer).map(|l| l.kind) {
        Some(Kind::Classes(table)) => {
            table.iter().filter(|c| c.value > 0).map(|c| (c.value as u8, c.name, c.colour)).collect()
        }
        _ => Vec::new(),
    }
}

impl Sheet {
    /// Draws the tiles that a map needs.
    pub(super) fn new(map: &TileMap, catalogue: &Catalogue) -> Result<Self> {
        let mut fringe_index = [0; 256];
        ground::fringe_masks().enumerate().for_each(|(k, mask)| fringe_index[mask as usize] = k as u32);
        let mut out = Self {
            tiles: Vec::new(),
            classes: vec![None; 256],
            transitions: vec![None; 256],
            links: Vec::new(),
            crossings: Vec::new(),
            ranks: Vec::new(),
            fringe_index,
        };
        for (order, class) in map.ground.classes.iter().enumerate() {
            let named = class_of(catalogue, map.ground.layer, class.value)?;
            out.classes[class.value as usize] = Some(out.class(class, named, order + 1));
        }
        if let Some(transitions) = &map.transitions {
            for (value, name, colour) in classes_of(catalogue, transitions.layer) {
                let look = transitions.looks.iter().find(|l| l.value == value);
                let (share, stands) = look.map_or((0.5, Stands::Ground), |l| (l.share, l.stands));
                let first = out.run(ground::SPECKLES + 15, |k| {
                    let (variant, sides) =
                        if k < ground::SPECKLES { (k, 0) } else { (0, k - ground::SPECKLES + 1) };
                    (name.into(), ground::speckles((colour, share), name, variant, sides as u8))
                });
                let stands = match stands {
                    Stands::Nothing => StandsGids::Nothing,
                    Stands::Ground => StandsGids::Ground,
                    Stands::Own(cover) => StandsGids::Own(out.cover(cover, colour, name)),
                };
                out.transitions[value as usize] = Some((first, stands));
            }
        }
        for links in map.links {
            let gids = out.link(links);
            out.links.push(gids);
        }
        for (layer, kind) in map.crossings.iter().flat_map(|c| c.kinds.iter().map(|k| (c.layer, k))) {
            let (name, _) = class_of(catalogue, layer, kind.value)?;
            let masks: Vec<u8> = links::two_links().collect();
            let first = out.run(masks.len() + 1, |k| {
                (name.to_owned(), links::crossing(kind.deck, masks.get(k).copied()))
            });
            out.crossings.push(first);
        }
        for rank in map.footprints.iter().flat_map(|f| f.ranks) {
            let centre = out.run(1, |_| (format!("{} centre", rank.name), houses::centre(rank)));
            let houses = out.run(houses::PATTERNS * houses::VARIANTS, |k| {
                let (pattern, variant) = (k / houses::VARIANTS, k % houses::VARIANTS);
                (rank.name.into(), houses::tile(rank, pattern, variant))
            });
            out.ranks.push(RankGids { centre, houses });
        }
        // Tiled counts the tiles of the picture, so that its last row must be full.
        out.run(out.len().next_multiple_of(COLUMNS) - out.len(), |_| ("unused".into(), Tile::new()));
        Ok(out)
    }

    /// Adds tiles and returns the global id of the first.
    fn run(&mut self, count: usize, tile: impl Fn(usize) -> (String, Tile)) -> u32 {
        let first = FIRST_GID + self.tiles.len() as u32;
        self.tiles.extend((0..count).map(tile));
        first
    }

    fn class(&mut self, class: &GroundClass, (name, colour): (&'static str, Rgb), order: usize) -> ClassGids {
        let masks: Vec<u8> = ground::fringe_masks().collect();
        let water = class.ground == Ground::Water;
        let kind = |text: &str| format!("{name} {text}");
        ClassGids {
            order,
            water,
            ground: self
                .run(ground::GROUNDS, |k| (name.to_owned(), ground::tile(class.ground, colour, name, k))),
            fringes: self.run(masks.len(), |k| match water {
                true => (kind("shore"), ground::shore(colour, name, masks[k])),
                false => (kind("fringe"), ground::fringe((class.ground, colour), name, masks[k])),
            }),
            shallows: water
                .then(|| self.run(masks.len(), |k| (kind("shallows"), ground::shallows(colour, masks[k])))),
            cover: class.cover.map(|cover| self.cover(cover, colour, name)),
        }
    }

    fn cover(&mut self, cover: crate::style::tiles::Cover, colour: Rgb, name: &str) -> CoverGids {
        let kind = format!("{cover:?}").to_lowercase();
        CoverGids {
            dense: self.run(cover::DENSE, |k| (kind.clone(), cover::dense(cover, colour, name, k))),
            thin: self.run(cover::THIN, |k| (format!("{kind} thin"), cover::thin(cover, colour, name, k))),
        }
    }

    fn link(&mut self, links: &LinkTiles) -> LinkGids {
        let look = Look { line: links.line, colour: links.colour, casing: links.casing };
        let name = links.name;
        LinkGids {
            links: self.run(255, |k| (format!("{name} {}", k + 1), links::tile(look, k as u8 + 1))),
            corners: self.run(15, |k| (format!("{name} corner"), links::corner_tile(look, k as u8 + 1))),
            mouths: (links.line == Line::River).then(|| {
                self.run(255, |k| (format!("{name} mouth {}", k + 1), links::mouth_tile(look, k as u8 + 1)))
            }),
        }
    }

    /// The place of the fringe for a set of neighbours, if there is any.
    pub(super) fn fringe(&self, neighbours: u8) -> Option<u32> {
        (neighbours != 0).then(|| self.fringe_index[ground::fringe_mask(neighbours) as usize])
    }

    /// How many tiles there are.
    pub(super) fn len(&self) -> usize {
        self.tiles.len()
    }

    /// The names of the tiles.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.tiles.iter().map(|(name, _)| name.as_str())
    }

    /// A tile by its global id.
    pub(super) fn tile(&self, gid: u32) -> &Tile {
        &self.tiles[(gid - FIRST_GID) as usize].1
    }

    /// Width and height of the picture in pixels.
    pub(super) fn size(&self) -> (usize, usize) {
        (COLUMNS * SIDE, self.len().div_ceil(COLUMNS) * SIDE)
    }

    /// Writes the picture.
    pub(super) fn write_png(&self, out: &mut dyn Write) -> io::Result<()> {
        let (width, height) = self.size();
        let mut pixels = vec![0u8; width * height * 4];
        for (k, (_, tile)) in self.tiles.iter().enumerate() {
            let (left, top) = (k % COLUMNS * SIDE, k / COLUMNS * SIDE);
            for y in 0..SIDE {
                let at = ((top + y) * width + left) * 4;
                pixels[at..at + SIDE * 4].copy_from_slice(tile.row(y).as_flattened());
            }
        }
        let mut encoder = ::png::Encoder::new(out, width as u32, height as u32);
        encoder.set_color(::png::ColorType::Rgba);
        encoder.set_depth(::png::BitDepth::Eight);
        encoder.set_compression(::png::Compression::High);
        let mut header = encoder.write_header().map_err(io::Error::other)?;
        header.write_image_data(&pixels).map_err(io::Error::other)
    }
}
