"""Words of Modelica: identifiers, numbers, strings, units."""

from __future__ import annotations

import math
import re

from tellegen.exporters.source.identifiers import ascii_name
from tellegen.ir.model import Member
from tellegen.units import DIMENSIONLESS, Unit, parse_unit, readable

_KEYWORDS = """algorithm and annotation assert block break class connect connector constant constrainedby der discrete
each else elseif elsewhen encapsulated end enumeration equation expandable extends external false final flow for
function if import impure in initial inner input loop model not operator or outer output package parameter partial
protected public pure record redeclare replaceable return stream then true type when while within"""
_BUILT_IN = """
Real Integer Boolean String Clock StateSelect AssertionLevel ExternalObject Connections time abs sign sqrt
div mod rem ceil floor integer sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 delay cardinality homotopy
semiLinear inStream actualStream spatialDistribution getInstanceName initial terminal noEvent smooth sample pre edge
change reinit assert terminate promote ndims size scalar vector matrix identity diagonal zeros ones fill linspace min
max sum product transpose outerProduct symmetric cross skew cat previous hold subSample superSample shiftSample
backSample noClock firstTick interval transition initialState activeState ticksInState timeInState rooted"""
RESERVED = frozenset(_KEYWORDS.split()) | frozenset(_BUILT_IN.split())
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LARGEST = 1.7976931348623157e308


def identifier(name: str) -> str:
    """A name as an identifier, quoted where it is reserved or none."""
    name = ascii_name(name)
    if _IDENTIFIER.fullmatch(name) and name not in RESERVED:
        return name
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def number(value: float) -> str:
    """A Real that reads back as the same number."""
    value = float(value)
    if math.isinf(value):
        value = math.copysign(_LARGEST, value)
    return repr(value)


def string(text: str) -> str:
    """A string literal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


_SI = frozenset(
    [
        "1",
        "m",
        "kg",
        "s",
        "A",
        "K",
        "mol",
        "cd",
        "rad",
        "sr",
        "Hz",
        "N",
        "Pa",
        "J",
        "W",
        "C",
        "V",
        "F",
        "Ohm",
        "S",
        "Wb",
        "T",
        "H",
        "lm",
        "lx",
    ]
)
_OTHER_NAMES = {"ohm": "Ohm", "kohm": "kOhm", "Mohm": "MOhm", "mohm": "mOhm", "rpm": "rev/min", "L": "l"}
_UNIT = re.compile(r"[A-Za-z0-9.]+(/([A-Za-z0-9.]+|\([A-Za-z0-9.]+\)))?")


def _spelled(text: str) -> str:
    """A unit in Modelica's notation; empty if it has none."""
    text = text.strip().replace("**", "").replace("^", "").replace("*", ".").replace(" ", ".")
    text = re.sub(r"[A-Za-z]+", lambda word: _OTHER_NAMES.get(word[0], word[0]), text)
    return text if _UNIT.fullmatch(text) and not re.search(r"\d\.\d", text) else ""


def unit_attributes(member: Member) -> dict[str, str]:
    """`unit`, in which a text's numbers are, and `displayUnit`, the declared one where that is another."""
    unit = member.unit
    if unit.dimension is None:
        given = {"unit": unit.text, "displayUnit": member.display.text}
        return {name: string(text) for name, text in given.items() if text}
    spelled = _spelled(unit.text)
    coherent = unit.scale == 1.0 and unit.offset == 0.0
    if coherent and spelled and set(re.findall(r"[A-Za-z]+|\b1\b", spelled)) <= _SI:
        return {"unit": string(spelled)}
    if any(exponent != int(exponent) for exponent in unit.dimension):
        return {}
    base = "rad" if unit.dimension == DIMENSIONLESS and unit.text == "deg" else _spelled(readable(unit.dimension))
    found = {"unit": string(base)}
    if spelled and not coherent:
        found["displayUnit"] = string(spelled)
    return found


_QUANTITIES = {
    "V": "ElectricPotential",
    "A": "ElectricCurrent",
    "Wb": "MagneticFlux",
    "rad": "Angle",
    "N.m": "Torque",
    "m": "Length",
    "N": "Force",
    "m/s": "Velocity",
    "rad/s": "AngularVelocity",
    "K": "ThermodynamicTemperature",
    "W": "Power",
    "Pa": "Pressure",
    "kg/s": "MassFlowRate",
    "m3/s": "VolumeFlowRate",
    "J/kg": "SpecificEnergy",
}


def quantity(unit: Unit) -> str:
    """The ISO name of what a unit measures, for connectors; empty where several are possible."""
    for text, name in _QUANTITIES.items():
        known = parse_unit(text)
        if known.dimension == unit.dimension and ("rad" in text) == ("rad" in unit.text or "deg" in unit.text):
            return name if unit.dimension != DIMENSIONLESS or "rad" in text else ""
    return ""
