"""In-place operations on integer and boolean tensors: casts allowed and refused."""
import torch


def attempt(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__)


attempt("int += int", lambda: torch.tensor([1, 2]).add_(3))
attempt("int += float", lambda: torch.tensor([1, 2]).add_(3.5))
attempt("int += 3.0", lambda: torch.tensor([1, 2]).add_(3.0))
attempt("int *= True", lambda: torch.tensor([1, 2]).mul_(True))
attempt("uint8 wraps", lambda: torch.tensor([250, 3], dtype=torch.uint8).add_(10))
attempt("int8 wraps", lambda: torch.tensor([127], dtype=torch.int8) + 1)
attempt("int32 += int64", lambda: torch.tensor([1], dtype=torch.int32).add_(torch.tensor([2])))
attempt("float += int", lambda: torch.tensor([1.0]).add_(torch.tensor([2])))
attempt("half += float", lambda: torch.tensor([1.0], dtype=torch.float16).add_(torch.tensor([2.0])))
attempt("float += double", lambda: torch.tensor([1.0]).add_(torch.tensor([0.1], dtype=torch.float64)))
attempt("float += complex", lambda: torch.tensor([1.0]).add_(1j))
attempt("bool |= int", lambda: torch.tensor([True]).logical_or_(torch.tensor([0])))
attempt("bool += True", lambda: torch.tensor([True, False]).add_(True))
attempt("bool += 1", lambda: torch.tensor([True, False]).add_(1))
attempt("int /= 2", lambda: torch.tensor([4]).div_(2))
attempt("int //= 2", lambda: torch.tensor([5]).floor_divide_(2))
attempt("int sqrt_", lambda: torch.tensor([4]).sqrt_())
attempt("int pow_", lambda: torch.tensor([4]).pow_(2))
attempt("int copy_ float", lambda: torch.tensor([4]).copy_(torch.tensor([2.9])))
attempt("int fill_ float", lambda: torch.tensor([4]).fill_(2.9))
attempt("int setitem float", lambda: torch.tensor([4, 5]).index_fill_(0, torch.tensor([0]), 2.9))
attempt("bool fill_", lambda: torch.tensor([True]).fill_(0.1))
attempt("bool setitem", lambda: torch.zeros(2, dtype=torch.bool).masked_fill_(torch.tensor([True, False]), 1))
attempt("int clamp_ float", lambda: torch.tensor([4]).clamp_(max=2.5))
attempt("eq_", lambda: torch.tensor([1, 2]).eq_(torch.tensor([1, 3])))
attempt("lt_", lambda: torch.tensor([1.0, 2.0]).lt_(1.5))
attempt("logical_not_", lambda: torch.tensor([1.0, 0.0]).logical_not_())
attempt("bitwise", lambda: torch.tensor([6]).bitwise_and_(3).bitwise_or_(8).bitwise_xor_(1))
