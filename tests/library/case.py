"""One case of the power balance test: a component with numbers, how it is driven, what it stores or supplies."""

from __future__ import annotations

from typing import Any

from tellegen.testing import check_power_balance


class Case:
    """`Case(component, stored=..., supplied=..., drive={...}, idle=..., stop=...)`; see test_power_balance.py."""

    def __init__(self, component: Any, **how: Any) -> None:
        self.component = component
        self.how = how

    @property
    def cls(self) -> type:
        return type(self.component)

    def check(self) -> None:
        check_power_balance(self.component, **self.how)
