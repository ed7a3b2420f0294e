"""The kernels of pictures as functions of Python, compiled when the first picture is made."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from tellegen.animation.raster import kernels
from tellegen.engine.native.machine_code import MachineCode
from tellegen.engine.native.record import Record
from tellegen.engine.runtime.runtimes import HOT_LOOPS, procedure_module
from tellegen.procedures.language import field_names

ENTRIES = (kernels.rasterize, kernels.shade, kernels.paint, kernels.draw_ground)


@cache
def picture_code() -> MachineCode:
    """All kernels, compiled together."""
    return MachineCode((procedure_module(ENTRIES, HOT_LOOPS),))


@cache
def _function(name: str, *kinds: Any) -> Callable[..., None]:
    return ctypes.CFUNCTYPE(None, *kinds)(picture_code().addresses[name])


def rasterize(triangles: Record, target: Record) -> None:
    """Which triangle is nearest at each pixel."""
    _function("rasterize", *2 * [ctypes.c_void_p])(triangles.address, target.address)


def shade(triangles: Record, target: Record, light: Record, look: Record, opacity: float) -> None:
    """Light on all pixels of triangles."""
    arguments = (triangles.address, target.address, light.address, look.address, opacity)
    _function("shade", *4 * [ctypes.c_void_p], ctypes.c_double)(*arguments)


def paint(triangles: Record, target: Record, opacity: float) -> None:
    """Plain colours on all pixels of triangles."""
    _function("paint", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double)(triangles.address, target.address, opacity)


def draw_ground(target: Record, ground: Record, light: Record, look: Record) -> None:
    """The grid and the shadows on it."""
    arguments = (target.address, ground.address, light.address, look.address)
    _function("draw_ground", *4 * [ctypes.c_void_p])(*arguments)


def record(kind: type[Any], **values: Any) -> Record:
    """A record of a kind: floats as such, integers and arrays as words."""
    made = Record(field_names(kind))
    made.put(**{name: value for name, value in values.items() if isinstance(value, float)})
    made.set(**{name: value for name, value in values.items() if not isinstance(value, float)})
    return made
