"""Expressions and inputs whose grid PyTorch and the reference are compared on.

An expression sees the engine as ``t``, NumPy as ``n`` and the input as ``x``. Every expression is
tried on every input, most of which it was not made for: refusals are compared as results are.
"""

from __future__ import annotations

INPUTS = {
    "number": "t.tensor(1.5)",
    "one element": "t.tensor([1.5])",
    "vector": "t.tensor([-1.0, 0.5, 2.0])",
    "no elements": "t.zeros(0)",
    "matrix": "t.tensor([[-1.0, 0.5, 2.0], [3.0, -0.25, 0.75]])",
    "no rows": "t.zeros(0, 3)",
    "no columns": "t.zeros(2, 0)",
    "square": "t.tensor([[1.0, 0.5, -2.0], [0.3, 2.0, 0.7], [0.9, -0.4, 3.0]])",
    "positive": "t.tensor([[2.0, 0.5], [0.5, 1.0]], dtype=t.float64)",
    "batch": "t.tensor([[[1.0, 2.0]], [[-3.0, 4.0]]])",
    "transposed": "t.tensor([[1.0, 0.5], [2.0, -1.0], [0.0, 3.0]]).t()",
    "permuted": "t.arange(12.0, dtype=t.float64).sub(5).reshape(2, 3, 2).permute(2, 0, 1)",
    "strided": "t.tensor([0.5, 9.0, -1.5, 9.0, 0.25], dtype=t.float64)[::2]",
    "stretched": "t.tensor([[0.5], [2.0]]).expand(2, 3)",
    "integers": "t.tensor([3, -1, 2])",
    "integer matrix": "t.tensor([[3, -1, 2], [0, 5, 1]])",
    "integer": "t.tensor(4)",
    "int32": "t.tensor([[1, 2], [3, 4]], dtype=t.int32)",
    "int16": "t.tensor([7, -3], dtype=t.int16)",
    "uint8": "t.tensor([1, 2, 250], dtype=t.uint8)",
    "bools": "t.tensor([True, False, True])",
    "bool": "t.tensor(True)",
    "bool matrix": "t.tensor([[True, False, True], [False, False, True]])",
    "double": "t.tensor([-1.0, 0.5, 2.0], dtype=t.float64)",
    "half": "t.tensor([-1.0, 0.5, 2.0], dtype=t.float16)",
    "bfloat16": "t.tensor([-1.0, 0.5, 2.0], dtype=t.bfloat16)",
    "complex": "t.tensor([1 + 2j, -0.5j, 2.0])",
    "complex square": "t.tensor([[1 + 2j, 0.5], [-1j, 2.0]], dtype=t.complex128)",
    "not finite": "t.tensor([float('nan'), float('inf'), -float('inf'), -0.0])",
}


def each(template: str, words: str) -> list[str]:
    """A template filled in with each of these words."""
    return [template.format(word) for word in words.split()]


def every_dim(templates: list[str]) -> list[str]:
    """Templates of a dimension ``{d}`` filled in with the first, the last and the second one."""
    return [t.replace("{d}", d) for t in templates for d in ("0", "-1", "1")]


def split(text: str) -> list[str]:
    """The expressions of a text; one with ``{d}`` stands for three, of three dimensions."""
    found = [part.strip() for part in text.replace("\n", " ").split(";")]
    return [e for t in found for e in (every_dim([t]) if "{d}" in t else [t])]


ELEMENTWISE = each(
    "x.{}()",
    "abs acos acosh angle asin asinh atan atanh bitwise_not ceil conj cos cosh deg2rad "
    "digamma erf erfc erfinv exp exp2 expm1 floor frac i0 isfinite isinf isnan "
    "lgamma log log10 log1p log2 logical_not logit nan_to_num neg "
    "positive rad2deg reciprocal relu round rsqrt sgn sigmoid sign signbit sin sinc sinh "
    "sqrt square tan tanh trunc absolute arccos negative fix arctanh arcsinh",
)
"""Each element for itself."""

WHOLE = each(
    "x.{}()",
    "sum mean prod max min amax amin argmax argmin all any std var median nanmedian "
    "nansum nanmean norm logsumexp cumsum aminmax unique msort argsort sort flatten ravel "
    "t numel dim contiguous clone detach nonzero tril triu diagonal diag trace det "
    "inverse logdet tolist item mode count_nonzero unbind squeeze flip fliplr flipud "
    "float double half int long bool bfloat16 short is_floating_point is_complex "
    "element_size softmax log_softmax cov corrcoef adjoint matrix_exp "
    "pinverse cholesky isclose argwhere slogdet is_nonzero "
    "rot90 type storage_offset is_contiguous size cpu view_as_real "
    "to get_device is_leaf is_inference",
)
"""What a tensor gives without arguments."""

