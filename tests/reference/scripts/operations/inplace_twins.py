"""In-place twins: identity, version, dtype refusals, leaves, values."""

import torch

start = torch.tensor([0.25, 0.5, 0.75])
for name in "abs_ neg_ sign_ sgn_ square_ sqrt_ rsqrt_ reciprocal_ exp_ exp2_ expm1_ log_ log2_ log10_ log1p_ sin_ cos_ tan_ asin_ acos_ atan_ sinh_ cosh_ tanh_ sinc_ sigmoid_ logit_ erf_ erfc_ erfinv_ lgamma_ digamma_ i0_ floor_ ceil_ round_ trunc_ frac_ deg2rad_ rad2deg_ nan_to_num_ relu_ zero_ fix_ negative_ absolute_ arcsin_ arctan_ logical_not_ bitwise_not_".split():
    x = start.clone()
    try:
        y = getattr(x, name)()
        print(name, y is x, x, x._version)
    except Exception as error:
        print(name, type(error).__name__)
    leaf = start.clone().requires_grad_()
    mid = leaf * 1
    try:
        y = getattr(mid, name)()
        print("  ", y.grad_fn.name())
        y.sum().backward()
        print("  ", leaf.grad)
    except Exception as error:
        print("  ", type(error).__name__)
other = torch.tensor([2.0, 3.0, 0.5])
for name in "add_ sub_ mul_ div_ pow_ fmod_ remainder_ atan2_ hypot_ copysign_ xlogy_ ldexp_ nextafter_ heaviside_ floor_divide_ true_divide_ multiply_ subtract_ divide_ eq_ ne_ lt_ le_ gt_ ge_ logical_and_ float_power_ copy_ arctan2_ maximum_ clamp_min_ clamp_max_".split():
    x = start.clone()
    try:
        y = getattr(x, name)(other)
        print(name, y is x, x, x._version)
    except Exception as error:
        print(name, type(error).__name__)
