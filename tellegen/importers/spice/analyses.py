"""`tg.run_spice`: what the analysis cards of a netlist ask for, as SPICE does it.

.op                     tg.steady_state, with the DC values of the sources
.dc v1 0 5 0.1          tg.sweep; with a second source one sweep for each of its values
.ac dec 10 1 1meg       tg.frequency_response, from the sources that have AC amplitudes
.noise v(a) v1 dec ...  tg.noise
.tran 1u 1m             tg.simulate
.meas tran top MAX v(a) numbers of that run (measurements.py)
.step param r 1k 9k 1k  all of that for each value (steps.py)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.errors import NetlistError, users_call
from tellegen.importers.spice.changes import Change
from tellegen.importers.spice.measurements import Curves, measured
from tellegen.importers.spice.netlist.deck import Deck
from tellegen.importers.spice.netlist.scope import Scope
from tellegen.importers.spice.netlist.words import Card
from tellegen.importers.spice.read import Netlist, circuit_class
from tellegen.importers.spice.scripts.interpreter import Stage
from tellegen.importers.spice.small_signals import noise_spectrum, response, source_path
from tellegen.importers.spice.steps import all_changes
from tellegen.ir.model import FloatArray
from tellegen.sheet import Result, Table
from tellegen.start.records import dataclass

_KINDS = (".op", ".dc", ".ac", ".noise")
_MOST_POINTS = 1_000_000


@dataclass(frozen=True, eq=False, repr=False)
class SpiceRun(Result):
    """The results of a netlist: of each kind of analysis what the library's own function gives, None without a card."""

    name: str
    op: tg.SteadyState | None
    dc: tuple[tg.Sweep, ...]
    ac: tg.FrequencyResponse | None
    noise: tg.NoiseSpectrum | None
    tran: tg.Solution | None
    notes: tuple[str, ...]
    amplitudes: dict[str, complex]  # of the inputs of `ac`, by their paths
    measurements: dict[str, float]  # by name; NaN where a curve never gets there
    steps: tuple[SpiceStep, ...] = ()  # of .step and of scripts; what stands above is the first

    @property
    def success(self) -> bool:
        """Whether all analyses came to their end."""
        own = all(each.success for each in (*self.dc, *([self.tran] if self.tran else [])))
        return own and all(step.run.success for step in self.steps)

    @property
    def message(self) -> str:
        """What did not."""
        return "; ".join(each.message for each in (*self.dc, *([self.tran] if self.tran else [])) if not each.success)

    @users_call
    def ac_value(self, path: str) -> Any:
        """A variable in the AC analysis, with all sources at their amplitudes: complex, at `ac.frequencies`."""
        if self.ac is None:
            raise NetlistError("E508", "the netlist has no .ac", advice="write .ac dec 10 1 1meg")
        return sum(self.ac[path, given] * size for given, size in self.amplitudes.items())

    def _title(self) -> str:
        return f"SpiceRun of {self.name}"

    def _page(self) -> Iterable[Table | str]:
        rows = [(".op", repr(self.op))] if self.op is not None else []
        rows += [(".dc", repr(each)) for each in self.dc]
        rows += [(".ac", repr(self.ac))] if self.ac is not None else []
        rows += [(".noise", repr(self.noise))] if self.noise is not None else []
        rows += [(".tran", repr(self.tran))] if self.tran is not None else []
        yield Table(("analysis", "result"), rows)
        if self.measurements:
            yield Table(("measurement", "value"), [(name, f"{value:.6g}") for name, value in self.measurements.items()])
        if self.steps:
            rows = [(", ".join(f"{name} = {value:g}" for name, value in step.values.items()),) for step in self.steps]
            yield Table((".step",), rows)
        yield from self.notes


@dataclass(frozen=True, eq=False)
class SpiceStep:
    """One run of .step, or a stage of a script: the values of what was changed, by name, and the results with them."""

    values: dict[str, float]
    run: SpiceRun


@users_call
def run_spice(
    path: str | Path | None = None,
    *,
    parameters: Mapping[str, float] | None = None,
    leave_out: Sequence[str] = (),
    text: str | None = None,
) -> SpiceRun:
    """Run the analyses of a netlist: .op, .dc, .ac, .noise, .tran, for all values of .step and stages of a script.

    The arguments are those of tg.read_spice.
    """
    given = Netlist(path, text, dict(parameters or {}), tuple(leave_out))
    _, deck = circuit_class(given, static=True)
    scope = Scope(deck.top, None, {name.lower(): float(value) for name, value in given.parameters.items()})
    stepped = all_changes(deck, scope) or [()]
    runs = [((*chosen, *stage.changes), stage) for chosen in stepped for stage in deck.stages]
    if len(runs) == 1 and not runs[0][0]:
        return _run(given)
    steps = tuple(_step(given, chosen, stage) for chosen, stage in runs)
    return replace(steps[0].run, steps=steps)


