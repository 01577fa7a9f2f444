"""The program language: its syntax and words, how a program is split into what an engine runs and
what the judge expects, and the forms in which engines get it.
"""
