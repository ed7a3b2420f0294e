"""Mechanical fixes for messages: each is one operation on the document that the check then accepts."""
