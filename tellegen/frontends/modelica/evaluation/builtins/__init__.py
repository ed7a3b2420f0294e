"""The built-in operators and functions of Modelica (MLS 3.7, 10.3, 15.2)."""
