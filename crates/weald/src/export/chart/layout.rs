//! The sheet: paper, scale, and what stands around the map.

use super::course::Course;
use super::symbols::{Face, Look, SYMBOLS};
use super::{Chart, ChartOptions, Object, P, Shape, symbol, text};
use crate::catalogue::Catalogue;
use crate::error::{Error, Result};
use crate::style::chart::{AreaLook, ChartStyle};

/// A size of paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paper {
    /// 841 × 1189 mm.
    A0,
    /// 594 × 841 mm.
    A1,
    /// 420 × 594 mm.
    A2,
    /// 297 × 420 mm.
    A3,
    /// 210 × 297 mm.
    #[default]
    A4,
    /// 148 × 210 mm.
    A5,
    /// 8½ × 11 inches.
    Letter,
    /// 8½ × 14 inches.
    Legal,
    /// 11 × 17 inches.
    Tabloid,
}

/// All papers, the smallest first.
const PAPERS: [(Paper, &str, (f64, f64)); 9] = [
    (Paper::A5, "a5", (148.0, 210.0)),
    (Paper::A4, "a4", (210.0, 297.0)),
    (Paper::Letter, "letter", (215.9, 279.4)),
    (Paper::Legal, "legal", (215.9, 355.6)),
    (Paper::A3, "a3", (297.0, 420.0)),
    (Paper::Tabloid, "tabloid", (279.4, 431.8)),
    (Paper::A2, "a2", (420.0, 594.0)),
    (Paper::A1, "a1", (594.0, 841.0)),
    (Paper::A0, "a0", (841.0, 1189.0)),
];

impl Paper {
    /// The paper called `name`, in any case of letters.
    pub fn named(name: &str) -> Result<Self> {
        let found = PAPERS.iter().find(|p| p.1.eq_ignore_ascii_case(name)).map(|p| p.0);
        let names = || PAPERS.iter().map(|p| p.1).collect::<Vec<_>>().join(", ");
        found
            .ok_or_else(|| Error::Invalid(format!("--paper {name}: there is no such paper; use {}", names())))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        PAPERS.iter().find(|p| p.0 == self).map_or("", |p| p.1)
    }

    /// Width and height in millimetres, upright.
    pub fn size_mm(self) -> (f64, f64) {
        PAPERS.iter().find(|p| p.0 == self).map_or((0.0, 0.0), |p| p.2)
    }
}

/// Space at the edge of the paper.
const MARGIN: f64 = 9.0;
/// Height of the title, and of the line below the map.
const HEAD: f64 = 15.0;
const FOOT: f64 = 14.0;
/// Width of a column of the legend, distance between columns, height of a row.
const COLUMN: f64 = 52.0;
const BETWEEN: f64 = 4.0;
const ROW: f64 = 5.4;
/// Width of a sample.
const SAMPLE: f64 = 8.0;
/// Rows between two parts of the legend.
const GAP_ROWS: usize = 1;
/// Mantissas of round scales.
const ROUND: [f64; 8] = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.5];
/// The largest and the smallest scale.
const SCALES: (u32, u32) = (100, 500_000_000);

/// Where the legend is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Right,
    Below,
}

/// A page and what fits on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// 10 000 for 1:10 000.
    pub(super) scale: u32,
    /// What sizes of symbols are multiplied by.
    pub(super) enlarged: f64,
    page: (f64, f64),
    side: Side,
    /// Columns of the legend and rows in each.
    grid: (usize, usize),
}

/// What sizes of symbols are multiplied by at a scale.
fn enlarged(scale: u32) -> f64 {
    (15_000.0 / f64::from(scale)).clamp(1.0, 1.5)
}

/// Millimetres on paper of metres at a scale.
fn mm(m: f64, scale: u32) -> f64 {
    m * 1000.0 / f64::from(scale)
}

