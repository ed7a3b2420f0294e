"""CAD assemblies: `tg.read_step("seeker.step", density=...)`.

kernel      the only file that knows the CAD kernel: solids with names and places, their faces, areas of contact
faces       faces as numbers: plane, cylinder, sphere, cone
contacts    which faces of two parts touch, and what motion each contact permits
joints      joints that follow from the contacts of two parts, with their evidence
worker      all of that for one file, in a process of its own
geometry    asks the worker, or the cache
read        densities and the ground -> an assembly
"""
