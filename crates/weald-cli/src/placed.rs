//! Changes to files of placed things.

use crate::args::{Change, Pair, Placed as Args, whole};
use crate::make::print;
use std::path::Path;
use weald::export::atomic::{AtomicOutput, Existing, Form};
use weald::job::read_text;
use weald::world::{endless, planet};
use weald::{Error, Result};

/// The placed things of a world.
trait Things: Sized {
    fn parse(text: &str) -> std::result::Result<Self, String>;
    fn to_text(&self) -> String;
    /// Removes what is at a place; whether there was something.
    fn take_away(&mut self, place: Pair) -> Result<bool>;
    fn clear(&mut self, thing: &str) -> std::result::Result<usize, String>;
}

macro_rules! things {
    ($placed:ty, $place:expr) => {
        impl Things for $placed {
            fn parse(text: &str) -> std::result::Result<Self, String> {
                <$placed>::parse(text)
            }
            fn to_text(&self) -> String {
                <$placed>::to_text(self)
            }
            fn take_away(&mut self, place: Pair) -> Result<bool> {
                Ok(<$placed>::take_away(self, $place(place)?))
            }
            fn clear(&mut self, thing: &str) -> std::result::Result<usize, String> {
                <$placed>::clear(self, thing)
            }
        }
    };
}

things!(endless::Placed, |place| whole("place", place));
things!(planet::Placed, Ok::<Pair, Error>);

pub(crate) fn run(args: &Args) -> Result<()> {
    match args.world.as_str() {
        "planet" => change::<planet::Placed>(&args.change),
        _ => change::<endless::Placed>(&args.change),
    }
}

fn change<T: Things>(change: &Change) -> Result<()> {
    match change {
        Change::Add { file, .. } if file.as_os_str() == "-" => {
            Err(Error::Invalid("-: things can only be added to a file; give its name".into()))
        }
        Change::Add { file, thing, places } => {
            let mut text = if file.exists() { read_text(file)? } else { String::new() };
            T::parse(&text).map_err(|e| Error::Invalid(format!("{}: {e}", file.display())))?;
            let numbers: Vec<String> = places.iter().map(|(x, y)| format!("{x} {y}")).collect();
            let line = format!("{thing} {}", numbers.join(" "));
            T::parse(&line)
                .map_err(|e| Error::Invalid(e.strip_prefix("line 1: ").unwrap_or(&e).to_owned()))?;
            // The last entry counts, so a line at the end is enough, and comments stay.
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            write(file, &format!("{text}{line}\n"))?;
            print(&format!("{line} -> {}\n", file.display()))
        }
        Change::Remove { file, place } => {
            let mut placed: T = read(file)?;
            if !placed.take_away(*place)? {
                let message = format!("{}: nothing is placed at {},{}", file.display(), place.0, place.1);
                return Err(Error::Invalid(format!("{message}; `weald placed list` shows what is")));
            }
            write(file, &placed.to_text())?;
            print(&format!("removed what was at {},{}\n", place.0, place.1))
        }
        Change::Clear { file, thing } => {
            let mut placed: T = read(file)?;
            let gone = placed.clear(thing).map_err(Error::Invalid)?;
            write(file, &placed.to_text())?;
            print(&format!("removed {gone} of {thing}\n"))
        }
        Change::List { file } => print(&read::<T>(file)?.to_text()),
    }
}

fn read<T: Things>(file: &Path) -> Result<T> {
    T::parse(&read_text(file)?).map_err(|e| Error::Invalid(format!("{}: {e}", file.display())))
}

/// Writes the file whole or not at all.
fn write(file: &Path, text: &str) -> Result<()> {
    let output = AtomicOutput::new(file, Form::File, Existing::Replace)?;
    std::fs::write(output.path(), text).map_err(|e| Error::io(file, e))?;
    output.commit()
}
