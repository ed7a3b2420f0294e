"""Areas and perimeters of the source and drain of a BSIM4 transistor of several fingers."""

from __future__ import annotations

from collections.abc import Mapping

from tellegen.importers.spice.elements.mos.bsim4_card import Bsim4Card

_OUTER = {
    **{0.0: ("isolated", "isolated"), 1.0: ("isolated", "shared"), 2.0: ("shared", "isolated")},
    **{3.0: ("shared", "shared"), 4.0: ("isolated", "merged"), 5.0: ("shared", "merged")},
    **{6.0: ("merged", "isolated"), 7.0: ("merged", "shared"), 8.0: ("merged", "merged")},
}
"""What the outer regions of source and drain are, by geoMod."""


def diffusion(
    card: Bsim4Card, given: Mapping[str, float], number: float, width: float, end: str
) -> tuple[float, float]:
    """Area and perimeter of source or drain, of a number of fingers of a width; `given` are ad=, as=, pd= and ps=."""
    dmcg = card.get("dmcg") - card.get("dmcgt")
    dmdg = card.get("dmdg") - card.get("dmcgt")
    dmci = card.given.get("dmci", card.get("dmcg"))
    ways = {  # an outer region: its length and the perimeter beside the gate, by what it borders on
        "isolated": (dmcg + dmci, 2.0 * (dmcg + dmci) + width),
        "shared": (dmcg, 2.0 * dmcg),
        "merged": (dmdg, 2.0 * dmdg),
    }
    length, around = ways[_OUTER[card.mode("geomod")]["sd".index(end)]]
    odd = int(number) % 2
    outer = 1.0 if odd else (2.0 if end == "s" else 0.0)
    inner = number - 1.0 if odd else (number - 2.0 if end == "s" else number)
    default_area = (outer * length + inner * dmcg) * width
    default_perimeter = outer * around + inner * 2.0 * dmcg
    perimeter = given.get(f"p{end}")
    if perimeter is None:
        perimeter = default_perimeter
    elif card.mode("permod") == 1.0 and perimeter > 0.0:
        perimeter -= width * number
    return max(given.get(f"a{end}", default_area), 0.0), max(perimeter, 0.0)
