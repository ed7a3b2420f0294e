"""The tree of instances and its statements to a Model of shared kinds."""
