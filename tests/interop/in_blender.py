"""Compares what Blender reads with the heights that it was made of. Usage: blender -b --factory-startup --python-exit-code 1
--python in_blender.py -- mesh MESH.glb HEIGHTS.npy CELL_M, or displaced HEIGHTS.exr HEIGHTS.npy CELL_M"""

import sys

import bpy
import numpy as np

# The importer of Blender 3.4 uses a name that newer NumPy has removed.
np.bool = bool


def ends(name):
    """All vertices of a level of detail, in metres, and their places on the texture."""
    points, places = [], []
    for thing in bpy.data.objects:
        if thing.type != "MESH" or not (thing.parent and thing.parent.name == name):
            continue
        mesh = thing.data
        local = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.vertices.foreach_get("co", local)
        turn = np.array(thing.matrix_world)
        points.append(local.reshape(-1, 3) @ turn[:3, :3].T + turn[:3, 3])
        corner = np.empty(len(mesh.loops), np.int32)
        mesh.loops.foreach_get("vertex_index", corner)
        flat = np.empty(2 * len(mesh.loops), np.float32)
        mesh.uv_layers[0].data.foreach_get("uv", flat)
        place = np.empty((len(mesh.vertices), 2))
        place[corner] = flat.reshape(-1, 2)
        places.append(place)
    return np.concatenate(points), np.concatenate(places)


def mesh(path, height, cell):
    """One unit is a metre, x is east, y north and z up; every vertex has the height of its cell, and its place on the texture."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path)
    rows, columns = height.shape
    points, places = ends("lod0")
    east = points[:, 0] / cell + (columns - 1) / 2
    south = (rows - 1) / 2 - points[:, 1] / cell
    x, y = np.rint(east).astype(int), np.rint(south).astype(int)
    assert np.abs(east - x).max() < 1e-3 and np.abs(south - y).max() < 1e-3, "vertices lie beside the centres of cells"
    assert len(set(zip(x.tolist(), y.tolist()))) == rows * columns, "cells have no vertex"
    assert np.abs(points[:, 2] - height[y, x]).max() < 1e-3, "heights differ"
    texture = np.stack([(x + 0.5) / columns, 1 - (y + 0.5) / rows], 1)
    assert np.abs(places - texture).max() < 1e-4, "the texture lies elsewhere"
    (material,) = bpy.data.materials
    pictures = [node.image for node in material.node_tree.nodes if node.type == "TEX_IMAGE"]
    assert len(pictures) == 1 and min(pictures[0].size) > 0, "the ground has no texture"
    wide, high = pictures[0].size
    colours = np.empty(4 * wide * high, np.float32)
    pictures[0].pixels.foreach_get(colours)
    u, v = (places * (wide, high)).astype(int).T
    red, _, blue, _ = colours.reshape(high, wide, 4)[v, u].T
    sea, bluish = height[y, x] < 0, blue > red
    agree = (sea == bluish).mean()
    assert agree > 0.85, f"the sea of the texture agrees with that of the heights at {agree:.0%} of the cells"
    size = points.max(axis=0) - points.min(axis=0)
    levels = sum(thing.type == "EMPTY" for thing in bpy.data.objects)
    print(f"{size[0]:.0f} x {size[1]:.0f} x {size[2]:.0f} m, heights and texture in place, {levels} levels of detail")


def displaced(path, height):
    """A plane with a vertex at every cell gets the heights of the picture."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    rows, columns = height.shape
    picture = bpy.data.images.load(path)
    values = np.empty(4 * rows * columns, np.float32)
    picture.pixels.foreach_get(values)
    assert (values.reshape(rows, columns, 4)[::-1, :, 0] == height).all(), "Blender reads other heights"
    plane = bpy.data.meshes.new("plane")
    y, x = np.divmod(np.arange(rows * columns), columns)
    corner = (y * columns + x).reshape(rows, columns)
    faces = np.stack([corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]], -1).reshape(-1, 4)
    plane.from_pydata(np.stack([x, y, 0 * x], 1).tolist(), [], faces.tolist())
    places = plane.uv_layers.new()
    corner = np.empty(len(plane.loops), np.int32)
    plane.loops.foreach_get("vertex_index", corner)
    uv = np.stack([(x[corner] + 0.5) / columns, (y[corner] + 0.5) / rows], 1).astype(np.float32)
    places.data.foreach_set("uv", uv.ravel())
    thing = bpy.data.objects.new("plane", plane)
    bpy.context.scene.collection.objects.link(thing)
    texture = bpy.data.textures.new("heights", "IMAGE")
    texture.image, texture.use_clamp, texture.use_interpolation, texture.extension = picture, False, False, "EXTEND"
    push = thing.modifiers.new("push", "DISPLACE")
    push.texture, push.texture_coords, push.direction, push.strength, push.mid_level = texture, "UV", "Z", 1, 0
    shape = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    points = np.empty(3 * rows * columns, np.float32)
    shape.vertices.foreach_get("co", points)
    assert np.abs(points.reshape(rows, columns, 3)[::-1, :, 2] - height).max() < 1e-3, "the plane has other heights"
    print(f"displaced from {height.min():.0f} to {height.max():.0f} m")


what, path, layer, cell = sys.argv[sys.argv.index("--") + 1 :]
if what == "mesh":
    mesh(path, np.load(layer), float(cell))
else:
    displaced(path, np.load(layer))
