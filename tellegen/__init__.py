"""Tellegen: compose multi-domain physical systems from components, simulate them, design with them."""

from tellegen.analyses.explain import explain
from tellegen.analyses.gradients import Gradients, sensitivity
from tellegen.analyses.hessian import hessian_vector
from tellegen.analyses.linearize import linearize
from tellegen.analyses.optimization.calibrate import calibrate
from tellegen.analyses.optimization.optimize import optimize
from tellegen.analyses.optimization.pareto import pareto
from tellegen.analyses.optimization.signals import piecewise
from tellegen.analyses.performance.expression import Performance
from tellegen.analyses.performance.extremes import lowest, peak, peak_time
from tellegen.analyses.performance.instants import event_time, final, time_when, value
from tellegen.analyses.performance.over_time import integral, mean, rms
from tellegen.analyses.performance.step_response import overshoot, rise_time, settling_time
from tellegen.analyses.robust.allocate import allocate_tolerances
from tellegen.analyses.robust.robust_optimize import robust_optimize
from tellegen.analyses.robust.robustness import robustness
from tellegen.analyses.robust.sigma import sigma
from tellegen.analyses.simulate import simulate
from tellegen.analyses.steady_state import steady_state
from tellegen.analyses.studies.design import grid, latin_hypercube, monte_carlo, saltelli, sobol
from tellegen.analyses.studies.result import Study
from tellegen.analyses.studies.study import study
from tellegen.analyses.system_graph import system_graph
from tellegen.compile import compile_model as compile
from tellegen.compile import flatten_model as flatten
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.results.solution import Solution
from tellegen.errors import (
    DesignError,
    ExportError,
    InternalError,
    LanguageError,
    NetlistError,
    NumericError,
    StructureError,
    TellegenError,
)
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.components.connector import Connector
from tellegen.frontends.python.components.surroundings import outer
from tellegen.frontends.python.components.system import System
from tellegen.frontends.python.declarations.declare import (
    across,
    boolean,
    enumeration,
    input,
    integer,
    output,
    parameter,
    stream,
    through,
    variable,
)
from tellegen.frontends.python.declarations.interpolate import interpolate
from tellegen.frontends.python.declarations.user_function import function
from tellegen.frontends.python.discrete.modes import after, mode, modes, transition
from tellegen.frontends.python.discrete.state_machine import StateMachine
from tellegen.frontends.python.discrete.statements import (
    actual_stream,
    assert_,
    in_stream,
    region,
    reinit,
    terminate,
    when,
)
from tellegen.frontends.python.expressions.clock import Clock
from tellegen.frontends.python.expressions.functions import (
    acos,
    asin,
    atan,
    atan2,
    ceil,
    change,
    cos,
    cosh,
    cross,
    delay,
    der,
    dot,
    edge,
    exp,
    floor,
    homotopy,
    initial,
    log,
    log10,
    maximum,
    minimum,
    no_event,
    pi,
    pre,
    sample,
    sign,
    sin,
    sinh,
    smooth,
    sqrt,
    sum,
    tan,
    tanh,
    terminal,
    time,
    where,
)
from tellegen.frontends.python.software.c_code import c_code
from tellegen.frontends.python.software.software import Software
from tellegen.importers.spice import read_spice
from tellegen.metamodels import metamodel

__version__ = "0.1.0"

__all__ = [
    "Clock",
    "CompiledModel",
    "Component",
    "Connector",
    "DesignError",
    "ExportError",
    "Gradients",
    "InternalError",
    "LanguageError",
    "NetlistError",
    "NumericError",
    "Performance",
    "Software",
    "Solution",
    "StateMachine",
    "StructureError",
    "Study",
    "System",
    "TellegenError",
    "acos",
    "across",
    "actual_stream",
    "after",
    "allocate_tolerances",
    "asin",
    "assert_",
    "atan",
    "atan2",
    "boolean",
    "c_code",
    "calibrate",
    "ceil",
    "change",
    "compile",
    "cos",
    "cosh",
    "cross",
    "delay",
    "der",
    "dot",
    "edge",
    "enumeration",
    "event_time",
    "exp",
    "explain",
    "final",
    "flatten",
    "floor",
    "function",
    "grid",
    "hessian_vector",
    "homotopy",
    "in_stream",
    "initial",
    "input",
    "integer",
    "integral",
    "interpolate",
    "latin_hypercube",
    "linearize",
    "log",
    "log10",
    "lowest",
    "maximum",
    "mean",
    "metamodel",
    "minimum",
    "mode",
    "modes",
    "monte_carlo",
    "no_event",
    "optimize",
    "outer",
    "output",
    "overshoot",
    "parameter",
    "pareto",
    "peak",
    "peak_time",
    "pi",
    "piecewise",
    "pre",
    "read_spice",
    "region",
    "reinit",
    "rise_time",
    "rms",
    "robust_optimize",
    "robustness",
    "saltelli",
    "sample",
    "sensitivity",
    "settling_time",
    "sigma",
    "sign",
    "simulate",
    "sin",
    "sinh",
    "smooth",
    "sobol",
    "sqrt",
    "steady_state",
    "stream",
    "study",
    "sum",
    "system_graph",
    "tan",
    "tanh",
    "terminal",
    "terminate",
    "through",
    "time",
    "time_when",
    "transition",
    "value",
    "variable",
    "when",
    "where",
]
