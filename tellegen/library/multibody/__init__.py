"""Mechanisms in space: bodies, joints and forces that are connected by frames.

import tellegen as tg
from tellegen.library import multibody

class Pendulum(tg.Component):
    world = multibody.World()
    hinge = multibody.Revolute(n=[0, 0, 1], phi=tg.variable(start=0.5, fixed=True))
    rod = multibody.BodyShape(r=[0.5, 0, 0], r_CM=[0.25, 0, 0], m=1.0)

    def connections(self):
        yield self.world.frame_b, self.hinge.frame_a
        yield self.hinge.frame_b, self.rod.frame_a

tg.simulate(Pendulum(), stop=3.0).plot("hinge.phi")
"""

from __future__ import annotations

from tellegen.library.multibody.composite_joints import Cylindrical as Cylindrical
from tellegen.library.multibody.composite_joints import Gimbal as Gimbal
from tellegen.library.multibody.composite_joints import Planar as Planar
from tellegen.library.multibody.composite_joints import Screw as Screw
from tellegen.library.multibody.composite_joints import Universal as Universal
from tellegen.library.multibody.contact import BoxOnPlane as BoxOnPlane
from tellegen.library.multibody.contact import CapsuleOnPlane as CapsuleOnPlane
from tellegen.library.multibody.contact import PointsOnPlane as PointsOnPlane
from tellegen.library.multibody.contact import SphereOnPlane as SphereOnPlane
from tellegen.library.multibody.contact import SphereOnSphere as SphereOnSphere
from tellegen.library.multibody.contact import Touching as Touching
from tellegen.library.multibody.cut_sensors import CutForceAndTorque as CutForceAndTorque
from tellegen.library.multibody.forces import Bushing as Bushing
from tellegen.library.multibody.forces import Force as Force
from tellegen.library.multibody.forces import ForceAndTorque as ForceAndTorque
from tellegen.library.multibody.forces import Interaction as Interaction
from tellegen.library.multibody.forces import InteractionByInput as InteractionByInput
from tellegen.library.multibody.forces import Loading as Loading
from tellegen.library.multibody.forces import Torque as Torque
from tellegen.library.multibody.forces import WorldForce as WorldForce
from tellegen.library.multibody.forces import WorldForceAndTorque as WorldForceAndTorque
from tellegen.library.multibody.forces import WorldTorque as WorldTorque
from tellegen.library.multibody.interfaces import Frame as Frame
from tellegen.library.multibody.interfaces import OneFrame as OneFrame
from tellegen.library.multibody.interfaces import TwoFrames as TwoFrames
from tellegen.library.multibody.joints import FreeMotion as FreeMotion
from tellegen.library.multibody.joints import Prismatic as Prismatic
from tellegen.library.multibody.joints import Revolute as Revolute
from tellegen.library.multibody.joints import Spherical as Spherical
from tellegen.library.multibody.joints import Started as Started
from tellegen.library.multibody.line_forces import DampedLineForce as DampedLineForce
from tellegen.library.multibody.line_forces import Damper as Damper
from tellegen.library.multibody.line_forces import LineForce as LineForce
from tellegen.library.multibody.line_forces import LineForceWithFlanges as LineForceWithFlanges
from tellegen.library.multibody.line_forces import Spring as Spring
from tellegen.library.multibody.line_forces import SpringDamperActuator as SpringDamperActuator
from tellegen.library.multibody.line_forces import SpringDamperParallel as SpringDamperParallel
from tellegen.library.multibody.line_forces import SpringDamperSeries as SpringDamperSeries
from tellegen.library.multibody.parts import Body as Body
from tellegen.library.multibody.parts import BodyShape as BodyShape
from tellegen.library.multibody.parts import FixedRotation as FixedRotation
from tellegen.library.multibody.parts import FixedTranslation as FixedTranslation
from tellegen.library.multibody.parts import Massive as Massive
from tellegen.library.multibody.parts import PointMass as PointMass
from tellegen.library.multibody.rotors import Mounting1D as Mounting1D
from tellegen.library.multibody.rotors import Rotor1D as Rotor1D
from tellegen.library.multibody.sensors import AbsoluteAcceleration as AbsoluteAcceleration
from tellegen.library.multibody.sensors import AbsoluteAngles as AbsoluteAngles
from tellegen.library.multibody.sensors import AbsoluteAngularAcceleration as AbsoluteAngularAcceleration
from tellegen.library.multibody.sensors import AbsoluteAngularVelocity as AbsoluteAngularVelocity
from tellegen.library.multibody.sensors import AbsolutePosition as AbsolutePosition
from tellegen.library.multibody.sensors import AbsoluteSensor as AbsoluteSensor
from tellegen.library.multibody.sensors import AbsoluteVelocity as AbsoluteVelocity
from tellegen.library.multibody.sensors import Accelerometer as Accelerometer
from tellegen.library.multibody.sensors import Distance as Distance
from tellegen.library.multibody.sensors import Gyroscope as Gyroscope
from tellegen.library.multibody.sensors import RelativeAcceleration as RelativeAcceleration
from tellegen.library.multibody.sensors import RelativeAngles as RelativeAngles
from tellegen.library.multibody.sensors import RelativeAngularVelocity as RelativeAngularVelocity
from tellegen.library.multibody.sensors import RelativePosition as RelativePosition
from tellegen.library.multibody.sensors import RelativeSensor as RelativeSensor
from tellegen.library.multibody.sensors import RelativeVelocity as RelativeVelocity
from tellegen.library.multibody.shapes import BodyBox as BodyBox
from tellegen.library.multibody.shapes import BodyCylinder as BodyCylinder
from tellegen.library.multibody.shapes import BodySphere as BodySphere
from tellegen.library.multibody.shapes import Prism as Prism
from tellegen.library.multibody.world import Fixed as Fixed
from tellegen.library.multibody.world import World as World

__all__: list[str] = []
