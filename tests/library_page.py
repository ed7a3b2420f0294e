"""docs/library.md, written from the classes of tellegen.library themselves; see test_library_page.py."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import tellegen as tg
from tellegen.frontends.python.describe import value_text
from tellegen.library import blocks, electrical, machines, rotational, sampled, thermal, translational

HEAD = """\
# Library

Every connector and component that comes with Tellegen: ports, parameters with their defaults, variables. Components
with the same connector connect; positive flows go into the component. Any of them may be the base of your own.

<!-- Written by tests/library_page.py; `pytest tests/test_library_page.py --rewrite-golden` writes it anew. -->
"""

DOMAINS: dict[ModuleType, tuple[str, str]] = {
    electrical: (
        "Electrical",
        """\
import tellegen as tg
from tellegen.library import electrical as el


class LowPass(tg.Component):
    source = el.StepVoltage(V=5.0, start_time="1 ms")
    r = el.Resistor(R="1 kohm")
    c = el.Capacitor(C="1 uF")
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.c.p
        yield self.source.n, self.c.n, self.ground.p


tg.simulate(LowPass(), stop=6e-3).plot("source.v", "c.v")
""",
    ),
    rotational: (
        "Rotational",
        """\
from tellegen.library import rotational as rot


class Shaft(tg.Component):
    motor = rot.ConstantTorque(tau_constant=2.0)
    rotor = rot.Inertia(J=0.01)
    gear = rot.IdealGear(ratio=5.0)
    brake = rot.Damper(d=0.5)
    wall = rot.Fixed()

    def connections(self):
        yield self.motor.flange, self.rotor.flange_a
        yield self.rotor.flange_b, self.gear.flange_a
        yield self.gear.flange_b, self.brake.flange_b
        yield self.brake.flange_a, self.wall.flange


spin = tg.simulate(Shaft(), stop=6.0)
assert abs(spin["rotor.w"][-1] - 2.0 * 5.0**2 / 0.5) < 0.1  # rad/s
""",
    ),
    translational: (
        "Translational",
        """\
from tellegen.library import translational as tr


class Oscillator(tg.Component):
    wall = tr.Fixed()
    spring = tr.Spring(c=100.0)
    damper = tr.Damper(d=1.0)
    mass = tr.Mass(m=1.0, s=tg.variable(start=0.1, fixed=True))

    def connections(self):
        yield self.wall.flange, self.spring.flange_a, self.damper.flange_a
        yield self.spring.flange_b, self.damper.flange_b, self.mass.flange_a


tg.simulate(Oscillator(), stop=5.0).plot("mass.s", "mass.v")
""",
    ),
    thermal: (
        "Thermal",
        """\
from tellegen.library import thermal as th


class Cooling(tg.Component):
    body = th.HeatCapacitor(C=500.0, T=tg.variable(start=353.15, fixed=True))
    surface = th.ThermalConductor(G=2.0)
    room = th.FixedTemperature(T="20 degC")

    def connections(self):
        yield self.body.port, self.surface.port_a
        yield self.surface.port_b, self.room.port


tg.simulate(Cooling(), stop=1000.0).plot("body.T", "surface.Q_flow")
""",
    ),
    machines: (
        "Machines",
        """\
from tellegen.library import machines


class Start(tg.Component):
    battery = machines.Battery(Ns=7)
    motor = machines.DC_PermanentMagnet(Ra=0.6, La="0.4 mH", k=0.05, Jr=2e-4, d=1e-4)
    ground = el.Ground()

    def connections(self):
        yield self.battery.p, self.motor.pin_ap
        yield self.battery.n, self.motor.pin_an, self.ground.p


tg.simulate(Start(), stop=0.5).plot("motor.ia", "motor.w", "battery.v")
""",
    ),
    blocks: (
        "Blocks",
        """\
from tellegen.library import blocks


class Filtered(tg.Component):
    step = blocks.Step(height=2.0, start_time=0.5)
    lag = blocks.FirstOrder(T=0.3)

    def connections(self):
        yield self.step.y, self.lag.u


tg.simulate(Filtered(), stop=3.0).plot("step.y", "lag.y")
""",
    ),
    sampled: (
        "Sampled",
        """\
from tellegen.library import sampled


class Controlled(tg.Component):
    lag = blocks.FirstOrder(T=0.3)
    step = blocks.Step()
    control = sampled.PID(clock=tg.Clock("20 ms"), kp=2.0, ki=8.0, y_max=1.5)

    def connections(self):
        yield self.step.y, self.control.reference
        yield self.lag.y, self.control.measured
        yield self.control.y, self.lag.u


tg.simulate(Controlled(), stop=2.0).plot("control.y", "lag.y")
""",
    ),
}


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for module, (title, example) in DOMAINS.items():
        parts += [f"## {title}\n", f"`tellegen.library.{short(module)}`. {text(module.__doc__)}\n"]
        parts.append(f"```python\n{example}```\n")
        classes = [
            value for value in vars(module).values() if inspect.isclass(value) and value.__name__ in names(module)
        ]
        parts += [section(module, cls) for cls in sorted(classes, key=lambda cls: not issubclass(cls, tg.Connector))]
    return "\n".join(parts)


def names(module: ModuleType) -> list[str]:
    """What a module offers."""
    return module.__all__


def section(module: ModuleType, cls: Any) -> str:
    """Heading, docstring and members of one class."""
    what = "Connector. " if issubclass(cls, tg.Connector) else ""
    base = cls.__mro__[1]
    extends = (
        f" A [{base.__name__}](#{short(module)}-{base.__name__.lower()})." if base.__name__ in names(module) else ""
    )
    lines = [
        f"### {cls.__name__} {{ #{short(module)}-{cls.__name__.lower()} }}",
        "",
        f"{what}{text(cls.__doc__)}{extends}",
    ]
    rows = list(members(cls))
    if rows:
        lines += ["", "| name | what | unit | default | meaning |", "|---|---|---|---|---|"]
        lines += [f"| {' | '.join(row)} |".replace("|  |", "| |").replace("|  |", "| |") for row in rows]
    return "\n".join(lines) + "\n"


def members(cls: Any) -> Iterator[tuple[str, ...]]:
    """Rows of the table of a class: ports, parameters, variables."""
    info = cls._info
    for name, port in info.ports.items():
        yield f"`{name}`", f"port, {type(port).__name__}", "", "", text(port.description)
    for name, decl in {**info.structural, **info.parameters}.items():
        value = value_text(decl.value, decl).removesuffix(f" {decl.unit.text}")
        meaning = [decl.description]
        meaning += [f"at least {decl.min:g}"] if decl.min is not None else []
        meaning += [f"at most {decl.max:g}"] if decl.max is not None else []
        kind = "structural parameter" if decl.structural else "parameter"
        yield f"`{name}`", kind, decl.unit.text, value, text(", ".join(filter(None, meaning)))
    for name, decl in info.variables.items():
        kind = "variable" if decl.role == "local" else decl.role
        start = decl.attributes.get("start")
        value = "" if start is None else f"start {value_text(start, decl)}".removesuffix(f" {decl.unit.text}")
        yield f"`{name}`", kind, decl.unit.text, text(value), text(decl.description)


def text(line: str | None) -> str:
    """The first line of a docstring or a description, safe in Markdown."""
    first = (line or "").strip().splitlines()[:1]
    return "".join(first).replace("*", "\\*").replace("|", "\\|").replace("<", "&lt;")


def short(module: ModuleType) -> str:
    """`electrical`."""
    return module.__name__.rpartition(".")[2]
