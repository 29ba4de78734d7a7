"""Opens a raster and the layers of a GeoPackage in QGIS. Usage: in_qgis.py MAP.tif MAP.gpkg, with the Python of the system"""

import os
import sys

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from qgis.core import QgsApplication, QgsDataProvider, QgsRasterLayer, QgsVectorLayer


def main(raster, package):
    """All layers are valid, lie on the raster, and have valid shapes; points that tell a height stand at the height of the raster."""
    ground = QgsRasterLayer(raster, "ground")
    assert ground.isValid(), "the raster is not valid"
    there = ground.extent()
    names, features, heights = [], 0, 0
    whole = QgsVectorLayer(package, "package")
    for entry in whole.dataProvider().subLayers():
        name = entry.split(QgsDataProvider.sublayerSeparator())[1]
        layer = QgsVectorLayer(f"{package}|layername={name}", name)
        assert layer.isValid(), f"{name} is not valid"
        assert there.contains(layer.extent()), f"{name} reaches from {layer.extent().toString()}, the raster {there.toString()}"
        for feature in layer.getFeatures():
            assert feature.geometry().isGeosValid(), f"{name} {feature.id()} has no valid shape"
            if "height_m" in layer.fields().names():
                found, known = ground.dataProvider().sample(feature.geometry().asPoint(), 1)
                assert known and abs(found - feature["height_m"]) < 0.01, f"{name} {feature.id()}"
                heights += 1
        names.append(name)
        features += layer.featureCount()
        if name == "classes":
            assert layer.extent() == there, f"{name} reaches from {layer.extent().toString()}, the raster {there.toString()}"
    print(f"layers valid: ground, {', '.join(names)}; {features} features, {heights} of them at their height")


application = QgsApplication([], False)
application.initQgis()
main(*sys.argv[1:])
