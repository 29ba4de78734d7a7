"""Writes heights with other programs, lets Weald read them, and compares what it read. Usage: writers.py WHAT WEALD FOLDER,
where WHAT is a function of this file that writes with one program, WEALD the program that reads, and FOLDER one for the files."""

import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np

# Cells without data become this height, or this grey from black to white, which no map here has.
EMPTY, EMPTY_GREY = -777.0, 0.5
# Columns and rows: no multiples of a tile.
WIDTH, HEIGHT = 50, 35

RANDOM = np.random.default_rng(7)
# Smooth ground with noise, from 0 to 1, so that every packing has something to do; and a corner of one value, for runs.
GROUND = (np.add.outer(np.sin(np.arange(HEIGHT) / 5), np.cos(np.arange(WIDTH) / 7)) + 2) / 5 + RANDOM.random((HEIGHT, WIDTH)) / 5
GROUND[:9, :30] = 0
GROUND[-1, -1] = 1


def whole(low, high, dtype):
    """The ground as whole numbers from low to high, both of which occur."""
    return np.rint(low + GROUND * (high - low)).astype(dtype)


def heights(dtype):
    """The ground in metres that an island can have, as numbers of that type."""
    kind = np.dtype(dtype)
    if kind.kind == "f":
        return (GROUND * 3000 - 500).astype(kind)
    least, most = np.iinfo(kind).min, np.iinfo(kind).max
    return whole(max(least, -12000), min(most, 9000), kind)


class Case:
    """A file, what Weald must read from it, and the largest grey value if it holds greys."""

    def __init__(self, path, wanted, grey=None):
        self.path, self.wanted, self.grey = pathlib.Path(path), wanted, grey

    def fault(self, weald):
        """What is wrong with what Weald reads, or nothing."""
        with tempfile.TemporaryDirectory() as home:
            out = pathlib.Path(home) / "out"
            args = [weald, "derive", "island", "--map", f"height={self.path}", "--layers", "none", "--files", "none"]
            fill = EMPTY_GREY if self.grey else EMPTY
            args += ["--threads", "1", "--quiet", "--fill-nodata", str(fill), "-o", f"{out}/"]
            done = subprocess.run(args, capture_output=True, text=True)
            if done.returncode != 0:
                return done.stderr.strip()
            (read,) = (out / "maps").glob("*.npy")
            got = np.load(read)
        wanted = np.asarray(self.wanted)
        if got.shape != wanted.shape:
            return f"{got.shape} instead of {wanted.shape}"
        if self.grey:
            # The nearest grey of the file, and no less exact than a thousandth of a step.
            bad = ~(np.abs(got.astype(float) * self.grey - wanted) < 1e-3 * max(1, self.grey / 8192))
        else:
            bad = got != wanted.astype(np.float32)
        if bad.any():
            y, x = np.argwhere(bad)[0]
            return f"{bad.sum()} of {bad.size} cells are wrong, the first at x={x}, y={y}: {got[y, x]} instead of {wanted[y, x]}"
        return None


