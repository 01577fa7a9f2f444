"""Aliases that NumPy users try: absolute, concatenate, arctan2, float_power, nan functions."""

import torch

x = torch.tensor([[4.0, -9.0], [0.5, 2.0]])
for name in "absolute negative arccos arcsin arctan arccosh arcsinh arctanh fix concat concatenate vstack multiply divide true_divide subtract greater less greater_equal less_equal not_equal arctan2 float_power swapaxes moveaxis clip det inverse logdet ger matrix_power msort argwhere fmax fmin ravel atleast_1d nanmean nansum nanmedian broadcast_to hstack trapz asarray from_numpy as_tensor full_like corrcoef cov diff flipud fliplr tril_indices cumulative_trapezoid pinverse svd qr cholesky rfft is_nonzero numel clone detach rand_like adjoint positive signbit sgn hypot cdist renorm polar nanquantile".split():
    print(name, hasattr(torch, name), hasattr(torch.Tensor, name))
print(
    torch.absolute(x),
    torch.negative(x),
    torch.concatenate([x, x]).shape,
    torch.arctan2(x, x),
    torch.float_power(x.abs(), 0.5).dtype,
    torch.fix(x),
    torch.clip(x, 0, 1),
    torch.multiply(x, 2),
    torch.subtract(x, 1, alpha=2),
    torch.greater(x, 0),
    x.arcsin(),
    x.not_equal(4),
)
print(
    torch.is_nonzero(torch.tensor(1)),
    torch.asarray([1, 2]),
    torch.as_tensor(x) is x,
)
for name in ["pinverse", "matrix_power"]:
    try:
        f = getattr(torch, name)
        r = f(x @ x.T) if name != "matrix_power" else f(x, 2)
        print(name, [t.shape for t in r] if isinstance(r, tuple) else r)
    except Exception as error:
        print(name, type(error).__name__)
