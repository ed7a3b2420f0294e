"""Cards with digital code models.

a1 in out inv              .model inv d_inverter(rise_delay=1n fall_delay=1n)      d_buffer
a2 [a b ~c] out and        d_and, d_nand, d_or, d_nor, d_xor, d_xnor; ~ inverts
a3 in enable out tri       d_tristate; d_pullup and d_pulldown have an output only
a4 d clk set reset q nq ff         d_dff, d_tff, d_dlatch; d_jkff, d_srff, d_srlatch have two data; null: none
a5 [v1 v2] [d1 d2] adc     adc_bridge, dac_bridge
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from tellegen.importers.spice.elements.digital import gates, registers
from tellegen.importers.spice.elements.digital.bridges import AnalogToDigital, DigitalToAnalog
from tellegen.importers.spice.netlist.logic import STRONG, SWITCHED, WEAK, LogicDriver, LogicEnd, LogicReader
from tellegen.importers.spice.netlist.sheet import Element
from tellegen.library.digital.logic import ZERO

GATES: dict[str, Any] = {
    "d_buffer": gates.Buffer,
    "d_inverter": gates.Inverter,
    "d_and": gates.And,
    "d_nand": gates.Nand,
    "d_or": gates.Or,
    "d_nor": gates.Nor,
    "d_xor": gates.Xor,
    "d_xnor": gates.Xnor,
}
REGISTERS: dict[str, Any] = {
    "d_dff": registers.DFlipFlop,
    "d_tff": registers.TFlipFlop,
    "d_jkff": registers.JKFlipFlop,
    "d_srff": registers.SRFlipFlop,
    "d_dlatch": registers.DLatch,
    "d_srlatch": registers.SRLatch,
}
CONSTANTS = {"d_pullup": True, "d_pulldown": False}
BRIDGES = ("adc_bridge", "dac_bridge")
KINDS = (*GATES, *REGISTERS, *CONSTANTS, *BRIDGES, "d_tristate")

_LOADS = ("load", "_load", "inertial_delay", "family")
"""Ends of names of parameters that mean nothing for values."""
_NONE = "null"
_CODES = {"d_srlatch": {"sr_delay": "data_delay"}}


@dataclass(frozen=True)
class LogicPort:
    """A word of a card: a node, and whether it counts inverted."""

    node: str
    turned: bool = False

    @staticmethod
    def of(word: str) -> LogicPort:
        return LogicPort(word.removeprefix("~"), word.startswith("~"))


Ports = list[list[LogicPort]]
"""The ports of a card in their order; those in brackets are together."""


def put(element: Element, kind: str, ports: Ports, numbers: Mapping[str, list[float]]) -> None:
    """Add a digital part."""
    element.single()
    given = {key: value[0] for key, value in numbers.items() if value}
    if kind in GATES:
        _put_gate(element, kind, ports, given)
    elif kind in REGISTERS:
        _put_register(element, kind, ports, given)
    elif kind in CONSTANTS:
        _need(element, ports, 1)
        _put_part(element, gates.Constant, {"high": CONSTANTS[kind]})
        _drive(element, ports[0][0], LogicDriver(LogicEnd(element.name, "y"), WEAK))
    elif kind == "d_tristate":
        _put_tristate(element, ports, given)
    else:
        _put_bridges(element, kind, ports, given)


def _put_gate(element: Element, kind: str, ports: Ports, given: dict[str, float]) -> None:
    _need(element, ports, 2)
    inputs, outputs = ports
    _check(element, kind, given, ("rise_delay", "fall_delay"))
    _put_part(element, GATES[kind], {**given, "n": len(inputs)})
    _read_all(element, inputs)
    _drive(element, outputs[0], LogicDriver(LogicEnd(element.name, "y")))


def _put_register(element: Element, kind: str, ports: Ports, given: dict[str, float]) -> None:
    cls = REGISTERS[kind]
    inputs = cls.DATA + 1
    _need(element, ports, inputs + 4)
    flat = [port for each in ports for port in each]
    given = {_CODES.get(kind, {}).get(key, key): value for key, value in given.items()}
    own = ("enable_delay", "data_delay") if issubclass(cls, registers.Latch) else ("clk_delay",)
    _check(element, kind, given, ("set_delay", "reset_delay", "rise_delay", "fall_delay", "ic", *own))
    if given.get("ic", 0.0) not in (0.0, 1.0, 2.0):
        raise element.wrong(
            f"ic={given['ic']:g} of '{element.name}' must be a logical value", "ic=0, 1, or 2 for unknown"
        )
    given["ic"] = int(given.get("ic", 0.0))
    _put_part(element, cls, {**given})
    _read_all(element, flat[:inputs])
    for name, port in zip(("set", "reset"), flat[inputs : inputs + 2], strict=True):
        if port.node == _NONE:
            element.sheet.laws.append(partial(_rests, element.name, name))
        else:
            _read(element, port, LogicEnd(element.name, name))
    for name, port in zip(("y", "ny"), flat[inputs + 2 :], strict=True):
        if port.node != _NONE:
            _drive(element, port, LogicDriver(LogicEnd(element.name, name)))


def _put_tristate(element: Element, ports: Ports, given: dict[str, float]) -> None:
    _need(element, ports, 3)
    inputs = [ports[0][0], ports[1][0]]
    _check(element, "d_tristate", given, ("delay",))
    _put_part(element, gates.Tristate, {**given})
    _read_all(element, inputs)
    on = LogicEnd(element.name, "on")
    _drive(element, ports[2][0], LogicDriver(LogicEnd(element.name, "y"), SWITCHED, on=on))


def _put_bridges(element: Element, kind: str, ports: Ports, given: dict[str, float]) -> None:
    _need(element, ports, 2)
    inputs, outputs = ports
    if len(inputs) != len(outputs):
        raise element.wrong(f"'{element.name}' has {len(inputs)} inputs and {len(outputs)} outputs", "as many of each")
    is_adc = kind == "adc_bridge"
    if is_adc:
        _check(element, kind, given, ("in_low", "in_high", "rise_delay", "fall_delay"))
    else:
        _check(element, kind, given, ("out_low", "out_high", "out_undef", "t_rise", "t_fall"))
        if "out_low" in given and "out_high" in given:
            given.setdefault("out_undef", 0.5 * (given["out_low"] + given["out_high"]))
    for k, (before, after) in enumerate(zip(inputs, outputs, strict=True)):
        name = element.name if len(inputs) == 1 else f"{element.name}_{k}"
        analog, logical = (before, after) if is_adc else (after, before)
        node = "0" if analog.node in ("0", "gnd") else analog.node
        pins = {"pc": node, "nc": "0"} if is_adc else {"p": node, "n": "0"}
        make = partial(AnalogToDigital if is_adc else DigitalToAnalog, **given, static=element.sheet.settings.static)
        element.sheet.put(name, make, element.location, **pins)
        if is_adc:
            _drive(element, logical, LogicDriver(LogicEnd(name, "y")))
        else:
            _read(element, logical, LogicEnd(name, "x"))


def _put_part(element: Element, cls: Any, given: Mapping[str, Any]) -> None:
    static = {"static": element.sheet.settings.static} if cls is not gates.Constant else {}
    element.sheet.put(element.name, partial(cls, **given, **static), element.location)


def _read_all(element: Element, inputs: list[LogicPort]) -> None:
    for k, port in enumerate(inputs):
        _read(element, port, LogicEnd(element.name, "x", k))


def _read(element: Element, port: LogicPort, end: LogicEnd) -> None:
    element.sheet.logic.read(element.card, port.node, LogicReader(end, port.turned))


def _drive(element: Element, port: LogicPort, driver: LogicDriver) -> None:
    turned = LogicDriver(driver.end, driver.kind or STRONG, port.turned, driver.on)
    element.sheet.logic.drive(element.card, port.node, turned)


def _need(element: Element, ports: Ports, count: int) -> None:
    if len(ports) != count:
        raise element.wrong(f"'{element.name}' has {len(ports)} ports, its model {count}", "null stands for none")


def _check(element: Element, kind: str, given: dict[str, float], known: tuple[str, ...]) -> None:
    """Take out what means nothing for values; what is unknown is an error."""
    for key in list(given):
        if key.endswith(_LOADS):
            del given[key]
        elif key not in known:
            raise element.wrong(
                f"'{key}' of the model of '{element.name}' is not known", f"{kind} has {', '.join(known)}"
            )


def _rests(part: str, signal: str, circuit: Any) -> Any:
    return getattr(getattr(circuit, part), signal) == ZERO
