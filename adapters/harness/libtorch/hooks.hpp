// Functions of the program that libtorch calls during a backward pass.
#pragma once

#include "value.hpp"

namespace harness {

// Each returns a handle, whose `remove` takes the hook away again.
Value register_tensor_hook(const at::Tensor& tensor, const Value& function);
Value register_post_accumulate_hook(const at::Tensor& tensor, const Value& function);
Value register_node_hook(const NodePointer& node, const Value& function);
Value register_node_prehook(const NodePointer& node, const Value& function);

}  // namespace harness
