//! How the map of a city is drawn.

use super::City;
use crate::render::MapStyle;

pub(super) fn map_style(city: &City) -> MapStyle {
    let _ = city;
    unimplemented!()
}
