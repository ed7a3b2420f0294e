"""Natures of terminals as connectors of the library. Across quantities of mechanics are displacements and angles."""

from __future__ import annotations

import re
from typing import Any

from tellegen.library.electrical import Pin
from tellegen.library.hydraulic import Port
from tellegen.library.magnetic import MagneticPort
from tellegen.library.rotational import Flange as Shaft
from tellegen.library.thermal import HeatPort
from tellegen.library.translational import Flange

CONNECTORS: dict[str, Any] = {
    "electrical": Pin,
    "magnetic": MagneticPort,
    "fluidic": Port,
    "thermal": HeatPort,
    "mechanical": Flange,
    "translational": Flange,
    "rotational": Shaft,
}


def member_of(connector: Any, role: str) -> Any:
    """The across or through variable of a connector."""
    return next(declared for declared in connector._info.variables.values() if declared.role == role)


def identifier(name: str) -> str:
    """A name of a document as one of Python: dcmotor-cmp is dcmotor_cmp."""
    found = re.sub(r"\W", "_", name)
    return f"_{found}" if found[:1].isdigit() else found
