"""Version 1: the Composable Simulation Markup Language, every element and attribute of its document type.

schema                  how a record declares its attributes and its content
declarations, records   the elements
convert                 elements to records and back, checked

The document type of the source is repaired where it cannot be meant as printed:

- `super-type`, `sub-types`, `min` and `max` take names and numbers; as printed they accept the word NMTOKEN only.
- `url` of a component is optional: the listings of the source leave it out.
- The listings are an interface and an implementation without a document around them, so either may be outermost.
"""
