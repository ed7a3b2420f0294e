"""FMUs as components: their equations solved with the model (Model Exchange), or stepped by it (Co-Simulation)."""
