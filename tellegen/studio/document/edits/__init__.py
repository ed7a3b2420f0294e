"""What can be done to a diagram, as splices of the text: parts, wires, values, copies, groups."""
