"""What adapters are built from: the interface of an engine, engines of this process and of another,
and generic layers for engines with PyTorch's or NumPy's names.
"""
