"""Tells people what a run came to: messages, causes, the summary on the terminal, scripts that
reproduce a case, and the behavior report.
"""
