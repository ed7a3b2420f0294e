"""A ladder of N resistors and capacitors of the Modelica Standard Library, connected in a loop: CPU seconds.

    TELLEGEN_MSL=FOLDER python -m benchmarks.modelica.ladder [--sizes 100 1000 10000]

Each size runs twice in an interpreter of its own: with an empty cache for models (native integrators belong to no model
and are compiled before), and again with what the first run kept. Voltages are compared with those that SciPy's
exponential of the ladder's matrix gives.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.linalg import expm

from benchmarks.modelica.speed import WARM_UP

TEXT = """model Ladder
  parameter Integer n = {n};
  Modelica.Electrical.Analog.Sources.ConstantVoltage source(V=1);
  Modelica.Electrical.Analog.Basic.Resistor r[n](each R=1);
  Modelica.Electrical.Analog.Basic.Capacitor c[n](each C=1, v(each start=0, each fixed=true));
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(source.p, r[1].p);
  connect(source.n, ground.p);
  for i in 1:n loop
    connect(r[i].n, c[i].p);
    connect(c[i].n, ground.p);
  end for;
  for i in 1:n-1 loop
    connect(r[i].n, r[i+1].p);
  end for;
  annotation(experiment(StopTime={stop}));
end Ladder;
"""
STOP = 10.0
ONE_RUN = """
import json, sys, time
import tellegen as tg
tg.load_modelica, tg.compile, tg.simulate
clock = [0.0, time.process_time()]
ladder = tg.load_modelica(sys.argv[1], sys.argv[2])["Ladder"]
ladder.content
clock.append(time.process_time())
compiled = tg.compile(ladder)
clock.append(time.process_time())
solution = compiled.simulate()
clock.append(time.process_time())
seconds = [after - before for before, after in zip(clock, clock[1:])]
print(json.dumps([seconds, [float(solution[f"c[{k}].v"][-1]) for k in (1, 5)]]))
"""
console = Console(width=120)


def exact(n: int) -> list[float]:
    """The voltages of the first and fifth capacitor at the stop time, from the matrix of the ladder."""
    size = min(n, 400)  # further ones are still uncharged
    matrix = np.diag(np.full(size, -2.0)) + np.diag(np.ones(size - 1), 1) + np.diag(np.ones(size - 1), -1)
    matrix[-1, -1] = -1.0
    v = 1.0 - expm(matrix * STOP) @ np.ones(size)
    return [float(v[0]), float(v[4])]


def run(folder: Path, library: str, n: int, cache: str) -> list[float]:
    """The stages of one ladder; a wrong voltage ends the benchmark."""
    text = folder / "Ladder.mo"
    if not text.exists() or f"n = {n};" not in text.read_text():
        text.write_text(TEXT.format(n=n, stop=STOP))
    command = [sys.executable, "-c", ONE_RUN, library, str(text)]
    environment = os.environ | {"TELLEGEN_CACHE": cache}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    seconds, found = json.loads(done.stdout)
    error = float(np.abs(np.subtract(found, exact(n))).max())
    if error > 1e-4:
        sys.exit(f"n = {n}: the voltages are off by {error:.1e} V")
    return seconds


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 10_000])
    given = parser.parse_args()
    library = os.environ.get("TELLEGEN_MSL")
    if not library:
        sys.exit("TELLEGEN_MSL does not name the folder of the Modelica Standard Library")
    table = Table("n", "", "start", "text to Model", "to code", "run", "after the start", title="RC ladder")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cache = str(folder / "cache")
        subprocess.run([sys.executable, "-c", WARM_UP], env=os.environ | {"TELLEGEN_CACHE": cache}, check=True)
        run(folder, library, 10, cache)  # the files of the library
        for n in given.sizes:
            for label in ("first", "again"):
                seconds = run(folder, library, n, cache)
                table.add_row(str(n), label, *(f"{value:.2f}" for value in seconds), f"{sum(seconds[1:]):.2f}")
    console.print(table)


if __name__ == "__main__":
    main()
