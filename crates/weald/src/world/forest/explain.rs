//! Why a tile of the forest is what it is: the rules of its stages, evaluated again on the layers of a catalogue.

use super::Playable;
use super::classes::*;
use super::cover::{self, BOG, ESKER, MIXED, STANDS, SWAMP};
use super::land::landform_of;
use super::navigation::SUCKING_BOG;
use super::params::ForestParams;
use crate::catalogue::explain::{
    Cell, Explanation, Look, Neighbour, Reason, count, direction_word, list, params, say, say_both,
};
use crate::catalogue::{Catalogue, Class};
use crate::error::Result;
use weald_core::math::{clamp01, exp, lerp, ln};
use weald_core::{Ctx, Dir8, Seed, hydro, slope};

/// The reasons for everything on a tile.
pub(super) fn explain(catalogue: &Catalogue, cell: Cell) -> Result<Explanation> {
    let p: ForestParams = params(catalogue)?;
    let (mut told, look) = (Explanation::of(catalogue, cell), Look::new(catalogue, cell));
    told.because(&look, "water", |look| water(look, &p));
    told.because(&look, "biome", |look| biome(look, &p));
    told.because(&look, "slope", steepness);
    told.because(&look, "landform", |look| landform(look, &p));
    told.because(&look, "flow", |look| flow(look, &p));
    told.because(&look, "accumulation", accumulation);
    told.because(&look, "moisture", |look| moisture(look, &p));
    told.because(&look, "vegetation", vegetation);
    told.because(&look, "soil", |look| soil(look, &p));
    told.because(&look, "surface", |look| surface(look, &p));
    told.because(&look, "obstruction", |look| obstruction(look, &p));
    told.because(&look, "passability", |look| passability(look, &p));
    told.because(&look, "move cost", |look| move_cost(look, &p));
    told.because(&look, "visibility", |look| visibility(look, &p));
    told.because(&look, "orientation", |look| orientation(look, &p));
    told.because(&look, "trail", trail);
    told.because(&look, "followable", followable);
    Ok(told)
}

