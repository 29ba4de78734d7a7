"""A world in the types of Python: arrays over the engine's memory, features, pictures, folders."""

from __future__ import annotations

import copy
import gc
import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import weald


def test_a_world_tells_what_it_is(island):
    assert (island.world, island.seed, island.size, island.cell_m, island.unit) == ("island", 7, (96, 96), 10.0, "m")
    assert island.origin == (0.0, 0.0) and "96x96" in repr(island)
    assert island.params["rivers"]["spring_area"] > 0
    assert 0 < island.figures["land_share"] < 1
    assert all(seconds >= 0 for _, seconds in island.seconds) and len(island.seconds) > 5


def test_size_is_columns_and_rows_and_arrays_are_rows_and_columns():
    wide = weald.generate("forest", seed=1, size=(40, 24))
    assert wide.size == (40, 24) and wide.layers["height"].shape == (24, 40)


def test_parameters_are_nested_or_dotted_and_take_numpy_numbers():
    nested = weald.generate("island", size=64, params={"rivers": {"spring_area": np.int64(300)}})
    dotted = weald.generate("island", size=64, params={"rivers.spring_area": 300})
    default = weald.generate("island", size=64)
    assert nested.hashes == dotted.hashes and nested.params["rivers"]["spring_area"] == 300
    assert nested.params != default.params


def test_a_parameter_is_read_from_a_file(tmp_path):
    placed = tmp_path / "placed.txt"
    placed.write_text("cone 12 -40\n")
    world = weald.generate("endless", size=(64, 64), at=(0, 0), params={"placed": placed})
    assert "cone 12 -40" in world.params["placed"]


def test_at_places_the_window(island):
    here = weald.generate("endless", size=(20, 10), at=(-500, 500))
    east = weald.generate("endless", size=(20, 10), at=(-490, 500))
    assert np.array_equal(here.layers["height"][:, 10:], east.layers["height"][:, :10])
    assert not np.array_equal(here.layers["height"], east.layers["height"])


def test_optional_results_are_made_when_they_are_asked_for(tmp_path):
    city = weald.generate("city", seed=7, size=64, with_=["worldmap"])
    assert (city.save(tmp_path / "city") / "worldmap.png").is_file()
    plain = weald.generate("city", seed=7, size=64)
    assert not (plain.save(tmp_path / "plain") / "worldmap.png").exists()


def test_layers_are_made_once_and_are_views_without_a_copy(island):
    height = island.layers["height"]
    assert island.layers["height"] is height
    # Another array of the same layer lies over the same memory.
    other = island._native.layer("height")
    assert other is not height and np.shares_memory(other, height)
    assert height.flags.c_contiguous and not height.flags.owndata


