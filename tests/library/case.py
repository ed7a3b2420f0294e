"""One case of the power balance test: a component with numbers, how it is driven, what it stores or supplies."""

from __future__ import annotations

from typing import Any

from tellegen.testing import PowerBalance, check_power_balance, check_power_balances
from tellegen.testing.balance import STOP, TOLERANCE
from validation.measured import within


class Case:
    """`Case(component, stored=..., supplied=..., drive={...}, idle=..., stop=...)`; see test_power_balance.py."""

    def __init__(self, component: Any, **how: Any) -> None:
        self.component = component
        self.how = how

    @property
    def cls(self) -> type:
        return type(self.component)

    @property
    def stop(self) -> float:
        return self.how.get("stop", STOP)

    @property
    def groups_with(self) -> float | None:
        """What cases of one run have in common, the end of it; None for one that is run by itself."""
        by_itself = set(self.how) - {"stored", "supplied", "drive", "around", "idle", "reversible", "tolerance", "stop"}
        return None if by_itself else self.stop

    def check(self) -> None:
        """Assert the balance in a run of its own."""
        self.record(check_power_balance(self.component, **self.how))

    def record(self, found: PowerBalance) -> None:
        """The worst error of each domain is a row of docs/validation.md."""
        domain = self.cls.__module__.split(".")[2]
        error = 0.0 if self.how.get("idle") else found.error
        against = f"conservation, worst is {self.cls.__name__}"
        within(f"Every component of `{domain}`, in = stored + dissipated", error, TOLERANCE, against)


def check_together(cases: list[Case]) -> None:
    """Assert the balances of cases that `groups_with` each other, in one run."""
    parts = [(case.component, {key: how for key, how in case.how.items() if key != "stop"}) for case in cases]
    for case, found in zip(cases, check_power_balances(parts, cases[0].stop), strict=True):
        case.record(found)
