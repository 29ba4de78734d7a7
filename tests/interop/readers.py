"""Reads exports with Python and says what is in them. Usage: readers.py WHAT FILE…"""

import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
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


def omap(path, metres):
    """Every object has a symbol that the file defines, and every symbol colours that it defines; the map is as wide as its scale says."""
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
    across = []
    for thing in objects:
        assert thing.get("symbol") in known, thing.attrib
        for part in filter(None, (thing.find(space + "coords").text or "").split(";")):
            assert all(n.lstrip("-").isdigit() for n in part.split()), part
            across.append(int(part.split()[0]))
    # Coordinates are thousandths of a millimetre on paper.
    scale = int(root.find(space + "georeferencing").get("scale"))
    width = (max(across) - min(across)) * scale / 1e6
    assert abs(width - float(metres)) < 2, f"the map is {width} m wide instead of {metres} m"
    print(f"{len(symbols)} symbols, {len(colours)} colours, {len(objects)} objects, {width:.0f} m wide at 1:{scale}")


def mapper(path):
    """OpenOrienteering Mapper draws the map: its screen gets the colours of water, contours and thickets, within a minute."""
    shoot = next(name for name in ("import-im6.q16", "import") if shutil.which(name))
    with tempfile.TemporaryDirectory() as home:
        editor = subprocess.Popen(["Mapper", path], env={**os.environ, "HOME": home}, stderr=subprocess.DEVNULL)
        try:
            for _ in range(30):
                time.sleep(2)
                assert editor.poll() is None, f"Mapper ended with {editor.returncode}"
                screen = subprocess.run([shoot, "-window", "root", "-depth", "8", "rgb:-"], check=True, capture_output=True).stdout
                seen = Counter(zip(screen[0::3], screen[1::3], screen[2::3]))
                # Pure colours of the map; those of the program are pale.
                every = sum(seen.values())
                share = lambda fits: sum(n for colour, n in seen.items() if fits(*colour)) / every
                water = share(lambda r, g, b: b > 200 and r < 120 and g > 150)
                brown = share(lambda r, g, b: r > 180 and 60 < g < 130 and b < 60)
                green = share(lambda r, g, b: g > 200 and r < 180 and b < 160)
                if min(water, brown, green) > 1e-3:
                    print(f"drawn: water {water:.1%}, brown {brown:.1%}, green {green:.1%} of the screen")
                    return
        finally:
            editor.kill()
    sys.exit("Mapper does not draw the map")


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


def scale(page, pixels):
    """The frame of a map on a page in grey (PGM) is as many pixels wide and high as its scale says."""
    import numpy as np
    from PIL import Image

    dark = np.asarray(Image.open(page)) < 140
    for axis, name in ((1, "high"), (0, "wide")):
        lines = np.flatnonzero(dark.sum(axis) > 0.9 * float(pixels))
        # A line of the frame may be several pixels thick.
        ends = [run.mean() for run in np.split(lines, np.flatnonzero(np.diff(lines) > 1) + 1)]
        size = ends[-1] - ends[0] if len(ends) > 1 else 0
        assert abs(size - float(pixels)) <= 1, f"the frame is {size} pixels {name}, not {pixels}"
    print(f"the frame is {pixels} pixels wide and high")


def symbols(path):
    """Inkscape draws the symbols of points: without them, the page looks otherwise."""
    import numpy as np
    from PIL import Image

    text = open(path).read()
    uses = text.count("<use ")
    start = text.index("</defs>")
    first, *rest = text[start:].split("<use ")
    bare = text[:start] + first + "".join(part[part.index(">") + 1 :] for part in rest)
    pages = []
    for name, drawn in (("full", text), ("bare", bare)):
        open(f"{name}.svg", "w").write(drawn)
        subprocess.run(["inkscape", "--export-type=png", "--export-dpi=150", f"{name}.svg"], check=True, capture_output=True)
        pages.append(np.asarray(Image.open(f"{name}.png").convert("L")).astype(int))
    changed = (abs(pages[0] - pages[1]) > 40).sum()
    assert changed > 4 * uses, f"{uses} symbols change {changed} pixels"
    print(f"{uses} symbols drawn, {pages[0].shape[1]}x{pages[0].shape[0]} pixels")


def tmx(path, exported):
    """The layers of a map that Tiled has converted hold the same tiles."""
    map = json.load(open(path))
    root = tree.parse(exported).getroot()
    layers = {layer.get("name"): layer.find("data") for layer in root.iter("layer")}
    wanted = [layer for layer in map["layers"] if layer["type"] == "tilelayer"]
    for layer in wanted:
        data = layers[layer["name"]]
        assert data.get("encoding") == "csv" and [int(n) for n in data.text.split(",")] == layer["data"], layer["name"]
    objects = sum(len(layer["objects"]) for layer in map["layers"] if layer["type"] == "objectgroup")
    assert objects == len(list(root.iter("object")))
    assert root.find("tileset").find("image").get("source") == map["tilesets"][0]["image"]
    print(f"{len(wanted)} layers and {objects} objects equal")


