"""The linear-graph view of a model: terminal graphs of components, the system graph, its normal tree and matrices."""
