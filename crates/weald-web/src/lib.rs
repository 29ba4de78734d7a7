//! Weald in the browser: the catalogue, the schemas and the jobs of the library, in the types of JavaScript. It holds no terrain and
//! no numbers.
//!
//! The page runs this in workers. With the feature `engine`, `Session` makes one world after another and keeps the phases that did not
//! change, and `Tiles` makes pieces of worlds without edges. With the feature `checker` there is the independent checker instead, which
//! shares no code with the engine and is loaded apart.

#![cfg(target_arch = "wasm32")]

#[cfg(feature = "checker")]
pub mod checker;
#[cfg(feature = "engine")]
pub mod engine;
#[cfg(feature = "engine")]
mod place;
#[cfg(feature = "engine")]
mod request;
#[cfg(feature = "engine")]
pub mod session;
#[cfg(feature = "engine")]
pub mod tiles;
pub mod value;
mod watch;

use std::path::Path;
use wasm_bindgen::prelude::*;
use weald::files::memory;

/// Keeps the message of a panic for [`last_panic`].
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| watch::keep_panic(info.to_string())));
}

/// The message of the panic that ended this instance, or nothing.
#[wasm_bindgen]
pub fn last_panic() -> Option<String> {
    watch::panic_message()
}

/// Keeps a file that was given to the page, such as a heightmap, under a name that requests can use.
#[wasm_bindgen]
pub fn put_file(name: &str, bytes: &[u8]) -> std::result::Result<(), JsValue> {
    let path = Path::new(name);
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    let made = folder.map_or(Ok(()), memory::create_dir_all).and_then(|()| memory::write(path, bytes));
    made.map_err(|e| value::error(weald::Error::io(name, e)))
}

/// Forgets a file, or a folder with all that is in it.
#[wasm_bindgen]
pub fn remove_file(name: &str) {
    memory::remove(Path::new(name));
}
