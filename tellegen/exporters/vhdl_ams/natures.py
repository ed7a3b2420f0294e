"""Natures: the kinds of terminals. Those of IEEE 1076.1.1 where units agree, others are declared beside the model."""

from __future__ import annotations

from dataclasses import dataclass, field

from tellegen.exporters.source.identifiers import Scope, joined
from tellegen.ir.model import Port, Variable
from tellegen.units import parse_unit

_STANDARD = {
    ("V", "A"): ("electrical", "electrical_systems"),
    ("A", "V.s"): ("magnetic", "electrical_systems"),
    ("m", "N"): ("translational", "mechanical_systems"),
    ("rad", "N.m"): ("rotational", "mechanical_systems"),
    ("K", "W"): ("thermal", "thermal_systems"),
    ("Pa", "m3/s"): ("fluidic", "fluidic_systems"),
}


@dataclass
class Natures:
    """The natures of a text: standard packages in use, and natures declared in its own package."""

    scope: Scope
    packages: set[str] = field(default_factory=set)
    own: dict[tuple[str, str, str], str] = field(default_factory=dict)  # connector and names of across and through

    def name(self, port: Port, across: Variable, through: Variable) -> str:
        """The nature of a pair of connector variables."""
        dimensions = (across.unit.dimension, through.unit.dimension)
        for units, (nature, package) in _STANDARD.items():
            if dimensions == tuple(parse_unit(unit).dimension for unit in units):
                self.packages.add(package)
                return nature
        key = (port.connector, across.name.rpartition(".")[2], through.name.rpartition(".")[2])
        if key not in self.own:
            self.own[key] = self.scope.unique("_".join(joined(part).lower() for part in key))
        return self.own[key]

    def declarations(self) -> list[str]:
        """The natures of the text's own package."""
        return [f"nature {name} is real across real through {name}_ref reference;" for name in self.own.values()]
