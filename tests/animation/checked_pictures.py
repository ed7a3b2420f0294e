"""Pictures with checks of array accesses; run by test_pictures.py with TELLEGEN_CHECK_BOUNDS=1."""

from __future__ import annotations

from animation.demo_scenes import ALL
from tellegen.animation.raster.painter import Painter, PictureSize

for scene in ALL.values():
    painter = Painter(scene(), PictureSize(60, 40))
    for time in (0.0, 1.0, 3.0):
        painter.picture(time)
print("drawn")
