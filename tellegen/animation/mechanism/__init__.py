"""Scenes of mechanisms: what the components of a model draw, in motion."""
