"""External functions that are served here: by name, without their C sources."""
