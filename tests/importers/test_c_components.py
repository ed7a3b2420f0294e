"""Components written in C against tellegen_sbs.h: what they compute, how often they are loaded, what is refused."""

from __future__ import annotations

import pickle
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import tellegen as tg
from tellegen import foreign
from tellegen.importers.sbs.c_component import _MADE
from tellegen.importers.sbs.source import INCLUDE
from tellegen.library import electrical as el

ROOT = Path(__file__).resolve().parent.parent.parent
MOTOR = ROOT / "examples" / "data" / "seeker" / "dcmotor.c"
NUMBERS = [4.05e-7, 7.9e-3, 8.13e-4, 100.0, 10.0]

pytestmark = pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="needs a C compiler")


def source(sizes: str, outputs: str, *methods: str, word: str = "static") -> str:
    """A component with one line in each of its methods."""
    vector = "(double t, const double *x, const double *u, double *r, sbsTask *S)"
    lines = [
        '#include "tellegen_sbs.h"',
        "DECLARE_CLASS(part)",
        f"{word} void sbsInitializeSizes(sbsTask *S) {{ {sizes} }}",
        f"{word} void sbsOutputs{vector} {{ {outputs} }}",
    ]
    for method in methods:
        name, body = method.split(":", 1)
        lines.append(f"{word} void {name}{vector} {{ {body} }}")
    return "\n".join(lines)


class Motor(tg.Software):
    """Listing C-4 in Python."""

    voltage = tg.input()
    torque = tg.input()
    angle = tg.output()
    q = tg.variable()
    w = tg.variable()
    Jm = tg.parameter(NUMBERS[0])
    bm = tg.parameter(NUMBERS[1])
    Km = tg.parameter(NUMBERS[2])
    Kl = tg.parameter(NUMBERS[3])
    n = tg.parameter(NUMBERS[4])

    def outputs(self) -> float:
        return self.q

    def derivatives(self) -> tuple[float, float]:
        return self.w, (self.Km * self.Kl * self.voltage - self.bm * self.w - self.torque / self.n) / self.Jm


def dc_motor(**names: Any) -> Any:
    return tg.c_component(MOTOR, inputs=["voltage", "torque"], outputs=["angle"], states=["q", "w"], **names)


@pytest.fixture(scope="module")
def motors() -> Any:
    """Two motors in C and the same in Python, driven alike, with springs at their shafts."""
    dc = dc_motor(parameters=NUMBERS)

    class Motors(tg.Component):
        a = dc()
        b = dc(Kl=400.0, Km=8e-5)
        c = Motor()
        d = Motor(Kl=400.0, Km=8e-5)

        def equations(self) -> Any:
            for motor in (self.a, self.b, self.c, self.d):
                yield motor.voltage == tg.sin(30 * tg.time)
                yield motor.torque == 0.01 * motor.angle

    return tg.compile(Motors())


def test_the_motor_of_the_thesis_is_that_of_python(motors: Any) -> None:
    """V6, bit for bit: the same operations in the same order."""
    run = motors.simulate(0.2)
    assert np.ptp(run["a.q"]) > 0.1
    for name in ("q", "w", "angle"):
        assert np.array_equal(run[f"a.{name}"], run[f"c.{name}"])
        assert np.array_equal(run[f"b.{name}"], run[f"d.{name}"])
    assert not np.array_equal(run["a.q"], run["b.q"])


def test_an_integral_component_breaks_a_loop(motors: Any) -> None:
    """The angle is a state: the spring that reads it and is read by the motor closes no algebraic loop."""
    assert not motors.schedule().loops
    tasks = {task.name: task.level for task in motors.schedule().tasks}
    assert tasks["a.outputs"] == 0 < tasks["a.derivatives"]


def test_runs_in_threads_do_not_disturb_each_other(motors: Any) -> None:
    voltages = [50.0, 100.0, 200.0, 400.0]

    def last(gain: float) -> float:
        return float(motors.simulate(0.05, parameters={"a.Kl": gain, "c.Kl": gain})["a.q"][-1])

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(last, voltages))
    assert together == [last(gain) for gain in voltages]


def test_compiled_models_can_be_sent_to_other_processes(motors: Any) -> None:
    again = pickle.loads(pickle.dumps(motors))
    assert np.array_equal(again.simulate(0.05)["a.q"], motors.simulate(0.05)["a.q"])


