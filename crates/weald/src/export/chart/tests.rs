use super::*;
use crate::Job;
use crate::georeference::CrsUnit;
use crate::job::Output;

fn sample(world: &str, side: usize) -> Output {
    Job::new(world).unwrap().seed(7).size(side).run(&Ctx::default()).unwrap()
}

fn chart_of(output: &Output, options: &ChartOptions) -> Result<Chart> {
    let style = output.recipe.world.info().exports.chart.unwrap()();
    Chart::of(&output.catalogue, &style, options, &Ctx::default())
}

#[test]
fn a_kilometre_is_100_mm_at_1_to_10_000() {
    let output = sample("endless", 1000);
    let options = ChartOptions { scale: Some(10_000), ..ChartOptions::default() };
    let chart = chart_of(&output, &options).unwrap();
    assert_eq!((chart.scale, chart.size_mm, chart.enlarged), (10_000, (100.0, 100.0), 1.5));
    let lines = chart.objects.iter().filter(|o| symbols::SYMBOLS[o.symbol].code == "601");
    let mut x: Vec<f64> =
        lines.map(|o| if let Shape::Line(line) = &o.shape { line[0].0 } else { f64::NAN }).collect();
    x.sort_by(f64::total_cmp);
    assert!(x.len() >= 3 && x.windows(2).all(|w| (w[1] - w[0] - 30.0).abs() < 1e-9), "{x:?}");
}

#[test]
fn a_map_that_does_not_fit_the_paper_is_refused_with_a_scale_that_does() {
    let output = sample("endless", 1000);
    let options = ChartOptions { scale: Some(1000), ..ChartOptions::default() };
    let message = chart_of(&output, &options).unwrap_err().to_string();
    let scale: u32 = message
        .split("--scale ")
        .nth(1)
        .and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok())
        .unwrap_or_else(|| panic!("no scale in: {message}"));
    assert!(chart_of(&output, &ChartOptions { scale: Some(scale), ..ChartOptions::default() }).is_ok());
}

#[test]
fn every_world_with_a_chart_is_written_as_svg_pdf_and_omap() {
    for world in crate::world::WORLDS.iter().map(|w| w.info()).filter(|i| i.exports.chart.is_some()) {
        let side = if world.name == "city" { 256 } else { 96 };
        let chart = chart_of(&sample(world.name, side), &ChartOptions::default()).unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let (svg, pdf, omap) = (text(chart.svg()), text(chart.pdf().unwrap()), text(chart.omap()));
        assert!(svg.starts_with("<?xml") && svg.trim_end().ends_with("</svg>"), "{}", world.name);
        assert!(pdf.starts_with("%PDF-1.") && pdf.trim_end().ends_with("%%EOF"), "{}", world.name);
        assert!(omap.contains("version=\"9\"") && omap.trim_end().ends_with("</map>"), "{}", world.name);
        assert!(chart.objects.iter().all(|o| o.symbol < symbols::SYMBOLS.len()));
    }
}

/// A small course on the endless map of [`sample`] with a side of 1000.
fn course() -> ChartCourse {
    let control =
        |x, y, code| ChartControl { x, y, code, feature: "Boulder".into(), detail: "North side".into() };
    ChartCourse {
        name: "Test course".into(),
        start: Some((200.0, 200.0)),
        controls: vec![control(700.0, 250.0, 31), control(600.0, 700.0, 32), control(250.0, 640.0, 33)],
        finish: Some((400.0, 300.0)),
        length_m: 2200.0,
        climb_m: 60.0,
    }
}

/// Charts of all worlds that have one, and one with a course.
fn charts() -> &'static [(&'static str, Chart)] {
    static CHARTS: std::sync::OnceLock<Vec<(&'static str, Chart)>> = std::sync::OnceLock::new();
    CHARTS.get_or_init(made)
}

fn made() -> Vec<(&'static str, Chart)> {
    let worlds = crate::world::WORLDS.iter().map(|w| w.info()).filter(|i| i.exports.chart.is_some());
    let mut charts: Vec<(&str, Chart)> = worlds
        .map(|world| {
            let side = if world.name == "city" { 256 } else { 128 };
            (world.name, chart_of(&sample(world.name, side), &ChartOptions::default()).unwrap())
        })
        .collect();
    let options = ChartOptions { scale: Some(10_000), course: Some(course()), ..ChartOptions::default() };
    // A map so small that its legend and the table stand beside it.
    let small = ChartOptions { scale: Some(15_000), paper: Some(Paper::A5), ..options.clone() };
    charts.push(("small course", chart_of(&sample("endless", 900), &small).unwrap()));
    charts.push(("course", chart_of(&sample("endless", 1000), &options).unwrap()));
    charts
}

fn code(object: &Object) -> &'static str {
    symbols::SYMBOLS[object.symbol].code
}

