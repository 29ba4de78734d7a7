use super::*;
use crate::Job;
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
