"""A small picture of every class, as SVG text: ports at the sides, between them a drawn element or a box with letters.

What is drawn depends on the name of the class, or of the nearest base with a drawing, so most new components have a
symbol at once: a `VariableResistor` is a `...Resistor` with an arrow. Lines take the colour of the text around them,
so a picture is readable on light and dark pages; colours distinguish domains.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from tellegen.class_reference.entry import PORT, Entry, Row

WIDTH = 84
HEIGHT = 48
COLOURS = {
    "electrical": "#1e6fd0",
    "machines": "#e07b00",
    "rotational": "#8a6d3b",
    "translational": "#2e8b57",
    "planar": "#008b94",
    "multibody": "#b03a7a",
    "thermal": "#d0312d",
    "hydraulic": "#0f7a8a",
    "pneumatic": "#7a8a0f",
    "blocks": "#5a63c4",
    "sampled": "#8e44ad",
    "fluid": "#2e86ab",
    "magnetic": "#a3541c",
    "polyphase": "#3949a8",
    "quasi_static": "#7a5cc0",
    "photovoltaic": "#b08900",
    "power_converters": "#bf5b2c",
    "digital": "#4f5f73",
    "drives": "#3f7373",
}
"""Of domains: no two that have connectors may share one, or nobody sees which lines belong to which."""
OTHER = "#607d8b"

_LEADS = '<path d="M4 24H22M62 24H80"/>'
_CIRCLE = '<path d="M4 24H28M56 24H80"/><circle cx="42" cy="24" r="14"/>'
_CONVERTER = '<path d="M4 16H31M4 32H31M56 24H80"/><circle cx="42" cy="24" r="14"/>'
_HATCH = '<path d="M22 12V36M22 14L14 22M22 20L14 28M22 26L14 34M22 32L16 38"/>'
_METER = '<circle cx="42" cy="24" r="15"/><path d="M42 30L50 16M31 20L34 22M42 9V13M53 20L50 22"/>'
_ARROW = '<path d="M26 40L58 9M58 9L50 11M58 9L55 16"/>'
_ZIGZAG = "L25 12L31 36L37 12L43 36L49 12L55 36L59 24"

# The first pattern found in a name wins, so that what is special stands before what is general.
DRAWINGS: list[tuple[str, str]] = [
    (r"^Rod$", '<path d="M4 24H14M70 24H80M14 17H70V31H14Z"/>'),
    (r"^translational\.(Constant)?Speed$", '<path d="M16 24H64M64 24L52 16M64 24L52 32M16 16V32"/>'),
    (r"Sensor$|Meter$", _METER),
    (r"Accumulator", '<path d="M42 46V36M32 18A10 10 0 0 1 52 18V26A10 10 0 0 1 32 26ZM32 22H52"/>'),
    (
        r"DirectionalValve",
        '<path d="M9 14H75V34H9ZM31 14V34M53 14V34M15 34V16M25 14V32M59 34L69 14M69 34L59 14M36 14V18M48 14V18'
        'M36 34V30M48 34V30"/>',
    ),
    (r"CheckValve", _LEADS + '<circle cx="38" cy="24" r="9"/><path d="M46 10L30 24L46 38M62 24H47"/>'),
    (r"ReliefValve|ReducingValve", _LEADS + '<path d="M22 10H62V38H22ZM26 20H58M58 20L51 16M58 20L51 24M42 38V46"/>'),
    (r"Orifice|Restriction|AnnularGap|Nozzle", '<path d="M4 24H80M28 8C36 20 48 20 56 8M28 40C36 28 48 28 56 40"/>'),
    (r"Pump", _CIRCLE + '<path d="M48 18L56 24L48 30Z" fill="currentColor"/>'),
    (r"Cylinder|PistonInBore", '<path d="M8 12H60V36H8ZM30 12V36M34 12V36M34 21H78V27H34"/>'),
    (r"Tank", '<path d="M18 12V40H66V12M42 4V30M26 20H36M48 20H58"/>'),
    (r"^Line$|Tube|Inertance", '<path d="M4 24H14M70 24H80M14 17H70M14 31H70M28 24H54M54 24L48 20M54 24L48 28"/>'),
    (r"^Ground$", '<path d="M42 4V22M26 22H58M32 29H52M38 36H46"/>'),
    (r"^Fixed$", f'<g transform="translate(22 0)">{_HATCH}<path d="M22 24H34"/></g>'),
    (
        r"Ambient|FixedTemperature|PrescribedTemperature",
        '<path d="M4 24H30"/><rect x="30" y="8" width="32" height="32"/>',
    ),
    (r"HeatFlow|HeatSource", '<path d="M28 24H66M66 24L56 17M66 24L56 31M28 14V34"/>'),
    (
        r"SpringDamper",
        '<path d="M4 24H16V14L20 8L26 20L32 8L38 20L44 8L50 20L56 8L60 14H68V24H80M16 24V36H38M38 30H56'
        'M38 42H56M38 30V42M48 33V39M48 36H68V24"/>',
    ),
    (r"Zener", _LEADS + '<path d="M22 24H62M32 12L52 24L32 36ZM52 12V36M52 12L58 8M52 36L46 40"/>'),
    (r"Thyristor|GTO", _LEADS + '<path d="M22 24H62M32 12L52 24L32 36ZM52 12V36M48 27L58 40"/>'),
    (r"Diode", _LEADS + '<path d="M22 24H62M32 12L52 24L32 36ZM52 12V36"/>'),
    (r"NPN|PNP|BJT", '<path d="M4 24H36M36 10V38M36 18L58 6M36 30L58 42M58 42L48 41M58 42L53 33"/>'),
    (r"MOS", '<path d="M4 24H32M32 12V36M38 10V38M38 14H58V4M38 34H58V44M38 24H58V34"/>'),
    (r"OpAmp|Operational", '<path d="M22 6V42L64 24ZM28 15H34M28 33H34M31 30V36M64 24H80"/>'),
    (
        r"Transformer|Transducer|CoupledInduct",
        '<path d="M4 8H30M4 40H30M80 8H54M80 40H54M40 8V40M44 8V40M30 8a5 5 0 0 1'
        ' 0 11a5 5 0 0 1 0 11a5 5 0 0 1 0 10M54 8a5 5 0 0 0 0 11a5 5 0 0 0 0 11a5 5 0 0 0 0 10"/>',
    ),
    (r"Inductor", '<path d="M4 24H18a6 6 0 0 1 12 0a6 6 0 0 1 12 0a6 6 0 0 1 12 0a6 6 0 0 1 12 0H80"/>'),
    (r"HeatCapacitor", '<rect x="24" y="8" width="36" height="32" rx="10"/><path d="M4 24H24M34 24H50M42 16V32"/>'),
    (r"Capacitor", '<path d="M4 24H38M46 24H80M38 10V38M46 10V38"/>'),
    (r"Potentiometer", _LEADS + '<rect x="22" y="16" width="40" height="16"/><path d="M42 46V33M38 38L42 33L46 38"/>'),
    (
        r"Thermal(Conductor|Resistor)|Conduction|Wall",
        _LEADS + '<rect x="22" y="10" width="40" height="28"/><path d="M32 10V38M42 10V38M52 10V38"/>',
    ),
    (
        r"Convection",
        '<path d="M22 8V40M30 15c6-6 8 6 14 0s8 6 14 0M30 25c6-6 8 6 14 0s8 6 14 0M30 35c6-6 8 6 14 0s8 6 14 0"/>',
    ),
    (r"Radiation", '<path d="M22 8V40M62 8V40M26 16H56M56 16L50 13M56 16L50 19M58 32H28M28 32L34 29M28 32L34 35"/>'),
    (r"Resistor|Conductor", _LEADS + '<rect x="22" y="16" width="40" height="16"/>'),
    (
        r"Switch",
        '<path d="M4 24H26M58 24H80M28 23L56 10"/><circle cx="28" cy="24" r="2"/><circle cx="56" cy="24" r="2"/>',
    ),
    (r"Battery|Cell", '<path d="M4 24H34M50 24H80M34 8V40M50 8V40M42 16V32M38 16V32"/>'),
    (r"Motor|Machine|DC_|DCPM|Stepper", _CONVERTER + '<path d="M36 31V17L42 26L48 17V31"/>'),
    (r"Voltage$", _CIRCLE + '<path d="M32 24H38M35 21V27M46 24H52"/>'),
    (r"Current$", _CIRCLE + '<path d="M33 24H51M51 24L45 20M51 24L45 28"/>'),
    (r"EMF", _CONVERTER + '<path d="M34 24a4 6 0 0 1 8 0a4 6 0 0 0 8 0"/>'),
    (r"Spring", f'<path d="M4 24H19{_ZIGZAG}H80"/>'),
    (r"Damper", '<path d="M4 24H28M28 12V36M28 12H58M28 36H58M46 16V32M46 24H80"/>'),
    (
        r"ElastoGap|RigidContact|Backlash|EndStop",
        '<path d="M4 24H34V12M34 24V36M50 12V36M50 24H80M34 12H28M50 12H56"/>',
    ),
    (
        r"^Mass$|SlidingMass",
        '<path d="M4 24H22M62 24H80"/><rect x="22" y="10" width="40" height="28" fill="currentColor"'
        ' fill-opacity=".25"/>',
    ),
    (
        r"Inertia",
        '<path d="M4 24H30M54 24H80"/><rect x="30" y="6" width="24" height="36" rx="3" fill="currentColor"'
        ' fill-opacity=".25"/>',
    ),
    (
        r"R2T|RackAndPinion|RollingWheel|Rack",
        '<circle cx="36" cy="19" r="13"/><path d="M4 19H23M20 34H66V42H20ZM28 34V38'
        'M36 34V38M44 34V38M52 34V38M60 34V38M66 38H80"/>',
    ),
    (
        r"Gear|Planetary",
        '<path d="M4 16H24M80 34H60"/><rect x="24" y="4" width="14" height="24"/><rect x="44" y="14"'
        ' width="16" height="30"/><path d="M38 20H44"/>',
    ),
    (
        r"Belt|Pulley",
        '<circle cx="26" cy="24" r="9"/><circle cx="58" cy="24" r="13"/><path d="M25 15L57 11M25 33L57 37"/>',
    ),
    (r"Lever", '<path d="M14 14L70 30M42 22L36 40H48Z"/>'),
    (r"OneWay|Freewheel", '<path d="M4 24H36M48 24H80M36 8V40M48 8V40M38 16L46 12M38 28L46 24M38 40L46 36"/>'),
    (r"Clutch|Plates", '<path d="M4 24H36M48 24H80M36 8V40M48 8V40M24 8L34 14M60 8L50 14"/>'),
    (
        r"Brake|Friction|OnGround|InHousing|Bearing",
        '<path d="M4 22H80M24 6H60M24 38H60M28 6L24 0M40 6L36 0M52 6L48 0M28 38'
        'L24 46M40 38L36 46M52 38L48 46"/><rect x="28" y="12" width="28" height="20"/>',
    ),
    (r"Torque$|ConstantSpeed|^Speed$", '<path d="M26 34A18 18 0 1 1 58 34M58 34L60 25M58 34L49 32"/>'),
    (r"Force$", '<path d="M16 24H64M64 24L52 16M64 24L52 32"/>'),
    (r"Revolute", '<circle cx="42" cy="24" r="12"/><circle cx="42" cy="24" r="3"/><path d="M4 24H30M54 24H80"/>'),
    (r"Prismatic", '<path d="M4 24H24M60 24H80M24 14H60V34H24ZM30 24H54"/>'),
    (
        r"^Body|Body$",
        '<path d="M4 24H24"/><rect x="24" y="12" width="36" height="24" rx="8" fill="currentColor"'
        ' fill-opacity=".25"/>',
    ),
    (r"^Step$", "~M22 34H40V14H62"),
    (r"^Ramp$", "~M22 34H32L54 14H62"),
    (r"^Sine|^Cosine", "~M22 24C28 4 36 4 42 24S56 44 62 24"),
    (r"^Pulse|^Square", "~M22 34H28V14H36V34H44V14H52V34H60"),
    (r"^Trapezoid|^SawTooth|^Triangle", "~M22 34L30 14H38L46 34H52L60 14"),
    (r"^Constant$", "~M22 20H62"),
    (r"Integrator$", "~M48 9C40 5 44 43 36 39"),
    (r"FirstOrder$|LowPass|Butterworth|CriticalDamping|^Filter", "~M22 36C30 14 40 12 62 12"),
    (r"SecondOrder", "~M22 36C30 -6 40 30 46 18S56 18 62 18"),
    (r"Limiter|Saturation", "~M22 36H32L52 12H62"),
    (r"Hysteresis|Relay", "~M22 36H52V12M62 12H32V36"),
    (r"DeadZone", "~M22 38L34 24H50L62 10"),
    (r"Table", "~M24 10H60V38H24ZM24 19H60M24 28H60M36 10V38M48 10V38"),
    (r"Noise", "~M22 24L26 14L30 32L34 20L38 38L42 10L46 28L50 18L54 34L58 22L62 26"),
]
SOLE_PORTS = [(r"^Ground$|Tank", "top"), (r"Accumulator", "bottom"), (r"^Fixed$", "right")]
"""Where drawings have their lead, if it is not at the left."""
LETTERS = {
    "Gain": "k",
    "Add": "+",
    "Sum": "Σ",
    "Product": "×",
    "Division": "÷",
    "Feedback": "±",
    "Derivative": "d/dt",
    "Abs": "|u|",
    "Sign": "sgn",
    "Sqrt": "√",
    "And": "&amp;",
    "Or": "≥1",
    "Not": "¬",
    "TransferFunction": "b/a",
    "StateSpace": "A,B",
    "Max": "max",
    "Min": "min",
}


def symbol(entry: Entry) -> str:
    """The picture of a class as SVG: its own icon, or one line that is drawn by its name and ports."""
    if entry.icon:
        return entry.icon
    colour = COLOURS.get(entry.domain, OTHER)
    inner = _connector(colour) if entry.connector else _body(entry, colour) + _ports(entry)
    lines = 'fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"'
    head = f'<svg class="symbol" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" {lines} role="img"'
    return f'{head} aria-label="{entry.name}">{inner}</svg>'


def _connector(colour: str) -> str:
    return f'<rect x="30" y="12" width="24" height="24" fill="{colour}" stroke="{colour}"/>'


def body(entry: Entry) -> str:
    """The symbol without its ports, as elements of SVG."""
    return _body(entry, COLOURS.get(entry.domain, OTHER))


def _body(entry: Entry, colour: str) -> str:
    drawing = _drawing(entry.cls)
    box = f'<rect x="18" y="3" width="48" height="42" rx="5" fill="{colour}" fill-opacity=".12" stroke="{colour}"/>'
    if drawing.startswith("~"):
        return f'{box}<path d="{drawing[1:]}"/>'
    if drawing and not any(row.kind == PORT for row in entry.members):
        return box + drawing
    if drawing:
        return drawing + (_ARROW if re.search("Variable|Nonlinear|Saturating", entry.name) else "")
    letters = LETTERS.get(entry.name) or _initials(entry.name)
    size = 18 if len(letters) < 3 else 44 // len(letters) + 2
    look = f'font-family="sans-serif" font-size="{size}" text-anchor="middle" fill="currentColor" stroke="none"'
    return f'{box}<text x="42" y="{24 + size * 0.36:.0f}" {look}>{letters}</text>'


def _drawing(cls: Any) -> str:
    """The drawing whose pattern fits the class or, failing that, the nearest of its bases."""
    for base in cls.__mro__:
        if base.__module__.split(".")[:2] == ["tellegen", "frontends"]:
            break
        full_name = ".".join([*base.__module__.split(".")[2:3], base.__name__])
        for pattern, drawing in DRAWINGS:
            if re.search(pattern, base.__name__) or re.search(pattern, full_name):
                return drawing
    return ""


def _initials(name: str) -> str:
    """`KalmanFilter` -> KF, `PID` -> PID, `Cosh` -> cosh, `Converter` -> Con."""
    capitals = "".join(re.findall(r"[A-Z0-9]", name))
    if len(capitals) > 1:
        return capitals[:4]
    return name.lower() if len(name) <= 5 else name[:3]


def port_sides(entry: Entry) -> dict[str, list[Row]]:
    """The ports and signals of a class by the side of its symbol that they stand at, each in order."""
    ports = [row for row in entry.members if row.kind in (PORT, "input", "output")]
    pattern = next((side for pattern, side in SOLE_PORTS if re.search(pattern, entry.name)), "")
    return sides_of_rows(ports, pattern)


def sides_of_rows(ports: Iterable[Row], sole: str = "") -> dict[str, list[Row]]:
    """Ports and signals by side, from their names and kinds; `sole` is where the drawing has its only connection."""
    rows = list(ports)
    physical = any(row.kind == PORT for row in rows)
    sides: dict[str, list[Row]] = {"left": [], "right": [], "top": [], "bottom": []}
    for row in rows:
        sides[sole if sole and len(rows) == 1 else _side(row.name, row.kind, physical)].append(row)
    both = [row for row in rows if row in sides["left"] or row in sides["right"]]
    always = {row.type for row in both if "only if " not in row.meaning}
    if physical and len(always) == 1:  # a joint: the drive that it may have is at its top
        sides["top"] += [row for row in both if row.type not in always]
        both = [row for row in both if row.type in always]
        sides["left"] = [row for row in sides["left"] if row in both]
        sides["right"] = [row for row in sides["right"] if row in both]
    if physical and len({row.type for row in both}) > 1:  # it couples domains: one at the left, others at the right
        types = [row.type for row in both]
        first = max(dict.fromkeys(types), key=types.count)
        sides["left"] = [row for row in both if row.type == first]
        sides["right"] = [row for row in both if row.type != first]
    elif len(sides["left"]) > 1 and not sides["right"] and physical:
        half = len(both) // 2
        sides["left"] = both[:half]
        sides["right"] = both[half:]
    return sides


def is_boxed(entry: Entry) -> bool:
    """Whether the symbol is a box with letters or a curve in it; others are drawn up to their ports."""
    return _drawing(entry.cls)[:1] in ("", "~")


def _ports(entry: Entry) -> str:
    """Marks of the ports: physical ones are squares in the colour of their domain, signals are triangles."""
    boxed = is_boxed(entry)
    marks = []
    for side, placed in port_sides(entry).items():
        for k, row in enumerate(placed):
            along = (k + 1) / (len(placed) + 1)
            x = {"left": 4.0, "right": WIDTH - 4.0}.get(side, WIDTH * along)
            y = {"top": 4.0, "bottom": HEIGHT - 4.0}.get(side, HEIGHT * along)
            lead = {"left": f'<path d="M4 {y:g}H18"/>', "right": f'<path d="M66 {y:g}H80"/>'}.get(side, "")
            marks.append((lead if boxed else "") + _mark(row.kind, port_colour(entry, row.name), (x, y), side))
    return "".join(marks)


def _side(name: str, kind: str, physical: bool) -> str:
    """Signals go from left to right, or at a physical component from top to bottom."""
    if kind == "input":
        return "top" if physical else "left"
    if kind == "output":
        return "bottom" if physical else "right"
    if re.search("heat_?port|support|gate|^G$", name):
        return "bottom"
    return "right" if re.search("(_b|_?n|2|out|_o)$", name) or name in ("C", "D") else "left"


def port_colour(entry: Entry, name: str) -> str:
    """The colour of the domain that a port belongs to."""
    port = entry.cls._info.ports.get(name)
    parts = type(port).__module__.split(".") if port is not None else []
    domain = parts[2] if parts[:2] == ["tellegen", "library"] else entry.domain
    return COLOURS.get(domain, OTHER)


def _mark(kind: str, colour: str, at: tuple[float, float], side: str) -> str:
    x, y = at
    if kind == PORT:
        return f'<rect x="{x - 3.5:g}" y="{y - 3.5:g}" width="7" height="7" fill="{colour}" stroke="none"/>'
    down = side in ("top", "bottom")
    tip = (
        f"M{x - 4:g} {y - 3:g}H{x + 4:g}L{x:g} {y + 4:g}Z"
        if down
        else f"M{x - 3:g} {y - 4:g}V{y + 4:g}L{x + 4:g} {y:g}Z"
    )
    return f'<path d="{tip}" fill="{OTHER}" stroke="none"/>'
