"""Equations of motion as source code: NumPy and C functions against the functions of numbers."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from multibody_functions.random_trees import model_of
from multibody_functions.test_regressor import TwoLinks, hinges
from tellegen.library import multibody

pytest.importorskip("sympy")


class FourBar(tg.Component):
    """A loop; the parameter of the root is called like an argument of the functions."""

    p = tg.parameter(0.4, "m", "length of the crank")
    world = multibody.World()
    base = multibody.FixedTranslation(r=[1.0, 0, 0])
    j1 = multibody.Revolute(phi=tg.variable(start=1.2))
    crank = multibody.BodyShape(r=[1.0, 0, 0] * p, r_CM=[0.2, 0, 0], m=1.0, I_33=0.02)
    j2 = multibody.Revolute(phi=tg.variable(start=-0.9))
    coupler = multibody.BodyShape(r=[1.0, 0, 0], r_CM=[0.5, 0, 0], m=2.0, I_33=0.2)
    j3 = multibody.Revolute(phi=tg.variable(start=-1.5))
    rocker = multibody.BodyShape(r=[0.7, 0, 0], r_CM=[0.35, 0, 0], m=1.5, I_33=0.1)
    j4 = multibody.Revolute()

    def connections(self) -> Iterator[Any]:
        yield self.world.frame_b, self.base.frame_a, self.j1.frame_a
        yield self.j1.frame_b, self.crank.frame_a
        yield self.crank.frame_b, self.j2.frame_a
        yield self.j2.frame_b, self.coupler.frame_a
        yield self.coupler.frame_b, self.j3.frame_a
        yield self.j3.frame_b, self.rocker.frame_a
        yield self.rocker.frame_b, self.j4.frame_a
        yield self.base.frame_b, self.j4.frame_b


CASES = {
    "arm": (TwoLinks, "lower.frame_a", False),
    "loop": (FourBar, "coupler.frame_b", False),
    "skew": (lambda: model_of(hinges(4, 1)), "body0.frame_a", False),
}
Call = Callable[..., Any]


@pytest.fixture(scope="module", params=CASES)
def written(request: pytest.FixtureRequest) -> Any:
    make, frame, simplify = CASES[request.param]
    m = tg.mechanism(make())
    return m, frame, m.symbolic(simplify=simplify, frames=[frame])


def close(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11)


def check(m: tg.Mechanism, frame: str, call: Call) -> None:
    """All functions at random positions and speeds; quaternions are those of the start."""
    random = np.random.default_rng(1)
    name = frame.replace(".", "_")
    for _ in range(5):
        q = m.start + np.array([random.uniform(-1, 1) * ("Q[" not in one) for one in m.coordinates])
        v, a = random.standard_normal((2, len(m.speeds)))
        close(call("mass_matrix", q), m.mass_matrix(q))
        close(call("bias", q, v), m.bias(q, v))
        close(call("inverse_dynamics", q, v, a), m.inverse_dynamics(q, v, a))
        close(call(f"position_{name}", q), m.frame(frame, q).position)
        close(call(f"jacobian_{name}", q), m.jacobian(frame, q))
        if m.loops:
            close(call("constraints", q), m.constraints(q).gaps)
            close(call("constraint_jacobian", q), m.constraints(q).J)


def test_python(written: Any) -> None:
    m, frame, e = written
    module: dict[str, Any] = {}
    exec(compile(e.python(), "written.py", "exec"), module)
    assert len(module["PARAMETERS"]) == len(module["VALUES"])
    check(m, frame, lambda name, *arguments: module[name](*arguments))


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_c(written: Any, tmp_path: Path) -> None:
    m, frame, e = written
    (tmp_path / "written.c").write_text(e.c())
    options = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC"]
    subprocess.run(["cc", *options, "written.c", "-o", "written.so", "-lm"], cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "written.so"))
    parameters = np.array((ctypes.c_double * _count(e.c())).in_dll(library, "VALUES"))
    shapes = {
        "mass_matrix": m.mass_matrix(m.start).shape,
        "bias": (len(m.speeds),),
        "inverse_dynamics": (len(m.speeds),),
    }
    shapes |= {f"position_{frame.replace('.', '_')}": (3,), f"jacobian_{frame.replace('.', '_')}": (6, len(m.speeds))}
    if m.loops:
        J = m.constraints(m.start).J
        shapes |= {"constraints": J.shape[:1], "constraint_jacobian": J.shape}

    def call(name: str, *arguments: Any) -> Any:
        out = np.empty(shapes[name])
        arrays = [np.ascontiguousarray(one, float) for one in (*arguments, parameters)]
        function = getattr(library, name)
        function(*(array.ctypes.data_as(ctypes.c_void_p) for array in (*arrays, out)))
        return out

    check(m, frame, call)


def _count(source: str) -> int:
    return int(source.split("VALUES[")[1].split("]")[0])


def test_only_parameters_that_occur_and_names_that_are_free() -> None:
    e = tg.mechanism(FourBar()).symbolic(simplify=False)
    source = e.python()
    assert '"mu_world"' not in source
    assert "    p_ = p[" in source
    assert "def constraints(q, p=VALUES):" in source


def test_an_unknown_frame_is_an_error() -> None:
    with pytest.raises(tg.DataError, match=r"E708: 'lower.frame_c' is not a frame of TwoLinks"):
        tg.mechanism(TwoLinks()).symbolic(frames=["lower.frame_c"])
