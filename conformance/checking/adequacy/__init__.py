"""Adequacy: would the suite notice? A bank of faults breaks the reference or PyTorch in one place at a
time; a fault that no case notices is a hole in the specification."""
