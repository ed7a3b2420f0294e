"""MDL: the grammar, the rules of connections, schedules, and the missile seeker of the thesis (V5, V13)."""

from __future__ import annotations

import re
import shutil
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from importers.random_modules import RandomModules, random_modules
from tellegen.importers.mdl.arithmetic import expression
from tellegen.importers.mdl.stream import Stream
from tellegen.importers.mdl.tokens import tokens_of
from tellegen.library import blocks

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "examples" / "data" / "seeker"

needs_compiler = pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="needs a C compiler")


class Gain(tg.Software):
    """Its input acts at once."""

    u = tg.input()
    y = tg.output()
    k = tg.parameter(1.0)

    def outputs(self) -> float:
        return self.k * self.u


class Integrator(tg.Software):
    """Its output is a state."""

    u = tg.input()
    y = tg.output()
    x = tg.variable(start=0.0)

    def outputs(self) -> float:
        return self.x

    def derivatives(self) -> float:
        return self.u


class Sum(tg.Component):
    """Equations instead of code; two inputs."""

    a = tg.input()
    b = tg.input()
    y = tg.output()

    def equations(self) -> Any:
        yield self.y == self.a - self.b


class Source(tg.Component):
    """No inputs, three outputs."""

    values = tg.parameter([1.0, 2.0, 3.0])
    y0 = tg.output()
    y1 = tg.output()
    y2 = tg.output()

    def equations(self) -> Any:
        for k, port in enumerate((self.y0, self.y1, self.y2)):
            yield port == self.values[k]


MODULES: dict[str, Any] = {"gain": Gain, "integrator": Integrator, "sum": Sum, "source": Source}


def read(text: str, **options: Any) -> Any:
    return tg.read_mdl(text=text, modules=MODULES, **options)


def configuration(submodules: str, connections: str, initialization: str = "", interface: str = "") -> str:
    """A module named top."""
    ports = f"interface {interface}" if interface else ""
    return (
        f"module top isa configuration with\n{ports}\nsubmodules {submodules}\nconnections {connections}\n"
        f"initialization {initialization}\nendmodule;\n"
    )


LAG = configuration(
    "s isa module sum; i isa module integrator; g isa module gain;",
    "in[0] @ s.in[0]; g.out[0] @ s.in[1]; s.out[0] @ i.in[0]; i.out[0] @ g.in[0]; i.out[0] @ out[0];",
    "setState(i, [0.5]); setParam(g, [4/2]);",
    "declare(inputs, 1); declare(outputs, 1); declare(dft, false);",
)


# -- the grammar ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2*3", 7.0),
        ("1 - 2 - 3", -4.0),
        ("8/4/2", 1.0),
        ("-2^2", -4.0),
        ("2^3^2", 512.0),
        ("2^-1", 0.5),
        ("(1 + 2)*3", 9.0),
        ("--3", 3.0),
        ("2*-3", -6.0),
        ("-(1 - 2)^3*4", 4.0),
        (".5 + 5. + 1e-1 + 1E+1", 15.6),
    ],
)
def test_precedence_is_that_of_mathematics(text: str, value: float) -> None:
    assert expression(Stream(tokens_of(text, "<test>"))) == pytest.approx(value, rel=1e-15)


def random_expression(rng: np.random.Generator, depth: int) -> str:
    if depth == 0 or rng.random() < 0.2:
        return f"{rng.uniform(0.5, 3.0):.3f}"
    kind = rng.integers(7)
    left, right = (random_expression(rng, depth - 1) for _ in range(2))
    if kind == 5:
        return f"(-{left})"
    if kind == 6:
        return f"({left})"
    return f"{left} {'+-*/^'[kind]} {right}" if kind < 4 else f"({left}) ^ 2"


def test_random_expressions_have_the_value_that_python_gives_them() -> None:
    rng = np.random.default_rng(18)
    tried = 0
    for _ in range(200):
        text = random_expression(rng, 4)
        try:
            wanted = eval(text.replace("^", "**"))
        except (ZeroDivisionError, OverflowError):
            continue
        tried += 1
        assert expression(Stream(tokens_of(text, "<test>"))) == pytest.approx(wanted, rel=1e-12)
    assert tried > 150


