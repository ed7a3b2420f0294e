"""What is wrong with the statements of a model: units, types, conditions, balance."""
