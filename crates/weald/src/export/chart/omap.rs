//! Maps for OpenOrienteering Mapper (`.omap`): the objects of the map with our own symbols. Coordinates are thousandths of a millimetre
//! from the middle of the map, y down.

use super::symbols::{Face, Fill, INKS, Ink, Look, Part, SYMBOLS, Stroke, Symbol, Type};
use super::text::escaped;
use super::{Chart, Middle, Object, P, Shape};
use std::fmt::Write as _;

/// Flags of a coordinate: the path is closed here, and ends here.
const CLOSED_END: u32 = 2 + 16;

impl Chart {
    /// The map as a file of OpenOrienteering Mapper, without the sheet around it.
    pub fn omap(&self) -> Vec<u8> {
        let mut pen = Pen {
            out: String::new(),
            k: self.enlarged,
            middle: (self.size_mm.0 / 2.0, self.size_mm.1 / 2.0),
            to_ground: self.middle.to_ground,
        };
        pen.out.push_str(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map xmlns=\"http://openorienteering.org/apps/mapper/xml/v2\" version=\"9\">\n\
             <notes>Made with Weald.</notes>\n",
        );
        pen.georeferencing(self.scale, &self.middle);
        pen.colours();
        let used = self.used();
        let _ = writeln!(
            pen.out,
            "<barrier version=\"6\" required=\"0.6.0\">\n<symbols count=\"{}\" id=\"Weald\">",
            used.len()
        );
        for (id, &symbol) in used.iter().enumerate() {
            pen.symbol(id, &SYMBOLS[symbol]);
        }
        let _ = writeln!(
            pen.out,
            "</symbols>\n<parts count=\"1\" current=\"0\">\n<part name=\"map\"><objects count=\"{}\">",
            self.objects.len()
        );
        for object in &self.objects {
            let id = used.binary_search(&object.symbol).unwrap_or(0);
            pen.object(id, object);
        }
        let _ = write!(
            pen.out,
            "</objects></part>\n</parts>\n<templates count=\"0\" first_front_template=\"0\"></templates>\n<view>\n\
             <map_view zoom=\"1\" position_x=\"0\" position_y=\"0\"><map opacity=\"1\" visible=\"true\"/><templates count=\"0\"/></map_view>\n\
             </view>\n</barrier>\n</map>\n"
        );
        pen.out.into_bytes()
    }
}

fn micrometres(mm: f64) -> i64 {
    (mm * 1000.0).round() as i64
}

/// Position of an ink among the colours of the file.
fn colour(ink: Ink) -> usize {
    ink as usize
}

struct Pen {
    out: String,
    k: f64,
    middle: P,
    /// What lengths on the chart are multiplied by to be those of the ground.
    to_ground: f64,
}

impl Pen {
    /// Where the middle of the map, the origin of its coordinates, is on the ground. North of the map is that of the grid. Mapper takes the scale as
    /// that of the ground, and a length in the grid as so many times as long as the scale factor says.
    fn georeferencing(&mut self, scale: u32, middle: &Middle) {
        let (x, y) = middle.at;
        let (id, system) = match middle.epsg {
            Some(code) => (
                "EPSG",
                format!("<spec language=\"PROJ.4\">+init=epsg:{code}</spec><parameter>{code}</parameter>"),
            ),
            None => ("Local", String::new()),
        };
        let _ = write!(
            self.out,
            "<georeferencing scale=\"{scale}\" grid_scale_factor=\"{:.6}\" grivation=\"0\"><projected_crs id=\"{id}\">{system}<ref_point x=\"{x:.3}\" \
             y=\"{y:.3}\"/></projected_crs>",
            middle.grid_scale
        );
        if let Some((longitude, latitude)) = middle.degrees {
            let _ = write!(
                self.out,
                "<geographic_crs id=\"Geographic coordinates\"><spec language=\"PROJ.4\">+proj=latlong +datum=WGS84</spec>\
                 <ref_point_deg lat=\"{latitude:.8}\" lon=\"{longitude:.8}\"/></geographic_crs>"
            );
        }
        self.out.push_str("</georeferencing>\n");
    }

