"""Methods that find a minimum of a problem."""
