"""Garbage collection paused while many objects are made that stay: a tree, a model, the modules of a stage.

CPython looks through all objects of a process again and again while their number grows. Where none of them is garbage
that finds nothing, and takes from a tenth (imports) to two thirds (copies of components) of the time.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_FEW = 5_000
"""Young objects that are looked through in less time than it takes to find out whether any object is frozen."""


@contextmanager
def collection_paused() -> Iterator[None]:
    """No garbage collection inside of this block."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def lasting() -> Iterator[None]:
    """No garbage collection inside of this block, and none of its objects is young after it.

    For modules and syntax trees, which stay until the end. Left young they would be looked through two or three times
    until they are old; freezing and unfreezing moves all objects to the oldest generation without a look at them. Where
    the user froze objects (before a fork, say) these stay frozen.
    """
    with collection_paused():
        yield
        if gc.get_count()[0] > _FEW and not _USERS.has_frozen():
            gc.freeze()
            gc.unfreeze()


class _FrozenObjects:
    """Whether the user froze objects. CPython counts them one by one, 20 ms for a million: it is asked until it is so.

    Who unfreezes them later loses nothing but the time that `lasting` would save.
    """

    _are_there = False

    def has_frozen(self) -> bool:
        """Whether there are, or were, any."""
        self._are_there = self._are_there or gc.get_freeze_count() > 0
        return self._are_there


_USERS = _FrozenObjects()
