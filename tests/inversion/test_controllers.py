"""Controllers that contain an inverse model: what they promise of a plant that is as its model says, in closed form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks


class Cart(tg.Component):
    """x'' = u - x' |x'| - sin(x) + d."""

    u = tg.input()
    d = tg.input()
    x = tg.variable(start=0.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == self.u - self.v * abs(self.v) - tg.sin(self.x) + self.d


def inverse() -> Any:
    return tg.inverse(Cart(d=0.0), {"x": "x"}, {"u": "u"}, filter=tg.critical_damping(cutoff="2 Hz"))


ONCE = inverse()


class Loops(tg.Component):
    """Four carts, one reference; the last one is pushed."""

    step = blocks.Step(height=1.0, start_time=0.2)
    two = tg.two_degrees_of_freedom(ONCE, blocks.PI(k=5.0, T=1.0))
    following = tg.model_following(inverse(), blocks.SecondOrder(w=8.0, D=0.7), blocks.PI(k=5.0, T=1.0))
    linear = tg.feedback_linearization(inverse(), pole=4.0)
    observer = tg.disturbance_observer(ONCE)
    cart_two = Cart(d=0.0)
    cart_following = Cart(d=0.0)
    cart_linear = Cart(d=0.0)
    cart_observer = Cart(d=0.5)

    def connections(self) -> Iterator[Any]:
        yield self.step.y, self.two.r, self.following.r, self.linear.r
        yield self.two.u, self.cart_two.u
        yield self.following.u, self.cart_following.u
        yield self.linear.u, self.cart_linear.u
        yield self.observer.u, self.cart_observer.u

    def equations(self) -> Iterator[Any]:
        yield self.two.y == self.cart_two.x
        yield self.following.y == self.cart_following.x
        yield self.linear.y == self.cart_linear.x
        yield self.linear.der_y == self.cart_linear.v
        yield self.observer.y == self.cart_observer.x
        yield self.observer.r == -4.0 * self.cart_observer.x - 3.0 * self.cart_observer.v


@pytest.fixture(scope="module")
def run() -> tg.Solution:
    return tg.simulate(Loops(), 4.0, rtol=1e-9, initial={"cart_linear.x": 0.3})


def test_an_exact_model_leaves_no_error(run: tg.Solution) -> None:
    assert np.abs(run["two.error"]).max() < 1e-6
    assert np.abs(run["following.error"]).max() < 1e-6
    assert run["cart_two.x"][-1] == pytest.approx(1.0, abs=1e-3)


def test_the_followed_block_says_how(run: tg.Solution) -> None:
    """The step response of a second-order block with a damping of 0.7: it overshoots by 4.6 %."""
    assert run["cart_following.x"].max() == pytest.approx(1.0 + np.exp(-np.pi * 0.7 / np.sqrt(1 - 0.49)), abs=1e-3)


def test_errors_decay_with_the_pole(run: tg.Solution) -> None:
    """(d/dt + 4)^2 e = 0 from e = -0.3 at rest, whatever the reference does."""
    error = run["linear.smooth.y"] - run["cart_linear.x"]
    assert error == pytest.approx(-0.3 * (1 + 4 * run.time) * np.exp(-4 * run.time), abs=1e-6)


def test_a_disturbance_is_seen_as_an_input(run: tg.Solution) -> None:
    """It pushes with -0.5 in units of u, and is compensated: the cart comes back to where it was."""
    assert run["observer.disturbance"][-1] == pytest.approx(0.5, abs=1e-3)
    assert run["cart_observer.x"][-1] == pytest.approx(0.0, abs=1e-3)


def test_what_no_controller_is_made_of() -> None:
    plain = tg.inverse(Cart(d=0.0), "x", "u")
    with pytest.raises(tg.DesignError, match=r"E680.*needs a filter"):
        tg.two_degrees_of_freedom(plain, blocks.PI())
    with pytest.raises(tg.TellegenError):
        tg.disturbance_observer(Cart())  # pyright: ignore[reportArgumentType]
    with pytest.raises(tg.DesignError, match="E680"):
        tg.feedback_linearization(inverse(), pole=-1.0)
