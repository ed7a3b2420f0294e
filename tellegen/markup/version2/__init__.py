"""Version 2: documents that hold a frozen model, with everything that decides what is simulated.

sources, quantities             where things were written; numbers in their units
write_model                     a Model as an element; write_component, write_statements: one kind, one statement
read_model                      an element as a Model; read_component, read_statements, read_frames in the same order
callables, code_references      tables, and code that is named
check_outers                    what components use of those around them must be there
"""
