"""Whether a class has all that an interface promises, and in words what it lacks (the rules of subtyping)."""

from __future__ import annotations

from typing import Any

from tellegen.errors import nearest


def differences(given: Any, wanted: Any) -> list[str]:
    """What keeps a class from having the ports, signals and parameters of an interface, a sentence each."""
    return [*_ports(given, wanted), *_signals(given, wanted), *_parameters(given, wanted)]


def _ports(given: Any, wanted: Any) -> list[str]:
    found = []
    offered = given._info.ports
    for name, port in wanted._info.ports.items():
        other = offered.get(name)
        if other is None:
            found.append(f"it has no port '{name}' ({type(port).__name__}); {nearest(name, offered)}")
        elif not _port_fits(other, port):
            found.append(f"its port '{name}' is a {type(other).__name__}, not a {type(port).__name__}")
        elif (other._count is None) != (port._count is None):
            found.append(f"its port '{name}' is {'one connector' if other._count is None else 'an array'}")
    return found


def _port_fits(given: Any, wanted: Any) -> bool:
    return given._family == wanted._family or isinstance(given, type(wanted))


def _signals(given: Any, wanted: Any) -> list[str]:
    found = []
    offered = given._info.variables
    for name, signal in wanted._info.variables.items():
        other = offered.get(name)
        if other is None:
            found.append(f"it has no {_role(signal)} '{name}'; {nearest(name, offered)}")
        elif other.role != signal.role:
            found.append(f"its '{name}' is of role {other.role}, not {signal.role}")
        elif other.unit.dimension != signal.unit.dimension:
            found.append(f"its '{name}' is in {_unit(other)}, not in {_unit(signal)}")
    return found


def _role(signal: Any) -> str:
    return signal.role if signal.role in ("input", "output") else "variable"


def _parameters(given: Any, wanted: Any) -> list[str]:
    found = []
    offered = {**given._info.structural, **given._info.parameters}
    for name, parameter in {**wanted._info.structural, **wanted._info.parameters}.items():
        other = offered.get(name)
        meaning = f" ({_token(wanted, name)})" if _token(wanted, name) else ""
        if other is None:
            found.append(f"it has no parameter '{name}'{meaning}; {nearest(name, offered)}")
        elif other.structural != parameter.structural:
            found.append(f"its parameter '{name}' is {'' if other.structural else 'not '}structural")
        elif other.unit.dimension != parameter.unit.dimension:
            found.append(f"its parameter '{name}' is in {_unit(other)}, not in {_unit(parameter)}")
        elif _token(given, name) != _token(wanted, name):
            means = _token(given, name) or "nothing stated"
            found.append(f"its parameter '{name}' means {means}, not {_token(wanted, name) or 'nothing stated'}")
    return found


def tokens(cls: Any) -> set[str]:
    """The semantics tokens that an interface states."""
    return {_token(cls, name) for name in (*cls._info.parameters, *cls._info.structural)} - {""}


def _token(cls: Any, name: str) -> str:
    """The semantics token of a parameter; one that is declared again without a token keeps that of the base."""
    for base in cls.__mro__:
        info = base.__dict__.get("_info")
        section = info.order.get(name) if info is not None else None
        if section in ("parameters", "structural") and getattr(info, section)[name].semantics:
            return getattr(info, section)[name].semantics
    return ""


def _unit(declared: Any) -> str:
    return declared.unit.text or "no unit"
