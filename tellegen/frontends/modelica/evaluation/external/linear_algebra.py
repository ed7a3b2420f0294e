"""LAPACK, as Modelica.Math.Matrices calls it: arguments and results by their positions in the Fortran calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tellegen.frontends.modelica.evaluation.external.served import Outcome, Served


def _lapack() -> Any:
    from scipy.linalg import lapack  # takes a while to import, and few models need it

    return lapack


def _matrix(value: Any) -> Any:
    return np.atleast_2d(np.asarray(value, float))


def _columns(value: Any) -> Any:
    """Right sides as columns, also one vector."""
    array = np.asarray(value, float)
    return array.reshape(-1, 1) if array.ndim == 1 else array


def _like(solution: Any, right: Any) -> Any:
    """A solution in the form of the right sides."""
    return solution.reshape(-1) if np.ndim(right) == 1 else solution


def _dgesv(*a: Any) -> Outcome:
    _, _, x, info = _lapack().dgesv(_matrix(a[2]), _columns(a[5]))
    return Outcome(arguments={5: _like(x, a[5]), 7: info})


def _dgelsy(*a: Any) -> Outcome:
    m = int(a[0])
    n = int(a[1])
    rcond = float(a[8])
    matrix = _matrix(a[3])
    right = np.zeros((max(m, n), _columns(a[5]).shape[1]))
    right[: len(_columns(a[5]))] = _columns(a[5])
    work, _ = _lapack().dgelsy_lwork(m, n, right.shape[1], rcond)
    _, x, _, rank, info = _lapack().dgelsy(matrix, right, np.zeros(n, dtype=np.int32), rcond, int(work))
    return Outcome(arguments={5: _like(x, a[5]), 9: rank, 12: info})


def _dgels(*a: Any) -> Outcome:
    m = int(a[1])
    n = int(a[2])
    right = np.zeros((max(m, n), _columns(a[6]).shape[1]))
    right[: len(_columns(a[6]))] = _columns(a[6])
    _, x, info = _lapack().dgels(_matrix(a[4]), right)
    return Outcome(arguments={6: _like(x, a[6]), 10: info})


def _dgetrf(*a: Any) -> Outcome:
    factors, pivots, info = _lapack().dgetrf(_matrix(a[2]))
    return Outcome(arguments={2: factors, 4: pivots + 1, 5: info})


def _dgetrs(*a: Any) -> Outcome:
    transposed = {"N": 0, "T": 1, "C": 1}[str(a[0])]
    x, info = _lapack().dgetrs(_matrix(a[3]), _pivots(a[5]), _columns(a[6]), transposed)
    return Outcome(arguments={6: _like(x, a[6]), 8: info})


def _dgetri(*a: Any) -> Outcome:
    inverse, info = _lapack().dgetri(_matrix(a[1]), _pivots(a[3]))
    return Outcome(arguments={1: inverse, 6: info})


def _pivots(value: Any) -> Any:
    return np.asarray(value, float).astype(np.int32) - 1


def _dgeev(*a: Any) -> Outcome:
    real, imaginary, _, right, info = _lapack().dgeev(_matrix(a[3]), compute_vl=0, compute_vr=int(a[1] == "V"))
    return Outcome(arguments={5: real, 6: imaginary, **({9: right} if a[1] == "V" else {}), 13: info})


def _dgesvd(*a: Any) -> Outcome:
    u, sigma, vt, info = _lapack().dgesvd(_matrix(a[4]), compute_uv=int(a[0] == "A"))
    vectors = {7: u, 9: vt} if a[0] == "A" else {}
    return Outcome(arguments={6: sigma, **vectors, 13: info})


def _dgesdd(*a: Any) -> Outcome:
    u, sigma, vt, info = _lapack().dgesdd(_matrix(a[3]))
    return Outcome(arguments={5: sigma, 6: u, 8: vt, 13: info})


def _dgtsv(*a: Any) -> Outcome:
    *_, x, info = _lapack().dgtsv(*(np.asarray(part, float) for part in a[2:5]), _columns(a[5]))
    return Outcome(arguments={5: _like(x, a[5]), 7: info})


def _dgbsv(*a: Any) -> Outcome:
    *_, x, info = _lapack().dgbsv(int(a[1]), int(a[2]), _matrix(a[4]), _columns(a[7]))
    return Outcome(arguments={7: _like(x, a[7]), 9: info})


def _dgeqrf(*a: Any) -> Outcome:
    factors, tau, _, info = _lapack().dgeqrf(_matrix(a[2]))
    return Outcome(arguments={2: factors, 4: tau, 7: info})


def _dgeqp3(*a: Any) -> Outcome:
    factors, order, tau, _, info = _lapack().dgeqp3(_matrix(a[2]))
    return Outcome(arguments={2: factors, 4: order, 5: tau, 8: info})


def _dorgqr(*a: Any) -> Outcome:
    q, _, info = _lapack().dorgqr(_matrix(a[3]), np.asarray(a[5], float))
    return Outcome(arguments={3: q, 8: info})


def _dpotrf(*a: Any) -> Outcome:
    matrix = _matrix(a[2])
    is_lower = str(a[0]).upper() == "L"
    factor, info = _lapack().dpotrf(matrix, lower=int(is_lower), clean=0)
    return Outcome(arguments={2: factor, 4: info})


def _dlange(*a: Any) -> float:
    return float(_lapack().dlange(str(a[0]), _matrix(a[3])))


def _dgecon(*a: Any) -> Outcome:
    rcond, info = _lapack().dgecon(_matrix(a[2]), float(a[4]), norm=str(a[0]))
    return Outcome(arguments={5: rcond, 8: info})


def _dgees(*a: Any) -> Outcome:
    schur, _, real, imaginary, vectors, _, info = _lapack().dgees(lambda *_: 0, _matrix(a[4]))
    return Outcome(arguments={4: schur, 7: real, 8: imaginary, 9: vectors, 14: info})


def _dtrsyl(*a: Any) -> Outcome:
    x, scale, info = _lapack().dtrsyl(
        _matrix(a[5]), _matrix(a[7]), _matrix(a[9]), trana=str(a[0]), tranb=str(a[1]), isgn=int(a[2])
    )
    return Outcome(arguments={9: x, 11: scale, 12: info})


_READS: dict[Callable[..., Outcome | float], tuple[int, ...]] = {
    _dgesv: (2, 5),
    _dgelsy: (0, 1, 3, 5, 8),
    _dgels: (1, 2, 4, 6),
    _dgetrf: (2,),
    _dgetrs: (0, 3, 5, 6),
    _dgetri: (1, 3),
    _dgeev: (1, 3),
    _dgesvd: (0, 4),
    _dgesdd: (3,),
    _dgtsv: (2, 3, 4, 5),
    _dgbsv: (1, 2, 4, 7),
    _dgeqrf: (2,),
    _dgeqp3: (2,),
    _dorgqr: (3, 5),
    _dpotrf: (0, 2),
    _dlange: (0, 3),
    _dgecon: (0, 2, 4),
    _dgees: (4,),
    _dtrsyl: (0, 1, 2, 5, 7, 9),
}
LAPACK: dict[str, Served] = {
    function.__name__.removeprefix("_"): Served(function, reads=reads) for function, reads in _READS.items()
}
