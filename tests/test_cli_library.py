"""`tellegen library`: lists, finds and explains components, of the library and of a user's file."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tellegen.cli.app import app
from tellegen.cli.library import flowing

FAN = '''
import tellegen as tg
from tellegen.library import rotational as rot

class Fan(tg.Component):
    """A load whose torque grows with the square of the speed: tau = k w |w|."""

    flange = rot.Flange("shaft")
    k = tg.parameter(1e-4, "N.m.s2/rad2", "torque over speed squared")

    def equations(self):
        w = tg.der(self.flange.phi)
        yield self.flange.tau == self.k * w * abs(w)
'''

Ask = Callable[..., tuple[int, str]]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(sys, "path", list(sys.path))

    def ask(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, ["library", *arguments])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result.exit_code, result.output

    yield ask
    for name in [name for name, module in list(sys.modules.items()) if "Fan" in vars(module)]:  # looks load nothing
        del sys.modules[name]


@pytest.fixture
def fan(tmp_path: Path) -> str:
    (tmp_path / "my_fan.py").write_text(FAN, encoding="utf-8")
    return str(tmp_path / "my_fan.py")


def test_everything_is_listed_by_domain(ask: Ask) -> None:
    code, text = ask()
    assert code == 0
    words = text.split()
    assert all(name in words for name in ("electrical", "Resistor", "rotational", "Clutch", "HeatCapacitor", "PID"))
    assert words.index("electrical") < words.index("Resistor") < words.index("rotational") < words.index("Clutch")


def test_words_are_searched_in_names_texts_and_parameters(ask: Ask) -> None:
    _, springs = ask("spring")
    assert springs.index("rotational") < springs.index("translational")
    assert "Spring" in springs
    assert "Resistor" not in springs
    assert "BodyRadiation" in ask("stefan-boltzmann")[1]  # the description of a parameter
    assert "TemperatureSensor" in ask("measures", "temperature")[1]


def test_a_class_is_explained(ask: Ask) -> None:
    code, text = ask("electrical.Resistor")
    assert code == 0
    for part in ("Ohm's law", "positive pin", "resistance at T_ref", "v == R*i", "equations with use_heat_port=True"):
        assert part in text
    assert "from tellegen.library import electrical" in text
    assert "components.py:" in text.replace("\n", "")
    assert "w_rel == der(phi_rel)" in ask("rotational.Clutch")[1]
    assert "sum to zero" in ask("electrical.Pin")[1]
    assert "HeatPort[m]" in ask("thermal.ThermalCollector")[1]


def test_a_name_of_several_domains_and_a_domain_are_listed(ask: Ask) -> None:
    _, text = ask("Damper")
    assert "rotational" in text
    assert "translational" in text
    _, thermal = ask("thermal")
    assert "class Cooling" in thermal  # the example of the domain
    assert "Clutch" not in thermal


def test_what_is_not_there_is_refused_with_names(ask: Ask) -> None:
    code, text = ask("Indictor")
    assert "Inductor" in text  # close enough to be found
    code, text = ask("flux capacitor")
    assert code == 2
    assert "perhaps you meant" in text
    code, text = ask("xyzzyqwv")
    assert code == 2
    assert "nothing in the library matches 'xyzzyqwv'" in text


def test_a_file_of_the_user(ask: Ask, fan: str) -> None:
    for target in (fan, f"{fan}:Fan"):
        code, text = ask(target)
        assert code == 0
        for part in ("my_fan.Fan", "square of the speed", "N.m.s2/rad2", "flange.tau == k*der(flange.phi)"):
            assert part in text
        assert "from my_fan import Fan" in text
    code, text = ask(f"{fan}:Fun")
    assert code == 2
    assert "perhaps you meant my_fan.Fan" in text
    assert ask(fan.replace("fan", "pump"))[0] == 2


def test_json(ask: Ask) -> None:
    [found] = json.loads(ask("electrical.Capacitor", "--json")[1])
    assert found["laws"][0]["equations"][-1] == "i == C*der(v)"
    assert {"name": "C", "kind": "parameter", "unit": "F", "value": "1", "meaning": "capacitance, at least 0"} in found[
        "members"
    ]


def test_paragraphs_flow_and_formulas_stay() -> None:
    """Docstrings are as wide as the source; a terminal may not be."""
    text = (
        "A gear.\n\nIt turns\nforward:\n\n    w_a = n w_b\n    tau_a = tau_b/n\nAnd more\nof it.\n- one\n  item\n- two"
    )
    shown = flowing(text).split("\n")
    assert shown[2] == "It turns forward:"
    assert shown[4:7] == ["    w_a = n w_b", "    tau_a = tau_b/n", "And more of it."]
    assert shown[-1] == "- two"
