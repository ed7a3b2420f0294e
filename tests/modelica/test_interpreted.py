"""Functions of many numbers that call Python inside are interpreted while a simulation runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tellegen as tg
from tellegen.frontends.modelica.evaluation.external import opaque

SAMPLES = 48
TEXT = """
function transform "Amplitudes and phases of the first frequencies, and whether all went well"
  input Real u[:];
  input Integer n;
  output Boolean isDone;
  output Real amplitudes[n];
  output Real phases[n];
protected
  function raw
    input Real u[:];
    output Integer info;
    output Real amplitudes[div(size(u, 1), 2) + 1];
    output Real phases[div(size(u, 1), 2) + 1];
    external "C" info = ModelicaFFT_kiss_fftr(u, size(u, 1), work, size(work, 1), amplitudes, phases);
  protected
    Real work[3*size(u, 1)];
  end raw;
  Integer info;
  Real a[div(size(u, 1), 2) + 1];
  Real p[div(size(u, 1), 2) + 1];
algorithm
  (info, a, p) := raw(u);
  isDone := info == 0;
  amplitudes := a[1:n];
  for i in 1:n loop
    phases[i] := if a[i] < 0.001*max(a) then 0 else p[i];
  end for;
end transform;

model Spectrum
  parameter Integer n = 48;
  parameter Real f = 3;
  Real amplitudes[20](each start = 0, each fixed = true);
  Real phases[20](each start = 0, each fixed = true);
  Real buffer[n](each start = 0, each fixed = true);
  Boolean isDone(start = false, fixed = true);
  Integer tick(start = 0, fixed = true);
algorithm
  when sample(0, 1/n) then
    tick := pre(tick) + 1;
    if tick <= n then
      buffer[tick] := 0.5 + 2*cos(2*3.141592653589793*f*time + 0.3);
    end if;
  end when;
  when terminal() then
    (isDone, amplitudes, phases) := transform(buffer, 20);
  end when;
  annotation (experiment(StopTime = 1.0));
end Spectrum;
"""


@pytest.fixture(scope="module")
def spectrum(tmp_path_factory: pytest.TempPathFactory) -> tg.CompiledModel:
    path: Path = tmp_path_factory.mktemp("spectrum") / "Spectrum.mo"
    path.write_text(TEXT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opaque, "REFERENCE_LIMIT", 1000)
        return tg.compile(tg.load_modelica(path)["Spectrum"])


def test_results_are_those_of_the_whole_body(spectrum: tg.CompiledModel) -> None:
    for f in (3.0, 5.0):
        solution = spectrum.simulate(stop=1.0, parameters={"f": f})
        samples = 0.5 + 2 * np.cos(2 * np.pi * f * np.arange(SAMPLES) / SAMPLES + 0.3)
        transform = np.fft.rfft(samples)
        amplitudes = [solution[f"amplitudes[{k + 1}]"][-1] for k in range(20)]
        phases = [solution[f"phases[{k + 1}]"][-1] for k in range(20)]
        expected = np.abs(transform) / (SAMPLES // 2 + 1)
        assert solution["isDone"][-1] == 1
        assert amplitudes == pytest.approx(expected[:20], abs=1e-12)
        is_small = expected < 0.001 * expected.max()
        assert phases == pytest.approx(np.where(is_small, 0.0, np.angle(transform))[:20], abs=1e-12)


def test_alike_actions_are_rows_of_one_template(spectrum: tg.CompiledModel) -> None:
    events = spectrum.reduced.events
    assert events is not None
    assert events.values.count > SAMPLES + 40
    assert len(events.values.groups) < 12
