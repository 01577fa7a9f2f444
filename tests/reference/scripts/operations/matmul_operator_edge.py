"""The @ operator and its in-place twin, reflected operators, subclasses of number."""

import torch
from fractions import Fraction

x = torch.tensor([1.0, 2.0])
for f in [
    lambda: x @ x,
    lambda: x.__matmul__(x),
    lambda: x.__rmatmul__(torch.eye(2)),
    lambda: x.__radd__(1),
    lambda: x.__rsub__(1),
    lambda: x.__rmul__(2),
    lambda: x.__rtruediv__(2),
    lambda: x.__rpow__(2),
    lambda: x.__rfloordiv__(5),
    lambda: x.__rmod__(5),
    lambda: x.__neg__(),
    lambda: x.__pos__(),
    lambda: x.__abs__(),
    lambda: x.__eq__(1),
    lambda: x.__ne__(1),
    lambda: x.__lt__(2),
    lambda: x.__bool__(),
    lambda: x.__invert__(),
    lambda: x.int().__and__(1),
    lambda: x.int().__rand__(1),
    lambda: x.int().__ror__(1),
    lambda: x.int().__rxor__(1),
    lambda: x.__contains__(1.0),
    lambda: x.__len__(),
    lambda: x.__getitem__(0),
    lambda: x.sum().__float__(),
    lambda: x.sum().__int__(),
    lambda: x.__iadd__(1),
    lambda: x.__imul__(2),
    lambda: x.__itruediv__(2),
    lambda: x.__isub__(1),
    lambda: x.__ipow__(2),
    lambda: x.__ifloordiv__(1),
    lambda: x.__imod__(3),
    lambda: x + Fraction(1, 2),
    lambda: x * True,
    lambda: x.__div__(2),
    lambda: x.sum().__complex__(),
    lambda: x.sum().__index__(),
    lambda: x.int().sum().__index__(),
    lambda: x.__array__(),
    lambda: x.__reversed__(),
    lambda: x.__format__(""),
    lambda: x.__dir__() is not None,
    lambda: x.__hash__() == id(x),
    lambda: x.__add__("a"),
    lambda: x.__add__(None),
    lambda: x.__eq__("a"),
]:
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__)


class Two:
    def __radd__(self, other):
        return "radd"

    def __rmatmul__(self, other):
        return "rmatmul"

    def __mul__(self, other):
        return "mul"


for f in [lambda: x + Two(), lambda: x @ Two(), lambda: Two() * x, lambda: x - Two()]:
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__)