impl Plan {
    /// The page, the legend and the scale for a map of `size_m` metres.
    pub(super) fn of(
        size_m: (f64, f64),
        style: &ChartStyle,
        course: Option<&Course>,
        options: &ChartOptions,
    ) -> Result<Self> {
        let paper = options.paper.unwrap_or_default();
        let rows = Rows::most(style, course);
        let round = || {
            let tens = [100.0, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];
            tens.into_iter()
                .flat_map(|ten| ROUND.map(|r| (r * ten) as u32))
                .filter(|&s| s >= 500 && s <= SCALES.1)
        };
        let Some(scale) = options.scale else {
            let found = round().find_map(|scale| Self::fitting(size_m, paper, rows, scale));
            return found.ok_or_else(|| {
                Error::Shape(format!(
                    "the map is too large for {}, at any scale; use a larger --paper",
                    paper.name()
                ))
            });
        };
        if !(SCALES.0..=SCALES.1).contains(&scale) {
            let message = format!("--scale {scale}: must be between {} and {}", SCALES.0, SCALES.1);
            return Err(Error::Invalid(message));
        }
        Self::fitting(size_m, paper, rows, scale).ok_or_else(|| {
            let (w, h) = (mm(size_m.0, scale), mm(size_m.1, scale));
            let smaller =
                round().filter(|&s| s > scale).find(|&s| Self::fitting(size_m, paper, rows, s).is_some());
            let larger =
                PAPERS.iter().find(|p| p.0 != paper && Self::fitting(size_m, p.0, rows, scale).is_some());
            let mut ways: Vec<String> = smaller.map(|s| format!("--scale {s}")).into_iter().collect();
            ways.extend(larger.map(|p| format!("--paper {}", p.1)));
            let advice = if ways.is_empty() {
                "make a smaller map".into()
            } else {
                format!("use {}", ways.join(" or "))
            };
            Error::Shape(format!(
                "at 1:{scale} the map is {w:.0} x {h:.0} mm and does not fit {} with its legend; {advice}",
                paper.name()
            ))
        })
    }

    /// The first page and legend on which the map fits.
    fn fitting(size_m: (f64, f64), paper: Paper, rows: Rows, scale: u32) -> Option<Self> {
        let (short, long) = paper.size_mm();
        let pages =
            if size_m.0 > size_m.1 { [(long, short), (short, long)] } else { [(short, long), (long, short)] };
        let size = (mm(size_m.0, scale), mm(size_m.1, scale));
        for page in pages {
            let (wide, high) = (page.0 - 2.0 * MARGIN, page.1 - 2.0 * MARGIN - HEAD - FOOT);
            // Beside the map as many columns as it takes, below it as many as fit.
            let below = ((wide + BETWEEN) / (COLUMN + BETWEEN)) as usize;
            let beside = ((high / ROW) as usize).max(1);
            let plans = [
                (Side::Below, (below.max(1), rows.in_columns(below.max(1)))),
                (Side::Right, (rows.columns(beside), beside)),
            ];
            for (side, grid) in plans {
                let room = match side {
                    Side::Right => (wide - grid.0 as f64 * (COLUMN + BETWEEN), high),
                    Side::Below => (wide, high - grid.1 as f64 * ROW - BETWEEN),
                };
                if size.0 <= room.0 + 1e-9 && size.1 <= room.1 + 1e-9 {
                    return Some(Self { scale, enlarged: enlarged(scale), page, side, grid });
                }
            }
        }
        None
    }
}

/// Rows of the legend, and of the table of controls.
#[derive(Clone, Copy)]
struct Rows {
    legend: usize,
    table: usize,
}

/// Rows by which columns may be longer for the table of controls to stay whole.
const WHOLE_ROWS: usize = 8;

impl Rows {
    /// Rows at most.
    fn most(style: &ChartStyle, course: Option<&Course>) -> Self {
        Self { legend: legend_codes(style).len() + 1, table: Self::of_table(course) }
    }

    /// Name, figures, start, controls and finish.
    fn of_table(course: Option<&Course>) -> usize {
        course.map_or(0, |c| c.course.controls.len() + 4)
    }

    /// Rows of a column if there are so many columns. The table is kept whole in the last one where that costs little.
    fn in_columns(self, columns: usize) -> usize {
        let Self { legend, table } = self;
        let gap = if table > 0 { GAP_ROWS } else { 0 };
        let dense = (legend + gap + table).div_ceil(columns).max(1);
        let whole = legend.div_ceil(columns.saturating_sub(1).max(1)).max(table);
        if table > 0 && columns > 1 && whole <= dense + WHOLE_ROWS { whole } else { dense }
    }

    /// Columns of so many rows that it takes.
    fn columns(self, rows: usize) -> usize {
        let Self { legend, table } = self;
        let full = legend.div_ceil(rows).max(1);
        let rest = full * rows - legend;
        match table {
            0 => full,
            table if rest >= GAP_ROWS + table => full,
            table => full + table.div_ceil(rows),
        }
    }
}

