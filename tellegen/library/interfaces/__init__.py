"""Interfaces of families of parts."""
