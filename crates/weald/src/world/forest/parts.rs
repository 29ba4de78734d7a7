//! The forest in tiles.
//!
//! | pass | reach | summary |
//! | --- | --- | --- |
//! | land and flow directions | 1 tile | where water crosses the borders |
//! | water | point, with the inflow | lakes that touch the borders |
//! | cover and navigation | `water_prox_max_dist` | shares of classes |
//!
//! Game trails cross the whole map and cannot be cut: a forest in tiles has none. Nor can land that streams have shaped, whose mesh
//! grows with the map.

use super::catalogue::LAYERS;
use super::classes::*;
use super::land::{self, Land};
use super::params::{self, ForestParams};
use super::trails::Trails;
use super::water::{self, Water};
use super::{Forest, Playable, cover, navigation};
use crate::catalogue::{Class, LayerOf, LayerSpec, Source};
use crate::error::{Error, Result};
use crate::world::parts::{Done, Found, Given, Merged, Parts, Pass};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use weald_core::noise::Fbm;
use weald_core::tiled::flow::{self, Links};
use weald_core::tiled::regions::{self, Numbers, Regions};
use weald_core::tiled::{Pack, Tiles, Window};
use weald_core::{AnyGrid, Cells, Ctx, Dir8, Grid, Seed, distance, hydro, stats};

/// A forest in tiles.
pub(super) struct ForestParts {
    params: ForestParams,
    seed: Seed,
    tiles: Tiles,
    /// Elevation, roughness, vegetation variance.
    noise: [Fbm; 3],
}

const PASSES: &[Pass] = &[
    Pass { name: "land", about: "Base maps, slope, aspect, landforms and flow directions" },
    Pass { name: "water", about: "Flow accumulation, lakes and streams" },
    Pass { name: "cover", about: "Distance to water, moisture, biomes, ground and navigation" },
];

/// The grids that the passes make.
const WRITES: [&[&str]; 3] = [
    &["height", "roughness", "vegetation_variance", "slope", "aspect_deg", "landform", "flow_direction"],
    &["flow_accumulation", "flow_accumulation_log", "lake_mask", LAKE_LABEL, "stream_mask"],
    &[
        "lake_id",
        "water_distance",
        "moisture",
        "water_class",
        "biome",
        "tree_density",
        "canopy_cover",
        "soil",
        "firmness",
        "surface_flags",
        "obstruction",
        "feature_flags",
        "game_trail",
        "game_trail_id",
        "visibility_m",
        "orientation_reliability",
        "move_cost",
        "passability",
        "cliff_edge",
        "followable",
    ],
];

/// The grids that the passes read.
const READS: [&[&str]; 3] = [
    &[],
    &["flow_direction", "slope", "landform"],
    &[
        "height",
        "roughness",
        "vegetation_variance",
        "slope",
        "landform",
        "flow_accumulation_log",
        "lake_mask",
        "stream_mask",
        LAKE_LABEL,
    ],
];

/// Numbers of lakes within a tile, until all tiles know theirs.
const LAKE_LABEL: &str = "lake_label";

/// The class layers whose shares are figures, with the names of those.
const SHARES: [(&str, &[Class]); 4] = [
    ("landform_share", LANDFORMS),
    ("water_share", WATER_CLASSES),
    ("biome_share", BIOMES),
    ("soil_share", SOILS),
];

/// A grid that nothing else holds.
fn own(grid: AnyGrid) -> Arc<dyn Source> {
    Arc::new(grid)
}

impl ForestParts {
    pub(super) fn new(params: &ForestParams, seed: Seed, tiles: Tiles) -> Result<Self> {
        if params.elevation.source == params::Source::Shaped {
            let message = "land that streams have shaped cannot be made in tiles, as its mesh has a node for every four tiles of the \
                           map; set elevation.source=noise";
            return Err(Error::Invalid(message.into()));
        }
        let noise = land::base_maps(seed, params);
        Ok(Self { params: params.clone(), seed, tiles, noise })
    }

    /// Base maps, the shape of the ground, and where water goes.
    fn land(&self, k: usize, ctx: &Ctx) -> Result<Done> {
        let (window, outer) = (self.tiles.window(k), self.tiles.padded(k, 1));
        let [height, roughness, variance] = &self.noise;
        let height = ctx.stage("elevation", |c| height.window(outer, c))?;
        let roughness = ctx.stage("roughness", |c| roughness.window(outer, c))?;
        let variance = ctx.stage("vegetation variance", |c| variance.window(outer, c))?;
        let land = land::shape(height, (roughness, variance), &self.params.landform, ctx)?;
        let rule = water::drop_rule(&self.params.hydrology);
        let flow = ctx.stage("flow direction", |c| {
            hydro::d8_by_drop_from((outer.x, outer.y), &land.height, self.seed, &rule, c)
        })?;
        let flow = outer.crop(&flow, window);
        let links = ctx.stage("flow accumulation", |c| Links::new(&flow, c, |_| true))?;
        let float = |grid: &Grid<f32>| AnyGrid::F32(outer.crop(grid, window));
        let grids = vec![
            ("height", own(float(&land.height))),
            ("roughness", own(float(&land.roughness))),
            ("vegetation_variance", own(float(&land.vegetation_variance))),
            ("slope", own(float(&land.slope))),
            ("aspect_deg", own(float(&land.aspect))),
            ("landform", own(AnyGrid::U8(outer.crop(&land.landform, window)))),
            ("flow_direction", own(AnyGrid::Dir(flow))),
        ];
        Ok(Done { grids, summary: links.to_bytes() })
    }

