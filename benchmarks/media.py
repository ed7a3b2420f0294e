"""What real fluids cost: an evaporator of R134a that boils dry, by CoolProp and as tables in native code.

The run is that of tests/validation/test_real_fluids.py, 400 s. What CoolProp has answered is forgotten before
each run; tables are made beforehand, their making is a row of its own.

    python benchmarks/media.py
"""

from __future__ import annotations

import time
from typing import Any

import tellegen as tg
from tellegen.library import fluid as fl
from tellegen.library import media
from tellegen.library import thermal as th
from tellegen.library.media import coolprop_calls

REPEATS = 5


class Rig(tg.Component):
    """Wet mixture in, heat in, vapour out through a valve."""

    medium = tg.parameter(media.RealFluid("R134a"), structural=True)
    storage = tg.parameter("conserved", structural=True)
    feed = fl.MassFlowSource_h(medium=medium, m_flow=0.01, h=2.5e5)
    evaporator = fl.Evaporator(medium=medium, V=5e-3, p_start=3e5, h_start=2.25e5, storage=storage)
    valve = fl.ValveLinear(medium=medium, m_flow_nominal=0.01, dp_nominal=1e5)
    sink = fl.Boundary_ph(medium=medium, p=2e5, h=4e5)
    heat = th.FixedHeatFlow(Q_flow=1800.0)

    def connections(self) -> Any:
        """In, out, and the heat."""
        yield self.feed.port, self.evaporator.ports[0]
        yield self.evaporator.ports[1], self.valve.port_a
        yield self.valve.port_b, self.sink.port
        yield self.heat.port, self.evaporator.heat_port


def forget() -> None:
    """CoolProp's answers."""
    for remembered in (coolprop_calls.of_ph, coolprop_calls.of_pT, coolprop_calls.saturated):
        remembered.cache_clear()


def seconds_of(model: Rig) -> tuple[float, tg.Solution]:
    """The best of some runs, and the last of them."""
    compiled = tg.compile(model)
    found = []
    run = None
    for _ in range(REPEATS):
        forget()
        start = time.perf_counter()
        run = compiled.simulate(400.0)
        found.append(time.perf_counter() - start)
    assert run is not None
    return min(found), run


def main() -> None:
    """One line for each way."""
    start = time.perf_counter()
    table = media.TabulatedFluid("R134a")
    table.density(table.at(3e5, h=3e5))
    print(f"making the tables                        {1e3 * (time.perf_counter() - start):8.1f} ms")
    ways = (
        ("CoolProp, M and U as states", Rig()),
        ("CoolProp, p and h as states", Rig(storage="intensive")),
        ("tables, M and U as states", Rig(medium=table)),
    )
    for name, model in ways:
        best, run = seconds_of(model)
        end = f"p = {run['evaporator.p'][-1]:.2f} Pa, M = {1e3 * run['evaporator.M'][-1]:.5f} g"
        print(f"{name:40s} {1e3 * best:8.1f} ms   {run.stats['solver']:6s} {run.stats['steps']:5d} steps   {end}")


if __name__ == "__main__":
    main()