/// The elements of an XML text: names with attributes, in order. Fails unless every element is closed by its own name, attributes are
/// quoted and ampersands begin known entities.
fn elements(text: &str) -> Vec<(String, Vec<(String, String)>)> {
    let (mut open, mut all): (Vec<String>, Vec<_>) = (Vec::new(), Vec::new());
    let rest = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").expect("an XML declaration");
    for (i, piece) in rest.split('<').enumerate() {
        let entities = piece.split('&').skip(1);
        let known = ["amp;", "lt;", "gt;", "quot;", "#"];
        assert!(entities.into_iter().all(|e| known.iter().any(|k| e.starts_with(k))), "{piece}");
        if i == 0 {
            assert!(piece.trim().is_empty());
            continue;
        }
        let (tag, after) = piece.split_once('>').expect("a tag ends");
        assert!(
            !after.contains('>') && (!open.is_empty() || after.trim().is_empty() || !tag.starts_with('/'))
        );
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed by its own name");
            continue;
        }
        let (tag, alone) = tag.strip_suffix('/').map_or((tag, false), |t| (t, true));
        let (name, mut left) = tag.split_once(|c: char| c.is_whitespace()).unwrap_or((tag, ""));
        assert!(
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-:".contains(c)),
            "{tag}"
        );
        let mut attributes: Vec<(String, String)> = Vec::new();
        while !left.trim().is_empty() {
            let (key, more) = left.trim_start().split_once("=\"").expect("a quoted attribute");
            let (value, more) = more.split_once('"').expect("a quote that ends");
            assert!(attributes.iter().all(|a| a.0 != key), "{key} twice in <{tag}>");
            attributes.push((key.into(), value.into()));
            left = more;
        }
        all.push((name.to_owned(), attributes));
        if !alone {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty(), "{open:?} stay open");
    all
}

fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn nothing_lies_outside_the_map_by_more_than_a_symbol() {
    for (world, chart) in charts() {
        let (w, h) = chart.size_mm;
        for object in &chart.objects {
            let reach = 1e-6 + symbols::SYMBOLS[object.symbol].reach() * chart.enlarged;
            let inside = |&(x, y): &P| x >= -reach && y >= -reach && x <= w + reach && y <= h + reach;
            let good = match &object.shape {
                Shape::Area(rings) => rings.iter().flatten().all(inside),
                Shape::Line(line) => line.iter().all(inside),
                Shape::Point(at, _) => inside(at),
                Shape::Text(at, words) => {
                    let symbols::Look::Text(face) = &symbols::SYMBOLS[object.symbol].look else {
                        panic!("{words}")
                    };
                    let wide = text::width(words, face.face) * face.size * chart.enlarged;
                    inside(at) && inside(&(at.0 + wide, at.1))
                }
            };
            assert!(good, "{world}: {object:?}");
        }
    }
}

#[test]
fn areas_are_closed_and_lines_have_two_points() {
    for (world, chart) in charts() {
        for object in &chart.objects {
            match &object.shape {
                Shape::Area(rings) => {
                    let closed = |r: &Vec<P>| r.len() >= 4 && r.first() == r.last();
                    assert!(!rings.is_empty() && rings.iter().all(closed), "{world}: {object:?}");
                }
                Shape::Line(line) => assert!(line.len() >= 2, "{world}: {object:?}"),
                _ => {}
            }
        }
    }
}

#[test]
fn the_legend_has_every_symbol_of_the_map() {
    for (world, chart) in charts() {
        let shown: Vec<usize> = chart.sheet.samples.iter().map(|o| o.symbol).collect();
        for symbol in chart.used() {
            let s = &symbols::SYMBOLS[symbol];
            // Edges belong to their area, slope lines to contours; the course has a table, and the foot names the north lines.
            let other = ["101.1", "301.4", "501.1", "601"].contains(&s.code) || s.code.starts_with('7');
            let named = other || matches!(s.look, symbols::Look::Text(_)) || shown.contains(&symbol);
            assert!(named, "{world}: {} {}", s.code, s.name);
        }
        assert!(chart.sheet.texts.iter().any(|t| t.text.starts_with("North lines every")), "{world}");
        let interval = format!("Contours every {} m", chart.interval_m.unwrap());
        assert!(chart.sheet.texts.iter().any(|t| t.text == interval), "{world}: {interval}");
    }
}

