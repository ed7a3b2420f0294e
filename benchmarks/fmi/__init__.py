"""FMUs of other programs against their published results, and ours in other importers."""
