"""Inputs and outputs of linear models, by name: which scalars they are, and what outputs read of deviations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.engine.readout.quantity import columns, quantity
from tellegen.engine.request.path_lookup import find_given, list_of_paths
from tellegen.errors import LanguageError
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.reduced_rows import variable_text
from tellegen.ir.source_location import here


@dataclass(frozen=True, eq=False)
class Signals:
    """Named scalars: their positions in the vector of parameters (inputs) or their numbers (outputs), and scales."""

    names: tuple[str, ...]
    positions: Any
    scale: FloatArray
    orders: tuple[int, ...] = ()


def inputs_of(model: ReducedModel, paths: Sequence[str] | str | None) -> Signals:
    """Inputs of the model and parameters; by default all inputs."""
    paths = [paths] if isinstance(paths, str) else paths
    names: list[str] = []
    positions: list[int] = []
    scale: list[float] = []
    every_input = [model.flat.variables.name(int(v)) for v in model.known]
    for path in every_input if paths is None else list_of_paths("inputs", paths):
        selection = find_given(model, path)
        index = selection.indices.ravel()
        position = index if selection.parameter else model.known_position[index]
        if (position < 0).any():
            raise LanguageError(
                "E166",
                f"'{path}' is computed by the model, so it cannot be an input of the linear model",
                location=here(),
                advice="inputs are parameters and the top-level inputs of the model",
            )
        table = model.flat.parameters if selection.parameter else model.flat.variables
        names += [table.name(int(k)).removesuffix(".default") for k in index]
        positions += [int(k) for k in position]
        scale += [selection.member.unit.scale] * len(index)
    return Signals(tuple(names), np.array(positions, np.int64), np.array(scale))


def outputs_of(model: ReducedModel, paths: Sequence[str] | str | None) -> Signals:
    """Any variables; by default the outputs of the model, or its states."""
    table = model.flat.variables
    paths = [paths] if isinstance(paths, str) else paths
    if paths is None:
        owner = [(first, length, node, v) for first, length, node, v in table.blocks() if v.role == "output"]
        own = [first + k for first, length, node, _ in owner if node.parent < 0 for k in range(length)]
        states = [variable_text(model, int(v)) for v in model.unknowns[model.is_state]]
        paths = [table.name(k) for k in own] or states
    names: list[str] = []
    numbers: list[int] = []
    orders: list[int] = []
    scale: list[float] = []
    for path in paths:
        what = quantity(model, path)
        if what.parameter:
            raise LanguageError("E167", f"'{path}' is a parameter, so it cannot be an output", location=here())
        for k in what.selection.indices.ravel():
            names.append("der(" * what.order + table.name(int(k)) + ")" * what.order)
            numbers.append(int(k))
            orders.append(what.order)
            scale.append(what.unit.scale)
    return Signals(tuple(names), np.array(numbers, np.int64), np.array(scale), tuple(orders))


def read(model: ReducedModel, shown: Signals, values: FloatArray, rates: FloatArray, inputs: FloatArray) -> FloatArray:
    """The derivatives of the outputs: one row each."""
    rows = [
        columns(model, [number], order, name).read(values.T, rates.T, np.zeros(inputs.shape[0]))[:, 0]
        + _directly(model, number, order, inputs)
        for number, order, name in zip(shown.positions, shown.orders, shown.names, strict=True)
    ]
    return np.array(rows).reshape(len(rows), values.shape[1])


def _directly(model: ReducedModel, variable: int, order: int, inputs: FloatArray) -> Any:
    """An output that is an input itself."""
    leader = model.representative[variable]
    sign = model.sign[variable]
    position = model.known_position[leader]
    return sign * inputs[position] if position >= 0 and order == 0 else 0.0
