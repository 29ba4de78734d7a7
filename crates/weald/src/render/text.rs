//! Text: outlines of Ubuntu Light, kerned, drawn as filled paths.

use super::canvas::{Canvas, Pen, Point};
use super::image::Rgb;
use std::sync::OnceLock;
use tiny_skia::{PathBuilder, Transform};
use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// Alignment of a line of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Its left end.
    Left,
    /// Its centre.
    Centre,
    /// Its right end.
    Right,
}

/// How text looks.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    /// Size of the em square in pixels.
    pub size: f32,
    /// Colour.
    pub colour: Rgb,
    /// Thickness added to the strokes, as a share of the size; 0 for the light face, 0.03 for a bold one.
    pub weight: f32,
    /// Space added between letters, as a share of the size.
    pub spacing: f32,
    /// Which end is placed.
    pub align: Align,
}

impl Type {
    /// Text of a regular weight, placed by its left end.
    pub fn new(size: f32, colour: Rgb) -> Self {
        Self { size, colour, weight: 0.012, spacing: 0.0, align: Align::Left }
    }

    /// The same with thicker strokes.
    pub fn bold(self) -> Self {
        Self { weight: 0.032, ..self }
    }

    /// The same with another alignment.
    pub fn align(self, align: Align) -> Self {
        Self { align, ..self }
    }

    /// The same with space between letters, as a share of the size.
    pub fn spaced(self, spacing: f32) -> Self {
        Self { spacing, ..self }
    }
}

/// The typeface, read once.
fn face() -> &'static Face<'static> {
    static FACE: OnceLock<Face<'static>> = OnceLock::new();
    FACE.get_or_init(|| {
        Face::parse(epaint_default_fonts::UBUNTU_LIGHT, 0).expect("the built-in font is sound")
    })
}

/// Kerning of a pair, in font units.
fn kern(left: GlyphId, right: GlyphId) -> i32 {
    let Some(gpos) = face().tables().gpos else {
        return 0;
    };
    let of_pair = |pair: PairAdjustment| -> Option<i32> {
        let index = pair.coverage().get(left)?;
        let value = match pair {
            PairAdjustment::Format1 { sets, .. } => sets.get(index)?.get(right)?.0,
            PairAdjustment::Format2 { classes, matrix, .. } => {
                matrix.get((classes.0.get(left), classes.1.get(right)))?.0
            }
        };
        Some(value.x_advance as i32)
    };
    for lookup in gpos.lookups {
        for sub in lookup.subtables.into_iter::<PositioningSubtable>() {
            if let PositioningSubtable::Pair(pair) = sub
                && let Some(advance) = of_pair(pair)
                && advance != 0
            {
                return advance;
            }
        }
    }
    0
}

/// Each glyph with its distance from the start, and the whole length, in pixels.
fn layout(text: &str, look: &Type) -> (Vec<(GlyphId, f32)>, f32) {
    let scale = look.size / face().units_per_em() as f32;
    let (mut x, mut glyphs) = (0.0, Vec::new());
    let mut last: Option<GlyphId> = None;
    for c in text.chars() {
        let id = face().glyph_index(c).or_else(|| face().glyph_index('?')).unwrap_or_default();
        if let Some(left) = last {
            x += kern(left, id) as f32 * scale + look.spacing * look.size;
        }
        glyphs.push((id, x));
        x += face().glyph_hor_advance(id).unwrap_or(0) as f32 * scale;
        last = Some(id);
    }
    (glyphs, x)
}

/// Length of a line of text in pixels.
pub fn width(text: &str, look: &Type) -> f32 {
    layout(text, look).1
}

