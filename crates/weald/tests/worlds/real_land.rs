//! Whether the maps of many seeds have the figures of real land.

use weald::core::{Ctx, Grid};
use weald::measure::{Figure, Measures, RANGES, Terms, Verdict, measure};

/// Figures that nine seeds in ten must have in the range of real land; of the others seven in ten are enough.
const STRICT: [&str; 3] = ["chord45", "run8", "sinuosity"];

/// Measures a map without data outside it; the sea lies at 0.
pub(crate) fn measured(height: &Grid<f32>, cell_m: f64) -> Measures {
    let terms = Terms { sea_level: 0.0, ..Terms::new(cell_m) };
    measure(height, &terms, &Ctx::default()).unwrap()
}

/// Prints the figures of the maps of one kind. Returns what is not as real land is: medians outside their range, and figures
/// that too many seeds have outside. A figure that no map has, as the dimension of the coast where there is none, is left out.
pub(crate) fn judged(kind: &str, maps: &[Measures]) -> Vec<(String, String)> {
    let mut broken = Vec::new();
    println!(
        "\n| {kind} | real | least | median | most | inside |\n| --- | ---: | ---: | ---: | ---: | ---: |"
    );
    for figure in &RANGES {
        let mut values: Vec<f64> = maps.iter().filter_map(|m| figure.value(m).ok()).collect();
        if values.is_empty() || figure.verdict(&maps[0]) == Verdict::NoRange {
            continue;
        }
        values.sort_unstable_by(f64::total_cmp);
        let n = values.len();
        let median = (values[(n - 1) / 2] + values[n / 2]) / 2.0;
        let inside = values.iter().filter(|v| within(figure, **v)).count();
        let name = figure.name;
        println!(
            "| {name} | {} | {:.3} | {median:.3} | {:.3} | {inside} of {} |",
            figure.range_text(),
            values[0],
            values[n - 1],
            maps.len()
        );
        let least = if STRICT.contains(&name) { 9 } else { 7 };
        if !within(figure, median) || inside * 10 < least * maps.len() {
            let what = format!("{name}: median {median:.3}, {inside} of {} inside", maps.len());
            broken.push((kind.to_owned(), what));
        }
    }
    broken
}

fn within(figure: &Figure, value: f64) -> bool {
    figure.least.is_none_or(|least| value >= least) && figure.most.is_none_or(|most| value <= most)
}
