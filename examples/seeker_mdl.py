"""The missile seeker of A. Diaz-Calderon's thesis (2000) as he wrote it: modules in MDL, their code in C.

examples/data/seeker holds the configuration with its 20 connections (listings 2-7 and C-3) and the C code of five kinds
of modules. The thesis prints that of the motor; the code of the others, and what the numbers of the gimbal mean, is
ours and said in the files. Needs a C compiler.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import tellegen as tg

MODULES = Path(__file__).resolve().parent / "data" / "seeker"


def gimbal() -> tg.Component:
    """The whole configuration, as a component."""
    return tg.read_mdl(MODULES / "seeker.mdl")()


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Print the schedule and the map of the memory, turn both axes, and plot."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        seeker = tg.read_mdl(MODULES / "seeker.mdl", module="seeker")
        system = gimbal()
    print(f"warning: {caught[0].message}\n")
    schedule = seeker.schedule()
    print(schedule.table().text())
    print()
    print(seeker.memory_map())

    solution = tg.simulate(system, stop=0.5)
    folder.mkdir(parents=True, exist_ok=True)
    schedule.plot().savefig(folder / "seeker_mdl_schedule.png")
    solution.plot("seeker_m.out0", "seeker_m.out1").savefig(folder / "seeker_mdl.png")
    pitch, yaw = (solution[f"seeker_m.out{k}"][-1] for k in (0, 1))
    print(f"\nafter 0.5 s: pitch {pitch:.4f} rad, yaw {yaw:.4f} rad")
    print(f"plots:  {folder / 'seeker_mdl.png'}, {folder / 'seeker_mdl_schedule.png'}")
    return solution


if __name__ == "__main__":
    main()
