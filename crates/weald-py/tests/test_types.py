"""The stubs, the types, and the page about the package."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys

import pytest
import weald
from conftest import ROOT
from weald import _weald, core

PACKAGE = ROOT / "crates/weald-py/python/weald"
PAGE = (ROOT / "docs/python.md").read_text()


def parameters(function: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in function.args.args]


def stubs() -> dict[str, list[str]]:
    """Names of the native half with their parameters, from the stubs; methods as CLASS.METHOD."""
    out: dict[str, list[str]] = {}
    for node in ast.parse((PACKAGE / "_weald.pyi").read_text()).body:
        if isinstance(node, ast.FunctionDef):
            out[node.name] = parameters(node)
        if isinstance(node, ast.ClassDef):
            out[node.name] = []
            out |= {f"{node.name}.{f.name}": parameters(f) for f in node.body if isinstance(f, ast.FunctionDef)}
    return out


def real() -> dict[str, list[str]]:
    """The same, from the module itself."""
    out: dict[str, list[str]] = {}
    for name, value in vars(_weald).items():
        if name.startswith("_"):
            continue
        if inspect.isclass(value):
            out[name] = []
            methods = {n: m for n, m in vars(value).items() if not n.startswith("_")}
            out |= {f"{name}.{n}": list(inspect.signature(m).parameters) for n, m in methods.items()}
        else:
            out[name] = list(inspect.signature(value).parameters)
    return out


def test_the_stubs_name_everything_that_the_module_has_and_nothing_else():
    assert len(real()) > 30 and stubs() == real()


def test_the_package_is_typed():
    assert (PACKAGE / "py.typed").is_file()
    settings = ROOT / "crates/weald-py/pyproject.toml"
    command = [sys.executable, "-m", "mypy", "--config-file", settings, "-p", "weald"]
    out = subprocess.run(command, capture_output=True, text=True, check=False, cwd=PACKAGE.parent)
    assert out.returncode == 0, out.stdout


def public() -> dict[str, object]:
    names = {f"weald.{name}": getattr(weald, name) for name in weald.__all__}
    return names | {f"core.{name}": getattr(core, name) for name in core.__all__}


@pytest.mark.parametrize("name", public())
def test_every_public_name_has_a_docstring_and_stands_on_the_page(name):
    value = public()[name]
    if callable(value):
        assert inspect.getdoc(value), name
    assert f"`{name}`" in PAGE or f"`{name}(" in PAGE or f"`{name.removeprefix('core.')}`" in PAGE, name


def test_every_public_argument_is_annotated():
    for name, value in public().items():
        if inspect.isfunction(value):
            for parameter in inspect.signature(value).parameters.values():
                assert parameter.annotation is not parameter.empty, f"{name}: {parameter}"
