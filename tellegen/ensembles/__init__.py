"""Many runs of one model at once: in vector lanes of the processor, or one in each thread of a GPU."""