def test_layers_are_read_only_for_good(island):
    height = island.layers["height"]
    with pytest.raises(ValueError, match="read-only"):
        height[0, 0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        height.flags.writeable = True
    with pytest.raises(ValueError, match="WRITEABLE"):
        height[2:, 3:].flags.writeable = True


def test_arrays_keep_the_engines_memory_alive():
    world = weald.generate("island", seed=3, size=128)
    expected = {name: cells.copy() for name, cells in world.layers.items()}
    kept = {name: cells[1:, ::2] for name, cells in world.layers.items()}
    del world
    gc.collect()
    # What was freed by mistake would be written over.
    for seed in range(3):
        weald.generate("island", seed=seed, size=128)
    for name, cells in kept.items():
        assert np.array_equal(cells, expected[name][1:, ::2]), name


LEAKS = """
import gc, weald
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
for k in range(12):
    world = weald.generate("endless", size=1024, at=(0, 0))
    assert sum(cells.nbytes for cells in world.layers.values()) > 20e6
    del world
    gc.collect()
    if k == 3:
        before = resident()
assert resident() - before < 40e6, resident() - before
"""


def test_memory_is_freed_with_the_last_array():
    subprocess.run([sys.executable, "-c", LEAKS], check=True)


def test_unknown_layers_are_refused_with_those_there_are(island):
    with pytest.raises(KeyError, match="no such layer; it has land"):
        island.layers["hight"]
    with pytest.raises(KeyError, match="no such set of lines; it has rivers"):
        island.lines["roads"]
    assert "hight" not in island.layers and "height" in island.layers
    with pytest.raises(TypeError):
        island.layers["height"] = 3


def test_layer_info_has_unit_sentence_and_classes(island):
    info = island.layer_info["cover"]
    assert info.kind == "classes" and info.dtype == "uint8" and set(info.colours) == set(info.classes)
    assert set(np.unique(island.layers["cover"])) <= set(info.classes)
    assert island.layer_info["height"].unit == "m" and island.layer_info["height"].classes == {}


def test_nothing_is_pickled_silently_wrong(island):
    for make in (pickle.dumps, copy.deepcopy, copy.copy):
        with pytest.raises(TypeError, match="pickle"):
            make(island._native)
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(island)
    back = pickle.loads(pickle.dumps(island.layers["height"]))
    assert np.array_equal(back, island.layers["height"])


def test_features_are_geojson_as_in_the_folder(island, tmp_path):
    folder = island.save(tmp_path / "island")
    sets = {**island.lines, **island.points, **island.polygons}
    assert set(sets) == {path.stem for path in folder.glob("*.geojson")}
    for name, collection in sets.items():
        assert collection == json.loads((folder / f"{name}.geojson").read_text())
        assert collection["type"] == "FeatureCollection"


def test_features_as_geopandas():
    geopandas = pytest.importorskip("geopandas")
    world = weald.generate("realm", seed=7, size=64)
    for name, collection in {**world.lines, **world.points, **world.polygons}.items():
        frame = world.to_geopandas(name)
        assert isinstance(frame, geopandas.GeoDataFrame) and len(frame) == len(collection["features"])
        for feature, geometry in zip(collection["features"], frame.geometry):
            assert geometry.geom_type == feature["geometry"]["type"]
            assert list(frame.index) == [f["id"] for f in collection["features"]]
    with pytest.raises(KeyError, match="rivers"):
        world.to_geopandas("river")


def test_an_empty_set_is_an_empty_geodataframe():
    pytest.importorskip("geopandas")
    world = weald.generate("island", seed=7, size=32)
    empty = [name for name, c in {**world.lines, **world.points}.items() if not c["features"]]
    assert empty, "an island of 32 cells has no room for a river"
    assert all(len(world.to_geopandas(name)) == 0 for name in empty)


def test_xarray_has_coordinates_units_and_meanings(island):
    xarray = pytest.importorskip("xarray")
    data = island.to_xarray()
    assert isinstance(data, xarray.Dataset) and dict(data.sizes) == {"y": 96, "x": 96}
    assert np.array_equal(data.x, 10.0 * np.arange(96) + 5) and np.array_equal(data.y, -10.0 * np.arange(96) - 5)
    assert data.height.attrs == {"long_name": island.layer_info["height"].about, "units": "m"}
    cover = island.layer_info["cover"]
    assert data.cover.attrs["flag_values"] == list(cover.classes)
    assert len(data.cover.attrs["flag_meanings"].split()) == len(cover.classes)
    assert data.attrs["seed"] == 7 and data.x.attrs["units"] == "m"
    for name, cells in island.layers.items():
        assert np.shares_memory(data[name].values, cells), name


def test_xarray_labels_are_those_of_the_zarr_store(island, tmp_path):
    pytest.importorskip("xarray")
    told = island.export("zarr", tmp_path / "island.zarr")
    assert "island.zarr" in told["files"]
    data = island.to_xarray()
    for name in [*data.data_vars, *data.coords]:
        stored = json.loads((tmp_path / "island.zarr" / name / "zarr.json").read_text())
        assert stored["attributes"] == data[name].attrs, name
        assert stored["data_type"] == data[name].dtype, name
    stored = json.loads((tmp_path / "island.zarr/zarr.json").read_text())["attributes"]
    assert stored["weald"].pop("arrays") == [*data.data_vars, *data.coords]
    assert stored == data.attrs


def test_a_picture_is_an_array_and_notebooks_show_it(island):
    picture = island.picture(px=96)
    assert picture.dtype == np.uint8 and picture.ndim == 3 and picture.shape[2] == 3
    bare = island.picture(px=96, bare=True)
    assert bare.shape[:2] == (96, 96)
    assert island._repr_png_() == island.png() and island.png()[:8] == b"\x89PNG\r\n\x1a\n"
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50
    overlay = weald.generate("city", size=32).picture("overlay")
    assert overlay.shape == (32, 32, 4) and set(np.unique(overlay[..., 3])) > {0}


def test_views_and_their_settings():
    planet = weald.generate("planet", size=32)
    snow = planet.picture("equirectangular", px=128, settings={"snow_line": 100})
    bare = planet.picture("equirectangular", px=128)
    assert snow.shape == bare.shape and not np.array_equal(snow, bare)


def test_saved_and_opened_worlds_are_equal(island, tmp_path):
    folder = island.save(tmp_path / "island")
    back = weald.open(folder)
    assert isinstance(folder, Path) and back.hashes == island.hashes
    assert back.recipe == island.recipe and back.figures == island.figures
    assert {**back.lines, **back.points} == {**island.lines, **island.points}
    assert np.array_equal(back.picture(px=64), island.picture(px=64))
    assert back.layers["height"].flags.writeable is False


def test_a_folder_is_replaced_only_with_force(island, tmp_path):
    island.save(tmp_path / "a", layers=["height"])
    assert list(weald.open(tmp_path / "a").layers) == ["height"]
    with pytest.raises(FileExistsError, match="already exists"):
        island.save(tmp_path / "a")
    island.save(tmp_path / "a", force=True)
    assert len(weald.open(tmp_path / "a").layers) == len(island.layers)
    with pytest.raises(ValueError, match="layers hight: no such name"):
        island.save(tmp_path / "b", layers="hight")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_python_writes_the_folder_of_the_command_line(program, tmp_path):
    for world, seed, size in [("island", 7, 64), ("forest", 42, 48), ("city", 3, 64), ("realm", 7, 48)]:
        theirs, mine = tmp_path / f"{world}-c", tmp_path / f"{world}-p"
        command = [program, "generate", world, "--seed", str(seed), "--size", str(size), "-o", theirs, "-q"]
        subprocess.run(command, check=True)
        weald.generate(world, seed, size).save(mine)
        names = sorted(str(path.relative_to(theirs)) for path in theirs.rglob("*") if path.is_file())
        assert names == sorted(str(path.relative_to(mine)) for path in mine.rglob("*") if path.is_file())
        for name in names:
            if name != "manifest.json":
                assert (theirs / name).read_bytes() == (mine / name).read_bytes(), name
        manifests = [json.loads((folder / "manifest.json").read_text()) for folder in (theirs, mine)]
        seconds = [set(manifest.pop("seconds")) for manifest in manifests]
        assert manifests[0] == manifests[1] and seconds[0] == seconds[1]


def test_the_checker_passes_what_was_made_and_not_what_was_changed(island, tmp_path):
    report = island.check()
    assert report and report.ok and report.broken == [] and len(report.rules) > 30
    assert any(line.startswith("ok   land-drains") for line in report.lines)
    folder = island.save(tmp_path / "island")
    assert weald.check(folder).ok
    height = np.load(folder / "layers/height.npy")
    height[48, 48] += 500
    np.save(folder / "layers/height.npy", height)
    broken = weald.check(folder)
    assert not broken and not broken.ok and "layer-hash" in broken.broken and "FAIL" in str(broken)


def test_a_heightmap_is_checked_for_land_that_drains(tmp_path):
    ramp = np.add.outer(np.arange(40.0), np.arange(50.0)).astype(np.float32)
    np.save(tmp_path / "ramp.npy", ramp)
    drains = weald.check(tmp_path / "ramp.npy", heightmap=True)
    ramp[20, 20] = 0.5
    np.save(tmp_path / "pit.npy", ramp)
    pit = weald.check(tmp_path / "pit.npy", heightmap=True)
    assert drains.ok and not pit.ok and set(pit.broken) <= {rule["rule"] for rule in drains.rules}


def test_explanations_of_cells_and_places(island):
    y, x = np.argwhere(island.layers["land"] == 1)[40]
    told = island.explain(x, y)
    assert str(told).startswith("island, column") and "height" in told.table
    assert told.reason("land")["sentence"].startswith("This is land")
    assert str(island.explain_at(x, y)) == str(told)
    with pytest.raises(KeyError, match="use land"):
        told.reason("weather")
    endless = weald.generate("endless", size=(20, 10), at=(-500, 500))
    assert endless.explain(0, 0).data["cell"] == endless.explain_at(-500, 500).data["cell"]
    for place in [(96, 0), (-1, 0), (0.5, 0)]:
        with pytest.raises(ValueError, match="is no cell of this map of 96x96"):
            island.explain(*place)


def test_exports_are_files_or_folders(island, tmp_path):
    told = island.export("geotiff", tmp_path / "island.tif")
    assert (tmp_path / "island.tif").is_file() and told["files"] == ["island.tif"]
    told = island.export("unity", tmp_path / "unity", samples=65)
    assert all((tmp_path / "unity" / name).is_file() for name in told["files"]) and told["numbers"]
    with pytest.raises(ValueError, match="there is no such target; use"):
        island.export("geotif", tmp_path / "x")
    with pytest.raises(ValueError, match="--samples: is not for zarr"):
        island.export("zarr", tmp_path / "x.zarr", samples=9)
    with pytest.raises(ValueError, match="unknown field `sample`"):
        island.export("unity", tmp_path / "x", sample=9)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["island.tif", "unity"]


def test_a_folder_may_hold_exports(island, tmp_path):
    folder = island.save(tmp_path / "island", export=["gpkg"])
    assert list((folder / "gpkg").glob("*.gpkg"))
