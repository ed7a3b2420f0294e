"""Native vectors and rotations: three numbers, or nine row by row."""

from __future__ import annotations

from math import cos, sin

from tellegen.procedures.language import Array, f64, procedure


@procedure(inline=True)
def multiply(A: Array[f64], B: Array[f64], out: Array[f64]) -> None:
    """out = A B."""
    for i in range(3):
        for j in range(3):
            out[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j]


@procedure(inline=True)
def times(A: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """out = A x."""
    for i in range(3):
        out[i] = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2]


@procedure(inline=True)
def back(A: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """out = A^T x."""
    for i in range(3):
        out[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2]


@procedure(inline=True)
def add_cross(a: Array[f64], b: Array[f64], out: Array[f64]) -> None:
    """out += a x b."""
    out[0] += a[1] * b[2] - a[2] * b[1]
    out[1] += a[2] * b[0] - a[0] * b[2]
    out[2] += a[0] * b[1] - a[1] * b[0]


@procedure(inline=True)
def cross(a: Array[f64], b: Array[f64], out: Array[f64]) -> None:
    """out = a x b."""
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@procedure(inline=True)
def dot(a: Array[f64], b: Array[f64]) -> f64:
    """The scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@procedure
def turn_about(n: Array[f64], angle: f64, R: Array[f64]) -> None:
    """E cos + n n' (1 - cos) + [n]x sin."""
    c = cos(angle)
    s = sin(angle)
    rest = 1.0 - c
    for i in range(3):
        for j in range(3):
            R[3 * i + j] = n[i] * n[j] * rest
        R[4 * i] += c
    skew(n, s, R)


@procedure(inline=True)
def skew(n: Array[f64], s: f64, R: Array[f64]) -> None:
    """R += [n]x s."""
    R[1] -= s * n[2]
    R[2] += s * n[1]
    R[3] += s * n[2]
    R[5] -= s * n[0]
    R[6] -= s * n[1]
    R[7] += s * n[0]


@procedure
def turn_by(Q: Array[f64], R: Array[f64]) -> None:
    """The rotation of a quaternion, scalar last, of any length."""
    length = dot(Q, Q)
    scale = 2.0 / (length + Q[3] * Q[3])
    for i in range(3):
        for j in range(3):
            R[3 * i + j] = scale * Q[i] * Q[j]
        R[4 * i] += 1.0 - scale * length
    skew(Q, scale * Q[3], R)


@procedure(inline=True)
def add_times(A: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """out += A x."""
    for i in range(3):
        out[i] += A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2]