/// How far the letters of a text reach above and below the centre of its digits, in pixels.
pub fn reach(text: &str, look: &Type) -> (f32, f32) {
    let scale = look.size / face().units_per_em() as f32;
    let boxes = layout(text, look).0.into_iter().filter_map(|(id, _)| face().glyph_bounding_box(id));
    boxes.fold((HALF * look.size, HALF * look.size), |(above, below), b| {
        let (top, bottom) = (b.y_max as f32 * scale, b.y_min as f32 * scale);
        (above.max(top - HALF * look.size), below.max(HALF * look.size - bottom))
    })
}

/// Half the height of digits, as a share of the size.
const HALF: f32 = 0.35;

/// Glyph outlines turned into a path.
struct Pencil {
    path: PathBuilder,
    at: Point,
    scale: f32,
}

impl Pencil {
    fn to(&self, x: f32, y: f32) -> Point {
        (self.at.0 + x * self.scale, self.at.1 - y * self.scale)
    }
}

impl OutlineBuilder for Pencil {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.to(x, y);
        self.path.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.to(x, y);
        self.path.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.to(x1, y1), self.to(x, y));
        self.path.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.to(x1, y1), self.to(x2, y2), self.to(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.path.close();
    }
}

/// Draws one line of text with its baseline through `at`.
pub fn draw(canvas: &mut Canvas, text: &str, at: Point, look: &Type) {
    let (glyphs, length) = layout(text, look);
    let start = match look.align {
        Align::Left => at.0,
        Align::Centre => at.0 - length / 2.0,
        Align::Right => at.0 - length,
    };
    let scale = look.size / face().units_per_em() as f32;
    let mut pencil = Pencil { path: PathBuilder::new(), at, scale };
    for (id, x) in glyphs {
        pencil.at = (start + x, at.1);
        face().outline_glyph(id, &mut pencil);
    }
    if let Some(path) = pencil.path.finish() {
        canvas.fill(&path, look.colour, 1.0);
        if look.weight > 0.0 {
            canvas.stroke(&path, &Pen::new(look.colour, look.weight * look.size));
        }
    }
}

/// Draws one line of text with the centre of its digits at `middle`, along the direction `turn` of length 1.
pub fn draw_turned(canvas: &mut Canvas, text: &str, middle: Point, turn: Point, look: &Type) {
    let (glyphs, length) = layout(text, look);
    let scale = look.size / face().units_per_em() as f32;
    let mut pencil = Pencil { path: PathBuilder::new(), at: (0.0, 0.0), scale };
    for (id, x) in glyphs {
        pencil.at = (x - length / 2.0, HALF * look.size);
        face().outline_glyph(id, &mut pencil);
    }
    let ((x, y), (c, s)) = (middle, turn);
    let placed = pencil.path.finish().and_then(|p| p.transform(Transform::from_row(c, s, -s, c, x, y)));
    if let Some(path) = placed {
        canvas.fill(&path, look.colour, 1.0);
        if look.weight > 0.0 {
            canvas.stroke(&path, &Pen::new(look.colour, look.weight * look.size));
        }
    }
}

/// `text` broken into lines of at most `most` pixels; a longer word stands alone.
pub fn wrapped(text: &str, look: &Type, most: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), look) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// A class or layer name as words: `pine_heath` becomes `Pine heath`.
pub fn words(name: &str) -> String {
    let mut out = name.replace('_', " ");
    if let Some(first) = out.get(..1).map(str::to_uppercase) {
        out.replace_range(..1, &first);
    }
    out
}

/// A number in at most `digits` significant decimals after the point, without trailing zeros.
pub fn number(value: f64, digits: usize) -> String {
    let mut s = format!("{value:.digits$}");
    if s.contains('.') {
        s.truncate(s.trim_end_matches('0').trim_end_matches('.').len());
    }
    let s = if s == "-0" { "0".to_string() } else { s };
    s.replace('-', "\u{2212}")
}