/// What white paper stands for, if it has a name and occurs.
fn paper_label(catalogue: &Catalogue, style: &ChartStyle) -> Result<Option<&'static str>> {
    for area in style.areas.iter().filter(|a| a.look == AreaLook::Paper && !a.label.is_empty()) {
        let cells = catalogue.cells(area.layer)?;
        let (width, height) = (catalogue.frame.width, catalogue.frame.height);
        if (0..height).any(|y| (0..width).any(|x| area.values.fit(cells.at(x, y)))) {
            return Ok(Some(area.label));
        }
    }
    Ok(None)
}

/// Metres to the hundredth.
fn round(m: f64) -> f64 {
    (m * 100.0).round() / 100.0
}

/// Codes and names of the legend, in the order of the table of symbols.
fn legend_codes(style: &ChartStyle) -> Vec<(usize, &'static str)> {
    let mut codes: Vec<(&'static str, &'static str)> = Vec::new();
    for area in &style.areas {
        match area.look {
            AreaLook::Area(code, _) | AreaLook::Water(code, _) | AreaLook::Over(code) => {
                codes.push((code, area.label))
            }
            AreaLook::Paper | AreaLook::Through => {}
        }
    }
    codes.extend(style.contours.iter().flat_map(|_| [("101", ""), ("102", "")]));
    codes.extend(style.streams.iter().map(|s| (s.symbol, s.label)));
    codes.extend(style.lines.iter().map(|s| (s.symbol, s.label)));
    codes.extend(style.squares.iter().map(|s| (s.symbol, s.label)));
    codes.extend(style.points.iter().map(|s| (s.symbol, s.label)));
    let mut found: Vec<(usize, &'static str)> = Vec::new();
    for (code, label) in codes {
        let Some(symbol) = super::symbols::find(code) else { continue };
        match found.iter_mut().find(|f| f.0 == symbol) {
            Some(known) if known.1.is_empty() => known.1 = label,
            Some(_) => {}
            None => found.push((symbol, label)),
        }
    }
    found.sort_by_key(|f| f.0);
    found.iter_mut().filter(|f| f.1.is_empty()).for_each(|f| f.1 = SYMBOLS[f.0].name);
    found
}

/// Distances between north lines on maps that are too narrow for one every 300 m, in metres.
const NARROW_M: [f64; 8] = [150.0, 100.0, 50.0, 20.0, 10.0, 5.0, 2.0, 1.0];

/// Distance between north lines in metres. From 1:10 000 to 1:15 000 it is 300 m as ISOM 2017-2 says, and less only if no line would
/// be on the map; on larger scales 300 m on maps of at least 600 m; else 20 to 50 mm on paper.
pub(super) fn north_lines_m(scale: u32, (west_m, width_m): (f64, f64)) -> f64 {
    match scale {
        10_000..=15_000 => {
            let shown = |every: &f64| !north_lines(*every, (west_m, width_m), scale).is_empty();
            std::iter::once(300.0).chain(NARROW_M).find(shown).unwrap_or(300.0)
        }
        ..10_000 if width_m >= 600.0 => 300.0,
        _ => round_metres(20.0 * f64::from(scale) / 1000.0),
    }
}

/// Where north lines are on paper, in millimetres from the western edge: at multiples of their distance in metres. A line on an edge
/// would not show.
pub(super) fn north_lines(every_m: f64, (west_m, width_m): (f64, f64), scale: u32) -> Vec<f64> {
    let first = (west_m / every_m).ceil() * every_m - west_m;
    let (width, edge) = (mm(width_m, scale), 0.5 * enlarged(scale));
    let lines = (0u32..).map(|k| mm(first + f64::from(k) * every_m, scale));
    lines.take_while(|x| *x < width - edge).filter(|x| *x > edge).collect()
}

/// The least of 1, 2, 5, 10, 20, 50, … that is not less than `m`.
fn round_metres(m: f64) -> f64 {
    let mut ten = 0.1;
    loop {
        for digit in [1.0, 2.0, 5.0] {
            if digit * ten >= m * (1.0 - 1e-9) {
                return digit * ten;
            }
        }
        ten *= 10.0;
    }
}

/// Everything around the map, in millimetres from the upper left corner of the page.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// Width and height of the page.
    pub page: (f64, f64),
    /// The upper left corner of the map.
    pub map: P,
    /// Samples of the legend.
    pub samples: Vec<Object>,
    /// Texts.
    pub texts: Vec<Caption>,
    /// Lines and filled rectangles.
    pub rules: Vec<Rule>,
}

