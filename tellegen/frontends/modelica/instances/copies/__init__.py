"""Elements of arrays of components that are alike: made once."""
