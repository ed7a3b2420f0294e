"""Structural parameters that an importer chooses: the model at each of its sizes, as one FMU."""
