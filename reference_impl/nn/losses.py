"""Losses as modules."""

from __future__ import annotations

from typing import Any

from .. import errors
from ..naming import copy_of, signature_of
from ..tensor.tensor import Tensor
from . import functional as F
from .loss_functions import old_flags
from .module import Module

__all__ = [
    "BCELoss", "BCEWithLogitsLoss", "CosineEmbeddingLoss", "CosineSimilarity", "CrossEntropyLoss",
    "GaussianNLLLoss", "HingeEmbeddingLoss", "HuberLoss", "KLDivLoss", "L1Loss", "MSELoss",
    "MarginRankingLoss", "MultiLabelMarginLoss", "MultiLabelSoftMarginLoss", "MultiMarginLoss",
    "NLLLoss", "PairwiseDistance", "PoissonNLLLoss", "SmoothL1Loss", "SoftMarginLoss",
    "TripletMarginLoss",
]  # fmt: skip


class _Loss(Module):
    """A loss with a reduction.

    A subclass names its function, its options with their defaults in the order in which they may
    be given, and of these the tensors, which belong to the module's state.
    """

    fn: Any = None
    options: tuple[tuple[str, Any], ...] = ()
    tensors: tuple[str, ...] = ()
    flags_after: int = 0

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "options" not in vars(cls) and "fn" not in vars(cls):
            return  # a user's class, with the parameters of ours
        defaults = {**dict(cls.options), "size_average": None, "reduce": None, "reduction": "mean"}
        made: Any = copy_of(_Loss.__init__, "__init__")
        made.__signature__ = signature_of("self", *((k, defaults[k]) for k in cls.order()))
        cls.__init__ = made  # type: ignore[method-assign]

    @classmethod
    def order(cls) -> list[str]:
        """The parameters, in the order in which they may be given."""
        names, at = [k for k, _ in cls.options], cls.flags_after
        return [*names[:at], "size_average", "reduce", *names[at:], "reduction"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        order = self.order()
        if len(args) > len(order):
            raise errors.wrong_type(f"{type(self).__name__}() takes at most {len(order)} arguments")
        given = {**dict(zip(order, args, strict=False)), **kwargs}
        unknown = given.keys() - set(order)
        if unknown:
            raise errors.wrong_type(
                f"{type(self).__name__}() got unexpected arguments {sorted(unknown)}"
            )
        average, reduce = given.get("size_average"), given.get("reduce")
        self.reduction = given.get("reduction", "mean")
        if average is not None or reduce is not None:
            self.reduction = old_flags(average, reduce)
        for name, default in self.options:
            value = given.get(name, default)
            if name in self.tensors:
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)

    def forward(self, *inputs: Tensor) -> Tensor:
        options = {name: getattr(self, name) for name, _ in self.options}
        return type(self).fn(*inputs, **options, reduction=self.reduction)  # type: ignore[no-any-return]


WEIGHT = ("weight", None)


class MSELoss(_Loss):
    """The mean of squared differences."""

    fn = staticmethod(F.mse_loss)


class L1Loss(_Loss):
    """The mean of absolute differences."""

    fn = staticmethod(F.l1_loss)


class SmoothL1Loss(_Loss):
    """Squared near zero, absolute beyond."""

    fn = staticmethod(F.smooth_l1_loss)
    options = (("beta", 1.0),)


class HuberLoss(Module):
    """Squared near zero, absolute beyond, in another scale."""

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__()
        self.reduction, self.delta = reduction, delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class BCELoss(_Loss):
    """Minus the log-likelihood of probabilities."""

    fn = staticmethod(F.binary_cross_entropy)
    options, tensors, flags_after = (WEIGHT,), ("weight",), 1


class BCEWithLogitsLoss(_Loss):
    """Minus the log-likelihood, given scores."""

    fn = staticmethod(F.binary_cross_entropy_with_logits)
    options, flags_after = (WEIGHT, ("pos_weight", None)), 1
    tensors = ("weight", "pos_weight")


class NLLLoss(_Loss):
    """Minus the log-probability of the target class."""

    fn = staticmethod(F.nll_loss)
    options, tensors, flags_after = (WEIGHT, ("ignore_index", -100)), ("weight",), 1


class CrossEntropyLoss(_Loss):
    """Minus the log-probability of the target, given scores."""

    fn = staticmethod(F.cross_entropy)
    options = (WEIGHT, ("ignore_index", -100), ("label_smoothing", 0.0))
    tensors, flags_after = ("weight",), 1


class KLDivLoss(_Loss):
    """The Kullback-Leibler divergence of log-probabilities from a target."""

    fn = staticmethod(F.kl_div)
    options = (("log_target", False),)


class PoissonNLLLoss(_Loss):
    """Minus the log-likelihood of counts."""

    fn = staticmethod(F.poisson_nll_loss)
    options = (("log_input", True), ("full", False), ("eps", 1e-8))
    flags_after = 2


class SoftMarginLoss(_Loss):
    """log(1 + exp(-y x))."""

    fn = staticmethod(F.soft_margin_loss)


class MultiMarginLoss(_Loss):
    """How far other classes come near the target's score."""

    fn = staticmethod(F.multi_margin_loss)
    options, tensors = (("p", 1), ("margin", 1.0), WEIGHT), ("weight",)
    flags_after = 3


class MultiLabelMarginLoss(_Loss):
    """As `MultiMarginLoss`, with several targets."""

    fn = staticmethod(F.multilabel_margin_loss)


class MultiLabelSoftMarginLoss(_Loss):
    """The mean over classes of the binary log-likelihoods."""

    fn = staticmethod(F.multilabel_soft_margin_loss)
    options, tensors, flags_after = (WEIGHT,), ("weight",), 1


class MarginRankingLoss(_Loss):
    """How far the wrong one of two inputs ranks higher."""

    fn = staticmethod(F.margin_ranking_loss)
    options, flags_after = (("margin", 0.0),), 1


class HingeEmbeddingLoss(_Loss):
    """Distances of like pairs, and what unlike pairs lack of a margin."""

    fn = staticmethod(F.hinge_embedding_loss)
    options, flags_after = (("margin", 1.0),), 1


class CosineEmbeddingLoss(_Loss):
    """Angles between like pairs, and what unlike pairs lack."""

    fn = staticmethod(F.cosine_embedding_loss)
    options, flags_after = (("margin", 0.0),), 1


class TripletMarginLoss(_Loss):
    """How much nearer the positive lies than the negative."""

    fn = staticmethod(F.triplet_margin_loss)
    options = (("margin", 1.0), ("p", 2.0), ("eps", 1e-6), ("swap", False))
    flags_after = 4


class GaussianNLLLoss(Module):
    """Minus the log-likelihood under a normal distribution of a given variance."""

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__()
        self.full, self.eps, self.reduction = full, eps, reduction

    def forward(self, input: Tensor, target: Tensor, var: Any) -> Tensor:
        return F.gaussian_nll_loss(
            input, target, var, full=self.full, eps=self.eps, reduction=self.reduction
        )


class CosineSimilarity(Module):
    """The cosine of the angle between vectors."""

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim, self.eps = dim, eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """The distance between vectors."""

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
