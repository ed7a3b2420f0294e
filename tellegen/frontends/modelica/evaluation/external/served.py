"""How an external function is served: a Python function on the values of the arguments of the C call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from tellegen.frontends.modelica.values.value import Value
from tellegen.start.records import dataclass


@dataclass(frozen=True)
class Outcome:
    """What a C function returns, and what it writes to its arguments, by their positions."""

    result: Any = None
    arguments: Mapping[int, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Served:
    """A Python function for a C function.

    `symbolic`: it takes the store of libraries, and then values that may vary in time. Otherwise it takes numbers,
    strings and arrays, and returns a value or an Outcome. `pure`: the same arguments give the same results, so that
    it may be called at any time during a simulation, too. `reads`: the positions of the arguments that matter, all
    where it is empty; others are work space."""

    function: Callable[..., Value | Outcome | Any]
    symbolic: bool = False
    pure: bool = True
    reads: tuple[int, ...] = ()
