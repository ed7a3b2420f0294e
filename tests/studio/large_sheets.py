"""Model files with many parts on one sheet, for tests of counts and for benchmarks/studio_sheet.py."""

from __future__ import annotations

import json


def plate(rows: int, columns: int) -> str:
    """A plate of heat capacitors, each joined to its neighbours by conductors: three parts for each place."""
    members: list[str] = []
    nets = {(r, c): [f"self.c{r}_{c}.port"] for r in range(rows) for c in range(columns)}
    for r, c in nets:
        members.append(f"    c{r}_{c} = th.HeatCapacitor(C={100 + r + c}.0)")
        for name, other in ((f"x{r}_{c}", (r, c + 1)), (f"y{r}_{c}", (r + 1, c))):
            if other in nets:
                members.append(f"    {name} = th.ThermalConductor(G=0.5)")
                nets[r, c].append(f"self.{name}.port_a")
                nets[other].append(f"self.{name}.port_b")
    members += ["    heater = th.FixedHeatFlow(Q_flow=50.0)", "    ambient = th.FixedTemperature(T=293.15)"]
    nets[0, 0].append("self.heater.port")
    nets[rows - 1, columns - 1].append("self.ambient.port")
    wires = [f"        yield {', '.join(ends)}" for ends in nets.values()]
    imports = "import tellegen as tg\nfrom tellegen.library import thermal as th\n"
    body = "\n".join([*members, "", "    def connections(self):", *wires])
    return f'"""A plate."""\n\n{imports}\n\nclass Plate(tg.Component):\n{body}\n'


def plate_layout(rows: int, columns: int) -> str:
    """Places of its parts as somebody would draw them: rows and columns, the conductors in between."""
    places: dict[str, list[int | str]] = {"heater": [-160, 0], "ambient": [200 * columns, 160 * rows]}
    for r in range(rows):
        for c in range(columns):
            x, y = 200 * c, 160 * r
            places[f"c{r}_{c}"] = [x, y]
            if c + 1 < columns:
                places[f"x{r}_{c}"] = [x + 96, y]
            if r + 1 < rows:
                places[f"y{r}_{c}"] = [x, y + 80, "r90"]
    return json.dumps({"Plate": places})
