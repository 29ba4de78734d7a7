"""Maps larger than memory."""

from __future__ import annotations

import hashlib
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
import weald

FOREST = {"seed": 8, "size": (330, 270), "tile": 96}


def files(store: Path) -> dict[str, str]:
    """The hash of every file of a store but those of `.weald`."""
    out = {}
    for path in sorted(store.rglob("*")):
        name = path.relative_to(store)
        if path.is_file() and name.parts[0] != ".weald":
            out[str(name)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return out


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> weald.Build:
    return weald.build("forest", tmp_path_factory.mktemp("built") / "world.zarr", **FOREST, threads=1)


def test_a_build_has_the_bits_of_the_whole_map_and_of_the_command_line(built, program, tmp_path):
    whole = weald.generate("forest", recipe=built.recipe)
    assert built.finished and built.layers == list(whole.layers) and built.notes[0].startswith("game trails")
    for name, layer in whole.layers.items():
        assert np.array_equal(built.window(name, 0, 0, *built.size), layer), name
    part = built.window("height", 90, 5, 30, 200)
    assert np.array_equal(part, whole.layers["height"][5:205, 90:120])
    command = [program, "build", "forest", "--seed", "8", "--size", "330x270", "--tile", "96", "-o", "world.zarr"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert files(tmp_path / "world.zarr") == files(Path(built.path))


def test_steps_by_hand_give_the_same_bytes(built, tmp_path):
    steps = weald.Build.begin("forest", tmp_path / "world.zarr", **FOREST)
    assert "not finished" in repr(steps)
    for number in range(len(steps.passes)):
        for tile in reversed(steps.open_tiles(number)):
            weald.Build.open(steps.path).make_tile(number, tile, threads=1)
        assert not steps.is_merged(number)
        steps.merge(number)
        assert steps.is_merged(number)
    for level in range(1, steps.levels):
        for tile in steps.open_overviews(level):
            steps.make_overview(level, tile)
    steps.finish()
    assert files(tmp_path / "world.zarr") == files(Path(built.path))


def test_xarray_opens_the_store_and_its_overviews(built):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("zarr")
    opened = xarray.open_zarr(built.path, consolidated=False)
    assert np.array_equal(opened.water_class.values, built.window("water_class", 0, 0, *built.size))
    half = xarray.open_zarr(built.path, group="overviews/1", consolidated=False)
    assert half.height.shape == (135, 165)


def test_what_cannot_be_built_is_an_error_with_the_words_of_the_command_line(tmp_path):
    with pytest.raises(ValueError, match="city cannot be made in tiles"):
        weald.build("city", tmp_path / "a.zarr")
    with pytest.raises(ValueError, match="use smaller tiles"):
        weald.build("forest", tmp_path / "a.zarr", size=5000, tile=1024, memory=1 << 20)
    with pytest.raises(ValueError, match="there is no layer heigth"):
        weald.build("forest", tmp_path / "a.zarr", layers=["heigth"])
    with pytest.raises(OSError, match="no such file|No such file|not found|cannot find"):
        weald.Build.open(tmp_path / "nothing.zarr")
    assert list(tmp_path.iterdir()) == []


def test_two_worker_processes_give_the_same_bytes_although_one_is_killed(built, tmp_path):
    distributed = pytest.importorskip("distributed")
    from weald.dask import build

    options = {"distributed.scheduler.allowed-failures": 10, "distributed.admin.low-level-log-length": 10}
    import dask

    with (
        dask.config.set(options),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        whole = build("forest", tmp_path / "whole.zarr", **FOREST, client=client)
        assert whole.finished and files(tmp_path / "whole.zarr") == files(Path(built.path))
        told = []

        def kill(stage: str, done: int, total: int) -> None:
            if done == 2 and stage == "water":
                worker = next(iter(cluster.workers.values()))
                worker.process.process.kill()
                time.sleep(0.1)
            told.append((stage, done, total))

        build("forest", tmp_path / "killed.zarr", **FOREST, client=client, progress=kill)
        assert files(tmp_path / "killed.zarr") == files(Path(built.path))
        assert [t for t in told if t[0] == "water"][-1] == ("water", whole.tiles, whole.tiles)
