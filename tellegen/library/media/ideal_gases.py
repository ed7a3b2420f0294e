"""Ideal gases and their mixtures, by NASA polynomials: cp, h and s depend on temperature as measured.

    media.IdealGas("N2")                                    one gas
    media.IdealGas("CO2 20 %", gases=("CO2", "N2"), moles=(0.2, 0.8))     a mixture that stays as it is: no X
    media.dry_air()                                         the same, of N2, O2, Ar and CO2
    media.GasMixture(("CH4", "O2", "N2"))                   mass fractions are variables: X of all but the last

h is that of formation at 298.15 K and 1 bar (0 for the elements), so reactions need no further numbers: what burns
without losses keeps its enthalpy. The gases known are the keys of `media.GASES`, from 200 K to 6000 K.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import tellegen as tg
from tellegen.frontends.python.expressions.refusal import refused
from tellegen.library.media.gas_data import GASES, T_HIGH, T_LOW, GasData
from tellegen.library.media.interface import Medium, State
from tellegen.library.media.nasa import Coefficients, add_up, coefficients, transport
from tellegen.library.media.numbers_or_symbols import at_least

P_STANDARD = 1e5
MICROPOISE = 1e-7
MICROWATT_PER_CM = 1e-4
LEAST = 1e-12
"""A share below which a substance no longer counts in the entropy of mixing, whose slope is infinite at zero."""


@dataclass(frozen=True)
class NasaGas(Medium):
    """Base of gases by NASA polynomials: subclasses say which gases, and their mass fractions for a given X."""

    compressible: ClassVar[bool] = True

    def data(self) -> tuple[GasData, ...]:
        """The gases it consists of."""
        raise self._lacks("gases")

    def fractions(self, X: Sequence[Any]) -> Sequence[Any]:
        """The mass fractions of all of them."""
        raise self._lacks("composition")

    def polynomials(self, X: Sequence[Any]) -> Coefficients:
        """The polynomials of the mixture."""
        return coefficients(self.data(), self.fractions(X))

    def gas_constant(self, X: Sequence[Any] = ()) -> Any:
        """R of the mixture, J/(kg.K)."""
        return add_up(gas.R * x for gas, x in zip(self.data(), self.fractions(X), strict=True))

    def mole_fractions(self, X: Sequence[Any] = ()) -> list[Any]:
        """The shares of the gases in the number of molecules."""
        R = self.gas_constant(X)
        return [gas.R * x / R for gas, x in zip(self.data(), self.fractions(X), strict=True)]

    def enthalpy(self, p: tg.Expression, T: tg.Expression, X: Sequence[Any] = ()) -> Any:
        return self.polynomials(X).h(T)

    def temperature(self, p: tg.Expression, h: tg.Expression, X: Sequence[Any] = ()) -> Any:
        """By Newton's method, of numbers only; equations have `relation`."""
        return self.polynomials(X).T_of_h(float(h))

    def density(self, state: State) -> Any:
        return state.p / (self.gas_constant(state.X) * state.T)

    def internal_energy(self, state: State) -> Any:
        return state.h - self.gas_constant(state.X) * state.T

    def entropy(self, state: State) -> Any:
        return self.polynomials(state.X).s0(state.T) - self._pressure_part(state.p, state.X)

    def _pressure_part(self, p: tg.Expression, X: Sequence[Any]) -> Any:
        """R ln(p/1 bar) of the gases, each at its share of the pressure."""
        R = self.gas_constant(X)
        total = tg.log(p / P_STANDARD)
        shares = self.mole_fractions(X)
        return R * total if len(shares) == 1 else R * total + R * add_up(y * tg.log(at_least(y, LEAST)) for y in shares)

    def cp(self, state: State) -> Any:
        return self.polynomials(state.X).cp(state.T)

    def cv(self, state: State) -> Any:
        return self.cp(state) - self.gas_constant(state.X)

    def speed_of_sound(self, state: State) -> Any:
        return tg.sqrt(self.isentropic_exponent(state) * self.gas_constant(state.X) * state.T)

    def viscosity(self, state: State) -> Any:
        """Of mixtures by C. R. Wilke's rule (1950)."""
        single = [transport(gas.viscosity, state.T) * MICROPOISE for gas in self.data()]
        return self._mixed(single, single, state.X)

    def conductivity(self, state: State) -> Any:
        """Of mixtures by A. Wassiljewa's rule with the weights of Wilke, as E. A. Mason and S. C. Saxena found."""
        thickness = [transport(gas.viscosity, state.T) for gas in self.data()]
        return self._mixed(
            [transport(gas.conductivity, state.T) * MICROWATT_PER_CM for gas in self.data()], thickness, state.X
        )

    def _mixed(self, single: list[Any], viscosity: list[Any], X: Sequence[Any]) -> Any:
        """sum_i y_i v_i / sum_j y_j phi_ij."""
        if len(single) == 1:
            return single[0]
        y = [at_least(share, 0.0) for share in self.mole_fractions(X)]
        M = [gas.M for gas in self.data()]
        out = []
        for i, value in enumerate(single):
            beside = add_up(
                share
                * (1.0 + tg.sqrt(viscosity[i] / mu * (M[j] / M[i]) ** 0.5)) ** 2
                / (8.0 * (1 + M[i] / M[j])) ** 0.5
                for j, (share, mu) in enumerate(zip(y, viscosity, strict=True))
            )
            out.append(y[i] * value / beside)
        return add_up(out)

    def regions(self, state: State) -> Iterator[Any]:
        inside = (state.T > T_LOW) & (state.T < T_HIGH)
        yield tg.region(inside, f"{self} is outside of its polynomials, {T_LOW:g} K to {T_HIGH:g} K")

    def density_derivatives(self, state: State) -> tuple[Any, Any, tuple[Any, ...]]:
        rho = self.density(state)
        R = self.gas_constant(state.X)
        *first, last = [gas.R for gas in self.data()]
        return rho / state.p, -rho / state.T, tuple(-rho * (r - last) / R for r in first[: len(state.X)])


