"""The algorithms beside others that were written for the tests, in NumPy, SciPy and plain Python."""

from __future__ import annotations

import heapq

import numpy as np
import pytest
import weald
from scipy import ndimage, sparse
from scipy.sparse import csgraph
from weald import core

DX = np.array([1, 1, 0, -1, -1, -1, 0, 1])
DY = np.array([0, 1, 1, 1, 0, -1, -1, -1])


def grids() -> list[np.ndarray]:
    """Heights of many kinds: rough, with ties, with plateaus, level, narrow."""
    random = np.random.default_rng(7)
    rough = random.random((37, 53)).astype(np.float32)
    ties = random.integers(0, 4, (41, 29)).astype(np.float32)
    smooth = ndimage.gaussian_filter(random.random((48, 40)), 3).astype(np.float32) * 100
    plateau = np.floor(smooth / 2) * 2
    return [rough, ties, smooth, plateau, np.zeros((9, 14), np.float32), rough[:1], rough[:, :1], rough[:2, :3], -rough]


GRIDS = grids()
KINDS = ["rough", "ties", "smooth", "plateau", "level", "row", "column", "tiny", "below-zero"]
EVERY = pytest.mark.parametrize("height", GRIDS, ids=KINDS)


def mask_of(height: np.ndarray) -> np.ndarray:
    return np.random.default_rng(3).random(height.shape) < 0.1


def neighbours(shape: tuple[int, int], y: int, x: int):
    for dx, dy in zip(DX, DY):
        if 0 <= y + dy < shape[0] and 0 <= x + dx < shape[1]:
            yield y + dy, x + dx


def border(shape: tuple[int, int]) -> np.ndarray:
    out = np.ones(shape, bool)
    out[1:-1, 1:-1] = False
    return out


def priority_flood(height: np.ndarray, outlet: np.ndarray | None = None) -> np.ndarray:
    """Fills depressions with a heap (Barnes, Lehman, Mulla 2014)."""
    filled, seen = height.copy(), border(height.shape) | (False if outlet is None else outlet)
    heap = [(height[y, x], y, x) for y, x in np.argwhere(seen)]
    heapq.heapify(heap)
    while heap:
        level, y, x = heapq.heappop(heap)
        for ny, nx in neighbours(height.shape, y, x):
            if not seen[ny, nx]:
                seen[ny, nx] = True
                filled[ny, nx] = max(height[ny, nx], level)
                heapq.heappush(heap, (filled[ny, nx], ny, nx))
    return filled


def receivers(flow: np.ndarray) -> np.ndarray:
    """The index of the cell that each cell drains to; its own where it has no direction."""
    rows, columns = np.indices(flow.shape)
    some = flow != core.NO_DIRECTION
    d = np.where(some, flow, 0)
    return np.where(some, (rows + DY[d]) * flow.shape[1] + columns + DX[d], rows * flow.shape[1] + columns).ravel()


def downstream(flow: np.ndarray) -> list[int]:
    """All cells, each before the one it drains to."""
    to = receivers(flow)
    waits = np.bincount(to[to != np.arange(to.size)], minlength=to.size)
    ready, order = list(np.flatnonzero(waits == 0)), []
    while ready:
        cell = ready.pop()
        order.append(cell)
        if to[cell] != cell:
            waits[to[cell]] -= 1
            if waits[to[cell]] == 0:
                ready.append(to[cell])
    assert len(order) == to.size, "a cycle"
    return order


def drained(flow: np.ndarray) -> np.ndarray:
    """Accumulation in topological order."""
    to, area = receivers(flow), np.ones(flow.size, np.int64)
    for cell in downstream(flow):
        if to[cell] != cell:
            area[to[cell]] += area[cell]
    return area.reshape(flow.shape)


@EVERY
def test_fill_equals_a_priority_flood(height):
    assert np.array_equal(core.fill(height), priority_flood(height))
    outlet = mask_of(height)
    assert np.array_equal(core.fill(height, outlet), priority_flood(height, outlet))


def test_fill_equals_a_priority_flood_on_real_land(dem):
    filled = core.fill(dem)
    assert np.array_equal(filled, priority_flood(dem.astype(np.float32)))
    assert (filled > dem).mean() > 0.005, "real land has depressions"
    assert np.array_equal(core.fill(filled), filled)


def flat_distance(filled: np.ndarray, drains: np.ndarray) -> np.ndarray:
    """Steps over cells of the same height to one that drains by itself."""
    far = np.full(filled.shape, np.iinfo(np.int64).max)
    far[drains] = 0
    edge = [tuple(cell) for cell in np.argwhere(drains)]
    while edge:
        edge_next = []
        for y, x in edge:
            for cell in neighbours(filled.shape, y, x):
                if filled[cell] == filled[y, x] and far[cell] > far[y, x] + 1:
                    far[cell] = far[y, x] + 1
                    edge_next.append(cell)
        edge = edge_next
    return far


