"""Models as Modelica packages."""
