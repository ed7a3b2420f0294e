"""ModelicaRandom: Vigna's xorshift generators on states of 32-bit integers, as Modelica keeps them.

A state of 64 bits is two Integers, the lower half first.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

import numpy as np

from tellegen.frontends.modelica.evaluation.external.served import Outcome, Served

_MASK = (1 << 64) - 1
_STATE_OUT = 1
_RANDOM = 2


def _words(state: Sequence[float]) -> list[int]:
    """Words of 64 bits."""
    halves = [int(half) & 0xFFFFFFFF for half in state]
    return [low | high << 32 for low, high in zip(halves[::2], halves[1::2], strict=False)]


def _halves(words: Sequence[int]) -> list[int]:
    """The same as signed Integers of 32 bits."""
    halves = [half for word in words for half in (word & 0xFFFFFFFF, word >> 32)]
    return [half - (1 << 32) if half >= 1 << 31 else half for half in halves]


def _real(word: int) -> float:
    """A word as a number between 0 and 1."""
    signed = word - (1 << 64) if word >= 1 << 63 else word
    return float(signed) * 2.0**-64 + 0.5


def _outcome(state: Sequence[int], word: int) -> Outcome:
    return Outcome(arguments={_STATE_OUT: np.array(state), _RANDOM: _real(word)})


def _xorshift64star(state: Sequence[float], *_: object) -> Outcome:
    (x,) = _words(state)
    x ^= x >> 12
    x ^= x << 25 & _MASK
    x ^= x >> 27
    x = x * 2685821657736338717 & _MASK
    return _outcome(_halves([x]), x)


def _xorshift128plus(state: Sequence[float], *_: object) -> Outcome:
    first, second = _words(state)
    first ^= first << 23 & _MASK
    last = (first ^ second ^ first >> 17 ^ second >> 26) + second & _MASK
    return _outcome(_halves([second, last]), last)


def _xorshift1024star(state: Sequence[float], *_: object) -> Outcome:
    words = _words(state[:32])
    position = int(state[32])
    first = words[position]
    position = (position + 1) & 15
    second = words[position]
    second ^= second << 31 & _MASK
    second ^= second >> 11
    first ^= first >> 30
    words[position] = first ^ second
    return _outcome([*_halves(words), position], words[position] * 1181783497276652981 & _MASK)


def _automatic_seed(*_: object) -> int:
    """A seed that differs from run to run."""
    return (time.time_ns() // 1_000_000 * 48271 + os.getpid()) % 2147483563 + 1


def _forget_state(*_: object) -> Outcome:
    """The state of the generator without a state of its own; numbers are not drawn from it, so it is not kept."""
    return Outcome()


RANDOM_FUNCTIONS: dict[str, Served] = {
    "ModelicaRandom_xorshift64star": Served(_xorshift64star, reads=(0,)),
    "ModelicaRandom_xorshift128plus": Served(_xorshift128plus, reads=(0,)),
    "ModelicaRandom_xorshift1024star": Served(_xorshift1024star, reads=(0,)),
    "ModelicaRandom_automaticGlobalSeed": Served(_automatic_seed, pure=False),
    "ModelicaRandom_setInternalState_xorshift1024star": Served(_forget_state, symbolic=True),
}