IN_PLACE = [
    *each(
        "x.{}()",
        "erf_ sqrt_ abs_ neg_ exp_ sigmoid_ round_ zero_ logical_not_ bitwise_not_ relu_ t_ "
        "squeeze_ erfinv_ sgn_ trunc_ square_ tanh_ sin_ reciprocal_ nan_to_num_ frac_ floor_ "
        "tril_ triu_ detach_ fill_diagonal_ requires_grad_ sign_ log1p_ rsqrt_ digamma_ i0_ "
        "sinc_ logit_",
    ),
    *split(
        """
x.fill_(2); x.fill_(2.5); x.fill_(1j); x.fill_(t.tensor(3)); x.add_(1); x.add_(1.5); x.mul_(x);
x.div_(2); x.pow_(2); x.sub_(x, alpha=2); x.clamp_(0, 1); x.copy_(x); x.ne_(1); x.eq_(x);
x.lt_(0.5); x.ge_(x); x.gt_(1); x.le_(t.tensor(1)); x.remainder_(2); x.fmod_(2);
x.floor_divide_(2); x.div_(2, rounding_mode='trunc'); x.logical_and_(x); x.bitwise_and_(x);
x.atan2_(x); x.copysign_(-1); x.xlogy_(x); x.lerp_(x, 0.5); x.addcmul_(x, x); x.addcdiv_(x, x);
x.clip_(max=0.5); x.hypot_(x); x.masked_fill_(x > 0, 0); x.index_fill_(0, t.tensor([0]), 1);
x.swapaxes_(0, -1); x.index_add_(0, t.tensor([0]), x[:1].clone());
x.index_copy_(0, t.tensor([0]), x[-1:].clone()); x.scatter_(0, t.zeros_like(x, dtype=t.long), 1);
x.put_(t.tensor([0]), x.flatten()[-1:].clone()); x.masked_scatter_(x > 0, x.clone());
x.index_put_((t.tensor([0]),), x[-1:].clone()); x.transpose_(0, 1); x.normal_(0, -1);
x.float_power_(2); x.round_(decimals=1); x.polygamma_(1); x.cumprod_(0); x.unsqueeze_(-1).add_(1);
x.true_divide_(2); x.multiply_(2)
"""
    ),
]
"""Writes to the input."""

ON_VIEWS = split(
    """
x[0].add_(1); x[:1].mul_(2); x.T.add_(1); x.view(-1).add_(1); x.detach().add_(1);
x.expand(2, *x.shape).add_(1); x[None].zero_(); x.select(0, 0).fill_(3); x.diagonal().zero_();
x.t().mul_(2); x.unsqueeze(0).exp_(); x.flatten().neg_();
x.narrow(0, 0, 1).copy_(x.narrow(0, -1, 1)); x.__setitem__(0, 5); x.__setitem__(0, 2.5);
x.__setitem__((slice(None), 0), 1); x.__setitem__(..., 2); x.__setitem__(x > 0, 0);
x.__setitem__([0], 7); x.__setitem__(0, t.ones(5)); x.__setitem__(9, 1);
x.__setitem__(slice(0, 1), t.ones(3, dtype=t.float64)); x.__setitem__(0, 'a');
x.unbind()[0].add_(1); x.split(1)[0].mul_(2); x.real.mul_(2); x[::2].sub_(1);
x.unfold(0, 1, 1).mul_(3); x.permute(-1, 0).add_(1); x.reshape(-1)[0].add_(1);
x.view_as(x).add_(1); x.as_strided((1,), (1,)).add_(1); x.squeeze().mul_(2); x[..., 0].mul_(2);
x[0].copy_(x[-1]); x[[0]].add_(1)
"""
)
"""Writes to parts of the input."""

PYTHON = split(
    """
x.mT; x.T; x.H; x.mH; x.real; x.imag; x.shape; x.dtype; x.stride(); len(x); list(x); bool(x);
float(x); int(x); complex(x); repr(x); x.is_leaf; -x; +x; ~x; abs(x); round(x); round(x, 1);
x.size(0); x.size(-1); x.stride(0); x.ndim; hash(x) is not None; x.data; x.grad; x.requires_grad;
x._version; x.output_nr; x.retains_grad; x.device.type; x.itemsize; x.shape.numel(); str(x);
format(x); f'{x:.2f}'; x.__index__(); 1 in x; list(reversed(x)); not x; x and 1; x == None;
x != 'a'; x == [1]; x < None; x + None; x + 'a'; x + [1]; x @ 1; 1 @ x; pow(x, 2); divmod(x, 2);
x.__rpow__(2); x.__rsub__(1); x.__radd__(1); x.__rdiv__(1); x.numpy().dtype.name;
x.detach().numpy().tolist(); next(iter(x)); t.is_tensor(x); t.numel(x); x.dim() == len(x.shape);
x.data_ptr() == x.view_as(x).data_ptr(); t.result_type(x, 1.5);
t.result_type(x, x); t.can_cast(x.dtype, t.int32); t.promote_types(x.dtype, t.int32);
t.promote_types(x.dtype, t.bfloat16); x.is_cuda; t.result_type(x, 1); t.result_type(1j, x);
t.result_type(x, t.tensor(1.0, dtype=t.float64)); t.is_floating_point(x); t.is_complex(x);
t.is_nonzero(x); x.layout is t.strided; sorted(x.flatten().tolist(), key=abs);
max(x); sum(x); n.asarray(x.detach()).shape; x.tolist() == list(x); any(x); x.type(t.float64);
x.to(t.int32); x.to(t.complex64); x.to(t.bool); x.to(x); x.to('cpu'); x.to(t.float64, copy=True);
x.to(dtype=t.float16); x.type_as(t.zeros(1, dtype=t.float64)); x.to(x.dtype) is x;
x.contiguous() is x
"""
)
"""What the language asks of a tensor."""

