"""What is recorded: nodes, each of which knows where gradients go and how to compute them.

Nothing here knows tensors or runs a pass; `tensor` points at nodes, and `engine` makes and runs them.
"""
