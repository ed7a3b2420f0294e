"""LU factors of s*I - J and solutions with them, as straight-line code for the pattern of a Jacobian.

Pivots stand on the diagonal, in the order of least fill (Markowitz, Management Science 3, 1957); s is large where steps
are short, so that this order is as good as any. Where a pivot vanishes the result is not finite. Among pivots of equal
fill those come first that wait for the fewest others: a chain is eliminated from both ends at once.

What is kept of the factors are reciprocals of pivots and the elements beside the diagonal as they are when their pivot
comes. Most of these are still elements of -J, and equal ones (of a row of equal parts) are kept once:

    chain of 50 equal resistors and capacitors      50 reciprocals, 1 element, where L and U have 148
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tellegen.codegen.scalar import Printer, literal
from tellegen.ensembles.refused import RefusedError

Entry = tuple[int, int]

MOST_FACTORS = 3000

_SHIFT, _FACTORS = "%shift", "%factors"
SHIFT_ARGUMENT, FACTORS_ARGUMENT = f"double {_SHIFT}", f"ptr {_FACTORS}"
"""Of the functions that factor and solve, besides those that all functions of a model have."""

_ASSIGNED = re.compile(r"  (%v\d+) = (.*)")
_NAME = re.compile(r"%v\d+")


@dataclass(frozen=True)
class Elimination:
    """The order of pivots, and which elements are not zero then."""

    order: tuple[int, ...]
    entries: frozenset[Entry]


@dataclass(frozen=True)
class Factors:
    """Where factors are kept; on the diagonal they are reciprocals of pivots."""

    order: tuple[int, ...]
    places: Mapping[Entry, int]

    @property
    def count(self) -> int:
        """How many numbers are kept."""
        return max(self.places.values(), default=-1) + 1


def elimination(size: int, pattern: set[Entry]) -> Elimination:
    """The order of least fill, and the pattern that it makes."""
    entries = pattern | {(k, k) for k in range(size)}
    rows = [{j for j in range(size) if (i, j) in entries} for i in range(size)]
    columns = [{i for i in range(size) if (i, j) in entries} for j in range(size)]
    waits = [0] * size
    left = set(range(size))
    order: list[int] = []
    while left:
        pivot = min(left, key=lambda k: ((len(rows[k] & left) - 1) * (len(columns[k] & left) - 1), waits[k], k))
        left.remove(pivot)
        order.append(pivot)
        for i in columns[pivot] & left:
            waits[i] = max(waits[i], waits[pivot] + 1)
            for j in rows[pivot] & left:
                entries.add((i, j))
                rows[i].add(j)
                columns[j].add(i)
    if len(entries) > MOST_FACTORS:
        raise RefusedError(f"the matrix of its {size} states has {len(entries)} factors")
    return Elimination(tuple(order), frozenset(entries))


def write_factors(printer: Printer, found: Elimination, jacobian: Mapping[Entry, str]) -> Factors:
    """Factors of shift*I - J, for the elements of J in these registers, into out."""
    a = _matrix(printer, found, jacobian)
    left = set(found.order)
    for k in found.order:
        left.remove(k)
        a[k, k] = printer.emit(f"call double @job.inverse(double {a[k, k]})")
        for i in sorted(i for i in left if (i, k) in a):
            factor = printer.emit(f"fmul double {a[i, k]}, {a[k, k]}")
            for j in sorted(j for j in left if (k, j) in a):
                product = printer.emit(f"fmul double {factor}, {a[k, j]}")
                old = a.get((i, j))
                a[i, j] = printer.emit(f"fsub double {old}, {product}" if old else f"fneg double {product}")
    kept = {value: place for place, value in enumerate(dict.fromkeys(a.values()))}
    for value, place in kept.items():
        printer.lines.append(f"  store double {value}, ptr {printer.element('%out', str(place))}")
    return Factors(found.order, {entry: kept[value] for entry, value in a.items()})


def write_fastest(printer: Printer, size: int, jacobian: Mapping[Entry, str]) -> str:
    """The largest |df_k/dx_k|: how much faster than a step the states may be."""
    fastest = literal(0.0)
    for value in dict.fromkeys(jacobian[k, k] for k in range(size) if (k, k) in jacobian):
        rate = printer.emit(f"call double @llvm.fabs.f64(double {value})")
        is_faster = printer.emit(f"fcmp ogt double {rate}, {fastest}")
        fastest = printer.emit(f"select i1 {is_faster}, double {rate}, double {fastest}")
    return fastest


def _matrix(printer: Printer, found: Elimination, jacobian: Mapping[Entry, str]) -> dict[Entry, str]:
    """The elements of shift*I - J; equal ones beside the diagonal have one name."""
    first = _first_of_equals(printer.lines)
    a: dict[Entry, str] = {(k, k): _SHIFT for k in found.order}
    negative: dict[str, str] = {}
    for (i, j), register in jacobian.items():
        value = first.get(register, register)
        if i == j:
            a[i, j] = printer.emit(f"fsub double {_SHIFT}, {value}")
            continue
        if value not in negative:
            negative[value] = printer.emit(f"fneg double {value}")
        a[i, j] = negative[value]
    return a


def _first_of_equals(lines: Iterable[str]) -> dict[str, str]:
    """For each register the first one that has the same value: by the same instruction for the same operands."""
    first: dict[str, str] = {}
    known: dict[str, str] = {}
    for line in lines:
        assigned = _ASSIGNED.fullmatch(line)
        if assigned is not None:
            name, instruction = assigned.groups()
            read = _NAME.sub(lambda found: first.get(found[0], found[0]), instruction)
            first[name] = known.setdefault(read, name)
    return first


def write_solution(printer: Printer, factors: Factors, right: list[str]) -> list[str]:
    """The solution for a right-hand side; `factors` are the places of what it is made with."""
    b = list(right)
    held: dict[int, str] = {}

    def kept(i: int, j: int) -> str:
        place = factors.places[i, j]
        if place not in held:
            held[place] = printer.load(_FACTORS, str(place))
        return held[place]

    done: dict[int, str] = {}
    for k in factors.order:
        for j, part in done.items():
            if (k, j) in factors.places:
                b[k] = _less(printer, b[k], kept(k, j), part)
        done[k] = printer.emit(f"fmul double {kept(k, k)}, {b[k]}")
    later: list[int] = []
    for k in reversed(factors.order):
        for j in later:
            if (k, j) in factors.places:
                b[k] = _less(printer, b[k], kept(k, j), b[j])
        b[k] = printer.emit(f"fmul double {b[k]}, {kept(k, k)}")
        later.append(k)
    return b


def _less(printer: Printer, value: str, factor: str, other: str) -> str:
    return printer.emit(f"fsub double {value}, {printer.emit(f'fmul double {factor}, {other}')}")