ARITHMETIC = split(
    """
x + x; x - x; x * x; x / x; x // x; x % x; x ** x; x @ x; x == x; x < x; x & x; x | x; x ^ x;
x + 1; 1 - x; x * 2.5; 2 / x; x // 2; x % 2; 2 ** x; x ** 2; x ** 0.5; x ** -1;
x ** 0; x + 1j; x * True; 1 // x; x > 0; x == 1; x + x.long(); x * x.bool(); x / x.double();
x - t.tensor(1); x // 0.5; x + t.tensor(2.5, dtype=t.float64); x.div(2, rounding_mode='floor');
5 % x; x % -2; x.div(x, rounding_mode='trunc'); x.div(2, rounding_mode='up'); x // -2;
1 & x; True | x; x ^ True; x - True; True - x; 1.5 // x; 0 ** x; 0.0 ** x; x / 0; x // 0;
x % 0; x + float('inf'); x + 300; x - 300; x != 0.5; x >= x.double(); x.sub(True); x.fmod(2);
x.fmod(-1.5); x.remainder(-2); x.remainder(x); x.pow(3); x.pow(-0.5); x.pow(1j); x.float_power(2);
x.copysign(-1); x.xlogy(2); t.xlogy(2, x); t.pow(2, x); t.pow(x, x); t.pow(2.5, x); t.pow(0, x);
t.mul(2, x); t.add(x, x, alpha=2); t.add(x, x, alpha=2.5); t.add(x, 1, alpha=True);
t.sub(x, 1, alpha=0.5); t.rsub(x, 1); t.rsub(x, x, alpha=2); t.remainder(7, x); t.div(1, x);
x.true_divide(2); x.logical_and(x); x.bitwise_or(1); x.bitwise_xor(x);
x.gt(0); x.eq(x); x.multiply(2); x.divide(2); x.subtract(1); x.greater(0); x.less_equal(x);
x.arctan2(x); x.lerp(x, 0.5); x.lerp(t.zeros_like(x), 2.0); x.equal(x); x.logit(eps=0.1);
x.round(decimals=1); x.round(decimals=-1); x.nan_to_num(0.5); x.nan_to_num(nan=1, posinf=2);
t.logical_xor(x, x > 0); x.bitwise_and(t.tensor(3)); x.dist(x); x.dist(x + 1, 1)
"""
)
"""With itself and with numbers."""

OTHER_OPERANDS = split(
    """
x + t.tensor([1, 2, 3]); x * t.ones(3); x + t.ones(2, 3); x - t.ones(4); x + t.ones(3, 1);
x * t.ones(3, dtype=t.float64); x / t.tensor(2); x + t.tensor(True); x ** t.tensor([2.0]);
x ** t.tensor(2); x * t.tensor(1j); x > t.zeros(3, 1); x.maximum(t.tensor(0.5));
x.atan2(t.ones(3)); t.where(x > 0, x, t.tensor(0)); t.where(x > 0, x.double(), x);
x.copy_(t.ones(3, dtype=t.float64)); x.add_(t.ones(3)); x.add_(t.ones(2, 3));
x.add_(t.ones(3, dtype=t.float64)); x.mul_(t.tensor(2.5)); x.div_(t.ones(3));
x.sub_(t.tensor([1.0])); x.add_(x.t()); x.pow_(t.ones(3)); x.addcmul(t.ones(3), t.ones(1));
x.lerp(t.ones(3), 0.5); x.mm(t.ones(3, 2)); x.matmul(t.ones(3)); x.matmul(t.ones(3, 2));
t.ones(2) @ x; t.ones(4, 2) @ x; x @ t.ones(2, 3, 4); x.dot(t.ones(3));
x.masked_fill(t.tensor([True, False, True]), 0); x.masked_fill(x > 0, t.tensor(1));
x.masked_fill(x > 0, 1j); x.masked_fill(x, 0); x.index_add(0, t.tensor([0, 0]), t.ones(2));
x.scatter(0, t.tensor([0, 1]), 1.5); x.gather(0, t.tensor([0, 1, 0])); x.bmm(x);
t.cat([x, t.zeros(0)]); t.cat([x, x.long()]); t.stack([x, x.double()]);
t.cat([x, t.ones(1, dtype=t.float64)]); t.cat([x, t.ones(2, 3)]); x.sub(t.ones(3), alpha=2);
x.eq(t.ones(2)); x.fmod(t.tensor([2, 3, 4])); x & t.tensor([True]); x | 1;
x.type_as(t.tensor(1j)); x.isclose(t.tensor(0.5)); x.allclose(x + 1e-9);
t.maximum(x, t.ones(3, dtype=t.float64)); t.clamp(x, min=t.zeros(3));
t.clamp(x, 0, t.tensor(1.0)); x.clamp(t.tensor(1), t.tensor(0)); x.clamp(1, 0); x.clamp(0.5);
x.clamp(); x.clamp(None, 1); x + n.float32(1.5); x * n.float64(2); x * n.int64(2);
n.float64(2) * x; x ** n.int64(2); x.add(n.float32(1)); x > n.float64(0);
t.full_like(x, n.float32(2)); x[n.int64(0)]; x.sum(n.int64(0)); x.reshape(n.int64(-1));
x.fill_(n.float64(1)); n.int64(3) - x; x.expand_as(t.ones(2, 3)); x.view_as(t.ones(3));
x.reshape_as(t.ones(6, 1)); x.broadcast_to((2, 3)); x.broadcast_to((3,)); x.vdot(t.ones(3));
x.outer(t.ones(2)); x.kron(t.ones(2)); x.inner(t.ones(3)); x.mv(t.ones(3));
t.addmm(t.ones(3), x, x); t.addmv(t.ones(2), x, t.ones(3)); t.baddbmm(t.ones(1), x, x);
x.cross(t.tensor([1.0, 0.0, 2.0])); x.take_along_dim(t.tensor([0]));
t.searchsorted(t.tensor([0.0, 1.0]), x); t.bucketize(x, t.tensor([0.0, 1.0]));
x.ldexp(t.tensor(2))
"""
)
"""With operands of other shapes and dtypes, NumPy's numbers among them."""

