"""The studio: models composed, checked and run in a browser. Whatever is done there is a splice of a Python file.

`document` reads a diagram from the text of a file and writes operations into it, without running it; `library` holds
what is known of the classes that parts can have; `worker` is the process that runs a model; `server` is between these
and the page.
"""
