"""Functions of Modelica as native code: what cannot be inlined."""
