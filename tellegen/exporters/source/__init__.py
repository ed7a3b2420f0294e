"""What all writers need: unique identifiers, what a reference leads to, loops over rows, values given from outside."""