/// A text of the sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Caption {
    /// The left end of the line on which it stands.
    pub at: P,
    /// Size in millimetres.
    pub size: f64,
    /// Face.
    pub face: Face,
    /// The text.
    pub text: String,
}

/// A black line or area of the sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Its points.
    pub points: Vec<P>,
    /// Width of the line, 0 for a filled area.
    pub width: f64,
}

/// A number with thin spaces between thousands.
fn grouped(n: u32) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) && digits.len() > 4 {
            out.push('\u{a0}');
        }
        out.push(c);
    }
    out
}

/// A length in words: metres, or kilometres from 1000 m on.
fn length(m: f64) -> String {
    if m >= 1000.0 { format!("{} km", m / 1000.0) } else { format!("{m} m") }
}

/// The sheet of a chart.
pub(super) fn sheet(
    chart: &Chart,
    catalogue: &Catalogue,
    style: &ChartStyle,
    course: Option<&Course>,
    plan: &Plan,
) -> Result<Sheet> {
    let (w, h) = chart.size_mm;
    let legend = plan.grid.0 as f64 * (COLUMN + BETWEEN);
    let wide = if plan.side == Side::Right { w + legend } else { w };
    let left = ((plan.page.0 - wide) / 2.0).max(MARGIN);
    let map = (left, MARGIN + HEAD);
    let mut sheet = Sheet { page: plan.page, map, ..Sheet::default() };
    let frame = vec![map, (map.0 + w, map.1), (map.0 + w, map.1 + h), (map.0, map.1 + h), map];
    sheet.rules.push(Rule { points: frame, width: 0.25 });
    sheet.arrows(chart);
    sheet.head(chart, catalogue, plan);
    sheet.foot(chart, style, plan);
    let corner = match plan.side {
        Side::Right => (map.0 + w + BETWEEN, map.1),
        Side::Below => {
            // Under the map's own edge if its columns fit there.
            let fits =
                map.0 + plan.grid.0 as f64 * (COLUMN + BETWEEN) - BETWEEN <= plan.page.0 - MARGIN + 1e-9;
            (if fits { map.0 } else { MARGIN }, map.1 + h + FOOT + BETWEEN)
        }
    };
    let used = chart.used();
    let entries: Vec<(usize, &str)> =
        legend_codes(style).into_iter().filter(|(symbol, _)| used.contains(symbol)).collect();
    let paper = paper_label(catalogue, style)?;
    let table = Rows::of_table(course);
    let needed = Rows { legend: entries.len() + usize::from(paper.is_some()), table };
    let rows = match plan.side {
        Side::Right => plan.grid.1,
        Side::Below => needed.in_columns(plan.grid.0),
    };
    let mut cursor = Cursor { corner, rows, next: 0 };
    for (symbol, label) in entries {
        let at = cursor.row();
        let every = chart.interval_m.map(|m| match SYMBOLS[symbol].code {
            "101" => format!("{label}, every {} m", round(m)),
            "102" => format!("{label}, every {} m", round(5.0 * m)),
            _ => label.to_owned(),
        });
        sheet.entry(symbol, every.as_deref().unwrap_or(label), at);
    }
    if let Some(label) = paper {
        let (x, y) = cursor.row();
        let (a, b) = (y + ROW / 2.0 - 1.7, y + ROW / 2.0 + 1.7);
        let points = vec![(x, a), (x + SAMPLE, a), (x + SAMPLE, b), (x, b), (x, a)];
        sheet.rules.push(Rule { points, width: 0.12 });
        sheet.entry_name(label, (x, y));
    }
    if let Some(course) = course {
        let next_column = cursor.next.div_ceil(rows) * rows;
        let fits = cursor.next + GAP_ROWS + table <= next_column;
        // In one piece, below the legend or in a column of its own, as long as there is one.
        cursor.next = if fits || next_column + table > plan.grid.0 * rows {
            cursor.next + GAP_ROWS * usize::from(!cursor.next.is_multiple_of(rows))
        } else {
            next_column
        };
        sheet.controls(course, &mut cursor)?;
    }
    Ok(sheet)
}