#[test]
fn texts_and_samples_of_the_sheet_are_within_the_page_and_do_not_overlap() {
    for (world, chart) in charts() {
        let (w, h) = chart.sheet.page;
        let boxes: Vec<(f64, f64, f64, f64)> = chart
            .sheet
            .texts
            .iter()
            .map(|t| (t.at.0, t.at.1 - 0.72 * t.size, t.at.0 + text::width(&t.text, t.face) * t.size, t.at.1))
            .collect();
        for (i, (b, t)) in boxes.iter().zip(&chart.sheet.texts).enumerate() {
            let within = b.0 >= 5.0 && b.1 >= 5.0 && b.2 <= w - 5.0 && b.3 <= h - 5.0;
            assert!(within && t.size >= 1.2, "{world}: {t:?} on {w} x {h}");
            for (o, other) in boxes.iter().zip(&chart.sheet.texts).skip(i + 1) {
                let apart = o.0 >= b.2 || o.2 <= b.0 || o.1 >= b.3 || o.3 <= b.1;
                assert!(apart, "{world}: {t:?} and {other:?}");
            }
        }
        // Lines of the table lead along its cells and not through words.
        for (line, (b, t)) in chart
            .sheet
            .rules
            .iter()
            .flat_map(|r| r.points.windows(2))
            .flat_map(|l| boxes.iter().zip(&chart.sheet.texts).map(move |b| (l, b)))
        {
            let ((x0, y0), (x1, y1)) = (line[0], line[1]);
            let apart = x0.max(x1) <= b.0 || x0.min(x1) >= b.2 || y0.max(y1) <= b.1 || y0.min(y1) >= b.3;
            assert!(apart, "{world}: a line from {:?} to {:?} runs through {t:?}", line[0], line[1]);
        }
        for rule in chart.sheet.rules.iter().flat_map(|r| &r.points) {
            assert!(rule.0 >= 0.0 && rule.1 >= 0.0 && rule.0 <= w && rule.1 <= h, "{world}: {rule:?}");
        }
    }
}

#[test]
fn the_table_of_controls_is_in_one_piece() {
    let (_, chart) = charts().last().unwrap();
    let at = |words: &str| chart.sheet.texts.iter().find(|t| t.text == words).unwrap().at;
    let (title, start, finish) = (at("Test course"), at("Start"), at("Finish"));
    assert!(start.0 == finish.0 && title.1 < start.1 && start.1 < finish.1, "{title:?} {start:?} {finish:?}");
    assert!((finish.0 - title.0).abs() < 30.0);
}

#[test]
fn the_cross_reference_table_of_a_pdf_leads_to_its_objects() {
    for (world, chart) in charts() {
        let bytes = chart.pdf().unwrap();
        let find = |from: usize, what: &[u8]| {
            bytes[from..].windows(what.len()).position(|w| w == what).map(|at| at + from)
        };
        let number = |text: &[u8]| std::str::from_utf8(text).unwrap().trim().parse::<usize>().unwrap();
        let start = find(bytes.len() - 60, b"startxref").expect("startxref") + 9;
        let end = find(start, b"%%EOF").unwrap();
        let table = number(&bytes[start..end]);
        assert!(bytes[table..].starts_with(b"xref\n0 "), "{world}");
        let head = find(table + 5, b"\n").unwrap();
        let count = number(&bytes[table + 7..head]);
        for k in 0..count {
            let entry = &bytes[head + 1 + 20 * k..head + 21 + 20 * k];
            assert_eq!(entry[17], if k == 0 { b'f' } else { b'n' }, "{world}");
            if k > 0 {
                let at = number(&entry[..10]);
                assert!(bytes[at..].starts_with(format!("{k} 0 obj").as_bytes()), "{world}: object {k}");
            }
        }
        let trailer = find(head, b"trailer").unwrap();
        let size = format!("/Size {count}");
        assert!(find(trailer, size.as_bytes()).is_some(), "{world}: {size}");
        let (w, h) = chart.sheet.page;
        let media = format!("/MediaBox [0 0 {:.6} {:.6}]", w * 72.0 / 25.4, h * 72.0 / 25.4);
        assert!(find(0, media.as_bytes()).is_some(), "{world}: {media}");
    }
}

