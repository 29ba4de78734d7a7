//! Controls that were given: a list of places as CSV.
//!
//! Quotes are those of RFC 4180: a field in quotes may hold separators, line breaks and quotes, each of which is doubled. Fields may end in a
//! semicolon or a tab too, as some programs write them.

use super::course::LEG_MARGIN_M;
use super::placed::Place;
use super::window::Window;
use crate::error::{Error, Result};

/// A place of a course that was given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// Metres east and north.
    pub place: Place,
    /// The code on the control.
    pub code: Option<u32>,
    /// What it stands at.
    pub description: Option<String>,
    /// Columns C, E, F and G of the description, each mostly empty: which of several, the second feature, the combination, the part.
    pub details: [String; 4],
}

/// Where the cells of a place are in a line.
struct Columns {
    x: usize,
    y: usize,
    code: Option<usize>,
    description: Option<usize>,
    details: [Option<usize>; 4],
    /// The description takes the rest of a line, because nothing else can follow.
    rest: bool,
}

impl Columns {
    /// Those of a list without a heading: x, y, code, description.
    fn plain() -> Self {
        Self { x: 0, y: 1, code: Some(2), description: Some(3), details: [None; 4], rest: true }
    }

    /// Those that a heading names; none if x or y is missing. `feature` and the details of it are the columns of a table of a course.
    fn named(cells: &[String]) -> Option<Self> {
        let find = |name: &str| cells.iter().position(|c| c.eq_ignore_ascii_case(name));
        let own = find("description");
        let details =
            ["which", "second", "combination", "part"].map(|name| find(name).filter(|_| own.is_none()));
        Some(Self {
            x: find("x")?,
            y: find("y")?,
            code: find("code"),
            description: own.or_else(|| find("feature")),
            details,
            rest: own.is_some_and(|c| c + 1 == cells.len()),
        })
    }
}

impl Given {
    /// Places from a CSV text: x and y, then a code and a description where there are any. The first line may be a heading that names the columns x,
    /// y, code and description. A description in the last column may have commas of its own, in another column it then needs quotes. The table
    /// of a course is read as its controls. `name` is that of the file, for messages.
    pub fn read(text: &str, name: &str) -> Result<Vec<Self>> {
        let bad = |line: usize, message: &str| Error::Invalid(format!("{name}:{line}: {message}"));
        let records = records(text).map_err(|(line, message)| bad(line, message))?;
        let mut columns = Columns::plain();
        let mut given: Vec<Self> = Vec::new();
        for (i, (line, cells)) in records.iter().enumerate() {
            if i == 0 && cells[0].parse::<f64>().is_err() {
                let message = "must name the columns x and y, or begin with two numbers";
                columns = Columns::named(cells).ok_or_else(|| bad(*line, message))?;
                continue;
            }
            given.push(Self::of(cells, &columns).map_err(|message| bad(*line, &message))?);
        }
        if given.len() < 2 {
            return Err(Error::Invalid(format!(
                "{name}: has {} places; a course needs at least two, a start and a finish",
                given.len()
            )));
        }
        Ok(given)
    }

    /// The place of a line, or what is wrong with it.
    fn of(cells: &[String], columns: &Columns) -> std::result::Result<Self, String> {
        let cell = |column: usize| cells.get(column).map(String::as_str).filter(|c| !c.is_empty());
        let metres = |column: usize| {
            let message = "a place must be two numbers, metres east and north, such as 120,-40; mend the line or take it out";
            let value =
                cell(column).and_then(|c| c.parse::<f64>().ok()).filter(|v| v.is_finite()).ok_or(message)?;
            let reach = super::params::REACH_M;
            if value.abs() > reach as f64 {
                return Err(format!(
                    "{value} is outside the world; give metres between -{reach} and {reach}"
                ));
            }
            Ok(value.round() as i64)
        };
        let place = (metres(columns.x)?, metres(columns.y)?);
        let code = match columns.code.and_then(cell) {
            None => None,
            Some(code) => Some(code.parse::<u32>().ok().filter(|&code| code > 0).ok_or_else(|| {
                format!("the code {code} must be a whole number of at least 1, such as 31; mend it or leave it empty")
            })?),
        };
        let words = columns.description.filter(|&c| c < cells.len()).map(|c| {
            // Spreadsheets fill lines with empty cells.
            let end = cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
            let words = if columns.rest { cells[c.min(end)..end].join(", ") } else { cells[c].clone() };
            words.trim().to_owned()
        });
        let description = words.filter(|words| !words.is_empty());
        let details = match description {
            Some(_) => columns.details.map(|c| c.and_then(cell).unwrap_or_default().to_owned()),
            None => Default::default(),
        };
        Ok(Self { place, code, description, details })
    }

