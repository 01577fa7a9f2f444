"""Every flag of tensors of every origin."""
import torch

leaf = torch.tensor([1.0, 2.0], requires_grad=True)
plain = torch.tensor([1.0, 2.0])
with torch.no_grad():
    silent = leaf * 2
    silent_view = leaf[:1]
with torch.inference_mode():
    inf = plain * 2
    inf_view = plain[:1]
kinds = {
    "leaf": leaf, "plain": plain, "computed": leaf * 2, "view": leaf[:1], "view of plain": plain[:1], "detached": leaf.detach(), "data": leaf.data, "clone": leaf.clone(), "silent": silent, "silent view": silent_view,
    "inference": inf, "inference view": inf_view, "param": torch.nn.Parameter(torch.ones(1)), "frozen": torch.nn.Parameter(torch.ones(1), requires_grad=False), "int": leaf.long(), "bool": leaf > 1, "argmax": leaf.argmax(), "max idx": leaf.max(0).indices, "sum": leaf.sum(),
    "expand": leaf.expand(2, 2), "t": leaf.view(1, 2).t(), "real": torch.ones(1, dtype=torch.complex64, requires_grad=True).real, "to same": leaf.to(torch.float32), "to double": leaf.double(), "contiguous": leaf.contiguous(), "reshape": leaf.reshape(2, 1), "flatten": leaf.flatten(), "new": leaf.new_ones(1), "like": torch.zeros_like(leaf),
    "like rg": torch.zeros_like(leaf, requires_grad=True), "item": torch.tensor(leaf[0].item()), "stack": torch.stack([plain, plain]), "where": torch.where(plain > 1, leaf, plain), "requires later": plain.clone().requires_grad_(), "unbind": leaf.unbind()[1], "detach_": (leaf * 1).detach_(), "as_tensor": torch.as_tensor(leaf), "zeros": torch.zeros(2), "grad": torch.autograd.grad((leaf ** 2).sum(), leaf)[0],
    "graph grad": torch.autograd.grad((leaf ** 2).sum(), leaf, create_graph=True)[0], "round": leaf.round(), "floor": leaf.floor(), "sign": leaf.sign(), "times zero": leaf * 0, "diag": leaf.diag(), "squeeze": leaf.squeeze(), "alias": leaf.view_as(leaf), "T": leaf.view(1, 2).T, "conj": leaf.conj(), "resolve": leaf.resolve_conj(), "numpy": torch.from_numpy(leaf.detach().numpy()),
}
for name, t in kinds.items():
    fn = None if t.grad_fn is None else t.grad_fn.name()
    version = "inference" if t.is_inference() else t._version
    print(name, t.requires_grad, t.is_leaf, fn, t.output_nr, t._is_view(), t._base is leaf, t is leaf, t.retains_grad, version, t.is_contiguous(), t.storage_offset(), type(t).__name__)
