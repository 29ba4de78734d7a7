//! Makes the JavaScript of the browser build: `weald-bindgen MODULE.wasm FOLDER`.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = &args[..] else {
        eprintln!("usage: weald-bindgen MODULE.wasm FOLDER");
        return ExitCode::from(2);
    };
    let made = Bindgen::new().input_path(module).web(true).and_then(|b| b.typescript(true).generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
