"""Model predictive control: a plant looks ahead with its own equations, and the best inputs are applied."""
