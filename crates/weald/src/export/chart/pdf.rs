//! Sheets as PDF 1.7 of real size, with the inks of print. Nothing in it depends on the time, so the same map has the same bytes.

use super::paint::{Canvas, Paint, draw, is_overprint};
use super::symbols::{Face, Fill, Ink, Look, Part, Symbol};
use super::text::{pdf_string, pdf_text};
use super::{Chart, P};
use crate::error::{Error, Result};
use flate2::{Compression, write::ZlibEncoder};
use std::fmt::Write as _;
use std::io::Write as _;
use weald_core::math;

/// Points of print in a millimetre.
const POINTS_PER_MM: f64 = 72.0 / 25.4;
/// Width of the line around areas that hides seams between neighbours, in hundredths of a millimetre.
const SEAM: i64 = 5;
/// Control points of a quarter of a circle.
const QUARTER: f64 = 0.552_284_749_8;

impl Chart {
    /// The sheet as PDF.
    pub fn pdf(&self) -> Result<Vec<u8>> {
        let (w, h) = (self.sheet.page.0 * POINTS_PER_MM, self.sheet.page.1 * POINTS_PER_MM);
        let fonts = "/Font << /F0 5 0 R /F1 6 0 R /F2 7 0 R >>";
        let mut pen = Pen::default();
        // Hundredths of a millimetre, y down.
        let unit = POINTS_PER_MM / 100.0;
        pen.say(format_args!("{unit:.12} 0 0 -{unit:.12} 0 {h:.6} cm 1 j\n"));
        let (x, y) = (whole(self.sheet.map.0), whole(self.sheet.map.1));
        let (mw, mh) = (whole(self.size_mm.0), whole(self.size_mm.1));
        pen.say(format_args!("q 1 0 0 1 {x} {y} cm\nq 0 0 {mw} {mh} re W n\n"));
        draw(&self.objects, self.enlarged, false, &mut pen);
        pen.say(format_args!("Q\n"));
        let course = self.course(fonts)?;
        if course.is_some() {
            pen.say(format_args!("/G0 gs /X0 Do\n"));
        }
        pen.say(format_args!("Q\n"));
        draw(&self.sheet.samples, self.enlarged, false, &mut pen);
        self.pdf_around(&mut pen);
        let over = if course.is_some() {
            "/XObject << /X0 8 0 R >> /ExtGState << /G0 << /Type /ExtGState /BM /Multiply >> >>"
        } else {
            ""
        };
        let mut file = File::default();
        file.object(b"<< /Type /Catalog /Pages 2 0 R >>");
        file.object(b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
        file.object(
            format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {w:.6} {h:.6}] /Contents 4 0 R /Resources << {fonts} {over} >> >>"
            )
            .as_bytes(),
        );
        file.object(&stream("", &pen.out)?);
        for name in ["Helvetica", "Helvetica-Bold", "Helvetica-Oblique"] {
            let font =
                format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>");
            file.object(font.as_bytes());
        }
        if let Some(course) = course {
            file.object(&course);
        }
        let info = [b"<< /Title ".as_slice(), &pdf_text(&self.heading()), b" /Producer (Weald) >>"].concat();
        file.object(&info);
        Ok(file.finish())
    }

    /// The course as a group of its own, if there is one: it is multiplied with the map as a whole, for purple ink does not hide what it
    /// is printed over, and is no darker where its lines cross.
    fn course(&self, fonts: &str) -> Result<Option<Vec<u8>>> {
        let mut pen = Pen::default();
        draw(&self.objects, self.enlarged, true, &mut pen);
        if pen.out.is_empty() {
            return Ok(None);
        }
        // The page, from the corner of the map.
        let (x, y) = (whole(self.sheet.map.0), whole(self.sheet.map.1));
        let (w, h) = (whole(self.sheet.page.0), whole(self.sheet.page.1));
        let head = format!(
            "/Type /XObject /Subtype /Form /BBox [{} {} {} {}] /Group << /S /Transparency /CS /DeviceCMYK /I true >> \
             /Resources << {fonts} >> ",
            -x,
            -y,
            w - x,
            h - y
        );
        stream(&head, &pen.out).map(Some)
    }

    /// Frame, scale bar and texts of the sheet.
    fn pdf_around(&self, pen: &mut Pen) {
        pen.ink(Ink::Black);
        for rule in &self.sheet.rules {
            pen.path(&rule.points, rule.width == 0.0);
            if rule.width > 0.0 {
                pen.say(format_args!("{} w S\n", whole(rule.width).max(1)));
            } else {
                pen.say(format_args!("f\n"));
            }
        }
        for text in &self.sheet.texts {
            pen.words(text.at, text.size, text.face, &text.text, false);
        }
    }
}

/// A packed stream, with what its dictionary says besides.
fn stream(head: &str, content: &[u8]) -> Result<Vec<u8>> {
    let packed = packed(content)?;
    let head = format!("<< {head}/Length {} /Filter /FlateDecode >>\nstream\n", packed.len());
    Ok([head.as_bytes(), &packed, b"\nendstream"].concat())
}

