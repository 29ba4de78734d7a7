//! How maps of the endless world are drawn.

use super::map::Map;
use crate::error::Result;
use crate::layer::Catalogue;
use crate::render::{self, Image, PictureStyle};
use weald_core::Ctx;

pub(super) fn draw(_map: &Map, catalogue: &Catalogue, ctx: &Ctx) -> Result<Image> {
    let layer = catalogue.layer("surface").expect("is there");
    render::layer_picture(layer, &PictureStyle::default(), ctx)
}
