//! Writes the generated parts of the documentation and the pictures of the gallery: `cargo xtask docs`, `cargo xtask gallery`.

use std::process::ExitCode;
use weald_docs::{gallery, pages};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["docs"] => pages::write(),
        ["docs", "--check"] => pages::check(),
        ["gallery", program] => gallery::make(program.as_ref()),
        _ => Err("weald-docs docs [--check] | gallery PROGRAM".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
