"""Second derivatives of the usual losses and layers."""
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
x = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.3, -0.7]], requires_grad=True)
t = torch.tensor([[0.2, 0.5, 1.0], [0.9, 0.1, 0.4]])
k = torch.tensor([2, 0])
v = torch.tensor([[1.0, 2.0, -1.0], [0.5, -0.5, 3.0]])
w = torch.tensor([1.0, 0.5, 2.0])
for name, f in {
    "mse": lambda: F.mse_loss(x, t), "smooth": lambda: F.smooth_l1_loss(x, t), "huber": lambda: F.huber_loss(x, t, delta=0.5), "bce logits": lambda: F.binary_cross_entropy_with_logits(x, t),
    "bce": lambda: F.binary_cross_entropy(x.sigmoid(), t), "ce": lambda: F.cross_entropy(x, k), "ce weight": lambda: F.cross_entropy(x, k, weight=w), "ce smooth": lambda: F.cross_entropy(x, k, label_smoothing=0.1), "ce soft": lambda: F.cross_entropy(x, t.softmax(1)),
    "ce ignore": lambda: F.cross_entropy(x, torch.tensor([2, -100])), "nll": lambda: F.nll_loss(x.log_softmax(1), k), "kl": lambda: F.kl_div(x.log_softmax(1), t.softmax(1), reduction="batchmean"), "poisson": lambda: F.poisson_nll_loss(x, t), "gauss": lambda: F.gaussian_nll_loss(x, t, x.exp()),
    "hinge": lambda: F.hinge_embedding_loss(x, t.sign()), "soft margin": lambda: F.soft_margin_loss(x, t.sign()), "triplet": lambda: F.triplet_margin_loss(x, t, t.flip(1)), "cosine": lambda: F.cosine_embedding_loss(x, t, torch.tensor([1.0, -1.0])), "margin": lambda: F.margin_ranking_loss(x[0], x[1], torch.ones(3)),
    "layer_norm": lambda: F.layer_norm(x, (3,), w).pow(2).sum(), "batch_norm": lambda: F.batch_norm(x, None, None, training=True).pow(3).sum(), "group_norm": lambda: F.group_norm(x.view(1, 2, 3), 2).pow(3).sum(), "softmax": lambda: (x.softmax(1) ** 2).sum(), "gelu": lambda: F.gelu(x).sum(),
    "silu": lambda: F.silu(x).sum(), "mish": lambda: F.mish(x).sum(), "softplus": lambda: F.softplus(x).sum(), "elu": lambda: F.elu(x).sum(), "celu": lambda: F.celu(x, 0.5).sum(), "selu": lambda: F.selu(x).sum(), "tanhshrink": lambda: F.tanhshrink(x).sum(), "logsigmoid": lambda: F.logsigmoid(x).sum(), "hardswish": lambda: F.hardswish(x).sum(),
    "normalize": lambda: F.normalize(x).pow(3).sum(), "glu": lambda: F.glu(x.repeat(1, 2)).sum(), "conv": lambda: F.conv1d(x.unsqueeze(1), t.unsqueeze(1)).pow(3).sum(), "avg_pool": lambda: F.avg_pool1d(x, 2).pow(3).sum(), "max_pool": lambda: F.max_pool1d(x, 2).pow(3).sum(), "linear": lambda: F.linear(x, t, w[:2]).pow(3).sum(),
    "embedding": lambda: F.embedding(torch.tensor([0, 1, 1]), x).pow(3).sum(), "bilinear": lambda: F.bilinear(x, x, torch.ones(1, 3, 3)).sum(), "attention": lambda: F.scaled_dot_product_attention(x[None], x[None], x[None]).sum(), "interpolate": lambda: F.interpolate(x[None], scale_factor=2.0, mode="linear").pow(3).sum(), "pad": lambda: F.pad(x, (1, 1), mode="reflect").pow(3).sum(), "pairwise": lambda: F.pairwise_distance(x, t).sum(),
}.items():
    try:
        (g,) = torch.autograd.grad(f(), x, create_graph=True)
        h = torch.autograd.grad((g * v).sum(), x, allow_unused=True)[0] if g.requires_grad else None
        print(name, g.grad_fn is not None, [[round(e, 5) + 0.0 for e in r] for r in g.tolist()], None if h is None else [[round(e, 4) + 0.0 for e in r] for r in h.tolist()])
    except Exception as e:
        print(name, type(e).__name__)