def assert_d8_over_filled(filled: np.ndarray, flow: np.ndarray, outlet: np.ndarray) -> None:
    """Every direction is that of the steepest descent, the first of equal ones; across a flat it leads one step
    nearer to its outlet.
    """
    deep = np.pad(filled.astype(np.float64), 1, constant_values=np.inf)
    height, width = filled.shape
    length = np.where((DX != 0) & (DY != 0), np.sqrt(2), 1)
    drops = np.stack(
        [(filled - deep[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]) / l for dx, dy, l in zip(DX, DY, length)]
    )
    steepest = drops.max(axis=0)
    lower = (steepest > 0) & ~outlet
    assert (flow[outlet] == core.NO_DIRECTION).all()
    chosen = np.take_along_axis(drops, np.where(flow < 8, flow, 0)[None].astype(np.int64), 0)[0]
    assert (flow[lower] < 8).all() and np.allclose(chosen[lower], steepest[lower], rtol=1e-5)
    # Of slopes that are clearly equal, the first direction.
    first = np.argmax(np.isclose(drops, steepest, rtol=1e-12, atol=0), axis=0)
    clear = (
        np.sum(drops > steepest * (1 - 1e-5), axis=0) == np.sum(np.isclose(drops, steepest, rtol=1e-12, atol=0), axis=0)
    ) & lower
    assert np.array_equal(flow[clear], first[clear])
    flat = ~lower & ~outlet
    on_border = border(filled.shape)
    assert (flow[flat & on_border] == core.NO_DIRECTION).all()
    inner = flat & ~on_border
    far = flat_distance(filled, lower | outlet | on_border)
    to = np.unravel_index(receivers(flow), filled.shape)
    far_below = far[to].reshape(filled.shape)
    level_below = filled[to].reshape(filled.shape)
    assert (flow[inner] < 8).all() and np.array_equal(level_below[inner], filled[inner])
    assert np.array_equal(far_below[inner], far[inner] - 1)


@EVERY
def test_d8_over_filled_follows_its_rule(height):
    for outlet in (None, mask_of(height)):
        filled = core.fill(height, outlet)
        flow = core.d8_over_filled(filled, outlet)
        assert_d8_over_filled(filled, flow, np.zeros(height.shape, bool) if outlet is None else outlet)
        assert flow.dtype == np.uint8 and np.array_equal(flow, core.d8(filled, outlet=outlet))


def test_d8_over_filled_follows_its_rule_on_real_land(dem):
    filled = core.fill(dem[:120, :150])
    assert_d8_over_filled(filled, core.d8_over_filled(filled), np.zeros(filled.shape, bool))


@EVERY
def test_d8_by_drop_takes_one_of_the_largest_drops(height):
    flow = core.d8_by_drop(height, seed=5, min_drop=0.01, tie_eps=0.0)
    rows, columns = height.shape
    ties = set()
    for y in range(rows):
        for x in range(columns):
            drops = {}
            for d, (dx, dy) in enumerate(zip(DX, DY)):
                if 0 <= y + dy < rows and 0 <= x + dx < columns:
                    drops[d] = np.float32(height[y, x] - height[y + dy, x + dx])
            good = {d: drop for d, drop in drops.items() if drop >= np.float32(0.01)}
            best = [d for d, drop in good.items() if drop == max(good.values())]
            assert flow[y, x] in (best or [core.NO_DIRECTION])
            ties |= {int(np.flatnonzero(np.array(best) == flow[y, x])[0])} if len(best) > 1 else set()
    if height is GRIDS[1]:
        assert len(ties) > 3, "ties are spread over the directions"
        assert not np.array_equal(flow, core.d8(height, "drop", seed=6, min_drop=0.01, tie_eps=0.0))


@EVERY
def test_d8_by_flood_drains_by_the_neighbour_that_water_reached_first(height):
    """The rule again with a heap, ordered by level, row and column."""
    for inside in (np.ones(height.shape, bool), ~mask_of(height)):
        flow = core.d8_by_flood(height, inside)
        dry, heap = inside.copy(), []
        for y, x in np.argwhere(inside):
            if border(height.shape)[y, x] or any(not inside[cell] for cell in neighbours(height.shape, y, x)):
                heap.append((height[y, x], y, x))
                dry[y, x] = False
        heapq.heapify(heap)
        expected = np.full(height.shape, core.NO_DIRECTION, np.uint8)
        while heap:
            level, y, x = heapq.heappop(heap)
            for d, (dx, dy) in enumerate(zip(DX, DY)):
                ny, nx = y + dy, x + dx
                if 0 <= ny < height.shape[0] and 0 <= nx < height.shape[1] and dry[ny, nx]:
                    dry[ny, nx] = False
                    expected[ny, nx] = (d + 4) % 8
                    heapq.heappush(heap, (max(height[ny, nx], level), ny, nx))
        assert np.array_equal(flow, expected)
        assert np.array_equal(core.d8(height, "flood", inside=inside), flow)


