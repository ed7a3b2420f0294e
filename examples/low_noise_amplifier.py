"""Noise of a transistor amplifier: which part makes it, and which collector current suits the source best.

A moving-coil microphone has 200 ohm. A small collector current makes the shot noise of the collector loud against the
signal, a large one that of the base: in between is the best one for this source.
"""

from pathlib import Path

import numpy as np

import tellegen as tg
from tellegen.library import electrical as el


class Amplifier(tg.Component):
    """Common emitter with a source of currents that sets the operating point."""

    supply = el.ConstantVoltage(V=12.0)
    signal = el.ConstantVoltage(V=0.0)
    coil = el.Resistor(R=200.0)
    bias = el.ConstantCurrent(I=10e-6)
    coupling = el.Capacitor(C="100 uF")
    transistor = el.NPN(Is=1e-14, Bf=200.0, Rb=40.0, Kf=1e-16, Vaf=80.0)
    load = el.Resistor(R="1 kohm")
    ground = el.Ground()

    def connections(self):
        yield self.signal.p, self.coil.p
        yield self.coil.n, self.coupling.p
        yield self.coupling.n, self.bias.n, self.transistor.B
        yield self.supply.p, self.load.p, self.bias.p
        yield self.load.n, self.transistor.C
        yield self.transistor.E, self.supply.n, self.signal.n, self.ground.p


def main() -> None:
    """The spectrum at one current, and the noise of the input over the current."""
    model = tg.compile(Amplifier())
    spectrum = tg.noise(model, ("20 Hz", "20 kHz"), "transistor.C.v", input="signal.V")
    print(spectrum)
    output = Path("demo_output")
    output.mkdir(exist_ok=True)
    spectrum.plot().savefig(output / "low_noise_amplifier.png", dpi=150)
    print(f"plot: {output / 'low_noise_amplifier.png'}")
    currents = np.geomspace(0.3e-6, 30e-6, 15)
    at_input = [
        tg.noise(model, [1e3], "transistor.C.v", input="signal.V", parameters={"bias.I": float(i)}).input_density[0]
        for i in currents
    ]
    best = int(np.argmin(at_input))
    alone = np.sqrt(4 * 1.380649e-23 * 300.15 * 200.0)
    print(f"best base current {1e6 * currents[best]:.3g} uA: {1e9 * np.sqrt(at_input[best]):.3g} nV/sqrt(Hz)")
    print(f"of which the coil alone has {1e9 * alone:.3g}")


if __name__ == "__main__":
    main()