#[test]
fn hollows_have_the_size_of_the_standard_from_edge_to_edge() {
    // ISOM 2017-2 gives outer measures in millimetres; a line is drawn around its middle, with flat ends.
    for (code, wide, high, line) in [
        ("111", 0.8, 0.4, 0.18),
        ("112", 0.7, 0.8, 0.18),
        ("203.1", 0.7, 0.8, 0.16),
        ("203.2", 0.7, 0.8, 0.16),
        ("303", 0.7, 0.8, 0.18),
        ("312", 0.9, 0.45, 0.18),
    ] {
        let symbol = &symbols::SYMBOLS[symbols::find(code).unwrap()];
        let symbols::Look::Point([part]) = &symbol.look else { panic!("{code}") };
        let (points, width) = match *part {
            symbols::Part::Line(_, width, points) => {
                assert_eq!(width, line, "{code}");
                (points, width)
            }
            symbols::Part::Solid(_, points) => {
                // The arm from the outer corner to the tip, and the inner corner beside it.
                let (inner, a, b) = (points[0], points[1], points[2]);
                let (dx, dy) = (b.0 - a.0, b.1 - a.1);
                let apart = ((inner.0 - a.0) * dy - (inner.1 - a.1) * dx).abs() / (dx * dx + dy * dy).sqrt();
                assert!((apart - line).abs() < 0.002, "{code}: a line of {apart} mm");
                (points, 0.0)
            }
            _ => panic!("{code}"),
        };
        let span = |of: fn(&P) -> f64| {
            let values = || points.iter().map(of);
            values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
        };
        // Both ends of a semicircle are cut off at the top, so that it is half a width higher than the middle of its line.
        let (w, h) = (span(|p| p.0) + width, span(|p| p.1) + width / 2.0);
        assert!((w - wide).abs() < 1e-9 && (h - high).abs() < 1e-9, "{code}: {w} x {h} mm");
    }
}

#[test]
fn north_lines_are_300_m_apart_on_every_orienteering_map_that_shows_one() {
    for scale in [10_000, 12_500, 15_000] {
        for (west, width) in [(0.0, 1000.0), (-250.0, 500.0), (200.0, 400.0), (250.0, 100.0)] {
            assert_eq!(layout::north_lines_m(scale, (west, width)), 300.0, "{west} {width}");
        }
        let narrow = (310.0, 250.0);
        assert_eq!(layout::north_lines_m(scale, narrow), 150.0);
        assert_eq!(layout::north_lines(150.0, narrow, scale).len(), 1);
    }
    assert_eq!(layout::north_lines_m(50_000, (0.0, 5000.0)), 1000.0);
}

#[test]
fn an_interval_that_cannot_be_drawn_is_refused_by_the_name_of_its_option() {
    let output = sample("endless", 128);
    for interval in [0.0, 0.001] {
        let options = ChartOptions { interval_m: Some(interval), ..ChartOptions::default() };
        let said = chart_of(&output, &options).unwrap_err().to_string();
        assert!(said.starts_with("--contour-m "), "{said}");
    }
}

#[test]
fn files_are_called_what_the_map_is_called() {
    for (world, chart) in charts() {
        let title = format!("{}, 1:{}", chart.title, chart.scale);
        assert!(
            !chart.title.is_empty() && chart.sheet.texts.iter().any(|t| t.text == chart.title),
            "{world}"
        );
        let (svg, pdf) = (text_of(chart.svg()), chart.pdf().unwrap());
        assert!(svg.contains(&format!("<title>{}</title>", text::escaped(&title))), "{world}: {title}");
        let entry = [b"/Title ".as_slice(), &text::pdf_text(&title)].concat();
        assert!(pdf.windows(entry.len()).any(|w| w == entry), "{world}: {title}");
    }
}

