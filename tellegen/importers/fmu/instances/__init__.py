"""Instances of FMUs in this process: what both versions of FMI have in common, then each version."""
