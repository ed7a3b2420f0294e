"""The flags that native integrators return, CVODE's and IDA's and our own, in one enumeration.

Zero and positive flags are successes, negative ones failures. The numbers between -99 and 99 are those of CVODE and IDA
(SUNDIALS 7); where the two differ, the comment says which one uses the number for what. Ours are beyond that range.

A plain class: to read a member of an Enum takes as long as ten comparisons, and every run makes some ten of these.
"""

from __future__ import annotations


class Flag:
    """What an integrator says when it returns."""

    SUCCESS = 0
    ROOT = 2
    RESELECT = 1000  # ours: the segment ended because other states are better

    TOO_MUCH_WORK = -1  # the number of steps allowed was used up
    TOO_MUCH_ACCURACY = -2
    ERROR_TEST = -3  # fails with the smallest step
    NO_CONVERGENCE = -4  # of Newton's method with the smallest step
    LINEAR_INIT = -5
    SINGULAR = -6  # the set-up of the linear solver failed
    LINEAR_SOLVE = -7
    RHS = -8  # the right-hand side or the residual cannot be evaluated
    FIRST_RHS = -9  # CVODE: fails in the first call; IDA: fails repeatedly
    REPEATED_RHS = -10  # CVODE: fails repeatedly; IDA: a root function fails
    ROOT_FUNCTION = -12  # CVODE: a root function fails; IDA: the residual fails in the first call
    PROJECTION = -30  # CVODE: the projection onto invariants fails for good
    REPEATED_PROJECTION = -31  # CVODE: it fails repeatedly
    CLOSE_ROOTS = -22  # a root function is zero again right after its root

    CHATTERING = -1001
    INTERRUPTED = -1002
    POLE = -1003  # a divisor passes through zero
    GROWTH = -1004  # a value grows without bound
    STIFF = -1005  # an explicit method would need too many steps
    FEW_EVENTS = -1006  # so many steps without an event that a multistep method is better
    DOUBTFUL = -1007  # perhaps other states are better
    CONTRADICTION = -1008  # no states satisfy all invariants
    SINGULAR_POSITION = -1009  # for an instant the invariants do not determine the motion


NOT_EVALUATED = (Flag.RHS, Flag.FIRST_RHS, Flag.REPEATED_RHS)
"""The right-hand side gives no finite number."""