#[test]
fn the_course_does_not_hide_the_map() {
    let (_, chart) = charts().last().unwrap();
    let svg = elements(&text_of(chart.svg()));
    let group = svg.iter().find(|e| e.1.contains(&("id".into(), "course".into()))).unwrap();
    assert!(group.1.contains(&("style".into(), "mix-blend-mode:multiply".into())), "{group:?}");
    let pdf = String::from_utf8_lossy(&chart.pdf().unwrap()).into_owned();
    assert!(pdf.contains("/BM /Multiply") && pdf.contains("/S /Transparency"));
    let plain = String::from_utf8_lossy(&charts()[0].1.pdf().unwrap()).into_owned();
    assert!(!plain.contains("/BM"), "a map without a course needs no blending");
    // A colour of Mapper hides those that come later.
    let omap = elements(&text_of(chart.omap()));
    let names: Vec<&str> = omap
        .iter()
        .filter(|e| e.0 == "color")
        .map(|e| e.1.iter().find(|a| a.0 == "name").map_or("", |a| a.1.as_str()))
        .collect();
    let at = |name: &str| names.iter().position(|n| *n == name).unwrap();
    for detail in ["Black", "Black of roads", "Blue", "Brown", "Green of points", "Black of banks"] {
        assert!(at(detail) < at("Purple"), "{detail} is hidden by the course: {names:?}");
    }
    assert!(["Blue 70 %", "Green", "Yellow"].iter().all(|area| at("Purple") < at(area)), "{names:?}");
}

#[test]
fn svg_is_read_by_programs_that_know_svg_1_only() {
    for (world, chart) in charts() {
        let all = elements(&text_of(chart.svg()));
        let xlink = ("xmlns:xlink".to_owned(), "http://www.w3.org/1999/xlink".to_owned());
        assert!(all[0].1.contains(&xlink), "{world}");
        let ids: Vec<&str> =
            all.iter().flat_map(|e| &e.1).filter(|a| a.0 == "id").map(|a| a.1.as_str()).collect();
        for (name, attributes) in &all {
            assert!(attributes.iter().all(|a| a.0 != "href" && a.0 != "paint-order"), "{world}: {name}");
            if name == "use" {
                let target = attributes.iter().find(|a| a.0 == "xlink:href").map_or("", |a| a.1.as_str());
                assert!(target.strip_prefix('#').is_some_and(|id| ids.contains(&id)), "{world}: {target}");
            }
        }
    }
}

#[test]
fn svg_is_well_formed_and_of_real_size() {
    for (world, chart) in charts() {
        let all = elements(&text_of(chart.svg()));
        let (name, attributes) = &all[0];
        let has = |key: &str| attributes.iter().find(|a| a.0 == key).map_or("", |a| a.1.as_str());
        assert_eq!(name, "svg", "{world}");
        for (key, mm) in [("width", chart.sheet.page.0), ("height", chart.sheet.page.1)] {
            assert_eq!(has(key).strip_suffix("mm").and_then(|v| v.parse::<f64>().ok()), Some(mm), "{world}");
        }
    }
}

#[test]
fn an_omap_lies_where_its_map_lies() {
    let mut output = sample("island", 64);
    let georeferencing = |output: &Output| {
        let text = text_of(chart_of(output, &ChartOptions::default()).unwrap().omap());
        text.lines().find(|line| line.starts_with("<georeferencing")).unwrap().to_owned()
    };
    assert!(
        georeferencing(&output)
            .contains("<projected_crs id=\"Local\"><ref_point x=\"320.000\" y=\"-320.000\"/>")
    );
    let step = (10.0, 10.0);
    let place =
        GeoReference { epsg: Some(32633), unit: CrsUnit::Metre, west: 499_680.0, north: 5_300_320.0, step };
    output.catalogue.georeference = Some(place);
    let there = georeferencing(&output);
    for part in [
        "grid_scale_factor=\"0.999600\"",
        "<projected_crs id=\"EPSG\">",
        "+init=epsg:32633<",
        "<parameter>32633</parameter>",
        "<ref_point x=\"500000.000\" y=\"5300000.000\"/>",
        "<ref_point_deg lat=\"47.85334194\" lon=\"15.00000000\"/>",
    ] {
        assert!(there.contains(part), "{part} is missing: {there}");
    }
    // Its degrees cannot be computed here.
    output.catalogue.georeference = Some(GeoReference { epsg: Some(2056), ..place });
    let swiss = georeferencing(&output);
    assert!(swiss.contains("epsg:2056<") && !swiss.contains("ref_point_deg"), "{swiss}");
    assert!(swiss.contains("grid_scale_factor=\"1.000000\""), "{swiss}");
    // Metres of web maps are twice those of the ground at 60 degrees; beyond the antimeridian degrees begin anew.
    let north = 8_399_737.89 + 640.0;
    let web = GeoReference {
        epsg: Some(3857),
        west: -20_037_508.34 - 20_640.0,
        north,
        step: (20.0, 20.0),
        ..place
    };
    output.catalogue.georeference = Some(web);
    let there = georeferencing(&output);
    for part in ["grid_scale_factor=\"2.000000\"", "lat=\"60.00000000\" lon=\"179.82033697\""] {
        assert!(there.contains(part), "{part} is missing: {there}");
    }
}

