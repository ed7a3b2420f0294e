"""Divisions by numbers that stay as they are in a step, as products: the reciprocal is computed once.

    %v7 = fdiv double %v5, %v6      ->      %v7.over = fdiv double 1.0, %v6
                                            %v7 = fmul double %v5, %v7.over

A division takes as long as ten products, and a thread of a GPU waits for each of a chain of them. Whatever is computed
from parameters alone is steady, so LLVM takes the reciprocal out of the loop over steps. The result may differ in its
last digit. So this is for rates, where nothing is decided: 49*(1/49) is below 1, and a relation would see that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_ASSIGNED = re.compile(r"  (%v\d+) = (.*)")
_DIVISION = re.compile(r"fdiv double (\S+), (%v\d+)")
_READ = re.compile(r"%[\w.]+")
_STEADY = ("%q", "%common")
_ONE = "0x3FF0000000000000"


def with_reciprocals(lines: Iterable[str]) -> list[str]:
    """The lines of a function, see above."""
    steady: set[str] = set(_STEADY)
    found: list[str] = []
    for line in lines:
        assigned = _ASSIGNED.fullmatch(line)
        if assigned is None:
            found.append(line)
            continue
        name, instruction = assigned.groups()
        if steady.issuperset(_READ.findall(instruction)):
            steady.add(name)
        division = _DIVISION.fullmatch(instruction)
        if division is not None and division[2] in steady and division[1] not in steady:
            found.append(f"  {name}.over = fdiv double {_ONE}, {division[2]}")
            line = f"  {name} = fmul double {division[1]}, {name}.over"
        found.append(line)
    return found
