"""Component classes as data: what the terminal (`tellegen library`) and the pages of the documentation say of them."""

from tellegen.catalogue.entry import Entry, Row, describe_class, laws, usage
from tellegen.catalogue.find import domains, find, library_entries, nearest_names
from tellegen.catalogue.symbol import symbol

__all__ = [
    "Entry",
    "Row",
    "describe_class",
    "domains",
    "find",
    "laws",
    "library_entries",
    "nearest_names",
    "symbol",
    "usage",
]
