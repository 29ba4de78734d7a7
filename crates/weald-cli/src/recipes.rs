//! The recipes that come with the program.

/// (name, TOML text)
pub(crate) const RECIPES: &[(&str, &str)] = &[
    ("forest", include_str!("../../../recipes/forest.toml")),
    ("forest-rugged", include_str!("../../../recipes/forest-rugged.toml")),
    ("endless", include_str!("../../../recipes/endless.toml")),
    ("endless-islands", include_str!("../../../recipes/endless-islands.toml")),
    ("endless-sky", include_str!("../../../recipes/endless-sky.toml")),
    ("planet", include_str!("../../../recipes/planet.toml")),
    ("galaxy", include_str!("../../../recipes/galaxy.toml")),
    ("city", include_str!("../../../recipes/city.toml")),
    ("city-mountainous", include_str!("../../../recipes/city-mountainous.toml")),
    ("city-valleys", include_str!("../../../recipes/city-valleys.toml")),
    ("city-rolling", include_str!("../../../recipes/city-rolling.toml")),
    ("city-literal", include_str!("../../../recipes/city-literal.toml")),
    ("island", include_str!("../../../recipes/island.toml")),
    ("archipelago", include_str!("../../../recipes/archipelago.toml")),
    ("atoll", include_str!("../../../recipes/atoll.toml")),
    ("continent", include_str!("../../../recipes/continent.toml")),
    ("island-literal", include_str!("../../../recipes/island-literal.toml")),
];

/// The recipe called `name`.
pub(crate) fn find(name: &str) -> Option<&'static (&'static str, &'static str)> {
    RECIPES.iter().find(|r| r.0 == name)
}
