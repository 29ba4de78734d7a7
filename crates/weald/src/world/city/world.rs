//! The city as one of the worlds.

use super::catalogue::LAYERS;
use super::heightmap::{self, About, CITIES_M, Scale};
use super::params::CityParams;
use super::shape::TIMES;
use super::{SIDES, make, style, worldmap};
use crate::catalogue::explain::Explain;
use crate::catalogue::{Catalogue, LayerOf, LayerSpec};
use crate::error::{Error, Result};
use crate::params::ParamTree;
use crate::sink::Sink;
use crate::style::Scene;
use crate::style::exports::{Exports, GreyHeights};
use crate::world::{
    Case, Content, FileOption, FileSpec, GalleryPicture, GreySea, HeightTerms, Inputs, MapExtent, MapInput,
    MapValues, PhaseInfo, Phases, Plan, World, WorldInfo, map_values, recipes, validate_sides,
};
use serde_json::Value;
use weald_core::erosion::land::HIGHEST_M;
use weald_core::{Ctx, Frame, Grid, stats};

/// The city.
pub struct CityWorld;

/// Bytes of memory per cell, at most, while a map is made, drawn and written.
const BYTES_PER_CELL: u64 = 90;

/// Name of the optional result and of the raster with the land around the map.
pub(super) const WORLDMAP: &str = "worldmap";

/// What the city declares.
pub(super) static INFO: WorldInfo = WorldInfo {
    name: "city",
    about: "A heightmap for city builders: eroded land with the share of buildable ground that you ask for.",
    default_seed: 1,
    default_size: (1024, 1024),
    fixed_extent: true,
    length_unit: "m",
    maps: &[MapInput {
        name: "h",
        alias: "height",
        about: "heights: grey from 0 to 1, or metres above the sea",
        values: MapValues::Heights(HeightTerms {
            extent: MapExtent::Width("map.size_m"),
            sea: GreySea::Metres("map.sea_level_m", "map.height_scale_m"),
            range_m: (-HIGHEST_M as f32, HIGHEST_M as f32),
            grey: &["map.sea_level_m", "map.height_scale_m"],
        }),
    }],
    at: None,
    placed: None,
    files: &[
        FileSpec {
            name: "heightmap.png",
            about: "heights as 16-bit grey, for the game",
            by_default: true,
            needs: None,
            content: Content::Grey16(|c, with, ctx| grey(c, "heightmap", with, ctx)),
        },
        FileSpec {
            name: "heightmap.terrain.json",
            about: "what the grey values of heightmap.png mean",
            by_default: true,
            needs: None,
            content: Content::Text(|c, _, out, ctx| write_sidecar(c, "heightmap", out, ctx)),
        },
        FileSpec {
            name: "worldmap.png",
            about: "the land around the map, four times as wide, as 16-bit grey",
            by_default: false,
            needs: Some(WORLDMAP),
            content: Content::Grey16(|c, with, ctx| grey(c, "worldmap", with, ctx)),
        },
        FileSpec {
            name: "worldmap.terrain.json",
            about: "what the grey values of worldmap.png mean",
            by_default: false,
            needs: Some(WORLDMAP),
            content: Content::Text(|c, _, out, ctx| write_sidecar(c, "worldmap", out, ctx)),
        },
        FileSpec {
            name: "overlay.png",
            about: "rivers, lakes and contour lines on a transparent background, to lay over the map",
            by_default: false,
            needs: None,
            content: Content::View("overlay"),
        },
    ],
    options: &[FileOption {
        name: CLIP,
        about: "cut off heights that do not fit the height scale of heightmap.png and worldmap.png, instead of refusing them",
        comes_with: None,
    }],
    exports: Exports {
        ground: Some(super::chart::GROUND),
        chart: Some(super::chart::chart_style),
        grey: Some(GreyHeights { sea_level_m: "map.sea_level_m", height_scale_m: "map.height_scale_m" }),
        ..Exports::NONE
    },
    views: style::VIEWS,
    explain: Explain::of_cells(super::explain::explain),
    tiles: None,
    scene: Scene::Relief,
    key_layers: &["height", "buildable", "slope"],
    phases: &[
        PhaseInfo {
            name: "land",
            about: "Zones, terrain and ridges",
            params: &["map", "zones", "terrain", "ridges"],
        },
        PhaseInfo {
            name: "erosion",
            about: "Coast, uplift and streams, droplets and river beds, solved for the goal; rivers, lakes and figures",
            params: &["sea", "rivers", "erosion", "goal", "water"],
        },
    ],
    recipes: recipes![
        "city",
        "city-mountainous",
        "city-valleys",
        "city-rolling",
        "city-coast",
        "city-river",
        "city-literal"
    ],
    goldens: &[Case::new(1, 256, 256), Case::new(42, 320, 256), Case::new(u64::MAX, 256, 264)],
    benches: &[Case::new(7, 1024, 1024), Case::new(7, 2048, 2048)],
    gallery: &[
        GalleryPicture::map("city-7.png", "generate city --seed 7 --size 512"),
        GalleryPicture::map(
            "city-7-before.png",
            "generate city --seed 7 --size 512 --set erosion.age=0 --set erosion.droplets=0 \
             --set goal.buildable_share=0",
        ),
        GalleryPicture::map(
            "city-mountainous-4.png",
            "generate city --recipe city-mountainous --seed 4 --size 512",
        ),
        GalleryPicture::map(
            "city-valleys-11.png",
            "generate city --recipe city-valleys --seed 11 --size 448",
        ),
        GalleryPicture::map(
            "city-rolling-12.png",
            "generate city --recipe city-rolling --seed 12 --size 512",
        ),
        GalleryPicture::map("city-coast-5.png", "generate city --recipe city-coast --seed 5 --size 512"),
        GalleryPicture::map("city-river-6.png", "generate city --recipe city-river --seed 6 --size 512"),
        GalleryPicture::map("city-literal-7.png", "generate city --recipe city-literal --seed 7 --size 448"),
    ],
};