TWICE = [
    *each(
        "t.{}(x, x)",
        "maximum minimum fmax fmin atan2 hypot fmod remainder logaddexp logaddexp2 copysign "
        "xlogy float_power nextafter ldexp logical_and logical_or logical_xor "
        "bitwise_and bitwise_or bitwise_xor dot outer inner mv mm matmul kron cross dist "
        "cdist equal allclose isclose heaviside floor_divide true_divide ne ge vdot bmm "
        "searchsorted cartesian_prod meshgrid block_diag bucketize tensordot "
        "complex polar max min",
    ),
    *each(
        "t.{}((x, x))",
        "hstack vstack dstack column_stack cat stack concat row_stack block_diag atleast_1d "
        "atleast_2d broadcast_tensors",
    ),
]
"""The input twice."""

REDUCTIONS = [
    *every_dim(
        each(
            "x.{}({{d}})",
            "sum mean prod max min amax amin argmax argmin all any std var median nanmedian "
            "nansum logsumexp cumsum cumprod cummax cummin logcumsumexp softmax log_softmax sort "
            "argsort norm count_nonzero mode kthvalue topk diff nanmean aminmax",
        )
    ),
    *every_dim(
        each(
            "x.{}({{d}}, keepdim=True)",
            "sum mean prod max amax argmax all std var median logsumexp nansum mode min any "
            "nanmedian",
        )
    ),
    *every_dim(
        each(
            "x.{}(dim={{d}})",
            "sum mean argmax norm aminmax nansum unique all amin std",
        )
    ),
    *split(
        """
x.norm(3); x.norm(float('inf')); x.norm(-float('inf')); x.norm(2, dim=0); x.norm('fro');
x.norm(2, (0, 1), True); x.norm('a'); x.sum((0, 1)); x.mean((0,)); x.sum(()); x.amax((0, 1));
x.sum((0, 0)); x.sum((0, -1)); x.sum([0]); x.mean((0, 1), keepdim=True); x.var((0, 1));
x.amax(()); x.any((0, 1)); x.all((0,)); x.logsumexp((0, 1)); x.std((0,), keepdim=True);
x.std(unbiased=False); x.var(correction=0); x.std(0, False); x.std(-1, True, True);
x.std(dim=0, correction=2); t.std_mean(x); t.var_mean(x, 0); t.var_mean(x, -1, keepdim=True);
t.aminmax(x, dim=0); x.aminmax(dim=-1, keepdim=True); x.kthvalue(2); x.topk(1, largest=False);
x.topk(2, 0); x.topk(k=1, dim=0, largest=False, sorted=True); x.sort(descending=True);
x.sort(stable=True); x.sort(0, True); x.argsort(descending=True);
x.sort(dim=0, descending=True, stable=True); x.argmax(dim=0, keepdim=True);
x.argmin(keepdim=True); x.mean(dtype=t.float64); x.prod(dtype=t.float64);
x.sum(0, dtype=t.float64); x.softmax(0, dtype=t.float64); x.cumsum(0, dtype=t.float64);
x.cumprod(0).dtype; x.prod(-1, True); x.count_nonzero((0, 1)); x.unique(return_counts=True);
x.unique(return_inverse=True); x.nonzero(as_tuple=True);
x.quantile(0.5); x.quantile(1.5); x.nanquantile(0.5);
x.quantile(t.tensor([0.25, 0.75])); x.nanquantile(0.5, 0); x.quantile(0.3, interpolation='lower');
x.cov(correction=0); t.trapezoid(x); t.trapz(x, dx=0.5); t.cumulative_trapezoid(x);
t.trapezoid(x, x); x.diff(2); x.diff(1, 0); x.diff(prepend=x[:1]); x.median(0)[1].dtype;
x[:0].sum(); x[:0].max(); x[:0].mean(); x[:0].prod(); x[:0].amax(0); x[:0].norm(); x[:0].argmax();
x[:0].std(); x[:0].logsumexp(0); x[:0].cumsum(0); x[:0].sort(); x[:0].any(); x[:0].all();
x[:0].unique(); x[:0].mean(0); x[:0].var(0); x[:0].topk(0); x[:0].diff(); x[:0].tolist();
x[:0].flip(0); x.sum(0, True); x.sum(axis=0, keepdims=True); x.mean(axis=-1); x.max(0)[0];
x.max(dim=0).indices; x.min(axis=0).values; t.sum(input=x, dim=0); t.max(x, 0).values;
t.argmax(x); t.all(x > 0)
"""
    ),
]
"""Sums, extrema, orders, over all and over dimensions."""

