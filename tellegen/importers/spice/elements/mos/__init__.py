"""M: MOS transistors by the levels of their models."""
