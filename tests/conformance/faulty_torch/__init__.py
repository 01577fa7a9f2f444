"""Faulty engines made by breaking PyTorch in one place each, and what the suite notices of them.

The bank of `gradspec check --adequacy` breaks our own reference, so it knows only mistakes that the
reference could make. These break PyTorch itself, from outside, as a careless rewrite of it would.
"""
