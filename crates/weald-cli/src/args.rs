//! The command line, as clap sees it.

use crate::names::{RecipeName, WorldName};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use weald::Error;
use weald::export::chart::{ChartOptions, Paper};
use weald::export::target::ExportOptions;
use weald::job::frames::Times;
use weald::job::sheet::Seeds;
use weald::reading::{FillNodata, ReadOptions};
use weald::recipe::{Crop, Recipe, parse_seed, parse_size};
use weald::world::At;
use weald::world::runner::MOST_CELLS;

/// A deterministic terrain engine: worlds with water, biomes and gameplay data, the same bits on every machine.
#[derive(Parser)]
#[command(name = "weald", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  weald generate forest --seed 42 --size 256x256 -o forest/
  weald generate forest --recipe forest-rugged --set game_trails.seed_tiles_per_trail=200 -o rugged/
  weald generate endless --at -3000,500 --size 800x600 -o map/
  weald sample endless --at 12,-40 --json
  weald course endless --controls 8 --length 5km -o course.pdf
  weald generate city --size 4096 --seed 7 --set goal.buildable_share=0.65 --worldmap -o city/
  weald derive forest --map height=height.png -o mine/
  weald draw forest/ --px 4096
  weald export city/ --to unreal,geotiff -o exports/
  weald generate endless --size 3000 --scale 10000 -o map.pdf
  weald explain forest/ --at 12,40
  weald build forest --size 65536 --memory 8GiB -o world.zarr
  weald sheet island --seeds 1..12 -o seeds.png
  weald explore island --seed 7
  weald check forest/
  weald check --heightmap height.png --sea-level 0.125
  weald measure height.png --cell-m 30 --png page.png