/// Rows of the columns of the legend, one after the other.
struct Cursor {
    corner: P,
    rows: usize,
    next: usize,
}

impl Cursor {
    /// The upper left corner of the next row.
    fn row(&mut self) -> P {
        let (column, row) = (self.next / self.rows, self.next % self.rows);
        self.next += 1;
        (self.corner.0 + column as f64 * (COLUMN + BETWEEN), self.corner.1 + row as f64 * ROW)
    }
}

impl Sheet {
    fn text(&mut self, at: P, size: f64, face: Face, text: impl Into<String>) {
        self.texts.push(Caption { at, size, face, text: text.into() });
    }

    /// A text that ends at a place.
    fn text_to(&mut self, (x, y): P, size: f64, face: Face, words: &str) {
        self.text((x - text::width(words, face) * size, y), size, face, words);
    }

    /// Arrowheads at the upper ends of the north lines.
    fn arrows(&mut self, chart: &Chart) {
        let Ok(north) = symbol("601") else { return };
        for object in chart.objects.iter().filter(|o| o.symbol == north) {
            if let Shape::Line(line) = &object.shape {
                let (x, y) = (self.map.0 + line[0].0, self.map.1);
                self.rules.push(Rule {
                    points: vec![(x, y - 2.6), (x - 0.75, y - 0.2), (x + 0.75, y - 0.2)],
                    width: 0.0,
                });
            }
        }
    }

    /// Title, scale and contour interval above the map.
    fn head(&mut self, chart: &Chart, catalogue: &Catalogue, plan: &Plan) {
        let right = if plan.side == Side::Right {
            self.map.0 + chart.size_mm.0 + plan.grid.0 as f64 * (COLUMN + BETWEEN)
        } else {
            self.map.0 + chart.size_mm.0
        };
        let (x, y) = (self.map.0, self.map.1);
        let (right, x) = if right - x < 110.0 { (self.page.0 - MARGIN, MARGIN.min(x)) } else { (right, x) };
        let scale = format!("1:{}", grouped(chart.scale));
        let contours = chart.interval_m.map_or(String::new(), |i| format!("Contours every {} m", round(i)));
        self.text_to((right, y - 8.4), 5.4, Face::Bold, &scale);
        self.text_to((right, y - 4.2), 2.9, Face::Plain, &contours);
        let room = right - x - text::width(&contours, Face::Plain).max(12.0) * 2.9 - 4.0;
        let size = (room / text::width(&chart.title, Face::Bold).max(0.1)).min(7.0);
        self.text((x, y - 8.4), size, Face::Bold, chart.title.as_str());
        let m = |mm: f64| length((mm * f64::from(chart.scale) / 1000.0 * 10.0).round() / 10.0);
        let size = format!("{} \u{d7} {}", m(chart.size_mm.0), m(chart.size_mm.1));
        self.text((x, y - 4.2), 2.9, Face::Plain, format!("Seed {} \u{b7} {size}", catalogue.seed));
    }

    /// Scale bar, north lines and credits below the map.
    fn foot(&mut self, chart: &Chart, style: &ChartStyle, plan: &Plan) {
        let (x, y) = (self.map.0, self.map.1 + chart.size_mm.1 + 3.2);
        let part_m = round_metres(f64::from(chart.scale) * 9.0 / 1000.0);
        let part = mm(part_m, chart.scale);
        let parts = if part * 4.0 <= (chart.size_mm.0 - 50.0).max(40.0) { 4 } else { 2 };
        for k in 0..parts {
            let (a, b) = (x + k as f64 * part, x + (k + 1) as f64 * part);
            let points = vec![(a, y), (b, y), (b, y + 1.4), (a, y + 1.4)];
            let width = if k % 2 == 0 { 0.0 } else { 0.15 };
            let closed = if width > 0.0 { [points.clone(), vec![points[0]]].concat() } else { points };
            self.rules.push(Rule { points: closed, width });
        }
        for k in 0..=parts {
            let words = if k == parts {
                length(part_m * f64::from(k))
            } else {
                length(part_m * f64::from(k)).replace(" km", "").replace(" m", "")
            };
            let half = if k == 0 { 0.0 } else { text::width(&words, Face::Plain) * 1.2 };
            self.text((x + f64::from(k) * part - half, y + 4.4), 2.4, Face::Plain, words);
        }
        // Beside the legend only the last strip of the page is always free.
        let (right, y) = match plan.side {
            Side::Right => (self.page.0 - MARGIN, self.page.1 - MARGIN - FOOT + 3.2),
            Side::Below if chart.size_mm.0 < 100.0 => (self.page.0 - MARGIN, y),
            Side::Below => (x + chart.size_mm.0, y),
        };
        let mut lines = vec![format!("North lines every {}", length(chart.north_lines_m))];
        lines.extend(style.credits.iter().map(|c| (*c).to_owned()));
        lines.push("Made with Weald. Symbols after ISOM 2017-2.".into());
        for (i, line) in lines.iter().take(4).enumerate() {
            self.text_to((right, y + 1.4 + 2.9 * i as f64), 2.3, Face::Plain, line);
        }
    }

