"""How operations are recorded and how a backward pass runs.

Forward: `recording` makes the node of a call, of a class that `rules` derives from the operation's
row. Backward: `backward_pass` runs the nodes, with the hooks of `running_hooks`. Saved tensors may
go through `saved_hooks`, and `tangents` is what forward mode does at each operation.
"""
