"""Software components in Python and C, sampled and continuous, with units and without direct feedthrough."""

from __future__ import annotations

import shutil
import subprocess
from functools import cached_property, partialmethod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from language.numbers import Numbers
from language.reading import column, statements
from tellegen.frontends.python.software.python_code import Record
from tellegen.ir.expressions.expr import Apply, Function


class PI(tg.Software):
    """Continuous; works in millivolts and turns a minute."""

    error = tg.input("rpm", default=0.0)
    command = tg.output("mV")
    integral = tg.variable("1", start=0.25)
    kp = tg.parameter(2.0, "1")

    def outputs(self) -> float:
        return self.kp * self.error + self.integral + self.time

    def derivatives(self) -> list[float]:
        return [self.error]


class SampledPI(PI):
    """The same code at instants."""

    period = tg.parameter("10 ms", "s")
    feedthrough = False

    def outputs(self) -> dict[str, float]:
        return {"command": self.integral}

    def next_states(self) -> float:
        return self.integral + self.period * self.error


def functions(model: Any) -> dict[str, Function]:
    flat = tg.flatten(model)
    groups = [*flat.equations, *flat.whens]
    return {n.function.name: n.function for g in groups for n in g.template.nodes if isinstance(n, Apply)}


def test_continuous_code_computes_in_declared_units() -> None:
    rpm = 2 * np.pi / 60
    numbers = Numbers(PI(), {"error": 60 * rpm, "command": 0.0, "integral": 0.5}, {"integral": 0.0})
    lines = statements(PI())
    residual = dict(zip(lines, numbers.residuals(time=0.3), strict=True))
    command = next(line for line in lines if line.startswith("command =="))
    state = next(line for line in lines if line.startswith("der(integral) =="))
    assert -residual[command] == pytest.approx((2 * 60 + 0.5 + 0.3) * 1e-3), "millivolts in, volts out"
    assert -residual[state] == pytest.approx(60)
    assert command == "command == PI.outputs(time, integral, error/0.1047197551, kp)*0.001"
    assert state == "der(integral) == PI.derivatives(error/0.1047197551)", "what the code does not read is no argument"


def test_a_sampled_subclass_leaves_its_base_continuous() -> None:
    assert not tg.flatten(PI()).whens
    (when,) = statements(SampledPI(), "whens")
    assert when == (
        "when sample(0, period): command := SampledPI.outputs(pre(integral))*0.001; "
        "integral := SampledPI.next_states(pre(integral), error/0.1047197551, period)"
    )
    flat = tg.flatten(SampledPI())
    discrete = {flat.variables.name(k) for k in range(flat.variables.count) if flat.variables.declaration(k).discrete}
    assert discrete == {"command", "integral"}
    assert column(SampledPI(), "start")["integral"] == 0.25
    assert column(PI(), "fixed")["integral"] == 1


def test_sampled_functions_give_the_next_values() -> None:
    found = functions(SampledPI())
    assert found["SampledPI.outputs"].callable(4.0) == pytest.approx(4.0)
    assert found["SampledPI.next_states"].callable(4.0, 100.0, 0.01) == pytest.approx(5.0)


def test_several_outputs_and_states_in_any_form() -> None:
    class Observer(tg.Software):
        u = tg.input(default=1.0)
        a = tg.output()
        b = tg.output()
        x = tg.variable()
        y = tg.variable(start=2.0)

        def outputs(self) -> tuple[float, float]:
            return self.x, self.y

        def derivatives(self) -> dict[str, float]:
            return {"y": 10 * self.u, "x": self.y}

    numbers = Numbers(Observer(), {"x": 3.0, "y": 4.0, "u": 5.0, "a": 0.0, "b": 0.0}, {"x": 0.0, "y": 0.0})
    assert (-numbers.residuals()[:4]).tolist() == pytest.approx([3, 4, 4, 50])


def test_a_wrong_number_of_results_is_named() -> None:
    class Short(tg.Software):
        a = tg.output()
        b = tg.output()

        def outputs(self) -> float:
            return 1.0

    with pytest.raises(tg.NumericError, match=r"Short\.outputs.*a, b"):
        functions(Short())["Short.outputs"].callable()


def test_a_result_under_another_name_is_refused() -> None:
    class Renamed(tg.Software):
        a = tg.output()

        def outputs(self) -> dict[str, float]:
            return {"a": 1.0, "speed": 2.0}

    with pytest.raises(tg.NumericError, match=r"returned a value for 'speed', but the names are a\n") as caught:
        functions(Renamed())["Renamed.outputs"].callable()
    assert caught.value.code == "E390"


