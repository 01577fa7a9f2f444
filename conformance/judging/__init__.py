"""From what an engine reported to a verdict: comparing values, judging a case, known differences,
scores. Nothing here runs an engine.
"""