@dataclass(frozen=True)
class IdealGas(NasaGas):
    """An ideal gas, or a mixture of ideal gases whose composition never changes."""

    name: str = "N2"
    """Of the gas, a key of GASES; or of the mixture, any text."""
    gases: tuple[str, ...] = ()
    """What the mixture consists of."""
    moles: tuple[float, ...] = ()
    """Amounts of them, in any unit."""

    def __post_init__(self) -> None:
        if len(self.gases) != len(self.moles):
            what = f"the mixture {self.name!r} has {len(self.gases)} gases and {len(self.moles)} amounts"
            raise refused("E701", what, "IdealGas('air', gases=('N2', 'O2'), moles=(0.79, 0.21))")
        _known(self.gases or (self.name,))

    def __str__(self) -> str:
        return self.name

    @property
    def substances(self) -> tuple[str, ...]:
        return (self.name,)

    def data(self) -> tuple[GasData, ...]:
        return tuple(GASES[name] for name in self.gases or (self.name,))

    def fractions(self, X: Sequence[Any] = ()) -> Sequence[float]:
        masses = [gas.M * n for gas, n in zip(self.data(), self.moles or (1.0,), strict=True)]
        return [m / sum(masses) for m in masses]

    def polynomials(self, X: Sequence[Any] = ()) -> Coefficients:
        return _fixed(self)


@dataclass(frozen=True)
class GasMixture(NasaGas):
    """A mixture of ideal gases with variable composition: X are the mass fractions of all gases but the last."""

    gases: tuple[str, ...] = ("O2", "N2")
    X: tuple[float, ...] = ()
    """Mass fractions where nobody gives others, of all gases or of all but the last; equal shares without them."""

    def __post_init__(self) -> None:
        _known(self.gases)
        if len(self.gases) < 2:
            raise refused("E701", f"{len(self.gases)} gas in a mixture", "take IdealGas(name) for a single gas")
        if self.X and len(self.X) not in (len(self.gases), len(self.gases) - 1):
            what = f"{len(self.X)} mass fraction(s) for {len(self.gases)} gases"
            raise refused("E701", what, "give one for each gas, or for each but the last")

    @property
    def substances(self) -> tuple[str, ...]:
        return self.gases

    @property
    def X_default(self) -> tuple[float, ...]:
        return self.X[: self.n_X] or super().X_default

    def data(self) -> tuple[GasData, ...]:
        return tuple(GASES[name] for name in self.gases)

    def fractions(self, X: Sequence[Any]) -> Sequence[Any]:
        given = [X[k] for k in range(self.n_X)]
        return [*given, 1.0 - add_up(given)]

    def X_of_moles(self, **amounts: float) -> tuple[float, ...]:
        """The X of a mixture given by amounts of substance: `X_of_moles(O2=0.21, N2=0.79)`."""
        _known(tuple(amounts), among=self.gases)
        masses = [GASES[name].M * amounts.get(name, 0.0) for name in self.gases]
        return tuple(m / sum(masses) for m in masses[:-1])


@lru_cache
def _fixed(gas: IdealGas) -> Coefficients:
    return coefficients(gas.data(), gas.fractions())


def _known(names: Sequence[str], among: Sequence[str] = tuple(GASES)) -> None:
    for name in names:
        if name not in among:
            raise refused("E706", f"{name!r} is not a known gas", f"take one of {', '.join(among)}")


def dry_air() -> IdealGas:
    """Air without water: 78.08 % N2, 20.95 % O2, 0.93 % Ar, 0.04 % CO2 by volume."""
    return IdealGas("air", gases=("N2", "O2", "Ar", "CO2"), moles=(0.7808, 0.2095, 0.0093, 0.0004))
