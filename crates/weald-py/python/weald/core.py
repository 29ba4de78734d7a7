"""Terrain algorithms on arrays of your own: those of the Rust crate `weald-core`, under the same names.

Arrays are rows from the north: `height[y, x]` is the cell in column x and row y. Heights and lengths are in metres.
Inputs may have any type of number and any strides; they are copied once, so that other threads may change them
meanwhile. Flow directions are bytes: 0 is east, then clockwise 1 south-east, 2 south, 3 south-west, 4 west, 5
north-west, 6 north, 7 north-east; 255 is none. An argument that is None has the default of the Rust function, which
the docstring tells.

>>> import numpy as np
>>> from weald import core
>>> hills = core.fractal((48, 64), seed=42, cell_m=30.0)
>>> flow = core.d8_over_filled(core.fill(hills))
>>> int(core.accumulation(flow)[flow == core.NO_DIRECTION].sum()) == hills.size
True
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _weald
from ._arguments import array2, as_json, floats, masked

__all__ = [
    "NO_DIRECTION",
    "Basins",
    "Contour",
    "Droplets",
    "Nearby",
    "Orders",
    "SlopeAspect",
    "accumulation",
    "basins",
    "chebyshev",
    "contours",
    "cost_distance",
    "d8",
    "d8_by_drop",
    "d8_by_flood",
    "d8_over_filled",
    "droplet",
    "euclidean",
    "evolve",
    "fill",
    "fractal",
    "hillshade",
    "least_cost",
    "octile",
    "perlin",
    "slope_and_aspect",
    "stream_order",
    "thermal",
]

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.uint32]

NO_DIRECTION: int = 255
"""The flow direction of a pit or an outlet."""


class Orders(NamedTuple):
    """Stream orders of channels, 0 elsewhere."""

    strahler: Bytes
    """Strahler number: 1 at a source, and one more where two of the highest order meet."""
    shreve: Counts
    """Shreve magnitude: the number of sources upstream."""


class Basins(NamedTuple):
    """Drainage basins, the largest first."""

    label: Counts
    """The number of the basin of each cell, from 1."""
    mouth: Counts
    """Column and row of the last cell that the water of each basin passes."""
    cells: Counts
    """Number of cells of each basin."""


class SlopeAspect(NamedTuple):
    """Slope and aspect."""

    slope: Floats
    """Rise over run: 1 is 45 degrees."""
    aspect: Floats
    """Downhill direction in degrees from east towards south, 0 on level ground."""


class Contour(NamedTuple):
    """A contour line."""

    level: float
    points: npt.NDArray[np.float64]
    """x and y in cells: the sample of the cell in column x and row y lies at (x + 0.5, y + 0.5)."""


class Nearby(NamedTuple):
    """The nearest source of each cell."""

    squared: Counts
    """Squared distance in cells, 2**32 - 1 if there is no source."""
    source: Counts
    """Index of the source, row by row, the lowest of equally near ones; 2**32 - 1 if there is none."""


class Droplets(NamedTuple):
    """Land that droplets have eroded."""

    height: Floats
    eroded: Floats
    """Metres that were taken from each cell."""
    deposited: Floats
    """Metres that were put on each cell."""
    eroded_m3: float
    deposited_m3: float
    exported_m3: float
    """Sediment that left over the edge of the map. eroded_m3 = deposited_m3 + exported_m3."""


def _whole(name: str, value: int) -> int:
    """Returns a seed; fails for what is none."""
    if not 0 <= value < 2**64:
        raise ValueError(f"{name} = {value}: must be a whole number between 0 and {2**64 - 1}")
    return value


def _shape(shape: tuple[int, int]) -> tuple[int, int]:
    rows, columns = shape
    if rows < 1 or columns < 1:
        raise ValueError(f"shape = ({rows}, {columns}): must be rows and columns, each at least 1")
    return rows, columns


def _flow(values: npt.ArrayLike) -> Bytes:
    """Returns directions as bytes; numbers that are none of them fail."""
    array = array2("flow", values)
    if array.dtype != np.uint8:
        if not np.array_equal(array, array.astype(np.uint8)):
            raise ValueError("flow has values that are no directions: must be 0 to 7, or 255 for none")
        array = array.astype(np.uint8)
    return np.ascontiguousarray(array)


def _optional_mask(name: str, values: npt.ArrayLike | None) -> Bytes | None:
    return None if values is None else masked(name, values)


def fractal(
    shape: tuple[int, int],
    *,
    seed: int = 0,
    stream: str | None = None,
    kind: Literal["fbm", "ridged", "billow"] = "fbm",
    wavelength_m: float | None = None,
    octaves: int | None = None,
    persistence: float | None = None,
    lacunarity: float | None = None,
    cell_m: float = 1.0,
    origin: tuple[float, float] = (0.0, 0.0),
) -> Floats:
    """Fractal gradient noise at the centres of cells: fbm from -1 to 1, ridged and billow from 0 to 1.

    `origin` is the north-west corner in metres, x east and y south: arrays of neighbouring frames continue each
    other. `stream` is the name of a random stream of the seed. Defaults: a wavelength of 4000 m, 6 octaves, a
    persistence of 0.5 and a lacunarity of 2.
    """
    rows_columns, place = _shape(shape), (float(origin[0]), float(origin[1]))
    return _weald.fractal(
        rows_columns, _whole("seed", seed), stream, kind, wavelength_m, octaves, persistence, lacunarity, cell_m, place
    )


def perlin(shape: tuple[int, int], octaves: Iterable[tuple[int, float, float]]) -> Floats:
    """A weighted mean of octaves of improved Perlin noise, mapped to [0, 1].

    An octave is a seed, a frequency in lattice cells per cell, and an amplitude.
    """
    terms = [(_whole("seed", seed), float(frequency), float(amplitude)) for seed, frequency, amplitude in octaves]
    return _weald.perlin(_shape(shape), terms)


def fill(height: npt.ArrayLike, outlet: npt.ArrayLike | None = None) -> Floats:
    """Fills depressions: the lowest surface, nowhere below `height`, from which every cell has a path to an outlet
    that never climbs.

    Outlets are the border cells, and those of the mask `outlet`.
    """
    return _weald.fill(floats("height", height), _optional_mask("outlet", outlet))


def d8_over_filled(filled: npt.ArrayLike, outlet: npt.ArrayLike | None = None) -> Bytes:
    """D8 flow directions over a filled surface: to the neighbour of steepest descent, and across flats by the
    fewest steps.
    """
    return _weald.d8_over_filled(floats("filled", filled), _optional_mask("outlet", outlet))


def d8_by_drop(
    height: npt.ArrayLike, *, seed: int = 0, min_drop: float | None = None, tie_eps: float | None = None
) -> Bytes:
    """D8 flow directions by the largest drop, without a correction for the longer diagonal; ties by a hash of seed
    and place.

    A neighbour must be lower by at least `min_drop` (default 0.0005), and drops within `tie_eps` (default 1e-6) of
    the largest are tied.
    """
    return _weald.d8_by_drop(floats("height", height), _whole("seed", seed), min_drop, tie_eps)


def d8_by_flood(height: npt.ArrayLike, inside: npt.ArrayLike | None = None) -> Bytes:
    """D8 flow directions that lead out of every depression, by one priority flood from the border.

    With the mask `inside`, water leaves where a cell inside has a neighbour outside.
    """
    return _weald.d8_by_flood(floats("height", height), _optional_mask("inside", inside))


def d8(height: npt.ArrayLike, by: Literal["slope", "drop", "flood"] = "slope", **more: object) -> Bytes:
    """D8 flow directions by `d8_over_filled` ("slope"), `d8_by_drop` or `d8_by_flood`, with the further arguments
    of that function.
    """
    rules = {"slope": d8_over_filled, "drop": d8_by_drop, "flood": d8_by_flood}
    if by not in rules:
        raise ValueError(f'by = {by!r}: must be "slope", "drop" or "flood"')
    found: Bytes = rules[by](height, **more)  # type: ignore[operator]
    return found


def accumulation(flow: npt.ArrayLike) -> Counts:
    """Flow accumulation: the number of cells that drain through each cell, itself included."""
    return _weald.accumulation(_flow(flow))


def stream_order(flow: npt.ArrayLike, accumulation: npt.ArrayLike, from_cells: int) -> Orders:
    """Stream orders after Strahler and Shreve of the channels: the cells whose accumulation is at least `from_cells`.

    A tributary of a single channel cell does not count as a river, as in the worlds.
    """
    counts = array2("accumulation", accumulation)
    if counts.dtype.kind not in "iu" or counts.min(initial=0) < 0 or counts.max(initial=0) >= 2**32:
        raise ValueError("accumulation has values that are no numbers of cells: must be that of the flow")
    if not 1 <= from_cells < 2**32:
        raise ValueError(f"from_cells = {from_cells}: must be at least 1, and fewer than 2**32")
    return Orders(*_weald.stream_order(_flow(flow), np.ascontiguousarray(counts, np.uint32), from_cells))


def basins(flow: npt.ArrayLike) -> Basins:
    """Drainage basins: the cells that drain through each mouth."""
    label, table = _weald.basins(_flow(flow))
    return Basins(label, table[:, :2], table[:, 2])


def slope_and_aspect(
    height: npt.ArrayLike, cell_m: float, border: Literal["one_sided", "repeated"] = "one_sided"
) -> SlopeAspect:
    """Slope and aspect by central differences; at the border by one-sided ones, or with the border cells repeated."""
    return SlopeAspect(*_weald.slope_and_aspect(floats("height", height), cell_m, border))


def hillshade(
    height: npt.ArrayLike,
    cell_m: float,
    *,
    z_factor: float = 1.0,
    azimuth_deg: float | None = None,
    altitude_deg: float | None = None,
    multidirectional: bool = False,
) -> Floats:
    """Hillshade from 0 to 1 by Horn's gradient, lit from the azimuth (default 315, north-west) and altitude
    (default 45 degrees).

    `multidirectional` uses four lights around that one, after Mark.
    """
    return _weald.hillshade(floats("height", height), cell_m, z_factor, azimuth_deg, altitude_deg, multidirectional)


def contours(
    height: npt.ArrayLike, interval: float | None = None, *, levels: Sequence[float] | None = None
) -> list[Contour]:
    """Contour lines at every multiple of `interval`, or at `levels`, with the higher ground on their right."""
    if (interval is None) == (levels is None):
        raise ValueError("contours need either an interval or levels")
    found = _weald.contours(floats("height", height), interval, None if levels is None else [float(v) for v in levels])
    return [Contour(level, points) for level, points in found]


def chebyshev(sources: npt.ArrayLike, cap: int = 65535) -> npt.NDArray[np.uint16]:
    """Chebyshev distance in cells to the nearest source, at most `cap`: the number of steps over eight neighbours."""
    if not 0 <= cap <= 65535:
        raise ValueError(f"cap = {cap}: must be between 0 and 65535")
    return _weald.chebyshev(masked("sources", sources), cap)


def octile(sources: npt.ArrayLike) -> Floats:
    """Octile distance in cells to the nearest source: straight steps count 1, diagonal ones the root of 2."""
    return _weald.octile(masked("sources", sources))


def euclidean(sources: npt.ArrayLike) -> Nearby:
    """Exact squared Euclidean distance in cells to the nearest source, and which source that is."""
    return Nearby(*_weald.euclidean(masked("sources", sources)))


def cost_distance(resistance: npt.ArrayLike, sources: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The cost of the least-cost path from the nearest source to each cell; infinite where there is none.

    `resistance` is the cost per cell of crossing a cell, at most 127, in steps of 1/512; 0 or infinite is a wall. A
    step costs the mean of its two cells, times the root of 2 on a diagonal.
    """
    given = np.ascontiguousarray(array2("resistance", resistance), dtype=np.float64)
    return _weald.cost_distance(given, masked("sources", sources))