def test_keywords_are_read_in_any_case_and_comments_skipped() -> None:
    text = LAG.upper().replace("SUM", "sum").replace("INTEGRATOR", "integrator").replace("MODULE GAIN", "MODULE gain")
    text = text.replace("CONNECTIONS", "/* all\nof them */ Connections // here\n")
    made = read(text)
    assert made.__name__ == "TOP"
    assert set(made._info.children) == {"S", "I", "G"}


# -- what a configuration is ----------------------------------------------------------------------------------------


def test_a_lag_runs_as_the_closed_solution() -> None:
    """x' = u - 2 x from 0.5."""
    lag = read(LAG)
    run = tg.simulate(lag(), 2.0, parameters={"in0": 3.0}, rtol=1e-9)
    assert run["out0"][-1] == pytest.approx(1.5 + (0.5 - 1.5) * np.exp(-4.0), rel=1e-7)
    assert lag.direct_inputs() == ()


def test_the_class_is_an_ordinary_component() -> None:
    """Two instances inside a model of the user own their states (L4); parameters are reached by path."""
    lag = read(LAG)

    class Chain(tg.Component):
        first = lag()
        second = lag()

        def equations(self) -> Any:
            yield self.first.in0 == 1.0

        def connections(self) -> Any:
            yield self.first.out0, self.second.in0

    run = tg.simulate(Chain(), 1.0, parameters={"second.g.k": 3.0}, initial={"first.i.x": 0.0})
    assert run["second.out0"][0] == 0.5
    assert run["first.i.x"][0] == 0.0
    assert run["second.g.y"][-1] == pytest.approx(3.0 * run["second.i.x"][-1])


NESTED = (
    LAG.replace("module top", "module lag")
    + """
module pair isa configuration with
  interface declare(inputs, 1); declare(outputs, 2);
  submodules first, second isa module lag; through isa module gain;
  connections in[0] @ first.in[0]; first.out[0] @ second.in[0]; second.out[0] @ out[0];
    in[0] @ through.in[0]; through.out[0] @ out[1];
  initialization setParam(through, [2]);
endmodule;
module plant isa configuration with
  submodules p, q isa module pair; s isa module source;
  connections s.out[2] @ p.in[0]; p.out[0] @ q.in[0];
  initialization setParam(s, {[1, 2], [3]});
endmodule;
"""
)


def test_configurations_nest_and_instances_own_what_they_contain() -> None:
    plant = read(NESTED)
    run = tg.simulate(plant(), 30.0)
    assert run["p.out1"][-1] == pytest.approx(6.0)
    assert run["p.out0"][-1] == pytest.approx(0.75, rel=1e-4)
    assert run["q.second.out0"][-1] == pytest.approx(0.75 / 4, rel=1e-4)
    assert len([task for task in plant.schedule().tasks if task.operator == "derivatives"]) == 15
    nested = {task.name: task.level for task in plant.schedule(nested=True).tasks}
    assert nested == {
        "s.outputs": 0,
        "s.derivatives": 0,
        "p.outputs": 2,
        "p.derivatives": 2,
        "q.outputs": 4,
        "q.derivatives": 4,
    }
    assert read(NESTED, module="pair").direct_inputs() == ("in0",)
    assert read(NESTED, module="lag").direct_inputs() == ()


def test_random_networks_run_in_the_order_of_their_schedule() -> None:
    """An independent evaluation by Kahn's rule: each task finds its inputs computed, none comes later than it must."""
    rng = np.random.default_rng(5)
    for _ in range(25):
        count = int(rng.integers(2, 9))
        kinds = ["integrator" if rng.random() < 0.4 else "gain" for _ in range(count)]
        drivers = [
            int(rng.integers(0, k)) if kinds[k] == "gain" and k else int(rng.integers(count)) for k in range(count)
        ]
        drivers = [count if kinds[k] == "gain" and k == 0 else drivers[k] for k in range(count)]
        submodules = " ".join(f"m{k} isa module {kind};" for k, kind in enumerate(kinds)) + " s isa module source;"
        names = [f"m{k}" for k in range(count)] + ["s"]
        connections = " ".join(f"{names[drivers[k]]}.out[0] @ m{k}.in[0];" for k in range(count))
        schedule = read(configuration(submodules, connections)).schedule()
        level = {task.name: task.level for task in schedule.tasks}
        assert len(schedule.tasks) == 2 * (count + 1)
        for k, kind in enumerate(kinds):
            driver = f"{names[drivers[k]]}.outputs"
            assert level[f"m{k}.outputs"] == (0 if kind == "integrator" else level[driver] + 2)
            assert level[f"m{k}.derivatives"] == level[driver] + 2


