"""A mechanism as data, and the functions of its joint coordinates: tg.mechanism."""