def test_code_is_loaded_once() -> None:
    one, other = dc_motor(parameters=NUMBERS)._code, dc_motor(parameters={"Jm": 1.0, "n": 2.0})._code
    assert foreign.load(one.source.library)._handle == foreign.load(other.source.library)._handle


def test_sensitivities_are_difference_quotients() -> None:
    dc = dc_motor(parameters=NUMBERS)

    class Driven(tg.Component):
        motor = dc()

        def equations(self) -> Any:
            yield self.motor.voltage == 1.0
            yield self.motor.torque == 0.0

    gradients = tg.gradient(Driven(), 0.1, of=tg.final("motor.q"), wrt="motor.Kl", rtol=1e-9)
    runs = [tg.simulate(Driven(), 0.1, parameters={"motor.Kl": gain}, rtol=1e-10) for gain in (99.0, 101.0)]
    low, high = (run["motor.q"][-1] for run in runs)
    assert float(gradients.matrix.ravel()[0]) == pytest.approx((high - low) / 2, rel=1e-5)


@pytest.mark.parametrize("word", ["static", "", "extern"])
def test_methods_may_have_any_linkage(word: str) -> None:
    part = tg.c_component(source("ssSetNumInputs(S, 2); ssSetNumOutputs(S, 1);", "r[0] = 2 * u[1];", word=word))
    assert part._code.feedthrough == {"in1"}
    assert tg.steady_state(part(), parameters={"in0": 5.0, "in1": 3.0})["out0"] == 6.0


SIZES = "ssSetNumInputs(S, 1); ssSetNumOutputs(S, 1);"


@pytest.mark.parametrize(
    ("outputs", "read"),
    [
        ("r[0] = x[0];", set()),
        ("r[0] = ssGetX(S)[0] + ssGetFcnParam(S, 0)[0] + ssGetNumInputs(S);", set()),
        ("r[0] = x[0]; /* u[0] */ if (t < 0) ssSetRWorkValue(S, 0, 1.0);", set()),
        ('r[0] = x[0] + (t < 0 && "u[0]"[0] == 0);', set()),
        ("r[0] = x[0] + (t > 5.0 ? u[0] : 0.0);", {"in0"}),
        ("r[0] = x[0] + *u;", {"in0"}),
        ("r[0] = x[0] + ssGetU(S)[0];", {"in0"}),
        ("r[0] = helper(S);", {"in0"}),
        ("int k; r[0] = x[0]; for (k = 0; k < 0; ++k) r[0] += u[k];", {"in0"}),
    ],
)
def test_feedthrough_is_read_off_the_code(outputs: str, read: set[str]) -> None:
    """Code that only might read an input counts as code that does."""
    text = source(f"{SIZES} ssSetNumContStates(S, 1); ssSetNumRWork(S, 1);", outputs, "sbsDerivatives: r[0] = u[0];")
    helper = "static double helper(sbsTask *S) { return ssGetX(S)[0]; }\nstatic void sbsInit"
    part = tg.c_component(
        text.replace("static void sbsInit", helper, 1), parameters=[1.0] if "Param" in outputs else None
    )
    assert part._code.feedthrough == read


def test_a_sampled_component_is_a_sampled_block() -> None:
    """All states discrete: outputs before the update, held in between, as of tg.Software."""
    text = source(
        f"{SIZES} ssSetNumDiscStates(S, 1); ssSetSampleTime(S, 0.1);",
        "r[0] = x[0] + u[0];",
        "sbsUpdate: r[0] = x[0] + ssGetSampleTime(S) * 0 + 0.1 * u[0];",
    )
    part = tg.c_component(text, start=[0.5])

    class Reference(tg.Software):
        in0 = tg.input()
        out0 = tg.output()
        x0 = tg.variable(start=0.5)
        period = tg.parameter(0.1, "s")

        def outputs(self) -> float:
            return self.x0 + self.in0

        def next_states(self) -> float:
            return self.x0 + 0.1 * self.in0

    class Both(tg.Component):
        c = part()
        python = Reference()

        def equations(self) -> Any:
            yield self.c.in0 == tg.cos(3 * tg.time)
            yield self.python.in0 == tg.cos(3 * tg.time)

    run = tg.simulate(Both(), 2.0)
    assert len(np.unique(run["c.out0"])) >= 20
    for name in ("x0", "out0"):
        assert np.array_equal(run[f"c.{name}"], run[f"python.{name}"])


