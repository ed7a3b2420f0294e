"""Models as XML documents: `tg.read_markup`, `tg.write_markup`.

xml         files as elements that know their lines and columns, and back
expressions names of members and equations as text, and back
version1    the Composable Simulation Markup Language: its elements as records
version2    our own documents: a frozen Model, with everything that decides what is simulated
"""
