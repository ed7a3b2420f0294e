"""Built wheels and source archives contain the page of the studio; for an editable install nothing is built."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface  # type: ignore[import-not-found]


class StudioPage(BuildHookInterface):
    """Builds the page before the archive is written, unless it is there: in a source archive."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        del build_data
        static = Path(self.root, "tellegen", "studio", "server", "static", "index.html")
        if version == "editable" or static.is_file():
            return
        spec = importlib.util.spec_from_file_location("build_page", Path(self.root, "studio_client", "build.py"))
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.build()
