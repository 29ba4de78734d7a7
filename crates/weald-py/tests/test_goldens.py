"""Every golden hash of the project, by way of Python."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
import weald
from conftest import ROOT


def golden_maps() -> dict[tuple[str, str, int, tuple[int, int]], dict[str, str]]:
    """Names and hashes of each map: world, recipe, seed, columns and rows."""
    maps: dict = {}
    for line in (ROOT / "tests/goldens/hashes.txt").read_text().splitlines():
        world, recipe, seed, size, name, sha256 = line.split()
        columns, rows = size.split("x")
        maps.setdefault((world, recipe, int(seed), (int(columns), int(rows))), {})[name] = sha256
    return maps


GOLDENS = golden_maps()

REQUESTS = {"worldmap.terrain.json": "worldmap"}
"""Files that are made only on request, and the request."""


def made_of(case, **more) -> weald.World:
    """The world of a golden case, with everything that has a golden hash."""
    world, recipe, seed, size = case
    with_ = [request for file, request in REQUESTS.items() if file in GOLDENS[case]]
    return weald.generate(world, seed, size, recipe=recipe, with_=with_, **more)


def found(world: weald.World) -> dict[str, str]:
    """The hashes of the arrays and of the bytes of files, computed by Python."""
    out = {}
    for name, cells in world.layers.items():
        assert cells.flags.c_contiguous and cells.dtype == world.layer_info[name].dtype
        out[name] = hashlib.sha256(cells.astype(cells.dtype.newbyteorder("<"), copy=False).tobytes()).hexdigest()
    for name in [*world.lines, *world.points, *world.polygons]:
        out[f"{name}.geojson"] = hashlib.sha256(world.file(f"{name}.geojson")).hexdigest()
    return out


def test_there_are_goldens_of_every_recipe():
    recipes = {(info.name, recipe) for info in weald.worlds() for recipe in info.recipes}
    assert {(world, recipe) for world, recipe, _, _ in GOLDENS} == recipes


@pytest.mark.parametrize("case", GOLDENS, ids=lambda case: f"{case[1]}-{case[2]}-{case[3][0]}x{case[3][1]}")
def test_every_golden_hash_is_the_expected_one(case):
    made = made_of(case)
    expected = GOLDENS[case]
    hashes = found(made)
    files = {name: hashlib.sha256(made.file(name)).hexdigest() for name in expected if name not in hashes}
    assert {**hashes, **files} == expected
    assert made.hashes == expected


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_any_number_of_threads_gives_the_same(threads):
    case = ("city", "city-river", 42, (320, 256))
    made = made_of(case, threads=threads)
    assert found(made).items() <= GOLDENS[case].items() and made.hashes == GOLDENS[case]


def test_the_recipe_of_a_world_makes_it_again_and_another_seed_does_not(island):
    again = weald.generate("island", recipe=island.recipe)
    assert again.hashes == island.hashes and again.recipe == island.recipe
    other = weald.generate("island", seed=8, recipe=island.recipe)
    assert not np.array_equal(other.layers["height"], island.layers["height"])
