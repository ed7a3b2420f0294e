"""Currents of a BSIM4 transistor beside its channel: through the oxide, and from drain and source into the bulk."""

from __future__ import annotations

from typing import Any, NamedTuple

import tellegen as tg
from tellegen.library.electrical.semiconductors.bsim4.channel import BSIM4Channel
from tellegen.library.electrical.semiconductors.bsim4.limits import level_exp, softplus

_SOFT = 0.02  # V, of the flat-band voltage
_FIELD = 3.0  # thicknesses of the oxide that a voltage falls off at
_STEEPEST = 100.0  # exponent


class Barrier(NamedTuple):
    """Of carriers in the oxide: its exponent is (a + (a c - b) v - b c v^2) times a factor."""

    a: Any
    b: Any
    c: Any

    def passed(self, factor: Any, v: Any) -> Any:
        """What part of the carriers passes it."""
        return level_exp(factor * (self.a + (self.a * self.c - self.b) * v - self.b * self.c * v**2))


class BSIM4Leakage(BSIM4Channel):
    """Base of BSIM4 transistors: tunnelling."""

    def flat_band(self, bulk: Any, without_bending: Any) -> Any:
        """The flat-band voltage, in accumulation that of the gate."""
        apart = without_bending - self.gate() + bulk - _SOFT
        return without_bending - 0.5 * (apart + tg.sqrt(apart**2 + 4.0 * _SOFT * abs(without_bending)))

    def oxide_voltages(self) -> tuple[Any, Any]:
        """Across the oxide, of accumulation, and of depletion and inversion."""
        flat = self.flat_band(self.v_b, self.Vfbzb)
        depleted = self.gate() - flat - self.v_b - self.v_gt
        half = 0.5 * self.K1ox
        root = tg.sqrt(half**2 + tg.maximum(depleted, 0.0)) - half
        layer = tg.where(tg.no_event(depleted < 0.0), -depleted, self.K1ox * root)
        return tg.maximum(self.Vfbzb - flat, 0.0), layer + self.v_gt

    def into_channel(self) -> tuple[Any, Any]:
        """Currents from the gate to the ends of the channel that act as source and as drain."""
        if not self.has("Kgc"):
            return 0.0, 0.0
        _, inversion = self.oxide_voltages()
        n_vt = self.vt() * self.Nigc
        supply = n_vt * softplus((self.gate() - self.Vth0) / n_vt)
        passed = Barrier(self.Aigc, self.Bigc, self.Cigc).passed(self.Bech, inversion)
        total = self.Nf * self.Kgc * self.gate() * supply * passed
        if self.has("Pigcd"):
            share = self.Pigcd
        else:
            v_gt = self.v_gt + 1e-20
            share = -self.Bech / v_gt**2 * (1.0 - 0.5 * self.v_eff / v_gt)
        x = -share * self.v_eff
        grown = level_exp(x)
        norm = x**2 + 2e-4
        return total * (grown - 1.0 + 1e-4 - x) / norm, total * (x * grown - grown + 1.0 + 1e-4) / norm

    def over_edge(self, v: Any, size: Any, barrier: Barrier) -> Any:
        """From the gate to source or drain at its edge; v is the voltage between them."""
        if not self.has("Kgc"):
            return 0.0
        across = tg.sqrt((v - self.Vfbsd) ** 2 + 1e-4)
        return self.Nf * size * v * across * barrier.passed(self.Bech_e, across)

    def into_bulk(self) -> Any:
        """From the gate to the bulk."""
        if not self.has("Kgb"):
            return 0.0
        accumulation, inversion = self.oxide_voltages()
        v = self.gate() - self.v_b
        factor = -7.45669e11 * self.Toxe
        n_vt = self.vt() * self.Nigbacc
        supply = n_vt * softplus((self.Vfbzb - self.gate() + self.v_b) / n_vt)
        acc = supply * Barrier(self.Aigbacc, self.Bigbacc, self.Cigbacc).passed(factor, accumulation)
        n_vt = self.vt() * self.Nigbinv
        supply = n_vt * softplus((inversion - self.Eigbinv) / n_vt)
        inv = supply * Barrier(self.Aigbinv, self.Bigbinv, self.Cigbinv).passed(1.31724 * factor, inversion)
        return self.Nf * self.Kgb * v * (acc + 0.75610 * inv)

    def from_drain(self) -> Any:
        """From the drain into the bulk, where the gate bends its bands (GIDL)."""
        if not self.has("Agidl"):
            return 0.0
        field = tg.maximum(self.v_ds - self.past_gate(self.v_gs) - self.Egidl, 0.0) / (_FIELD * self.Toxe)
        reverse = tg.maximum(self.v_ds - self.v_bs, 0.0) ** 3
        return self.Agidl * _tunnelled(field, self.Bgidl) * reverse / (self.Cgidl + reverse) * self.Wcj * self.Nf

    def from_source(self) -> Any:
        """The same from the source (GISL)."""
        if not self.has("Agisl"):
            return 0.0
        field = tg.maximum(-self.v_ds - self.past_gate(self.v_gs - self.v_ds) - self.Egisl, 0.0) / (_FIELD * self.Toxe)
        reverse = tg.maximum(-self.v_bs, 0.0) ** 3
        return self.Agisl * _tunnelled(field, self.Bgisl) * reverse / (self.Cgisl + reverse) * self.Wcj * self.Nf


def _tunnelled(field: Any, barrier: Any) -> Any:
    """Carriers that pass from band to band."""
    return field * tg.exp(-tg.minimum(barrier / tg.maximum(field, 1e-3), _STEEPEST))
