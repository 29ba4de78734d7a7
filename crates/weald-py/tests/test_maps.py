"""Maps of the user's own, samples of places, figures of heightmaps, and what there is."""

from __future__ import annotations

import numpy as np
import pytest
import weald
from conftest import ROOT

PART = ROOT / "crates/weald/tests/data/realism/jacksboro-part.tif"


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a,
        lambda a: a.astype(np.float64),
        lambda a: a.astype(np.float32)[::-1, ::-1],
        lambda a: np.asfortranarray(a.astype(np.int32)),
        lambda a: a.astype(">i2"),
    ],
    ids=["int16", "float64", "strides", "fortran", "big-endian"],
)
def test_an_array_is_read_as_its_file_would_be(change, dem, tmp_path):
    array = change(dem[:64, :96])
    np.save(tmp_path / "dem.npy", array)
    options = {"seed": 5, "cell_m": 80.0}
    by_array = weald.derive("city", array, **options)
    by_file = weald.derive("city", tmp_path / "dem.npy", **options)
    assert by_array.hashes == by_file.hashes
    assert by_array.size == (96, 64) and by_array.cell_m == 80.0
    assert "an array (NumPy" in by_array.notes[-1] and "dem.npy (NumPy" in by_file.notes[-1]


def test_a_geotiff_gives_its_cells(tmp_path):
    city = weald.derive("city", PART, size=64)
    assert city.size == (64, 64) and any("GeoTIFF" in note for note in city.notes)
    data = pytest.importorskip("xarray") and city.to_xarray()
    assert data.attrs["proj:code"].startswith("EPSG:")


def test_crop_sea_level_and_missing_data(dem):
    whole = dem.astype(np.float32)
    part = weald.derive("city", whole, crop=(10, 20, 64, 48), cell_m=80)
    assert part.hashes == weald.derive("city", whole[20:68, 10:74], cell_m=80).hashes
    holes = whole[:64, :64].copy()
    holes[3, 4] = np.nan
    with pytest.raises(ValueError, match="x=4, y=3"):
        weald.derive("city", holes, cell_m=80)
    filled = weald.derive("city", holes, fill_nodata=500.0, cell_m=80)
    same = holes.copy()
    same[3, 4] = 500
    assert filled.hashes == weald.derive("city", same, cell_m=80).hashes
    masked = np.ma.masked_invalid(holes)
    assert weald.derive("city", masked, fill_nodata=500.0, cell_m=80).hashes == filled.hashes
    coded = np.where(np.isnan(holes), -9999, holes)
    assert weald.derive("city", coded, nodata=-9999, fill_nodata=500, cell_m=80).hashes == filled.hashes
    low = weald.derive("island", whole[:64, :64], sea_level=400.0, cell_m=80)
    high = weald.derive("island", whole[:64, :64] - 400, cell_m=80)
    assert low.hashes == high.hashes


def test_several_maps_by_name(dem):
    height = (dem[:40, :50] - dem.min()) / np.ptp(dem)
    rough = np.zeros((40, 50), np.float32)
    one = weald.derive("forest", height, seed=1)
    both = weald.derive("forest", height, maps={"roughness": rough}, seed=1)
    assert not both.layers["roughness"].any() and one.layers["roughness"].any()
    assert weald.derive("forest", maps={"height": height, "roughness": rough}, seed=1).hashes == both.hashes


def test_a_derived_world_is_saved_with_its_maps_and_made_again(dem, tmp_path):
    made = weald.derive("island", dem[:64, :64] - 400, cell_m=80, seed=2)
    folder = made.save(tmp_path / "derived")
    assert np.load(folder / "maps/h.npy").shape == (64, 64)
    assert weald.check(folder).ok and weald.open(folder).hashes == made.hashes
    again = weald.derive("island", recipe=folder / "recipe.toml")
    assert again.hashes == made.hashes


def test_maps_that_do_not_fit_are_refused(dem):
    with pytest.raises(ValueError, match="derive needs the map height"):
        weald.derive("city")
    with pytest.raises(ValueError, match="takes no maps of your own"):
        weald.derive("galaxy", dem)
    with pytest.raises(ValueError, match="has no map hight; it takes"):
        weald.derive("city", maps={"hight": dem})
    with pytest.raises(ValueError, match="height has 1 dimensions"):
        weald.derive("city", dem[0])
    with pytest.raises(ValueError, match="the map height: .*x=0, y=0 is 1000000"):
        weald.derive("city", np.full((64, 64), 1e6), cell_m=10)
    with pytest.raises(ValueError, match="cell_m = 0: must be a number of metres above 0"):
        weald.derive("city", dem[:64, :64], cell_m=0.0)
    with pytest.raises(ValueError, match="crop"):
        weald.derive("city", dem, crop=(0, 0, 9999, 5))
    with pytest.raises(FileNotFoundError, match="missing.tif: No such file"):
        weald.derive("city", "missing.tif")
    with pytest.raises(ValueError, match="height has the type object: must be numbers"):
        weald.derive("city", np.array([[None]]))


