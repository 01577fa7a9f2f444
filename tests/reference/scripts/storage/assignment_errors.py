"""What cannot be assigned."""

import torch


def attempt(name, f):
    try:
        f()
        print(name, "ok", x.tolist())
    except Exception as e:
        print(name, type(e).__name__)


x = torch.zeros(2, 3)


def put(i, v):
    x[i] = v


attempt("int", lambda: put(0, 1))
attempt("out of range", lambda: put(2, 1))
attempt("too many", lambda: put((0, 0, 0), 1))
attempt("list value", lambda: put(0, [1, 2, 3]))
attempt("list value short", lambda: put(0, [1, 2]))
attempt("nested list", lambda: put(slice(None), [[1, 2, 3], [4, 5, 6]]))
attempt("tensor shape", lambda: put(0, torch.ones(2)))
attempt("tensor extra dim", lambda: put(0, torch.ones(1, 3)))
attempt("tensor extra dims", lambda: put(0, torch.ones(1, 1, 3)))
attempt("tensor extra dim bad", lambda: put(0, torch.ones(2, 3)))
attempt("string", lambda: put(0, "a"))
attempt("none", lambda: put(0, None))
attempt("float index", lambda: put(0.0, 1))
attempt("negative step", lambda: put(slice(None, None, -1), 1))
attempt("complex", lambda: put(0, 1j))
attempt("complex tensor", lambda: put(0, torch.tensor(1j)))
attempt("nan", lambda: put((0, 0), float("nan")))
attempt("numpy", lambda: put(0, __import__("numpy").arange(3)))
attempt("numpy scalar", lambda: put((0, 1), __import__("numpy").float64(2.5)))
attempt("bool", lambda: put((0, 0), True))
attempt("mask shape", lambda: put(torch.tensor([True, False, True]), 1))
attempt("mask value", lambda: put(torch.tensor([True, True]), torch.ones(1, 3)))
attempt("mask value bad", lambda: put(torch.tensor([True, True]), torch.ones(3, 3)))
attempt("ints", lambda: put([0, 1], torch.tensor([[1.0], [2.0]])))
attempt("ints dtype", lambda: put([0, 1], torch.ones(3, dtype=torch.int64)))
attempt("ints double", lambda: put([0, 1], torch.ones(3, dtype=torch.float64)))
attempt("mask double", lambda: put(x > 0, torch.tensor(2.0, dtype=torch.float64)))
attempt("slice double", lambda: put(slice(0, 1), torch.ones(3, dtype=torch.float64)))
attempt("pairs", lambda: put(([0, 1], [0, 1]), 8))
attempt("pairs bad", lambda: put(([0, 1], [0, 1, 2]), 8))
attempt("none index", lambda: put(None, torch.ones(1, 2, 3)))
attempt("ellipsis", lambda: put((..., 0), torch.tensor([3.0, 4.0])))
attempt("empty tuple", lambda: put((), 5))
attempt("True", lambda: put(True, 6))
attempt("False", lambda: put(False, 7))
attempt("del", lambda: x.__delitem__(0))
attempt("expanded", lambda: torch.zeros(1).expand(3).__setitem__(slice(None), 1))
attempt("expanded one", lambda: torch.zeros(1).expand(3).__setitem__(0, 1))
attempt("expanded list", lambda: torch.zeros(1).expand(3).__setitem__([0], 1.0))
