"""What fails, with its type and first words where they are well known."""
import torch

def attempt(label, f):
    try:
        r = f()
        print(f"{label}: {r}")
    except Exception as e:
        print(f"{label}: {type(e).__name__}")
x = torch.ones(3, requires_grad=True)
y = (x ** 2).sum()
attempt("first", lambda: y.backward())
attempt("second", lambda: y.backward())
z = (x * 2).sum()
attempt("linear first", lambda: z.backward())
attempt("linear second", lambda: z.backward())
w = x.sum()
attempt("sum first", lambda: w.backward())
attempt("sum second", lambda: w.backward())
print(x.grad)
attempt("no grad", lambda: torch.ones(1).backward())
attempt("no grad sum", lambda: x.detach().sum().backward())
attempt("vector", lambda: (x * 2).backward())
attempt("vector with wrong shape", lambda: (x * 2).backward(torch.ones(2)))
attempt("vector with scalar", lambda: (x * 2).backward(torch.tensor(1.0)))
attempt("vector with ones", lambda: (x * 2).backward(torch.ones(3)))
attempt("vector with list", lambda: (x * 2).backward([1.0, 1.0, 1.0]))
attempt("vector with int", lambda: (x * 2).backward(torch.ones(3, dtype=torch.int64)))
attempt("keyword", lambda: (x * 2).backward(gradient=torch.ones(3), retain_graph=True))
attempt("bad keyword", lambda: y.backward(grad=1))
attempt("leaf scalar", lambda: torch.ones((), requires_grad=True).backward())
attempt("inputs non-leaf", lambda: (lambda h: (h.sum().backward(inputs=[h]), h.grad)[1])(x * 2))
attempt("inputs empty", lambda: (x * 2).sum().backward(inputs=[]))
attempt("inputs not used", lambda: (x * 2).sum().backward(inputs=[torch.ones(1, requires_grad=True)]))
attempt("inputs no grad", lambda: (x * 2).sum().backward(inputs=[torch.ones(1)]))
attempt("inputs single", lambda: (x * 2).sum().backward(inputs=x))
attempt("autograd.backward", lambda: torch.autograd.backward([(x * 2).sum()]))
attempt("autograd.backward two", lambda: torch.autograd.backward([x * 2, x * 3], [torch.ones(3), torch.ones(3)]))
attempt("autograd.backward lengths", lambda: torch.autograd.backward([x * 2, x * 3], [torch.ones(3)]))
attempt("autograd.backward None", lambda: torch.autograd.backward([(x * 2).sum(), x * 3], [None, torch.ones(3)]))
attempt("autograd.backward none vec", lambda: torch.autograd.backward([x * 3], [None]))
attempt("complex", lambda: (x * 1j).sum().backward())
attempt("int result", lambda: x.long().sum().backward())
attempt("bool result", lambda: (x > 0).any().backward())
attempt("argmax", lambda: x.argmax().backward())
attempt("in no_grad", lambda: torch.no_grad()(lambda: (x * 2).sum())().backward())
def inside():
    with torch.no_grad():
        (x * 2).sum()
        h = (x * 3).sum()
    return h.requires_grad
attempt("inside", inside)
def backward_in_no_grad():
    h = (x * 3).sum()
    x.grad = None
    with torch.no_grad():
        h.backward()
    return x.grad
attempt("backward in no_grad", backward_in_no_grad)
def modified():
    a = x * 1
    b = a ** 2
    a += 1
    b.sum().backward()
attempt("modified", modified)
def modified_harmless():
    a = x * 1
    b = a * 2
    a += 1
    b.sum().backward()
    return "fine"
attempt("modified harmless", modified_harmless)
attempt("create_graph", lambda: (x ** 3).sum().backward(create_graph=True))
print(x.grad)
