"""SPICE netlists: `tg.read_spice("amplifier.cir")` is a component.

    netlist/    lines       file -> lines: continuations joined, comments and .control blocks taken out, .include put in
                words       line -> words
                numbers     `4.7k`, `10MEGohm` -> numbers
                expression  `{2*pi*f}` -> a tree, and its value
                deck        lines -> definitions: elements, models, parameters, subcircuits
                scope       which name means what where: parameters, models, subcircuits
                sheet       what a circuit is collected in: parts, wires
    elements/   passives, sources, controlled, devices      one element each -> a component and its nodes
                temperature     parameters of models at another temperature
                parts           the few components that only netlists need
    islands     nodes without ground
    circuit     all of that -> a component class

Names are case-insensitive in SPICE; everything is read in lower case.
"""

from __future__ import annotations

from tellegen.importers.spice.read import read_spice

__all__ = ["read_spice"]