@EVERY
def test_accumulation_equals_a_sum_in_topological_order(height):
    flow = core.d8_over_filled(core.fill(height))
    found = core.accumulation(flow)
    assert found.dtype == np.uint32 and np.array_equal(found, drained(flow))
    assert found[flow == core.NO_DIRECTION].sum() == height.size


def test_accumulation_on_real_land_leaves_over_the_border(dem):
    flow = core.d8_over_filled(core.fill(dem))
    found = core.accumulation(flow)
    assert np.array_equal(found, drained(flow))
    assert ((flow == core.NO_DIRECTION) <= border(dem.shape)).all()
    # All other functions, through the whole pipeline, on land with thousands of ties.
    assert found.max() > dem.size / 8


def orders(flow: np.ndarray, area: np.ndarray, from_cells: int) -> tuple[np.ndarray, np.ndarray]:
    """Strahler numbers and Shreve magnitudes cell by cell; channels of one cell that end in another river do not
    count.
    """
    to, channel = receivers(flow), (area >= from_cells).ravel()
    flat = area.ravel()
    into: dict[int, list[int]] = {}
    for cell in np.flatnonzero(channel):
        if to[cell] != cell:
            into.setdefault(int(to[cell]), []).append(int(cell))
    main = {cell: max(above, key=lambda n: (flat[n], -n)) for cell, above in into.items()}
    # A head that is no main inflow is a river of a single cell.
    alone = {int(c) for c in np.flatnonzero(channel) if c not in into and main.get(int(to[c])) != c}
    strahler, shreve = np.zeros(flow.size, int), np.zeros(flow.size, int)
    for cell in downstream(flow):
        if not channel[cell] or cell in alone:
            continue
        above = [n for n in into.get(cell, []) if n not in alone]
        if not above:
            strahler[cell] = shreve[cell] = 1
            continue
        highest = max(strahler[n] for n in above)
        strahler[cell] = highest + (sum(strahler[n] == highest for n in above) > 1)
        shreve[cell] = sum(shreve[n] for n in above)
    return strahler.reshape(flow.shape), shreve.reshape(flow.shape)


@pytest.mark.parametrize("from_cells", [1, 2, 5, 30])
@EVERY
def test_stream_orders_equal_those_cell_by_cell(height, from_cells):
    flow = core.d8_over_filled(core.fill(height))
    area = core.accumulation(flow)
    found = core.stream_order(flow, area, from_cells)
    strahler, shreve = orders(flow, area, from_cells)
    assert np.array_equal(found.strahler, strahler) and np.array_equal(found.shreve, shreve)


def test_stream_orders_of_real_land(dem):
    flow = core.d8_over_filled(core.fill(dem))
    area = core.accumulation(flow)
    found = core.stream_order(flow, area, 100)
    strahler, shreve = orders(flow, area, 100)
    assert np.array_equal(found.strahler, strahler) and np.array_equal(found.shreve, shreve)
    assert strahler.max() >= 4


@EVERY
def test_basins_are_the_cells_that_reach_their_mouth(height):
    flow = core.d8_over_filled(core.fill(height))
    found = core.basins(flow)
    to = receivers(flow)
    mouth = to.copy()
    while not np.array_equal(mouth, to[mouth]):
        mouth = to[mouth]
    width = height.shape[1]
    index = found.mouth[:, 1].astype(int) * width + found.mouth[:, 0]
    assert np.array_equal(index[found.label.ravel() - 1], mouth)
    assert np.array_equal(found.cells, np.bincount(found.label.ravel())[1:])
    assert (np.diff(found.cells.astype(int)) <= 0).all()


@pytest.mark.parametrize("share", [0.001, 0.02, 0.5, 1.0])
def test_distances_equal_those_of_scipy(share):
    sources = np.random.default_rng(11).random((57, 83)) < share
    sources[20, 30] = True
    near = core.euclidean(sources)
    exact = ndimage.distance_transform_edt(~sources)
    assert np.array_equal(near.squared, np.rint(exact**2))
    y, x = np.indices(sources.shape)
    sy, sx = np.divmod(near.source.astype(int), sources.shape[1])
    assert sources[sy, sx].all() and np.array_equal((x - sx) ** 2 + (y - sy) ** 2, near.squared)
    steps = ndimage.distance_transform_cdt(~sources, "chessboard")
    assert np.array_equal(core.chebyshev(sources), steps)
    assert np.array_equal(core.chebyshev(sources, 5), np.minimum(steps, 5))
    places = np.argwhere(sources)
    by = np.abs(np.indices(sources.shape)[:, :, :, None] - places.T[:, None, None, :])
    octile = (by.max(axis=0) + (np.sqrt(2) - 1) * by.min(axis=0)).min(axis=-1)
    assert np.allclose(core.octile(sources), octile, atol=1e-3)


