"""Classes of quantities that are equal up to sign.

    x0 = x1,  x1 = -x2,  x3 = 0      ->      x1 = x0,  x2 = -x0,  x3 = 0

Every quantity becomes two nodes, itself and its opposite; x = -y joins x with not-y and not-x with y. Connected
components of that doubled graph are the classes, and a quantity connected with its own opposite is zero (the
construction of Aspvall, Plass and Tarjan, 1979, for pairs that are equal or different). Linear time, no Python loop.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.graph.sets import connected_sets
from tellegen.start.records import dataclass

IntArray = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Relations:
    """Row k says a[k] = sign[k] * b[k], or a[k] = 0 where b[k] is -1."""

    a: IntArray
    b: IntArray
    sign: IntArray

    def __len__(self) -> int:
        return len(self.a)


@dataclass(frozen=True, eq=False)
class SignedClasses:
    """Quantity v equals sign[v] * leader[v]; sign 0 means that it is zero."""

    leader: IntArray
    sign: IntArray


def signed_classes(count: int, relations: Relations, priority: IntArray) -> SignedClasses:
    """The classes of `count` quantities; the member of highest priority (then lowest number) leads its class."""
    if 4 * len(relations) > count:
        return _classes(count, relations, priority)
    is_related = np.zeros(count, bool)
    is_related[relations.a] = True
    is_related[relations.b[relations.b >= 0]] = True
    related = np.flatnonzero(is_related)
    number = np.cumsum(is_related) - 1
    inner = Relations(number[relations.a], np.where(relations.b < 0, -1, number[relations.b]), relations.sign)
    found = _classes(len(related), inner, priority[related])
    leader = np.arange(count)
    leader[related] = related[found.leader]
    sign = np.ones(count, np.int8)
    sign[related] = found.sign
    return SignedClasses(leader, sign)


def _classes(count: int, relations: Relations, priority: IntArray) -> SignedClasses:
    """The same, by way of all quantities."""
    a = relations.a.astype(np.int64)
    sign = relations.sign
    to_zero = relations.b < 0
    zero = 2 * count  # one more node, joined with its opposite (zero + 1)
    same = np.where(to_zero, zero, np.where(sign > 0, relations.b, relations.b + count))
    opposite = np.where(to_zero, zero + 1, np.where(sign > 0, relations.b + count, relations.b))
    rows = np.concatenate([a, a + count, [zero]])
    columns = np.concatenate([same, opposite, [zero + 1]])
    label = connected_sets(zero + 2, rows, columns)
    plus = label[:count]
    minus = label[count:zero]
    family = np.minimum(plus, minus)
    side = np.where(plus < minus, 1, -1)
    rank = (priority + 1) * count - np.arange(count)  # one number: the priority, then the lowest number
    best = np.zeros(zero + 2, np.int64)
    np.maximum.at(best, family, rank)
    leader = (-best[family]) % count if count else family
    return SignedClasses(leader, np.where(plus == minus, 0, side * side[leader]).astype(np.int8))


def redundant(count: int, relations: Relations, classes: SignedClasses) -> IntArray:
    """The relations that follow from earlier ones. Looks one by one only into classes that have such relations."""
    given = np.bincount(classes.leader[relations.a], minlength=count)
    members = np.bincount(classes.leader, minlength=count)
    zero_class = np.zeros(count, bool)
    zero_class[classes.leader[classes.sign == 0]] = True
    surplus = given > members - 1 + zero_class
    suspects = np.flatnonzero(surplus[classes.leader[relations.a]])
    return np.array(_redundant_one_by_one(relations, suspects), np.int64)


def _redundant_one_by_one(relations: Relations, suspects: IntArray) -> list[int]:
    """Sequential union-find with parity over the suspects; -1 stands for zero."""
    parent: dict[int, tuple[int, int]] = {}
    is_zero: set[int] = {-1}

    def find(v: int) -> tuple[int, int]:
        sign = 1
        while v in parent:
            v, step = parent[v]
            sign *= step
        return v, sign

    found: list[int] = []
    for k in suspects:
        (x, sx) = find(int(relations.a[k]))
        (y, sy) = find(int(relations.b[k]))
        if x != y:
            if x in is_zero and y in is_zero:
                found.append(int(k))
            is_zero |= {y} if x in is_zero else set()
            parent[x] = (y, sx * sy * int(relations.sign[k] if relations.b[k] >= 0 else 1))
        elif x in is_zero or sx == sy * int(relations.sign[k]):
            found.append(int(k))
        else:
            is_zero.add(x)
    return found
