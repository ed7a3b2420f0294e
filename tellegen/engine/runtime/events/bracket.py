"""How a bracket around a root is drawn in: straight lines, steps of twice their length, and halves.

The line from end to end meets zero very near the root of a smooth function, mostly on the same side again, so that the
bracket keeps its other end and stays wide. A step of twice the length from the nearer end then passes the root just so
far as the line was off, and the bracket is as narrow as that (Alefeld, Potra and Shi, ACM TOMS 21, 1995, algorithm
748). Where both fail to narrow the bracket to a quarter it is halved, once, and after the next failures twice, four
times and so on: seven points find a root of a smooth function to rounding, and a jump takes few more than its bits.
"""

from __future__ import annotations

from tellegen.procedures.language import f64, procedure

LINE = 0.0
DOUBLED = 1.0
HALVED = 2.0
"""Ways to choose the next point in a bracket."""

NARROW = 0.25
"""The part of its width before a line, to which that and a doubled one should bring a bracket."""


@procedure(inline=True)
def next_way(last: f64, is_narrow: bool, left: f64) -> f64:
    """The way to the next point; `left` are the halves that are still to be taken."""
    otherwise = DOUBLED if last == LINE else HALVED
    is_done = is_narrow if last < HALVED else left < 0.5
    return LINE if is_done else otherwise


@procedure(inline=True)
def halves_left(last: f64, way: f64, left: f64, halves: f64) -> f64:
    """How many are to be taken after this one; `halves` is how many in all where they begin."""
    return (left - 1.0 if last == HALVED else halves - 1.0) if way == HALVED else 0.0


@procedure(inline=True)
def halves_at_once(last: f64, is_narrow: bool, left: f64, halves: f64) -> f64:
    """How many are to be taken when lines fail the next time."""
    found = 2.0 * halves if last == HALVED and left < 0.5 else halves
    return 1.0 if last < HALVED and is_narrow else found


@procedure(inline=True)
def part_of_bracket(way: f64, line: f64) -> f64:
    """Where in the bracket the next point lies; `line` is where the straight line meets zero."""
    doubled = 2.0 * line if line < 0.5 else 2.0 * line - 1.0
    return doubled if way == DOUBLED else 0.5 if way == HALVED else line