Exit codes: 0 success, 1 a check found something, 2 invalid input, 3 shapes that do not fit,
4 file input or output, 5 internal failure, 130 interrupted.";

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Make a world from a seed
    #[command(visible_alias = "gen")]
    Generate(Make),
    /// Make a world from maps of your own; the rest of the pipeline runs on them
    Derive(Make),
    /// As generate or derive, plus a picture of every layer and intermediate with an index.html
    Debug(Make),
    /// Make a map larger than memory, tile by tile, as a Zarr store; the same command goes on where a stopped one was
    Build(Build),
    /// Draw a folder again, in another view or at another size, without making its world
    Draw(Draw),
    /// Write a folder in the formats of other programs: engines, GIS, games, printers; `weald export --list` lists them
    Export(Export),
    /// Print why a cell of a folder is what it is: its biome, water, passability and so on, with the rules and numbers that decided
    Explain(Explain),
    /// Draw small maps of many seeds on one picture
    Sheet(Sheet),
    /// Open every world in the browser: a page on this machine that runs the engine itself, with the same bits
    Explore(Explore),
    /// Print what is at single places of a world that is a function of place (endless, planet), as CSV, or as JSON with --json
    Sample(Sample),
    /// Print how fast a runner is between two places of endless or planet, on the straight and on the fastest route: length and
    /// climb in metres, and time
    Leg(Leg),
    /// Plan a course for orienteers in the endless world, or take its controls from a file: control descriptions, and each leg with its
    /// length and climb in metres and a runner's time; with -o on a map
    Course(Course),
    /// Print which mine of the endless world is below a place, how far it reaches, and which shafts lead into it
    Mine(Mine),
    /// Change a file of placed things: features, roads, and what is removed
    Placed(Placed),
    /// Check an output against the rules of its world. Exit code 0 if it keeps them, 1 if not
    Check {
        /// A folder, a tiles file (.json or .ndjson), or - for standard input
        path: Option<PathBuf>,
        /// Check a heightmap made elsewhere instead (.tif, .png, .npy, .exr, .asc, .hgt, .r16, .raw, .json): does all its land drain
        /// to the sea or the border? Lists sinks, depressions and flats
        #[arg(long, value_name = "FILE", conflicts_with = "path")]
        heightmap: Option<PathBuf>,
        #[command(flatten)]
        reading: ReadMap,
        /// Print the report as JSON
        #[arg(long)]
        json: bool,
    },
    /// Measure how a heightmap compares with real land: rivers, stream orders, slopes, texture and coast, each with the range that
    /// real terrain has
    Measure(Measure),
    /// Print figures about a galaxy
    Galaxy {
        #[command(subcommand)]
        ask: AskGalaxy,
    },
    /// List the worlds and the recipes that come with the program
    Worlds {
        /// Print the list as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print a recipe with every parameter, its meaning, unit, range and default
    New {
        /// The world
        #[arg(value_parser = WorldName, hide_possible_values = true)]
        world: String,
        /// Start from this recipe: a file, or one that comes with the program
        #[arg(long, value_name = "FILE|NAME", value_parser = RecipeName, hide_possible_values = true)]
        recipe: Option<PathBuf>,
    },
    /// Print a JSON schema
    Schema {
        /// The world
        #[arg(value_parser = WorldName, hide_possible_values = true)]
        world: String,
        /// What the schema describes
        #[arg(long, value_enum, default_value_t = SchemaOf::Params)]
        of: SchemaOf,
    },
    /// Print the manual page of a command, or of the program, in troff
    Man {
        /// The command, such as generate
        command: Option<String>,
    },
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

#[derive(Subcommand)]
pub(crate) enum AskGalaxy {
    /// The density of stars, the nearest visible star, the number of planets, and whether colour and planets are correlated
    Stats(GalaxyStats),
}

#[derive(Args)]
pub(crate) struct GalaxyStats {
    /// Seed, a whole number up to 18446744073709551615; 0 is the document's galaxy [default: 0]
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,
    /// Width and height of the block in light years [default: 800x600]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub(crate) size: Option<(usize, usize)>,
    /// The viewer, in light years: the block lies in front of them, and the nearest star is the nearest to them
    /// [default: 0,0,0]
    #[arg(long, value_name = "X,Y[,Z]", value_parser = point, allow_hyphen_values = true)]
    pub(crate) at: Option<Point>,
    /// A recipe: a TOML file, the name of one that comes with the program, or - for standard input
    #[arg(long, value_name = "FILE|NAME", value_parser = RecipeName, hide_possible_values = true)]
    pub(crate) recipe: Option<PathBuf>,
    /// One parameter; PATH=@FILE reads a text from a file; may be repeated
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
    /// Print the answers as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Threads to use; the result is the same for any number [default: all]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaOf {
    /// The parameters as a JSON object, with the names of the world's source document (for --params)
    Params,
    /// The recipe file (for --recipe)
    Recipe,
    /// The world's own file: for the forest, tiles.json
    Output,
}

#[derive(Args)]
pub(crate) struct Make {
    /// The world; `weald worlds` lists them, and `weald generate WORLD --help` shows its parameters, maps and files
    #[arg(value_parser = WorldName, hide_possible_values = true)]
    pub(crate) world: String,

    /// Seed, a whole number up to 18446744073709551615 [default: that of the world]
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_hyphen_values = true, help_heading = "What to make")]
    pub(crate) seed: Option<u64>,
    /// Width and height in cells, or one number for a square [default: that of the world]. With derive, maps of another size
    /// are resampled to it (not by the forest, which refuses them)
    #[arg(long, value_name = "WxH|N", value_parser = parse_size, allow_hyphen_values = true,
          conflicts_with_all = ["width", "height"],
          help_heading = "What to make")]
    pub(crate) size: Option<(usize, usize)>,
    /// Width in cells
    #[arg(long, value_name = "W", help_heading = "What to make", value_parser = side)]
    pub(crate) width: Option<usize>,
    /// Height in cells
    #[arg(long, value_name = "H", help_heading = "What to make", value_parser = side)]
    pub(crate) height: Option<usize>,
    /// A recipe: a TOML file, the name of one that comes with the program, or - for standard input
    #[arg(long, value_name = "FILE|NAME", value_parser = RecipeName, hide_possible_values = true,
          help_heading = "What to make")]
    pub(crate) recipe: Option<PathBuf>,
    /// Parameters as a JSON object; - for standard input
    #[arg(long, value_name = "FILE", help_heading = "What to make")]
    pub(crate) params: Option<PathBuf>,
    /// One parameter; PATH=@FILE reads a text from a file; may be repeated
    #[arg(long, value_name = "PATH=VALUE", help_heading = "What to make")]
    pub(crate) set: Vec<String>,
    /// A text file of placed things, such as `cone 12 -40`; - for standard input
    #[arg(long, value_name = "FILE", help_heading = "What to make")]
    pub(crate) placed: Option<PathBuf>,
    /// A map of your own in place of a generated one: GeoTIFF and other .tif, grey .png, .npy, .exr, .asc, .hgt, .r16 and .raw
    /// (16-bit values, little-endian), .json. Grey values become 0 to 1, or metres by a file NAME.terrain.json beside them;
    /// the numbers of other files stay as they are. May be repeated
    #[arg(long = "map", value_name = "NAME=FILE", value_parser = map, help_heading = MAPS)]
    pub(crate) map: Vec<(String, PathBuf)>,
    /// The same as --map height=FILE
    #[arg(long, value_name = "FILE", help_heading = MAPS)]
    pub(crate) map_h: Option<PathBuf>,
    /// The same as --map roughness=FILE
    #[arg(long, value_name = "FILE", help_heading = MAPS)]
    pub(crate) map_r: Option<PathBuf>,
    /// The same as --map vegetation_variance=FILE
    #[arg(long, value_name = "FILE", help_heading = MAPS)]
    pub(crate) map_v: Option<PathBuf>,

    /// Side of a cell of the map in metres [default: that of the file, or of the world]
    #[arg(long, value_name = "M", value_parser = cell_m, allow_hyphen_values = true, help_heading = MAPS)]
    pub(crate) cell_m: Option<f64>,
    #[command(flatten)]
    pub(crate) reading: ReadMap,

    /// Output: a folder; one file by its ending: .png (the map), .tif, .exr, .r16, .npy (heights), .zarr, .glb, .stl, .svg, .pdf, .omap,
    /// .gpkg, or .json and .ndjson as far as the world has them; or - for standard output. A name that ends in / is always a
    /// folder [default: WORLD-SEED]
    #[arg(short, long, value_name = "PATH", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Replace the output if it exists
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,
    /// Layers to write as .npy: all, none, or names separated by commas [default: all]
    #[arg(long, value_name = "all|none|a,b", help_heading = "Output")]
    pub(crate) layers: Option<String>,
    /// Layers to write as .png as well: measures as 16-bit grey, classes with their colours [default: none]
    #[arg(long, value_name = "all|none|a,b", help_heading = "Output")]
    pub(crate) png: Option<String>,
    /// The world's own files to write, such as tiles.json, trees.csv, stars.csv [default: depends on the world]
    #[arg(long, value_name = "all|none|a,b", help_heading = "Output")]
    pub(crate) files: Option<String>,
    /// Write the map in the format of another program as well, into a folder of its name; `weald export --list` lists the
    /// targets. May be repeated
    #[arg(
        long,
        value_name = "TARGET",
        value_delimiter = ',',
        conflicts_with = "frames",
        help_heading = "Output"
    )]
    pub(crate) export: Vec<String>,
    #[command(flatten)]
    pub(crate) export_options: ExportArgs,
    /// Write the map of the land around as well, for games that show it; the same as --with worldmap
    #[arg(long, help_heading = "Output")]
    pub(crate) worldmap: bool,
    #[command(flatten)]
    pub(crate) draw: Look,
    /// Pictures of a world that changes in time, at each value of its parameter time: FROM..TO or FROM..TO:STEP. The
    /// folder holds frames/0000.png and so on, and animation.png; layers only with --layers
    #[arg(long, value_name = "FROM..TO[:STEP]", value_parser = Times::parse, allow_hyphen_values = true,
          help_heading = "Frames in time")]
    pub(crate) frames: Option<Times>,
    /// Frames per second of animation.png, 1 to 1000
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000),
          requires = "frames", help_heading = "Frames in time")]
    pub(crate) fps: u16,
    /// Add an option of the world's own files, or an optional result; may be repeated
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Output")]
    pub(crate) with: Vec<String>,
    /// Check the folder against the rules of its world before it appears, and list the rules in the manifest
    #[arg(long, help_heading = "Output")]
    pub(crate) check: bool,

    /// Threads to use; the result is the same for any number [default: all]
    #[arg(long, value_name = "N", value_parser = threads, help_heading = "Running")]
    pub(crate) threads: Option<usize>,
    /// Print the recipe with the origin of each value, without making the world
    #[arg(long, help_heading = "Running")]
    pub(crate) print_recipe: bool,
    /// Print how long each stage took
    #[arg(long, help_heading = "Running")]
    pub(crate) timings: bool,
    /// Print the summary as JSON
    #[arg(long, help_heading = "Running")]
    pub(crate) json: bool,
    /// Print only errors
    #[arg(short, long, help_heading = "Running")]
    pub(crate) quiet: bool,
}

