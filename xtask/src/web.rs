//! The page of `weald explore`: the engine as WASM, its JavaScript, and what Vite makes of both.

use crate::run::{Outcome, cargo, command, finish, output, program, root, target, with_env};
use std::fs;
use std::path::{Path, PathBuf};

/// Vectors of 128 bits, which every browser has had since 2023, and less inlining than natively: the module is 3 % smaller, and drawing in it takes
/// an eighth less time.
const FLAGS: (&str, &str) = (
    "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
    "-C target-feature=+simd128 -C llvm-args=-inline-threshold=100",
);

/// What the browsers can do beyond the first version of WASM.
const FEATURES: [&str; 6] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
];

/// The folder of the front end.
pub(crate) fn folder() -> PathBuf {
    root().join("web")
}

/// The folder of the engine and its JavaScript.
pub(crate) fn package() -> PathBuf {
    folder().join("src").join(MODULES[0].package)
}

/// Builds the engine for the browser.
pub(crate) fn engine() -> Outcome {
    packages()?;
    module(&MODULES[0])
}

/// Builds the page into `crates/weald-cli/page`, which the command line embeds when it is built next.
pub(crate) fn build() -> Outcome {
    packages()?;
    MODULES.iter().try_for_each(module)?;
    npm(&["run", "--silent", "build"])
}

/// Installs the packages that the lock file lists, unless they are there. `npm ci` would refuse a lock file without the optional packages of other
/// platforms, which npm leaves out where their engines do not fit.
pub(crate) fn packages() -> Outcome {
    output("node", &["--version"]).map_err(|e| {
        format!("{e}\nNode.js 20 or newer is needed to build the page; the command line is built without it")
    })?;
    let (listed, there) =
        (folder().join("package-lock.json"), folder().join("node_modules/.package-lock.json"));
    let time = |path: &Path| fs::metadata(path).and_then(|m| m.modified()).ok();
    if time(&there).is_some_and(|t| Some(t) >= time(&listed)) {
        return Ok(());
    }
    npm(&["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"])
}

/// A module of the page: the feature of `weald-web` that it holds, its folder in `web/src`, and how it is optimised.
struct Module {
    feature: &'static str,
    package: &'static str,
    optimise: &'static str,
}

/// The engine, which must be fast, and the checker, which is loaded apart and must be small.
const MODULES: [Module; 2] = [
    Module { feature: "engine", package: "pkg", optimise: "-O2" },
    Module { feature: "checker", package: "pkg-check", optimise: "-Oz" },
];

/// Builds a module and its JavaScript.
fn module(of: &Module) -> Outcome {
    let triple = "wasm32-unknown-unknown";
    let build = ["build", "--profile", "web", "--quiet", "-p", "weald-web", "--target", triple];
    let features = ["--no-default-features", "--features", of.feature];
    with_env(FLAGS.0, FLAGS.1, &[&build[..], &features].concat())?;
    let built = target().join(triple).join("web/weald_web.wasm").display().to_string();
    let package = folder().join("src").join(of.package);
    let made = package.join("weald_web_bg.wasm").display().to_string();
    cargo(&["run", "--quiet", "-p", "weald-bindgen", "--", &built, &package.display().to_string()])?;
    let optimiser = folder().join("node_modules/binaryen/bin/wasm-opt").display().to_string();
    let smaller = format!("{made}.smaller");
    let optimise =
        [&[&optimiser[..], of.optimise, "--strip-debug"], &FEATURES[..], &[&made, "-o", &smaller]].concat();
    finish(command("node", &optimise), "wasm-opt")?;
    fs::rename(&smaller, &made).map_err(|e| format!("{smaller}: {e}"))
}

/// The browsers of the tests, and the Debian packages that hold them.
const BROWSERS: [&str; 2] = ["chromium", "firefox-esr"];

/// Installs the browsers that are missing.
pub(crate) fn browsers() -> Outcome {
    let missing: Vec<&str> = BROWSERS.into_iter().filter(|b| output(b, &["--version"]).is_err()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let advice = |e: String| {
        format!("{e}\nThe tests of the page need {}; on Debian: apt-get install {0}", missing.join(" "))
    };
    program("apt-get", &["update", "-qq"]).map_err(advice)?;
    let install = [&["install", "-y", "-qq", "--no-install-recommends"], &missing[..]].concat();
    program("apt-get", &install).map_err(advice)
}

/// Tests the page in browsers, as the program that the tests have built serves it.
pub(crate) fn test() -> Outcome {
    program("node", &["web/test/run.mjs", "--weald", &target().join("debug/weald").display().to_string()])
}

/// Times the page in Chromium.
pub(crate) fn bench() -> Outcome {
    build()?;
    browsers()?;
    cargo(&["build", "--release", "--quiet", "-p", "weald-cli"])?;
    program("node", &["web/test/bench.mjs", "--weald", &target().join("release/weald").display().to_string()])
}

/// Runs npm in the folder of the front end.
pub(crate) fn npm(args: &[&str]) -> Outcome {
    let mut npm = command("npm", args);
    npm.current_dir(folder());
    finish(npm, &format!("npm {}", args.join(" ")))
}