def least_cost(
    cost: npt.ArrayLike,
    start: tuple[int, int],
    goal: tuple[int, int],
    *,
    diagonal: float | None = None,
    tie_eps: float | None = None,
) -> Counts | None:
    """The cells of the least-cost path between two cells, each given by column and row; None if there is no path.

    A step costs what it costs to enter its cell, times `diagonal` (default the root of 2) on a diagonal; infinite
    cells are closed. Paths whose costs differ by less than `tie_eps` a step (default 1e-6) count as equal.
    """
    ends = [(int(x), int(y)) for x, y in (start, goal)]
    for name, (x, y) in zip(("start", "goal"), ends):
        if x < 0 or y < 0:
            raise ValueError(f"{name} = ({x}, {y}): must be a cell of the map")
    return _weald.least_cost(floats("cost", cost), ends[0], ends[1], diagonal, tie_eps)


def droplet(
    height: npt.ArrayLike,
    cell_m: float,
    *,
    seed: int = 0,
    potential: npt.ArrayLike | float = 0.5,
    count: int | None = None,
    inertia: float | None = None,
    erosion_rate: float | None = None,
    deposition_rate: float | None = None,
    evaporation_rate: float | None = None,
    capacity: float | None = None,
    min_slope: float | None = None,
    brush_cells: int | None = None,
    max_steps: int | None = None,
    batch: int | None = None,
    heading: Literal["downhill", "uphill"] | None = None,
    emphasis: Literal["hills", "plains"] | None = None,
) -> Droplets:
    """Hydraulic erosion: droplets of rain run over the land, erode it and deposit their load.

    Heights are within 8000 m. `potential` is the share from 0 to 1 by which `emphasis` weighs erosion and
    deposition. Defaults: 100,000 droplets with an inertia of 0.1, erosion 0.5, deposition 0.3, evaporation 0.02, a
    capacity of 4, a least slope of 0.0005, a brush of 3 cells, 1000 steps, batches of 1024, downhill, hills.
    """
    ground = floats("height", height)
    weights = (
        np.full(ground.shape, potential, np.float32) if np.ndim(potential) == 0 else floats("potential", potential)
    )
    rule = {
        "count": count,
        "inertia": inertia,
        "erosion_rate": erosion_rate,
        "deposition_rate": deposition_rate,
        "evaporation_rate": evaporation_rate,
        "capacity": capacity,
        "min_slope": min_slope,
        "brush_cells": brush_cells,
        "max_steps": max_steps,
        "batch": batch,
        "heading": heading,
        "emphasis": emphasis,
    }
    grids, volumes = _weald.droplet(ground, cell_m, _whole("seed", seed), weights, as_json(rule))
    return Droplets(*grids, *volumes)


