"""What numbers live in: dtypes, devices, and the array libraries behind them.

NumPy is always there; others are found through the array that is given. The engine computes with
NumPy's functions, which hand over to the array's own library where it has one (``__array_ufunc__``,
``__array_function__``). This package holds the rest: the kernels that array namespaces lack, making
arrays, and telling where an array lives. Nothing here knows tensors.
"""
