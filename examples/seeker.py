"""The missile seeker of A. Diaz-Calderon's thesis (2000) from CAD: nine parts in a STEP file, with their drives.

The script draws housing, ring, camera, connectors and shafts and writes them as a STEP file, as a CAD program would.
Reading it gives masses and inertias from volumes and densities, and ten contacts between parts. Six of them are bolted;
the other four are bearings, in pairs on one axis. What remains are three bodies and two joints (tables 1 to 3 of the
thesis), pitch and yaw, each with a motor, a gear and a controller. The page seeker.html shows the parts in motion.

Drawing and reading need the CAD kernel, pip install 'tellegen[cad]'. Without it the assembly is loaded from
data/seeker.json, which this script saved.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import machines, multibody
from tellegen.library import rotational as rot

SAVED = Path(__file__).parent / "data" / "seeker.json"
DENSITY = {"gimbal*": 1200, "yaw*": 1200, "*": 1070}  # ABS, from the thesis [kg/m3]


def draw() -> dict[str, Any]:
    """The nine bodies of table 1, in millimetres: a camera on two shafts in a ring, which turns in a housing."""
    from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse  # type: ignore[import-not-found]
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder  # type: ignore[import-not-found]
    from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt  # type: ignore[import-not-found]

    def box(low: tuple[float, ...], high: tuple[float, ...]) -> Any:
        return BRepPrimAPI_MakeBox(gp_Pnt(*low), gp_Pnt(*high)).Shape()

    def cylinder(base: tuple[float, ...], direction: tuple[float, ...], radius: float, length: float) -> Any:
        return BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(*base), gp_Dir(*direction)), radius, length).Shape()

    def fuse(shape: Any, *others: Any) -> Any:
        for other in others:
            shape = BRepAlgoAPI_Fuse(shape, other).Shape()
        return shape

    def cut(shape: Any, *others: Any) -> Any:
        for other in others:
            shape = BRepAlgoAPI_Cut(shape, other).Shape()
        return shape

    x = (1, 0, 0)
    sides = (1, -1)
    arms = [box((-140, min(125 * s, 135 * s), -20), (20, max(125 * s, 135 * s), 20)) for s in sides]
    ring = cut(cylinder((-22.5, 0, 0), x, 100, 45), cylinder((-30, 0, 0), x, 90, 60))
    bosses = [cylinder((0, 95 * s, 0), (0, s, 0), 14, 12) for s in sides]
    bosses += [cylinder((0, 0, 80 * s), (0, 0, s), 12, 12) for s in sides]
    bores = [cylinder((0, 85 * s, 0), (0, s, 0), 6, 30) for s in sides]
    pads = [cylinder((0, 0, 30 * s), (0, 0, s), 12, 15) for s in sides]
    parts = {
        "housing": fuse(box((-150, -135, -60), (-140, 135, 60)), *arms),
        "gimbal_ring": cut(fuse(ring, *bosses), *bores),
        "camera": fuse(cylinder((-25, 0, 0), x, 40, 50), *pads),
    }
    for letter, s in zip("ab", sides, strict=True):
        y, z = (0, s, 0), (0, 0, s)
        pin = cylinder((0, 92 * s, 0), y, 6, 15)
        bore = cylinder((0, 0, 60 * s), z, 5, 20)
        journal = cylinder((0, 0, 60 * s), z, 5, 18)
        parts[f"pitch_connector_{letter}"] = fuse(cylinder((0, 107 * s, 0), y, 10, 18), pin)
        parts[f"yaw_connector_{letter}"] = cut(cylinder((0, 0, 60 * s), z, 10, 20), bore)
        parts[f"shaft_{letter}"] = fuse(cylinder((0, 0, 45 * s), z, 8, 15), journal)
    return parts


def write_step(path: Path, parts: dict[str, Any]) -> None:
    """Parts by name as a STEP file."""
    from OCP.Message import Message  # type: ignore[import-not-found]
    from OCP.STEPCAFControl import STEPCAFControl_Writer  # type: ignore[import-not-found]
    from OCP.TCollection import TCollection_ExtendedString  # type: ignore[import-not-found]
    from OCP.TDataStd import TDataStd_Name  # type: ignore[import-not-found]
    from OCP.TDocStd import TDocStd_Document  # type: ignore[import-not-found]
    from OCP.XCAFDoc import XCAFDoc_DocumentTool  # type: ignore[import-not-found]

    document = TDocStd_Document(TCollection_ExtendedString("seeker"))
    shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    for name, shape in parts.items():
        TDataStd_Name.Set_s(shapes.AddShape(shape, False), TCollection_ExtendedString(name))
    Message.DefaultMessenger_s().ChangePrinters().Clear()  # it is talkative
    writer = STEPCAFControl_Writer()
    writer.Transfer(document)
    writer.Write(str(path))


def decide(seeker: tg.Assembly) -> tg.Assembly:
    """What geometry cannot know: which parts are bolted together, and where the motors are."""
    seeker.glue("housing", "pitch_connector_*").glue("gimbal_ring", "yaw_connector_*").glue("camera", "shaft_*")
    seeker.joint("pitch_connector_a", "gimbal_ring", name="pitch", actuated=True)
    seeker.joint("yaw_connector_a", "shaft_a", name="yaw", actuated=True)
    return seeker.accept()


def read(folder: Path) -> tg.Assembly:
    """The assembly, from a STEP file or from what was saved."""
    if find_spec("OCP") is None:
        return tg.Assembly.load(SAVED)
    file = folder / "seeker.step"
    write_step(file, draw())
    return decide(tg.read_step(file, density=DENSITY, ground="housing"))


class Drive(tg.Component):
    """A motor with a gear and a PD controller of the angle; the motor is fed by an amplifier of 24 V."""

    flange = rot.Flange("to the joint")
    wanted = tg.parameter(0.14, "rad", "the angle to go to")
    kp = tg.parameter(300.0, "V/rad", "proportional gain")
    kd = tg.parameter(12.0, "V.s/rad", "derivative gain")
    limit = tg.parameter(24.0, "V", "of the amplifier")
    amplifier = el.SignalVoltage()
    motor = machines.DC_PermanentMagnet(k=0.05, Ra=2.3, La=1e-3, Jr=4e-6, d=1e-5)
    gear = rot.IdealGear(ratio=30.0)
    ground = el.Ground()

    def equations(self) -> Iterator[Any]:
        """Angle and speed of the joint are those after the gear."""
        speed = self.motor.w / self.gear.ratio
        voltage = self.kp * (self.wanted - self.gear.flange_b.phi) - self.kd * speed
        yield self.amplifier.u == tg.maximum(tg.minimum(voltage, self.limit), -self.limit)

    def connections(self) -> Iterator[Any]:
        """From the amplifier to the joint."""
        yield self.amplifier.p, self.motor.pin_ap
        yield self.amplifier.n, self.motor.pin_an, self.ground.p
        yield self.motor.flange, self.gear.flange_a
        yield self.gear.flange_b, self.flange


def seeker_with_drives(assembly: tg.Assembly) -> tg.Component:
    """Both axes get steps of 0.14 rad in opposite directions, as in the thesis."""

    class Seeker(tg.Component):
        world = multibody.World(n=[0, 0, -1], animation=False)
        mechanism = assembly.component()
        pitch = Drive(wanted=0.14)
        yaw = Drive(wanted=-0.14)

        def connections(self) -> Iterator[Any]:
            yield self.world.frame_b, self.mechanism.mount
            yield self.pitch.flange, self.mechanism.axis_pitch
            yield self.yaw.flange, self.mechanism.axis_yaw

    return Seeker()


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Read the seeker, show what it is reduced to, and simulate it."""
    folder.mkdir(parents=True, exist_ok=True)
    assembly = read(folder)
    print(assembly.reduced_graph)
    for lump in assembly.lumps:
        print(f"{lump.name}: {lump.mass.m:.3f} kg")
    solution = tg.simulate(seeker_with_drives(assembly), stop=0.3)
    solution.plot("mechanism.pitch.phi", "mechanism.yaw.phi").savefig(folder / "seeker.png")
    solution.animate(folder / "seeker.html")
    angles = {name: solution[f"mechanism.{name}.phi"][-1] for name in ("pitch", "yaw")}
    print(f"after 0.3 s: pitch {angles['pitch']:.4f} rad, yaw {angles['yaw']:.4f} rad")
    print(f"plot:  {folder / 'seeker.png'}, animation: {folder / 'seeker.html'}")
    return solution


if __name__ == "__main__":
    main()
