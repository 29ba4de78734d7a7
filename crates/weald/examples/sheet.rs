//! Draws a made-up land: `cargo run --release --example sheet -- WIDTH HEIGHT SEED FOLDER`.
use std::error::Error;
use std::fs::{self, File};
use std::io::BufWriter;
use weald::core::hydro::{FlowRule, area, flow};
use weald::core::noise::{Fbm, Octave, Perlin};
use weald::core::{Ctx, Frame, Grid, Seed, math, slope};
use weald::layer::{Catalogue, Class, Data, Feature, FeatureSet, Kind, Layer};
use weald::render::style::{
    Contours, Cover, CoverClass, Crown, LineStyle, Relief, Tint, Tree, Trees, Unit, Water,
};
use weald::render::{Entry, MapStyle, PictureStyle, index_page, layer_picture, map};

const BIOMES: &[Class] = &[
    Class { value: 0, name: "open_bog", colour: [201, 182, 130] },
    Class { value: 1, name: "spruce_swamp", colour: [86, 120, 92] },
    Class { value: 2, name: "mixed_forest", colour: [142, 176, 104] },
    Class { value: 3, name: "pine_heath", colour: [196, 196, 140] },
    Class { value: 4, name: "esker_pine", colour: [226, 204, 148] },
    Class { value: 5, name: "lake", colour: [112, 165, 195] },
    Class { value: 6, name: "stream_bank", colour: [132, 182, 160] },
];

const WATERS: &[Class] = &[
    Class { value: 0, name: "none", colour: [238, 233, 221] },
    Class { value: 1, name: "lake", colour: [90, 146, 186] },
    Class { value: 2, name: "stream", colour: [52, 106, 158] },
    Class { value: 3, name: "marsh", colour: [140, 186, 178] },
];

fn noise(seed: u64, octaves: i32, frequency: f64, persistence: f64) -> Fbm {
    let mut all = vec![];
    let (mut f, mut a) = (frequency, 1.0);
    for k in 0..octaves {
        all.push(Octave { noise: Perlin::new(Seed(seed).at(k as i64, 7)), frequency: f, amplitude: a });
        (f, a) = (f * 2.0, a * persistence);
    }
    Fbm::new(all)
}

