"""Noise: the same numbers every time, the distributions promised, and the spectrum of band-limited white noise."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal, stats

import tellegen as tg
from tellegen.library import blocks, sampled

COUNT = 4000
MIDDLES: Any = (np.arange(COUNT) + 0.5) * 1e-3  # between two ticks


class Sources(tg.Component):
    """Four of them; two have the same seed."""

    uniform = blocks.UniformNoise(seed=3, y_min=-1.0, y_max=3.0, sample_period=1e-3)
    same = blocks.UniformNoise(seed=3, y_min=-1.0, y_max=3.0, sample_period=1e-3)
    normal = blocks.NormalNoise(seed=4, mu=2.0, sigma=0.5, sample_period=1e-3)
    white = blocks.BandLimitedWhiteNoise(seed=5, noise_power=0.2, sample_period=1e-3)
    late = blocks.NormalNoise(seed=6, start_time=1.0, y_off=7.0)
    clocked = sampled.UniformNoise(seed=3, low=-1.0, high=3.0, clock=tg.Clock("1 ms"))


def test_distributions() -> None:
    """Kolmogorov-Smirnov with 4000 numbers: one seed in a thousand would be refused; these are fixed."""
    run = tg.simulate(Sources(), COUNT * 1e-3)
    at = run.at(MIDDLES)
    np.testing.assert_array_equal(at["uniform.y"], at["same.y"])
    np.testing.assert_array_equal(at["uniform.y"], at["clocked.y"])
    assert stats.kstest(at["uniform.y"], stats.uniform(-1.0, 4.0).cdf).pvalue > 1e-3
    assert stats.kstest(at["normal.y"], stats.norm(2.0, 0.5).cdf).pvalue > 1e-3
    assert stats.kstest(at["white.y"], stats.norm(0.0, np.sqrt(0.2 / 1e-3)).cdf).pvalue > 1e-3
    correlations: Any = np.corrcoef([at["uniform.y"], at["normal.y"], at["white.y"]])
    assert np.abs(correlations - np.eye(3)).max() < 4.0 / np.sqrt(COUNT)
    assert run.at(0.5)["late.y"] == 7.0
    assert run.at(1.5)["late.y"] != 7.0
    again = tg.simulate(Sources(), 0.1, solver="ida").at(0.0555)
    assert again["normal.y"] == run.at(0.0555)["normal.y"]


def test_white_noise_has_its_power() -> None:
    """The two-sided density at frequencies far below the rate; Welch's estimate scatters by 6 %, so 20 % are enough."""
    run = tg.simulate(Sources(), COUNT * 1e-3)
    y = run.at(MIDDLES)["white.y"]
    f, density = signal.welch(y, fs=1000.0, nperseg=128, return_onesided=False)
    low = (np.abs(f) > 5.0) & (np.abs(f) < 100.0)
    assert abs(density[low].mean() / 0.2 - 1.0) < 0.2