def test_a_base_may_only_declare() -> None:
    class Interface(tg.Software):
        u = tg.input(default=3.0)
        y = tg.output()
        x = tg.variable(start=1.0)

    class Filled(Interface):
        def outputs(self) -> float:
            return 2.0 * self.u

        def derivatives(self) -> float:
            return -self.x

    assert "y == Filled.outputs(u)" in statements(Filled())

    class Uses(tg.Component):
        part = Interface()

    with pytest.raises(tg.LanguageError, match=r"software component Interface has no outputs\(\)") as caught:
        tg.flatten(Uses())
    assert caught.value.code == "E190"


def test_a_missing_method_is_refused_with_the_class() -> None:
    with pytest.raises(tg.LanguageError, match=r"derivatives"):

        class Lazy(tg.Software):
            x = tg.variable()
            y = tg.output()

            def outputs(self) -> float:
                return 1.0


SOURCE = """
typedef const double *in;
void outputs(double t, in x, in u, in p, double *y) { y[0] = p[0]*u[0] + x[0] + t; y[1] = x[1]; }
void rates(double t, in x, in u, in p, double *d) { d[0] = u[0] - x[0]; d[1] = p[1]*x[0]; }
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> str:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler here")
    folder: Path = tmp_path_factory.mktemp("c")
    (folder / "code.c").write_text(SOURCE)
    out = folder / "code.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(out), str(folder / "code.c")], check=True)
    return str(out)


def test_code_in_c(library: str) -> None:
    class Filter(tg.Software):
        u = tg.input("mV", default=1.0)
        y = tg.output("mV")
        z = tg.output()
        x = tg.variable("mV")
        w = tg.variable()
        k = tg.parameter(3.0)
        r = tg.parameter(5.0)
        outputs = tg.c_code(library, "outputs")
        derivatives = tg.c_code(library, "rates")

    numbers = Numbers(Filter(), {"u": 2e-3, "x": 4e-3, "w": 6.0, "y": 0.0, "z": 0.0}, {"x": 0.0, "w": 0.0})
    residuals = -numbers.residuals(time=0.5)
    assert residuals[:2].tolist() == pytest.approx([(3 * 2 + 4 + 0.5) * 1e-3, 6])
    assert residuals[2:4].tolist() == pytest.approx([(2 - 4) * 1e-3, 20])


def test_two_instances_of_c_code_with_different_parameters(library: str) -> None:
    class Block(tg.Software):
        u = tg.input(default=1.0)
        y = tg.output()
        z = tg.output()
        x = tg.variable()
        w = tg.variable()
        k = tg.parameter(3.0)
        r = tg.parameter(5.0)
        period = tg.parameter(0.1, "s")
        outputs = tg.c_code(library, "outputs")
        next_states = tg.c_code(library, "rates")

    class Two(tg.Component):
        a = Block(k=10.0)
        b = Block()

    assert len(tg.flatten(Two()).whens) == 1
    function = functions(Two())["Block.outputs"]
    assert list(function.callable(0.0, 1.0, 2.0, 1.0, 10.0, 5.0, 0.1)) == [11.0, 2.0]


def test_a_missing_library_is_named(tmp_path: Path) -> None:
    class Lost(tg.Software):
        y = tg.output()
        outputs = tg.c_code(str(tmp_path / "nowhere.so"), "f")

    with pytest.raises(tg.LanguageError) as caught:
        functions(Lost())
    assert caught.value.code == "E191"


class Reader(tg.Software):
    """Uses `self` in every way that can be read off its code."""

    a = tg.input(default=1.0)
    b = tg.input(default=1.0)
    c = tg.input(default=1.0)
    y = tg.output()
    x = tg.variable()
    k = tg.parameter(2.0)
    gain = 3.0

    @property
    def scaled(self) -> float:
        return self.k * self.x

    def helper(self, factor: float) -> float:
        return factor * self.a

    def outputs(self) -> float:
        return self.helper(self.gain) + self.scaled

    def derivatives(self) -> float:
        return self.b


def test_inputs_count_only_where_the_code_reads_them() -> None:
    lines = statements(Reader())
    assert "y == Reader.outputs(x, a, k)" in lines
    assert "der(x) == Reader.derivatives(b)" in lines
    assert functions(Reader())["Reader.outputs"].callable(1.0, 10.0, 2.0) == 32.0


def test_code_that_cannot_be_read_gets_everything() -> None:
    class Passing(Reader):
        def outputs(self) -> float:
            return sum(getattr(self, name) for name in ("a", "b"))

    class Inside(Reader):
        def outputs(self) -> float:
            return max([1.0, 2.0], key=lambda v: v * self.a)

    class Forced(Reader):
        feedthrough = True

    for cls in (Passing, Inside, Forced):
        assert f"y == {cls.__name__}.outputs(time, x, a, b, c, k)" in statements(cls())


class Derived(Reader):
    """Calls the code of its base."""

    def outputs(self) -> float:
        return super().outputs() + 1.0

    def derivatives(self) -> float:
        assert isinstance(self, Reader)
        return 2.0 * super().derivatives()


def test_a_subclass_calls_the_code_of_its_base() -> None:
    assert "y == Derived.outputs(time, x, a, b, c, k)" in statements(Derived())
    solution = tg.simulate(Derived(), stop=1.0)
    assert solution["x"][-1] == pytest.approx(2.0)
    assert solution["y"][-1] == pytest.approx(3.0 * 1.0 + 2.0 * 2.0 + 1.0)


class Kept(Reader):
    """Reads its numbers through descriptors that nobody follows."""

    @cached_property
    def sum(self) -> float:
        return self.a + self.x

    def times(self, factor: float) -> float:
        return factor * self.b

    twice = partialmethod(times, 2.0)

    def outputs(self) -> float:
        return self.sum + self.twice()


class Beside:
    """Not of Tellegen, and behind Software in the order of bases."""

    def helper(self) -> float:
        return 5.0 * self.a  # type: ignore[attr-defined]

    @staticmethod
    def plus_one(value: float) -> float:
        return value + 1.0


class Mixed(tg.Software, Beside):
    a = tg.input(default=2.0)
    b = tg.input(default=2.0)
    y = tg.output()

    def outputs(self) -> float:
        return self.plus_one(self.helper())


def test_what_descriptors_read_is_given() -> None:
    assert "y == Kept.outputs(time, x, a, b, c, k)" in statements(Kept())
    assert tg.simulate(Kept(), stop=1.0)["y"][-1] == pytest.approx(1.0 + 1.0 + 2.0)
    assert "y == Mixed.outputs(a)" in statements(Mixed())
    assert tg.simulate(Mixed(), stop=1.0)["y"][-1] == 11.0


def test_what_cannot_be_seen_is_told_as_that() -> None:
    class Aside(Reader):
        def outputs(self) -> float:
            return self.k * hidden[0](self)

    hidden: list[Any] = [lambda me: me.b]
    assert functions(Aside())["Aside.outputs"].callable(0.0, 1.0, 1.0, 7.0, 1.0, 2.0) == 14.0, "self is handed on"
    record = Record(_class=Aside, k=2.0)
    with pytest.raises(tg.LanguageError, match="the code of Aside reads 'b' in a way that was not detected"):
        record.b
    with pytest.raises(tg.LanguageError, match="self in Aside has no 'bb'; perhaps you meant 'b'"):
        record.bb


def test_a_wrong_promise_is_refused() -> None:
    with pytest.raises(tg.LanguageError, match=r"reads its input 'a'.*feedthrough = False"):

        class Direct(Reader):
            feedthrough = False


def test_what_a_method_assigns_to_self_is_refused() -> None:
    """`self` is another record in every call, so the sum would be lost."""

    class Integrator(tg.Software):
        e = tg.input()
        u = tg.output()
        x = tg.variable(start=0.0)
        period = tg.parameter(0.1, "s")

        def outputs(self):
            self.x += 0.1 * self.e
            return self.x

        def next_states(self):
            return self.x

    class Loop(tg.Component):
        c = Integrator()

        def equations(self):
            yield self.c.e == 1.0

    with pytest.raises(tg.LanguageError, match=r"(?s)E190.*self\.x.*lost.*next_states"):
        tg.simulate(Loop(), 1.0)


def test_what_a_method_keeps_in_self_besides_states_is_refused() -> None:
    class Counter(tg.Software):
        u = tg.output()
        period = tg.parameter(0.1, "s")
        count = 0

        def outputs(self):
            self.count += 1
            return self.count

    class Alone(tg.Component):
        c = Counter()

    with pytest.raises(tg.LanguageError, match=r"(?s)E190.*self\.count.*tg\.variable"):
        tg.simulate(Alone(), 1.0)
