"""The faults, by what they break. `torch` stands for the engine that is being broken: PyTorch, or the
reference, whose public names are the same."""