    fn colours(&mut self) {
        let _ = writeln!(self.out, "<colors count=\"{}\">", INKS.len());
        for (i, (_, name, [c, m, y, k], rgb)) in INKS.iter().enumerate() {
            let [r, g, b] = rgb.map(|v| f64::from(v) / 255.0);
            let _ = writeln!(
                self.out,
                "<color priority=\"{i}\" name=\"{}\" c=\"{c}\" m=\"{m}\" y=\"{y}\" k=\"{k}\" opacity=\"1\"><cmyk method=\"custom\"/><rgb \
                 method=\"custom\" r=\"{r:.3}\" g=\"{g:.3}\" b=\"{b:.3}\"/></color>",
                escaped(name)
            );
        }
        self.out.push_str("</colors>\n");
    }

    fn symbol(&mut self, id: usize, symbol: &Symbol) {
        let kind = match symbol.look {
            Look::Point(_) => 1,
            Look::Line(_) => 2,
            Look::Area(_) => 4,
            Look::Text(_) => 8,
        };
        let (code, name) = (symbol.code, escaped(symbol.name));
        let _ = write!(self.out, "<symbol type=\"{kind}\" id=\"{id}\" code=\"{code}\" name=\"{name}\">");
        match &symbol.look {
            Look::Point(parts) => self.point_symbol(parts, self.k),
            Look::Line(stroke) => self.line_symbol(stroke),
            Look::Area(fills) => self.area_symbol(fills),
            Look::Text(text) => self.text_symbol(text),
        }
        self.out.push_str("</symbol>\n");
    }

    fn area_symbol(&mut self, fills: &[Fill]) {
        let plain = fills.iter().find_map(|f| match f {
            Fill::Plain(ink) => Some(colour(*ink).to_string()),
            _ => None,
        });
        let plain = plain.unwrap_or_else(|| "-1".into());
        let k = self.k;
        let count: usize = fills
            .iter()
            .map(|f| match f {
                Fill::Plain(_) => 0,
                Fill::Lines(..) => 1,
                Fill::Dashes(..) | Fill::Dots(..) => 2,
            })
            .sum();
        let _ = write!(self.out, "<area_symbol inner_color=\"{plain}\" min_area=\"0\" patterns=\"{count}\">");
        for fill in fills {
            match *fill {
                Fill::Plain(_) => {}
                Fill::Lines(ink, width, apart) => {
                    let _ = write!(
                        self.out,
                        "<pattern type=\"1\" angle=\"0\" line_spacing=\"{}\" line_offset=\"0\" offset_along_line=\"0\" color=\"{}\" \
                         line_width=\"{}\"/>",
                        micrometres(apart * k),
                        colour(ink),
                        micrometres(width * k)
                    );
                }
                Fill::Dashes(ink, width, apart, (on, off)) => {
                    let half = on / 2.0;
                    let dash = [(-half, 0.0), (half, 0.0)];
                    self.point_patterns((apart, on + off), |pen| pen.point_part_line(ink, width, &dash));
                }
                Fill::Dots(ink, radius, apart) => {
                    self.point_patterns((apart, 2.0 * apart), |pen| {
                        pen.point_symbol(&[Part::Disc(ink, radius)], pen.k)
                    });
                }
            }
        }
        self.out.push_str("</area_symbol>");
    }

    /// Two patterns of points, shifted against each other: distance of rows, and of points in a row.
    fn point_patterns(&mut self, (rows, along): (f64, f64), point: impl Fn(&mut Self)) {
        for shift in [0.0, 0.5] {
            let (line, offset) = (2.0 * rows * self.k, 2.0 * rows * shift * self.k);
            let _ = write!(
                self.out,
                "<pattern type=\"2\" angle=\"0\" line_spacing=\"{}\" line_offset=\"{}\" offset_along_line=\"{}\" point_distance=\"{}\">\
                 <symbol type=\"1\" code=\"\">",
                micrometres(line),
                micrometres(offset),
                micrometres(along * shift * self.k),
                micrometres(along * self.k)
            );
            point(self);
            self.out.push_str("</symbol></pattern>");
        }
    }

