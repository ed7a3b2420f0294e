"""What others need for the same: a CUDA kernel written by hand, JAX, and diffrax; each where it is installed."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

_LORENZ = r"""
extern "C" __global__ void lorenz(const double* r, double* out, long long n) {
  long long k = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (k >= n) return;
  double rr = r[k], x = 1.0, y = 0.0, z = 0.0;
  const double s = 10.0, b = 8.0 / 3.0, h = 1e-3;
  for (int i = 0; i < 1000; i++) {
    double a1 = s * (y - x), b1 = x * (rr - z) - y, c1 = x * y - b * z;
    double xx = x + 0.5 * h * a1, yy = y + 0.5 * h * b1, zz = z + 0.5 * h * c1;
    double a2 = s * (yy - xx), b2 = xx * (rr - zz) - yy, c2 = xx * yy - b * zz;
    xx = x + 0.5 * h * a2; yy = y + 0.5 * h * b2; zz = z + 0.5 * h * c2;
    double a3 = s * (yy - xx), b3 = xx * (rr - zz) - yy, c3 = xx * yy - b * zz;
    xx = x + h * a3; yy = y + h * b3; zz = z + h * c3;
    double a4 = s * (yy - xx), b4 = xx * (rr - zz) - yy, c4 = xx * yy - b * zz;
    x += h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4);
    y += h / 6.0 * (b1 + 2.0 * (b2 + b3) + b4);
    z += h / 6.0 * (c1 + 2.0 * (c2 + c3) + c4);
  }
  out[k] = x; out[n + k] = y; out[2 * n + k] = z;
}
"""


def print_peers(sizes: tuple[int, ...]) -> None:
    """One line for each peer and size."""
    for name, make in (("CUDA by hand", _by_hand), ("JAX", _jax), ("diffrax", _diffrax)):
        try:
            rows = make(sizes)
        except ImportError as error:
            print(f"{name}: not measured, {error}")
            continue
        for row in rows:
            print(f"{name}: {row}", flush=True)


def _median(action: Callable[[], Any], repeats: int = 3) -> float:
    action()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        action()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def _by_hand(sizes: tuple[int, ...]) -> list[str]:
    """The fixed Lorenz case."""
    import cupy  # type: ignore[import-not-found]

    kernel = cupy.RawKernel(_LORENZ, "lorenz")
    rows = []
    for n in sizes:
        r = cupy.asarray(np.random.default_rng(1).uniform(20.0, 30.0, n))
        out = cupy.zeros(3 * n)
        best = np.inf
        for threads in (64, 128, 256):

            def run(threads: int = threads, r: Any = r, out: Any = out, n: int = n) -> None:
                kernel((-(-n // threads),), (threads,), (r, out, np.int64(n)))
                cupy.cuda.Device().synchronize()

            best = min(best, _median(run, 5))
        rows.append(f"Lorenz, 1000 RK4 steps, {n} runs {best * 1e3:.3f} ms")
    return rows


def _jax(sizes: tuple[int, ...]) -> list[str]:
    """The fixed Lorenz case by vmap."""
    import jax  # type: ignore[import-not-found]
    import jax.numpy as jnp  # type: ignore[import-not-found]

    jax.config.update("jax_enable_x64", True)

    def one(r: Any) -> Any:
        def rate(v: Any) -> Any:
            return jnp.stack([10.0 * (v[1] - v[0]), v[0] * (r - v[2]) - v[1], v[0] * v[1] - 8.0 / 3.0 * v[2]])

        def step(_: int, v: Any) -> Any:
            h = 1e-3
            k1 = rate(v)
            k2 = rate(v + 0.5 * h * k1)
            k3 = rate(v + 0.5 * h * k2)
            k4 = rate(v + h * k3)
            return v + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)

        return jax.lax.fori_loop(0, 1000, step, jnp.array([1.0, 0.0, 0.0]))

    run = jax.jit(jax.vmap(one))
    rows = []
    for n in sizes:
        r = jnp.asarray(np.random.default_rng(1).uniform(20.0, 30.0, n))
        rows.append(f"Lorenz, 1000 RK4 steps, {n} runs {_median(lambda r=r: run(r).block_until_ready()) * 1e3:.2f} ms")
    return rows


def _diffrax(sizes: tuple[int, ...]) -> list[str]:
    """The adaptive Lorenz case and Robertson."""
    import diffrax  # type: ignore[import-not-found]
    import jax  # type: ignore[import-not-found]
    import jax.numpy as jnp  # type: ignore[import-not-found]

    jax.config.update("jax_enable_x64", True)
    control = diffrax.PIDController(rtol=1e-6, atol=1e-8)

    def lorenz(_: Any, v: Any, r: Any) -> Any:
        return jnp.stack([10.0 * (v[1] - v[0]), v[0] * (r - v[2]) - v[1], v[0] * v[1] - 8.0 / 3.0 * v[2]])

    def robertson(_: Any, v: Any, k: Any) -> Any:
        a = -k * v[0] + 1e4 * v[1] * v[2]
        c = 3e7 * v[1] ** 2
        return jnp.stack([a, -a - c, c])

    def solved(rate: Any, solver: Any, stop: float, first: float) -> Any:
        def one(k: Any) -> Any:
            y0 = jnp.array([1.0, 0.0, 0.0])
            found = diffrax.diffeqsolve(
                diffrax.ODETerm(rate),
                solver,
                0.0,
                stop,
                first,
                y0,
                args=k,
                stepsize_controller=control,
                max_steps=20000,
            )
            return found.ys

        return jax.jit(jax.vmap(one))

    rows = []
    adaptive = solved(lorenz, diffrax.Tsit5(), 1.0, 1e-3)
    stiff = solved(robertson, diffrax.Kvaerno5(), 1e5, 1e-6)
    for n in sizes:
        r = jnp.asarray(np.random.default_rng(1).uniform(20.0, 30.0, n))
        seconds = _median(lambda r=r: adaptive(r).block_until_ready())
        rows.append(f"Tsit5, Lorenz, adaptive, {n} runs {seconds * 1e3:.2f} ms")
    for n in sizes[:2]:
        k = jnp.asarray(np.random.default_rng(1).uniform(0.03, 0.05, n))
        seconds = _median(lambda k=k: stiff(k).block_until_ready(), 1)
        rows.append(f"Kvaerno5, Robertson, {n} runs {seconds:.3f} s")
    return rows
