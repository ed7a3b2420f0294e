"""What tolerances of parameters do to the numbers of a run, and how to design with them.

`tolerances` reads what is written; `robustness` is the analysis (`first_order_spread`, `sampling`, `worst_case`),
`robustness_result` what it found. `sigma` makes a standard deviation a performance function for `robust_optimize`;
`allocate_tolerances` chooses tolerances at the least cost, from prices read in `tolerance_prices`.
"""