SHAPES = [
    *every_dim(
        each(
            "x.{}({{d}})",
            "unbind squeeze unsqueeze flip split chunk tensor_split roll repeat tile view reshape "
            "expand tril triu diagonal diag flatten permute renorm unsqueeze_ squeeze_ cumsum_",
        )
    ),
    *split(
        """
x.size(1); x.stride(-1); x.stride(1); x.narrow({d}, 0, 1); x.select({d}, 0); x.unfold({d}, 1, 1);
x.movedim({d}, 0); x.transpose({d}, 0); x.roll(1, {d}); x.split([1, 2], {d});
x.unflatten({d}, (1, -1)); x.swapaxes({d}, 0); x.repeat_interleave(2, dim={d});
t.cat([x, x], {d}); t.stack([x, x], {d}); x.moveaxis(0, {d}); x.swapdims({d}, -1); x.view(1, -1);
x.reshape(-1, 1); x.view(7); x.expand(2, -1); x.expand(2, 3); x.repeat(2, 1); x.permute(1, 0);
x.permute(0, 1); x.permute(1, 0, 2); x.permute(-1, 0, 1); x.permute(); x.transpose(-1, -2);
x.flatten(0, 1); x.flatten(-2); x.flatten(1, 0); x.movedim((0, 1), (1, 0)); x.unsqueeze(-2);
x.unsqueeze(5); x.squeeze((0,)); x.squeeze((0, 1)); x.squeeze(()); x.diagonal(0, 1, 0);
x.diagonal(0, 0, 0); x.diagonal(-5); t.diag_embed(x); t.diag_embed(x, 1);
x.rot90(2); x.rot90(1, (1, 0)); x.rot90(-1, (0, -1)); x.roll((1, 2), (0, 1)); x.roll(1, (0, 1));
x.roll(5, 0); x.repeat(2); x.repeat(2, 1, 3); x.tile((2, 2)); x.tile(2); x.repeat_interleave(2);
x.repeat_interleave(t.tensor([1, 2, 1]), 0); x.expand(-1, 3); x.repeat_interleave(-1);
x.expand(2, 2, -1); x.expand(()); x.as_strided((2,), (1,)); x.as_strided((1,), (1,), 1);
x.as_strided((3,), (1,), 50); x.unfold(0, 2, 2); x.unfold(0, 2, 0); x.unfold(0, 9, 1);
x.chunk(2, -1); x.chunk(3); x.tensor_split(2); x.tensor_split((1, 2), -1); x.tensor_split((1,));
x.hsplit(1); x.vsplit(1); x.dsplit(1); x.split(2); x.split([1]); x.flip((0,)); x.flip(0, -1);
x.flip((0, 0)); x.reshape(()); x.view(()); x.view(-1, -1); x.reshape(2, -1); x.reshape(0, -1);
x.view(2, 3); x.view(t.int32); x.view(t.uint8).shape; x.unbind(1)[0]; t.atleast_1d(x);
t.atleast_2d(x); t.atleast_3d(x); t.combinations(x); t.combinations(x, 2, True);
t.combinations(x, 1); t.cat([x]); t.stack([x]);
t.broadcast_tensors(x, t.ones(2, 3)); t.meshgrid(x, t.ones(2), indexing='xy'); t.ravel(x); t.t(x);
t.narrow(x, 0, 0, 1); x.narrow(0, -1, 1); x.narrow(0, 5, 1); x.narrow(0, 0, 9);
x.narrow(0, 0, -1); x.select(0, -1); x.select(0, 9); x.t().contiguous();
x.mT.contiguous().stride(); x.clone().stride(); t.zeros_like(x).stride(); x.contiguous().stride();
x.sum_to_size(1); x.sum_to_size(3); x.movedim(0, 5); x.transpose(0, 5); x.flatten(5);
x.squeeze(5); x.T.reshape(-1); x.t().view(-1); x.flatten().view(-1, 1)
"""
    ),
]
"""Other shapes and orders."""

INDEXING = split(
    """
x[x > 0]; x[0]; x[-1]; x[1:]; x[...]; x[None]; x[:, 0]; x[[0]]; x[t.tensor([0])]; x[True]; x[()];
x[::2]; x[5]; x[0, 0]; x[::-1]; x[1:0:-1]; x[..., 0]; x[..., None]; x[None, ..., None]; x[[True]];
x[[0, 0]]; x[t.tensor(0)]; x[t.tensor(True)]; x[t.tensor([0, -1])]; x[t.tensor([5])]; x[(0,)];
x[:, None]; x[x == x]; x[0:0]; x[-1:]; x['a']; x[1.0]; x[[0.5]]; x[[]]; x[None, None];
x[..., [0]]; x[[0], [0]]; x[:, [0, 1]]; x[t.tensor([[0]])]; x[False]; x[0][0];
x[t.tensor([0], dtype=t.uint8)]; x[range(1)]; x[t.tensor([0], dtype=t.int32)]; x[0, ...];
x[..., ...]; x[(None, 0)]; x[2]; x[-3]; x[:, -1]; x[1:1]; x[100:]; x[-100:2]; x[0, 0, 0];
x[t.tensor(1.0)]; x[x.long() > 0]; x[None, [0]]; x[:, x[0] > 0]; x[[[0]]];
x[t.tensor([], dtype=t.long)]; x[t.tensor([True])]; x[1:, 1:]; x[:-1]; x[None][0]; x[:, :, 0];
x[0:1][0]; x[n.array([0])]; x[slice(0, 1)]; x[0].item(); x[-5:5:2]; x.take(t.tensor([0]));
x.take(t.tensor([-1])); x.take(t.tensor([99])); x.masked_fill(x > 0, 0); x.masked_select(x > 0);
x.masked_select(t.tensor(True)); x.put(t.tensor([0]), x.flatten()[:1]);
x.index_put((t.tensor([0]),), x[:1]); x.index_put((t.tensor([0]),), x[:1], accumulate=True);
x.masked_scatter(x > 0, x); x.scatter(0, t.zeros_like(x, dtype=t.long), x);
x.index_select(0, t.tensor(0)); x.index_select(0, t.tensor([5]));
x.index_select(0, t.tensor([0.5])); x.gather(0, t.tensor([9])); x.argwhere().shape;
t.where(x > 0); t.where(x > 0, x, x); t.where(x > 0, x, 0); t.where(x > 0, 1.0, x);
t.where(x > 0, 1, 0); x.where(x > 0, 0); t.nn.functional.one_hot(x);
x.index_select({d}, t.tensor([0])); x.gather({d}, t.zeros_like(x, dtype=t.long));
x.index_fill({d}, t.tensor([0]), 2); x.index_add({d}, t.tensor([0]), x.narrow({d}, 0, 1));
x.index_copy({d}, t.tensor([0]), x.narrow({d}, 0, 1));
x.scatter({d}, t.zeros_like(x, dtype=t.long), 2);
x.scatter_add({d}, t.zeros_like(x, dtype=t.long), x);
x.take_along_dim(t.zeros_like(x, dtype=t.long), {d});
x.scatter_reduce({d}, t.zeros_like(x, dtype=t.long), x, 'amax');
x.scatter_reduce({d}, t.zeros_like(x, dtype=t.long), x, 'mean', include_self=False);
x.select_scatter(x.select({d}, 0), {d}, 0); x.slice_scatter(x.narrow({d}, 0, 1), {d}, 0, 1);
x.quantile(0.5, dim={d}); t.trapezoid(x, dim={d}); x.renorm(2, {d}, 1.0);
t.linalg.vector_norm(x, dim={d}); t.nn.functional.normalize(x, dim={d}); t.var_mean(x, -1);
t.var_mean(x, 1); x.diagonal_scatter(x.diagonal())
"""
)
"""Parts by index, mask and place."""

