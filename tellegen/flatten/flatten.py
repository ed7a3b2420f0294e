"""Model -> FlatModel: lay out, set numbers, stamp equations, join connections, check.

Kind Resistor with `v == R*i`, 1000 instances   ->   one group of 1000 rows
1999 connections                                ->   equalities and sums over index arrays
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.flatten.checks.conditions import check_conditions
from tellegen.flatten.checks.types import check_types
from tellegen.flatten.connect import Joined, Sets, across_equalities, as_sums, through_sums
from tellegen.flatten.delay_limits import limits_of_delays
from tellegen.flatten.layout import Layout, lay_out
from tellegen.flatten.open_ports import check_open_ports, driven_variables
from tellegen.flatten.parameter_order import in_order
from tellegen.flatten.signals import default_inputs, driven_inputs, signal_equalities, undirected_signals
from tellegen.flatten.stamp import stamp_all
from tellegen.flatten.values import apply_settings, check_parameters, evaluate_bindings
from tellegen.graph.arrays import among
from tellegen.ir.check.flat_model import check_flat
from tellegen.ir.check.model import check_model
from tellegen.ir.flat import FlatModel, Group, Summary
from tellegen.ir.model import Model
from tellegen.start.later import later

with later():
    from tellegen.flatten.checks.balance import check_balance
    from tellegen.flatten.checks.dimensions import check_dimensions
    from tellegen.flatten.mechanics.compose import with_mechanism
    from tellegen.flatten.reference import check_references
    from tellegen.flatten.streams import stream_equations
    from tellegen.network.mechanics.checks.check_numbers import check_mechanism


def flatten(model: Model) -> FlatModel:
    """The flat hybrid DAE of a model, checked."""
    check_model(model)
    if any(kind.mechanics for kind in model.kinds()):
        model = with_mechanism(model)
    for kind in model.kinds():
        for stamp in kind.stamps:
            if model.rules.units_agree:
                check_dimensions(stamp.template)
            check_types(stamp.template)
            check_conditions(stamp.template)
        if model.rules.components_balance:
            check_balance(kind)
    layout = lay_out(model)
    groups = stamp_all(layout)
    bindings, starts = apply_settings(layout, model, groups["parameter"], groups["start"])
    bindings = in_order(bindings, layout.parameters)
    values = evaluate_bindings(layout.parameters, bindings)
    joined = Joined(layout)
    check_open_ports(joined)
    families = joined.families()
    equalities, sums, mixing = _connection_equations(families)
    if model.rules.inputs_have_sources:
        signal_pairs, open_inputs = signal_equalities(layout, families.get("signal"))
        open_inputs = open_inputs[~among(open_inputs, driven_inputs(layout))]
    else:
        signal_pairs, open_inputs = undirected_signals(layout, families.get("signal"))
    defaults, inputs = default_inputs(layout, open_inputs, values)
    flat = FlatModel(
        name=model.name,
        tree=layout.tree,
        variables=layout.variables,
        parameters=layout.parameters,
        equations=(*groups["equation"], *mixing, *defaults),
        initial_equations=tuple(groups["initial"]),
        whens=tuple(groups["when"]),
        assertions=(*groups["assert"], *limits_of_delays((*groups["equation"], *groups["when"]))),
        invariants=tuple(groups["invariant"]),
        parameter_bindings=tuple(bindings),
        start_bindings=tuple(starts),
        equalities=_stack([*equalities, signal_pairs]),
        sums=as_sums(sums),
        inputs=np.concatenate([inputs, driven_variables(layout)]).astype(np.int32),
        parameter_values=values,
        summary=_summary(model, layout),
        experiment=model.experiment,
        visuals=model.visuals,
        mechanism=model.mechanism,
        parts=model.parts,
        events_at_start=model.rules.events_at_start,
        reinit_at_once=model.rules.reinit_at_once,
    )
    check_flat(flat)
    check_parameters(flat, values)
    if flat.mechanism is not None:
        check_mechanism(flat)
    if model.rules.networks_have_references:
        check_references(flat, families, len(joined.labels))
    return flat


def _connection_equations(families: dict[str, Sets]) -> tuple[list[Any], list[Any], list[Group]]:
    """Equalities, sums and mixing equations of all physical connectors."""
    equalities: list[Any] = []
    sums: list[Any] = []
    mixing: list[Group] = []
    for family, sets in families.items():
        if family == "signal":
            continue
        for k, role in enumerate(sets.roles):
            if role == "across":
                equalities.append(across_equalities(sets, k))
            elif role == "through":
                sums += through_sums(sets, k)
            else:
                pairs, groups = stream_equations(sets, sets.roles.index("through"), k)
                equalities.append(pairs)
                mixing += groups
    return equalities, sums, mixing


def _stack(parts: list[Any]) -> Any:
    kept = [part for part in parts if len(part)]
    return np.concatenate(kept).astype(np.int32) if kept else np.zeros((0, 2), np.int32)


def _summary(model: Model, layout: Layout) -> Summary:
    kinds = model.kinds()
    return Summary(
        components=sum(node.count for node in layout.tree.nodes),
        kinds=len(kinds),
        templates=sum(len(kind.stamps) for kind in kinds),
        traced=model.traced,
    )
