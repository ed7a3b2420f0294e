"""Models with arrays of components, nested and modified at random: for elements made once or one by one.

Only translation is meant: such a model has a flat form, and need not have a solution.
"""

from __future__ import annotations

import random

CLASSES = """
connector Pin
  Real v;
  flow Real i;
end Pin;
connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
model World
  parameter Real g = 9.81;
  Real heat;
end World;
model Extra
  parameter Real c = 3;
  Real z;
equation
  z = c*time;
end Extra;
model Leaf
  outer World world;
  parameter Real R = 2;
  parameter Real G = 3*R;
  final parameter Real F = 0.5;
  parameter Integer k = 1;
  parameter Boolean flag = false;
  parameter Real p[:] = {R, G};
  constant Real c0 = 4;
  Real x(start = R, nominal = 2*G, min = -G);
  Real y[k];
  discrete Real d(start = 1);
  Extra extra(c = R) if flag;
  Pin a;
  Pin b;
  Port port;
  %(identity)s
initial equation
  x = R + c0;
equation
  der(x) = -R*x + sum(p) + F*world.g;
  for j in 1:k loop
    y[j] = j*G*x;
  end for;
  a.i + b.i = 0;
  a.v - b.v = R*a.i;
  port.h = x;
  port.m = actualStream(port.h);
  if flag then
    d = 2;
  else
    when x > G then
      d = pre(d) + R;
    end when;
  end if;
  assert(x < 100*R, "x is large");
end Leaf;
model Middle
  parameter Real q = 1;
  parameter Integer m = 2;
  parameter Integer kk = 1;
  Leaf l[m](%(leaf)s);
  Pin a;
  Pin b;
  Real s;
  %(inner)s
equation
  connect(a, l[1].a);
  for j in 1:m-1 loop
    connect(l[j].b, l[j+1].a);
  end for;
  connect(l[m].b, b);
  s = sum(l.x) + q;
end Middle;
"""
TOP = """
model Top
  inner World world;
  parameter Real r = 7;
  parameter Real free(fixed = false, start = 1);
  %(before)s
  Middle a[%(n)d](%(middle)s);
  Leaf b[%(rows)d, 2](%(leaf)s);
  %(after)s
initial equation
  free = 2;
equation
  for j in 1:%(n)d-1 loop
    connect(a[j].b, a[j+1].a);
  end for;
  connect(b[1, 1].port, b[%(rows)d, 2].port);
  world.heat = sum(a.s) + b[1, 2].x;
  %(equations)s
end Top;
"""
FRAGILE = (
    'getInstanceName() == "Top.a[1].l[1]"',
    "cardinality(a) > 1",
)


class _Draw:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def some(self, choices: list[str], most: int) -> str:
        return ", ".join(self.random.sample(choices, self.random.randint(0, min(most, len(choices)))))

    def numbers(self, shape: tuple[int, ...], choices: list[str]) -> str:
        if not shape:
            return self.random.choice(choices)
        return "{" + ", ".join(self.numbers(shape[1:], choices) for _ in range(shape[0])) + "}"

    def chance(self, part: float, text: str) -> str:
        return text if self.random.random() < part else ""


def random_arrays(seed: int) -> str:
    """A text with a model `Top`."""
    draw = _Draw(seed)
    n = draw.random.randint(2, 4)
    m = draw.random.randint(2, 3)
    rows = draw.random.randint(1, 3)
    identity = draw.chance(0.15, f"Real named = if {draw.random.choice(FRAGILE)} then 1 else 2;")
    classes = CLASSES
    if draw.random.random() < 0.3:
        classes = classes.replace("parameter Integer k = 1", "parameter Integer k = integer(R/2) + 1")
    in_middle = [
        draw.random.choice([f"R = {draw.numbers((m,), ['1', '2*q', 'q'])}", "R = {j*q for j in 1:m}"]),
        draw.random.choice([f"k = {draw.numbers((m,), ['1', '2'])}", "each k = kk"]),
        "each G = q",
        f"x(each start = q, each stateSelect = StateSelect.{draw.random.choice(['prefer', 'avoid'])})",
        "each p = {1, 2, 3}",
    ]
    middle = [
        f"q = {draw.numbers((n,), ['1', '2', 'r', 'r*2', 'free'])}",
        f"each m = {m}",
        f"kk = {draw.numbers((n,), ['1', '1', '2'])}",
        f"l(R = {draw.numbers((n, m), ['1', '3', 'r'])})",
        f"l(x(start = {draw.numbers((n, m), ['1', '2', 'r'])}, each fixed = true))",
        f"l(flag = {draw.numbers((n, m), ['true', 'false', 'false'])})",
        f"s(start = {draw.numbers((n,), ['1', '2'])})",
    ]
    leaf = [
        f"R = {draw.numbers((rows, 2), ['1', '2', 'r', 'free'])}",
        "each c0 = 5",
        f"k = {draw.numbers((rows, 2), ['1', '2'])}",
        f"flag = {draw.numbers((rows, 2), ['true', 'false'])}",
        f"G(fixed = {draw.numbers((rows, 2), ['true', 'true', 'false'])}, each start = 1)",
        f"d(start = {draw.numbers((rows, 2), ['1', '2'])})",
        "each p = {r, 2}",
    ]
    before = ["parameter Integer early = size(a[2].l, 1);", "parameter Integer count = integer(b[1, 1].R);"]
    after = [
        "parameter Integer nw = integer(b[1, 2].G); Real w[nw];",
        "parameter Integer late = integer(a[2].q);",
        "Real u = b[1, 1].G*2;",
    ]
    equations = [
        "when time > 1 then\n    reinit(a[2].l[1].x, 3);\n  end when;",
        "world.heat = inStream(b[1, 2].port.h);",
    ]
    fill = {
        "identity": identity,
        "leaf": draw.some(in_middle, 3),
        "inner": draw.chance(0.2, "inner World world(g = q);"),
    }
    text = classes % fill
    return text + TOP % {
        "n": n,
        "rows": rows,
        "before": draw.some(before, 1),
        "after": draw.chance(0.4, draw.random.choice(after)),
        "middle": draw.some(_without_twice(draw, middle), 4),
        "leaf": draw.some(leaf, 3),
        "equations": draw.chance(0.4, draw.random.choice(equations)),
    }


def _without_twice(draw: _Draw, middle: list[str]) -> list[str]:
    """At most one modification of the inner array."""
    inner = [one for one in middle if one.startswith("l(")]
    return [one for one in middle if one not in inner] + [draw.random.choice(inner)]
