//! Pages with generated parts: what stands between `<!-- generated: NAME -->` and `<!-- end -->` comes from the registry.

use crate::{file, tables};
use std::fs;
use weald::world::WORLDS;

/// The end of a generated part.
pub const END: &str = "<!-- end -->";

/// The parts that the page of a world must have.
pub const PARTS: [&str; 7] = ["recipes", "phases", "layers", "files", "views", "parameters", "rules"];

/// The line before a generated part.
pub fn marker(part: &str) -> String {
    format!("<!-- generated: {part} -->")
}

/// Writes the generated parts anew.
pub fn write() -> Result<(), String> {
    for page in pages()? {
        if page.new != page.old {
            fs::write(file(&page.path), page.new).map_err(|e| format!("{}: {e}", page.path))?;
            println!("{}", page.path);
        }
    }
    Ok(())
}

/// Fails if a page would change.
pub fn check() -> Result<(), String> {
    let drifted = pages()?.into_iter().filter(|p| p.new != p.old);
    let drifted: Vec<String> = drifted.map(|p| format!("  {}: {}", p.path, p.first_difference())).collect();
    if drifted.is_empty() {
        return Ok(());
    }
    Err(format!("these pages have drifted from the code; run cargo xtask docs:\n{}", drifted.join("\n")))
}

/// A page as it is and as it should be.
struct Page {
    path: String,
    old: String,
    new: String,
}

impl Page {
    fn first_difference(&self) -> String {
        let (mut old, mut new) = (self.old.lines(), self.new.lines());
        for line in 1.. {
            match (old.next(), new.next()) {
                (a, b) if a == b => {}
                (_, b) => return format!("line {line} should be `{}`", b.unwrap_or("missing")),
            }
        }
        unreachable!("the pages differ")
    }
}

/// README.md, the pages on measuring and on formats, and the page of every world.
fn pages() -> Result<Vec<Page>, String> {
    let readme = page("README.md".into(), |part| match part {
        "worlds" => Some(tables::worlds()),
        _ => None,
    });
    let worlds = WORLDS.iter().map(|world| {
        page(format!("docs/{}.md", world.info().name), |part| {
            Some(match part {
                "recipes" => tables::recipes(world.info()),
                "phases" => tables::phases(world.info()),
                "layers" => tables::layers(*world),
                "files" => tables::files(world.info()),
                "views" => tables::views(world.info()),
                "parameters" => tables::parameters(*world),
                "rules" => tables::rules(world.info()),
                _ => return None,
            })
        })
    });
    let measure = page("docs/measure.md".into(), |part| match part {
        "figures" => Some(tables::figures()),
        _ => None,
    });
    let formats = page("docs/formats.md".into(), |part| match part {
        "targets" => Some(tables::targets()),
        _ => None,
    });
    [readme, measure, formats].into_iter().chain(worlds).collect()
}

fn page(path: String, part: impl Fn(&str) -> Option<String>) -> Result<Page, String> {
    let old = fs::read_to_string(file(&path)).map_err(|e| format!("{path}: {e}"))?;
    let new = filled(&old, part).map_err(|e| format!("{path}: {e}"))?;
    Ok(Page { path, old, new })
}

/// The text with its generated parts filled in.
fn filled(text: &str, part: impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        let name = line.strip_prefix("<!-- generated: ").and_then(|l| l.strip_suffix(" -->"));
        let Some(name) = name else { continue };
        let content = part(name).ok_or_else(|| format!("there is no generated part called {name}"))?;
        out.push_str(&content);
        let end = lines.find(|l| *l == END || l.starts_with("<!-- generated: "));
        if end != Some(END) {
            return Err(format!("the generated part {name} has no {END}"));
        }
        out.push_str(END);
        out.push('\n');
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_page_has_drifted_from_the_code() {
        check().unwrap();
    }

    #[test]
    fn parts_are_replaced_and_the_prose_around_them_stays() {
        let text = "before\n<!-- generated: a -->\nold\nolder\n<!-- end -->\nafter\n";
        let part = |name: &str| (name == "a").then(|| "new\n".to_owned());
        let new = filled(text, part).unwrap();
        assert_eq!(new, "before\n<!-- generated: a -->\nnew\n<!-- end -->\nafter\n");
        assert_eq!(filled(&new, part).unwrap(), new);
    }

    #[test]
    fn a_part_without_an_end_or_of_an_unknown_name_is_refused() {
        let part = |name: &str| (name == "a").then(String::new);
        assert!(filled("<!-- generated: b -->\n<!-- end -->\n", part).unwrap_err().contains("called b"));
        assert!(filled("<!-- generated: a -->\nold\n", part).unwrap_err().contains("no <!-- end -->"));
        let nested = "<!-- generated: a -->\n<!-- generated: a -->\n<!-- end -->\n";
        assert!(filled(nested, part).unwrap_err().contains("no <!-- end -->"));
    }
}
