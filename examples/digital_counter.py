"""A counter of three bits made of flip-flops, which counts the periods of a noisy voltage.

The voltage is read by a comparator with two limits, so that noise around zero is not counted; each flip-flop takes the
opposite of its output when the one before it falls. What has not been reset yet is U, unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import digital as dg


class Counter(tg.Component):
    """Comparators, a latch that keeps what they said last, and three bits."""

    wave = blocks.Sine(amplitude=1.0, f=1.0)
    ripple = blocks.Sine(amplitude=0.25, f=37.0)
    above = dg.RealToLogic(upper_limit=0.3, lower_limit=0.3)
    below = dg.RealToLogic(upper_limit=-0.3, lower_limit=-0.3, upper_value="0", lower_value="1")
    latch = dg.DLATSR()
    low = dg.Set(x="0")
    reset = dg.Table(x="10", t=[0.1, 0.2], y0="0")
    bits = dg.DFFREG.array(3, tLH=1e-3, tHL=1e-3)
    inverters = dg.InvGate.array(3, tLH=1e-3, tHL=1e-3)

    def equations(self) -> Iterator[Any]:
        """The voltage, at both comparators."""
        for comparator in (self.above, self.below):
            yield comparator.x == [self.wave.y + self.ripple.y]

    def connections(self) -> Iterator[Any]:
        """Each bit is clocked by the inverted bit before it."""
        yield self.above.y[0], self.latch.set
        yield self.below.y[0], self.latch.reset
        yield self.low.y, self.latch.enable, self.latch.data_in[0]
        yield self.latch.data_out[0], self.bits[0].clock
        for k in range(3):
            yield self.reset.y, self.bits[k].reset
            yield self.bits[k].data_out[0], self.inverters[k].x
            yield self.inverters[k].y, self.bits[k].data_in[0]
            if k < 2:
                yield self.inverters[k].y, self.bits[k + 1].clock


def main() -> None:
    """Count the periods from the reset at 0.2 s on, modulo eight."""
    solution = tg.simulate(Counter(), stop=10.0, points=2001)
    outputs = np.array([solution[f"bits[{k}].data_out[0]"] for k in range(3)])
    count = np.array([1, 2, 4]) @ (outputs == dg.VALUES.index("1"))
    print(f"9 periods after the reset: {count[-1]}, modulo 8; the voltage crossed zero {crossings(solution)} times")
    figure, (top, bottom) = plt.subplots(2, 1, sharex=True)
    top.plot(solution.time, solution["wave.y"] + solution["ripple.y"])
    top.set_ylabel("voltage [V]")
    bottom.step(solution.time, count, where="post")
    bottom.set_ylabel("count")
    bottom.set_xlabel("time [s]")
    folder = Path("demo_output")
    folder.mkdir(exist_ok=True)
    figure.savefig(folder / "digital_counter.png")
    print(f"wrote {folder / 'digital_counter.png'}")


def crossings(solution: tg.Solution) -> int:
    """How often the voltage changed its sign."""
    voltage = solution["wave.y"] + solution["ripple.y"]
    return int(np.count_nonzero(np.diff(np.sign(voltage[voltage != 0.0]))))


if __name__ == "__main__":
    main()
