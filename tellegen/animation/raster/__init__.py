"""Pictures of scenes by native code, without a graphics processor and without a window.

kernels   the loops over triangles and pixels, as procedures
painter   a scene at a time as an array of pixels, from transformed vertices to the mean of the samples
"""
