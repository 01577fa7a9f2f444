"""What a tensor is: an array, its version counter, and its place in the recorded graph.

Beside the class `Tensor` stand the state that few tensors have, views and what a write through one
of them does, the memory that tensors share, construction and printing. A tensor has no operations
here; `ops.methods` binds them to the class.
"""
