"""XML files as elements that know where they stand, and elements as files."""
