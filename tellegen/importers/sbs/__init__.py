"""Components written in C against `tellegen_sbs.h`: `tg.c_component("dcmotor.c")` is a component class.

    source         what the text of a component says: its class, its methods, the names of its parameters
    binary         compiled and loaded: sizes, and calls with numbers
    parameters     arrays of numbers for the code <-> named parameters of the class
    component      the class: outputs, derivatives and updates as equations
    c_component    all of that together

`include/` holds the header for users and the entries by which native code calls a component.
"""

from __future__ import annotations

from tellegen.importers.sbs.c_component import c_component

__all__ = ["c_component"]
