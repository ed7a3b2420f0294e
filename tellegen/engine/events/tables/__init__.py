"""What is found out about a model for its events: the order of statements, sides that become equal, smooth unknowns."""
