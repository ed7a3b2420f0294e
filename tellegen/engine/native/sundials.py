"""SUNDIALS through ctypes: the shared libraries that the scikit-sundae wheel carries.

Only the C interface is used, never scikit-sundae's Python one, whose callbacks are Python functions. File names carry
hashes, so they are found by pattern; the version is checked; indices are 32 bits wide in these libraries.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from tellegen.errors import InternalError

PTR = ctypes.c_void_p
INT = ctypes.c_int
DOUBLE = ctypes.c_double
LONG = ctypes.c_long

_LIBRARIES = ("core", "nvecserial", "sunmatrixdense", "sunmatrixsparse", "sunlinsoldense", "ida", "cvode")

NONLINEAR_OPERATIONS = ("GetType", "Solve", "SetSysFn", "SetLSetupFn", "SetLSolveFn", "GetNumIters", "GetNumConvFails")
"""Those of a nonlinear solver that we have our own of."""

_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "SUNDIALSGetVersionNumber": (INT, [PTR, PTR, PTR, PTR, INT]),
    "SUNContext_Create": (INT, [INT, PTR]),
    "SUNContext_Free": (INT, [PTR]),
    "SUNContext_ClearErrHandlers": (INT, [PTR]),
    "N_VMake_Serial": (PTR, [INT, PTR, PTR]),
    "N_VDestroy": (None, [PTR]),
    "N_VGetArrayPointer": (PTR, [PTR]),
    "SUNDenseMatrix": (PTR, [INT, INT, PTR]),
    "SUNSparseMatrix": (PTR, [INT, INT, INT, INT, PTR]),
    "SUNSparseMatrix_Data": (PTR, [PTR]),
    "SUNMatDestroy": (None, [PTR]),
    "SUNLinSol_Dense": (PTR, [PTR, PTR, PTR]),
    "SUNLinSolGetType_Dense": (INT, [PTR]),
    "SUNLinSolSetup_Dense": (INT, [PTR, PTR]),
    "SUNLinSolSolve_Dense": (INT, [PTR, PTR, PTR, PTR, DOUBLE]),
    "SUNLinSolNewEmpty": (PTR, [PTR]),
    "SUNLinSolFreeEmpty": (None, [PTR]),
    "SUNLinSolFree": (INT, [PTR]),
    "SUNNonlinSol_Newton": (PTR, [PTR, PTR]),
    **{f"SUNNonlinSol{name}_Newton": (INT, [PTR]) for name in NONLINEAR_OPERATIONS},
    "SUNNonlinSolNewEmpty": (PTR, [PTR]),
    "SUNNonlinSolFreeEmpty": (None, [PTR]),
    "SUNNonlinSolFree": (INT, [PTR]),
    "CVodeSetNonlinearSolver": (INT, [PTR, PTR]),
    "CVodeCreate": (PTR, [INT, PTR]),
    "CVodeInit": (INT, [PTR, PTR, DOUBLE, PTR]),
    "CVodeFree": (None, [PTR]),
    "CVodeWFtolerances": (INT, [PTR, PTR]),
    "CVodeSetUserData": (INT, [PTR, PTR]),
    "CVodeSetLinearSolver": (INT, [PTR, PTR, PTR]),
    "CVodeSetLinSysFn": (INT, [PTR, PTR]),
    "CVodeSetMaxNumSteps": (INT, [PTR, LONG]),
    "CVodeSetMaxErrTestFails": (INT, [PTR, INT]),
    "CVodeSetMaxHnilWarns": (INT, [PTR, INT]),
    "CVodeSetProjErrEst": (INT, [PTR, INT]),
    "CVodeSetProjFn": (INT, [PTR, PTR]),
    "CVodeSetStopTime": (INT, [PTR, DOUBLE]),
    "CVodeSetMinStep": (INT, [PTR, DOUBLE]),
    "CVodeSetEtaMaxFirstStep": (INT, [PTR, DOUBLE]),
    "CVodeSetMaxStep": (INT, [PTR, DOUBLE]),
    "CVodeSetJacEvalFrequency": (INT, [PTR, LONG]),
    "CVodeSetNonlinConvCoef": (INT, [PTR, DOUBLE]),
    "CVodeReInit": (INT, [PTR, DOUBLE, PTR]),
    "CVode": (INT, [PTR, DOUBLE, PTR, PTR, INT]),
    "CVodeGetNumSteps": (INT, [PTR, PTR]),
    "CVodeGetNumErrTestFails": (INT, [PTR, PTR]),
    "CVodeGetNumNonlinSolvIters": (INT, [PTR, PTR]),
    "CVodeGetNumNonlinSolvConvFails": (INT, [PTR, PTR]),
    "CVodeGetNumLinSolvSetups": (INT, [PTR, PTR]),
    "CVodeGetCurrentOrder": (INT, [PTR, PTR]),
    "CVodeGetCurrentTime": (INT, [PTR, PTR]),
    "CVodeGetDky": (INT, [PTR, DOUBLE, INT, PTR]),
    "CVodeGetLastStep": (INT, [PTR, PTR]),
    "CVodeGetEstLocalErrors": (INT, [PTR, PTR]),
    "CVodeGetErrWeights": (INT, [PTR, PTR]),
    "CVodeRootInit": (INT, [PTR, INT, PTR]),
    "CVodeGetRootInfo": (INT, [PTR, PTR]),
    "CVodeSetNoInactiveRootWarn": (INT, [PTR]),
    "IDACreate": (PTR, [PTR]),
    "IDAInit": (INT, [PTR, PTR, DOUBLE, PTR, PTR]),
    "IDAFree": (None, [PTR]),
    "IDAWFtolerances": (INT, [PTR, PTR]),
    "IDASetUserData": (INT, [PTR, PTR]),
    "IDASetLinearSolver": (INT, [PTR, PTR, PTR]),
    "IDASetJacFn": (INT, [PTR, PTR]),
    "IDASetMaxNumSteps": (INT, [PTR, LONG]),
    "IDASetStopTime": (INT, [PTR, DOUBLE]),
    "IDASetMinStep": (INT, [PTR, DOUBLE]),
    "IDASetMaxStep": (INT, [PTR, DOUBLE]),
    "IDASetId": (INT, [PTR, PTR]),
    "IDASetSuppressAlg": (INT, [PTR, INT]),
    "IDAReInit": (INT, [PTR, DOUBLE, PTR, PTR]),
    "IDASolve": (INT, [PTR, DOUBLE, PTR, PTR, PTR, INT]),
    "IDAGetNumSteps": (INT, [PTR, PTR]),
    "IDAGetNumErrTestFails": (INT, [PTR, PTR]),
    "IDAGetNumNonlinSolvIters": (INT, [PTR, PTR]),
    "IDAGetNumNonlinSolvConvFails": (INT, [PTR, PTR]),
    "IDAGetNumLinSolvSetups": (INT, [PTR, PTR]),
    "IDAGetCurrentTime": (INT, [PTR, PTR]),
    "IDAGetLastStep": (INT, [PTR, PTR]),
    "IDAGetEstLocalErrors": (INT, [PTR, PTR]),
    "IDAGetErrWeights": (INT, [PTR, PTR]),
    "IDAGetDky": (INT, [PTR, DOUBLE, INT, PTR]),
    "IDARootInit": (INT, [PTR, INT, PTR]),
    "IDAGetRootInfo": (INT, [PTR, PTR]),
    "IDASetNoInactiveRootWarn": (INT, [PTR]),
    "IDASetMaxErrTestFails": (INT, [PTR, INT]),
}


class Sundials:
    """The loaded functions as attributes, and their addresses for native code."""

    def __init__(self) -> None:
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
            os.environ.setdefault(name, "1")  # threads inside these libraries only cost time here
        folders = _folders()
        libraries = [ctypes.CDLL(str(_find(folders, name))) for name in _LIBRARIES]
        self.address: dict[str, int] = {}
        for name, (result, arguments) in _SIGNATURES.items():
            function = next((getattr(lib, name) for lib in libraries if hasattr(lib, name)), None)
            if function is None:
                raise InternalError("E910", f"the SUNDIALS libraries of scikit-sundae lack '{name}'")
            function.restype = result
            function.argtypes = arguments
            setattr(self, name, function)
            self.address[name] = ctypes.cast(function, PTR).value or 0
        self._check_version()

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)

    def _check_version(self) -> None:
        numbers = [ctypes.c_int() for _ in range(3)]
        label = ctypes.create_string_buffer(16)
        self.SUNDIALSGetVersionNumber(*(ctypes.byref(n) for n in numbers), label, len(label))
        self.version = tuple(n.value for n in numbers)
        if self.version[0] != 7:
            found = ".".join(map(str, self.version))
            raise InternalError("E911", f"SUNDIALS 7 is needed, scikit-sundae brings {found}")

    def count(self, function: str, memory: Any) -> int:
        """A counter of the integrator."""
        value = ctypes.c_long()
        getattr(self, function)(memory, ctypes.byref(value))
        return value.value

    @contextmanager
    def context(self) -> Iterator[Any]:
        """A SUNContext of one's own: they must not be shared between threads. Silent: we word the errors."""
        context = ctypes.c_void_p()
        if self.SUNContext_Create(0, ctypes.byref(context)) != 0:
            raise InternalError("E912", "SUNDIALS could not create a context")
        self.SUNContext_ClearErrHandlers(context)
        try:
            yield context
        finally:
            self.SUNContext_Free(ctypes.byref(context))