fn packed(content: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
    let written = encoder.write_all(content).and_then(|()| encoder.finish());
    written.map_err(|e| Error::Internal(format!("a stream of a PDF could not be packed: {e}")))
}

/// The objects of a file in their order, and where they begin.
#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    begins: Vec<usize>,
}

impl File {
    fn object(&mut self, content: &[u8]) {
        if self.bytes.is_empty() {
            self.bytes.extend_from_slice(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n");
        }
        self.begins.push(self.bytes.len());
        self.bytes.extend_from_slice(format!("{} 0 obj\n", self.begins.len()).as_bytes());
        self.bytes.extend_from_slice(content);
        self.bytes.extend_from_slice(b"\nendobj\n");
    }

    /// The file with its table of objects. The last object says what the file is.
    fn finish(mut self) -> Vec<u8> {
        let (table, count) = (self.bytes.len(), self.begins.len() + 1);
        let mut text = format!("xref\n0 {count}\n0000000000 65535 f \n");
        for begin in &self.begins {
            let _ = writeln!(text, "{begin:010} 00000 n ");
        }
        let _ = write!(
            text,
            "trailer\n<< /Size {count} /Root 1 0 R /Info {} 0 R >>\nstartxref\n{table}\n%%EOF\n",
            count - 1
        );
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes
    }
}

fn whole(mm: f64) -> i64 {
    (mm * 100.0).round() as i64
}

#[derive(Default)]
struct Pen {
    out: Vec<u8>,
    symbol: Option<&'static Symbol>,
    paint: Option<Paint>,
}

impl Pen {
    fn say(&mut self, what: std::fmt::Arguments) {
        // Writing to memory cannot fail.
        let _ = self.out.write_fmt(what);
    }

    /// Sets the ink of lines and areas.
    fn ink(&mut self, ink: Ink) {
        let [c, m, y, k] = ink.cmyk();
        self.say(format_args!("{c} {m} {y} {k} k {c} {m} {y} {k} K\n"));
    }

    fn path(&mut self, points: &[P], close: bool) {
        let close = close || points.len() > 2 && points.first() == points.last();
        let last = if close && points.first() == points.last() {
            points.len().saturating_sub(1)
        } else {
            points.len()
        };
        let mut at = (i64::MIN, 0);
        for (i, p) in points[..last].iter().enumerate() {
            let to = (whole(p.0), whole(p.1));
            if to != at || (i == 1 && last == 2) {
                self.say(format_args!("{} {} {}\n", to.0, to.1, if i == 0 { 'm' } else { 'l' }));
            }
            at = to;
        }
        if close {
            self.say(format_args!("h\n"));
        }
    }

    /// A circle as a path.
    fn circle(&mut self, (x, y): P, r: f64) {
        let n = |v: f64| v * 100.0;
        let (x, y, r, q) = (n(x), n(y), n(r), n(r) * QUARTER);
        self.say(format_args!("{:.1} {y:.1} m\n", x + r));
        for (a, b) in [
            ((1.0, 0.0), (0.0, 1.0)),
            ((0.0, 1.0), (-1.0, 0.0)),
            ((-1.0, 0.0), (0.0, -1.0)),
            ((0.0, -1.0), (1.0, 0.0)),
        ] {
            let first = (x + r * a.0 + q * b.0, y + r * a.1 + q * b.1);
            let second = (x + r * b.0 + q * a.0, y + r * b.1 + q * a.1);
            let end = (x + r * b.0, y + r * b.1);
            self.say(format_args!(
                "{:.1} {:.1} {:.1} {:.1} {:.1} {:.1} c\n",
                first.0, first.1, second.0, second.1, end.0, end.1
            ));
        }
        self.say(format_args!("h\n"));
    }

    /// A text, with a white line around its letters or not.
    fn words(&mut self, (x, y): P, size: f64, face: Face, words: &str, halo: bool) {
        let (x, y, size100) = (whole(x), whole(y), size * 100.0);
        let font = face as usize;
        let text = pdf_string(words);
        let write = |pen: &mut Self, mode: u8| {
            pen.say(format_args!("BT /F{font} {size100:.1} Tf {mode} Tr 1 0 0 -1 {x} {y} Tm "));
            pen.out.extend_from_slice(&text);
            pen.say(format_args!(" Tj ET\n"));
        };
        if halo {
            self.say(format_args!("q 0 0 0 0 K {:.1} w\n", size100 * 0.16));
            write(self, 1);
            self.say(format_args!("Q\n"));
        }
        write(self, 0);
    }

