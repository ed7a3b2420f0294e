"""Documents of the whole library and all examples: written, read, written again; then thousands of damaged ones.

    python benchmarks/markup_round_trip.py [mutations]

What comes back must give the same flat model, or the same error where a class by itself has none, and the same bytes.
Damaged documents may give nothing but errors of ours.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import tellegen as tg
import tellegen.library
from markup.mutations import mutated
from tellegen.ir.model import Model
from tellegen.library import hydraulic, multibody, planar, pneumatic
from tellegen.stages import build_model

EXAMPLES = Path(__file__).parents[1] / "examples"


def classes() -> Iterator[type[tg.Component]]:
    """All component classes of the library and of the examples."""
    sys.path.insert(0, str(EXAMPLES))
    names = [module.name for module in pkgutil.walk_packages(tellegen.library.__path__, "tellegen.library.")]
    names += sorted(path.stem for path in EXAMPLES.glob("*.py"))
    for name in names:
        for member in vars(importlib.import_module(name)).values():
            if isinstance(member, type) and issubclass(member, tg.Component) and member.__module__ == name:
                yield member


def outcome(model: object) -> str:
    """The flat model as text, or why there is none."""
    try:
        return str(tg.flatten(model))
    except tg.TellegenError as error:
        return f"{error.code}: {error.message}"


def frozen(cls: type[tg.Component]) -> Model:
    """The model of a class; one that uses what is around it gets that."""
    try:
        return build_model(cls())
    except tg.LanguageError as error:
        if error.code != "E105":
            raise
    around = tg.System(cls.__name__)
    around.add(oil=hydraulic.Oil(), gas=pneumatic.Gas(), part=cls())
    around.add(world=planar.PlanarWorld() if "planar" in cls.__module__ else multibody.World())
    return build_model(around)


def round_trip(cls: type[tg.Component]) -> tuple[str, str]:
    """What became of a class, and its document."""
    try:
        model = frozen(cls)
        text = tg.write_markup(model)
    except tg.DocumentError:
        return "code without a name", ""
    except Exception:  # classes that only others derive from, or that need arguments
        return "not a model by itself", ""
    again = tg.read_markup(text=text, allow_code=True)
    if outcome(again) != outcome(model) or tg.write_markup(again) != text:
        return f"DIFFERENT: {cls.__name__}", text
    return "the same", text


def damage(documents: list[str], count: int) -> Counter[str]:
    """Outcomes of damaged documents by code."""
    found: Counter[str] = Counter()
    for seed in range(count):
        rng = np.random.default_rng(seed)
        try:
            tg.flatten(tg.read_markup(text=mutated(documents[seed % len(documents)], rng)))
            found["read"] += 1
        except tg.TellegenError as error:
            found[f"FAULT {error.code}" if isinstance(error, tg.InternalError) else error.code] += 1
        except Exception as error:  # any of them is a fault of ours
            found[f"FAULT {type(error).__name__} with seed {seed}"] += 1
    return found


def main() -> None:
    """Print the counts."""
    warnings.simplefilter("ignore")
    begin = time.process_time()
    outcomes = [round_trip(cls) for cls in dict.fromkeys(classes())]
    print(Counter(what for what, _ in outcomes), f"{time.process_time() - begin:.1f} s")
    small = [text for _, text in outcomes if 1000 < len(text) < 20_000]
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    print(len(small), "documents,", count, "mutations:", damage(small, count))


if __name__ == "__main__":
    main()
