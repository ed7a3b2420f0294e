"""FMUs in networks with loops and events, against the same networks of their models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tellegen as tg
from benchmarks.fmi.random_networks import LIMIT, deviation


class Sampled(tg.Component):
    """What it holds follows from a sample, and comes back to its input at the same instant."""

    a = tg.input()
    y = tg.output()
    x = tg.variable(start=0.1, fixed=True)
    held = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Any:
        yield tg.der(self.x) == 0.2 - self.x + self.a
        yield self.y == self.x + 0.1 * self.held
        yield tg.when(tg.sample(0.1, 0.7), self.held == tg.tanh(self.x))


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_a_sample_at_which_an_input_is_set_is_not_lost(tmp_path: Path, version: Any) -> None:
    tg.export_fmu(Sampled(), tmp_path / "sampled.fmu", version=version, kind=("me",))

    def run(part: Any) -> Any:
        class Loop(tg.Component):
            """Its output is its input."""

            part_ = part

            def equations(self) -> Any:
                yield self.part_.a == 0.3 * self.part_.y

        return tg.simulate(Loop(), stop=2.0, rtol=1e-8)

    own = run(Sampled())
    found = run(tg.read_fmu(tmp_path / "sampled.fmu", variables=["held"])())
    assert own["part_.held"][-1] > 0.2
    assert found["part_.held"][-1] == pytest.approx(own["part_.held"][-1], rel=1e-7)
    assert found["part_.y"][-1] == pytest.approx(own["part_.y"][-1], rel=1e-7)


@pytest.mark.parametrize("seed", [1, 5])
def test_random_networks(seed: int, tmp_path: Path) -> None:
    assert deviation(seed, tmp_path) < LIMIT
