"""Right models, netlists and command lines as texts, and random damage to them: words exchanged, left out, misspelt."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Sequence

import numpy as np

MODELS = {
    "ball": """
import tellegen as tg

class Ball(tg.Component):
    g = tg.parameter(9.81, "m/s2")
    e = tg.parameter(0.8, "1", "restitution")
    h = tg.variable("m", "height", start=1.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    n = tg.integer("bounces")

    def equations(self):
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -self.g
        yield tg.when(self.h < 0, tg.reinit(self.v, -self.e * tg.pre(self.v)), self.n == tg.pre(self.n) + 1)

solution = tg.simulate(Ball(), 1.0, points=10, parameters={"e": 0.7})
solution.at(0.5)["h"]
""",
    "tanks": """
import tellegen as tg

class Plug(tg.Connector):
    p = tg.across("Pa", "pressure")
    q = tg.through("m3/s", "flow")

class Tank(tg.Component):
    port = Plug("outlet")
    C = tg.parameter("1e-6 m3/Pa", "m3/Pa")
    V = tg.variable("m3", start=0.2, fixed=True)

    def equations(self):
        yield tg.der(self.V) == self.port.q
        yield self.port.p == self.V / self.C

class Pipe(tg.Component):
    a = Plug()
    b = Plug()
    R = tg.parameter(1e6, "Pa.s/m3", min=0.0)

    def equations(self):
        yield self.a.p - self.b.p == self.R * self.a.q
        yield self.a.q + self.b.q == 0

class Tanks(tg.Component):
    first = Tank()
    second = Tank(V=tg.variable(start=0.1, fixed=True))
    pipe = Pipe(R=2e6)

    def connections(self):
        yield self.first.port, self.pipe.a
        yield self.pipe.b, self.second.port

found = tg.flatten(Tanks())
""",
    "ladder": """
import tellegen as tg
from tellegen.library import electrical as el

s = tg.System("ladder")
s.add(v=el.StepVoltage(V=1.0), g=el.Ground())
last = s.v.p
for k in range(3):
    s.add(**{f"r{k}": el.Resistor(R="1 kohm"), f"c{k}": el.Capacitor(C="1 uF")})
    s.connect(last, s[f"r{k}"].p)
    s.connect(s[f"r{k}"].n, s[f"c{k}"].p)
    s.connect(s[f"c{k}"].n, s.g.p)
    last = s[f"c{k}"].p
s.connect(s.v.n, s.g.p)
found = tg.flatten(s)
""",
}
NETLISTS = (
    "filter\nV1 in 0 sin(0 1 1k)\nR1 in out {2*res}\nC1 out 0 1u ic=0.5\n.param res=500\n.tran 1u 2m uic\n.end",
    "divider\n.subckt half a b params: r=1k\nR1 a m {r}\nR2 m b {r}\n.ends\nV1 1 0 5\nX1 1 0 half params: r=2k\n.end",
    "diode\nI1 0 a pulse(0 1m 0 1n 1n 1u)\nD1 a 0 dd\n.model dd D(is=1e-14 n=1 rs=1)\nE1 c 0 a 0 10\nRL c 0 1k\n.end",
)
COMMANDS = (
    ("check", "FILE"),
    ("show", "FILE", "--stage", "flat"),
    ("simulate", "FILE", "--stop", "0.1", "--points", "5", "--set", "T=2", "--show", "x"),
    ("sweep", "FILE", "--over", "T=1:2:3", "--stop", "0.1", "--show", "final(x)"),
)
_VALUES = (
    *("None", "True", "-1", "0", "1e400", '"abc"', '""', "[]", "()", "{}", '"3 V"', 'float("nan")', "self", "tg"),
    *("tg.time", "lambda: 0", "object()", "[1, 2]", "1j", "max", "tg.der", "...", 'b"x"', "10**30", "2.5"),
)
_OPERATORS = ("+", "==", "=", "*", ".", ",", "(", "<", "**", "@", "and", "%")
_WORDS = (
    *("", "0", "-1", "1e400", "nan", "(", "{", "{1/0}", "=", "a=", "+5v", "abc", "'a'", "*", "sin(", "v(", "1" * 400),
    *(".model", ".subckt", ".ends", ".param", ".tran", "x1", "q1", "v=1/0", "table(", "1**2**3", ".ic", ".end"),
)
_ARGUMENTS = (
    *(
        "",
        "abc",
        "-1",
        "0",
        "nan",
        "inf",
        "1e400",
        "--",
        "--stop",
        "--foo",
        "none.py:Lag",
        "FILE:",
        "T=",
        "=1",
        "T=abc",
    ),
    *("Q=1", "T=1 V", "20 V", "1:2:", "T=1:2:0", "a=b=c", "*", "os:path", "/"),
)


def damaged_source(text: str, rng: np.random.Generator) -> str:
    """A model with one or two words changed, in which Python finds no mistake of syntax."""
    while True:
        changed = text
        for _ in range(rng.integers(1, 3)):
            changed = _one_token(changed, rng)
        try:
            compile(changed, "<damaged>", "exec")
        except (SyntaxError, ValueError):
            continue
        return changed


def _one_token(text: str, rng: np.random.Generator) -> str:
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return text
    kinds = (tokenize.NAME, tokenize.NUMBER, tokenize.STRING, tokenize.OP)
    words = [token for token in tokens if token.type in kinds and token.start[0] == token.end[0]]
    token = words[rng.integers(len(words))]
    misspelt = token.string[:-1] + "q" if rng.integers(2) else token.string + "s"
    other = words[rng.integers(len(words))].string
    choices = [_VALUES[rng.integers(len(_VALUES))], "", other, _OPERATORS[rng.integers(len(_OPERATORS))], misspelt]
    lines = text.splitlines(keepends=True)
    row, begin = token.start
    line = lines[row - 1]
    lines[row - 1] = line[:begin] + choices[rng.integers(len(choices))] + line[token.end[1] :]
    return "".join(lines)


def damaged_netlist(text: str, rng: np.random.Generator) -> str:
    """A netlist with some words changed, and lines left out or doubled."""
    lines = text.splitlines()
    at = int(rng.integers(len(lines)))
    lines[at] = " ".join(_changed(lines[at].split(), _WORDS, rng))
    if rng.integers(2):
        lines.insert(rng.integers(len(lines)), lines[rng.integers(len(lines))])
    return "\n".join(lines)


def damaged_command(words: Sequence[str], rng: np.random.Generator) -> list[str]:
    """A command line with a word changed, left out or too many."""
    return _changed(list(words), _ARGUMENTS, rng)


def _changed(words: list[str], others: Sequence[str], rng: np.random.Generator) -> list[str]:
    if not words:
        return words
    at = int(rng.integers(len(words)))
    other = others[int(rng.integers(len(others)))]
    way = rng.integers(4)
    if way == 0:
        return [*words[:at], other, *words[at:]]
    if way == 1:
        return [*words[:at], *words[at + 1 :]]
    return [*words[:at], other if way == 2 else words[at][:-1] + "q", *words[at + 1 :]]
