"""What something was made from: files and folders as they were when they were read.

A file is the same while size, times and number (inode) are. The time of the last change of its record counts as well:
unlike the other it cannot be set. A file that was changed a moment before it was read may change again without another
time, so what was made from it is not kept.
"""

from __future__ import annotations

import os
import time
from dataclasses import field

from tellegen.start.records import dataclass

Stamp = tuple[int, ...] | None
"""Of a file or folder; None where there is none."""
_MOMENT = 50_000_000  # nanoseconds; clocks of file systems tick every 1 to 10 ms
_SECOND = 1_000_000_000


def stamp_of(path: str) -> Stamp:
    """How a file or folder is now."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mode, found.st_size, found.st_ino, found.st_dev, found.st_mtime_ns, found.st_ctime_ns


def is_settled(stamp: Stamp) -> bool:
    """Whether a later change would be seen; some file systems know whole seconds only, or even ones."""
    if stamp is None:
        return True
    times = stamp[-2:]
    moment = 3 * _SECOND if all(changed % _SECOND == 0 for changed in times) else _MOMENT
    return max(times) < time.time_ns() - moment


@dataclass
class ReadFiles:
    """The files and folders read so far, by path; those that were looked for in vain too."""

    stamps: dict[str, Stamp] = field(default_factory=dict)
    are_all: bool = True  # what was made depends on nothing else, and every change of them will be seen

    def note(self, path: str | os.PathLike[str]) -> None:
        """Before a file or folder is read: how it is now. A path that is relative means another one elsewhere."""
        name = os.fspath(path)
        if name in self.stamps:
            return
        stamp = stamp_of(name)
        self.stamps[name] = stamp
        if not os.path.isabs(name) or not is_settled(stamp):
            self.are_all = False

    def depends_on_more(self) -> None:
        """What is made depends on time, chance, the environment or a program."""
        self.are_all = False


def are_unchanged(stamps: dict[str, Stamp]) -> bool:
    """Whether all are as they were."""
    return all(stamp_of(path) == stamp for path, stamp in stamps.items())
