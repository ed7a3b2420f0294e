"""Statements that are alike as rows of one template."""