impl World for CityWorld {
    fn info(&self) -> &'static WorldInfo {
        &INFO
    }

    fn layers(&self) -> Vec<LayerSpec> {
        LayerOf::specs(LAYERS)
    }

    fn params(&self) -> ParamTree {
        ParamTree::of::<CityParams>()
    }

    fn plan(&self, params: &ParamTree) -> Result<Box<dyn Plan>> {
        Ok(Box::new(params.finish::<CityParams>()?))
    }

    fn output_schema(&self) -> Value {
        heightmap::sidecar_schema()
    }

    /// A given map is analysed and not changed, unless that is asked for.
    fn defaults_for_maps(&self) -> &'static [(&'static str, i64)] {
        &[("erosion.age", 0), ("erosion.droplets", 0), ("goal.buildable_share", 0)]
    }
}

impl Plan for CityParams {
    fn check_size(&self, size: (usize, usize)) -> Result<()> {
        validate_sides(size, &SIDES, None)
    }

    fn bytes_needed(&self, (width, height): (usize, usize)) -> u64 {
        (width as u64).saturating_mul(height as u64).saturating_mul(BYTES_PER_CELL)
    }

    fn reads_map(&self, _name: &str, map: &Grid<f32>, metres: bool) -> String {
        if !metres && is_grey(map) {
            let (scale, sea) = (self.map.height_scale_m, self.map.sea_level_m);
            format!("grey: 1 is {scale} m above 0, the sea at {sea} m")
        } else {
            format!("{} above the sea", map_values(map, metres))
        }
    }

    fn make(&self, mut inputs: Inputs, phases: &mut Phases, ctx: &Ctx) -> Result<Catalogue> {
        let with_worldmap = inputs.wants(WORLDMAP);
        if with_worldmap {
            // Before any work: a size that cannot have a world map is refused at once.
            worldmap::size_for(inputs.size)?;
        }
        let authored = inputs.take_map("h").map(|map| in_metres(map, inputs.in_metres, self));
        let city = make(inputs.size, authored, (inputs.seed, self), phases, ctx)?;
        let city = if with_worldmap { ctx.stage("land around", |c| city.join(c))? } else { city };
        Ok(city.into_catalogue())
    }
}

