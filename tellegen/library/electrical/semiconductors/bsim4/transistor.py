"""BSIM4 transistors: channel, leakage, charges, junctions and the resistances of gate and bulk."""

from __future__ import annotations

from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.electrical.interfaces import Pin, Statements
from tellegen.library.electrical.semiconductors.bsim4.charges import BSIM4Charges
from tellegen.library.electrical.semiconductors.bsim4.leakage import Barrier

_LARGEST = 34.0


class BSIM4(BSIM4Charges):
    """MOS transistor of short channels, BSIM4 of the University of California (SPICE's levels 14 and 54).

    The laws are those of BSIM4 4.8 as ngspice 39 has them. The current of the channel: threshold with short and narrow
    channels, pockets and the barrier at the drain; one expression from below the threshold to strong inversion;
    mobility that falls with the field (mobmod 0, 1); saturation of the velocity; resistance of source and drain
    (rdsMod 0); output resistance. Beside it flow currents by ionization, through the oxide (igcMod, igbMod 1) and from
    drain and source into the bulk (gidlMod 0). Charges are those of capMod 2, so that currents are their derivatives
    and no charge is lost. Junctions: dioMod 1 with linear continuation from vj_s and vj_d on. Gate and bulk may have
    resistances (rgateMod 1, rbodyMod 1).

    Parameters hold for one size and temperature; those of a model card follow by tg.read_spice. The temperature of a
    heat port changes nothing here. Without noise.
    """

    D = Pin("drain")
    G = Pin("gate")
    S = Pin("source")
    B = Pin("bulk")
    Is_s = tg.parameter(1e-14, "A", "saturation current of the junction of the source", min=0.0)
    Is_d = tg.parameter(1e-14, "A", "saturation current of the junction of the drain", min=0.0)
    N_s = tg.parameter(1.0, "1", "its emission coefficient", min=0.0)
    N_d = tg.parameter(1.0, "1", "its emission coefficient", min=0.0)
    Vj_s = tg.parameter(1.0, "V", "voltage from which on its current is straight", min=0.0)
    Vj_d = tg.parameter(1.0, "V", "voltage from which on its current is straight", min=0.0)
    Cb_s = tg.parameter(0.0, "F", "capacitance of the bottom of the source", min=0.0)
    Cb_d = tg.parameter(0.0, "F", "capacitance of the bottom of the drain", min=0.0)
    Pb_s = tg.parameter(1.0, "V", "its potential", min=0.0)
    Pb_d = tg.parameter(1.0, "V", "its potential", min=0.0)
    Mb_s = tg.parameter(0.5, "1", "its grading", min=0.0)
    Mb_d = tg.parameter(0.5, "1", "its grading", min=0.0)
    Cw_s = tg.parameter(0.0, "F", "capacitance of the side walls of the source", min=0.0)
    Cw_d = tg.parameter(0.0, "F", "capacitance of the side walls of the drain", min=0.0)
    Pw_s = tg.parameter(1.0, "V", "its potential", min=0.0)
    Pw_d = tg.parameter(1.0, "V", "its potential", min=0.0)
    Mw_s = tg.parameter(0.33, "1", "its grading", min=0.0)
    Mw_d = tg.parameter(0.33, "1", "its grading", min=0.0)
    Cg_s = tg.parameter(0.0, "F", "capacitance of the wall of the source below the gate", min=0.0)
    Cg_d = tg.parameter(0.0, "F", "capacitance of the wall of the drain below the gate", min=0.0)
    Pg_s = tg.parameter(1.0, "V", "its potential", min=0.0)
    Pg_d = tg.parameter(1.0, "V", "its potential", min=0.0)
    Mg_s = tg.parameter(0.33, "1", "its grading", min=0.0)
    Mg_d = tg.parameter(0.33, "1", "its grading", min=0.0)
    Rg = tg.parameter(0.0, "ohm", "resistance of the gate; 0: none", min=0.0)
    Gbb = tg.parameter(0.0, "S", "conductance from bulk to channel; 0: no resistances of the bulk", min=0.0)
    Gbs = tg.parameter(0.0, "S", "conductance from the bulk below the channel to the junction of the source", min=0.0)
    Gbd = tg.parameter(0.0, "S", "conductance from the bulk below the channel to the junction of the drain", min=0.0)
    Gs = tg.parameter(0.0, "S", "conductance from bulk to the junction of the source", min=0.0)
    Gd = tg.parameter(0.0, "S", "conductance from bulk to the junction of the drain", min=0.0)
    v_js = tg.variable("V", "voltage of the junction of the source", start=0.0)
    v_jd = tg.variable("V", "voltage of the junction of the drain", start=0.0)
    i_g = tg.variable("A", "current into the gate that flows through the oxide")
    i_b = tg.variable("A", "current into the bulk below the channel, without charges")
    OPTIONAL: ClassVar[dict[str, float]] = {
        **BSIM4Charges.OPTIONAL,
        **dict.fromkeys(("Rg", "Gbb", "Is_s", "Is_d", "Cb_s", "Cb_d", "Cw_s", "Cw_d", "Cg_s", "Cg_d"), 0.0),
    }

    def junction(self, v: Any, end: str) -> Any:
        """The current of the junction at an end: an exponential that continues straight, and Gmin."""
        total = self.Gmin * v
        if not self.has(f"Is_{end}"):
            return total
        Is = getattr(self, f"Is_{end}")
        n_vt = self.vt() * getattr(self, f"N_{end}")
        limit = getattr(self, f"Vj_{end}")
        x = tg.maximum(tg.minimum(v, limit) / n_vt, -_LARGEST)
        beyond = tg.maximum(v - limit, 0.0) / n_vt
        return total + Is * (tg.exp(x) * (1.0 + beyond) - 1.0)

    def capacitance(self, v: Any, end: str) -> Any:
        """Of the junction at an end; straight from zero voltage on."""
        total: Any = 0.0
        for part in "bwg":
            if self.has(f"C{part}_{end}"):
                C, P, M = (getattr(self, f"{letter}{part}_{end}") for letter in "CPM")
                reverse = (1.0 - tg.minimum(v, 0.0) / P) ** (-M)
                total = total + C * (reverse + M / P * tg.maximum(v, 0.0))
        return total

    def leakages(self) -> dict[str, Any]:
        """Currents through the oxide, ionization and tunnelling, by the ends of their paths."""
        at_source, at_drain = self.into_channel()
        forward = tg.no_event(self.v_ds >= 0.0)
        edge_s = self.over_edge(self.v_gs, self.Kge_s, Barrier(self.Aigs, self.Bigs, self.Cigs))
        edge_d = self.over_edge(self.v_gs - self.v_ds, self.Kge_d, Barrier(self.Aigd, self.Bigd, self.Cigd))
        ionized = self.bulk_current()
        return {
            "gs": edge_s + (tg.where(forward, at_source, at_drain) if self.has("Kgc") else 0.0),
            "gd": edge_d + (tg.where(forward, at_drain, at_source) if self.has("Kgc") else 0.0),
            "gb": self.into_bulk(),
            "db": self.from_drain() + (tg.where(forward, ionized, 0.0) if self.has("Alpha") else 0.0),
            "sb": self.from_source() + (tg.where(forward, 0.0, ionized) if self.has("Alpha") else 0.0),
        }

    def equations(self) -> Statements:
        s = self.SIGN
        leak = self.leakages()
        charges = self.charges()
        rates = (0.0, 0.0, 0.0) if charges is None else (tg.der(charge) for charge in charges)
        charging = tuple(tg.no_event(rate) for rate in rates)  # v_ds is zero but for roundings where gates stand still
        of_source = self.junction(self.v_js, "s") + self.capacitance(self.v_js, "s") * tg.der(self.v_js)
        of_drain = self.junction(self.v_jd, "d") + self.capacitance(self.v_jd, "d") * tg.der(self.v_jd)
        yield self.i_g == leak["gs"] + leak["gd"] + leak["gb"]
        yield self.i_b == -leak["gb"] - leak["db"] - leak["sb"]
        yield s * self.G.i == self.i_g + charging[0]
        yield s * self.D.i == self.i_ds + leak["db"] - leak["gd"] - of_drain + charging[2]
        yield self.D.i + self.G.i + self.S.i + self.B.i == 0
        yield self.v_gs == s * (self.G.v - self.S.v) - (self.Rg * s * self.G.i if self.has("Rg") else 0.0)
        yield self.v_ds == s * (self.D.v - self.S.v)
        v = s * (self.B.v - self.S.v)
        if not self.has("Gbb"):
            yield self.v_bs == v
            yield self.v_js == self.v_bs
            yield self.v_jd == self.v_bs - self.v_ds
            yield s * self.B.i == self.i_b + charging[1] + of_source + of_drain
            return
        v_d = self.v_jd + self.v_ds
        below = self.Gbb * (v - self.v_bs)
        yield s * self.B.i == below + self.Gs * (v - self.v_js) + self.Gd * (v - v_d)
        yield below + self.Gbs * (self.v_js - self.v_bs) + self.Gbd * (v_d - self.v_bs) == self.i_b + charging[1]
        yield self.Gs * (v - self.v_js) + self.Gbs * (self.v_bs - self.v_js) == of_source
        yield self.Gd * (v - v_d) + self.Gbd * (self.v_bs - v_d) == of_drain

    def losses(self) -> Any:
        """Of the channel, the leakage and the junctions; those of Rg and of the bulk."""
        leak = self.leakages()
        total = self.i_ds * self.v_ds + self.junction(self.v_js, "s") * self.v_js
        total = total + self.junction(self.v_jd, "d") * self.v_jd + leak["gs"] * self.v_gs
        total = total + leak["gd"] * (self.v_gs - self.v_ds) + leak["gb"] * (self.v_gs - self.v_bs)
        total = total + leak["db"] * (self.v_ds - self.v_bs) - leak["sb"] * self.v_bs
        return total + self.Rg * self.G.i**2 if self.has("Rg") else total


class BSIM4NMOS(BSIM4):
    """N-channel BSIM4 transistor."""


class BSIM4PMOS(BSIM4):
    """P-channel BSIM4 transistor."""

    SIGN: ClassVar[float] = -1.0