def gdal(folder):
    """GeoTIFF of every type, compression, predictor, layout and order of bytes, and what elevation models have besides."""
    import rasterio
    from rasterio.transform import from_origin

    def write(name, array, **options):
        path = folder / f"{name}.tif"
        shape = {"width": WIDTH, "height": HEIGHT, "count": 1, "dtype": array.dtype.name}
        place = {"crs": "EPSG:32632", "transform": from_origin(5e5, 5e6, 10, 10)}
        with rasterio.open(path, "w", driver="GTiff", **shape, **place, **options) as file:
            file.write(array, 1)
        return path

    types = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float32", "float64"]
    predictors = {"LZW": [1, 2, 3], "DEFLATE": [1, 2, 3], "ZSTD": [1, 2, 3], "NONE": [1], "PACKBITS": [1]}
    layouts = {"strips": {"blockysize": 8}, "tiles": {"tiled": True, "blockxsize": 16, "blockysize": 32}}
    orders = itertools.product(types, predictors, layouts, ["LITTLE", "BIG"], ["NO", "YES"])
    for dtype, packed, layout, order, big in orders:
        # BigTIFF changes the directory alone, whatever the numbers are.
        if big == "YES" and not (packed == "DEFLATE" and dtype in ("uint8", "int16", "float64")):
            continue
        for predictor in predictors[packed]:
            if predictor == 3 and not dtype.startswith("float"):
                continue
            array = heights(dtype)
            options = {"compress": packed, "ENDIANNESS": order, "BIGTIFF": big, **layouts[layout]}
            if predictor > 1:
                options["predictor"] = predictor
            yield Case(write(f"{dtype}-{packed}-{predictor}-{layout}-{order}-{big}", array, **options), array)

    for dtype, nodata in [("int16", -9999), ("uint8", 255), ("float32", -3.4028234663852886e38), ("float64", float("nan"))]:
        array = heights(dtype)
        array[3:5, 4:9] = nodata
        wanted = np.where((array == nodata) | np.isnan(array.astype(float)), EMPTY, array.astype(np.float32))
        yield Case(write(f"nodata-{dtype}", array, nodata=nodata), wanted)
    # Blocks of nothing but zeros are left out.
    array = heights("int16")
    array[:16, :32] = 0
    yield Case(write("sparse", array, SPARSE_OK="TRUE", tiled=True, blockxsize=16, blockysize=16), array)
    for bits in (1, 2, 4):
        array = whole(0, 2**bits - 1, "uint8")
        yield Case(write(f"bits-{bits}", array, NBITS=bits), array)
    half = heights("float16").astype("float32")
    yield Case(write("float16", half, NBITS=16), half)
    whole_file = write("source", heights("float32"))
    cloud = folder / "cog.tif"
    from rasterio.shutil import copy

    copy(whole_file, cloud, driver="COG", COMPRESS="LZW", PREDICTOR="YES", BLOCKSIZE="128")
    yield Case(cloud, heights("float32"))
    for dtype in ("int16", "float32"):
        path = folder / f"{dtype}.asc"
        options = {"DECIMAL_PRECISION": 9} if dtype == "float32" else {}
        copy(write(f"for-asc-{dtype}", heights(dtype)), path, driver="AAIGrid", **options)
        wanted = np.loadtxt(path, skiprows=5)
        assert np.abs(wanted - heights(dtype)).max() < 1e-4
        yield Case(path, wanted)


