"""C source as code of software components: compiled on demand, kept, run natively; mistakes are told."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from language.reading import statements
from tellegen import foreign
from tellegen.cache import cache_folder

if not any(shutil.which(name) for name in (os.environ.get("CC", "cc").split()[0], "cc", "gcc", "clang")):
    pytest.skip("no C compiler here", allow_module_level=True)

SOURCE = """
/* a PI controller with a limit */
static double clip(double u, double limit) { return fmin(fmax(u, -limit), limit); }

void outputs(double time, const double *x, const double *u, const double *p, double *y)
{
    y[Y_command] = clip(p[P_kp]*u[U_error] + p[P_ki]*x[X_integral], p[P_limit]);
    y[Y_watched] = 2*time;
}

void derivatives(double time, const double *x, const double *u, const double *p, double *dx)
{
    dx[X_integral] = u[U_error];
}

void next_states(double time, const double *x, const double *u, const double *p, double *xnext)
{
    xnext[X_integral] = x[X_integral] + 0.01*u[U_error];
}
"""

HEAD = "void outputs(double t, const double *x, const double *in, const double *p, double *y)"


class InC(tg.Software):
    error = tg.input("rpm")
    command = tg.output("mV")
    watched = tg.output()
    integral = tg.variable("1", start=0.0)
    kp = tg.parameter(40.0)
    ki = tg.parameter(90.0)
    limit = tg.parameter(6000.0)
    source = SOURCE


class InPython(tg.Software):
    error = tg.input("rpm")
    command = tg.output("mV")
    watched = tg.output()
    integral = tg.variable("1", start=0.0)
    kp = tg.parameter(40.0)
    ki = tg.parameter(90.0)
    limit = tg.parameter(6000.0)

    def outputs(self) -> tuple[float, float]:
        u = self.kp * self.error + self.ki * self.integral
        return max(-self.limit, min(self.limit, u)), 2 * self.time

    def derivatives(self) -> float:
        return self.error

    def next_states(self) -> float:
        return self.integral + 0.01 * self.error


class SampledC(InC):
    period = tg.parameter(0.01, "s")


class SampledPython(InPython):
    period = tg.parameter(0.01, "s")


def plant(controller: Any) -> Any:
    class Plant(tg.Component):
        control = controller
        w = tg.variable("rad/s", start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield self.control.error == 100.0 - self.w
            yield 0.06 * tg.der(self.w) == self.control.command - 0.04 * self.w

    return Plant()


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_c_and_python_agree_in_continuous_blocks(solver: str) -> None:
    c, python = (tg.simulate(plant(block()), stop=2.0, solver=solver, rtol=1e-8) for block in (InC, InPython))
    for name in ("w", "control.command", "control.watched"):
        np.testing.assert_allclose(c[name], python[name], rtol=1e-9, atol=1e-9)


def test_c_and_python_agree_in_sampled_blocks() -> None:
    c, python = (tg.simulate(plant(block()), stop=0.5, rtol=1e-8) for block in (SampledC, SampledPython))
    np.testing.assert_allclose(c["w"], python["w"], rtol=1e-12)


def test_many_instances_share_one_copy_of_the_code() -> None:
    class Many(tg.Component):
        plants = plant(InC()).__class__.array(6)

    solution = tg.simulate(Many(), stop=1.0, parameters={f"plants[{k}].control.kp": 10.0 * (k + 1) for k in range(6)})
    for k in range(6):
        alone = tg.simulate(plant(InC(kp=10.0 * (k + 1))), stop=1.0)
        np.testing.assert_allclose(solution[f"plants[{k}].w"], alone["w"], rtol=1e-5, atol=1e-4)


def test_sources_are_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELLEGEN_CACHE", str(tmp_path))
    source = SOURCE + "/* only here */\n"
    block = type("Kept", (InC,), {"source": source})
    tg.simulate(plant(block()), stop=0.1)
    folder = cache_folder()
    assert folder is not None
    assert len(list((folder / "c").glob("*.so"))) == 1
    monkeypatch.setattr(subprocess, "run", None)  # no compiler is called again
    foreign._function.cache_clear()
    tg.simulate(plant(block()), stop=0.1)
    monkeypatch.undo()
    monkeypatch.setenv("TELLEGEN_CACHE", "")  # without a cache it is compiled for this process
    foreign._function.cache_clear()
    tg.simulate(plant(block()), stop=0.1)


def test_a_file_beside_the_model(tmp_path: Path) -> None:
    (tmp_path / "controller.c").write_text(SOURCE)
    by_path = type("ByPath", (InC,), {"source": tmp_path / "controller.c"})
    named = type("Named", (InC,), {"outputs": tg.c_code(tmp_path / "controller.c", "outputs")})
    expected = tg.simulate(plant(InC()), stop=0.5)["w"]
    for block in (by_path, named):
        np.testing.assert_array_equal(tg.simulate(plant(block()), stop=0.5)["w"], expected)


def test_faulty_source_shows_what_the_compiler_says() -> None:
    class Faulty(InC):
        source = SOURCE.replace("2*time", "2*tiem")

    with pytest.raises(tg.LanguageError, match="the C code of Faulty does not compile") as caught:
        tg.compile(plant(Faulty()))
    assert caught.value.code == "E193"
    told = "\n".join(caught.value.details)
    assert "source:8" in told, "the line of the user's text"
    assert "tiem" in told


def test_functions_that_are_not_declared_are_no_guess() -> None:
    """C once took an unknown function for one that returns an int: wrong numbers without a word."""

    class Forgot(InC):
        source = SOURCE.replace("2*time", "j_zero(time)")

    with pytest.raises(tg.LanguageError, match="does not compile"):
        tg.compile(plant(Forgot()))


def test_a_machine_without_compiler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")

    class Elsewhere(InC):
        source = SOURCE + "/* not compiled yet */\n"

    with pytest.raises(tg.LanguageError, match="no C compiler was found: there is no 'no-such-compiler'") as caught:
        tg.compile(plant(Elsewhere()))
    assert caught.value.code == "E194"


def test_source_without_operators() -> None:
    with pytest.raises(tg.LanguageError, match="defines none of outputs, derivatives, next_states"):

        class Empty(tg.Software):
            y = tg.output()
            source = "double helper(double x) { return x; }"

    class Missing(tg.Software):
        y = tg.output()
        outputs = tg.c_code("void other(void) { }", "outputs")

    with pytest.raises(tg.LanguageError, match="no function 'outputs' could be loaded from Missing"):
        tg.flatten(Missing())


def test_what_is_no_number_names_the_component() -> None:
    class Root(tg.Software):
        u = tg.input()
        y = tg.output()
        source = f"{HEAD} {{ y[0] = sqrt(in[0]); }}"

    class Model(tg.Component):
        root = Root()
        x = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield self.root.u == self.x
            yield tg.der(self.x) == -1.0 + 0.001 * self.root.y

    outcome = tg.simulate(Model(), stop=3.0, throw=False).outcome
    assert outcome.code == "not-finite"
    assert outcome.message == "a function did not return a finite number: Root.outputs(time, root.u)"
    assert outcome.time == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (HEAD + " { y[0] = in[U_b] + x[0]; /* in[0] */ }", "time, x, nan, b, k"),
        (HEAD + " { if (t > 0) { y[0] = in[0]; } else { y[0] = 1; } }", "time, x, a, nan, k"),
        (HEAD + " { y[0] = x[X_x]; }", "time, x, nan, nan, k"),
        ("double f(const double *v) { return v[1]; }\n" + HEAD + " { y[0] = f(in); }", "time, x, a, b, k"),
        ("#define A in[0]\n" + HEAD + " { y[0] = A; }", "time, x, a, b, k"),
        ("#include <math.h>\n" + HEAD + " { y[0] = in[0]; }", "time, x, a, nan, k"),
        (HEAD + " { char end = '}'; (void)end; y[0] = in[0]; }", "time, x, a, nan, k"),
        (HEAD + ' { const char *s = "http://x\\"{"; (void)s; y[0] = in[0]; }', "time, x, a, nan, k"),
        (HEAD + " { y[0] = 0; // in[0] \\\n in[1]\n y[0] = in[0]; }", "time, x, a, nan, k"),
        (HEAD + " { y[0] = '\"'; /* \" */ y[0] = in[0]; }", "time, x, a, nan, k"),
        ("#  define A in[0]\n" + HEAD + " { y[0] = A; }", "time, x, a, b, k"),
        ("#de\\\nfine A in[0]\n" + HEAD + " { y[0] = A; }", "time, x, a, b, k"),
        (f"#if 0\n{HEAD} {{ }}\n#else\n{HEAD} {{ y[0] = in[0]; }}\n#endif", "time, x, a, b, k"),
        (HEAD + " { enum { U_a = 1 }; y[0] = in[U_a]; }", "time, x, a, b, k"),
        (HEAD + ' { const char *s = R"(")"; (void)s; y[0] = in[0]; s = "}"; }', "time, x, a, b, k"),
    ],
)
def test_inputs_count_only_where_the_source_reads_them(text: str, arguments: str) -> None:
    class Block(tg.Software):
        a = tg.input(default=1.0)
        b = tg.input(default=1.0)
        y = tg.output()
        x = tg.variable()
        k = tg.parameter(2.0)
        source = text + "\n" + HEAD.replace("outputs", "derivatives") + " { y[0] = in[0]; }"

    assert f"y == Block.outputs({arguments})" in statements(Block())
    if "b," not in arguments:
        assert "der(x) == Block.derivatives(time, x, a, nan, k)" in statements(Block())


@pytest.mark.parametrize(
    "text",
    [
        HEAD + " { char end = '}'; (void)end; y[0] = in[0] > 0.5 ? 1.0 : -1.0; }",
        "#  define ERROR in[0]\n" + HEAD + " { y[0] = ERROR > 0.5 ? 1.0 : -1.0; }",
        HEAD + ' { const char *s = "http://x"; y[0] = in[0] > 0.5 ? 1.0 : -1.0; (void)s; }',
    ],
)
def test_no_spelling_hides_an_input_from_the_code(text: str) -> None:
    """What is not read is given as not-a-number, and a comparison with that is false without a word."""

    class Compare(tg.Software):
        u = tg.input()
        y = tg.output()
        period = tg.parameter("100 ms", "s")
        source = text

    class Model(tg.Component):
        compare = Compare()
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield self.compare.u == self.x
            yield tg.der(self.x) == 1.0

    assert tg.simulate(Model(), stop=1.05)["compare.y"][-1] == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "void outputs(const double *x, double *y) { y[0] = 1.0; }",
        HEAD.replace("void", "int") + " { y[0] = 1.0; return 0; }",
        HEAD.replace("double *y", "float *y") + " { y[0] = 1.0f; }",
        "static " + HEAD + " { y[0] = 1.0; }",
    ],
)
def test_a_function_of_another_type_is_refused(text: str) -> None:
    class Other(tg.Software):
        y = tg.output()
        source = text

    with pytest.raises(tg.LanguageError, match="the C code of Other does not compile") as caught:
        tg.compile(Other())
    assert caught.value.code == "E193"
    assert any("outputs" in line and "source:1" in line for line in caught.value.details)
    assert "void outputs(double time, const double *x, const double *u, const double *p, double *y)" in (
        caught.value.advice
    )


def test_helpers_may_have_the_names_of_operators_that_are_not_needed() -> None:
    class Helped(tg.Software):
        y = tg.output()
        source = f"static double derivatives(double t) {{ return 3*t; }}\n{HEAD} {{ y[0] = derivatives(2.0); }}"

    assert tg.simulate(Helped(), stop=1.0)["y"][-1] == 6.0


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_an_output_that_is_never_written_is_told(solver: str) -> None:
    class Half(InC):
        source = SOURCE.replace("y[Y_command] =", "if (time > 1.0) y[Y_command] =")

    with pytest.raises(tg.NumericError) as caught:
        tg.simulate(plant(Half()), stop=2.0, solver=solver)
    assert "a function did not return a finite number: Half.outputs(time, control.integral" in str(caught.value)


def test_a_wrong_promise_is_refused() -> None:
    with pytest.raises(tg.LanguageError, match=r"reads its input 'error'.*feedthrough = False"):

        class Wrong(InC):
            feedthrough = False


def test_inputs_hidden_from_compiled_code_are_no_numbers() -> None:
    class Wrong(tg.Software):
        error = tg.input("rpm")
        command = tg.output("mV")
        source = f"#define IN in[0]\n{HEAD} {{ y[0] = IN; }}"
        feedthrough = False

    with pytest.raises(tg.NumericError, match="not return a finite number") as caught:
        tg.simulate(plant(Wrong()), stop=1.0)
    assert "feedthrough = False" in caught.value.advice
