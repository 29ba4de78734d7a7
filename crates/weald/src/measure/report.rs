//! What was measured, as a table and as JSON.

use super::source::Source;
use super::{Measures, RANGES, Verdict};
use serde_json::{Value, json};
use std::fmt;

/// The figures of a map, told to people and to machines.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// What to call the map.
    pub name: &'a str,
    /// The map as it was read.
    pub source: &'a Source,
    /// Its figures.
    pub measures: &'a Measures,
}

impl Report<'_> {
    /// How the map was read, in a few lines.
    pub fn reading(&self) -> Vec<String> {
        let (source, map) = (self.source, &self.measures.map);
        let (w, h) = source.height.shape();
        let terms = &source.terms;
        let sea = w.max(h) > 0 && map.land + map.nodata < map.height.len();
        let mut lines = vec![
            format!("{w}x{h} cells of {} m ({})", short(terms.cell_m), source.cell_from),
            format!("heights: {}", source.heights),
            format!(
                "sea level {} ({}): {}",
                terms.sea_level,
                source.sea_from,
                if sea {
                    format!("{:.1} % of the map is sea", self.sea_share() * 100.0)
                } else {
                    "no sea".into()
                }
            ),
        ];
        if map.nodata > 0 {
            lines.push(format!("{} cells without data", map.nodata));
        }
        if map.block > 1 {
            let (w, h) = map.height.shape();
            let block = map.block;
            lines.push(format!("averaged by {block}x{block} to {w}x{h} cells of {} m", short(map.cell_m)));
        }
        let km2 = f64::from(self.measures.rivers.threshold) * map.cell_m * map.cell_m / 1e6;
        lines.push(format!(
            "channels: from {} cells ({} km²) on",
            self.measures.rivers.threshold,
            short(km2)
        ));
        lines
    }

    /// The share of the measured cells that are sea.
    fn sea_share(&self) -> f64 {
        let map = &self.measures.map;
        (map.height.len() - map.land - map.nodata) as f64 / map.height.len() as f64
    }

    /// How many figures have a verdict.
    fn count(&self, verdict: Verdict) -> usize {
        RANGES.iter().filter(|f| f.verdict(self.measures) == verdict).count()
    }

    /// One line that sums up.
    pub fn summary(&self) -> String {
        let (inside, outside) = (self.count(Verdict::Inside), self.count(Verdict::Outside));
        let names: Vec<&str> =
            RANGES.iter().filter(|f| f.verdict(self.measures) == Verdict::Outside).map(|f| f.name).collect();
        let outside = if outside == 0 {
            "none outside".into()
        } else {
            format!("{outside} outside: {}", names.join(", "))
        };
        format!("{inside} of {} figures are in the range of real land, {outside}", inside + names.len())
    }

    /// The report as JSON.
    pub fn to_json(&self) -> Value {
        let (source, m) = (self.source, self.measures);
        let figures: Vec<Value> = RANGES
            .iter()
            .map(|f| {
                let value = f.value(m);
                json!({
                    "name": f.name, "value": value.ok(), "least": f.least, "most": f.most,
                    "verdict": f.verdict(m).name(), "reason": value.err(), "about": f.about,
                })
            })
            .collect();
        let streams: Vec<Value> = m
            .rivers
            .streams
            .iter()
            .enumerate()
            .map(|(i, s)| json!({"order": i + 1, "count": s.count, "mean_length_cells": s.length / f64::from(s.count)}))
            .collect();
        json!({
            "map": {
                "name": self.name,
                "width": source.height.width(), "height": source.height.height(),
                "cell_m": source.terms.cell_m, "cell_from": source.cell_from,
                "heights": source.heights,
                "sea_level": source.terms.sea_level, "sea_from": source.sea_from,
                "nodata": source.terms.nodata,
                "reading": source.reading.as_ref().map(|reading| reading.json.clone()),
            },
            "measured": {
                "width": m.map.height.width(), "height": m.map.height.height(), "cell_m": m.map.cell_m,
                "block": m.map.block, "land_cells": m.map.land, "nodata_cells": m.map.nodata,
                "channel_cells": m.rivers.threshold,
            },
            "figures": figures,
            "inside": self.count(Verdict::Inside),
            "outside": self.count(Verdict::Outside),
            "streams": streams,
            "slope_area": m.slope_area.points,
            "rose": m.rose,
            "spectrum": m.spectrum,
        })
    }
}

/// A number with at most three decimals.
fn short(v: f64) -> String {
    let text = format!("{v:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.name)?;
        if let Some(reading) = &self.source.reading {
            writeln!(f, "  read as {}", reading.summary)?;
        }
        self.reading().iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        writeln!(f, "\n{:<11} {:>6}  {:<13}  {:<8}  what it is", "figure", "value", "real land", "verdict")?;
        for figure in &RANGES {
            let verdict = match figure.verdict(self.measures) {
                Verdict::Missing => "—",
                known => known.name(),
            };
            let reason = figure.value(self.measures).err().map_or(String::new(), |why| format!(" ({why})"));
            let value = figure.value_text(self.measures);
            let range = figure.range_text();
            let about = figure.about;
            writeln!(f, "{:<11} {value:>6}  {range:<13}  {verdict:<8}  {about}{reason}", figure.name)?;
        }
        writeln!(f, "\n{}", self.summary())
    }
}