@cache
def sundials() -> Sundials:
    """The libraries, loaded on first use."""
    return Sundials()


def _folders() -> list[Path]:
    """Where wheels of the three systems keep their libraries."""
    found = importlib.util.find_spec("sksundae")
    if found is None or not found.submodule_search_locations:
        raise InternalError("E913", "scikit-sundae is not installed", advice="pip install scikit-sundae")
    package = Path(next(iter(found.submodule_search_locations)))
    return [package.parent / "scikit_sundae.libs", package / ".dylibs", package]


def _find(folders: list[Path], name: str) -> Path:
    for folder in folders:
        files = _files(folder)
        for mark in (f"sundials_{name}-", f"sundials_{name}."):
            for file in files:
                if mark in file:
                    return folder / file
    raise InternalError("E914", f"no SUNDIALS library '{name}' in {', '.join(map(str, folders))}")


@cache
def _files(folder: Path) -> list[str]:
    return sorted(os.listdir(folder)) if folder.is_dir() else []


@cache
def linear_solver_layout() -> dict[str, int]:
    """Word numbers inside SUNDIALS' linear solver object, measured on a dense solver.

    The layout changed between minor versions; comparing the words of a known object with known addresses finds the
    pointer to the table of operations and, in that table, the operations to be filled in.
    """
    library = sundials()
    memory = (DOUBLE * 2)()
    with library.context() as context:
        vector = library.N_VMake_Serial(2, ctypes.addressof(memory), context)
        matrix = library.SUNDenseMatrix(2, 2, context)
        solver = library.SUNLinSol_Dense(vector, matrix, context)
        words = (ctypes.c_size_t * 6).from_address(solver)
        ops_word = next(k for k in range(1, 6) if words[k] == context.value) - 1
        table = (ctypes.c_size_t * 16).from_address(words[ops_word])
        layout = {"ops": ops_word}
        for operation in ("GetType", "Setup", "Solve"):
            layout[operation] = list(table).index(library.address[f"SUNLinSol{operation}_Dense"])
        library.SUNLinSolFree(solver)
        library.SUNMatDestroy(matrix)
        library.N_VDestroy(vector)
    return layout


@cache
def nonlinear_solver_layout() -> dict[str, int]:
    """The same for the nonlinear solver, measured on Newton's method."""
    library = sundials()
    memory = (DOUBLE * 2)()
    with library.context() as context:
        vector = library.N_VMake_Serial(2, ctypes.addressof(memory), context)
        solver = library.SUNNonlinSol_Newton(vector, context)
        words = (ctypes.c_size_t * 6).from_address(solver)
        ops_word = next(k for k in range(1, 6) if words[k] == context.value) - 1
        table = list((ctypes.c_size_t * 18).from_address(words[ops_word]))
        layout = {"ops": ops_word}
        for operation in NONLINEAR_OPERATIONS:
            layout[operation] = table.index(library.address[f"SUNNonlinSol{operation}_Newton"])
        library.SUNNonlinSolFree(solver)
        library.N_VDestroy(vector)
    return layout
