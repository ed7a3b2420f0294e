"""Libraries on disk: which class is in which file, parsed when asked for and kept in the cache."""
