"""A package whose public names are imported on first use, and are not hidden by its modules of the same names."""

from __future__ import annotations

from types import ModuleType

LAZY = {
    "Allocation": "analyses.robust.allocation",
    "Animation": "animation.animation",
    "Assembly": "importers.assembly.assembly",
    "Calibrated": "analyses.optimization.calibration.calibrated",
    "CompiledModel": "engine.compiled",
    "Design": "analyses.studies.design",
    "Event": "engine.readout.discrete_history",
    "Explanation": "analyses.explanation.explain",
    "FlatModel": "ir.flat",
    "Front": "analyses.optimization.multi_objective.front",
    "Gradients": "analyses.derivatives.gradients",
    "HessianVector": "analyses.derivatives.hessian_vector",
    "Interface": "frontends.python.interfaces.interface",
    "LinearModel": "analyses.linearization.linear_model",
    "Margins": "analyses.linearization.margins",
    "MassProperties": "importers.assembly.mass_properties",
    "Mechanism": "analyses.mechanisms.mechanism",
    "Metamodel": "metamodels",
    "Optimum": "analyses.optimization.single_objective.optimum",
    "Outcome": "engine.native.outcome",
    "ParetoPoint": "analyses.optimization.multi_objective.front",
    "Performance": "analyses.performance.expression",
    "Prediction": "metamodels.prediction",
    "Robustness": "analyses.robust.robustness_result",
    "RunExplanation": "engine.explained.run_explanation",
    "Semantics": "frontends.python.interfaces.semantics",
    "Sensitivity": "analyses.sensitivities.sensitivity",
    "SimulationInterrupted": "engine.results.interrupted",
    "Snapshot": "engine.readout.snapshot",
    "SobolIndices": "analyses.studies.sobol_indices",
    "Software": "frontends.python.software.software",
    "Solution": "engine.results.solution",
    "SteadyState": "analyses.linearization.steady_state",
    "Study": "analyses.studies.study_result",
    "SystemGraph": "analyses.explanation.system_graph",
    "allocate_tolerances": "analyses.robust.allocate_tolerances",
    "bind": "frontends.python.interfaces.bind",
    "c_code": "frontends.python.software.c_code",
    "calibrate": "analyses.optimization.calibration.calibrate",
    "compile": "compile:compile_model",
    "event_time": "analyses.performance.instants",
    "explain": "analyses.explanation.explain",
    "final": "analyses.performance.instants",
    "flatten": "compile:flatten_model",
    "gradient": "analyses.derivatives.gradients",
    "grid": "analyses.studies.design",
    "hessian_vector": "analyses.derivatives.hessian_vector",
    "integral": "analyses.performance.integrals",
    "latin_hypercube": "analyses.studies.design",
    "linearize": "analyses.linearization.linearize",
    "load": "engine.results.saved_solution",
    "lowest": "analyses.performance.extremes",
    "mass_properties": "importers.measure",
    "mean": "analyses.performance.integrals",
    "mechanism": "analyses.mechanisms.mechanism",
    "metamodel": "metamodels",
    "monte_carlo": "analyses.studies.design",
    "optimize": "analyses.optimization.single_objective.optimize",
    "overshoot": "analyses.performance.step_response",
    "pareto": "analyses.optimization.multi_objective.pareto",
    "peak": "analyses.performance.extremes",
    "peak_time": "analyses.performance.extremes",
    "piecewise": "analyses.optimization.formulation.piecewise_inputs",
    "read_mjcf": "importers.robots.mjcf",
    "read_spice": "importers.spice",
    "read_step": "importers.step.read",
    "read_urdf": "importers.robots.urdf",
    "rise_time": "analyses.performance.step_response",
    "rms": "analyses.performance.integrals",
    "robust_optimize": "analyses.robust.robust_optimize",
    "robustness": "analyses.robust.robustness",
    "saltelli": "analyses.studies.design",
    "sensitivity": "analyses.sensitivities.sensitivity",
    "settling_time": "analyses.performance.step_response",
    "sigma": "analyses.robust.sigma",
    "simulate": "analyses.simulate",
    "sobol": "analyses.studies.design",
    "steady_state": "analyses.linearization.steady_state",
    "study": "analyses.studies.study",
    "subtype": "frontends.python.interfaces.subtype",
    "view": "analyses.view",
    "system_graph": "analyses.explanation.system_graph",
    "time_when": "analyses.performance.instants",
    "value": "analyses.performance.instants",
}
"""The module of each name that is imported on first use; after a colon what it is called there."""


class LazyPackage(ModuleType):
    """Importing a module binds it to its name in the package; for a name in the table `LAZY` this is rejected.

    So `tellegen.compile` is the function, and stays it when the module tellegen/compile.py is imported.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in LAZY and isinstance(value, ModuleType)):
            super().__setattr__(name, value)
