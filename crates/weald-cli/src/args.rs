//! The command line, as clap sees it.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use weald::recipe::{parse_seed, parse_size};

/// Makes worlds: terrain with water, biomes and gameplay data, the same bits on every machine.
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
  weald derive forest --map-h height.png -o mine/
  weald check forest/

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
    /// Does this output keep its world's rules? Exit code 0 if it does, 1 if not
    Check {
        /// A folder, a tiles file (.json or .ndjson), or - for standard input
        path: PathBuf,
        /// Print the report as JSON
        #[arg(long)]
        json: bool,
    },
    /// Ask a galaxy
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
        world: String,
        /// Start from this recipe: a file, or one that comes with the program
        #[arg(long, value_name = "FILE|NAME")]
        recipe: Option<PathBuf>,
    },
    /// Print a JSON schema
    Schema {
        /// The world
        world: String,
        /// Of what
        #[arg(long, value_enum, default_value_t = SchemaOf::Params)]
        of: SchemaOf,
    },
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

#[derive(Subcommand)]
pub(crate) enum AskGalaxy {
    /// How dense the stars are, how near the nearest one is, how many planets they have, and whether colour and planets go
    /// together
    Stats(GalaxyStats),
}

#[derive(Args)]
pub(crate) struct GalaxyStats {
    /// Seed, a whole number up to 18446744073709551615 [default: 1]
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,
    /// Width and height of the block in light years [default: 800x600]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub(crate) size: Option<(usize, usize)>,
    /// A recipe: a TOML file, the name of one that comes with the program, or - for standard input
    #[arg(long, value_name = "FILE|NAME")]
    pub(crate) recipe: Option<PathBuf>,
    /// One parameter; may be repeated
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
    /// The parameters as a JSON object, by the names of the world's document (for --params)
    Params,
    /// The recipe file (for --recipe)
    Recipe,
    /// The world's own file: for the forest, tiles.json
    Output,
}

#[derive(Args)]
pub(crate) struct Make {
    /// The world; `weald worlds` lists them
    pub(crate) world: String,

    /// Seed, a whole number up to 18446744073709551615 [default: 1, of the planet 0]
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_hyphen_values = true, help_heading = "What to make")]
    pub(crate) seed: Option<u64>,
    /// Width and height in cells [default: 256x256, of the galaxy 800x600]
    #[arg(long, value_name = "WxH", value_parser = parse_size, conflicts_with_all = ["width", "height"],
          help_heading = "What to make")]
    pub(crate) size: Option<(usize, usize)>,
    /// Width in cells
    #[arg(long, value_name = "W", help_heading = "What to make", value_parser = side)]
    pub(crate) width: Option<usize>,
    /// Height in cells
    #[arg(long, value_name = "H", help_heading = "What to make", value_parser = side)]
    pub(crate) height: Option<usize>,
    /// A recipe: a TOML file, the name of one that comes with the program, or - for standard input
    #[arg(long, value_name = "FILE|NAME", help_heading = "What to make")]
    pub(crate) recipe: Option<PathBuf>,
    /// Parameters as a JSON object; - for standard input
    #[arg(long, value_name = "FILE", help_heading = "What to make")]
    pub(crate) params: Option<PathBuf>,
    /// One parameter; may be repeated
    #[arg(long, value_name = "PATH=VALUE", help_heading = "What to make")]
    pub(crate) set: Vec<String>,
    /// Your elevation map: .json, grey .png, .npy or float .tif, values 0 to 1
    #[arg(long, value_name = "FILE", help_heading = "Maps of your own (derive, debug)")]
    pub(crate) map_h: Option<PathBuf>,
    /// Your roughness map
    #[arg(long, value_name = "FILE", help_heading = "Maps of your own (derive, debug)")]
    pub(crate) map_r: Option<PathBuf>,
    /// Your vegetation variance map
    #[arg(long, value_name = "FILE", help_heading = "Maps of your own (derive, debug)")]
    pub(crate) map_v: Option<PathBuf>,

    /// Where to: a folder, a file NAME.json or NAME.ndjson, or - for standard output [default: WORLD-SEED]
    #[arg(short, long, value_name = "PATH", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Replace what is there
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,
    /// Layers to write as .npy: all, none, or names with commas between [default: all]
    #[arg(long, value_name = "all|none|a,b", help_heading = "Output")]
    pub(crate) layers: Option<String>,
    /// Layers to write as .png as well: measures 16-bit grey, classes with their colours [default: none]
    #[arg(long, value_name = "all|none|a,b", help_heading = "Output")]
    pub(crate) png: Option<String>,
    /// The world's own files to write; the forest has tiles.json and tiles.ndjson [default: tiles.json]
    #[arg(long, value_name = "all|none|a,b", help_heading = "Output")]
    pub(crate) files: Option<String>,
    /// Add to the world's own files; for the forest: cliffs
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Output")]
    pub(crate) with: Vec<String>,
    /// Check the folder by the rules of its world before it appears, and list the rules in the manifest
    #[arg(long, help_heading = "Output")]
    pub(crate) check: bool,

    /// Threads to use; the result is the same for any number [default: all]
    #[arg(long, value_name = "N", value_parser = threads, help_heading = "Running")]
    pub(crate) threads: Option<usize>,
    /// Print the recipe with the origin of each value, and make nothing
    #[arg(long, help_heading = "Running")]
    pub(crate) print_recipe: bool,
    /// Print how long each stage took
    #[arg(long, help_heading = "Running")]
    pub(crate) timings: bool,
    /// Print the summary as JSON
    #[arg(long, help_heading = "Running")]
    pub(crate) json: bool,
    /// Print nothing but errors
    #[arg(short, long, help_heading = "Running")]
    pub(crate) quiet: bool,
}

fn side(text: &str) -> Result<usize, String> {
    text.parse::<usize>()
        .ok()
        .filter(|&n| n > 0)
        .ok_or_else(|| "must be a whole number of at least 1".to_owned())
}

fn threads(text: &str) -> Result<usize, String> {
    text.parse::<usize>()
        .ok()
        .filter(|n| (1..=256).contains(n))
        .ok_or_else(|| "must be between 1 and 256".to_owned())
}