    fn line_symbol(&mut self, stroke: &Stroke) {
        let k = self.k;
        let dash =
            stroke.dash.map_or("dash_length=\"4000\" break_length=\"1000\"".to_owned(), |(on, off)| {
                format!(
                    "dashed=\"true\" dash_length=\"{}\" break_length=\"{}\"",
                    micrometres(on * k),
                    micrometres(off * k)
                )
            });
        let _ = write!(
            self.out,
            "<line_symbol color=\"{}\" line_width=\"{}\" minimum_length=\"0\" join_style=\"2\" cap_style=\"{}\" start_offset=\"0\" \
             end_offset=\"0\" segment_length=\"4000\" end_length=\"0\" show_at_least_one_symbol=\"true\" \
             minimum_mid_symbol_count=\"0\" minimum_mid_symbol_count_when_closed=\"0\" {dash} dashes_in_group=\"1\" \
             in_group_break_length=\"500\" mid_symbols_per_spot=\"1\" mid_symbol_distance=\"0\"",
            colour(stroke.ink),
            micrometres(stroke.width * k),
            u8::from(!stroke.flat)
        );
        match stroke.border {
            None => self.out.push_str("/>"),
            Some((ink, width)) => {
                let width = micrometres(width * k);
                let _ = write!(
                    self.out,
                    "><borders><border color=\"{}\" width=\"{width}\" shift=\"{}\"/></borders></line_symbol>",
                    colour(ink),
                    width / 2
                );
            }
        }
    }

    /// A point symbol: one disc or ring is a property of it, all else are elements.
    fn point_symbol(&mut self, parts: &[Part], k: f64) {
        let (disc, ring) = match *parts {
            [Part::Disc(ink, r)] => (Some((ink, r)), None),
            [Part::Ring(ink, r, width)] => (None, Some((ink, r, width))),
            _ => (None, None),
        };
        let elements = if disc.is_some() || ring.is_some() { &[][..] } else { parts };
        let (inner, inner_colour, outer, outer_colour) = match (disc, ring) {
            (Some((ink, r)), _) => (micrometres(r * k), colour(ink) as i64, 0, -1),
            (_, Some((ink, r, width))) => {
                (micrometres((r - width / 2.0) * k), -1, micrometres(width * k), colour(ink) as i64)
            }
            _ => (0, -1, 0, -1),
        };
        let _ = write!(
            self.out,
            "<point_symbol rotatable=\"true\" inner_radius=\"{inner}\" inner_color=\"{inner_colour}\" outer_width=\"{outer}\" \
             outer_color=\"{outer_colour}\" elements=\"{}\">",
            elements.len()
        );
        for part in elements {
            match *part {
                Part::Disc(..) | Part::Ring(..) => {
                    self.out.push_str("<element><symbol type=\"1\" code=\"\">");
                    self.point_symbol(&[*part], k);
                    self.out.push_str(
                        "</symbol><object type=\"0\"><coords count=\"1\">0 0;</coords></object></element>",
                    );
                }
                Part::Line(ink, width, points) => self.element_line(ink, width, points),
                Part::Solid(ink, points) => {
                    let _ = write!(
                        self.out,
                        "<element><symbol type=\"4\" code=\"\"><area_symbol inner_color=\"{}\" min_area=\"0\" patterns=\"0\"/></symbol>",
                        colour(ink)
                    );
                    self.element_coords(points, true);
                }
            }
        }
        self.out.push_str("</point_symbol>");
    }

