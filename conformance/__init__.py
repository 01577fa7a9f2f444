"""The suite: tests an engine against the specification, case by case.

    spec -> program -> engine -> observations -> verdict -> report

`judge` compares what an engine reported with what a case expects; `runner` runs cases; `journal`
writes and reads results; `pytest_plugin` and `cli` are the two front ends.
"""
