"""Models as FMUs of FMI 2.0 and 3.0."""