def test_continuous_and_discrete_states_in_one_component() -> None:
    """x' = xd, and xd is reset at every tick to minus x: the closed solution is a polygon."""
    text = source(
        "ssSetNumContStates(S, 1); ssSetNumDiscStates(S, 1); ssSetNumOutputs(S, 2); ssSetSampleTime(S, 0.25);",
        "r[0] = x[0]; r[1] = x[1];",
        "sbsDerivatives: r[0] = x[1];",
        "sbsUpdate: r[0] = -x[0];",
    )
    part = tg.c_component(text, start=[1.0, 0.0])
    run = tg.simulate(part(), 1.0, rtol=1e-10)
    value, rate, end = 1.0, 0.0, {}
    for tick in range(5):
        rate = -value
        end[0.25 * tick] = (value, rate)
        value += 0.25 * rate
    for time in (0.25, 0.5, 0.75, 1.0):
        assert run.at(time)["out0"] == pytest.approx(end[time][0], abs=1e-9)
        assert run.at(time)["out1"] == pytest.approx(end[time][1], abs=1e-9)
    slower = tg.simulate(part(period=0.5), 0.5, rtol=1e-10)
    assert slower["x0"][-1] == pytest.approx(0.5, abs=1e-9)


def random_hybrid(rng: np.random.Generator) -> tuple[Any, Any, tuple[int, int], Any]:
    """A component x' = a (x, xd, u), xd = b (x, xd, u) every 0.1 s, y = (x, xd): its class, matrices, sizes, start."""
    continuous, discrete = int(rng.integers(1, 4)), int(rng.integers(1, 3))
    states = continuous + discrete
    matrix = rng.uniform(-1.0, 1.0, (states, states + 1)).round(3)
    rows = [
        " + ".join([*(f"{value!r} * x[{k}]" for k, value in enumerate(row[:-1])), f"{row[-1]!r} * u[0]"])
        for row in matrix.tolist()
    ]
    sizes = f"ssSetNumContStates(S, {continuous}); ssSetNumDiscStates(S, {discrete}); ssSetNumInputs(S, 1);"
    text = source(
        f"{sizes} ssSetNumOutputs(S, {states}); ssSetSampleTime(S, 0.1);",
        " ".join(f"r[{k}] = x[{k}];" for k in range(states)),
        "sbsDerivatives: " + " ".join(f"r[{k}] = {row};" for k, row in enumerate(rows[:continuous])),
        "sbsUpdate: " + " ".join(f"r[{k}] = {row};" for k, row in enumerate(rows[continuous:])),
    )
    start = rng.uniform(-1.0, 1.0, states).round(3)
    return tg.c_component(text, start=start.tolist()), matrix, (continuous, discrete), start


def stepped(matrix: Any, sizes: tuple[int, int], start: Any, u: float, ticks: int) -> Any:
    """The states just after the last of so many ticks: updates, and the matrix exponential between them."""
    continuous, _ = sizes
    whole = np.zeros((len(start) + 1, len(start) + 1))
    whole[:continuous] = matrix[:continuous]
    between = scipy.linalg.expm(0.1 * whole)
    x = np.append(start, u)
    for tick in range(ticks):
        x = between @ x if tick else x
        x = np.concatenate([x[:continuous], matrix[continuous:] @ x, [u]])
    return x[:-1]


def test_random_components_with_both_kinds_of_states_run_as_matrices_say() -> None:
    rng = np.random.default_rng(27)
    for _ in range(3):
        part, matrix, sizes, start = random_hybrid(rng)
        run = tg.simulate(part(), 0.5, parameters={"in0": 0.75}, rtol=1e-9)
        wanted = stepped(matrix, sizes, start, 0.75, 6)
        found = [run[f"out{k}"][-1] for k in range(len(start))]
        assert found == pytest.approx(wanted, rel=1e-6, abs=1e-8)


