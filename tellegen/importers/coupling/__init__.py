"""Several FMUs for Co-Simulation that a master algorithm steps together."""