def _step(given: Netlist, changes: tuple[Change, ...], stage: Stage) -> SpiceStep:
    """The analyses of a stage with its changes."""
    values = {change.label: change.value for change in changes}
    return SpiceStep(values, _run(replace(_changed(given, changes), stage=stage)))


def _changed(given: Netlist, changes: tuple[Change, ...]) -> Netlist:
    """A netlist with the values of one step, which go before those that the caller gave."""
    stepped = {change.name for change in changes if change.kind == "param"}
    kept = {name: value for name, value in given.parameters.items() if name.lower() not in stepped}
    return replace(given, parameters=kept, changes=changes)


def _run(given: Netlist) -> SpiceRun:
    """All analyses once."""
    cls, deck = circuit_class(given, static=True)
    if not deck.analyses and deck.tran is None:
        what = "the netlist has no analysis"
        raise NetlistError(
            "E506", what, location=deck.top.location, advice=".op, .dc v1 0 5 0.1, .ac dec 10 1 1meg, .tran 1u 1m"
        )
    scope = Scope(deck.top, None, {name.lower(): float(value) for name, value in given.parameters.items()})
    cards = {kind: [card for card in deck.analyses if card.words[0] == kind] for kind in _KINDS}
    if cards[".noise"] and cls.noiseless:
        what = f"'{cls.noiseless[0]}' is a BSIM4 transistor, whose noise is not computed"
        raise NetlistError(
            "E506", what, location=cards[".noise"][-1].location, advice="use a MOS model of level 1 to 3"
        )
    static = tg.compile(cls()) if deck.analyses else None
    amplitudes = {source_path(deck, name, deck.top.location): size for name, size in cls._sheet.oscillating.items()}
    tran = None
    measurements: dict[str, float] = {}
    if deck.tran is not None:
        moving = circuit_class(given)[0]
        tran = tg.simulate(moving())
        measurements = _measurements(deck, scope, tran, moving.nodes)
    return SpiceRun(
        deck.top.name,
        tg.steady_state(static) if cards[".op"] else None,
        tuple(found for card in cards[".dc"] for found in _sweeps(given, static, deck, card)),
        response(static, scope, cards[".ac"][-1], amplitudes) if cards[".ac"] else None,
        noise_spectrum(static, deck, scope, cards[".noise"][-1], cls.nodes) if cards[".noise"] else None,
        tran,
        tuple(note for note in cls.notes if "tg.run_spice" not in note),
        amplitudes,
        measurements,
    )


def _measurements(deck: Deck, scope: Scope, tran: tg.Solution, nodes: dict[str, str]) -> dict[str, float]:
    """What `.meas tran name ...` asks for, by name."""
    found: dict[str, float] = {}
    for line in deck.measurements:
        _, _, name, text = line.text.split(maxsplit=3)
        curves = Curves(tran, nodes, partial(scope.value, location=line.location), line.location)
        found[name] = measured(text.strip(), curves)
    return found


def _sweeps(given: Netlist, static: Any, deck: Deck, card: Card) -> list[tg.Sweep]:
    """`.dc v1 0 5 0.1 [v2 0 2 1]`: the first source changes fastest; the second may be the temperature."""
    scope = Scope(deck.top, None, {name.lower(): float(value) for name, value in given.parameters.items()})
    words = card.words[1:]
    if len(words) not in (4, 8):
        what = ".dc needs a source, start, stop and step"
        raise NetlistError("E506", what, location=card.location, advice=".dc v1 0 5 0.1")
    path = _swept(deck, card, words[0])
    values = _range(scope, card, words[1:4])
    if len(words) == 4:
        return [_sweep(static, path, values)]
    others = [float(value) for value in _range(scope, card, words[5:])]
    if words[4] == "temp":
        warm = [_changed(given, (*given.changes, Change("temp", "temp", celsius))) for celsius in others]
        return [_sweep(circuit_class(each, static=True)[0](), path, values) for each in warm]
    outer = _swept(deck, card, words[4])
    return [_sweep(static, path, values, {outer: value}) for value in others]


def _sweep(static: Any, path: str, values: FloatArray, parameters: dict[str, float] | None = None) -> tg.Sweep:
    """Of a source, also of one value."""
    given = parameters or {}
    if len(values) > 1:
        return tg.sweep(static, {path: values}, parameters=given)
    return tg.Sweep(path, (tg.steady_state(static, parameters={**given, path: float(values[0])}),), ())


def _swept(deck: Deck, card: Card, name: str) -> str:
    """The path of a source or resistor."""
    return source_path(deck, deck.top.part(name), card.location)


def _range(scope: Scope, card: Card, words: Sequence[str]) -> FloatArray:
    """From the first to the second number, by the third."""
    start, stop, step = (scope.plain(word, card.location) for word in words)
    count = (stop - start) / step if step else -1.0
    if not -1e-9 <= count < _MOST_POINTS:
        what = f".dc from {start:g} to {stop:g} in steps of {step:g} has no values"
        raise NetlistError("E506", what, location=card.location, advice=".dc v1 0 5 0.1")
    values: Any = start + step * np.arange(int(count + 1e-9) + 1)
    return values
