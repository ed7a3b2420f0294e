"""Parameters of models that have no effect for an element, though the component does not know them.

Temperature coefficients where the element is as warm as its model was measured, and side walls of a diode without a
perimeter (`pj=` of an element is rejected).
"""

from __future__ import annotations

import re

_COEFFICIENTS = {
    "d": re.compile(r"trs[12]?|tcv|tbv[12]|tikf|tm[12]|ttt[12]|ct[acp]|tpb|tvj|tphp|tlevc?"),
    "q": re.compile(
        r"t(re|rc|rb|rm|bf|br|ikf|ikr|irb|n[frecs]|vaf|var|itf|tf|tr|mj[ecs]|is|ise|isc|iss)[12]|ct[ecs]|tvj[ecs]|tlevc?"
    ),
    "j": re.compile(r"tcv|vtotc|betatce|bex"),
}
_SIDE_WALL = ("jsw", "isw", "cjsw", "cjp", "php", "vjsw", "mjsw", "ns", "ikp", "iks", "fcs")


def is_idle(letter: str, key: str, warm: bool) -> bool:
    """Whether a parameter does nothing for an element with this letter, warmer or colder than its model or not."""
    if letter == "d" and key in _SIDE_WALL:
        return True
    return not warm and letter in _COEFFICIENTS and _COEFFICIENTS[letter].fullmatch(key) is not None
