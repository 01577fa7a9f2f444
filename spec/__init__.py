"""The specification: behaviors as data, the language they are written in, and its checker.

Nothing in this package depends on an engine. `load_spec` turns the YAML files into `Behavior`s and
`Case`s; each case lowers to a `Program` (what an engine runs) and a list of `Expectation`s (what
the judge compares), kept apart so that no engine ever sees the expectations.
"""
