"""Derivatives of imported FMUs: their own directional derivatives, or differences on the sparsity that they declare."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy

import tellegen as tg
from fmi.fmu_sources import built, write_fmu
from tellegen.fmi.description import ModelDescription, ModelExchange, Structure, Unknown, Variable
from tellegen.importers.fmu.evaluations import Evaluated
from tellegen.importers.fmu.fmu_use import EvaluationSlopes

N = 6
STATE = 1
RATE = STATE + N
INPUT = RATE + N
DERIVATIVES, DIRECTIONAL, COMPLETED, STATES_SET = range(4)
_COLOURS = 3  # of a tridiagonal matrix; the input shares one


def neighbours(k: int) -> tuple[int, ...]:
    """What the rate of a state depends on: positions of variables."""
    left = STATE + k - 1 if k else INPUT
    return tuple(sorted({left, STATE + k, *([STATE + k + 1] if k < N - 1 else [])}))


CHAIN = ModelDescription(
    version="3.0",
    name="Chain",
    token="{chain}",
    variables=(
        Variable("time", 0, causality="independent"),
        *(Variable(f"x{k}", STATE + k, start=(0.0,), initial="exact") for k in range(N)),
        *(Variable(f"der(x{k})", RATE + k, derivative_of=STATE + k) for k in range(N)),
        Variable("u", INPUT, causality="input", start=(0.0,)),
        Variable("y", INPUT + 1, causality="output"),
        Variable("peak", INPUT + 2, causality="output"),
    ),
    structure=Structure(
        outputs=(Unknown(INPUT + 1, (STATE + N - 1, INPUT)), Unknown(INPUT + 2, ())),
        derivatives=tuple(Unknown(RATE + k, neighbours(k)) for k in range(N)),
    ),
    model_exchange=ModelExchange("Chain", directional_derivatives=True, needs_completed_step=True),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return built("chain", tmp_path_factory.mktemp("chain"))


@dataclass(frozen=True)
class Case:
    """A chain with a constant input, and how its derivatives are found."""

    how: str
    fmu: Any
    model: Any


def driven(fmu: Any) -> Any:
    class Driven(tg.Component):
        """The chain with a constant input."""

        chain = fmu()
        a = tg.parameter(2.0)

        def equations(self) -> Any:
            yield self.chain.u == self.a

    return Driven()


@pytest.fixture(scope="module", params=["own", "differences", "dense differences"])
def case(request: Any, library: bytes, tmp_path_factory: pytest.TempPathFactory) -> Case:
    """With directional derivatives; without; and without any stated dependencies."""
    assert CHAIN.model_exchange is not None
    description = CHAIN
    if request.param != "own":
        plain = replace(CHAIN.model_exchange, directional_derivatives=False)
        description = replace(CHAIN, model_exchange=plain)
    if request.param == "dense differences":
        unknowns = tuple(replace(each, dependencies=None) for each in CHAIN.structure.derivatives)
        description = replace(description, structure=replace(CHAIN.structure, derivatives=unknowns))
    path = write_fmu(tmp_path_factory.mktemp("fmu") / "chain.fmu", description, library)
    fmu = tg.read_fmu(path)
    return Case(request.param, fmu, tg.compile(driven(fmu)))


class Counts:
    """Calls that an FMU has seen."""

    def __init__(self, fmu: Any) -> None:
        self._function = ctypes.CDLL(fmu.fmu.library._name).chain_calls
        self._function.restype = ctypes.c_long
        self._before = self._now()

    def _now(self) -> np.ndarray:
        return np.array([self._function(kind) for kind in range(4)])

    def since(self) -> np.ndarray:
        """Calls since this object was made."""
        return self._now() - self._before


def jacobian(x: np.ndarray) -> np.ndarray:
    """Of the chain, written by hand."""
    return np.diag(-2.0 - 3.0 * x**2) + np.diag(np.ones(N - 1), 1) + np.diag(np.ones(N - 1), -1)


def test_the_jacobian_and_its_calls(case: Case) -> None:
    x = np.linspace(0.2, 1.5, N)
    code = case.fmu.fmu
    found = tg.simulate(case.model, stop=1e-3)
    instance = found["chain.instance"][-1]
    epoch = found["chain.epoch"][-1]
    layout = code.layouts[Evaluated.DERIVATIVES]
    slopes = EvaluationSlopes(code, Evaluated.DERIVATIVES).as_function("slopes").callable
    counts = Counts(case.fmu)
    values = slopes(0.0, *x, 2.0, instance, epoch)
    dense = np.zeros((N, N + 2))
    for place, (row, k) in enumerate((row, k) for row, known in enumerate(layout.depends) for k in known):
        dense[row, k] = values[place]
    exact = case.how == "own"
    assert dense[:, 1 : N + 1] == pytest.approx(jacobian(x), abs=1e-15 if exact else 1e-8)
    assert dense[:, N + 1] == pytest.approx(np.eye(N)[0], abs=1e-8)
    assert dense[:, 0] == pytest.approx(0.0, abs=1e-8)
    calls = counts.since()
    by_time = 2
    if exact:
        assert calls[DIRECTIONAL] == _COLOURS
        assert calls[DERIVATIVES] == by_time
    else:
        colours = _COLOURS if case.how == "differences" else N + 1
        assert calls[DIRECTIONAL] == 0
        assert calls[DERIVATIVES] == by_time + 2 * colours
    assert slopes(0.0, *x, 2.0, instance, epoch) == values
    assert (counts.since() == calls).all()  # those of the last point are kept
    assert slopes(0.0, *x, 2.5, instance, epoch) == pytest.approx(values, abs=1e-8)
    assert counts.since()[DERIVATIVES] > calls[DERIVATIVES]


@pytest.mark.parametrize("solver", ["cvode", "ida", "rodas"])
def test_implicit_solvers(case: Case, solver: Any) -> None:
    counts = Counts(case.fmu)
    found = tg.simulate(case.model, stop=20.0, solver=solver, rtol=1e-8)

    def rates(_: float, x: np.ndarray) -> np.ndarray:
        left = np.concatenate([[2.0], x[:-1]])
        right = np.concatenate([x[1:], [0.0]])
        return left - 2.0 * x + right - x**3

    reference = scipy.integrate.solve_ivp(rates, (0.0, 20.0), np.zeros(N), rtol=1e-10, atol=1e-12)
    assert [found[f"chain.x{k}"][-1] for k in range(N)] == pytest.approx(reference.y[:, -1], abs=1e-6)
    assert (counts.since()[DIRECTIONAL] > 0) == (case.how == "own")


def test_linearize(case: Case) -> None:

    class Plant(tg.Component):
        """The chain with an input and an output of its own."""

        u = tg.input(default=0.0)
        y = tg.output()
        chain = case.fmu()

        def equations(self) -> Any:
            yield self.chain.u == self.u
            yield self.y == self.chain.y

    system = tg.linearize(Plant(), inputs=["u"], outputs=["y"])
    accuracy = 1e-14 if case.how == "own" else 1e-8
    poles = np.sort(np.linalg.eigvalsh(jacobian(np.zeros(N))))
    assert np.sort(np.linalg.eigvals(system.A).real) == pytest.approx(poles, abs=10 * accuracy)
    assert system.D == pytest.approx(np.array([[0.5]]), abs=accuracy)


def test_sensitivities(case: Case) -> None:
    found = tg.sensitivity(case.model, stop=3.0, wrt=["a"], rtol=1e-8)["chain.y", "a"][-1]
    low, high = (
        tg.simulate(case.model, stop=3.0, rtol=1e-11, parameters={"a": 2.0 + d})["chain.y"][-1] for d in (-1e-4, 1e-4)
    )
    assert found == pytest.approx((high - low) / 2e-4, rel=1e-6)


class Held(tg.Component):
    """Controls itself by what it remembers of the last sample."""

    u = tg.input()
    x = tg.variable(start=0.0, fixed=True)
    v = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Any:
        """A sample every tenth of a second."""
        yield tg.der(self.x) == self.v - self.x
        yield tg.when(tg.sample(0.0, 0.1), self.v == self.u - self.x)


class Lagged(tg.Component):
    """Controls itself by what it was."""

    u = tg.input()
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Any:
        """A delay remembers the past."""
        yield tg.der(self.x) == self.u - tg.delay(self.x, 0.2)


@pytest.mark.parametrize("remembering", [Held, Lagged])
def test_fmus_that_remember_have_no_sensitivities(remembering: Any, tmp_path: Path) -> None:
    """Derivatives at fixed states are not all: gradients were 0 for 0.709, and 1.5 for 1.135."""
    pytest.importorskip("ziglang")
    path = tmp_path / "remembering.fmu"
    tg.export_fmu(remembering(), path, kind="me")

    class System(tg.Component):
        """What is remembered depends on a."""

        a = tg.parameter(1.0)
        part = tg.read_fmu(path)()

        def equations(self) -> Any:
            yield self.part.u == self.a * (1.0 + tg.time)

    with pytest.raises(tg.TellegenError, match="E647"):
        tg.sensitivity(System(), stop=0.5, wrt=["a"])