/// Heading of the options for maps of one's own.
const MAPS: &str = "Maps of your own";

impl Make {
    /// The maps that were given: option, name and file.
    pub(crate) fn maps(&self) -> Vec<(String, String, PathBuf)> {
        let short = [("h", &self.map_h), ("r", &self.map_r), ("v", &self.map_v)];
        let short = short
            .into_iter()
            .filter_map(|(name, path)| Some((format!("--map-{name}"), name.to_owned(), path.clone()?)));
        let long = self.map.iter().map(|(name, path)| (format!("--map {name}"), name.clone(), path.clone()));
        short.chain(long).collect()
    }
}

/// What `weald export` takes.
#[derive(Args)]
pub(crate) struct Export {
    /// A folder that generate or derive made, with the layers that the target needs
    pub(crate) folder: Option<PathBuf>,
    /// List the targets with their files, who reads them, and the worlds that have them
    #[arg(long)]
    pub(crate) list: bool,
    /// The target; several with commas between or by repeating the option
    #[arg(long, value_name = "TARGET", value_delimiter = ',')]
    pub(crate) to: Vec<String>,
    /// A folder, or a single file such as NAME.tif where the target is one; a name that ends in / is always a folder
    /// [default: FOLDER-TARGET]
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// Replace the output if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Print the summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) options: ExportArgs,
}

/// Heading of the options of targets.
const TARGET_OPTIONS: &str = "Targets";

