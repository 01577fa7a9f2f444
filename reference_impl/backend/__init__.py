"""Array libraries: NumPy always, others found through the array that is given.

The engine computes with NumPy's functions, which hand over to the array's own library where it has
one (``__array_ufunc__``, ``__array_function__``). This room holds the rest: the kernels that array
namespaces lack, making arrays, and telling where an array lives.
"""