def luanti(folder, heights, probe, columns):
    """A server with the mod and a world of its own makes the columns around the middle of the map, with the heights in metres of an array or
    of a GeoTIFF."""
    import numpy as np

    if heights.endswith(".npy"):
        height = np.load(heights)
    else:
        import rasterio

        with rasterio.open(heights) as file:
            height = file.read(1)
    told = json.load(open(next(pathlib.Path(folder).glob("*.terrain.json"))))
    mod = next(path for path in pathlib.Path(folder).iterdir() if path.is_dir())
    (rows, wide), west, south = height.shape, told["west"], told["south"]
    assert (told["width"], told["height"]) == (wide, rows), "a block is not a cell"
    # The highest node of ground of every column, rows from the south.
    wanted = np.floor((height / told["block_m"]).astype(np.float32)).astype(int)[::-1] + told["sea_y"]
    # A frame of two columns around the map stays empty.
    half = int(columns) // 2
    x0, x1 = max(-half, west - 2), min(half, west + wide + 2) - 1
    z0, z1 = max(-half, south - 2), min(half, south + rows + 2) - 1
    with tempfile.TemporaryDirectory() as home:
        world = pathlib.Path(home) / "world"
        for part in (mod, pathlib.Path(probe)):
            shutil.copytree(part, world / "worldmods" / part.name)
        mods = "".join(f"load_mod_{name} = true\n" for name in (mod.name, "weald_probe"))
        stores = "".join(f"{store} = sqlite3\n" for store in ("backend", "player_backend", "auth_backend", "mod_storage_backend"))
        (world / "world.mt").write_text(f"gameid = minetest\n{stores}{mods}")
        low, high = wanted.min() - 1, max(wanted.max(), told["sea_y"]) + 2
        (world / "conf").write_text(f"weald_probe = {x0} {x1} {low} {high} {z0} {z1}\n")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("", 0))
            port = free.getsockname()[1]
        places = f"{os.environ['PATH']}:/usr/games"
        server = next(filter(None, (shutil.which(name, path=places) for name in ("minetestserver", "luantiserver"))))
        args = [server, "--world", world, "--gameid", "minetest", "--config", world / "conf", "--logfile", world / "log"]
        args = [*map(str, args), "--port", str(port)]
        done = subprocess.run(args, env={**os.environ, "HOME": home}, capture_output=True, text=True, timeout=200)
        printed = done.stdout + done.stderr
        errors = [line for line in printed.splitlines() if "ERROR" in line]
        assert not errors and (world / "columns.txt").exists(), printed
        lines = [line.split() for line in (world / "columns.txt").read_text().splitlines()]
    grounds, waters = Counter(), Counter()
    for x, z, top, ground, water, level in lines:
        column, row = int(x) - west, int(z) - south
        if not (0 <= column < wide and 0 <= row < rows):
            assert top == "none", f"{ground} at x={x}, z={z}, outside the map"
            continue
        # Water above the sea stands in the highest node.
        wet = water.endswith("source")
        lake = wet and (int(level) > told["sea_y"] or wanted[row, column] == told["sea_y"])
        expected = wanted[row, column] - lake
        assert int(top) == expected, f"x={x}, z={z}: {ground} at {top} instead of {expected}, {water} at {level}"
        if expected < told["sea_y"] and not lake:
            assert wet and int(level) == told["sea_y"], f"no sea at x={x}, z={z}"
        grounds[ground.split(":")[-1]] += 1
        waters[water.split(":")[-1]] += 1
    del waters["none"]
    kinds = ", ".join(f"{name} {count}" for name, count in (grounds + waters).most_common())
    print(f"{sum(grounds.values())} columns of the right height, north is +z: {kinds}")


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


def reduced(cells, how):
    """The level above: two by two cells become one, fewer at odd edges."""
    import numpy as np

    rows, columns = (n // 2 for n in (cells.shape[0] + 1, cells.shape[1] + 1))
    # Cells that are not there are masked.
    padded = np.ma.masked_all((2 * rows, 2 * columns), cells.dtype)
    padded[: cells.shape[0], : cells.shape[1]] = cells
    four = [padded[y::2, x::2] for y in (0, 1) for x in (0, 1)]
    if how == "first":
        return four[0].data
    if how == "mean":
        return np.ma.stack(four).astype("f8").sum(axis=0).data / np.ma.stack(four).count(axis=0)
    if how == "maximum":
        return np.ma.stack(four).max(axis=0).data
    if how == "union":
        return np.bitwise_or.reduce([part.filled(0) for part in four])
    raise AssertionError(how)


def store(path, layers):
    """A store of tiles and each of its overviews, against the same layers as single files."""
    import pathlib
    import warnings
    import numpy as np
    import xarray as xr
    import zarr as zarr_python

    # A private folder in the store disturbs nobody if it is a group.
    private = pathlib.Path(path) / ".weald"
    private.mkdir(exist_ok=True)
    (private / "zarr.json").write_text('{"zarr_format": 3, "node_type": "group"}')
    levels = zarr_python.open_group(path, mode="r").attrs["multiscales"]["layout"]
    files = sorted(pathlib.Path(layers).glob("*.npy"))
    below = {file.stem: np.load(file) for file in files}
    for level, entry in enumerate(levels):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            data = xr.open_zarr(path, group=entry["asset"].strip("."), consolidated=False)
        step = data.attrs["spatial:transform"][0]
        assert (np.diff(data.x) == step).all() and (np.diff(data.y) == -step).all()
        assert data.x[0] == data.attrs["spatial:transform"][2] + step / 2
        for name, cells in below.items():
            layer = data[name]
            if level > 0:
                cells = reduced(cells, layer.attrs["weald"]["reduction"]).astype(layer.dtype)
            assert layer.dims == ("y", "x") and layer.dtype == cells.dtype and layer.shape == cells.shape, name
            assert (layer.values == cells).all(), (name, level)
            below[name] = layer.values
    print(f"{len(files)} layers equal on {len(levels)} levels")


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
