"""Poses between samples, and the samples that are kept: compared with SciPy, and with the bound that is promised."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import interp1d
from scipy.spatial.transform import Rotation, Slerp

from tellegen.animation.motion import Track, matrices, quaternions, thinned

CASES = 25


def random_rotations(generator: np.random.Generator, times: np.ndarray) -> np.ndarray:
    """A smooth motion through a few random orientations."""
    count = int(generator.integers(2, 9))
    knots = np.sort(generator.uniform(times[0], times[-1], count))
    knots[0], knots[-1] = times[0], times[-1]
    vectors = generator.normal(size=(count, 3)) * generator.uniform(0.1, 6.0)
    return Rotation.from_rotvec(interp1d(knots, vectors, axis=0)(times)).as_matrix()


def angles(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (Rotation.from_matrix(a).inv() * Rotation.from_matrix(b)).magnitude()


@pytest.mark.parametrize("seed", range(CASES))
def test_quaternions_are_the_rotations_and_do_not_jump(seed: int) -> None:
    generator = np.random.default_rng(seed)
    turns = random_rotations(generator, np.linspace(0.0, 1.0, 400))
    found = quaternions(turns)
    np.testing.assert_allclose(matrices(found), turns, atol=1e-12)
    assert (np.sum(found[1:] * found[:-1], axis=1) >= 0.0).all()


def test_half_turns() -> None:
    """Where the scalar part is zero, a division by it would fail."""
    turns = Rotation.from_rotvec(np.pi * np.vstack([np.eye(3), -np.eye(3), [[0.6, 0.8, 0.0]]])).as_matrix()
    np.testing.assert_allclose(matrices(quaternions(turns)), turns, atol=1e-12)


@pytest.mark.parametrize("seed", range(CASES))
def test_interpolation_is_that_of_scipy(seed: int) -> None:
    generator = np.random.default_rng(100 + seed)
    times = np.sort(generator.uniform(0.0, 1.0, 8))
    turns = Rotation.random(8, rng=generator)
    between = generator.uniform(times[0], times[-1], 50)
    track = Track(times, quaternions(turns.as_matrix()), "rotation")
    expected = Slerp(times, turns)(between).as_matrix()
    np.testing.assert_allclose(matrices(track.at(between)), expected, atol=1e-9)


@pytest.mark.parametrize("seed", range(CASES))
def test_thinned_motions_keep_the_tolerance(seed: int) -> None:
    generator = np.random.default_rng(200 + seed)
    times = np.sort(generator.uniform(0.0, 5.0, 600))
    turns = random_rotations(generator, times)
    tolerance = 10.0 ** generator.uniform(-4, -1.5)
    track = thinned(Track(times, quaternions(turns), "rotation"), tolerance)
    assert angles(matrices(track.at(times)), turns).max() <= tolerance * (1.0 + 1e-6)
    waves = np.sin(times[:, None] * generator.uniform(0.5, 4.0, 3) + generator.uniform(0.0, 6.0, 3))
    path = thinned(Track(times, waves), tolerance)
    assert np.abs(path.at(times) - waves).max() <= tolerance
    assert len(path.times) < len(times)


def test_what_does_not_move_is_one_sample() -> None:
    times = np.linspace(0.0, 1.0, 50)
    assert len(thinned(Track(times, np.ones((50, 3))), 1e-6).times) == 1


def test_jumps_at_events_stay() -> None:
    """A time that appears twice: the value before it and the one after it, also at the end of the run."""
    times = np.array([0.0, 1.0, 1.0, 2.0, 2.0])
    values = np.array([0.0, 1.0, 5.0, 6.0, 9.0])[:, None]
    track = thinned(Track(times, values), 1e-3)
    np.testing.assert_array_equal(track.times, times)
    np.testing.assert_allclose(track.at(np.array([0.5, 1.0 - 1e-12, 1.0, 1.5]))[:, 0], [0.5, 1.0, 5.0, 5.5])
    np.testing.assert_allclose(track.at(np.array([-1.0, 3.0]))[:, 0], [0.0, 9.0])


def test_an_event_without_a_jump_is_left_out() -> None:
    times = np.array([0.0, 1.0, 1.0, 2.0])
    track = thinned(Track(times, 3.0 * times[:, None]), 1e-9)
    np.testing.assert_array_equal(track.times, [0.0, 2.0])
