"""Random hybrid models as data: as Python components and as Modelica text. hybrid_oracle.py integrates them by SciPy.

Linear states that sines drive, an implicit equation y + tanh(y)/2 = ..., an if-equation for z, and when-clauses with
reinits, held values, samples and elsewhen. Expressions are strings over X0, X1, ... (states divided by their sizes),
P0, ... (the same before the event), D0, ... and Q0, ... (held values now and before) and Y.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

import tellegen as tg

FUNCTIONS = {"sin": np.sin, "tanh": np.tanh}
STOP = 6.0  # in units of `time`


@dataclass(frozen=True)
class Relation:
    """what > level, or what < level."""

    what: str
    operator: str
    level: float

    def value(self, names: dict[str, Any]) -> float:
        """Positive where it holds."""
        difference = float(eval(self.what, FUNCTIONS, names)) - self.level
        return difference if self.operator == ">" else -difference

    def __str__(self) -> str:
        return f"{self.what} {self.operator} {self.level!r}"


@dataclass(frozen=True)
class Sample:
    """The ticks of a clock."""

    start: float
    period: float


@dataclass(frozen=True)
class Branch:
    """Of a when-clause: new values of states and of held values, by their numbers."""

    condition: Relation | Sample
    reinits: tuple[tuple[int, str], ...]
    sets: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Hybrid:
    """A model: x' = A x + b sin(w t + p) + by_z z + by_y y + by_d d, in units of `sizes` and `time`."""

    A: Any
    b: Any
    w: Any
    p: Any
    by_z: Any
    by_y: Any
    by_d: Any
    start: Any
    held: Any  # the start values of d
    y_right: str
    z_condition: Relation
    z_yes: str
    z_no: str
    clauses: tuple[tuple[Branch, ...], ...]
    sizes: Any
    time: float

    @property
    def chains(self) -> bool:
        """Whether a held value sets off a clause: a reinit beside it then acts before in Python, after in Modelica."""
        branches = [branch for clause in self.clauses for branch in clause]
        return any(isinstance(each.condition, Relation) and "D" in each.condition.what for each in branches)


