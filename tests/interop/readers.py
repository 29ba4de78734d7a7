"""Reads exports with Python and says what is in them. Usage: readers.py WHAT FILE…"""

import json
import struct
import sys
import xml.etree.ElementTree as tree
import zlib
from collections import Counter


def stl(path):
    """Every edge of a solid belongs to two triangles that run along it in opposite directions."""
    data = open(path, "rb").read()
    (count,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * count, "the length does not fit the number of triangles"
    edges = Counter()
    for i in range(count):
        corners = [data[84 + 50 * i + 12 + 12 * k : 84 + 50 * i + 24 + 12 * k] for k in range(3)]
        for k in range(3):
            edges[(corners[k], corners[(k + 1) % 3])] += 1
    assert all(n == 1 and edges[(b, a)] == 1 for (a, b), n in edges.items()), "an edge is open"
    print(f"watertight, {count} triangles")


def xml(path):
    root = tree.parse(path).getroot()
    kinds = Counter(e.tag.split("}")[-1] for e in root.iter())
    print(f"{root.tag.split('}')[-1]} with {sum(kinds.values())} elements")


def omap(path):
    """Every object has a symbol that the file defines, and every symbol colours that it defines."""
    space = "{http://openorienteering.org/apps/mapper/xml/v2}"
    root = tree.parse(path).getroot()
    assert root.tag == space + "map" and root.get("version") == "9"
    colours = {c.get("priority") for c in root.iter(space + "color")}
    symbols = [s for s in root.iter(space + "symbol") if s.get("id") is not None and s.get("code") is not None]
    known = {s.get("id") for s in symbols}
    for element in root.iter():
        for name in ("color", "inner_color", "outer_color"):
            colour = element.get(name)
            assert colour in (None, "-1") or colour in colours, f"colour {colour} is not defined"
    objects = list(root.iter(space + "object"))
    for thing in objects:
        assert thing.get("symbol") in known or thing.get("symbol") in ("-1", "-2", "-3"), thing.attrib
        for part in (thing.find(space + "coords").text or "").split(";"):
            assert all(n.lstrip("-").isdigit() for n in part.split()), part
    print(f"{len(symbols)} symbols, {len(colours)} colours, {len(objects)} objects")


def pixels(path):
    """The bytes of the rows of a PNG, without their filters undone."""
    data = open(path, "rb").read()
    at, idat = 8, b""
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        if data[at + 4 : at + 8] == b"IDAT":
            idat += data[at + 8 : at + 8 + length]
        at += 12 + length
    return zlib.decompress(idat)


def ink(path):
    """A rendered page is not blank."""
    used = len(set(pixels(path)))
    assert used > 16, "the page is blank"
    print(f"ink: {used} different bytes")


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
