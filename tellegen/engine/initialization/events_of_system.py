"""The events of a system in ODE mode, with native code that solves for its unknowns."""

from __future__ import annotations

from tellegen.engine.events.event_handler import EventHandler, NativeSolve
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialize import continued
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.run_options import Options
from tellegen.engine.runtime.runtimes import event_runtime, ode_runtime
from tellegen.ir.model import FloatArray


def events_of(system: OdeSystem, options: Options) -> EventHandler:
    """The events of a system in ODE mode; kept with it from run to run."""
    machine = system.attachment(EventHandler) or system.attach(EventHandler(system.model, system.p))
    machine.reset(options.start, options.length, options.rtol)
    machine.select_states(system.program.states)

    def rescue(t: float, y: FloatArray, yp: FloatArray) -> Consistent | None:
        """All unknowns at once by the Newton of initial values, then in order again."""
        found = continued(system.model, Point(t, system.p), y, yp)
        if found is None:
            return None
        system.y[:], system.yp[:] = found
        return Consistent(system.y, system.yp) if system.rhs(t, system.y[system.states]) else None

    fill = event_runtime().addresses["event_fill"] if machine.delays is not None else 0
    varies = machine.delays is not None and bool(machine.delays.varies.any())
    refill = event_runtime().addresses["event_refill"] if varies else 0
    system.record.set(events=machine.record.address, event_fill=fill, event_refill=refill)
    code = NativeSolve(ode_runtime().addresses["ode_again"], system.record.address)
    machine.bind_native(system.y, system.yp, code, rescue)
    return machine
