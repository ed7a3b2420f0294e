"""Random nested networks of resistors as Modelica text, and their node voltages by nodal analysis.

Composites have a vector of pins or single ones, arrays of resistors with different values, composites of lower levels
and outer components to which they connect; connections go to own pins and to pins of parts, some twice. Electrically
a pin of a composite is one node, seen from inside and from outside, so the network is flat for the oracle.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np

from tellegen.graph.rooted_forest import Union

BASE = """
connector Pin
  Real v;
  flow Real i;
end Pin;
model Resistor
  Pin p;
  Pin n;
  parameter Real R = 1;
equation
  p.v - n.v = R*p.i;
  p.i + n.i = 0;
end Resistor;
model Earth
  Pin p;
equation
  p.v = 0;
end Earth;
model Supply
  Pin p;
  parameter Real V = 1;
equation
  p.v = V;
end Supply;
"""


@dataclass
class Composite:
    """One class: its resistors as (names of ends, value), its parts as (name, class), connections between ends."""

    name: str
    pins: list[str]
    resistors: list[tuple[str, float]] = field(default_factory=list)  # name as used, such as r[2]
    parts: list[tuple[str, Composite]] = field(default_factory=list)
    connections: list[tuple[str, str]] = field(default_factory=list)
    declarations: list[str] = field(default_factory=list)

    def ends(self) -> list[str]:
        """Own pins and those of parts."""
        inner = [f"{name}.{pin}" for name, part in self.parts for pin in part.pins]
        return [*self.pins, *inner]

    def text(self) -> str:
        """The class as Modelica text."""
        lines = [f"model {self.name}", *self.declarations, "outer Earth earth;", "equation"]
        lines += [f"connect({a}, {b});" for a, b in self.connections]
        return "\n".join([*lines, f"end {self.name};"])


def random_composite(name: str, below: list[Composite], generator: random.Random) -> Composite:
    """A class of resistors and of composites of lower levels."""
    if generator.random() < 0.5:
        count = generator.randint(1, 3)
        made = Composite(name, [f"pins[{k + 1}]" for k in range(count)], declarations=[f"Pin pins[{count}];"])
    else:
        made = Composite(name, ["a", "b"], declarations=["Pin a;", "Pin b;"])
    for k in range(generator.randint(0, 2) if below else 0):
        part = generator.choice(below)
        if generator.random() < 0.4:
            made.declarations.append(f"{part.name} group{k}[2];")
            made.parts += [(f"group{k}[1]", part), (f"group{k}[2]", part)]
        else:
            made.declarations.append(f"{part.name} part{k};")
            made.parts.append((f"part{k}", part))
    count = generator.randint(1, 3)
    values = [round(generator.uniform(0.5, 5.0), 3) for _ in range(count)]
    made.declarations.append(f"Resistor r[{count}](R={{{', '.join(map(str, values))}}});")
    made.resistors = [(f"r[{k + 1}]", value) for k, value in enumerate(values)]
    leaks = made.ends()
    made.declarations.append(f"Resistor leak[{len(leaks)}](each R=10);")
    for k, end in enumerate(leaks):  # so that nothing floats
        made.resistors.append((f"leak[{k + 1}]", 10.0))
        made.connections += [(end, f"leak[{k + 1}].p"), (f"leak[{k + 1}].n", "earth.p")]
    for resistor, _ in made.resistors[:count]:
        made.connections.append((f"{resistor}.p", generator.choice(leaks)))
        if generator.random() < 0.8:
            made.connections.append((generator.choice(leaks), f"{resistor}.n"))
    if len(leaks) > 1 and generator.random() < 0.5:
        made.connections.append((leaks[0], leaks[-1]))
    made.connections += [pair for pair in made.connections if generator.random() < 0.2]  # written twice
    return made


@dataclass
class Network:
    """A model and the voltages of its pins."""

    text: str
    voltages: dict[str, float]


def random_network(seed: int) -> Network:
    """A network with one supply at each of the pins of its outermost composite."""
    generator = random.Random(seed)
    classes: list[Composite] = []
    for level in range(generator.randint(1, 3)):
        classes.append(random_composite(f"C{level}", classes, generator))
    top = classes[-1]
    lines = ["model M", "inner Earth earth;", f"{top.name} top;"]
    ends: list[tuple[str, str]] = []
    resistors: list[tuple[str, float]] = []
    for k, pin in enumerate(top.pins):
        lines += [f"Supply supply{k}(V={k + 1});", f"Resistor feed{k}(R=2);"]
        ends += [(f"supply{k}.p", f"feed{k}.p"), (f"feed{k}.n", f"top.{pin}")]
        resistors.append((f"feed{k}", 2.0))
    lines += ["equation", *(f"connect({a}, {b});" for a, b in ends), "end M;"]
    _spread(top, "top", ends, resistors)
    text = BASE + "\n".join(part.text() for part in classes) + "\n" + "\n".join(lines)
    return Network(text, _solved(ends, resistors, len(top.pins)))


def _spread(composite: Composite, path: str, ends: list[tuple[str, str]], resistors: list[tuple[str, float]]) -> None:
    """All connections and resistors below a component, by full names."""

    def full(name: str) -> str:
        return name if name == "earth.p" else f"{path}.{name}"

    ends += [(full(a), full(b)) for a, b in composite.connections]
    resistors += [(full(name), value) for name, value in composite.resistors]
    for name, part in composite.parts:
        _spread(part, full(name), ends, resistors)


def _solved(ends: list[tuple[str, str]], resistors: list[tuple[str, float]], supplies: int) -> dict[str, float]:
    """Node voltages: conductances times voltages is zero but where a voltage is given."""
    number: dict[str, int] = {}
    sets = Union()
    for a, b in [*ends, *((f"{name}.p", f"{name}.n") for name, _ in resistors)]:
        number.setdefault(a, len(number))
        number.setdefault(b, len(number))
    for a, b in ends:
        sets.join(number[a], number[b])
    matrix = np.zeros((len(number), len(number)))
    right = np.zeros(len(number))
    for name, value in resistors:
        p, n = sets.find(number[f"{name}.p"]), sets.find(number[f"{name}.n"])
        for one, other in ((p, n), (n, p)):
            matrix[one, one] += 1.0 / value
            matrix[one, other] -= 1.0 / value
    given = {"earth.p": 0.0, **{f"supply{k}.p": k + 1.0 for k in range(supplies)}}
    for name, voltage in given.items():
        node = sets.find(number[name])
        matrix[node] = 0.0
        matrix[node, node] = 1.0
        right[node] = voltage
    for node in range(len(number)):
        if sets.find(node) != node:
            matrix[node, node] = 1.0
    voltages = np.linalg.solve(matrix, right)
    return {name: float(voltages[sets.find(k)]) for name, k in number.items()}