/// The name of a code.
fn name(table: &'static [Class], code: u8) -> &'static str {
    table.iter().find(|c| c.value == code as u32).map_or("none", |c| c.name)
}

/// Names of the flags that are set.
fn flags(table: &'static [Class], bits: u8) -> Vec<&'static str> {
    table.iter().filter(|c| bits as u32 & c.value != 0).map(|c| c.name).collect()
}

/// In the words of a sentence: "spruce swamp".
fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// Slope by differences of the neighbours' elevation.
fn steepness(look: &Look) -> Option<Reason> {
    let (height, at) = look.around("height", 2)?;
    let found = slope::slope_and_aspect(&height, 1.0, slope::Border::Repeated, &Ctx::default()).ok()?;
    let (steep, aspect) = (found.slope[at], found.aspect[at]);
    let falls = match steep > 0.0 {
        true => format!(
            "The elevation changes by {} for each tile, and falls towards {} degrees (0 is east, 90 south).",
            say(steep as f64),
            say(aspect as f64)
        ),
        false => "The ground is level here: the elevations of the tiles around balance out.".to_owned(),
    };
    let answer = say(steep as f64);
    let rule = "slope = length of the gradient of height, from the tiles on both sides";
    let reason = Reason::new("slope", answer, falls, rule).giving("slope", steep);
    Some(reason.giving("aspect_deg", aspect).number("slope", steep, "1/tile").number(
        "aspect_deg",
        aspect,
        "deg",
    ))
}

/// The decision table of §5.2.
fn landform(look: &Look, p: &ForestParams) -> Option<Reason> {
    let (height, steep) = (look.float("height")?, look.float("slope")?);
    let (eps, flat) = (p.landform.eps as f32, p.landform.flat_slope_threshold as f32);
    let layer = look.layer("height")?;
    let (mut higher, mut lower, mut beside) = (0, 0, Vec::new());
    for (d, (x, y)) in look.neighbours() {
        let there = layer.at(x, y) as f32;
        let by = say((there - height).abs() as f64);
        if there > height + eps {
            higher += 1;
            beside.push(look.neighbour(d, format!("{by} higher")));
        } else if there < height - eps {
            lower += 1;
            beside.push(look.neighbour(d, format!("{by} lower")));
        }
    }
    let form = landform_of(steep < flat, higher, lower);
    let (s, limit) = say_both(steep, flat);
    let ground = match steep < flat {
        true => format!("the ground is flat (slope {s}, below {limit})"),
        false => format!("the ground is not flat (slope {s}, at least {limit})"),
    };
    let around = format!(
        "{} higher and {} lower by more than {}",
        count(higher as usize, "neighbour is", "neighbours are"),
        match lower {
            0 => "none is".to_owned(),
            n => count(n as usize, "is", "are"),
        },
        say(p.landform.eps)
    );
    let what = if form == FLAT { "flat ground".to_owned() } else { format!("a {}", name(LANDFORMS, form)) };
    let sentence = format!("This is {what}: {ground}, and {around}.");
    let rule = "flat (slope < landform.flat_slope_threshold): basin if some neighbours are higher and none \
        lower, ridge if some are lower and none higher, otherwise flat; not flat: basin from 6 higher, \
        ridge from 6 lower, valley from 5 higher and at most 2 lower, ridge from 5 lower and at most 2 \
        higher, otherwise slope";
    let reason = Reason::new("landform", name(LANDFORMS, form), sentence, rule).giving("landform", form);
    let reason = reason.number("slope", steep, "1/tile");
    let reason = reason.number("landform.flat_slope_threshold", p.landform.flat_slope_threshold, "1/tile");
    Some(reason.number("higher", higher, "neighbours").number("lower", lower, "neighbours").beside(beside))
}

/// Where the water goes.
fn flow(look: &Look, p: &ForestParams) -> Option<Reason> {
    look.layer("height")?;
    let height = look.catalogue.floats("height").ok()?;
    let h = &p.hydrology;
    let rule = hydro::DropRule { min_drop: h.min_drop_threshold as f32, tie_eps: h.tie_eps as f32 };
    let d = hydro::d8_by_drop_at(height, Seed(look.catalogue.seed), &rule, look.cell);
    let drop = |(x, y): Cell| height[look.cell] - height[(x, y)];
    let text = "to the neighbour with the largest drop of at least hydrology.min_drop_threshold; ties by a \
        hash of the place";
    let reason = match look.neighbours().into_iter().find(|n| n.0 == d) {
        None => {
            let sentence = format!(
                "Water does not leave this tile, because no neighbour is lower by at least {}.",
                say(h.min_drop_threshold)
            );
            Reason::new("flow", "none", sentence, text)
        }
        Some((d, to)) => {
            let by = drop(to);
            let others = look.neighbours().into_iter().filter(|n| n.0 != d && by - drop(n.1) <= rule.tie_eps);
            let tied = match others.count() {
                0 => "the lowest of its neighbours".to_owned(),
                n => format!("which a hash of the place chose among {} equally low neighbours", n + 1),
            };
            let sentence = format!(
                "Water flows {} from here, to a tile that is {} lower, {tied}.",
                direction_word(d),
                say(by as f64)
            );
            let to = look.neighbour(d, format!("takes the water, {} lower", say(by as f64)));
            Reason::new("flow", Dir8::NAMES[d.0 as usize], sentence, text).number("drop", by, "").beside([to])
        }
    };
    Some(reason.giving("flow_direction", d.0).number(
        "hydrology.min_drop_threshold",
        h.min_drop_threshold,
        "",
    ))
}

/// How much water passes.
fn accumulation(look: &Look) -> Option<Reason> {
    let area = look.layer("flow_accumulation")?;
    let from = look.inflows("flow_direction")?;
    let parts: Vec<(Dir8, f64)> = from.iter().map(|&(d, (x, y))| (d, area.at(x, y))).collect();
    let sum = parts.iter().fold(1.0, |sum, part| sum + part.1);
    let sentence = match parts.len() {
        0 => "No other tile drains into this one, so it carries only its own water.".to_owned(),
        n => format!(
            "The water of {} passes here: its own and that of {} into it.",
            count(sum as usize, "tile", "tiles"),
            count(n, "neighbour that drains", "neighbours that drain")
        ),
    };
    let beside =
        parts.iter().map(|&(d, a)| look.neighbour(d, format!("brings the water of {} tiles", say(a))));
    let rule = "1 + the sum of flow_accumulation of the neighbours that drain into the tile";
    let reason = Reason::new("accumulation", say(sum), sentence, rule).giving("flow_accumulation", sum);
    Some(reason.number("flow_accumulation", sum, "tiles").beside(beside))
}

/// "about 250 tiles": the accumulation at a share of the map's logarithmic scale.
fn tiles_at(look: &Look, share: f64) -> Option<f64> {
    let (low, high) = look.layer("flow_accumulation")?.min_max();
    Some(exp(ln(low) + share * (ln(high) - ln(low))).ceil())
}

/// Lake before stream before marsh before none (§6.4 to §6.7).
fn water(look: &Look, p: &ForestParams) -> Option<Reason> {
    let h = &p.hydrology;
    let (form, steep) = (look.code("landform")?, look.float("slope")?);
    let (area, moist) = (look.float("flow_accumulation_log")?, look.float("moisture")?);
    let tiles = look.value("flow_accumulation")?;
    let lake =
        form == BASIN && steep < h.lake_flat_slope_threshold as f32 && area >= h.lake_accum_threshold as f32;
    let stream =
        !lake && area >= h.stream_accum_threshold as f32 && steep >= h.stream_min_slope_threshold as f32;
    let marsh = moist >= h.marsh_moisture_threshold as f32 && steep < h.marsh_slope_threshold as f32;
    let class = match (lake, stream, marsh) {
        (true, _, _) => LAKE,
        (_, true, _) => STREAM,
        (_, _, true) => MARSH,
        _ => DRY,
    };
    let drained = |limit: f64| {
        let (a, l) = say_both(area, limit as f32);
        let needed = tiles_at(look, limit).unwrap_or(0.0);
        (a, l, say(needed))
    };
    let sentence = match class {
        LAKE => {
            let (a, l, needed) = drained(h.lake_accum_threshold);
            let (s, most) = say_both(steep, h.lake_flat_slope_threshold as f32);
            format!(
                "This is a lake because the tile is a basin, its ground is flat (slope {s}, below {most}), \
                and {} tiles drain into it: {a} on the map's logarithmic scale, at least the {l} that a \
                lake needs (about {needed} tiles).",
                say(tiles)
            )
        }
        STREAM => {
            let (a, l, needed) = drained(h.stream_accum_threshold);
            let (s, least) = say_both(steep, h.stream_min_slope_threshold as f32);
            let no_lake = match form == BASIN {
                true => "it is not flat enough, or has not enough water, for a lake",
                false => "it is no basin, so that it is no lake",
            };
            format!(
                "This is a stream because {} tiles drain through here ({a} on the map's logarithmic scale, \
                at least the {l} that a stream needs, about {needed} tiles), the ground is steep enough for \
                water to run (slope {s}, at least {least}), and {no_lake}.",
                say(tiles)
            )
        }
        MARSH => {
            let (m, wet) = say_both(moist, h.marsh_moisture_threshold as f32);
            let (s, most) = say_both(steep, h.marsh_slope_threshold as f32);
            format!(
                "This is a marsh because the ground is wet (moisture {m}, at least {wet}) and flat (slope \
                {s}, below {most}), and it is neither lake nor stream."
            )
        }
        _ => dry(look, p, (form, steep), (area, moist), tiles),
    };
    let rule = "lake: landform = basin, slope < hydrology.lake_flat_slope_threshold and \
        flow_accumulation_log >= hydrology.lake_accum_threshold; stream: flow_accumulation_log >= \
        hydrology.stream_accum_threshold and slope >= hydrology.stream_min_slope_threshold; marsh: moisture \
        >= hydrology.marsh_moisture_threshold and slope < hydrology.marsh_slope_threshold; the first that \
        holds";
    let reason = Reason::new("water", name(WATER_CLASSES, class), sentence, rule)
        .giving("water_class", class)
        .giving("lake_mask", lake as u8)
        .giving("stream_mask", stream as u8)
        .number("flow_accumulation", tiles, "tiles")
        .number("flow_accumulation_log", area, "1")
        .number("slope", steep, "1/tile")
        .number("moisture", moist, "1");
    Some(
        reason
            .number("hydrology.lake_accum_threshold", h.lake_accum_threshold, "1")
            .number("hydrology.lake_flat_slope_threshold", h.lake_flat_slope_threshold, "1/tile")
            .number("hydrology.stream_accum_threshold", h.stream_accum_threshold, "1")
            .number("hydrology.stream_min_slope_threshold", h.stream_min_slope_threshold, "1/tile")
            .number("hydrology.marsh_moisture_threshold", h.marsh_moisture_threshold, "1")
            .number("hydrology.marsh_slope_threshold", h.marsh_slope_threshold, "1/tile"),
    )
}

/// Why a tile has no water.
fn dry(
    look: &Look,
    p: &ForestParams,
    (form, steep): (u8, f32),
    (area, moist): (f32, f32),
    tiles: f64,
) -> String {
    let h = &p.hydrology;
    let lake = match form == BASIN {
        false => "it is no lake, because it is no basin",
        true if steep >= h.lake_flat_slope_threshold as f32 => "it is a basin, but too steep for a lake",
        true => "it is a basin, but not enough water drains into it for a lake",
    };
    let stream = if area < h.stream_accum_threshold as f32 {
        let (a, l) = say_both(area, h.stream_accum_threshold as f32);
        let needed = tiles_at(look, h.stream_accum_threshold).unwrap_or(0.0);
        format!(
            "only {} of the about {} tiles that a stream needs drain through here ({a} of {l})",
            say(tiles),
            say(needed)
        )
    } else {
        let (s, l) = say_both(steep, h.stream_min_slope_threshold as f32);
        format!("enough water drains through here for a stream, but it does not run (slope {s}, below {l})")
    };
    let marsh = if moist < h.marsh_moisture_threshold as f32 {
        let (m, l) = say_both(moist, h.marsh_moisture_threshold as f32);
        format!("the ground is too dry for a marsh (moisture {m}, below {l})")
    } else {
        let (s, l) = say_both(steep, h.marsh_slope_threshold as f32);
        format!("the ground is wet but too steep for a marsh (slope {s}, at least {l})")
    };
    format!("This is dry land: {lake}; {stream}; and {marsh}.")
}

/// Moisture from accumulation, flatness and the distance to water (§6.6.3).
fn moisture(look: &Look, p: &ForestParams) -> Option<Reason> {
    let h = &p.hydrology;
    let (area, steep) = (look.float("flow_accumulation_log")? as f64, look.float("slope")? as f64);
    let near = look.value("water_distance")?;
    let accum = clamp01((area - h.moisture_accum_start) / (1.0 - h.moisture_accum_start));
    let flat = clamp01((h.flatness_threshold - steep) / h.flatness_threshold);
    let prox = clamp01(1.0 - near / h.water_prox_max_dist as f64);
    let w = &h.weights;
    let parts = [w.accum * accum, w.flat * flat, w.prox * prox];
    let wet = clamp01(parts[0] + parts[1] + parts[2]) as f32;
    let far = match near >= h.water_prox_max_dist as f64 {
        true => format!("at least {} tiles from water", say(near)),
        false if near == 0.0 => "in water".to_owned(),
        false => format!("{} from water", count(near as usize, "tile", "tiles")),
    };
    let sentence = format!(
        "The moisture of the ground is {}: {} for the water that drains through it, {} for being flat, and \
        {} for lying {far}.",
        say(wet as f64),
        say(parts[0]),
        say(parts[1]),
        say(parts[2])
    );
    let rule = "clamp01(weights.accum·accumulation + weights.flat·flatness + weights.prox·nearness of \
        water), each from 0 to 1";
    let reason = Reason::new("moisture", say(wet as f64), sentence, rule).giving("moisture", wet);
    let reason = reason.number("flow_accumulation_log", area, "1").number("slope", steep, "1/tile");
    let reason =
        reason.number("water_distance", near, "tiles").number("hydrology.weights.accum", w.accum, "1");
    Some(reason.number("hydrology.weights.flat", w.flat, "1").number("hydrology.weights.prox", w.prox, "1"))
}

/// The decision table of §7.2.3.
fn biome(look: &Look, p: &ForestParams) -> Option<Reason> {
    let (class, moist) = (look.code("water_class")?, look.float("moisture")?);
    let (height, steep) = (look.float("height")?, look.float("slope")?);
    let variance = look.float("vegetation_variance")?;
    let m2 = clamp01(moist as f64 + (variance as f64 - 0.5) * p.veg_variance_noise.strength);
    let biome = cover::biome_of(class, m2, height, steep);
    let wet = |limit: f64| say_both(m2, limit);
    let why = match biome {
        LAKE_BIOME => "the water of a lake covers the tile".to_owned(),
        STREAM_BANK => "a stream runs through the tile".to_owned(),
        OPEN_BOG => {
            let ((m, l), (s, most)) = (wet(BOG.0), say_both(steep, BOG.1));
            format!(
                "the ground is sodden (moisture with variance {m}, at least {l}) and flat (slope {s}, below \
                {most})"
            )
        }
        SPRUCE_SWAMP => {
            let (m, l) = wet(SWAMP);
            let bog = match m2 >= BOG.0 {
                true => "but not flat enough for an open bog".to_owned(),
                false => format!("but not as wet as an open bog ({})", say(BOG.0)),
            };
            format!("the ground is wet (moisture with variance {m}, at least {l}), {bog}")
        }
        MIXED_FOREST => {
            let ((m, l), most) = (wet(MIXED), say(SWAMP));
            format!(
                "the ground is neither wet nor dry (moisture with variance {m}, from {l} to below {most})"
            )
        }
        ESKER_PINE => {
            let ((m, l), (h, least), (s, most)) =
                (wet(MIXED), say_both(height, ESKER.0), say_both(steep, ESKER.1));
            format!(
                "the ground is dry (moisture with variance {m}, below {l}), high (elevation {h}, at least \
                {least}) and level (slope {s}, below {most})"
            )
        }
        _ => {
            let (m, l) = wet(MIXED);
            let low = match height >= ESKER.0 {
                true => "but too steep for the pines of an esker",
                false => "but not high enough for the pines of an esker",
            };
            format!("the ground is dry (moisture with variance {m}, below {l}), {low}")
        }
    };
    let sentence = format!("The biome is {} because {why}.", words(name(BIOMES, biome)));
    let rule = "lake and stream by water_class; then with m2 = clamp01(moisture + (vegetation_variance − \
        0.5)·strength): open_bog if m2 >= 0.85 and slope < 0.03, spruce_swamp if m2 >= 0.65, mixed_forest \
        if m2 >= 0.40, esker_pine if height >= 0.70 and slope < 0.05, otherwise pine_heath";
    let reason = Reason::new("biome", name(BIOMES, biome), sentence, rule).giving("biome", biome);
    let reason = reason.number("m2", m2, "1").number("moisture", moist, "1");
    let reason = reason.number("vegetation_variance", variance, "1");
    let reason = reason.number("veg_variance_noise.strength", p.veg_variance_noise.strength, "1");
    Some(reason.number("slope", steep, "1/tile").number("height", height, "1"))
}

/// Trees and canopy (§7.3.2).
fn vegetation(look: &Look) -> Option<Reason> {
    let (biome, v) = (look.code("biome")?, look.float("vegetation_variance")? as f64);
    let m = look.float("moisture")? as f64;
    let &(base, base_canopy) = STANDS.get(biome as usize)?;
    let density = clamp01(base + (v - 0.5) * 0.10 + (m - 0.5) * 0.08) as f32;
    let canopy = clamp01(base_canopy + (density as f64 - base) * 0.6) as f32;
    let trees = dominant(biome, m as f32);
    let trees = match trees.is_empty() {
        true => "no kind of tree prevails".to_owned(),
        false => {
            format!("the trees are mostly {}", list(&trees.iter().map(|t| words(t)).collect::<Vec<_>>()))
        }
    };
    let sentence = format!(
        "The density of trees is {} and leaves cover {} % of the sky: the biome {} has {}, and variance and \
        moisture change it by {}; {trees}.",
        say(density as f64),
        say((canopy as f64 * 100.0).round()),
        words(name(BIOMES, biome)),
        say(base),
        say(density as f64 - base)
    );
    let rule = "tree_density = clamp01(base of the biome + 0.10·(vegetation_variance − 0.5) + \
        0.08·(moisture − 0.5)); canopy_cover = clamp01(its base + 0.6·(tree_density − base))";
    let reason = Reason::new("vegetation", say(density as f64), sentence, rule);
    let reason = reason.giving("tree_density", density).giving("canopy_cover", canopy);
    Some(
        reason
            .number("base density", base, "1")
            .number("vegetation_variance", v, "1")
            .number("moisture", m, "1"),
    )
}

/// Soil and firmness (§8).
fn soil(look: &Look, p: &ForestParams) -> Option<Reason> {
    let g = &p.ground;
    let (m, height, form) = (look.float("moisture")?, look.float("height")?, look.code("landform")?);
    let steep = look.float("slope")? as f64;
    let (peat, dry) = (g.peat_moisture_threshold as f32, g.exposed_sand_moisture_max as f32);
    let high = height >= g.bedrock_height_min as f32;
    let (soil, why) = if m >= peat {
        let (m, l) = say_both(m, peat);
        (PEAT, format!("the moisture of {m} is at least {l}"))
    } else if m <= dry && (form == RIDGE || high) {
        let (m, l) = say_both(m, dry);
        let place = if form == RIDGE { "on a ridge" } else { "high up" };
        (SANDY_TILL, format!("the ground is dry (moisture {m}, at most {l}) and lies {place}"))
    } else {
        let (m, l) = say_both(m, peat);
        (
            ROCKY_TILL,
            format!(
                "the ground is not wet enough for peat (moisture {m}, below {l}) and not both dry and high, \
                as sandy till is"
            ),
        )
    };
    let firm = clamp01(1.0 - 0.85 * m as f64 + 0.15 * clamp01(steep / 0.2)) as f32;
    let sentence = format!(
        "The soil is {} because {why}; its firmness is {}, less the wetter and more the steeper the ground \
        is.",
        words(name(SOILS, soil)),
        say(firm as f64)
    );
    let rule = "peat if moisture >= ground.peat_moisture_threshold; sandy_till if moisture <= \
        ground.exposed_sand_moisture_max and (landform = ridge or height >= ground.bedrock_height_min); \
        otherwise rocky_till; firmness = clamp01(1 − 0.85·moisture + 0.15·clamp01(slope/0.2))";
    let reason = Reason::new("soil", name(SOILS, soil), sentence, rule).giving("soil", soil);
    let reason = reason.giving("firmness", firm).number("moisture", m, "1").number("height", height, "1");
    let reason = reason.number("ground.peat_moisture_threshold", g.peat_moisture_threshold, "1");
    let reason = reason.number("ground.exposed_sand_moisture_max", g.exposed_sand_moisture_max, "1");
    Some(reason.number("ground.bedrock_height_min", g.bedrock_height_min, "1"))
}

/// Features of the surface (§8).
fn surface(look: &Look, p: &ForestParams) -> Option<Reason> {
    let g = &p.ground;
    let (m, s, soil) = (look.float("moisture")?, look.float("slope")?, look.code("soil")?);
    let (height, rough) = (look.float("height")?, look.float("roughness")?);
    let standing = m >= g.standing_water_moisture_threshold as f32 && s < g.standing_water_slope_max as f32;
    let sand = soil == SANDY_TILL && m <= g.exposed_sand_moisture_max as f32;
    let rock = height >= g.bedrock_height_min as f32 && rough >= g.bedrock_roughness_min as f32;
    let found = [
        (standing, STANDING_WATER, "standing water, because the ground is wet and flat"),
        (soil == PEAT, SPHAGNUM, "sphagnum, because the soil is peat"),
        (m <= g.lichen_moisture_max as f32, LICHEN, "lichen, because the ground is dry"),
        (sand, EXPOSED_SAND, "bare sand, because dry sandy till is exposed"),
        (rock, BEDROCK, "bare rock, because the ground is high and rough"),
    ];
    let bits = found.iter().filter(|f| f.0).fold(0, |bits, f| bits | f.1);
    let there: Vec<&str> = found.iter().filter(|f| f.0).map(|f| f.2).collect();
    let sentence = match there.is_empty() {
        true => "There is nothing special on the surface: it is not wet enough for standing water or \
            sphagnum, and not dry, high or rough enough for lichen, sand or rock."
            .to_owned(),
        false => format!("On the surface there is {}.", there.join("; ")),
    };
    let rule = "standing_water by moisture and slope, sphagnum on peat, lichen by moisture, exposed_sand on \
        dry sandy till, bedrock by height and roughness; limits in ground.*";
    let reason = Reason::new("surface", flags(SURFACE_FLAGS, bits).join(", "), sentence, rule);
    let reason = reason.giving("surface_flags", bits).number("moisture", m, "1").number("slope", s, "1/tile");
    Some(reason.number("height", height, "1").number("roughness", rough, "1"))
}

/// Obstruction and the features that cause it (§9).
fn obstruction(look: &Look, p: &ForestParams) -> Option<Reason> {
    let f = &p.roughness_features;
    let (r, m, height) = (look.float("roughness")?, look.float("moisture")?, look.float("height")?);
    let mix = f.obstruction_moisture_mix;
    let o = clamp01(r as f64 * (1.0 - mix) + m as f64 * mix) as f32;
    let stones = height >= f.boulder_height_min as f32 && r >= f.boulder_roughness_min as f32;
    let found = [
        (o >= f.fallen_log_threshold as f32, FALLEN_LOG, "fallen logs"),
        (m >= f.root_tangle_moisture_threshold as f32, ROOT_TANGLE, "root tangles"),
        (stones, BOULDER, "boulders"),
        (o >= f.windthrow_threshold as f32, WINDTHROW, "trees felled by wind"),
    ];
    let bits = found.iter().filter(|f| f.0).fold(0, |bits, f| bits | f.1);
    let there: Vec<&str> = found.iter().filter(|f| f.0).map(|f| f.2).collect();
    let things = if there.is_empty() {
        "nothing that obstructs lies here".into()
    } else {
        format!("there are {}", list(&there))
    };
    let sentence = format!(
        "The obstruction is {}, {} % of it by the roughness of {} and {} % by the moisture of {}; {things}.",
        say(o as f64),
        say((100.0 * (1.0 - mix)).round()),
        say(r as f64),
        say((100.0 * mix).round()),
        say(m as f64)
    );
    let rule = "obstruction = clamp01(roughness·(1 − mix) + moisture·mix); fallen_log and windthrow from \
        their obstruction on, root_tangle by moisture, boulder by height and roughness; limits in \
        roughness_features.*";
    let reason = Reason::new("obstruction", say(o as f64), sentence, rule).giving("obstruction", o);
    let reason = reason.giving("feature_flags", bits).number("roughness", r, "1").number("moisture", m, "1");
    let reason = reason.number("roughness_features.obstruction_moisture_mix", mix, "1");
    Some(reason.number("height", height, "1"))
}

/// The eight steps (§13.2).
fn passability(look: &Look, p: &ForestParams) -> Option<Reason> {
    let (heights, classes) = (look.layer("height")?, look.layer("water_class")?);
    let (m, steep) = (look.float("moisture")?, look.float("slope")?);
    let ((w, h), (x, y), move_) = (look.size(), look.cell, &p.movement);
    let playable = Playable::new(w, h, p);
    let (block, hard) = (move_.steep_block_delta as f32, move_.steep_difficult_delta as f32);
    let (here, lake) = (heights.at(x, y) as f32, classes.at(x, y) == LAKE as f64);
    let bog = m >= SUCKING_BOG.0 && steep < SUCKING_BOG.1;
    let (mut steps, mut cliffs, mut beside) = (0u32, 0u8, Vec::new());
    for d in Dir8::ALL {
        let Neighbour { cell, .. } = look.neighbour(d, "");
        let climb = cell.map(|(nx, ny)| heights.at(nx, ny) as f32 - here);
        let into_lake = cell.is_some_and(|(nx, ny)| classes.at(nx, ny) == LAKE as f64);
        let (code, why) = match (cell, climb.unwrap_or(0.0)) {
            (None, _) => (BLOCKED, "blocked: the map ends".to_owned()),
            (Some(n), _) if !playable.at(n.0, n.1) => {
                (BLOCKED, "blocked: the border of the map cannot be entered".into())
            }
            _ if lake => (BLOCKED, "blocked: this tile is a lake".into()),
            _ if into_lake => (BLOCKED, "blocked: a lake".into()),
            _ if bog => (DIFFICULT, "difficult: out of a sucking bog".into()),
            (_, up) if up >= block => {
                (BLOCKED, format!("blocked: {} up, at least {}", say(up as f64), say(block as f64)))
            }
            (_, up) if up >= hard => {
                (DIFFICULT, format!("difficult: {} up, at least {}", say(up as f64), say(hard as f64)))
            }
            (_, up) => (
                PASSABLE,
                format!("passable: {} {}", say(up.abs() as f64), if up > 0.0 { "up" } else { "down" }),
            ),
        };
        let cliff = climb.is_some_and(|up| up >= block) && steep >= move_.cliff_slope_min as f32;
        cliffs |= (cliff as u8) << d.0;
        steps |= (code as u32) << (2 * d.0);
        let why = if cliff { format!("{why}; a cliff") } else { why };
        beside.push(look.neighbour(d, why));
    }
    let named = |code: u8| -> Vec<&str> {
        Dir8::ALL.into_iter().filter(|d| steps >> (2 * d.0) & 3 == code as u32).map(direction_word).collect()
    };
    let blocked = |n: &Neighbour| n.contributes.starts_with("blocked").then(|| n.contributes.clone());
    let reasons: std::collections::BTreeSet<&str> = [
        ("the map ends", "the map ends"),
        ("the border", "the border of the map cannot be entered"),
        ("this tile is a lake", "this tile is a lake"),
        ("blocked: a lake", "a lake lies there"),
        (" up, at least", "it is too steep"),
    ]
    .into_iter()
    .filter(|(text, _)| beside.iter().filter_map(blocked).any(|b| b.contains(text)))
    .map(|(_, says)| says)
    .collect();
    let reasons: Vec<&str> = reasons.into_iter().collect();
    let part = |code: u8, text: &str| {
        let to = named(code);
        (!to.is_empty()).then(|| format!("{text} {}", list(&to)))
    };
    let hard_why = if bog {
        "difficult, out of a sucking bog, to the"
    } else {
        "difficult, because it is steep, to the"
    };
    let blocked_text = format!("blocked, because {}, to the", list(&reasons));
    let parts: Vec<String> =
        [part(PASSABLE, "free to the"), part(DIFFICULT, hard_why), part(BLOCKED, &blocked_text)]
            .into_iter()
            .flatten()
            .collect();
    let sentence = format!("The way is {}.", parts.join("; "));
    let rule = "blocked off the map, into the unplayable border and from or into a lake; difficult out of a \
        bog (moisture >= 0.90 and slope < 0.03); then by the climb: blocked from \
        movement.steep_block_delta, difficult from movement.steep_difficult_delta; a cliff if such a climb \
        is on a slope of at least movement.cliff_slope_min";
    let answer = format!("{} of 8 steps are free", named(PASSABLE).len());
    let reason = Reason::new("passability", answer, sentence, rule).giving("passability", steps);
    let reason = reason.giving("cliff_edge", cliffs).number("movement.steep_block_delta", block, "");
    Some(reason.number("movement.steep_difficult_delta", hard, "").beside(beside))
}

/// The cost of moving on the tile (§13.1).
fn move_cost(look: &Look, p: &ForestParams) -> Option<Reason> {
    let m = &p.movement;
    let (o, wet) = (look.float("obstruction")? as f64, look.float("moisture")? as f64);
    let (class, biome, trail) = (look.code("water_class")?, look.code("biome")?, look.code("game_trail")?);
    let by_things = lerp(1.0, m.move_cost_obstruction_max, o);
    let by_wet = lerp(1.0, m.move_cost_moisture_max, wet);
    let mut cost = by_things;
    cost *= by_wet;
    let mut parts =
        vec![format!("{} for obstruction", say(by_things)), format!("{} for moisture", say(by_wet))];
    for (holds, factor, of) in [
        (class == MARSH, m.marsh_move_cost_multiplier, "marsh"),
        (biome == OPEN_BOG, m.open_bog_move_cost_multiplier, "open bog"),
        (trail != 0, p.game_trails.game_trail_move_cost_multiplier, "the game trail"),
    ] {
        if holds {
            cost *= factor;
            parts.push(format!("{} for {of}", say(factor)));
        }
    }
    let cost = cost as f32;
    let sentence =
        format!("A step on this tile costs {}, the product of {}.", say(cost as f64), list(&parts));
    let rule = "lerp(1, movement.move_cost_obstruction_max, obstruction) · lerp(1, \
        movement.move_cost_moisture_max, moisture), times the factors of marsh, open bog and trail";
    let reason = Reason::new("move cost", say(cost as f64), sentence, rule).giving("move_cost", cost);
    Some(reason.number("obstruction", o, "1").number("moisture", wet, "1"))
}

/// How far a walker can see (§11).
fn visibility(look: &Look, p: &ForestParams) -> Option<Reason> {
    let v = &p.visibility;
    let (dense, o) = (look.float("tree_density")? as f64, look.float("obstruction")? as f64);
    let height = look.float("height")? as f64;
    let sight =
        v.base - v.density_penalty * dense - v.obstruction_penalty * o + v.elevation_bonus * (height - 0.5);
    let seen = (sight.clamp(v.min_meters, v.max_meters) + 0.0) as f32;
    let limit = if sight < v.min_meters {
        ", raised to the least visibility"
    } else if sight > v.max_meters {
        ", lowered to the greatest visibility"
    } else {
        ""
    };
    let sentence = format!(
        "A walker sees {} m far: {} m in the open, less {} m for trees and {} m for obstruction, with {} m \
        for the elevation{limit}.",
        say(seen as f64),
        say(v.base),
        say(v.density_penalty * dense),
        say(v.obstruction_penalty * o),
        say(v.elevation_bonus * (height - 0.5))
    );
    let rule = "clamp(base − density_penalty·tree_density − obstruction_penalty·obstruction + \
        elevation_bonus·(height − 0.5), min_meters, max_meters) of visibility.*";
    let reason = Reason::new("visibility", format!("{} m", say(seen as f64)), sentence, rule);
    let reason = reason.giving("visibility_m", seen).number("tree_density", dense, "1");
    Some(reason.number("obstruction", o, "1").number("height", height, "1"))
}

/// How reliably a walker knows where they are (§12).
fn orientation(look: &Look, p: &ForestParams) -> Option<Reason> {
    let o = &p.orientation;
    let (dense, blocked) = (look.float("tree_density")? as f64, look.float("obstruction")? as f64);
    let (m, form) = (look.float("moisture")? as f64, look.code("landform")?);
    let wet = o.wetness_weight * clamp01((m - o.wetness_start) / o.wetness_range);
    let mut sure = 1.0 - o.density_weight * dense - o.obstruction_weight * blocked;
    sure -= wet;
    if form == RIDGE {
        sure += o.ridge_bonus;
    }
    let sure = (sure.clamp(o.min, o.max) + 0.0) as f32;
    let ridge =
        if form == RIDGE { format!(", plus {} on a ridge", say(o.ridge_bonus)) } else { String::new() };
    let sentence = format!(
        "A walker knows where they are with a reliability of {}: 1, less {} for trees, {} for obstruction \
        and {} for wet ground{ridge}, kept between {} and {}.",
        say(sure as f64),
        say(o.density_weight * dense),
        say(o.obstruction_weight * blocked),
        say(wet),
        say(o.min),
        say(o.max)
    );
    let rule = "clamp(1 − density_weight·tree_density − obstruction_weight·obstruction − wetness + \
        ridge_bonus, min, max) of orientation.*";
    let reason = Reason::new("orientation", say(sure as f64), sentence, rule);
    Some(reason.giving("orientation_reliability", sure).number("tree_density", dense, "1"))
}

/// The trail over the tile (§10).
fn trail(look: &Look) -> Option<Reason> {
    let (mark, id) = (look.code("game_trail")?, look.value("game_trail_id")?);
    let lines = look.catalogue.line_set("trails").map_or(&[][..], |set| &set.features);
    let tile = |&(x, y): &(f64, f64)| (x as usize, y as usize);
    let over: Vec<_> = lines.iter().filter(|line| line.points.iter().any(|p| tile(p) == look.cell)).collect();
    let rule = "least-cost paths from the best places to live to the nearest large stream and to the \
        nearest gentle ridge; the first trail over a tile names it";
    let first = over.first().map_or(-1.0, |line| line.id as f64);
    let sentence = match over.first() {
        None => "No game trail passes here: no least-cost path from a trail seed to water or to a ridge \
            leads over this tile."
            .to_owned(),
        Some(line) => {
            let goal = line.property("goal").and_then(|g| g.as_str()).unwrap_or("its goal");
            let more = match over.len() {
                1 => String::new(),
                n => format!("; {} here as well", count(n - 1, "other trail passes", "other trails pass")),
            };
            let step = line.points.iter().position(|p| tile(p) == look.cell).unwrap_or(0);
            format!(
                "Game trail {} passes here on its cheapest way to {goal}: this is tile {} of its {}{more}.",
                line.id,
                step + 1,
                line.points.len()
            )
        }
    };
    let answer = if mark != 0 { format!("trail {id}") } else { "no".into() };
    let reason = Reason::new("trail", answer, sentence, rule);
    Some(reason.giving("game_trail", !over.is_empty() as u8).giving("game_trail_id", first))
}

/// Linear features that a walker can follow (§13.3).
fn followable(look: &Look) -> Option<Reason> {
    let (class, form, trail) = (look.code("water_class")?, look.code("landform")?, look.code("game_trail")?);
    let water = look.layer("water_class")?;
    let lakes: Vec<(Dir8, Cell)> =
        look.neighbours().into_iter().filter(|n| water.at(n.1.0, n.1.1) == LAKE as f64).collect();
    let shore = class != LAKE && !lakes.is_empty();
    let found = [
        (class == STREAM, FOLLOW_STREAM, "the stream"),
        (form == RIDGE, FOLLOW_RIDGE, "the ridge"),
        (trail != 0, FOLLOW_TRAIL, "the game trail"),
        (shore, FOLLOW_SHORE, "the shore of the lake"),
    ];
    let bits = found.iter().filter(|f| f.0).fold(0, |bits, f| bits | f.1);
    let there: Vec<&str> = found.iter().filter(|f| f.0).map(|f| f.2).collect();
    let sentence = match there.is_empty() {
        true => "There is nothing to follow here: no stream, ridge, game trail or shore.".to_owned(),
        false => format!("A walker can follow {} here.", list(&there)),
    };
    let rule = "stream by water_class, ridge by landform, game_trail by game_trail, shore where a neighbour \
        is lake and the tile is not";
    let answer = flags(FOLLOWABLES, bits).join(", ");
    let reason = Reason::new("followable", answer, sentence, rule).giving("followable", bits);
    let beside: Vec<Neighbour> =
        lakes.into_iter().filter(|_| shore).map(|(d, _)| look.neighbour(d, "is lake")).collect();
    Some(reason.beside(beside))
}
