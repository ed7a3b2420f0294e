"""What the CAD kernel finds in a file, from the cache or by asking it in another process."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tellegen.cache import cache_folder
from tellegen.errors import NetlistError
from tellegen.importers.assembly.records import FileStamp, Parts
from tellegen.importers.assembly.storage import DamagedRecordError, from_json
from tellegen.ir.source_location import here
from tellegen.network.mechanics.twists import Tolerance

FORMAT = 3  # of what is kept; a new one does not read the old
NOT_A_STEP_FILE = 3  # the status the other process ends with
INSTALL = "pip install 'tellegen[cad]' (Open CASCADE, 70 MB)"
_ROOT = Path(__file__).resolve().parents[3]


def geometry(stamp: FileStamp, tolerance: Tolerance, clearance: float) -> Parts:
    """Parts with a density of 1 and proposals of joints. The kernel is needed once for each version of a file."""
    options = json.dumps([tolerance.length, tolerance.angle, clearance])
    kept = _kept(stamp, options)
    if kept is not None and kept.is_file():
        try:
            return from_json(kept.read_text(encoding="utf-8"))
        except DamagedRecordError:
            kept.unlink(missing_ok=True)
    if importlib.util.find_spec("OCP") is None:
        what = "STEP files are read by Open CASCADE, which is not installed"
        raise NetlistError("E517", what, location=here(), advice=INSTALL)
    text = _measured(stamp.path, options)
    if kept is not None:
        _keep(kept, text)
    return from_json(text)


def _kept(stamp: FileStamp, options: str) -> Path | None:
    folder = cache_folder()
    if folder is None:
        return None
    key = hashlib.sha256(f"{FORMAT} {stamp.sha256} {options}".encode()).hexdigest()
    return folder / "assemblies" / f"{key}.json"


def _keep(path: Path, text: str) -> None:
    """A file appears as a whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
            file.write(text)
        os.replace(file.name, path)
    except OSError:  # a full or read-only disk: next time it takes longer again
        return


def _measured(path: str, options: str) -> str:
    """Ask the kernel, in a process that may fail."""
    places = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places)}
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "found.json"
        command = [sys.executable, "-m", "tellegen.importers.step.worker", path, str(output), options]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace")
        if done.returncode == 0 and output.is_file():
            return output.read_text(encoding="utf-8")
    advice = "export the assembly again, as AP214 or AP242"
    if done.returncode == NOT_A_STEP_FILE:
        raise NetlistError("E510", f"'{path}' is not a STEP file that can be read", location=here(), advice=advice)
    reason = f"signal {-done.returncode}" if done.returncode < 0 else _last_line(done.stderr)
    what = f"the CAD kernel failed on '{path}': {reason}"
    raise NetlistError("E510", what, location=here(), advice=advice)


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["without a message"])[-1][:200]
