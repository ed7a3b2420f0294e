"""A model that does not run in lanes, and why; such a study is made of single runs."""

from __future__ import annotations


class RefusedError(Exception):
    """Why; completes "it runs one by one, for ..."."""