def pillow(folder):
    """PNG and TIFF of Pillow's modes."""
    from PIL import Image

    grey = whole(0, 255, "uint8")
    deep = whole(0, 65535, "uint16")
    mask = whole(0, 1, "uint8")
    solid, opacity = np.full_like(grey, 255), np.where(grey > 200, 0, 255).astype("uint8")
    seen = np.where(opacity == 0, EMPTY_GREY * 255, grey.astype(float))
    palette = Image.fromarray(grey).convert("P")
    shuffled = palette.copy()
    shuffled.putdata([255 - v for v in grey.ravel().tolist()])
    shuffled.putpalette([255 - i // 3 for i in range(768)])
    pictures = {
        "1": (Image.fromarray(mask * 255).convert("1"), mask, 1),
        "L": (Image.fromarray(grey), grey, 255),
        "LA": (Image.merge("LA", [Image.fromarray(grey), Image.fromarray(solid)]), grey, 255),
        "LA-empty": (Image.merge("LA", [Image.fromarray(grey), Image.fromarray(opacity)]), seen, 255),
        "P": (palette, grey, 255),
        "P-shuffled": (shuffled, grey, 255),
        "RGB": (Image.merge("RGB", [Image.fromarray(grey)] * 3), grey, 255),
        "RGBA": (Image.merge("RGBA", [Image.fromarray(grey)] * 3 + [Image.fromarray(solid)]), grey, 255),
        "I16": (Image.fromarray(deep), deep, 65535),
    }
    for name, (picture, wanted, most) in pictures.items():
        path = folder / f"{name}.png"
        picture.save(path)
        yield Case(path, wanted, most)
        for packed in ("raw", "tiff_lzw", "tiff_adobe_deflate", "packbits"):
            path = folder / f"{name}-{packed}.tif"
            picture.save(path, compression=packed)
            yield Case(path, wanted, most)
    for name, array in (("F", heights("float32")), ("I", heights("int32"))):
        path = folder / f"{name}.tif"
        Image.fromarray(array).save(path, compression="tiff_lzw")
        yield Case(path, array)


def opencv(folder):
    """PNG of 8 and 16 bits, TIFF of 8 and 16 bits and of floats."""
    import cv2

    for dtype, most in (("uint8", 255), ("uint16", 65535)):
        array = whole(0, most, dtype)
        for name, picture in (("grey", array), ("colours", np.dstack([array] * 3))):
            for ending in ("png", "tif"):
                path = folder / f"{name}-{dtype}.{ending}"
                assert cv2.imwrite(str(path), picture)
                yield Case(path, array, most)
    for dtype in ("float32", "float64"):
        path = folder / f"{dtype}.tif"
        assert cv2.imwrite(str(path), heights(dtype))
        yield Case(path, heights(dtype))


def imagemagick(folder):
    """PNG of 1 to 16 bits, interlaced too, TIFF of every depth, and raw numbers."""
    convert = next(name for name in ("convert-im6.q16", "magick", "convert") if shutil.which(name))

    def run(source, *args):
        subprocess.run([convert, str(source), *map(str, args)], check=True, capture_output=True)

    for bits in (1, 2, 4, 8, 16):
        most = 2**bits - 1
        array = whole(0, most, "uint16")
        source = folder / f"{bits}.pgm"
        form = ">u2" if bits == 16 else "u1"
        source.write_bytes(f"P5 {WIDTH} {HEIGHT} {most}\n".encode() + array.astype(form).tobytes())
        for interlace in ("None", "PNG"):
            path = folder / f"{bits}-{interlace}.png"
            run(source, "-depth", bits, "-interlace", interlace, "-define", "png:color-type=0", "-define", f"png:bit-depth={bits}", path)
            yield Case(path, array, most)
        for packed, order in itertools.product(("None", "LZW", "Zip", "RLE", "ZSTD"), ("LSB", "MSB")):
            path = folder / f"{bits}-{packed}-{order}.tif"
            run(source, "-depth", bits, "-compress", packed, "-endian", order, path)
            yield Case(path, array, most)
    path = folder / "16.r16"
    run(folder / "16.pgm", "-depth", 16, "-endian", "LSB", "-crop", "35x35+0+0", f"gray:{path}")
    yield Case(path, array[:35, :35], 65535)


def numpy(folder):
    """Arrays of every type, order of bytes and order of cells."""
    types = ["?", "i1", "u1"] + [order + kind for order in "<>" for kind in ("i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8")]
    for dtype, order in itertools.product(types, "CF"):
        array = GROUND > 0.5 if dtype == "?" else heights(dtype)
        path = folder / f"{np.dtype(dtype).name}-{dtype[0] in '<' and 'little' or 'big'}-{order}.npy"
        np.save(path, np.asarray(array, dtype=dtype, order=order))
        yield Case(path, array.astype(float))


def openexr(folder):
    """Halves, floats and whole numbers in every compression that loses nothing, in scan lines and tiles."""
    import OpenEXR

    packings = {"none": OpenEXR.NO_COMPRESSION, "rle": OpenEXR.RLE_COMPRESSION, "zips": OpenEXR.ZIPS_COMPRESSION}
    packings |= {"zip": OpenEXR.ZIP_COMPRESSION, "piz": OpenEXR.PIZ_COMPRESSION}
    for (name, packing), dtype in itertools.product(packings.items(), ("float16", "float32", "uint32")):
        array = heights(dtype)
        for channels in ("R", "Y", "Z", "RGB"):
            path = folder / f"{name}-{dtype}-{channels}.exr"
            header = {"compression": packing, "type": OpenEXR.scanlineimage}
            OpenEXR.File(header, {channel: array.copy() for channel in channels}).write(str(path))
            yield Case(path, array)


def main():
    what, weald, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]) / sys.argv[1]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    warnings.simplefilter("ignore")
    cases = list(globals()[what](folder))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [(case.path.name, fault) for case, fault in zip(cases, pool.map(lambda c: c.fault(weald), cases)) if fault]
    for name, fault in faults:
        print(f"{name}: {fault}")
    if faults:
        sys.exit(f"{len(faults)} of {len(cases)} files are read wrongly")
    print(f"{len(cases)} files, read as they are")


if __name__ == "__main__":
    main()
