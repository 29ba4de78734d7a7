//! Sheets as SVG 1.1 of real size, so that older readers draw them too; only the blending of the course is newer. Coordinates are hundredths of a millimetre; every symbol is a group with its code as class.

use super::paint::{Canvas, Paint, draw, patterns, used_symbols};
use super::symbols::{Face, Fill, Ink, Look, Part, Symbol};
use super::text::escaped;
use super::{Chart, P};
use std::fmt::Write as _;

/// Width of the line around areas that hides seams between neighbours, in hundredths of a millimetre.
const SEAM: f64 = 5.0;

impl Chart {
    /// The sheet as SVG.
    pub fn svg(&self) -> Vec<u8> {
        let (w, h) = self.sheet.page;
        let mut pen = Pen { out: String::new(), halo: None };
        let _ = write!(
            pen.out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" \
             xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{w}mm\" height=\"{h}mm\" \
             viewBox=\"0 0 {} {}\" fill=\"none\" stroke-linejoin=\"round\">\n<title>{}</title>\n",
            number(w),
            number(h),
            escaped(&self.heading())
        );
        self.defs(&mut pen);
        let _ = writeln!(pen.out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>");
        let (x, y) = self.sheet.map;
        let map = format!("transform=\"translate({} {})\"", number(x), number(y));
        let _ = writeln!(pen.out, "<g id=\"map\" {map} clip-path=\"url(#frame)\">");
        draw(&self.objects, self.enlarged, false, &mut pen);
        // Purple ink does not hide what it is printed over.
        let _ = writeln!(pen.out, "</g>\n<g id=\"course\" {map} style=\"mix-blend-mode:multiply\">");
        draw(&self.objects, self.enlarged, true, &mut pen);
        let _ = writeln!(pen.out, "</g>\n<g id=\"legend\">");
        draw(&self.sheet.samples, self.enlarged, false, &mut pen);
        let _ = writeln!(pen.out, "</g>\n<g id=\"sheet\">");
        self.svg_around(&mut pen);
        pen.out.push_str("</g>\n</svg>\n");
        pen.out.into_bytes()
    }

    /// Frame, patterns and point symbols.
    fn defs(&self, pen: &mut Pen) {
        let (w, h) = self.size_mm;
        let _ = writeln!(
            pen.out,
            "<defs>\n<clipPath id=\"frame\"><rect width=\"{}\" height=\"{}\"/></clipPath>",
            number(w),
            number(h)
        );
        for symbol in used_symbols(self) {
            for fill in patterns(symbol, self.enlarged) {
                pen.pattern(symbol, &fill);
            }
            if let Look::Point(parts) = &symbol.look {
                pen.point_symbol(symbol, parts, self.enlarged);
            }
        }
        pen.out.push_str("</defs>\n");
    }

    /// Frame, scale bar and texts of the sheet.
    fn svg_around(&self, pen: &mut Pen) {
        let black = colour(Ink::Black);
        for rule in &self.sheet.rules {
            let paint = if rule.width > 0.0 {
                format!("stroke=\"{black}\" stroke-width=\"{}\"", number(rule.width))
            } else {
                format!("fill=\"{black}\"")
            };
            let _ = writeln!(pen.out, "<path {paint} d=\"{}\"/>", path(&rule.points, rule.width == 0.0));
        }
        for text in &self.sheet.texts {
            let (x, y) = (number(text.at.0), number(text.at.1));
            let look = font(text.face, text.size);
            let _ = writeln!(
                pen.out,
                "<text x=\"{x}\" y=\"{y}\" fill=\"{black}\" {look}>{}</text>",
                escaped(&text.text)
            );
        }
    }
}

/// Hundredths of a millimetre with at most one digit after the point.
fn number(mm: f64) -> String {
    let tenths = (mm * 1000.0).round() as i64;
    let (sign, tenths) = if tenths < 0 { ("-", -tenths) } else { ("", tenths) };
    match tenths % 10 {
        0 => format!("{sign}{}", tenths / 10),
        digit => format!("{sign}{}.{digit}", tenths / 10),
    }
}

fn whole(mm: f64) -> i64 {
    (mm * 100.0).round() as i64
}

fn colour(ink: Ink) -> String {
    let [r, g, b] = ink.rgb();
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn font(face: Face, size: f64) -> String {
    let look = match face {
        Face::Plain => "",
        Face::Bold => " font-weight=\"bold\"",
        Face::Italic => " font-style=\"italic\"",
    };
    format!(
        "font-family=\"Helvetica,Arial,'Liberation Sans',sans-serif\" font-size=\"{}\"{look}",
        number(size)
    )
}

/// The code as part of a name.
fn id(symbol: &Symbol) -> String {
    symbol.code.replace('.', "-")
}

/// Points as steps from one to the next.
fn path(points: &[P], close: bool) -> String {
    let mut out = String::new();
    let close = close || points.len() > 2 && points.first() == points.last();
    let last =
        if close && points.first() == points.last() { points.len().saturating_sub(1) } else { points.len() };
    let mut at = (0, 0);
    for (i, p) in points[..last].iter().enumerate() {
        let to = (whole(p.0), whole(p.1));
        if i == 0 {
            let _ = write!(out, "M{} {}l", to.0, to.1);
        } else if to != at || (i == 1 && last == 2) {
            let (dx, dy) = (to.0 - at.0, to.1 - at.1);
            let space = if dx >= 0 && !out.ends_with('l') { " " } else { "" };
            let between = if dy >= 0 { " " } else { "" };
            let _ = write!(out, "{space}{dx}{between}{dy}");
        }
        at = to;
    }
    if out.ends_with('l') {
        out.push_str("0 0");
    }
    if close {
        out.push('z');
    }
    out
}

struct Pen {
    out: String,
    /// The look of the white line around the letters of the texts that are being drawn.
    halo: Option<String>,
}

impl Pen {
    /// A pattern as a tile of paper.
    fn pattern(&mut self, symbol: &Symbol, fill: &Fill) {
        let colour = colour(fill.ink());
        let (size, content) = match *fill {
            Fill::Plain(_) => return,
            Fill::Lines(_, width, apart) => {
                let (y, w) = (number(apart / 2.0), number(width));
                (
                    (apart * 4.0, apart),
                    format!(
                        "<path stroke=\"{colour}\" stroke-width=\"{w}\" d=\"M0 {y}h{}\"/>",
                        number(apart * 4.0)
                    ),
                )
            }
            Fill::Dashes(_, width, apart, (on, off)) => {
                let (long, half) = (on + off, (on + off) / 2.0);
                let d = format!(
                    "M{} {}h{}M0 {}h{}M{} {}h{}",
                    number(off / 2.0),
                    number(apart / 2.0),
                    number(on),
                    number(apart * 1.5),
                    number(half - off / 2.0),
                    number(half + off / 2.0),
                    number(apart * 1.5),
                    number(half - off / 2.0)
                );
                let w = number(width);
                ((long, apart * 2.0), format!("<path stroke=\"{colour}\" stroke-width=\"{w}\" d=\"{d}\"/>"))
            }
            Fill::Dots(_, radius, apart) => {
                let dot = |x: f64, y: f64| {
                    format!(
                        "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{colour}\"/>",
                        number(x),
                        number(y),
                        number(radius)
                    )
                };
                let side = apart * 2.0;
                ((side, side), dot(apart / 2.0, apart / 2.0) + &dot(apart * 1.5, apart * 1.5))
            }
        };
        let _ = writeln!(
            self.out,
            "<pattern id=\"f{}\" width=\"{}\" height=\"{}\" patternUnits=\"userSpaceOnUse\">{content}</pattern>",
            id(symbol),
            number(size.0),
            number(size.1)
        );
    }

    /// A point symbol around its centre.
    fn point_symbol(&mut self, symbol: &Symbol, parts: &[Part], k: f64) {
        let _ = write!(self.out, "<g id=\"p{}\">", id(symbol));
        for part in parts {
            let colour = colour(part.ink());
            let scaled = |points: &[P]| points.iter().map(|p| (p.0 * k, p.1 * k)).collect::<Vec<P>>();
            let _ = match *part {
                Part::Disc(_, r) => write!(self.out, "<circle r=\"{}\" fill=\"{colour}\"/>", number(r * k)),
                Part::Ring(_, r, width) => {
                    let (r, width) = (number(r * k), number(width * k));
                    write!(self.out, "<circle r=\"{r}\" stroke=\"{colour}\" stroke-width=\"{width}\"/>")
                }
                Part::Line(_, width, points) => {
                    let (d, width) = (path(&scaled(points), false), number(width * k));
                    write!(
                        self.out,
                        "<path stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"miter\" d=\"{d}\"/>"
                    )
                }
                Part::Solid(_, points) => {
                    write!(self.out, "<path fill=\"{colour}\" d=\"{}\"/>", path(&scaled(points), true))
                }
            };
        }
        self.out.push_str("</g>\n");
    }
}

impl Canvas for Pen {
    fn begin(&mut self, symbol: &'static Symbol, paint: &Paint) {
        let colour = colour(paint.ink());
        let look = match paint {
            Paint::Area(Fill::Plain(_)) => {
                format!("fill=\"{colour}\" fill-rule=\"evenodd\" stroke=\"{colour}\" stroke-width=\"{SEAM}\"")
            }
            Paint::Area(_) => format!("fill=\"url(#f{})\" fill-rule=\"evenodd\"", id(symbol)),
            Paint::Line(_, width, dash, flat) => {
                let dash = dash.map_or(String::new(), |(on, off)| {
                    format!(" stroke-dasharray=\"{} {}\"", number(on), number(off))
                });
                let cap = if *flat { "" } else { " stroke-linecap=\"round\"" };
                format!("stroke=\"{colour}\" stroke-width=\"{}\"{dash}{cap}", number(*width))
            }
            Paint::Points(_) => String::new(),
            Paint::Text(text) => {
                let wide = number(text.size * 0.16);
                let halo =
                    format!("fill=\"none\" stroke=\"#fff\" stroke-opacity=\".8\" stroke-width=\"{wide}\"");
                // The course is printed over the map and has no ground of its own.
                self.halo = (!super::paint::is_overprint(symbol)).then_some(halo);
                format!("fill=\"{colour}\" {}", font(text.face, text.size))
            }
        };
        let _ = writeln!(self.out, "<g class=\"s{}\" {look}>", id(symbol));
    }

    fn end(&mut self) {
        self.out.push_str("</g>\n");
    }

    fn area(&mut self, rings: &[Vec<P>], _: &Paint) {
        let d: String = rings.iter().map(|ring| path(ring, true)).collect();
        let _ = writeln!(self.out, "<path d=\"{d}\"/>");
    }

    fn line(&mut self, points: &[P]) {
        let _ = writeln!(self.out, "<path d=\"{}\"/>", path(points, false));
    }

    fn point(&mut self, symbol: &'static Symbol, (x, y): P, turn: f64, _: f64) {
        let (x, y, id) = (whole(x), whole(y), id(symbol));
        let _ = if turn == 0.0 {
            writeln!(self.out, "<use xlink:href=\"#p{id}\" x=\"{x}\" y=\"{y}\"/>")
        } else {
            writeln!(
                self.out,
                "<use xlink:href=\"#p{id}\" transform=\"translate({x} {y})rotate({turn:.1})\"/>"
            )
        };
    }

    fn text(&mut self, (x, y): P, words: &str) {
        let (x, y, words) = (whole(x), whole(y), escaped(words));
        // A text of its own, because `paint-order` is of SVG 2 too.
        if let Some(halo) = &self.halo {
            let _ = writeln!(self.out, "<text x=\"{x}\" y=\"{y}\" {halo}>{words}</text>");
        }
        let _ = writeln!(self.out, "<text x=\"{x}\" y=\"{y}\">{words}</text>");
    }
}