/// How targets are written.
#[derive(Args)]
pub(crate) struct ExportArgs {
    /// Samples along a side of heightmaps for engines and of prints, such as 1009 or 2049 [default: the nearest that the
    /// target takes]
    #[arg(long, value_name = "N", value_parser = side, help_heading = TARGET_OPTIONS)]
    pub(crate) samples: Option<usize>,
    /// Scale of vector maps and prints: 10000 for 1:10 000 [default: the largest round one that fits the paper]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = TARGET_OPTIONS)]
    pub(crate) scale: Option<u32>,
    /// Paper of vector maps: a0 to a5, letter, legal or tabloid [default: a4]
    #[arg(long, value_name = "NAME", value_parser = Paper::named, help_heading = TARGET_OPTIONS)]
    pub(crate) paper: Option<Paper>,
    /// Contour interval of vector maps in metres [default: 5, or more where slopes are steep]
    #[arg(long, value_name = "M", value_parser = cell_m, help_heading = TARGET_OPTIONS)]
    pub(crate) contour_m: Option<f64>,
    /// Write a heightmap whose heights do not fit with those cells clipped, instead of refusing it
    #[arg(long, help_heading = TARGET_OPTIONS)]
    pub(crate) clip: bool,
    /// Metres from the lowest to the highest value of a 16-bit heightmap [default: those of the map, or of the game]
    #[arg(long, value_name = "M", value_parser = cell_m, help_heading = TARGET_OPTIONS)]
    pub(crate) height_scale: Option<f64>,
    /// Times by which heights are exaggerated in prints [default: 1]
    #[arg(long, value_name = "X", value_parser = positive, help_heading = TARGET_OPTIONS)]
    pub(crate) exaggeration: Option<f64>,
    /// Width of prints in millimetres [default: 150]
    #[arg(long, value_name = "MM", value_parser = positive, help_heading = TARGET_OPTIONS)]
    pub(crate) width_mm: Option<f64>,
}

impl ExportArgs {
    /// The options of the library.
    pub(crate) fn options(&self) -> ExportOptions {
        ExportOptions {
            samples: self.samples,
            chart: ChartOptions {
                scale: self.scale,
                paper: self.paper,
                interval_m: self.contour_m,
                course: None,
            },
            clip: self.clip,
            exaggeration: self.exaggeration,
            width_mm: self.width_mm,
            height_scale_m: self.height_scale,
        }
    }
}

/// How the file of a map is read.
#[derive(Args)]
pub(crate) struct ReadMap {
    /// Use only this part of the map: the first column, the first row, and the width and height, in its cells. With --size the part is
    /// then resampled to that size
    #[arg(long, value_name = "X,Y,W,H", value_parser = crop, allow_hyphen_values = true, help_heading = MAPS)]
    pub(crate) crop: Option<Crop>,
    /// Height of the sea: cells up to it are sea. In metres, from 0 to 1 for grey pictures [default: 0, or that of the folder]
    #[arg(long, value_name = "X", value_parser = sea_level, allow_negative_numbers = true, help_heading = MAPS)]
    pub(crate) sea_level: Option<f32>,
    /// What cells without data become: sea, a height (in metres, from 0 to 1 for grey pictures), or error
    #[arg(long, value_name = "sea|X|error", value_parser = FillNodata::parse, allow_negative_numbers = true,
          help_heading = MAPS)]
    pub(crate) fill_nodata: Option<FillNodata>,
    /// Cells of this value in the file have no data, such as -32768, besides those of which the file itself says so
    #[arg(long, value_name = "X", value_parser = nodata, allow_hyphen_values = true, help_heading = MAPS)]
    pub(crate) nodata: Option<f32>,
    /// Width and height of a .r16 or .raw file, which does not say them [default: a square]
    #[arg(long, value_name = "WxH", value_parser = parse_size, allow_hyphen_values = true, help_heading = MAPS)]
    pub(crate) raw_size: Option<(usize, usize)>,
}

impl ReadMap {
    /// The first option that was given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [
            ("--crop", self.crop.is_some()),
            ("--sea-level", self.sea_level.is_some()),
            ("--fill-nodata", self.fill_nodata.is_some()),
            ("--nodata", self.nodata.is_some()),
            ("--raw-size", self.raw_size.is_some()),
        ];
        options.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    /// `options` with what was given.
    pub(crate) fn over(&self, options: ReadOptions) -> ReadOptions {
        ReadOptions {
            crop: self.crop.or(options.crop),
            raw_size: self.raw_size.or(options.raw_size),
            nodata: self.nodata.or(options.nodata),
            fill: self.fill_nodata.unwrap_or(options.fill),
            sea_level: self.sea_level.or(options.sea_level),
            ..options
        }
    }
}

/// How the picture is drawn.
#[derive(Args)]
pub(crate) struct Look {
    /// What the picture shows [default: the world's first view]
    #[arg(long, value_name = "NAME", help_heading = "Picture")]
    pub(crate) view: Option<String>,
    /// Pixels along the longer side of the map, 64 to 8192 [default: chosen by the view]
    #[arg(long, value_name = "N", help_heading = "Picture")]
    pub(crate) px: Option<usize>,
    /// A setting of the view, such as level=2 or snow_line=400; may be repeated
    #[arg(long = "draw", value_name = "NAME=VALUE", value_parser = setting, help_heading = "Picture")]
    pub(crate) settings: Vec<(String, f64)>,
    /// A place. Of planet: the centre of the pictures, latitude and longitude in degrees, north and east positive. With
    /// generate, of endless: the north-west cell of the window, metres east and north; of galaxy: the viewer, in light years
    #[arg(long, value_name = "X,Y[,Z]|LAT,LON", value_parser = point, allow_hyphen_values = true, help_heading = "Picture")]
    pub(crate) at: Option<Point>,
    /// Draw the contour map around the place of --at (planet): half the side of the map in metres
    #[arg(long, value_name = "M", value_parser = metres, allow_hyphen_values = true, help_heading = "Picture")]
    pub(crate) radius: Option<f64>,
}

