"""In-place methods return the tensor itself."""

import torch

x = torch.tensor([4.0, 9.0])
y = x
r = x.sqrt_().add_(1).mul_(2).sub_(0.5).div_(3)
print(r is x, y is x, x, x._version)
print(x.neg_().abs_().exp_().log_().sin_().cos_().tanh_().sigmoid_(), x._version)
print(
    torch.tensor([1.7, -1.7, 2.5]).floor_(),
    torch.tensor([1.7, -1.7]).ceil_(),
    torch.tensor([0.5, 1.5, 2.5]).round_(),
    torch.tensor([1.7, -1.7]).trunc_(),
    torch.tensor([1.7, -1.7]).frac_(),
)
print(
    torch.tensor([1.0, 2]).pow_(3),
    torch.tensor([1.0, 4]).rsqrt_(),
    torch.tensor([2.0, 4]).reciprocal_(),
    torch.tensor([1.0, -4]).sign_(),
    torch.tensor([3.0, -4]).relu_(),
    torch.tensor([3.0, -4]).clamp_(min=-1),
    torch.tensor([3.0, -4]).clip_(max=1),
    torch.tensor([3.0, -4]).clamp_min_(0),
    torch.tensor([3.0, -4]).clamp_max_(0),
)
print(
    torch.tensor([7.0, -7]).remainder_(3),
    torch.tensor([7.0, -7]).fmod_(3),
    torch.tensor([7, -7]).floor_divide_(2),
    torch.tensor([7.0]).true_divide_(2),
    torch.tensor([1.0]).addcmul_(torch.tensor([2.0]), torch.tensor([3.0]), value=10),
    torch.tensor([1.0]).addcdiv_(torch.tensor([2.0]), torch.tensor([4.0])),
    torch.tensor([1.0]).lerp_(torch.tensor([3.0]), 0.5),
)
print(
    torch.zeros(2).erf_(),
    torch.ones(1).expm1_(),
    torch.ones(1).log1p_(),
    torch.ones(1).log2_(),
    torch.ones(1).log10_(),
    torch.ones(1).exp2_(),
    torch.ones(1).atan_(),
    torch.ones(1).square_(),
    torch.ones(1).sinh_(),
    torch.ones(1).lgamma_(),
    torch.ones(1).digamma_(),
    torch.ones(1).erfinv_(),
)
print(
    torch.tensor([3, 5]).bitwise_and_(1),
    torch.tensor([3, 5]).bitwise_or_(8),
    torch.tensor([3, 5]).bitwise_xor_(1),
    torch.tensor([3, 5]).bitwise_not_(),
    torch.tensor([True]).logical_not_(),
    torch.tensor([True]).logical_and_(torch.tensor([False])),
    torch.tensor([1.0]).logical_or_(torch.tensor([0.0])),
)
print(
    torch.tensor([1.0, 2]).eq_(1),
    torch.tensor([1.0, 2]).ne_(1),
    torch.tensor([1, 2]).lt_(2),
    torch.tensor([1, 2]).ge_(torch.tensor([1, 3])),
    torch.tensor([1.0, 3.0]).gt_(2),
    torch.tensor([1.0, 3.0]).le_(2),
)
print(
    torch.ones(2, 2).tril_(),
    torch.ones(2, 2).triu_(1),
    torch.ones(2, 3).t_().shape,
    torch.ones(2, 3, 4).transpose_(0, 2).shape,
    torch.ones(1, 2).squeeze_(0).shape,
    torch.ones(2).unsqueeze_(-1).shape,
    torch.ones(2, 3).swapaxes_(0, 1).shape,
    torch.zeros(3).fill_diagonal_ and torch.zeros(2, 2).fill_diagonal_(3),
)
print(
    torch.arange(4.0).cumsum_(0),
    torch.arange(1.0, 4).cumprod_(0),
    torch.tensor([float("nan"), 1]).nan_to_num_(3),
    torch.ones(2).copysign_(-1),
    torch.ones(2).hypot_(torch.ones(2)),
    torch.ones(2).atan2_(torch.ones(2)),
    torch.ones(2).xlogy_(torch.full((2,), 2.0)),
    torch.ones(2).ldexp_(torch.tensor(2)),
    torch.ones(2).nextafter_(torch.zeros(2)) < 1,
    torch.tensor([3.0, 5]).renorm_(2, 0, 1),
    torch.tensor([0.5]).logit_(),
    torch.tensor([0.5]).arcsin_(),
    torch.tensor([0.5]).heaviside_(torch.tensor([1.0])),
)
