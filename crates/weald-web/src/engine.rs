//! What the engine tells of itself: worlds, schemas, colours.

use crate::value;
use serde_json::{Value, json};
use std::path::Path;
use wasm_bindgen::prelude::*;
use weald::catalogue::{Kind, LayerSpec};
use weald::job::{find_world, tiles};
use weald::style::{Scene, View};
use weald::world::{At, TileLook, WORLDS, World};
use weald::{Job, Result};

/// The version of the engine.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}

/// All worlds as JSON: names, sentences, defaults, recipes, views and layers.
#[wasm_bindgen]
pub fn worlds() -> String {
    let list: Vec<Value> = WORLDS.iter().map(|&w| about(w)).collect();
    Value::from(list).to_string()
}

fn about(world: &dyn World) -> Value {
    let info = world.info();
    let recipe = |r: &weald::world::BuiltInRecipe| {
        let comment =
            r.toml.lines().take_while(|l| l.starts_with('#')).map(|l| l.trim_start_matches(['#', ' ']));
        json!({"name": r.name, "about": comment.collect::<Vec<_>>().join(" ")})
    };
    let window = match info.at {
        Some(At::Window(place)) => json!(place.params),
        _ => Value::Null,
    };
    let files = info.files.iter().map(|f| json!({"name": f.name, "about": f.about, "needs": f.needs}));
    json!({
        "name": info.name,
        "about": info.about,
        "seed": info.default_seed.to_string(),
        "size": [info.default_size.0, info.default_size.1],
        "unit": info.length_unit,
        "recipes": info.recipes.iter().map(recipe).collect::<Vec<_>>(),
        "views": info.views.iter().map(view).collect::<Vec<_>>(),
        "layers": world.layers().iter().map(layer).collect::<Vec<_>>(),
        "phases": info.phases.iter().map(|p| json!({"name": p.name, "about": p.about})).collect::<Vec<_>>(),
        "maps": info.maps.iter().map(|m| json!({"name": m.alias, "about": m.about})).collect::<Vec<_>>(),
        "files": files.collect::<Vec<_>>(),
        "tiles": info.tiles.map(tile_scales),
        "window": window,
        "scene": scene(info.scene),
        "keyLayers": info.key_layers,
        "fixedExtent": info.fixed_extent,
        "resamples": world.resamples_maps(),
    })
}

/// The scales and the extent of tiles. A pixel of a tile is 2^zoom metres wide.
fn tile_scales(look: TileLook) -> Value {
    json!({
        "finest": tiles::ZOOMS.start(), "coarsest": tiles::ZOOMS.end(), "detailed": tiles::DETAILED, "reach": look.reach_m,
    })
}

/// The view in three dimensions, by its kind and what it shows.
fn scene(scene: Scene) -> Value {
    match scene {
        Scene::Relief => json!({"kind": "relief"}),
        Scene::Walk => json!({"kind": "walk"}),
        Scene::Globe { view, .. } => json!({"kind": "globe", "view": view}),
        Scene::Space { points, gas } => json!({"kind": "space", "points": points, "gas": gas}),
    }
}

fn view(view: &View) -> Value {
    let setting = |s: &weald::style::Setting| {
        json!({
            "name": s.name, "about": s.about, "unit": s.unit, "default": s.default,
            "min": s.min, "max": s.max, "whole": s.whole,
        })
    };
    json!({
        "name": view.name,
        "about": view.about,
        "settings": view.settings.iter().map(setting).collect::<Vec<_>>(),
    })
}

/// A layer without its cells.
pub(crate) fn layer(spec: &LayerSpec) -> Value {
    let (kind, table) = match spec.kind {
        Kind::Measure => ("measure", None),
        Kind::Classes(table) => ("classes", Some(table)),
        Kind::Flags(table) => ("flags", Some(table)),
        Kind::Steps(table) => ("steps", Some(table)),
    };
    let class = |c: &weald::catalogue::Class| json!({"value": c.value, "name": c.name, "colour": c.colour});
    json!({
        "name": spec.name,
        "dtype": spec.dtype,
        "unit": spec.unit,
        "about": spec.about,
        "kind": kind,
        "classes": table.map(|t| t.iter().map(class).collect::<Vec<_>>()),
    })
}

/// The parameters of a recipe as JSON: every parameter with its schema, its default and its value in that recipe; and the recipe's size.
#[wasm_bindgen]
pub fn parameters(world: &str, recipe: &str) -> std::result::Result<String, JsValue> {
    Ok(recipe_parameters(world, recipe).map_err(value::error)?.to_string())
}

fn recipe_parameters(world: &str, recipe: &str) -> Result<Value> {
    let mut job = Job::new(find_world(world)?.info().name)?;
    if !recipe.is_empty() {
        job.merge_recipe(Path::new(recipe))?;
    }
    let params = &job.recipe().params;
    let leaf = |leaf: weald::params::Leaf| {
        let value = params.value(&leaf.path).cloned();
        json!({"path": leaf.path, "schema": leaf.schema, "default": leaf.default, "value": value})
    };
    let (width, height) = job.recipe().size;
    Ok(json!({
        "parameters": params.leaves().into_iter().map(leaf).collect::<Vec<_>>(),
        "schema": params.schema(),
        "seed": job.recipe().seed.to_string(),
        "size": [width, height],
    }))
}

/// The sixteen colours of stars and those of the gas in the three thirds of the depth, as JSON.
#[wasm_bindgen]
pub fn space_colours() -> String {
    let stars: Vec<_> = (0..16).map(weald::render::stars::star_colour).collect();
    let gas: Vec<_> = (0..3).map(weald::render::stars::gas_colour).collect();
    json!({"stars": stars, "gas": gas}).to_string()
}
