"""What worlds there are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from . import _weald


@dataclass(frozen=True)
class LayerInfo:
    """What a layer is."""

    name: str
    dtype: str
    """Type of the cells, as NumPy writes it."""
    unit: str
    """Unit of the values, empty if they have none."""
    about: str
    """What it is, in one sentence."""
    kind: str
    """`measure`, `classes`, `flags` (sums of the values), or `steps` (two bits for each of the eight directions)."""
    classes: dict[int, str]
    """The names of the values, empty for a measure."""
    colours: dict[int, tuple[int, int, int]]
    """The colours of the values in pictures of the layer."""

    @classmethod
    def _of(cls, told: dict[str, Any]) -> LayerInfo:
        classes = told["classes"]
        return cls(
            name=told["name"],
            dtype=told["dtype"],
            unit=told["unit"],
            about=told["about"],
            kind=told["kind"],
            classes={c["value"]: c["name"] for c in classes},
            colours={c["value"]: tuple(c["colour"]) for c in classes},
        )


@dataclass(frozen=True)
class WorldInfo:
    """A kind of world that can be made."""

    name: str
    about: str
    """What it is, in one sentence."""
    recipes: tuple[str, ...]
    """Recipes that come with the package."""
    seed: int
    """The seed when none is given."""
    size: tuple[int, int]
    """Columns and rows when none are given."""
    unit: str
    """The unit of its coordinates."""
    maps: tuple[str, ...]
    """Maps of your own that `derive` takes; the first one decides the size."""
    views: tuple[str, ...]
    """The ways to draw it."""
    layers: dict[str, LayerInfo]
    """The layers that it makes, some of them only with certain parameters."""


def worlds() -> list[WorldInfo]:
    """Returns all worlds."""
    return [
        WorldInfo(
            name=told["name"],
            about=told["about"],
            recipes=tuple(told["recipes"]),
            seed=told["seed"],
            size=(told["size"][0], told["size"][1]),
            unit=told["unit"],
            maps=tuple(told["maps"]),
            views=tuple(told["views"]),
            layers={layer["name"]: LayerInfo._of(layer) for layer in told["layers"]},
        )
        for told in json.loads(_weald.worlds())
    ]


def schema(world: str, of: str = "params") -> dict[str, Any]:
    """Returns a JSON schema of a world: of its `params`, of its `recipe` files, or of the `output`, its own file."""
    told: dict[str, Any] = json.loads(_weald.schema(world, of))
    return told
