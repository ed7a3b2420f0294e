"""Random cases in one test: pytest's own work for a test takes longer than many of them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any


def each_seed(seeds: Iterable[int]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test for all seeds; a failure says which one it was."""

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def called(**fixtures: Any) -> None:
            for seed in seeds:
                try:
                    test(seed=seed, **fixtures)
                except BaseException as failure:
                    failure.add_note(f"seed {seed}")
                    raise

        signature = inspect.signature(test)
        others = [parameter for name, parameter in signature.parameters.items() if name != "seed"]
        called.__signature__ = signature.replace(parameters=others)  # what pytest reads for fixtures
        return called

    return decorated
