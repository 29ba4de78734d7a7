//! An elevation model as another program wrote it, in every command that takes one.

use crate::common::Place;

/// An extract of a real elevation model, as GDAL writes GeoTIFF: 160 x 144 cells of 80 m, int16, in the zone 17 north of UTM.
const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../weald/tests/data/realism/jacksboro-part.tif");
const READ: &str = "GeoTIFF int16, deflate, tiles of 64x64, 160x144 cells, metres from 310 to 996, a cell is 80 m (EPSG:32617)";

/// What the recipe of a folder says of its place.
fn place_of(place: &Place, folder: &str) -> String {
    let recipe = String::from_utf8(place.read(&format!("{folder}/recipe.toml"))).unwrap();
    let from = recipe.find("[georeference]").unwrap_or_else(|| panic!("no place in {recipe}"));
    let rest = &recipe[from + 1..];
    rest[..rest.find("\n[").unwrap()].to_owned()
}

#[test]
fn every_world_takes_an_elevation_model_at_the_first_try() {
    let place = Place::new();
    let said = place.fine(&format!("derive city --map height={MODEL} --size 128 --check -o city"));
    let cut = "cropped to 144x144 at column 8, row 0 for the proportions of the world, resampled to 128x128";
    assert!(said.contains(READ) && said.contains(cut) && said.contains("a cell is 90 m"), "{said}");
    let said = place.fine(&format!("derive island --map height={MODEL} --sea-level 500 --check -o island"));
    assert!(said.contains("the sea at 500 m; read as metres from -190 to 496"), "{said}");
    let said = place.fine(&format!("derive forest --map height={MODEL} --check -o forest"));
    assert!(said.contains("metres from 310 to 996 scaled to 0 to 1"), "{said}");
    let said = place.fine(&format!("measure {MODEL}"));
    assert!(said.contains(READ) && said.contains("heights: metres"), "{said}");
    // Real land has hollows that no water leaves.
    let out = place.run(&format!("check --heightmap {MODEL}"));
    let said = String::from_utf8(out.stdout).unwrap();
    assert!(
        out.status.code() == Some(1) && said.contains("FAIL depressions") && said.contains(READ),
        "{said}"
    );
}

#[test]
fn the_place_on_the_earth_survives_geotiff_to_geotiff_exactly() {
    let place = Place::new();
    place.fine(&format!("derive island --map height={MODEL} --crop 30,20,64,48 --check -o first"));
    place.fine("export first --to geotiff -o first.tif");
    place.fine("derive island --map height=first.tif -o second");
    let first = place_of(&place, "first");
    assert!(first.contains("west = 218400.0\nnorth = 4032000.0\nstep = [80.0, 80.0]"), "{first}");
    assert_eq!(first, place_of(&place, "second"));
}
