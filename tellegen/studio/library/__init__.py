"""What is known of the classes that parts can have: ports and where they stand, parameters, symbols."""