    /// The window around some places, with room for circles and for routes.
    pub fn window(given: &[Self]) -> Window {
        let margin = LEG_MARGIN_M;
        let edge = |of: fn(&Self) -> i64, most: bool| {
            let values = given.iter().map(of);
            if most { values.max() } else { values.min() }.unwrap_or(0)
        };
        let (west, east) = (edge(|g| g.place.0, false) - margin, edge(|g| g.place.0, true) + margin);
        let (south, north) = (edge(|g| g.place.1, false) - margin, edge(|g| g.place.1, true) + margin);
        Window { west, north, width: (east - west + 1) as usize, height: (north - south + 1) as usize }
    }
}

/// A field of CSV as it is written: in quotes if it needs them.
pub(super) fn field(text: &str) -> String {
    // A field that begins with a number sign could begin a comment.
    let quotes =
        text.contains([',', ';', '\t', '"', '\n', '\r']) || text.starts_with('#') || text.trim() != text;
    if quotes { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// The number of a line, and its cells.
type Record = (usize, Vec<String>);

/// The lines of a CSV text that are neither empty nor comments, each with its number, as cells; or the line that is wrong, and why.
/// A line break within quotes becomes a space.
fn records(text: &str) -> std::result::Result<Vec<Record>, (usize, &'static str)> {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut out, mut line) = (Vec::new(), 1);
    while !rest.is_empty() {
        let whole = rest.split('\n').next().unwrap_or(rest);
        if whole.trim().is_empty() || whole.trim_start().starts_with('#') {
            rest = rest[whole.len()..].strip_prefix('\n').unwrap_or_default();
            line += 1;
            continue;
        }
        let (cells, after) = record(rest).map_err(|message| (line, message))?;
        let taken = &rest[..rest.len() - after.len()];
        out.push((line, cells));
        line += taken.matches('\n').count();
        rest = after;
    }
    Ok(out)
}

/// The cells of the first line of a text, and what follows that line.
fn record(text: &str) -> std::result::Result<(Vec<String>, &str), &'static str> {
    let (mut cells, mut rest) = (Vec::new(), text);
    loop {
        let bare = rest.trim_start_matches([' ', '\r']);
        let (cell, after) = match bare.strip_prefix('"') {
            Some(inside) => {
                let (cell, after) = quoted(inside)?;
                let after = after.trim_start_matches([' ', '\r']);
                if !after.is_empty() && !after.starts_with([',', ';', '\t', '\n']) {
                    return Err(
                        "a field in quotes must end at its last quote; write a quote inside it twice, as in \"a \"\"b\"\"\"",
                    );
                }
                (cell, after)
            }
            None => {
                let end = bare.find([',', ';', '\t', '\n']).unwrap_or(bare.len());
                (bare[..end].trim().to_owned(), &bare[end..])
            }
        };
        cells.push(cell);
        rest = after;
        match rest.chars().next() {
            None => return Ok((cells, rest)),
            Some(end) => {
                rest = &rest[end.len_utf8()..];
                if end == '\n' {
                    return Ok((cells, rest));
                }
            }
        }
    }
}

/// The words of a field whose first quote was read, and what follows its last one.
fn quoted(text: &str) -> std::result::Result<(String, &str), &'static str> {
    let (mut words, mut rest) = (String::new(), text);
    while let Some((part, after)) = rest.split_once('"') {
        words += part;
        match after.strip_prefix('"') {
            Some(more) => {
                words.push('"');
                rest = more;
            }
            None => {
                let lines: Vec<&str> =
                    words.split(['\r', '\n']).map(str::trim).filter(|l| !l.is_empty()).collect();
                return Ok((lines.join(" "), after));
            }
        }
    }
    Err("a quote begins here and has no end; write a second one behind the field")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        Given::read(text, "c.csv").unwrap_err().to_string()
    }

    fn words(given: &[Given]) -> Vec<&str> {
        given.iter().filter_map(|g| g.description.as_deref()).collect()
    }

    #[test]
    fn places_are_read_with_or_without_a_heading_and_wrong_ones_have_their_line() {
        let bare = Given::read("0,0\n10, -20, 45, boulder, north side\n30;40\n", "c.csv").unwrap();
        assert_eq!((bare.len(), bare[1].place, bare[1].code), (3, (10, -20), Some(45)));
        assert_eq!(bare[1].description.as_deref(), Some("boulder, north side"));
        let named = Given::read("code,y,x\n31,5,6\n32,7,8\n", "c.csv").unwrap();
        assert_eq!((named[0].place, named[0].code), ((6, 5), Some(31)));
        let rows = "x,y,description,code\n1,2,boulder,45\n3,4,\"knoll, top\",46\n";
        let mixed = Given::read(rows, "c.csv").unwrap();
        assert_eq!(mixed.iter().map(|g| g.code).collect::<Vec<_>>(), [Some(45), Some(46)]);
        assert_eq!(
            words(&mixed),
            ["boulder", "knoll, top"],
            "a description ends where the next column begins"
        );
        let last = Given::read("x,y,description\n1,2,boulder, north side\n3,4\n", "c.csv").unwrap();
        assert_eq!(words(&last), ["boulder, north side"]);
        assert!(refused("1,2,0\n3,4\n").contains("at least 1"));
        assert!(refused("1,2\n3\n").starts_with("c.csv:2: a place must be two numbers"));
        assert!(refused("1,2\n3,2e9\n").contains("c.csv:2: 2000000000 is outside the world"));
        assert!(refused("1,2\n").contains("at least two"));
    }

    #[test]
    fn only_the_first_line_is_a_heading() {
        for text in
            ["x,y\nx,y\n1,2\n3,4\n", "x,y\nnorth,south\n1,2\n3,4\n", "# a list\nx,y\nstart,here\n1,2\n3,4\n"]
        {
            let message = refused(text);
            assert!(
                message.contains("a place must be two numbers") && message.contains("take it out"),
                "{message}"
            );
        }
        assert!(refused("\n\neast,north\n1,2\n3,4\n").starts_with("c.csv:3: must name the columns x and y"));
        assert!(refused("1,2\nx,y\n3,4\n").starts_with("c.csv:2: "));
    }

    #[test]
    fn quotes_hold_separators_line_breaks_and_doubled_quotes() {
        let text = "\u{feff}\"x\",\"y\",\"description\",\"code\"\r\n1,2,\"a, b\",31\r\n\r\n3,4, \"the \"\"big\"\" one\" ,32\r\n\
                    5,6,\"two\r\nlines; here\",33\r\n7,8,half a 5\" pipe,34\r\n9,10,\"\",35\r\nwrong\r\n";
        assert!(refused(text).starts_with("c.csv:9: "), "{}", refused(text));
        let given = Given::read(text.trim_end_matches("wrong\r\n"), "c.csv").unwrap();
        assert_eq!(words(&given), ["a, b", "the \"big\" one", "two lines; here", "half a 5\" pipe"]);
        assert_eq!(given.iter().filter_map(|g| g.code).collect::<Vec<_>>(), [31, 32, 33, 34, 35]);
        let commas = Given::read("1,2,31,\"a, b\",,\n3,4,32,\"a\"\"b\"\n5,6,,,\n", "c.csv").unwrap();
        assert_eq!(words(&commas), ["a, b", "a\"b"]);
    }

    #[test]
    fn a_quote_without_an_end_and_words_behind_one_are_refused_with_their_line() {
        assert!(
            refused("1,2\n3,4,31,\"boulder\n5,6\n")
                .starts_with("c.csv:2: a quote begins here and has no end")
        );
        assert!(refused("1,2\n3,4,31,\"big\" boulder\n").starts_with("c.csv:2: a field in quotes must end"));
    }

    #[test]
    fn a_field_reads_back_as_it_was_written() {
        for words in ["boulder", "a, b", "a \"b\"", "\"", "#1", "knoll; top", "", "tab\there"] {
            let text = format!("x,y,description,code\n1,2,{},31\n3,4,x,32\n", field(words));
            let given = Given::read(&text, "c.csv").unwrap();
            assert_eq!(given[0].description.as_deref().unwrap_or_default(), words);
        }
    }
}
