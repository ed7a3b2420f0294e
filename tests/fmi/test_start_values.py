"""Start values of imported FMUs by name: of states, of guesses, in both kinds."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import tellegen as tg

pytest.importorskip("ziglang")


class Decay(tg.Component):
    """A state with a start value, one that an initial equation gives from a guess, and a count."""

    x = tg.variable("mm", start=1.0, fixed=True)
    root = tg.variable(start=1.0)
    count = tg.variable(discrete=True, start=3.0)
    k = tg.parameter(1.0, "1/s")
    y = tg.output("m")

    def equations(self) -> Any:
        yield tg.der(self.x) == -self.k * self.x
        yield tg.der(self.root) == 0.0 * self.k
        yield self.y == 2.0 * self.x
        yield tg.when(tg.sample(0.25, 0.5), self.count == tg.pre(self.count) + 1.0)

    def initial_equations(self) -> Any:
        yield self.root**2 == 4.0


@pytest.fixture(scope="module", params=["2.0", "3.0"])
def path(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fmu") / "decay.fmu"
    tg.export_fmu(Decay(), path, version=request.param)
    return path


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_they_are_parameters(path: Path, kind: Literal["me", "cs"]) -> None:
    read = tg.read_fmu(path, kind=kind, starts=["x", "root"], variables="root")

    class Two(tg.Component):
        given = read(x_start="5 mm", root_start=-1.5)
        own = read()

    found = tg.simulate(Two(), stop=1.0, rtol=1e-9)
    for part, x, root in (("given", 0.005, -2.0), ("own", 0.001, 2.0)):
        assert found[f"{part}.y"][0] == pytest.approx(2.0 * x)
        assert found[f"{part}.y"][-1] == pytest.approx(2.0 * x * np.exp(-1.0), rel=1e-6)
        assert found[f"{part}.root"][0] == pytest.approx(root)
    again = tg.simulate(Two(), stop=1.0, parameters={"own.x_start": 0.002})
    assert again["own.y"][0] == pytest.approx(0.004)


def test_names_that_have_none(path: Path) -> None:
    with pytest.raises(tg.TellegenError, match=r"E521.*no variable 'xx'"):
        tg.read_fmu(path, starts="xx")
    with pytest.raises(tg.TellegenError, match=r"E521.*start value of 'y' cannot be set"):
        tg.read_fmu(path, starts="y")
