"""A second process: it needs neither the front end of Modelica nor a stage for what a first one has run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tellegen.kept.read_files import is_settled, stamp_of
from waiting import wait_until

PROGRAM = """
import json, sys
import tellegen as tg

class Decay(tg.Component):
    x = tg.variable(start=1.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == -self.x
        yield tg.when(self.x < 0.5, tg.reinit(self.x, 1.0))

models = [Decay(), tg.load_modelica(sys.argv[1])["M"]]
values = [float(tg.simulate(model, stop=1.0)["x"][-1]) for model in models]
print(json.dumps([values, sorted(sys.modules)]))
"""
LATER = ("instances", "kinds", "lookup", "syntax", "translate")
UNNEEDED = {"tellegen.stages", "scipy", "pint", *(f"tellegen.frontends.modelica.{room}" for room in LATER)}


def test_a_second_process_imports_neither_the_front_end_nor_a_stage(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    library = tmp_path / "M.mo"
    library.write_text("model M Real x(start=1, fixed=true); equation 2*der(x) = -x; end M;")
    wait_until(lambda: is_settled(stamp_of(str(library))), "the file settles")
    own = {"TELLEGEN_CACHE": str(tmp_path / "cache"), "TELLEGEN_CHECK": "0", "HOME": str(tmp_path)}
    environment = {**os.environ, **own, "MODELICAPATH": ""}
    command = [sys.executable, str(program), str(library)]
    runs = [subprocess.run(command, capture_output=True, check=True, env=environment) for _ in range(2)]
    assert not any(run.stderr for run in runs)
    first, second = (json.loads(run.stdout) for run in runs)
    assert first[0] == second[0]
    assert UNNEEDED & set(first[1])
    assert not UNNEEDED & set(second[1])
    assert sum(module.startswith("tellegen") for module in second[1]) <= 400
