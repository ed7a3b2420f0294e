"""Classes and parameters against the names of Modelica's MultiBody library, read from its sources where they are.

What has another name here, or none, is listed below and in docs/multibody.md.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tellegen.library import multibody as mb

MSL = os.environ.get("TELLEGEN_MSL")
pytestmark = pytest.mark.skipif(MSL is None, reason="TELLEGEN_MSL does not name the folder of the Modelica library")
PACKAGES = ("Parts", "Joints", "Joints/Constraints", "Forces", "Sensors")
RENAMED = {"useAxisFlange": "use_flange", "resolveInFrame": "resolve_in", "rotationType": "rotation"}
RENAMED |= {"frame_r_in": "resolve_in", "frame_r_out": "resolve_out"}
NOT_NEEDED = {
    *("stateSelect", "useQuaternions", "enforceStates", "sequence_angleStates", "exact", "checkTotalPower"),
    *("angles_fixed", "w_0_fixed", "z_0_fixed", "z_0_start", "sequence_start"),
    *("w_rel_a_fixed", "z_rel_a_fixed", "z_rel_a_start"),
    *("guessAngle1", "positiveSign", "showMass", "animateSphere", "animation", "sphereDiameter", "s_damper_start"),
    *("animateLine", "animateMass", "animate", "animateMasses", "animateMasses2", "massDiameter", "showUniversalAxes"),
    *(f"get_{word}" for word in ("r", "v", "a", "w", "z", "angles", "r_rel", "v_rel", "a_rel", "w_rel", "z_rel")),
}
"""States, start values that are guesses, what is drawn; single sensors stand for AbsoluteSensor and RelativeSensor."""
DIFFERENT = {"Spring": {"m", "lengthFraction"}, "AbsoluteSensor": {"sequence"}, "RelativeSensor": {"sequence"}}
DIFFERENT |= {rod: {"computeRodLength", "kinematicConstraint"} for rod in ("SphericalSpherical", "UniversalSpherical")}
ABSENT = {"FreeMotionScalarInit", "RevolutePlanarLoopConstraint"}
TAB = 'tab="(Animation|Advanced)"'
DECLARED = re.compile(r"^\s*parameter\s+[\w.]+(?:\[[^\]]*\])?\s+(\w+)(.*?);", re.S | re.M)


def classes() -> list[tuple[str, str, Path]]:
    """Its name there and here, and its file; masses of wheels are bodies of their own here."""
    root = Path(MSL or "") / "Modelica" / "Mechanics" / "MultiBody"
    found = []
    for package in PACKAGES:
        for file in sorted((root / package).glob("*.mo")):
            if file.stem != "package" and not (package == "Parts" and file.stem.startswith("RollingWheel")):
                here = f"{file.stem}Constraint" if package.endswith("Constraints") else file.stem
                found.append((file.stem, here, file))
    return found


def test_classes_and_parameters_have_their_names() -> None:
    missing = []
    seen = 0
    for there, here, file in classes():
        if not hasattr(mb, here):
            missing += [here] if here not in ABSENT else []
            continue
        public = re.split(r"^\s*protected|^initial equation|^equation", file.read_text("utf-8"), flags=re.M)[0]
        for name, rest in DECLARED.findall(public):
            snake = re.sub(r"(?<=[a-z])([A-Z])(?=[a-z])", lambda found: f"_{found[1].lower()}", name)
            known = {name, snake, RENAMED.get(name, name)}
            excused = name in NOT_NEEDED or name in DIFFERENT.get(there, ()) or re.search(TAB, rest)
            seen += 1
            if not excused and not any(hasattr(getattr(mb, here), word) for word in known):
                missing.append(f"{here}.{name}")
    assert not missing
    assert seen > 150
