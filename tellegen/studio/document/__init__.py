"""Python files as diagrams, and back: what stands in a text, found with `ast`; edits are splices of that text."""
