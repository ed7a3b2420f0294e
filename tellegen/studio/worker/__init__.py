"""The process that runs a model, and the other end of its pipes: whatever happens there, the server goes on."""