impl Look {
    /// Puts what was given into a recipe. A place that is not one of the picture is left to the caller.
    pub(crate) fn apply(&self, recipe: &mut Recipe) -> weald::Result<()> {
        let info = recipe.world.info();
        let place = match info.at {
            Some(At::Picture(place)) => Some(place),
            _ => None,
        };
        let mut wanted = self.view.clone();
        let mut settings = self.settings.clone();
        if let Some(radius) = self.radius {
            let (view, setting) = place.map(|p| p.map).ok_or_else(|| {
                let message = format!("the world {} has no map around a place", info.name);
                Error::Invalid(format!("--radius: {message}; leave --radius out"))
            })?;
            if wanted.as_ref().is_some_and(|w| w != view) {
                let message = format!("--radius is for the view {view}; leave --view or --radius out");
                return Err(Error::Invalid(message));
            }
            wanted = Some(view.to_owned());
            settings.push((setting.to_owned(), radius));
        }
        let draw = &mut recipe.draw;
        if wanted.is_some() && wanted != draw.view {
            draw.view = wanted;
            draw.settings.clear();
        }
        draw.px = self.px.or(draw.px);
        draw.settings.extend(settings);
        let view = draw.choose(info.views)?;
        if let (Some(at), Some(place)) = (&self.at, place) {
            if at.len() != 2 {
                return Err(Error::Invalid("--at: must be latitude and longitude, such as 51.5,-0.1".into()));
            }
            for (name, &value) in place.settings.into_iter().zip(at) {
                let all = info.views.iter().flat_map(|v| v.settings);
                if let Some(s) = all.filter(|s| s.name == name).find(|s| !(s.min..=s.max).contains(&value)) {
                    let message = format!("the {name} must be between {} and {}", s.min, s.max);
                    return Err(Error::Invalid(format!("--at {},{}: {message}", at[0], at[1])));
                }
                if view.settings.iter().any(|s| s.name == name) {
                    draw.settings.insert(name.to_owned(), value);
                }
            }
        }
        draw.settings(view).map(drop)
    }
}

