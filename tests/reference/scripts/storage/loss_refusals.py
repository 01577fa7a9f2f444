"""What losses refuse, and what they warn about."""
import torch
import torch.nn.functional as F

x = torch.randn(2, 3)


def attempt(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__)


attempt("class", lambda: F.cross_entropy(x, torch.tensor([0, 3])))
attempt("batch", lambda: F.cross_entropy(x, torch.tensor([0])))
attempt("dtype", lambda: F.cross_entropy(x, torch.tensor([0.0, 1.0])))
attempt("reduction", lambda: F.mse_loss(x, x, reduction="avg"))
attempt("bce range", lambda: F.binary_cross_entropy(x * 100, torch.ones(2, 3)))
attempt("bce shape", lambda: F.binary_cross_entropy(torch.ones(2, 3), torch.ones(2)))
attempt("logits shape", lambda: F.binary_cross_entropy_with_logits(x, torch.ones(2)))
attempt("mse broadcast", lambda: F.mse_loss(torch.zeros(2, 1), torch.zeros(2)))
attempt("mse shape", lambda: F.mse_loss(torch.zeros(2), torch.zeros(3)))
attempt("all ignored", lambda: F.cross_entropy(torch.zeros(1, 2), torch.tensor([-100])))
attempt("nll dims", lambda: F.nll_loss(torch.zeros(2, 3, 4, 4), torch.zeros(2, 4, 4, dtype=torch.long)).item())
attempt("one sample", lambda: F.cross_entropy(torch.zeros(3), torch.tensor(1)))
attempt("empty", lambda: F.mse_loss(torch.zeros(0), torch.zeros(0)))
attempt("kl mean", lambda: F.kl_div(torch.zeros(2, 2), torch.zeros(2, 2)))
attempt("gaussian", lambda: F.gaussian_nll_loss(torch.zeros(2), torch.zeros(2), torch.tensor([-1.0, 1.0])))
attempt("softmax dim", lambda: F.softmax(torch.zeros(2), dim=3))
attempt("embedding", lambda: F.embedding(torch.tensor([5]), torch.zeros(2, 2)))
attempt("dropout", lambda: F.dropout(x, 1.5))
attempt("linear", lambda: F.linear(x, torch.ones(2, 2)))
attempt("one_hot", lambda: F.one_hot(torch.tensor([0, 2])))
attempt("pad", lambda: F.pad(torch.ones(1, 3), (4, 0), mode="reflect"))
