"""JAX: NumPy code differentiated by tracing functions, here operation by operation, without `jit`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from .framework.classify import pattern
from .framework.engine import Unsupported
from .framework.functional import FunctionalEngine, paired
from .framework.named_calls import calls
from .framework.numpy_calls import (
    NUMPY_CALLS,
    PADDED_AS,
    approximation,
    encoding,
    for_each,
    other_forms,
    pad_widths,
    part_at,
    places_along,
    shaping_methods,
    whole_but,
)
from .framework.numpy_names import numpy_words
from .framework.python_engine import Kinds

CALLS = {
    **{
        name: f"nn.{name}(input)"
        for name in ("sigmoid", "relu", "selu", "celu")
    },
    **{
        f"nn.functional.{name}": f"nn.{theirs}(input)"
        for name, theirs in {
            "relu": "relu", "relu6": "relu6", "selu": "selu", "hardtanh": "hard_tanh",
            "hardsigmoid": "hard_sigmoid", "hardswish": "hard_swish", "logsigmoid": "log_sigmoid",
            "mish": "mish", "silu": "silu", "softsign": "soft_sign", "softplus": "softplus",
        }.items()
    },
    "nn.functional.leaky_relu": "nn.leaky_relu(input, negative_slope:0.01)",
    "nn.functional.elu": "nn.elu(input, alpha:1.0)",
    "nn.functional.celu": "nn.celu(input, alpha:1.0)",
    "celu": "nn.celu(input, alpha:1.0)",
    "nn.functional.glu": "nn.glu(input, axis=dim:-1)",
    "softmax": "nn.softmax(input, axis=dim)",
    "log_softmax": "nn.log_softmax(input, axis=dim)",
    "nn.functional.softmax": "nn.softmax(input, axis=dim)",
    "nn.functional.log_softmax": "nn.log_softmax(input, axis=dim)",
    "logsumexp": "nn.logsumexp(input, axis=dim, keepdims=keepdim?)",
    "rsqrt": "lax.rsqrt(input)",
    "sgn": "numpy.sign(input)",
    "erf": "scipy.special.erf(input)",
    "erfc": "scipy.special.erfc(input)",
    "erfinv": "scipy.special.erfinv(input)",
    "lgamma": "scipy.special.gammaln(input)",
    "digamma": "scipy.special.digamma(input)",
    "polygamma": "scipy.special.polygamma(n, input)",
    "mvlgamma": "scipy.special.multigammaln(input, p)",
    "logit": "scipy.special.logit(input)",
    "xlogy": "scipy.special.xlogy(input, other)",
    "i0": "scipy.special.i0(input)",
    **{
        f"special.{name}": f"scipy.special.{name}(input)"
        for name in ("i0e", "i1", "i1e", "ndtr", "ndtri", "log_ndtr", "entr", "erfcx")
    },
    "special.xlog1py": "scipy.special.xlog1py(input, other)",
    "special.gammainc": "scipy.special.gammainc(input, other)",
    "conj_physical": "numpy.conj(input)",
    "complex": "lax.complex(real, imag)",
    "argsort": "numpy.argsort(input, axis=dim:-1, descending=descending?, stable=stable?)",
    **{  # otherwise JAX reads both triangles, and PyTorch one
        f"linalg.{name}": f"numpy.linalg.{name}(input, UPLO=UPLO?, symmetrize_input=both:False)"
        for name in ("eigh", "eigvalsh")
    },
    "linalg.pinv": "numpy.linalg.pinv(input, rtol=rtol?, hermitian=hermitian?)",
    "linalg.svd": "numpy.linalg.svd(A, full_matrices=full_matrices:True)",
    "linalg.matrix_exp": "scipy.linalg.expm(A)",
    "matrix_exp": "scipy.linalg.expm(A)",
    "linalg.householder_product": "lax.linalg.householder_product(A, tau)",
    "promote_types": "numpy.promote_types(type1, type2)",
    "is_complex": "numpy.iscomplexobj(input)",
    "func.jacrev": "jacrev(func, argnums:0, has_aux=has_aux?)",
    "func.jacfwd": "jacfwd(func, argnums:0, has_aux=has_aux?)",
    "func.hessian": "hessian(func, argnums:0)",
    "func.jvp": "jvp(func, primals, tangents, has_aux=has_aux?)",
}  # fmt: skip
"""Where JAX has PyTorch's operations. The parameters are PyTorch's."""
TRANSFORMS = (
    "func.vmap",
    "func.grad",
    "func.jacrev",
    "func.jacfwd",
    "func.jvp",
    "func.vjp",
    "func.grad_and_value",
)
REDUCED_BY = {"sum": "add", "prod": "multiply", "amax": "max", "amin": "min"}


class JaxEngine(FunctionalEngine):
    """https://github.com/jax-ml/jax"""

    name = "jax"
    module_name = "jax"
    only_named = True
    funnels = frozenset(
        {"jax._src.dispatch", "jax._src.core", "jax._src.pjit", "jax._src.traceback_util"}
    )
    features = FunctionalEngine.features | {"func", "vmap"}
    patterns = (
        pattern("wrong-index", "Positional argument indices|requires at least .* positional arguments to be passed"),
        pattern("wrong-index", "in gather op is out of range|slice limit_indices must be less than or equal"),
        pattern("wrong-shape", "rev dimensions must be unique|transpose permutation|must have rank at least"),
        pattern("wrong-shape", "must have every element be|dilations must be positive|diag input must be"),
        pattern("wrong-dtype", "to have the same dtypes"),
        pattern("wrong-value", "function with aux output|expected PyTreeDef|same tree structure|vmap in_axes must be"),
        pattern("wrong-shape", "cannot reshape array|only specify one unknown|inconsistent with the original primal"),
        # a text is taken for the name of an axis
        pattern("wrong-type", "unbound axis name", "NameError"),
        pattern("wrong-shape", "Incompatible types for matmul|must have ndim at least|exceeds input ranks"),
        pattern("wrong-dtype", "tangent arguments to jax.jvp do not match; dtypes", "TypeError"),
        pattern("wrong-dtype", r"does not support complex-valued|x\.dtype=\w+ is not supported"),
        pattern("unsupported", r"x\.dtype=\w+ is not supported"),  # where no error is expected
        pattern("wrong-shape", "must not have more rows than"),
        pattern("refused", "Shape should be positive", "ValueError"),
        pattern("unsupported", "Shape should be positive", "ValueError"),  # a transform's size of -1
        pattern("wrong-value", r"Python integer \S+ out of bounds for", "OverflowError"),
        pattern("wrong-dtype", "requires (real|complex|real- or complex)[^.]*valued outputs"),
        pattern("not-differentiable-dtype", "requires (real|complex|real- or complex)[^.]*valued inputs"),
        pattern("gradient-mismatch", "unexpected JAX type|cotangent.*(shape|dtype|type)|linear_transpose"),
        pattern("wrong-shape", r"only defined for scalar-output functions. Output had shape"),
        pattern("wrong-shape", "Cannot concatenate arrays|contracting dimension|incompatible shapes"),
        pattern("wrong-shape", "must be at least|one-dimensional|square"),
        pattern("wrong-shape", "of an empty sequence"),
        pattern("wrong-index", "out of bounds"),
        pattern("wrong-value", "slice (start|limit)_indices"),
        pattern("wrong-dtype", "does not accept dtype|Integers cannot be raised|only real valued"),
        pattern("wrong-dtype", "Indexer must|integer type"),
        pattern("missing-gradient", "(Differentiation rule|VJP|transpose).*not (been )?implemented"),
        pattern("unsupported", "not implemented|NotImplemented|non-tuple sequence for multidimensional indexing"),
    )  # fmt: skip

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        super().__init__(device, kinds)
        jax, numpy = self.module, self.arrays()
        named = {**numpy_words(numpy), **calls(numpy, NUMPY_CALLS), **calls(jax, CALLS)}
        operations = {**named, **self.own_words()}
        operations.update(
            {name: of_tuples(operations[name]) for name in operations if name in TRANSFORMS}
        )
        self.offer({name: self.in_default_dtype(word) for name, word in operations.items()}, methods={
            **shaping_methods(numpy),
        })  # fmt: skip
        self.attributes = {
            **self.attributes,
            **{name: attrgetter(name) for name in ("dtype", "ndim", "T", "mT", "real", "imag")},
        }

    def in_default_dtype(self, word: Callable[..., Any]) -> Callable[..., Any]:
        """A word, but not where it makes floats from integers: with float64 switched on, JAX's default dtype is
        float64, and that of our programs is float32."""
        numpy = self.arrays()

        def call(*arguments: Any, **keywords: Any) -> Any:
            result = word(*arguments, **keywords)
            if self.is_tensor(result) and result.dtype in (numpy.float64, numpy.complex128):
                kinds = [argument.dtype.kind for argument in arguments if self.is_tensor(argument)]
                if kinds and set(kinds) <= set("biu") and "dtype" not in keywords:
                    raise Unsupported("float32 from integers while float64 is switched on")
            return result

        return call

    def load_module(self) -> Any:
        jax = super().load_module()
        jax.config.update("jax_enable_x64", True)  # without it float64 silently means float32
        for name in ("numpy", "nn", "lax", "lax.linalg", "scipy.special", "scipy.linalg"):
            importlib.import_module(f"jax.{name}")
        return jax

    def arrays(self) -> Any:
        return self.module.numpy

    def own_words(self) -> dict[str, Callable[..., Any]]:
        """Words whose arguments JAX takes in another form."""
        jax, numpy = self.module, self.arrays()
        lax, nn, linalg = jax.lax, jax.nn, jax.scipy.linalg
        return {
            **other_forms(numpy),
            "logcumsumexp": lambda x, dim: lax.cumlogsumexp(x, dim + x.ndim if dim < 0 else dim),
            "flatten": self.flatten,
            "narrow": self.narrow,
            "select": lambda x, dim, index: lax.index_in_dim(x, index, dim, keepdims=False),
            "select_scatter": lambda x, src, dim, index: part_at(x, dim, index, src).set(src),
            "slice_scatter": self.slice_scatter,
            "masked_select": self.masked_select,
            "nonzero": numpy.argwhere,
            "scatter": lambda x, dim, index, src: self.along(x, dim, index).set(self.fitting(src, index)),
            "scatter_add": lambda x, dim, index, src: self.along(x, dim, index).add(self.fitting(src, index)),
            "scatter_reduce": self.scatter_reduce,
            "index_copy": lambda x, dim, index, source: part_at(x, dim, index, source).set(source),
            "index_fill": self.index_fill,
            "index_put": self.index_put,
            "topk": lambda x, k, dim=-1: paired(lax.top_k(x, k, axis=dim)),
            "block_diag": lambda *parts: linalg.block_diag(*parts),
            "nn.functional.gelu": lambda x, approximate="none": nn.gelu(x, approximate=approximation(approximate)),
            "nn.functional.one_hot": encoding(nn.one_hot, numpy.int64),
            "nn.functional.pad": self.pad,
            **{f"nn.functional.conv{rank}d": partial(self.convolve, rank) for rank in (1, 2, 3)},
            **{f"nn.functional.max_pool{rank}d": partial(self.max_pool, rank) for rank in (1, 2, 3)},
            "linalg.solve_triangular": lambda A, B, upper, unitriangular=False: linalg.solve_triangular(
                A, B, lower=not upper, unit_diagonal=unitriangular
            ),
            "cholesky_solve": lambda B, L, upper=False: linalg.cho_solve(
                (L, not upper), numpy.broadcast_to(B, (*L.shape[: max(L.ndim - B.ndim, 0)], *B.shape))
            ),
            "linalg.lstsq": self.lstsq,
            "linalg.qr": self.qr,
            "trapezoid": self.trapezoid,
            "linalg.lu": self.lu,
            "linalg.lu_factor": self.lu_factor,
            "linalg.lu_solve": lambda LU, pivots, B: linalg.lu_solve((LU, pivots - 1), B),
            "linalg.vander": self.vander,
            "func.vmap": self.vmap,
            "func.vjp": self.pulling_back,
            "func.linearize": lambda function, *primals: jax.linearize(function, *primals),
            "func.grad": self.gradient,
            "func.grad_and_value": self.gradient_and_value,
        }  # fmt: skip

    def qr(self, A: Any, mode: str = "reduced") -> Any:
        if mode == "r":
            raise Unsupported("qr with R alone, which is no pair")
        return self.arrays().linalg.qr(A, mode)

    def lstsq(self, A: Any, B: Any) -> Any:
        if A.ndim != 2:
            raise Unsupported("lstsq of several matrices")
        return self.arrays().linalg.lstsq(A, B)

    def trapezoid(self, y: Any, x: Any = None, *, dx: float = 1.0, dim: int = -1) -> Any:
        """PyTorch broadcasts the points from the last dimension on; JAX looks for `dim` among their own."""
        if x is not None and 1 < x.ndim < y.ndim:
            x = x[(None,) * (y.ndim - x.ndim)]
        return self.arrays().trapezoid(y, x, dx=dx, axis=dim)

    def lu_factor(self, A: Any) -> Any:
        """The pivots count from one, as LAPACK's do; JAX's count from zero."""
        packed, pivots = self.module.scipy.linalg.lu_factor(A)
        return packed, pivots + 1

    def masked_select(self, value: Any, mask: Any) -> Any:
        if mask.dtype != self.arrays().bool_:
            raise Unsupported("masked_select with a mask of numbers")
        value, mask = self.arrays().broadcast_arrays(value, mask)
        return value[mask]

    def flatten(self, value: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
        """`collapse` takes its bounds as a slice does."""
        if not all(-value.ndim <= dim < value.ndim for dim in (start_dim, end_dim)):
            raise Unsupported("flatten from or to a dimension that is out of range")
        return self.module.lax.collapse(value, start_dim, None if end_dim == -1 else end_dim + 1)

    def slice_scatter(
        self, value: Any, src: Any, dim: int = 0, start: Any = None, end: Any = None, step: int = 1
    ) -> Any:
        if step < 1:
            raise Unsupported("slice_scatter backwards")
        part = whole_but(value, dim, slice(start, end, step))
        if value[part].shape != src.shape:
            raise Unsupported("slice_scatter of another shape, which would be stretched")
        return value.at[part].set(src)

    def index_put(self, value: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
        if not isinstance(indices, tuple | list) or not self.is_tensor(values):
            raise Unsupported("index_put with indices or values of another form")
        place = value.at[tuple(indices)]
        return place.add(values) if accumulate else place.set(values)

    def narrow(self, value: Any, dim: int, start: Any, length: int) -> Any:
        if length < 0:
            raise Unsupported("narrow to a negative length")
        first = start + value.shape[dim] if start < 0 else start
        return self.module.lax.slice_in_dim(value, first, first + length, axis=dim)

    def lu(self, A: Any) -> Any:
        if A.ndim != 2:
            raise Unsupported("lu of several matrices")
        return self.module.scipy.linalg.lu(A)

    def index_fill(self, filled: Any, dim: int, index: Any, value: Any) -> Any:
        if getattr(value, "shape", ()) or index.ndim > 1:
            raise Unsupported("index_fill with a value that has dimensions, or an index of several")
        return filled.at[whole_but(filled, dim, index)].set(value)

    def vander(self, value: Any, N: Any = None) -> Any:
        if value.ndim != 1:
            raise Unsupported("vander of several vectors")
        return self.arrays().vander(value, N, increasing=True)

    def along(self, value: Any, dim: int, index: Any) -> Any:
        return value.at[places_along(self.arrays(), value, dim, index)]

    def fitting(self, source: Any, index: Any) -> Any:
        if getattr(source, "shape", index.shape) != index.shape and source.shape:
            raise Unsupported("scatter from a source of another shape than the index")
        return source

    def scatter_reduce(
        self, value: Any, dim: int, index: Any, src: Any, reduce: str, *, include_self: bool = True
    ) -> Any:
        if not include_self or reduce not in REDUCED_BY:
            raise Unsupported(f"scatter_reduce with {reduce} and include_self={include_self}")
        place = self.along(value, dim, index)
        return getattr(place, REDUCED_BY[reduce])(self.fitting(src, index))

    def pad(
        self, padded: Any, pad: Sequence[int], mode: str = "constant", value: Any = None
    ) -> Any:
        filled = {"constant_values": value or 0} if mode == "constant" else {}
        most = {"reflect": -1, "circular": 0}.get(mode)
        sizes = [n for n in padded.shape[::-1] for _ in range(2)]
        if most is not None and any(w > n + most for w, n in zip(pad, sizes, strict=False)):
            raise Unsupported("padding by more than there is, which goes on around")
        return self.arrays().pad(
            padded, pad_widths(padded.ndim, pad, mode), PADDED_AS[mode], **filled
        )

    def convolve(
        self, rank: int, value: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1,
    ) -> Any:  # fmt: skip
        if bias is not None or value.ndim != rank + 2:
            raise Unsupported("a convolution with a bias, or without a batch")
        widths = (
            padding.upper()
            if isinstance(padding, str)
            else [(n, n) for n in for_each(padding, rank)]
        )
        return self.module.lax.conv_general_dilated(
            value, weight, for_each(stride, rank), widths, rhs_dilation=for_each(dilation, rank),
            feature_group_count=groups,
        )  # fmt: skip

    def max_pool(
        self,
        rank: int,
        value: Any,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
    ) -> Any:
        lead = (1,) * (value.ndim - rank)
        window = for_each(kernel_size, rank)
        if len(window) != rank:
            raise Unsupported(f"a window of {len(window)} dimensions over {rank}")
        sizes = zip(value.shape[-rank:], window, for_each(padding, rank), strict=True)
        if len(lead) not in (1, 2) or any(w > n + 2 * p or w < 2 * p for n, w, p in sizes):
            raise Unsupported("a window that reduce_window takes and max_pool does not")
        steps = window if stride is None else for_each(stride, rank)
        widths = [(0, 0)] * len(lead) + [(n, n) for n in for_each(padding, rank)]
        return self.module.lax.reduce_window(
            value, -self.arrays().inf, self.module.lax.max, lead + window, lead + steps, widths,
            window_dilation=lead + for_each(dilation, rank),
        )  # fmt: skip

    def vjp(
        self, function: Callable[..., Any], inputs: Sequence[Any], cotangents: Any
    ) -> tuple[Any, ...]:
        """JAX's pullback is the transpose, PyTorch's the conjugate of it: for complex numbers its documentation
        asks to conjugate both the cotangents and the result."""
        _, pullback = self.module.vjp(tupled(function), *inputs)
        seeds = tuple(cotangents) if isinstance(cotangents, tuple | list) else cotangents
        conjugate = self.arrays().conj
        return tuple(map(conjugate, pullback(self.module.tree.map(conjugate, seeds))))

    def vmap(self, func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0) -> Any:
        """JAX maps over its keywords too, and takes a tuple of dimensions for a tuple of results alone."""

        def checked(*arguments: Any) -> Any:
            result = func(*arguments)
            if isinstance(out_dims, tuple) and len(out_dims) == 1 and self.is_tensor(result):
                raise Unsupported("a tuple of one dimension for a result that is no tuple")
            return result

        mapped = self.module.vmap(checked, in_axes=in_dims, out_axes=out_dims)

        def call(*arguments: Any, **keywords: Any) -> Any:
            if keywords:
                raise Unsupported("keywords that vmap does not map over")
            return mapped(*arguments)

        return call

    def gradient_and_value(
        self, func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False
    ) -> Callable[..., Any]:
        """JAX's gradient of complex numbers is the conjugate of PyTorch's."""
        compute = self.module.value_and_grad(func, argnums, has_aux)

        def call(*arguments: Any, **keywords: Any) -> Any:
            value, gradients = compute(*arguments, **keywords)
            return self.module.tree.map(conjugated, gradients), value

        return call

    def gradient(
        self, func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False
    ) -> Callable[..., Any]:
        compute = self.gradient_and_value(func, argnums, has_aux)

        def call(*arguments: Any, **keywords: Any) -> Any:
            gradients, value = compute(*arguments, **keywords)
            return (gradients, value[1]) if has_aux else gradients

        return call

    def pulling_back(
        self, function: Callable[..., Any], *primals: Any, has_aux: bool = False
    ) -> Any:
        """The word `func.vjp`, whose pullback conjugates as `vjp` does."""
        tree = self.module.tree
        value, pullback, *rest = self.module.vjp(function, *primals, has_aux=has_aux)
        return (
            value,
            lambda seeds: tree.map(conjugated, pullback(tree.map(conjugated, seeds))),
            *rest,
        )

    def jvp(
        self, function: Callable[..., Any], inputs: Sequence[Any], tangents: Sequence[Any]
    ) -> Any:
        return self.module.jvp(tupled(function), tuple(inputs), tuple(tangents))[1]

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, self.module.Array)

    def dtype_name(self, value: Any) -> str:
        numpy = self.arrays()
        if isinstance(value, type(numpy.float32)):  # the words for dtypes are JAX's scalar types
            return str(numpy.dtype(value).name)
        return value.name if isinstance(value, numpy.dtype) else ""


def tupled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose several results are a plain tuple, as the cotangents are."""

    def call(*arguments: Any) -> Any:
        results = function(*arguments)
        return tuple(results) if isinstance(results, tuple | list) else results

    return call


def conjugated(value: Any) -> Any:
    """The conjugate of a complex array; anything else as it is."""
    return value.conj() if getattr(getattr(value, "dtype", None), "kind", "") == "c" else value


def of_tuples(transform: Callable[..., Any]) -> Callable[..., Any]:
    """A transform that takes lists nowhere, as PyTorch's takes none where it asks for a tuple, and no function
    that returns numbers, which JAX takes for arrays."""

    def call(function: Any, *arguments: Any, **keywords: Any) -> Any:
        if any(isinstance(argument, list) for argument in (*arguments, *keywords.values())):
            raise Unsupported("a list where a tuple is asked for")
        checked = of_arrays(function)
        return transform(
            with_aux(checked) if keywords.get("has_aux") else checked, *arguments, **keywords
        )

    return call


def of_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that returns arrays, and maybe containers of them."""

    def call(*arguments: Any, **keywords: Any) -> Any:
        result = function(*arguments, **keywords)
        parts = result if isinstance(result, tuple) else (result,)
        if not parts or any(
            part is None or isinstance(part, int | float | complex) for part in parts
        ):
            raise Unsupported("a function that returns no array")
        return result

    return call


def with_aux(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that returns a pair, as a tuple."""

    def call(*arguments: Any) -> Any:
        result = function(*arguments)
        if not isinstance(result, tuple):
            raise Unsupported("a pair of a result and something else that is no tuple")
        return result

    return call
