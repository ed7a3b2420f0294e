"""Random packages of functions with loops, records, arrays of components, redeclarations and inner variables.

They are printed as Modelica text and, beside it, as Python code that computes the same: an oracle that shares nothing
with the translator.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random
from typing import Any

SIZE = 3  # of all vectors


@dataclass(frozen=True)
class Term:
    """An expression in both languages."""

    modelica: str
    python: str


@dataclass
class Names:
    """What an expression may read."""

    scalars: list[Term]
    vectors: list[Term] = field(default_factory=list)
    counters: list[Term] = field(default_factory=list)  # Integers from 1 to SIZE
    functions: list[str] = field(default_factory=list)  # of a Real, a vector and a record

    def with_scalars(self, *more: Term) -> Names:
        """These and some more."""
        return Names([*self.scalars, *more], self.vectors, self.counters, self.functions)


def number(random: Random) -> Term:
    """A short decimal."""
    text = f"{random.uniform(-2, 2):.2f}"
    return Term(f"({text})", f"({text})")


def element(vector: Term, random: Random, counters: list[Term]) -> Term:
    """An element of a vector by a number or by a counter."""
    if counters and random.random() < 0.6:
        index = random.choice(counters)
        return Term(f"{vector.modelica}[{index.modelica}]", f"{vector.python}[int({index.python}) - 1]")
    at = random.randint(1, SIZE)
    return Term(f"{vector.modelica}[{at}]", f"{vector.python}[{at - 1}]")


def condition(names: Names, random: Random) -> Term:
    """A relation, or two of them. An offset keeps sides apart that would be equal at the start, or always."""
    a, b = expression(names, random, 1), expression(names, random, 1)
    sign = random.choice(["<", ">"])
    offset = f"{random.uniform(0.01, 0.1):.7f}"
    one = Term(f"{a.modelica} {sign} {b.modelica} + {offset}", f"{a.python} {sign} {b.python} + {offset}")
    if random.random() < 0.25:
        other = condition(names, random)
        word = random.choice(["and", "or"])
        return Term(f"({one.modelica}) {word} not ({other.modelica})", f"({one.python}) {word} not ({other.python})")
    return one


def expression(names: Names, random: Random, depth: int = 2) -> Term:
    """A bounded expression: no overflow, no division by zero."""
    kind = random.random()
    if depth == 0 or kind < 0.25:
        sources = [lambda: random.choice(names.scalars), lambda: number(random)]
        if names.vectors:
            sources.append(lambda: element(random.choice(names.vectors), random, names.counters))
        return random.choice(sources)()
    a = expression(names, random, depth - 1)
    b = expression(names, random, depth - 1)
    if kind < 0.5:
        sign = random.choice("+-")
        return Term(f"({a.modelica} {sign} {b.modelica})", f"({a.python} {sign} {b.python})")
    if kind < 0.62:
        return Term(f"(sin({a.modelica})*cos({b.modelica}))", f"(math.sin({a.python})*math.cos({b.python}))")
    if kind < 0.72:
        return Term(f"({a.modelica}/(1 + {b.modelica}^2))", f"({a.python}/(1 + {b.python}**2))")
    if kind < 0.8:
        word = random.choice(["min", "max"])
        return Term(f"{word}({a.modelica}, {b.modelica})", f"{word}({a.python}, {b.python})")
    if kind < 0.9 or not names.vectors:
        test = condition(names, random)
        return Term(
            f"(if {test.modelica} then {a.modelica} else {b.modelica})",
            f"({a.python} if {test.python} else {b.python})",
        )
    if names.functions and kind < 0.95:
        name, vector = random.choice(names.functions), vector_of(names, random)
        made = Term(f"R({a.modelica}, {vector.modelica})", f"R({a.python}, {vector.python})")
        return Term(
            f"{name}({b.modelica}, {vector.modelica}, {made.modelica})",
            f"{name}({b.python}, {vector.python}, {made.python})[0]",
        )
    vector = vector_of(names, random)
    return Term(f"sum({vector.modelica})", f"sum({vector.python})")


def vector_of(names: Names, random: Random) -> Term:
    """A vector of SIZE elements."""
    kind = random.random()
    vector = random.choice(names.vectors)
    if kind < 0.4:
        return vector
    factor = expression(Names(names.scalars), random, 1)
    if kind < 0.6:
        return Term(f"({factor.modelica}*{vector.modelica})", f"[{factor.python}*v_ for v_ in {vector.python}]")
    if kind < 0.8:
        inner = Names(names.scalars, names.vectors, [Term("i_", "i_")])
        body = expression(inner, random, 1)
        return Term(f"{{{body.modelica} for i_ in 1:{SIZE}}}", f"[{body.python} for i_ in range(1, {SIZE + 1})]")
    rest = f"{vector.modelica}[2:{SIZE}]"
    return Term(f"cat(1, {{{factor.modelica}}}, {rest})", f"[{factor.python}, *{vector.python}[1:]]")


@dataclass
class Text:
    """Lines in both languages."""

    modelica: list[str] = field(default_factory=list)
    python: list[str] = field(default_factory=list)

    def add(self, modelica: str, python: str, indent: int) -> None:
        """A line in each."""
        self.modelica.append("  " * indent + modelica)
        self.python.append("    " * indent + python)


def statements(names: Names, random: Random, text: Text, indent: int, depth: int) -> None:
    """Assignments to y, a, w and n, in loops and branches."""
    for _ in range(random.randint(1, 3)):
        kind = random.random()
        if depth == 0 or kind < 0.35:
            target = random.choice(["y", "a"])
            value = expression(names, random)
            text.add(
                f"{target} := 0.5*{target} + {value.modelica};", f"{target} = 0.5*{target} + {value.python}", indent
            )
        elif kind < 0.5:
            at = element(Term("w", "w"), random, names.counters)
            value = expression(names, random)
            text.add(f"{at.modelica} := {value.modelica};", f"{at.python} = {value.python}", indent)
        elif kind < 0.6:
            value = vector_of(names, random)
            text.add(f"w := {value.modelica};", f"w = list({value.python})", indent)
        elif kind < 0.75:
            counter = f"k{indent}"
            text.add(f"for {counter} in 1:{SIZE} loop", f"for {counter} in range(1, {SIZE + 1}):", indent)
            inner = Names(names.scalars, names.vectors, [*names.counters, Term(counter, counter)], names.functions)
            statements(inner, random, text, indent + 1, depth - 1)
            if random.random() < 0.3:
                test = condition(inner, random)
                text.add(f"if {test.modelica} then break; end if;", f"if {test.python}: break", indent + 1)
            text.modelica.append("  " * indent + "end for;")
        elif kind < 0.85:
            limit = random.randint(1, 4)
            test = condition(names, random)
            text.add("n := 0;", "n = 0", indent)
            text.add(f"while n < {limit} and ({test.modelica}) loop", f"while n < {limit} and ({test.python}):", indent)
            text.add("n := n + 1;", "n = n + 1", indent + 1)
            value = expression(names, random)
            text.add(f"a := 0.5*a + {value.modelica};", f"a = 0.5*a + {value.python}", indent + 1)
            text.modelica.append("  " * indent + "end while;")
        else:
            test = condition(names, random)
            text.add(f"if {test.modelica} then", f"if {test.python}:", indent)
            statements(names, random, text, indent + 1, depth - 1)
            text.add("else", "else:", indent)
            statements(names, random, text, indent + 1, depth - 1)
            text.modelica.append("  " * indent + "end if;")


def function(name: str, others: list[str], random: Random) -> Text:
    """A function of a Real, a vector and a record, with a Real and a vector as results."""
    text = Text()
    text.modelica += [
        f"function {name}",
        f"  input Real x; input Real v[{SIZE}]; input R r; output Real y = x; output Real w[{SIZE}];",
        "protected Real a = r.a; Integer n = 0;",
        "algorithm",
        "  w := v;",
    ]
    text.python += [f"def {name}(x, v, r):", "    y = x", "    a = r.a", "    n = 0", "    w = list(v)"]
    scalars = [Term(n, n) for n in ("x", "y", "a")] + [Term("r.a", "r.a")]
    names = Names(scalars, [Term("v", "v"), Term("w", "w"), Term("r.b", "r.b")], functions=others)
    statements(names, random, text, 1, 2)
    text.modelica.append(f"end {name};")
    text.python.append("    return y, w")
    return text


@dataclass
class Package:
    """A package P with a model M in both languages, and the names of what to compare."""

    modelica: str
    python: str
    compared: list[tuple[str, str]]  # names in results, expressions in Python

    def values(self, time: float) -> dict[str, float]:
        """What the oracle computes at a time."""
        scope: dict[str, Any] = {"math": math, "time": time}
        exec(self.python, scope)
        return {name: float(eval(expr, scope)) for name, expr in self.compared}


_COMPONENT = """
partial model Base
  parameter Real p = 1; parameter Real q[{n}] = {{p, 2*p, 3*p}}; input Real u; output Real y; outer Real shared;
  replaceable function g = f0;
  R r; Real w[{n}];