MATRICES = split(
    """
x.addmm(x, x); x.addmv(x, x[0]); x.addr(x, x); x.baddbmm(x, x); x.addbmm(x, x); x.matrix_power(2);
x.matrix_power(-1); t.linalg.norm(x); t.linalg.norm(x, 1); t.linalg.norm(x, 'fro');
t.linalg.matrix_norm(x); t.linalg.matrix_norm(x, 1); t.linalg.matrix_norm(x, 2); t.linalg.det(x);
t.linalg.inv(x); t.linalg.solve(x, x); t.linalg.eigvalsh(x); t.linalg.slogdet(x);
t.linalg.matrix_rank(x); t.linalg.cholesky(x); t.linalg.qr(x)[1].shape; t.linalg.pinv(x);
t.linalg.cross(x, x); t.linalg.multi_dot([x, x]); t.linalg.vecdot(x, x); t.linalg.vector_norm(x);
t.linalg.vector_norm(x, 3); t.linalg.vector_norm(x, float('inf')); t.linalg.matrix_exp(x);
t.linalg.diagonal(x); t.linalg.matrix_power(x, 3); t.linalg.inv_ex(x);
t.linalg.solve_triangular(x, x, upper=True); t.linalg.lu_factor(x)[1]; t.linalg.eigvals(x).shape;
t.linalg.lstsq(x, x)[0]; t.einsum('...i,...i->...', x, x); t.einsum('ij->ji', x);
t.einsum('i->', x); t.einsum('i,i->', x, x); t.einsum('ij,jk->ik', x, x); t.einsum('ii->i', x);
t.einsum('i,j->ij', x, x); t.einsum('...->...', x); t.tensordot(x, x, 1); t.tensordot(x, x, 0);
t.tensordot(x, x, ([0], [0])); t.chain_matmul(x, x); x @ x.mT; x.mm(x.t()); x.matmul(x.T);
t.addmm(x, x, x, beta=2, alpha=3); t.cdist(x, x, 1); x.logdet().isnan(); x.cholesky_inverse()
"""
)
"""Products and linear algebra."""

SPECIAL = split(
    """
t.polygamma(1, x); t.polygamma(0, x); t.polygamma(2, x.abs() + 1); t.polygamma(-1, x);
t.mvlgamma(x, 1); t.special.i0e(x); t.special.i1(x); t.special.entr(x); t.special.ndtr(x);
t.special.xlog1py(x, x); t.special.log_ndtr(x); t.special.erfcx(x);
t.special.ndtri(x); t.special.expit(x); t.special.gammaln(x); t.special.psi(x);
t.special.logit(x); t.special.sinc(x); t.special.exp2(x);
t.special.gammainc(x, x); t.special.xlogy(x, x); t.special.round(x);
t.view_as_real(x); t.view_as_complex(x); t.resolve_conj(x); t.imag(x); t.lerp(x, x, 0.5);
t.addcmul(x, x, x); t.addcdiv(x, x, x); t.addcmul(x, x, x, value=0.5); t.clamp(x, 0, 1);
t.addcdiv(x, x, x, value=2); t.clamp(x, min=0.5); t.clamp(x, x, x); t.clamp_min(x, 1);
t.clamp_max(x, 0.5); t.rsqrt(x); t.logaddexp(x, t.tensor(0.5)); t.nextafter(x, x + 1);
t.heaviside(x, t.tensor(0.5)); t.hypot(x, t.tensor([1.0]));
t.fmax(x, t.tensor(0.0))
"""
)
"""Special functions, complex parts and bounds."""

