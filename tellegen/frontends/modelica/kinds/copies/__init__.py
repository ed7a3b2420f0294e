"""Copies of components: what is said once about their originals."""
