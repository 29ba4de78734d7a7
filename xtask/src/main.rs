//! Chores of the project. `cargo xtask` lists them.

mod bench;
mod docs;
mod goldens;
mod interop;
mod python;
mod readme;
mod run;
mod scale;
mod steps;
mod web;

use run::{Outcome, cargo, node, say};
use std::process::ExitCode;
use steps::Steps;

const HELP: &str = "\
cargo xtask test                 everything that must hold: format, lints, tests, docs, goldens, README
cargo xtask goldens              compare the golden hashes: 1, 2 and 7 threads, WASM
cargo xtask goldens --arm        compare those of a build for 64-bit ARM, run by qemu
cargo xtask goldens --why TEXT   write them anew and note the reason in CHANGELOG.md
cargo xtask web                  build the page of `weald explore`, which the command line embeds when it is built next
cargo xtask interop              open every export with the programs that read it; installs them with apt-get, npm and pip
cargo xtask python               test the Python package in a virtual environment
cargo xtask readme               run the commands of README.md
cargo xtask docs                 write the generated tables of README.md and docs/ anew
cargo xtask docs --check         fail if one of them would change
cargo xtask gallery              make the pictures of docs/gallery and docs/explore again
cargo xtask bench                a table of cells per second by stage and end to end
cargo xtask bench landscape      meshes and landscape evolution beside other crates; `measure` times the figures of a heightmap, `route` least-cost paths
cargo xtask bench scale          maps larger than memory: seconds a cell and gigabytes of `weald build`; takes half an hour and 40 GB of disk
cargo xtask bench explore        the page in Chromium: first pictures, frames per second, weight
cargo xtask bench python         the Python package beside the library, and its tests that take minutes
cargo xtask bench WORLD          that of one world; if it has a sweep over many seeds, that is run too and takes minutes";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["test"] => test(),
        ["goldens"] => goldens::compare(&mut Steps::default()),
        ["goldens", "--arm"] => goldens::arm(),
        ["goldens", "--why", why] if !why.trim().is_empty() => goldens::mint(why),
        ["web"] => web::build(),
        ["interop"] => interop::full(),
        ["python"] => python::full(),
        ["readme"] => readme::check(),
        ["docs"] => docs::tables(&[]),
        ["docs", "--check"] => docs::tables(&["--check"]),
        ["gallery"] => docs::gallery(),
        ["bench"] => bench::run(None),
        ["bench", "explore"] => web::bench(),
        ["bench", "scale"] => {
            say("maps larger than memory");
            scale::bench()
        }
        ["bench", "python"] => python::bench(),
        ["bench", world] => bench::run(Some(world)),
        _ => Err(HELP.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The one test command.
fn test() -> Outcome {
    let mut steps = Steps::default();
    steps.step("WASM target", install_target)?;
    // First of all, because the program embeds the page. Linking it in one piece keeps one core busy for minutes; the command line is left to
    // the lints that follow, so that it does not embed half a page.
    steps.beside("page", web::build, without_page)?;
    let lints = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
    steps.step("lints", || cargo(&lints))?;
    // The crates left out have no tests; building criterion for them takes longer than most tests. The native golden
    // hashes are among the tests, so that nothing is built for them alone.
    let tests =
        ["-p", "weald-core", "-p", "weald", "-p", "weald-cli", "-p", "weald-goldens", "-p", "weald-docs"];
    steps.step("tests", || cargo(&[&["test", "--quiet"], &tests[..]].concat()))?;
    goldens::compare_wasm(&mut steps)?;
    steps.step("page in browsers", web::test)?;
    steps.step("exports in other programs", interop::quick)?;
    steps.step("Python package", python::check_built)?;
    steps.step("README", readme::check_built)?;
    steps.print();
    println!("all passed");
    Ok(())
}

/// The steps that do not need the page.
fn without_page(steps: &mut Steps) -> Outcome {
    steps.step("browsers", web::browsers)?;
    steps.step("Python environment", python::environment)?;
    steps.step("format", || cargo(&["fmt", "--all", "--check"]))?;
    let library =
        ["clippy", "-p", "weald-core", "-p", "weald", "--all-targets", "--quiet", "--", "-D", "warnings"];
    steps.step("lints of the library", || cargo(&library))?;
    let for_wasm = [
        "clippy",
        "-p",
        "weald-web",
        "--target",
        "wasm32-unknown-unknown",
        "--quiet",
        "--",
        "-D",
        "warnings",
    ];
    steps.step("lints of the browser's shell", || cargo(&for_wasm))?;
    let docs = ["doc", "-p", "weald-core", "-p", "weald", "--no-deps", "--quiet"];
    steps.step("docs", || run::with_env("RUSTDOCFLAGS", "-D warnings", &docs))
}

/// The browser's target, which the toolchain may not have yet. Node runs what is built for it.
fn install_target() -> Outcome {
    run::program("rustup", &["target", "add", "wasm32-unknown-unknown"])?;
    node(&["--version"]).map(|_| ())
}