#[test]
fn places_in_an_omap_of_utm_are_those_of_the_grid() {
    let mut output = sample("island", 64);
    let corners = |output: &Output| {
        let chart =
            chart_of(output, &ChartOptions { scale: Some(10_000), ..ChartOptions::default() }).unwrap();
        let text = text_of(chart.omap());
        let numbers =
            |text: &str| text.split(' ').filter_map(|n| n.parse::<f64>().ok()).collect::<Vec<f64>>();
        let all: Vec<Vec<f64>> = text
            .split("<coords")
            .skip(1)
            .flat_map(|c| c.split(['>', ';']))
            .map(numbers)
            .filter(|n| n.len() > 1)
            .collect();
        all.iter().fold((f64::MAX, f64::MIN), |(least, most), n| (least.min(n[0]), most.max(n[0])))
    };
    let local = corners(&output);
    let step = (10.0, 10.0);
    let place =
        GeoReference { epsg: Some(32633), unit: CrsUnit::Metre, west: 499_680.0, north: 5_300_320.0, step };
    output.catalogue.georeference = Some(place);
    let utm = corners(&output);
    for (local, utm) in [(local.0, utm.0), (local.1, utm.1)] {
        // Thousandths of a millimetre, at most half of one off.
        assert!((utm * 0.9996 - local).abs() <= 1.0 && local.abs() > 20_000.0, "{local} {utm}");
    }
}

#[test]
fn an_omap_has_the_structure_that_mapper_reads() {
    for (world, chart) in charts() {
        let all = elements(&text_of(chart.omap()));
        let get = |e: &(String, Vec<(String, String)>), key: &str| {
            e.1.iter().find(|a| a.0 == key).map(|a| a.1.clone()).unwrap_or_default()
        };
        let of = |name: &str| all.iter().filter(|e| e.0 == name).collect::<Vec<_>>();
        assert_eq!((all[0].0.as_str(), get(&all[0], "version").as_str()), ("map", "9"), "{world}");
        let barrier = of("barrier");
        assert_eq!((get(barrier[0], "version"), get(barrier[0], "required")), ("6".into(), "0.6.0".into()));
        for (list, item) in [("colors", "color"), ("symbols", "symbol"), ("objects", "object")] {
            let named = of(item)
                .into_iter()
                .filter(|e| match item {
                    "symbol" => !get(e, "id").is_empty(),
                    "object" => !get(e, "symbol").is_empty(),
                    _ => true,
                })
                .count();
            assert_eq!(get(of(list)[0], "count"), named.to_string(), "{world}: {list}");
        }
        let ids: Vec<String> =
            of("symbol").into_iter().map(|e| get(e, "id")).filter(|id| !id.is_empty()).collect();
        // Objects inside of point symbols have no symbol of their own.
        for object in of("object").into_iter().filter(|e| !get(e, "symbol").is_empty()) {
            assert!(ids.contains(&get(object, "symbol")), "{world}: {object:?}");
        }
        for line in of("line_symbol").into_iter().filter(|e| get(e, "dashed") == "true") {
            for key in ["dash_length", "break_length"] {
                assert!(get(line, key).parse::<u32>().is_ok_and(|v| v > 0), "{world}: {key} in {line:?}");
            }
            for key in ["dashes_in_group", "in_group_break_length", "segment_length"] {
                assert!(get(line, key).parse::<u32>().is_ok(), "{world}: {key} in {line:?}");
            }
        }
        let text = text_of(chart.omap());
        for coords in text.split("<coords ").skip(1) {
            let inner = coords.split_once('>').unwrap().1.split('<').next().unwrap();
            for place in inner.split(';').filter(|p| !p.trim().is_empty()) {
                let numbers = place.split_whitespace().map(str::parse::<i64>);
                let numbers: Vec<i64> =
                    numbers.collect::<std::result::Result<_, _>>().expect("whole numbers");
                assert!((2..=3).contains(&numbers.len()), "{world}: {place}");
            }
        }
    }
}

