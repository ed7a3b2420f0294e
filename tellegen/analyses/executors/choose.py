"""The executor a user asks for: by a word, a Dask client, or anything with submit().

Processes are the usual choice: code around a run is Python, which in threads waits for its lock, and only the
integration itself runs side by side. On Linux they are forked, with the compiled model and any function in them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tellegen.analyses.executors import cluster
from tellegen.analyses.executors.processes import Processes
from tellegen.analyses.executors.threads import Series, Threads
from tellegen.analyses.executors.work import Executor, Work
from tellegen.errors import DesignError, nearest
from tellegen.ir.source_location import SourceLocation

EXECUTORS = ("processes", "threads", "serial", "dask", "ray")
HERE = ("processes", "threads", "serial")
"""Those on this machine."""

MakeExecutor = Callable[[Work, int], Executor]


def chosen(executor: object, location: SourceLocation) -> MakeExecutor:
    """How the executor is made of its work and the number of workers; E604 where there is none of this name."""
    if not isinstance(executor, str):
        if hasattr(executor, "scatter") and hasattr(executor, "submit"):
            return lambda work, _: cluster.Dask(work, executor)
        if hasattr(executor, "submit"):
            return lambda work, count: cluster.Futures(work, executor, count)
    ways: dict[Any, MakeExecutor] = {
        "processes": Processes,
        "threads": Threads,
        "serial": lambda work, _: Series(work),
        "dask": lambda work, count: cluster.Dask(work, cluster.dask_client(count)),
        "ray": lambda work, count: cluster.Ray(work, cluster.ray_cluster(count)),
    }
    if not isinstance(executor, str) or executor not in ways:
        what = f"there is no executor {executor!r}; {nearest(str(executor), EXECUTORS)}"
        advice = f"one of {', '.join(map(repr, EXECUTORS))}, a Dask client, or anything with submit()"
        raise DesignError("E604", what, location=location, advice=advice)
    cluster.check_installed(executor, location)
    return ways[executor]
