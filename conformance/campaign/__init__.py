"""Runs the suite on many engines, each in an environment of its own, and writes what was found."""