#[derive(Args)]
pub(crate) struct Draw {
    /// The folder that `weald generate` made
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) look: Look,
    /// The picture [default: FOLDER-VIEW.png]
    #[arg(short, long, value_name = "FILE.png")]
    pub(crate) output: Option<PathBuf>,
    /// Replace the picture if it exists
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Args)]
pub(crate) struct Explain {
    /// The folder that `weald generate` made
    pub(crate) folder: PathBuf,
    /// The cell: its column and row, counted from 0 in the north-west. Of endless: metres east and north, within the window of the
    /// folder; of planet: latitude and longitude in degrees, north and east positive
    #[arg(long, value_name = "X,Y|LAT,LON", value_parser = point, allow_hyphen_values = true)]
    pub(crate) at: Point,
    /// Print JSON, with the rules, numbers and neighbours that decided
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct Explore {
    /// The world to begin with [default: forest]
    #[arg(value_parser = WorldName, hide_possible_values = true)]
    pub(crate) world: Option<String>,
    /// Its seed [default: that of the world]
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,
    /// Its width and height in cells, or one number for a square [default: that of the world]
    #[arg(long, value_name = "WxH|N", value_parser = parse_size, allow_hyphen_values = true)]
    pub(crate) size: Option<(usize, usize)>,
    /// The name of a recipe that comes with the program
    #[arg(long, value_name = "NAME")]
    pub(crate) recipe: Option<String>,
    /// One parameter; may be repeated
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
    /// The port on 127.0.0.1; 0 for any that is free [default: 4747, or any that is free]
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
    /// Only print the address
    #[arg(long)]
    pub(crate) no_open: bool,
}

#[derive(Args)]
pub(crate) struct Sheet {
    /// The world
    #[arg(value_parser = WorldName, hide_possible_values = true)]
    pub(crate) world: String,
    /// The seeds: FROM..TO with both ends, or seeds with commas between; at most 64
    #[arg(long, value_name = "A..B|A,B,C", value_parser = Seeds::parse, allow_hyphen_values = true)]
    pub(crate) seeds: Seeds,
    /// Width and height of each map in cells, or one number for a square [default: that of the world]
    #[arg(long, value_name = "WxH|N", value_parser = parse_size, allow_hyphen_values = true)]
    pub(crate) size: Option<(usize, usize)>,
    /// A recipe: a TOML file, the name of one that comes with the program, or - for standard input
    #[arg(long, value_name = "FILE|NAME", value_parser = RecipeName, hide_possible_values = true)]
    pub(crate) recipe: Option<PathBuf>,
    /// One parameter; PATH=@FILE reads a text from a file; may be repeated
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
    /// Pixels along the longer side of each map, 64 to 1024
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub(crate) px: usize,
    /// Columns of maps [default: as many as make the page a third wider than high]
    #[arg(long, value_name = "N", value_parser = side)]
    pub(crate) columns: Option<usize>,
    /// The picture [default: WORLD-seeds.png]
    #[arg(short, long, value_name = "FILE.png")]
    pub(crate) output: Option<PathBuf>,
    /// Replace the picture if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Threads to use; the result is the same for any number [default: all]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,
}

#[derive(Args)]
pub(crate) struct Build {
    /// The world; not all can be made in tiles
    #[arg(value_parser = WorldName, hide_possible_values = true)]
    pub(crate) world: String,
    /// Seed, a whole number up to 18446744073709551615 [default: that of the world]
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,
    /// Width and height in cells, or one number for a square [default: that of the world]
    #[arg(long, value_name = "WxH|N", value_parser = parse_size, allow_hyphen_values = true)]
    pub(crate) size: Option<(usize, usize)>,
    /// The place of a window of the endless world: metres east and north of its north-western cell
    #[arg(long, value_name = "X,Y", value_parser = point, allow_hyphen_values = true)]
    pub(crate) at: Option<Point>,
    /// A recipe: a TOML file, the name of one that comes with the program, or - for standard input
    #[arg(long, value_name = "FILE|NAME", value_parser = RecipeName, hide_possible_values = true)]
    pub(crate) recipe: Option<PathBuf>,
    /// Parameters as a JSON object; - for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) params: Option<PathBuf>,
    /// One parameter; PATH=@FILE reads a text from a file; may be repeated
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
    /// Side of a tile in cells: a file of a layer, and what is worked on at once [default: 4096, or less if memory is scarce]
    #[arg(long, value_name = "N", value_parser = side)]
    pub(crate) tile: Option<usize>,
    /// Memory that may be used, such as 8GiB; it decides how many tiles are made at a time [default: three quarters of what is free]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) memory: Option<u64>,
    /// Layers to keep, separated by commas [default: all]
    #[arg(long, value_name = "a,b", value_delimiter = ',')]
    pub(crate) layers: Option<Vec<String>>,
    /// Print what would be built, with its passes, tiles and memory, and build nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The store, a folder [default: WORLD-SEED.zarr]
    #[arg(short, long, value_name = "STORE.zarr")]
    pub(crate) output: Option<PathBuf>,
    /// Remove a build of the same name and begin anew
    #[arg(long)]
    pub(crate) force: bool,
    /// Threads to use; the result is the same for any number [default: all]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,
    /// Show no progress
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct Measure {
    /// A heightmap (.tif, .png, .npy, .exr, .asc, .hgt, .r16, .raw, .json), or a folder that `weald generate` made. A file
    /// NAME.terrain.json beside NAME.png says how large its cells are and what its grey values mean
    #[arg(value_name = "FILE|FOLDER")]
    pub(crate) path: PathBuf,
    /// Side of a cell in metres [default: that of the file, of the folder or of NAME.terrain.json; otherwise 30]
    #[arg(long, value_name = "M", value_parser = cell_m, allow_hyphen_values = true)]
    pub(crate) cell_m: Option<f64>,
    #[command(flatten)]
    pub(crate) reading: ReadMap,
    /// The layer of a folder to measure [default: height]
    #[arg(long, value_name = "NAME")]
    pub(crate) layer: Option<String>,
    /// Print the report as JSON, with the points of the charts
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw a page: relief, rivers, charts and the table
    #[arg(short = 'o', long, value_name = "PAGE.png")]
    pub(crate) png: Option<PathBuf>,
    /// Replace the page if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Threads to use; the result is the same for any number [default: all]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,
}

/// The world that a question is about.
#[derive(Args)]
pub(crate) struct Ask {
    /// The world: endless or planet for places and legs, endless for mines
    #[arg(value_parser = WorldName, hide_possible_values = true)]
    pub(crate) world: String,
    /// Seed; 0 is the original world [default: 0]
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,
    /// A recipe: a TOML file, or the name of one that comes with the program
    #[arg(long, value_name = "FILE|NAME", value_parser = RecipeName, hide_possible_values = true)]
    pub(crate) recipe: Option<PathBuf>,
    /// Parameters as a JSON object
    #[arg(long, value_name = "FILE")]
    pub(crate) params: Option<PathBuf>,
    /// One parameter; PATH=@FILE reads a text from a file; may be repeated
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
    /// Placed things to use, a text file
    #[arg(long, value_name = "FILE")]
    pub(crate) placed: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct Sample {
    #[command(flatten)]
    pub(crate) ask: Ask,
    /// A CSV file of places with the columns x and y, of planet lat and lon or x, y and z; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "at")]
    pub(crate) points: Option<PathBuf>,
    /// A place: metres east and north, with or without decimals; of planet degrees north and east, or x, y and z in metres
    /// from its centre. May be repeated
    #[arg(long, value_name = "X,Y", value_parser = point, allow_hyphen_values = true)]
    pub(crate) at: Vec<Point>,
    /// Columns to print, separated by commas [default: all]. height and depth are in the document's height units, height_m and depth_m
    /// in metres, four units to a metre. Without surface, places far apart are answered faster
    #[arg(long, value_name = "a,b")]
    pub(crate) columns: Option<String>,
}

#[derive(Args)]
pub(crate) struct Leg {
    #[command(flatten)]
    pub(crate) ask: Ask,
    /// Where the leg starts: of endless whole metres east and north, of planet latitude and longitude in degrees
    #[arg(long, value_name = "X,Y|LAT,LON", value_parser = pair, allow_hyphen_values = true)]
    pub(crate) from: Pair,
    /// Where it ends
    #[arg(long, value_name = "X,Y|LAT,LON", value_parser = pair, allow_hyphen_values = true)]
    pub(crate) to: Pair,
    /// Margin around the two places within which routes are searched for, in metres, at most 5000
    #[arg(long, value_name = "M", default_value_t = 200, value_parser = clap::value_parser!(u32).range(0..=5000))]
    pub(crate) margin: u32,
    /// Most cells, of one square metre each, that the search window may have: the two places and the margin. 4 million take
    /// up to 8 seconds; a larger window is refused with its cost unless it is allowed here
    #[arg(long, value_name = "N", default_value_t = MOST_CELLS)]
    pub(crate) cells: u64,
    /// Draw the leg on the map, as a PNG file
    #[arg(long, value_name = "FILE.png")]
    pub(crate) picture: Option<PathBuf>,
    /// Replace the picture if it exists
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Args)]
pub(crate) struct Course {
    #[command(flatten)]
    pub(crate) ask: Ask,
    /// The number of controls to place, without start and finish; or a CSV file of places, one a line: metres east and north, and, if
    /// you like, a code and a description. Its first place is the start, its last the finish
    #[arg(long, value_name = "N|FILE.csv")]
    pub(crate) controls: String,
    /// Length of the course along straight legs, such as 5km or 5200m [default: 5km]
    #[arg(long, value_name = "LENGTH", value_parser = course_length)]
    pub(crate) length: Option<f64>,
    /// The north-west place of the map: metres east and north [default: that of the recipe; with a file, around its places]
    #[arg(long, value_name = "X,Y", value_parser = place, allow_hyphen_values = true)]
    pub(crate) at: Option<Place>,
    /// Width and height of the map in metres, or one number for a square [default: that of the recipe, or three tenths of the
    /// length; with a file, around its places]
    #[arg(long, value_name = "WxH|N", value_parser = parse_size, allow_hyphen_values = true)]
    pub(crate) size: Option<(usize, usize)>,
    /// Most cells, of one square metre each, that the search window of a leg may have; a larger one is refused with its cost
    #[arg(long, value_name = "N", default_value_t = MOST_CELLS)]
    pub(crate) cells: u64,
    /// A folder for map.png, course.csv, course.json and recipe.toml; or one file by its ending: .png, .svg, .pdf, .omap, .csv or
    /// .json. A name that ends in / is always a folder [default: only print]
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// Replace the output if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Scale of .svg, .pdf and .omap: 10000 for 1:10 000 [default: the largest round one that fits the paper]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) scale: Option<u32>,
    /// Paper of .svg and .pdf: a0 to a5, letter, legal or tabloid [default: a4]
    #[arg(long, value_name = "NAME", value_parser = Paper::named)]
    pub(crate) paper: Option<Paper>,
    /// Contour interval of .svg, .pdf and .omap in metres [default: 5, or more where slopes are steep]
    #[arg(long, value_name = "M", value_parser = cell_m)]
    pub(crate) contour_m: Option<f64>,
    /// Threads to use; the result is the same for any number [default: all]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,
}

#[derive(Args)]
pub(crate) struct Mine {
    #[command(flatten)]
    pub(crate) ask: Ask,
    /// A place above the mine
    #[arg(long, value_name = "X,Y", value_parser = place, allow_hyphen_values = true)]
    pub(crate) at: Place,
    /// Level, 1 is the uppermost
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) level: u32,
    /// Greatest number of cells to visit
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = side)]
    pub(crate) most: usize,
}