def test_distances_without_a_source_are_far():
    none = np.zeros((4, 6), bool)
    assert (core.euclidean(none).squared == 2**32 - 1).all() and (core.octile(none) == 10).all()
    assert (core.chebyshev(none, 9) == 9).all()


def graph(shape: tuple[int, int], step) -> sparse.csr_matrix:
    """Neighbours joined by the cost of the step from cells to cells."""
    rows, columns = np.indices(shape)
    cells = rows * shape[1] + columns
    data, start, end = [], [], []
    for dx, dy in zip(DX, DY):
        fits = (rows + dy >= 0) & (rows + dy < shape[0]) & (columns + dx >= 0) & (columns + dx < shape[1])
        a = cells[fits]
        b = a + dy * shape[1] + dx
        cost = step(a, b, abs(dx) + abs(dy) == 2)
        open_ = np.isfinite(cost)
        data.append(cost[open_]), start.append(a[open_]), end.append(b[open_])
    return sparse.csr_matrix((np.concatenate(data), (np.concatenate(start), np.concatenate(end))), (cells.size,) * 2)


@pytest.mark.parametrize("walls", [0.0, 0.3])
def test_cost_distance_equals_dijkstra_of_scipy(walls):
    random = np.random.default_rng(2)
    resistance = random.integers(1, 4000, (45, 61)) / 512.0
    resistance[random.random(resistance.shape) < walls] = np.inf
    sources = random.random(resistance.shape) < 0.002
    sources[5, 5] = True
    resistance[5, 5] = 1
    parts = resistance.ravel() * 512

    def step(a, b, diagonal):
        cost = parts[a] + parts[b]
        return np.floor(cost * 1448 / 1024) if diagonal else cost

    from_ = np.flatnonzero(sources.ravel() & np.isfinite(parts))
    exact = csgraph.dijkstra(graph(resistance.shape, step), indices=from_, min_only=True) / 1024
    found = core.cost_distance(resistance, sources)
    reached = np.isfinite(exact)
    # Sums of parts are rounded in one way here and in another there, by at most a part a step.
    assert np.array_equal(np.isfinite(found.ravel()), reached)
    assert np.abs(found.ravel()[reached] - exact[reached]).max() < 100 / 1024
    assert np.array_equal(core.cost_distance(np.where(np.isinf(resistance), 0, resistance), sources), found)


@pytest.mark.parametrize("walls", [0.0, 0.35])
def test_a_least_cost_path_costs_what_dijkstra_of_scipy_says(walls):
    random = np.random.default_rng(4)
    cost = random.uniform(0.5, 9, (50, 70)).astype(np.float32)
    cost[random.random(cost.shape) < walls] = np.inf
    cost[0, 0] = cost[40, 60] = 1
    flat = cost.ravel().astype(np.float64)

    def step(a, b, diagonal):
        return flat[b] * (np.sqrt(2) if diagonal else 1)

    exact = csgraph.dijkstra(graph(cost.shape, step), indices=0)[40 * 70 + 60]
    path = core.least_cost(cost, (0, 0), (60, 40))
    assert (path is None) == np.isinf(exact)
    if path is None:
        return
    path = path.astype(int)
    assert tuple(path[0]) == (0, 0) and tuple(path[-1]) == (60, 40)
    by = np.abs(np.diff(path, axis=0))
    assert (by.max(axis=1) == 1).all()
    length = np.where(by.sum(axis=1) == 2, np.sqrt(2), 1)
    assert np.sum(length * cost[path[1:, 1], path[1:, 0]]) == pytest.approx(exact, abs=1e-4)


def test_there_is_no_path_through_a_wall():
    cost = np.ones((5, 9), np.float32)
    cost[:, 4] = np.inf
    assert core.least_cost(cost, (0, 0), (8, 0)) is None
    cost[2, 4] = 100
    assert (4, 2) in {tuple(cell) for cell in core.least_cost(cost, (0, 0), (8, 0))}


def plane(east: float, south: float, cell_m: float) -> np.ndarray:
    y, x = np.mgrid[0:20, 0:30]
    return (east * x + south * y) * cell_m


@pytest.mark.parametrize(("east", "south"), [(0.3, 0), (0, -0.7), (0.5, 0.5), (-1.2, 0.4)])
def test_slope_and_aspect_of_planes(east, south):
    found = core.slope_and_aspect(plane(east, south, 25.0), 25.0)
    assert np.allclose(found.slope, np.hypot(east, south), rtol=1e-5)
    assert np.allclose(found.aspect, np.degrees(np.arctan2(-south, -east)) % 360, atol=1e-3)
    repeated = core.slope_and_aspect(plane(east, south, 25.0), 25.0, "repeated")
    assert np.array_equal(repeated.slope[1:-1, 1:-1], found.slope[1:-1, 1:-1])
    assert np.isclose(repeated.slope[0, 0], np.hypot(east, south) / 2, rtol=1e-5)


