"""What stands in a Python file and where: its classes, their members and connections, what its script runs."""
