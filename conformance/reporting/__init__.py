"""Reports the results of a run: messages, causes, the summary on the terminal, scripts that
reproduce a case, and the behavior report.
"""
