"""The specification checker, and the ledger of what PyTorch's documentation states."""