def compare_with_matrices(case: RandomModules) -> None:
    """Levels and feed-through of the flat graph, and the run, against the solution by matrices."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = read(case.text())
    reads, direct = case.pattern()
    count = len(reads)
    last = count - 1
    through = np.linalg.matrix_power(np.eye(count, dtype=int) + reads, count) > 0  # at once, through any others
    assert made.direct_inputs() == (("in0",) if (through[last] & direct).any() else ())
    assert bool(made.algebraic_loops()) == bool(np.diag(reads.astype(int) @ through).any())
    run = tg.simulate(made(), 0.7, parameters={"in0": 1.25}, rtol=1e-9)
    wanted = case.outputs(1.25, 0.7)
    for k in range(count):
        assert run[f"{case.path(k)}.y"][-1] == pytest.approx(wanted[k], rel=1e-6, abs=1e-7), case.text()
    assert run["out0"][-1] == pytest.approx(wanted[last], rel=1e-6, abs=1e-7)
    for k in case.matrices()[1]:
        assert run[f"{case.path(k)}.x"][0] == case.starts[k]


def test_random_configurations_run_as_matrices_say() -> None:
    rng = np.random.default_rng(1806)
    for _ in range(6):
        compare_with_matrices(random_modules(rng))


# -- loops and feed-through -----------------------------------------------------------------------------------------


def test_an_algebraic_loop_is_reported_and_solved() -> None:
    text = configuration(
        "s isa module sum; a, b isa module gain;",
        "in[0] @ s.in[0]; b.out[0] @ s.in[1]; s.out[0] @ a.in[0]; a.out[0] @ b.in[0]; a.out[0] @ out[0];",
        "setParam(a, [2]); setParam(b, [3]);",
        "declare(inputs, 1); declare(outputs, 1);",
    )
    with pytest.warns(UserWarning, match="top has an algebraic loop") as caught:
        made = read(text)
    loop = made.algebraic_loops()
    assert len(loop) == 1
    assert str(loop[0]) == "s.out[0] -> a.in[0] -> a.out[0] -> b.in[0] -> b.out[0] -> s.in[1] -> s.out[0]"
    assert str(loop[0]) in str(caught[0].message)
    assert next(task.name for task in made.schedule().tasks if task.level == 0) == "loop of s, a, b"
    run = tg.simulate(made(), 1.0, parameters={"in0": 7.0})
    assert run["out0"][-1] == pytest.approx(2.0, rel=1e-9)  # a = 2 (u - 3 a)


def test_a_module_connected_to_itself_is_a_loop_if_it_feeds_through() -> None:
    with pytest.warns(UserWarning, match=r"g.out\[0\] -> g.in\[0\] -> g.out\[0\]"):
        read(configuration("g isa module gain;", "g.out[0] @ g.in[0];", "setParam(g, [0.5]);"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not read(configuration("i isa module integrator;", "i.out[0] @ i.in[0];")).algebraic_loops()


@pytest.mark.parametrize(
    ("declared", "kind", "words"),
    [
        ("true", "integrator", "declares direct feed-through .dft true., but no output depends directly"),
        ("false", "gain", r"declares no direct feed-through .dft false., but outputs depend on in\[0\]"),
    ],
)
def test_a_declared_feedthrough_is_compared_with_the_inferred_one(declared: str, kind: str, words: str) -> None:
    interface = f"declare(inputs, 1); declare(outputs, 1); declare(dft, {declared});"
    text = configuration(f"m isa module {kind};", "in[0] @ m.in[0]; m.out[0] @ out[0];", interface=interface)
    with pytest.warns(UserWarning, match=words):
        read(text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(text.replace(declared, "false" if declared == "true" else "true"))


class Lag(tg.Component):
    """The rate is an output: only that depends on inputs at once."""

    u = tg.input()
    v = tg.input()
    x = tg.variable(start=0.0, fixed=True)
    y = tg.output()
    T = tg.parameter(1.0, "s")

    def equations(self) -> Any:
        yield self.T * tg.der(self.x) == self.u + self.v - self.x
        yield self.y == self.x


class RateOfLag(Lag):
    rate = tg.output()

    def equations(self) -> Any:
        yield from super().equations()
        yield self.rate == self.T * tg.der(self.x)


class OneOfTwo(tg.Component):
    u = tg.input()
    v = tg.input()
    a = tg.variable()
    y = tg.output()

    def equations(self) -> Any:
        yield self.a == self.v + tg.sin(self.a) / 3
        yield self.y == 2 * self.a


class Switched(Lag):
    """An event carries the input to the output: then all inputs count."""

    def equations(self) -> Any:
        yield self.T * tg.der(self.x) == -self.x
        yield self.y == tg.where(self.u > self.x, 1.0, 0.0)


@pytest.mark.parametrize(
    ("cls", "inputs"), [(Lag, ()), (RateOfLag, ("in0", "in1")), (OneOfTwo, ("in1",)), (Switched, ("in0", "in1"))]
)
def test_feedthrough_of_equations_is_found_by_sorting(cls: Any, inputs: tuple[str, ...]) -> None:
    interface = "declare(inputs, 2); declare(outputs, 1);"
    text = configuration(
        "m isa module part;", "in[0] @ m.in[0]; in[1] @ m.in[1]; m.out[0] @ out[0];", interface=interface
    )
    if cls is RateOfLag:
        text = text.replace("m.out[0]", "m.out[1]")
    assert tg.read_mdl(text=text, modules={"part": cls}).direct_inputs() == inputs


def test_blocks_of_the_library_are_modules() -> None:
    """Inputs with a default are ports only where the module declares them; an output with a start value is a state."""
    text = configuration(
        "i isa module integrator; g isa module gain;",
        "i.out[0] @ g.in[0]; g.out[0] @ i.in[0];",
        "setState(i, [2]); setParam(g, [-3]);",
    )
    library = {"integrator": blocks.Integrator, "gain": blocks.Gain}
    made = tg.read_mdl(text=text, modules=library)
    assert not made.algebraic_loops()
    run = tg.simulate(made(), 1.0, rtol=1e-9)
    assert run["i.y"][-1] == pytest.approx(2 * np.exp(-3.0), rel=1e-6)
    declared = "module integrator is interface declare(inputs, 3); declare(outputs, 1); endmodule;\n"
    with pytest.raises(tg.DocumentError, match=r"nothing drives 'i.in\[1\]', 'i.in\[2\]'"):
        tg.read_mdl(text=declared + text, modules=library)


# -- the seeker -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def seeker() -> Any:
    with pytest.warns(UserWarning, match="seeker.mdl:35:8: 'seeker' declares direct feed-through"):
        return tg.read_mdl(DATA / "seeker.mdl", module="seeker")


@pytest.fixture(scope="module")
def system() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tg.read_mdl(DATA / "seeker.mdl")


CONNECTIONS = """
    g.in0 c1.out0  g.in1 c2.out0  c1.in0 dc_p.out0  c2.in0 dc_y.out0  c1.in1 g.out0  c2.in1 g.out2
    pid_p.in0 g.out0  pid_y.in0 g.out2  pid_p.in1 g.out1  pid_y.in1 g.out3  pid_p.in2 .in0  pid_y.in2 .in2
    pid_p.in3 .in1  pid_y.in3 .in3  dc_p.in0 pid_p.out0  dc_y.in0 pid_y.out0  dc_p.in1 c1.out0  dc_y.in1 c2.out0
    .out0 g.out0  .out1 g.out2
