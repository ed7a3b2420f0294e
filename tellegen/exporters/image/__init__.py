"""A model that runs without Python, as bytes: the memory of a prepared run and the relocations in it."""
