"""`.measure` of runs over time: numbers read off curves.

    .meas tran top MAX v(out) FROM=1m TO=2m                     also MIN PP AVG RMS INTEG MAX_AT MIN_AT
    .meas tran rise TRIG v(out) VAL=0.5 RISE=1 TARG v(out) VAL=4.5 RISE=1
    .meas tran late WHEN v(out)=2.5 FALL=LAST
    .meas tran there FIND v(out) WHEN v(in)=1 CROSS=2           also FIND v(out) AT=1m

Crossings are bracketed between points of the solution and located on its dense output.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy

import tellegen as tg
from tellegen.errors import NetlistError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass

_SIGNAL = r"[vi]\s*\([^()]*\)"
_PAIR = re.compile(r"([a-z_]+)\s*=\s*(\{[^}]*\}|'[^']*'|\S+)")
_WHEN = re.compile(rf"({_SIGNAL})\s*=\s*({_SIGNAL}|\{{[^}}]*\}}|\S+)")
_EDGES = {"rise": 1.0, "fall": -1.0, "cross": 0.0}
_LAST = "last"
_SAME = 1e-9  # of the largest distance from the level: nearer is at it

Value = Callable[[str], float]


@dataclass(frozen=True, eq=False)
class Curves:
    """A solution, and how signals of a netlist are read from it."""

    solution: tg.Solution
    nodes: dict[str, str]
    value: Value  # a number of the netlist, or an expression in braces
    location: SourceLocation

    def of(self, signal: str, at: float | None = None) -> Any:
        """v(a), v(a,b) or i(v1): at all points, or at an instant."""
        rows: Any = self.solution if at is None else self.solution.at(at)
        kind, inside = re.match(r"([vi])\s*\(([^()]*)\)", signal.strip()).groups()  # type: ignore[union-attr]
        names = [name.strip() for name in inside.split(",")]
        if kind == "i":
            return rows[f"{names[0]}.i"]
        first, *others = (0.0 if name == "0" else rows[f"{self._node(name)}.v"] for name in names)
        return first - others[0] if others else first

    def _node(self, name: str) -> str:
        if name not in self.nodes:
            raise self.wrong(f"there is no node '{name}'")
        return self.nodes[name]

    def wrong(self, what: str) -> NetlistError:
        """An error at the card."""
        advice = ".meas tran top MAX v(out), TRIG ... TARG ..., WHEN v(out)=1 RISE=1, FIND v(out) AT=1m"
        return NetlistError("E506", f".measure: {what}", location=self.location, advice=advice)


def measured(text: str, curves: Curves) -> float:
    """The number that a card after `.meas tran name` asks for; NaN where a curve never gets there."""
    head = text.split(maxsplit=1)[0] if text else ""
    if head in _OF_CURVE:
        return _of_curve(head, text.split(maxsplit=1)[1] if " " in text else "", curves)
    if head == "trig" and " targ " in text:
        first, second = text.split(" targ ", 1)
        return _instant(second, curves) - _instant(first.removeprefix("trig"), curves)
    if head == "when":
        return _when(text.removeprefix("when"), curves)
    if head == "find":
        return _found(text.removeprefix("find"), curves)
    raise curves.wrong(f"'{text}' is not understood")


def _of_curve(kind: str, rest: str, curves: Curves) -> float:
    signal = re.match(_SIGNAL, rest)
    if signal is None:
        raise curves.wrong(f"'{rest}' names no signal")
    options = _options(rest[signal.end() :], curves, ("from", "to", "td"))
    t = curves.solution.time
    begin = float(t[0])
    end = float(t[-1])
    start = max(options.get("from", begin), options.get("td", begin))
    stop = min(options.get("to", end), end)
    if not start < stop:
        raise curves.wrong(f"from {start:g} to {stop:g} s there is nothing")
    inside = (t > start) & (t < stop)
    times = np.concatenate([[start], t[inside], [stop]])
    y = np.concatenate([[curves.of(signal[0], start)], curves.of(signal[0])[inside], [curves.of(signal[0], stop)]])
    return float(_OF_CURVE[kind](times, y))


_OF_CURVE: dict[str, Callable[[FloatArray, FloatArray], Any]] = {
    "max": lambda _, y: y.max(),
    "min": lambda _, y: y.min(),
    "pp": lambda _, y: np.ptp(y),
    "avg": lambda t, y: np.trapezoid(y, t) / np.ptp(t),
    "rms": lambda t, y: np.sqrt(np.trapezoid(y**2, t) / np.ptp(t)),
    "integ": lambda t, y: np.trapezoid(y, t),
    "max_at": lambda t, y: t[np.argmax(y)],
    "min_at": lambda t, y: t[np.argmin(y)],
}


def _instant(text: str, curves: Curves) -> float:
    """`v(out) val=0.5 rise=1`, or `at=1m`."""
    signal = re.match(rf"\s*({_SIGNAL})", text)
    if signal is None:
        return _options(text, curves, ("at",)).get("at", np.nan)
    rest = text[signal.end() :]
    level = _options(_without(rest, *_EDGES, "td"), curves, ("val",)).get("val")
    if level is None:
        raise curves.wrong(f"'{text.strip()}' has no VAL=")
    return _crossing(lambda at: curves.of(signal[1], at) - level, rest, curves)


def _when(text: str, curves: Curves) -> float:
    """`v(out)=2.5 fall=last`, `v(a)=v(b)`."""
    found = _WHEN.match(text.strip())
    if found is None:
        raise curves.wrong(f"'when{text}' has no equation")
    left, right = found.groups()
    if re.fullmatch(_SIGNAL, right):
        return _crossing(lambda at: curves.of(left, at) - curves.of(right, at), text.strip()[found.end() :], curves)
    level = curves.value(right)
    return _crossing(lambda at: curves.of(left, at) - level, text.strip()[found.end() :], curves)


def _found(text: str, curves: Curves) -> float:
    """`v(out) when v(in)=1 cross=2`, `v(out) at=1m`."""
    signal = re.match(rf"\s*({_SIGNAL})", text)
    if signal is None:
        raise curves.wrong(f"'find{text}' names no signal")
    rest = text[signal.end() :].strip()
    at = _when(rest.removeprefix("when"), curves) if rest.startswith("when") else _instant(rest, curves)
    return float(curves.of(signal[1], at)) if np.isfinite(at) else np.nan


def _crossing(difference: Callable[[float | None], Any], options: str, curves: Curves) -> float:
    """The instant at which a difference has its n-th root, rising, falling or either."""
    given = {key: text for key, text in _PAIR.findall(options) if key in (*_EDGES, "td")}
    edge = next((key for key in _EDGES if key in given), "cross")
    t = curves.solution.time
    y = difference(None)
    late = t >= curves.value(given["td"]) if "td" in given else np.ones(len(t), bool)
    at_level = np.abs(y) <= _SAME * np.abs(y).max(initial=0.0)
    which = np.flatnonzero(_edges(np.where(at_level, 0.0, np.sign(y)), _EDGES[edge]) & late[1:])
    place = -1 if given.get(edge) == _LAST else int(curves.value(given.get(edge, "1"))) - 1
    if not -len(which) <= place < len(which):
        return np.nan
    k = which[place]
    a, b = float(t[k]), float(t[k + 1])
    if at_level[k]:
        return a
    if a == b or difference(a) * difference(b) > 0.0:  # it jumps there
        return b
    return float(scipy.optimize.brentq(difference, a, b, xtol=1e-15 * max(abs(b), 1e-30), rtol=1e-12))


def _edges(sign: FloatArray, direction: float) -> Any:
    """Steps in which a curve gets to the level, from below, from above or either (0).

    As in ngspice a curve that begins at the level rises where it leaves it upwards: a sine that starts at 0 has its
    first rise through 0 at its start.
    """
    rises = (sign[:-1] < 0.0) & (sign[1:] >= 0.0)
    begin = int(np.argmax(sign != 0.0))
    if begin > 0 and sign[begin] > 0.0:
        rises[begin - 1] = True
    falls = (sign[:-1] > 0.0) & (sign[1:] <= 0.0)
    return rises if direction > 0 else falls if direction < 0 else rises | falls


def _options(text: str, curves: Curves, known: tuple[str, ...]) -> dict[str, float]:
    """name=value of some names; nothing else may stand there."""
    found = dict(_PAIR.findall(text))
    if _PAIR.sub("", text).strip() or set(found) - set(known):
        raise curves.wrong(f"'{text.strip()}' is not understood")
    return {key: curves.value(value) for key, value in found.items()}


def _without(text: str, *names: str) -> str:
    return _PAIR.sub(lambda match: "" if match[1] in names else match[0], text)
