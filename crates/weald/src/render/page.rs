//! An HTML page of pictures.

use std::fmt::Write;

/// One picture of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Path of the picture, relative to the page.
    pub file: String,
    /// Name above the text.
    pub title: String,
    /// What it shows; also the text for screen readers.
    pub caption: String,
}

/// The page with all `entries`, the first one large. It needs no other files than the pictures, runs no script and follows
/// the reader's choice of a light or dark theme.
pub fn index_page(title: &str, entries: &[Entry]) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{0}</title>\n<style>{CSS}</style>\n</head>\n<body>\n<header><h1>{0}</h1>\n<p>{1}</p></header>\n<main>\n",
        escaped(title),
        match entries.len() {
            1 => "1 picture".to_string(),
            n => format!("{n} pictures"),
        },
    );
    for (k, e) in entries.iter().enumerate() {
        let (file, name, text) = (escaped(&e.file), escaped(&e.title), escaped(&e.caption));
        let class = if k == 0 { " class=\"large\"" } else { "" };
        let loading = if k == 0 { "eager" } else { "lazy" };
        // A full stop separates name and caption for screen readers.
        let _ = writeln!(
            page,
            "<figure{class}>\n<a href=\"{file}\"><img src=\"{file}\" alt=\"{name}. {text}\" loading=\"{loading}\"></a>\n\
             <figcaption><strong>{name}</strong> {text}</figcaption>\n</figure>"
        );
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

const CSS: &str = "
:root { color-scheme: light dark; --paper: #faf7ef; --card: #fffdf8; --ink: #36322c; --faint: #7a7265; --rule: #e2dccd; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #1d1c1a; --card: #272522; --ink: #ece7dc; --faint: #a49c8d; --rule: #3a3732; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 96rem; padding: 2.5rem clamp(1rem, 4vw, 3rem) 4rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 Ubuntu, \"Segoe UI\", system-ui, sans-serif; }
h1 { margin: 0; font-weight: 300; font-size: 2.4rem; line-height: 1.2; overflow-wrap: anywhere; }
header p { margin: .25rem 0 2rem; color: var(--faint); }
main { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); }
figure { margin: 0; background: var(--card); border: 1px solid var(--rule); border-radius: 6px; overflow: hidden; }
figure.large { grid-column: 1 / -1; }
img { display: block; width: 100%; height: auto; }
figcaption { padding: .75rem 1rem 1rem; color: var(--faint); font-size: .95rem; }
figcaption strong { display: block; color: var(--ink); font-weight: 500; }
a:focus-visible { outline: 3px solid #3e78a4; outline-offset: -3px; }
";

/// `text` with the five special characters of HTML escaped.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, c| {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_picture_is_shown_with_its_words_and_nothing_is_taken_for_markup() {
        let entry = |f: &str| Entry { file: f.into(), title: "a <b>".into(), caption: "\"x\" & y".into() };
        let page = index_page("T & U", &[entry("one.png"), entry("two.png")]);
        assert_eq!(page.matches("<img ").count(), 2);
        assert_eq!(page.matches("alt=\"a &lt;b&gt;. &quot;x&quot; &amp; y\"").count(), 2);
        assert!(page.contains("<title>T &amp; U</title>") && page.contains("2 pictures"));
        assert!(page.contains("src=\"two.png\"") && !page.contains("<script"));
        assert!(!page.contains("http"), "the page stands by itself");
    }
}