def test_slopes_of_real_land_are_central_differences(dem):
    gy, gx = np.gradient(dem.astype(np.float64), 80.0)
    found = core.slope_and_aspect(dem, 80.0)
    assert np.allclose(found.slope, np.hypot(gx, gy), rtol=1e-6)
    steep = found.slope > 0
    aspect = np.degrees(np.arctan2(-gy, -gx)) % 360
    assert np.allclose((found.aspect - aspect)[steep] % 360 % 359.999, 0, atol=2e-3)


@pytest.mark.parametrize(("azimuth", "altitude"), [(315, 45), (90, 20), (200, 70)])
def test_hillshade_of_planes_is_lamberts_law(azimuth, altitude):
    for east, south in [(0, 0), (0.4, -0.2), (-2, 1)]:
        a, h = np.radians(azimuth), np.radians(altitude)
        light = np.array([np.sin(a) * np.cos(h), -np.cos(a) * np.cos(h), np.sin(h)])
        normal = np.array([-east, -south, 1]) / np.sqrt(east**2 + south**2 + 1)
        found = core.hillshade(plane(east, south, 10), 10, azimuth_deg=azimuth, altitude_deg=altitude)
        assert np.allclose(found[1:-1, 1:-1], max(0, light @ normal), atol=1e-6)
    usual = core.hillshade(plane(0.4, 0.1, 10), 10.0)
    assert np.array_equal(usual, core.hillshade(plane(0.4, 0.1, 10), 10, azimuth_deg=315, altitude_deg=45))
    assert np.array_equal(core.hillshade(plane(0.8, 0.2, 10), 10), core.hillshade(plane(0.4, 0.1, 10), 10, z_factor=2))
    assert not np.array_equal(usual, core.hillshade(plane(0.4, 0.1, 10), 10.0, multidirectional=True))


def test_contours_of_a_cone_are_circles():
    y, x = np.mgrid[0:80, 0:80] + 0.5
    cone = 100 - 2 * np.hypot(x - 40, y - 40)
    lines = core.contours(cone, 20)
    assert [line.level for line in lines if line.level >= 40] == [40, 60, 80]
    for level, points in lines:
        radius = np.hypot(points[:, 0] - 40, points[:, 1] - 40)
        assert np.allclose(radius, (100 - level) / 2, atol=0.03)
    chosen = core.contours(cone, levels=[60.0, 33.0])
    assert [line.level for line in chosen] == [60, 33] and np.array_equal(chosen[0].points, lines[-2].points)
    ring = chosen[0].points
    assert np.array_equal(ring[0], ring[-1])
    with pytest.raises(ValueError, match="either an interval or levels"):
        core.contours(cone)


def test_fractal_noise_continues_in_other_frames_and_fills_its_range():
    whole = core.fractal((40, 60), seed=9, cell_m=50.0, wavelength_m=400.0)
    part = core.fractal((30, 20), seed=9, cell_m=50.0, wavelength_m=400.0, origin=(40 * 50.0, 10 * 50.0))
    assert np.array_equal(part, whole[10:, 40:])
    assert whole.min() < -0.3 and whole.max() > 0.3 and abs(whole.mean()) < 0.2
    ridged = core.fractal((40, 60), seed=9, cell_m=50.0, wavelength_m=400.0, kind="ridged")
    billow = core.fractal((40, 60), seed=9, cell_m=50.0, wavelength_m=400.0, kind="billow")
    assert np.array_equal(billow, np.abs(whole)) and np.allclose(ridged, 1 - billow)
    assert not np.array_equal(whole, core.fractal((40, 60), seed=9, stream="a", cell_m=50.0, wavelength_m=400.0))
    assert np.array_equal(
        core.fractal((4, 4)), core.fractal((4, 4), wavelength_m=4000, octaves=6, persistence=0.5, lacunarity=2)
    )


def perlin_naive(shape: tuple[int, int], seed: int, frequency: float) -> np.ndarray:
    """Improved Perlin noise (2002) with a permutation shuffled by SplitMix64, in Python."""
    state, permutation = seed, list(range(256))
    for i in range(255, 0, -1):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        j = (z ^ (z >> 31)) % (i + 1)
        permutation[i], permutation[j] = permutation[j], permutation[i]
    p = np.array(permutation * 2)
    directions = np.array([(1, 1), (-1, 1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1)])
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]] * frequency
    cx, cy = np.floor(x).astype(int) % 256, np.floor(y).astype(int) % 256
    fx, fy = x - np.floor(x), y - np.floor(y)

    def corner(i, j):
        g = directions[p[p[cx + i] + cy + j] % 8]
        return g[..., 0] * (fx - i) + g[..., 1] * (fy - j)

    u, v = (t**3 * (t * (t * 6 - 15) + 10) for t in (fx, fy))
    top = corner(0, 0) + u * (corner(1, 0) - corner(0, 0))
    bottom = corner(0, 1) + u * (corner(1, 1) - corner(0, 1))
    return np.clip((top + v * (bottom - top)) / np.sqrt(2), -1, 1)


