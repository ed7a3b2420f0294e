"""Models as source text of other modelling languages."""
