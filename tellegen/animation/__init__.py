"""Pictures, pages and films of what moves: a Scene of shapes and their motion, and everything made from one.

shapes, scene   the data: what is drawn
tessellate      shapes as triangles (surfaces: how; triangle_mesh: the result)
motion          poses between samples; the few samples that are needed
viewpoint       the camera
document, html  the page: data for the viewer, which is written in JavaScript (viewer/)
gltf            a .glb file for other programs
raster          pictures without a graphics processor, by native code
picture, film   one instant; GIF and mp4
animation       the object that users get
"""

from __future__ import annotations

from tellegen.animation.animation import Animation
from tellegen.animation.film import to_video
from tellegen.animation.gltf import to_gltf
from tellegen.animation.html import to_html
from tellegen.animation.picture import to_figure, to_picture
from tellegen.animation.scene import ArrowItem, Camera, Curve, Item, Scene, Trace
from tellegen.animation.shapes import (
    Arrow,
    Box,
    Capsule,
    Cone,
    Cylinder,
    FrameAxes,
    Group,
    Line,
    Mesh,
    Pipe,
    Plane,
    Shape,
    Sphere,
    Spring,
    Torus,
)

__all__ = [
    "Animation",
    "Arrow",
    "ArrowItem",
    "Box",
    "Camera",
    "Capsule",
    "Cone",
    "Curve",
    "Cylinder",
    "FrameAxes",
    "Group",
    "Item",
    "Line",
    "Mesh",
    "Pipe",
    "Plane",
    "Scene",
    "Shape",
    "Sphere",
    "Spring",
    "Torus",
    "Trace",
    "to_figure",
    "to_gltf",
    "to_html",
    "to_picture",
    "to_video",
]