def test_perlin_noise_equals_the_rule_written_in_python():
    octaves = [(42, 0.05, 1.0), (7, 0.13, 0.5)]
    expected = sum(a * perlin_naive((30, 44), seed, f) for seed, f, a in octaves) / 1.5 / 2 + 0.5
    assert np.allclose(core.perlin((30, 44), octaves), expected, atol=1e-6)


def test_droplets_keep_the_mass_and_wear_hills_down():
    height = core.fractal((96, 128), seed=3, wavelength_m=500.0, cell_m=10.0) * 80 + 100
    found = core.droplet(height, 10.0, seed=1, count=5000)
    assert np.allclose(found.height, height + found.deposited - found.eroded, atol=1e-3)
    assert found.eroded_m3 == pytest.approx(found.deposited_m3 + found.exported_m3) and found.eroded_m3 > 1000
    assert found.eroded.sum() * 100 == pytest.approx(found.eroded_m3, rel=1e-4)
    again = core.droplet(
        height, 10.0, seed=1, count=5000, batch=1024, emphasis="hills", potential=np.full(height.shape, 0.5)
    )
    assert np.array_equal(again.height, found.height)
    assert not np.array_equal(core.droplet(height, 10.0, seed=2, count=5000).height, found.height)
    assert np.array_equal(core.droplet(height, 10.0, count=0).height, np.round(height * 2.0**18) / 2.0**18)


def thermal_naive(height: np.ndarray, cell_m: float, talus: float, rate: float, passes: int) -> np.ndarray:
    """The rule in floating point."""
    h = height.astype(np.float64)
    rows, columns = h.shape
    for _ in range(passes):
        new = h.copy()
        for dx, dy in zip(DX, DY):
            distance = cell_m * np.hypot(dx, dy)
            ys, yt = slice(max(0, -dy), rows - max(0, dy)), slice(max(0, dy), rows - max(0, -dy))
            xs, xt = slice(max(0, -dx), columns - max(0, dx)), slice(max(0, dx), columns - max(0, -dx))
            moved = rate / 8 * np.maximum(0, h[ys, xs] - h[yt, xt] - talus * distance)
            new[ys, xs] -= moved
            new[yt, xt] += moved
        h = new
    return h


def test_thermal_erosion_follows_its_rule_and_loses_nothing():
    height = np.zeros((40, 40), np.float32)
    height[18:22, 18:22] = 300
    found = core.thermal(height, 10.0, talus=0.5, rate=0.4, passes=60)
    assert np.allclose(found, thermal_naive(height, 10.0, 0.5, 0.4, 60), atol=0.05)
    assert found.sum(dtype=np.float64) == pytest.approx(height.sum(dtype=np.float64), rel=1e-6)
    same = core.thermal(height, 10.0, talus=np.full(height.shape, 0.5), rate=0.4, passes=60)
    assert np.array_equal(same, found)
    usual = core.thermal(height, 10.0)
    assert np.array_equal(usual, core.thermal(height, 10.0, talus=0.7, rate=0.5, passes=50))


def test_land_without_erosion_rises_by_uplift_alone():
    uplift = np.full((30, 40), 1e-3)
    uplift[:, 20:] = 2e-3
    flat = {"slope_limit": 1e9, "creep_m2_per_year": 0.0, "alluvial_slope": 0.0, "least_slope": 0.0}
    land = core.evolve(uplift, 100.0, erodibility=0.0, steps=10, years=1000.0, **flat)
    assert np.allclose(land[5:-5, 5:15], 10.0, rtol=1e-5) and np.allclose(land[5:-5, 25:-5], 20.0, rtol=1e-5)
    start = core.evolve(uplift, 100.0, erodibility=0.0, height=np.full((30, 40), 7.0), steps=10, years=1000.0, **flat)
    assert np.allclose(start[5:-5, 5:15], 17.0, rtol=1e-5)


