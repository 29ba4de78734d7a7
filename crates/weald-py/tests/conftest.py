"""What the tests share."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest
import weald

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def dem() -> np.ndarray:
    """The Appalachian Mountains around Jacksboro: whole metres on cells of 80 m, with many ties and flats."""
    return np.load(ROOT / "crates/weald/tests/data/realism/jacksboro.npy")


@pytest.fixture(scope="session")
def island() -> weald.World:
    return weald.generate("island", seed=7, size=96)


@pytest.fixture(scope="session")
def program() -> str:
    """The command line, which `cargo xtask` builds."""
    name = os.environ.get("WEALD_PROGRAM") or shutil.which("weald")
    if name is None:
        pytest.skip("the program is not there; `cargo xtask python` builds it")
    return name