CREATION = split(
    """
x.new_zeros(2); x.new_tensor([1]); x.new_full((2,), 3); x.new_full((2,), 2.5); x.new_ones(2, 3);
x.new_empty((2, 0)); x.new_tensor([1.5]); t.zeros_like(x); t.ones_like(x, dtype=t.int32);
t.full_like(x, 2); t.full_like(x, 2.5); t.full_like(x, True); t.full_like(x, 1j);
t.empty_like(x).shape; t.rand_like(x).shape; t.randn_like(x).shape;
t.zeros_like(x, requires_grad=True); t.as_tensor(x); t.tensor(x.tolist()); t.arange(x.numel());
t.full((2,), x.numel()); t.ones(x.shape); t.zeros(x.size()); t.tensor(x.flatten()[0].item());
t.eye(x.dim()); t.linspace(0, 1, x.numel()); t.tril_indices(2, x.dim());
t.arange(3, dtype=x.dtype); t.zeros(2, dtype=x.dtype); t.eye(2, dtype=x.dtype);
t.full((2,), 2.5, dtype=x.dtype); t.tensor([1, 0], dtype=x.dtype);
t.linspace(0, 1, 3, dtype=x.dtype); t.ones(2, dtype=x.dtype).requires_grad_();
t.tensor([[1.0, 2.0]], dtype=x.dtype);
t.rand(2, dtype=x.dtype).shape; x.dtype.is_signed;
x.dtype.itemsize; x.dtype.to_complex()
"""
)
"""New tensors like the input or of its dtype."""

OUT = split(
    """
t.add(x, x, out=t.empty(0)); t.exp(x, out=t.empty(0)); t.sum(x, 0, out=t.empty(0));
t.mul(x, 2, out=x); t.add(x, x, out=t.empty(0, dtype=t.float64));
t.add(x, 1.5, out=t.empty(0, dtype=t.int64)); t.abs(x, out=x);
t.max(x, 0, out=(t.empty(0), t.empty(0, dtype=t.long))); t.neg(x, out=t.empty(3));
t.matmul(x, x, out=t.empty(0)); t.mean(x, 0, out=t.empty(0));
t.gt(x, 0, out=t.empty(0, dtype=t.bool)); t.gt(x, 0, out=t.empty(0)); t.sqrt(x, out=t.empty(0));
t.cumsum(x, 0, out=t.empty(0)); t.index_select(x, 0, t.tensor([0]), out=t.empty(0));
t.clamp(x, 0, 1, out=t.empty(0)); t.where(x > 0, x, x, out=t.empty(0));
t.sort(x, out=(t.empty(0), t.empty(0, dtype=t.long))); t.logical_not(x, out=t.empty(0));
t.div(x, 2, out=t.empty(0)); t.sigmoid(x, out=t.empty(0, dtype=t.complex64));
t.argmax(x, out=t.empty(0, dtype=t.long)); t.std(x, 0, out=t.empty(0))
"""
)
"""Results written into a given tensor."""

WRONG = split(
    """
x.sum(foo=1); x.sum(0, 0, 0, 0); x.sum('a'); x.sum(0.5); x.add(); x.add('a'); x.add(None);
x.mul([1]); x.exp(1); t.exp(); t.exp(1.0); t.exp([1.0]); x.view('a'); x.reshape(1.5);
x.permute('a'); x.transpose(0); x.expand('a'); x.repeat(); x.squeeze('a'); x.unsqueeze();
x.unsqueeze(0.5); x.cat(x); t.cat(x); t.cat([]); t.stack([]); t.cat([x, 1]); x.sort('a');
x.max('a'); x.softmax('a'); x.pow(); x.pow('a'); x.clamp('a'); x.matmul(2); x.dot(2);
x.fill_('a'); x.fill_(t.ones(2)); x.to('a'); x.no_such_method(); t.no_such_function(x); x.dim(1);
x.item(1); x.gather(0, 1); x.index_select(0, 0); x.masked_fill(True, 0); x.where(True, 0);
t.where(x); x.norm(p='x'); x.chunk('a'); x.narrow(0, 0); x.select(0); x.flip('a'); x.roll();
x.std(unbiased=True, correction=1); x.requires_grad_(1); x.detach(1); x.clone(1); x.tolist(1);
x.sum(dim=0, axis=0); x.add(1, alpha='a'); x.div(2, rounding_mode=1); x.backward(1, 2, 3, 4, 5);
x(1); t.zeros_like(1); t.sum(1); t.add(1, 2); t.matmul(x, 1); x.round(1); x.topk('a'); x.t(1)
"""
)
"""Arguments of the wrong kind."""

