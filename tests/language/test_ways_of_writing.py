"""Ways of writing that are as good as others: quantities in lists, mixins, shapes in lists, letters beyond ASCII."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el


class Decays(tg.Component):
    R = tg.parameter([1.0, 2.0], "ohm")
    tau = tg.parameter(1.0, "s")
    x = tg.variable("V", shape=[2], start=["1 kV", 2.0], fixed=True)

    def equations(self) -> Iterator[Any]:
        yield self.tau * tg.der(self.x) == -self.x * self.R / self.R[1]


DECAYS = tg.compile(Decays())


@pytest.mark.parametrize("given", [["2 kohm", 4.0], ("2000", "4 ohm"), np.array(["2 kohm", "4 ohm"])])
def test_quantities_in_a_list(given: Any) -> None:
    assert tg.simulate(Decays(R=given), 1.0)["R"].tolist() == [2000.0, 4.0]
    run = DECAYS.simulate(1.0, parameters={"R": given}, initial={"x": ["5 mV", 1.0]})
    assert run["R"].tolist() == [2000.0, 4.0]
    assert run["x"][0] == pytest.approx([0.005, 1.0])
    assert DECAYS.simulate(1.0)["x"][0] == pytest.approx([1000.0, 2.0])
    assert tg.parameter(given, "ohm").value.tolist() == [2000.0, 4.0]


def test_a_wrong_unit_in_a_list_is_named() -> None:
    with pytest.raises(tg.LanguageError, match="'4 V' cannot be converted to 'ohm'"):
        Decays(R=["2 kohm", "4 V"])
    with pytest.raises(tg.LanguageError, match="'4 V' cannot be converted to 'ohm'"):
        DECAYS.simulate(1.0, parameters={"R": ["2 kohm", "4 V"]})


class Lag(tg.Component):
    tau = tg.parameter(1.0, "s")
    x = tg.variable("V", start=1.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield self.tau * tg.der(self.x) == -self.x


class Amplified:
    """A class of Python's, not a component, with members of all kinds."""

    gain = tg.parameter(3.0)
    pin = el.Pin()
    inner = Lag(tau=0.5)
    x: Any

    def equations(self) -> Iterator[Any]:
        yield self.pin.v == self.gain * self.x


class MixinFirst(Amplified, Lag):
    pass


class MixinLast(Lag, Amplified):
    pass


@pytest.mark.parametrize("model", [MixinFirst, MixinLast])
def test_a_mixin_brings_its_members(model: Any) -> None:
    run = tg.simulate(model(gain=4.0), 1.0)
    assert run["pin.v"][-1] == pytest.approx(4.0 * exp(-1.0), rel=1e-5)
    assert run["inner.x"][-1] == pytest.approx(exp(-2.0), rel=1e-5)


def test_a_mixin_hides_no_member() -> None:
    class Plain:
        tau = 5.0

    with pytest.raises(tg.LanguageError, match="E106"):

        class Hidden(Plain, Lag):
            pass


MICRO = "\N{MICRO SIGN}"
MU = "\N{GREEK SMALL LETTER MU}"
OMEGA = "\N{GREEK SMALL LETTER OMEGA}"
UMLAUT = "\N{LATIN SMALL LETTER O WITH DIAERESIS}"


def beyond_ascii() -> Any:
    def equations(self: Any) -> Iterator[Any]:
        yield tg.der(getattr(self, OMEGA)) == -getattr(self, MU) * getattr(self, OMEGA)

    members = {
        MU: tg.parameter(1.0, "1/s"),
        OMEGA: tg.variable(start=1.0, fixed=True),
        f"{UMLAUT}lpumpe": Lag(),
        "equations": equations,
    }
    return type("Beyond", (tg.Component,), members)()


def test_letters_beyond_ascii(tmp_path: Path) -> None:
    """Python keeps the micro sign in a name as the Greek letter mu; strings may have either, and umlauts as two."""
    run = tg.simulate(beyond_ascii(), 1.0, parameters={MICRO: 2.0})
    assert run[MICRO] == run[MU] == 2.0
    assert run[OMEGA][-1] == pytest.approx(exp(-2.0), rel=1e-5)
    assert run[f"{UMLAUT}lpumpe.x"][-1] == run["o\N{COMBINING DIAERESIS}lpumpe.x"][-1] == pytest.approx(exp(-1.0), 1e-5)
    assert tg.final(f"{OMEGA} * {MICRO}")(run) == pytest.approx(2.0 * exp(-2.0), rel=1e-5)
    run.to_csv(tmp_path / "run.csv")
    assert OMEGA in (tmp_path / "run.csv").read_text(encoding="utf-8")
    with pytest.raises(tg.ExportError, match=f"'{OMEGA}' cannot be a name in a NetCDF 3 file"):
        run.to_netcdf(tmp_path / "run.nc")
    assert not (tmp_path / "run.nc").exists()


def test_a_band_in_percent() -> None:
    run = tg.simulate(Lag(), 10.0)
    assert tg.settling_time("x", band="5 %")(run) == tg.settling_time("x", band=0.05)(run)
    assert tg.settling_time("x", band="5 %", final=0.0)(run) == pytest.approx(-np.log(0.05), rel=1e-5)
