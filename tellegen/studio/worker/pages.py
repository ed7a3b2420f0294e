"""Pages that need no server: the last run in 3-D, the model with sliders."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import tellegen as tg
from tellegen.studio.messages.questions import MakePage, PageText
from tellegen.studio.worker.design import number


def page(task: MakePage, model: Any, solution: Any) -> PageText:
    """The page as text."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        if task.what == "scene":
            if solution is None:
                raise tg.DocumentError("E898", "there is no run to show", advice="run the model first")
            solution.animate(file)
        elif task.what == "live":
            sliders = {one.path: (one.low, one.high) for one in task.ranges}
            tg.export_html(model, file, sliders=sliders or None, plots=task.curves, stop=number(task.stop))
        else:
            raise tg.DocumentError("E898", f"{task.what!r} is no page; scene and live are")
        return PageText(task.what, file.read_text(encoding="utf-8"))