def test_streams_carve_rising_land_to_a_steady_state():
    """Heights are proportional to uplift, and about inversely to erodibility, as ∂h/∂t = U − K·A^½·S says."""
    uplift = np.full((64, 64), 1e-3)
    rule = {"steps": 150, "years": 50_000.0, "slope_limit": 1e9, "seed": 4}
    rule |= {"creep_m2_per_year": 0.0, "alluvial_slope": 0.0, "least_slope": 0.0}
    soft = core.evolve(uplift, 100.0, erodibility=4e-6, **rule)
    assert np.array_equal(core.evolve(2 * uplift, 100.0, erodibility=4e-6, **rule), 2 * soft)
    hard = core.evolve(uplift, 100.0, erodibility=np.full((64, 64), 2e-6), **rule)
    assert hard.mean() / soft.mean() == pytest.approx(2, rel=0.1)
    longer = core.evolve(uplift, 100.0, erodibility=4e-6, **{**rule, "steps": 300})
    assert longer.mean() == pytest.approx(soft.mean(), rel=0.05), "a steady state stays"
    outlet = np.zeros((64, 64), bool)
    outlet[28:36, 28:36] = True
    lake = core.evolve(uplift, 100.0, erodibility=4e-6, outlet=outlet, **rule)
    assert lake[31, 31] == 0 and soft[31, 31] > 1
    assert not np.array_equal(core.evolve(uplift, 100.0, erodibility=4e-6, **{**rule, "seed": 5}), soft)


def test_layers_of_worlds_are_what_these_functions_make_of_others():
    forest = weald.generate("forest", seed=42, size=(97, 61))
    layers = forest.layers
    assert np.array_equal(core.accumulation(layers["flow_direction"]), layers["flow_accumulation"])
    found = core.slope_and_aspect(layers["height"], 1.0, "repeated")
    assert np.array_equal(found.slope, layers["slope"]) and np.array_equal(found.aspect, layers["aspect_deg"])
    rule = forest.params["hydrology"]
    flow = core.d8_by_drop(layers["height"], seed=42, min_drop=rule["min_drop_threshold"], tie_eps=rule["tie_eps"])
    assert np.array_equal(flow, layers["flow_direction"])
    wet = layers["lake_mask"] | layers["stream_mask"]
    assert np.array_equal(core.chebyshev(wet, rule["water_prox_max_dist"]), layers["water_distance"])
    city = weald.generate("city", seed=7, size=128)
    assert np.array_equal(core.slope_and_aspect(city.layers["height"], city.cell_m).slope, city.layers["slope"])
    assert core.NO_DIRECTION in forest.layer_info["flow_direction"].classes


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_any_number_of_threads_gives_the_same_arrays(threads, dem):
    def all_of() -> list[np.ndarray]:
        filled = core.fill(dem)
        flow = core.d8_over_filled(filled)
        eroded = core.droplet(dem[:100, :100], 80.0, count=3000).height
        return [filled, flow, core.accumulation(flow), core.fractal((50, 70)), eroded, core.octile(dem > 900)]

    expected = all_of()
    try:
        weald.set_threads(threads)
        assert all(np.array_equal(a, b) for a, b in zip(all_of(), expected))
    finally:
        weald.set_threads(None)


def test_any_numbers_and_strides_are_taken():
    height = GRIDS[1]
    expected = core.fill(height)
    for same in [
        height.astype(int),
        height.astype(np.float64),
        np.asfortranarray(height),
        height.astype(">f4"),
        height.tolist(),
        np.repeat(height, 2, 0)[::2],
    ]:
        assert np.array_equal(core.fill(same), expected)
    assert np.array_equal(core.fill(height, np.ones(height.shape)), height)
    assert core.fill(height).flags.writeable and height.flags.writeable
    masked = np.ma.masked_less(height, -1)
    assert np.array_equal(core.fill(masked), expected)


def test_arguments_are_not_changed():
    height = GRIDS[0].copy()
    core.thermal(height, 0.1, passes=3)
    core.droplet(height, 1.0, count=50)
    assert np.array_equal(height, GRIDS[0])


