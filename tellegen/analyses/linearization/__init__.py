"""A model at a point: where nothing changes any more, and how it reacts to small changes."""
