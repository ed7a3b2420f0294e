"""Expressions of documents: names of members, text, and the parser."""
