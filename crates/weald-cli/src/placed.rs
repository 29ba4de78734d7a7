//! Changes to files of placed things.

use crate::args::Change;
use crate::make::print;
use std::path::Path;
use weald::export::atomic::{AtomicOutput, Existing, Form};
use weald::job::read_text;
use weald::world::endless::Placed;
use weald::{Error, Result};

pub(crate) fn run(change: &Change) -> Result<()> {
    match change {
        Change::Add { file, .. } if file.as_os_str() == "-" => {
            Err(Error::Invalid("-: things can only be added to a file; give its name".into()))
        }
        Change::Add { file, thing, places } => {
            let mut placed = if file.exists() { read(file)? } else { Placed::default() };
            let numbers: Vec<String> = places.iter().map(|(x, y)| format!("{x} {y}")).collect();
            let line = format!("{thing} {}", numbers.join(" "));
            let new = Placed::parse(&line)
                .map_err(|e| Error::Invalid(e.strip_prefix("line 1: ").unwrap_or(&e).to_owned()))?;
            placed.extend(&new);
            write(file, &placed)?;
            print(&format!("{line} -> {}\n", file.display()))
        }
        Change::Remove { file, place } => {
            let mut placed = read(file)?;
            if !placed.take_away(*place) {
                let message = format!("{}: nothing is placed at {},{}", file.display(), place.0, place.1);
                return Err(Error::Invalid(format!("{message}; `weald placed list` shows what is")));
            }
            write(file, &placed)?;
            print(&format!("removed what was at {},{}\n", place.0, place.1))
        }
        Change::Clear { file, thing } => {
            let mut placed = read(file)?;
            let gone = placed.clear(thing).map_err(Error::Invalid)?;
            write(file, &placed)?;
            print(&format!("removed {gone} of {thing}\n"))
        }
        Change::List { file } => print(&read(file)?.to_text()),
    }
}

fn read(file: &Path) -> Result<Placed> {
    Placed::parse(&read_text(file)?).map_err(|e| Error::Invalid(format!("{}: {e}", file.display())))
}

/// Writes the file whole or not at all.
fn write(file: &Path, placed: &Placed) -> Result<()> {
    let output = AtomicOutput::new(file, Form::File, Existing::Replace)?;
    std::fs::write(output.path(), placed.to_text()).map_err(|e| Error::io(file, e))?;
    output.commit()
}
