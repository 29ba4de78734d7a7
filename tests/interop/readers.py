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
    # The objects of which symbols are made have no symbol themselves.
    objects = [thing for thing in root.iter(space + "object") if thing.get("symbol") is not None]
    for thing in objects:
        assert thing.get("symbol") in known, thing.attrib
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


def gpkg(path):
    import sqlite3

    base = sqlite3.connect(path)
    assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert base.execute("PRAGMA application_id").fetchone() == (0x47504B47,)
    tables = [row[0] for row in base.execute("SELECT table_name FROM gpkg_contents")]
    rows = sum(base.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables)
    print(f"integrity ok, {len(tables)} tables, {rows} rows")


def geojson(path):
    data = json.load(open(path))
    assert data["type"] == "FeatureCollection" and data["terrain"]["y"] == "north"
    print(f"{len(data['features'])} features")


def geotiff(path, layer):
    import numpy as np
    import rasterio

    with rasterio.open(path) as file:
        assert (file.read(1) == np.load(layer)).all()
        print(f"values equal, overviews {file.overviews(1)}, crs {file.crs}")


def zarr(path, layers):
    import pathlib
    import numpy as np
    import xarray as xr

    data = xr.open_zarr(path, consolidated=False)
    files = sorted(pathlib.Path(layers).glob("*.npy"))
    for file in files:
        layer = data[file.stem]
        assert layer.dims == ("y", "x") and (layer.values == np.load(file)).all(), file
    print(f"{len(files)} layers equal")


def grey(path, height, south_first):
    """16-bit heights against the layer, at the corners, where every registration has a sample."""
    import numpy as np

    told = json.load(open(path.rsplit(".", 1)[0] + ".terrain.json"))
    values = np.fromfile(path, "<u2").reshape(told["height"], told["width"]).astype(float)
    if south_first:
        values = values[::-1]
    metres = values / 65535 * told["height_scale_m"] - told["sea_level_m"]
    return metres, np.load(height), told["height_scale_m"] / 65535


def r16(path, height):
    metres, wanted, quantum = grey(path, height, False)
    assert abs(metres - wanted).max() <= quantum / 2 + 1e-6
    print("heights come back within half a quantum")


def unity(path, height):
    metres, wanted, quantum = grey(path, height, True)
    corners = [(0, 0), (0, -1), (-1, 0), (-1, -1)]
    assert max(abs(metres[at] - wanted[at]) for at in corners) <= quantum / 2 + 1e-3
    print(f"{metres.shape[1]}x{metres.shape[0]}, south first")


def weights(names):
    import numpy as np
    from PIL import Image

    return [np.asarray(Image.open(name)).astype(int) for name in names]


def splat(folder):
    import glob

    planes = weights(sorted(glob.glob(folder + "/*_splat*.png")))
    assert (sum(p.sum(axis=2) for p in planes) == 255).all()
    print(f"{len(planes)} splat maps sum to 255")


def unreal(folder):
    import glob

    planes = weights(sorted(glob.glob(folder + "/*_weight_*.png")))
    assert (sum(planes) == 255).all()
    print(f"{len(planes)} weightmaps sum to 255")


def grey16(path):
    from PIL import Image

    image = Image.open(path)
    assert image.mode in ("I;16", "I;16B", "I"), image.mode
    print(f"{image.size[0]}x{image.size[1]}, 16-bit grey")


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
