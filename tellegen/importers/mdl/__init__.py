"""MDL, the module definition language of A. Diaz-Calderon's thesis (2000): `tg.read_mdl("seeker.mdl")` is a class.

tokens         text -> words, numbers and signs with line and column
syntax         what a file says: modules, interfaces, submodules, connections, initializations
parse          tokens -> that
arithmetic     expressions in arrays
bind           the name of a module -> its definition, a C file beside it, or a class given by the user
wiring         connections checked: which output drives which input
network        a configuration with all it contains: its primitives, and what drives them
tasks          the order in which its operators run; algebraic loops; direct feed-through
memory_map     where each output is stored, and where each input looks
configuration  all of that -> a component class
read           the way in
"""

from __future__ import annotations

from tellegen.importers.mdl.read import read_mdl

__all__ = ["read_mdl"]
