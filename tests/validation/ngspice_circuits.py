"""Circuits of tests/reference from parts that netlists do not have (thyristors, windings as one), and how to wire."""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import electrical as el


def circuit(name: str, parts: dict[str, tuple[Any, ...]], inputs: dict[str, tuple[Any, list[str]]]) -> tg.System:
    """Parts with the nodes of their pins, as in a netlist, node "0" grounded; signals with the inputs they feed."""
    s = tg.System(name)
    s.add(ground=el.Ground())
    nets: dict[str, Any] = {"0": s.ground.p}
    for label, (part, *nodes) in parts.items():
        s.add(**{label: part})
        for pin, node in zip(pins(part), nodes, strict=True):
            if node in nets:
                s.connect(nets[node], pin)
            nets.setdefault(node, pin)
    for label, (source, fed) in inputs.items():
        s.add(**{label: source})
        for path in fed:
            part, port = path.split(".")
            s.connect(source.y, getattr(s[part], port))
    return s


def pins(part: Any) -> list[Any]:
    """The pins in the order of netlists: what is controlled before what controls, windings one after the other."""
    if isinstance(part, el.TwoPort):
        return [part.p2, part.n2, part.p1, part.n1]
    if isinstance(part, el.CoupledInductors):
        return [pin for k in range(part.N) for pin in (part.p[k], part.n[k])]
    if isinstance(part, el.PolynomialSource):
        return [part.p, part.n, *(pin for k in range(part.N) for pin in (part.p1[k], part.n1[k]))]
    if isinstance(part, el.HystereticSwitch | el.SmoothSwitch):
        return [part.p, part.n, part.pc, part.nc]
    return [part.p, part.n]


def capacitor(C: float) -> Any:
    return el.Capacitor(C=C, v=tg.variable(start=0.0, fixed=True))


def inductor(L: float) -> Any:
    return el.Inductor(L=L, i=tg.variable(start=0.0, fixed=True))


def diode(**numbers: float) -> Any:
    return el.Diode(**{"Is": 1e-12, "N": 1.2, "Rs": 0.05, **numbers})


def scr_bridge() -> tg.System:
    """Thyristors here, fired for 0.1 ms; in the netlist switches that stay closed until the diode blocks."""
    parts: dict[str, tuple[Any, ...]] = {
        "v1": (el.SineVoltage(V=20.0, f=50.0), "p", "n"),
        "rp": (el.Resistor(R=10e3), "p", "0"),
        "rn": (el.Resistor(R=10e3), "n", "0"),
        "l1": (inductor(5e-3), "out", "r"),
        "rl": (el.Resistor(R=20.0), "r", "0"),
    }
    for k, (anode, cathode) in enumerate([("p", "out"), ("0", "p"), ("n", "out"), ("0", "n")], start=1):
        parts[f"t{k}"] = (el.IdealThyristor(Ron=0.01, Goff=1e-7), anode, f"a{k}")
        parts[f"d{k}"] = (diode(Rs=0.01), f"a{k}", cathode)
    pulses = {"period": 20e-3, "width": 0.005}
    first = blocks.Pulse(start_time=3.3333333e-3 + 0.5e-6, **pulses)
    second = blocks.Pulse(start_time=13.3333333e-3 + 0.5e-6, **pulses)
    return circuit("scr_bridge", parts, {"g1": (first, ["t1.fire", "t4.fire"]), "g2": (second, ["t2.fire", "t3.fire"])})


def windings() -> tg.System:
    own, k = np.array([20e-3, 5e-3, 80e-3]), np.array([[1, 0.95, 0.9], [0.95, 1, 0.85], [0.9, 0.85, 1]])
    coupled = el.CoupledInductors(L=k * np.sqrt(np.outer(own, own)), i=tg.variable(start=0.0, fixed=True))
    parts = {
        "v1": (el.SineVoltage(V=10.0, f=50.0), "in", "0"),
        "r1": (el.Resistor(R=0.5), "in", "a"),
        "l": (coupled, "a", "0", "b", "0", "c", "0"),
        "r2": (el.Resistor(R=4.0), "b", "0"),
        "r3": (el.Resistor(R=30.0), "c", "d"),
        "c3": (capacitor(20e-6), "d", "0"),
    }
    return circuit("windings", parts, {})
