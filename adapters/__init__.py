"""Adapters: how an engine is asked to run a program and to say what it observed.

An adapter holds no test logic and never sees what is expected. It maps names, attributes and
errors; what an engine lacks it says to be unsupported, and does not emulate.
"""
