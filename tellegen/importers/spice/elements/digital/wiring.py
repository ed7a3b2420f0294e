"""Digital nodes of one circuit: which outputs drive them and which inputs read them, until all elements are known.

A node of a subcircuit that is a port goes on outside: as an output where something inside drives it, else as an input.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tellegen.errors import NetlistError
from tellegen.importers.spice.elements.digital.gates import inverted
from tellegen.importers.spice.elements.digital.nodes import LogicNode
from tellegen.importers.spice.netlist.logic import STRONG, LogicDriver, LogicEnd, LogicNodes, LogicReader


def connect(sheet: Any, ports: Mapping[str, str], name_of: Callable[[str], str]) -> dict[str, str]:
    """Put a part at every digital node, with laws for all that is at it; the names of these parts by node."""
    logic: LogicNodes = sheet.logic
    names: dict[str, str] = {}
    for node, card in logic.first.items():
        if _conducts(sheet, node):
            what = f"the node '{node}' of '{card.name}' is digital, and other elements are at it"
            raise NetlistError("E506", what, location=card.location, advice="put an adc_bridge or dac_bridge between")
        sheet.wires.setdefault("0", []).extend(sheet.wires.pop(node, ()))  # pins that nothing is at inside
        drivers = list(logic.drivers.get(node, ()))
        names[node] = name = name_of(node)
        port = ports.get(node)
        if port is not None and not drivers:
            sheet.laws.append(partial(_from_port, name, port))
        elif port is not None:
            sheet.laws.append(partial(_to_port, name, port))
        kinds = tuple(driver.kind for driver in drivers) or ((STRONG,) if port is not None else ())
        sheet.put(name, partial(LogicNode, kinds=kinds, n=len(kinds)), card.location)
        switched = 0
        for k, driver in enumerate(drivers):
            sheet.laws.append(partial(_drives, name, k, driver))
            if driver.on is not None:
                sheet.laws.append(partial(_switches, name, switched, driver.on))
                switched += 1
        sheet.laws += [partial(_reads, name, reader) for reader in logic.readers.get(node, ())]
    return names


def _conducts(sheet: Any, node: str) -> bool:
    """Whether anything electrical is at a node."""
    return node == "0" or any(not _is_unused(sheet, part, pin) for part, pin, _ in sheet.wires.get(node, ()))


def _is_unused(sheet: Any, part: str, pin: str) -> bool:
    """Whether this is a pin of a subcircuit that nothing inside is at."""
    cls = sheet.parts[part].make
    nodes = getattr(cls, "nodes", {})
    inner = next((node for node, name in nodes.items() if name == pin), None)
    return inner is not None and not cls._sheet.wires.get(inner)


def _from_port(name: str, port: str, circuit: Any) -> Any:
    return getattr(circuit, name).x[0] == getattr(circuit, port)


def _to_port(name: str, port: str, circuit: Any) -> Any:
    return getattr(circuit, port) == getattr(circuit, name).y


def _drives(name: str, k: int, driver: LogicDriver, circuit: Any) -> Any:
    value = driver.end.of(circuit)
    return getattr(circuit, name).x[k] == (inverted(value) if driver.turned else value)


def _switches(name: str, k: int, on: LogicEnd, circuit: Any) -> Any:
    return getattr(circuit, name).on[k] == on.of(circuit)


def _reads(name: str, reader: LogicReader, circuit: Any) -> Any:
    value = getattr(circuit, name).y
    return reader.end.of(circuit) == (inverted(value) if reader.turned else value)
