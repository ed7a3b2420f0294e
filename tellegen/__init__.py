"""Tellegen: compose multi-domain physical systems from components, simulate them, design with them."""

from tellegen.compile import flatten_model as flatten
from tellegen.errors import (
    ExportError,
    InternalError,
    LanguageError,
    NumericError,
    StructureError,
    TellegenError,
)
from tellegen.frontends.python.component import Component, outer
from tellegen.frontends.python.connector import Connector
from tellegen.frontends.python.declare import (
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
from tellegen.frontends.python.function import function
from tellegen.frontends.python.functions import (
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
from tellegen.frontends.python.software import Software, c_code
from tellegen.frontends.python.statements import actual_stream, assert_, in_stream, reinit, terminate, when
from tellegen.frontends.python.system import System

__version__ = "0.1.0"
