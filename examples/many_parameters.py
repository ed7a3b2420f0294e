"""Which layer of a wall matters? The gradient with respect to two hundred parameters by the adjoint method.

A wall of a hundred layers, each with a conductance and a heat capacity, between the weather of a day and a room. How do
the temperature of the room in the evening and the heat that went through change with each of the layers? Forward
sensitivities would carry two hundred copies of the wall; the adjoint method follows one run backwards, whatever their
number. The two agree, as a few of them computed forward show.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import thermal as th

LAYERS = 100
DAY = 24.0 * 3600.0


def wall(layers: int = LAYERS) -> tg.System:
    """Layers from the outside to the room; in the outer half they insulate ten times better."""
    s = tg.System("wall")
    s.add(
        day=blocks.Sine(amplitude=8.0, f=1.0 / DAY, offset=283.0),
        outside=th.PrescribedTemperature(),
        room=th.HeatCapacitor(C=2e5, T=tg.variable(start=293.0, fixed=True)),
    )
    s.connect(s["day"].y, s["outside"].T)
    before = s["outside"].port
    for k in range(layers):
        conductance = (300.0 if k < layers // 2 else 3000.0) * layers / 100.0
        layer = th.HeatCapacitor(C=8e5 / layers, T=tg.variable(start=288.0, fixed=True))
        s.add(**{f"g{k}": th.ThermalConductor(G=conductance), f"c{k}": layer})
        s.connect(before, s[f"g{k}"].port_a)
        s.connect(s[f"g{k}"].port_b, s[f"c{k}"].port)
        before = s[f"c{k}"].port
    s.add(inside=th.ThermalConductor(G=20.0))
    s.connect(before, s["inside"].port_a)
    s.connect(s["inside"].port_b, s["room"].port)
    return s


def main(folder: Path = Path("demo_output")) -> tg.Gradients:
    """Gradients of two numbers by two hundred parameters; the bars of each layer."""
    wrt = [f"g{k}.G" for k in range(LAYERS)] + [f"c{k}.C" for k in range(LAYERS)]
    evening = tg.final("room.T")
    heat = tg.integral("inside.Q_flow / 3.6e6")
    model = tg.compile(wall())
    found = tg.gradient(model, 0.75 * DAY, of=[evening, heat], wrt=wrt, rtol=1e-8)
    few = tg.gradient(model, 0.75 * DAY, of=evening, wrt=wrt[::50], rtol=1e-8, method="forward")
    largest = np.abs(few.matrix * few.scale).max()
    apart = max(abs((few[evening, n] - found[evening, n]) * size) for n, size in zip(few.wrt, few.scale, strict=True))
    moves = 0.01 * found.matrix * found.scale  # per percent
    figure, axes = plt.subplots(2, 1, sharex=True, figsize=(8.0, 5.0), layout="constrained")
    for axis, row, label in zip(axes, moves, ("room in the evening [mK per %]", "heat [Wh per %]"), strict=True):
        axis.bar(np.arange(LAYERS) - 0.2, 1e3 * row[:LAYERS], width=0.45, label="conductance of the layer")
        axis.bar(np.arange(LAYERS) + 0.25, 1e3 * row[LAYERS:], width=0.45, label="its heat capacity")
        axis.set_ylabel(label)
        axis.grid(alpha=0.3)
    axes[0].legend(fontsize=8)
    axes[1].set_xlabel("layer, from the outside")
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "many_parameters.png", dpi=120)
    plt.close(figure)
    print(f"{found.method}: {len(found.of)} functions by {len(wrt)} parameters; {apart / largest:.0e} from forward")
    print(f"the room in the evening: {found.values[0] - 273.15:.2f} degC")
    print(f"plot:  {folder / 'many_parameters.png'}")
    return found


if __name__ == "__main__":
    main()
