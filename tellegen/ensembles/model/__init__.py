"""A model as straight-line functions of one run: what kernels of ensembles call."""
