"""Which components there are, and which of them somebody means."""

from __future__ import annotations

import difflib
import pkgutil
import re
from collections.abc import Iterable
from importlib import import_module
from types import ModuleType

from tellegen import library
from tellegen.class_reference.entry import Entry, describe_class

ORDER = (
    "electrical",
    "machines",
    "rotational",
    "translational",
    "planar",
    "multibody",
    "thermal",
    "fluid",
    "hydraulic",
    "pneumatic",
    "blocks",
    "sampled",
)
"""Domains in the order of a course; others follow by name."""


def domains() -> dict[str, ModuleType]:
    """The modules of the library that offer components, by name; media, say, are none."""
    names = [found.name for found in pkgutil.iter_modules(library.__path__)]
    ranked = sorted(names, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))
    modules = {name: import_module(f"tellegen.library.{name}") for name in ranked}
    return {name: module for name, module in modules.items() if _classes(module)}


def _classes(module: ModuleType) -> list[type]:
    """The public components and connectors of a module."""
    offered = [getattr(module, name) for name in getattr(module, "__all__", ())]
    return [thing for thing in offered if isinstance(thing, type) and hasattr(thing, "_info")]


def library_entries() -> list[Entry]:
    """Every public class of the library, by domain, connectors first."""
    found = [describe_class(cls, domain) for domain, module in domains().items() for cls in _classes(module)]
    ranks = {domain: k for k, domain in enumerate(domains())}
    return sorted(found, key=lambda entry: (ranks[entry.domain], not entry.connector, entry.name.lower()))


def find(entries: Iterable[Entry], text: str) -> list[Entry]:
    """The entries in which every word of the text occurs, best first: in names, then in first lines, then elsewhere."""
    words = text.lower().split()
    scored = [(sum(scores), entry) for entry in entries if all(scores := [_score(entry, word) for word in words])]
    return [entry for _, entry in sorted(scored, key=lambda pair: -pair[0])]


def _score(entry: Entry, word: str) -> int:
    name = entry.name.lower()
    if word in (name, entry.domain, entry.full_name.lower()):
        return 100
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", entry.name).lower().split()
    if word in parts:
        return 60
    if word in name:
        return 40
    if re.search(rf"\b{re.escape(word)}", entry.headline.lower()):
        return 20
    if word in entry.text.lower():
        return 10
    members = " ".join(f"{row.name} {row.type} {row.meaning}" for row in entry.members).lower()
    if re.search(rf"\b{re.escape(word)}", members):
        return 5
    close = difflib.get_close_matches(word, [name, *parts], n=1, cutoff=0.82)
    return 2 if close else 0


def nearest_names(entries: Iterable[Entry], text: str) -> list[str]:
    """Names that look like a text, for somebody who mistyped one."""
    by_lower = {key: entry.full_name for entry in entries for key in (entry.name.lower(), entry.full_name.lower())}
    close = difflib.get_close_matches(text.lower(), list(by_lower), n=4, cutoff=0.5)
    return list(dict.fromkeys(by_lower[key] for key in close))