#[derive(Args)]
pub(crate) struct Placed {
    /// The world of the things: endless, with places in metres, or planet, with latitude and longitude
    #[arg(long, global = true, value_name = "WORLD", default_value = "endless", value_parser = ["endless", "planet"])]
    pub(crate) world: String,
    #[command(subcommand)]
    pub(crate) change: Change,
}

#[derive(Subcommand)]
pub(crate) enum Change {
    /// Put a thing at a place (t is a telephone box, none removes what the world has there), or draw a road along places
    Add {
        /// The file; created if it does not exist
        file: PathBuf,
        /// A feature (mine, boulder, root, waterhole, knoll, x, cone, rocket, building, t), none, or road
        thing: String,
        /// One place, or at least two for a road
        #[arg(value_name = "X,Y|LAT,LON", value_parser = pair, allow_hyphen_values = true, required = true)]
        places: Vec<Pair>,
    },
    /// Remove what was placed at a place, or the road over it
    Remove {
        /// The file
        file: PathBuf,
        /// The place
        #[arg(value_name = "X,Y|LAT,LON", value_parser = pair, allow_hyphen_values = true)]
        place: Pair,
    },
    /// Remove everything of a kind
    Clear {
        /// The file
        file: PathBuf,
        /// A feature (mine, boulder, root, waterhole, knoll, x, cone, rocket, building, t), none, or road
        thing: String,
    },
    /// Print what is placed
    List {
        /// The file
        file: PathBuf,
    },
}

/// A whole place: metres east and north.
pub(crate) type Place = (i64, i64);
/// Two numbers: metres east and north, or latitude and longitude in degrees.
pub(crate) type Pair = (f64, f64);
/// A place with two or three coordinates.
pub(crate) type Point = Vec<f64>;

