"""A compiled model with kinks as events, which a run that gets stuck is tried with.

First those of min, max and abs; then also the relations inside no_event and smooth, whatever these promise.
"""

from __future__ import annotations

from tellegen.engine.loaded.native_model import NativeModel
from tellegen.ir.flat import FlatModel
from tellegen.variation.kinks import with_kinks_located, with_promises_broken


def kinks_as_events(compiled: NativeModel) -> NativeModel | None:
    """The model with its kinks as events, compiled once; None where it has none."""
    return compiled.derived(_with_kinks)


def all_relations_as_events(compiled: NativeModel) -> NativeModel | None:
    """The same with the relations inside no_event and smooth; None where that makes no difference."""
    return compiled.derived(_with_all)


def _with_kinks(compiled: NativeModel) -> NativeModel | None:
    return _compiled(compiled, with_kinks_located(compiled.flat))


def _with_all(compiled: NativeModel) -> NativeModel | None:
    return _compiled(compiled, with_promises_broken(compiled.flat))


def _compiled(compiled: NativeModel, flat: FlatModel) -> NativeModel | None:
    return None if flat is compiled.flat else compiled.recompiler.compile(flat)
