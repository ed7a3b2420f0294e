"""The models that a system of interfaces can stand for: their tree, comparisons of them, limits of parts."""