KEYWORDS = split(
    """
x.squeeze(dim=0); x.transpose(dim0=0, dim1=1); x.permute(dims=(1, 0)); x.flip(dims=(0,));
x.roll(shifts=1, dims=0); x.expand(size=(2, 3)); x.reshape(shape=(-1,)); x.clamp(max=1);
x.add(other=1); t.add(input=x, other=x); t.sub(input=x, other=2, alpha=2);
t.mul(input=x, other=2); x.softmax(dim=0); t.cat(tensors=[x, x], dim=0); t.stack(tensors=(x, x));
t.where(condition=x > 0, input=x, other=x); x.norm(p=2, dim=0); x.var(dim=0, unbiased=False);
x.view(size=(-1,)); x.unsqueeze(dim=0); x.narrow(dim=0, start=0, length=1);
x.select(dim=0, index=0); x.chunk(chunks=2, dim=0); x.split(split_size=1); t.split(x, 2);
t.split(tensor=x, split_size_or_sections=1); x.index_select(dim=0, index=t.tensor([0]));
x.gather(dim=0, index=t.zeros_like(x, dtype=t.long)); x.cumsum(dim=0); x.div(other=2);
x.tril(diagonal=1); x.masked_fill(mask=x > 0, value=1); x.diagonal(offset=0, dim1=0, dim2=1);
x.logsumexp(dim=0); x.pow(exponent=2); t.pow(input=x, exponent=2); t.matmul(input=x, other=x);
t.exp(input=x); x.lerp(end=x, weight=0.5); x.addcmul(tensor1=x, tensor2=x, value=2);
x.scatter(dim=0, index=t.zeros_like(x, dtype=t.long), value=1); x.std(axis=0);
t.clamp(input=x, min=0); x.flatten(start_dim=0, end_dim=-1); x.unbind(dim=0); x.tile(dims=(2,));
x.repeat(repeats=(2, 2, 2)); x.movedim(source=0, destination=-1);
x.unfold(dimension=0, size=1, step=1); x.fill_(value=2); x.sub_(other=1, alpha=2);
x.remainder(other=2); x.eq(other=1); x.mm(mat2=x); x.dot(tensor=x); x.outer(vec2=x);
x.round(decimals=2); x.nan_to_num(nan=1.0); t.softmax(input=x, dim=0);
x.sum(dim=(0,), keepdim=True); t.max(input=x, dim=0); t.max(x, other=x); x.max(other=x);
t.squeeze(input=x)
"""
)
"""Arguments by name."""

FUNCTIONAL = [
    *each(
        "t.nn.functional.{}(x)",
        "relu softplus gelu elu leaky_relu silu hardtanh sigmoid logsigmoid tanh celu selu "
        "mish hardswish hardsigmoid relu6 tanhshrink softshrink hardshrink softsign glu rrelu",
    ),
    *each(
        "t.nn.functional.{}(x, x)",
        "mse_loss l1_loss smooth_l1_loss huber_loss kl_div poisson_nll_loss pairwise_distance "
        "binary_cross_entropy_with_logits multilabel_soft_margin_loss linear",
    ),
    *split(
        """
t.nn.functional.softmax(x, -1); t.nn.functional.log_softmax(x, 0); t.nn.functional.softmin(x, 0);
t.nn.functional.pad(x, (1, 1)); t.nn.functional.pad(x, (1, 0, 0, 1));
t.nn.functional.pad(x, (1, 1), value=2); t.nn.functional.pad(x, (-1, 0));
t.nn.functional.dropout(x, 0.0); t.nn.functional.dropout(x, 0.5, False);
t.nn.functional.linear(x, t.ones(2, 3)); t.nn.functional.linear(x, t.ones(2, 3), t.ones(2));
t.nn.functional.normalize(x, p=1, dim=0); t.nn.functional.threshold(x, 0, 1);
t.nn.functional.mse_loss(x, x + 1, reduction='sum');
t.nn.functional.mse_loss(x, x * 2, reduction='none');
t.nn.functional.l1_loss(x, x + 1, reduction='none'); t.nn.functional.mse_loss(x, t.ones(3));
t.nn.functional.relu(x, True); t.nn.functional.embedding(x, t.ones(6, 2));
t.nn.functional.leaky_relu(x, 0.5); t.nn.functional.elu(x, 2.0);
t.nn.functional.gelu(x, approximate='tanh'); t.nn.functional.hardtanh(x, -0.5, 0.5);
t.nn.functional.softplus(x, 2.0)
"""
    ),
]
"""Functions of ``nn.functional``."""

RECORDED = split(
    """
x.float().requires_grad_().exp(); x.requires_grad_(False).requires_grad; x.detach().requires_grad;
(x * 2).is_leaf; x.exp().grad_fn is None; (x > 0).requires_grad; x.long().requires_grad;
x.clone().is_leaf; x.data.requires_grad; x.view_as(x)._is_view(); x[...]._base is x;
x.sum().retain_grad(); x.retain_grad(); x.sum().backward(); x.backward();
x.exp().sum().backward(); t.autograd.grad(x.sum(), x); (x * x).sum().backward();
t.autograd.grad(x, x); t.autograd.grad(x * 2, x, t.ones_like(x));
t.autograd.grad(x * 2, x, t.ones(7)); t.autograd.grad((x ** 3).sum(), x, create_graph=True);
x.exp().backward(x); x.mean().backward(); t.func.grad(lambda v: (v * v).sum())(x);
t.func.vjp(t.exp, x)[0]; t.autograd.functional.vjp(t.exp, x)[0]
"""
)
"""What is recorded, and passes through it."""

FEW = ("number", "vector", "matrix", "no rows", "integers", "uint8", "bools", "half", "complex")
"""The inputs of expressions that look at an input's kind alone."""
GROUPS = [
    (group, tuple(INPUTS))
    for group in (
        ELEMENTWISE, WHOLE, IN_PLACE, ON_VIEWS, ARITHMETIC, OTHER_OPERANDS, TWICE, REDUCTIONS,
        SHAPES, INDEXING, MATRICES, SPECIAL, FUNCTIONAL, RECORDED,
    )
] + [(group, FEW) for group in (PYTHON, CREATION, OUT, WRONG, KEYWORDS)]  # fmt: skip
EXPRESSIONS = {expression: inputs for group, inputs in GROUPS for expression in group}
"""The inputs on which each expression is tried."""
