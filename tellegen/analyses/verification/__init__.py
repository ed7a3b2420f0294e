"""Does a model fulfil its requirements whatever its parameters are: tg.verify searches for runs that violate them."""
