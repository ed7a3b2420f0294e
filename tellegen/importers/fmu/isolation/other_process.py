"""A process that does some work of ours and talks through a pipe.

The module `multiprocessing` would run the user's script again in a new process, to have its functions there, unless the
script is written for that. Nothing of it is needed here: the process imports the work alone.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

_PROGRAM = (
    "import pickle, sys\n"
    "sys.path[:] = pickle.load(sys.stdin.buffer)\n"
    "from tellegen.importers.fmu.isolation.other_process import do_work\n"
    "do_work()\n"
)
_PATIENCE = 5.0  # seconds for a process to end


class OtherProcess:
    """Calls `work(*given, pipe)` in a process of its own; `pipe` is the other end."""

    def __init__(self, work: Callable[..., None], *given: Any) -> None:
        self.pipe, other = Pipe()
        handle = other.fileno()
        inherited: dict[str, Any] = {"pass_fds": (handle,)}
        if sys.platform == "win32":
            os.set_handle_inheritable(handle, True)
            inherited = {"startupinfo": subprocess.STARTUPINFO(lpAttributeList={"handle_list": [handle]})}
        self._process = subprocess.Popen([sys.executable, "-c", _PROGRAM], stdin=subprocess.PIPE, **inherited)
        other.close()
        told = pickle.dumps(sys.path) + pickle.dumps((handle, work, given))
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(told)
            self._process.stdin.close()
        except OSError:  # it has ended; whoever asks it something finds out
            pass

    def exit_code(self) -> int:
        """How it has ended, which it is about to."""
        try:
            return self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            return 0

    def end(self) -> None:
        """End it now."""
        self.pipe.close()
        self._process.terminate()
        self._process.wait()


def do_work() -> None:
    """What the process does: its standard input says it."""
    handle, work, given = pickle.load(sys.stdin.buffer)
    if sys.platform == "win32":
        from multiprocessing.connection import PipeConnection

        work(*given, PipeConnection(handle))
    else:
        work(*given, Connection(handle))
