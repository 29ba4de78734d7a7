"""Runs the code of docs/python.md from top to bottom, and compares what it prints with what the page shows.

`python crates/weald-py/tests/test_page.py` writes what is shown anew.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import tempfile
from pathlib import Path

import pytest

import weald
from weald import core

PAGE = Path(__file__).resolve().parents[3] / "docs/python.md"
CELL = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<shown>.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def cells(text: str) -> list[tuple[re.Match[str], str]]:
    """The cells of the page, each with what its code prints."""
    names: dict[str, object] = {"__name__": "__main__"}
    out = []
    for cell in CELL.finditer(text):
        printed = io.StringIO()
        line = text.count("\n", 0, cell.start()) + 1
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * line + cell["code"], PAGE.name, "exec"), names)
        out.append((cell, printed.getvalue()))
    return out


def test_the_page_shows_what_its_code_prints(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = cells(PAGE.read_text())
    assert len(found) > 15
    for cell, printed in found:
        assert printed == (cell["shown"] or ""), cell["code"]


@pytest.mark.parametrize("module", [weald, core])
def test_the_examples_of_docstrings_work(module):
    found = doctest.testmod(module)
    assert found.attempted > 1 and found.failed == 0


def write() -> None:
    """Writes what the cells print into the page."""
    text = PAGE.read_text()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for cell, printed in reversed(cells(text)):
            shown = f"\n```text\n{printed}```\n" if printed else ""
            text = f"{text[: cell.start()]}```python\n{cell['code']}```\n{shown}{text[cell.end() :]}"
        os.chdir("/")
    PAGE.write_text(text)


if __name__ == "__main__":
    write()
