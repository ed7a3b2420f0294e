"""Catalogues of realized parts: read, queried, saved; the shipped one is in `data`."""
