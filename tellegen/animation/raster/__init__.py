"""Pictures of scenes by native code, without a graphics processor and without a window.

buffers   the records that native code and Python share
kernels   the loops over triangles and pixels, as procedures; native: compiled
geometry  where a camera or a light sees triangles
lighting  the light with its shadows, the ground, colours
poses     a scene at a time, in world coordinates
painter   all of it: a scene at a time as pixels
"""
