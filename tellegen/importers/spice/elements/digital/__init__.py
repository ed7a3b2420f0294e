"""A: digital code models, which compute logical values at events, and the bridges between them and voltages.

outputs     what every digital part has at its end: a delay that differs for rising and falling values
gates       gates, buffers that can be switched off
registers   flip-flops and latches
bridges     from voltages to logical values, and back
nodes       a node that several outputs may drive
cards       one card -> parts
wiring      digital nodes -> equations between parts, also across subcircuits
"""