def test_places_are_sampled_as_the_map_has_them():
    window = weald.generate("endless", size=(30, 20), at=(-100, 40))
    x, y = np.meshgrid(np.arange(-100, -70), 40 - np.arange(20))
    answers = weald.sample("endless", np.stack([x.ravel(), y.ravel()], axis=1))
    assert np.array_equal(answers["height"].reshape(20, 30).astype(np.float32), window.layers["height"])
    assert answers["terrain"].dtype.kind == "U" and answers["height"].dtype == np.float64
    chosen = weald.sample("endless", [[0, 0], [5, -3]], columns=["terrain", "height"])
    assert list(chosen) == ["terrain", "height"] and len(chosen["height"]) == 2
    other = weald.sample("endless", [[0, 0], [5, -3]], seed=9)
    assert not np.array_equal(other["height"], chosen["height"])


def test_places_of_a_planet_are_latitude_and_longitude():
    poles = weald.sample("planet", [[90, 0], [90, 77], [-90, 0]], seed=1)
    assert poles["height"][0] == poles["height"][1] != poles["height"][2]


def test_samples_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="this world cannot be sampled"):
        weald.sample("island", [[0, 0]])
    with pytest.raises(ValueError, match="hight: there is no such column; use height"):
        weald.sample("endless", [[0, 0]], columns="hight")
    with pytest.raises(ValueError, match="a place must be"):
        weald.sample("planet", [[91, 0]])
    with pytest.raises(ValueError, match="a place must be"):
        weald.sample("endless", [[np.nan, 0]])
    with pytest.raises(ValueError, match="a place in each row"):
        weald.sample("endless", [0, 0])
    empty = weald.sample("endless", np.empty((0, 2)))
    assert all(len(column) == 0 for column in empty.values())


def test_figures_of_an_array_are_those_of_its_file(dem, tmp_path):
    np.save(tmp_path / "dem.npy", dem)
    by_array, by_file = weald.measure(dem, cell_m=80), weald.measure(tmp_path / "dem.npy", cell_m=80)
    assert by_array.figures == by_file.figures and len(by_array.figures) >= 10
    assert "chord45" not in by_array.outside, "the Appalachians are real land"
    assert "344" in str(by_array) and by_array.data["map"]["cell_m"] == 80
    y, x = np.mgrid[-100:100, -100:100]
    cone = weald.measure(200 - np.hypot(x, y), cell_m=30.0)
    assert "chord45" in cone.outside
    with pytest.raises(ValueError, match="too small to measure"):
        weald.measure(dem[:20, :20])


def test_a_folder_is_measured(island, tmp_path):
    folder = weald.generate("island", seed=7, size=128).save(tmp_path / "island")
    assert weald.measure(folder).figures["HI"] == weald.measure(folder, layer="height").figures["HI"] is not None


def test_worlds_and_schemas():
    worlds = {info.name: info for info in weald.worlds()}
    assert set(worlds) == {"forest", "endless", "planet", "galaxy", "city", "island", "realm"}
    island = worlds["island"]
    assert "atoll" in island.recipes and island.maps[0] == "height" and island.layers["height"].unit == "m"
    made = weald.generate("island", size=64)
    assert list(island.layers) == list(made.layers) and made.seed == island.seed
    params = weald.schema("island")
    assert "rivers" in params["properties"] and weald.schema("island", "recipe")["required"] == ["kind"]
    assert weald.schema("forest", of="output")["type"] == "object"
    with pytest.raises(ValueError, match="did you mean island"):
        weald.schema("iland")
    with pytest.raises(ValueError, match='must be "params", "recipe" or "output"'):
        weald.schema("island", "parms")
    with pytest.raises(Exception, match="cannot assign"):
        island.name = "x"


def test_the_version_is_that_of_the_engine(island, tmp_path):
    import importlib.metadata

    assert weald.__version__ == importlib.metadata.version("weald")
    assert f'"weald": "{weald.__version__}"' in (island.save(tmp_path / "a") / "manifest.json").read_text()
