"""LU factors of s*I - J as straight-line code, for the pattern of a Jacobian.

Pivots stand on the diagonal, in the order of least fill (Markowitz, Management Science 3, 1957); s is large where steps
are short, so that this order is as good as any. Where a pivot vanishes the result is not finite.
"""

from __future__ import annotations

from dataclasses import dataclass

from tellegen.ensembles.refused import RefusedError

Entry = tuple[int, int]

MOST_FACTORS = 3000


@dataclass(frozen=True)
class Elimination:
    """The order of pivots, and the places of all factors: those of L and U and, on the diagonal, inverse pivots."""

    order: tuple[int, ...]
    places: dict[Entry, int]


def elimination(size: int, pattern: set[Entry]) -> Elimination:
    """The order of least fill, and the pattern that it makes."""
    entries = pattern | {(k, k) for k in range(size)}
    rows = [{j for j in range(size) if (i, j) in entries} for i in range(size)]
    columns = [{i for i in range(size) if (i, j) in entries} for j in range(size)]
    left = set(range(size))
    order: list[int] = []
    while left:
        pivot = min(left, key=lambda k: ((len(rows[k] & left) - 1) * (len(columns[k] & left) - 1), k))
        left.remove(pivot)
        order.append(pivot)
        for i in columns[pivot] & left:
            for j in rows[pivot] & left:
                entries.add((i, j))
                rows[i].add(j)
                columns[j].add(i)
    if len(entries) > MOST_FACTORS:
        raise RefusedError(f"the matrix of its {size} states has {len(entries)} factors")
    return Elimination(tuple(order), {entry: k for k, entry in enumerate(sorted(entries))})


class _Lines:
    """Instructions of a function on its way."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.count = 0

    def emit(self, instruction: str) -> str:
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"  {name} = {instruction}")
        return name

    def load(self, array: str, index: int) -> str:
        return self.emit(f"load double, ptr {self.emit(f'getelementptr double, ptr {array}, i64 {index}')}")

    def store(self, value: str, array: str, index: int) -> None:
        at = self.emit(f"getelementptr double, ptr {array}, i64 {index}")
        self.lines.append(f"  store double {value}, ptr {at}")


def factor_lines(found: Elimination, jacobian: dict[Entry, int]) -> list[str]:
    """Factors from the entries of J in x, into out; the diagonal is t minus that of J."""
    text = _Lines()
    a: dict[Entry, str] = {}
    for entry in found.places:
        i, j = entry
        inside = entry in jacobian
        if i == j:
            a[entry] = text.emit(f"fsub double %t, {text.load('%x', jacobian[entry])}") if inside else "%t"
        elif inside:
            a[entry] = text.emit(f"fneg double {text.load('%x', jacobian[entry])}")
    left = set(found.order)
    for k in found.order:
        left.remove(k)
        inverse = text.emit(f"call double @job.inverse(double {a[k, k]})")
        a[k, k] = inverse
        for i in sorted(left):
            if (i, k) in a:
                a[i, k] = text.emit(f"fmul double {a[i, k]}, {inverse}")
        for i in sorted(left):
            for j in sorted(left) if (i, k) in a else ():
                if (k, j) in a:
                    product = text.emit(f"fmul double {a[i, k]}, {a[k, j]}")
                    old = a.get((i, j))
                    a[i, j] = text.emit(f"fsub double {old}, {product}" if old else f"fneg double {product}")
    for entry, place in found.places.items():
        text.store(a.get(entry, "0x0000000000000000"), "%out", place)
    return text.lines


def solve_lines(found: Elimination, size: int) -> list[str]:
    """The solution for the sum of q and out, with the factors in x."""
    text = _Lines()
    b = [text.emit(f"fadd double {text.load('%out', k)}, {text.load('%q', k)}") for k in range(size)]
    done: list[int] = []
    for k in found.order:
        for j in done:
            if (k, j) in found.places:
                product = text.emit(f"fmul double {text.load('%x', found.places[k, j])}, {b[j]}")
                b[k] = text.emit(f"fsub double {b[k]}, {product}")
        done.append(k)
    later: list[int] = []
    for k in reversed(found.order):
        for j in later:
            if (k, j) in found.places:
                product = text.emit(f"fmul double {text.load('%x', found.places[k, j])}, {b[j]}")
                b[k] = text.emit(f"fsub double {b[k]}, {product}")
        b[k] = text.emit(f"fmul double {b[k]}, {text.load('%x', found.places[k, k])}")
        later.append(k)
    for k in range(size):
        text.store(b[k], "%out", k)
    return text.lines
