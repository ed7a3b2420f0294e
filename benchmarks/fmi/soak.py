"""An exported FMU for a long time: a million cycles of set, step and get, 200 instances at once, two threads.

    python benchmarks/fmi/soak.py [cycles]

Memory must not grow, and all instances must compute the same.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import fmpy
from fmpy.fmi3 import FMU3Slave

import tellegen as tg

CYCLES = 1_000_000
INSTANCES = 200
STEP = 1e-3


class Servo(tg.Component):
    """A motor with a PI controller that is sampled, and an input."""

    w_ref = tg.input("rad/s", "wanted speed")
    w = tg.variable("rad/s", start=0.0, fixed=True)
    i = tg.variable("A", start=0.0, fixed=True)
    u = tg.variable("V", discrete=True, start=0.0)
    error_sum = tg.variable("rad", discrete=True, start=0.0)

    def equations(self) -> Any:
        """Motor and controller."""
        error = self.w_ref - self.w
        yield 5e-3 * tg.der(self.i) == self.u - 2.0 * self.i - 0.05 * self.w
        yield 1e-3 * tg.der(self.w) == 0.05 * self.i
        yield tg.when(
            tg.sample(0.0, 2e-3),
            self.error_sum == tg.pre(self.error_sum) + 2e-3 * error,
            self.u == 0.1 * error + 1.0 * self.error_sum,
        )


def started(folder: str, description: Any) -> Any:
    """An instance that is ready to step."""
    slave = FMU3Slave(
        guid=description.guid,
        modelIdentifier=description.coSimulation.modelIdentifier,
        unzipDirectory=folder,
        instanceName="servo",
    )
    slave.instantiate()
    slave.enterInitializationMode()
    slave.exitInitializationMode()
    return slave


def cycle(slave: Any, references: list[int], cycles: int) -> float:
    """Set the input, step and read the speed so many times; the last speed."""
    speed = 0.0
    for k in range(cycles):
        slave.setFloat64(references[:1], [100.0 + k % 7])
        slave.doStep(k * STEP, STEP)
        speed = slave.getFloat64(references[1:])[0]
    return speed


def megabytes() -> float:
    """The most memory this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def main() -> None:
    """All three."""
    cycles = int(sys.argv[1]) if len(sys.argv) > 1 else CYCLES
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "servo.fmu"))
        print(tg.export_fmu(Servo(), path))
        description = fmpy.read_model_description(path)
        numbers = {each.name: each.valueReference for each in description.modelVariables}
        references = [numbers["w_ref"], numbers["w"]]
        unzipped = str(fmpy.extract(path, unzipdir=str(Path(folder, "unzipped"))))
        slave = started(unzipped, description)
        cycle(slave, references, 1000)
        before = megabytes()
        slave.reset()
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        began = time.perf_counter()
        cycle(slave, references, cycles)
        print(f"{cycles} cycles: {time.perf_counter() - began:.1f} s, {megabytes() - before:+.2f} MB")
        many = [started(unzipped, description) for _ in range(INSTANCES)]
        speeds = {cycle(each, references, 100) for each in many}
        print(f"{INSTANCES} instances: {len(speeds)} different results, {megabytes() - before:+.2f} MB")
        found: list[float] = []
        threads = [
            threading.Thread(target=lambda each=each: found.append(cycle(each, references, 20_000)))
            for each in (started(unzipped, description), started(unzipped, description))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(f"two threads: {len(set(found))} different results")
        for each in (*many, slave):
            each.freeInstance()


if __name__ == "__main__":
    main()
