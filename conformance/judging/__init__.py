"""From an engine's observations to a verdict: comparing values, judging a case, known failures,
scores. Nothing here runs an engine.
"""
