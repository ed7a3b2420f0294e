"""Tables as VHDL functions: a search for the segment and a polynomial."""

from __future__ import annotations

from tellegen.errors import ExportError
from tellegen.exporters.source.identifiers import Scope, joined
from tellegen.exporters.vhdl_ams.lexical import number
from tellegen.ir.expressions.table import Table


class TableFunctions:
    """The tables of one variable that a text needs, each written once."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.names: dict[Table, str] = {}

    def name(self, table: Table) -> str:
        """The name of the function of a table."""
        if len(table.breaks) != 1:
            raise ExportError(
                "E430",
                f"the table '{table.name}' has two arguments: VHDL-AMS text has tables of one only",
                advice="write Modelica: tg.write_modelica",
            )
        if table not in self.names:
            self.names[table] = self.scope.unique(joined(table.name.replace("'", "_slope")))
        return self.names[table]

    def declarations(self) -> list[str]:
        """What the package declares."""
        return [f"function {name} (u : real) return real;" for name in self.names.values()]

    def bodies(self) -> list[str]:
        """What the package body contains."""
        lines: list[str] = []
        for table, name in self.names.items():
            lines += _body(table, name)
        return lines


def _body(table: Table, name: str) -> list[str]:
    breaks = table.breaks[0]
    powers = table.coefficients.shape[1]
    listed = ", ".join(f"{k} => {number(value)}" for k, value in enumerate(breaks))
    values = ", ".join(f"{k} => {number(value)}" for k, value in enumerate(table.coefficients.ravel()))
    return [
        f"function {name} (u : real) return real is",
        f"  constant breaks : real_vector(0 to {len(breaks) - 1}) := ({listed});",
        f"  constant c : real_vector(0 to {table.coefficients.size - 1}) := ({values});",
        "  variable segment : integer := 0;",
        "  variable d : real;",
        "  variable y : real;",
        "begin",
        f"  for k in 0 to {len(breaks) - 1} loop",
        "    if u >= breaks(k) then",
        "      segment := k + 1;",
        "    end if;",
        "  end loop;",
        "  d := u - breaks(0);",
        "  if segment > 0 then",
        "    d := u - breaks(segment - 1);",
        "  end if;",
        f"  y := c({powers}*segment + {powers - 1});",
        f"  for k in 2 to {powers} loop",
        f"    y := y*d + c({powers}*segment + {powers} - k);",
        "  end loop;",
        "  return y;",
        f"end function {name};",
    ]
