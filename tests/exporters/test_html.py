"""Pages with a model inside: what they contain, and in a real browser what they compute."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from browser import Browser, find_browser
from tellegen.errors import ExportError, TellegenError

pytest.importorskip("ziglang")

PROGRAM = find_browser()
in_browser = pytest.mark.skipif(PROGRAM is None, reason="no Chromium, Chrome or Edge is installed; CHROME may name one")
RTOL = 1e-6


class Ball(tg.Component):
    """Bounces <script>alert(1)</script>, in a medium that a lever makes thicker."""

    g = tg.parameter(9.81, "m/s2", "gravity")
    e = tg.parameter(0.8, "1", "restitution", min=0.0, max=1.0)
    drag = tg.parameter([0.1, 0.3], "1/s")
    twice = tg.parameter(2.0 * g, "m/s2")
    hot = tg.parameter(350.0, "K", "temperature of the ground")
    size = tg.parameter(1.0, "m")
    bounces = tg.integer("so far")
    x = tg.variable("mm", start=1000.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    w = tg.variable("1", start=0.5)
    T = tg.variable("K")

    def equations(self) -> Iterator[Any]:
        """Free fall, impact, a cubic, and functions of the mathematics library."""
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -0.5 * self.twice - self.drag[0] * self.v
        yield self.w + 0.1 * self.w**3 == tg.sin(self.x / self.size) + tg.exp(-self.x / self.size) ** 1.3
        yield self.T == self.hot * (1.0 + 0.1 * tg.tanh(self.x / self.size))
        yield tg.when(self.x < 0, tg.reinit(self.v, -self.e * tg.pre(self.v)), self.bounces == tg.pre(self.bounces) + 1)


@pytest.fixture(scope="module")
def ball() -> Any:
    return tg.compile(Ball())


@pytest.fixture(scope="module")
def written(ball: Any, tmp_path_factory: pytest.TempPathFactory) -> tg.ExportedHtml:
    path = tmp_path_factory.mktemp("page") / "ball.html"
    sliders = {"g": (1.0, 20.0), "e": None, "x": ("10 cm", "2 m")}
    return tg.export_html(ball, path, stop=1.5, sliders=sliders, plots=["x", "w", "bounces", "T [degC]"], rtol=RTOL)


def test_what_is_written(written: tg.ExportedHtml) -> None:
    """One file without references to others; names and descriptions are text."""
    page = written.path.read_text(encoding="utf-8")
    assert written.sliders == ("g", "e", "x")
    assert written.plots == ("x", "w", "bounces", "T")
    assert written.code_size < 300_000
    assert "<script>alert" not in page
    assert not re.search(r"(src|href)=", page)
    assert "ball.html: 3 sliders, 4 curves" in str(written)


def test_twice_the_same_bytes(ball: Any, tmp_path: Path) -> None:
    pages = [tmp_path / name for name in ("a.html", "b.html")]
    for page in pages:
        tg.export_html(ball, page)
    assert pages[0].read_bytes() == pages[1].read_bytes()


def test_usual_sliders_and_plots(ball: Any, tmp_path: Path) -> None:
    """Parameters that are given and not zero, and the states."""
    made = tg.export_html(ball, tmp_path / "ball.html")
    assert made.sliders == ("g", "e", "drag[0]", "hot", "size")  # drag[1] is in no equation
    assert made.plots == ("x", "v")


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        ({"sliders": ["gg"]}, "E", "gg"),
        ({"sliders": ["twice"]}, "E456", "computed from other parameters"),
        ({"sliders": ["drag"]}, "E456", "has the shape (2,)"),
        ({"sliders": ["drag[1]"]}, "E456", "do not read it"),
        ({"sliders": ["w"]}, "E456", "computed while the model runs"),
        ({"sliders": {"g": 3.0}}, "E456", "two numbers"),
        ({"sliders": {"g": (20.0, 30.0)}}, "E456", "not between the limits"),
        ({"sliders": {"e": (0.0, 2.0)}}, "E156", "beyond its maximum"),
        ({"plots": ["nothing"]}, "E", "nothing"),
        ({"plots": ["x [V]"]}, "E121", "cannot be converted"),
        ({"solver": "cvode"}, "E441", "rk45 or rodas"),
    ],
)
def test_mistakes(ball: Any, tmp_path: Path, options: dict[str, Any], code: str, says: str) -> None:
    """Each is named, and nothing is written."""
    with pytest.raises(TellegenError, match=re.escape(says)) as caught:
        tg.export_html(ball, tmp_path / "page.html", **options)
    assert str(caught.value.code).startswith(code)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there(ball: Any, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="cannot be written"):
        tg.export_html(ball, tmp_path / "missing" / "page.html")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert PROGRAM is not None
    with Browser(PROGRAM, (1000, 800)) as opened:
        yield opened


@pytest.fixture
def page(browser: Browser, written: tg.ExportedHtml) -> Iterator[Browser]:
    """The ball; whatever a test does, the console stays empty and no request leaves the machine."""
    browser.open(written.path)
    browser.wait_for("'tellegen' in window")
    yield browser
    assert browser.complaints == []


def table_of(page: Browser) -> dict[str, np.ndarray]:
    """The curves by their headings."""
    head, *rows = csv.reader(io.StringIO(page.value("tellegen.table()")))
    return dict(zip(head, np.array(rows, float).T, strict=True))


def compare(page: Browser, ball: Any, parameters: dict[str, float], start: dict[str, float]) -> None:
    """The curves against a run here, far from jumps; 10 x tolerance relative to the largest value."""
    found = table_of(page)
    solution = tg.simulate(ball, stop=1.5, rtol=RTOL, parameters=parameters, initial=start, solver="rk45")
    bounce = np.array([event.time for event in solution.events])
    times = found["time [s]"]
    far = np.abs(times[:, None] - bounce[None, :]).min(axis=1, initial=1.0) > 1e-4
    for path in ("x", "w", "bounces", "T [degC]"):
        heading = path if path.endswith("]") else f"{path} [{solution.unit(path) or '1'}]"
        here = np.asarray(solution.at(times[far])[path])
        assert np.abs(found[heading][far] - here).max() < 10.0 * RTOL * max(np.abs(here).max(), 1.0), path


@in_browser
def test_curves_are_those_of_simulate(page: Browser, ball: Any) -> None:
    compare(page, ball, {}, {})
    assert page.value("document.querySelector('h1').textContent") == "Ball"
    assert "<script>alert(1)</script>" in page.value("document.getElementById('description').textContent")


@in_browser
def test_a_slider_moves_the_curves(page: Browser, ball: Any) -> None:
    """Dragged with the mouse; the value beside it and the curves follow."""
    box = page.value(
        "(({x, y, width, height}) => [x, y, width, height])(tellegen.sliders[0].range.getBoundingClientRect())"
    )
    y = box[1] + 0.5 * box[3]
    page.drag((box[0] + 0.3 * box[2], y), (box[0] + 0.8 * box[2], y))
    page.wait_for("tellegen.sliders[0].now !== tellegen.sliders[0].value")
    page.wait_for("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
    g = page.value("tellegen.sliders[0].now")
    assert 14.0 < g < 18.0
    compare(page, ball, {"g": g}, {})


@in_browser
def test_start_values_have_sliders(page: Browser, ball: Any) -> None:
    """In the unit of the variable, millimetres; typed numbers stay within the bounds of a parameter."""
    page.value("tellegen.sliders[2].set(500), tellegen.sliders[1].set(7)")
    page.wait_for("tellegen.run().rows[0][0] === 0.5")
    assert page.value("tellegen.sliders[1].now") == 1.0
    compare(page, ball, {"e": 1.0}, {"x": 500.0})


@in_browser
def test_kept_curves_and_reset(page: Browser) -> None:
    before = table_of(page)
    page.value("document.getElementById('keep').click(), tellegen.sliders[0].set(3)")
    page.wait_for("tellegen.sliders[0].now === 3 && tellegen.run().times.length > 1")
    page.value("document.getElementById('reset').click()")
    page.wait_for("tellegen.sliders[0].now === tellegen.sliders[0].value")
    page.picture()
    after = table_of(page)
    assert all(np.array_equal(before[name], after[name]) for name in before)


@in_browser
def test_a_run_that_fails_says_so(browser: Browser, tmp_path: Path) -> None:
    """The curve to the failure is drawn, the reason given; other values work again."""

    class Root(tg.Component):
        """Its equation has no solution once a falls below zero."""

        rate = tg.parameter(0.5, "1/s")
        a = tg.variable("1", start=1.0, fixed=True)
        s = tg.variable("1", start=1.0)

        def equations(self) -> Iterator[Any]:
            """A parabola that leaves its axis."""
            yield tg.der(self.a) == -self.rate
            yield self.s * self.s + 0.01 * self.s == self.a

    made = tg.export_html(Root(), tmp_path / "root.html", sliders={"rate": (0.1, 5.0)}, plots="s", stop=1.0)
    browser.open(made.path)
    browser.wait_for("'tellegen' in window")
    assert "ms for this run" in browser.value("document.getElementById('state').textContent")
    browser.value("tellegen.sliders[0].set(2)")
    browser.wait_for("document.getElementById('state').classList.contains('failed')")
    assert re.search(r" at t = 0\.[45]", browser.value("document.getElementById('state').textContent"))
    browser.value("tellegen.sliders[0].set(0.2)")
    browser.wait_for("!document.getElementById('state').classList.contains('failed')")
    assert browser.complaints == []


@in_browser
def test_c_code_of_the_user_runs_in_the_page(browser: Browser, tmp_path: Path) -> None:
    class Limiter(tg.Software):
        """Calls functions of the C library."""

        u = tg.input()
        y = tg.output()
        source = """
        void outputs(double time, const double *x, const double *u, const double *p, double *y)
        {
            y[Y_y] = fmax(-0.5, fmin(u[U_u], 0.5)) + fmod(fabs(u[U_u]), 0.25) * cbrt(8.0) - trunc(1.5);
        }
        """

    class Plant(tg.Component):
        """A decay that the block drives."""

        limiter = Limiter()
        k = tg.parameter(1.0)
        x = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield self.limiter.u == self.k * self.x
            yield tg.der(self.x) == -self.limiter.y - self.x

    made = tg.export_html(Plant(), tmp_path / "plant.html", sliders=["k"], plots="x", stop=1.0)
    browser.open(made.path)
    browser.wait_for("'tellegen' in window")
    found = table_of(browser)
    here = tg.simulate(Plant(), stop=1.0)
    assert np.abs(found["x [1]"] - here.at(found["time [s]"])["x"]).max() < 1e-4  # kinks that are no events
    assert browser.complaints == []
