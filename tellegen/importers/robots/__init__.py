"""Robots as other programs describe them: URDF (`tg.read_urdf`) and the rigid part of MJCF (`tg.read_mjcf`).

xml_elements        files as elements that know their lines
urdf                robots: links and joints as a tree
urdf_elements       one link, joint or geometry each
mjcf                MuJoCo's models
mjcf_settings       what holds for a whole file: angles, default classes
mjcf_bodies         bodies and their joints
mjcf_geoms          shapes and masses
mjcf_couplings      equality constraints and actuators
"""
