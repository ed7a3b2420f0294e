"""From tg.invariant to stamps: a row for each partial derivative, over the slots residual, state and derivative."""

from __future__ import annotations

from tellegen.frontends.python.declarations.invariant import Invariant, Partial, symbols_of
from tellegen.frontends.python.expressions.symbol import Literal, Symbol
from tellegen.frontends.python.tracing.trace import Naming, Tracer
from tellegen.ir.expressions.template import InvariantTemplate, SlotInfo
from tellegen.ir.model import Ref, Stamp
from tellegen.ir.source_location import SourceLocation


def trace_invariant(naming: Naming, statement: Invariant, location: SourceLocation, cls: str) -> list[Stamp]:
    """One stamp for each state (or array of states) that is named."""
    return [_stamp(naming, partial, location, cls) for partial in statement.partials]


def _stamp(naming: Naming, partial: Partial, location: SourceLocation, cls: str) -> Stamp:
    grid = partial.derivative.shape
    slots = []
    refs = []
    for symbol in symbols_of(partial):
        slot, ref = _slot(Tracer(naming, grid, location), symbol)
        slots.append(slot)
        refs.append(ref)
    template = InvariantTemplate(slots=tuple(slots), owner=cls, location=location)
    return Stamp(template, tuple(refs), max(len(ref.elements) for ref in refs), "invariant")


def _slot(tracer: Tracer, symbol: Symbol) -> tuple[SlotInfo, Ref]:
    """What a symbol stands for, with an element for each row; a tracer by itself, for two slots may hold the same."""
    if isinstance(symbol, Literal):
        tracer.number(symbol)
    else:
        tracer.expr(symbol)
    return tracer.slots[0], tracer.refs[0]
