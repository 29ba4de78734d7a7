//! Embeds the page of `weald explore`: the files of `page`, which `cargo xtask web` makes. Without them the program is built all the same.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("page");
    // A folder that is not there yet is looked for again at the next build.
    println!("cargo::rerun-if-changed=page");
    println!("cargo::rerun-if-changed=build.rs");
    let mut files = Vec::new();
    if folder.is_dir() {
        collect(&folder, &mut files)?;
    }
    files.sort();
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let mut table = String::from("&[\n");
    for (i, file) in files.iter().enumerate() {
        let name =
            file.strip_prefix(&folder).expect("it is in the folder").to_string_lossy().replace('\\', "/");
        // A copy, so that a page that is made anew during the build does no harm.
        fs::copy(file, out.join(format!("page-{i}")))?;
        let _ = writeln!(table, "    ({name:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), \"/page-{i}\"))),");
    }
    table.push_str("]\n");
    fs::write(out.join("page.rs"), table)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
