"""Search over choices that are not numbers between bounds: what is chosen from lists, together with variables."""