    /// Flow accumulation, lakes, streams.
    fn water(&self, k: usize, given: Given, ctx: &Ctx) -> Result<Done> {
        let window = self.tiles.window(k);
        let (inflow, largest): (Vec<u64>, u64) = given.share()?;
        let flow = given.bytes("flow_direction", window, ctx)?.map(|&d| Dir8(d));
        let area = ctx.stage("flow accumulation", |c| flow::accumulation(&flow, &inflow, c, |_| true))?;
        // A map has cells that no other drains into.
        let log =
            ctx.stage("normalised accumulation", |c| water::normalised(&area, (1, largest as u32), c))?;
        let land = Land {
            slope: given.floats("slope", window, ctx)?,
            landform: given.bytes("landform", window, ctx)?,
            height: Grid::default(),
            roughness: Grid::default(),
            vegetation_variance: Grid::default(),
            aspect: Grid::default(),
        };
        let h = &self.params.hydrology;
        let lake = ctx.stage("lakes", |c| water::lakes(&land, &log, h, c))?;
        let (label, regions) = Regions::new(&self.tiles, k, ctx, |i| lake.cells()[i] != 0)?;
        let stream = ctx.stage("streams", |c| water::streams(&land, &log, &lake, h, c))?;
        let grids = vec![
            ("flow_accumulation", own(AnyGrid::U32(area))),
            ("flow_accumulation_log", own(AnyGrid::F32(log))),
            ("lake_mask", own(AnyGrid::U8(lake))),
            (LAKE_LABEL, own(AnyGrid::U32(label))),
            ("stream_mask", own(AnyGrid::U8(stream))),
        ];
        Ok(Done { grids, summary: regions.to_bytes() })
    }

    /// Tiles around a tile that its cover depends on: those whose water is near, and one for the steps to the neighbours.
    fn reach(&self) -> usize {
        self.params.hydrology.water_prox_max_dist as usize + 1
    }

    /// What is derived from land and water, on the window of a tile and the tiles beside it.
    fn cover(&self, k: usize, given: Given, ctx: &Ctx) -> Result<Done> {
        let (window, outer) = (self.tiles.window(k), self.tiles.padded(k, 1));
        let far = self.tiles.padded(k, self.reach());
        let numbers: Numbers = given.share()?;
        let mut lake_id = given.counts(LAKE_LABEL, window, ctx)?;
        numbers.apply(&mut lake_id);
        let wet = |name| given.bytes(name, far, ctx);
        let (lake, stream) = (wet("lake_mask")?, wet("stream_mask")?);
        let distance = ctx.stage("distance to water", |c| {
            let cap = self.params.hydrology.water_prox_max_dist as u16;
            let wet = |i: usize| lake.cells()[i] != 0 || stream.cells()[i] != 0;
            distance::chebyshev(far.width, far.height, cap, c, wet)
        })?;
        let (lake, stream) = (far.crop(&lake, outer), far.crop(&stream, outer));
        let water_distance = far.crop(&distance, outer);
        let floats = |name| given.floats(name, outer, ctx);
        let land = Land {
            height: floats("height")?,
            roughness: floats("roughness")?,
            vegetation_variance: floats("vegetation_variance")?,
            slope: floats("slope")?,
            landform: given.bytes("landform", outer, ctx)?,
            aspect: Grid::default(),
        };
        let (p, h) = (&self.params, &self.params.hydrology);
        let log = floats("flow_accumulation_log")?;
        let moisture = ctx.stage("moisture", |c| water::moisture(&land, &log, &water_distance, h, c))?;
        let class =
            ctx.stage("water class", |c| water::water_class(&land, &lake, &stream, &moisture, h, c))?;
        let water = Water {
            directions: Grid::default(),
            accumulation: Grid::default(),
            accumulation_log: log,
            lake,
            lake_id: Grid::default(),
            lakes: 0,
            stream,
            water_distance,
            moisture,
            class,
        };
        let cover = cover::cover(&land, &water, p, ctx)?;
        let mark = Grid::filled(outer.width, outer.height, 0);
        let id = Grid::filled(outer.width, outer.height, -1);
        let trails = Trails { mark, id, routes: Vec::new(), seeds: Vec::new() };
        let playable = Playable::of_part((outer.x, outer.y), self.tiles.shape(), p);
        let navigation = navigation::navigation(&land, &water, &cover, &trails, (p, &playable), ctx)?;
        let forest = Forest { params: p.clone(), seed: self.seed, land, water, cover, trails, navigation };
        Ok(self.finished(forest, lake_id, (window, outer)))
    }