/// Whether all values lie between 0 and 1, as grey values do.
fn is_grey(map: &Grid<f32>) -> bool {
    map.cells().iter().all(|v| (0.0..=1.0).contains(v))
}

/// Grey values, which lie between 0 and 1 and are not said to be metres, become metres above the sea; other values are metres already.
fn in_metres(mut map: Grid<f32>, metres: bool, p: &CityParams) -> Grid<f32> {
    if !metres && is_grey(&map) {
        let (scale, sea) = (p.map.height_scale_m, p.map.sea_level_m);
        map.cells_mut().iter_mut().for_each(|v| *v = (*v as f64 * scale - sea) as f32);
    }
    // No negative zero.
    map.cells_mut().iter_mut().for_each(|v| *v += 0.0);
    map
}

/// The heights of a heightmap and where they lie.
struct Heights<'c> {
    height: &'c Grid<f32>,
    frame: Frame,
}

impl<'c> Heights<'c> {
    /// The heights of the file called `file`.
    fn of(catalogue: &'c Catalogue, file: &str) -> Result<Self> {
        if file != "worldmap" {
            return Ok(Self { height: catalogue.floats("height")?, frame: catalogue.frame });
        }
        let raster = catalogue.raster(WORLDMAP).ok_or_else(|| {
            Error::Invalid("the land around was not made; make the world again with --worldmap".into())
        })?;
        Ok(Self { height: &raster.height, frame: raster.frame })
    }

    /// The grey values, and how many of them had to be clamped.
    fn grey(&self, catalogue: &Catalogue, ctx: &Ctx) -> Result<(Grid<u16>, u64)> {
        Ok(scale(catalogue).values(self.height, ctx)?)
    }
}

/// The option that cuts off heights beyond the scale, however many they are.
const CLIP: &str = "clip";

/// Share of the cells that may be cut off without being asked.
const CLIPPED_SHARE: f64 = 0.001;

/// The grey values of a file. Fails if many heights do not fit, unless they are to be cut off.
fn grey(catalogue: &Catalogue, file: &str, with: &[String], ctx: &Ctx) -> Result<Grid<u16>> {
    let heights = Heights::of(catalogue, file)?;
    let (values, limited) = heights.grey(catalogue, ctx)?;
    let share = limited as f64 / values.len() as f64;
    if share <= CLIPPED_SHARE || with.iter().any(|option| option == CLIP) {
        return Ok(values);
    }
    let Scale { sea_level_m: sea, height_scale_m: scale } = scale(catalogue);
    let (low, high) = stats::min_max(heights.height, &ctx.quiet())?.unwrap_or_default();
    let deep = if f64::from(low) < -sea { Some(-f64::from(low).floor()) } else { None };
    let needed = (deep.unwrap_or(sea) + f64::from(high)).ceil().max(scale);
    let deeper = deep.map_or(String::new(), |sea| format!(" --set map.sea_level_m={sea}"));
    Err(Error::Invalid(format!(
        "{file}.png: {:.1} % of the cells would be clipped: heights from {low:.1} to {high:.1} m do not fit a scale of {scale} m with the \
         sea at {sea} m; use --set map.height_scale_m={needed}{deeper}, or clip them with --clip",
        100.0 * share
    )))
}

/// How heights become grey.
fn scale(catalogue: &Catalogue) -> Scale {
    Scale {
        sea_level_m: catalogue.number("map.sea_level_m"),
        height_scale_m: catalogue.number("map.height_scale_m"),
    }
}

fn write_sidecar(catalogue: &Catalogue, name: &str, out: &mut Sink, ctx: &Ctx) -> Result<()> {
    let heights = Heights::of(catalogue, name)?;
    let (values, limited) = heights.grey(catalogue, ctx)?;
    let about = About {
        file: &format!("{name}.png"),
        frame: heights.frame,
        scale: scale(catalogue),
        seed: catalogue.seed,
        params: &catalogue.params,
        limited,
        game_m: if name == "worldmap" { TIMES * CITIES_M } else { CITIES_M },
    };
    out.write(format!("{:#}\n", heightmap::sidecar(&values, &about, ctx)?).as_bytes())
}
