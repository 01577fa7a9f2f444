"""Seeded random numbers and their kin."""
import torch

torch.manual_seed(0)
print(torch.rand(3), torch.randn(2, 2), torch.randint(0, 10, (4,)), torch.randperm(5))
torch.manual_seed(0)
print(torch.rand(3))
print(torch.rand(2, dtype=torch.float64), torch.randn(2, dtype=torch.float64), torch.randint(5, (2,)), torch.randint(low=3, high=9, size=(2, 2), dtype=torch.int32))
g = torch.Generator().manual_seed(42)
print(torch.rand(2, generator=g), torch.randn(3, generator=g), torch.randint(0, 100, (3,), generator=g), torch.randperm(4, generator=g))
print(g.initial_seed(), torch.initial_seed(), g.device)
torch.manual_seed(7)
x = torch.randn(4, requires_grad=True)
print(x, x.is_leaf, torch.rand_like(x), torch.randn_like(x).requires_grad)
print(torch.empty(3).uniform_(-1, 1), torch.empty(3).normal_(0, 2), torch.zeros(4).bernoulli_(0.5), torch.bernoulli(torch.tensor([0.2, 0.8])), torch.normal(0.0, 1.0, (2,)), torch.normal(torch.tensor([1.0, 2.0]), torch.tensor([0.1, 0.2])))
state = torch.get_rng_state()
a = torch.rand(2)
torch.set_rng_state(state)
print(torch.equal(a, torch.rand(2)))
with torch.random.fork_rng():
    torch.manual_seed(1)
    print(torch.rand(1))
print(torch.multinomial(torch.tensor([0.1, 0.2, 0.7]), 2), torch.multinomial(torch.ones(4), 6, replacement=True))
torch.manual_seed(3)
print(torch.nn.Linear(2, 2).weight)
print(torch.nn.functional.dropout(torch.ones(8), 0.5))
print(torch.empty(2).exponential_(), torch.empty(3, dtype=torch.int64).random_(0, 10))
w = torch.empty(2, 3)
torch.nn.init.xavier_uniform_(w)
print(w)
torch.nn.init.kaiming_normal_(w)
print(w)
print(torch.rand(17)[-1], torch.randn(17)[-1], torch.randn(16)[0])
print(torch.randn((2,), dtype=torch.complex64), torch.rand(2, requires_grad=True), torch.randint(0, 2, (2, 0)))
for f in (lambda: torch.rand(2, dtype=torch.int64), lambda: torch.randint(5, 5, (2,)), lambda: torch.randperm(-1), lambda: torch.empty(2).uniform_(1, 0), lambda: torch.randn(2, generator=3), lambda: torch.randint(0, 10, (2,), requires_grad=True)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
