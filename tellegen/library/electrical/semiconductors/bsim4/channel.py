"""The current of a BSIM4 channel: threshold, charge, mobility, saturation and output resistance."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical.interfaces import Statements
from tellegen.library.electrical.semiconductors.bsim4.limits import (
    below,
    bounded_exp,
    decay,
    inverse,
    least,
    level_exp,
    positive,
    softplus,
)
from tellegen.library.electrical.semiconductors.bsim4.parameters import SILICON, VACUUM, BSIM4Parameters
from tellegen.library.electrical.thermal_noise import CHARGE

_NARROWEST = 2e-8  # m
_FORWARD = 0.95  # of Phi: the largest bulk voltage that counts
_TURN = 1e-5  # V, along the channel: within which drain and source are exchanged


class BSIM4Channel(BSIM4Parameters):
    """Base of BSIM4 transistors: what their channel carries.

    All voltages are seen from the end of the channel that acts as source: v_g, v_d >= 0 and v_b follow from v_gs, v_ds
    and v_bs, with drain and source exchanged where v_ds < 0.
    """

    v_gs = tg.variable("V", "voltage from inner gate to source; of P-channel transistors the reverse", start=0.0)
    v_ds = tg.variable("V", "voltage from drain to source; of P-channel transistors the reverse", start=0.0)
    v_bs = tg.variable("V", "voltage from inner bulk to source; of P-channel transistors the reverse", start=0.0)
    v_b = tg.variable("V", "bulk voltage that counts for the threshold", start=0.0)
    swing = tg.variable("1", "n: thermal voltages of the gate that make e times the current", start=1.5)
    v_th = tg.variable("V", "threshold of the gate voltage")
    v_gt = tg.variable("V", "gate voltage beyond the threshold, positive below it as well", start=1e-3)
    bulk_charge = tg.variable("1", "A_bulk: bulk charge along the channel", start=1.0)
    bulk_charge_0 = tg.variable("1", "the same without gate voltage", start=1.0)
    mobility = tg.variable("m2/(V.s)", "at the present field", start=0.05)
    v_sat = tg.variable("V", "voltage along the channel at which it saturates", start=0.05)
    v_eff = tg.variable("V", "voltage along the channel up to its saturated end", start=0.0)
    g_ds = tg.variable("S", "current of the channel over v_eff, without ionization", start=1e-9)
    i_ds = tg.variable("A", "current of the channel from drain to source; of P-channel transistors the reverse")

    def along(self) -> Any:
        """v_d."""
        return abs(self.v_ds)

    def turning(self) -> Any:
        """v_d without the kink at zero, for all that charges depend on: a gate that stands still is there."""
        return tg.sqrt(self.v_ds**2 + _TURN**2)

    def gate(self) -> Any:
        """v_g, less what falls off in the gate itself."""
        return self.past_gate(self.v_gs + 0.5 * (self.turning() - self.v_ds))

    def bulk(self) -> Any:
        """The bulk voltage, seen from the end that acts as source."""
        return self.v_bs + 0.5 * (self.turning() - self.v_ds)

    def past_gate(self, v: Any) -> Any:
        """A gate voltage less that of the depletion layer in polysilicon."""
        if not self.has("Ngate"):
            return v
        beyond = tg.maximum(v - self.Vfb - self.Phi, 0.0)
        size = CHARGE * SILICON * self.Ngate * 1.0 / self.oxide() ** 2
        field = 2.0 * beyond / (tg.sqrt(1.0 + 2.0 * beyond / size) + 1.0)
        left = 1.12 - 0.5 * field**2 / size - 0.05
        return v - (1.12 - 0.5 * (left + tg.sqrt(left**2 + 0.224)))

    def effective_bulk(self) -> Any:
        """v_b: softly within Vbc and 0.95 Phi."""
        above = self.bulk() - self.Vbc - 0.001
        root = tg.sqrt(above**2 - 0.004 * self.Vbc)
        low = tg.where(
            tg.no_event(above >= 0.0),
            self.Vbc + 0.5 * (above + root),
            self.Vbc * (1.0 - 0.002 / tg.maximum(root - above, 1e-9)),
        )
        limit = _FORWARD * self.Phi
        room = limit - low - 0.001
        return limit - 0.5 * (room + tg.sqrt(room**2 + 0.004 * limit))

    def depth(self) -> Any:
        """sqrt(Phi - v_b)."""
        return tg.sqrt(self.Phi - self.v_b)

    def layer(self) -> Any:
        """The depth of the depletion layer."""
        return self.Xdep0 * self.depth() / tg.sqrt(self.Phi)

    def reach(self, by_bulk: Any) -> Any:
        """How far the effect of a junction reaches along the channel."""
        return tg.sqrt(SILICON / (self.Epsrox * VACUUM) * self.Toxe * self.layer()) * positive(by_bulk * self.v_b)

    def shortness(self) -> Any:
        """What of the effect of the junctions reaches across the channel."""
        return self.across(self.Dvt1 * self.Leff / self.reach(self.Dvt2))

    def across(self, x: Any) -> Any:
        """How the effect of a junction falls with the distance, counted in its reach."""
        return decay(x)

    def found_swing(self) -> Any:
        """n."""
        coupling = self.Cdsc + self.Cdscb * self.v_b + self.Cdscd * self.turning()
        layer = self.Nfactor * SILICON / self.layer()
        return positive((layer + coupling * self.shortness() + self.Cit) / self.oxide())

    def threshold(self) -> Any:
        """v_th."""
        total = self.Vt0 + self.Kb1 * self.depth() + self.Kb2 * self.v_b - self.Dvt0 * self.shortness() * self.V0
        if self.has("Dvt0w"):
            both = self.across(self.Dvt1w * self.Weff * self.Leff / self.reach(self.Dvt2w))
            total = total - self.Dvt0w * both * self.V0
        total = total - least(self.Eta0 + self.Etab * self.v_b, 1e-4) * self.Dibl * self.turning()
        if self.has("Dvtp0"):
            pockets = self.Leff + self.Dvtp0 * (1.0 + level_exp(-self.Dvtp1 * self.turning()))
            total = total - self.swing * self.vt() * tg.log(self.Leff / pockets)
        return total

    def gate_overdrive(self) -> Any:
        """v_gt."""
        drive = self.gate() - self.v_th
        n_vt = self.swing * self.vt()
        strong = n_vt * softplus(self.Mstar * drive / n_vt)
        weak = self.oxide() / self.Cdep0 * level_exp((self.Voff - (1.0 - self.Mstar) * drive) / n_vt)
        return strong / (self.Mstar + self.swing * weak)

    def width(self) -> Any:
        """Of the channel at the present voltages."""
        if not self.has("Dwg", "Dwb"):
            return self.Weff
        deeper = self.depth() - tg.sqrt(self.Phi)
        return least(self.Weff - 2.0 * (self.Dwg * self.v_gt + self.Dwb * deeper), _NARROWEST)

    def resistance(self) -> Any:
        """Of source and drain together."""
        if not self.has("Rds0", "Rdsmin"):
            return 0.0
        bias = 1.0 / (1.0 + self.Prwg * self.v_gt) + self.Prwb * (self.depth() - tg.sqrt(self.Phi))
        return self.Rdsmin + 0.5 * self.Rds0 * (bias + tg.sqrt(bias**2 + 0.01))

    def bulk_charges(self) -> tuple[Any, Any]:
        """A_bulk with the gate voltage and without it, before their dependence on the bulk voltage."""
        body = 0.5 * self.Kb1 / self.depth() + self.Kb0
        part = self.Leff / (self.Leff + 2.0 * tg.sqrt(self.Xj * self.layer()))
        without = 1.0 + body * (self.A0 * part + self.Bw)
        with_gate = without - body * self.Ags * self.A0 * part**3 * self.v_gt
        return least(with_gate, 0.1), least(without, 0.1)

    def field(self) -> Any:
        """That of the gate, across the oxide."""
        return (self.v_gt + 2.0 * self.v_th) / self.Toxe

    def found_mobility(self) -> Any:
        """At the field of the gate."""
        field = self.field()
        if self.mobmod != 1:
            fall = field * (self.Ua + self.Uc * self.v_b + self.Ub * field)
        else:
            fall = field * (self.Ua + self.Ub * field) * (1.0 + self.Ucb * self.v_b)
        if self.has("Ud"):
            near = self.v_gt + 2.0 * tg.sqrt(self.v_th**2 + 1e-4)
            fall = fall + self.Ud * (self.Toxe / near * self.v_th) ** 2
        low = tg.minimum(fall, -0.8)
        return self.U0 / tg.where(tg.no_event(fall >= -0.8), 1.0 + fall, (0.6 + low) / (7.0 + 10.0 * low))

    def saturation_factor(self) -> Any:
        """lambda of the manual."""
        if not self.has("A1"):
            return self.A2
        rest = 1.0 - self.A2
        up = rest - self.A1 * self.v_gt - 1e-4
        down = self.A2 + self.A1 * self.v_gt - 1e-4
        rising = self.A2 + rest - 0.5 * (up + tg.sqrt(up**2 + 4e-4 * rest))
        falling = 0.5 * (down + tg.sqrt(down**2 + 4e-4 * self.A2))
        return tg.where(tg.no_event(self.A1 > 0.0), rising, falling)

    def critical(self) -> Any:
        """The voltage along the whole channel at the field of the largest velocity."""
        return 2.0 * self.Vsat / self.mobility * self.Leff

    def found_saturation(self) -> Any:
        """v_sat."""
        over = self.v_gt + 2.0 * self.vt()
        A = self.bulk_charge
        lam = self.saturation_factor()
        drop = self.width() * self.Vsat * self.oxide() * self.resistance()
        square = A * drop - 1.0 + 1.0 / lam
        linear = over * (2.0 / lam - 1.0) + A * self.critical() + 3.0 * over * A * drop
        constant = over * (self.critical() + 2.0 * over * drop)
        root = tg.sqrt(tg.maximum(linear**2 - 4.0 * A * square * constant, 0.0))
        return 2.0 * constant / (linear + root)  # the smaller root, also where the square vanishes

    def charge_thickness(self, v_gt: Any) -> Any:
        """The capacitance of the oxide and the charge in the channel together, per area."""
        oxide = self.Epsrox * VACUUM / self.Toxp
        centre = self.Ados * 1.9e-9 / (1.0 + ((v_gt + 4.0 * self.Vtfb) / (2e8 * self.Toxp)) ** (0.7 * self.Bdos))
        return SILICON * oxide / (SILICON + oxide * centre)

    def equations(self) -> Statements:
        yield self.v_b == self.effective_bulk()
        yield self.swing == self.found_swing()
        yield self.v_th == self.threshold()
        yield self.v_gt == self.gate_overdrive()
        with_gate, without = self.bulk_charges()
        by_bulk = inverse(self.Keta * self.v_b)
        yield self.bulk_charge == with_gate * by_bulk
        yield self.bulk_charge_0 == without * by_bulk
        yield self.mobility == self.found_mobility()
        yield self.v_sat == self.found_saturation()
        yield self.v_eff == below(self.along(), self.v_sat, self.Delta)
        yield self.g_ds == self.conductance()
        forward = tg.where(tg.no_event(self.v_ds >= 0.0), 1.0, -1.0)
        yield self.i_ds == self.Nf * forward * self.g_ds * self.by_ionization() * self.v_eff

    def conductance(self) -> Any:
        """g_ds: of the channel up to saturation, times what v_ds beyond it adds."""
        over = self.v_gt + 2.0 * self.vt()
        beyond = tg.maximum(self.along() - self.v_eff, 0.0)
        resistance = self.resistance()
        beta = self.mobility * self.charge_thickness(self.v_gt) * self.width() / self.Leff
        linear = beta * self.v_gt * (1.0 - 0.5 * self.v_eff * self.bulk_charge / over)
        linear = linear / (1.0 + self.v_eff / self.critical())
        series = 1.0 + linear * resistance
        total = linear / series
        pockets = 1.0 / (1.0 + self.Fprout * tg.sqrt(self.Leff) / over) if self.has("Fprout") else 1.0
        by_gate = self.Pvag / self.critical() * self.v_gt
        low = tg.minimum(by_gate, -0.9)
        factor = tg.where(tg.no_event(by_gate > -0.9), 1.0 + by_gate, (0.8 + low) / (17.0 + 20.0 * low))
        if self.has("Rout"):
            bulk = self.bulk_charge * self.v_sat
            early = (over - over * bulk / (over + bulk)) / self.Rout * inverse(self.Pdiblb * self.v_b) * factor
            total = total * (1.0 + beyond / early)
        if self.has("Pdits"):
            early = (1.0 + (1.0 + self.Pditsl * self.Leff) * bounded_exp(self.Pditsd * self.along())) / self.Pdits
            total = total * (1.0 + beyond / (early * pockets))
        if self.has("Pclm"):
            total = total * self.by_shortening(beyond, pockets * factor * (1.0 + resistance * linear / series))
        return total

    def by_shortening(self, beyond: Any, factor: Any) -> Any:
        """What the current grows by where the channel gets shorter."""
        over = self.v_gt + 2.0 * self.vt()
        drop = self.width() * self.Vsat * self.oxide() * self.resistance()
        left = 1.0 - 0.5 * self.bulk_charge * self.v_sat / over
        saturated = self.critical() + self.v_sat + 2.0 * drop * self.v_gt * left
        saturated = saturated / (2.0 / self.saturation_factor() - 1.0 + drop * self.bulk_charge)
        length = self.Leff + self.v_sat * self.Leff / self.critical()
        per_volt = factor * length / (self.Pclm * self.Litl)
        return 1.0 + tg.log(1.0 + per_volt * beyond / saturated) / per_volt

    def by_ionization(self) -> Any:
        """What the current grows by where that into the bulk lowers its barrier."""
        if not self.has("Pscbe2"):
            return 1.0
        beyond = tg.maximum(self.along() - self.v_eff, 0.0)
        field = self.Pscbe1 * self.Litl / tg.maximum(beyond, self.Pscbe1 * self.Litl / 34.0)
        return 1.0 + beyond * self.Pscbe2 / self.Leff * tg.exp(-field)

    def bulk_current(self) -> Any:
        """The current into the bulk by ionization at the end that acts as drain."""
        if not self.has("Alpha"):
            return 0.0
        beyond = tg.maximum(self.along() - self.v_eff, 0.0)
        part = self.Alpha / self.Leff * beyond * tg.exp(-self.Beta0 / tg.maximum(beyond, self.Beta0 / 34.0))
        return self.Nf * part * self.g_ds * self.v_eff
