"""A component that was made but never added to the System."""

from stock import Ground, Resistor

import tellegen as tg

r = Resistor(R=10.0)
circuit = tg.System("circuit")
circuit.add(ground=Ground())
circuit.connect(r.n, circuit.ground.p)
tg.flatten(circuit)