    /// A sample of a symbol, and its name.
    fn entry(&mut self, symbol: usize, label: &str, (x, y): P) {
        let (middle, wide) = (y + ROW / 2.0, SAMPLE);
        let shape = match &SYMBOLS[symbol].look {
            Look::Area(_) => {
                let (a, b) = (middle - 1.7, middle + 1.7);
                Shape::Area(vec![vec![(x, a), (x + wide, a), (x + wide, b), (x, b), (x, a)]])
            }
            Look::Line(_) => Shape::Line(vec![(x, middle), (x + wide, middle)]),
            Look::Point(_) => Shape::Point((x + wide / 2.0, middle), 0.0),
            Look::Text(_) => return,
        };
        self.samples.push(Object { symbol, shape });
        self.entry_name(label, (x, y));
    }

    /// The name beside a sample.
    fn entry_name(&mut self, label: &str, (x, y): P) {
        let room = COLUMN - SAMPLE - 2.0;
        self.fit((x + SAMPLE + 2.0, y + ROW / 2.0 + 1.0), 2.8, Face::Plain, label, room);
    }

    /// The table of controls: number, code, feature, detail.
    fn controls(&mut self, course: &Course, cursor: &mut Cursor) -> Result<()> {
        let data = &course.course;
        let (x, y) = cursor.row();
        self.fit((x, y + 3.8), 3.2, Face::Bold, &data.name, COLUMN);
        let mut facts: Vec<String> = Vec::new();
        if data.length_m > 0.0 {
            facts.push(format!("{:.1} km", data.length_m / 1000.0));
        }
        if data.climb_m > 0.0 {
            facts.push(format!("{:.0} m climb", data.climb_m));
        }
        if !facts.is_empty() {
            let (x, y) = cursor.row();
            self.fit((x, y + 3.4), 2.8, Face::Plain, &facts.join(" \u{b7} "), COLUMN);
        }
        let mut rows: Vec<[String; 4]> = Vec::new();
        if data.start.is_some() {
            rows.push([String::new(), String::new(), "Start".into(), String::new()]);
        }
        for (i, c) in data.controls.iter().enumerate() {
            let code = if c.code > 0 { c.code.to_string() } else { String::new() };
            rows.push([(i + 1).to_string(), code, c.feature.clone(), c.detail.clone()]);
        }
        if data.finish.is_some() {
            rows.push([String::new(), String::new(), "Finish".into(), String::new()]);
        }
        let columns = [0.0, 6.0, 13.0, 33.0, COLUMN];
        for row in rows {
            let (x, y) = cursor.row();
            let box_ = [(x, y), (x + COLUMN, y), (x + COLUMN, y + ROW), (x, y + ROW), (x, y)];
            self.rules.push(Rule { points: box_.to_vec(), width: 0.12 });
            for at in columns[1..4].iter().map(|column| x + column) {
                self.rules.push(Rule { points: vec![(at, y), (at, y + ROW)], width: 0.12 });
            }
            for (k, words) in row.iter().enumerate() {
                let room = columns[k + 1] - columns[k] - 1.6;
                let face = if k == 0 { Face::Bold } else { Face::Plain };
                self.fit((x + columns[k] + 0.8, y + 3.6), 2.7, face, words, room);
            }
        }
        Ok(())
    }

    /// A text that is made smaller until it fits.
    fn fit(&mut self, at: P, size: f64, face: Face, words: &str, room: f64) {
        if !words.is_empty() {
            let size = (room / text::width(words, face).max(0.1)).min(size);
            self.text(at, size, face, words);
        }
    }
}