    /// The pattern of an area, drawn within its rings.
    fn pattern(&mut self, rings: &[Vec<P>], fill: &Fill) {
        let all = || rings.iter().flatten();
        let (low, high) = all()
            .fold(((f64::INFINITY, f64::INFINITY), (f64::NEG_INFINITY, f64::NEG_INFINITY)), |(l, h), p| {
                ((l.0.min(p.0), l.1.min(p.1)), (h.0.max(p.0), h.1.max(p.1)))
            });
        if !(low.0.is_finite() && high.0.is_finite()) {
            return;
        }
        self.say(format_args!("q\n"));
        rings.iter().for_each(|ring| self.path(ring, true));
        self.say(format_args!("W* n\n"));
        let first = |low: f64, step: f64| (low / step).floor() as i64;
        match *fill {
            Fill::Plain(_) => {}
            Fill::Lines(_, width, apart) => {
                self.say(format_args!("{} w\n", whole(width).max(1)));
                for k in first(low.1, apart)..=first(high.1, apart) + 1 {
                    let y = whole((k as f64 + 0.5) * apart);
                    self.say(format_args!("{} {y} m {} {y} l\n", whole(low.0), whole(high.0)));
                }
                self.say(format_args!("S\n"));
            }
            Fill::Dashes(_, width, apart, (on, off)) => {
                self.say(format_args!("{} w [{} {}] 0 d\n", whole(width).max(1), whole(on), whole(off)));
                let start = first(low.0, on + off) as f64 * (on + off);
                for k in first(low.1, apart)..=first(high.1, apart) + 1 {
                    let y = whole((k as f64 + 0.5) * apart);
                    let shift =
                        if k.rem_euclid(2) == 0 { off / 2.0 } else { (on + 2.0 * off) / 2.0 - (on + off) };
                    self.say(format_args!("{} {y} m {} {y} l\n", whole(start + shift), whole(high.0)));
                }
                self.say(format_args!("S\n"));
            }
            Fill::Dots(_, radius, apart) => {
                // A line without length and with round ends is a dot.
                self.say(format_args!("{} w 1 J\n", whole(2.0 * radius).max(1)));
                for row in first(low.1, apart)..=first(high.1, apart) + 1 {
                    for column in first(low.0, apart)..=first(high.0, apart) + 1 {
                        if (row + column).rem_euclid(2) == 0 {
                            let (x, y) =
                                (whole((column as f64 + 0.5) * apart), whole((row as f64 + 0.5) * apart));
                            self.say(format_args!("{x} {y} m {x} {y} l\n"));
                        }
                    }
                }
                self.say(format_args!("S\n"));
            }
        }
        self.say(format_args!("Q\n"));
    }
}

impl Canvas for Pen {
    fn begin(&mut self, symbol: &'static Symbol, paint: &Paint) {
        (self.symbol, self.paint) = (Some(symbol), Some(*paint));
        self.say(format_args!("q\n"));
        self.ink(paint.ink());
        match paint {
            Paint::Area(Fill::Plain(_)) => self.say(format_args!("{SEAM} w\n")),
            Paint::Line(_, width, dash, flat) => {
                let dash = dash.map(|(on, off)| (whole(on).max(1), whole(off).max(1)));
                self.say(format_args!("{} w {} J\n", whole(*width).max(1), u8::from(!flat)));
                if let Some((on, off)) = dash {
                    self.say(format_args!("[{on} {off}] 0 d\n"));
                }
            }
            _ => {}
        }
    }

    fn end(&mut self) {
        self.say(format_args!("Q\n"));
    }

    fn area(&mut self, rings: &[Vec<P>], paint: &Paint) {
        match paint {
            Paint::Area(Fill::Plain(_)) => {
                rings.iter().for_each(|ring| self.path(ring, true));
                self.say(format_args!("B*\n"));
            }
            Paint::Area(fill) => self.pattern(rings, fill),
            _ => {}
        }
    }

    fn line(&mut self, points: &[P]) {
        self.path(points, false);
        self.say(format_args!("S\n"));
    }

    fn point(&mut self, symbol: &'static Symbol, at: P, turn: f64, k: f64) {
        let Look::Point(parts) = &symbol.look else { return };
        let angle = turn.to_radians();
        let (sine, cosine) = (math::sin(angle), math::cos(angle));
        let placed = |points: &[P]| {
            let turned =
                |p: &P| (at.0 + (p.0 * cosine - p.1 * sine) * k, at.1 + (p.0 * sine + p.1 * cosine) * k);
            points.iter().map(turned).collect::<Vec<P>>()
        };
        for part in *parts {
            match *part {
                Part::Disc(_, r) => {
                    self.circle(at, r * k);
                    self.say(format_args!("f\n"));
                }
                Part::Ring(_, r, width) => {
                    self.circle(at, r * k);
                    self.say(format_args!("{:.1} w S\n", width * k * 100.0));
                }
                Part::Line(_, width, points) => {
                    self.say(format_args!("{:.1} w 0 j\n", width * k * 100.0));
                    self.path(&placed(points), false);
                    self.say(format_args!("S\n"));
                }
                Part::Solid(_, points) => {
                    self.path(&placed(points), true);
                    self.say(format_args!("f\n"));
                }
            }
        }
    }

    fn text(&mut self, at: P, words: &str) {
        if let (Some(Paint::Text(face)), Some(symbol)) = (self.paint, self.symbol) {
            self.words(at, face.size, face.face, words, !is_overprint(symbol));
        }
    }
}
