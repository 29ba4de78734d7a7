//! The checker: reads the files of a folder and knows nothing of how they were made.

use crate::value;
use std::path::Path;
use wasm_bindgen::prelude::*;

/// Checks the files that were put into a folder, as `weald check` does; the report as JSON.
#[wasm_bindgen]
pub fn check(folder: &str) -> std::result::Result<String, JsValue> {
    weald::check::path(Path::new(folder)).map(|report| report.to_json().to_string()).map_err(value::error)
}
