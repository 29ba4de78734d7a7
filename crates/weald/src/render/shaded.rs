//! Classes of ground in even light, one pixel per cell: for tiles, which must join without a seam.

use super::image::{Image, Rgb};
use super::map::layer;
use super::shade::{Light, multidirectional};
use crate::Result;
use crate::catalogue::{Catalogue, Kind};
use crate::style::ShadedStyle;
use weald_core::{Ctx, Grid, par};

/// Draws the classes of `catalogue` as `style` says, one pixel per cell: colour of the class times 1 + 0.85 (s − s₀), where s is the
/// [`multidirectional`] hillshade and s₀ that of level ground. Reach: 1 cell. Fails if the style names a layer that is missing.
pub fn shaded(catalogue: &Catalogue, style: &ShadedStyle, ctx: &Ctx) -> Result<Image> {
    let cover = layer(catalogue, style.cover)?;
    let cells = cover.cells();
    let named = match cover.kind {
        Kind::Classes(classes) => classes,
        _ => &[],
    };
    let mut colours = [[222, 219, 200]; 256];
    let listed = named.iter().map(|c| (c.value, c.colour)).chain(style.classes.iter().copied());
    for (value, colour) in listed.filter(|(value, _)| *value < 256) {
        colours[value as usize] = colour;
    }
    let light = light(catalogue, style, ctx)?;
    let veil = match style.veil {
        Some((name, colour)) => Some((layer(catalogue, name)?.cells(), colour)),
        None => None,
    };
    let (w, h) = cells.shape();
    let level = std::f32::consts::FRAC_1_SQRT_2;
    let bytes = par::fill(3 * w, h, ctx, |y, row: &mut [u8]| {
        for (x, pixel) in row.chunks_exact_mut(3).enumerate() {
            let mut colour: Rgb = colours[cells.at(x, y) as usize & 255];
            if let Some((veil, over)) = &veil
                && veil.at(x, y) != 0.0
            {
                colour = *over;
            }
            let shade = 1.0 + 0.85 * (light[(x, y)] - level);
            let lit = colour.map(|c| (c as f32 * shade + 0.5).clamp(0.0, 255.0) as u8);
            pixel.copy_from_slice(&lit);
        }
    })?;
    Ok(Image::from_bytes(w, h, bytes.into_vec()))
}

fn light(catalogue: &Catalogue, style: &ShadedStyle, ctx: &Ctx) -> Result<Grid<f32>> {
    let height = catalogue.floats(style.height)?;
    Ok(multidirectional(height, catalogue.frame.cell_m, style.z_factor, &Light::default(), ctx)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Layer, LayerSpec};
    use weald_core::Frame;

    fn land(w: usize, h: usize, from: usize) -> Catalogue {
        let height = Grid::from_vec(w, h, (0..w * h).map(|i| ((i % w + from) * 7 % 23) as f32).collect());
        let cover = Grid::from_vec(w, h, (0..w * h).map(|i| ((i % w + from) / 3 % 2) as u8).collect());
        let mut catalogue = Catalogue::new("land", "m", Frame::new(w, h, 4.0));
        let spec = |name, dtype| LayerSpec::measure(name, dtype, "m", "");
        catalogue.layers =
            vec![Layer::new(spec("height", "float32"), height), Layer::new(spec("cover", "uint8"), cover)];
        catalogue
    }

    fn style() -> ShadedStyle {
        let classes = vec![(0, [200, 100, 50]), (1, [10, 20, 30])];
        ShadedStyle { height: "height", z_factor: 1.0, cover: "cover", classes, veil: None }
    }

    #[test]
    fn tiles_that_overlap_have_the_same_pixels_but_for_their_borders() {
        let ctx = Ctx::default();
        let (a, b) = (
            shaded(&land(20, 6, 0), &style(), &ctx).unwrap(),
            shaded(&land(20, 6, 8), &style(), &ctx).unwrap(),
        );
        for y in 0..6 {
            for x in 1..11 {
                assert_eq!(a.at(x + 8, y), b.at(x, y), "{x}, {y}");
            }
        }
    }

    #[test]
    fn level_ground_has_the_colour_of_its_class_and_snow_that_of_snow() {
        let mut catalogue = land(4, 4, 0);
        catalogue.layers[0] =
            Layer::new(LayerSpec::measure("height", "float32", "m", ""), Grid::filled(4, 4, 9.0f32));
        let image = shaded(&catalogue, &style(), &Ctx::default()).unwrap();
        assert_eq!((image.at(0, 0), image.at(3, 0)), ([200, 100, 50], [10, 20, 30]));
        let snow = ShadedStyle { veil: Some(("cover", [250, 251, 252])), ..style() };
        let image = shaded(&catalogue, &snow, &Ctx::default()).unwrap();
        assert_eq!((image.at(0, 0), image.at(3, 0)), ([200, 100, 50], [250, 251, 252]));
    }
}
