//! Chores of the project. `cargo xtask` lists them.

mod bench;
mod gallery;
mod goldens;
mod readme;
mod run;

use run::{Outcome, cargo, node, say};
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask test                 everything that must hold: format, lints, tests, docs, goldens, README
cargo xtask goldens              compare the golden hashes: 1, 2 and 7 threads, WASM
cargo xtask goldens --why TEXT   write them anew and note the reason in CHANGELOG.md
cargo xtask bench                a table of cells per second by stage and end to end
cargo xtask bench WORLD          that of forest, endless, city or island; the last two also try many seeds, which takes minutes
cargo xtask gallery              make the pictures of docs/ again";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["test"] => test(),
        ["goldens"] => goldens::compare(),
        ["goldens", "--why", why] if !why.trim().is_empty() => goldens::mint(why),
        ["bench", rest @ ..] => bench::run(rest),
        ["gallery"] => gallery::make(),
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
    install_target()?;
    say("format");
    cargo(&["fmt", "--all", "--check"])?;
    say("lints");
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    say("tests");
    cargo(&["test", "--workspace", "--quiet"])?;
    say("docs");
    run::with_env("RUSTDOCFLAGS", "-D warnings", &["doc", "--workspace", "--no-deps", "--quiet"])?;
    goldens::compare()?;
    readme::check()?;
    println!("all passed");
    Ok(())
}

/// The browser's target, which the toolchain may not have yet. Node runs what is built for it.
fn install_target() -> Outcome {
    say("wasm target (rustup target add wasm32-unknown-unknown)");
    run::program("rustup", &["target", "add", "wasm32-unknown-unknown"])?;
    node(&["--version"]).map(|_| ())
}
