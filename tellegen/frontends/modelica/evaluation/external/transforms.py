"""ModelicaFFT: the Fourier transform of real samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.frontends.modelica.evaluation.external.served import Outcome, Served

_ODD = 1


def _real_transform(u: Any, count: float, *_: object) -> Outcome:
    """Amplitudes and phases of an even number of samples (Modelica.Math.FastFourierTransform.realFFT)."""
    if int(count) % 2:
        return Outcome(_ODD)
    spectrum = np.fft.rfft(np.asarray(u, float))
    return Outcome(0, {4: np.abs(spectrum) / len(spectrum), 5: np.angle(spectrum)})


TRANSFORMS: dict[str, Served] = {"ModelicaFFT_kiss_fftr": Served(_real_transform, reads=(0, 1))}
