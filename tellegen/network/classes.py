"""What kind of element an edge is, read off the form of its terminal equation.

    v given by time and signals              across driver            f given so      through driver
    v given by variables of other edges      generalized across d.    f given so      generalized through driver
    highest derivative is of v, order n      accumulator of order n   of f            delay of order n
    v and f, equally often differentiated    algebraic

An edge is judged by its own two variables; those of other edges of the component are foreign even if differentiated.
Of k edges and k equations each edge has one equation, preferably one with both of its variables. Where there are
several ways (an ideal transformer: either side may be given by the other) all are kept, and the whole graph decides.
"""

from __future__ import annotations

from itertools import permutations

from tellegen.ir.expressions.expr import Expr, Time, walk
from tellegen.network.local import Symbols
from tellegen.start.records import dataclass
from tellegen.symbolic.build import is_zero
from tellegen.symbolic.solve import affine

ACROSS = "across driver"
ACCUMULATOR = "accumulator"
ALGEBRAIC = "algebraic"
DELAY = "delay"
THROUGH = "through driver"
UNKNOWN = "unclassified"
_MOST_EDGES = 6  # of a component for which all ways are tried


@dataclass(frozen=True, slots=True)
class EdgeClass:
    """The class of an edge and its terminal equation's number; `foreign` if variables of other edges give the value."""

    name: str
    order: int = 0
    foreign: bool = False
    equation: int = -1
    zero: bool = False  # a driver of the value zero: a reference, an ideal meter, an open terminal
    constant: bool = False  # a driver that only parameters give
    integrals: int = 0  # of a driver: how often what is given has to be integrated, der(phi) == w once

    @property
    def rank(self) -> int:
        """Cost in the tree: drivers, accumulators (high order first), algebraic, delays (high order first), drivers."""
        if self.name == ACROSS:
            return 1 if self.foreign else 0
        if self.name == ACCUMULATOR:
            return 100 - self.order
        if self.name == DELAY:
            return 300 - self.order
        if self.name == THROUGH:
            return 301 if self.foreign else 302
        return 200

    def __str__(self) -> str:
        if self.order:
            ordinal = {1: "first", 2: "second", 3: "third"}.get(self.order, f"{self.order}th")
            return f"{ordinal}-order {self.name}"
        return f"generalized {self.name}" if self.foreign else self.name


Alternative = tuple[EdgeClass, ...]
"""A class for each edge of a component."""


def alternatives(count: int, equations: list[Expr], symbols: Symbols) -> list[Alternative]:
    """The ways to classify the edges 0..count-1 of a component; at least one."""
    judged = [[_judge(edge, k, equation, symbols) for k, equation in enumerate(equations)] for edge in range(count)]
    if count > _MOST_EDGES or len(equations) > _MOST_EDGES + 2:
        return [_one_by_one(judged)]
    best = -1
    found = []
    for chosen in permutations(range(len(equations)), count) if len(equations) >= count else ():
        classes = tuple(judged[edge][k] for edge, k in enumerate(chosen))
        if any(each is None for each in classes):
            continue
        score = sum(each.name not in (ACROSS, THROUGH) for each in classes if each is not None)
        if score >= best:
            found = [classes] if score > best else [*found, classes]
            best = score
    ways: dict[tuple[tuple[str, int, bool], ...], Alternative] = {}
    for way in found:
        ways.setdefault(tuple((c.name, c.order, c.foreign) for c in way if c is not None), way)  # type: ignore[arg-type]
    return list(ways.values()) or [_one_by_one(judged)]


def _one_by_one(judged: list[list[EdgeClass | None]]) -> Alternative:
    """Each edge on its own: the first equation with both variables, else the first with one."""
    out: list[EdgeClass] = []
    for row in judged:
        known = [each for each in row if each is not None]
        known.sort(key=lambda each: each.name in (ACROSS, THROUGH))
        out.append(known[0] if known else EdgeClass(UNKNOWN))
    return tuple(out)


def _judge(edge: int, k: int, equation: Expr, symbols: Symbols) -> EdgeClass | None:
    """What equation k makes of an edge; None if none of the edge's variables occurs in it."""
    own: dict[str, list[int]] = {"across": [], "through": []}
    foreign = False
    for symbol in symbols.inside(equation):
        if symbol.kind in own and symbol.position == edge:
            own[symbol.kind].append(symbol.order)
        elif symbol.kind in own:
            foreign = True
    across = own["across"]
    through = own["through"]
    if not across and not through:
        return None
    if not across or not through:
        name = ACROSS if across else THROUGH
        zero = not foreign and _is_zero(edge, equation, symbols)
        others = [
            s for s in symbols.inside(equation) if s.kind != "parameter" and (s.kind not in own or s.position != edge)
        ]
        constant = not foreign and not others and not any(isinstance(node, Time) for node in walk(equation))
        integrals = max(across or through)
        return EdgeClass(name, foreign=foreign, equation=k, zero=zero, constant=constant, integrals=integrals)
    high = max(across) - max(through)
    if high == 0:
        return EdgeClass(ALGEBRAIC, equation=k)
    return EdgeClass(ACCUMULATOR if high > 0 else DELAY, max(*across, *through), equation=k)


def _is_zero(edge: int, equation: Expr, symbols: Symbols) -> bool:
    """Whether the equation says that the edge's variable (not a derivative of it) is zero."""
    leaf = next(s for s in symbols.inside(equation) if s.kind in ("across", "through") and s.position == edge)
    parts = affine(equation, symbols.slot(leaf))
    return parts is not None and is_zero(parts[1]) and not leaf.order
