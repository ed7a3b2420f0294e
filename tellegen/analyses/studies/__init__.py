"""Many runs of one model: which runs (designs), what is kept of them (outputs), where they are made, what came out."""
