"""The native loop over segments and events gives what the loop in Python gives, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.engine.runs import hybrid_loop
from tellegen.engine.runs.native_segments import NativeSegments


class Ball(tg.Component):
    """Bounces until it lies."""

    h = tg.variable("m", start=1.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    bounces = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Any:
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -9.81
        yield tg.when(self.h < 0, tg.reinit(self.v, -0.8 * tg.pre(self.v)), self.bounces == tg.pre(self.bounces) + 1)


class Sampled(tg.Component):
    """A plant under two controllers of different periods, and a relation of its state."""

    x = tg.variable(start=0.0, fixed=True)
    u = tg.variable(discrete=True, start=0.0)
    w = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Any:
        yield tg.der(self.x) == 3 * self.u - self.x + tg.where(self.x > 0.6, 0.3, 0.5)
        yield tg.when(tg.sample(0, 0.01), self.u == 1 - self.x)
        yield tg.when(tg.sample(0.003, 0.017), self.w == self.u)


class Ends(tg.Component):
    """Stops by itself."""

    x = tg.variable(start=0.0, fixed=True)
    n = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Any:
        yield tg.der(self.x) == 1 + 0.1 * tg.sin(20 * tg.time)
        yield tg.when(tg.sample(0, 0.05), self.n == tg.pre(self.n) + 1)
        yield tg.when(self.x > 0.7, tg.terminate("far enough"))


class Slides(tg.Component):
    """A relay against a constant force: the condition switches back and forth."""

    x = tg.variable(start=0.3, fixed=True)
    n = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Any:
        yield tg.der(self.x) == tg.where(self.x > 0, -1.0, 1.0) + 0.2
        yield tg.when(tg.sample(0, 0.05), self.n == tg.pre(self.n) + 1)


class Late(tg.Component):
    """A relay that sees its plant late: jumps come back a delay later, and there are thousands of notes."""

    x = tg.variable(start=0.0, fixed=True)
    n = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Any:
        late = tg.delay(self.x, 0.03)
        yield tg.der(self.x) == tg.where(late > 0.2, -1.0, 1.0) - 0.3 * late
        yield tg.when(tg.sample(0, 0.01), self.n == tg.pre(self.n) + 1)


class Stiff(tg.Component):
    """A heater with a fast sensor, switched by a hysteresis."""

    T = tg.variable(start=20.0, fixed=True)
    sensor = tg.variable(start=20.0, fixed=True)
    on = tg.boolean(start=True)

    def equations(self) -> Any:
        yield tg.der(self.T) == tg.where(self.on, 5.0, 0.0) - 0.1 * (self.T - 15.0)
        yield tg.der(self.sensor) == 1e4 * (self.T - self.sensor)
        yield tg.when(self.sensor > 22.0, self.on == False).elsewhen(self.sensor < 20.0, self.on == True)  # noqa: E712


class Code(tg.Software):
    """Sampled code of the user."""

    u = tg.input()
    y = tg.output()
    period = tg.parameter(0.01, "s")

    def outputs(self) -> float:
        return 1.0 - self.u


class InTheLoop(tg.Component):
    """A plant under that code."""

    code = Code()
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Any:
        yield self.code.u == self.x
        yield tg.der(self.x) == 3 * self.code.y - self.x


class Together(tg.Component):
    """So many independent controllers that their events are looked at: whether they come one at a time."""

    parts = Sampled.array(150)


CASES = [
    (Ball, 4.0, {}),
    (Sampled, 5.0, {}),
    (Sampled, 1.0, {"points": [0.0, 0.17, 0.5, 1.0]}),
    (Ends, 2.0, {}),
    (Slides, 1.0, {"throw": False}),
    (Late, 20.0, {}),
    (InTheLoop, 4.0, {}),
    (Together, 2.0, {"solver": "auto"}),
    (Stiff, 10.0, {"solver": "rodas"}),
    (Ball, 4.0, {"solver": "rodas"}),
    (Sampled, 5.0, {"solver": "rodas"}),
    (Slides, 1.0, {"solver": "rodas", "throw": False}),
]


@pytest.mark.parametrize(("model", "stop", "options"), CASES)
def test_the_same_as_in_python(
    monkeypatch: pytest.MonkeyPatch, model: type[tg.Component], stop: float, options: dict[str, Any]
) -> None:
    calls = []
    go = NativeSegments.go
    monkeypatch.setattr(NativeSegments, "go", lambda *given: calls.append(1) or go(*given))
    compiled = tg.compile(model())
    options = {"solver": "rk45", **options}
    native = compiled.simulate(stop, **options)
    assert calls
    monkeypatch.setattr(hybrid_loop, "native_segments", lambda *_: None)
    plain = compiled.simulate(stop, **options)
    assert native.time.tobytes() == plain.time.tobytes()
    assert native.unknowns.tobytes() == plain.unknowns.tobytes()
    assert native.stats["steps"] == plain.stats["steps"]
    assert native.stats["rhs_evaluations"] == plain.stats["rhs_evaluations"]
    assert native.message == plain.message
    assert native.history is not None
    assert plain.history is not None
    assert len(native.history.log) == len(plain.history.log)
    for one, other in zip(native.history.log, plain.history.log, strict=True):
        assert one.time == other.time
        for name in ("fired", "switched", "passing"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    np.testing.assert_array_equal(native.history.value, plain.history.value)
    np.testing.assert_array_equal(native.history.index, plain.history.index)


def test_one_method_after_the_other() -> None:
    """The loop is kept with a system, whichever method it served last."""
    compiled = tg.compile(Sampled())
    alone = tg.compile(Sampled()).simulate(1.0, solver="rodas")
    compiled.simulate(1.0, solver="rk45")
    after = compiled.simulate(1.0, solver="rodas")
    assert after.stats["steps"] == alone.stats["steps"]
    np.testing.assert_array_equal(after.unknowns, alone.unknowns)


def test_a_full_log_is_emptied() -> None:
    """More events than the log has room for, and more steps than Python waits for."""
    solution = tg.simulate(Sampled(), 20.0, points=3)
    assert solution.stats["events"] > 1000
    assert solution.history is not None
    assert len(solution.history.log) == solution.stats["events"]
