"""A world that was made, or read from its folder."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import _weald
from ._arguments import PathLike, Progress, as_json, listener
from ._files import check
from ._reports import Explanation, Report
from ._worlds import LayerInfo

if TYPE_CHECKING:
    import geopandas
    import xarray

T = TypeVar("T")


class _Named(Mapping[str, T]):
    """Things by name; each is made when it is first asked for, and kept."""

    def __init__(self, what: str, names: Iterable[str], make: Callable[[str], T]) -> None:
        self._what = what
        self._names = list(names)
        self._make = make
        self._kept: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._kept:
            if name not in self._names:
                has = ", ".join(self._names) or "none"
                raise KeyError(f"{name}: this world has no such {self._what}; it has {has}")
            self._kept[name] = self._make(name)
        return self._kept[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<{self._what}s: {', '.join(self._names)}>"


class World:
    """A world that was made by `generate` or `derive`, or read by `open`."""

    def __init__(self, native: _weald.Output) -> None:
        self._native = native
        told = json.loads(native.describe())
        self._told: dict[str, Any] = told
        self.world: str = told["world"]
        """The name of the world."""
        self.seed: int = told["seed"]
        """The seed."""
        self.size: tuple[int, int] = (told["size"][0], told["size"][1])
        """Columns and rows."""
        self.cell_m: float = told["cell_m"]
        """Side of a cell in the unit of the coordinates."""
        self.origin: tuple[float, float] = (told["origin"][0], told["origin"][1])
        """The north-west corner: x east, y south."""
        self.unit: str = told["unit"]
        """The unit of the coordinates of lines, points and polygons."""
        self.params: dict[str, Any] = told["params"]
        """All parameters, nested."""
        self.figures: dict[str, Any] = told["figures"]
        """Figures about the whole map."""
        self.notes: list[str] = told["notes"]
        """What a user of the map must know."""
        self.seconds: list[tuple[str, float]] = [(stage, took) for stage, took in told["seconds"]]
        """How long each stage took; empty for a folder that was read."""
        self.layer_info: dict[str, LayerInfo] = {layer["name"]: LayerInfo._of(layer) for layer in told["layers"]}
        """What each layer is: type, unit, sentence and classes."""
        self.layers: Mapping[str, npt.NDArray[Any]] = _Named("layer", self.layer_info, native.layer)
        """The layers: read-only arrays of rows from the north, over the memory of the engine and without a copy."""
        self.lines: Mapping[str, dict[str, Any]] = self._features("lines")
        """Lines as GeoJSON: x east, y south, in `unit`."""
        self.points: Mapping[str, dict[str, Any]] = self._features("points")
        """Points as GeoJSON."""
        self.polygons: Mapping[str, dict[str, Any]] = self._features("polygons")
        """Polygons as GeoJSON."""

    def _features(self, kind: str) -> Mapping[str, dict[str, Any]]:
        names = [told["name"] for told in self._told["sets"] if told["kind"] == kind]
        return _Named(f"set of {kind}", names, lambda name: json.loads(bytes(self._native.file(f"{name}.geojson"))))

    def __repr__(self) -> str:
        columns, rows = self.size
        return f"<weald.World {self.world} {columns}x{rows}, seed {self.seed}: {len(self.layers)} layers>"

    def _repr_png_(self) -> bytes:
        return bytes(self._native.png("{}", False))

    @property
    def recipe(self) -> str:
        """The recipe as TOML, which makes the same world again."""
        return bytes(self._native.file("recipe.toml")).decode()

    @property
    def hashes(self) -> dict[str, str]:
        """SHA-256 of everything that is the same on every machine: the world's own files, layers, lines, points and
        polygons.
        """
        return dict(self._native.hashes())

    def file(self, name: str) -> bytes:
        """Returns the bytes of a file of its folder, such as `tiles.json` or `layers/height.npy`."""
        return bytes(self._native.file(name))

    def picture(
        self,
        view: str | None = None,
        px: int | None = None,
        *,
        settings: Mapping[str, float] | None = None,
        bare: bool = False,
    ) -> npt.NDArray[np.uint8]:
        """Draws a view, `map.png` by default, as an array of rows, columns and red, green, blue, and opacity if it
        has any.

        `px` is the number of pixels along the longer side of the map, `settings` are those of the view, and `bare`
        leaves out the sheet around the map.
        """
        return self._native.picture(_look(view, px, settings), bare)

    def png(
        self,
        view: str | None = None,
        px: int | None = None,
        *,
        settings: Mapping[str, float] | None = None,
        bare: bool = False,
    ) -> bytes:
        """Returns the same picture as the bytes of a PNG file."""
        return bytes(self._native.png(_look(view, px, settings), bare))

    def save(
        self,
        folder: PathLike,
        *,
        force: bool = False,
        layers: str | Iterable[str] = "all",
        files: str | Iterable[str] | None = None,
        export: str | Iterable[str] = (),
        threads: int | None = None,
        progress: Progress = None,
    ) -> Path:
        """Writes the folder that `weald generate` writes, whole or not at all, and returns its path.

        `force` replaces a folder that is there. `layers` and `files` are `"all"`, `"none"` or names; `export` are
        formats of other programs to write as well, into folders of their names.
        """
        saving = {
            "path": os.fspath(folder),
            "force": force,
            "layers": _choice(layers),
            "files": None if files is None else _choice(files),
            "export": [export] if isinstance(export, str) else list(export),
        }
        with listener(progress) as heard:
            self._native.save(as_json(saving), threads, heard)
        return Path(folder)

    def export(
        self,
        target: str,
        path: PathLike,
        *,
        force: bool = False,
        threads: int | None = None,
        progress: Progress = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Writes the map in the format of another program: `weald export --list` lists the targets.

        A name with the ending of the target is one file, such as `island.tif`; any other name is a folder.
        `options` are `samples`, `scale`, `paper`, `contour_m`, `clip`, `height_scale_m`, `exaggeration` and
        `width_mm`. Returns the files, and the numbers to type into the program.
        """
        exporting = {"target": target, "path": os.fspath(path), "force": force, "options": options}
        with listener(progress) as heard:
            told: dict[str, Any] = json.loads(self._native.export(as_json(exporting), threads, heard))
        return told

    def check(self) -> Report:
        """Checks whether the world keeps its rules: writes it into a temporary folder, which the checker reads."""
        with tempfile.TemporaryDirectory(prefix="weald-") as folder:
            return check(self.save(Path(folder) / self.world))

    def explain(self, x: int, y: int) -> Explanation:
        """Says why the cell in column `x` and row `y` is what it is."""
        return self._explained([x, y], True)

    def explain_at(self, *place: float) -> Explanation:
        """Says the same of a place in the coordinates of the world: metres east and north in endless, latitude and
        longitude on a planet.
        """
        return self._explained(place, False)

    def _explained(self, place: Iterable[float], cell: bool) -> Explanation:
        text, table, data = self._native.explain([float(v) for v in place], cell)
        return Explanation(text, table, json.loads(data))

    def to_xarray(self) -> xarray.Dataset:
        """Returns all layers as a dataset with the coordinates of the centres of the cells, units, and the meanings
        of classes.

        The variables are the arrays of `layers`, without a copy. x grows eastwards; y is a northing and falls from
        row to row.
        """
        try:
            import xarray
        except ImportError:
            raise ImportError("to_xarray needs xarray: pip install weald[xarray]") from None
        x, y, told = self._native.labels()
        labels = json.loads(told)
        variables = {name: (("y", "x"), cells, labels["layers"][name]) for name, cells in self.layers.items()}
        coordinates = {"x": ("x", x, labels["x"]), "y": ("y", y, labels["y"])}
        return xarray.Dataset(variables, coordinates, labels["map"])

    def to_geopandas(self, name: str) -> geopandas.GeoDataFrame:
        """Returns a set of lines, points or polygons as a GeoDataFrame in the plane of the map: x east, y south, in
        `unit`.
        """
        try:
            import geopandas
        except ImportError:
            raise ImportError("to_geopandas needs geopandas: pip install weald[geo]") from None
        sets = {**self.lines, **self.points, **self.polygons}
        if name not in sets:
            raise KeyError(f"{name}: this world has no such set of features; it has {', '.join(sets) or 'none'}")
        features = sets[name]["features"]
        frame = geopandas.GeoDataFrame.from_features(features, columns=None if features else ["geometry"])
        frame.index = [feature["id"] for feature in features]
        return frame


def _look(view: str | None, px: int | None, settings: Mapping[str, float] | None) -> str:
    """Returns what a picture shows as JSON."""
    return as_json({"view": view, "px": px, "settings": {name: float(v) for name, v in (settings or {}).items()}})


def _choice(names: str | Iterable[str]) -> str:
    """Returns names with commas between, or the word for all or none of them."""
    return names if isinstance(names, str) else ",".join(names)