fn place(text: &str) -> Result<Place, String> {
    let pair = text.split_once(',').and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)));
    pair.ok_or_else(|| "must be two whole numbers, such as -3000,500".to_owned())
}

fn pair(text: &str) -> Result<Pair, String> {
    let number = |n: &str| n.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    let pair = text.split_once(',').and_then(|(x, y)| Some((number(x)?, number(y)?)));
    pair.ok_or_else(|| "must be two numbers, such as -3000,500 or 51.5,-0.1".to_owned())
}

fn metres(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|v| v.is_finite() && *v > 0.0);
    number.ok_or_else(|| "must be a length in metres, such as 400".to_owned())
}

/// A length with its unit, in metres; without a unit it is in metres.
fn course_length(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let (number, unit) = match (text.strip_suffix("km"), text.strip_suffix('m')) {
        (Some(km), _) => (km, 1000.0),
        (None, Some(m)) => (m, 1.0),
        (None, None) => (text, 1.0),
    };
    let metres = number.trim().parse::<f64>().ok().map(|n| n * unit);
    let metres = metres.filter(|m| (100.0..=100_000.0).contains(m));
    metres.ok_or_else(|| "must be a length of 100 m to 100 km, such as 5km or 5200m".to_owned())
}

/// Whole numbers of a pair, for worlds whose places are whole.
pub(crate) fn whole(option: &str, (x, y): Pair) -> weald::Result<Place> {
    if x.fract() != 0.0 || y.fract() != 0.0 {
        let message = format!("{option} {x},{y}: must be two whole numbers, such as -3000,500");
        return Err(Error::Invalid(message));
    }
    Ok((x as i64, y as i64))
}

fn point(text: &str) -> Result<Point, String> {
    let numbers = text.split(',').map(|n| n.trim().parse::<f64>().ok().filter(|v| v.is_finite()));
    numbers.collect::<Option<Point>>().ok_or_else(|| "must be numbers, such as -3000.5,500".to_owned())
}

fn map(text: &str) -> Result<(String, PathBuf), String> {
    let (name, file) = text.split_once('=').ok_or("must be NAME=FILE, such as height=land.png")?;
    Ok((name.trim().to_owned(), file.into()))
}

fn setting(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').ok_or("must be NAME=VALUE, such as level=2")?;
    let number = value.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    Ok((name.trim().to_owned(), number.ok_or("the value must be a number, such as level=2")?))
}

/// `X,Y,W,H`.
fn crop(text: &str) -> Result<Crop, String> {
    let numbers: Option<Vec<u64>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    numbers.and_then(|numbers| Crop::of(&numbers)).ok_or_else(|| {
        "must be the first column, the first row, the width and the height in cells of the map, such as 100,50,512,512; \
         width and height at least 1"
            .to_owned()
    })
}

fn side(text: &str) -> Result<usize, String> {
    text.parse::<usize>()
        .ok()
        .filter(|&n| n > 0)
        .ok_or_else(|| "must be a whole number of at least 1".to_owned())
}

fn sea_level(text: &str) -> Result<f32, String> {
    let number = text.parse::<f32>().ok().filter(|v| v.is_finite());
    number.ok_or_else(|| "must be a number in the unit of the map, such as 0.125 or -20".into())
}

/// A number of a file as it is read: those that float32 does not hold become infinite.
fn nodata(text: &str) -> Result<f32, String> {
    let number = text.parse::<f64>().ok().filter(|v| !v.is_nan());
    number.map(|v| v as f32).ok_or_else(|| "must be a number of the file, such as -32768 or -1.8e308".into())
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|v| *v > 0.0 && v.is_finite());
    number.ok_or_else(|| "must be a number above 0, such as 2.5".into())
}

fn cell_m(text: &str) -> Result<f64, String> {
    positive(text).map_err(|_| "must be a number of metres above 0, such as 30".into())
}
/// A number of bytes with or without a unit: 8GiB, 500MB, 1073741824.
fn bytes(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 9] = [
        ("TiB", 1 << 40),
        ("GiB", 1 << 30),
        ("MiB", 1 << 20),
        ("KiB", 1 << 10),
        ("TB", 1_000_000_000_000),
        ("GB", 1_000_000_000),
        ("MB", 1_000_000),
        ("kB", 1000),
        ("", 1),
    ];
    let wrong = || format!("{text}: must be a number of bytes, such as 8GiB or 500MB");
    let lower = text.trim().to_lowercase();
    let of = |&&(unit, _): &&(&str, u64)| lower.ends_with(&unit.to_lowercase());
    let &(unit, factor) = UNITS.iter().find(of).ok_or_else(wrong)?;
    let number: f64 = lower[..lower.len() - unit.len()].trim().parse().map_err(|_| wrong())?;
    let bytes = number * factor as f64;
    (1.0..1e18).contains(&bytes).then_some(bytes as u64).ok_or_else(wrong)
}

fn threads(text: &str) -> Result<usize, String> {
    text.parse::<usize>()
        .ok()
        .filter(|n| (1..=256).contains(n))
        .ok_or_else(|| "must be between 1 and 256".to_owned())
}
