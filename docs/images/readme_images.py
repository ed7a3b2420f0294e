"""Generate the images of README.md from the code that it shows:

    python docs/images/readme_images.py

readme_drive.png is the plot of the example, readme_explain.svg the output of `tellegen explain` for the same drive with
a gear, readme_error.svg the message for the drive without its ground, as both appear in a terminal.
"""

from __future__ import annotations

import io
import re
import tempfile
from importlib import util
from pathlib import Path
from types import ModuleType

from rich.console import Console
from rich.terminal_theme import MONOKAI

import tellegen as tg
from tellegen.cli.report import print_error

FOLDER = Path(__file__).resolve().parent
README = FOLDER.parent.parent / "README.md"
RUN = "solution = tg.simulate"
GEARED = '''

class GearedDrive(tg.Component):
    """The drive with the inertia of its rotor and a gear."""

    source = el.StepVoltage(V=12.0)
    motor = DCMotor()
    rotor = rot.Inertia(J=1e-4)
    gear = rot.IdealGear(ratio=10.0)
    load = rot.Inertia(J=0.02)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.motor.p
        yield self.source.n, self.motor.n, self.ground.p
        yield self.motor.shaft, self.rotor.flange_a
        yield self.rotor.flange_b, self.gear.flange_a
        yield self.gear.flange_b, self.load.flange_a
'''


def main() -> None:
    """Write all three images."""
    block = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.S)
    assert block is not None
    classes = block[1].split(RUN)[0].rstrip() + "\n"
    with tempfile.TemporaryDirectory() as folder:
        drive = _module(Path(folder) / "drive.py", classes + GEARED)
        solution = tg.simulate(drive.Drive(), stop=2.0)
        solution.plot("motor.i", "load.w").savefig(FOLDER / "readme_drive.png", dpi=110)
        _explanation(drive)
        _error(Path(folder) / "no_ground.py", classes)


def _explanation(drive: ModuleType) -> None:
    console = _terminal(118)
    console.print("[bold]$[/] tellegen explain drive.py:GearedDrive\n", highlight=False)
    console.print(tg.explain(drive.GearedDrive()), highlight=False)
    _save(console, "readme_explain.svg")


def _error(path: Path, classes: str) -> None:
    ungrounded = classes.replace("    ground = el.Ground()\n", "").replace(", self.ground.p", "")
    model = _module(path, ungrounded)
    console = _terminal(118)
    console.print("[bold]$[/] tellegen check no_ground.py\n", highlight=False)
    try:
        tg.flatten(model.Drive())
    except tg.TellegenError as error:
        print_error(error, console)
    _save(console, "readme_error.svg")


def _module(path: Path, source: str) -> ModuleType:
    """Import from a file, because messages quote the source line."""
    path.write_text(source, encoding="utf-8")
    spec = util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _terminal(width: int) -> Console:
    return Console(record=True, width=width, force_terminal=True, color_system="truecolor", file=io.StringIO())


def _save(console: Console, name: str) -> None:
    svg = console.export_svg(title="", theme=MONOKAI, unique_id=Path(name).stem)
    svg = re.sub(r"@font-face \{.*?\}\n", "", svg, flags=re.S)  # nothing is loaded from elsewhere
    (FOLDER / name).write_text(svg.replace("Fira Code, monospace", "monospace"), encoding="utf-8")


if __name__ == "__main__":
    main()
