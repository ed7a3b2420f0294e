"""What differs in a notebook: the names of cells, and outputs that are replaced while a cell runs.

IPython is never imported here unless it runs already.
"""

from __future__ import annotations

import io
import sys
from importlib import import_module
from typing import Any


def shell() -> Any:
    """The running IPython shell, None outside IPython."""
    ipython = sys.modules.get("IPython")
    return None if ipython is None else ipython.get_ipython()


def cell_of(file: str) -> str:
    """The cell that IPython compiled under a file name of its own, as IPython calls it: "Cell In[3]"; "" for files."""
    running = shell()
    name = None if running is None else running.compile.format_code_name(file)
    return "" if name is None else " ".join(name)


class LiveOutput:
    """An output of the running cell that is replaced by the next one shown, and empty in the end."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, renderable: Any) -> None:
        """Put something that rich can render in the place of what was shown before."""
        ipython = import_module("IPython.display")  # part of every notebook, not of our dependencies
        page = ipython.HTML(_html(renderable))
        if self._handle is None:
            self._handle = ipython.display(page, display_id=True)
        else:
            self._handle.update(page)

    def close(self) -> None:
        """Leave nothing."""
        if self._handle is not None:
            self.show("")


def _html(renderable: Any) -> str:
    """What rich would draw at a terminal, as HTML."""
    from rich.console import Console

    console = Console(record=True, file=io.StringIO(), width=110, force_jupyter=False, force_terminal=True)
    console.print(renderable)
    return console.export_html(inline_styles=True, code_format='<pre style="line-height:1.2">{code}</pre>')
