"""What takes minutes: every recipe from end to end, every golden hash with several numbers of threads, many random
grids.
"""

from __future__ import annotations

import numpy as np
import pytest
import weald
from test_core import assert_d8_over_filled, drained, orders, priority_flood
from test_goldens import GOLDENS, made_of
from weald import core

pytestmark = pytest.mark.slow

RECIPES = [(info.name, recipe) for info in weald.worlds() for recipe in info.recipes]


@pytest.mark.parametrize(("world", "recipe"), RECIPES)
def test_every_recipe_keeps_its_rules_and_is_read_back(world, recipe, tmp_path):
    made = weald.generate(world, seed=11, size=128, recipe=recipe)
    folder = made.save(tmp_path / world)
    report = weald.check(folder)
    assert report.ok, str(report)
    back = weald.open(folder)
    assert back.hashes == made.hashes and back.recipe == made.recipe
    assert weald.generate(world, recipe=folder / "recipe.toml").hashes == made.hashes
    data = made.to_xarray()
    assert all(np.array_equal(data[name], cells) for name, cells in made.layers.items())
    assert made.picture(px=128).ndim == 3


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_every_golden_hash_with_any_number_of_threads(threads):
    for case, expected in GOLDENS.items():
        assert made_of(case, threads=threads).hashes == expected, case


@pytest.mark.parametrize("seed", range(60))
def test_water_on_random_land(seed):
    random = np.random.default_rng(seed)
    shape = tuple(random.integers(1, 70, 2))
    steps = random.choice([2, 5, 50, 10**6])
    height = (random.integers(0, steps, shape) / steps * 100).astype(np.float32)
    outlet = random.random(shape) < random.choice([0, 0.02, 0.3])
    filled = core.fill(height, outlet)
    assert np.array_equal(filled, priority_flood(height, outlet))
    flow = core.d8_over_filled(filled, outlet)
    assert_d8_over_filled(filled, flow, outlet)
    area = core.accumulation(flow)
    assert np.array_equal(area, drained(flow))
    from_cells = int(random.integers(1, 20))
    strahler, shreve = orders(flow, area, from_cells)
    found = core.stream_order(flow, area, from_cells)
    assert np.array_equal(found.strahler, strahler) and np.array_equal(found.shreve, shreve)
