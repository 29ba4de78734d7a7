//! Whole worlds: their promises, their golden values, and sweeps over many seeds (ignored; `cargo xtask bench` runs them).

mod builds;
mod city_properties;
mod city_sweep;
mod endless_goldens;
mod endless_properties;
mod examples;
mod explain;
mod export_rasters;
mod exports;
mod forest_goldens;
mod forest_properties;
mod forest_recipes;
mod galaxy;
mod island_properties;
mod island_rules;
mod island_sweep;
mod jobs;
mod own_maps;
mod parts;
mod planet;
mod planet_places;
mod real_land;
mod realm_properties;
mod realm_sweep;
mod sweep;
