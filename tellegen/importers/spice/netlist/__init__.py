"""What a netlist says: its lines in words, its definitions, names and expressions; what a circuit is collected in."""
