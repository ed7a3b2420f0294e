"""How everything changes with parameters and start values: tangents of expressions and of whole models."""
