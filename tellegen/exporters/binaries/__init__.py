"""Shared libraries of exported models for several platforms, made on one."""