/// A share as a percentage: whole from 10 %, one decimal below, `< 0.1 %` for the least.
pub fn percent(share: f64) -> String {
    let p = share * 100.0;
    if p > 0.0 && p < 0.05 {
        "< 0.1 %".to_string()
    } else if p < 9.95 {
        format!("{p:.1} %")
    } else if p < 100.0 && p > 99.5 {
        "> 99 %".to_string()
    } else {
        format!("{p:.0} %")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_as_long_as_its_parts_less_the_kerning() {
        let look = Type::new(100.0, [0; 3]);
        let apart = width("A", &look) + width("V", &look);
        assert!(width("AV", &look) < apart - 1.0, "{} {apart}", width("AV", &look));
        assert!((width("AV", &look.spaced(0.1)) - width("AV", &look) - 10.0).abs() < 1e-3);
    }

    #[test]
    fn text_leaves_ink_between_its_ends_and_above_its_baseline() {
        let mut canvas = Canvas::new(120, 40, [255; 3]);
        draw(&mut canvas, "Weald", (60.0, 30.0), &Type::new(30.0, [0; 3]).align(Align::Centre));
        let image = canvas.into_image();
        let dark = |x0: usize, x1: usize, y0: usize, y1: usize| {
            (y0..y1).any(|y| (x0..x1).any(|x| image.at(x, y)[0] < 100))
        };
        assert!(dark(20, 100, 5, 30));
        assert!(!dark(0, 120, 32, 40) && !dark(0, 10, 0, 40));
    }

    #[test]
    fn turned_text_runs_along_its_direction_around_its_middle() {
        let mut canvas = Canvas::new(120, 120, [255; 3]);
        draw_turned(&mut canvas, "400", (60.0, 60.0), (0.0, 1.0), &Type::new(40.0, [0; 3]));
        let image = canvas.into_image();
        let dark: Vec<(usize, usize)> =
            (0..120 * 120).map(|i| (i % 120, i / 120)).filter(|&(x, y)| image.at(x, y)[0] < 100).collect();
        let (left, right) =
            (dark.iter().map(|p| p.0).min().unwrap(), dark.iter().map(|p| p.0).max().unwrap());
        let (top, bottom) =
            (dark.iter().map(|p| p.1).min().unwrap(), dark.iter().map(|p| p.1).max().unwrap());
        assert!(bottom - top > right - left + 20, "it runs down the page");
        assert!(
            (left + right).abs_diff(120) < 6 && (top + bottom).abs_diff(120) < 6,
            "its middle is in the middle"
        );
    }

    #[test]
    fn lines_are_broken_between_words_and_none_is_lost() {
        let look = Type::new(20.0, [0; 3]);
        let lines = wrapped("the quick brown fox jumps over the lazy dog", &look, 120.0);
        assert!(lines.len() > 2 && lines.iter().all(|l| width(l, &look) <= 120.0));
        assert_eq!(lines.join(" "), "the quick brown fox jumps over the lazy dog");
    }

    #[test]
    fn letters_with_tails_and_accents_reach_farther() {
        let look = Type::new(100.0, [0; 3]);
        let [(a, b), (c, d), (e, f)] = ["nor", "lyk", "Éa"].map(|text| reach(text, &look));
        assert!((a - 35.0).abs() < 2.0 && (b - 35.0).abs() < 2.0, "{a} {b}");
        assert!(c > a + 5.0 && d > b + 15.0 && e > c + 10.0 && f < d, "{c} {d} {e} {f}");
    }

    #[test]
    fn names_numbers_and_shares_read_well() {
        assert_eq!(words("pine_heath"), "Pine heath");
        assert_eq!(words(""), "");
        assert_eq!(number(0.50, 3), "0.5");
        assert_eq!(number(-0.0001, 2), "0");
        assert_eq!(number(-2.5, 2), "\u{2212}2.5");
        assert_eq!(percent(0.931), "93 %");
        assert_eq!(percent(0.0001), "< 0.1 %");
        assert_eq!(percent(0.012), "1.2 %");
        assert_eq!(percent(1.0), "100 %");
        assert_eq!(percent(0.998), "> 99 %");
    }
}