class _Draw:
    """Random pieces of a model with some states."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.states = int(self.random.integers(2, 5))

    def number(self, low: float, high: float) -> float:
        return round(float(self.random.uniform(low, high)), 3)

    def row(self, low: float, high: float, shape: Any) -> Any:
        return np.round(self.random.uniform(low, high, shape), 3)

    def state(self, letter: str = "X") -> str:
        return f"{letter}{self.random.integers(self.states)}"

    def relation(self) -> Relation:
        first = "Y" if self.random.random() < 0.25 else self.state()
        more = f" + {self.number(-1, 1)}*{self.state()}" if self.random.random() < 0.5 else ""
        return Relation(first + more, str(self.random.choice([">", "<"])), self.number(-0.8, 0.8))

    def branch(self, condition: Relation | Sample, k: int) -> Branch:
        reinits: tuple[tuple[int, str], ...] = ()
        if self.random.random() < 0.6:
            i = int(self.random.integers(self.states))
            value = (
                f"{self.number(-0.9, 0.9)}*P{i} + {self.number(-0.4, 0.4)}*{self.state('P')} + {self.number(-0.3, 0.3)}"
            )
            reinits = ((i, value),)
        held = f"{self.number(-0.6, 0.6)}*Q{k} + {self.number(-0.5, 0.5)}*{self.state('P')} + {self.number(-1, 1)}"
        return Branch(condition, reinits, ((k, held),))

    def clause(self, k: int) -> tuple[Branch, ...]:
        kind = self.random.choice(["edge", "sample", "two", "chain"], p=[0.4, 0.25, 0.25, 0.1])
        if kind == "sample":
            return (self.branch(Sample(self.number(0.05, 0.9), self.number(0.3, 1.5)), k),)
        if kind == "chain" and k > 0:
            return (self.branch(Relation(f"D{k - 1}", ">", self.number(-0.3, 0.5)), k),)
        count = 2 if kind == "two" else 1
        return tuple(self.branch(self.relation(), k) for _ in range(count))


def random_hybrid(seed: int, scaled: bool = False) -> Hybrid:
    """A model; `scaled` with states of 1e-12 to 1e9 and a time scale of 1e-6 to 1e5 seconds."""
    draw = _Draw(seed)
    random = draw.random
    n = draw.states
    k = int(random.integers(1, 4))
    A = random.normal(0.0, 1.0, (n, n))
    A = A - A.T * random.uniform(0.3, 1.0) - np.diag(random.uniform(0.1, 1.0, n))
    switch = int(random.integers(n))
    by_z = draw.row(-1, 1, n)
    by_z[switch] = 0.0  # else it could slide along its own condition
    return Hybrid(
        A=np.round(A, 3),
        b=draw.row(-1.5, 1.5, n),
        w=draw.row(0.3, 4, n),
        p=draw.row(0, 6, n),
        by_z=by_z,
        by_y=draw.row(-0.5, 0.5, n),
        by_d=draw.row(-1, 1, (n, k)),
        start=draw.row(-1, 1, n),
        held=draw.row(-1, 1, k),
        y_right=f"{draw.number(-1, 1)}*{draw.state()} + {draw.number(-1, 1)}*{draw.state()}",
        z_condition=Relation(f"X{switch}", ">", draw.number(-0.5, 0.5)),
        z_yes=f"{draw.number(-1, 1)}*{draw.state()} + {draw.number(-1, 1)}",
        z_no=f"{draw.number(-1, 1)}*{draw.state()}",
        clauses=tuple(draw.clause(number) for number in range(k)),
        sizes=10.0 ** random.uniform(-12, 9, n) if scaled else np.ones(n),
        time=10.0 ** random.uniform(-6, 5) if scaled else 1.0,
    )


# -- as a component ------------------------------------------------------------------------------------------------
def component_of(model: Hybrid) -> tg.Component:
    """The model in Python."""
    n = len(model.start)
    k = len(model.held)

    class Random(tg.Component):
        x = tg.variable(shape=n, start=list(model.start * model.sizes), fixed=True)
        d = tg.variable(shape=k, discrete=True, start=list(model.held))
        y = tg.variable()
        z = tg.variable()

        def equations(self) -> Any:
            names: dict[str, Any] = {"Y": self.y}
            for i, size in enumerate(model.sizes.tolist()):
                names |= {f"X{i}": self.x[i] / size, f"P{i}": tg.pre(self.x[i]) / size}
            for j in range(k):
                names |= {f"D{j}": self.d[j], f"Q{j}": tg.pre(self.d[j])}

            def read(text: object) -> Any:
                return eval(str(text), {"tanh": tg.tanh}, names)

            x = [names[f"X{i}"] for i in range(n)]
            for i in range(n):
                sine = model.b[i] * tg.sin(float(model.w[i]) * tg.time / model.time + float(model.p[i]))
                held = sum((float(model.by_d[i, j]) * self.d[j] for j in range(k)), 0.0)
                linear = sum((float(model.A[i, j]) * x[j] for j in range(n)), 0.0)
                right = linear + sine + float(model.by_z[i]) * self.z + float(model.by_y[i]) * self.y + held
                yield tg.der(self.x[i]) == float(model.sizes[i] / model.time) * right
            yield self.y + 0.5 * tg.tanh(self.y) == read(model.y_right)
            yield self.z == tg.where(read(model.z_condition), read(model.z_yes), read(model.z_no))
            for clause in model.clauses:
                whens = [(self._condition(branch, read), self._actions(branch, read)) for branch in clause]
                statement = tg.when(whens[0][0], *whens[0][1])
                for condition, actions in whens[1:]:
                    statement = statement.elsewhen(condition, *actions)
                yield statement

        def _condition(self, branch: Branch, read: Any) -> Any:
            if isinstance(branch.condition, Sample):
                return tg.sample(branch.condition.start * model.time, branch.condition.period * model.time)
            return read(branch.condition) & ~tg.initial()

        def _actions(self, branch: Branch, read: Any) -> list[Any]:
            jumps = [tg.reinit(self.x[i], float(model.sizes[i]) * read(value)) for i, value in branch.reinits]
            return [*jumps, *(self.d[j] == read(value) for j, value in branch.sets)]

    return Random()


# -- as Modelica text ----------------------------------------------------------------------------------------------
def modelica_of(model: Hybrid) -> str:
    """The model in Modelica; in when-clauses the names of states are their values before reinits."""
    lines = [
        "model Random",
        f"  parameter Integer n = {len(model.start)};",
        f"  parameter Integer k = {len(model.held)};",
        f"  parameter Real S[n] = {_array(model.sizes)};",
        f"  parameter Real T = {model.time!r};",
        f"  parameter Real A[n, n] = {_array(model.A)};",
        f"  parameter Real by_d[n, k] = {_array(model.by_d)};",
        *(f"  parameter Real {name}[n] = {_array(getattr(model, name))};" for name in ("b", "w", "p", "by_z", "by_y")),
        f"  parameter Real x0[n] = {_array(model.start)};",
        "  Real x[n](start = x0.*S, each fixed = true), y, z;",
        f"  discrete Real d[k](start = {_array(model.held)}, each fixed = true);",
        "equation",
        "  der(x) = (S/T).*(A*(x./S) + b.*sin(w*time/T + p) + by_z*z + by_y*y + by_d*d);",
        f"  y + 0.5*tanh(y) = {_modelica(model.y_right)};",
        f"  if {_modelica(str(model.z_condition))} then",
        f"    z = {_modelica(model.z_yes)};",
        "  else",
        f"    z = {_modelica(model.z_no)};",
        "  end if;",
    ]
    for clause in model.clauses:
        for number, branch in enumerate(clause):
            lines.append(f"  {'elsewhen' if number else 'when'} {_modelica_condition(branch, model.time)} then")
            lines += [f"    reinit(x[{i + 1}], S[{i + 1}]*({_modelica(value)}));" for i, value in branch.reinits]
            lines += [f"    d[{j + 1}] = {_modelica(value)};" for j, value in branch.sets]
        lines.append("  end when;")
    return "\n".join([*lines, "end Random;", ""])


def _modelica_condition(branch: Branch, time: float) -> str:
    condition = branch.condition
    if isinstance(condition, Sample):
        return f"sample({condition.start * time!r}, {condition.period * time!r})"
    return _modelica(str(condition))


def _array(values: Any) -> str:
    parts = (_array(each) if np.ndim(each) else repr(float(each)) for each in values)
    return "{" + ", ".join(parts) + "}"


def _modelica(text: str) -> str:
    """An expression; Modelica has no sign behind an operator."""
    text = re.sub(r"(?<=[*+<>] )(-[\d.]+)|(?<=\*)(-[\d.]+)", r"(\1\2)", text)
    text = re.sub(r"\b[XP](\d+)\b", lambda found: f"(x[{int(found[1]) + 1}]/S[{int(found[1]) + 1}])", text)
    text = re.sub(r"\bD(\d+)\b", lambda found: f"d[{int(found[1]) + 1}]", text)
    return re.sub(r"\bQ(\d+)\b", lambda found: f"pre(d[{int(found[1]) + 1}])", text).replace("Y", "y")