def test_parameters_are_arrays_with_or_without_names() -> None:
    text = source("ssSetNumOutputs(S, 1);", "r[0] = inertia[2] + 10 * ssGetFcnParam(S, 1)[1] + 100 * gain;")
    macros = "#define inertia ssGetFcnParam(S, 0)\n#define gain ssGetFcnParam(S, 2)[0]\nDECLARE"
    part = tg.c_component(text.replace("DECLARE", macros, 1), parameters=[[1, 2, 3], [4, 5], [6]])
    assert list(part._info.parameters) == ["inertia", "p1", "gain"]
    assert tg.steady_state(part())["out0"] == 653.0
    assert tg.steady_state(part(inertia=[0, 0, 1], p1=[0, 2], gain=3))["out0"] == 321.0
    declared = {"inertia": [1, 2, 3], "p1": [4, 5], "gain": tg.parameter("6 m", "mm")}
    assert (
        tg.steady_state(tg.c_component(text.replace("DECLARE", macros, 1), parameters=declared)())["out0"] == 600053.0
    )


def test_work_vectors_are_of_one_call() -> None:
    body = "int k; for (k = 0; k < 500; ++k) ssSetRWorkValue(S, k, u[0]);"
    body += " r[0] = 0; for (k = 0; k < 500; ++k) r[0] += ssGetRWorkValue(S, k);"
    text = source(f"{SIZES} ssSetNumRWork(S, 500); ssSetNumIWork(S, 3); ssSetNumPWork(S, 2);", body)
    assert tg.steady_state(tg.c_component(text)(), parameters={"in0": 2.0})["out0"] == 1000.0


