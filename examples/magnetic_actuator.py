"""A magnetic actuator from flux tubes: pull-in and drop-out of an armature.

Coil, saturating iron core, stray path and a working gap; the armature is held by a spring and has a stop. The voltage
rises and falls slowly. The gap as a function of the current has a turning point where the magnetic force grows faster
than the spring force: with a current source the armature would snap from there to the stop, with the resistance of the
winding it gets there while its own motion reduces the current. The turning point is known in closed form for iron
without reluctance (the travel is a third of the open gap), and printed for comparison.

    python examples/magnetic_actuator.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import magnetic as mg
from tellegen.library import translational as tr

# m, m, m, 1, N/m
GAP = 2e-3
REST = 0.2e-3
SIDE = 0.015
TURNS = 500.0
SPRING = 20e3


class Actuator(tg.Component):
    """An electromagnet with an armature on a spring; the position of the armature is the length of the gap."""

    source = el.TableVoltage(times=(0.0, 2.0, 4.0), values=(0.0, 24.0, 0.0))
    wire = el.Resistor(R=4.0)
    coil = mg.ElectroMagneticConverter(N=TURNS)
    core = mg.Cuboid(l=0.15, a=SIDE, b=SIDE, **mg.soft("M350_50A"))
    stray = mg.HalfHollowCylinder(l=4.0 * SIDE, ratio=4.0)
    gap = mg.CuboidParallelFlux(a=SIDE, b=SIDE)
    zero = mg.Ground()
    ground = el.Ground()
    armature = tr.Mass(m=0.05, s=tg.variable(start=GAP, fixed=True), v=tg.variable(start=0.0, fixed=True))
    spring = tr.SpringDamper(c=SPRING, d=15.0, s_rel0=GAP)
    stop = tr.ElastoGap(c=2e7, d=500.0, s_rel0=REST, limited_damping=False)
    frame = tr.Fixed()

    def connections(self) -> Any:
        """The magnetic loop, the coil on its source, the armature between spring, stop and field."""
        yield self.source.p, self.wire.p
        yield self.wire.n, self.coil.p
        yield self.source.n, self.coil.n, self.ground.p
        yield self.coil.port_p, self.core.port_p
        yield self.core.port_n, self.gap.port_p, self.stray.port_p
        yield self.gap.port_n, self.stray.port_n, self.coil.port_n, self.zero.port
        yield self.frame.flange, self.spring.flange_a, self.stop.flange_a
        yield self.gap.flange, self.armature.flange_a, self.spring.flange_b, self.stop.flange_b


def snaps(solution: tg.Solution) -> tuple[float, float]:
    """The largest current before the gap passes its middle, and the least before it opens again.

    While the armature moves, the voltage it induces works against the source: the current dips, or bulges.
    """
    i = solution["coil.i"]
    closed = solution["gap.l"] < (GAP + REST) / 2.0
    first = closed.argmax()
    last = len(i) - 1 - closed[::-1].argmax()
    return float(i[:first].max()), float(i[first + 100 : last].min())


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """One slow triangle of voltage; position over current, and everything over time."""
    import matplotlib.pyplot as plt

    solution = tg.simulate(Actuator(), 4.5, points=2251)
    pull, drop = snaps(solution)
    ideal = (8.0 * SPRING * GAP**3 / (27.0 * TURNS**2 * mg.MU_0 * SIDE**2)) ** 0.5
    print(f"pulls in at {pull:.3f} A (without the reluctance of iron: {ideal:.3f} A), lets go at {drop:.3f} A")
    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
    signals = (("gap.l", 1e3, "gap [mm]"), ("core.B", 1.0, "flux density [T]"), ("gap.F_m", -1.0, "pull [N]"))
    for axis, (path, scale, label) in zip(axes, signals, strict=True):
        axis.plot(solution["coil.i"], scale * solution[path])
        axis.set_xlabel("current [A]")
        axis.set_ylabel(label)
    figure.savefig(folder / "magnetic_actuator.png", dpi=110)
    print(f"plot:  {folder / 'magnetic_actuator.png'}")
    return solution


if __name__ == "__main__":
    main()
