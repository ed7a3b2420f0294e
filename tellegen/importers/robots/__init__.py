"""Robots as other programs describe them: URDF (`tg.read_urdf`) and the rigid part of MJCF (`tg.read_mjcf`).

xml_elements        files as elements that know their lines
urdf                robots: links and joints as a tree
urdf_elements       one link, joint or geometry each
"""
