"""Native absolute tolerances that grow with the unknowns, and the error weights of SUNDIALS."""

from __future__ import annotations

from tellegen.procedures.language import Array, f64, i64, procedure


@procedure(inline=True)
def grow_tolerances(count: i64, values: Array[f64], peak: Array[f64], part: Array[f64], atol: Array[f64]) -> None:
    """Take the values of an accepted step into the largest seen, and the absolute tolerances after these."""
    for k in range(count):
        largest = max(peak[k], abs(values[k]))
        peak[k] = largest
        atol[k] = max(atol[k], part[k] * largest)


@procedure
def error_weights(
    count: i64,
    values: Array[f64],
    rtol: f64,
    peak: Array[f64],
    part: Array[f64],
    atol: Array[f64],
    weights: Array[f64],
) -> None:
    """1 / (rtol |x| + atol), with tolerances that have grown; SUNDIALS asks after every accepted step."""
    grow_tolerances(count, values, peak, part, atol)
    for k in range(count):
        weights[k] = 1.0 / (rtol * abs(values[k]) + atol[k])
