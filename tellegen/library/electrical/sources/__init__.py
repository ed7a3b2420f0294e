"""Sources of voltage and current: constant, signals, the shapes of the blocks, and supplies with limits."""
