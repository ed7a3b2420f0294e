"""Kalman filters as sampled components: what is asked, from sample to sample, and the component."""
