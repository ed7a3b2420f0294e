"""Memories of words of bits, addressed by bits, the lowest first."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.digital.delays import InertialDelaySensitive
from tellegen.library.digital.logic import (
    ONE,
    VALUES,
    ZERO,
    Statements,
    X,
    Z,
    all_of,
    any_of,
    driven,
    is_high,
    is_low,
    logic_input,
    logic_output,
    logic_variable,
    number,
    strength_parameter,
)


class Memory(tg.Component):
    """2^n_addr words of n_data bits: a base. The output is Z while RE is 0, unknown where RE or the address is."""

    n_addr = tg.parameter(2, structural=True, description="bits of an address", min=1)
    n_data = tg.parameter(2, structural=True, description="bits of a word", min=1)
    RE = logic_input("read enable")
    addr = logic_input("address", n_addr)
    data_out = logic_output("word that is read", n_data)
    content = tg.parameter((), structural=True, description='words at the start, such as ("01", "11"); U where none is')
    strength = strength_parameter()
    tLH = tg.parameter(0.0, "s", "delay of what rises", min=0.0)
    tHL = tg.parameter(0.0, "s", "delay of what falls", min=0.0)
    found = logic_variable("word that is read, without delay", n_data)

    def build(self) -> None:
        if len(self.content) > 2**self.n_addr or any(len(word) != self.n_data for word in self.content):
            what = f"{len(self.content)} words do not fit into 2^{self.n_addr} words of {self.n_data} bits"
            raise tg.DataError("E704", what, location=self._location, advice="give n_addr and n_data")
        self.delay = [InertialDelaySensitive(tLH=self.tLH, tHL=self.tHL) for _ in range(self.n_data)]

    def stored(self, word: int, bit: int) -> float:
        """The number of a bit at the start."""
        return number(self, self.content[word][bit]) if word < len(self.content) else 0.0

    def addressed(self, word: int) -> Any:
        """Whether the address is that of a word."""
        bits = [(is_high if word >> k & 1 else is_low)(self.addr[k]) for k in range(self.n_addr)]
        return all_of(bits)

    def bit_of(self, word: int, bit: int) -> Any:
        raise NotImplementedError

    def equations(self) -> Statements:
        unknown = float(VALUES.index(self.strength[0]))
        words = range(2**self.n_addr)
        for j in range(self.n_data):
            read = unknown
            for word in words:
                read = tg.where(self.addressed(word), self.bit_of(word, j), read)
            on = tg.where(is_high(self.RE), read, unknown)
            yield self.found[j] == tg.where(is_low(self.RE), Z, on)
            yield self.delay[j].x == self.found[j]
            yield self.data_out[j] == self.delay[j].y


class DLATROM(Memory):
    """A memory that is only read."""

    def bit_of(self, word: int, bit: int) -> Any:
        letter = VALUES[int(self.stored(word, bit))]
        if letter == "U":
            return 0.0
        position = {"0": 1, "L": 1, "1": 2, "H": 2}.get(letter, 0)
        return float(VALUES.index(self.strength[position]))


class DLATRAM(Memory):
    """A memory that is written while WE is 1, as 0, 1 and X, and read while RE is. An unknown WE writes X."""

    WE = logic_input("write enable")
    data_in = logic_input("word that is written", Memory.n_data)
    mem = logic_variable("words, one after another", lambda self: 2**self.n_addr * self.n_data)
    filled = tg.boolean("the words of content are there")

    def bit_of(self, word: int, bit: int) -> Any:
        return driven(self.mem[word * self.n_data + bit], self.strength)

    def equations(self) -> Statements:
        yield self.filled == any_of([tg.initial(), tg.pre(self.filled)])
        written = [
            tg.where(is_low(data), ZERO, tg.where(is_high(data), ONE, X))
            for data in (self.data_in[j] for j in range(self.n_data))
        ]
        for word in range(2**self.n_addr):
            here = self.addressed(word)
            for j in range(self.n_data):
                bit = self.mem[word * self.n_data + j]
                before = tg.where(tg.pre(self.filled), tg.pre(bit), self.stored(word, j))
                after = tg.where(is_high(self.WE), written[j], X)
                yield bit == tg.where(here & ~is_low(self.WE), after, before)
