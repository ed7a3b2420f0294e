"""What a call of the user's code costs: the same controller in equations, in C and in Python, continuous and sampled.

python benchmarks/software.py
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from _timing import best, show

import tellegen as tg

STOP = 20.0


@tg.function(opaque=True)
def command(error: float, integral: float) -> float:
    """The control law as an opaque function."""
    return 40.0 * error + 90.0 * integral


class Block(tg.Component):
    """The interface of all."""

    error = tg.input()
    out = tg.output()


class Equations(Block):
    """Written."""

    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """PI."""
        yield self.out == 40.0 * self.error + 90.0 * self.x
        yield tg.der(self.x) == self.error


class Opaque(Block):
    """One opaque function, the state in equations."""

    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """PI."""
        yield self.out == command(self.error, self.x)
        yield tg.der(self.x) == self.error


class InPython(tg.Software):
    """Two operators in Python."""

    error = tg.input()
    out = tg.output()
    x = tg.variable(start=0.0)

    def outputs(self) -> float:
        """PI."""
        return 40.0 * self.error + 90.0 * self.x

    def derivatives(self) -> float:
        """The integral."""
        return self.error


class InC(tg.Software):
    """Two operators in C."""

    error = tg.input()
    out = tg.output()
    x = tg.variable(start=0.0)
    source = """
    void outputs(double t, const double *x, const double *u, const double *p, double *y)
    { y[0] = 40.0*u[0] + 90.0*x[0]; }
    void derivatives(double t, const double *x, const double *u, const double *p, double *dx)
    { dx[0] = u[0]; }
    """


class SampledEquations(Block):
    """Written, at instants."""

    out = tg.variable(discrete=True)
    x = tg.variable(start=0.0, discrete=True)

    def equations(self) -> Iterator[Any]:
        """PI."""
        act = self.out == 4.0 * self.error + 9.0 * tg.pre(self.x), self.x == tg.pre(self.x) + 1e-3 * self.error
        yield tg.when(tg.sample(0.0, 1e-3), *act)


class SampledPython(InPython):
    """In Python, at instants."""

    period = tg.parameter(1e-3, "s")

    def outputs(self) -> float:
        """PI."""
        return 4.0 * self.error + 9.0 * self.x

    def next_states(self) -> float:
        """The integral."""
        return self.x + 1e-3 * self.error


class SampledC(tg.Software):
    """In C, at instants."""

    error = tg.input()
    out = tg.output()
    x = tg.variable(start=0.0)
    period = tg.parameter(1e-3, "s")
    source = """
    void outputs(double t, const double *x, const double *u, const double *p, double *y)
    { y[0] = 4.0*u[0] + 9.0*x[0]; }
    void next_states(double t, const double *x, const double *u, const double *p, double *next)
    { next[0] = x[0] + 1e-3*u[0]; }
    """


def loop(block: Any) -> Any:
    """A plant around a block."""

    class Loop(tg.Component):
        control = block
        w = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield self.control.error == tg.sin(tg.time) - self.w
            yield tg.der(self.w) == self.control.out - self.w

    return tg.compile(Loop())


def main() -> None:
    """Seconds of a run by the explicit method, and microseconds by which an evaluation is longer than in equations."""
    rows = []
    base = 0.0
    for block, calls in ((Equations(), 0), (InC(), 2), (Opaque(), 1), (InPython(), 2)):
        compiled = loop(block)
        seconds, solution = best(lambda c=compiled: c.simulate(STOP, solver="rk45", rtol=1e-8, points=2), runs=5)
        each = 1e6 * seconds / solution.stats["rhs_evaluations"]
        base = base or each
        per_call = f"{(each - base) / calls:.2f}" if calls else "-"
        rows.append([type(block).__name__, f"{1e3 * seconds:.2f} ms", f"{each:.2f}", str(calls), per_call])
    columns = ("controller", "run", "microseconds per evaluation", "calls in it", "microseconds per call")
    show("Code of the user in a loop with 2 states", columns, rows)
    rows = []
    for block in (SampledEquations(), SampledC(), SampledPython()):
        compiled = loop(block)
        seconds, _ = best(lambda c=compiled: c.simulate(1.0, solver="rk45", points=2), runs=5)
        rows.append([type(block).__name__, f"{1e3 * seconds:.2f} ms", f"{1e6 * seconds / 1000:.1f}"])
    show("The same, sampled 1000 times", ("controller", "run", "microseconds per tick"), rows)


if __name__ == "__main__":
    main()
