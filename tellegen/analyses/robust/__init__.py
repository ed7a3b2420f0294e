"""What tolerances of parameters do to the numbers of a run, and how to design with them.

`tolerances` reads what is written; `robustness` is the analysis (`spread` to first order, `sampled`, `worst_case`),
`report` what it found. `sigma` makes a standard deviation a performance function for `robust_optimize`;
`allocate` chooses tolerances at the least cost, from prices read in `prices`.
"""
