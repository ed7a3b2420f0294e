"""Systems of FMUs (SSP) as components."""
