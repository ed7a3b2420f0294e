"""The numbers of a BSIM4 transistor: of one channel, at its size and temperature.

A model card of BSIM4 holds for all sizes and temperatures. What follows from it for one transistor are the parameters
here, so that nothing of a card is computed while equations are solved; importers/spice/elements/mos computes them.
Laws, letters and default values are those of BSIM4 4.8 (UC Berkeley), checked against ngspice 39, in which they were
looked up.
"""

from __future__ import annotations

from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.electrical.semiconductors.semiconductor import Semiconductor

VACUUM = 8.85418e-12  # F/m, to the digits of the published model, as are the next three
SILICON = 1.03594e-10  # F/m
ELECTRON = 1.60219e-19  # C
THERMAL = 8.617087e-5  # V/K


class BSIM4Parameters(Semiconductor):
    """Base of BSIM4 transistors: their parameters."""

    Nf = tg.parameter(1.0, "1", "fingers in parallel", min=0.0)
    Leff = tg.parameter(1e-6, "m", "length of the channel", min=0.0)
    Weff = tg.parameter(1e-6, "m", "width of a finger", min=0.0)
    Toxe = tg.parameter(3e-9, "m", "electrical thickness of the oxide", min=0.0)
    Toxp = tg.parameter(3e-9, "m", "physical thickness of the oxide", min=0.0)
    Epsrox = tg.parameter(3.9, "1", "relative permittivity of the oxide", min=0.0)
    # threshold
    Vt0 = tg.parameter(0.5, "V", "threshold but for all that depends on voltages")
    Kb1 = tg.parameter(0.5, "V**0.5", "body effect: factor of sqrt(Phi - v_b)")
    Kb2 = tg.parameter(0.0, "1", "body effect: factor of the bulk voltage")
    Phi = tg.parameter(0.8, "V", "surface potential", min=0.0)
    Vbc = tg.parameter(-3.0, "V", "least bulk voltage that counts")
    Xdep0 = tg.parameter(1e-7, "m", "depth of the depletion layer without bulk voltage", min=0.0)
    V0 = tg.parameter(0.2, "V", "potential of the junctions above Phi")
    Dvt0 = tg.parameter(0.0, "1", "short channels: size of their effect on the threshold")
    Dvt1 = tg.parameter(0.53, "1", "short channels: how fast it falls with the length")
    Dvt2 = tg.parameter(-0.032, "1/V", "short channels: its dependence on the bulk voltage")
    Dvt0w = tg.parameter(0.0, "1", "narrow and short channels: size")
    Dvt1w = tg.parameter(5.3e6, "1/m", "narrow and short channels: how fast it falls")
    Dvt2w = tg.parameter(-0.032, "1/V", "narrow and short channels: dependence on the bulk voltage")
    Eta0 = tg.parameter(0.08, "1", "how the threshold falls with v_ds")
    Etab = tg.parameter(-0.07, "1/V", "its dependence on the bulk voltage")
    Dibl = tg.parameter(0.0, "1", "how much of Eta0 is left at this length")
    Dvtp0 = tg.parameter(0.0, "m", "length of the pocket implants; 0: none", min=0.0)
    Dvtp1 = tg.parameter(0.0, "1/V", "how the effect of the pockets depends on v_ds")
    Nfactor = tg.parameter(1.0, "1", "swing below the threshold: of the depletion layer")
    Cdsc = tg.parameter(2.4e-4, "F/m2", "swing: of the coupling of drain and source with the channel")
    Cdscb = tg.parameter(0.0, "F/(V.m2)", "swing: its dependence on the bulk voltage")
    Cdscd = tg.parameter(0.0, "F/(V.m2)", "swing: its dependence on v_ds")
    Cit = tg.parameter(0.0, "F/m2", "swing: of interface traps")
    Ngate = tg.parameter(0.0, "1/cm3", "doping of the gate; 0: no depletion layer in it", min=0.0)
    Vfb = tg.parameter(-1.0, "V", "flat-band voltage")
    Mstar = tg.parameter(0.5, "1", "moderate inversion: 1/2 + atan(minv)/pi")
    Voff = tg.parameter(-0.08, "V", "offset below the threshold")
    Cdep0 = tg.parameter(1e-3, "F/m2", "capacitance of the depletion layer", min=0.0)
    # current
    Dwg = tg.parameter(0.0, "m/V", "how the width falls with the gate voltage")
    Dwb = tg.parameter(0.0, "m/V**0.5", "how the width changes with the bulk voltage")
    Rds0 = tg.parameter(0.0, "ohm", "resistance of source and drain without gate voltage; 0 with Rdsmin: none", min=0.0)
    Rdsmin = tg.parameter(0.0, "ohm", "the same at large gate voltages", min=0.0)
    Prwg = tg.parameter(1.0, "1/V", "how it falls with the gate voltage")
    Prwb = tg.parameter(0.0, "1/V**0.5", "how it depends on the bulk voltage")
    A0 = tg.parameter(1.0, "1", "bulk charge along the channel")
    Ags = tg.parameter(0.0, "1/V", "its dependence on the gate voltage")
    Bw = tg.parameter(0.0, "1", "its dependence on the width")
    Kb0 = tg.parameter(0.0, "1", "part of the body effect that does not depend on the bulk voltage")
    Keta = tg.parameter(-0.047, "1/V", "its dependence on the bulk voltage")
    Xj = tg.parameter(1.5e-7, "m", "depth of the junctions", min=0.0)
    mobmod = tg.parameter(0, structural=True, description="law of the mobility: 0 or 1")
    U0 = tg.parameter(0.067, "m2/(V.s)", "mobility", min=0.0)
    Ua = tg.parameter(1e-9, "m/V", "how it falls with the field")
    Ub = tg.parameter(1e-19, "m2/V2", "how it falls with the square of the field")
    Uc = tg.parameter(-0.0465e-9, "m/V2", "its dependence on the bulk voltage, with mobmod 0")
    Ucb = tg.parameter(-0.0465, "1/V", "its dependence on the bulk voltage, with mobmod 1")
    Ud = tg.parameter(0.0, "1/m2", "scattering by charges")
    Vtfb = tg.parameter(1.0, "V", "V_th0 - Vfb - Phi, of thickness and mobility", min=0.0)
    Vsat = tg.parameter(8e4, "m/s", "largest velocity", min=0.0)
    A1 = tg.parameter(0.0, "1/V", "saturation: dependence on the gate voltage")
    A2 = tg.parameter(1.0, "1", "saturation: factor", min=0.0)
    Delta = tg.parameter(0.01, "V", "how soft saturation begins", min=0.0)
    Litl = tg.parameter(5e-8, "m", "characteristic length", min=0.0)
    Pclm = tg.parameter(1.3, "1", "how the channel gets shorter in saturation; 0: not at all", min=0.0)
    Fprout = tg.parameter(0.0, "V/m**0.5", "how pockets lower the output resistance", min=0.0)
    Pvag = tg.parameter(0.0, "1", "output resistance: dependence on the gate voltage")
    Rout = tg.parameter(0.0086, "1", "output resistance: by the barrier at the drain; 0: not at all", min=0.0)
    Pdiblb = tg.parameter(0.0, "1/V", "its dependence on the bulk voltage")
    Pdits = tg.parameter(0.0, "1/V", "output resistance: by pockets; 0: not at all", min=0.0)
    Pditsd = tg.parameter(0.0, "1/V", "its dependence on v_ds")
    Pditsl = tg.parameter(0.0, "1/m", "its dependence on the length")
    Pscbe1 = tg.parameter(4.24e8, "V/m", "output resistance: by the current of the bulk", min=0.0)
    Pscbe2 = tg.parameter(1e-5, "m/V", "the same, its size; 0: not at all", min=0.0)
    Alpha = tg.parameter(0.0, "m/V", "ionization: alpha0 + alpha1 Leff; 0: none", min=0.0)
    Beta0 = tg.parameter(30.0, "V", "ionization: voltage", min=0.0)
    Ados = tg.parameter(1.0, "1", "thickness of the charge in the channel", min=0.0)
    Bdos = tg.parameter(1.0, "1", "its dependence on the gate voltage", min=0.0)
    # leakage
    Wcj = tg.parameter(1e-6, "m", "width of the junctions", min=0.0)
    Agidl = tg.parameter(0.0, "S", "tunnelling from the drain: size; 0: none", min=0.0)
    Bgidl = tg.parameter(2.3e9, "V/m", "tunnelling from the drain: field", min=0.0)
    Cgidl = tg.parameter(0.5, "V**3", "tunnelling from the drain: of the bulk voltage", min=0.0)
    Egidl = tg.parameter(0.8, "V", "tunnelling from the drain: bending of the bands")
    Agisl = tg.parameter(0.0, "S", "the same from the source", min=0.0)
    Bgisl = tg.parameter(2.3e9, "V/m", "the same from the source", min=0.0)
    Cgisl = tg.parameter(0.5, "V**3", "the same from the source", min=0.0)
    Egisl = tg.parameter(0.8, "V", "the same from the source")
    Vfbzb = tg.parameter(-1.0, "V", "flat-band voltage without drain and bulk voltage")
    K1ox = tg.parameter(0.5, "V**0.5", "body effect of the oxide", min=0.0)
    Vth0 = tg.parameter(0.5, "V", "threshold of a long channel, of gate currents")
    Kgc = tg.parameter(0.0, "A/V2", "current from gate to channel: size; 0: none", min=0.0)
    Kge_s = tg.parameter(0.0, "A/V2", "current from gate to source: size", min=0.0)
    Kge_d = tg.parameter(0.0, "A/V2", "current from gate to drain: size", min=0.0)
    Kgb = tg.parameter(0.0, "A/V2", "current from gate to bulk: size; 0: none", min=0.0)
    Bech = tg.parameter(0.0, "1", "exponent of the barrier below the gate")
    Bech_e = tg.parameter(0.0, "1", "exponent of the barrier at its edges")
    Aigc = tg.parameter(0.0136, "1", "barrier of the channel")
    Bigc = tg.parameter(1.71e-3, "1/V", "barrier of the channel")
    Cigc = tg.parameter(0.075, "1/V", "barrier of the channel")
    Nigc = tg.parameter(1.0, "1", "barrier of the channel: swing", min=0.0)
    Pigcd = tg.parameter(0.0, "1/V", "how it divides between source and drain; 0: follows from the gate voltage")
    Aigs = tg.parameter(0.0136, "1", "barrier at the source")
    Bigs = tg.parameter(1.71e-3, "1/V", "barrier at the source")
    Cigs = tg.parameter(0.075, "1/V", "barrier at the source")
    Aigd = tg.parameter(0.0136, "1", "barrier at the drain")
    Bigd = tg.parameter(1.71e-3, "1/V", "barrier at the drain")
    Cigd = tg.parameter(0.075, "1/V", "barrier at the drain")
    Vfbsd = tg.parameter(0.0, "V", "flat-band voltage of source and drain")
    Aigbacc = tg.parameter(0.0136, "1", "barrier of the bulk in accumulation")
    Bigbacc = tg.parameter(1.71e-3, "1/V", "barrier of the bulk in accumulation")
    Cigbacc = tg.parameter(0.075, "1/V", "barrier of the bulk in accumulation")
    Nigbacc = tg.parameter(1.0, "1", "barrier of the bulk in accumulation: swing", min=0.0)
    Aigbinv = tg.parameter(0.0111, "1", "barrier of the bulk in inversion")
    Bigbinv = tg.parameter(9.49e-4, "1/V", "barrier of the bulk in inversion")
    Cigbinv = tg.parameter(0.006, "1/V", "barrier of the bulk in inversion")
    Nigbinv = tg.parameter(3.0, "1", "barrier of the bulk in inversion: swing", min=0.0)
    Eigbinv = tg.parameter(1.1, "V", "barrier of the bulk in inversion: voltage")
    OPTIONAL: ClassVar[dict[str, float]] = {
        **dict.fromkeys(("Dvt0w", "Dvtp0", "Ngate", "Dwg", "Dwb", "Rds0", "Rdsmin", "Ud", "A1", "Pclm", "Fprout"), 0.0),
        **dict.fromkeys(("Rout", "Pdits", "Pscbe2", "Alpha", "Agidl", "Agisl", "Kgc", "Kgb", "Pigcd"), 0.0),
    }
    SIGN: ClassVar[float] = 1.0

    def vt(self) -> Any:
        """k T/q."""
        return THERMAL * self.T

    def oxide(self) -> Any:
        """Its capacitance per area."""
        return self.Epsrox * VACUUM / self.Toxe