"""


@needs_compiler
def test_the_seeker_has_its_twenty_connections(seeker: Any) -> None:
    words = CONNECTIONS.split()
    wanted = dict(zip(words[::2], words[1::2], strict=True))
    found = {
        f"{target.instance}.{target.name}": f"{driver.instance}.{driver.name}"
        for target, driver in seeker._network.drivers.items()
    }
    assert len(found) == 20
    assert found == wanted


@needs_compiler
def test_the_schedule_of_the_seeker_is_that_of_the_thesis(seeker: Any) -> None:
    schedule = seeker.schedule()
    levels = dict(schedule.levels())
    assert len(schedule.tasks) == 14
    assert set(levels) == {0, 1, 2, 3, 4}
    assert set(levels[0]) == {"g.outputs", "dc_p.outputs", "dc_y.outputs"}
    middle = ("c1", "c2", "pid_p", "pid_y")
    assert set(levels[2]) == {f"{name}.{operator}" for name in middle for operator in ("outputs", "derivatives")}
    assert set(levels[4]) == {"g.derivatives", "dc_p.derivatives", "dc_y.derivatives"}
    assert set(levels[1]) == {f"g.out[{k}]" for k in range(4)} | {"dc_p.out[0]", "dc_y.out[0]"}
    assert set(levels[3]) == {f"{name}.out[0]" for name in middle}
    assert not schedule.loops
    assert seeker.direct_inputs() == ()


@needs_compiler
def test_the_engine_finds_the_same_levels(system: Any) -> None:
    """The schedule of the sorted equations, made without a look at MDL."""
    engine = {task.name: task.level for task in tg.compile(system()).schedule().tasks}
    assert engine == {task.name: task.level for task in system.schedule().tasks}


@needs_compiler
def test_the_seeker_turns_to_what_is_wanted(system: Any) -> None:
    run = tg.simulate(system(), 1.0)
    assert run["seeker_m.out0"][-1] == pytest.approx(0.14, abs=1e-3)
    assert run["seeker_m.out1"][-1] == pytest.approx(-0.14, abs=1e-3)
    assert run["seeker_m.pid_p.x0"][0] == 0.14
    assert run["seeker_m.pid_y.x0"][0] == -0.14


@needs_compiler
def test_the_gimbal_conserves_energy_and_momentum() -> None:
    """Without torques: kinetic energy, and the momentum about the pitch axis, which does not depend on pitch."""
    arrays = [[1.041e-6, 1.118e-6, 1.66e-6], [2.647e-7, 2.634e-7, 1.975e-7], [2.079e-3, -1.266e-3, -8.206e-3, 54.21e-3]]
    gimbal = tg.c_component(DATA / "gimbal.c", parameters=[*arrays, [1.573, 0.81108]], start=[0.0, 3.0, 0.4, -2.0])
    run = tg.simulate(gimbal(), 4.0, parameters={"in0": 0.0, "in1": 0.0}, rtol=1e-9)
    (_, ring, _), (i, j, k), (x, z, h, r) = arrays
    a, b, w = run["x1"], run["x2"], run["x3"]
    c, s = np.cos(b), np.sin(b)
    centre = np.array([a * h - w * r * s, w * r * c, -a * r * c])  # velocity of the camera's centre of mass
    turning = (ring + 1.573 * (x**2 + z**2)) * a**2 + i * (a * s) ** 2 + j * (a * c) ** 2 + k * w**2
    energy = 0.5 * turning + 0.5 * 0.81108 * (centre**2).sum(axis=0)
    inertia = ring + 1.573 * (x**2 + z**2) + i * s**2 + j * c**2 + 0.81108 * (h**2 + (r * c) ** 2)
    momentum = inertia * a - 0.81108 * h * r * s * w
    assert np.ptp(b) > 1.0
    assert np.ptp(energy) < 1e-6 * energy[0]
    assert np.ptp(momentum) < 1e-6 * abs(momentum[0])


def midpoint(model: Any, steps: int, stop: float) -> np.ndarray[Any, Any]:
    """S27: k1 = h f(t, y), k2 = h f(t + h/2, y + k1/2), y += k2; the schedule is evaluated at both points."""
    h = stop / steps
    y = np.array([0.5, 0.0])
    for step in range(steps):
        k1 = h * model(step * h, y)
        y = y + h * model((step + 0.5) * h, y + k1 / 2)
    return y


def test_the_midpoint_rule_over_the_schedule_has_order_two() -> None:
    """The integrator of the thesis, as a loop over the tasks, against the run of the engine."""
    text = configuration(
        "a, b isa module integrator; g isa module gain;",
        "b.out[0] @ a.in[0]; a.out[0] @ g.in[0]; g.out[0] @ b.in[0];",
        "setState(a, [0.5]); setParam(g, [-4]);",
    )
    made = read(text)
    order = [task.name for task in made.schedule().tasks]
    assert order.index("a.outputs") < order.index("g.outputs") < order.index("b.derivatives")

    def rates(_: float, y: Any) -> Any:
        values: dict[str, Any] = {}
        operators = {
            "a.outputs": lambda: values.update(a=y[0]),
            "b.outputs": lambda: values.update(b=y[1]),
            "g.outputs": lambda: values.update(g=-4.0 * values["a"]),
            "a.derivatives": lambda: values.update(da=values["b"]),
            "b.derivatives": lambda: values.update(db=values["g"]),
            "g.derivatives": lambda: None,
        }
        for name in order:
            operators[name]()
        return np.array([values["da"], values["db"]])

    exact = np.array([0.5 * np.cos(2.0), -np.sin(2.0)])
    errors = [np.abs(midpoint(rates, steps, 1.0) - exact).max() for steps in (50, 100, 200)]
    assert np.log2(np.array(errors[:-1]) / errors[1:]) == pytest.approx([2.0, 2.0], abs=0.05)
    run = tg.simulate(made(), 1.0, rtol=1e-9)
    assert [run["a.x"][-1], run["b.x"][-1]] == pytest.approx(exact, abs=1e-7)


# -- memory ---------------------------------------------------------------------------------------------------------


def test_memory_is_addressed_as_in_the_thesis() -> None:
    """V13: A and D without inputs, B and C give the outputs; entry 2 of C holds 8, where the value of D is."""

    class B(tg.Component):
        u0 = tg.input()
        u1 = tg.input()
        y0 = tg.output()
        y1 = tg.output()

        def equations(self) -> Any:
            yield self.y0 == self.u0
            yield self.y1 == self.u1

    class C(tg.Component):
        u0 = tg.input()
        u1 = tg.input()
        u2 = tg.input()
        y0 = tg.output()
        y1 = tg.output()
        y2 = tg.output()

        def equations(self) -> Any:
            yield self.y0 == self.u0
            yield self.y1 == self.u1
            yield self.y2 == self.u2

    text = configuration(
        "A isa module source; inner isa module holder; D isa module source;",
        "A.out[0] @ inner.in[0]; A.out[2] @ inner.in[1]; D.out[0] @ inner.in[2];"
        "inner.out[0] @ out[0]; inner.out[1] @ out[1];",
        interface="declare(outputs, 2);",
    )
    text += """module holder isa configuration with
      interface declare(inputs, 3); declare(outputs, 2);
      submodules b isa module B; c isa module C;
      connections in[0] @ b.in[0]; in[1] @ b.in[1]; b.out[0] @ c.in[0]; b.out[1] @ c.in[1]; in[2] @ c.in[2];
        b.out[1] @ out[0]; c.out[2] @ out[1];
      initialization endmodule;"""
    memory = tg.read_mdl(text=text, modules={"source": Source, "B": B, "C": C}, module="top").memory_map()
    assert memory.inputs["inner.c"][2] == 8
    assert memory.values[8] == "D.out[0]"
    assert memory.inputs == {"A": (), "inner.b": (0, 2), "inner.c": (3, 4, 8), "D": ()}
    assert memory.outputs == (4, 7)
    assert "address" in str(memory)


# -- damaged files --------------------------------------------------------------------------------------------------

WORDS = [*"@;,.()[]{}+-*/^=$", "in", "out", "module", "isa", "is", "with", "endmodule", "true", "7", "1e999", "g", "p"]
WORDS += ["submodules", "connections", "interface", "/*", "//", "\x00", "setState", "99999999999999999999", "0.5", "_x"]


def damaged(text: str, rng: np.random.Generator) -> str:
    """A file with a few tokens left out, doubled, exchanged or replaced."""
    words = re.findall(r"\w+|\s+|[^\w\s]", text)
    for _ in range(int(rng.integers(1, 4))):
        at = int(rng.integers(len(words)))
        kind = rng.integers(5)
        if kind == 0:
            del words[at]
        elif kind == 1:
            words.insert(at, words[int(rng.integers(len(words)))])
        elif kind == 2:
            words[at] = str(rng.choice(WORDS))
        elif kind == 3:
            other = int(rng.integers(len(words)))
            words[at], words[other] = words[other], words[at]
        else:
            words = words[:at] + words[at + int(rng.integers(2, 12)) :]
    return "".join(words)


def refusal(text: str) -> tg.DocumentError | None:
    """What is said against a text."""
    try:
        read(text)
    except tg.DocumentError as error:
        return error
    return None


@pytest.mark.filterwarnings("ignore")
def test_damaged_files_end_in_our_errors() -> None:
    """Or in a class; the place of an error is in the text, with a column."""
    rng = np.random.default_rng(2026)
    errors = [error for _ in range(300) if (error := refusal(damaged(NESTED, rng))) is not None]
    assert len(errors) > 150
    for error in errors:
        assert error.advice
        assert error.location is not None
        assert error.location.column > 0 or error.code in ("E860", "E863"), str(error)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "E860"),
        ("module a is endmodule;", "E863"),
        ("module a isa configuration with endmodule;", "E862"),
        ("module a is endmodule; module a is endmodule;", "E863"),
        (configuration("t isa module top;", ""), "E863"),
        (
            configuration("g isa module gain;", "in[0] @ out[0];", interface="declare(inputs,1); declare(outputs,1);"),
            "E864",
        ),
        (configuration("g isa module gain;", "in[0] @ g.out[0];", interface="declare(inputs, 1);"), "E864"),
        (configuration("a, a isa module gain;", ""), "E863"),
        (configuration("g isa module gain;", "g.out[0] @ g.in[0];", "setParam(g, [1]); setParam(g, [2]);"), "E866"),
        (configuration("g isa module gain;", "g.out[0] @ g.in[0];", "setParam(g, [1, 2]);"), "E866"),
        (configuration("g isa module gain;", "g.out[0] @ g.in[0];", "setState(h, [1]);"), "E863"),
        (NESTED.replace("setParam(through, [2]);", "setParam(first, [2]);"), "E866"),
        (
            configuration("g isa module gain;", "g.out[0] @ g.in[0];", f"setParam(g, [{'(' * 500}1{')' * 500}]);"),
            "E861",
        ),
        (configuration("g isa module gain;", "g.out[0] @ g.in[0];", f"setParam(g, [2{'^2' * 500}]);"), "E861"),
    ],
)
def test_what_is_refused(text: str, code: str) -> None:
    with pytest.raises(tg.DocumentError) as caught:
        read(text)
    assert caught.value.code == code
    assert caught.value.advice


def test_ports_of_other_structure_are_refused() -> None:
    class Volts(tg.Component):
        y = tg.output("V")

    class Metres(tg.Component):
        u = tg.input("m")

    class Three(tg.Component):
        u = tg.input(shape=3)

    for taker, words in ((Metres, "a number in V and a number in m"), (Three, "an array of 3 numbers")):
        text = configuration("v isa module volts; t isa module taker;", "v.out[0] @ t.in[0];")
        with pytest.raises(tg.DocumentError, match=f"E864.*{words}"):
            tg.read_mdl(text=text, modules={"volts": Volts, "taker": taker})


def test_what_is_given_must_be_classes() -> None:
    with pytest.raises(tg.DocumentError, match=r"E867.*not a component class"):
        tg.read_mdl(text=LAG, modules={"gain": Gain()})
    with pytest.raises(tg.DocumentError, match=r"E860.*needs a file or a string"):
        tg.read_mdl()
    with pytest.raises(tg.DocumentError, match=r"E860.*cannot be read"):
        tg.read_mdl("nowhere.mdl")
    with pytest.raises(tg.DocumentError, match=r"E863.*no configuration 'tpo'; perhaps you meant 'top'"):
        read(LAG, module="tpo")


@needs_compiler
@pytest.mark.filterwarnings("ignore")
def test_the_command_line_takes_files_of_modules() -> None:
    from tellegen.cli.target import load

    assert type(load(str(DATA / "seeker.mdl"))[0]).__name__ == "system"
    assert type(load(f"{DATA / 'seeker.mdl'}:seeker")[0]).__name__ == "seeker"


@needs_compiler
def test_modules_in_files_beside_are_found(tmp_path: Path) -> None:
    for name in ("constant.c", "dcmotor.c", "gimbal.c", "pid.c", "coupling.c"):
        shutil.copy(DATA / name, tmp_path / name)
    whole = (DATA / "seeker.mdl").read_text()
    at = whole.index("module system")
    (tmp_path / "seeker.mdl").write_text(whole[:at])
    (tmp_path / "system.mdl").write_text(whole[at:])
    with pytest.warns(UserWarning, match="dft true"):
        made = tg.read_mdl(tmp_path / "system.mdl")
    assert len(made.schedule().tasks) == 20
    (tmp_path / "pid.c").unlink()
    (tmp_path / "coupling.c").unlink()
    with pytest.raises(tg.DocumentError, match="E867: 2 modules have no implementation: pid, coupling"):
        tg.read_mdl(tmp_path / "system.mdl")