BAD = [
    (lambda: core.fill([1.0, 2.0]), "height has 1 dimensions: must have two, rows and columns"),
    (lambda: core.fill([["a"]]), "height has the type <U1: must be numbers"),
    (lambda: core.fill(np.empty((0, 4))), "height has no cells"),
    (lambda: core.fill([[1, np.nan], [2, 3]]), "height: x=1, y=0 is NaN: must be a finite number"),
    (lambda: core.fill([[1, 2], [np.inf, 3]]), "height: x=0, y=1 is inf: must be a finite number"),
    (lambda: core.fill([[1e300]]), "height: x=0, y=0 is inf"),
    (lambda: core.fill(np.ma.masked_equal([[1, 2]], 2)), "height has masked cells: fill them first"),
    (
        lambda: core.fill(np.ones((3, 4)), np.ones((4, 3))),
        r"outlet has the shape \(4, 3\): must have that of height, \(3, 4\)",
    ),
    (lambda: core.fill([[1]], [[np.nan]]), "outlet has cells that are NaN"),
    (lambda: core.accumulation([[0, 8]]), "flow: x=1, y=0 is 8: must be a direction from 0 to 7, or 255 for none"),
    (lambda: core.accumulation([[255, 0]]), "flow: x=1, y=0 is 0: leads off the map"),
    (lambda: core.accumulation([[0, 4]]), "flow: 2 cells drain into a cycle; flow must never return to a cell"),
    (lambda: core.accumulation([[-1, 4]]), "values that are no directions"),
    (lambda: core.basins([[0, 4]]), "drain into a cycle"),
    (lambda: core.stream_order([[255, 4]], [[2, 2]], 1), "accumulation: must be that of the flow"),
    (lambda: core.stream_order([[255, 4]], [[2, 1]], 0), "from_cells = 0: must be at least 1"),
    (lambda: core.stream_order([[255, 4]], [[2.0, 1.0]], 1), "accumulation has values that are no numbers of cells"),
    (lambda: core.d8_by_drop([[1]], tie_eps=-1), "tie_eps = -1: must be a number of at least 0"),
    (lambda: core.d8([[1]], "steep"), 'by = \'steep\': must be "slope", "drop" or "flood"'),
    (lambda: core.slope_and_aspect([[1]], 0), "cell_m = 0: must be a number above 0"),
    (lambda: core.slope_and_aspect([[1]], 1, "open"), 'border = "open": must be "one_sided" or "repeated"'),
    (lambda: core.hillshade([[1]], 1, z_factor=np.nan), "z_factor = NaN: must be a finite number"),
    (lambda: core.contours([[1]], -1), "interval = -1: must be a number above 0"),
    (lambda: core.chebyshev([[1]], 70000), "cap = 70000: must be between 0 and 65535"),
    (lambda: core.euclidean(np.zeros((1, 40000))), "a side must have at most 32767 cells"),
    (lambda: core.octile(np.zeros((1, 40000))), "a side must have at most 23000 cells"),
    (lambda: core.cost_distance([[-1.0]], [[1]]), "resistance: x=0, y=0 is -1: must be between"),
    (lambda: core.cost_distance([[np.nan]], [[1]]), "resistance: x=0, y=0 is NaN"),
    (lambda: core.least_cost([[1, 0]], (0, 0), (1, 0)), "cost: x=1, y=0 is 0: must be above 0, or infinite"),
    (lambda: core.least_cost([[1, 1]], (0, 0), (2, 0)), r"goal = \(2, 0\): must be a cell of the map of 2x1 cells"),
    (lambda: core.least_cost([[1, 1]], (-1, 0), (1, 0)), r"start = \(-1, 0\): must be a cell of the map"),
    (lambda: core.fractal((0, 3)), r"shape = \(0, 3\): must be rows and columns, each at least 1"),
    (lambda: core.fractal((10**6, 10**6)), "together fewer than 4,294,967,296 cells"),
    (lambda: core.fractal((2, 2), seed=-1), "seed = -1: must be a whole number between 0 and 18446744073709551615"),
    (lambda: core.fractal((2, 2), kind="perlin"), 'kind = "perlin": must be "fbm", "ridged" or "billow"'),
    (lambda: core.fractal((2, 2), octaves=0), "octaves = 0: must be between 1 and 64"),
    (lambda: core.fractal((2, 2), wavelength_m=np.inf), "wavelength_m = inf: must be a number above 0"),
    (lambda: core.perlin((2, 2), []), "octaves: there must be at least one"),
    (lambda: core.droplet([[9000.0]], 1), "height: x=0, y=0 is 9000 m: must be between -8000 and 8000"),
    (lambda: core.droplet([[1.0]], 1, inertia=2), "inertia = 2: must be between 0 and 1"),
    (lambda: core.droplet([[1.0]], 1, brush_cells=8), "brush_cells = 8: must be at most 7"),
    (lambda: core.droplet([[1.0]], 1, heading="north"), 'heading = north: must be "downhill" or "uphill"'),
    (lambda: core.droplet([[1.0]], 1, potential=[[1, 2]]), r"potential has the shape \(1, 2\)"),
    (lambda: core.thermal([[1.0]], 1, rate=0.6), "rate = 0.6: must be between 0 and 0.5"),
    (lambda: core.thermal([[1.0]], 1, talus=-1), "talus = -1: must be a number of at least 0"),
    (lambda: core.thermal([[20000.0]], 1), "must be between -11000 and 11000"),
    (lambda: core.evolve([[1.0]], 1, erodibility=-1), "erodibility: x=0, y=0 is -1: must be at least 0"),
    (
        lambda: core.evolve([[1.0]], 1, erodibility=1, depressions="fill"),
        'depressions = fill: must be "silt" or "lakes"',
    ),
    (lambda: core.evolve(np.ones((99, 99)), 1e9, erodibility=1, spacing_m=1), "nodes are too many; give a larger one"),
]


@pytest.mark.parametrize(("call", "words"), BAD, ids=[words[:40] for _, words in BAD])
def test_what_is_wrong_is_said(call, words):
    with pytest.raises(ValueError, match=words):
        call()