fn style(title: &str, w: usize, h: usize, seed: u64) -> MapStyle {
    let tree = |crown, size, shape, weight| Tree { crown, size, shape, weight };
    let pine = tree([112, 138, 86], 0.95, Crown::Round, 1.0);
    let old_pine = tree([134, 148, 84], 1.08, Crown::Round, 0.5);
    let spruce = tree([66, 104, 82], 0.95, Crown::Pointed, 1.0);
    let birch = tree([146, 176, 92], 1.05, Crown::Round, 1.0);
    let class = |value, ground, trees: &[Tree]| CoverClass { value, ground, trees: trees.to_vec() };
    MapStyle {
        title: title.into(),
        subtitle: format!("Seed {seed} \u{b7} {w} \u{d7} {h} tiles"),
        notes: vec!["Trees stand as densely as the layer tree_density says.".into()],
        relief: Some(Relief { layer: "height", z_factor: None, contours: Contours::Auto }),
        cover: Some(Cover {
            layer: "biome",
            heading: "Ground",
            classes: vec![
                class(3, [226, 224, 184], &[pine, old_pine]),
                class(4, [240, 226, 182], &[old_pine]),
                class(2, [201, 217, 164], &[birch, spruce]),
                class(1, [166, 193, 160], &[spruce]),
                class(0, [216, 202, 152], &[birch]),
                class(6, [188, 212, 170], &[birch]),
                class(5, [166, 204, 219], &[]),
            ],
        }),
        tints: vec![
            Tint { layer: "moisture", low: 0.1, high: 0.6, colour: [168, 200, 148], strength: 0.5 },
            Tint { layer: "height", low: 0.5, high: 0.8, colour: [247, 234, 200], strength: 0.5 },
        ],
        trees: Some(Trees { density: "tree_density", seed: Seed(seed) }),
        water: Some(Water {
            layer: "water_class",
            lakes: vec![1],
            streams: vec![2],
            marshes: vec![3],
            flow: "flow_dir",
            accumulation: "flow_accum",
        }),
        lines: vec![LineStyle {
            set: "trails",
            label: "Game trail",
            colour: [158, 84, 48],
            width: 1.7,
            dash: Some((5.0, 3.6)),
            casing: Some([250, 241, 220]),
        }],
        margin_cells: 1,
        unit: Unit { name: "tiles", per_cell: 1.0 },
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arg: Vec<String> = std::env::args().collect();
    let (w, h, seed): (usize, usize, u64) = (arg[1].parse()?, arg[2].parse()?, arg[3].parse()?);
    let (folder, ctx) = (&arg[4], Ctx::default());
    fs::create_dir_all(folder)?;
    let height = noise(seed, 5, 0.035, 0.5).grid(w, h, &ctx)?;
    let veg = noise(seed + 99, 4, 0.045, 0.5).grid(w, h, &ctx)?;
    let (slope, aspect) = slope::central(&height, 1.0, &ctx)?;
    let rule = FlowRule { min_drop: 0.0005, tie_eps: 1e-6 };
    let dirs = flow(&height, Seed(seed), &rule, &ctx)?;
    let accum = area(&dirs, &ctx)?;
    let most = math::ln(accum.cells().iter().copied().max().unwrap_or(1) as f64).max(1e-9);
    let n = w * h;
    let share: Vec<f64> = accum.cells().iter().map(|&a| math::ln(a as f64) / most).collect();
    let pit = |i: usize| dirs.cells()[i].0 == 255;
    let lake: Vec<bool> = (0..n).map(|i| pit(i) && slope.cells()[i] < 0.03 && share[i] >= 0.65).collect();
    let stream: Vec<bool> = (0..n).map(|i| !lake[i] && share[i] >= 0.55 && slope.cells()[i] >= 0.01).collect();
    let near = weald::core::distance::chebyshev(w, h, 6, &ctx, |i| lake[i] || stream[i])?;
    let moist = |i: usize| {
        let (a, f) = ((share[i] - 0.35) / 0.65, (0.06 - slope.cells()[i] as f64) / 0.06);
        let p = 1.0 - near.cells()[i] as f64 / 6.0;
        (0.55 * math::clamp01(a) + 0.25 * math::clamp01(f) + 0.2 * math::clamp01(p)) as f32
    };
    let moisture = Grid::from_vec(w, h, (0..n).map(moist).collect());
    let water: Vec<u8> = (0..n)
        .map(|i| match (lake[i], stream[i], moisture.cells()[i] >= 0.78 && slope.cells()[i] < 0.04) {
            (true, ..) => 1,
            (_, true, _) => 2,
            (_, _, true) => 3,
            _ => 0,
        })
        .collect();
    let biome: Vec<u8> = (0..n)
        .map(|i| {
            let m = moisture.cells()[i] + (veg.cells()[i] - 0.5) * 0.12;
            match (water[i], m) {
                (1, _) => 5,
                (2, _) => 6,
                (_, m) if m >= 0.85 && slope.cells()[i] < 0.03 => 0,
                (_, m) if m >= 0.65 => 1,
                (_, m) if m >= 0.4 => 2,
                _ if height.cells()[i] >= 0.7 && slope.cells()[i] < 0.05 => 4,
                _ => 3,
            }
        })
        .collect();
    let base = [0.1, 0.8, 0.55, 0.35, 0.3, 0.0, 0.6];
    let density: Vec<f32> = (0..n).map(|i| base[biome[i] as usize] + (veg.cells()[i] - 0.5) * 0.1).collect();
    let trails: Vec<Feature> = (0..n / 900)
        .map(|k| {
            let hash = Seed(seed).of("trails").at(k as i64, 0);
            let (mut x, mut y) = ((hash % w as u64) as usize, ((hash >> 20) % h as u64) as usize);
            let mut points = vec![];
            for _ in 0..60 {
                points.push((x as f64 + 0.5, y as f64 + 0.5));
                let d = dirs[(x, y)];
                if !d.is_some() {
                    break;
                }
                (x, y) = ((x as i32 + d.dx()) as usize, (y as i32 + d.dy()) as usize);
            }
            Feature { id: k as u32, points, properties: vec![] }
        })
        .collect();
    let grids = (
        Grid::from_vec(w, h, dirs.cells().iter().map(|d| d.0).collect::<Vec<u8>>()),
        Grid::from_vec(w, h, water),
        Grid::from_vec(w, h, biome),
        Grid::from_vec(w, h, density),
    );
    let measure = |name, about, data| Layer { name, unit: "", about, data, kind: Kind::Measure };
    let catalogue = Catalogue {
        frame: Frame::new(w, h, 1.0),
        layers: vec![
            measure("height", "Height of the land, from 0 to 1.", Data::F32(&height)),
            measure("slope_mag", "How much the height changes from one tile to the next.", Data::F32(&slope)),
            Layer { unit: "\u{b0}", ..measure("aspect_deg", "Direction in which the land falls.", Data::F32(&aspect)) },
            measure("veg_variance", "How the vegetation differs from its mean.", Data::F32(&veg)),
            measure("flow_dir", "Direction of flow.", Data::U8(&grids.0)),
            measure("flow_accum", "Number of tiles that drain through each tile, itself included.", Data::U32(&accum)),
            measure("moisture", "How wet the ground is, from 0 to 1.", Data::F32(&moisture)),
            Layer { kind: Kind::Classes(WATERS), ..measure("water_class", "Water on the surface.", Data::U8(&grids.1)) },
            Layer { kind: Kind::Classes(BIOMES), ..measure("biome", "What grows here.", Data::U8(&grids.2)) },
            measure("tree_density", "Share of the ground that trees take.", Data::F32(&grids.3)),
        ],
        lines: vec![FeatureSet { name: "trails", about: "Paths of game.", features: trails }],
        points: vec![],
        stats: Default::default(),
    };
    let save = |name: &str, image: weald::render::Image| -> Result<(), Box<dyn Error>> {
        Ok(image.write_png(&mut BufWriter::new(File::create(format!("{folder}/{name}.png"))?))?)
    };
    save("map", map(&catalogue, &style("A made-up land", w, h, seed))?)?;
    let mut entries = vec![Entry { file: "map.png".into(), title: "Map".into(), caption: "The whole land.".into() }];
    for layer in &catalogue.layers {
        save(layer.name, layer_picture(layer, &PictureStyle::default())?)?;
        let title = weald::render::text::words(layer.name);
        entries.push(Entry { file: format!("{}.png", layer.name), title, caption: layer.about.into() });
    }
    Ok(fs::write(format!("{folder}/index.html"), index_page("A made-up land", &entries))?)
}