#[test]
fn a_course_is_in_all_three_formats_and_its_legs_stop_at_circles() {
    let (_, chart) = charts().last().unwrap();
    let count = |wanted: &str| chart.objects.iter().filter(|o| code(o) == wanted).count();
    assert_eq!(["701", "703", "704", "705", "706"].map(count), [1, 3, 3, 4, 1]);
    let points: Vec<(P, f64)> = chart
        .objects
        .iter()
        .filter(|o| ["701", "703", "706"].contains(&code(o)))
        .filter_map(|o| match o.shape {
            Shape::Point(at, _) => Some((at, symbols::SYMBOLS[o.symbol].reach() * chart.enlarged)),
            _ => None,
        })
        .collect();
    let far = |a: P, b: P| ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)).sqrt();
    for object in &chart.objects {
        match &object.shape {
            Shape::Line(line) if code(object) == "705" => {
                let clear = |p: &P| points.iter().all(|(at, reach)| far(*p, *at) >= *reach);
                assert!(line.iter().all(clear), "{line:?}");
            }
            Shape::Text(at, words) if code(object) == "704" => {
                let symbols::Look::Text(face) = &symbols::SYMBOLS[object.symbol].look else { panic!() };
                let size = face.size * chart.enlarged;
                let middle =
                    (at.0 + text::width(words, face.face) * size / 2.0, at.1 - points::CAPITALS * size / 2.0);
                let clear = points.iter().all(|(p, reach)| far(middle, *p) > *reach);
                assert!(clear, "the number {words} is on a circle");
            }
            _ => {}
        }
    }
    let (svg, omap) = (text_of(chart.svg()), text_of(chart.omap()));
    assert!(svg.contains("Test course") && svg.contains("North side"));
    for code in ["701", "703", "704", "705", "706"] {
        assert!(omap.contains(&format!("code=\"{code}\"")), "{code}");
    }
    let options = ChartOptions { scale: Some(10_000), ..ChartOptions::default() };
    let plain = chart_of(&sample("endless", 1000), &options).unwrap();
    assert!(chart.pdf().unwrap() != plain.pdf().unwrap() && !text_of(plain.omap()).contains("code=\"703\""));
}

#[cfg(feature = "parallel")]
#[test]
fn bytes_are_the_same_for_one_and_two_threads() {
    let output = sample("endless", 300);
    let made = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let chart = chart_of(&output, &ChartOptions::default()).unwrap();
            (chart.svg(), chart.pdf().unwrap(), chart.omap())
        })
    });
    assert!(made[0] == made[1]);
}

#[test]
fn marshes_lie_on_dry_ground_even_at_the_shore() {
    use crate::style::chart::{AreaLook, AreaStyle};
    // Sea in the west, a marsh at the shore, grass beyond it, and a marsh alone in the sea.
    let class = Grid::from_fn(60, 40, |x, y| match (x, y) {
        (5..10, 5..10) => 2,
        (..20, _) => 0u8,
        (20..40, _) => 2,
        _ => 1,
    });
    let style = |value, look| AreaStyle::class("class", value, look);
    let water = AreaLook::Water("301", None);
    let styles = [
        style(0, water),
        style(1, AreaLook::Area("401", None)),
        style(2, AreaLook::Over("308")),
        style(3, AreaLook::Paper),
    ];
    let layers: Vec<(AreaStyle, Cells)> = styles.iter().map(|s| (*s, Cells::U8(&class))).collect();
    let ground = Ground {
        shape: (60, 40),
        cell_m: 1.0,
        cell_mm: 1.0,
        origin: (0.0, 0.0),
        mm_per_unit: 1.0,
        enlarged: 1.0,
    };
    let cover = areas::cover(&layers, &ground, &Ctx::default()).unwrap();
    let look = |x: usize, y: usize| cover.base.looks[cover.base.map[(x, y)] as usize].0;
    assert_eq!(
        [look(21, 20), look(7, 7), look(3, 20)],
        [AreaLook::Area("401", None), AreaLook::Paper, water]
    );
}
