"""Places for parts that have none: which way they face, columns along the flow, rows, groups beside each other."""
