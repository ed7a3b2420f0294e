"""FMUs as components: equations of Model Exchange, steps of Co-Simulation, and what goes wrong."""

from __future__ import annotations

import math
import os
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from fmi.fmu_sources import built, write_fmu
from tellegen.errors import DesignError
from tellegen.fmi.archive import write_archive
from tellegen.fmi.description import (
    Attributes,
    BaseUnit,
    CoSimulation,
    DefaultExperiment,
    ModelDescription,
    ModelExchange,
    Structure,
    Unit,
    Unknown,
    Variable,
)
from tellegen.fmi.write_description import write_description

FIRST = math.sqrt(2.0 / 9.81)
BALL = ModelDescription(
    version="3.0",
    name="Ball",
    token="{ball}",
    variables=(
        Variable("time", 0, causality="independent"),
        Variable("h", 1, causality="output", attributes=Attributes(unit="m"), start=(1.0,), initial="exact"),
        Variable("v", 2, attributes=Attributes(unit="m/s"), start=(0.0,), initial="exact"),
        Variable("der(h)", 3, derivative_of=1),
        Variable("der(v)", 4, derivative_of=2),
        Variable("force", 5, causality="input", attributes=Attributes(unit="m/s2"), start=(0.0,)),
        Variable("ball.energy", 6, causality="output"),
        Variable("e", 7, causality="parameter", variability="fixed", start=(0.8,)),
        Variable("bounces", 8, "Int32", "output", "discrete"),
        Variable("fan", 9, "Boolean", "output", "discrete"),
        Variable("z", 10),
    ),
    structure=Structure(
        outputs=(Unknown(1), Unknown(6, (1, 2)), Unknown(8, ()), Unknown(9, ())),
        derivatives=(Unknown(3), Unknown(4)),
        event_indicators=(Unknown(10),),
    ),
    model_exchange=ModelExchange("Ball", needs_completed_step=True),
    co_simulation=CoSimulation("Ball", variable_step=True),
    units=(
        Unit("m", BaseUnit((0, 1, 0, 0, 0, 0, 0, 0))),
        Unit("m/s", BaseUnit((0, 1, -1, 0, 0, 0, 0, 0))),
        Unit("m/s2", BaseUnit((0, 1, -2, 0, 0, 0, 0, 0))),
    ),
    experiment=DefaultExperiment(step=0.01),
    event_indicator_count=1,
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return built("ball", tmp_path_factory.mktemp("ball"))


@pytest.fixture(scope="module")
def path(library: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_fmu(tmp_path_factory.mktemp("fmu") / "ball.fmu", BALL, library)


@pytest.fixture(scope="module")
def ball(path: Path) -> Any:
    return tg.read_fmu(path)


class Own(tg.Component):
    """The same ball as equations."""

    h = tg.variable("m", start=1.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    e = tg.parameter(0.8)
    bounces = tg.integer()

    def equations(self) -> Any:
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -9.81 + tg.where(tg.time >= 0.25, 1.0, 0.0) + 2.0 * tg.sin(5.0 * tg.time)
        yield tg.when(self.h < 0, tg.reinit(self.v, -self.e * tg.pre(self.v)), self.bounces == tg.pre(self.bounces) + 1)


@pytest.fixture(scope="module")
def driven(ball: Any) -> Any:
    class Driven(tg.Component):
        """The ball of the FMU, pushed."""

        ball_ = ball()

        def equations(self) -> Any:
            yield self.ball_.force == 2.0 * tg.sin(5.0 * tg.time)

    return tg.compile(Driven())


@pytest.mark.parametrize("solver", ["auto", "rk45", "cvode", "ida", "rodas"])
def test_equations_and_events_as_written_by_hand(driven: Any, solver: Any) -> None:
    found = tg.simulate(driven, stop=1.5, rtol=1e-8, solver=solver, points=1501)
    own = tg.simulate(Own(), stop=1.5, rtol=1e-8, points=1501)
    assert found["ball_.bounces"][-1] == own["bounces"][-1] == 2
    for t in (0.2, 0.5, 0.9, 1.45):
        height = np.interp(t, found.time, found["ball_.h"])
        assert height == pytest.approx(np.interp(t, own.time, own["h"]), abs=1e-6)
    assert found["ball_.fan"][[0, -1]].tolist() == [0, 1]
    energy = 9.81 * found["ball_.h"] + 0.5 * found["ball_.v"] ** 2
    assert np.allclose(found["ball_.ball_energy"], energy, rtol=1e-7)  # IDA solves for it


def test_runs_do_not_disturb_each_other(driven: Any) -> None:
    first = tg.simulate(driven, stop=1.5)
    other = tg.simulate(driven, stop=1.5, parameters={"ball_.e": 0.7})
    again = tg.simulate(driven, stop=1.5)
    assert other["ball_.h"][-1] != first["ball_.h"][-1]
    assert np.array_equal(first["ball_.h"], again["ball_.h"])


def test_two_components_of_one_fmu_have_events_of_their_own(ball: Any) -> None:
    class Two(tg.Component):
        """Equal parameters, other forces."""

        a = ball()
        b = ball()

        def equations(self) -> Any:
            yield self.a.force == 0.0
            yield self.b.force == 3.0

    class One(tg.Component):
        """One of them."""

        f = tg.parameter(0.0, "m/s2")
        a = ball()

        def equations(self) -> Any:
            yield self.a.force == self.f

    both = tg.simulate(Two(), stop=1.2, rtol=1e-8)
    for name, force in (("a", 0.0), ("b", 3.0)):
        alone = tg.simulate(One(f=force), stop=1.2, rtol=1e-8)
        assert both[f"{name}.h"][-1] == pytest.approx(alone["a.h"][-1], abs=1e-7)


def pushed(ball: Any) -> Any:
    """A component of two balls with equal parameters and other forces."""

    class Pushed(tg.Component):
        """Two balls."""

        forces = tg.parameter([0.0, 3.0], "m/s2", shape=2)
        balls = ball.array(2)

        def equations(self) -> Any:
            yield self.balls.force == self.forces

    return Pushed


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_elements_of_arrays_have_events_of_their_own(path: Path, kind: Any) -> None:
    """Also in components that occur twice, and in arrays of those."""
    group = pushed(tg.read_fmu(path, kind=kind))

    class Four(tg.Component):
        """Two groups."""

        a = group()
        b = group(forces=[1.0, 2.0])

    class Nested(tg.Component):
        """The same, as an array."""

        groups = group.array(2, forces=[[0.0, 3.0], [1.0, 2.0]])

    class One(tg.Component):
        """One of them."""

        f = tg.parameter(0.0, "m/s2")
        a = tg.read_fmu(path, kind=kind)()

        def equations(self) -> Any:
            yield self.a.force == self.f

    four = tg.simulate(Four(), stop=1.2, rtol=1e-8)
    nested = tg.simulate(Nested(), stop=1.2, rtol=1e-8)
    for k, force in enumerate([0.0, 3.0, 1.0, 2.0]):
        alone = tg.simulate(One(f=force), stop=1.2, rtol=1e-8)["a.h"][-1]
        assert four[f"{'ab'[k // 2]}.balls[{k % 2}].h"][-1] == pytest.approx(alone, abs=1e-7)
        assert nested[f"groups[{k // 2}].balls[{k % 2}].h"][-1] == pytest.approx(alone, abs=1e-7)


def test_bounces_without_end_are_noticed(ball: Any) -> None:
    with pytest.raises(tg.RunFailedError, match="events accumulate"):
        tg.simulate(ball(e=0.3), stop=1.5)


def test_studies_use_several_threads_and_processes(driven: Any) -> None:
    values = np.linspace(0.5, 0.9, 7)
    study = tg.study(driven, tg.grid({"ball_.e": values}), outputs={"h": tg.final("ball_.h")}, stop=1.5, workers=2)
    one = tg.simulate(driven, stop=1.5, parameters={"ball_.e": float(values[2])})
    assert study["h"][2] == pytest.approx(one["ball_.h"][-1], abs=1e-9)


def test_sensitivities_through_an_fmu(ball: Any) -> None:
    class Pushed(tg.Component):
        """Nothing bounces within 0.2 s."""

        ball_ = ball()
        a = tg.parameter(2.0, "m/s2")

        def equations(self) -> Any:
            yield self.ball_.force == self.a

    found = tg.sensitivity(Pushed(), stop=0.2, wrt=["a"])
    assert found["ball_.h", "a"][-1] == pytest.approx(0.5 * 0.2**2, rel=1e-5)


def test_derivatives_by_inputs_of_co_simulation_are_errors_at_the_start_too(path: Path) -> None:
    made = tg.read_fmu(path, kind="cs")

    class Followed(tg.Component):
        """What integrates an output of the FMU: no derivative of it is known from the first instant on."""

        ball_ = made()
        a = tg.parameter(2.0, "m/s2")
        z = tg.variable("m.s", start=0.0, fixed=True)

        def equations(self) -> Any:
            yield self.ball_.force == self.a
            yield tg.der(self.z) == self.ball_.h

    with pytest.raises(DesignError, match="no derivative is known") as caught:
        tg.sensitivity(Followed(), stop=0.2, wrt=["a"])
    assert caught.value.code == "E647"


def test_an_fmu_is_no_part_of_another_one(ball: Any, tmp_path: Path) -> None:
    with pytest.raises(tg.ExportError, match=r"it contains ball\w*\.fmu") as caught:
        tg.export_fmu(ball(), tmp_path / "outer.fmu")
    assert caught.value.code == "E442"


@pytest.mark.parametrize(("kind", "stop", "wrt"), [("me", 0.2, "ball_.e"), ("me", 0.6, "a"), ("cs", 0.2, "a")])
def test_derivatives_that_are_not_known_are_errors(path: Path, kind: Any, stop: float, wrt: str) -> None:
    """By a parameter of the FMU (that was taken for zero), across a bounce, and by an input of Co-Simulation."""
    made = tg.read_fmu(path, kind=kind)

    class Pushed(tg.Component):
        """A ball that is pushed."""

        ball_ = made()
        a = tg.parameter(2.0, "m/s2")

        def equations(self) -> Any:
            yield self.ball_.force == self.a

    for ask in (
        lambda: tg.sensitivity(Pushed(), stop=stop, wrt=[wrt]),
        lambda: tg.gradient(Pushed(), stop=stop, of=tg.final("ball_.h"), wrt=[wrt]),
    ):
        with pytest.raises(DesignError, match="known") as caught:
            ask()
        assert caught.value.code == "E647"


def test_co_simulation(path: Path) -> None:
    stepped = tg.read_fmu(path, kind="cs")
    found = tg.simulate(stepped(e=0.8), stop=0.2)
    assert found["h"][-1] == pytest.approx(1.0 - 0.5 * 9.81 * 0.2**2, abs=1e-3)
    assert found["bounces"][-1] == 0
    assert tg.simulate(stepped(), stop=FIRST + 0.02)["bounces"][-1] == 1
    assert tg.simulate(stepped(communication_step=0.15), stop=0.2)["h"][-1] == pytest.approx(found["h"][-1], abs=1e-3)


def test_runs_that_end_between_communication_points_warn(library: bytes, tmp_path: Path) -> None:
    """Where steps cannot vary: the last values are those of the point before."""
    fixed_steps = replace(BALL, co_simulation=CoSimulation("Ball", variable_step=False))
    stepped = tg.compile(tg.read_fmu(write_fmu(tmp_path / "fixed.fmu", fixed_steps, library), kind="cs")())
    for start in (0.0, 1e6):
        assert tg.simulate(stepped, start=start, stop=start + 0.2)["h"][-1] < 1.0  # warnings are errors
    with pytest.warns(UserWarning, match=r"ends between two communication points.*last_point = 0\.2 s"):
        cut = tg.simulate(stepped, stop=0.207)
    assert cut["h"][-1] == tg.simulate(stepped, stop=0.2)["h"][-1]


def test_a_crash_ends_the_run_alone(path: Path) -> None:
    isolated = tg.read_fmu(path, isolate=True)
    found = tg.simulate(isolated(), stop=0.2)
    assert found["h"][-1] == pytest.approx(1.0 - 0.5 * 9.81 * 0.2**2, abs=1e-3)
    with pytest.raises(tg.FmuError, match="crashed in do_step") as caught:
        tg.simulate(isolated(e=-1.0), stop=0.2)
    assert caught.value.code == "E526"
    kept = tg.simulate(isolated(e=-1.0), stop=0.2, throw=False)
    assert kept.outcome.code == "exception"
    assert "crashed in do_step" in kept.outcome.message
    assert kept.time[-1] <= kept.outcome.time < 0.2


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_the_script_of_the_user_runs_once(kind: str, path: Path, tmp_path: Path) -> None:
    """Not again in the process of an instance, as it would where scripts are not written for that."""
    script = tmp_path / "script.py"
    script.write_text(
        "import tellegen as tg\nprint('begun')\n"
        f"ball = tg.read_fmu({str(path)!r}, kind={kind!r}, isolate=True)\n"
        "print(tg.simulate(ball(), stop=0.2).success)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout.split() == ["begun", "True"], done.stderr


def test_equations_in_a_process_of_their_own(path: Path, ball: Any) -> None:
    isolated = tg.read_fmu(path, kind="me", isolate=True)
    found = tg.simulate(isolated(), stop=0.6)
    here = tg.simulate(ball(), stop=0.6)
    assert found["bounces"][-1] == 1
    for name in ("h", "v", "ball_energy"):
        np.testing.assert_array_equal(found[name], here[name])
    with pytest.raises(tg.TellegenError, match="crashed in GetContinuousStateDerivatives") as caught:
        tg.simulate(isolated(e=-2.0), stop=0.2)  # in an evaluation
    assert "SIGABRT" in str(caught.value)
    with pytest.raises(tg.FmuError, match="crashed in UpdateDiscreteStates") as crashed:
        tg.simulate(isolated(e=-1.25), stop=0.6)  # at an event
    assert crashed.value.code == "E526"


def test_components_are_pickled(ball: Any) -> None:
    again = pickle.loads(pickle.dumps(ball(e=0.5)))
    assert tg.simulate(again, stop=0.2)["h"][-1] == pytest.approx(1.0 - 0.5 * 9.81 * 0.2**2, abs=1e-6)


# -- mistakes -----------------------------------------------------------------------------------------------------
def test_kinds_that_are_not_offered(tmp_path: Path, path: Path, library: bytes) -> None:
    from dataclasses import replace

    only = write_fmu(tmp_path / "only.fmu", replace(BALL, co_simulation=None), library)
    with pytest.raises(tg.FmuError, match="not an FMU for Co-Simulation") as caught:
        tg.read_fmu(only, kind="cs")
    assert caught.value.code == "E520"
    with pytest.raises(tg.FmuError, match="is not known"):
        tg.read_fmu(path, kind="fmu")  # type: ignore[arg-type]
    with pytest.raises(tg.FmuError, match="no variable 'speed'"):
        tg.read_fmu(path, variables=["speed"])


def test_scheduled_execution_alone_is_not_supported(tmp_path: Path, library: bytes) -> None:
    from dataclasses import replace

    clocks = write_fmu(tmp_path / "clocks.fmu", replace(BALL, co_simulation=None, model_exchange=None), library)
    for kind in ("auto", "me", "cs"):
        with pytest.raises(tg.FmuError, match="Scheduled Execution only, which is not supported") as caught:
            tg.read_fmu(clocks, kind=kind)  # type: ignore[arg-type]
        assert caught.value.code == "E520"


def test_an_fmu_that_fails_says_so(ball: Any) -> None:
    with pytest.raises(tg.FmuError, match=r"fmi3ExitInitializationMode of ball\.fmu returned 'error'"):
        tg.simulate(ball(e=2.0), stop=1.0)


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_an_event_that_fails_says_so(ball: Any, solver: Any) -> None:
    with pytest.raises(tg.FmuError, match=r"fmi3UpdateDiscreteStates of ball\.fmu returned 'error'"):
        tg.simulate(ball(e=0.25), stop=3.0, solver=solver)
    assert tg.simulate(ball(e=0.5), stop=0.6, solver=solver)["bounces"][-1] == 1  # another run is not affected


def test_a_library_that_cannot_be_loaded_for_co_simulation(tmp_path: Path) -> None:
    broken = tg.read_fmu(write_fmu(tmp_path / "broken.fmu", BALL, b"no library"), kind="cs")
    with pytest.raises(tg.FmuError, match="cannot be loaded") as caught:
        tg.simulate(broken(), stop=1.0)
    assert caught.value.code == "E523"


def test_an_fmu_of_discrete_outputs_alone_that_is_never_instantiated(tmp_path: Path, library: bytes) -> None:
    """Its outputs are asked for before anything else; there was no instance to ask."""
    from dataclasses import replace

    variables = (BALL.variables[0], replace(BALL.variables[8], attributes=Attributes()))
    exchange = ModelExchange("Ball")
    only = replace(BALL, variables=variables, structure=Structure(outputs=(Unknown(1, ()),)), model_exchange=exchange)
    wrong = tg.read_fmu(write_fmu(tmp_path / "wrong.fmu", replace(only, token="{cube}"), library), kind="me")
    with pytest.raises(tg.FmuError, match=r"instantiate of wrong\.fmu"):
        tg.simulate(wrong(), stop=1.0)


def test_a_wrong_token_and_a_missing_library(tmp_path: Path, library: bytes) -> None:
    from dataclasses import replace

    wrong = tg.read_fmu(write_fmu(tmp_path / "wrong.fmu", replace(BALL, token="{cube}"), library))
    with pytest.raises(tg.FmuError, match=r"instantiate of wrong\.fmu"):
        tg.simulate(wrong(), stop=1.0)
    write_archive(tmp_path / "none.fmu", {"modelDescription.xml": write_description(BALL)})
    with pytest.raises(tg.FmuError, match="no libraries at all"):
        tg.simulate(tg.read_fmu(tmp_path / "none.fmu")(), stop=1.0)
    broken = tg.read_fmu(write_fmu(tmp_path / "broken.fmu", BALL, b"no library"))
    with pytest.raises(tg.FmuError, match="cannot be loaded"):
        tg.simulate(broken(), stop=1.0)
