"""The table of external functions that are served here, by their names in C and Fortran."""

from __future__ import annotations

from tellegen.frontends.modelica.evaluation.external import tables, time_tables
from tellegen.frontends.modelica.evaluation.external.files import FILE_FUNCTIONS
from tellegen.frontends.modelica.evaluation.external.linear_algebra import LAPACK
from tellegen.frontends.modelica.evaluation.external.random_numbers import RANDOM_FUNCTIONS
from tellegen.frontends.modelica.evaluation.external.served import Served
from tellegen.frontends.modelica.evaluation.external.strings import STRING_FUNCTIONS
from tellegen.frontends.modelica.evaluation.external.transforms import TRANSFORMS

_TABLES = {
    "CombiTable1D_getValue": tables.value_1d,
    "CombiTable1D_getDerValue": tables.rate_1d,
    "CombiTable1D_minimumAbscissa": lambda store, table: float(tables.limits_1d(store, table)[0]),
    "CombiTable1D_maximumAbscissa": lambda store, table: float(tables.limits_1d(store, table)[1]),
    "CombiTable2D_getValue": tables.value_2d,
    "CombiTable2D_getDerValue": tables.rate_2d,
    "CombiTable2D_minimumAbscissa": tables.first_2d,
    "CombiTable2D_maximumAbscissa": tables.last_2d,
    "CombiTimeTable_getValue": time_tables.value_at_time,
    "CombiTimeTable_nextTimeEvent": time_tables.next_time_event,
    "CombiTimeTable_minimumTime": lambda store, table: float(time_tables.limits_of_time(store, table)[0]),
    "CombiTimeTable_maximumTime": lambda store, table: float(time_tables.limits_of_time(store, table)[1]),
}
FUNCTIONS: dict[str, Served] = {
    **{f"ModelicaStandardTables_{name}": Served(function, symbolic=True) for name, function in _TABLES.items()},
    **STRING_FUNCTIONS,
    **FILE_FUNCTIONS,
    **RANDOM_FUNCTIONS,
    **TRANSFORMS,
    **LAPACK,
}
