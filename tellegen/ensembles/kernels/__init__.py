"""Runs of ensembles, as procedures: the same text for lanes and for threads of a GPU."""