    /// A point symbol that is one line.
    fn point_part_line(&mut self, ink: Ink, width: f64, points: &[P]) {
        self.out.push_str(
            "<point_symbol rotatable=\"true\" inner_radius=\"0\" inner_color=\"-1\" outer_width=\"0\" outer_color=\"-1\" elements=\"1\">",
        );
        self.element_line(ink, width, points);
        self.out.push_str("</point_symbol>");
    }

    fn element_line(&mut self, ink: Ink, width: f64, points: &[P]) {
        self.out.push_str("<element><symbol type=\"2\" code=\"\">");
        self.line_symbol(&Stroke { ink, width, dash: None, border: None, flat: true });
        self.out.push_str("</symbol>");
        let closed = points.len() > 2 && points.first() == points.last();
        self.element_coords(points, closed);
    }

    fn element_coords(&mut self, points: &[P], closed: bool) {
        let mut ring = points.to_vec();
        if closed && points.first() != points.last() {
            ring.push(points[0]);
        }
        let _ = write!(self.out, "<object type=\"1\"><coords count=\"{}\">", ring.len());
        for (i, p) in ring.iter().enumerate() {
            let flag = if closed && i + 1 == ring.len() { " 18" } else { "" };
            let _ = write!(self.out, "{} {}{flag};", micrometres(p.0 * self.k), micrometres(p.1 * self.k));
        }
        self.out.push_str("</coords></object></element>");
    }

    fn text_symbol(&mut self, text: &Type) {
        let face = match text.face {
            Face::Plain => "",
            Face::Bold => " bold=\"true\"",
            Face::Italic => " italic=\"true\"",
        };
        let _ = write!(
            self.out,
            "<text_symbol icon_text=\"A\" rotatable=\"true\"><font family=\"Arial\" size=\"{}\"{face}/><text color=\"{}\" line_spacing=\"1\" \
             paragraph_spacing=\"0\" character_spacing=\"0\" kerning=\"true\"/></text_symbol>",
            micrometres(text.size * self.k),
            colour(text.ink)
        );
    }

    fn coords(&mut self, lines: &[&[P]], closed: bool) {
        let count: usize = lines.iter().map(|l| l.len()).sum();
        let _ = write!(self.out, "<coords count=\"{count}\">");
        for line in lines {
            for (i, p) in line.iter().enumerate() {
                let _ = write!(
                    self.out,
                    "{} {}",
                    micrometres((p.0 - self.middle.0) * self.to_ground),
                    micrometres((p.1 - self.middle.1) * self.to_ground)
                );
                if closed && i + 1 == line.len() {
                    let _ = write!(self.out, " {CLOSED_END}");
                }
                self.out.push(';');
            }
        }
        self.out.push_str("</coords>");
    }

    fn object(&mut self, id: usize, object: &Object) {
        match &object.shape {
            Shape::Area(rings) => {
                let rings: Vec<&[P]> = rings.iter().map(Vec::as_slice).collect();
                let _ = write!(self.out, "<object type=\"1\" symbol=\"{id}\">");
                self.coords(&rings, true);
                self.out.push_str("<pattern rotation=\"0\"><coord x=\"0\" y=\"0\"/></pattern>");
            }
            Shape::Line(points) => {
                let closed = points.len() > 3 && points.first() == points.last();
                let _ = write!(self.out, "<object type=\"1\" symbol=\"{id}\">");
                self.coords(&[points], closed);
            }
            Shape::Point(at, turn) => {
                // Angles of Mapper run the other way round.
                let angle = if *turn == 0.0 {
                    String::new()
                } else {
                    format!(" rotation=\"{:.4}\"", -turn.to_radians())
                };
                let _ = write!(self.out, "<object type=\"0\" symbol=\"{id}\"{angle}>");
                self.coords(&[&[*at]], false);
            }
            Shape::Text(at, words) => {
                let _ = write!(self.out, "<object type=\"4\" symbol=\"{id}\" h_align=\"0\" v_align=\"0\">");
                self.coords(&[&[*at]], false);
                let _ = write!(self.out, "<text>{}</text>", escaped(words));
            }
        }
        self.out.push_str("</object>\n");
    }
}
