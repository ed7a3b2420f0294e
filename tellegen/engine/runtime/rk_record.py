"""The record of one integration with the explicit method, and the flags its native code answers with."""

from __future__ import annotations

from typing import Any

from tellegen.engine.native.flags import Flag
from tellegen.engine.native.llvm_builder import I64, PTR, Function, Value

RK = (
    *(
        "ode",
        "count",
        "size",
        "x",
        "trial",
        "stage",
        "k",
        "rates",
        "atol",
        "rtol",
        "t",
        "h",
        "h_most",
        "h_least",
        "h_seen",
    ),
    *("stop", "times", "first", "last", "output", "most_steps", "log_error", "stiff_steps"),
    *("calm_steps", "dense", "patience", "horizon"),
    *("steps", "rejected", "is_stiff", "suspect", "events", "past"),
    *("departed", "event_watch", "event_unresolved", "event_keep", "rk_stop_at_root", "rk_note"),
    *("ode_rhs", "rk_dense", "rk_interpolate", "rk_emit"),
)
"""Words of the record of one integration; k holds seven stages, dense five vectors. `log_error` is the binary logarithm
of the error of the last step; with `patience` a stiff model is given up when more than so many steps remain to the
`horizon`; `h_seen` is how long steps may be for root functions to be seen. `events` is 0 or a record of events
(engine/events/event_tables.py); then the functions of both runtimes that roots need are there by name."""

R = {name: k for k, name in enumerate(RK)}

TOO_SMALL = Flag.ERROR_TEST
TOO_MANY = Flag.TOO_MUCH_WORK
NOT_FINITE = Flag.REPEATED_RHS
POLE = Flag.POLE
STIFF = Flag.STIFF
ROOT = Flag.ROOT


def w(f: Function, name: str, kind: Any = PTR) -> Value:
    """A word of the record, the argument `rk`."""
    return f.word(f["rk"], R[name], kind)


def put(f: Function, name: str, value: Value) -> None:
    """Set a word of the record."""
    f.put(f.place(f["rk"], I64(R[name]), I64), value)
