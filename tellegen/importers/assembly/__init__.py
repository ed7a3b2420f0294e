"""Assemblies of rigid parts, as URDF, MJCF and STEP files describe them, and how they become components.

pose                where frames are
mass_properties     mass, centre of mass, inertia, and how they add up
shapes              simple solids in closed form
triangle_mesh       STL and OBJ files, volume integrals
records             parts, joints, the file they come from
reduction           lumps, duplicate joints
edits               what the user says about it
assembly            all of that with a face
"""
