"""Bodies and joints as a graph: lumps of what is rigidly connected, duplicate joints, spaces of relative motions."""
