"""Random circuits with everything linear in them, and their solution by the theory of matrix pencils.

A random tree keeps a circuit connected; further edges close loops. What is on an edge is drawn without regard to the
others, so that loops of capacitors and voltage sources, cut-sets of inductors and current sources, and circuits
without a solution all occur.

The oracle knows nothing of Tellegen: it writes the circuit with node potentials and branch currents as unknowns,
E z' = A z (each source is the output of an oscillator that belongs to z). If M = (A - s E)^-1 E exists for some number
s the pencil is regular; otherwise the circuit has no unique solution. The range of a high power of M holds all
solutions, z(t) = V exp(J t) V' z(0), whatever the index.

The two conductances of a gyrator differ: with equal ones a source between its ports makes currents cancel by their
numbers, which raises the index in a way that no structural analysis sees. `with_ones` makes circuits full of that.

benchmarks/random_circuits.py does with thousands of circuits what the tests do with a few.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy

import tellegen as tg
from tellegen.library import electrical as el

ONE_PORTS = ("R", "C", "L", "V", "VS", "I", "IS")
TWO_PORTS = ("T", "G", "VCV", "VCC", "CCV", "CCC")
_SHIFT = 0.7310585  # no natural frequency of a random circuit
_SINGULAR = 1e-11  # singular values of a matrix of size one that count as zero; regular circuits are above 1e-7
_MOST_GROWTH = 14.0  # natural logarithm: a million times
SOLVERS = ("ida", "cvode", "rk45")
RTOL = 1e-7
_WITHOUT_STATES = "E311"


@dataclass(frozen=True)
class Part:
    """A component: its kind, the nodes of its ports and its numbers."""

    kind: str
    nodes: tuple[int, ...]
    values: tuple[float, ...]


def random_parts(seed: int, most_nodes: int, two_ports: bool) -> list[Part]:
    """The parts of a circuit with up to `most_nodes` nodes beside the ground, which is node 0."""
    random = np.random.default_rng(seed)
    nodes = int(random.integers(2, most_nodes + 1))
    more = int(random.integers(1, nodes + 2))
    edges = [(int(random.integers(k)), k) for k in range(1, nodes + 1)]
    for _ in range(more):
        a, b = random.choice(nodes + 1, 2, replace=False)
        edges.append((int(a), int(b)))
    weights = np.array([6.0, 4.0, 4.0, 0.7, 0.7, 0.4, 0.4])
    kinds = random.choice(ONE_PORTS, len(edges), p=weights / weights.sum())
    parts = [_one_port(random, str(kind), edge) for kind, edge in zip(kinds, edges, strict=True)]
    if two_ports:
        parts += [_two_port(random, nodes) for _ in range(int(random.integers(1, 2 + nodes // 6)))]
    return parts


def with_ones(parts: list[Part]) -> list[Part]:
    """The same circuit with all sizes equal to one; waves stay as they are."""
    return [replace(part, values=(1.0, 1.0) if part.kind in TWO_PORTS else (1.0, *part.values[1:])) for part in parts]


def _one_port(random: Any, kind: str, edge: tuple[int, int]) -> Part:
    size = float(np.exp(random.uniform(-1.0, 1.0)))
    wave = (float(random.uniform(0.1, 0.5)), float(random.uniform(0.0, 6.0)))
    return Part(kind, edge if random.random() < 0.5 else edge[::-1], (size, *wave))


def _two_port(random: Any, nodes: int) -> Part:
    first = random.choice(nodes + 1, 2, replace=False)
    second = random.choice(nodes + 1, 2, replace=False)
    size = float(np.exp(random.uniform(-1.0, 1.0)))
    other = float(np.exp(random.uniform(-1.0, 1.0)))
    return Part(str(random.choice(TWO_PORTS)), (*map(int, first), *map(int, second)), (size, other))


def system_of(parts: list[Part]) -> tg.System:
    """The circuit as components of the library, part k as e{k}."""
    system = tg.System("circuit")
    system.add(ground=el.Ground())
    pins: dict[int, list[Any]] = {0: [system.ground.p]}
    for k, part in enumerate(parts):
        component = _component(part)
        system.add(**{f"e{k}": component})
        ends = ("p", "n") if len(part.nodes) == 2 else ("p1", "n1", "p2", "n2")
        for node, end in zip(part.nodes, ends, strict=True):
            pins.setdefault(node, []).append(getattr(component, end))
    for joined in pins.values():
        if len(joined) > 1:
            system.connect(*joined)
    return system


def _component(part: Part) -> Any:
    x, *wave = part.values
    made: dict[str, Any] = {
        "R": lambda: el.Resistor(R=x),
        "C": lambda: el.Capacitor(C=x),
        "L": lambda: el.Inductor(L=x),
        "V": lambda: el.ConstantVoltage(V=x),
        "VS": lambda: el.SineVoltage(V=x, f=wave[0], phase=wave[1]),
        "I": lambda: el.ConstantCurrent(I=x),
        "IS": lambda: el.SineCurrent(I=x, f=wave[0], phase=wave[1]),
        "T": lambda: el.IdealTransformer(n=x),
        "G": lambda: el.Gyrator(G1=x, G2=part.values[1]),
        "VCV": lambda: el.VCV(gain=x),
        "VCC": lambda: el.VCC(trans_conductance=x),
        "CCV": lambda: el.CCV(trans_resistance=x),
        "CCC": lambda: el.CCC(gain=x),
    }
    return made[part.kind]()


@dataclass
class _Equations:
    """E z' = A z, written row by row; z: potentials of nodes 1.., currents of ports, sine and cosine of each source."""

    parts: list[Part]
    entries: list[tuple[int, int, float]] = field(default_factory=list)  # of A
    rates: list[tuple[int, int, float]] = field(default_factory=list)  # of E
    rows: int = 0

    def __post_init__(self) -> None:
        self.nodes = max(max(part.nodes) for part in self.parts)
        ports = np.cumsum([0, *(len(part.nodes) // 2 for part in self.parts)])
        self.current = [self.nodes + int(k) for k in ports[:-1]]
        self.source = [self.nodes + int(ports[-1]) + 2 * k for k in range(len(self.parts))]
        self.size = self.nodes + int(ports[-1]) + 2 * len(self.parts)

    def matrices(self) -> tuple[Any, Any]:
        for k, part in enumerate(self.parts):
            self._oscillator(k, part)
            self._law(k, part)
        first = self.rows
        for k, part in enumerate(self.parts):
            for end, node in enumerate(part.nodes):
                if node:
                    self.entries.append((first + node - 1, self.current[k] + end // 2, 1.0 - 2.0 * (end % 2)))
        out = []
        for triples in (self.rates, self.entries):
            matrix = np.zeros((self.size, self.size))
            for row, column, value in triples:
                matrix[row, column] += value
            out.append(matrix)
        return out[0], out[1]

    def _oscillator(self, k: int, part: Part) -> None:
        """(sin, cos)' = w (cos, -sin) for every part; a constant has w = 0, what is no source ignores it."""
        w = self._frequency(part)
        s = self.source[k]
        self.rates += [(self.rows, s, 1.0), (self.rows + 1, s + 1, 1.0)]
        self.entries += [(self.rows, s + 1, w), (self.rows + 1, s, -w)]
        self.rows += 2

    @staticmethod
    def _frequency(part: Part) -> float:
        return 2 * np.pi * part.values[1] if part.kind in ("VS", "IS") else 0.0

    def initial_sources(self, z: Any) -> None:
        for k, part in enumerate(self.parts):
            phase = part.values[2] if part.kind in ("VS", "IS") else np.pi / 2
            z[self.source[k]] = part.values[0] * np.sin(phase)
            z[self.source[k] + 1] = part.values[0] * np.cos(phase)

    def _voltage(self, row: int, nodes: tuple[int, ...], factor: float, into: list[tuple[int, int, float]]) -> None:
        for node, sign in zip(nodes, (1.0, -1.0), strict=True):
            if node:
                into.append((row, node - 1, sign * factor))

    def _law(self, k: int, part: Part) -> None:
        row, i, x, nodes = self.rows, self.current[k], part.values[0], part.nodes
        v = self._voltage
        here = self.entries
        self.rows += len(nodes) // 2
        match part.kind:
            case "R":
                v(row, nodes, 1.0, here)
                here.append((row, i, -x))
            case "C":
                v(row, nodes, x, self.rates)
                here.append((row, i, 1.0))
            case "L":
                v(row, nodes, 1.0, here)
                self.rates.append((row, i, x))
            case "V" | "VS":
                v(row, nodes, 1.0, here)
                here.append((row, self.source[k], -1.0))
            case "I" | "IS":
                here.extend([(row, i, 1.0), (row, self.source[k], -1.0)])
            case "T":
                v(row, nodes[:2], 1.0, here)
                v(row, nodes[2:], -x, here)
                here.extend([(row + 1, i + 1, 1.0), (row + 1, i, x)])
            case "G":
                here.extend([(row, i, 1.0), (row + 1, i + 1, 1.0)])
                v(row, nodes[2:], -part.values[1], here)
                v(row + 1, nodes[:2], x, here)
            case "VCV":
                here.append((row, i, 1.0))
                v(row + 1, nodes[2:], 1.0, here)
                v(row + 1, nodes[:2], -x, here)
            case "VCC":
                here.extend([(row, i, 1.0), (row + 1, i + 1, 1.0)])
                v(row + 1, nodes[:2], -x, here)
            case "CCV":
                v(row, nodes[:2], 1.0, here)
                v(row + 1, nodes[2:], 1.0, here)
                here.append((row + 1, i, -x))
            case "CCC":
                v(row, nodes[:2], 1.0, here)
                here.extend([(row + 1, i + 1, 1.0), (row + 1, i, -x)])


class Oracle:
    """The solution of a circuit from consistent initial values; `regular` says whether there is a unique one."""

    def __init__(self, parts: list[Part]) -> None:
        self.equations = _Equations(parts)
        rates, here = self.equations.matrices()
        pencil = here - _SHIFT * rates
        sizes = np.linalg.svd(pencil, compute_uv=False)
        self.margin = sizes[-1] / sizes[0]
        self.regular = bool(self.margin > _SINGULAR)
        if self.regular:
            self._find_solutions(np.linalg.solve(pencil, rates))

    def _find_solutions(self, m: Any) -> None:
        """V and J: bases of the ranges of M, M^2, ... until the rank does not fall any more."""
        basis = np.eye(len(m))
        self.gap = np.inf
        while True:
            inner = basis.T @ m @ basis
            u, s, _ = np.linalg.svd(inner)
            rank = int((s > 1e-9 * max(s[0], 1.0)).sum())
            if 0 < rank:
                self.gap = min(self.gap, s[rank - 1] / max(s[0], 1.0))
            if rank == len(inner):
                break
            basis = basis @ u[:, :rank]
        self.basis = basis
        self.rate = _SHIFT * np.eye(basis.shape[1]) + np.linalg.inv(inner)

    @property
    def horizon(self) -> float:
        """A second, or less where controlled sources make a circuit so unstable that it grows a million times."""
        fastest = float(np.linalg.eigvals(self.rate).real.max(initial=0.0))
        return min(1.0, _MOST_GROWTH / max(fastest, _MOST_GROWTH))

    def consistent(self, z: Any) -> Any:
        """The nearest point through which a solution goes."""
        return self.basis @ (self.basis.T @ z)

    def at(self, z: Any, time: float) -> Any:
        """The solution a time later."""
        return self.basis @ scipy.linalg.expm(self.rate * time) @ (self.basis.T @ z)

    def point(self, solution: tg.Solution, index: int) -> Any:
        """z of a simulation at one of its instants; the sources are as their definition has them at time zero."""
        equations = self.equations
        z = np.zeros(equations.size)
        for k, part in enumerate(equations.parts):
            ends = ("p", "n") if len(part.nodes) == 2 else ("p1", "n1", "p2", "n2")
            for end, node in zip(ends, part.nodes, strict=True):
                if node:
                    z[node - 1] = solution[f"e{k}.{end}.v"][index]
            names = ("i",) if len(part.nodes) == 2 else ("i1", "i2")
            for port, name in enumerate(names):
                z[equations.current[k] + port] = solution[f"e{k}.{name}"][index]
        equations.initial_sources(z)
        return z


def fault(compiled: tg.CompiledModel, oracle: Oracle, solver: str) -> str:
    """What is wrong with a run of a regular circuit, in a few words; nothing where it agrees with the oracle.

    Initial values lie in the space of solutions up to rounding. At the end a thousand tolerances are allowed, of the
    largest potential or current: errors of the integration grow as the circuit lets them.
    """
    stop = oracle.horizon
    try:
        solution = compiled.simulate(stop, points=2, solver=solver, rtol=RTOL, throw=True)
    except tg.TellegenError as error:
        resistors_alone = error.code == _WITHOUT_STATES  # such a circuit needs no integrator
        return "" if resistors_alone else f"{solver} {error.code}"
    start = oracle.point(solution, 0)
    if _difference(oracle.consistent(start), start) > RTOL:
        return f"{solver} inconsistent start"
    size = oracle.equations.source[0]
    found = oracle.point(solution, -1)[:size]
    wrong = _difference(found, oracle.at(start, stop)[:size]) > 1e3 * RTOL
    return f"{solver} wrong" if wrong else ""


def _difference(a: Any, b: Any) -> float:
    """The largest one, of the largest value or of one."""
    return float(np.abs(a - b).max() / (1.0 + np.abs(b).max()))
