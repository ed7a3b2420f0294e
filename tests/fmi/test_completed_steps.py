"""FMUs that want to know of every accepted step: their memory follows, and they may ask for events."""

from __future__ import annotations

from typing import Any

import pytest

import tellegen as tg
from fmi.fmu_sources import built, write_fmu
from tellegen.fmi.description import ModelDescription, ModelExchange, Structure, Unknown, Variable

SAW = ModelDescription(
    version="2.0",
    name="sawtooth",
    token="{saw}",
    variables=(
        Variable("x", 1, start=(0.0,), initial="exact"),
        Variable("der(x)", 2, derivative_of=0),
        Variable("teeth", 3, "Int32", "output", "discrete"),
        Variable("steps", 4, "Int32", "output", "discrete"),
    ),
    structure=Structure(outputs=(Unknown(2), Unknown(3)), derivatives=(Unknown(1),)),
    model_exchange=ModelExchange("sawtooth", needs_completed_step=True),
)


@pytest.fixture(scope="module")
def saw(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("saw")
    return tg.read_fmu(write_fmu(folder / "saw.fmu", SAW, built("sawtooth", folder)))


class Oscillator(tg.Component):
    """It keeps steps short."""

    a = tg.variable(start=1.0, fixed=True)
    b = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.a) == 200.0 * self.b
        yield tg.der(self.b) == -200.0 * self.a


def rig(part: Any) -> Any:
    class Rig(tg.Component):
        """Sawteeth in short steps."""

        saw = part
        clock = Oscillator()

    return Rig()


@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode", "ida"])
def test_events_that_completed_steps_ask_for(saw: Any, solver: Any) -> None:
    found = tg.simulate(rig(saw()), stop=6.5, solver=solver, rtol=1e-6)
    assert found["saw.x"] + found["saw.teeth"] == pytest.approx(found.time, abs=1e-12)
    assert found["saw.teeth"][-1] == 6
    assert found["saw.x"].max() < 1.03  # an event comes at the end of the step that passes 1
    assert found["saw.steps"][-1] > 0.8 * found.stats["steps"]  # at the last event


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_completed_steps_may_end_the_run(saw: Any, solver: Any) -> None:
    found = tg.simulate(rig(saw()), stop=20.0, solver=solver)
    assert 8.0 <= found.time[-1] < 8.2
    assert "asks to end the run" in found.outcome.message


def test_several_of_them_in_a_model(saw: Any) -> None:
    found = tg.simulate(rig(saw.array(3)), stop=3.5, solver="rk45")
    for k in range(3):
        assert found[f"saw[{k}].teeth"][-1] == 3
        assert found[f"saw[{k}].x"] + found[f"saw[{k}].teeth"] == pytest.approx(found.time, abs=1e-12)
