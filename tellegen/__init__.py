"""Tellegen: compose multi-domain physical systems from components, simulate them, design with them.

The modelling language is imported with the package; analyses, the engine and importers on first use (PEP 562), since
they need SciPy and LLVM: a model is written, listed and documented without them.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import tellegen.start  # noqa: F401 (before all others, which it finds faster)
from tellegen.errors import (
    BindingError,
    DataError,
    DesignError,
    DocumentError,
    ExportError,
    FmuError,
    InternalError,
    LanguageError,
    ModelicaError,
    NetlistError,
    NumericError,
    RunFailedError,
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
from tellegen.frontends.python.declarations.invariant import invariant
from tellegen.frontends.python.declarations.user_function import function
from tellegen.frontends.python.discrete.modes import after, mode, modes, transition
from tellegen.frontends.python.discrete.state_machine import StateMachine
from tellegen.frontends.python.discrete.statements import (
    Noise,
    actual_stream,
    assert_,
    in_stream,
    noisy,
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
    transport,
    where,
    with_derivatives,
)
from tellegen.frontends.python.expressions.symbol import Expression
from tellegen.start.garbage_collection import lasting
from tellegen.start.lazy_package import LAZY, LazyPackage

if TYPE_CHECKING:  # what LAZY (start/lazy_package.py) loads, for type checkers and editors
    from tellegen.analyses.continuation.sweep import sweep
    from tellegen.analyses.continuation.sweep_result import Sweep
    from tellegen.analyses.derivatives.gradients import Gradients, gradient
    from tellegen.analyses.derivatives.hessian_vector import HessianVector, hessian_vector
    from tellegen.analyses.estimation.consistency import Consistency
    from tellegen.analyses.estimation.estimate import estimate
    from tellegen.analyses.estimation.estimated import Estimate
    from tellegen.analyses.estimation.records import Columns, Estimator, NoiseLevels
    from tellegen.analyses.explanation.explain import Explanation, explain
    from tellegen.analyses.explanation.system_graph import SystemGraph, system_graph
    from tellegen.analyses.frequency.frequency_response import frequency_response
    from tellegen.analyses.frequency.noise import noise
    from tellegen.analyses.frequency.noise_spectrum import NoiseSpectrum
    from tellegen.analyses.frequency.response_curves import FrequencyResponse
    from tellegen.analyses.linearization.linear_model import LinearModel
    from tellegen.analyses.linearization.linearize import linearize
    from tellegen.analyses.linearization.margins import Margins
    from tellegen.analyses.linearization.steady_state import SteadyState, steady_state
    from tellegen.analyses.mechanisms.mechanism import Mechanism, mechanism
    from tellegen.analyses.optimization.calibration.calibrate import calibrate
    from tellegen.analyses.optimization.calibration.calibrated import Calibrated
    from tellegen.analyses.optimization.formulation.piecewise_inputs import piecewise
    from tellegen.analyses.optimization.multi_objective.front import Front, ParetoPoint
    from tellegen.analyses.optimization.multi_objective.pareto import pareto
    from tellegen.analyses.optimization.single_objective.optimize import optimize
    from tellegen.analyses.optimization.single_objective.optimum import Optimum
    from tellegen.analyses.performance.expression import Performance
    from tellegen.analyses.performance.extremes import lowest, peak, peak_time
    from tellegen.analyses.performance.instants import event_time, final, time_when, value
    from tellegen.analyses.performance.integrals import integral, mean, rms
    from tellegen.analyses.performance.step_response import overshoot, rise_time, settling_time
    from tellegen.analyses.requirements.operators import (
        always,
        at_events,
        eventually,
        implies,
        require,
        rises,
        settles,
        until,
        within,
    )
    from tellegen.analyses.robust.allocate_tolerances import allocate_tolerances
    from tellegen.analyses.robust.allocation import Allocation
    from tellegen.analyses.robust.robust_optimize import robust_optimize
    from tellegen.analyses.robust.robustness import robustness
    from tellegen.analyses.robust.robustness_result import Robustness
    from tellegen.analyses.robust.sigma import sigma
    from tellegen.analyses.sensitivities.sensitivity import Sensitivity, sensitivity
    from tellegen.analyses.simulate import simulate
    from tellegen.analyses.studies.design import Design, grid, latin_hypercube, monte_carlo, saltelli, sobol
    from tellegen.analyses.studies.sobol_indices import SobolIndices
    from tellegen.analyses.studies.study import study
    from tellegen.analyses.studies.study_result import Study
    from tellegen.analyses.verification.verification import Verification
    from tellegen.analyses.verification.verify import verify
    from tellegen.analyses.view import view
    from tellegen.animation.animation import Animation
    from tellegen.catalogue.catalogue import Catalogue
    from tellegen.catalogue.load import catalogue
    from tellegen.catalogue.part import Part
    from tellegen.compile import compile_model as compile
    from tellegen.engine.compiled import CompiledModel
    from tellegen.engine.explained.run_explanation import RunExplanation
    from tellegen.engine.native.outcome import Outcome
    from tellegen.engine.readout.discrete_history import Event
    from tellegen.engine.readout.snapshot import Snapshot
    from tellegen.engine.results.interrupted import SimulationInterrupted
    from tellegen.engine.results.saved_solution import load
    from tellegen.engine.results.solution import Solution
    from tellegen.exporters.controller.write_c import write_c
    from tellegen.exporters.fmu.export_fmu import ExportedFmu, export_fmu
    from tellegen.exporters.html.export_html import ExportedHtml, export_html
    from tellegen.exporters.modelica.write import write_modelica
    from tellegen.exporters.spice.write import write_spice
    from tellegen.exporters.vhdl_ams.write import write_vhdl_ams
    from tellegen.frontends.modelica.library import ModelicaClass, ModelicaLibrary, load_modelica
    from tellegen.frontends.python.building.from_model import component_class
    from tellegen.frontends.python.interfaces.bind import bind
    from tellegen.frontends.python.interfaces.interface import Interface
    from tellegen.frontends.python.interfaces.semantics import Semantics
    from tellegen.frontends.python.interfaces.subtype import subtype
    from tellegen.frontends.python.software.c_code import c_code
    from tellegen.frontends.python.software.software import Software
    from tellegen.importers.assembly.assembly import Assembly
    from tellegen.importers.assembly.mass_properties import MassProperties
    from tellegen.importers.coupling.couple_fmus import couple_fmus
    from tellegen.importers.fmu.read_fmu import read_fmu
    from tellegen.importers.mdl import read_mdl
    from tellegen.importers.measure import mass_properties
    from tellegen.importers.robots.mjcf import read_mjcf
    from tellegen.importers.robots.urdf import read_urdf
    from tellegen.importers.sbs import c_component
    from tellegen.importers.spice import read_spice
    from tellegen.importers.spice.analyses import SpiceRun, run_spice
    from tellegen.importers.ssp.read_ssp import read_ssp
    from tellegen.importers.ssp.write_ssp import write_ssp
    from tellegen.importers.step.read import read_step
    from tellegen.inversion.controllers import (
        disturbance_observer,
        feedback_linearization,
        model_following,
        two_degrees_of_freedom,
    )
    from tellegen.inversion.inverse import InverseModel, inverse
    from tellegen.inversion.reference_filter import ReferenceFilter, bessel, butterworth, critical_damping
    from tellegen.inversion.relative_degree import RelativeDegree
    from tellegen.inversion.zero_dynamics import ZeroDynamics, zero_dynamics
    from tellegen.ir.flat import FlatModel
    from tellegen.markup.read import read_markup
    from tellegen.markup.version1.library import MarkupDocument
    from tellegen.markup.write import write_markup
    from tellegen.metamodels import Metamodel, metamodel
    from tellegen.metamodels.prediction import Prediction
    from tellegen.model_space.compare import compare
    from tellegen.model_space.comparison import Comparison
    from tellegen.model_space.feasibility import Feasibility, feasibility
    from tellegen.model_space.space import ModelSpace, model_space
    from tellegen.predictive.predictive_control import PredictiveController, predictive_control
    from tellegen.predictive.problem import Cost, Search
    from tellegen.predictive.trajectories.found_trajectory import Trajectory
    from tellegen.predictive.trajectories.problem import Goal
    from tellegen.predictive.trajectories.trajectory import trajectory
    from tellegen.sampling.discretize import discretize
    from tellegen.sampling.filters.kalman_filter import kalman_filter
    from tellegen.stages import flatten_model as flatten

__version__ = "0.1.0"

__all__ = [  # noqa: RUF022, grouped by vocabulary
    # language: components and what they declare
    "Clock",
    "Component",
    "Connector",
    "Expression",
    "Interface",
    "Noise",
    "Semantics",
    "Software",
    "StateMachine",
    "System",
    "across",
    "bind",
    "boolean",
    "c_code",
    "component_class",
    "enumeration",
    "function",
    "input",
    "integer",
    "interpolate",
    "invariant",
    "noisy",
    "outer",
    "output",
    "parameter",
    "stream",
    "subtype",
    "through",
    "variable",
    # language: equations, events and modes
    "actual_stream",
    "after",
    "assert_",
    "change",
    "delay",
    "der",
    "edge",
    "homotopy",
    "in_stream",
    "initial",
    "mode",
    "modes",
    "no_event",
    "pre",
    "region",
    "reinit",
    "sample",
    "smooth",
    "terminal",
    "terminate",
    "transport",
    "time",
    "transition",
    "when",
    "where",
    "with_derivatives",
    "write_markup",
    # language: mathematics
    "acos",
    "asin",
    "atan",
    "atan2",
    "ceil",
    "cos",
    "cosh",
    "cross",
    "dot",
    "exp",
    "floor",
    "log",
    "log10",
    "maximum",
    "minimum",
    "pi",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "sum",
    "tan",
    "tanh",
    # models
    "CompiledModel",
    "FlatModel",
    "compile",
    "flatten",
    "c_component",
    "ModelicaClass",
    "ModelicaLibrary",
    "load_modelica",
    "couple_fmus",
    "read_fmu",
    "read_mdl",
    "read_spice",
    "run_spice",
    "read_ssp",
    "write_ssp",
    # catalogues of parts
    "Catalogue",
    "Part",
    "catalogue",
    # mechanisms of other programs
    "Assembly",
    "MarkupDocument",
    "MassProperties",
    "mass_properties",
    "read_markup",
    "read_mjcf",
    "read_step",
    "read_urdf",
    # models for other programs
    "ExportedFmu",
    "ExportedHtml",
    "export_fmu",
    "export_html",
    "write_modelica",
    "write_c",
    "write_spice",
    "write_vhdl_ams",
    # analyses
    "allocate_tolerances",
    "calibrate",
    "compare",
    "explain",
    "feasibility",
    "gradient",
    "hessian_vector",
    "linearize",
    "frequency_response",
    "noise",
    "sweep",
    "mechanism",
    "metamodel",
    "model_space",
    "optimize",
    "pareto",
    "robust_optimize",
    "robustness",
    "sensitivity",
    "simulate",
    "load",
    "steady_state",
    "study",
    "system_graph",
    "view",
    # requirements
    "Verification",
    "always",
    "at_events",
    "eventually",
    "implies",
    "require",
    "rises",
    "settles",
    "until",
    "verify",
    "within",
    # models inside controllers
    "Columns",
    "Consistency",
    "Cost",
    "Estimate",
    "Estimator",
    "estimate",
    "Goal",
    "InverseModel",
    "NoiseLevels",
    "PredictiveController",
    "ReferenceFilter",
    "RelativeDegree",
    "Search",
    "Trajectory",
    "ZeroDynamics",
    "bessel",
    "butterworth",
    "critical_damping",
    "disturbance_observer",
    "feedback_linearization",
    "inverse",
    "model_following",
    "predictive_control",
    "trajectory",
    "discretize",
    "kalman_filter",
    "two_degrees_of_freedom",
    "zero_dynamics",
    # performance functions, and what an optimization varies
    "Performance",
    "event_time",
    "final",
    "integral",
    "lowest",
    "mean",
    "overshoot",
    "peak",
    "peak_time",
    "piecewise",
    "rise_time",
    "rms",
    "settling_time",
    "sigma",
    "time_when",
    "value",
    # designs of samples
    "Design",
    "grid",
    "latin_hypercube",
    "monte_carlo",
    "saltelli",
    "sobol",
    # results
    "Allocation",
    "Animation",
    "Calibrated",
    "Comparison",
    "Event",
    "Explanation",
    "Feasibility",
    "Front",
    "Gradients",
    "HessianVector",
    "FrequencyResponse",
    "NoiseSpectrum",
    "LinearModel",
    "Margins",
    "Mechanism",
    "Metamodel",
    "ModelSpace",
    "Optimum",
    "Outcome",
    "ParetoPoint",
    "Prediction",
    "Robustness",
    "RunExplanation",
    "Sensitivity",
    "Snapshot",
    "SobolIndices",
    "Solution",
    "SteadyState",
    "Sweep",
    "SpiceRun",
    "Study",
    "SystemGraph",
    # errors
    "BindingError",
    "DataError",
    "DesignError",
    "DocumentError",
    "ExportError",
    "FmuError",
    "InternalError",
    "LanguageError",
    "ModelicaError",
    "NetlistError",
    "NumericError",
    "RunFailedError",
    "SimulationInterrupted",
    "StructureError",
    "TellegenError",
]

if not TYPE_CHECKING:  # a type checker that saw this function would accept any name

    def __getattr__(name: str) -> Any:
        if name not in LAZY:
            what = f"module 'tellegen' has no attribute {name!r}"
            raise AttributeError(what, name=name, obj=sys.modules[__name__])  # Python adds what may have been meant
        module, _, attribute = LAZY[name].partition(":")
        with lasting():
            value = getattr(import_module(f"tellegen.{module}"), attribute or name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


sys.modules[__name__].__class__ = LazyPackage