    /// The layers of the last pass, without the cells beside the tile, and the histograms of the classes.
    fn finished(&self, forest: Forest, lake_id: Grid<u32>, (window, outer): (Window, Window)) -> Done {
        let form = outer.crop(&forest.land.landform, window);
        let forest = Arc::new(forest);
        let layers = LayerOf::layers(LAYERS, &forest);
        let mut grids = vec![("lake_id", own(AnyGrid::U32(lake_id)))];
        for &name in &WRITES[2][1..] {
            let layer = layers.iter().find(|l| l.spec().name == name).expect("the layer is declared");
            grids.push((name, own(layer.cells().crop(&outer, window))));
        }
        let class = |name| match grids.iter().find(|g| g.0 == name).map(|g| g.1.cells()) {
            Some(Cells::U8(grid)) => stats::histogram(grid),
            _ => unreachable!("the classes of the forest are bytes"),
        };
        let bins = [stats::histogram(&form), class("water_class"), class("biome"), class("soil")];
        let bins: Vec<Vec<u64>> = bins.iter().map(|b| b.to_vec()).collect();
        Done { grids, summary: bins.to_bytes() }
    }

    /// The figures of the whole map.
    fn figures(&self, found: &Found) -> Result<Map<String, Value>> {
        let mut bins = vec![vec![0u64; 256]; SHARES.len()];
        for tile in found.each::<Vec<Vec<u64>>>() {
            for (sum, tile) in bins.iter_mut().zip(&tile?) {
                sum.iter_mut().zip(tile).for_each(|(a, b)| *a += b);
            }
        }
        let total = self.tiles.width as f64 * self.tiles.height as f64;
        let share =
            |bins: &[u64], c: &Class| (c.name.to_owned(), json!(bins[c.value as usize] as f64 / total));
        let shares = |((name, table), bins): (&(&str, &[Class]), &Vec<u64>)| {
            ((*name).to_owned(), Value::Object(table.iter().map(|c| share(bins, c)).collect()))
        };
        Ok(SHARES.iter().zip(&bins).map(shares).collect())
    }
}

impl Parts for ForestParts {
    fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    fn passes(&self) -> &'static [Pass] {
        PASSES
    }

    fn layers(&self) -> Vec<LayerSpec> {
        LayerOf::specs(LAYERS)
    }

    fn handed_on(&self) -> Vec<LayerSpec> {
        vec![LayerSpec::measure(LAKE_LABEL, "uint32", "", "Number of the lake within the tile")]
    }

    fn writes(&self, pass: usize) -> Vec<&'static str> {
        WRITES[pass].to_vec()
    }

    fn reads(&self, pass: usize) -> Vec<&'static str> {
        READS[pass].to_vec()
    }

    fn tile(&self, pass: usize, k: usize, given: Given, ctx: &Ctx) -> Result<Done> {
        match pass {
            0 => self.land(k, ctx),
            1 => self.water(k, given, ctx),
            _ => self.cover(k, given, ctx),
        }
    }

    fn merge(&self, pass: usize, found: &Found, _ctx: &Ctx) -> Result<Merged> {
        match pass {
            0 => {
                let inflows = flow::inflows(&self.tiles, &found.all::<Links>()?);
                if inflows.largest > u32::MAX.into() {
                    return Err(Error::Invalid(format!(
                        "{} tiles drain through one, more than the 32 bits of the layer flow_accumulation hold; make the map smaller",
                        inflows.largest
                    )));
                }
                let share = |inflow: Vec<u64>| (inflow, inflows.largest).to_bytes();
                let figures = [("largest_drainage_tiles".to_owned(), inflows.largest.into())];
                let shares = inflows.of_tile.into_iter().map(share).collect();
                Ok(Merged { shares, figures: figures.into_iter().collect(), ..Merged::default() })
            }
            1 => {
                let (numbers, count) = regions::merge(&self.tiles, &found.all::<Regions>()?);
                let figures = [("lakes".to_owned(), count.into())];
                let shares = numbers.iter().map(Pack::to_bytes).collect();
                Ok(Merged { shares, figures: figures.into_iter().collect(), ..Merged::default() })
            }
            _ => Ok(Merged { figures: self.figures(found)?, ..Merged::default() }),
        }
    }

    fn bytes_per_cell(&self) -> u64 {
        super::BYTES_PER_TILE
    }
}