def thermal(
    height: npt.ArrayLike,
    cell_m: float,
    *,
    talus: npt.ArrayLike | float | None = None,
    rate: float | None = None,
    passes: int | None = None,
) -> Floats:
    """Thermal erosion: material above the talus slope slides to the lower neighbours.

    `talus` is the steepest slope that rests, rise over run, one number (default 0.7) or one for each cell.
    Defaults: a rate of 0.5, the highest, and 50 passes.
    """
    slope = float(talus) if talus is not None and np.ndim(talus) == 0 else None  # type: ignore[arg-type]
    cells = floats("talus", talus) if talus is not None and slope is None else None
    return _weald.thermal(floats("height", height), cell_m, slope, cells, rate, passes)


def evolve(
    uplift: npt.ArrayLike,
    cell_m: float,
    *,
    erodibility: npt.ArrayLike | float,
    height: npt.ArrayLike | None = None,
    outlet: npt.ArrayLike | None = None,
    seed: int = 0,
    steps: int | None = None,
    years: float | None = None,
    slope_limit: float | None = None,
    creep_m2_per_year: float | None = None,
    least_slope: float | None = None,
    alluvial_slope: float | None = None,
    depressions: Literal["silt", "lakes"] | None = None,
    spacing_m: float | None = None,
) -> Floats:
    """Landscape evolution: land that uplift raises and streams carve by the stream power law, and returns the heights.

    `uplift` is in metres a year and `erodibility` a year, one number or one for each cell. The land begins at
    `height` or level at 0; water leaves it over the border and the mask `outlet`, which keep their heights. The
    land is a mesh of nodes shifted by a hash of their place, `spacing_m` apart (default `cell_m`), so that rivers
    have no directions of a lattice. Defaults: 80 steps of 20,000 years, slopes of at most 0.7, creep of 0.0012 m² a
    year, a least slope of 4e-5, an alluvial slope of 0.008, and depressions that silt up.
    """
    rising = floats("uplift", uplift)
    rock = (
        np.full(rising.shape, erodibility, np.float32)
        if np.ndim(erodibility) == 0
        else floats("erodibility", erodibility)
    )
    rule = {
        "steps": steps,
        "years": years,
        "slope_limit": slope_limit,
        "creep_m2_per_year": creep_m2_per_year,
        "least_slope": least_slope,
        "alluvial_slope": alluvial_slope,
        "depressions": depressions,
        "spacing_m": spacing_m,
    }
    begin = None if height is None else floats("height", height)
    return _weald.evolve(
        rising, rock, begin, _optional_mask("outlet", outlet), cell_m, _whole("seed", seed), as_json(rule)
    )
