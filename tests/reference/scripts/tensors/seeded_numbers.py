"""Seeded random numbers, as everybody prints them."""

import torch

torch.manual_seed(0)
print(torch.rand(3))
print(torch.randn(2, 3))
print(torch.randint(0, 10, (5,)))
print(torch.randperm(6))
print(torch.randn(20))
print(torch.rand(2, 2, dtype=torch.float64), torch.randn(3, dtype=torch.float64))
print(torch.bernoulli(torch.full((5,), 0.4)), torch.normal(0.0, 2.0, (3,)), torch.normal(torch.arange(3.0), 0.1))
print(torch.empty(4).uniform_(-1, 1), torch.empty(3).normal_(10, 0.5), torch.zeros(3).exponential_())
print(torch.multinomial(torch.tensor([1.0, 2.0, 3.0]), 2), torch.multinomial(torch.tensor([1.0, 2.0, 3.0]), 5, replacement=True))
g = torch.Generator().manual_seed(7)
print(torch.rand(2, generator=g), torch.randn(2, generator=g), torch.randint(5, (2,), generator=g), torch.randperm(3, generator=g))
state = torch.get_rng_state()
a = torch.rand(2)
torch.set_rng_state(state)
print(torch.equal(a, torch.rand(2)), torch.initial_seed(), g.initial_seed())
torch.manual_seed(0)
print(torch.nn.functional.dropout(torch.ones(10), 0.5), torch.nn.Linear(2, 2).weight)
x = torch.ones(3, requires_grad=True)
y = torch.rand_like(x) * x
y.sum().backward()
print(x.grad, torch.randn_like(x).requires_grad)
