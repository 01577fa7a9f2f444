"""Adapters: how an engine runs a program and reports its observations.

An adapter contains no test logic and never sees the expectations. It maps names, attributes and
errors; it reports what the engine lacks as unsupported, and does not emulate it.
"""