end Base;
model Plain extends Base;
equation
  r.a = u*p; r.b = q; (y, w) = g(u + shared, q, r);
end Plain;
model Other extends Base(p = 3, redeclare replaceable function g = f1);
  Real h;
equation
  h = u - shared; r = R(h, {{u, h, p}}); (y, w) = g(h, r.b, r);
end Other;
"""
_ORACLE = """
class Part:
    def __init__(self, kind, u, shared, p, q, g):
        if kind == "Plain":
            r = R(u*p, q)
            self.y, self.w = g(u + shared, q, r)
        else:
            h = u - shared
            r = R(h, [u, h, p])
            self.y, self.w = g(h, r.b, r)
"""


def package(seed: int) -> Package:
    """A random package."""
    random = Random(seed)
    functions = [function(f"f{k}", [f"f{j}" for j in range(k)], random) for k in range(3)]
    modelica = [f"package P\nrecord R Real a; Real b[{SIZE}]; end R;", *("\n".join(f.modelica) for f in functions)]
    python = ["class R:\n    def __init__(self, a, b):\n        self.a, self.b = a, b"]
    python += ["\n".join(f.python) for f in functions] + [_ORACLE]
    modelica.append(_COMPONENT.format(n=SIZE))
    top = Text()
    compared: list[tuple[str, str]] = []
    names = Names([Term("time", "time"), Term("s", "s")])
    shared = expression(Names([Term("time", "time")]), random)
    top.modelica.append(
        f"model M\n  inner Real shared = {shared.modelica};\n  Real s = sin(3*time); Real e[{SIZE}]; Real z;"
    )
    top.python += ["s = math.sin(3*time)", f"shared = {shared.python}"]
    equations: list[str] = []
    previous = names
    for k in range(random.randint(2, 4)):
        previous = _components(k, random, top, equations, (previous, compared))
    vector = Term("e", "e")
    equations.append(f"for i in 1:{SIZE} loop e[i] = i*s + {previous.scalars[-1].modelica}; end for;")
    top.python.append(f"e = [i*s + {previous.scalars[-1].python} for i in range(1, {SIZE + 1})]")
    all_names = Names(previous.scalars, [vector], functions=["f0", "f1", "f2"])
    test = condition(previous, random)
    yes, no = expression(all_names, random), expression(all_names, random)
    equations.append(f"if {test.modelica} then z = {yes.modelica}; else z = {no.modelica}; end if;")
    top.python.append(f"z = {yes.python} if {test.python} else {no.python}")
    compared += [("z", "z"), *((f"e[{k + 1}]", f"e[{k}]") for k in range(SIZE))]
    random.shuffle(equations)
    modelica += [*top.modelica, "equation", *equations, "end M;\nend P;"]
    return Package("\n".join(modelica), "\n".join([*python, *top.python]), compared)


def _components(
    k: int, random: Random, top: Text, equations: list[str], known: tuple[Names, list[tuple[str, str]]]
) -> Names:
    """An array of components, with modifications and perhaps another function; what can be read of it afterwards."""
    names, compared = known
    kind = random.choice(["Plain", "Other"])
    count = random.randint(1, 3)
    g = {"Plain": "f0", "Other": "f1"}[kind]
    changes: list[str] = []
    p = ["1.0" if kind == "Plain" else "3.0"] * count
    if random.random() < 0.6:
        p = [f"{random.uniform(0.5, 2):.2f}" for _ in range(count)]
        changes.append(f"p = {{{', '.join(p)}}}")
    q = "{p}, 2*{p}, 3*{p}"
    if random.random() < 0.3:
        changes.append("each q = {4, 5, 6}")
        q = "4, 5, 6"
    if random.random() < 0.5:
        g = random.choice(["f0", "f1", "f2"])
        changes.append(f"redeclare function g = {g}")
    top.modelica.append(f"  {kind} c{k}[{count}]({', '.join(changes)});")
    first = expression(names, random)
    top.python.append(f"c{k} = []")
    for i in range(count):
        given = first.python if i == 0 else f"c{k}[{i - 1}].y/(1 + c{k}[{i - 1}].y**2) + {i + 1}"
        values = q.format(p=p[i])
        top.python.append(f"c{k}.append(Part('{kind}', {given}, shared, {p[i]}, [{values}], {g}))")
        compared += [(f"c{k}[{i + 1}].y", f"c{k}[{i}].y"), (f"c{k}[{i + 1}].w[2]", f"c{k}[{i}].w[1]")]
    equations.append(f"c{k}[1].u = {first.modelica};")
    chain = f"c{k}[i].u = c{k}[i - 1].y/(1 + c{k}[i - 1].y^2) + i;"
    equations.append(f"for i in 2:{count} loop {chain} end for;")
    last = Term(f"sin(c{k}[{count}].y)", f"math.sin(c{k}[{count - 1}].y)")
    return names.with_scalars(last)
