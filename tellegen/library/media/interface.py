"""What a medium is: one interface for liquids, gases, mixtures and real fluids.

A medium is a plain object, frozen and hashable, that components take as a structural parameter:

    pipe = fluid.StaticPipe(medium=media.Water(), length=10.0)

Its methods take numbers or symbols and return the same, so that `Water().density(state)` is a number in a script and
part of an equation in a model. A `State` holds pressure, temperature, specific enthalpy and composition together.
Components carry T *and* h and write the one equation `medium.relation(state)` between them; a medium computes its
properties from whichever it likes (`basis`), and nobody has to invert a function:

    basis "pT"   properties of p and T; the relation is  h == enthalpy(p, T, X)       liquids, ideal gases, moist air
    basis "ph"   properties of p and h; the relation is  T == temperature(p, h, X)    real fluids, also with two phases

Composition is X, a sequence of the mass fractions of all substances but the last (n_X of them, none for a pure fluid);
X[k] may be a number, a symbol or a symbol of an array of cells. Enthalpy is h = u + p/rho, all in SI units.

**How volumes store** (`storage`). "conserved": mass M, energy U and substance masses are the states, and p, T, X follow
from them by `density` and `internal_energy`. What flows in is then stored to the last digit, for an integrator keeps
linear sums exactly; functions are never differentiated, and for an incompressible medium M stays what it is and p comes
from the surroundings. It asks for density and energy that can be solved for p and T, by Newton's method from the last
values. "intensive": p, x (T or h, by basis) and X are states and the balances are written with `density_derivatives`.
That is the form for properties that are costly or hard to invert (CoolProp in two phases); it conserves to the
integrator's tolerance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple


class State(NamedTuple):
    """A thermodynamic state; each entry is a number, a symbol, or an array of either."""

    p: Any
    """Pressure in Pa, absolute."""
    T: Any
    """Temperature in K."""
    h: Any
    """Specific enthalpy in J/kg."""
    X: Sequence[Any] = ()
    """Mass fractions of all substances but the last."""


@dataclass(frozen=True)
class Medium:
    """Base of all media. A subclass is a dataclass with frozen=True; equal objects are one and the same medium.

    It defines enthalpy (basis "pT") or temperature and enthalpy (basis "ph"), density, cp, and what else it knows.
    """

    basis: ClassVar[str] = "pT"
    """What properties are functions of: "pT" or "ph"."""
    compressible: ClassVar[bool] = True
    """Whether density depends on pressure. If not, volumes cannot take pressure up: it comes from what they join."""
    constant_density: ClassVar[bool] = False
    """Whether density is a number: volumes then hold a fixed mass, and what flows in flows out."""
    storage: ClassVar[str] = "conserved"
    """How volumes store: "conserved" or "intensive"; see the top of this file."""
    p_default: ClassVar[float] = 101325.0
    T_default: ClassVar[float] = 293.15

    @property
    def substances(self) -> tuple[str, ...]:
        """The names of the substances; mass fractions X are those of all but the last."""
        return (type(self).__name__.lower(),)

    @property
    def n_X(self) -> int:
        """The number of independent mass fractions."""
        return len(self.substances) - 1

    @property
    def X_default(self) -> tuple[float, ...]:
        """The composition where nobody gives one: equal shares."""
        return (1.0 / len(self.substances),) * self.n_X

    def __str__(self) -> str:
        """`Water`, or `Water(rho=998.0)`: the class and what differs from it."""
        given = [f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if getattr(self, f.name) != f.default]
        return f"{type(self).__name__}({', '.join(given)})" if given else type(self).__name__

    # -- what joins T and h ----------------------------------------------------------------------------------------
    def enthalpy(self, p: Any, T: Any, X: Sequence[Any] = ()) -> Any:
        """Specific enthalpy at pressure, temperature and composition."""
        raise self._lacks("enthalpy")

    def temperature(self, p: Any, h: Any, X: Sequence[Any] = ()) -> Any:
        """Temperature at pressure, enthalpy and composition; here by Newton's method, so of numbers only."""
        T = self.T_default
        for _ in range(100):
            step = (float(self.enthalpy(p, T, X)) - h) / float(self.cp(State(p, T, h, X)))
            T = max(T - step, 0.5 * T)
            if abs(step) < 1e-12 * T:
                return T
        raise ValueError(f"no temperature of {self} has the enthalpy {h:g} J/kg at {p:g} Pa")

    def relation(self, state: State) -> Any:
        """The equation between T and h of a state, for `equations()`."""
        if self.basis == "ph":
            return state.T == self.temperature(state.p, state.h, state.X)
        return state.h == self.enthalpy(state.p, state.T, state.X)

    def at(self, p: Any = None, T: Any = None, X: Sequence[Any] | None = None, *, h: Any = None) -> State:
        """The state at p and T, or at p and h; what is not given has its default. `Water().at(2e5, 350.0)`."""
        p = self.p_default if p is None else p
        X = self.X_default if X is None else X
        if h is not None:
            return State(p, self.temperature(p, h, X), h, X)
        T = self.T_default if T is None else T
        return State(p, T, self.enthalpy(p, T, X), X)

    # -- properties ------------------------------------------------------------------------------------------------
    def density(self, state: State) -> Any:
        """Mass per volume, kg/m3."""
        raise self._lacks("density")

    def internal_energy(self, state: State) -> Any:
        """Specific internal energy u = h - p/rho; an incompressible medium writes it without p."""
        return state.h - state.p / self.density(state)

    def entropy(self, state: State) -> Any:
        """Specific entropy, J/(kg.K)."""
        raise self._lacks("entropy")

    def cp(self, state: State) -> Any:
        """Specific heat capacity at constant pressure, J/(kg.K)."""
        raise self._lacks("heat capacity")

    def cv(self, state: State) -> Any:
        """Specific heat capacity at constant volume, J/(kg.K)."""
        raise self._lacks("heat capacity at constant volume")

    def viscosity(self, state: State) -> Any:
        """Dynamic viscosity, Pa.s."""
        raise self._lacks("viscosity")

    def conductivity(self, state: State) -> Any:
        """Thermal conductivity, W/(m.K)."""
        raise self._lacks("thermal conductivity")

    def speed_of_sound(self, state: State) -> Any:
        """Speed of sound, m/s."""
        raise self._lacks("speed of sound")

    def isentropic_exponent(self, state: State) -> Any:
        """kappa = cp/cv where the medium does not know better."""
        return self.cp(state) / self.cv(state)

    def density_derivatives(self, state: State) -> tuple[Any, Any, tuple[Any, ...]]:
        """Partial derivatives of density by p, by x (T or h, as `basis` says) and each X; for storage "intensive"."""
        raise self._lacks("derivatives of the density")

    def isentrope(self, start: State, end: State) -> Iterator[Any]:
        """The two equations for T and h of `end`, which has another pressure and the same entropy as `start`."""
        yield self.entropy(end) == self.entropy(start)
        yield self.relation(end)

    def regions(self, state: State) -> Iterator[Any]:
        """Statements that warn a run which leaves the range of the medium: `yield from medium.regions(state)`."""
        return iter(())

    def _lacks(self, what: str) -> NotImplementedError:
        return NotImplementedError(f"the medium {self} does not know its {what}")
