"""Component classes as data: what the terminal (`tellegen library`) and the pages of the documentation say of them."""

from tellegen.class_reference.entry import Entry, Row, describe_class, implementation_of, is_interface, laws, usage
from tellegen.class_reference.find import domains, find, library_entries, nearest_names
from tellegen.class_reference.modelica import describe_modelica
from tellegen.class_reference.symbol import body, is_boxed, port_colour, port_sides, sides_of_rows, symbol

__all__ = [
    "Entry",
    "Row",
    "body",
    "describe_class",
    "describe_modelica",
    "domains",
    "find",
    "implementation_of",
    "is_boxed",
    "is_interface",
    "laws",
    "library_entries",
    "nearest_names",
    "port_colour",
    "port_sides",
    "sides_of_rows",
    "symbol",
    "usage",
]
