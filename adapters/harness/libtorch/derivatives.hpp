// The words that differentiate.
#pragma once

#include "value.hpp"

namespace harness {

Value tensor_backward(const at::Tensor& root, Arguments arguments);
Value autograd_backward(Arguments arguments);
Value autograd_grad(Arguments arguments);
Value vjp(Arguments arguments);
Value jvp(Arguments arguments);

}  // namespace harness
