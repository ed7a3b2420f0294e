"""What an FMU says about itself, as data: read and written for FMI 2.0 and 3.0, and the archive it is in."""
