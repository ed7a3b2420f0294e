"""The name of a port as a text."""

from stock import Ground, Source

import tellegen as tg

circuit = tg.System("circuit")
circuit.add(source=Source(), ground=Ground())
circuit.connect("source.n", circuit.ground.p)
tg.flatten(circuit)
