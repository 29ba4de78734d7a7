//! Draws the map of a forest, and with `all` every layer: `cargo run --release --example forest_map -- WIDTH HEIGHT SEED FOLDER
//! [PARAMS.json|-] [all]`.
use std::error::Error;
use std::fs::{self, File};
use std::io::BufWriter;
use weald::core::{Ctx, Seed};
use weald::render::style::{
    Contours, Cover, CoverClass, Crown, LineStyle, Relief, Tint, Tree, Trees, Unit, Water,
};
use weald::render::{Entry, Image, MapStyle, PictureStyle, index_page, layer_picture, map, text};
use weald::world::forest::{self, Authored, ForestParams, classes};

/// How a forest is drawn.
fn style(w: usize, h: usize, seed: u64, margin_cells: usize) -> MapStyle {
    let tree = |crown, size, shape, weight| Tree { crown, size, shape, weight };
    let pine = tree([136, 162, 104], 0.95, Crown::Round, 1.0);
    let old_pine = tree([156, 170, 108], 1.05, Crown::Round, 0.5);
    let spruce = tree([84, 120, 94], 0.95, Crown::Pointed, 1.0);
    let birch = tree([146, 176, 92], 1.05, Crown::Round, 1.0);
    let class =
        |value: u8, ground, trees: &[Tree]| CoverClass { value: value.into(), ground, trees: trees.to_vec() };
    MapStyle {
        title: "Forest".into(),
        subtitle: format!("Seed {seed} \u{b7} {w} \u{d7} {h} tiles"),
        notes: vec![],
        relief: Some(Relief { layer: "height", z_factor: None, contours: Contours::Auto }),
        cover: Some(Cover {
            layer: "biome",
            heading: "Ground",
            classes: vec![
                class(classes::PINE_HEATH, [210, 211, 158], &[pine, old_pine]),
                class(classes::ESKER_PINE, [236, 220, 172], &[old_pine]),
                class(classes::MIXED_FOREST, [190, 208, 150], &[birch, spruce]),
                class(classes::SPRUCE_SWAMP, [158, 186, 152], &[spruce]),
                class(classes::OPEN_BOG, [214, 198, 146], &[birch]),
                class(classes::STREAM_BANK, [184, 208, 162], &[birch]),
                class(classes::LAKE_BIOME, [166, 204, 219], &[]),
            ],
        }),
        tints: vec![
            Tint { layer: "moisture", low: 0.1, high: 0.6, colour: [158, 192, 140], strength: 0.5 },
            Tint { layer: "height", low: 0.5, high: 0.8, colour: [250, 232, 188], strength: 0.7 },
            Tint { layer: "height", low: 0.5, high: 0.2, colour: [166, 198, 140], strength: 0.6 },
        ],
        trees: Some(Trees { density: "tree_density", seed: Seed(seed) }),
        water: Some(Water {
            layer: "water_class",
            lakes: vec![classes::LAKE.into()],
            streams: vec![classes::STREAM.into()],
            marshes: vec![classes::MARSH.into()],
            flow: "flow_dir",
            accumulation: "flow_accum",
        }),
        lines: vec![LineStyle {
            set: "trails",
            label: "Game trail",
            colour: [150, 86, 52],
            width: 1.4,
            dash: Some((4.6, 3.0)),
            casing: Some([250, 241, 220]),
        }],
        margin_cells,
        unit: Unit { name: "tiles", per_cell: 1.0 },
    }
}

fn save(folder: &str, name: &str, image: &Image) -> Result<(), Box<dyn Error>> {
    Ok(image.write_png(&mut BufWriter::new(File::create(format!("{folder}/{name}.png"))?))?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arg: Vec<String> = std::env::args().collect();
    let (w, h, seed): (usize, usize, u64) = (arg[1].parse()?, arg[2].parse()?, arg[3].parse()?);
    let folder = &arg[4];
    let params: ForestParams = match arg.get(5).filter(|p| *p != "-") {
        Some(file) => serde_json::from_str(&fs::read_to_string(file)?)?,
        None => ForestParams::default(),
    };
    fs::create_dir_all(folder)?;
    let ctx = Ctx::default();
    let forest = forest::generate((w, h), Authored::default(), Seed(seed), &params, &ctx)?;
    let catalogue = forest.catalogue();
    save(folder, "map", &map(&catalogue, &style(w, h, seed, params.grid.playable_inset as usize))?)?;
    if arg.get(6).is_none_or(|a| a != "all") {
        return Ok(());
    }
    let caption = "Relief, cover, water and trails.".to_string();
    let mut entries = vec![Entry { file: "map.png".into(), title: "Map".into(), caption }];
    for layer in &catalogue.layers {
        save(folder, layer.name, &layer_picture(layer, &PictureStyle::default())?)?;
        let (file, title) = (format!("{}.png", layer.name), text::words(layer.name));
        entries.push(Entry { file, title, caption: format!("{}.", layer.about) });
    }
    Ok(fs::write(format!("{folder}/index.html"), index_page("Forest", &entries))?)
}
