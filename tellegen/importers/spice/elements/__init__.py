"""What elements of a netlist become: components of the library, and the few that only netlists need."""
