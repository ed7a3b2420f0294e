"""Inside an FMU: computes functions in Python for its library, which sends numbers and waits for the results.

    asked on standard input: number of the function, count of arguments (integers of 64 bits), arguments (doubles)
    answered on standard output: 0, then the results (doubles); or the length of a message, then the message

The first answer, before anything is asked, says whether the functions could be loaded. `modules` beside this file has
the user's own modules; Tellegen and everything else that these import must be installed.
"""

from __future__ import annotations

import importlib.util
import os
import pickle
import signal
import struct
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

FOLDER = os.path.dirname(os.path.abspath(__file__))
_HEAD = struct.Struct("=qq")


def loaded() -> list[tuple[Callable[..., Any], int]]:
    """The functions with their numbers of results."""
    modules = os.path.join(FOLDER, "modules")
    sys.path[0] = modules
    main = os.path.join(modules, "__main__.py")
    if os.path.exists(main):  # functions of a script that was run are found under this name
        spec = importlib.util.spec_from_file_location("exported_script", main)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["__main__"] = sys.modules["exported_script"] = module
        spec.loader.exec_module(module)
    with open(os.path.join(FOLDER, "functions.pickle"), "rb") as file:
        return pickle.load(file)


def message(error: BaseException) -> bytes:
    """An error in words, with its length."""
    details = [str(each) for each in getattr(error, "details", ())]
    text = " ".join([f"{type(error).__name__}: {error}", *details]).encode("utf-8", "replace")
    return struct.pack("=q", len(text)) + text


def results_of(call: Callable[..., Any], count: int, numbers: tuple[float, ...]) -> bytes:
    """What a function gives."""
    found = call(*numbers)
    values = [float(found)] if count == 1 else [float(value) for value in found]
    if len(values) != count:
        raise ValueError(f"{len(values)} results instead of {count}")
    return struct.pack(f"=q{count}d", 0, *values)


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until the library goes."""
    try:
        functions = loaded()
    except BaseException as error:  # whatever a module of the user does: the library reports it
        answers.write(message(error))
        return
    answers.write(struct.pack("=q", 0))
    while len(head := questions.read(_HEAD.size)) == _HEAD.size:
        number, count = _HEAD.unpack(head)
        numbers = struct.unpack(f"={count}d", questions.read(8 * count))
        call, size = functions[number]
        try:
            answer = results_of(call, size, numbers)
        except Exception as error:  # the same
            answer = message(error)
        answers.write(answer)


if __name__ == "__main__":
    os.environ["TELLEGEN_SERVES_FMU"] = "1"  # a script that is loaded must not export or run the FMU again
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is the importer that stops
    reply = os.dup(1)
    os.dup2(2, 1)  # what functions print is not an answer
    with os.fdopen(reply, "wb", buffering=0) as answers, os.fdopen(0, "rb", closefd=False) as questions:
        serve(questions, answers)
