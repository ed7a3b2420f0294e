"""A compiled model with the kinks of min, max and abs as events, which a run that gets stuck is tried with."""

from __future__ import annotations

from tellegen.engine.loaded.native_model import NativeModel
from tellegen.variation.kinks import with_kinks_located


def kinks_as_events(compiled: NativeModel) -> NativeModel | None:
    """The model with its kinks as events, compiled once; None where it has none."""
    return compiled.derived(_made)


def _made(compiled: NativeModel) -> NativeModel | None:
    flat = with_kinks_located(compiled.flat)
    return None if flat is compiled.flat else compiled.recompiler.compile(flat)
