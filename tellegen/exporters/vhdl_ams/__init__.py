"""Models as VHDL-AMS entities and architectures."""