REFUSED = {
    "E870 no DECLARE_CLASS": ("int x;\n", {}),
    "E870 declares 2 classes": (source(SIZES, "r[0] = 0;") + "\nDECLARE_CLASS(b)", {}),
    "E871 no sbsInitializeSizes": ("DECLARE_CLASS(a)\n", {}),
    "E871 declares 1 result of sbsDerivatives": (source("ssSetNumContStates(S, 1);", ""), {}),
    "E871 no sample time": (source("ssSetNumDiscStates(S, 1);", "", "sbsUpdate: r[0] = 1;"), {}),
    "E871 not possible": (source("ssSetNumInputs(S, -3);", ""), {}),
    "E872 1 output, 2 names": (source(SIZES, "r[0] = 0;"), {"outputs": ["a", "b"]}),
    "E872 two members called 'a'": (source(SIZES, "r[0] = 0;"), {"outputs": ["a"], "inputs": ["a"]}),
    "E872 0 states, 1 initial value given": (source(SIZES, "r[0] = 0;"), {"start": [1.0]}),
    "E873 beyond its 1 result": (source(SIZES, "r[0] = 1; r[1] = 2;"), {}),
    "E873 beyond its 1 result ": (source(SIZES, "r[0] = 1; r[-1] = 2;"), {}),
    "E873 does not write all of its 1 result": (source(SIZES, "if (u[0] > 0) r[0] = 1;"), {}),
    "E873 beyond its real work": (source(SIZES, "r[0] = 1; ssSetRWorkValue(S, 0, 1);"), {}),
    "E873 beyond its integer work": (
        source(f"{SIZES} ssSetNumIWork(S, 2);", "r[0] = 1; ssSetIWorkValue(S, 2, 1);"),
        {},
    ),
    "E873 beyond its pointer work": (
        source(f"{SIZES} ssSetNumPWork(S, 1);", "r[0] = 1; ssSetPWorkValue(S, 2, 0);"),
        {},
    ),
    "E874 no parameter 'g'": (source(SIZES, "r[0] = u[0] * ssGetFcnParam(S, 0)[0];"), {"parameters": {"g": 1.0}}),
    "E874 reads 2 numbers of parameter array 0, 1 are": (
        source(SIZES, "r[0] = ssGetFcnParam(S, 0)[1];"),
        {"parameters": [1.0]},
    ),
    "E875 reads u\\[0\\]": (source(f"{SIZES} ssSetDirectFeedThrough(S, 0);", "r[0] = u[0];"), {}),
    "E875 uses its inputs": (source(SIZES, "const double *v = u; r[0] = v[0];"), {"feedthrough": False}),
    "E876 static": (source(SIZES, "static double calls; r[0] = ++calls;"), {}),
    "E876 work": (
        source(f"{SIZES} ssSetNumRWork(S, 1);", "r[0] = ssGetRWorkValue(S, 0); ssSetRWorkValue(S, 0, u[0]);"),
        {},
    ),
    "E877 reads beyond its 0 states and 1 input": (source(SIZES, "r[0] = u[0] + u[1];"), {}),
    "E877 beyond its parameters": (
        source(SIZES, "int k; r[0] = 0; for (k = 0; k < 3; ++k) r[0] += ssGetFcnParam(S, 0)[k];"),
        {"parameters": [1.0, 2.0]},
    ),
    "E193 does not compile": (source(SIZES, "r[0] = u[0]"), {}),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    text, options = REFUSED[case]
    code, _, words = case.partition(" ")
    with pytest.raises(tg.TellegenError) as caught:
        tg.c_component(text, **options)
    assert caught.value.code == code
    assert re.search(words.strip(), caught.value.message) or code == "E876"
    assert caught.value.advice
    assert caught.value.location is not None
    assert Path(caught.value.location.file) == Path(__file__)


def test_a_compiler_s_error_is_at_its_line(tmp_path: Path) -> None:
    file = tmp_path / "part.c"
    file.write_text(source(SIZES, "r[0] = forgotten;"))
    with pytest.raises(tg.LanguageError, match="E193: the C code of component 'part' does not compile") as caught:
        tg.c_component(file)
    assert caught.value.location is not None
    assert (caught.value.location.file, caught.value.location.line) == (str(file), 4)
    assert caught.value.location.column > 10
    assert re.search(r"part.c:4:\d+: error: .*forgotten", str(caught.value))
    assert "r[0] = forgotten" in str(caught.value).splitlines()[2]


def test_files_beside_a_source_are_part_of_it(tmp_path: Path) -> None:
    file = tmp_path / "part.c"
    file.write_text('#include "gain.h"\n' + source(SIZES, "r[0] = GAIN * u[0];"))
    for gain in (2, 3):
        (tmp_path / "gain.h").write_text(f"#define GAIN {gain}.0\n")
        assert tg.steady_state(tg.c_component(file)(), parameters={"in0": 1.0})["out0"] == gain


def test_a_declared_feedthrough_that_is_none_is_warned_of() -> None:
    text = source(f"{SIZES} ssSetNumContStates(S, 1);", "r[0] = x[0];", "sbsDerivatives: r[0] = u[0];")
    with pytest.warns(UserWarning, match="'part' declares direct feed-through, but its outputs read no input"):
        assert tg.c_component(text, feedthrough=True)._code.feedthrough == set()


def test_a_fault_in_a_run_is_said_in_words() -> None:
    text = source(
        f"{SIZES} ssSetNumContStates(S, 1);", "r[0] = x[0]; if (x[0] > 2) r[1] = 0;", "sbsDerivatives: r[0] = 1;"
    )
    outcome = tg.simulate(tg.c_component(text)(), 3.0, parameters={"in0": 0.0}, throw=False).outcome
    assert outcome.code != "completed"
    assert "sbsOutputs of 'part' writes beyond its 1 result" in outcome.message


def test_sizes_that_depend_on_parameters_hold_for_all_instances() -> None:
    sizes = "ssSetNumInputs(S, (int)ssGetFcnParam(S, 0)[0]); ssSetNumOutputs(S, 1);"
    body = "int k; r[0] = 0; for (k = 0; k < (int)ssGetFcnParam(S, 0)[0]; ++k) r[0] += u[k];"
    adder = tg.c_component(source(sizes, body), parameters=[3.0])
    given = {"in0": 1.0, "in1": 10.0, "in2": 100.0}
    assert tg.steady_state(adder(), parameters=given)["out0"] == 111.0
    with pytest.raises(tg.TellegenError, match="sbsOutputs of 'part' has other sizes with these parameters"):
        tg.simulate(adder(p0=[4.0]), 1.0, parameters=given)


REGULATOR = source("ssSetNumInputs(S, 2); ssSetNumOutputs(S, 1);", "r[0] = ssGetFcnParam(S, 0)[0] * (u[0] - u[1]);")


def test_a_regulator_in_c_between_a_sensor_and_a_source() -> None:
    """V15: the fragment of the thesis (section 3.3) with an RC load: C dv/dt = k (v_wanted - v) - v / R."""
    regulator = tg.c_component(
        REGULATOR, inputs={"wanted": "V", "voltage": "V"}, outputs={"current": "A"}, parameters=[0.01]
    )

    class Regulated(tg.Component):
        ground = el.Ground()
        source = el.SignalCurrent()
        load = el.Resistor(R=200.0)
        store = el.Capacitor(C=1e-3, v=tg.variable(start=0.0, fixed=True))
        sensor = el.VoltageSensor()
        control = regulator()
        wanted = tg.parameter(5.0, "V")

        def equations(self) -> Any:
            yield self.control.wanted == self.wanted
            yield self.control.voltage == self.sensor.v
            yield self.source.u == -self.control.current  # into the load

        def connections(self) -> Any:
            yield self.source.p, self.load.p, self.store.p, self.sensor.p
            yield self.source.n, self.load.n, self.store.n, self.sensor.n, self.ground.p

    run = tg.simulate(Regulated(), 0.1, rtol=1e-8)
    conductance = 0.01 + 1 / 200.0
    assert run["store.v"][-1] == pytest.approx(0.05 / conductance * (1 - np.exp(-0.1 * conductance / 1e-3)), rel=1e-6)


def test_a_missing_parameter_is_required() -> None:
    part = tg.c_component(source(SIZES, "r[0] = u[0] * ssGetFcnParam(S, 0)[0];"))
    with pytest.raises(tg.LanguageError):
        tg.simulate(part(), 1.0)


def test_the_header_has_every_accessor() -> None:
    """K9, and that each macro compiles."""
    header = (Path(INCLUDE) / "tellegen_sbs.h").read_text()
    pairs = "ModelName NumContStates NumDiscStates NumOutputs NumInputs NumRWork NumIWork NumPWork FcnParamsCount"
    pairs += " FcnParamsPtr FcnParam U Y X dX IWork RWork PWork IWorkValue RWorkValue PWorkValue mapV"
    names = [f"ss{word}{name}" for name in pairs.split() for word in ("Get", "Set")]
    methods = ("InitializeSizes", "Outputs", "Derivatives", "Terminate")
    names += ["ssGetNumTotalStates", "ssCopyModelMethods", "DECLARE_CLASS"]
    names += [f"{word}{name}" for name in methods for word in ("ssSetsbs", "fcn")]
    assert [name for name in names if f"#define {name}(" not in header] == []
    uses = """
        sbsTask T; double a[1]; const double *list[1]; int k[1]; void *v[1];
        ssSetModelName(&T, "T"); ssSetFcnParamsCount(&T, 1); ssSetFcnParamsPtr(&T, list); ssSetFcnParam(&T, 0, a);
        ssSetU(&T, a); ssSetY(&T, a); ssSetX(&T, a); ssSetdX(&T, a); ssSetRWork(&T, a); ssSetIWork(&T, k);
        ssSetPWork(&T, v); ssSetmapV(&T, k); ssSetRWorkValue(&T, 0, 7.0); ssSetIWorkValue(&T, 0, 7);
        ssSetPWorkValue(&T, 0, a); ssCopyModelMethods(&T, S); ssSetNumContStates(&T, 2); ssSetNumDiscStates(&T, 3);
        r[0] = ssGetRWorkValue(&T, 0) + ssGetU(&T)[0] + ssGetY(&T)[0] + ssGetX(&T)[0] + ssGetdX(&T)[0]
             + (ssGetPWorkValue(&T, 0) == (void *)a) + ssGetNumTotalStates(&T) + ssGetFcnParamsCount(&T)
             + (ssGetModelName(S)[0] == 'S') + (ssGetmapV(&T) == k) + ssGetFcnParamsPtr(&T)[0][0];
    """
    part = tg.c_component(source("ssSetNumOutputs(S, 1);", uses))
    assert tg.steady_state(part())["out0"] == 6 * 7 + 1 + 5 + 1 + 1 + 1


def test_without_a_compiler_the_wheel_of_zig_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(foreign, "find_spec", lambda name: name == "ziglang" or None)
    assert foreign._compiler(foreign.CLibrary()) == [sys.executable, "-m", "ziglang", "cc"]
    monkeypatch.setattr(foreign, "find_spec", lambda _: None)
    with pytest.raises(tg.LanguageError, match=r"E194.*no C compiler was found"):
        tg.c_component(source(SIZES, "r[0] = 3.25 * u[0];"))


def test_a_component_is_pickled_with_its_code(motors: Any) -> None:
    """Here and in a new process, where the class is made again."""
    dc = dc_motor(parameters=NUMBERS)
    again = pickle.loads(pickle.dumps(dc(Kl=400.0)))
    assert type(again) is dc
    assert again._values == {"Kl": 400.0}
    _MADE.clear()
    other = pickle.loads(pickle.dumps(dc(Kl=400.0)))
    assert type(other) is not dc
    assert type(other)._info.parameters.keys() == dc._info.parameters.keys()
