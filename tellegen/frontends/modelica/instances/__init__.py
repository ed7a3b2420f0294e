"""A class with its modifications to a tree of instances, made on demand."""
