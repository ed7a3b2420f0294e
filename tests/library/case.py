"""One case of the power balance test: a component with numbers, how it is driven, what it stores or supplies."""

from __future__ import annotations

from typing import Any

from tellegen.testing import check_power_balance
from tellegen.testing.balance import TOLERANCE
from validation.measured import within


class Case:
    """`Case(component, stored=..., supplied=..., drive={...}, idle=..., stop=...)`; see test_power_balance.py."""

    def __init__(self, component: Any, **how: Any) -> None:
        self.component = component
        self.how = how

    @property
    def cls(self) -> type:
        return type(self.component)

    def check(self) -> None:
        """Assert the balance; the worst error of each domain is a row of docs/validation.md."""
        found = check_power_balance(self.component, **self.how)
        domain = self.cls.__module__.split(".")[2]
        error = 0.0 if self.how.get("idle") else found.error
        against = f"conservation, worst is {self.cls.__name__}"
        within(f"Every component of `{domain}`, in = stored + dissipated", error, TOLERANCE, against)
