"""Random networks of modules, written as MDL with configurations in it, and their solution by matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

INPUTS = {"gain": 1, "integrator": 1, "sum": 2}


@dataclass
class RandomModules:
    """Modules by number: kind, gain, drivers (numbers of modules; -1 is the input), and the group each is put into."""

    kinds: list[str]
    gains: list[float]
    starts: list[float]
    drivers: list[list[int]]
    groups: list[int]  # -1: in the outermost configuration

    def text(self) -> str:
        """The network as MDL: a configuration for each group, one around them, and one around that."""
        modules = [self._group(group) for group in sorted(set(self.groups) - {-1})]
        return "\n".join([*modules, self._top(), _AROUND])

    def path(self, module: int) -> str:
        """Where a module is."""
        group = self.groups[module]
        return f"all.m{module}" if group < 0 else f"all.g{group}.m{module}"

    def _submodules(self, members: list[int]) -> str:
        return " ".join(f"m{k} isa module {self.kinds[k]};" for k in members)

    def _initialization(self, members: list[int]) -> str:
        gains = [f"setParam(m{k}, [{self.gains[k]!r}]);" for k in members if self.kinds[k] == "gain"]
        starts = [f"setState(m{k}, [{self.starts[k]!r}]);" for k in members if self.kinds[k] == "integrator"]
        return " ".join([*gains, *starts])

    def _members(self, group: int) -> list[int]:
        return [k for k, own in enumerate(self.groups) if own == group]

    def _incoming(self, group: int) -> list[int]:
        """What members of a group read from outside: its inputs, in this order."""
        inside = set(self._members(group))
        return sorted({driver for k in inside for driver in self.drivers[k]} - inside)

    def _group(self, group: int) -> str:
        members = self._members(group)
        incoming = self._incoming(group)
        lines = []
        for k in members:
            for port, driver in enumerate(self.drivers[k]):
                source = f"m{driver}.out[0]" if driver in members else f"in[{incoming.index(driver)}]"
                lines.append(f"m{k}.in[{port}] @ {source};" if k % 2 else f"{source} @ m{k}.in[{port}];")
        lines += [f"m{k}.out[0] @ out[{port}];" for port, k in enumerate(members)]
        return (
            f"module group{group} isa configuration with\n"
            f"interface declare(inputs, {len(incoming)}); declare(outputs, {len(members)});\n"
            f"submodules {self._submodules(members)}\nconnections {' '.join(lines)}\n"
            f"initialization {self._initialization(members)}\nendmodule;"
        )

    def _source(self, driver: int) -> str:
        """The output of a module as the outermost configuration sees it."""
        if driver < 0:
            return "in[0]"
        group = self.groups[driver]
        return f"m{driver}.out[0]" if group < 0 else f"g{group}.out[{self._members(group).index(driver)}]"

    def _top(self) -> str:
        free = self._members(-1)
        groups = sorted(set(self.groups) - {-1})
        lines = [f"{self._source(d)} @ m{k}.in[{port}];" for k in free for port, d in enumerate(self.drivers[k])]
        lines += [
            f"{self._source(driver)} @ g{group}.in[{port}];"
            for group in groups
            for port, driver in enumerate(self._incoming(group))
        ]
        lines.append(f"{self._source(len(self.kinds) - 1)} @ out[0];")
        names = " ".join(f"g{group} isa module group{group};" for group in groups)
        return (
            "module everything isa configuration with\ninterface declare(inputs, 1); declare(outputs, 1);\n"
            f"submodules {self._submodules(free)} {names}\nconnections {' '.join(lines)}\n"
            f"initialization {self._initialization(free)}\nendmodule;"
        )

    def matrices(self) -> tuple[Any, Any, Any]:
        """All outputs y = F y + x (integrators) + h u: F, the numbers of the integrators, h."""
        count = len(self.kinds)
        f = np.zeros((count, count))
        h = np.zeros(count)
        for k, kind in enumerate(self.kinds):
            weights = {"gain": [self.gains[k]], "sum": [1.0, -1.0], "integrator": [0.0]}[kind]
            for weight, driver in zip(weights, self.drivers[k], strict=True):
                if driver < 0:
                    h[k] += weight
                else:
                    f[k, driver] += weight
        return f, [k for k, kind in enumerate(self.kinds) if kind == "integrator"], h

    def pattern(self) -> tuple[Any, Any]:
        """Which outputs each output reads, and which read the input; what cancels is read all the same."""
        count = len(self.kinds)
        reads = np.zeros((count, count), bool)
        direct = np.zeros(count, bool)
        for k, kind in enumerate(self.kinds):
            for driver in self.drivers[k] if kind != "integrator" else ():
                if driver < 0:
                    direct[k] = True
                else:
                    reads[k, driver] = True
        return reads, direct

    def outputs(self, u: float, t: float) -> Any:
        """All outputs at a time, by the matrix exponential."""
        f, states, h = self.matrices()
        inverse = np.linalg.inv(np.eye(len(self.kinds)) - f)
        rates = np.zeros((len(states), len(self.kinds) + 1))  # of the states, by outputs and input
        for row, k in enumerate(states):
            rates[row, self.drivers[k][0]] = 1.0  # -1, the input, is the last column
        by_states = np.vstack([inverse[:, states], np.zeros(len(states))])
        by_input = np.append(inverse @ h, 1.0)
        whole = np.zeros((len(states) + 1, len(states) + 1))
        whole[:-1, :-1] = rates @ by_states
        whole[:-1, -1] = rates @ by_input
        begin = np.append([self.starts[k] for k in states], u)
        end = scipy.linalg.expm(whole * t) @ begin
        return inverse[:, states] @ end[:-1] + inverse @ h * u


_AROUND = """
module around isa configuration with
interface declare(inputs, 1); declare(outputs, 1);
submodules all isa module everything;
connections in[0] @ all.in[0]; all.out[0] @ out[0];
initialization endmodule;
"""


def random_modules(rng: np.random.Generator) -> RandomModules:
    """A few modules that drive each other, algebraic loops included where they have a solution far from singular."""
    while True:
        count = int(rng.integers(3, 10))
        kinds = [str(rng.choice(list(INPUTS), p=[0.35, 0.4, 0.25])) for _ in range(count)]
        gains = rng.uniform(-1.5, 1.5, count).round(3).tolist()
        starts = rng.uniform(-1.0, 1.0, count).round(3).tolist()
        drivers = [rng.integers(-1, count, INPUTS[kind]).tolist() for kind in kinds]
        groups = rng.integers(-1, 3, count).tolist()
        made = RandomModules(kinds, gains, starts, drivers, groups)
        f, states, _ = made.matrices()
        if states and np.linalg.cond(np.eye(count) - f) < 50.0:
            return made
