"""Models of MOS transistors in bins: `nch.1`, `nch.2`, ... each with `lmin=`, `lmax=`, `wmin=` and `wmax=`."""

from __future__ import annotations

from tellegen.importers.spice.netlist.sheet import Element

_SIZE = 5e-6  # m, of ngspice where neither the element nor .options gives one


def of_size(element: Element, name: str) -> str:
    """The name of the model; of one that stands in bins the first whose bin the transistor lies in."""
    scope = element.sheet.scope
    known = scope.all_models()
    bins = sorted((each for each in known if each.startswith(f"{name}.")), key=lambda each: (len(each), each))
    if name in known or not bins:
        return name
    settings = element.sheet.settings
    sizes = {"l": dict(settings.mosfet).get("L", _SIZE), "w": dict(settings.mosfet).get("W", _SIZE)}
    for key in sizes:
        if key in element.pairs:
            sizes[key] = scope.value(element.pairs[key], element.location) * settings.scale
    for each in bins:
        card, where = scope.model(each, element.card)
        ends = {key: where.value(text, card.location) for key, text in card.pairs if key[1:] in ("min", "max")}
        if all(ends.get(f"{k}min", 0.0) <= size < ends.get(f"{k}max", 1.0) for k, size in sizes.items()):
            return each
    raise element.wrong(
        f"no bin of the model '{name}' has l = {sizes['l']:g} m and w = {sizes['w']:g} m",
        f"its bins are {', '.join(bins)}: look at their lmin, lmax, wmin and wmax",
    )
