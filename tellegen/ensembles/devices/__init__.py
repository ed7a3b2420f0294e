"""Where ensembles run."""
