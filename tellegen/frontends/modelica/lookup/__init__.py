"""Names and classes: views of classes with redeclarations in force, inheritance, imports, types (MLS 4 to 7)."""
