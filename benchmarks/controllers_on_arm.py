"""Controllers in C on a Cortex-M4, by an emulator: are their outputs those of the simulation bit by bit?

    python benchmarks/controllers_on_arm.py [path of qemu-arm]

The code is compiled by the wheel ziglang to Thumb instructions of a Cortex-M4 and linked with musl, so that qemu's user
mode can run it (qemu-user-static of Debian). Double precision is done by software there, and the results are compared
with those of tg.simulate in this process. Measured with qemu 7.2: all seven controllers agree in every bit of 40
samples.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import tellegen as tg

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sampling.c_programs import CORTEX_M, random_inputs, samples_in_python, zig
from sampling.test_kalman_filter import ASKED, Motor
from sampling.test_write_c import CONTROLLERS, PERIOD

SAMPLES = 40


def main() -> None:
    """Print a line for each controller."""
    emulator = sys.argv[1] if len(sys.argv) > 1 else shutil.which("qemu-arm-static") or shutil.which("qemu-arm")
    if emulator is None:
        sys.exit("no qemu-arm: apt install qemu-user-static, or give its path")
    every = {**CONTROLLERS, **filters()}
    inputs = {name: random_inputs(signals, SAMPLES, 3, 2.0) for name, (_, signals, _) in every.items()}
    with tempfile.TemporaryDirectory() as folder:
        found = on_arm(Path(folder), emulator, every, inputs)
    for name, (component, _, output) in every.items():
        wanted = samples_in_python(component, PERIOD, inputs[name], output)
        equal = sum(one == other for one, other in zip(found[name], wanted, strict=True))
        print(f"{name:10} {equal} of {SAMPLES} samples equal")


def filters() -> dict[str, tuple[Any, list[str], str]]:
    """Kalman filters of a motor."""
    signals = ["v", "measured_i"]
    return {
        "kf": (tg.kalman_filter(Motor(), PERIOD, **ASKED), signals, "w"),
        "ekf": (tg.kalman_filter(Motor(drag=2e-3), PERIOD, steps=3, **ASKED), signals, "w"),
    }


def on_arm(folder: Path, emulator: str, every: Any, inputs: Any) -> dict[str, list[float]]:
    """The outputs by name, from one program that runs all of them."""
    lines = ["#include <stdint.h>", "#include <stdio.h>", "#include <string.h>"]
    lines += [f'#include "{name}.h"' for name in every]
    lines += ["int main(void)", "{", "uint64_t bits;"]
    for name, (component, _, output) in every.items():
        tg.write_c(component, folder / f"{name}.c")
        rows = {signal: signal.replace("[", "_").replace("]", "") for signal in inputs[name]}
        lines.append(f"{{ static struct {name} c; {name}_init(&c);")
        for signal, row in rows.items():
            lines.append(f"static const double {row}[] = {{{', '.join(map(repr, inputs[name][signal]))}}};")
        lines.append(f"for (int k = 0; k < {SAMPLES}; ++k) {{")
        lines += [f"c.in.{signal} = {row}[k];" for signal, row in rows.items()]
        lines.append(f"{name}_step(&c); memcpy(&bits, &c.out.{output}, 8);")
        lines.append(f'printf("{name} %016llx\\n", (unsigned long long)bits); }} }}')
    (folder / "main.c").write_text("\n".join([*lines, "return 0;", "}", ""]))
    sources = [str(folder / f"{name}.c") for name in ("main", *every)]
    zig("-O2", "-static", *CORTEX_M, *sources, "-o", str(folder / "program"))
    printed = subprocess.run([emulator, "-cpu", "max", folder / "program"], capture_output=True, text=True, check=True)
    found: dict[str, list[float]] = {}
    for line in printed.stdout.splitlines():
        name, bits = line.split()
        found.setdefault(name, []).append(struct.unpack(">d", bytes.fromhex(bits))[0])
    return found


if __name__ == "__main__":
    main()
